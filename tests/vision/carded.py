"""The calibration card as a camera sees it: the real printed drawing, laid on a table and photographed."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ports import Pixels
from vision.pose.geometry import Array, Camera, unit
from vision.table.card import HIGH, PIECE, WIDE, markers, modules

PER_MILLIMETRE = 4


def printed() -> NDArray[np.uint8]:
    """The card without words, `PER_MILLIMETRE` pixels a millimetre."""
    sheet = np.full((round(HIGH * PER_MILLIMETRE), round(WIDE * PER_MILLIMETRE)), 255, np.uint8)
    for marker in markers().values():
        side = round(marker.side * PER_MILLIMETRE)
        shape = cv2.resize((~modules(marker.number)).astype(np.uint8) * 255, (side, side), interpolation=0)
        left, top = round(marker.left * PER_MILLIMETRE), round(marker.top * PER_MILLIMETRE)
        sheet[top : top + side, left : left + side] = shape
    return sheet


def up_of(right: float, down: float) -> Array:
    """The "up" of a camera that is askew by that number of degrees."""
    x, y = math.sin(math.radians(right)), math.sin(math.radians(down))
    return unit(np.array([x, y, -math.sqrt(1 - x * x - y * y)]))


def onto(camera: Camera, up: Array, distance: float) -> Array:
    """Millimetres of a table (its origin in the picture's middle, `distance` millimetres away) to pixels."""
    first = unit(np.array([1.0, 0.0, 0.0]) - up[0] * up)
    second = np.cross(-up, first)
    inner = np.array([[camera.focal, 0, camera.width / 2], [0, camera.focal, camera.height / 2], [0, 0, 1]])
    result: Array = inner @ np.column_stack([first, second, np.array([0.0, 0.0, distance])])
    return result


def photographed(
    camera: Camera, up: Array, distance: float, *, tray: tuple[float, float] | None = None, bend: float = 0.0
) -> tuple[Pixels, Array]:
    """A picture of the card, whole or (with the `tray`'s sides in millimetres) its corners cut off and laid out.

    Also where the tray's corners are, in pixels, clockwise from the upper left.
    """
    plane = onto(camera, up, distance)
    sheet, table = printed(), np.full((camera.height, camera.width), 90, np.uint8)
    wide, high = tray or (WIDE, HIGH)
    corner = np.array([(-wide / 2, -high / 2), (wide / 2, -high / 2), (wide / 2, high / 2), (-wide / 2, high / 2)])
    pieces: list[tuple[tuple[float, float, float, float], tuple[float, float]]] = []
    if tray is None:
        pieces.append(((0, 0, WIDE, HIGH), (-WIDE / 2, -HIGH / 2)))
    else:
        inside = (PIECE + 6, 20.0, WIDE - 2 * PIECE - 12, HIGH - 40)
        pieces.append((inside, (-inside[2] / 2, -inside[3] / 2)))
        for place, (x, y) in enumerate(corner.tolist()):
            right, below = place in (1, 2), place in (2, 3)
            start = (WIDE - PIECE if right else 0.0, HIGH - PIECE if below else 0.0)
            pieces.append(((*start, PIECE, PIECE), (x - PIECE * right, y - PIECE * below)))
    for (left, top, across, along), (x, y) in pieces:
        low = (round(left * PER_MILLIMETRE), round(top * PER_MILLIMETRE))
        part = sheet[low[1] : low[1] + round(along * PER_MILLIMETRE), low[0] : low[0] + round(across * PER_MILLIMETRE)]
        scale = np.array([[1 / PER_MILLIMETRE, 0, x], [0, 1 / PER_MILLIMETRE, y], [0, 0, 1]])
        size = (camera.width, camera.height)
        seen = cv2.warpPerspective(part, plane @ scale, size, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full_like(part, 255), plane @ scale, size)
        table = np.where(mask > 127, seen, table)
    spots = np.column_stack([corner, np.ones(4)]) @ plane.T
    pixels = spots[:, :2] / spots[:, 2:]
    if bend:
        inner = np.array([[camera.focal, 0, camera.width / 2], [0, camera.focal, camera.height / 2], [0, 0, 1]])
        grid = np.indices((camera.height, camera.width))[::-1].reshape(2, -1).T.astype(np.float64)
        straight = cv2.undistortPoints(grid.reshape(-1, 1, 2), inner, np.array([bend, 0, 0, 0.0]), P=inner)
        way = np.asarray(straight, np.float32).reshape(camera.height, camera.width, 2)
        columns, rows = (np.ascontiguousarray(way[..., axis]) for axis in range(2))
        table = np.asarray(cv2.remap(table, columns, rows, cv2.INTER_LINEAR), np.uint8)
        rays = (pixels - (camera.width / 2, camera.height / 2)) / camera.focal
        bent = rays * (1 + bend * (rays**2).sum(axis=1, keepdims=True))
        pixels = bent * camera.focal + (camera.width / 2, camera.height / 2)
    soft = cv2.GaussianBlur(table, (0, 0), 0.7)
    noisy = soft + np.random.default_rng(4).normal(0, 2, soft.shape)
    return np.repeat(noisy.clip(0, 255).astype(np.uint8)[..., None], 3, axis=2), pixels
