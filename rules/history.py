"""The decisions of a table in order, and the way back: undo and redo are decisions too, and nothing is edited.

An undo brings back the exact table from before; dice are never thrown again for it. A reading that was taken back
is not taken in a second time when its source repeats it: only a redo brings it back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from rules.conflict.order import combatant_name
from rules.deciding.decision import Command, Event
from rules.errors import Refusal, Unchanged
from rules.state.changing import replace
from rules.state.table import Table
from rules.state.tasks import LastThrow
from rules.table import decide as decide_on_table
from rules.table import evolve as evolve_table
from rules.tasks.settling import FinishSpending
from rules.tasks.task_dice import ThrowAgainst
from rules.tasks.throwing import ReportReading
from rules.undo import DecisionRedone, DecisionUndone, Redo, Undo, decided_words
from rules.words import Phrase, say

DEPTH: Final = 512
"""Most decisions that can be taken back in a row."""


_REPEATS_REMEMBERED: Final = 256
"""Most readings remembered, so that they do not count a second time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One command's events, committed together.

    `by` names the role that asked, `person` who it was, as an id that the shell gave; empty where nobody in particular
    did. `command` is the command's name.
    """

    number: int
    by: str
    command: str
    events: tuple[Event, ...]
    person: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedStep:
    """A decision that can be taken back or be made to stand again, with the tables before and after it.

    `by` and `person` are as `Decision` has them.
    """

    number: int
    command: str
    before: Table
    after: Table
    person: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The present table, the decisions that stand (newest last), and those taken back (next to redo last)."""

    present: Table
    done: tuple[DecidedStep, ...] = ()
    undone: tuple[DecidedStep, ...] = ()
    next_decision: int = 1
    readings: tuple[str, ...] = ()
    last_throw: LastThrow | None = None


def begin(table: Table | None = None, next_decision: int = 1) -> History:
    """A history that starts from `table` (an empty one if None), with nothing to take back yet."""
    return History(present=Table() if table is None else table, next_decision=next_decision)


Next: TypeAlias = Callable[[Table], Command]
"""A command that follows another within one decision, made of the table that the one before leaves."""


def decide(history: History, command: Command, *following: Next) -> tuple[Event, ...]:
    """The events that `command` makes of the present table, then those of each of `following`, as one decision.

    Refuses what changes nothing at all, so that undo always takes back what was asked last. A throw that a source
    reports again is no asking, nor is the end of a spending that has ended by itself, nor the throw of a side that is
    asked for its dice already: they make no events. Raises `Refusal`, and of those `Unchanged` for what is so already.
    """
    events = _decided(history, command, goes_on=bool(following))
    table = _after(history.present, events) if following else history.present
    for left, one in zip(reversed(range(len(following))), following, strict=True):
        more = decide_on_table(table, one(table), goes_on=left > 0)
        table, events = _after(table, more), events + more
    if not events and not isinstance(command, ReportReading | FinishSpending | ThrowAgainst):
        raise Unchanged("UNDO", "That is so already; change something, or leave it as it is.")
    return events


def _after(table: Table, events: tuple[Event, ...]) -> Table:
    for event in events:
        table = evolve_table(table, event)
    return table


def _decided(history: History, command: Command, *, goes_on: bool) -> tuple[Event, ...]:
    if isinstance(command, Undo):
        if not history.done:
            raise Refusal("UNDO", "There is nothing to take back.")
        return (DecisionUndone(decision=history.done[-1].number, command=_told_as(history.done[-1])),)
    if isinstance(command, Redo):
        if not history.undone:
            raise Refusal("UNDO", "There is nothing to bring back.")
        return (DecisionRedone(decision=history.undone[-1].number, command=_told_as(history.undone[-1])),)
    if isinstance(command, ReportReading) and command.reading.reading_id in history.readings:
        return ()
    if isinstance(command, ReportReading):
        return decide_on_table(replace(history.present, last_throw=history.last_throw), command, goes_on=goes_on)
    return decide_on_table(history.present, command, goes_on=goes_on)


def evolve(history: History, decision: Decision) -> History:
    """The history with `decision` in it. Never fails on what `decide` produced, live or replayed."""
    number = max(history.next_decision, decision.number + 1)
    first = decision.events[0] if decision.events else None
    if isinstance(first, DecisionUndone):
        return _undone(history, number, first.decision)
    if isinstance(first, DecisionRedone):
        return _redone(history, number, first.decision)
    after = _after(history.present, decision.events)
    step = DecidedStep(
        number=decision.number,
        command=decision.command,
        before=history.present,
        after=after,
        person=decision.person,
        by=decision.by,
    )
    newest = after.seen_readings[-1:]
    known = newest == history.readings[-1:]
    readings = history.readings if known else (*history.readings, *newest)[-_REPEATS_REMEMBERED:]
    return History(
        present=after,
        done=(*history.done[1 - DEPTH :], step),
        next_decision=number,
        readings=readings,
        last_throw=after.last_throw if after.last_throw is not history.present.last_throw else history.last_throw,
    )


_NOT_FITTING: Final = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""The errors of an event on a table that lacks its subject."""


def follow(history: History, decision: Decision, *, gap: bool) -> tuple[History, bool]:
    """As `evolve`, and whether that could be done: behind a `gap` in the journal a decision may not fit any more.

    Such a one changes nothing of the table. Without a gap it is a fault of the program, and raised; so is any other.
    """
    try:
        return evolve(history, decision), True
    except _NOT_FITTING:
        if not gap:
            raise
        return replace(history, next_decision=max(history.next_decision, decision.number + 1)), False


def _undone(history: History, number: int, decision: int) -> History:
    """The history without that decision; unchanged if it is missing, as after a loss in the journal."""
    if not history.done or history.done[-1].number != decision:
        return replace(history, next_decision=number)
    step = history.done[-1]
    return replace(
        history,
        present=step.before,
        done=history.done[:-1],
        undone=(*history.undone, step),
        next_decision=number,
    )


def _redone(history: History, number: int, decision: int) -> History:
    if not history.undone or history.undone[-1].number != decision:
        return replace(history, next_decision=number)
    step = history.undone[-1]
    return replace(
        history,
        present=step.after,
        done=(*history.done[1 - DEPTH :], step),
        undone=history.undone[:-1],
        next_decision=number,
    )


def _told_as(step: DecidedStep) -> str:
    """The name under which a decision is told: a Task that is declared and thrown in one was hidden before."""
    thrown = step.command == "declare_task" and step.after.task is not None and bool(step.after.task.dice)
    return "show_hidden_roll" if thrown else step.command


def step_words(step: DecidedStep) -> str:
    """What a decision was, in plain words; of a Turn that begins or is over, whose it is."""
    command = _told_as(step)
    return _turn_words(command, step.before, step.after) or decided_words(command, step.before, step.after)


def _turn_words(command: str, before: Table, after: Table) -> Phrase | None:
    """Whose Turn begins or is over; None of any other decision."""
    if command not in {"begin_turn", "end_turn"}:
        return None
    begins = command == "begin_turn"
    conflict = after.conflict if begins else before.conflict
    if conflict is None or conflict.turn is None:
        return None
    name = combatant_name(after, conflict.turn.combatant_id)
    return say("beginning {name}'s Turn", name=name) if begins else say("ending {name}'s Turn", name=name)


def undo_words(history: History) -> str | None:
    """What an undo would take back, in plain words; None when there is nothing."""
    return step_words(history.done[-1]) if history.done else None


def redo_words(history: History) -> str | None:
    """What a redo would bring back, in plain words; None when there is nothing."""
    return step_words(history.undone[-1]) if history.undone else None
