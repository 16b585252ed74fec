"""How far the stage looks back, and the tables while one Task was in hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.game import DecidedStep, Table

LOOKED_BACK: Final = 200
"""How many decisions are searched, the newest first: the busiest evening has some ten to a Task."""


def tables_in_hand(number: int, done: Sequence[DecidedStep]) -> list[Table]:
    """The tables from before that Task's declaration to its end, or to when its attack was settled with its end."""
    found: list[Table] = []
    for step in reversed(done[-LOOKED_BACK:]):
        if is_in_hand(step.after, number):
            found.append(step.after)
        elif is_in_hand(step.before, number):
            found += [step.after] if step.before.attack is not None else []
        elif found:
            return [step.after, *reversed(found)]
        elif step.after.next_number <= number:
            break
    return found[::-1]


def is_in_hand(table: Table, number: int) -> bool:
    """Whether the Task of that number is the one in hand."""
    return any(one is not None and one.number == number for one in (table.task, table.opposed))
