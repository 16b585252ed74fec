"""What a tap was about, so that one that comes late is done as it was meant, or refused in words.

A phone that was away keeps what was tapped and sends it with the mark of the table that it saw. A spend, a reading or
a trait does not change the mark; another Task, another throw, another Turn does.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from kiosk.engine import Present
from kiosk.errors import StaleError
from rules.history import History
from rules.state import Table

LONGEST_MARK: Final = 200


class About(Struct, frozen=True, kw_only=True):
    """Marks to send as `about` of a command: `table` with most commands, `undo` with `undo`, `redo` with `redo`."""

    table: str
    undo: str
    redo: str


def about(history: History) -> About:
    """The marks of this moment."""
    done = history.done[-1].number if history.done else 0
    undone = history.undone[-1].number if history.undone else 0
    return About(table=_of(history.present), undo=f"undo:{done}", redo=f"redo:{undone}")


def require_about(present: Present, mark: str) -> None:
    """Raise `StaleError` where `mark` is none of this moment's."""
    now = about(present.history)
    if mark not in {now.table, now.undo, now.redo}:
        raise StaleError("The table has gone on since, so this was not done. Look at the table, then decide anew.")


def _of(table: Table) -> str:
    """Which Task, throw, roll and Turn are in hand."""
    task, request, held, roll = table.task, table.request, table.held, table.challenge
    turn = table.conflict.turn if table.conflict is not None else None
    parts = (
        table.session,
        table.scene,
        f"{task.number} {task.phase}" if task is not None else "",
        request.number if request is not None else "",
        held.reading_id if held is not None else "",
        roll.number if roll is not None and not roll.closed else "",
        len(table.agenda),
        table.conflict.round if table.conflict is not None else "",
        turn.combatant_id if turn is not None else "",
    )
    return "/".join(str(one) for one in parts)[:LONGEST_MARK]
