"""Detects mirrored pictures, in which no d20 counts as read: some numbers look like others (16 like 11, 2 like 5)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rules.dice import DieKind, DieReading, DieState
from vision.ports import Pixels, Reader, Survey, TableReader, surveyed
from vision.read.readings import questioned
from vision.read.thresholds import MIRRORED_D20S

_log = logging.getLogger(__name__)


def seems_mirrored(reader: Reader, picture: Pixels, dice: Sequence[DieReading], *, known: bool = False) -> bool:
    """Whether unreadable d20s among `dice` can be read in the mirrored picture.

    Two or more are needed. This costs another reading of the picture, but none if at most one is unread. A d20's layout
    is no evidence, because dice exist in both; a mirrored number is. Pips and signs may look the same. The other
    reading does not use the table's setup, which does not fit the mirrored picture. `known` says that this camera's
    picture was mirrored at the throw before: then one unread die is enough.
    """
    d20s = [die.state is DieState.READ for die in dice if die.kind is DieKind.D20]
    read = sum(d20s)
    tell = 1 if known else MIRRORED_D20S
    if len(d20s) - read < tell:
        return False
    bare = reader.untaught() if isinstance(reader, TableReader) else reader
    again = bare.read(np.ascontiguousarray(picture[:, ::-1]))
    turned = sum(die.kind is DieKind.D20 and die.state is DieState.READ for die in again)
    return turned >= read + tell


class SecondLook:
    """Reads pictures turned over, and logs a failure only once."""

    def __init__(self) -> None:
        """Nothing failed so far."""
        self._fails = False

    def tells_mirrored(self, reader: Reader, picture: Pixels, dice: Sequence[DieReading], *, known: bool) -> bool:
        """Whether the `dice` that `reader` found in `picture` show that it is mirrored.

        In doubt the earlier result `known` stays. Never raises: also if the reader fails on the picture turned over.
        """
        try:
            return seems_mirrored(reader, picture, dice, known=known)
        except Exception as why:  # noqa: BLE001 - whatever breaks in the reader, the throw counts
            if not self._fails:
                _log.warning("whether the picture is mirrored cannot be told (%s: %s)", type(why).__name__, why)
            self._fails = True
            return known


class Mirror:
    """Tracks from throw to throw whether a camera's picture is mirrored.

    `mirrored` is the present result; it stays until d20s of a throw contradict it.
    """

    def __init__(self, reader: Reader, look: SecondLook | None = None) -> None:
        """Begin with the assumption of a true picture; `reader` is used again only if a throw gives cause.

        A shared `look` shares what it has logged.
        """
        self._reader = reader
        self._look = look or SecondLook()
        self.mirrored = False

    def judged(self, picture: Pixels, dice: Sequence[DieReading]) -> tuple[DieReading, ...]:
        """The `dice` that were read in `picture`; where that is mirrored, its d20s are doubtful instead of read.

        Never raises: where the reader fails on the picture turned over, what was found before stands.
        """
        self.mirrored = self._seems_mirrored(picture, dice)
        return as_mirrored(dice) if self.mirrored else tuple(dice)

    def _seems_mirrored(self, picture: Pixels, dice: Sequence[DieReading]) -> bool:
        if self.mirrored and not any(die.kind is DieKind.D20 and die.state is DieState.READ for die in dice):
            return True
        return self._look.tells_mirrored(self._reader, picture, dice, known=self.mirrored)


@dataclass(frozen=True, slots=True)
class PictureReading:
    """The reading of one picture: its dice, with no d20 read if it is `mirrored`, and other dice."""

    survey: Survey
    mirrored: bool

    @property
    def dice(self) -> tuple[DieReading, ...]:
        """The dice, from left to right."""
        return self.survey.dice


def told_by(reader: Reader, picture: Pixels, look: SecondLook | None = None) -> PictureReading:
    """The reading of a single picture: the one way in which stills are read. Raises what `reader` does.

    `reader` also reads it turned over, through the same lens. For several pictures pass the same `look`, so that a
    failure is logged once.
    """
    seen, mirror = surveyed(reader, picture), Mirror(reader, look)
    dice = mirror.judged(picture, seen.dice)
    return PictureReading(replace(seen, dice=dice), mirror.mirrored)


def as_mirrored(dice: Sequence[DieReading]) -> tuple[DieReading, ...]:
    """The dice of a mirrored picture: no d20 is read."""
    return tuple(questioned(die) if die.kind is DieKind.D20 else die for die in dice)
