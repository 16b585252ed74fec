"""Tasks that people on foot and bridge crews have alike: Assist, Direct, Ready, Pass, another one (ACT-4, STN, S2E-6).

In: nothing. Out: their rows for people on foot, and the same aboard a ship, as each edition's bridge changes them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from rules.deciding.draft import Draft
from rules.deciding.playbook import ActionRow
from rules.deciding.turns import helping, rounds
from rules.phrases import say
from rules.state import Declaration, Table, Task
from rules.vocabulary import ActionScope, Discipline


def _plan_pass(table: Table, declaration: Declaration) -> Declaration:
    rounds.passable_turn(table, declaration.character_id)
    return helping.without_dice(declaration)


def _passed(draft: Draft, task: Task) -> None:
    rounds.pass_now(draft, task.declaration.character_id)


ASSIST: Final = ActionRow(
    name="assist",
    rule="ASST-4",
    label=say("Assist"),
    scope=ActionScope.PERSONAL,
    difficulty=0,
    needs=("target_id",),
    plan=helping.plan_assist,
    result=helping.assisted,
)

DIRECT: Final = ActionRow(
    name="direct",
    rule="ACT-4",
    label=say("Direct"),
    scope=ActionScope.PERSONAL,
    disciplines=(Discipline.COMMAND,),
    difficulty=0,
    needs=("target_id",),
    plan=helping.plan_direct,
    pay=helping.pay_direct,
    result=helping.directed,
)

READY: Final = ActionRow(
    name="ready",
    rule="ACT-4",
    label=say("Ready"),
    scope=ActionScope.PERSONAL,
    difficulty=0,
    needs=("note",),
    settled=True,
    plan=helping.plan_ready,
    result=helping.readied,
)

PASS: Final = ActionRow(
    name="pass",
    rule="TURN-6",
    label=say("Pass"),
    scope=ActionScope.PERSONAL,
    free=True,
    difficulty=0,
    settled=True,
    plan=_plan_pass,
    result=_passed,
)

OTHER: Final = ActionRow(name="other", rule="ACT-4", label=say("Another Task"), scope=ActionScope.PERSONAL)

ROWS: Final = (ASSIST, DIRECT, READY, PASS, OTHER)
"""For people on foot."""


def aboard(row: ActionRow, **changes: Any) -> ActionRow:  # noqa: ANN401 - fields of `ActionRow`, checked by `replace`
    """The same on the bridge of a ship, changed as its edition has it."""
    return replace(row, scope=ActionScope.BRIDGE, **changes)
