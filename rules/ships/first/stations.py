"""A station's Task of the first edition as its row and the ship make it (STN, BRCH-2 to BRCH-4, NSHIP-2, C-59).

In: the table and what was declared. Out: the declaration filled in from its row of `ships.stations`, or a refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from rules.conflict.helping import action_of
from rules.conflict.lasting import end_one
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
    ship_of,
    use_effects,
)
from rules.ships.first.numbers import task_with_system
from rules.ships.first.power import require_power, spend
from rules.ships.orders import play_role
from rules.ships.stations import STATION_ACTIONS, StationAction, difficulty_of, station_action
from rules.ships.systems import breach_modifiers, is_counted_whole, require_system
from rules.state.changing import replace
from rules.state.conflict import Action
from rules.state.glossary import grammatical
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.tasks import Declaration, Modifier, ShipAssistance, Task
from rules.state.vocabulary import ActionScope, Condition, EffectEnd, Ruleset, System
from rules.words import say, say_count

FIRST: Final = frozenset({Ruleset.STARTER, Ruleset.CORE_1E})
"""The rulesets of the first edition."""


ROWS: Final = STATION_ACTIONS[Ruleset.CORE_1E]
"""The first edition's actions by name."""


STATIONS: Final = tuple(dict.fromkeys(row.station for row in ROWS.values()))
"""The stations of the bridge."""


ANYWHERE: Final = frozenset({"repair_in_person", "clear_complication", "stabilise_core", "eject_core"})
"""Actions that need no seat on the bridge."""


WITHOUT_DICE: Final[dict[str, System]] = {
    "maneuver": System.ENGINES,
    "impulse": System.ENGINES,
    "warp": System.ENGINES,
    "hailing_frequencies": System.COMMUNICATIONS,
    "respond_to_hail": System.COMMUNICATIONS,
}
"""The system that an action without the ship's d20 uses all the same (BRCH-2, C-74)."""


OWN_PRICE: Final = frozenset({"warp"})
"""Actions whose Power depends on what was chosen."""


REPAIRS: Final = frozenset({"damage_control", "repair_in_person"})
"""Actions that put a system or a ship right; what they repair does not make them harder (NSHIP-3)."""


NPC_DAMAGED: Final = 2
"""The Difficulty that damage adds to all Tasks of an NPC ship (NSHIP-3)."""


NPC_ROUNDS: Final = 2
"""Rounds after which Evasive Action and Attack Pattern of an NPC ship end at the latest: this and the next (C-71)."""


def require_acting(table: Table, ship: Ship, action_name: str = "") -> None:
    """Refuse for a ship that is gone, and a disabled NPC ship, but for repairs after the fight (NSHIP-3)."""
    if ship.state.destroyed:
        raise Refusal("BRCH-5", "{ship} is destroyed; nobody acts there any more.", ship=ship.name)
    mends = action_name in REPAIRS and table.conflict is None
    if is_counted_whole(table, ship) and ship.state.condition is Condition.DISABLED and not mends:
        raise Refusal("NSHIP-3", "{ship} is disabled and has no more Turns this scene.", ship=ship.name)


def require_usable(ship: Ship, system: System) -> None:
    """Refuse what uses a system that is out until Restore, disabled or destroyed (BRCH-2, BRCH-4, BRCH-5)."""
    damage = ship.state.damage_of(system)
    task_with_system(damage.condition, 0)
    if damage.impact:
        raise Refusal(
            "BRCH-2",
            say_count(
                grammatical(system),
                "{ship}'s {system} is out; restore that first with a Minor Action.",
                "{ship}'s {system} are out; restore that first with a Minor Action.",
                ship=ship.name,
                system=system,
            ),
        )


def seat_modifiers(table: Table, actor_id: str, row: StationAction) -> tuple[Modifier, ...]:
    """Override: a Task of another role is 1 harder (STN, C-59). Refuses the commander's where the table plays so."""
    combatant = table.conflict.combatant(actor_id) if table.conflict is not None else None
    if combatant is None or not combatant.station or row.action in ANYWHERE or combatant.station == row.station:
        return ()
    return override(table, row.station)


def condition_modifiers(table: Table, declaration: Declaration) -> tuple[tuple[Modifier, ...], int]:
    """What damage makes harder, and by how much it widens the complication range (BRCH-3, NSHIP-3).

    Refuses what uses a system that cannot be used.
    """
    found: list[Modifier] = []
    wider = 0
    action = declaration.action
    ship, system = _used(table, declaration)
    if ship is not None and system is not None:
        require_usable(ship, system)
        task = task_with_system(ship.state.damage_of(system).condition, 0)
        if task.difficulty:
            found.append(
                Modifier(
                    reason=say_count(
                        grammatical(system), "the {system} is damaged", "the {system} are damaged", system=system
                    ),
                    change=task.difficulty,
                )
            )
            wider = task.complication_range - 1
    crewed = next((one for one in table.ships if one.ship_id == declaration.character_id), None)
    if crewed is not None and is_counted_whole(table, crewed):
        require_acting(table, crewed, action.name if action is not None else "")
        if crewed.state.condition is Condition.DAMAGED and (action is None or action.name not in REPAIRS):
            found.append(Modifier(reason=say("the ship is damaged"), change=NPC_DAMAGED))
    return tuple(found), wider


def _used(table: Table, declaration: Declaration) -> tuple[Ship | None, System | None]:
    helped, action = declaration.ship, declaration.action
    if helped is not None:
        return next((one for one in table.ships if one.ship_id == helped.ship_id), None), helped.system
    if action is not None and action.scope is ActionScope.BRIDGE and action.name in WITHOUT_DICE:
        return acting_ship(table, declaration.character_id, action), WITHOUT_DICE[action.name]
    return None, None


def complete(
    table: Table,
    declaration: Declaration,
    *,
    difficulty: int | None = None,
    modifiers: tuple[Modifier, ...] = (),
    row: StationAction | None = None,
    complication_range: int = 1,
    **more: Any,  # noqa: ANN401 - further fields of `Declaration`
) -> Declaration:
    """The declaration of a station's Task as its row makes it; `difficulty` replaces the row's, `modifiers` are added.

    What damage does to it is added afterwards, with all else that holds (`completed`).
    """
    action = action_of(declaration)
    row = row or station_action(action.name, profile(table))
    ship = acting_ship(table, declaration.character_id, action)
    require_acting(table, ship, action.name)
    if row.power and row.action not in OWN_PRICE:
        require_power(ship, row.power, row.rule)
    seat = seat_modifiers(table, declaration.character_id, row)
    named = replace(action, ship_id=ship.ship_id)
    if not row.rolled:
        return replace(declaration, action=named)
    attribute = declaration.attribute
    if row.attributes and attribute not in row.attributes:
        attribute = row.attributes[0]
    helped = declaration.ship
    if row.ship_system is not None and row.ship_department is not None:
        helped = ShipAssistance(ship_id=ship.ship_id, system=row.ship_system, department=row.ship_department)
    return replace(
        declaration,
        action=named,
        attribute=attribute,
        discipline=row.discipline or declaration.discipline,
        focus=declaration.focus or is_npc_crew(ship, declaration.character_id),
        difficulty=difficulty_of(row, difficulty, action.level, profile(table)),
        modifiers=(*declaration.modifiers, *seat, *role_modifiers(table, ship, row), *modifiers),
        complication_range=declaration.complication_range + complication_range - 1,
        ship=helped,
        **more,
    )


def breach_modifiers_of_the_second(table: Table, declaration: Declaration) -> tuple[Modifier, ...]:
    """A table of the second edition that plays a first-edition form counts Breaches by its own rule (S2E-14)."""
    ship, system = _used(table, declaration)
    if ship is None or system is None:
        return ()
    require_system(ship, system)
    return breach_modifiers(ship, system)


# --- what a Task of a station begins and uses up -------------------------------------------------------------


def attempted(draft: Draft, task: Task, row: StationAction, price: int) -> None:
    """Attempt a station's Task: note its role, pay its Power, and end what held until then (C-65)."""
    ship = ship_of(draft, task)
    play_role(draft, task, row.station)
    if row.station == "helm":
        for one in draft.table.effects:
            if one.ends is EffectEnd.ROLE_NEXT_TASK and one.role == "helm" and one.target_id == ship.ship_id:
                end_one(draft, one, say("the helm acts again"))
        if task.declaration.rolled:
            use_effects(draft, "course_plotted", ship.ship_id)
    if price:
        spend(draft, ship.ship_id, price, task.declaration.label)


# --- rows ---------------------------------------------------------------------------------------------------


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
    price: Callable[[Table, Declaration], int] | None = None,
    pay: Callable[[Draft, Task], None] = nothing,
    struck: Callable[[Draft, Task], None] = nothing,
    result: Callable[[Draft, Task], None] = nothing,
    failed: Callable[[Draft, Task], None] = nothing,
) -> ActionRow:
    """The playbook's row of a station's Task, with its numbers from `rules.ships.stations`.

    `price` is its Power where that depends on what was chosen.
    """
    row = ROWS[name]

    def planned(table: Table, declaration: Declaration) -> Declaration:
        if price is not None:
            ship = acting_ship(table, declaration.character_id, action_of(declaration))
            if name in WITHOUT_DICE:
                require_usable(ship, WITHOUT_DICE[name])
            require_power(ship, price(table, declaration), row.rule)
        return plan(table, declaration)

    def paid(draft: Draft, task: Task) -> None:
        played = station_action(name, profile(draft.table))
        due = price(draft.table, task.declaration) if price is not None else played.power
        attempted(draft, task, played, due)
        pay(draft, task)

    bare = ActionRow(
        name=name,
        rule=row.rule,
        label=label,
        scope=ActionScope.BRIDGE,
        station=row.station,
        rulesets=FIRST,
        needs=needs,
        to_zone=to_zone,
        fields=fields,
        unasked=unasked,
        here=here,
        harder=partial(_harder, row),
        plan=planned,
        rolled=rolled,
        pay=paid,
        struck=struck,
        result=result,
        failed=failed,
    )
    return in_numbers(bare, row)


def _harder(row: StationAction, table: Table, who: str) -> int:
    """What the seat of whoever acts adds to a station's Task, 0 where they may not take it (STN, NSHIP-2)."""
    ship = own_ship(table, who)
    try:
        found = seat_modifiers(table, who, row)
    except Refusal:
        return 0
    return sum(one.change for one in (*found, *(role_modifiers(table, ship, row) if ship is not None else ())))


def minor_row(
    name: str,
    label: str,
    perform: Callable[[Draft, str, Action], None],
    *,
    station: str = "",
    needs: tuple[str, ...] = (),
    fields: tuple[FieldRow, ...] = (),
    rulesets: frozenset[Ruleset] = FIRST,
) -> ActionRow:
    """The playbook's row of a Minor Action aboard a ship (SHIP-10)."""
    return ActionRow(
        name=name,
        rule="SHIP-10",
        label=label,
        scope=ActionScope.BRIDGE,
        station=station,
        minor=True,
        rulesets=rulesets,
        needs=needs,
        fields=fields,
        perform=perform,
    )
