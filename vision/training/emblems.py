"""Emblems of an Effect as makers of Challenge Dice draw them: stars, bursts, arrowheads, pictures. None is any maker's.

A Challenge Die is known by its net (1, 2, two blanks, twice one emblem), not by which emblem that is: a maker draws any
one picture. So any picture is an Effect where the die is otherwise a Challenge Die, and belongs to no known die where
each of its faces carries another (`signs`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.training.drawing import (
    MIDDLE,
    Points,
    drawn,
    empty_texture,
    filled,
    freed,
    in_pixels,
    outlined,
    regular,
    shrunk,
    stroked,
)
from vision.training.glyphs import Hand, Mask, effect, star
from vision.training.icons import icon
from vision.training.pictograms import Draw, picture

_RINGED: Final = 0.25
"""The share of stars, arrowheads and the like that stand in a frame."""
_RING: Final = 0.35
"""The share of frames that are a ring."""
_CORNERS: Final = 0.4
"""The share of frames that have corners; the rest are stars and bursts."""
_FREED: Final = 0.2
"""The share of frames that are filled, with the sign left free."""


def emblem(hand: Hand, icons: Sequence[Mask] = ()) -> Mask:
    """A Challenge Die's Effect of any make: a star, an arrowhead, a burst, rays, a picture; by the hand's design.

    Half of them are of the `icons` where there are any (`icons.icons_in`).
    """
    rng = np.random.default_rng(hand.design + 2)
    if len(icons) and rng.random() < _ICONS:
        texture = icon(icons[int(rng.integers(len(icons)))], float(rng.uniform(0.24, 0.42)))
        return in_frame(texture, rng) if rng.random() < _FRAMED else texture
    way = rng.random()
    if way < _PLAIN:
        return effect(hand)
    if way < _PLAIN + _PICTURED:
        return in_frame(picture(rng), rng) if rng.random() < _FRAMED else picture(rng)
    texture = empty_texture()
    size = float(rng.uniform(0.26, 0.42))
    shares = np.array([share for share, _ in WAYS.values()])
    _, draw = list(WAYS.values())[int(rng.choice(len(WAYS), p=shares / shares.sum()))]
    draw(texture, rng, size)
    return in_frame(texture, rng) if rng.random() < _RINGED else texture


def frame(rng: np.random.Generator) -> Points:
    """The outline of a frame of any make: corners, a ring, a star or a burst, round a 1, a 2 or an Effect."""
    reach, corners = float(rng.uniform(0.33, 0.42)), int(rng.integers(3, 9))
    way = rng.random()
    if way < _RING:
        return regular(reach, 40)
    if way < _RING + _CORNERS:
        return regular(reach, corners, float(rng.choice([0.0, math.pi / corners])))
    return _pointed(int(rng.integers(4, 11)), reach, float(rng.uniform(0.6, 0.95)), -math.pi / 2)


def in_frame(texture: Mask, rng: np.random.Generator) -> Mask:
    """The sign smaller within a `frame`, or left free in a filled one: framed as a 1 or 2 is, it is an Effect still."""
    small, outline = shrunk(texture, float(rng.uniform(0.45, 0.8))), frame(rng)
    badge = empty_texture()
    if rng.random() < _FREED:
        filled(badge, outline)
        return np.asarray(cv2.subtract(badge, small), np.uint8)
    outlined(badge, outline, int(rng.integers(2, 6)))
    return np.asarray(np.maximum(badge, small), np.uint8)


def _star(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """A star of 4 to 12 points, sharp or blunt, filled or drawn, alone or with a smaller one in it."""
    points = int(rng.choice([4, 5, 5, 5, 6, 6, 7, 8, 8, 9, 10, 12]))
    inner = float(rng.uniform(0.25, 0.6 if points < 6 else 0.8))  # blunter ones of few points would be polygons
    turn = float(rng.choice([0.0, 0.0, math.pi / points, rng.uniform(0, 1)])) - math.pi / 2
    outline = _pointed(points, size, inner, turn)
    drawn(texture, rng, outline)
    if rng.random() < 0.2:
        _cut_out(texture, outline * inner * float(rng.uniform(0.5, 0.9)))


def _burst(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """A burst of 8 to 18 points, deep or so shallow that it is nearly a disc; plain or with a hole or a star in it."""
    points = int(rng.integers(8, 19))
    inner = float(rng.uniform(0.45, 0.85))
    outline = _pointed(points, size, inner, float(rng.uniform(0, 1)))
    if rng.random() < 0.3:  # longer and shorter points by turns
        outline[::4] *= float(rng.uniform(0.75, 0.9))
    drawn(texture, rng, outline)
    if rng.random() < 0.25:
        inside = regular(1.0, 24) if rng.random() < 0.5 else _pointed(int(rng.integers(4, 7)), 1.0, 0.45, 0.0)
        _cut_out(texture, inside * size * inner * float(rng.uniform(0.4, 0.8)))


def _ragged(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """A burst whose points reach unequally far."""
    count = int(rng.integers(6, 13))
    angles = 2 * math.pi * np.arange(2 * count) / (2 * count) + float(rng.uniform(0, 1))
    far = np.where(np.arange(2 * count) % 2 == 0, rng.uniform(0.75, 1.15, 2 * count), rng.uniform(0.35, 0.6))
    drawn(texture, rng, np.column_stack([np.cos(angles), np.sin(angles)]) * far[:, None] * size)


def _sun(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """A disc or a ring with wedges round it that do not touch it."""
    count, inner = int(rng.integers(6, 15)), size * float(rng.uniform(0.3, 0.55))
    if rng.random() < 0.7:
        filled(texture, regular(inner, 30))
    else:
        outlined(texture, regular(inner, 30), int(rng.integers(3, 6)))
    wide, near = math.pi / count * float(rng.uniform(0.4, 0.8)), inner * float(rng.uniform(1.15, 1.35))
    for angle in 2 * math.pi * np.arange(count) / count:
        spots = ((angle, size), (angle - wide, near), (angle + wide, near))
        filled(texture, np.array([(math.sin(at) * far, -math.cos(at) * far) for at, far in spots]))


def _cog(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """A burst whose points are cut off square, with a hole or without."""
    count, inner = int(rng.integers(6, 13)), float(rng.uniform(0.65, 0.85))
    angles = 2 * math.pi * (np.repeat(np.arange(count), 4) + np.tile([0.0, 0.25, 0.35, 0.9], count)) / count
    far = np.tile([1.0, 1.0, inner, inner], count) * size
    drawn(texture, rng, np.column_stack([np.cos(angles), np.sin(angles)]) * far[:, None])
    if rng.random() < 0.5:
        _cut_out(texture, regular(size * inner * float(rng.uniform(0.3, 0.7)), 24))


def _compass(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """Four or eight long points over as many short ones, or halved lengthways into a dark and a light side."""
    points = int(rng.choice([4, 4, 8]))
    shallow = float(rng.uniform(0.2, 0.4))
    filled(texture, _pointed(points, size * float(rng.uniform(0.55, 0.75)), shallow, math.pi / points - math.pi / 2))
    long = _pointed(points, size, shallow * 0.8, -math.pi / 2)
    filled(texture, long)
    if rng.random() < 0.5:
        for number in range(points):
            half = np.vstack([[(0.0, 0.0)], long[2 * number : 2 * number + 2]])
            freed(texture, half * 0.92)


def _whirl(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """Bent rays that all turn the same way, round a disc."""
    count, bend = int(rng.integers(5, 10)), float(rng.choice([-1.0, 1.0])) * float(rng.uniform(0.3, 0.9))
    inner = float(rng.uniform(0.2, 0.4))
    filled(texture, regular(size * inner * 1.1, 24))
    shares = np.linspace(0, 1, 8)
    for number in range(count):
        middle = 2 * math.pi * number / count + bend * shares
        wide = math.pi / count * 0.8 * (1 - shares)
        far = (inner + (1 - inner) * shares) * size
        rim = [np.column_stack([np.cos(at) * far, np.sin(at) * far]) for at in (middle - wide, middle + wide)]
        filled(texture, np.vstack([rim[0], rim[1][::-1]]))


def _chevrons(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """One or two bent bars that point up."""
    rise, count = float(rng.uniform(0.5, 1.1)) * size, int(rng.integers(1, 3))
    thickness = int(rng.integers(5, 13))
    for shift in np.linspace(-0.3, 0.3, count) * size if count > 1 else (0.0,):
        bar = np.array([(-size * 0.8, shift + rise / 2), (0.0, shift - rise / 2), (size * 0.8, shift + rise / 2)])
        stroked(texture, bar, thickness)


def _arrowhead(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """An arrowhead that points up, as wide as high, with a notch below; leaning, hollow or carrying a star."""
    drawn(texture, rng, _arrow(rng, size))
    if rng.random() < 0.4:
        small = star(int(rng.integers(4, 6)), size * 0.3, size * 0.12)
        paint = 0 if texture[round(MIDDLE), round(MIDDLE)] else 255
        cv2.fillPoly(texture, [small], paint, cv2.LINE_AA, shift=4)


def _banded(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """An arrowhead within the line of a larger one, or cut through by a bar or down its middle."""
    outline = _arrow(rng, size)
    way = int(rng.integers(3))
    if way == 0:
        outlined(texture, outline, int(rng.integers(3, 6)))
        filled(texture, outline * float(rng.uniform(0.4, 0.65)))
        return
    filled(texture, outline)
    if way == 1:
        high = (float(rng.uniform(-0.1, 0.4)) + np.array([-1, -1, 1, 1]) * float(rng.uniform(0.05, 0.12))) * size
        freed(texture, np.column_stack([np.array([-1, 1, 1, -1]) * size, high]))
    else:
        freed(texture, np.array([(0.0, -size), (0.1 * size, size), (-0.1 * size, size)]))


def _sunrays(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """Lines all round, about a disc or about nothing."""
    inner = size * float(rng.uniform(0.2, 0.6))
    _rays(texture, rng, int(rng.integers(6, 17)), (inner, size))
    if rng.random() < 0.5:
        filled(texture, regular(inner * float(rng.uniform(0.5, 1.0)), 24))


def _crossed(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """Three to six lines that cross in the middle."""
    _rays(texture, rng, int(rng.integers(3, 7)) * 2, (0.0, size))


_ICONS: Final = 0.5
"""The share of signs that are icons, where there are any."""
_PLAIN: Final = 0.2
"""The share of signs that are the plain badge of the plain trays' dice (`effect`)."""
_PICTURED: Final = 0.5
"""The share of signs that are any picture: there are more makers than ways to draw a star."""
_FRAMED: Final = 0.4
"""The share of pictures that stand in a frame: a network that sees few takes them for a framed 1."""
WAYS: Final[dict[str, tuple[float, Draw]]] = {
    "star": (0.13, _star),
    "burst": (0.14, _burst),
    "ragged": (0.06, _ragged),
    "sun": (0.04, _sun),
    "cog": (0.02, _cog),
    "compass": (0.03, _compass),
    "whirl": (0.02, _whirl),
    "chevrons": (0.04, _chevrons),
    "arrowhead": (0.16, _arrowhead),
    "banded": (0.06, _banded),
    "sunrays": (0.05, _sunrays),
    "crossed": (0.03, _crossed),
}
"""The relative frequency and the drawing function of each way, by its name."""


def _pointed(points: int, far: float, inner: float, turn: float) -> Points:
    """A star's outline: tips `far` from the middle, the first one at `turn` from the right, notches `inner` as far."""
    angles = turn + math.pi * np.arange(2 * points) / points
    reach = np.tile([far, far * inner], points)
    outline: Points = np.column_stack([np.cos(angles), np.sin(angles)]) * reach[:, None]
    return outline


def _arrow(rng: np.random.Generator, size: float) -> Points:
    """The outline of an arrowhead that points up."""
    wide, notch = size * float(rng.uniform(0.5, 0.95)), size * float(rng.uniform(-0.1, 0.5))
    slant = float(rng.normal(0, 0.12)) * size
    tip, left, right = (slant, -size), (-wide, size * float(rng.uniform(0.6, 0.9))), (wide, size * 0.8)
    sides = []
    bulge = float(rng.uniform(-0.05, 0.2)) * size
    for start, end, way in ((left, tip, -1.0), (tip, right, 1.0)):
        shares = np.linspace(0, 1, 8)[:, None]
        line = np.array(start) + (np.array(end) - np.array(start)) * shares
        line[:, 0] += way * bulge * np.sin(math.pi * shares[:, 0])
        sides.append(line)
    return np.vstack([*sides, [(slant * 0.5, notch)]])


def _cut_out(texture: Mask, outline: Points) -> None:
    """Change what the outline encloses: free of ink where there is some in the middle of the face, inked where not."""
    paint = 0 if texture[round(MIDDLE), round(MIDDLE)] else 255
    cv2.fillPoly(texture, [in_pixels(outline)], paint, cv2.LINE_AA, shift=4)


def _rays(texture: Mask, rng: np.random.Generator, count: int, ends: tuple[float, float]) -> None:
    thickness = int(rng.integers(3, 8))
    turn = float(rng.uniform(0, 1))
    for number in range(count):
        angle = turn + 2 * math.pi * number / count
        way = np.array([math.cos(angle), math.sin(angle)])
        stroked(texture, np.array([way * ends[0], way * ends[1]]), thickness)
