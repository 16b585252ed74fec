"""Traits: added, with the potency they reach, renamed, and removed (TRAIT-4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import ClassVar, Final

from rules.deciding.checks import is_npc, require_ready, require_text
from rules.deciding.decision import Command, Draft, Event
from rules.deciding.telling import Narration, NarrationKind, ended, same
from rules.errors import Refusal, Unchanged
from rules.state.changing import replace
from rules.state.table import Table
from rules.state.tasks import Trait
from rules.state.vocabulary import TraitKind
from rules.words import Phrase, capitalized, counted, either, listed, say, spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitAdded(Event):
    """A trait holds now, with the potency it has reached (TRAIT-4); `at_once` Complications of one decision."""

    trait: Trait
    next_number: int
    at_once: int = 1

    weight: ClassVar[int | None] = 310

    def fold(self, table: Table) -> Table:
        traits = tuple(self.trait if one.trait_id == self.trait.trait_id else one for one in table.traits)
        if self.trait not in traits:
            traits = (*traits, self.trait)
        return replace(table, traits=traits, next_number=self.next_number)

    def told(self, _: Table, __: Table) -> Narration:
        kind, name, potency = capitalized(self.trait.kind), spoken(self.trait.name), self.trait.potency
        if potency > 1:
            return same(
                say("{kind}: {name}, potency {potency}.", kind=kind, name=name, potency=potency), NarrationKind.CHANGE
            )
        return same(say("{kind}: {name}.", kind=kind, name=name), NarrationKind.CHANGE)


def told_at_once(added: Sequence[TraitAdded], before: Table, after: Table) -> Narration:
    """The Complications of one decision, by their names where these are few; one alone with its potency."""
    names = tuple(dict.fromkeys(spoken(one.trait.name) for one in added))
    if len(names) == 1:
        return added[-1].told(before, after)
    kind = counted(len(names), "Complication")
    words = say("{kind}: {name}.", kind=kind, name=listed(names)) if len(names) <= _MOST_NAMED else ended(kind)
    return same(words, NarrationKind.CHANGE)


_MOST_NAMED: Final = 4
"""More names than these are a list that nobody listens to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitRenamed(Event):
    """What was `before` is `trait` now: the same one, or an identical one that has the potency of both (TRAIT-4)."""

    before: Trait
    trait: Trait

    weight: ClassVar[int | None] = 315

    def fold(self, table: Table) -> Table:
        merged = {self.before.trait_id} - {self.trait.trait_id}
        traits = (one for one in table.traits if one.trait_id not in merged)
        return replace(
            table, traits=tuple(self.trait if one.trait_id == self.trait.trait_id else one for one in traits)
        )

    def told(self, _: Table, __: Table) -> Narration:
        before, name, potency = spoken(self.before.name), spoken(self.trait.name), self.trait.potency
        if potency > 1:
            return same(
                say("{before} is now {name}, potency {potency}.", before=before, name=name, potency=potency),
                NarrationKind.CHANGE,
            )
        return same(say("{before} is now {name}.", before=before, name=name), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitRemoved(Event):
    """A trait ended."""

    trait_id: str
    name: str

    weight: ClassVar[int | None] = 320

    def fold(self, table: Table) -> Table:
        return replace(table, traits=tuple(one for one in table.traits if one.trait_id != self.trait_id))

    def told(self, _: Table, __: Table) -> Narration:
        return same(say("{name} ends.", name=spoken(self.name)), NarrationKind.CHANGE)


def traits(table: Table, _: str) -> tuple[str, ...]:
    """Every trait that holds (TRAIT-1)."""
    return tuple(one.trait_id for one in table.traits)


def complications_of_side(table: Table, *, npc: bool) -> tuple[Trait, ...]:
    """The Complications that hinder the gamemaster's side, or those that hinder the players' (TRAIT-3)."""
    return tuple(one for one in table.traits if one.kind is TraitKind.COMPLICATION and one.npc is npc)


def complications(table: Table, who: str) -> tuple[str, ...]:
    """The Complications that hold, those of the side of `who` first, which wants to be rid of them (TRAIT-3)."""
    npc = all(is_npc(one) for one in table.characters if one.character_id == who)  # an NPC ship's crew is no character
    return tuple(one.trait_id for side in (npc, not npc) for one in complications_of_side(table, npc=side))


def _identical(table: Table, name: str, kind: TraitKind, but: str = "", *, npc: bool) -> Trait | None:
    """The trait of that name and kind which hinders that side, unless its id is `but` (TRAIT-4).

    What hinders one side is not what hinders the other: each pays for the end of its own alone (TRAIT-3).
    """
    of_kind = (one for one in table.traits if one.kind is kind and one.npc is npc)
    alike = (one for one in of_kind if one.name.casefold() == name.casefold())
    return next((one for one in alike if one.trait_id != but), None)


def record_trait(draft: Draft, name: str, kind: TraitKind, at_once: int = 1, *, npc: bool = False) -> None:
    """TRAIT-4: a new trait, or one more potency for the same trait; one of `at_once` of this decision.

    `npc` as the `Trait` has it.
    """
    cleaned = require_text(name, say("the trait in words"))
    number = draft.table.next_number
    if (one := _identical(draft.table, cleaned, kind, npc=npc)) is not None:
        draft.record(TraitAdded(trait=replace(one, potency=one.potency + 1), next_number=number, at_once=at_once))
        return
    trait = Trait(trait_id=f"trait-{number}", name=cleaned, kind=kind, npc=npc)
    draft.record(TraitAdded(trait=trait, next_number=number + 1, at_once=at_once))


def without_words(table: Table, who: str = "") -> Phrase:
    """A name for a Complication of `who` that nobody named, unlike all others: the same would raise the potency.

    One that is nobody's in particular, as one made with Threat (THR-4), is trouble in the scene.
    """
    held = {one.name.casefold() for one in table.traits}
    if who:
        first = say("Trouble for {name}", name=who)
        further = (say("Trouble for {name}, {number}", name=who, number=number) for number in count(2))
    else:
        first = say("Trouble in the scene")
        further = (say("Trouble in the scene, {number}", number=number) for number in count(2))
    return next(one for one in chain((first,), further) if one.casefold() not in held)


def find_complication(table: Table, trait_id: str) -> Trait:
    """The Complication with that id. Refuses what is none, and what holds no more (TRAIT-3)."""
    for one in table.traits:
        if one.trait_id == trait_id and one.kind is TraitKind.COMPLICATION:
            return one
    held = [spoken(one.name) for one in table.traits if one.kind is TraitKind.COMPLICATION]
    if not held:
        raise Refusal("TRAIT-3", "There is no such Complication; none holds now.")
    raise Refusal("TRAIT-3", "There is no such Complication; choose {names}.", names=either(held))


def _find_trait(table: Table, trait_id: str) -> Trait:
    for one in table.traits:
        if one.trait_id == trait_id:
            return one
    held = [spoken(one.name) for one in table.traits]
    if not held:
        raise Refusal("TRAIT-1", "There is no such trait; none holds now.")
    raise Refusal("TRAIT-1", "There is no such trait; choose {names}.", names=either(held))


def remove_trait(draft: Draft, command: RemoveTrait) -> None:
    """A trait ends, whatever its potency."""
    one = _find_trait(draft.table, command.trait_id)
    draft.record(TraitRemoved(trait_id=one.trait_id, name=one.name))


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTrait(Command):
    """Something is true of the scene now; an identical trait gains potency (TRAIT-4)."""

    name: str
    kind: TraitKind = TraitKind.TRAIT

    undone: ClassVar[Phrase | None] = say("adding the trait")

    def decide(self, draft: Draft) -> None:
        """TRAIT-1 to TRAIT-4."""
        require_ready(draft.table)
        record_trait(draft, self.name, self.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameTrait(Command):
    """A trait gets another name and keeps its kind; with an identical one it becomes one of both potencies (TRAIT-4).

    So a Complication that was taken without a name gets one.
    """

    trait_id: str
    name: str

    undone: ClassVar[Phrase | None] = say("renaming the trait")

    def decide(self, draft: Draft) -> None:
        """TRAIT-1, TRAIT-4."""
        before = _find_trait(draft.table, self.trait_id)
        name = require_text(self.name, say("the trait in words"))
        if name == before.name:
            raise Unchanged("TRAIT-1", "That is so already; change something, or leave it as it is.")
        other = _identical(draft.table, name, before.kind, but=before.trait_id, npc=before.npc)
        trait = replace(before, name=name)
        if other is not None:
            trait = replace(other, potency=other.potency + before.potency)
        draft.record(TraitRenamed(before=before, trait=trait))


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveTrait(Command):
    """A trait ends, whatever its potency."""

    trait_id: str

    undone: ClassVar[Phrase | None] = say("taking the trait away")

    def decide(self, draft: Draft) -> None:
        remove_trait(draft, self)
