"""Makes the picture of a single die: cut out along its outline and turned so that its face is upright.

In: a picture, and where the die's corners are in it. Out: a WebP picture, transparent round the die, for people to look
at. Nothing is read here, and nothing that is read depends on it.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ports import Pixels, Silhouette
from vision.pose.geometry import Array

LARGEST: Final = 320
"""The most pixels of the side of a cut-out."""
_MARGIN: Final = 1.04
"""Half the side of a cut-out, in the distance of the farthest corner from the middle."""
_ENLARGED: Final = 1.5
"""The largest enlargement of a die: more adds no detail."""
_QUALITY: Final = 88
"""Of WebP, of 100."""
_PATCH: Final = 64
"""Pixels of the side of the square round the upper face in which its numeral's top is looked for."""
_FACE_REACH: Final = 0.8
"""Half that square's side, in the distance of the face's corners from its middle."""
_HEIGHTS: Final = (0.34, 0.42, 0.52)
"""How tall numerals may be, as shares of that square."""
_OFF: Final = 0.15
"""How far a numeral's middle may lie from the face's, as a share of that square."""
_INK: Final = 30.0
"""The least brightness of ink in a drawn numeral."""
_ROUNDED: Final = 0.5
"""The radius of a die's rounded corners, in half the side of its cut-out: what lies beyond may be the table."""
_CLEARLY: Final = (0.35, 50.0)
"""A pixel is the table's if it is at most this share as far from its colour as from the die's, and so far from that."""
_HALF: Final = 0.5
"""From this share of the table round it a pixel is the table's."""
_BESIDE: Final = 0.08
"""How far the colours beside a pixel are gathered from, as a share of the cut-out's side."""
_FINE: Final = 4
"""Fractional bits of the corners that OpenCV fills."""


def cut_out(picture: Pixels, die: Silhouette, numeral: str) -> bytes:
    """The die as a square WebP picture of at most `LARGEST` pixels, transparent beyond its outline.

    `numeral` is the number that its upper face shows; it stands upright then. If it is empty, the die is turned by the
    least angle that sets an edge of its face upright.
    """
    outline, face = np.array(die.outline), np.array(die.face)
    middle = (outline.min(axis=0) + outline.max(axis=0)) / 2
    reach = _MARGIN * float(np.linalg.norm(outline - middle, axis=1).max())
    turn = _upright(picture, face, numeral)
    side = max(8, min(LARGEST, round(2 * _ENLARGED * reach)))
    into = _turned(middle, turn, side / 2 / reach, side)
    shown = cv2.warpAffine(picture, into, (side, side), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    corners = np.round((outline @ into[:, :2].T + into[:, 2]) * 2**_FINE).astype(np.int32)
    seen = np.zeros((side, side), np.uint8)
    cv2.fillConvexPoly(seen, cv2.convexHull(corners), 255, cv2.LINE_AA, _FINE)
    seen = _without_table(np.asarray(shown, np.uint8), seen)
    _, data = cv2.imencode(".webp", np.dstack([shown, seen]), [cv2.IMWRITE_WEBP_QUALITY, _QUALITY])
    return bytes(data)


def _without_table(shown: NDArray[np.uint8], seen: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """`seen`, the mask of a die, without the table at its corners: those of the outline are sharp, a die's are round.

    A pixel there that is clearly of what lies beside the die goes; where both are alike, the die stays whole.
    """
    side = seen.shape[0]
    radius = _ROUNDED * side / 2
    core = cv2.distanceTransform((seen > 0).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_5) > radius
    off_core = cv2.distanceTransform((~core).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_5)
    corners = (seen > 0) & (off_core > radius)
    beside, die = (_blurred(shown, part, _BESIDE * side) for part in (seen == 0, (seen > 0) & ~corners))
    far, near = (np.linalg.norm(shown - one, axis=2) for one in (die, beside))
    share, least = _CLEARLY
    like = (seen == 0) | (corners & (near < share * far) & (far > least))
    smooth = cv2.GaussianBlur(like.astype(np.float32), (0, 0), max(1.0, side / 160)) - _HALF  # no ragged edge
    table = (corners & (smooth > 0)).astype(np.float32)
    kept = 1 - cv2.GaussianBlur(table, (0, 0), 1.0)
    return np.asarray(np.where(corners, seen * kept * (1 - table), seen), np.uint8)


def _blurred(shown: NDArray[np.uint8], part: NDArray[np.bool_], reach: float) -> NDArray[np.float32]:
    """The colours of that part of the picture, spread `reach` pixels over what is near it."""
    weight = cv2.GaussianBlur(part.astype(np.float32), (0, 0), reach)
    spread = cv2.GaussianBlur(shown.astype(np.float32) * part[..., None], (0, 0), reach)
    return np.asarray(spread / np.maximum(weight, 1e-6)[..., None], np.float32)


def _turned(middle: Array, turn: float, scale: float, side: int) -> Array:
    """The 2x3 map from the picture to a square round `middle`, turned clockwise by `turn` radians."""
    cosine, sine = scale * math.cos(turn), scale * math.sin(turn)
    linear = np.array([[cosine, -sine], [sine, cosine]])
    return np.column_stack([linear, np.full(2, side / 2) - linear @ middle])


def _upright(picture: Pixels, face: Array, numeral: str) -> float:
    """The turn, in radians clockwise, that sets what the face shows upright.

    A numeral's top points to a corner of a triangle, or to an edge of a square, as dice are made.
    """
    middle = face.mean(axis=0)
    tops = face if len(face) % 2 else (face + np.roll(face, -1, axis=0)) / 2
    turns = [-math.atan2(x, -y) for x, y in (tops - middle).tolist()]
    if not numeral:
        return min(turns, key=abs)
    scale = _PATCH / 2 / (_FACE_REACH * float(np.linalg.norm(face - middle, axis=1).mean()))
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    return max(turns, key=lambda turn: _likeness(grey, _turned(middle, turn, scale, _PATCH), numeral))


def _likeness(grey: NDArray[np.uint8], into: Array, numeral: str) -> float:
    """How much the square that `into` cuts out looks like the numeral, upright, in bright or in dark ink; 1 at most."""
    square = cv2.warpAffine(grey, into, (_PATCH, _PATCH), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    best = -1.0
    for height in _HEIGHTS:
        drawn = _drawn(numeral, height)
        rows, columns = drawn.shape
        if max(rows, columns) > _PATCH:
            continue
        found = np.abs(cv2.matchTemplate(square.astype(np.float32), drawn, cv2.TM_CCOEFF_NORMED))
        least_row, least_column = (max(0, round((_PATCH - one) / 2 - _OFF * _PATCH)) for one in (rows, columns))
        near = found[least_row : found.shape[0] - least_row, least_column : found.shape[1] - least_column]
        best = max(best, float(near.max(initial=-1.0)))
    return best


@cache
def _drawn(numeral: str, height: float) -> NDArray[np.float32]:
    """The numeral in plain strokes, its height a share of `_PATCH`, with a small margin."""
    font, pen = cv2.FONT_HERSHEY_DUPLEX, max(2, round(_PATCH * height * 0.14))
    (_, unit), _ = cv2.getTextSize(numeral, font, 1.0, pen)
    scale = _PATCH * height / unit * (1.0 if len(numeral) == 1 else 0.8)
    (width, tall), below = cv2.getTextSize(numeral, font, scale, pen)
    canvas = np.zeros((tall + below + 4 * pen, width + 4 * pen), np.uint8)
    cv2.putText(canvas, numeral, (2 * pen, tall + 2 * pen), font, scale, 255, pen, cv2.LINE_AA)
    drawn = cv2.GaussianBlur(canvas, (0, 0), _PATCH * 0.03).astype(np.float32)
    rows, columns = np.nonzero(drawn > _INK)
    return np.ascontiguousarray(drawn[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1])
