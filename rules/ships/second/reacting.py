"""Evasive Action and Defensive Fire: attacks on the ship are opposed, by one of both (S2E-H3, S2E-H4, S2E-T4, C-64).

The side that reacts declares `evade` or `return_fire` while the attack waits for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rules.conflict.helping import action_of
from rules.conflict.lasting import begin_effect, effects_named, end_one
from rules.deciding.checks import find_ship, profile
from rules.deciding.decision import ActionRow, Draft, nothing
from rules.errors import Refusal
from rules.ships.among import WEAPON, own_ships
from rules.ships.answering import REACTIONS
from rules.ships.bridge import acting_ship, in_numbers, is_npc_crew, ship_of
from rules.ships.events import EvasionWon
from rules.ships.places import EVADES_TO, fly_to
from rules.ships.second.movement import require_movable
from rules.ships.second.stations import ROWS as STATIONS
from rules.ships.second.stations import SECOND, complete, station_row
from rules.ships.second.tactical import begin_hit
from rules.ships.shooting import weapon_of
from rules.ships.stations import at_this_house
from rules.ships.systems import breach_modifiers
from rules.state.changing import replace
from rules.state.conflict import Action, LastingEffect
from rules.state.ships import Ship, ShipWeapon
from rules.state.table import Table
from rules.state.tasks import Declaration, ShipAssistance, Task
from rules.state.vocabulary import ActionScope, EffectEnd, ShipWeaponKind
from rules.tasks.events import FollowedThrough
from rules.tasks.opposed import waiting
from rules.words import say

REACTIVE_DIFFICULTY: Final = 1
"""The Difficulty of an answer to an attack; the gamemaster may name another (C-64)."""


_NO_ENERGY: Final = say("Defensive Fire needs an energy weapon, and there is none.")
"""Why a ship without energy weapons cannot fire defensively (S2E-T4)."""


_OTHER: Final = {"evading": "firing_defensively", "firing_defensively": "evading"}
"""The other of two reactions that exclude each other, by what lasts of them."""


def _until_next_turn(draft: Draft, task: Task, name: str) -> None:
    ship = ship_of(draft, task)
    begin_effect(
        draft,
        LastingEffect(
            effect_id="",
            name=name,
            owner_id=task.declaration.character_id,
            target_id=ship.ship_id,
            note=action_of(task.declaration).weapon,
            focus=task.declaration.focus,
            ends=EffectEnd.OWNER_NEXT_TURN,
        ),
    )


def _pattern(draft: Draft, task: Task) -> None:
    _until_next_turn(draft, task, "pattern_flown")


def _evasive(draft: Draft, task: Task) -> None:
    _until_next_turn(draft, task, "evading")


def _defensive(draft: Draft, task: Task) -> None:
    _until_next_turn(draft, task, "firing_defensively")


def _plan_reacting(table: Table, declaration: Declaration) -> Declaration:
    """Neither with the other (S2E-H4)."""
    if declaration.action is not None:
        ship = acting_ship(table, declaration.character_id, declaration.action)
        mine = "evading" if declaration.action.name == "evasive_action" else "firing_defensively"
        if effects_named(table, _OTHER[mine], target_id=ship.ship_id):
            raise Refusal("S2E-H4", "Evasive Action and Defensive Fire exclude each other; wait until the other ends.")
        if mine == "firing_defensively":
            _energy_weapon(table, ship, declaration.action.weapon)
    return complete(table, declaration)


def _energy_weapons(table: Table, who: str) -> tuple[str, ...]:
    """The weapons that can fire defensively (S2E-T4)."""
    return tuple(dict.fromkeys(name for ship in own_ships(table, who) for name in _of_energy(table, ship)))


def _of_energy(table: Table, ship: Ship) -> tuple[str, ...]:
    mounted = (weapon_of(table, ship, one.name) for one in ship.weapons)
    return tuple(one.name for one in mounted if one.kind is ShipWeaponKind.ENERGY)


def _energy_weapon(table: Table, ship: Ship, name: str) -> ShipWeapon:
    """S2E-T4: the energy weapon of that name, or a ship's only one. Refuses any other, and a ship without."""
    found = _of_energy(table, ship)
    if not found:
        raise Refusal("S2E-T4", _NO_ENERGY)
    weapon = weapon_of(table, ship, found[0] if not name and len(found) == 1 else name)
    if weapon.name not in found:
        raise Refusal(
            "S2E-T4",
            "{weapon} cannot fire defensively, only an energy weapon can; choose another one.",
            weapon=weapon.name,
        )
    return weapon


def _plan_reaction(table: Table, declaration: Declaration) -> Declaration:
    """The reactive side of an attack: D1 with the ship's help (C-64)."""
    action, attack = declaration.action, waiting(table)
    if action is None:
        return declaration
    aimed = attack.declaration.action.target_id if attack is not None and attack.declaration.action is not None else ""
    ship = acting_ship(table, declaration.character_id, replace(action, ship_id=action.ship_id or aimed))
    if aimed != ship.ship_id:
        raise Refusal("S2E-H4", "No attack on {ship} waits for an answer; declare this when one does.", ship=ship.name)
    if action.zone_id:
        require_movable(table, ship)
    if action.name == "return_fire" and action.weapon:
        _energy_weapon(table, ship, action.weapon)
    row = at_this_house(STATIONS[REACTIONS[action.name][1]], profile(table))
    if row.ship_system is None or row.ship_department is None or row.discipline is None:
        return declaration
    return replace(
        declaration,
        action=replace(action, ship_id=ship.ship_id),
        attribute=row.attributes[0],
        discipline=row.discipline,
        focus=declaration.focus or is_npc_crew(ship, declaration.character_id),
        difficulty=REACTIVE_DIFFICULTY if action.level is None else action.level,
        modifiers=(*declaration.modifiers, *breach_modifiers(ship, row.ship_system)),
        ship=ShipAssistance(ship_id=ship.ship_id, system=row.ship_system, department=row.ship_department),
    )


def _evaded(draft: Draft, task: Task) -> None:
    """S2E-H4: the winner moves 1 zone."""
    ship = ship_of(draft, task)
    draft.record(EvasionWon(ship_id=ship.ship_id, name=ship.name))
    if action_of(task.declaration).zone_id:
        fly_to(draft, ship, action_of(task.declaration).zone_id)
    for one in effects_named(draft.table, "revealed", target_id=ship.ship_id):
        end_one(draft, one, say("{ship} may move", ship=ship.name))


def may_hit_back(table: Table, task: Task) -> bool:
    """Whether the Task in hand is Defensive Fire against an attack that is still there to be answered (S2E-T4)."""
    action = task.declaration.action
    return action is not None and action.name == "return_fire" and _attack(table) is not None and not task.followed


def _attack(table: Table) -> Task | None:
    """The attack that the reactive Task in hand answered; it is closed by now where that side threw first (C-42)."""
    return table.opposed if table.opposed is not None else table.last_task


def hit_back(draft: Draft, task: Task) -> None:
    """S2E-T4: the attacker's ship is hit by the weapon that fired defensively."""
    ship, opposed = ship_of(draft, task), _attack(draft.table)
    if opposed is None:
        return
    attacker = ship_of(draft, opposed)
    held = effects_named(draft.table, "firing_defensively", target_id=ship.ship_id)
    named = action_of(task.declaration).weapon or (held[0].note if held else "")
    weapon = _energy_weapon(draft.table, ship, named)
    draft.record(FollowedThrough(number=task.number, who=task.who, label=say("Counter-hit")))
    action = Action(
        name="return_fire",
        scope=ActionScope.BRIDGE,
        ship_id=ship.ship_id,
        target_id=attacker.ship_id,
        weapon=weapon.name,
    )
    begin_hit(draft, find_ship(draft.table, ship.ship_id), action, attacker.ship_id)


def _answer_here(row: ActionRow, table: Table, _: str) -> ActionRow:
    """S2E-H4, S2E-T4: what the house has of the action that it answers with."""
    at_station = at_this_house(STATIONS[REACTIONS[row.name][1]], profile(table))
    return in_numbers(row, replace(at_station, difficulty=REACTIVE_DIFFICULTY, with_attacks=False))


def _reaction(name: str, label: str, rule: str, result: Callable[[Draft, Task], None] = nothing) -> ActionRow:
    row = STATIONS[REACTIONS[name][1]]
    return ActionRow(
        name=name,
        rule=rule,
        label=label,
        scope=ActionScope.BRIDGE,
        station=row.station,
        free=True,
        rulesets=SECOND,
        attributes=row.attributes,
        disciplines=(row.discipline,) if row.discipline is not None else (),
        difficulty=REACTIVE_DIFFICULTY,
        to_zone=name == "evade",
        fields=(EVADES_TO,) if name == "evade" else (),
        unasked=("level",) if name == "evade" else ("level", "weapon"),
        here=_answer_here,
        plan=_plan_reaction,
        result=result,
    )


_ENERGY: Final = replace(WEAPON, those=_energy_weapons, none=_NO_ENERGY)
"""With which weapon is fired defensively (S2E-T4)."""


ROWS: Final = (
    station_row("attack_pattern", say("Attack Pattern"), result=_pattern),
    station_row("evasive_action", say("Evasive Action"), plan=_plan_reacting, result=_evasive),
    station_row(
        "defensive_fire", say("Defensive Fire"), needs=("weapon",), fields=(_ENERGY,), plan=_plan_reacting,
        result=_defensive,
    ),
    _reaction("evade", say("Evade the attack"), "S2E-H4", _evaded),
    _reaction("return_fire", say("Return fire"), "S2E-T4"),
)  # fmt: skip
"""Evasive Action and Defensive Fire, and both answers to an attack (S2E-H3, S2E-H4, S2E-T4)."""
