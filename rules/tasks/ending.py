"""Goes on by itself where nobody has anything to choose (docs/declaring.md).

In: the end of every decision. Out: the spending finished of each Task on which nothing can be bought, and the active
side asked for its dice once those of a side that throws first stand.
"""

from __future__ import annotations

from itertools import chain
from typing import Final

from rules.deciding.candidate import Candidate
from rules.deciding.decision import Draft, Playbook
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.table import Table
from rules.state.tasks import Task
from rules.state.vocabulary import TaskPhase
from rules.tasks.actions import left_nothing, to_follow
from rules.tasks.moves import reroll_moves, spend_moves
from rules.tasks.settling import FinishSpending, MakeSpend, close_if_settled, wins
from rules.tasks.task_dice import ThrowAgainst

NOTE: Final = "as said"
"""Stands for the words that a spend may need: they change nothing about whether it is possible."""


def _end_by_itself(_: Table, draft: Draft) -> None:
    """Finish the spending of each Task in hand whose dice lie there and stand, as nothing can be bought on it.

    One that generated Momentum is left to its owner, and so is one that sets something off (C-61). Who lost an Opposed
    Task has nothing to set off: the winner's Task is then in hand, and ends as well where it leaves nothing.
    """
    while (task := draft.table.task) is not None and _leaves_nothing(draft, task):
        close_if_settled(draft, finish=True)


def _leaves_nothing(draft: Draft, task: Task) -> bool:
    table = draft.table
    if task.phase is not TaskPhase.SPENDING or table.request is not None or table.held is not None or table.agenda:
        return False
    lost = task.opposed_winner is not None and not wins(task)
    return (lost or _stands_alone(draft, task)) and not still_buys(draft)


def _stands_alone(draft: Draft, task: Task) -> bool:
    """Whether nothing hangs on a Task but its own dice: nothing bought, no cost, nothing that its action does.

    In a fight an action is left to its owner, as the Turn is.
    """
    at_cost = task.outcome is not None and task.outcome.at_cost
    if not task.dice or task.spends or task.followed or at_cost:
        return False
    if task.declaration.action is None:
        return True
    return draft.table.conflict is None and to_follow(draft, task) is None and left_nothing(draft, task)


def still_buys(draft: Draft) -> bool:
    """Whether the Task whose dice lie there has Momentum left, or anything can be bought or thrown again on it."""
    task = draft.table.task
    if task is None or task.phase is not TaskPhase.SPENDING:
        return False
    if task.momentum_left:
        return True
    moves = chain(reroll_moves(draft.table), spend_moves(draft.table, draft.playbook))
    return any(_possible(draft, one) for one in moves if not isinstance(one.command, FinishSpending))


def still_spending(draft: Draft) -> tuple[Task, ...]:
    """The Task in hand, and the other side's that waits until that is over, where something can still be bought on it.

    Whatever goes on ends them in this order.
    """
    table = draft.table
    last = (replace(table, task=table.opposed, opposed=None),) if table.opposed is not None else ()
    in_hand = ((one.task, Draft(one, draft.playbook)) for one in (table, *last))
    return tuple(task for task, trial in in_hand if task is not None and still_buys(trial))


def _possible(draft: Draft, one: Candidate) -> bool:
    command = replace(one.command, note=NOTE) if isinstance(one.command, MakeSpend) and one.asks_for else one.command
    try:
        command.decide(Draft(draft.table, draft.playbook))
    except Refusal:
        return False
    return True


def _turn_to_the_other_side(_: Table, draft: Draft) -> None:
    """C-42: the active side throws as soon as the dice of the side that throws first lie there and stand."""
    task = draft.table.task
    first = task is not None and task.phase is TaskPhase.AWAITING_OPPOSITION and task.reactive
    busy = draft.table.request is not None or draft.table.held is not None or bool(draft.table.agenda)
    if first and not busy and not any(_possible(draft, one) for one in reroll_moves(draft.table)):
        ThrowAgainst().decide(draft)


PLAYBOOK: Final = Playbook(ends=(_turn_to_the_other_side, _end_by_itself))
"""The playbook of ending; it comes before that of the line, so that the line's next Task begins."""
