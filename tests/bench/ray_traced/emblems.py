"""Signs of our own invention for path-traced dice, as shapes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from tests.bench.ray_traced.looks import Part

Shape = list[tuple[float, float]]
"""The corners of a filled shape; 1 is the sign's reach, y grows downward."""
Layers = list[tuple[Shape, bool]]
"""Shapes in the order they are drawn, each in ink (True) or taken out of it."""


def _round(radius: float, x: float = 0.0, y: float = 0.0, *, first: float = 0.0, last: float = 2 * math.pi) -> Shape:
    steps = [first + (last - first) * k / 40 for k in range(41)]
    return [(x + math.sin(a) * radius, y - math.cos(a) * radius) for a in steps]


def _rays(count: int, inner: float) -> Shape:
    return [
        (
            math.sin(math.pi * k / count) * (inner if k % 2 else 1),
            -math.cos(math.pi * k / count) * (inner if k % 2 else 1),
        )
        for k in range(2 * count)
    ]


def _star(rng: np.random.Generator) -> Layers:
    return [(_rays(int(rng.integers(4, 7)), float(rng.uniform(0.36, 0.55))), True)]


def _burst(rng: np.random.Generator) -> Layers:
    return [(_rays(int(rng.integers(8, 13)), float(rng.uniform(0.55, 0.75))), True)]


def _dart(_: np.random.Generator) -> Layers:
    return [([(0.0, -1.0), (0.7, 0.85), (0.0, 0.35), (-0.7, 0.85)], True)]


def _gear(rng: np.random.Generator) -> Layers:
    teeth, shape = int(rng.integers(6, 10)), []
    for k in range(4 * teeth):
        reach = 1.0 if k % 4 in {0, 1} else 0.74
        angle = 2 * math.pi * k / (4 * teeth)
        shape.append((math.sin(angle) * reach, -math.cos(angle) * reach))
    return [(shape, True), (_round(float(rng.uniform(0.25, 0.42))), False)]


def _flame(_: np.random.Generator) -> Layers:
    outer = [(0, -1), (0.2, -0.55), (0.55, -0.15), (0.68, 0.3), (0.5, 0.8), (0, 1), (-0.5, 0.8), (-0.68, 0.3)]
    shape = [*outer, (-0.5, -0.1), (-0.3, 0.1), (-0.2, -0.4)]
    return [([(float(x), float(y)) for x, y in shape], True), (_round(0.26, 0.05, 0.55), False)]


def _shield(_: np.random.Generator) -> Layers:
    outer = [(-0.8, -0.85), (0.8, -0.85), (0.8, 0.1), (0.5, 0.65), (0.0, 1.0), (-0.5, 0.65), (-0.8, 0.1)]
    return [(outer, True), ([(0.0, -0.5), (0.4, 0.0), (0.0, 0.5), (-0.4, 0.0)], False)]


def _orbit(_: np.random.Generator) -> Layers:
    ring = [(_round(1.0), True), (_round(0.72), False)]
    return [*ring, (_round(0.34), True), (_round(0.2, 0.62, -0.62), True)]


def _bolt(_: np.random.Generator) -> Layers:
    return [([(0.25, -1.0), (-0.55, 0.15), (-0.05, 0.15), (-0.3, 1.0), (0.6, -0.25), (0.1, -0.25)], True)]


def _moon(_: np.random.Generator) -> Layers:
    return [(_round(1.0), True), (_round(0.78, 0.42, -0.12), False)]


def _cross(_: np.random.Generator) -> Layers:
    wide, high = [(-1, -0.3), (1, -0.3), (1, 0.3), (-1, 0.3)], [(-0.3, -1), (0.3, -1), (0.3, 1), (-0.3, 1)]
    return [([(float(x), float(y)) for x, y in part], True) for part in (wide, high)]


def _crown(_: np.random.Generator) -> Layers:
    points = [(-1, -0.6), (-0.5, 0.05), (0, -0.9), (0.5, 0.05), (1, -0.6), (0.8, 0.75), (-0.8, 0.75)]
    return [
        ([(float(x), float(y)) for x, y in points], True),
        ([(-0.7, 0.45), (0.7, 0.45), (0.7, 0.55), (-0.7, 0.55)], False),
    ]


def _hourglass(_: np.random.Generator) -> Layers:
    return [([(-0.75, -1.0), (0.75, -1.0), (0.12, 0.0), (0.75, 1.0), (-0.75, 1.0), (-0.12, 0.0)], True)]


def _comet(_: np.random.Generator) -> Layers:
    tail = [(0.2, -0.5), (-1.0, 0.9), (0.0, 0.45), (-0.35, 1.0), (0.75, 0.0)]
    return [(tail, True), (_round(0.5, 0.45, -0.45), True), (_round(0.2, 0.45, -0.45), False)]


def _anchor(_: np.random.Generator) -> Layers:
    shaft = [(-0.12, -0.6), (0.12, -0.6), (0.12, 0.8), (-0.12, 0.8)]
    bar = [(-0.5, -0.35), (0.5, -0.35), (0.5, -0.15), (-0.5, -0.15)]
    arc = [
        *_round(1.0, first=0.55 * math.pi, last=1.45 * math.pi),
        *_round(0.75, first=1.45 * math.pi, last=0.55 * math.pi),
    ]
    return [(_round(0.32, 0, -0.7), True), (_round(0.15, 0, -0.7), False), (shaft, True), (bar, True), (arc, True)]


def _leaf(_: np.random.Generator) -> Layers:
    half = [(math.sin(math.pi * k / 12) * 0.6, -1 + 1.7 * k / 12) for k in range(13)]
    return [
        ([*half, *[(-x, y) for x, y in reversed(half)]], True),
        ([(-0.06, -0.4), (0.06, -0.4), (0.06, 1.0), (-0.06, 1.0)], False),
    ]


Draw = Callable[[np.random.Generator], Layers]
EMBLEMS: Final[dict[Part, dict[str, Draw]]] = {
    Part.DEV: {
        "star": _star,
        "burst": _burst,
        "dart": _dart,
        "gear": _gear,
        "flame": _flame,
        "shield": _shield,
        "orbit": _orbit,
    },
    Part.CALIBRATE: {"bolt": _bolt, "moon": _moon, "cross": _cross, "leaf": _leaf},
    Part.BLIND: {"crown": _crown, "hourglass": _hourglass, "comet": _comet, "anchor": _anchor},
}
"""Each part's signs, which no other part has."""

FRAMES: Final[dict[str, Shape]] = {
    "ring": _round(1.0),
    "square": [(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)],
    "hexagon": [(math.sin(math.pi * k / 3), -math.cos(math.pi * k / 3)) for k in range(6)],
}


def layered(layers: Layers, reach: float, frame: Shape | None) -> Layers:
    """The shapes of a sign that reaches so far from the middle, in a frame or without, in the order they are drawn."""
    scaled = [(frame, reach, True), (frame, reach * 0.86, False)] if frame is not None else []
    inner = reach if frame is None else reach * 0.6
    scaled += [(shape, inner, ink) for shape, ink in layers]
    return [([(x * far, y * far) for x, y in shape], ink) for shape, far, ink in scaled]


PIPS: Final[dict[str, Shape]] = {
    "dots": _round(1.0),
    "squares": [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    "stars": _rays(5, 0.45),
    "hearts": [
        (16 * math.sin(t) ** 3 / 15, -(13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t)) / 15)
        for t in (2 * math.pi * k / 30 for k in range(30))
    ],
}
