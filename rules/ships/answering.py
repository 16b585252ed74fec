"""Who answers an attack on a ship that evades or fires defensively, and with what (S2E-H4, S2E-T4, C-64)."""

from __future__ import annotations

from typing import Final

from rules.conflict.lasting import effects_named
from rules.conflict.order import is_able
from rules.deciding.checks import conflict_side, find_ship, profile
from rules.deciding.decision import Answer
from rules.ships.bridge import ships_served
from rules.ships.stations import STATION_ACTIONS, at_this_house
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.tasks import Task
from rules.state.vocabulary import ActionScope, Condition, Ruleset
from rules.tasks.opposed import those_aboard
from rules.words import say

REACTIONS: Final = {"evade": ("evading", "evasive_action"), "return_fire": ("firing_defensively", "defensive_fire")}
"""The answers: what has to hold for the ship, and the station's action whose row says what is thrown."""


ATTACKS: Final = frozenset({"fire", "fire_weapon", "ram", "ramming_speed"})
"""Attacks of a ship in either edition (S2E-7, SATK-1, STN-16)."""


def answers(table: Table, task: Task) -> Answer | None:
    """An attack is answered by the ship that it is aimed at, with what that prepared."""
    action = task.declaration.action
    if action is None or action.scope is not ActionScope.BRIDGE or action.name not in ATTACKS:
        return None
    if all(one.ship_id != action.target_id for one in table.ships):
        return None
    ship = find_ship(table, action.target_id)
    prepared = reactions(table, ship)
    if not prepared:
        return None
    return Answer(
        who=crew(table, ship, task.declaration.character_id),
        actions=prepared,
        rule="S2E-H4",
        otherwise=say("{ship} does not do that now; answer with what it prepared.", ship=ship.name),
    )


def reactions(table: Table, ship: Ship) -> frozenset[str]:
    """The answers that a ship prepared and can give: of a system that is gone or out there is none (S2E-14, S2E-6)."""
    return frozenset(
        name
        for name, (effect, station) in REACTIONS.items()
        if effects_named(table, effect, target_id=ship.ship_id) and _is_usable(table, ship, station)
    )


def _is_usable(table: Table, ship: Ship, station: str) -> bool:
    system = at_this_house(STATION_ACTIONS[Ruleset.SECOND_EDITION][station], profile(table)).ship_system
    if system is None:
        return True
    damage = ship.state.damage_of(system)
    return damage.condition is not Condition.DESTROYED and not damage.impact


def crew(table: Table, ship: Ship, attacker_id: str) -> tuple[str, ...]:
    """Who can answer for a ship, whoever prepared it first: those aboard, else whoever of its side may act for it."""
    if ship.state.destroyed or ship.state.abandoned or ship.state.critical:
        return ()
    there = those_aboard(table, ship.ship_id)
    own = conflict_side(table, attacker_id)
    if not there:
        people = (one.character_id for one in table.characters if ship in ships_served(table, one.character_id))
        there = tuple(one for one in people if one != attacker_id and conflict_side(table, one) is not own)
    prepared = [
        one.owner_id for name, _ in REACTIONS.values() for one in effects_named(table, name, target_id=ship.ship_id)
    ]
    return tuple(sorted((one for one in there if is_able(table, one)), key=lambda one: one not in prepared))
