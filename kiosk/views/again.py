"""The answer to "say it again": the standing outcome, what it led to, and what was said last.

In: the present table with its history, and what was said of each decision. Out: one narration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from kiosk.engine import Present
from rules.game import DecidedStep, Narration, NarrationKind
from rules.words import sentences

FARTHEST: Final = 40
"""Most decisions searched backwards: more than anybody spends after one outcome."""

_BEGUN: Final = frozenset({NarrationKind.DECLARED, NarrationKind.QUESTION})
"""Narrations that begin a throw: earlier outcomes are over."""


def again_told(present: Present, told: Callable[[str], Narration | None]) -> Narration | None:
    """The newest standing outcome with its consequences and what was said last; None if nothing was said.

    If something else has begun since, only what was said last. `told` gives what was said of a decision, by its number.
    """
    if present.said is None:
        return None
    last = present.said.narration
    if last.kind is NarrationKind.OUTCOME or last.kind in _BEGUN:
        return last
    since: list[Narration] = []
    for step in reversed(present.history.done[-FARTHEST:]):
        said = told(str(step.number))
        if said is None or said is last:
            continue
        if said.kind in _BEGUN:
            return last
        if said.kind is NarrationKind.OUTCOME:
            return last if said.terse in last.terse else _joined([said, *reversed(since), last])
        if _is_of_chain(step):
            since.append(said)
    return last


def _is_of_chain(step: DecidedStep) -> bool:
    """Whether a decision belongs to what an outcome leads to, such as the damage of a hit; spends do not."""
    return step.command == "follow_through" or bool(step.before.agenda)


def _joined(all_told: list[Narration]) -> Narration:
    return replace(
        all_told[-1],
        terse=sentences(*(one.terse for one in all_told)),
        normal=sentences(*(one.normal for one in all_told)),
        full=sentences(*(one.full for one in all_told)),
    )
