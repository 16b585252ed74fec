"""The board's troubles as they begin and end: low voltage, heat, a full card.

Pure: the board's health comes in with its time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hardware.board import HOT, LITTLE_DISK, BoardHealth, little_disk, low_voltage, too_hot
from rules.words import Phrase, say


class Trouble(StrEnum):
    """What can be wrong with the board; its value names the part on the pages."""

    POWER = "power"
    HEAT = "processor"
    DISK = "disk"


@dataclass(frozen=True, slots=True)
class TroubleNews:
    """A trouble that began, with what to do, or that is `over`."""

    trouble: Trouble
    over: bool
    what: Phrase
    remedy: Phrase
    aloud: bool = True
    """Whether to say it aloud: a disk that fills further is reported only on the screens."""


COOLER: Final = 5.0
"""Degrees Celsius below `HOT` at which a processor is cool again, so that a fan does not cause repeated reports."""
MORE_DISK: Final = 1.25
"""The multiple of `LITTLE_DISK` from which a disk has room again."""
STEADY_SECONDS: Final = 60.0
"""Seconds without low voltage after which it is over: it dips for moments, as often as the processor works."""

_NOTHING: Final = Phrase("")
"""What is left to do once a trouble is over."""

_OVER: Final[Mapping[Trouble, Phrase]] = {
    Trouble.POWER: say("The supply voltage is high enough again."),
    Trouble.HEAT: say("The processor is cool enough again."),
    Trouble.DISK: say("There is room on the disk again."),
}
"""The message when a trouble is over."""


class BoardWatch:
    """Reports each trouble once when it begins, and once when it is over.

    Values that the board does not report are no trouble.
    """

    def __init__(self) -> None:
        """Begin with a board that is well."""
        self._troubles: set[Trouble] = set()
        self._low_at = 0.0
        self._free_told = 0
        """The free space at the last report."""

    def feed(self, health: BoardHealth, now: float) -> tuple[TroubleNews, ...]:
        """What is new at `now`, in seconds that never run backwards."""
        told = []
        for trouble, begins, over in (
            (Trouble.POWER, *self._power(health, now)),
            (Trouble.HEAT, *_heat(health)),
            (Trouble.DISK, *_disk(health)),
        ):
            if begins is not None and trouble not in self._troubles:
                self._troubles.add(trouble)
                told.append(TroubleNews(trouble, over=False, what=begins[0], remedy=begins[1]))
            elif begins is not None and trouble is Trouble.DISK and _halved(health.disk_free or 0, self._free_told):
                told.append(TroubleNews(trouble, over=False, what=begins[0], remedy=begins[1], aloud=False))
            elif over and trouble in self._troubles:
                self._troubles.remove(trouble)
                told.append(TroubleNews(trouble, over=True, what=_OVER[trouble], remedy=_NOTHING))
        if any(one.trouble is Trouble.DISK for one in told):
            self._free_told = health.disk_free or 0
        return tuple(told)

    def _power(self, health: BoardHealth, now: float) -> tuple[tuple[Phrase, Phrase] | None, bool]:
        low = low_voltage(health)
        if low is None:
            return None, health.power is not None and now - self._low_at >= STEADY_SECONDS
        self._low_at = now
        return low, False


def _halved(now: int, told: int) -> bool:
    """Whether the free space is half of what was told last, or less; after 0 bytes nothing less can be told."""
    return told > 0 and now * 2 <= told


def _heat(health: BoardHealth) -> tuple[tuple[Phrase, Phrase] | None, bool]:
    degrees = health.temperature
    return too_hot(health), degrees is not None and degrees <= HOT - COOLER


def _disk(health: BoardHealth) -> tuple[tuple[Phrase, Phrase] | None, bool]:
    free = health.disk_free
    return little_disk(health), free is not None and free >= MORE_DISK * LITTLE_DISK
