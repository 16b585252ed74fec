"""The buzzer's signals: short tone patterns as data, and the tone at a moment, pure.

Every signal has a rhythm of its own as well as a melody, so that nobody needs to tell pitches apart. None lasts a
second, and none comes twice by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Signal(StrEnum):
    """The signals of the buzzer."""

    QUESTION = "question"
    DONE = "done"
    REFUSED = "refused"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class Note:
    """One part of a signal: a tone of this many Hz, or silence where it is None, for this many seconds."""

    frequency: float | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Melody:
    """The notes of a signal, played once, and the same in words."""

    notes: tuple[Note, ...]
    words: str


LOWEST: Final = 440.0
"""Hz. The lowest tone that small piezo discs and ageing ears both do well."""
HIGHEST: Final = 1760.0
"""Hz. The highest of these."""

_LOW, _MIDDLE, _HIGH = 523.25, 1046.5, 1568.0
"""Hz of the tones: C5, C6 and G6."""
_GAP: Final = Note(None, 0.08)
"""The silence between two tones."""

MELODIES: Final[Mapping[Signal, Melody]] = MappingProxyType(
    {
        Signal.QUESTION: Melody((Note(_MIDDLE, 0.1), _GAP, Note(_HIGH, 0.2)), "two tones, rising"),
        Signal.DONE: Melody((Note(_HIGH, 0.06),), "one short tick"),
        Signal.REFUSED: Melody((Note(_LOW, 0.35),), "one long low tone"),
        Signal.TROUBLE: Melody(
            (Note(_HIGH, 0.12), _GAP, Note(_LOW, 0.12), _GAP, Note(_HIGH, 0.12), _GAP, Note(_LOW, 0.12)),
            "four tones, high and low in turn",
        ),
    }
)
"""The melody of each signal."""


def sounded_at(melody: Melody, elapsed: float) -> tuple[float | None, float | None]:
    """The tone (None: silence) `elapsed` seconds into a signal, and the seconds until it changes (None: it is over)."""
    into = max(0.0, elapsed)
    for note in melody.notes:
        if into < note.seconds:
            return note.frequency, note.seconds - into
        into -= note.seconds
    return None, None
