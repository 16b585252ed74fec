"""Tells whether a glare on a die's face may hide pips, so that another number would look the same.

Numbers of pips lie on nine spots. A glare hides some of them; what the others show must tell the number.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose.crops import FACE_PIXELS, Grey
from vision.read.thresholds import (
    GLARE_BRIGHTER,
    GLARE_DARKER_SHARE,
    GLARE_GREY,
    GLARE_HIDES,
    GLARE_SHARE,
)

_DIAGONAL: Final = frozenset({(-1, -1), (1, 1)})
"""The spots of a 2, in steps to the right and down from the middle."""
_CORNERS: Final = frozenset({(-1, -1), (1, -1), (-1, 1), (1, 1)})
"""The spots of a 4, likewise."""
_LAYOUTS: Final = {
    1: frozenset({(0, 0)}),
    2: _DIAGONAL,
    3: _DIAGONAL | {(0, 0)},
    4: _CORNERS,
    5: _CORNERS | {(0, 0)},
    6: _CORNERS | {(-1, 0), (1, 0)},
}
"""The spots of each number, likewise."""
_STEPS: Final = (7.5, 8.75, 10.0)
"""How far the spots lie apart, in pixels of a face's patch: makers differ."""
_DISC: Final = 3.0
"""A pip's radius in such pixels."""
_LARGEST_PIP: Final = 11
"""What is bright and no wider than this, in such pixels, may be a white pip."""
_RIM: Final = 4
"""The pixels at a patch's edge that may show what lies beside the face."""

Spots = frozenset[tuple[int, int]]
"""Some of the nine spots."""


def may_hide_pips(patch: Grey, number: int) -> bool:
    """Whether another number of pips would show the same on an upright face (`face_patch`) with a glare on it.

    White pips are no glare, nor is a light face that is as bright everywhere: its pips would show.
    """
    soft = np.asarray(cv2.medianBlur(patch, 3), np.uint8)
    glare = _glare(soft)
    if float(glare[_RIM:-_RIM, _RIM:-_RIM].mean()) < GLARE_SHARE:
        return False
    step, lies = _best(soft, glare, number)
    if not _is_darker_beside(soft, glare, step, lies):
        return False
    hidden = _hidden(glare, step)
    visible = lies - hidden
    return any(other - hidden == visible for each in _LAYOUTS if each != number for other in _turned(each))


def _glare(soft: Grey) -> NDArray[np.bool_]:
    """What is so bright, without all that is no larger than a pip."""
    bright = (soft >= GLARE_GREY).astype(np.uint8)
    larger = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_LARGEST_PIP, _LARGEST_PIP))
    return np.asarray(cv2.morphologyEx(bright, cv2.MORPH_OPEN, larger), bool)


def _is_darker_beside(soft: Grey, glare: NDArray[np.bool_], step: float, lies: Spots) -> bool:
    """Whether enough of the face between the pips is clearly darker than the bright part."""
    beside = np.ones(soft.shape, bool)
    for spot in lies:
        beside &= ~_disc(spot, step, 2 * _DISC) | glare
    beside[:_RIM] = beside[-_RIM:] = beside[:, :_RIM] = beside[:, -_RIM:] = False
    shades = soft[beside]
    darker = shades[shades < GLARE_GREY - GLARE_BRIGHTER]
    return len(darker) > GLARE_DARKER_SHARE * len(shades)


def _hidden(glare: NDArray[np.bool_], step: float) -> Spots:
    """The spots that lie in the glare."""
    every = [(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1)]
    return frozenset(one for one in every if float(glare[_disc(one, step)].mean()) > GLARE_HIDES)


def _best(soft: Grey, glare: NDArray[np.bool_], number: int) -> tuple[float, Spots]:
    """How far apart the spots lie, and on which the number's pips do: where what shows differs most from the face."""
    shades = soft.astype(np.float64)
    body = 255.0 if glare.all() else float(np.median(shades[~glare]))

    def stands_out(step: float, lies: Spots) -> float:
        seen = [abs(float(shades[_disc(one, step)].mean()) - body) for one in lies - _hidden(glare, step)]
        return sum(seen) / len(lies)

    ways = [(step, lies) for step in _STEPS for lies in _turned(number)]
    return max(ways, key=lambda way: stands_out(*way))


def _turned(number: int) -> Iterator[Spots]:
    """The number's spots as they may lie in an upright patch."""
    lies = _LAYOUTS[number]
    yield lies
    turned = frozenset((-down, right) for right, down in lies)
    if turned != lies:
        yield turned


@cache
def _disc(spot: tuple[int, int], step: float, radius: float = _DISC) -> NDArray[np.bool_]:
    """The pixels of a patch within a pip."""
    rows, columns = np.indices((FACE_PIXELS, FACE_PIXELS))
    middle = (FACE_PIXELS - 1) / 2
    inside: NDArray[np.bool_] = np.hypot(columns - middle - spot[0] * step, rows - middle - spot[1] * step) <= radius
    return inside
