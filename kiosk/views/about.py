"""Marks of what a tap was about, so that a late tap is applied as it was meant, or refused in words.

A phone that was away keeps what was tapped and sends it with the mark of the table that it saw. A spend, a reading or a
trait does not change the mark; another Task, another throw, another Turn does. A command for one thing of several has a
mark of its own: the dice that are thrown again, the Complication that is taken, the decision that is undone.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Final

from msgspec import Meta, Struct

from kiosk.engine import Present
from kiosk.errors import StaleError
from kiosk.storage.persons import Person
from rules.game import (
    BuyOffComplication,
    Command,
    DecidedStep,
    History,
    Table,
    TakeComplication,
    Undo,
    name_of,
    redo_words,
    undo_words,
)
from rules.words import Phrase, say

DIGEST_BYTES: Final = 8
"""Bytes of a mark: enough that no two states of a season share one."""


PANEL: Final = "panel"
"""The journal's name for the panel at the table's screen as the source of a command."""

KEYS: Final = "keys"
"""The same for its buttons pressed by keys of the gamemaster's own device, which is at no place that could be named."""

GONE_ON: Final = say("The table has gone on since, so this was not done. Look at the table, then decide anew.")
"""The refusal of a tap that comes too late, where nothing was decided that could be named."""


ANY_TIME: Final = (
    *("add_player", "save_character", "save_ship", "add_trait", "rename_trait", "remove_trait", "gain_threat"),
    *("spend_threat", "adjust_pool", "ask_for_task", "take_back_asking", "hidden"),
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
    take_complication: Annotated[
        str, Meta(description="Of the open Complications of each Task: only the part of the command's own is compared.")
    ]
    buy_off_complication: Annotated[str, Meta(description="The same as for `take_complication`.")]
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
    open_ones = _marks_of_complications(table)
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


def require_about(present: Present, command: Command, mark: str, persons: tuple[Person, ...] = ()) -> None:
    """Raise `StaleError` if `mark` is not the present one for `command`: it says what was decided last, and by whom.

    Of a Complication only the part of its Task counts; a Task that has none open is refused.
    """
    now = about(present.history)
    seen, here = mark, getattr(now, name_of(command), now.table)
    if isinstance(command, TakeComplication | BuyOffComplication):
        seen, here = _of_number(seen, command.number), _of_number(here, command.number)
    if seen != here or not here:
        raise StaleError(gone_on(present, persons))


def gone_on(present: Present, persons: tuple[Person, ...]) -> Phrase:
    """The refusal of a tap that comes too late."""
    history, newest = present.history, present.newest
    last = by_whom(undo_words(history), history.done, persons)
    if newest is not None and newest.command == name_of(Undo):
        last = _by(say("{what}, taken back", what=redo_words(history) or ""), newest.person, newest.by, persons)
    elif history.undone and newest is None:
        last = None  # a start does not know whether the last thing was to take back or to bring back
    if last is None:
        return GONE_ON
    return say(
        "Not done, because something else was decided first: {what}.",
        what=last,
    )


def by_whom(words: str | None, steps: tuple[DecidedStep, ...], persons: tuple[Person, ...]) -> str | None:
    """The last of `steps` in `words`, with the name of who decided, if known, and whether by the panel."""
    return _by(words, steps[-1].person, steps[-1].by, persons) if words is not None and steps else words


def _by(words: str, person: str, by: str, persons: tuple[Person, ...]) -> str:
    called = next((one.name for one in persons if one.person_id == person), "") if person else ""
    if by == PANEL:
        return (
            say("{what}, by {name} at the table's screen", what=words, name=called)
            if called
            else say("{what}, at the table's screen", what=words)
        )
    return say("{what}, by {name}", what=words, name=called) if called else words


def _moment(table: Table) -> tuple[object, ...]:
    """The Task, throw, roll, step and Turn in hand, and the last Task."""
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
    """The dice of a held throw by place: leaving one out moves the others up."""
    return (len(table.held.dice) if table.held is not None else 0,)


def _scored(table: Table) -> tuple[object, ...]:
    """The throw of the dice that count; a re-roll changes it."""
    task, roll = table.task, table.challenge
    return (task.rerolled if task is not None else (), roll.rerolled if roll is not None else False)


def _faces(table: Table) -> tuple[object, ...]:
    """The faces of the dice that count: whoever throws one again saw its face."""
    task, roll = table.task, table.challenge
    return (
        *_scored(table),
        tuple(one.die.face for one in task.dice) if task is not None else (),
        tuple(one.face for one in roll.dice) if roll is not None else (),
    )


def _marks_of_complications(table: Table) -> str:
    """A mark of the open ones of each Task, by its number: they stand unchanged whatever else is decided.

    The next one is meant, so that their count is in it. Those of the Task in hand have the number 0.
    """
    task = table.task
    in_hand = (0, task.number, task.complications_open, task.price_complications) if task is not None else (0,)
    of_tasks = (in_hand, *((one.number, one.left, one.price) for one in table.complications_waiting))
    return " ".join(("complication:", *(".".join(map(str, one)) for one in of_tasks)))


def _of_number(marks: str, number: int) -> str:
    """The mark of the Complications of that Task among `marks`; empty where there are none."""
    return next((one for one in marks.split(" ")[1:] if one.partition(".")[0] == str(number)), "")


_DICE: Final = {"held": _held, "scored": _scored, "faces": _faces}
"""The functions for marks of dice, by the kind of mark."""


def _mark(kind: str, *parts: object) -> str:
    return f"{kind}:{hashlib.blake2b(repr(parts).encode(), digest_size=DIGEST_BYTES).hexdigest()}"
