"""Learns dice from people's answers about dice that the camera could not read.

In: decisions as they are committed. Out: lessons for the camera's workbench, some seconds after their throw counted and
only if nobody took it back or put it right meanwhile. A thread of its own reads the picture again, so that the table
does not wait.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from kiosk.devices.camera_desk import REFUSALS
from kiosk.devices.camera_words import learnt_words
from kiosk.engine import Committed
from rules.dice import DieKind, Face
from rules.game import (
    ChallengeDiceThrown,
    ChallengeDieCorrected,
    DecisionRedone,
    DecisionUndone,
    TaskDiceThrown,
    TaskDieCorrected,
    ThrownDie,
)
from rules.words import Phrase

if TYPE_CHECKING:
    from vision.taught.own_dice import OwnDie
    from vision.watch.watcher import SeenThrow

GRACE: Final = 20.0
"""Seconds in which an answer can be taken back before it is learnt."""
_TAKES_BACK: Final = (DecisionUndone, DecisionRedone, TaskDieCorrected, ChallengeDieCorrected)
"""The events after which the last answer about a die may be wrong."""

_log = logging.getLogger(__name__)


class Learner(Protocol):
    """The workbench as far as lessons need it."""

    def last_throw(self) -> SeenThrow | None:
        """The last throw that was seen; None where there is none."""

    def learn_answer(self, last: SeenThrow, picture: str, kind: DieKind, face: Face) -> OwnDie | None:
        """Learn what the die of that `picture` shows; None where it teaches nothing. Raises one of `REFUSALS`."""


class Lessons:
    """Listens to an engine, on its thread.

    Args:
        bench: what sees the dice and learns them.
        tell: is given a sentence for each lesson, on another thread.
        grace: seconds that a lesson waits.
    """

    def __init__(self, bench: Learner, tell: Callable[[Phrase], None], grace: float = GRACE) -> None:
        self._bench = bench
        self._tell = tell
        self._grace = grace
        self._waiting: list[threading.Timer] = []
        self._closed = False

    def committed(self, told: Committed) -> None:
        """Note answers about dice that count; forget them when something is taken back."""
        events = told.decision.events
        if any(isinstance(event, _TAKES_BACK) for event in events):
            self.stop()
            return
        answered = [
            die
            for event in events
            if isinstance(event, TaskDiceThrown | ChallengeDiceThrown)
            for die in event.thrown
            if die.corrected and die.picture is not None
        ]
        last = self._bench.last_throw() if answered and not self._closed else None
        if last is not None:
            lesson = threading.Timer(self._grace, self._learn, (last, answered))
            lesson.daemon = True
            lesson.start()
            self._waiting = [*(one for one in self._waiting if one.is_alive()), lesson]

    def stop(self) -> None:
        """Forget all answers not learnt yet, whichever throw they belong to."""
        for lesson in self._waiting:
            lesson.cancel()

    def close(self) -> None:
        """Stop learning; from any thread."""
        self._closed = True
        self.stop()

    def _learn(self, last: SeenThrow, answered: list[ThrownDie]) -> None:
        for die in answered:
            try:
                learnt = self._bench.learn_answer(last, die.picture or "", die.kind, die.face)
            except REFUSALS as refused:
                _log.debug("the answer teaches nothing: %s", refused)
            else:
                if learnt is not None:
                    self._tell(learnt_words(learnt.name, len(learnt.faces), die.kind))
