"""The board's troubles as they begin and end: low voltage, heat, a full card.

Pure: the board's health comes in with its time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hardware.board import HOT, LITTLE_DISK, BoardHealth
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


COOLER: Final = 5.0
"""Degrees Celsius below `HOT` at which a processor is cool again: else it is told with each breath of a fan."""
MORE_DISK: Final = 1.25
"""A disk has room again with so many times `LITTLE_DISK`."""
STEADY_SECONDS: Final = 60.0
"""Seconds without low voltage after which it is over: it dips for moments, as often as the processor works."""

_NOTHING: Final = Phrase("")
"""What is left to do once a trouble is over."""

_OVER: Final[Mapping[Trouble, Phrase]] = {
    Trouble.POWER: say("The supply voltage is high enough again."),
    Trouble.HEAT: say("The processor is cool enough again."),
    Trouble.DISK: say("There is room on the disk again."),
}
"""What is said once a trouble is over."""


class BoardWatch:
    """Tells each trouble once when it begins, and once when it is over. What the board does not tell is no trouble."""

    def __init__(self) -> None:
        """Begin with a board that is well."""
        self._troubles: set[Trouble] = set()
        self._low_at = 0.0

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
            elif over and trouble in self._troubles:
                self._troubles.remove(trouble)
                told.append(TroubleNews(trouble, over=True, what=_OVER[trouble], remedy=_NOTHING))
        return tuple(told)

    def _power(self, health: BoardHealth, now: float) -> tuple[tuple[Phrase, Phrase] | None, bool]:
        if health.power is None or not health.power.under_voltage:
            return None, health.power is not None and now - self._low_at >= STEADY_SECONDS
        self._low_at = now
        return (
            say("The supply voltage is too low."),
            say("Use the board's own power supply (5 V 3 A for a Pi 4, 5 V 5 A for a Pi 5) and a short, thick cable."),
        ), False


def _heat(health: BoardHealth) -> tuple[tuple[Phrase, Phrase] | None, bool]:
    degrees = health.temperature
    if degrees is None:
        return None, False
    if degrees < HOT:
        return None, degrees <= HOT - COOLER
    return (
        say("The processor is at {degrees} °C and slows itself down.", degrees=f"{degrees:.0f}"),
        say("Fit a heat sink or a fan, and give the board air."),
    ), False


def _disk(health: BoardHealth) -> tuple[tuple[Phrase, Phrase] | None, bool]:
    free = health.disk_free
    if free is None:
        return None, False
    if free >= LITTLE_DISK:
        return None, free >= MORE_DISK * LITTLE_DISK
    return (
        say("Only {free} MB of disk are free.", free=f"{free / 1e6:.0f}"),
        say("Delete old backups and exports, or use a larger card: on a full one nothing is kept."),
    ), False
