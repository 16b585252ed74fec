"""A history in few words, so that a season of play need not be folded anew at every start.

Only the oldest table that undo can still reach is kept, and the numbers of the decisions that lead from it: those are
folded again, so that a restored history equals the one that was marked, its way back included.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rules.history import Decision, History, evolve
from rules.state import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Where a history stood after decision `last`.

    `base` is the table before the first decision of `done`; `done` are the decisions that stood and could be taken
    back, oldest first; `undone` those taken back, the next to redo last, as `History.undone` holds them.
    """

    last: int
    base: Table
    done: tuple[int, ...]
    undone: tuple[int, ...]
    next_decision: int
    readings: tuple[str, ...]

    @property
    def needed(self) -> frozenset[int]:
        """The decisions that `restore` folds again."""
        return frozenset((*self.done, *self.undone))


def checkpoint(history: History) -> Checkpoint:
    """Mark where `history` stands."""
    return Checkpoint(
        last=history.next_decision - 1,
        base=history.done[0].before if history.done else history.present,
        done=tuple(step.number for step in history.done),
        undone=tuple(step.number for step in history.undone),
        next_decision=history.next_decision,
        readings=history.readings,
    )


def restore(mark: Checkpoint, decisions: Mapping[int, Decision]) -> History:
    """The history that `mark` was made of. `decisions` must hold those of `mark.needed`; KeyError names one missing."""
    stood = History(present=mark.base)
    for number in mark.done:
        stood = evolve(stood, decisions[number])
    again = stood
    for number in reversed(mark.undone):
        again = evolve(again, decisions[number])
    taken_back = again.done[len(again.done) - len(mark.undone) :]
    return replace(
        stood,
        undone=tuple(reversed(taken_back)),
        next_decision=mark.next_decision,
        readings=mark.readings,
    )
