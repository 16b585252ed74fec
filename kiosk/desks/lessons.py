"""What a person answers about a die that the camera could not read, learnt by the way.

In: decisions as they are committed. Out: lessons for the camera's desk, each in a thread of its own, because looking at
a picture once more takes a tenth of a second and the table does not wait for it.
"""

from __future__ import annotations

import logging
import threading
from typing import Final

from kiosk.desks.camera_desk import CameraDesk
from kiosk.engine import Committed
from kiosk.errors import CameraDeskError
from rules.commands import CorrectDie
from rules.events import ChallengeDiceThrown, TaskDiceThrown
from rules.messages import name_of
from rules.state import ThrownDie

_ANSWER: Final = name_of(CorrectDie)

_log = logging.getLogger(__name__)


class Lessons:
    """Listens to an engine. A die is learnt when its throw counts, whatever was answered before about it."""

    def __init__(self, desk: CameraDesk) -> None:
        self._desk = desk

    def committed(self, told: Committed) -> None:
        """Learn what was answered about the dice that count now; called on the engine's thread."""
        if told.decision.command != _ANSWER:
            return
        answered = [
            die
            for event in told.decision.events
            if isinstance(event, TaskDiceThrown | ChallengeDiceThrown)
            for die in event.thrown
            if die.corrected and die.picture is not None
        ]
        if answered and self._desk.there:
            threading.Thread(target=self._learn, args=(answered,), name="lessons", daemon=True).start()

    def _learn(self, answered: list[ThrownDie]) -> None:
        for die in answered:
            try:
                words = self._desk.learn_answer(die.picture or "", die.kind, die.face)
            except CameraDeskError as refused:
                _log.debug("the answer teaches nothing: %s", refused)
            else:
                if words:
                    _log.info("%s", words)
