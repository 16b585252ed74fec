"""What the gamemaster sets about ships: Shields after a scene, Power, Crew Support, shelter, Complications (SHIP-2).

In: commands from people. Out: the ship's new state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rules.deciding.checks import find_ship, require_nothing_open, short_text
from rules.deciding.decision import Command, Draft
from rules.errors import Refusal
from rules.ships.bridge import change_ship
from rules.ships.events import CrewSupportChanged, ShieldsChanged, ShipSheltered
from rules.ships.first.power import complicate, gain, lose, require_new_power
from rules.ships.numbers import MOST_POWER
from rules.state.changing import replace
from rules.state.vocabulary import System
from rules.words import Phrase, say


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreShields(Command):
    """The gamemaster restores a ship's Shields after a scene, wholly or up to a number (C-75)."""

    ship_id: str
    shields: int | None = None

    undone: ClassVar[Phrase | None] = say("the restored Shields")

    def decide(self, draft: Draft) -> None:
        """C-75: nothing restores Shields by itself; the gamemaster may between scenes."""
        ship = find_ship(draft.table, self.ship_id)
        state = ship.state
        shields = state.shields_max if self.shields is None else self.shields
        if not 0 <= shields <= state.shields_max:
            raise Refusal(
                "SHIP-2",
                "{ship}'s Shields go from 0 to {shields_max}; choose one of these.",
                ship=ship.name,
                shields_max=state.shields_max,
            )
        if shields == (state.shields if state.shields_raised else state.shields_kept):
            raise Refusal(
                "SHIP-2",
                "{ship}'s Shields are at {shields} already; choose another number.",
                ship=ship.name,
                shields=shields,
            )
        why = say("restored")
        if not state.shields_raised:
            change_ship(draft, ship.ship_id, why, shields_kept=shields)
            return
        draft.record(
            ShieldsChanged(
                ship_id=ship.ship_id,
                name=ship.name,
                shields=shields,
                change=shields - state.shields,
                why=why,
                state=replace(state, shields=shields),
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustPower(Command):
    """The gamemaster changes a ship's Power: what a strange device drains, or a slip put right (SHIP-5)."""

    ship_id: str
    change: int
    reason: str = ""

    undone: ClassVar[Phrase | None] = say("the change of Power")

    def decide(self, draft: Draft) -> None:
        """SHIP-5, C-65: Power lost brings its Complication where it falls short; gained, it has a maximum.

        Refuses Power gained where the Engines give none (BRCH-4, BRCH-5).
        """
        require_nothing_open(draft.table)
        ship = find_ship(draft.table, self.ship_id)
        if not -MOST_POWER <= self.change <= MOST_POWER:
            raise Refusal("SHIP-5", "Power changes by at most {most} at once; choose less.", most=MOST_POWER)
        why = short_text(self.reason, say("the reason")) or say("the gamemaster")
        if not self.change:
            raise Refusal("SHIP-5", "Say by how much Power changes.")
        if self.change < 0:
            lose(draft, ship.ship_id, -self.change, why)
            return
        require_new_power(ship)
        most = ship.state.power_max
        if ship.state.power >= most:
            raise Refusal(
                "SHIP-5",
                "Power of {ship} is at its maximum of {most}; take some away, or leave it.",
                ship=ship.name,
                most=most,
            )
        gain(draft, ship.ship_id, min(most, ship.state.power + self.change), why)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendCrewSupport(Command):
    """A point of Crew Support brings a supporting character into play (SHIP-2)."""

    ship_id: str
    note: str = ""

    undone: ClassVar[Phrase | None] = say("the Crew Support")

    def decide(self, draft: Draft) -> None:
        """SHIP-2: a point for each supporting character of a mission."""
        ship = find_ship(draft.table, self.ship_id)
        left = ship.state.crew_support
        if left < 1:
            raise Refusal("SHIP-2", "{ship} has no Crew Support left for this mission.", ship=ship.name)
        note = short_text(self.note, say("who comes in"))
        state = replace(ship.state, crew_support=left - 1)
        draft.record(
            CrewSupportChanged(ship_id=ship.ship_id, name=ship.name, left=left - 1, spent=True, note=note, state=state)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RenewCrewSupport(Command):
    """A new mission: Crew Support is whole again (SHIP-2)."""

    ship_id: str

    undone: ClassVar[Phrase | None] = say("the new mission's Crew Support")

    def decide(self, draft: Draft) -> None:
        """SHIP-2: it comes back with the next mission only, which the gamemaster says."""
        ship = find_ship(draft.table, self.ship_id)
        most = ship.state.crew_support_max
        if ship.state.crew_support == most:
            raise Refusal(
                "SHIP-2", "{ship} has all {most} of its Crew Support; spend some first.", ship=ship.name, most=most
            )
        state = replace(ship.state, crew_support=most)
        draft.record(CrewSupportChanged(ship_id=ship.ship_id, name=ship.name, left=most, spent=False, state=state))


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplicateShip(Command):
    """A Complication on a ship, on one of its systems or none (SHIP-5, REP-3)."""

    ship_id: str
    system: System | None = None
    name: str = ""

    undone: ClassVar[Phrase | None] = say("the ship's Complication")

    def decide(self, draft: Draft) -> None:
        """SHIP-5, REP-3: a Complication that has come up on a ship."""
        ship = find_ship(draft.table, self.ship_id)
        complicate(draft, ship, self.system, short_text(self.name, say("the Complication")))


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelterShip(Command):
    """A ship is sheltered by that number of Challenge Dice of Resistance, until 0 or the scene's end (SDMG-1)."""

    ship_id: str
    dice: int

    undone: ClassVar[Phrase | None] = say("the ship's shelter")

    def decide(self, draft: Draft) -> None:
        """SDMG-1: what a ship shelters behind throws Challenge Dice of Resistance against each hit."""
        ship = find_ship(draft.table, self.ship_id)
        if not 0 <= self.dice <= MOST_SHELTER:
            raise Refusal(
                "SDMG-1", "Shelter is worth 0 to {most} Challenge Dice; choose one of these.", most=MOST_SHELTER
            )
        if self.dice == ship.state.resistance_dice:
            raise Refusal(
                "SDMG-1",
                "{ship}'s shelter is worth {count} Challenge Dice already; choose another number.",
                ship=ship.name,
                count=self.dice,
            )
        state = replace(ship.state, resistance_dice=self.dice)
        draft.record(ShipSheltered(ship_id=ship.ship_id, name=ship.name, dice=self.dice, state=state))


MOST_SHELTER: Final = 12
"""The most Challenge Dice of an asteroid."""


def scene_ends(draft: Draft) -> None:
    """Shelter does not outlast its scene."""
    for ship in draft.table.ships:
        change_ship(draft, ship.ship_id, say("the scene ended"), resistance_dice=0)
