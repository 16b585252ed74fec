"""Takes a supposed die's own shadow out of the picture, by its colour.

A shadow is as dark as a die may be, and the networks, which see grey, take both for one larger die. But it keeps the
colour of what it falls on: in each colour channel it is the table times the same factor. What is no such multiple of
the table, or is brighter, is the die.
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose.crops import Grey
from vision.pose.geometry import Pose

_REACH: Final = 2.0
"""Half the side of the square that is looked at, in radii of the supposed die."""
_TABLE_FROM: Final = 1.5
"""The distance, in radii, from which on what is seen is the table, or lies on it."""
_GAMMA: Final = 2.2
"""Grey levels grow with about this root of the light."""
_DARKEST: Final = 0.004
"""Less light than this share of white has no colour."""
_LOG_OF_LIGHT: Final = np.log(np.maximum((np.arange(256) / 255) ** _GAMMA, _DARKEST)).astype(np.float32)
"""The natural logarithm of the light of each grey level: a picture's pixels are looked up, for speed."""
_COLOURLESS: Final = 255 * (2 * _DARKEST) ** (1 / _GAMMA)
"""A pixel whose channels are all at or below this grey level has no colour."""
_OTHER_COLOUR: Final = 0.22
"""How far the channels' factors may differ in a shadow (natural logarithm): noise, and light from walls."""
_BRIGHTER: Final = 0.25
"""What is brighter than the table by more than this (natural logarithm) is no shadow."""
_DARKER: Final = 0.15
"""What is darker than the table by less than this (natural logarithm) is the table, and stays as it is."""
_FILLED: Final = 0.75
"""The least share of its convex hull that a die's silhouette fills."""
_ROUND: Final = 0.5
"""The least share of its enclosing circle that a die's silhouette fills: of a cube seen face on 0.64."""
_MIDDLE: Final = 0.5
"""How far the middle of the silhouette may lie from the supposed one, in radii."""
_SOFT: Final = 0.04
"""The width of the seam between the die and what is lightened, in radii."""


def without_shadow(picture: NDArray[np.uint8], grey: Grey, supposed: Pose) -> Pose | None:
    """Lighten the shadow round the supposed die in `grey` itself, and tell the circle round the die.

    None, and nothing is changed, where the picture (BGR) shows no single compact thing of another colour there, or no
    table around it.
    """
    x, y = supposed.centre
    reach = math.ceil(_REACH * supposed.radius)
    left, top = max(0, round(x) - reach), max(0, round(y) - reach)
    square = picture[top : round(y) + reach, left : round(x) + reach]
    if min(square.shape[:2]) < supposed.radius:
        return None
    rows, columns = np.ogrid[: square.shape[0], : square.shape[1]]
    around = (columns + left - x) ** 2 + (rows + top - y) ** 2 > (_TABLE_FROM * supposed.radius) ** 2
    if not around.any():
        return None
    soft = cv2.GaussianBlur(square, (0, 0), max(0.8, _SOFT * supposed.radius))
    blue, green, red = (
        cv2.LUT(channel, _LOG_OF_LIGHT - _LOG_OF_LIGHT[int(np.median(channel[around]))]) for channel in cv2.split(soft)
    )
    spread = cv2.max(cv2.max(blue, green), red) - cv2.min(cv2.min(blue, green), red)
    factor = (blue + green + red) / 3
    coloured = soft.max(axis=2) > _COLOURLESS
    mask = (((spread > _OTHER_COLOUR) & coloured) | (factor > _BRIGHTER)).astype(np.uint8)
    outline = _outline(mask, supposed.radius)
    if outline is None:
        return None
    (across, down), radius = cv2.minEnclosingCircle(outline)
    if math.hypot(across + left - x, down + top - y) > _MIDDLE * supposed.radius:
        return None
    die = np.zeros(mask.shape, np.uint8)
    cv2.drawContours(die, [cv2.convexHull(outline)], -1, 1, -1)
    shadow = (die == 0) & (mask == 0) & (factor < -_DARKER)
    seam = max(0.8, _SOFT * supposed.radius)
    wide = cv2.dilate(shadow.astype(np.uint8), np.ones((3, 3), np.uint8), iterations=math.ceil(2 * seam))
    share = cv2.GaussianBlur(wide.astype(np.float32), (0, 0), seam) * (die == 0)
    part = grey[top : round(y) + reach, left : round(x) + reach]
    grain = part - cv2.GaussianBlur(part.astype(np.float32), (0, 0), seam)
    lightened = float(np.median(part[around])) + grain
    part[:] = np.clip(np.round(share * lightened + (1 - share) * part), 0, 255).astype(np.uint8)
    return Pose((across + left, down + top), radius, supposed.rotation)


def _outline(mask: NDArray[np.uint8], radius: float) -> NDArray[np.int32] | None:
    """The outline of the largest part of the mask, if it is compact as a die's is."""
    side = max(3, int(0.12 * radius) | 1)
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    clean = cv2.morphologyEx(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, brush), cv2.MORPH_OPEN, brush)
    outlines, _ = cv2.findContours(clean, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    best = max(outlines, key=cv2.contourArea, default=None)
    if best is None:
        return None
    whole = cv2.contourArea(cv2.convexHull(best))
    _, across = cv2.minEnclosingCircle(best)
    if cv2.contourArea(best) < _FILLED * whole or whole < _ROUND * math.pi * across**2:
        return None
    return np.asarray(best, np.int32)
