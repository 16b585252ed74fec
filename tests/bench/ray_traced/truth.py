"""What is true of a die in its picture: where it is, what is up, how plainly it shows, and whether a person could tell.

A flat die is legible when all of these hold:

* No more than `MOST_HIDDEN` of its upper face is behind something, and its circumradius is `LEAST_RADIUS` pixels.
* Its sign, if the face has one, is `LEAST_SIGN` pixels high or wide. In the finished picture it stands `CONTRAST` grey
  levels off the body, by grey or by one of the colours, and `UNEVEN` times as far as the body beside it is off itself.
  So does `LEAST_SHOWN` of its area.
* If the face is blank, no more than `MOST_WASHED_OUT` of it is white, where a sign could be lost.
* It is no logo in a number's place, which tells no number by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.bench.ray_traced.looks import CELL, Mask
from tests.bench.ray_traced.placing import between
from vision.ports import Pixels
from vision.pose.geometry import Array

MOST_HIDDEN: Final = 0.12
LEAST_RADIUS: Final = 12.0
LEAST_SIGN: Final = 8.0
CONTRAST: Final = 22.0
UNEVEN: Final = 2.6
LEAST_SHOWN: Final = 0.55
MOST_WASHED_OUT: Final = 0.4
_WHITE: Final = 250
_TRACE: Final = 25
"""Where a mask has more than this of 255 there is some ink."""
_NEAR: Final = 0.06
"""Outlines that are no more radii apart touch in the picture: edges are rounded."""


@dataclass(frozen=True)
class Shown:
    """How a face's sign shows.

    `contrast` is how many grey levels it is off the body, `uneven` how far the body is off itself, `share` how much of
    the sign shows so, `sign` its longer side in pixels.
    """

    contrast: float
    uneven: float
    share: float
    sign: float


def shown(picture: Pixels, mask: Mask, square: Array, face: Array, *, engraved: bool = False) -> Shown | None:
    """How the sign of a face shows in the picture (BGR); None where the face has none.

    `square` is where the mask's corners lie in the picture (top left, then clockwise), `face` the face's own corners.
    Broad light and shade are taken off first. Ink is compared with the body beside it, each by its median; how far the
    body is off itself is told within the face's edges, where no ink is blurred into it. An engraved sign is told by
    fine light and shade alone: by how uneven the picture is along it and elsewhere on the face.
    """
    if not mask.any():
        return None
    side = float(np.mean([np.linalg.norm(square[k] - square[k - 1]) for k in range(4)]))
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    extent = float(max(rows[-1] - rows[0], columns[-1] - columns[0]) + 1)
    cells = int(np.clip(round(side), 16, 200))
    corners = np.array([[0, 0], [cells, 0], [cells, cells], [0, cells]], np.float32)
    turn = cv2.getPerspectiveTransform(square.astype(np.float32), corners)
    patch = cv2.warpPerspective(picture, turn, (cells, cells), flags=cv2.INTER_AREA).astype(np.float64)
    patch = np.dstack([patch, patch @ np.array([0.114, 0.587, 0.299])])
    small = cv2.resize(mask, (cells, cells), interpolation=cv2.INTER_AREA)
    outline = cv2.perspectiveTransform(face.astype(np.float32)[None], turn)[0]
    inside = np.zeros((cells, cells), np.uint8)
    cv2.fillConvexPoly(inside, np.round(outline).astype(np.int32), 1)
    reach = max(3, round(cells * 0.14)) | 1
    wide = np.ones((reach, reach), np.uint8)
    inked, along = small >= min(200, int(small.max())), cv2.dilate(small, wide) > _TRACE
    body = (small <= _TRACE) & (inside > 0)
    beside, rest = body & along, body & ~along
    if not beside.any():
        return Shown(0.0, 0.0, 0.0, extent / CELL * side)
    patch = patch - _shading(patch, body)
    clear = (cv2.dilate(small, np.ones((5, 5), np.uint8)) <= _TRACE) & (cv2.erode(inside, wide) > 0)
    uneven = patch[clear if clear.any() else beside].std(axis=0)
    if engraved:
        elsewhere = patch[rest].std(axis=0) if rest.any() else uneven
        relief = patch[along & (inside > 0)].std(axis=0)
        best = int(np.argmax(relief - elsewhere))
        return Shown(2 * float(relief[best]), 2 * float(elsewhere[best]), 1.0, extent / CELL * side)
    step = np.median(patch[inked], axis=0) - np.median(patch[beside], axis=0)
    best = int(np.argmax(np.abs(step) - uneven))
    off = (patch[inked][:, best] - np.median(patch[beside][:, best])) * np.sign(step[best])
    seen = float((off > abs(step[best]) / 2).mean())
    return Shown(float(abs(step[best])), float(uneven[best]), seen, extent / CELL * side)


def _shading(patch: Array, body: NDArray[np.bool_]) -> Array:
    """How bright the body is about each place, without what is finer: light, glare and shade."""
    weight = body.astype(np.float64)[..., None]
    broad = 0.12 * len(patch)
    above = cv2.GaussianBlur(patch * weight, (0, 0), broad)
    below = cv2.GaussianBlur(weight, (0, 0), broad).reshape(*body.shape, 1)
    result: Array = above / np.maximum(below, 1e-6)
    return result


def washed_out(picture: Pixels, face: Array) -> float:
    """The share of a face (its corners in the picture) that is so bright that a sign could be lost in it."""
    inside = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(face).astype(np.int32), 1)
    seen = picture[inside > 0]
    return float((seen.min(axis=1) >= _WHITE).mean()) if len(seen) else 0.0


def legible(sign: Shown | None, *, radius: float, hidden: float, washed: float, logo: bool) -> bool:
    """The rule of this module, for a die that lies flat and whole in the picture."""
    if logo or hidden > MOST_HIDDEN or radius < LEAST_RADIUS:
        return False
    if sign is None:
        return washed <= MOST_WASHED_OUT
    plain = sign.contrast >= max(CONTRAST, UNEVEN * sign.uneven)
    return plain and sign.sign >= LEAST_SIGN and sign.share >= LEAST_SHOWN


def touching(one: Array, other: Array, radius: float) -> bool:
    """Whether the outlines (hulls, in pixels) of two dice, the first of this circumradius, meet in the picture."""
    return between(one, other) < _NEAR * radius
