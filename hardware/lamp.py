"""The status lamp's patterns: colours and rhythms as data, and the colour at a moment, pure.

Every state has a rhythm of its own, so that nobody needs to see colour to tell them apart, and none
flashes more than three times in a second (WCAG 2.2, 2.3.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

Colour = tuple[float, float, float]
"""Red, green and blue, each 0 (dark) to 1 (full)."""

DARK: Final[Colour] = (0.0, 0.0, 0.0)
"""No light."""


class Lamp(StrEnum):
    """The states of the lamp."""

    OFF = "off"
    WAITING = "waiting"
    ASKING = "asking"
    SUCCESS = "success"
    FAILURE = "failure"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class LampPhase:
    """One part of a rhythm: lit or dark, for this many seconds."""

    lit: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Pattern:
    """A colour, the rhythm in which it comes, beat after beat and over again, and both in words."""

    colour: Colour
    beats: tuple[LampPhase, ...]
    words: str

    @property
    def steady(self) -> bool:
        """Whether the light never changes."""
        return len({beat.lit for beat in self.beats}) == 1


PATTERNS: Final[Mapping[Lamp, Pattern]] = MappingProxyType(
    {
        Lamp.OFF: Pattern(DARK, (LampPhase(lit=False, seconds=1.0),), "dark"),
        Lamp.WAITING: Pattern(
            (0.4, 0.4, 0.4),
            (LampPhase(lit=True, seconds=0.2), LampPhase(lit=False, seconds=3.8)),
            "white, one short blink every four seconds",
        ),
        Lamp.ASKING: Pattern(
            (1.0, 0.5, 0.0),
            (LampPhase(lit=True, seconds=0.5), LampPhase(lit=False, seconds=0.5)),
            "amber, an even blink each second",
        ),
        Lamp.SUCCESS: Pattern((0.0, 1.0, 0.2), (LampPhase(lit=True, seconds=1.0),), "green, steady"),
        Lamp.FAILURE: Pattern(
            (0.5, 0.0, 1.0),
            (LampPhase(lit=True, seconds=2.0), LampPhase(lit=False, seconds=1.0)),
            "violet, two seconds lit and one dark",
        ),
        Lamp.TROUBLE: Pattern(
            (1.0, 0.0, 0.0),
            (
                LampPhase(lit=True, seconds=0.25),
                LampPhase(lit=False, seconds=0.25),
                LampPhase(lit=True, seconds=0.25),
                LampPhase(lit=False, seconds=0.25),
                LampPhase(lit=True, seconds=0.25),
                LampPhase(lit=False, seconds=1.75),
            ),
            "red, three quick blinks and a pause",
        ),
    }
)
"""The pattern of each state of the lamp."""


def shown_at(pattern: Pattern, elapsed: float) -> tuple[Colour, float | None]:
    """The colour `elapsed` seconds into a pattern, and the seconds until it next changes (None: never)."""
    if pattern.steady:
        return (pattern.colour if pattern.beats[0].lit else DARK), None
    into = max(0.0, elapsed) % sum(beat.seconds for beat in pattern.beats)
    for beat in pattern.beats:
        if into < beat.seconds:
            return (pattern.colour if beat.lit else DARK), beat.seconds - into
        into -= beat.seconds
    # Rounding can leave `into` a hair past the last beat: that moment is the first of the next round.
    first = pattern.beats[0]
    return (pattern.colour if first.lit else DARK), first.seconds


def on_legs(colour: Colour, fitted: tuple[bool, bool, bool]) -> Colour:
    """`colour` on a lamp that has only the `fitted` legs (red, green, blue).

    A colour made of missing legs alone is shown on the others at its greatest level: the rhythm is what
    tells the states apart, so a lamp of a single colour still shows every one of them.
    """
    red, green, blue = (level if leg else 0.0 for level, leg in zip(colour, fitted, strict=True))
    if (red, green, blue) != DARK:
        return red, green, blue
    red, green, blue = (max(colour) if leg else 0.0 for leg in fitted)
    return red, green, blue
