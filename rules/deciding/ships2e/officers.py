"""Command, communications and navigation: traits, Rally, transport, Restore (S2E-6, S2E-C, S2E-N)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rules import events_ships2e as es
from rules.deciding.draft import Draft
from rules.deciding.playbook import ActionRow
from rules.deciding.setting_up import record_trait
from rules.deciding.ships2e.bridge import SECOND, acting_ship, action_of, change_ship, complete, station_row
from rules.errors import Refusal
from rules.state import Declaration, Modifier, Table, Task
from rules.state_conflict import Action
from rules.vocabulary import ActionScope, TraitKind
from rules.wording import are

CREATE_TRAIT_DIFFICULTY: Final = 2
"""S2E-6, S2E-C2, C-21."""

TRANSPORT_DIFFICULTY: Final = 2
"""Where the gamemaster names none: as in the first edition (STN-10); the bridge adds 1 (S2E-C6)."""


def _plan_trait(table: Table, declaration: Declaration) -> Declaration:
    if declaration.action is None or not declaration.action.note.strip():
        raise Refusal("S2E-C2", "Say the trait in words.")
    return complete(table, declaration, difficulty=CREATE_TRAIT_DIFFICULTY)


def _trait_made(draft: Draft, task: Task) -> None:
    record_trait(draft, action_of(task).note, TraitKind.ADVANTAGE)


def _plan_transport(table: Table, declaration: Declaration) -> Declaration:
    level = declaration.action.level if declaration.action is not None else None
    return complete(
        table,
        declaration,
        difficulty=TRANSPORT_DIFFICULTY if level is None else level,
        modifiers=(Modifier(reason="from the bridge", change=1),),
    )


def _restore(draft: Draft, actor_id: str, action: Action) -> None:
    """S2E-6: a system that is out works again."""
    ship = acting_ship(draft.table, actor_id, action)
    if action.system is None:
        raise Refusal("S2E-6", "Say which system is restored.")
    damage = ship.state.damage_of(action.system)
    if not damage.impact:
        raise Refusal("S2E-6", f"{ship.name}'s {action.system} {are(action.system)} not out; choose one that is.")
    others = tuple(one for one in ship.state.systems if one.system is not action.system)
    change_ship(draft, ship.ship_id, "Restore", systems=(*others, replace(damage, impact=False)))
    draft.record(es.SystemRestored(ship_id=ship.ship_id, name=ship.name, system=action.system))


ROWS: Final = (
    station_row("create_trait", "Create Trait", needs=("note",), plan=_plan_trait, result=_trait_made),
    station_row("navigate", "Create Trait at navigation", needs=("note",), plan=_plan_trait, result=_trait_made),
    station_row("rally", "Rally"),
    station_row("transport", "Transport", needs=("level",), plan=_plan_transport),
    ActionRow(
        name="restore",
        rule="S2E-6",
        label="Restore",
        scope=ActionScope.BRIDGE,
        minor=True,
        rulesets=SECOND,
        needs=("system",),
        perform=_restore,
    ),
)
"""S2E-6, S2E-C2, S2E-C4, S2E-C6, S2E-N1, S2E-O5."""
