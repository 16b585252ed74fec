"""Answers to an attack on a ship that evades or fires defensively: by whom, and with what (S2E-H4, S2E-T4, C-64)."""

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
        rule="S2E-H4" if "evade" in prepared else "S2E-T4",
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
    """Who answers for a ship with what it prepared: whoever took that action, as long as they can act aboard.

    Where they cannot, those who hold its station; nobody else aboard does. Where nobody is said to sit there, those who
    sit nowhere in particular do; the crew of an NPC ship holds every station.
    """
    if ship.state.destroyed or ship.state.abandoned or ship.state.critical:
        return ()
    found: list[str] = []
    for name in sorted(reactions(table, ship)):
        effect, action = REACTIONS[name]
        took = [one.owner_id for one in effects_named(table, effect, target_id=ship.ship_id)]
        able = [one for one in took if one != attacker_id and _is_aboard(table, ship, one) and is_able(table, one)]
        station = STATION_ACTIONS[Ruleset.SECOND_EDITION][action].station
        found += able or _holders(table, ship, station, attacker_id)
    return tuple(dict.fromkeys(found))


def _is_aboard(table: Table, ship: Ship, who: str) -> bool:
    """Whether somebody acts for the ship still: in a conflict, who takes part."""
    takes_part = table.conflict is None or table.conflict.combatant(who) is not None
    return takes_part and ship in ships_served(table, who)


def _holders(table: Table, ship: Ship, station: str, attacker_id: str) -> list[str]:
    there = [one for one in _crew_of(table, ship, attacker_id) if is_able(table, one)]
    seats = {one: _seat(table, ship, one) for one in there}
    at_it = [one for one in there if seats[one] == station or one == ship.ship_id]
    return at_it or [one for one in there if not seats[one]]


def _crew_of(table: Table, ship: Ship, attacker_id: str) -> tuple[str, ...]:
    """Those aboard; where nobody is said to be, whoever of the other side than the attacker's may act for the ship."""
    there = those_aboard(table, ship.ship_id)
    if there:
        return there
    own = conflict_side(table, attacker_id)
    people = (one.character_id for one in table.characters if ship in ships_served(table, one.character_id))
    return tuple(one for one in people if one != attacker_id and conflict_side(table, one) is not own)


def _seat(table: Table, ship: Ship, who: str) -> str:
    combatant = table.conflict.combatant(who) if table.conflict is not None else None
    return combatant.station if combatant is not None and combatant.ship_id in ("", ship.ship_id) else ""
