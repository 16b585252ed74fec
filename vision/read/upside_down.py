"""Another look at dice in doubt: the same picture turned by a half, in which they lie as in another throw.

The networks know no upside down, so that they err otherwise there; what is sure there is as sure as in any picture.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules.dice import Box, DieReading, DieState
from vision.ports import Silhouette, Survey, Tops
from vision.read.readings import questioned, same_kind, same_place
from vision.read.thresholds import HOLDS_ANOTHER_FACE

_TURN: Final = np.array([-1.0, -1.0, 1.0])
"""What a half turn about the line of sight does to each part of a direction."""


@dataclass(frozen=True, eq=False)
class Turned:
    """What was read in a picture of `width` x `height` pixels that was turned by a half.

    `normals` are those of the dice's upper faces (unit, camera frame), one for each of `dice`; `leaning` are the places
    in `dice` of those that a network takes for leaning rather than flat.
    """

    width: int
    height: int
    dice: tuple[DieReading, ...]
    silhouettes: dict[Box, Silhouette]
    normals: tuple[NDArray[np.float64], ...]
    leaning: frozenset[int] = frozenset()

    def back(self) -> Turned:
        """The same as it lies in the picture before it was turned."""
        return replace(
            self,
            dice=tuple(replace(one, box=None if one.box is None else self._box(one.box)) for one in self.dice),
            silhouettes={self._box(box): self._silhouette(one) for box, one in self.silhouettes.items()},
            normals=tuple(one * _TURN for one in self.normals),
        )

    def _box(self, box: Box) -> Box:
        return replace(box, x=self.width - box.x - box.width, y=self.height - box.y - box.height)

    def _silhouette(self, one: Silhouette) -> Silhouette:
        outline, face = (
            tuple((self.width - x, self.height - y) for x, y in points) for points in (one.outline, one.face)
        )
        return Silhouette(outline, face)


def turned(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture turned by a half."""
    return np.ascontiguousarray(picture[::-1, ::-1])


def with_another_look(told: Survey, again: Turned, unclear: Collection[int]) -> Survey:
    """The survey, with what was read `again`, as it lies in the same picture.

    A die at one of the places `unclear` is settled by one that is read of the same kind at the same place, the only one
    there. If it rather shows another face or leans, it stays in doubt. A die that was seen only the
    second time is asked about.
    """
    settling = [settles(die, again) if place in unclear else None for place, die in enumerate(told.dice)]
    dice = [new or die for new, die in zip(settling, told.dice, strict=True)]
    missed = missed_before(told, again)
    every = [*dice, *missed]
    places = sorted(range(len(every)), key=lambda place: _left_to_right(every[place])) if missed else range(len(every))
    boxes = {one.box for one in (*settling, *missed) if one is not None}
    outlines = {box: one for box, one in again.silhouettes.items() if box in boxes}
    normals = [normal for one, normal in zip(again.dice, again.normals, strict=True) if one in settling]
    return replace(
        told,
        dice=tuple(every[place] for place in places),
        maybe_print=frozenset(number for number, place in enumerate(places) if place in told.maybe_print),
        tops=Tops((*(told.tops.normals if told.tops is not None else ()), *normals)),
        silhouettes={**told.silhouettes, **outlines},
    )


def settles(die: DieReading, again: Turned) -> DieReading | None:
    """What settles this unclear die; None if nothing does.

    What one look leaves unclear and the other takes for leaning stays in doubt: such a die is easily read flat.
    """
    there = [
        place
        for place, one in enumerate(again.dice)
        if one.state is DieState.READ and same_kind(die, one) and same_place(die, one)
    ]
    if len(there) != 1 or there[0] in again.leaning:
        return None
    settled = again.dice[there[0]]
    disagrees = any(guess.face != settled.face and guess.chance >= HOLDS_ANOTHER_FACE for guess in die.guesses)
    return None if disagrees else settled


def missed_before(told: Survey, again: Turned) -> list[DieReading]:
    """Dice to be asked about: read `again`, where the survey tells of nothing."""
    return [questioned(one) for one in again.dice if one.state is DieState.READ and not _seen(one, told)]


def _seen(one: DieReading, told: Survey) -> bool:
    """Whether the survey tells of anything whose box reaches the middle of this die's, or the other way round."""
    if one.box is None:
        return True
    boxes = [*(die.box for die in told.dice if die.box is not None), *(other.box for other in told.others)]
    return any(_holds(box, one.box) or _holds(one.box, box) for box in boxes)


def _holds(box: Box, other: Box) -> bool:
    x, y = other.x + other.width / 2, other.y + other.height / 2
    return box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height


def _left_to_right(die: DieReading) -> tuple[float, float]:
    return (0.0, 0.0) if die.box is None else (die.box.x + die.box.width / 2, die.box.y + die.box.height / 2)
