"""Drawing of signs on a face's texture: outlines and paths, given in edge lengths from the middle of the face.

`x` grows to the right and `y` downwards, as in pictures.
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.glyphs import TEXTURE_PIXELS, TEXTURE_REACH, Mask

EDGE: Final = TEXTURE_PIXELS / (2 * TEXTURE_REACH)
"""Pixels of a texture that span one edge of the face."""
MIDDLE: Final = TEXTURE_PIXELS / 2
"""Where the middle of the face lies in its texture, in pixels from the left and from the top."""
Points = NDArray[np.float64]
"""Points in edge lengths from the middle, a row each."""


def empty_texture() -> Mask:
    """The texture of an empty face."""
    return np.zeros((TEXTURE_PIXELS, TEXTURE_PIXELS), np.uint8)


def regular(reach: float, corners: int, turn: float = 0.0) -> Points:
    """A regular polygon whose corners lie `reach` from the middle, the first one on top, turned by `turn` radians."""
    angles = turn - math.pi / 2 + 2 * math.pi * np.arange(corners) / corners
    return np.column_stack([np.cos(angles), np.sin(angles)]) * reach


def in_pixels(points: Points) -> NDArray[np.int32]:
    """The points in sixteenths of a texture's pixels, as OpenCV draws them with `shift=4`."""
    return np.round((points * EDGE + MIDDLE) * 16).astype(np.int32)


def filled(texture: Mask, outline: Points) -> None:
    """Fill what the outline encloses."""
    cv2.fillPoly(texture, [in_pixels(outline)], 255, cv2.LINE_AA, shift=4)


def freed(texture: Mask, outline: Points) -> None:
    """Take the ink away from what the outline encloses."""
    cv2.fillPoly(texture, [in_pixels(outline)], 0, cv2.LINE_AA, shift=4)


def outlined(texture: Mask, outline: Points, thickness: int) -> None:
    """Draw the outline as a closed line, `thick` pixels wide."""
    cv2.polylines(
        texture, [in_pixels(outline)], isClosed=True, color=255, thickness=thickness, lineType=cv2.LINE_AA, shift=4
    )


def stroked(texture: Mask, path: Points, thickness: int) -> None:
    """Draw the path as an open line, `thick` pixels wide."""
    cv2.polylines(
        texture, [in_pixels(path)], isClosed=False, color=255, thickness=thickness, lineType=cv2.LINE_AA, shift=4
    )


def drawn(texture: Mask, rng: np.random.Generator, outline: Points) -> None:
    """Fill the outline or (two in five) draw it as a line."""
    if rng.random() < 0.6:
        filled(texture, outline)
    else:
        outlined(texture, outline, int(rng.integers(3, 8)))


def shrunk(texture: Mask, share: float) -> Mask:
    """The texture smaller, in the middle of an empty one."""
    about = np.array([[share, 0, MIDDLE * (1 - share)], [0, share, MIDDLE * (1 - share)]])
    size = (TEXTURE_PIXELS, TEXTURE_PIXELS)
    return np.asarray(cv2.warpAffine(texture, about, size, flags=cv2.INTER_AREA), np.uint8)
