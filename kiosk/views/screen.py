"""The table's screen: how large it is, how far people sit from it, its colours; chosen once, kept, and seen by all."""

from __future__ import annotations

import math
import threading
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from kiosk.settings import Diagonal, DisplaySettings, Distance, Theme
from kiosk.storage.preferences import PreferencesFile

_CAP_HEIGHT: Final = 0.67
"""Height of a capital in ems of the bundled font."""

_LEGIBLE_ANGLE: Final = math.radians(20 / 60)
"""Letters of 20 minutes of arc are read without effort (ISO 9241-3)."""

_SHORT_SIDE_OF_DIAGONAL: Final = 0.4903
"""The short side of a screen of 16 to 9, as a share of its diagonal."""

_MILLIMETRES_PER_INCH: Final = 25.4
"""Diagonals of screens are given in inches."""

SMALLEST_SHARE: Final = 3.0
"""The smallest size of the display's letters, in per cent of the screen's shorter side."""

LARGEST_SHARE: Final = 7.6
"""The largest size of letters, in per cent of the screen's shorter side: above it the words beside the outcome would
not fit."""

LARGEST_KEY_SHARE: Final = 11.0
"""The largest size of the few things read from the farthest seat, in per cent of the screen's shorter side."""


class Screen(Struct, frozen=True, kw_only=True):
    """The table's screen as it is now. While it is `held` it stays on what it showed then, until a restart at most.

    `holds` counts how often it was held or released since the start.
    """

    diagonal_inches: float
    distance_metres: float
    theme: Theme
    flip: bool
    wait_for_voice: bool
    held: bool = False
    holds: int = 0


class ScreenChoice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to choose for the table's screen, kept over restarts; what is left out stays as it is."""

    diagonal_inches: Annotated[Diagonal | None, Meta(description="Diagonal of the screen in inches.")] = None
    distance_metres: Annotated[Distance | None, Meta(description="From the screen to the farthest player.")] = None
    theme: Annotated[Theme | None, Meta(description="Colours of the table's screen, until its device chooses.")] = None
    flip: Annotated[bool | None, Meta(description="Turned by half a turn, for a screen that lies on the table.")] = None
    wait_for_voice: Annotated[
        bool | None, Meta(description="Outcomes are shown when the room's voice begins to say them.")
    ] = None


def letter_share(screen: Screen) -> float:
    """Size of the letters that matter, in per cent of the screen's shorter side, before any bound is put to it.

    They are seen under 20 minutes of arc from where the farthest player sits.
    """
    height = screen.diagonal_inches * _MILLIMETRES_PER_INCH * _SHORT_SIDE_OF_DIAGONAL
    letter = screen.distance_metres * 1000 * math.tan(_LEGIBLE_ANGLE) / _CAP_HEIGHT
    return 100 * letter / height


def readable_metres(screen: Screen) -> float:
    """How far from the screen the letters are still read without effort: less than asked for where it is too small."""
    return screen.distance_metres * min(1.0, LARGEST_KEY_SHARE / letter_share(screen))


class ScreenKeeper:
    """Knows the screen as the settings have it and as people have chosen it since, and keeps what they choose."""

    def __init__(self, settings: DisplaySettings, file: PreferencesFile | None = None) -> None:
        self._file = file
        self._lock = threading.Lock()
        chosen = msgspec.structs.asdict(file.load()) if file is not None else {}
        self._screen = Screen(
            **{
                name: default if chosen.get(name) is None else chosen[name]
                for name, default in msgspec.structs.asdict(settings).items()
            }
        )

    @property
    def now(self) -> Screen:
        """The screen as it is."""
        return self._screen

    def hold(self, *, held: bool) -> Screen:
        """Stay on what is shown, or go on; a restart ends it."""
        with self._lock:
            self._screen = msgspec.structs.replace(self._screen, held=held, holds=self._screen.holds + 1)
            return self._screen

    def choose(self, choice: ScreenChoice) -> Screen:
        """Apply `choice` and save it."""
        wanted = {name: value for name, value in msgspec.structs.asdict(choice).items() if value is not None}
        with self._lock:
            self._screen = msgspec.structs.replace(self._screen, **wanted)
            if self._file is not None:
                self._file.change(**wanted)
            return self._screen
