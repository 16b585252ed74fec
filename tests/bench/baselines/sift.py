"""Reading d20s by SIFT matching against reference photographs, one a face: how the open readers do it.

A picture of a die is compared with twenty pictures of another die, each showing one number, and takes the number of
the one with which most key points agree (Lowe's ratio test). It is told where the dice lie: it does not find them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import Box, DieKind
from vision.training.scenes import scene

SIDE = 128
"""Pixels to which each die's picture is brought."""
_RATIO = 0.75
_LEAST = 6
"""Fewer agreeing key points than this read nothing."""

Descriptors = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class SiftReader:
    """References by the number that each shows."""

    references: tuple[tuple[int, Descriptors], ...]

    @classmethod
    def of(cls, pictures: Sequence[tuple[int, NDArray[np.uint8]]]) -> SiftReader:
        """From pictures of single dice and the numbers that they show."""
        told = [(number, described(picture)) for number, picture in pictures]
        return cls(tuple((number, points) for number, points in told if len(points) > 1))

    def read(self, picture: NDArray[np.uint8]) -> int | None:
        """The number of the reference that agrees most with the picture of one die, or None where hardly any does."""
        points = described(picture)
        if len(points) < 2:
            return None
        matcher = cv2.BFMatcher(cv2.NORM_L2)
        best, number = 0, None
        for shown, reference in self.references:
            pairs = matcher.knnMatch(points, reference, k=2)
            good = sum(len(pair) > 1 and pair[0].distance < _RATIO * pair[1].distance for pair in pairs)
            if good > best:
                best, number = good, shown
        return number if best >= _LEAST else None


def described(picture: NDArray[np.uint8]) -> Descriptors:
    """The SIFT descriptors of a picture of one die."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    square = cv2.resize(grey, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    _, points = cv2.SIFT.create().detectAndCompute(square, None)
    return np.empty((0, 128), np.float32) if points is None else np.asarray(points, np.float32)


def cut(picture: NDArray[np.uint8], box: Box) -> NDArray[np.uint8]:
    """The part of a picture within a box."""
    return picture[max(0, box.y) : box.y + box.height, max(0, box.x) : box.x + box.width]


def rendered_references(first_seed: int = 790_000) -> list[tuple[int, NDArray[np.uint8]]]:
    """Twenty rendered dice, one for each number."""
    wanted = dict.fromkeys(range(1, 21))
    found: list[tuple[int, NDArray[np.uint8]]] = []
    seed = first_seed
    while wanted:
        tray = scene(seed, (DieKind.D20,) * 5, lean=0.0)
        for die in tray.dice:
            if die.face in wanted:
                del wanted[die.face]
                found.append((int(die.face), cut(tray.picture, die.box)))
        seed += 1
    return found
