"""In a mirrored picture no d20 counts as read: turned over, some numbers look like others (16 like 11, 2 like 5)."""

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
    """Whether d20s among `dice` that cannot be read can be where the picture is mirrored.

    Two or more have to. It takes another reading of the picture, and none where at most one is unread. A d20's layout
    tells nothing of it, for dice are made in both; a mirrored number is none. Pips and signs may look the same.
    The other reading is made without what `reader` knows of its table, for the picture turned over is not that table's.
    `known` says that this camera's picture was mirrored at the throw before: then one unread die is enough.
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
    """A reader's look at a picture turned over, which says in the log only once that it fails."""

    def __init__(self, reader: Reader) -> None:
        """`reader` is asked only where a picture gives cause."""
        self._reader = reader
        self._fails = False

    def tells_mirrored(self, picture: Pixels, dice: Sequence[DieReading], *, known: bool) -> bool:
        """Whether `dice` of `picture` show that it is mirrored; `known` is what was found before, and stands in doubt.

        Never raises: where the reader fails on the picture turned over, what is `known` stands.
        """
        try:
            return seems_mirrored(self._reader, picture, dice, known=known)
        except Exception as why:  # noqa: BLE001 - whatever breaks in the reader, the throw counts
            if not self._fails:
                _log.warning("whether the picture is mirrored cannot be told (%s: %s)", type(why).__name__, why)
            self._fails = True
            return known


class Mirror:
    """Tells from throw to throw whether one camera's picture is mirrored.

    `mirrored` is what the last throw told; what was found stands until a throw's d20s are read that contradict it.
    """

    def __init__(self, reader: Reader, look: SecondLook | None = None) -> None:
        """Begin with a picture that is thought to be true; `reader` is asked again only where a throw gives cause.

        A `look` of the same reader that others keep shares with them what it has said in the log.
        """
        self._look = look or SecondLook(reader)
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
        return self._look.tells_mirrored(picture, dice, known=self.mirrored)


@dataclass(frozen=True, slots=True)
class PictureReading:
    """What one picture tells: its dice, none of its d20s read where it is `mirrored`, and what else lies there."""

    survey: Survey
    mirrored: bool

    @property
    def dice(self) -> tuple[DieReading, ...]:
        """The dice, from left to right."""
        return self.survey.dice


def told_by(reader: Reader, picture: Pixels, look: SecondLook | None = None) -> PictureReading:
    """What a picture by itself tells: the one way in which stills are read. Raises what `reader` does.

    Who reads one after another keeps a `look`, so that a loss of it is logged once.
    """
    seen, mirror = surveyed(reader, picture), Mirror(reader, look)
    dice = mirror.judged(picture, seen.dice)
    return PictureReading(replace(seen, dice=dice), mirror.mirrored)


def as_mirrored(dice: Sequence[DieReading]) -> tuple[DieReading, ...]:
    """The dice of a mirrored picture: no d20 is read."""
    return tuple(questioned(die) if die.kind is DieKind.D20 else die for die in dice)
