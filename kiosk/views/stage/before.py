"""What was so before a Task that is over: the total, the Work, the outcome."""

from __future__ import annotations

from msgspec.structs import replace

from kiosk.views.stage.looked_back import LOOKED_BACK, is_in_hand
from kiosk.views.stage.names import known_as
from kiosk.views.stage.told import result_of, work_done
from kiosk.views.stage.values import StageView
from rules.game import DecidedStep, History, OpposedWinner, Table, last_result, reached
from rules.words import Phrase, counted, faces_words, say


def with_what_was_before(shown: StageView, history: History) -> StageView:
    """`shown`, which asks for the dice of a Task that began by itself, with what the one before it came to.

    That one ended by itself in the same moment, so that its dice would be seen by nobody.
    """
    table = history.present
    number = table.task.number if table.task is not None and shown.kind == "ask" else 0
    began = next((one for one in reversed(history.done[-LOOKED_BACK:]) if not is_in_hand(one.before, number)), None)
    if not number or began is None or began.command in {"declare_task", "line_up"}:
        return shown
    return replace(shown, before=_total_before(table, began) or _work_before(began) or _task_before(began))


def _total_before(table: Table, began: DecidedStep) -> Phrase | str:
    """What the Challenge Dice came to with whose last ones the next Task began; empty where there are none."""
    roll, fell, there = table.challenge, began.after.challenge, began.before.challenge
    if roll is None or fell is None or roll.number != fell.number or roll.total is None or not fell.closed:
        return ""
    if there is not None and there.number == fell.number and there.dice == fell.dice:
        return ""
    return say(
        "Before it: the Challenge Dice show {faces}, total {total}, {effects}.",
        faces=faces_words([one.face for one in roll.dice]),
        total=roll.total,
        effects=counted(roll.effects, "Effect") if roll.effects else say("no Effect"),
    )


def _work_before(began: DecidedStep) -> Phrase | str:
    """What the Work came to with whose dice, or whose Progress, the next Task began; empty where there is none."""
    over, was = began.after.last_task, began.before.last_task
    work = over.work if over is not None else None
    if over is None or work is None or (was is not None and was.number == over.number and was.work is not None):
        return ""
    outcome, faces = work_done(work, known_as(began.after, over.who)), faces_words([one.face for one in work.dice])
    if not work.dice:
        return say("Before it: {outcome}.", outcome=outcome)
    return say("Before it: {outcome} with {faces}.", outcome=outcome, faces=faces)


def _task_before(began: DecidedStep) -> Phrase | str:
    """What the Task came to with whose end the next one began; of an Opposed Task, with the dice that fell last."""
    table, last = began.after, began.before.task
    over = last_result(table)
    ended = (table.last_task, table.last_opponent)
    thrown = next((one for one in ended if one is not None and last is not None and one.number == last.number), None)
    if over is None or over.outcome is None or thrown is None or not thrown.dice:
        return ""
    faces = faces_words([one.die.face for one in thrown.dice])
    if over.opposed_winner is OpposedWinner.NONE:
        return say("Before it: neither side wins. {who} threw {faces}.", who=known_as(table, thrown.who), faces=faces)
    result = result_of(over, table, known_as(table, over.who), good=reached(over), banner=False)
    if over.opposed_winner is None:
        return say("Before it: {outcome} with {faces}.", outcome=result, faces=faces)
    who = known_as(table, thrown.who)
    return say("Before it: {outcome}. {who} threw {faces}.", outcome=result, who=who, faces=faces)
