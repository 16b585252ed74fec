"""Compares readings of one tray: which of them are of the same die, and the result for one in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rules.dice import FACES, Box, DieKind, DieReading, DieState, Guess
from vision.read.thresholds import SAME_PLACE

_EITHER_CUBES: Final = frozenset(FACES[DieKind.D6]) & frozenset(FACES[DieKind.CHALLENGE])
"""Faces shared by d6s and Challenge Dice: the kind follows from the dice beside it, so it may change between looks."""


def surer(dice: Sequence[DieReading], again: Sequence[DieReading]) -> tuple[DieReading, ...]:
    """The `dice` of a picture, those in doubt replaced by a reading of the same place and kind in `again`."""

    def better(die: DieReading) -> DieReading:
        if die.state is DieState.READ:
            return die
        there = [one for one in again if one.state is DieState.READ and same_kind(die, one) and same_place(die, one)]
        return there[0] if len(there) == 1 else die

    return tuple(better(die) for die in dice)


def questioned(die: DieReading) -> DieReading:
    """A read die made doubtful, with its face as the likeliest guess."""
    if die.state is not DieState.READ or die.face is None:
        return die
    guesses = die.guesses or (Guess(die.face, die.confidence),)
    return replace(die, face=None, state=DieState.DOUBTFUL, guesses=guesses)


def boxes_of(dice: Sequence[DieReading]) -> tuple[Box, ...]:
    """Their boxes."""
    return tuple(die.box for die in dice if die.box is not None)


def same_place(one: DieReading, other: DieReading) -> bool:
    """True where the middles of the boxes lie within a tenth of the larger box of each other."""
    if one.box is None or other.box is None:
        return False
    reach = SAME_PLACE * max(one.box.width, one.box.height, other.box.width, other.box.height)
    (x, y), (to_x, to_y) = _middle(one.box), _middle(other.box)
    return abs(x - to_x) <= reach and abs(y - to_y) <= reach


def same_kind(one: DieReading, other: DieReading) -> bool:
    """Whether both may be one die: of one kind, or cubes without a known face that only one kind has."""
    if one.kind is other.kind or DieKind.D20 in {one.kind, other.kind}:
        return one.kind is other.kind
    return {one.face, other.face} <= {None, *_EITHER_CUBES}


def zoomed(box: Box, zoom: float) -> Box:
    """The box in a picture of which each pixel of `box` stands for `zoom`."""
    return Box(round(box.x * zoom), round(box.y * zoom), round(box.width * zoom), round(box.height * zoom))


def _middle(box: Box) -> tuple[float, float]:
    return box.x + box.width / 2, box.y + box.height / 2
