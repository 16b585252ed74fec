"""The demonstration: a make-believe tray on a pseudo-terminal and a camera over rendered dice.

Only the throwing is simulated: the dice pass through the same link, reader and rules as real ones. Runs with `--demo`
only.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from typing import Any, Final

from kiosk.errors import KioskError, words_of
from rules.dice import DieKind, SourceKind
from rules.words import say

log = logging.getLogger(__name__)

Thrower = Callable[[tuple[DieKind, ...]], object]
"""Throws dice of these kinds; what comes back is not looked at."""


class DemoStage:
    """The simulated places for a throw; the makers of simulated sources register how to throw."""

    def __init__(self) -> None:
        self._throwers: dict[SourceKind, Thrower] = {}
        self._endings: list[Callable[[], None]] = []

    def add(self, where: SourceKind, throw: Thrower, end: Callable[[], None] = lambda: None) -> None:
        """Let `throw` answer for `where`; `end` is called when the demonstration is over."""
        self._throwers[where] = throw
        self._endings.append(end)

    def throw(self, where: SourceKind, dice: tuple[str, ...]) -> None:
        """See `ports.Demo`."""
        thrower = self._throwers.get(where)
        if thrower is None:
            raise KioskError(
                say("The make-believe {where} is not there. Throw on the other, or enter dice by hand.", where=where)
            )
        try:
            thrower(tuple(DieKind(one) for one in dice))
        except Exception as error:
            log.exception("the make-believe %s could not throw", where)
            raise KioskError(
                say("The make-believe {where} could not throw: {error}", where=where, error=words_of(error))
            ) from error

    def stop(self) -> None:
        """End the make-believe sources."""
        for end in self._endings:
            end()
        self._endings.clear()


def simulated_tray(stage: DemoStage) -> str:
    """Plug a simulated tray in and return the port that a host opens. Raises whatever keeps it from starting."""
    from firmware_bridge.pty_simulator import PtySimulator  # noqa: PLC0415  # a broken tray costs the tray alone

    simulator = PtySimulator(secrets.randbits(32))
    port = simulator.start()
    stage.add(SourceKind.TRAY, simulator.throw_some, simulator.stop)
    return port


def rendered_camera(stage: DemoStage) -> Any:  # noqa: ANN401  # a frame source of `vision`, known only there
    """A frame source that looks at rendered dice. Raises whatever keeps it from being made."""
    from vision.frames.sources import StageSource  # noqa: PLC0415  # a broken camera library costs the camera alone
    from vision.training.stage import Stage  # noqa: PLC0415 - likewise

    rendered = Stage(seed=secrets.randbits(32))
    stage.add(SourceKind.CAMERA, WithQuestions(rendered.throw))
    return StageSource(rendered)


class WithQuestions:
    """Throws on a rendered tray, two of which a person has to look at, as at a real table.

    Of the throws of several dice one is of a die that leans, and one of a die too many: whoever tries the kiosk without
    dice sees what it asks then, and answers. They come once in a demonstration, so that what follows goes on smoothly.
    """

    LEANING: Final = 3
    """The throw of several dice in which one leans, counted from 1: after two that were simply read."""

    TOO_MANY: Final = 5
    """The one in which a die more comes to lie there."""

    def __init__(self, throw: Callable[..., object]) -> None:
        """`throw` takes the kinds of the dice, and whether one is `leaning`."""
        self._throw = throw
        self._several = 0

    def __call__(self, kinds: tuple[DieKind, ...]) -> None:
        """Throw dice of these kinds."""
        self._several += len(kinds) > 1
        asked = self._several if len(kinds) > 1 else 0
        more = kinds[:1] if asked == self.TOO_MANY else ()
        self._throw((*kinds, *more), leaning=asked == self.LEANING)


FIELD_OF_VIEW: Final = 60.0
"""Degrees across the rendered pictures."""
