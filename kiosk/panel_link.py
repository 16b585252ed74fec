"""What the panel's buttons mean and what its lamp says, for whatever panel there is.

Confirm gives the one plain yes that is possible, undo takes the last decision back, repeat says it again. A press that
can mean nothing now repeats what is asked, so that no press goes without an answer.
"""

from __future__ import annotations

import logging
from typing import Final, Literal, Protocol

from kiosk.engine import Committed, Engine
from kiosk.errors import KioskError
from kiosk.ports import Voice
from rules.commands import CloseChallenge, FinishSpending, TakeComplication, Undo
from rules.errors import Refusal
from rules.messages import Command
from rules.options import options
from rules.state import Table
from rules.vocabulary import TaskPhase

log = logging.getLogger(__name__)

BY: Final = "panel"

LampWord = Literal["off", "waiting", "asking", "success", "failure", "trouble"]
"""The values of the panel's own closed set."""

_YES: Final = (FinishSpending, TakeComplication, CloseChallenge)


class ShowsLamp(Protocol):
    """The part of a panel that shows a state."""

    def show_word(self, word: LampWord) -> None:
        """Show the state of that name."""


def lamp_for(table: Table, trouble: str | None) -> LampWord:
    """What the lamp says of the table: trouble first, then what needs a person, then dice, then the outcome."""
    if trouble is not None:
        return "trouble"
    if table.held is not None:
        return "asking"
    if table.request is not None:
        return "waiting"
    task = table.task or table.last_task
    if task is not None and task.outcome is not None:
        return "success" if task.outcome.success else "failure"
    return "off"


def yes_for(table: Table) -> Command | None:
    """The one command that a plain yes means now, None where there is none or more than one."""
    found = {type(one.command): one.command for one in options(table) if isinstance(one.command, _YES)}
    if table.task is not None and table.task.phase in {TaskPhase.AWAITING_DICE, TaskPhase.AWAITING_OPPOSITION}:
        return None
    return next(iter(found.values())) if len(found) == 1 else None


class PanelLink:
    """Turns presses into commands and committed decisions into lamp states."""

    def __init__(self, engine: Engine, voice: Voice, lamp: ShowsLamp) -> None:
        self._engine = engine
        self._voice = voice
        self._lamp = lamp

    def pressed(self, button: str) -> None:
        """Act on `confirm`, `undo` or `repeat`; never raises."""
        try:
            self._act(button)
        except (Refusal, KioskError) as error:
            log.info("The %s button: %s", button, error)
            self._voice.repeat()

    def committed(self, committed: Committed) -> None:
        """Follow a decision."""
        self._lamp.show_word(lamp_for(committed.present.table, self._engine.trouble))

    def refresh(self) -> None:
        """Show the state of this moment."""
        self._lamp.show_word(lamp_for(self._engine.present().table, self._engine.trouble))

    def _act(self, button: str) -> None:
        if button == "undo":
            self._engine.submit(Undo(), BY)
        elif button == "confirm" and (command := yes_for(self._engine.present().table)) is not None:
            self._engine.submit(command, BY)
        else:
            self._voice.repeat()
