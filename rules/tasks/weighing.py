"""How much an outcome weighs at the table, so that everyone can tell it across the room."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from rules.state.tasks import Task
from rules.tasks.opposed import reached

_MUCH_MOMENTUM: Final = 4
"""The least Momentum of a Task that is a triumph."""

_TWICE: Final = 2
"""Successes of a die that counts double (TASK-5)."""


class Weight(StrEnum):
    """Of an outcome. None changes a rule."""

    FAILURE = "failure"
    SUCCESS = "success"
    COST = "cost"
    """A success with a Complication, or at a cost."""
    TRIUMPH = "triumph"
    """A player's success without one in which every die counts double, or that brought four Momentum."""


def weight_of(task: Task) -> Weight:
    """How much the outcome of a Task weighs. Raises ValueError before there is one."""
    result = task.outcome
    if result is None:
        raise ValueError("the dice of this Task are not thrown yet")
    if not reached(task):
        return Weight.FAILURE
    if result.complications or result.at_cost:
        return Weight.COST
    if task.npc:
        return Weight.SUCCESS  # a foe's luck is no feast of the table's
    doubled = bool(task.dice) and all(one.successes >= _TWICE for one in task.dice)
    return Weight.TRIUMPH if doubled or result.momentum >= _MUCH_MOMENTUM else Weight.SUCCESS
