"""Makes a grey picture in which signs of a die are visible that differ from its body by colour alone.

Red on blue and green on red may be of one grey, and every network looks at grey. If an upper face has much contrast in
colour and hardly any in grey, its colour contrast is added to the grey of that die.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose.crops import FACE_PIXELS, Grey, patch_map
from vision.pose.geometry import Array, Camera, Pose, Solid, View, see
from vision.read.thresholds import INK_COLOUR, INK_GREY

_MIDDLE: Final = {"d20": 13.0, "cube": 17.0}
"""The part of an upper face's patch that is examined: a radius in pixels round its middle, where the sign stands."""
_WEIGHTS: Final = np.array([0.114, 0.587, 0.299], np.float32)
"""The weights of blue, green and red in grey."""
_LIGHTER: Final = np.array([-0.9, 0.2, 1.0])
"""The direction in colour in which ink is shown lighter than its body; other ink is shown darker, in whatever light."""
_ROOM: Final = (15.0, 240.0)
"""The range into which the greys of body and ink are moved, so that both are visible."""


@dataclass(frozen=True, eq=False)
class _Ink:
    """The colour direction (BGR) between body and ink, the body's position on it, and an offset of all greys."""

    way: Array
    body: float
    shift: float


def with_coloured_ink(
    picture: NDArray[np.uint8], grey: Grey, camera: Camera, dice: Iterable[tuple[Solid, Pose]]
) -> Grey:
    """`grey` with what the upper faces of the dice show in colour (`picture`: BGR) and not in grey.

    `grey` itself where no die has such ink. Each die is a solid and the pose in which its face 0 is up. Where two of
    them overlap, the later one counts.
    """
    inked = grey
    for solid, pose in dice:
        view = see(solid, pose, camera)
        ink = _ink_of(picture, view)
        if ink is None:
            continue
        inked = grey.copy() if inked is grey else inked
        _add(inked, grey, picture, view, ink)
    return inked


def _ink_of(picture: NDArray[np.uint8], view: View) -> _Ink | None:
    """The ink of an upper face that shows in colour alone; None where grey shows it, or nothing shows."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (FACE_PIXELS, FACE_PIXELS)
    patch = cv2.warpAffine(picture, patch_map(view, 0), size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    shown = cv2.blur(patch, (3, 3))[_disc(_MIDDLE[view.solid.name])].astype(np.float32)
    greys = shown @ _WEIGHTS
    colours = shown - greys[:, None]
    in_grey = _deviation(greys)
    most = _deviation(colours)  # no way in colour has more
    if most < INK_COLOUR or in_grey > INK_GREY * most:
        return None
    variances, ways = np.linalg.eigh(np.cov(colours.T))
    contrast = float(np.sqrt(variances[-1]))
    if contrast < INK_COLOUR or in_grey > INK_GREY * contrast:
        return None
    way = ways[:, -1] if ways[:, -1] @ _LIGHTER > 0 else -ways[:, -1]
    along = colours @ way
    body = float(np.median(along))
    low, high = (np.percentile(along, (2, 98)) - body + float(np.median(greys))).tolist()
    return _Ink(way, body, max(0.0, _ROOM[0] - low) - max(0.0, high - _ROOM[1]))


def _deviation(rows: NDArray[np.float32]) -> float:
    """The root mean square distance of the rows from their mean."""
    return float(np.linalg.norm(cv2.meanStdDev(rows[:, None])[1]))


@cache
def _disc(radius: float) -> NDArray[np.bool_]:
    """The pixels of a face's patch that lie so near to its middle."""
    steps = np.arange(FACE_PIXELS) - (FACE_PIXELS - 1) / 2
    result: NDArray[np.bool_] = np.hypot(*np.meshgrid(steps, steps)) < radius
    return result


def _add(inked: Grey, grey: Grey, picture: NDArray[np.uint8], view: View, ink: _Ink) -> None:
    """Put into `inked`, within the die's outline, `grey` and how far its colours are from the body's, along the way."""
    outline = np.round(view.outline()).astype(np.int32)
    height, width = inked.shape
    left, top = np.clip(outline.min(axis=0), 0, [width, height]).tolist()
    right, bottom = np.clip(outline.max(axis=0) + 1, 0, [width, height]).tolist()
    if right <= left or bottom <= top:
        return
    inside = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillPoly(inside, [outline - (left, top)], 1)
    part = picture[top:bottom, left:right].astype(np.float32)
    greys = part @ _WEIGHTS
    added = (part - greys[..., None]) @ ink.way.astype(np.float32) - ink.body + ink.shift
    shown = np.clip(grey[top:bottom, left:right] + added, 0, 255).astype(np.uint8)
    inked[top:bottom, left:right] = np.where(inside > 0, shown, inked[top:bottom, left:right])
