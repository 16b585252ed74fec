"""Reserve Power and what it serves: Reroute, Regain, Regenerate Shields (S2E-3, S2E-O2 to S2E-O4, C-48, C-65, C-66)."""

from __future__ import annotations

from typing import Final

from rules.conflict.helping import action_of
from rules.conflict.lasting import begin_effect
from rules.deciding.checks import profile
from rules.deciding.decision import ActionRow, Draft
from rules.errors import Refusal
from rules.ships.bridge import acting_ship, as_played, change_ship, own_ship, ship_of, state_with, times_bought
from rules.ships.events import ShieldsChanged
from rules.ships.second.events import ReservePowerChanged
from rules.ships.second.numbers import regain_power_difficulty
from rules.ships.second.stations import complete, station_row
from rules.ships.stations import SHIELDS_PER_MOMENTUM, ShieldsRestored, house_difficulty, regenerate_shields
from rules.ships.systems import require_system
from rules.state.changing import replace
from rules.state.conflict import Action, LastingEffect
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.tasks import Declaration, Task
from rules.state.vocabulary import EffectEnd, Spend
from rules.words import say


def require_reserve(ship: Ship) -> None:
    """Refuse where Reserve Power is used up (S2E-3)."""
    if not ship.state.reserve_power:
        raise Refusal("S2E-3", "{ship} has no Reserve Power left; regain it first.", ship=ship.name)


def set_reserve(draft: Draft, ship: Ship, why: str, *, available: bool) -> None:
    """Reserve Power is used or back (S2E-3); nothing where it stands so already."""
    if ship.state.reserve_power is available:
        return
    state = state_with(draft, ship.ship_id, reserve_power=available)
    draft.record(ReservePowerChanged(ship_id=ship.ship_id, name=ship.name, available=available, why=why, state=state))


def take_reserve(draft: Draft, ship: Ship, why: str) -> None:
    """Use Reserve Power, whether the Task succeeds or not (C-65). Refuses where it is used up."""
    require_reserve(ship)
    set_reserve(draft, ship, why, available=False)


def scene_starts(draft: Draft) -> None:
    """Each scene starts with Reserve Power available and no attempt to regain it (S2E-3, C-75)."""
    for ship in draft.table.ships:
        set_reserve(draft, ship, say("a new scene"), available=True)
        change_ship(draft, ship.ship_id, say("a new scene"), regain_attempts=0)


def _action(declaration: Declaration) -> Action:
    if declaration.action is None:
        raise Refusal("S2E-3", "Choose an action of a station.")
    return declaration.action


def _plan_reroute(table: Table, declaration: Declaration) -> Declaration:
    action = _action(declaration)
    ship = acting_ship(table, declaration.character_id, action)
    require_reserve(ship)
    if action.system is None:
        raise Refusal("S2E-O4", "Say which system the Reserve Power goes to.")
    require_system(ship, action.system)
    return complete(table, declaration)


def _pay_reserve(draft: Draft, task: Task) -> None:
    take_reserve(draft, ship_of(draft, task), task.declaration.label)


def _rerouted(draft: Draft, task: Task) -> None:
    ship, system = ship_of(draft, task), action_of(task.declaration).system
    if system is None:
        return
    begin_effect(
        draft,
        LastingEffect(
            effect_id="",
            name="power_rerouted",
            owner_id=task.declaration.character_id,
            target_id=ship.ship_id,
            role=system,
            ends=EffectEnd.USED,
        ),
    )


def _plan_regain(table: Table, declaration: Declaration) -> Declaration:
    ship = acting_ship(table, declaration.character_id, _action(declaration))
    if ship.state.reserve_power:
        raise Refusal("S2E-O2", "{ship} has its Reserve Power; nothing is there to regain.", ship=ship.name)
    difficulty = regain_power_difficulty(ship.state.regain_attempts)
    return complete(table, declaration, difficulty=difficulty, may_succeed_at_cost=True)


def _regain_here(row: ActionRow, table: Table, who: str) -> ActionRow:
    """S2E-O2: harder after each attempt of the scene."""
    ship = own_ship(table, who)
    ruled = regain_power_difficulty(ship.state.regain_attempts if ship is not None else 0)
    return replace(as_played(row, table, who), difficulty=house_difficulty(row.name, ruled, profile(table)))


def _attempted(draft: Draft, task: Task) -> None:
    ship = ship_of(draft, task)
    change_ship(draft, ship.ship_id, say("an attempt to regain Power"), regain_attempts=ship.state.regain_attempts + 1)


def _regained(draft: Draft, task: Task) -> None:
    set_reserve(draft, ship_of(draft, task), say("Regain Power"), available=True)


def _restored(table: Table, ship: Ship, momentum: int) -> ShieldsRestored:
    """Difficulty of regenerating the Shields, and what they come to (S2E-O3, C-48)."""
    return regenerate_shields(
        shields=ship.state.shields,
        shields_max=ship.state.shields_max,
        momentum_spent=momentum,
        engineering=ship.departments.engineering,
        profile=profile(table),
    )


def _regenerate_here(row: ActionRow, table: Table, who: str) -> ActionRow:
    """S2E-O3: harder while the Shields are down."""
    ship, there = own_ship(table, who), as_played(row, table, who)
    if ship is None:
        return there
    ruled = _restored(table, ship, 0).difficulty
    return replace(there, difficulty=house_difficulty(row.name, ruled, profile(table)))


def _plan_regenerate(table: Table, declaration: Declaration) -> Declaration:
    ship = acting_ship(table, declaration.character_id, _action(declaration))
    require_reserve(ship)
    state = ship.state
    if not state.shields_raised:
        raise Refusal("S2E-O3", "The Shields are lowered; raise them first.")
    if state.shields >= state.shields_max:
        raise Refusal("S2E-O3", "{ship}'s Shields are whole; nothing is there to regenerate.", ship=ship.name)
    return complete(table, declaration, difficulty=_restored(table, ship, 0).difficulty)


def shields_to_regain(draft: Draft, task: Task) -> int:
    """How many times more Shields can be bought, after what regenerating brings as it is (S2E-O3, STN-8, C-48)."""
    ship = ship_of(draft, task)
    left = ship.state.shields_max - _restored(draft.table, ship, times_bought(task, Spend.MORE_SHIELDS)).shields_after
    return -(-max(0, left) // SHIELDS_PER_MOMENTUM)


def _regenerated(draft: Draft, task: Task) -> None:
    ship = ship_of(draft, task)
    restored = _restored(draft.table, ship, times_bought(task, Spend.MORE_SHIELDS))
    gained = restored.shields_after - ship.state.shields
    draft.record(
        ShieldsChanged(
            ship_id=ship.ship_id,
            name=ship.name,
            shields=restored.shields_after,
            change=gained,
            why=say("Regenerate Shields"),
            state=replace(ship.state, shields=restored.shields_after),
        )
    )


ROWS: Final = (
    station_row(
        "reroute_power", say("Reroute Power"), needs=("system",), plan=_plan_reroute, pay=_pay_reserve, result=_rerouted
    ),
    station_row(
        "regain_power",
        say("Regain Power"),
        plan=_plan_regain,
        here=_regain_here,
        pay=_attempted,
        result=_regained,
    ),
    station_row(
        "regenerate_shields",
        say("Regenerate Shields"),
        plan=_plan_regenerate,
        here=_regenerate_here,
        pay=_pay_reserve,
        result=_regenerated,
    ),
)
"""The actions that move Reserve Power, and Regenerate Shields (S2E-O2 to S2E-O4)."""
