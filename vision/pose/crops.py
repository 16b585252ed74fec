"""The networks' inputs: a square round a whole die, and one patch a face, aligned to the face's edges.

Pictures are grey uint8. Both training and reading cut with these functions, so that they cannot drift apart.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose.geometry import Array, View

Grey = NDArray[np.uint8]
"""A grey picture, 0 (black) to 255 (white)."""

DIE_PIXELS: Final = 64
"""The side of the square round a die."""
DIE_REACH: Final = 1.35
"""Half that square's side, in circumradii of the die that is expected inside."""
FACE_PIXELS: Final = 40
"""The side of a face's patch."""
_FACE_REACH: Final = {3: 0.80, 4: 0.78}
"""Half a patch's side as a share of the distance from a face's middle to its corners, by its number of corners."""
CUBE_PIXELS: Final = 56
"""The side of the patch in which a cube is read: its upper face and what shows of the faces beside it."""
_CUBE_REACH: Final = 1.2
"""Half the side of a cube's patch, as a share of the distance from its upper face's middle to the corners."""
THING_PIXELS: Final = 64
"""The side of the wide square round a supposed die, which includes its surroundings."""
THING_REACH: Final = 2.0
"""Half of its side, in radii of the supposed die."""
_LEAST_SPREAD: Final = 6.0
"""Wide squares of less contrast, in grey levels, are not stretched further."""


def die_crop(grey: Grey, centre: tuple[float, float], radius: float) -> Grey:
    """The square of `DIE_PIXELS` round a die of `radius` pixels at `centre`; beyond the picture its edge goes on."""
    return _square(grey, centre, DIE_REACH * radius, DIE_PIXELS)


def thing_square(picture: NDArray[np.uint8], centre: tuple[float, float], radius: float) -> NDArray[np.uint8]:
    """The wide square of a BGR picture round a supposed die; beyond the picture its edge goes on."""
    return _square(picture, centre, THING_REACH * radius, THING_PIXELS)


def _square(picture: NDArray[np.uint8], centre: tuple[float, float], half: float, pixels: int) -> NDArray[np.uint8]:
    left, top = round(centre[0] - half), round(centre[1] - half)
    side = max(2, round(2 * half))
    piece = padded(picture, left, top, side, side)
    way = cv2.INTER_AREA if side > pixels else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(piece, (pixels, pixels), interpolation=way), dtype=np.uint8)


def padded(picture: NDArray[np.uint8], left: int, top: int, width: int, height: int) -> NDArray[np.uint8]:
    """A rectangle of the picture; where it reaches beyond, the picture's edge goes on."""
    rows, columns = picture.shape[:2]
    right, bottom = left + width, top + height
    inner = picture[max(0, min(top, rows - 1)) : max(1, bottom), max(0, min(left, columns - 1)) : max(1, right)]
    missing = (max(0, -top), max(0, bottom - rows), max(0, -left), max(0, right - columns))
    if any(missing):
        inner = np.asarray(cv2.copyMakeBorder(inner, *missing, cv2.BORDER_REPLICATE), dtype=np.uint8)
    return inner[:height, :width]


def patch_map(view: View, face: int, pixels: int = FACE_PIXELS, reach: float | None = None) -> Array:
    """The 2x3 map from a patch's pixels to the picture's, with the face's first corner (or edge) at the top.

    `pixels` is the patch's side, `reach` half of it as a share of the distance from the face's middle to its corners
    (None: as in `face_patch`).
    """
    corners = view.points[list(view.solid.faces[face])]
    count = len(corners)
    middle = view.centres[face]
    reach = _FACE_REACH.get(count, 0.8) if reach is None else reach
    linear = reach * _from_regular(count) @ (corners - middle)
    half = pixels / 2
    result: Array = np.zeros((2, 3))
    result[:, :2] = linear.T / half
    result[:, 2] = middle - result[:, :2] @ np.array([half - 0.5, half - 0.5])
    return result


@cache
def _from_regular(count: int) -> Array:
    """The matrix that yields the best linear map from a regular polygon's corners to given points.

    The first corner is up, of four corners the first edge. They run counter-clockwise, one radius from the middle.
    """
    shift = math.pi / 2 if count % 2 else math.pi / 2 + math.pi / count
    angles = shift + 2 * math.pi * np.arange(count) / count
    result: Array = np.linalg.pinv(np.column_stack([np.cos(angles), -np.sin(angles)]))
    return result


def face_patch(grey: Grey, view: View, face: int) -> Grey:
    """The patch of one face, `FACE_PIXELS` square."""
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (FACE_PIXELS, FACE_PIXELS)
    warped = cv2.warpAffine(grey, patch_map(view, face), size, flags=way, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, dtype=np.uint8)


def cube_patch(grey: Grey, view: View) -> Grey:
    """A cube's face 0 and what shows beside it, `CUBE_PIXELS` square."""
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    into = patch_map(view, 0, CUBE_PIXELS, _CUBE_REACH)
    warped = cv2.warpAffine(grey, into, (CUBE_PIXELS, CUBE_PIXELS), flags=way, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, dtype=np.uint8)


def normalised(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Crops (count, side, side) as a batch (count, 1, side, side) of mean 0 and deviation 1 each."""
    batch = crops.astype(np.float32)[:, None]
    batch -= batch.mean(axis=(2, 3), keepdims=True)
    deviation = batch.std(axis=(2, 3), keepdims=True)
    result: NDArray[np.float32] = (batch / np.maximum(deviation, 4.0)).astype(np.float32)
    return result


def colour_batch(squares: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The squares (count, side, side, 3) as a batch (count, 3, side, side), each of mean 0 and deviation 1 in all."""
    batch = squares.astype(np.float32).transpose(0, 3, 1, 2)
    batch -= batch.mean(axis=(1, 2, 3), keepdims=True)
    spread = batch.std(axis=(1, 2, 3), keepdims=True)
    result: NDArray[np.float32] = (batch / np.maximum(spread, _LEAST_SPREAD)).astype(np.float32)
    return result
