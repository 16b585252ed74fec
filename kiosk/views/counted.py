"""Which dice a decision counted, and whose they were: the log says it, and so is told who entered others too late.

In: a decision of the history. Out: the name of whose Task it was, with the faces as they count then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.dice import Face
from rules.game import DecidedStep, History, Table, Task
from rules.words import Phrase, faces_words, say


def counted_by(step: DecidedStep) -> tuple[str, tuple[Face, ...]] | None:
    """Whose Task's dice the decision counted, threw again or put right, and what all of them show; else None."""
    after = _task(step.after, step.before.task.number if step.before.task is not None else 0)
    before = step.before.task
    if after is None or before is None or after.dice == before.dice:
        return None
    return after.who, tuple(one.die.face for one in after.dice)


def _task(table: Table, number: int) -> Task | None:
    """The Task of that number: in hand, waiting for the other side's, or just over."""
    return next((one for one in (table.task, table.last_task, table.opposed) if one and one.number == number), None)


def too_late(history: History, request: int, persons: Iterable[Mapping[str, Any]], *, but: str = "") -> Phrase | None:
    """That dice were counted as throw `request`, by whom and which; None if none were, or those of the person `but`."""
    for step in reversed(history.done):
        if step.before.request is None or step.before.request.number != request:
            continue
        if step.after.request is not None and step.after.request.number == request:
            return None
        found = counted_by(step)
        if found is None or (step.person and step.person == but):
            return None
        before = step.before.task
        new = found[1][len(before.dice) if before is not None else 0 :] or found[1]
        who = next((one["called"] for one in persons if one["person_id"] == step.person), "") if step.person else ""
        faces = faces_words(new)
        if who:
            return say("{who} counted {faces} before you; your dice were not taken.", who=who, faces=faces)
        return say("Counted before: {faces}. Your dice were not taken.", faces=faces)
    return None
