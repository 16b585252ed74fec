"""What a tap was about, so that one that comes late is done as it was meant, or refused in words.

A phone that was away keeps what was tapped and sends it with the mark of the table that it saw. A spend, a reading or
a trait does not change the mark; another Task, another throw, another Turn does. What points at one thing of several
has a mark of its own: the dice that are thrown again, the Complication that is taken, the decision that is undone.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Final

from msgspec import Meta, Struct

from kiosk.engine import Present
from kiosk.errors import StaleError
from rules.game import Command, History, Table, name_of
from rules.words import say

DIGEST_BYTES: Final = 8
"""Enough that no two moments of a season share a mark."""


GONE_ON: Final = say("The table has gone on since, so this was not done. Look at the table, then decide anew.")
"""Why a tap that comes late is not done."""


ANY_TIME: Final = (
    *("add_player", "save_character", "save_ship", "add_trait", "remove_trait", "gain_threat", "spend_threat"),
    *("adjust_pool", "ask_for_task", "take_back_asking", "hidden"),
)
"""Commands of pages that need no mark."""


class About(Struct, frozen=True, kw_only=True):
    """Marks to send as `about` of a command: the one that is named as the command, else `table`."""

    table: Annotated[str, Meta(description="Of every command that has no mark of its own here.")]
    undo: str
    redo: str
    correct_die: str
    drop_die: str
    correct_scored_die: str
    reroll_dice: str
    reroll_challenge: str
    take_complication: str
    buy_off_complication: str
    any_time: Annotated[
        tuple[str, ...], Meta(description="Commands that mean the same whatever has happened since: they need no mark.")
    ] = ANY_TIME


def about(history: History) -> About:
    """The marks of this moment."""
    done = history.done[-1].number if history.done else 0
    undone = history.undone[-1].number if history.undone else 0
    table = history.present
    moment = _moment(table)
    held, scored, faces = (_mark(kind, *moment, *parts(table)) for kind, parts in _DICE.items())
    open_ones = _mark("complication", *moment, *_complications(table))
    return About(
        table=_mark("table", *moment),
        undo=f"undo:{done}",
        redo=f"redo:{undone}",
        correct_die=held,
        drop_die=held,
        correct_scored_die=scored,
        reroll_dice=faces,
        reroll_challenge=faces,
        take_complication=open_ones,
        buy_off_complication=open_ones,
    )


def require_about(present: Present, command: Command, mark: str) -> None:
    """Raise `StaleError` where `mark` is not what `command` has to carry at this moment."""
    now = about(present.history)
    if mark != getattr(now, name_of(command), now.table):
        raise StaleError(GONE_ON)


def _moment(table: Table) -> tuple[object, ...]:
    """Which Task, throw, roll, step and Turn are in hand, and which Task came last."""
    task, last, request, held, roll = table.task, table.last_task, table.request, table.held, table.challenge
    conflict = table.conflict
    turn = conflict.turn if conflict is not None else None
    return (
        table.session,
        table.scene,
        (task.number, task.phase) if task is not None else None,
        last.number if last is not None else None,
        request.number if request is not None else None,
        held.reading_id if held is not None else None,
        (roll.number, roll.closed) if roll is not None else None,
        len(table.agenda),
        table.agenda[:1],
        conflict.round if conflict is not None else None,
        (turn.combatant_id, turn.guest_id, turn.tasks) if turn is not None else None,
    )


def _held(table: Table) -> tuple[object, ...]:
    """Which die of a held throw has which place: one that is left out moves the others up."""
    return (len(table.held.dice) if table.held is not None else 0,)


def _scored(table: Table) -> tuple[object, ...]:
    """Which throw the dice that count came from: those thrown again are others."""
    task, roll = table.task, table.challenge
    return (task.rerolled if task is not None else (), roll.rerolled if roll is not None else False)


def _faces(table: Table) -> tuple[object, ...]:
    """What the dice that count show: whoever throws one again saw what it shows."""
    task, roll = table.task, table.challenge
    return (
        *_scored(table),
        tuple(one.die.face for one in task.dice) if task is not None else (),
        tuple(one.face for one in roll.dice) if roll is not None else (),
    )


def _complications(table: Table) -> tuple[object, ...]:
    """How many Complications are open: the one that was meant is the next of them."""
    of_task = (table.task.complications_open, table.task.price_complications) if table.task is not None else ()
    return (*of_task, table.complications_waiting) if table.complications_waiting else of_task


_DICE: Final = {"held": _held, "scored": _scored, "faces": _faces}
"""What points at dice, by the kind of mark."""


def _mark(kind: str, *parts: object) -> str:
    return f"{kind}:{hashlib.blake2b(repr(parts).encode(), digest_size=DIGEST_BYTES).hexdigest()}"
