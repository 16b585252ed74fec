"""The possible targets and weapons of actions at stations, for menus and forms, with the reason why there are none."""

from __future__ import annotations

from typing import Final

from rules.conflict.lasting import effects_named
from rules.deciding.fields import FieldRow
from rules.ships.bridge import own_ship, ships_served, ships_there
from rules.state.ships import Ship, SystemDamage
from rules.state.table import Table
from rules.state.vocabulary import System
from rules.words import say


def own_ships(table: Table, who: str) -> tuple[Ship, ...]:
    """The ships that somebody may act for and that still stand."""
    return tuple(one for one in ships_served(table, who) if not one.state.destroyed)


def other_ships(table: Table, who: str) -> tuple[str, ...]:
    """Every ship of the fight that still stands, but for the one that acts (SATK-1, S2E-7)."""
    own = own_ship(table, who)
    return tuple(one.ship_id for one in ships_there(table) if one != own and not one.state.destroyed)


def mounted(table: Table, who: str) -> tuple[str, ...]:
    """The weapons of one's ship, of each where it is not settled which (SATK-1)."""
    return tuple(dict.fromkeys(one.name for ship in own_ships(table, who) for one in ship.weapons))


def damages(table: Table, who: str) -> tuple[SystemDamage, ...]:
    """How the systems of one's ships stand."""
    return tuple(ship.state.damage_of(system) for ship in own_ships(table, who) for system in System)


def out(table: Table, who: str) -> tuple[str, ...]:
    """The systems that are out until they are restored (BRCH-2, S2E-6)."""
    return tuple(dict.fromkeys(one.system for one in damages(table, who) if one.impact))


def gone_to_warp(name: str, table: Table, who: str) -> tuple[str, ...] | None:
    """The ships that went to warp, by what lasts of that name, and may be pursued; None where none is (SHIP-7)."""
    own = own_ship(table, who)
    standing = (one.ship_id for one in table.ships if one != own and not one.state.destroyed)
    return tuple(one for one in standing if effects_named(table, name, target_id=one)) or None


SHIP: Final = FieldRow(
    name="target_id",
    those=other_ships,
    asked=say("At which ship"),
    none=say("No other ship is there that it could be aimed at."),
)
"""The ship that an action is aimed at (SATK-1, S2E-7)."""


ONLY_SHIP: Final = FieldRow(name="target_id", alone=True, those=other_ships, asked=say("At which ship"), none=SHIP.none)
"""The ship that a scan or a solution is about, which the only other one is by itself (S2E-X4, S2E-T3)."""


WEAPON: Final = FieldRow(name="weapon", alone=True, those=mounted, asked=say("With"))
"""The weapon of a shot (SATK-1)."""


OUT: Final = FieldRow(
    name="system", those=out, asked=say("System"), none=say("No system is out; nothing is there to restore.")
)
"""The system that is restored (BRCH-2, S2E-6)."""
