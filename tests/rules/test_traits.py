from __future__ import annotations

from dataclasses import replace

import pytest

from rules.deciding.decision import Command
from rules.errors import Refusal
from rules.state.table import Table
from rules.state.vocabulary import TraitKind
from rules.table import decide, evolve
from rules.tasks.traits import AddTrait, RemoveTrait, RenameTrait


def after(table: Table, *commands: Command) -> Table:
    """The table once each command was decided and folded."""
    for command in commands:
        for event in decide(table, command):
            table = evolve(table, event)
    return table


def test_identical_traits_become_one_with_a_potency() -> None:
    """TRAIT-4."""
    table = after(Table(ready=True), *[AddTrait(name="Hull breach")] * 3, AddTrait(name="Dark"))
    assert [(trait.name, trait.potency) for trait in table.traits] == [("Hull breach", 3), ("Dark", 1)]
    assert after(table, RemoveTrait(trait_id=table.traits[0].trait_id)).traits == table.traits[1:]


@pytest.mark.parametrize("kind", list(TraitKind))
def test_a_trait_keeps_its_kind(kind: TraitKind) -> None:
    """TRAIT-3."""
    (trait,) = after(Table(ready=True), AddTrait(name="High ground", kind=kind)).traits
    assert trait.kind is kind


def test_the_same_words_of_another_kind_are_another_trait() -> None:
    """TRAIT-3, TRAIT-4."""
    table = after(
        Table(ready=True),
        AddTrait(name="Dark", kind=TraitKind.ADVANTAGE),
        AddTrait(name="Dark", kind=TraitKind.COMPLICATION),
    )
    assert [(trait.kind, trait.potency) for trait in table.traits] == [
        (TraitKind.ADVANTAGE, 1),
        (TraitKind.COMPLICATION, 1),
    ]


def test_a_trait_with_the_name_of_another_adds_its_potency_to_it() -> None:
    """TRAIT-4."""
    kind = TraitKind.COMPLICATION
    added = [AddTrait(name=name, kind=kind) for name in ("Smoke", "Smoke", "Sparks", "Fog")]
    table = after(Table(ready=True), AddTrait(name="Sparks"), *added)
    ids = {(one.name, one.kind): one.trait_id for one in table.traits}
    merged = after(table, RenameTrait(trait_id=ids["Smoke", kind], name="sparks"))
    assert [(one.name, one.kind, one.potency) for one in merged.traits] == [
        ("Sparks", TraitKind.TRAIT, 1),
        ("Sparks", kind, 3),
        ("Fog", kind, 1),
    ]
    assert merged.traits[1].trait_id == ids["Sparks", kind]


def test_a_renamed_trait_keeps_its_place_potency_and_kind() -> None:
    """TRAIT-3, TRAIT-4."""
    table = after(Table(ready=True), *[AddTrait(name="Smoke", kind=TraitKind.COMPLICATION)] * 2, AddTrait(name="Fog"))
    smoke, fog = table.traits
    assert after(table, RenameTrait(trait_id=smoke.trait_id, name=" Sparks ")).traits == (
        replace(smoke, name="Sparks"),
        fog,
    )


@pytest.mark.parametrize(
    ("trait_id", "name", "why"),
    [
        ("trait-99", "Smoke", "There is no such trait; choose Fog."),
        ("", "Fog", "That is so already; change something, or leave it as it is."),
        ("", "  ", "Please give the trait in words."),
    ],
)
def test_what_cannot_be_renamed_is_refused(trait_id: str, name: str, why: str) -> None:
    """TRAIT-1."""
    table = after(Table(ready=True), AddTrait(name="Fog"))
    with pytest.raises(Refusal) as caught:
        decide(table, RenameTrait(trait_id=trait_id or table.traits[0].trait_id, name=name))
    assert caught.value.message == why
