"""What the gamemaster sets about ships: Shields after a scene, Power, Crew Support, shelter, Complications (SHIP-2).

In: commands from people. Out: the ship's new state.
"""

from __future__ import annotations

from typing import Final

from rules import commands_ships as ch
from rules import events_ships as eh
from rules import events_ships2e as es
from rules.deciding.draft import Draft, find_ship, require_nothing_open, short_text
from rules.deciding.ships import power
from rules.deciding.ships2e.bridge import change_ship
from rules.errors import Refusal
from rules.phrases import say

MOST_SHELTER: Final = 12
"""More Challenge Dice than any asteroid is worth."""

MOST_POWER: Final = 30
"""More Power than any ship has; a larger change is a slip."""


def restore_shields(draft: Draft, command: ch.RestoreShields) -> None:
    """C-75: nothing restores Shields by itself; the gamemaster may between scenes."""
    ship = find_ship(draft.table, command.ship_id)
    state = ship.state
    shields = state.shields_max if command.shields is None else command.shields
    if not 0 <= shields <= state.shields_max:
        raise Refusal(
            "SHIP-2",
            "{ship}'s Shields go from 0 to {shields_max}; choose one of these.",
            ship=ship.name,
            shields_max=state.shields_max,
        )
    why = "restored"
    if not state.shields_raised:
        change_ship(draft, ship.ship_id, why, shields_kept=shields)
        return
    if shields == state.shields:
        return
    change_ship(draft, ship.ship_id, why, shields=shields)
    draft.record(
        es.ShieldsChanged(
            ship_id=ship.ship_id, name=ship.name, shields=shields, change=shields - state.shields, why=why
        )
    )


def adjust_power(draft: Draft, command: ch.AdjustPower) -> None:
    """SHIP-5: Power lost brings its Complication where it falls short; gained, it stays within the maximum (C-65)."""
    require_nothing_open(draft.table)
    ship = find_ship(draft.table, command.ship_id)
    if not -MOST_POWER <= command.change <= MOST_POWER:
        raise Refusal("SHIP-5", "Power changes by at most {most} at once; choose less.", most=MOST_POWER)
    why = short_text(command.reason, say("the reason")) or say("the gamemaster")
    if command.change < 0:
        power.lose(draft, ship.ship_id, -command.change, why)
    elif command.change:
        power.gain(draft, ship.ship_id, min(ship.state.power_max, ship.state.power + command.change), why)


def spend_crew_support(draft: Draft, command: ch.SpendCrewSupport) -> None:
    """SHIP-2: a point for each supporting character of a mission."""
    ship = find_ship(draft.table, command.ship_id)
    left = ship.state.crew_support
    if left < 1:
        raise Refusal("SHIP-2", "{ship} has no Crew Support left for this mission.", ship=ship.name)
    note = short_text(command.note, say("who comes in"))
    change_ship(draft, ship.ship_id, say("Crew Support"), crew_support=left - 1)
    draft.record(eh.CrewSupportChanged(ship_id=ship.ship_id, name=ship.name, left=left - 1, spent=True, note=note))


def renew_crew_support(draft: Draft, command: ch.RenewCrewSupport) -> None:
    """SHIP-2: it comes back with the next mission only, which the gamemaster says."""
    ship = find_ship(draft.table, command.ship_id)
    most = ship.state.crew_support_max
    if ship.state.crew_support == most:
        return
    change_ship(draft, ship.ship_id, say("a new mission"), crew_support=most)
    draft.record(eh.CrewSupportChanged(ship_id=ship.ship_id, name=ship.name, left=most, spent=False))


def complicate_ship(draft: Draft, command: ch.ComplicateShip) -> None:
    """SHIP-5, REP-3: a Complication that has come up on a ship."""
    ship = find_ship(draft.table, command.ship_id)
    power.complicate(draft, ship, command.system, short_text(command.name, say("the Complication")))


def shelter_ship(draft: Draft, command: ch.ShelterShip) -> None:
    """SDMG-1: what a ship shelters behind throws Challenge Dice of Resistance against each hit."""
    ship = find_ship(draft.table, command.ship_id)
    if not 0 <= command.dice <= MOST_SHELTER:
        raise Refusal("SDMG-1", "Shelter is worth 0 to {most} Challenge Dice; choose one of these.", most=MOST_SHELTER)
    if command.dice == ship.state.resistance_dice:
        return
    change_ship(draft, ship.ship_id, say("shelter"), resistance_dice=command.dice)
    draft.record(eh.ShipSheltered(ship_id=ship.ship_id, name=ship.name, dice=command.dice))


def scene_ends(draft: Draft) -> None:
    """Shelter does not outlast its scene."""
    for ship in draft.table.ships:
        change_ship(draft, ship.ship_id, say("the scene ended"), resistance_dice=0)
