"""What the panel's buttons mean, whichever are fitted, and what its lamp and ring light show. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from kiosk.panel.spoken_places import Gesture, Rest
from rules.game import Table, TaskPhase, players_result, reached
from rules.words import Phrase, capitalized, say

LampWord = Literal["off", "waiting", "asking", "success", "failure", "trouble"]
"""The values of the panel's own closed set of lamp states."""

SignalWord = Literal["question", "done", "refused", "trouble"]
"""The values of the panel's own closed set of buzzer signals."""

BUTTONS: Final = ("confirm", "next", "previous", "repeat", "undo")
"""All possible buttons; the first fitted one that does not move on chooses."""

_NAMES: Final[Mapping[str, Phrase]] = {
    "confirm": say("confirm"),
    "next": say("next"),
    "previous": say("previous"),
    "repeat": say("repeat"),
    "undo": say("undo"),
}
"""What each button is called."""

_MOVERS: Final = ("next", "previous", "repeat", "undo", "confirm")
"""The buttons that move on in the menu: the first fitted one is used."""

_PRESSED: Final[Mapping[str, Gesture]] = {
    "confirm": Gesture.CONFIRM,
    "next": Gesture.NEXT,
    "previous": Gesture.PREVIOUS,
    "repeat": Gesture.REPEAT,
    "undo": Gesture.UNDO,
}
"""What a short press of each button means."""

_HELD: Final[Mapping[str, Gesture]] = {
    "confirm": Gesture.BACK,
    "next": Gesture.REPEAT,
    "previous": Gesture.BACK,
    "repeat": Gesture.MORE,
    "undo": Gesture.BACK,
}
"""What it means to hold each button down."""


@dataclass(frozen=True, slots=True)
class Meanings:
    """What each fitted button means, pressed and held, and the same as a sentence for one who asks for more."""

    pressed: Mapping[str, Gesture]
    held: Mapping[str, Gesture]
    hint: str


def meanings(fitted: Collection[str]) -> Meanings:
    """What the `fitted` buttons mean. Any two play a whole Task; one alone does, by being held to choose."""
    pressed = {one: _PRESSED[one] for one in BUTTONS if one in fitted}
    held = {one: _HELD[one] for one in BUTTONS if one in fitted}
    mover = next((one for one in _MOVERS if one in fitted), "")
    chooser = next((one for one in BUTTONS if one in fitted and one != mover), "")
    if not mover:
        return Meanings(pressed, held, "")
    if not chooser:
        return Meanings({mover: Gesture.NEXT}, {mover: Gesture.CONFIRM}, say("Press to move on, hold to choose."))
    if mover not in {"next", "previous"}:
        pressed[mover], held[mover] = Gesture.NEXT, Gesture.UNDO if mover == "undo" else Gesture.REPEAT
    elif mover == "previous":
        held[mover] = Gesture.REPEAT
    pressed[chooser], held[chooser] = Gesture.CONFIRM, Gesture.BACK
    hint = say(
        "{mover} moves on, {chooser} chooses, {chooser} held goes back.",
        mover=capitalized(_NAMES[mover]),
        chooser=_NAMES[chooser],
    )
    return Meanings(pressed, held, hint)


def lamp_for(table: Table, trouble: str | None) -> LampWord:
    """The lamp's state for the table: first trouble, then what needs a person, dice, the players' outcome.

    Between the throws of two sides there is none.
    """
    if trouble is not None:
        return "trouble"
    if table.held is not None:
        return "asking"
    if table.request is not None:
        return "waiting"
    task = players_result(table)
    if task is not None and task.outcome is not None and task.phase is not TaskPhase.AWAITING_OPPOSITION:
        return "success" if reached(task) else "failure"
    return "off"


@dataclass(frozen=True, slots=True)
class RingLevels:
    """Brightness of the ring light, 0 to 1: while the camera looks for dice, and at rest until somebody dims it."""

    looking: float
    rest: float

    def level(self, table: Table, rest: Rest, *, camera: bool) -> float:
        """How bright it is now. `camera` says that a camera is looking; it gets light while dice are called for."""
        if camera and table.request is not None and table.held is None:
            return self.looking
        return {Rest.DIM: self.rest, Rest.BRIGHT: self.looking, Rest.DARK: 0.0}[rest]
