"""Tasks shared by people on foot and bridge crews: Assist, Direct, Ready, Pass, another one (ACT-4, STN, S2E-6).

In: nothing. Out: their rows for people on foot, and the same aboard a ship, as each edition's bridge changes them.
"""

from __future__ import annotations

from typing import Any, Final

from rules.conflict.among import ALLY
from rules.conflict.helping import (
    action_of,
    assisted,
    directed,
    pay_direct,
    plan_assist,
    plan_direct,
    plan_ready,
    readied,
)
from rules.conflict.order import combatant_name
from rules.conflict.rounds import pass_now, passable_turn
from rules.deciding.checks import find_character, profile
from rules.deciding.decision import ActionRow, Draft, by_choice, never
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.table import Table
from rules.state.tasks import Declaration, Task
from rules.state.vocabulary import ActionScope, Attribute, Discipline
from rules.words import say


def _plan_other(table: Table, declaration: Declaration) -> Declaration:
    """OPP-1: whoever it is aimed at is at the table, and in a conflict takes part in it."""
    target = action_of(declaration).target_id
    if not target:
        return declaration
    if all(one.ship_id != target for one in table.ships):
        find_character(table, target)
    seats = table.conflict.combatants if table.conflict is not None else ()
    # Who serves on a player's ship may sit nowhere in particular.
    players_ships = [one.ship_id for one in table.ships if one.crew is None]
    there = {one.combatant_id for one in seats} | {one.ship_id for one in seats} | {*players_ships}
    if seats and target not in there:
        raise Refusal(
            "OPP-1",
            "{name} takes no part in this conflict; choose somebody who does.",
            name=combatant_name(table, target),
        )
    return declaration


def _plan_pass(table: Table, declaration: Declaration) -> Declaration:
    passable_turn(table, declaration.character_id)
    return declaration


def _passed(draft: Draft, task: Task) -> None:
    pass_now(draft, task.declaration.character_id)


def _led_by(row: ActionRow, table: Table, _: str) -> ActionRow:
    """C-22: who directs helps by Control where the table plays so, else by any attribute."""
    return replace(row, attributes=(Attribute.CONTROL,)) if profile(table).direct_with_control else row


ASSIST: Final = ActionRow(
    name="assist",
    rule="ASST-4",
    label=say("Assist"),
    scope=ActionScope.PERSONAL,
    difficulty=0,
    needs=("target_id",),
    fields=(ALLY,),
    later=True,
    plan=plan_assist,
    rolled=never,
    result=assisted,
)
"""Helping with the next Task of an ally (ASST-4)."""


DIRECT: Final = ActionRow(
    name="direct",
    rule="ACT-4",
    label=say("Direct"),
    scope=ActionScope.PERSONAL,
    disciplines=(Discipline.COMMAND,),
    difficulty=0,
    needs=("target_id",),
    fields=(ALLY,),
    unasked=("threat_part",),
    here=_led_by,
    later=True,
    plan=plan_direct,
    rolled=never,
    pay=pay_direct,
    result=directed,
)
"""Giving an ally a Task at once (ACT-4)."""


READY: Final = ActionRow(
    name="ready",
    rule="ACT-4",
    label=say("Ready"),
    scope=ActionScope.PERSONAL,
    difficulty=0,
    needs=("note",),
    settled=True,
    plan=plan_ready,
    rolled=never,
    result=readied,
)
"""Keeping a Task for the moment that is named (ACT-4)."""


PASS: Final = ActionRow(
    name="pass",
    rule="TURN-6",
    label=say("Pass"),
    scope=ActionScope.PERSONAL,
    free=True,
    difficulty=0,
    settled=True,
    plan=_plan_pass,
    rolled=never,
    result=_passed,
)
"""Letting the Turn go by (TURN-6)."""


OTHER: Final = ActionRow(
    name="other",
    rule="ACT-4",
    label=say("Another Task"),
    scope=ActionScope.PERSONAL,
    unasked=("target_id",),
    free_form=True,
    plan=_plan_other,
    rolled=by_choice,
)
"""A Task that the rules do not name, thrown as it was declared (ACT-4)."""


ROWS: Final = (ASSIST, DIRECT, READY, PASS, OTHER)
"""These Tasks for people on foot."""


def on_the_bridge(row: ActionRow, **changes: Any) -> ActionRow:  # noqa: ANN401 - fields of `ActionRow`, checked by `replace`
    """The same on the bridge of a ship, changed as its edition has it."""
    return replace(row, scope=ActionScope.BRIDGE, **changes)
