"""Signs that belong to no known die, in families.

Those of `KEPT_BACK` are never used for training: they measure how the reader handles a sign that it has never seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import cv2
import numpy as np

from vision.training.drawing import (
    EDGE,
    Points,
    empty_texture,
    filled,
    outlined,
    regular,
    shrunk,
    stroked,
)
from vision.training.glyphs import TEXTURE_PIXELS, Fonts, Hand, Mask, numeral
from vision.training.pictograms import picture

_LETTERS: Final = "BCDFHJKNPQRTUXYacefknrtuxz&@#$%?+="
"""Letters and signs of a keyboard that are unlike numerals."""
_SCRIPTS: Final = (
    *range(0x391, 0x3A2), *range(0x3B1, 0x3CA), *range(0x416, 0x430), *range(0x5D0, 0x5EB), *range(0x3041, 0x3094),
    *range(0x4E00, 0x4E80), *range(0x531, 0x557), *range(0x2200, 0x2240),
)  # fmt: skip
"""Code points of Greek, Cyrillic, Hebrew, Hiragana, Chinese and Armenian letters, and of mathematical signs."""
_NUMBERS: Final = (0, 7, 8, 10, 12, 14, 15, 16, 20, 32, 64)
"""Numbers that no face of a d6 or a Challenge Die shows."""


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


def _strokes(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """A few bent strokes, as in a letter of no alphabet."""
    texture = empty_texture()
    thickness = int(rng.integers(4, 13))
    for _ in range(int(rng.integers(2, 6))):
        ends = rng.uniform(-0.36, 0.36, (3, 2))
        if rng.random() < 0.5:
            ends[1] = (ends[0] + ends[2]) / 2
        if rng.random() < 0.4:
            ends[2] = ends[0] * rng.choice([-1.0, 1.0], 2)
        share = np.linspace(0, 1, 12)[:, None]
        stroked(texture, (1 - share) ** 2 * ends[0] + 2 * share * (1 - share) * ends[1] + share**2 * ends[2], thickness)
    return texture


def _crowd(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """Dots, squares or dashes in a pattern of no die's pips."""
    texture = empty_texture()
    size = float(rng.uniform(0.04, 0.09))
    corners = int(rng.choice([3, 4, 20]))
    count = int(rng.integers(2, 10))
    way = rng.random()
    if way < 0.4:
        spots = [regular(float(rng.uniform(0.18, 0.33)), max(3, count), float(rng.uniform(0, 3)))]
        if len(spots[0]) == 4:
            spots = [np.vstack([spots[0], [(0.0, 0.15)]])]
    elif way < 0.7:
        grid = np.array([(x, y) for x in (-0.24, 0, 0.24) for y in (-0.24, 0, 0.24)])
        spots = [grid[rng.permutation(9)[: int(rng.integers(7, 10))]]]
    else:
        line = np.linspace(-0.28, 0.28, max(2, min(5, count)))
        spots = [np.column_stack([line, np.full(len(line), shift)]) for shift in rng.uniform(-0.25, 0.25, 2)]
    for spot in np.vstack(spots):
        filled(texture, regular(size, corners) + spot)
    return texture


def _shape(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """A ring, a bar, two bars or a target: marks of tallies and scales."""
    texture = empty_texture()
    size = float(rng.uniform(0.22, 0.4))
    way = int(rng.integers(3))
    if way == 0:
        outlined(texture, regular(size, 40), int(rng.integers(4, 16)))
    elif way == 1:
        thick = float(rng.uniform(0.15, 0.4)) * size
        for down in (-0.5, 0.5) if rng.random() < 0.5 else (0.0,):
            bar = np.array([(-size, -thick / 2), (size, -thick / 2), (size, thick / 2), (-size, thick / 2)])
            filled(texture, bar + np.array([0.0, down * size]))
    else:
        for share in (1.0, float(rng.uniform(0.4, 0.7))):
            outlined(texture, regular(size * share, 40), int(rng.integers(3, 7)))
    return texture


def _picture(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """One of the pictures that makers of Challenge Dice may have for an Effect, here with another on each face."""
    return picture(rng)


def _zigzag(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """A line that goes to and fro more often than in any numeral, or a wave."""
    texture = empty_texture()
    size, count = float(rng.uniform(0.24, 0.38)), int(rng.integers(6, 9))
    wide = np.resize([-1.0, 1.0], count) * rng.uniform(0.3, 1.0, count) * float(rng.uniform(0.4, 1.0))
    path = np.column_stack([wide, np.linspace(-1, 1, count) + rng.normal(0, 0.12, count)]) * size
    path = _turned(path, float(rng.choice([0.0, math.pi / 2, rng.uniform(0, 3)])))
    if rng.random() < 0.3:
        share = np.linspace(0, 1, 60)
        wave = np.sin(share * math.pi * count + float(rng.uniform(0, 2)))
        path = _turned(np.column_stack([wave * float(rng.uniform(0.2, 0.8)), 2 * share - 1]) * size, rng.uniform(0, 3))
    stroked(texture, path, int(rng.integers(4, 14)))
    return texture


def _curl(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """A hook: a line that bends more and more, by half a turn to three quarters; further it would be a 6."""
    texture = empty_texture()
    share = np.linspace(0, 1, 60)
    angles = share ** float(rng.uniform(0.6, 2.0)) * float(rng.uniform(3.0, 4.6)) + float(rng.uniform(0, 6))
    spots = np.column_stack([np.cos(angles) * float(rng.uniform(0.6, 1.0)), np.sin(angles)])
    spots *= (1 - share * float(rng.uniform(0.0, 0.6)))[:, None]
    spots -= (spots.min(axis=0) + spots.max(axis=0)) / 2
    stroked(texture, spots / np.abs(spots).max() * float(rng.uniform(0.2, 0.36)), int(rng.integers(4, 13)))
    return texture


def _pair(rng: np.random.Generator, fonts: Fonts, hand: Hand) -> Mask:
    """Two signs on one face: beside each other, or one within the other."""
    one, other = (strange(str(rng.choice(_SINGLE)), rng, fonts, hand) for _ in range(2))
    share = float(rng.uniform(0.45, 0.6))
    small, little = shrunk(one, share), shrunk(other, share)
    if rng.random() < 0.3:
        return np.maximum(shrunk(one, 0.45), np.asarray(cv2.Canny(other, 60, 120), np.uint8))
    way = round(0.2 * EDGE)
    joined: Mask = np.maximum(np.roll(small, -way, axis=1), np.roll(little, way, axis=1))
    return joined


def _knot(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """A closed curve that crosses itself, or a spiral."""
    texture = empty_texture()
    size, thickness = float(rng.uniform(0.25, 0.38)), int(rng.integers(4, 9))
    angles = np.linspace(0, 2 * math.pi, 120)
    if rng.random() < 0.3:
        far = np.linspace(0.1, 1, 120)[:, None]
        turns = float(rng.uniform(1.5, 3.5))
        stroked(texture, np.column_stack([np.cos(angles * turns), np.sin(angles * turns)]) * far * size, thickness)
        return texture
    one, other = ((1, 2), (2, 3), (3, 2), (1, 3), (3, 4))[int(rng.integers(5))]
    shift = float(rng.uniform(0.3, 1.3))
    stroked(texture, np.column_stack([np.sin(one * angles + shift), np.sin(other * angles)]) * size, thickness)
    return texture


def _lattice(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """Bars, a grid, a chequer or a piece of a maze."""
    texture = empty_texture()
    cells = int(rng.integers(3, 6))
    size = float(rng.uniform(0.26, 0.38))
    step = 2 * size / cells
    way = rng.random()
    if way < 0.4:
        kept = rng.random((cells, cells)) < 0.5
        for row, column in zip(*np.nonzero(kept), strict=True):
            low = np.array([column, row]) * step - size
            filled(texture, low + np.array([(0, 0), (step, 0), (step, step), (0, step)]))
        return texture
    for at in np.arange(cells + (way > 0.7)) * step - size:
        stroked(texture, np.array([(at, -size), (at, size)]), 4)
        if way > 0.7:
            stroked(texture, np.array([(-size, at), (size, at)]), 4)
    return texture


def _rune(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """A stave with straight twigs, as runes have."""
    texture = empty_texture()
    size, thickness = float(rng.uniform(0.26, 0.38)), int(rng.integers(4, 9))
    aside = float(rng.choice([0.0, -0.35, 0.35]))
    stroked(texture, np.array([(aside, -1.0), (aside, 1.0)]) * size, thickness)
    for start in rng.choice([-1.0, -0.5, 0.0, 0.5], int(rng.integers(1, 4)), replace=False):
        end = (aside + float(rng.choice([-0.7, 0.7])), start + float(rng.choice([-0.5, 0.5])))
        stroked(texture, np.array([(aside, start), end]) * size, thickness)
    return texture


def _orbit(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """Rings seen aslant, with discs in or on them."""
    texture = empty_texture()
    size = float(rng.uniform(0.28, 0.4))
    for turn in rng.uniform(0, math.pi, int(rng.integers(1, 4))):
        ring = _turned(regular(size, 40) * (1.0, float(rng.uniform(0.25, 0.6))), turn)
        outlined(texture, ring, int(rng.integers(3, 6)))
        filled(texture, regular(size * float(rng.uniform(0.1, 0.25)), 20) + ring[int(rng.integers(40))])
    if rng.random() < 0.5:
        filled(texture, regular(size * float(rng.uniform(0.2, 0.45)), 24))
    return texture


def _plant(rng: np.random.Generator, _fonts: Fonts, _hand: Hand) -> Mask:
    """A stem with leaves by pairs, or a flower of round petals."""
    texture = empty_texture()
    size = float(rng.uniform(0.28, 0.4))
    leaf = regular(size, 24) * (float(rng.uniform(0.12, 0.22)), float(rng.uniform(0.3, 0.45)))
    if rng.random() < 0.5:
        stroked(texture, np.array([(0.0, -size * 0.6), (0.0, size)]), int(rng.integers(3, 7)))
        for high in np.linspace(-0.4, 0.6, int(rng.integers(2, 4))) * size:
            for turn in (-1.0, 1.0):
                filled(texture, _turned(leaf, turn) + np.array([turn * size * 0.3, high - size * 0.15]))
        return texture
    count = int(rng.integers(3, 6))
    for number in range(count):
        turn = 2 * math.pi * number / count
        filled(texture, _turned(leaf - (0.0, size * 0.55), turn))
    return texture


FAMILIES: Final[dict[str, Callable[[np.random.Generator, Fonts, Hand], Mask]]] = {
    "letter": _letter,
    "script": _script,
    "number": _number,
    "strokes": _strokes,
    "crowd": _crowd,
    "shape": _shape,
    "zigzag": _zigzag,
    "curl": _curl,
    "pair": _pair,
    "picture": _picture,
    "knot": _knot,
    "lattice": _lattice,
    "rune": _rune,
    "orbit": _orbit,
    "plant": _plant,
}
"""How a sign of each family is drawn, by the family's name."""
TAUGHT: Final = (
    "letter", "script", "number", "strokes", "crowd", "shape", "zigzag", "curl", "knot", "pair", "picture",
)  # fmt: skip
"""The families that the networks are taught with."""
KEPT_BACK: Final = ("lattice", "rune", "orbit", "plant")
"""The families that no network ever sees: they measure how the reader handles strange signs."""
_SINGLE: Final[Sequence[str]] = tuple(name for name in TAUGHT if name != "pair")
"""The taught families of one sign, of which a pair is made."""


def _turned(points: Points, turn: float) -> Points:
    cosine, sine = math.cos(turn), math.sin(turn)
    result: Points = points @ np.array([[cosine, sine], [-sine, cosine]])
    return result


def _written(fonts: Fonts, hand: Hand, text: str) -> Mask:
    """`text` as high as the hand's numerals, no wider than the face."""
    try:
        shape = fonts.mask(hand.font, text, hand.weight)
    except IndexError:  # the font draws nothing at all for it
        return empty_texture()
    height = hand.height * EDGE
    width = min(height / shape.shape[0] * shape.shape[1] * hand.stretch, 0.7 * EDGE)
    small = cv2.resize(shape, (max(2, round(width)), max(4, round(height))), interpolation=cv2.INTER_AREA)
    texture = empty_texture()
    top, left = (TEXTURE_PIXELS - small.shape[0]) // 2, (TEXTURE_PIXELS - small.shape[1]) // 2
    texture[top : top + small.shape[0], left : left + small.shape[1]] = small
    return texture
