"""How it is told what stands again after a decision was taken back or brought back (UNDO)."""

from __future__ import annotations

from dataclasses import replace

from rules import events as e
from rules.narrating.tasks import outcome_told, to_settle
from rules.narrating.telling import Narration, NarrationKind, same
from rules.narrating.throws import total_told
from rules.phrases import sentences
from rules.state import ChallengeRoll, Table, Task, TaskOutcome


def standing_again(before: Table, after: Table) -> Narration:
    """The outcome that `after` shows and `before` did not, and Complications that are open again, in three lengths.

    Without words where neither changed, and where dice are awaited, which are asked for.
    """
    if after.request is not None:
        return same("", NarrationKind.CHANGE)
    challenge = after.challenge
    if challenge is not None and _total(challenge) not in {(), _total(before.challenge)}:
        return total_told(challenge.total or 0, challenge.effects or 0, challenge.dice)
    task = after.task or after.last_task
    left = to_settle(after)
    if task is None or task.outcome is None or _result(task) == _result(before.task or before.last_task):
        return same(left if left != to_settle(before) else "", NarrationKind.CHANGE)
    shown = after if after.task is not None else replace(after, task=task, opposed=after.last_opponent)
    told = outcome_told(_reached(task, task.outcome), shown)
    return replace(
        told,
        terse=sentences(told.terse, left),
        normal=sentences(told.normal, left),
        full=sentences(told.full, left),
    )


def _total(challenge: ChallengeRoll | None) -> tuple[object, ...]:
    if challenge is None or challenge.total is None:
        return ()
    return (challenge.number, challenge.dice, challenge.total, challenge.effects)


def _result(task: Task | None) -> tuple[object, ...]:
    return () if task is None else (task.number, task.outcome, task.dice, task.opposed_winner)


def _reached(task: Task, outcome: TaskOutcome) -> e.OutcomeReached:
    """The event that brought the outcome of `task` about, as it stands now."""
    return e.OutcomeReached(
        number=task.number,
        who=task.who,
        label=task.declaration.label,
        target_number=task.target_number,
        double_at_most=task.double_at_most,
        dice=task.dice,
        outcome=outcome,
        momentum_left=task.momentum_left,
        complications_open=task.complications_open,
        price_complications=task.price_complications,
        phase=task.phase,
    )
