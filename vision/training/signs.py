"""Signs that cubes carry besides pips and numerals: emblems of Challenge Dice, and signs that belong to no known die.

Strange signs come in families. Those of `KEPT_BACK` are never taught: they tell how the reader meets a sign that it has
never seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.glyphs import TEXTURE_PIXELS, TEXTURE_REACH, Fonts, Hand, Mask, effect, numeral, star

EDGE: Final = TEXTURE_PIXELS / (2 * TEXTURE_REACH)
"""Pixels of a texture that span one edge of the face."""
_HALF: Final = TEXTURE_PIXELS / 2
_LETTERS: Final = "BCDFHJKNPQRTUXYacefknrtuxz&@#$%?+="
_SCRIPTS: Final = (
    *range(0x391, 0x3A2), *range(0x3B1, 0x3CA), *range(0x416, 0x430), *range(0x5D0, 0x5EB), *range(0x3041, 0x3094),
    *range(0x4E00, 0x4E80), *range(0x531, 0x557), *range(0x2200, 0x2240), *range(0x2654, 0x2667),
)  # fmt: skip
_NUMBERS: Final = (0, 7, 8, 10, 12, 14, 15, 16, 20, 32, 64)
_Points = NDArray[np.float64]


def emblem(hand: Hand) -> Mask:
    """A Challenge Die's Effect of any make: a star, an arrowhead, a burst, rays; by the hand's design."""
    rng = np.random.default_rng(hand.design + 2)
    way = rng.random()
    if way < 0.38:
        return effect(hand)
    texture = _empty()
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
            _filled(texture, _round(inner * float(rng.uniform(0.5, 1.0)), 24))
    elif way < 0.95:
        count = int(rng.integers(6, 13))
        angles = 2 * math.pi * np.arange(2 * count) / (2 * count) + float(rng.uniform(0, 1))
        far = np.where(np.arange(2 * count) % 2 == 0, rng.uniform(0.75, 1.15, 2 * count), rng.uniform(0.35, 0.6))
        _drawn(texture, rng, np.column_stack([np.cos(angles), np.sin(angles)]) * far[:, None] * size)
    else:
        _rays(texture, rng, int(rng.integers(3, 7)) * 2, (0.0, size))
    if rng.random() < 0.15:
        _outlined(texture, _round(size * 1.15, 40), 3)
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
    _drawn(texture, rng, outline)
    if rng.random() < 0.4:
        small = star(int(rng.integers(4, 6)), size * 0.3, size * 0.12)
        paint = 0 if texture[round(_HALF), round(_HALF)] else 255
        cv2.fillPoly(texture, [small], paint, cv2.LINE_AA, shift=4)


def _star(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """A star of 4 to 12 points, sharp or blunt, filled or drawn, alone or with a smaller one in it."""
    points = int(rng.choice([4, 5, 5, 5, 6, 6, 7, 8, 8, 9, 10, 12]))
    inner = float(rng.uniform(0.25, 0.6 if points < 6 else 0.8))  # blunter ones of few points would be polygons
    turn = float(rng.choice([0.0, 0.0, math.pi / points, rng.uniform(0, 1)])) - math.pi / 2
    angles = turn + math.pi * np.arange(2 * points) / points
    outline = np.column_stack([np.cos(angles), np.sin(angles)]) * np.tile([size, size * inner], points)[:, None]
    _drawn(texture, rng, outline)
    if rng.random() < 0.2:
        paint = 0 if texture[round(_HALF), round(_HALF)] else 255
        cv2.fillPoly(texture, [_pixels(outline * inner * float(rng.uniform(0.5, 0.9)))], paint, cv2.LINE_AA, shift=4)


def _chevrons(texture: Mask, rng: np.random.Generator, size: float) -> None:
    """One or two bent bars that point up."""
    rise, count = float(rng.uniform(0.5, 1.1)) * size, int(rng.integers(1, 3))
    thickness = int(rng.integers(5, 13))
    for shift in np.linspace(-0.3, 0.3, count) * size if count > 1 else (0.0,):
        bar = np.array([(-size * 0.8, shift + rise / 2), (0.0, shift - rise / 2), (size * 0.8, shift + rise / 2)])
        _line(texture, bar, thickness)


def challenge_one_or_two(fonts: Fonts, hand: Hand, number: int) -> Mask:
    """A Challenge Die's 1 or 2 of any make: alone, underlined, framed or cut out of a badge, by the hand's design."""
    rng = np.random.default_rng(hand.design + 3)
    texture = numeral(fonts, hand, number, marked=False)
    way = rng.random()
    if way < 0.25:
        return texture
    if way < 0.3:
        low, wide = round(_HALF + (hand.height / 2 + 0.06) * EDGE), round(hand.height * 0.3 * EDGE)
        cv2.line(texture, (round(_HALF) - wide, low), (round(_HALF) + wide, low), 255, 4, cv2.LINE_AA)
        return texture
    texture = _shrunk(texture, float(rng.uniform(0.6, 0.8)))
    reach = float(rng.uniform(0.33, 0.42))
    corners = int(rng.integers(3, 9))
    turn = float(rng.choice([0.0, math.pi / corners]))
    if way < 0.6:
        frame = _round(reach, corners if way < 0.47 else 40, turn)
    else:
        points = int(rng.integers(4, 11))
        frame = star(points, reach, reach * float(rng.uniform(0.6, 0.95))).astype(np.float64) / 16 / EDGE - 0.6
    if rng.random() < 0.08:
        badge = _empty()
        _filled(badge, frame)
        return np.asarray(cv2.subtract(badge, texture), np.uint8)
    _outlined(texture, frame, int(rng.integers(2, 5)))
    return texture


def strange(family: str, rng: np.random.Generator, fonts: Fonts, hand: Hand) -> Mask:
    """A sign of one of the `TAUGHT` or `KEPT_BACK` families, drawn at random."""
    texture = FAMILIES[family](rng, fonts, hand)
    return texture if np.count_nonzero(texture > 100) > 60 else _crowd(rng, fonts, hand)


def _letter(rng: np.random.Generator, fonts: Fonts, hand: Hand) -> Mask:
    return _written(fonts, hand, _LETTERS[int(rng.integers(len(_LETTERS)))])


def _script(rng: np.random.Generator, fonts: Fonts, hand: Hand) -> Mask:
    """A letter or sign of another script where a font file has it; fonts draw a box for what they lack."""
    if len(fonts) > 4 and hand.font >= 4:
        return _written(fonts, hand, chr(_SCRIPTS[int(rng.integers(len(_SCRIPTS)))]))
    return _letter(rng, fonts, hand)


def _number(rng: np.random.Generator, fonts: Fonts, hand: Hand) -> Mask:
    return numeral(fonts, hand, int(_NUMBERS[int(rng.integers(len(_NUMBERS)))]), marked=False)


def _polygon(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    texture = _empty()
    count = int(rng.integers(3, 8))
    if rng.random() < 0.5:
        corners = _round(float(rng.uniform(0.2, 0.4)), count, float(rng.uniform(0, 1)))
        corners *= rng.uniform(0.6, 1.0, 2)
    else:
        corners = rng.uniform(-0.36, 0.36, (count, 2))
    _drawn(texture, rng, corners)
    return texture


def _strokes(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """A few bent strokes, as in a letter of no alphabet."""
    texture = _empty()
    thickness = int(rng.integers(4, 13))
    for _ in range(int(rng.integers(2, 6))):
        ends = rng.uniform(-0.36, 0.36, (3, 2))
        if rng.random() < 0.5:
            ends[1] = (ends[0] + ends[2]) / 2
        if rng.random() < 0.4:
            ends[2] = ends[0] * rng.choice([-1.0, 1.0], 2)
        share = np.linspace(0, 1, 12)[:, None]
        _line(texture, (1 - share) ** 2 * ends[0] + 2 * share * (1 - share) * ends[1] + share**2 * ends[2], thickness)
    return texture


def _blob(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """A silhouette of soft waves, often its own mirror image, with holes."""
    texture = _empty()
    angles = np.linspace(-math.pi, math.pi, 72, endpoint=False)
    mirrored = rng.random() < 0.6
    far = np.ones(72)
    for wave in range(1, 7):
        far += float(rng.normal(0, 0.5 / wave)) * np.cos(wave * angles)
        far += 0.0 if mirrored else float(rng.normal(0, 0.4 / wave)) * np.sin(wave * angles)
    far = np.clip(far, 0.15, None)
    outline = np.column_stack([np.sin(angles), np.cos(angles)]) * far[:, None]
    _drawn(texture, rng, outline / np.abs(outline).max() * float(rng.uniform(0.25, 0.42)))
    for _ in range(int(rng.integers(0, 4))):
        spot = rng.uniform(-0.2, 0.2, 2)
        for side in (-1.0, 1.0) if mirrored else (1.0,):
            hole = _round(float(rng.uniform(0.03, 0.09)), 20) + spot * (side, 1.0)
            cv2.fillPoly(texture, [_pixels(hole)], 0, cv2.LINE_AA, shift=4)
    return texture


def _crowd(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """Dots, squares or dashes in a pattern of no die's pips."""
    texture = _empty()
    size = float(rng.uniform(0.04, 0.09))
    corners = int(rng.choice([3, 4, 20]))
    count = int(rng.integers(2, 10))
    way = rng.random()
    if way < 0.4:
        spots = [_round(float(rng.uniform(0.18, 0.33)), max(3, count), float(rng.uniform(0, 3)))]
        if len(spots[0]) == 4:
            spots = [np.vstack([spots[0], [(0.0, 0.15)]])]
    elif way < 0.7:
        grid = np.array([(x, y) for x in (-0.24, 0, 0.24) for y in (-0.24, 0, 0.24)])
        spots = [grid[rng.permutation(9)[: int(rng.integers(7, 10))]]]
    else:
        line = np.linspace(-0.28, 0.28, max(2, min(5, count)))
        spots = [np.column_stack([line, np.full(len(line), shift)]) for shift in rng.uniform(-0.25, 0.25, 2)]
    for spot in np.vstack(spots):
        _filled(texture, _round(size, corners) + spot)
    return texture


def _shape(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """A heart, cross, ring, crescent, arrow, bar or target."""
    texture = _empty()
    size = float(rng.uniform(0.22, 0.4))
    way = int(rng.integers(7))
    angles = np.linspace(0, 2 * math.pi, 40, endpoint=False)
    if way == 0:
        wave = 13 * np.cos(angles) - 5 * np.cos(2 * angles) - 2 * np.cos(3 * angles) - np.cos(4 * angles)
        _drawn(texture, rng, np.column_stack([np.sin(angles) ** 3, -wave / 16]) * size)
    elif way == 1:
        arm = float(rng.uniform(0.12, 0.4)) * size
        for turn in (0.0, math.pi / 2):
            _filled(texture, _turned(np.array([(-size, -arm), (size, -arm), (size, arm), (-size, arm)]), turn))
    elif way == 2:
        _outlined(texture, _round(size, 40), int(rng.integers(4, 16)))
    elif way == 3:
        _filled(texture, _round(size, 40))
        away = _round(size * float(rng.uniform(0.7, 0.95)), 40) + np.array([size * float(rng.uniform(0.3, 0.6)), 0.0])
        cv2.fillPoly(texture, [_pixels(away)], 0, cv2.LINE_AA, shift=4)
    elif way == 4:
        head, shaft = float(rng.uniform(0.3, 0.7)) * size, float(rng.uniform(0.1, 0.3)) * size
        tip = [(0.0, -size), (head, -size + head), (shaft, -size + head), (shaft, size)]
        _drawn(texture, rng, np.array([*tip, *((-x, y) for x, y in tip[:0:-1])]))
    elif way == 5:
        thick = float(rng.uniform(0.15, 0.4)) * size
        for down in (-0.5, 0.5) if rng.random() < 0.5 else (0.0,):
            bar = np.array([(-size, -thick / 2), (size, -thick / 2), (size, thick / 2), (-size, thick / 2)])
            _filled(texture, bar + np.array([0.0, down * size]))
    else:
        for share in (1.0, float(rng.uniform(0.4, 0.7))):
            _outlined(texture, _round(size * share, 40), int(rng.integers(3, 7)))
    return texture


def _zigzag(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """A line that goes to and fro more often than in any numeral, or a wave."""
    texture = _empty()
    size, count = float(rng.uniform(0.24, 0.38)), int(rng.integers(6, 9))
    wide = np.resize([-1.0, 1.0], count) * rng.uniform(0.3, 1.0, count) * float(rng.uniform(0.4, 1.0))
    path = np.column_stack([wide, np.linspace(-1, 1, count) + rng.normal(0, 0.12, count)]) * size
    path = _turned(path, float(rng.choice([0.0, math.pi / 2, rng.uniform(0, 3)])))
    if rng.random() < 0.3:
        share = np.linspace(0, 1, 60)
        wave = np.sin(share * math.pi * count + float(rng.uniform(0, 2)))
        path = _turned(np.column_stack([wave * float(rng.uniform(0.2, 0.8)), 2 * share - 1]) * size, rng.uniform(0, 3))
    _line(texture, path, int(rng.integers(4, 14)))
    return texture


def _curl(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """A hook: a line that bends more and more, by half a turn to three quarters; further it would be a 6."""
    texture = _empty()
    share = np.linspace(0, 1, 60)
    angles = share ** float(rng.uniform(0.6, 2.0)) * float(rng.uniform(3.0, 4.6)) + float(rng.uniform(0, 6))
    spots = np.column_stack([np.cos(angles) * float(rng.uniform(0.6, 1.0)), np.sin(angles)])
    spots *= (1 - share * float(rng.uniform(0.0, 0.6)))[:, None]
    spots -= (spots.min(axis=0) + spots.max(axis=0)) / 2
    _line(texture, spots / np.abs(spots).max() * float(rng.uniform(0.2, 0.36)), int(rng.integers(4, 13)))
    return texture


def _pair(rng: np.random.Generator, fonts: Fonts, hand: Hand) -> Mask:
    """Two signs on one face: beside each other, or one within the other."""
    one, other = (strange(str(rng.choice(_SINGLE)), rng, fonts, hand) for _ in range(2))
    share = float(rng.uniform(0.45, 0.6))
    small, little = _shrunk(one, share), _shrunk(other, share)
    if rng.random() < 0.3:
        return np.maximum(_shrunk(one, 0.45), np.asarray(cv2.Canny(other, 60, 120), np.uint8))
    way = round(0.2 * EDGE)
    joined: Mask = np.maximum(np.roll(small, -way, axis=1), np.roll(little, way, axis=1))
    return joined


def _pictogram(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """A skull, sword, shield, eye, drop, hourglass, bolt, key or anchor."""
    texture = _empty()
    size = float(rng.uniform(0.26, 0.4))
    way = int(rng.integers(9))
    if way == 0:
        _filled(texture, _round(size * 0.75, 30) - (0, size * 0.2))
        _filled(texture, np.array([(-0.35, 0.3), (0.35, 0.3), (0.3, 0.9), (-0.3, 0.9)]) * size)
        for spot in ((-0.3, -0.2), (0.3, -0.2), (0.0, 0.15)):
            hole = _round(size * 0.17, 16) + np.array(spot) * size
            cv2.fillPoly(texture, [_pixels(hole)], 0, cv2.LINE_AA, shift=4)
    elif way == 1:
        _filled(texture, np.array([(0, -1), (0.12, -0.8), (0.12, 0.4), (-0.12, 0.4), (-0.12, -0.8)]) * size)
        _filled(texture, np.array([(-0.5, 0.4), (0.5, 0.4), (0.5, 0.55), (-0.5, 0.55)]) * size)
        _filled(texture, np.array([(-0.1, 0.5), (0.1, 0.5), (0.1, 1), (-0.1, 1)]) * size)
    elif way == 2:
        _drawn(texture, rng, np.array([(-0.8, -0.9), (0.8, -0.9), (0.75, 0.1), (0, 1), (-0.75, 0.1)]) * size)
    elif way == 3:
        across = np.linspace(-1, 1, 20)
        lid = 0.55 * (1 - across**2)
        _outlined(texture, np.vstack([np.column_stack([across, lid]), np.column_stack([across, -lid])[::-1]]) * size, 5)
        _filled(texture, _round(size * 0.3, 20))
    elif way == 4:
        angles = np.linspace(0.3, 2 * math.pi - 0.3, 30)
        rim = np.column_stack([np.sin(angles) * 0.6, -np.cos(angles) * 0.6 + 0.3])
        _drawn(texture, rng, np.vstack([rim, [(0, -1)]]) * size)
    elif way == 5:
        _drawn(texture, rng, np.array([(-0.7, -1), (0.7, -1), (0.06, 0), (0.7, 1), (-0.7, 1), (-0.06, 0)]) * size)
    elif way == 6:
        bolt = [(0.3, -1), (-0.6, 0.1), (-0.05, 0.1), (-0.3, 1), (0.6, -0.2), (0.05, -0.2)]
        _drawn(texture, rng, np.array(bolt) * size)
    else:
        _tool(texture, size, key=way == 7)
    return texture


def _tool(texture: Mask, size: float, *, key: bool) -> None:
    """A key or an anchor."""
    if key:
        _outlined(texture, _round(size * 0.35, 24) - (0, size * 0.6), 6)
        _line(texture, np.array([(0, -0.25), (0, 0.95)]) * size, 6)
        for down in (0.6, 0.9):
            _line(texture, np.array([(0, down), (0.4, down)]) * size, 5)
    else:
        _outlined(texture, _round(size * 0.2, 20) - (0, size * 0.8), 5)
        _line(texture, np.array([(0, -0.6), (0, 0.9)]) * size, 6)
        _line(texture, np.array([(-0.4, -0.35), (0.4, -0.35)]) * size, 5)
        angles = np.linspace(0.2, math.pi - 0.2, 16)
        _line(texture, np.column_stack([np.cos(angles), np.sin(angles) * 0.7 + 0.2]) * size, 6)


def _knot(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """A closed curve that crosses itself, or a spiral."""
    texture = _empty()
    size, thickness = float(rng.uniform(0.25, 0.38)), int(rng.integers(4, 9))
    angles = np.linspace(0, 2 * math.pi, 120)
    if rng.random() < 0.3:
        far = np.linspace(0.1, 1, 120)[:, None]
        turns = float(rng.uniform(1.5, 3.5))
        _line(texture, np.column_stack([np.cos(angles * turns), np.sin(angles * turns)]) * far * size, thickness)
        return texture
    one, other = ((1, 2), (2, 3), (3, 2), (1, 3), (3, 4))[int(rng.integers(5))]
    shift = float(rng.uniform(0.3, 1.3))
    _line(texture, np.column_stack([np.sin(one * angles + shift), np.sin(other * angles)]) * size, thickness)
    return texture


def _lattice(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """Bars, a grid, a chequer or a piece of a maze."""
    texture = _empty()
    cells = int(rng.integers(3, 6))
    size = float(rng.uniform(0.26, 0.38))
    step = 2 * size / cells
    way = rng.random()
    if way < 0.4:
        kept = rng.random((cells, cells)) < 0.5
        for row, column in zip(*np.nonzero(kept), strict=True):
            low = np.array([column, row]) * step - size
            _filled(texture, low + np.array([(0, 0), (step, 0), (step, step), (0, step)]))
        return texture
    for at in np.arange(cells + (way > 0.7)) * step - size:
        _line(texture, np.array([(at, -size), (at, size)]), 4)
        if way > 0.7:
            _line(texture, np.array([(-size, at), (size, at)]), 4)
    return texture


FAMILIES: Final[dict[str, Callable[[np.random.Generator, Fonts, Hand], Mask]]] = {
    "letter": _letter,
    "script": _script,
    "number": _number,
    "polygon": _polygon,
    "strokes": _strokes,
    "blob": _blob,
    "crowd": _crowd,
    "shape": _shape,
    "zigzag": _zigzag,
    "curl": _curl,
    "pair": _pair,
    "pictogram": _pictogram,
    "knot": _knot,
    "lattice": _lattice,
}
TAUGHT: Final = (
    "letter", "script", "number", "polygon", "strokes", "blob", "crowd", "shape", "zigzag", "curl", "pair",
)  # fmt: skip
KEPT_BACK: Final = ("pictogram", "knot", "lattice")
_SINGLE: Final[Sequence[str]] = TAUGHT[:-1]


def _empty() -> Mask:
    return np.zeros((TEXTURE_PIXELS, TEXTURE_PIXELS), np.uint8)


def _round(reach: float, corners: int, turn: float = 0.0) -> _Points:
    """A regular polygon round the middle, in edge lengths."""
    angles = turn - math.pi / 2 + 2 * math.pi * np.arange(corners) / corners
    return np.column_stack([np.cos(angles), np.sin(angles)]) * reach


def _turned(points: _Points, turn: float) -> _Points:
    cosine, sine = math.cos(turn), math.sin(turn)
    result: _Points = points @ np.array([[cosine, sine], [-sine, cosine]])
    return result


def _pixels(points: _Points) -> NDArray[np.int32]:
    """Points in edge lengths from the middle as texture pixels times 16."""
    return np.round((points * EDGE + _HALF) * 16).astype(np.int32)


def _filled(texture: Mask, outline: _Points) -> None:
    cv2.fillPoly(texture, [_pixels(outline)], 255, cv2.LINE_AA, shift=4)


def _outlined(texture: Mask, outline: _Points, thickness: int) -> None:
    cv2.polylines(
        texture, [_pixels(outline)], isClosed=True, color=255, thickness=thickness, lineType=cv2.LINE_AA, shift=4
    )


def _line(texture: Mask, path: _Points, thickness: int) -> None:
    cv2.polylines(
        texture, [_pixels(path)], isClosed=False, color=255, thickness=thickness, lineType=cv2.LINE_AA, shift=4
    )


def _drawn(texture: Mask, rng: np.random.Generator, outline: _Points) -> None:
    """The outline filled, or (two in five) drawn."""
    if rng.random() < 0.6:
        _filled(texture, outline)
    else:
        _outlined(texture, outline, int(rng.integers(3, 8)))


def _rays(texture: Mask, rng: np.random.Generator, count: int, ends: tuple[float, float]) -> None:
    thickness = int(rng.integers(3, 8))
    turn = float(rng.uniform(0, 1))
    for number in range(count):
        angle = turn + 2 * math.pi * number / count
        way = np.array([math.cos(angle), math.sin(angle)])
        _line(texture, np.array([way * ends[0], way * ends[1]]), thickness)


def _written(fonts: Fonts, hand: Hand, text: str) -> Mask:
    """`text` as high as the hand's numerals, no wider than the face."""
    try:
        shape = fonts.mask(hand.font, text, hand.weight)
    except IndexError:  # the font draws nothing at all for it
        return _empty()
    height = hand.height * EDGE
    width = min(height / shape.shape[0] * shape.shape[1] * hand.stretch, 0.7 * EDGE)
    small = cv2.resize(shape, (max(2, round(width)), max(4, round(height))), interpolation=cv2.INTER_AREA)
    texture = _empty()
    top, left = (TEXTURE_PIXELS - small.shape[0]) // 2, (TEXTURE_PIXELS - small.shape[1]) // 2
    texture[top : top + small.shape[0], left : left + small.shape[1]] = small
    return texture


def _shrunk(texture: Mask, share: float) -> Mask:
    """The texture smaller, in the middle of an empty one."""
    about = np.array([[share, 0, _HALF * (1 - share)], [0, share, _HALF * (1 - share)]])
    size = (TEXTURE_PIXELS, TEXTURE_PIXELS)
    return np.asarray(cv2.warpAffine(texture, about, size, flags=cv2.INTER_AREA), np.uint8)
