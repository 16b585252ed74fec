"""Whose ship an action is for, and a station's Task as the rules complete it (S2E-6, S2E-14, S2E-15, S2E-22).

In: the table and what was declared. Out: the declaration filled in from its row of `ships.stations`, or a refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from rules.conflict.lasting import effects_named, end_one
from rules.conflict.numbers import RANGES
from rules.deciding.checks import profile
from rules.deciding.decision import ActionRow, Draft, nothing
from rules.deciding.fields import FieldRow
from rules.errors import Refusal
from rules.ships.bridge import (
    acting_ship,
    as_played,
    in_numbers,
    is_npc_crew,
    is_thrown,
    override,
    own_ship,
    role_modifiers,
    ships_taking_part,
    target_ship,
)
from rules.ships.orders import play_role
from rules.ships.seats import seats
from rules.ships.stations import STATION_ACTIONS, StationAction, difficulty_of, station_action
from rules.ships.systems import breach_modifiers, require_system
from rules.state.changing import replace
from rules.state.conflict import Action
from rules.state.glossary import RANGE_WORDS
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.tasks import Declaration, Modifier, ShipAssistance, Task
from rules.state.vocabulary import ActionScope, Range, RerollReason, Ruleset
from rules.words import either, known, say

SECOND: Final = frozenset({Ruleset.SECOND_EDITION})
"""The ruleset of the second edition."""


ROWS: Final = STATION_ACTIONS[Ruleset.SECOND_EDITION]
"""The second edition's actions by name."""


ALSO_AT: Final[dict[str, tuple[str, ...]]] = {
    "damage_control": ("communications", "operations"),
    "transport": ("communications", "operations"),
    "assist": ("command", "navigation"),
}
"""Actions that several stations have (S2E-C5, S2E-C6, S2E-O1, S2E-O5, S2E-N1)."""


ANYWHERE: Final = frozenset({"repair_in_person", "eject_core", "stabilise_core", "long_repair", "board_pod"})
"""Actions that need no seat on the bridge."""


CRITICAL_TOO: Final = frozenset({*ANYWHERE, "damage_control", "restore", "break_free"})
"""Actions that mend, save or leave a ship, also one that cannot act (S2E-15, S2E-17, S2E-20)."""


def aimed(table: Table, action: Action, own: Ship, rule: str) -> Action:
    """The action with its target: the only other ship that is there where none is named (S2E-X4, S2E-T3).

    Refuses with `rule` where several are there, and what `target_ship` refuses.
    """
    if not action.target_id:
        there = [one for one in ships_taking_part(table) if one.ship_id != own.ship_id and not one.state.destroyed]
        if len(there) > 1:
            ships = either([one.name for one in there])
            raise Refusal(rule, "This counts against one ship alone; say against which: {ships}.", ships=ships)
        action = replace(action, target_id=there[0].ship_id if there else "")
    target_ship(table, action, own)
    return action


def require_acting(ship: Ship, action_name: str) -> None:
    """Refuse for a ship that is gone, empty, or critically damaged (S2E-15)."""
    if ship.state.destroyed:
        raise Refusal("S2E-15", "{ship} is destroyed; nobody acts there any more.", ship=ship.name)
    if ship.state.abandoned:
        raise Refusal("S2E-20", "{ship} is abandoned; nobody acts there any more.", ship=ship.name)
    if ship.state.critical and action_name not in CRITICAL_TOO:
        raise Refusal("S2E-15", "{ship} is critically damaged and cannot act; repair it, or leave it.", ship=ship.name)


def station_modifiers(table: Table, actor_id: str, ship: Ship, row: StationAction) -> tuple[Modifier, ...]:
    """Override for another station's action (S2E-6, C-59). Refuses the commander's, and a seat too many (S2E-22)."""
    combatant = table.conflict.combatant(actor_id) if table.conflict is not None else None
    if table.conflict is None or combatant is None or not combatant.station:
        return ()
    if not row.station or row.action in ANYWHERE:
        return ()
    stations = ALSO_AT.get(row.action, (row.station,))
    if combatant.station not in stations:
        return override(table, *stations)
    seated = [
        one.combatant_id
        for one in table.conflict.combatants
        if one.station == combatant.station and one.ship_id == combatant.ship_id
    ]
    if seated.index(actor_id) >= seats(ship, combatant.station):
        raise Refusal(
            "S2E-22", "The station {station} has no seat left; change position first.", station=known(combatant.station)
        )
    return ()


def range_modifiers(at_range: Range | None) -> tuple[Modifier, ...]:
    """1 harder for each band beyond Close: the sensors' major actions (S2E-X3 to S2E-X5)."""
    bands = RANGES.index(at_range) if at_range is not None else 0
    return (Modifier(reason=RANGE_WORDS[RANGES[bands]], change=bands),) if bands else ()


def complete(
    table: Table,
    declaration: Declaration,
    *,
    difficulty: int | None = None,
    modifiers: tuple[Modifier, ...] = (),
    rerolls: tuple[RerollReason, ...] = (),
    **more: Any,  # noqa: ANN401 - further fields of `Declaration`
) -> Declaration:
    """The declaration of a station's Task as its row and the state of the ship make it.

    `difficulty` replaces the row's; `modifiers` and `rerolls` are added to what was declared.
    """
    action = declaration.action
    if action is None:
        return declaration
    row = station_action(action.name, profile(table))
    ship = acting_ship(table, declaration.character_id, action)
    require_acting(ship, action.name)
    seat = station_modifiers(table, declaration.character_id, ship, row)
    named = replace(action, ship_id=ship.ship_id)
    if not row.rolled:
        return replace(declaration, action=named)
    if row.ship_system is not None:
        require_system(ship, row.ship_system)
    attribute = declaration.attribute
    if row.attributes and attribute not in row.attributes:
        attribute = row.attributes[0]
    help_of_ship = declaration.ship
    if row.ship_system is not None and row.ship_department is not None:
        help_of_ship = ShipAssistance(ship_id=ship.ship_id, system=row.ship_system, department=row.ship_department)
    return replace(
        declaration,
        action=named,
        attribute=attribute,
        discipline=row.discipline or declaration.discipline,
        focus=declaration.focus or is_npc_crew(ship, declaration.character_id),
        difficulty=difficulty_of(row, difficulty, action.level, profile(table)),
        modifiers=(
            *declaration.modifiers,
            *seat,
            *role_modifiers(table, ship, row),
            *breach_modifiers(ship, row.ship_system),
            *modifiers,
        ),
        ship=help_of_ship,
        rerolls=tuple(dict.fromkeys((*declaration.rerolls, *rerolls))),
        **more,
    )


def use_rerouted(draft: Draft, task: Task) -> None:
    """S2E-O4: power rerouted to a system lasts until the next action with it."""
    helped = task.declaration.ship
    if helped is None:
        return
    for one in effects_named(draft.table, "power_rerouted", target_id=helped.ship_id):
        if one.role == helped.system:
            end_one(draft, one, say("it was used"))


def minor_at(draft: Draft, actor_id: str, action: Action) -> Ship:
    """The ship whose station takes a Minor Action. Refuses one that cannot act and somebody else's station."""
    ship = acting_ship(draft.table, actor_id, action)
    require_acting(ship, action.name)
    row = ROWS.get(action.name)
    if row is not None and station_modifiers(draft.table, actor_id, ship, row):
        raise Refusal(
            "S2E-6",
            "Minor Actions are taken at one's own station; change position to {station} first.",
            station=known(row.station),
        )
    return ship


def _harder(row: StationAction, table: Table, who: str) -> int:
    """What the seat of whoever acts adds to a station's Task, 0 where they may not take it (S2E-6, NSHIP-2)."""
    ship = own_ship(table, who)
    if ship is None:
        return 0
    try:
        found = station_modifiers(table, who, ship, row)
    except Refusal:
        return 0
    return sum(one.change for one in (*found, *role_modifiers(table, ship, row)))


def station_row(
    name: str,
    label: str,
    *,
    needs: tuple[str, ...] = (),
    to_zone: bool = False,
    fields: tuple[FieldRow, ...] = (),
    unasked: tuple[str, ...] = (),
    plan: Callable[[Table, Declaration], Declaration] = complete,
    rolled: Callable[[Table, Declaration], bool] = is_thrown,
    here: Callable[[ActionRow, Table, str], ActionRow] = as_played,
    perform: Callable[[Draft, str, Action], None] | None = None,
    pay: Callable[[Draft, Task], None] = nothing,
    struck: Callable[[Draft, Task], None] = nothing,
    result: Callable[[Draft, Task], None] = nothing,
    failed: Callable[[Draft, Task], None] = nothing,
) -> ActionRow:
    """The playbook's row of a station's action, with its numbers from `rules.ships.stations`."""
    row = ROWS[name]

    def paid(draft: Draft, task: Task) -> None:
        use_rerouted(draft, task)
        play_role(draft, task, row.station)
        pay(draft, task)

    bare = ActionRow(
        name=name,
        rule=row.rule,
        label=label,
        scope=ActionScope.BRIDGE,
        station=row.station,
        minor=row.minor,
        rulesets=SECOND,
        needs=needs,
        to_zone=to_zone,
        fields=fields,
        unasked=unasked,
        here=here,
        harder=partial(_harder, row),
        plan=plan,
        rolled=rolled,
        perform=perform,
        pay=paid,
        struck=struck,
        result=result,
        failed=failed,
    )
    return in_numbers(bare, row)
