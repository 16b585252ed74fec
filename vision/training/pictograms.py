"""Pictures in one colour, as emblems are: things drawn from life, and silhouettes that nobody drew before.

The emblems of the hard trays outside `dev` (`tests/bench/ray_traced/emblems.py`) are never drawn here: they measure how
the reader handles an emblem that no network has seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from vision.training.drawing import (
    EDGE,
    MIDDLE,
    Points,
    drawn,
    empty_texture,
    filled,
    freed,
    outlined,
    regular,
    shrunk,
    stroked,
)
from vision.training.glyphs import Mask

Draw = Callable[[Mask, np.random.Generator, float], None]
"""Draws into an empty texture a picture that reaches so far, in edge lengths from the middle of the face."""


def picture(rng: np.random.Generator) -> Mask:
    """One of the `PICTURES`, drawn at random."""
    texture = empty_texture()
    shares = np.array([share for share, _ in PICTURES.values()])
    _, draw = list(PICTURES.values())[int(rng.choice(len(PICTURES), p=shares / shares.sum()))]
    reach = float(rng.uniform(0.24, 0.42))
    draw(texture, rng, reach)
    return _filling(texture, reach) if np.count_nonzero(texture > 100) > _LEAST_INK else picture(rng)


def framed(texture: Mask, rng: np.random.Generator) -> Mask:
    """The picture smaller within a ring, a square or a hexagon, or left free in a filled one."""
    corners = int(rng.choice([4, 6, 40]))
    frame = regular(float(rng.uniform(0.36, 0.44)), corners, math.pi / 4 if corners == 4 else 0.0)
    small = shrunk(texture, float(rng.uniform(0.55, 0.75)))
    badge = empty_texture()
    if rng.random() < _FREED:
        filled(badge, frame)
        return np.asarray(cv2.subtract(badge, small), np.uint8)
    outlined(badge, frame, int(rng.integers(2, 6)))
    return np.asarray(np.maximum(badge, small), np.uint8)


def _silhouette(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """An outline of soft waves, mostly its own mirror image, with holes."""
    angles = np.linspace(-math.pi, math.pi, 72, endpoint=False)
    mirrored = rng.random() < 0.7
    far = np.ones(72)
    for wave in range(1, 7):
        far += float(rng.normal(0, 0.5 / wave)) * np.cos(wave * angles)
        far += 0.0 if mirrored else float(rng.normal(0, 0.4 / wave)) * np.sin(wave * angles)
    far = np.clip(far, 0.15, None)
    outline = np.column_stack([np.sin(angles), np.cos(angles)]) * far[:, None]
    drawn(texture, rng, outline / np.abs(outline).max() * size)
    for _ in range(int(rng.integers(0, 4))):
        spot = rng.uniform(-0.5, 0.5, 2) * size
        for side in (-1.0, 1.0) if mirrored else (1.0,):
            freed(texture, regular(float(rng.uniform(0.03, 0.09)), 20) + spot * (side, 1.0))


def _polygon(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """Three to seven corners, even or anyhow."""
    count = int(rng.integers(3, 8))
    if rng.random() < 0.5:
        corners = regular(size, count, float(rng.uniform(0, 1))) * rng.uniform(0.6, 1.0, 2)
    else:
        corners = rng.uniform(-1, 1, (count, 2)) * size
    drawn(texture, rng, corners)


def _composed(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """Two to five discs, wedges and bars that overlap, each with its mirror image; some take ink away again."""
    for number in range(int(rng.integers(2, 6))):
        reach = size * float(rng.uniform(0.25, 0.6))
        corners = int(rng.choice([3, 3, 4, 5, 30]))
        part = regular(reach, corners, float(rng.uniform(0, math.pi))) * (1.0, float(rng.uniform(0.3, 1.0)))
        part = _turned(part, float(rng.uniform(0, math.pi)))
        spot = rng.uniform(-1, 1, 2) * (size - reach)
        if number == 0 or rng.random() < 0.3:
            spot[0] = 0.0
        take = number > 0 and rng.random() < 0.3
        for side in (-1.0, 1.0):
            (freed if take else filled)(texture, (part * (0.6 if take else 1.0) + spot) * (side, 1.0))


def _jagged(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """An outline of straight lines, its own mirror image from left to right: a beast, a helmet, a fortress."""
    count = int(rng.integers(4, 9))
    down = np.sort(rng.uniform(-1, 1, count))
    down[0], down[-1] = -1.0, 1.0
    across = rng.uniform(0.1, 1.0, count) * float(rng.uniform(0.6, 1.0))
    across[0] *= float(rng.choice([0.0, 1.0]))
    right = np.column_stack([across, down])
    drawn(texture, rng, np.vstack([right, right[::-1] * (-1.0, 1.0)]) * size)
    if rng.random() < 0.5:
        spot = np.array([float(rng.uniform(0.1, 0.4)), float(rng.uniform(-0.5, 0.3))]) * size
        for side in (-1.0, 1.0):
            freed(texture, regular(size * float(rng.uniform(0.08, 0.2)), int(rng.choice([3, 20]))) + spot * (side, 1))


def _heart(texture: Mask, rng: np.random.Generator, size: float) -> None:
    angles = np.linspace(0, 2 * math.pi, 40, endpoint=False)
    wave = 13 * np.cos(angles) - 5 * np.cos(2 * angles) - 2 * np.cos(3 * angles) - np.cos(4 * angles)
    drawn(texture, rng, np.column_stack([np.sin(angles) ** 3, -wave / 16]) * size)


def _arrow(texture: Mask, rng: np.random.Generator, size: float) -> None:
    head, shaft = float(rng.uniform(0.3, 0.7)) * size, float(rng.uniform(0.1, 0.3)) * size
    tip = [(0.0, -size), (head, -size + head), (shaft, -size + head), (shaft, size)]
    drawn(texture, rng, np.array([*tip, *((-x, y) for x, y in tip[:0:-1])]))


def _skull(texture: Mask, rng: np.random.Generator, size: float) -> None:
    filled(texture, regular(size * 0.75, 30) - (0, size * 0.2))
    wide = float(rng.uniform(0.28, 0.45))
    filled(texture, np.array([(-wide, 0.3), (wide, 0.3), (wide * 0.85, 0.9), (-wide * 0.85, 0.9)]) * size)
    for spot in ((-0.3, -0.2), (0.3, -0.2), (0.0, 0.15)):
        freed(texture, regular(size * float(rng.uniform(0.14, 0.2)), 16) + np.array(spot) * size)


def _sword(texture: Mask, rng: np.random.Generator, size: float) -> None:
    thin, guard = float(rng.uniform(0.09, 0.18)), float(rng.uniform(0.35, 0.6))
    filled(texture, np.array([(0, -1), (thin, -0.8), (thin, 0.4), (-thin, 0.4), (-thin, -0.8)]) * size)
    filled(texture, np.array([(-guard, 0.4), (guard, 0.4), (guard, 0.55), (-guard, 0.55)]) * size)
    filled(texture, np.array([(-0.1, 0.5), (0.1, 0.5), (0.1, 1), (-0.1, 1)]) * size)


def _shield(texture: Mask, rng: np.random.Generator, size: float) -> None:
    low = float(rng.uniform(-0.1, 0.3))
    outer = np.array([(-0.8, -0.9), (0.8, -0.9), (0.75, low), (0.45, 0.7), (0, 1), (-0.45, 0.7), (-0.75, low)]) * size
    drawn(texture, rng, outer)
    if rng.random() < 0.6:
        freed(texture, regular(size * 0.4, int(rng.integers(3, 7)), float(rng.uniform(0, 1))))


def _eye(texture: Mask, rng: np.random.Generator, size: float) -> None:
    across = np.linspace(-1, 1, 20)
    lid = float(rng.uniform(0.4, 0.65)) * (1 - across**2)
    outlined(texture, np.vstack([np.column_stack([across, lid]), np.column_stack([across, -lid])[::-1]]) * size, 5)
    filled(texture, regular(size * 0.3, 20))


def _drop(texture: Mask, rng: np.random.Generator, size: float) -> None:
    angles = np.linspace(0.3, 2 * math.pi - 0.3, 30)
    rim = np.column_stack([np.sin(angles) * 0.6, -np.cos(angles) * 0.6 + 0.3])
    drawn(texture, rng, np.vstack([rim, [(0, -1)]]) * size)


def _key(texture: Mask, _rng: np.random.Generator, size: float) -> None:
    outlined(texture, regular(size * 0.35, 24) - (0, size * 0.6), 6)
    stroked(texture, np.array([(0, -0.25), (0, 0.95)]) * size, 6)
    for down in (0.6, 0.9):
        stroked(texture, np.array([(0, down), (0.4, down)]) * size, 5)


def _flame(texture: Mask, rng: np.random.Generator, size: float) -> None:
    outer = [(0, -1), (0.2, -0.55), (0.55, -0.15), (0.68, 0.3), (0.5, 0.8), (0, 1), (-0.5, 0.8), (-0.68, 0.3)]
    shape = np.array([*outer, (-0.5, -0.1), (-0.3, 0.1), (-0.2, -0.4)])
    drawn(texture, rng, shape * (float(rng.choice([-1.0, 1.0])), 1.0) * size)
    if rng.random() < 0.6:
        freed(texture, regular(size * 0.25, 20) + np.array([0.05, 0.5]) * size)


def _wings(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """Two wings of two to four feathers, with a body between them or without."""
    for number in range(int(rng.integers(2, 5))):
        high = -0.5 + 0.35 * number
        feather = np.array([(0.08, high), (1.0 - 0.2 * number, high - 0.3), (0.8 - 0.2 * number, high + 0.15)])
        for side in (-1.0, 1.0):
            filled(texture, feather * (side, 1.0) * size)
    if rng.random() < 0.6:
        filled(texture, regular(size * 0.9, 4) * (float(rng.uniform(0.12, 0.25)), 1.0))


def _beast(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """A head with ears or horns and two eyes, or a paw."""
    if rng.random() < 0.4:
        filled(texture, regular(size * 0.5, 24) + np.array([0.0, 0.35]) * size)
        for across, down in ((-0.7, -0.1), (-0.27, -0.6), (0.27, -0.6), (0.7, -0.1)):
            filled(texture, regular(size * 0.22, 16) + np.array([across, down]) * size)
        return
    filled(texture, regular(size * 0.65, 30) * (1.0, float(rng.uniform(0.8, 1.2))) + (0, size * 0.2))
    for side in (-1.0, 1.0):
        ear = np.array([(0.15, -0.3), (float(rng.uniform(0.5, 0.8)), -1.0), (0.62, 0.05)])
        filled(texture, ear * (side, 1.0) * size)
        freed(texture, regular(size * 0.12, 12) + np.array([side * 0.26, 0.1]) * size)


PICTURES: Final[dict[str, tuple[float, Draw]]] = {
    "silhouette": (0.2, _silhouette),
    "polygon": (0.08, _polygon),
    "composed": (0.2, _composed),
    "jagged": (0.12, _jagged),
    "heart": (0.03, _heart),
    "arrow": (0.04, _arrow),
    "skull": (0.04, _skull),
    "sword": (0.03, _sword),
    "shield": (0.05, _shield),
    "eye": (0.03, _eye),
    "drop": (0.03, _drop),
    "key": (0.03, _key),
    "flame": (0.04, _flame),
    "wings": (0.04, _wings),
    "beast": (0.04, _beast),
}
"""The relative frequency and the drawing function of each picture, by its name."""
_LEAST_INK: Final = 60
"""The least number of inked pixels; a picture with fewer is drawn again."""
_FREED: Final = 0.25
"""The share of framed pictures that are left free in a filled badge."""


def _filling(texture: Mask, reach: float) -> Mask:
    """The same picture in the middle of the face, reaching so far in edge lengths."""
    rows, columns = np.flatnonzero((texture > 100).any(axis=1)), np.flatnonzero((texture > 100).any(axis=0))
    low, high = np.array([columns[0], rows[0]]), np.array([columns[-1], rows[-1]]) + 1
    growth = 2 * reach * EDGE / float((high - low).max())
    about = np.column_stack([np.eye(2) * growth, MIDDLE - growth * (low + high) / 2])
    return np.asarray(cv2.warpAffine(texture, about, texture.shape, flags=cv2.INTER_LINEAR), np.uint8)


def _turned(points: Points, turn: float) -> Points:
    cosine, sine = math.cos(turn), math.sin(turn)
    result: Points = points @ np.array([[cosine, sine], [-sine, cosine]])
    return result
