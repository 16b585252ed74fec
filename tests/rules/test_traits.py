from __future__ import annotations

import pytest

from rules.deciding.decision import Command
from rules.state.table import Table
from rules.state.vocabulary import TraitKind
from rules.table import decide, evolve
from rules.tasks.traits import AddTrait, RemoveTrait


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
