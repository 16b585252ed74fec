"""Opposed Tasks: who wins, and with how much Momentum (OPP-1 to OPP-3)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.rulesets import Profile
from rules.state import Table, Task, TaskOutcome
from rules.vocabulary import OpposedWinner, TaskPhase


@dataclass(frozen=True, slots=True, kw_only=True)
class OpposedOutcome:
    """The winner, and the Momentum that the winner has left; the other side has none (OPP-2)."""

    winner: OpposedWinner
    momentum: int

    def momentum_of(self, side: OpposedWinner) -> int:
        """Momentum of one side: the winner's, or 0."""
        return self.momentum if side is self.winner else 0


def decide_opposed(active: TaskOutcome, reactive: TaskOutcome, profile: Profile) -> OpposedOutcome:
    """Compare both sides' Tasks (OPP-1 to OPP-3); by successes where the table lets the reactive side set the mark.

    With `opposed_reactive_first` (C-42) the reactive side's successes are the active side's Difficulty.
    """
    if profile.opposed_reactive_first:
        return reactive_sets_difficulty(active.successes, reactive.successes)
    if active.success and reactive.success:
        return _both_succeed(active.momentum, reactive.momentum)
    if active.success:
        return OpposedOutcome(winner=OpposedWinner.ACTIVE, momentum=active.momentum)
    if reactive.success:
        return OpposedOutcome(winner=OpposedWinner.REACTIVE, momentum=reactive.momentum)
    return OpposedOutcome(winner=OpposedWinner.NONE, momentum=0)


def reactive_sets_difficulty(active_successes: int, reactive_successes: int) -> OpposedOutcome:
    """The reactive side threw first: reaching its successes wins; the margin is the winner's Momentum (C-42)."""
    margin = active_successes - reactive_successes
    winner = OpposedWinner.ACTIVE if margin >= 0 else OpposedWinner.REACTIVE
    return OpposedOutcome(winner=winner, momentum=abs(margin))


def _both_succeed(active: int, reactive: int) -> OpposedOutcome:
    """Momentum generated decides (OPP-2); equal Momentum is the active side's, with none left (OPP-3)."""
    winner = OpposedWinner.ACTIVE if active >= reactive else OpposedWinner.REACTIVE
    return OpposedOutcome(winner=winner, momentum=abs(active - reactive))


def successes_to_win(active: TaskOutcome, difficulty: int) -> int:
    """How many successes the reactive side needs against what the active side threw before it, at its own Difficulty.

    It needs a success, and more Momentum than an active side that succeeded (OPP-1 to OPP-3).
    """
    return difficulty + active.momentum + 1 if active.success else difficulty


def momentum_against(table: Table) -> int | None:
    """Momentum of the active side that has thrown and now waits for the other side's declaration; None if it failed.

    None, too, where nothing waits for a declaration, or where the table lets the reactive side throw first (C-42).
    """
    task = table.task
    if task is None or task.reactive or task.phase is not TaskPhase.AWAITING_OPPOSITION or task.outcome is None:
        return None
    return task.outcome.momentum if task.outcome.success else None


def side_of(task: Task) -> OpposedWinner:
    """Which side of an Opposed Task this one is (OPP-1)."""
    return OpposedWinner.REACTIVE if task.reactive else OpposedWinner.ACTIVE


def reached(task: Task) -> bool:
    """Whether a Task that has its outcome counts as a success: one that was opposed, where its side won (OPP-1)."""
    if task.opposed_winner is not None:
        return task.opposed_winner is side_of(task)
    return task.outcome is not None and task.outcome.success


def last_result(table: Table) -> Task | None:
    """The Task closed last; of an Opposed Task the winner's, whichever side's was closed last."""
    closed, other = table.last_task, table.last_opponent
    return other if other is not None and other.opposed_winner is side_of(other) else closed
