"""Finds dice of a set that touch one another: what has a found die's colour beside it, and is about as large.

Both share one outline, so that the first look and the search for outlines see one thing. Dice of a set have one colour.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose.crops import Grey
from vision.pose.geometry import Camera, Pose, Solid, see
from vision.pose.proposals import Proposal
from vision.pose.thresholds import (
    BESIDE_AREA,
    BESIDE_BODY,
    BESIDE_COLOUR,
    BESIDE_EVERYWHERE,
    BESIDE_LIGHTNESS,
    BESIDE_LONGEST,
    BESIDE_NEAR,
    BESIDE_OPENED,
    BESIDE_REACH,
    BESIDE_RIM,
    BESIDE_SEEN,
    TABLE_BIN,
    TABLE_DARKEST,
    TABLE_FROM,
    TABLE_PIXELS,
    TABLE_REACH,
    TABLE_SHARE,
    TABLE_SHOWN,
)

_ANGLES: Final = 24
"""In so many directions a die and what lies round it are sampled."""
_ROUND: Final = np.array(
    [
        [(far * math.cos(2 * math.pi * n / _ANGLES), far * math.sin(2 * math.pi * n / _ANGLES)) for n in range(_ANGLES)]
        for far in (*BESIDE_BODY, BESIDE_NEAR)
    ]
)
"""Where, in radii from a die's middle: rings within it, and one round it."""
_NO_HUE: Final = 128.0
"""Both hues of grey, in levels of 255."""
_NEXT_TO: Final = [np.array(step)[:, None] for step in product((-1, 0, 1), repeat=3)]
"""The steps from a colour to itself and those next to it."""
Lying = tuple[Solid, Pose]
"""A solid and how it lies."""


def beside_in_colour(
    small: NDArray[np.uint8], scale: float, camera: Camera, dice: Sequence[Lying], others: Sequence[Lying]
) -> tuple[Proposal, ...]:
    """The places next to `dice`, in pixels of the whole picture, where as much of their colour is left as a face takes.

    `small` is the picture (BGR), `scale` times as large; what `others` cover is taken. A die of the
    table's colour tells nothing.
    """
    taken = _mask(small, camera, (*dice, *others), scale)
    found: list[Proposal] = []
    for _, pose in dice:
        middle = (pose.centre[0] * scale, pose.centre[1] * scale)
        for x, y in _left_of(small, taken, middle, pose.radius * scale):
            place = Proposal((x / scale, y / scale), pose.radius, 0.0)
            if all(math.dist(place.centre, one.centre) > place.radius for one in found):
                found.append(place)
    return tuple(found)


def shows_table(
    picture: NDArray[np.uint8], camera: Camera, held: Pose, dice: Sequence[Lying], others: Sequence[Pose]
) -> bool:
    """Whether what a square held besides its dice has the colours round it, or is as dark as a shadow beside them.

    `others` are squares in which something else lies; their colours are not the table's.
    """
    reach = math.ceil(TABLE_REACH * held.radius)
    left, top = (max(0, round(middle) - reach) for middle in held.centre)
    part = picture[top : round(held.centre[1]) + reach, left : round(held.centre[0]) + reach]
    scale = min(1.0, TABLE_PIXELS / max(1, *part.shape[:2]))
    part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    rows, columns = np.ogrid[: part.shape[0], : part.shape[1]]

    def within(pose: Pose, size: float = 1.0) -> NDArray[np.bool_]:
        x, y = ((pose.centre[0] - left) * scale, (pose.centre[1] - top) * scale)
        result: NDArray[np.bool_] = (columns - x) ** 2 + (rows - y) ** 2 < (size * pose.radius * scale) ** 2
        return result

    die = _mask(part, camera, dice, scale, (left, top))
    rest = within(held) & (die == 0)
    around = ~within(held, TABLE_FROM) & (die == 0)
    for pose in others:
        around &= ~within(pose)
    if not around.any() or not rest.any():
        return not rest.any()
    lab = _lab(part)
    bins = (lab / TABLE_BIN).astype(int)
    shades = np.zeros(
        (int(255 / TABLE_BIN) + 3,) * 3, np.float32
    )  # one more on each side, for what lies next to the last
    np.add.at(shades, tuple(bins[around].T + 1), 1 / around.sum())
    known = sum(shades[tuple(bins[rest].T + 1 + step)] for step in _NEXT_TO) > TABLE_SHARE
    shaded = lab[rest][:, 0] < np.percentile(lab[around][:, 0], TABLE_DARKEST) - TABLE_BIN
    hues = np.percentile(lab[around][:, 1:], (TABLE_DARKEST, 100 - TABLE_DARKEST), axis=0)
    least, most = np.minimum(hues[0], _NO_HUE) - TABLE_BIN, np.maximum(hues[1], _NO_HUE) + TABLE_BIN
    shaded &= ((lab[rest][:, 1:] >= least) & (lab[rest][:, 1:] <= most)).all(
        axis=1
    )  # less of the table's hue, no other
    for _, pose in dice:
        inner = within(pose, BESIDE_BODY[-1])
        if inner.any():  # what has their colour is rather a die of their set than a shadow
            shaded &= ~_alike(lab[rest], np.median(lab[inner], axis=0))
    return bool((known | shaded).mean() > TABLE_SHOWN)


def covered(grey: Grey, camera: Camera, dice: Sequence[Lying]) -> Grey:
    """The grey picture with each of the dice painted over in the grey of what lies round it."""
    result = grey.copy()
    for solid, pose in dice:
        outline = _outline(solid, pose, camera)
        wide = np.zeros_like(grey)
        cv2.circle(wide, tuple(np.round(pose.centre).astype(int).tolist()), math.ceil(1.6 * pose.radius), 1, -1)
        cv2.fillConvexPoly(wide, outline, 0)
        cv2.fillConvexPoly(result, outline, float(np.median(grey[wide > 0])))
    return result


def _mask(
    part: NDArray[np.uint8], camera: Camera, dice: Sequence[Lying], scale: float, corner: tuple[int, int] = (0, 0)
) -> Grey:
    """Where in a part of the picture, from that corner and so many times as large, the dice and their rims lie (1)."""
    mask = np.zeros(part.shape[:2], np.uint8)
    for solid, pose in dice:
        outline = _outline(solid, pose, camera, scale, corner)
        cv2.fillConvexPoly(mask, outline, 1)
        rim = max(1, round(2 * BESIDE_RIM * pose.radius * scale))
        cv2.polylines(mask, [outline], isClosed=True, color=1, thickness=rim)
    return mask


def _outline(
    solid: Solid, pose: Pose, camera: Camera, scale: float = 1.0, corner: tuple[int, int] = (0, 0)
) -> NDArray[np.int32]:
    """The outline of a solid that lies so, in whole pixels of the picture from that corner, so many times as large."""
    return np.round((see(solid, pose, camera).outline() - corner) * scale).astype(np.int32)


def _left_of(
    small: NDArray[np.uint8], taken: NDArray[np.uint8], middle: tuple[float, float], radius: float
) -> Iterator[tuple[float, float]]:
    """The middles of what has the colour of the die there and lies in no known die, near it."""
    (x, y), (height, width) = middle, taken.shape
    around = np.round(np.array(middle) + radius * _ROUND).astype(int)
    if np.any(around < 0) or np.any(around >= (width, height)):
        around = np.clip(around, 0, (width - 1, height - 1))
    seen = _lab(small[around[..., 1], around[..., 0]])
    colour = np.median(seen[:-1].reshape(-1, 3), axis=0)
    if np.count_nonzero(_alike(seen[-1:], colour)) < BESIDE_SEEN * _ANGLES:  # mostly nothing touches it
        return
    reach = math.ceil(BESIDE_REACH * radius)
    left, top = max(0, round(x) - reach), max(0, round(y) - reach)
    rows, columns = slice(top, round(y) + reach), slice(left, round(x) + reach)
    alike = _alike(_lab(small[rows, columns]), colour)
    rest = _opened(np.asarray(alike & (taken[rows, columns] == 0), np.uint8), BESIDE_OPENED * radius)
    if rest.mean() > BESIDE_EVERYWHERE:
        return
    count, _, told, middles = cv2.connectedComponentsWithStats(rest)
    for number in range(1, count):
        if (
            told[number, cv2.CC_STAT_AREA] > BESIDE_AREA * radius**2
            and max(told[number, 2:4]) < BESIDE_LONGEST * radius
        ):
            yield float(middles[number][0]) + left, float(middles[number][1]) + top


def _lab(part: NDArray[np.uint8]) -> NDArray[np.float32]:
    """A part of a picture (BGR) in lightness and two hues, each in levels of 255."""
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2LAB), np.float32)


def _alike(lab: NDArray[np.float32], colour: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which pixels have about that colour."""
    apart = np.abs(lab - colour)
    near: NDArray[np.bool_] = (apart[..., 0] < BESIDE_LIGHTNESS) & (apart[..., 1] + apart[..., 2] < BESIDE_COLOUR)
    return near


def _opened(mask: Grey, radius: float) -> Grey:
    """The mask without what is narrower than twice the radius."""
    side = max(3, 2 * round(radius) + 1)
    return np.asarray(
        cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))), np.uint8
    )
