"""Whose ship an action is for, and a station's Task as the rules complete it (S2E-6, S2E-14, S2E-15, S2E-22).

In: the table and what was declared. Out: the declaration filled in from its row of `rules.stations`, or a refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from rules import events_conflict as ec
from rules.conflict import RANGES
from rules.deciding.draft import Draft, find_character, find_ship, profile
from rules.deciding.lasting import effects_named, end_one
from rules.deciding.playbook import ActionRow, nothing
from rules.errors import Refusal
from rules.glossary import RANGE_WORDS
from rules.phrases import known, say, say_count
from rules.starship import npc_ship_turns
from rules.starship2e import has_second_seat
from rules.state import Declaration, Modifier, Ship, ShipAssistance, Table, Task
from rules.state_conflict import Action
from rules.stations import STATION_ACTIONS, StationAction, difficulty_of, station_action
from rules.vocabulary import ActionScope, Condition, ConflictKind, Discipline, Range, RerollReason, Ruleset, System
from rules.wording import grammatical

SECOND: Final = frozenset({Ruleset.SECOND_EDITION})

ROWS: Final = STATION_ACTIONS[Ruleset.SECOND_EDITION]
"""The second edition's actions by name."""

ALSO_AT: Final[dict[str, tuple[str, ...]]] = {
    "damage_control": ("communications", "operations"),
    "transport": ("communications", "operations"),
    "create_trait": ("command", "navigation"),
    "assist": ("command", "navigation"),
}
"""Actions that several stations have (S2E-C5, S2E-C6, S2E-O1, S2E-O5, S2E-N1)."""

ANYWHERE: Final = frozenset({"repair_in_person", "eject_core", "stabilise_core", "long_repair", "board_pod"})
"""Actions that need no seat on the bridge."""

CRITICAL_TOO: Final = frozenset({*ANYWHERE, "damage_control", "restore", "break_free"})
"""What the crew of a ship that cannot act may still do: mend, save and leave it (S2E-15, S2E-17, S2E-20)."""

SEAT_DEPARTMENT: Final[dict[str, Discipline]] = {
    "command": Discipline.COMMAND,
    "operations": Discipline.ENGINEERING,
    "sensors": Discipline.SCIENCE,
    "tactical": Discipline.SECURITY,
}
"""The department that gives a station its second seat (S2E-22)."""


def ships_served(table: Table, actor_id: str) -> tuple[Ship, ...]:
    """The ships that somebody may act for: an NPC ship's crew for its own, others for the one they are aboard.

    Who is aboard none in particular may act for any that takes part and has no NPC crew, if it is not the other side's.
    """
    own = tuple(one for one in table.ships if one.ship_id == actor_id)
    combatant = table.conflict.combatant(actor_id) if table.conflict is not None else None
    if own or (combatant is not None and combatant.ship_id):
        return own or tuple(one for one in table.ships if combatant is not None and one.ship_id == combatant.ship_id)
    crewed = tuple(one for one in table.ships if one.crew is None)
    conflict = table.conflict
    if conflict is None or conflict.kind is not ConflictKind.STARSHIP:
        return crewed
    taking_part = ships_taking_part(table)
    side = combatant.side if combatant is not None else None
    sides = {ship.ship_id: {one.side for one in conflict.combatants if one.ship_id == ship.ship_id} for ship in crewed}
    return tuple(
        one
        for one in crewed
        if one in taking_part and (side is None or side in sides[one.ship_id] or not sides[one.ship_id])
    )


def ships_taking_part(table: Table) -> tuple[Ship, ...]:
    """The ships that have Turns in the conflict, or have somebody aboard who has; without a conflict all of them.

    In a ships' fight whose crew was entered without a ship, the players' ships that still stand.
    """
    conflict = table.conflict
    if conflict is None:
        return table.ships
    named = {one.ship_id or one.combatant_id for one in conflict.combatants}
    there = tuple(one for one in table.ships if one.ship_id in named)
    if conflict.kind is ConflictKind.PERSONAL or any(one.crew is None for one in there):
        return there
    return there + tuple(one for one in table.ships if one.crew is None and not one.state.destroyed)


def acting_ship(table: Table, actor_id: str, action: Action) -> Ship:
    """The ship whose station acts: the one named, or the only one that the actor may act for (ASST-3, SATK-1).

    Refuses where neither says which, and a ship that the actor may not act for.
    """
    served = ships_served(table, actor_id)
    if action.ship_id:
        return _require_served(table, actor_id, find_ship(table, action.ship_id), served)
    standing = tuple(one for one in served if not one.state.destroyed) or served
    if len(standing) == 1:
        return standing[0]
    raise Refusal("S2E-1", "Say on whose bridge this is done; choose the ship.")


def require_help_of(table: Table, actor_id: str, ship_id: str) -> None:
    """ASST-3: in a fight of ships a Task is helped by a ship that its leader may act for. Refuses any other."""
    ship = find_ship(table, ship_id)
    if table.conflict is not None and table.conflict.kind is ConflictKind.STARSHIP:
        _require_served(table, actor_id, ship, ships_served(table, actor_id))


def _require_served(table: Table, actor_id: str, ship: Ship, served: tuple[Ship, ...]) -> Ship:
    if ship in served:
        return ship
    who = find_character(table, actor_id).name
    if ship.crew is not None:
        raise Refusal(
            "ASST-3",
            "{ship} is worked by a crew of its own; choose the ship that {who} serves on.",
            ship=ship.name,
            who=who,
        )
    combatant = table.conflict.combatant(actor_id) if table.conflict is not None else None
    aboard = actor_id if combatant is None else combatant.ship_id or actor_id
    own = next((one for one in served if one.ship_id == aboard), None)
    if own is not None:
        raise Refusal(
            "ASST-3", "{who} serves on {own}; choose that ship, or let {who} change ships first.", who=who, own=own.name
        )
    raise Refusal("SATK-1", "{ship} takes no part in this fight; choose a ship that does.", ship=ship.name)


def target_ship(table: Table, action: Action, own: Ship) -> Ship:
    """The ship that an action is aimed at. Refuses none, an unknown one, and one's own."""
    if not action.target_id:
        raise Refusal("S2E-7", "Choose the ship that this is aimed at.")
    target = find_ship(table, action.target_id)
    if target.ship_id == own.ship_id:
        raise Refusal("S2E-7", "A ship cannot be aimed at by itself; choose another one.")
    if target.state.destroyed:
        raise Refusal("S2E-15", "{target} is destroyed already; choose another ship.", target=target.name)
    return target


def change_ship(draft: Draft, ship_id: str, why: str, **changes: Any) -> Ship:  # noqa: ANN401 - fields of `ShipState`
    """Change how a ship stands; the ship as it is then."""
    ship = find_ship(draft.table, ship_id)
    state = replace(ship.state, **changes)
    if state != ship.state:
        draft.record(ec.ShipStateChanged(ship_id=ship_id, name=ship.name, state=state, why=why))
    return find_ship(draft.table, ship_id)


def is_npc_crew(ship: Ship, actor_id: str) -> bool:
    """Whether who acts is the ship's own NPC crew, which is always focused (NSHIP-1); a person aboard is not."""
    return ship.crew is not None and ship.ship_id == actor_id


def require_acting(ship: Ship, action_name: str) -> None:
    """Refuse for a ship that is gone, empty, or critically damaged (S2E-15)."""
    if ship.state.destroyed:
        raise Refusal("S2E-15", "{ship} is destroyed; nobody acts there any more.", ship=ship.name)
    if ship.state.abandoned:
        raise Refusal("S2E-20", "{ship} is abandoned; nobody acts there any more.", ship=ship.name)
    if ship.state.critical and action_name not in CRITICAL_TOO:
        raise Refusal("S2E-15", "{ship} is critically damaged and cannot act; repair it, or leave it.", ship=ship.name)


def require_system(ship: Ship, system: System) -> None:
    """Refuse a Task that a destroyed system would help with, as it fails by itself, and one that is out for now."""
    damage = ship.state.damage_of(system)
    if damage.condition is Condition.DESTROYED:
        raise Refusal(
            "S2E-14",
            say_count(
                grammatical(system),
                "{ship}'s {system} is destroyed, so this fails by itself; choose another action.",
                "{ship}'s {system} are destroyed, so this fails by itself; choose another action.",
                ship=ship.name,
                system=system,
            ),
        )
    if damage.impact:
        raise Refusal(
            "S2E-6",
            say_count(
                grammatical(system),
                "{ship}'s {system} is out for now; restore that first with a Minor Action.",
                "{ship}'s {system} are out for now; restore that first with a Minor Action.",
                ship=ship.name,
                system=system,
            ),
        )


def seats(ship: Ship, station: str) -> int:
    """How many people a station seats: a second one where its department is 4 or more (S2E-22)."""
    department = SEAT_DEPARTMENT.get(station)
    return 1 + (department is not None and has_second_seat(getattr(ship.departments, department)))


def station_modifiers(table: Table, actor_id: str, ship: Ship, row: StationAction) -> tuple[Modifier, ...]:
    """Override for another station's action (S2E-6, C-59). Refuses the commander's, and a seat too many (S2E-22)."""
    combatant = table.conflict.combatant(actor_id) if table.conflict is not None else None
    if table.conflict is None or combatant is None or not combatant.station or row.action in ANYWHERE:
        return ()
    stations = ALSO_AT.get(row.action, (row.station,))
    if combatant.station not in stations:
        if stations == ("command",) and profile(table).override_as is Ruleset.SECOND_EDITION:
            raise Refusal("S2E-6", "The commander's actions cannot be overridden; choose another action.")
        return (Modifier(reason=say("Override"), change=1),)
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


def role_modifiers(table: Table, ship: Ship, row: StationAction) -> tuple[Modifier, ...]:
    """NSHIP-2, C-34, C-72: a further Task of the same role on an NPC ship is harder."""
    combatant = table.conflict.combatant(ship.ship_id) if table.conflict is not None and ship.crew is not None else None
    if combatant is None:
        return ()
    harder = npc_ship_turns(ship.scale, combatant.roles.count(row.station), profile(table)).difficulty_increase
    return (Modifier(reason=say("the same role again"), change=harder),) if harder else ()


def play_role(draft: Draft, task: Task) -> None:
    """Remember which role of an NPC ship acted this Round (NSHIP-2)."""
    conflict, actor_id = draft.table.conflict, task.declaration.character_id
    combatant = conflict.combatant(actor_id) if conflict is not None else None
    if conflict is None or combatant is None or all(one.ship_id != actor_id for one in draft.table.ships):
        return
    role = ROWS[action_of(task).name].station
    combatants = tuple(
        replace(one, roles=(*one.roles, role)) if one.combatant_id == actor_id else one for one in conflict.combatants
    )
    draft.record(ec.ConflictChanged(conflict=replace(conflict, combatants=combatants)))


def breach_modifiers(ship: Ship, system: System | None) -> tuple[Modifier, ...]:
    """What Breaches that nobody patched add to a Task which their system helps with (TRAIT-4, S2E-18)."""
    if system is None:
        return ()
    damage = ship.state.damage_of(system)
    open_breaches = damage.breaches - damage.patched
    return (
        (Modifier(reason=say("Breaches of {system}", system=system), change=open_breaches),)
        if open_breaches > 0
        else ()
    )


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
        return replace(
            declaration, action=named, difficulty=0, rolled=False, modifiers=(), purchases=(), assists=(), ship=None
        )
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
        rolled=True,
        rerolls=tuple(dict.fromkeys((*declaration.rerolls, *rerolls))),
        **more,
    )


def ship_of(draft: Draft, task: Task) -> Ship:
    """The ship whose station the Task in hand belongs to, as it was found when the Task was declared."""
    action = action_of(task)
    if action.ship_id:
        return find_ship(draft.table, action.ship_id)
    return acting_ship(draft.table, task.declaration.character_id, action)


def action_of(task: Task) -> Action:
    """The action of a Task that has one."""
    if task.declaration.action is None:
        raise Refusal("S2E-1", "This Task belongs to no station.")
    return task.declaration.action


def is_held(table: Table, ship: Ship) -> bool:
    """Whether a tractor beam holds the ship (S2E-T7)."""
    return bool(effects_named(table, "beam_held", target_id=ship.ship_id))


def use_rerouted(draft: Draft, task: Task) -> None:
    """S2E-O4: power rerouted to a system lasts until the next action with it."""
    helped = task.declaration.ship
    if helped is None:
        return
    for one in effects_named(draft.table, "power_rerouted", target_id=helped.ship_id):
        if one.role == helped.system:
            end_one(draft, one, say("it was used"))


def use_effects(draft: Draft, name: str, ship_id: str) -> int:
    """End what of that name holds for a ship, as it is used up; the sum of the amounts."""
    used = effects_named(draft.table, name, target_id=ship_id)
    for one in used:
        end_one(draft, one, say("it was used"))
    return sum(one.amount for one in used)


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


def station_row(
    name: str,
    label: str,
    *,
    needs: tuple[str, ...] = (),
    plan: Callable[[Table, Declaration], Declaration] = complete,
    perform: Callable[[Draft, str, Action], None] | None = None,
    pay: Callable[[Draft, Task], None] = nothing,
    struck: Callable[[Draft, Task], None] = nothing,
    result: Callable[[Draft, Task], None] = nothing,
    failed: Callable[[Draft, Task], None] = nothing,
) -> ActionRow:
    """The playbook's row of a station's action, with its numbers from `rules.stations`."""
    row = ROWS[name]

    def paid(draft: Draft, task: Task) -> None:
        use_rerouted(draft, task)
        play_role(draft, task)
        pay(draft, task)

    return ActionRow(
        name=name,
        rule=row.rule,
        label=label,
        scope=ActionScope.BRIDGE,
        station=row.station,
        minor=row.minor,
        rulesets=SECOND,
        attributes=row.attributes,
        disciplines=(row.discipline,) if row.discipline is not None else (),
        difficulty=row.difficulty,
        needs=needs,
        plan=plan,
        perform=perform,
        pay=paid,
        struck=struck,
        result=result,
        failed=failed,
    )
