r"""The plain dialect: lines of ASCII such as `d20 17`, for a tray that somebody makes in an evening.

Free of I/O and of the clock. It has no checksum and no repeat, so a lost byte can turn `d20 17` into
`d20 1`: every die read this way is marked `weak`. The grammar is strict: a line that is not exactly one of
the known ones, up to letter case and blanks, is ignored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules.dice import DiceError, DieKind, DieReading, DieState, Face, Reading, SourceKind, Symbol, require_face

QUIET: Final = 0.5
"""Seconds without a further die after which a roll is complete. Makers' loops print dice within milliseconds."""

CONFIDENCE: Final = 0.9
"""What is claimed for a die without a checksum: short of certain."""

MOST_DICE: Final = 32
"""Dice in one roll; a tray stuck in a loop is cut off here."""

_LONGEST_LINE: Final = 32
"""Bytes of a line; the longest known one has 16."""
_LINE: Final = re.compile(rb"[ \t]*(d20|d6|challenge)[ \t]+([0-9]{1,2}|blank|effect)[ \t]*", re.IGNORECASE)
"""A line with a die: its kind and its face."""
_ENDS: Final = re.compile(rb"[\r\n]")
"""Either end of a line."""


class PlainWord(StrEnum):
    """The lines that are not dice."""

    ROLLING = "rolling"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class PlainDie:
    """A die as one line states it."""

    kind: DieKind
    face: Face


PlainLine = PlainDie | PlainWord
"""What a plain tray's line says: a die, or a word."""


def parse_line(line: bytes) -> PlainLine | None:
    """What `line` (without its end) says; None for anything that is not exactly a known line."""
    match = _LINE.fullmatch(line)
    if match is None:
        word = line.strip(b" \t").lower()
        return next((one for one in PlainWord if one.value.encode() == word), None)
    kind = DieKind(match[1].decode().lower())
    shown = match[2].decode().lower()
    face: Face = int(shown) if shown.isdecimal() else Symbol(shown)
    try:
        return PlainDie(kind, require_face(kind, face))
    except DiceError:
        return None


class LineFinder:
    """Finds known lines in a stream of arbitrary bytes. Never raises and holds at most one line's bytes."""

    def __init__(self) -> None:
        self._pending = b""
        self._skipping = False
        self.ignored = 0

    def feed(self, data: bytes) -> list[PlainLine]:
        """The known lines that `data` completes, in order; others are counted in `ignored`."""
        found: list[PlainLine] = []
        pieces = _ENDS.split(data)
        for number, piece in enumerate(pieces):
            self._append(piece)
            if number < len(pieces) - 1:
                line, skipped = self._pending, self._skipping
                self.reset()
                said = None if skipped else parse_line(line)
                if said is not None:
                    found.append(said)
                elif line.strip() or skipped:
                    self.ignored += 1
        return found

    def reset(self) -> None:
        """Forget an unfinished line, as after reopening the port."""
        self._pending, self._skipping = b"", False

    def _append(self, piece: bytes) -> None:
        if self._skipping or len(self._pending) + len(piece) > _LONGEST_LINE:
            self._pending, self._skipping = b"", True
        else:
            self._pending += piece


class PlainBook:
    """Gathers lines into Readings: a roll is the dice up to `QUIET` seconds without a further one.

    `start_id` must be new at every start of the host, because the dialect has no boot id of its own.
    """

    def __init__(self, start_id: str) -> None:
        self._start_id = start_id
        self._roll = 0
        self._dice: list[PlainDie] = []
        self._lying = False
        self.deadline: float | None = None

    def take(self, line: PlainLine, now: float) -> Reading | None:
        """Note `line`; the Reading that it completes at once (a cleared tray), if any."""
        if isinstance(line, PlainDie):
            if len(self._dice) < MOST_DICE:
                self._dice.append(line)
                self.deadline = now + QUIET
            return None
        self.withdraw()
        if line is PlainWord.CLEAR and self._lying:
            return self._reading()
        return None

    def tick(self, now: float) -> Reading | None:
        """The Reading of a roll that has been quiet for long enough, once."""
        if self.deadline is None or now < self.deadline:
            return None
        self.deadline = None
        return self._reading()

    def withdraw(self) -> None:
        """Forget the dice that have not been reported yet."""
        self._dice.clear()
        self.deadline = None

    def _reading(self) -> Reading:
        self._roll += 1
        dice = tuple(
            DieReading(die.kind, die.face, CONFIDENCE, DieState.READ, SourceKind.TRAY, weak=True) for die in self._dice
        )
        self._dice.clear()
        self._lying = bool(dice)
        return Reading(f"tray:plain:{self._start_id}:{self._roll}", SourceKind.TRAY, dice)
