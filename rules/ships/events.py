"""What happened to ships in either edition: cards, Shields, systems struck and restored, moves, a core that fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rules.deciding.agenda import OfChain
from rules.deciding.decision import Event
from rules.deciding.telling import (
    Narration,
    NarrationKind,
    longer,
    reason,
    same,
    saved_told,
)
from rules.state.changing import replace
from rules.state.folding import without_opponent
from rules.state.glossary import grammatical
from rules.state.ships import Ship, ShipState
from rules.state.table import Table
from rules.state.vocabulary import System, Terrain
from rules.words import (
    NOTHING,
    capitalized,
    counted,
    say,
    say_count,
    sentences,
    spoken,
    worded,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfShip:
    """What an event of one ship carries: the ship, and how it stands from then on.

    `state` is None where the event changes nothing of the ship, and in older journals, which keep a `ShipStateChanged`
    beside it.
    """

    ship_id: str
    name: str
    state: ShipState | None = None

    def fold(self, table: Table) -> Table:
        return table if self.state is None else _standing(table, self.ship_id, self.state)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipStateChanged(Event):
    """Something of a ship changed that no other event names; `why` in words."""

    ship_id: str
    name: str
    state: ShipState
    why: str

    def fold(self, table: Table) -> Table:
        return _standing(table, self.ship_id, self.state)


def _standing(table: Table, ship_id: str, state: ShipState) -> Table:
    ships = tuple(replace(one, state=state) if one.ship_id == ship_id else one for one in table.ships)
    return replace(table, ships=ships)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipSaved(Event):
    """A ship was made or replaced."""

    ship: Ship
    created: bool
    next_number: int

    weight: ClassVar[int | None] = 390

    def fold(self, table: Table) -> Table:
        ships = tuple(self.ship if one.ship_id == self.ship.ship_id else one for one in table.ships)
        if self.ship not in ships:
            ships = (*ships, self.ship)
        return replace(table, ships=ships, next_number=self.next_number)

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.ship.name)
        if not self.ship.weapons:
            words = (
                say("{ship} has no weapon yet: it cannot fire.", ship=name)
                if self.created
                else say("{ship} is changed. It has no weapon: it cannot fire.", ship=name)
            )
            return same(words, NarrationKind.INFO)
        return saved_told(name, created=self.created)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipRemoved(Event):
    """A ship left the table."""

    ship_id: str
    name: str

    weight: ClassVar[int | None] = 400

    def fold(self, table: Table) -> Table:
        left = replace(
            table,
            ships=tuple(one for one in table.ships if one.ship_id != self.ship_id),
            fought=tuple(one for one in table.fought if one != self.ship_id),
        )
        return without_opponent(left, self.ship_id)

    def told(self, _: Table, __: Table) -> Narration:
        return same(say("{name} leaves the table.", name=spoken(self.name)), NarrationKind.INFO)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrewSupportChanged(OfShip, Event):
    """Crew Support was spent, or is whole again for a new mission (SHIP-2)."""

    left: int
    spent: bool
    note: str = ""

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        if not self.spent:
            return same(
                say("{name} has {left} Crew Support for the new mission.", name=name, left=self.left),
                NarrationKind.CHANGE,
            )
        who = say("{name} comes in.", name=spoken(self.note)) if spoken(self.note) else NOTHING
        return longer(
            say("{name} has {left} Crew Support left.", name=name, left=self.left), who, "", NarrationKind.CHANGE
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipSheltered(OfShip, Event):
    """A ship has that number of Challenge Dice of Resistance beside its own (SDMG-1)."""

    dice: int

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        if not self.dice:
            return same(say("{name} has no shelter any more.", name=name), NarrationKind.CHANGE)
        worth = say("{dice} of Resistance against each hit.", dice=counted(self.dice, "Challenge Die"))
        return longer(say("{name} is sheltered.", name=name), worth, "", NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainmentFailed(OfShip, Event):
    """The Engines are destroyed, in the second edition of a critical ship: the warp core fails (BRCH-5, S2E-17)."""

    def told(self, _: Table, __: Table) -> Narration:
        return longer(
            say("The warp core of {name} is failing.", name=spoken(self.name)),
            say("At the end of each Round dice decide whether it explodes. Stabilise or eject it."),
            "",
            NarrationKind.OUTCOME,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShieldsChanged(OfShip, Event):
    """Shields were regenerated, raised or lowered."""

    shields: int
    change: int
    why: str

    def told(self, _: Table, __: Table) -> Narration:
        return longer(
            say("{name}, Shields {shields}.", name=spoken(self.name), shields=self.shields),
            reason(self.why),
            "",
            NarrationKind.CHANGE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EvasionWon(Event):
    """Who won an attack on an evading ship may move it 1 zone (S2E-H4)."""

    ship_id: str
    name: str

    def told(self, _: Table, __: Table) -> Narration:
        return same(say("{name} may move 1 zone.", name=spoken(self.name)), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipMoved(OfShip, Event):
    """A ship moved; `terrain` is where it is now, `left` where it was (S2E-5, S2E-H1, S2E-H2).

    `on_map`: another event says to which zone (RNG-1).
    """

    zones: int
    left: Terrain
    terrain: Terrain
    how: str
    on_map: bool = False

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        if not self.zones:
            return same(say("{name} moves within its zone.", name=name), NarrationKind.CHANGE)
        left = say("It leaves the {place}.", place=worded(self.left)) if self.left is not Terrain.OPEN_SPACE else ""
        entered = (
            say("It is in the {place} now.", place=worded(self.terrain))
            if self.terrain is not Terrain.OPEN_SPACE
            else ""
        )
        moves = say("{name} moves {zones}.", name=name, zones=counted(self.zones, "zone"))
        return longer(
            NOTHING if self.on_map else moves,
            sentences(left, entered),
            "",
            NarrationKind.CHANGE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemStruck(OfChain, Event):
    """Which system a hit finds, by a d20 (`face`) or by choice (`face` 0)."""

    ship_id: str
    name: str
    system: System
    face: int

    def told(self, _: Table, __: Table) -> Narration:
        shown = say("The d20 shows {face}.", face=self.face) if self.face else ""
        text = say_count(
            grammatical(self.system),
            "{system} of {ship} is hit.",
            "{system} of {ship} are hit.",
            system=capitalized(self.system),
            ship=spoken(self.name),
        )
        return longer(text, shown, "", NarrationKind.OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreSecured(OfShip, Event):
    """The warp core was ejected, or stabilised (S2E-17)."""

    ejected: bool

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        if self.ejected:
            return same(
                say("The warp core of {name} is ejected and still may explode.", name=name), NarrationKind.OUTCOME
            )
        return same(say("The warp core of {name} is stable.", name=name), NarrationKind.OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRestored(OfShip, Event):
    """A system that was out works again (S2E-6)."""

    system: System

    def told(self, _: Table, __: Table) -> Narration:
        text = say_count(
            grammatical(self.system),
            "{name}'s {system} is restored.",
            "{name}'s {system} are restored.",
            name=spoken(self.name),
            system=self.system,
        )
        return same(text, NarrationKind.CHANGE)


def name_of_ship(table: Table, ship_id: str) -> str:
    """A ship's name as it is said."""
    return next((spoken(one.name) for one in table.ships if one.ship_id == ship_id), say("A ship"))
