"""Command, communications and navigation: Assist, Direct, traits, Rally, transport, Restore (S2E-6, S2E-C, S2E-N)."""

from __future__ import annotations

from typing import Final

from rules.conflict import helping
from rules.conflict.among import ALLY, SECOND_ALLY
from rules.conflict.common import ASSIST, DIRECT, on_the_bridge
from rules.conflict.helping import action_of, plan_assist, plan_direct, plan_help
from rules.deciding.checks import find_ship, profile
from rules.deciding.decision import ActionRow, Draft
from rules.deciding.fields import FieldRow
from rules.errors import Refusal
from rules.ships.among import OUT
from rules.ships.bridge import acting_ship, as_played
from rules.ships.orders import restore_system
from rules.ships.seats import SEAT_DEPARTMENT
from rules.ships.second.stations import ROWS as STATION_ROWS
from rules.ships.second.stations import SECOND, complete, require_acting, station_modifiers, station_row
from rules.ships.stations import StationAction, house_difficulty
from rules.state.changing import replace
from rules.state.conflict import Action
from rules.state.table import Table
from rules.state.tasks import Declaration, Modifier, Task
from rules.state.vocabulary import ActionScope, Attribute, Discipline, TraitKind
from rules.tasks.traits import RemoveTrait, record_trait, remove_trait, traits
from rules.words import say

CREATE_TRAIT_DIFFICULTY: Final = 2
"""The Difficulty of Create Trait (S2E-6, S2E-C2, C-21)."""


TRANSPORT_DIFFICULTY: Final = 2
"""The Difficulty of Transport where the gamemaster names none (STN-10, S2E-C6)."""


def _plan_direct(table: Table, declaration: Declaration) -> Declaration:
    """S2E-C3: for the commander; the ally's Task is what is thrown for, so that Override makes nothing here harder."""
    _take_seat(table, declaration, STATION_ROWS["direct"])
    return plan_direct(table, declaration)


def _plan_assist(table: Table, declaration: Declaration) -> Declaration:
    """S2E-6, S2E-C1: anyone assists one ally, the commander two if there are two to be assisted."""
    if not helping.action_of(declaration).also_id:
        return plan_assist(table, declaration)
    combatant = table.conflict.combatant(declaration.character_id) if table.conflict is not None else None
    if combatant is not None and combatant.station not in ("", "command"):
        raise Refusal("S2E-C1", "Only the commander assists two at once; choose one ally.")
    _take_seat(table, declaration, STATION_ROWS["assist"])
    return plan_help(table, declaration)


def _take_seat(table: Table, declaration: Declaration, row: StationAction) -> None:
    """Refuse whom Override does not bring to that station, and a seat too many (S2E-6, S2E-22)."""
    combatant = table.conflict.combatant(declaration.character_id) if table.conflict is not None else None
    if combatant is not None and combatant.ship_id:
        station_modifiers(table, declaration.character_id, find_ship(table, combatant.ship_id), row)


_DEPARTMENTS: Final = {
    "helm": Discipline.CONN,
    "navigation": Discipline.CONN,
    **SEAT_DEPARTMENT,
}
"""The department that a trait made at a station is often of; those of the other stations are of any."""


_PLANS: Final = (Attribute.CONTROL, Attribute.INSIGHT, Attribute.REASON)
"""The attributes of a commander's plans (S2E-C2)."""


def _plan_trait(table: Table, declaration: Declaration) -> Declaration:
    """S2E-6: at every station, with the attribute and the department that were named."""
    action = declaration.action
    if action is None or not (action.note.strip() or _trait_named(table, action)):
        raise Refusal("S2E-6", "Say the trait in words, or choose the one that ends.")
    return complete(table, declaration, difficulty=CREATE_TRAIT_DIFFICULTY)


def _trait_named(table: Table, action: Action) -> bool:
    return any(one.trait_id == action.target_id for one in table.traits)


def _trait_here(row: ActionRow, table: Table, who: str) -> ActionRow:
    """S2E-6, S2E-C2: anything fits; what is common at one's station comes first, as the house has it nothing else."""
    played = as_played(row, table, who)
    combatant = table.conflict.combatant(who) if table.conflict is not None else None
    station = combatant.station if combatant is not None else ""
    first = _PLANS if station == "command" else ()
    of_station = _DEPARTMENTS.get(station)
    return replace(
        played,
        attributes=played.attributes or tuple(sorted(Attribute, key=lambda one: one not in first)),
        disciplines=played.disciplines or tuple(sorted(Discipline, key=lambda one: one is not of_station)),
    )


def _trait_made(draft: Draft, task: Task) -> None:
    action = action_of(task.declaration)
    if _trait_named(draft.table, action):
        remove_trait(draft, RemoveTrait(trait_id=action.target_id))
    if action.note.strip():
        record_trait(draft, action.note, TraitKind.ADVANTAGE)


def _plan_transport(table: Table, declaration: Declaration) -> Declaration:
    level = declaration.action.level if declaration.action is not None else None
    return complete(
        table,
        declaration,
        difficulty=TRANSPORT_DIFFICULTY if level is None else level,
        modifiers=(Modifier(reason=say("from the bridge"), change=1),),
    )


def _transport_here(row: ActionRow, table: Table, who: str) -> ActionRow:
    """S2E-C6: as hard as ever where the gamemaster names nothing else."""
    difficulty = house_difficulty(row.name, TRANSPORT_DIFFICULTY, profile(table))
    return replace(as_played(row, table, who), difficulty=difficulty)


def _restore(draft: Draft, actor_id: str, action: Action) -> None:
    """S2E-6: a system that is out works again."""
    ship = acting_ship(draft.table, actor_id, action)
    require_acting(ship, action.name)
    restore_system(draft, ship, action.system, "S2E-6")


_ENDED: Final = FieldRow(
    name="target_id",
    optional=True,
    those=traits,
    asked=say("Trait that ends"),
    otherwise=say("None: a new trait, in words"),
)
"""The trait that ends, or that another one takes the place of (S2E-6)."""


ROWS: Final = (
    on_the_bridge(
        ASSIST,
        rule="S2E-C1",
        rulesets=SECOND,
        needs=("target_id", "also_id"),
        fields=(ALLY, SECOND_ALLY),
        plan=_plan_assist,
    ),
    on_the_bridge(DIRECT, rule="S2E-C3", station="command", rulesets=SECOND, plan=_plan_direct),
    station_row(
        "create_trait", say("Create Trait"), needs=("note",), fields=(_ENDED,), here=_trait_here, plan=_plan_trait,
        result=_trait_made,
    ),
    replace(
        station_row(
            "navigate", say("Create Trait at navigation"), needs=("note",), unasked=("target_id",),
            plan=_plan_trait, result=_trait_made,
        ),
        listed=False,
    ),
    station_row("rally", say("Rally")),
    station_row("transport", say("Transport"), needs=("level",), here=_transport_here, plan=_plan_transport),
    ActionRow(
        name="restore",
        rule="S2E-6",
        label=say("Restore"),
        scope=ActionScope.BRIDGE,
        minor=True,
        rulesets=SECOND,
        needs=("system",),
        fields=(OUT,),
        perform=_restore,
    ),
)  # fmt: skip
"""The actions of command, communications and navigation (S2E-6, S2E-C1 to S2E-C4, S2E-C6, S2E-N1, S2E-O5)."""
