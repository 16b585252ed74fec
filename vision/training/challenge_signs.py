"""Signs of Challenge Dice of any make: the emblems of their Effect, and the ways in which their 1 and 2 are set."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.training.drawing import (
    EDGE,
    MIDDLE,
    drawn,
    empty_texture,
    filled,
    in_pixels,
    outlined,
    regular,
    shrunk,
    stroked,
)
from vision.training.glyphs import Fonts, Hand, Mask, effect, numeral, star


def emblem(hand: Hand) -> Mask:
    """A Challenge Die's Effect of any make: a star, an arrowhead, a burst, rays; by the hand's design."""
    rng = np.random.default_rng(hand.design + 2)
    way = rng.random()
    if way < 0.38:
        return effect(hand)
    texture = empty_texture()
    size = float(rng.uniform(0.26, 0.42))
    if way < 0.52:
        _star(texture, rng, size)
    elif way < 0.58:
        _chevrons(texture, rng, size)
    elif way < 0.78:
        _arrowhead(texture, rng, size)
    elif way < 0.86:
        count = int(rng.integers(6, 17))
        inner = size * float(rng.uniform(0.2, 0.6))
        _rays(texture, rng, count, (inner, size))
        if rng.random() < 0.5:
            filled(texture, regular(inner * float(rng.uniform(0.5, 1.0)), 24))
    elif way < 0.95:
        count = int(rng.integers(6, 13))
        angles = 2 * math.pi * np.arange(2 * count) / (2 * count) + float(rng.uniform(0, 1))
        far = np.where(np.arange(2 * count) % 2 == 0, rng.uniform(0.75, 1.15, 2 * count), rng.uniform(0.35, 0.6))
        drawn(texture, rng, np.column_stack([np.cos(angles), np.sin(angles)]) * far[:, None] * size)
    else:
        _rays(texture, rng, int(rng.integers(3, 7)) * 2, (0.0, size))
    if rng.random() < 0.15:
        outlined(texture, regular(size * 1.15, 40), 3)
    return texture


def _arrowhead(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """An arrowhead that points up, as wide as high, with a notch below; leaning, hollow or carrying a star."""
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
    outline = np.vstack([*sides, [(slant * 0.5, notch)]])
    drawn(texture, rng, outline)
    if rng.random() < 0.4:
        small = star(int(rng.integers(4, 6)), size * 0.3, size * 0.12)
        paint = 0 if texture[round(MIDDLE), round(MIDDLE)] else 255
        cv2.fillPoly(texture, [small], paint, cv2.LINE_AA, shift=4)


def _star(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """A star of 4 to 12 points, sharp or blunt, filled or drawn, alone or with a smaller one in it."""
    points = int(rng.choice([4, 5, 5, 5, 6, 6, 7, 8, 8, 9, 10, 12]))
    inner = float(rng.uniform(0.25, 0.6 if points < 6 else 0.8))  # blunter ones of few points would be polygons
    turn = float(rng.choice([0.0, 0.0, math.pi / points, rng.uniform(0, 1)])) - math.pi / 2
    angles = turn + math.pi * np.arange(2 * points) / points
    outline = np.column_stack([np.cos(angles), np.sin(angles)]) * np.tile([size, size * inner], points)[:, None]
    drawn(texture, rng, outline)
    if rng.random() < 0.2:
        paint = 0 if texture[round(MIDDLE), round(MIDDLE)] else 255
        cv2.fillPoly(texture, [in_pixels(outline * inner * float(rng.uniform(0.5, 0.9)))], paint, cv2.LINE_AA, shift=4)


def _chevrons(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """One or two bent bars that point up."""
    rise, count = float(rng.uniform(0.5, 1.1)) * size, int(rng.integers(1, 3))
    thickness = int(rng.integers(5, 13))
    for shift in np.linspace(-0.3, 0.3, count) * size if count > 1 else (0.0,):
        bar = np.array([(-size * 0.8, shift + rise / 2), (0.0, shift - rise / 2), (size * 0.8, shift + rise / 2)])
        stroked(texture, bar, thickness)


def challenge_one_or_two(fonts: Fonts, hand: Hand, number: int) -> Mask:
    """A Challenge Die's 1 or 2 of any make: alone, underlined, framed or cut out of a badge, by the hand's design."""
    rng = np.random.default_rng(hand.design + 3)
    texture = numeral(fonts, hand, number, marked=False)
    way = rng.random()
    if way < 0.25:
        return texture
    if way < 0.3:
        low, wide = round(MIDDLE + (hand.height / 2 + 0.06) * EDGE), round(hand.height * 0.3 * EDGE)
        cv2.line(texture, (round(MIDDLE) - wide, low), (round(MIDDLE) + wide, low), 255, 4, cv2.LINE_AA)
        return texture
    texture = shrunk(texture, float(rng.uniform(0.6, 0.8)))
    reach = float(rng.uniform(0.33, 0.42))
    corners = int(rng.integers(3, 9))
    turn = float(rng.choice([0.0, math.pi / corners]))
    if way < 0.6:
        frame = regular(reach, corners if way < 0.47 else 40, turn)
    else:
        points = int(rng.integers(4, 11))
        frame = star(points, reach, reach * float(rng.uniform(0.6, 0.95))).astype(np.float64) / 16 / EDGE - 0.6
    if rng.random() < 0.08:
        badge = empty_texture()
        filled(badge, frame)
        return np.asarray(cv2.subtract(badge, texture), np.uint8)
    outlined(texture, frame, int(rng.integers(2, 5)))
    return texture


def _rays(texture: Mask, rng: np.random.Generator, count: int, ends: tuple[float, float]) -> None:
    thickness = int(rng.integers(3, 8))
    turn = float(rng.uniform(0, 1))
    for number in range(count):
        angle = turn + 2 * math.pi * number / count
        way = np.array([math.cos(angle), math.sin(angle)])
        stroked(texture, np.array([way * ends[0], way * ends[1]]), thickness)
