"""What the faces of a path-traced die carry: numerals, pips and signs, drawn by Pillow as masks of ink."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from rules.dice import DieKind, Face, Symbol
from vision.geometry import Solid, common_layout, cube, icosahedron, other_solids

CELL: Final = 256
"""The side of one face's mask in pixels; a face's middle is the mask's."""
Ink = NDArray[np.uint8]

_PIPS: Final = {
    1: ("c",),
    2: ("nw", "se"),
    3: ("nw", "c", "se"),
    4: ("nw", "ne", "sw", "se"),
    5: ("nw", "ne", "c", "sw", "se"),
    6: ("nw", "ne", "w", "e", "sw", "se"),
}
_PLACES: Final = {"c": (0, 0), "nw": (-1, -1), "ne": (1, -1), "w": (-1, 0), "e": (1, 0), "sw": (-1, 1), "se": (1, 1)}
_CHALLENGE: Final[tuple[Face, ...]] = (1, 2, Symbol.BLANK, Symbol.BLANK, Symbol.EFFECT, Symbol.EFFECT)


@dataclass(frozen=True)
class LetteredDie:
    """A die and what is on it.

    `kind` is None for dice that are not read; `values` and `masks` go by the solid's faces; `corners` says to which
    corner of the face (edge, on a cube) the mask's top points.
    """

    kind: DieKind | None
    solid: Solid
    values: tuple[Face | None, ...]
    masks: tuple[Ink, ...]
    corners: tuple[int, ...]


def lettered(rng: np.random.Generator, kind: DieKind | None, fonts: list[Path]) -> LetteredDie:
    """A die of the kind (None: a d4, d8, d10 or d12) in one hand, drawn at random."""
    font = ImageFont.truetype(str(fonts[int(rng.integers(len(fonts)))]), 160)
    if kind is DieKind.D20:
        return _d20(rng, font)
    if kind is None:
        solid = other_solids()[int(rng.integers(len(other_solids())))]
        count = len(solid.faces)
        masks = tuple(numeral(font, n + 1, 0.34, "none") for n in range(count))
        return LetteredDie(None, solid, (None,) * count, masks, (0,) * count)
    values = list(_CHALLENGE) if kind is DieKind.CHALLENGE else [1, 2, 3, 4, 5, 6]
    order = rng.permutation(6) if kind is DieKind.CHALLENGE else _opposed(cube())
    faces: tuple[Face, ...] = tuple(values[int(i)] for i in order)
    masks = _cube_masks(rng, kind, faces, font)
    return LetteredDie(kind, cube(), faces, masks, tuple(int(c) for c in rng.integers(0, 4, 6)))


def _opposed(solid: Solid) -> list[int]:
    """Which of the values 1 to 6 (counted from 0) stands on each face of a cube, so that opposite ones make seven."""
    order, left = [-1] * 6, [0, 1, 2]
    for face in range(6):
        if order[face] < 0:
            low = left.pop()
            order[face] = low
            order[int(np.argmin(solid.normals @ solid.normals[face]))] = 5 - low
    return order


def _d20(rng: np.random.Generator, font: ImageFont.FreeTypeFont) -> LetteredDie:
    numbers = common_layout(mirrored=bool(rng.random() < 0.4))
    size, mark = float(rng.uniform(0.26, 0.4)), str(rng.choice(["dot", "line"]))
    masks = tuple(numeral(font, n, size, mark if n in {6, 9} else "none") for n in numbers)
    return LetteredDie(DieKind.D20, icosahedron(), numbers, masks, tuple(int(c) for c in rng.integers(0, 3, 20)))


def _cube_masks(
    rng: np.random.Generator, kind: DieKind, faces: tuple[Face, ...], font: ImageFont.FreeTypeFont
) -> tuple[Ink, ...]:
    size = float(rng.uniform(0.4, 0.62))
    sign = effect(rng)
    spread, spot = float(rng.uniform(0.2, 0.27)), float(rng.uniform(0.08, 0.11))
    pips = bool(rng.random() < 0.7)
    masks = []
    for value in faces:
        if value is Symbol.EFFECT:
            masks.append(sign)
        elif value is Symbol.BLANK:
            masks.append(np.zeros((CELL, CELL), np.uint8))
        elif kind is DieKind.D6 and pips:
            masks.append(_pipped(int(value), spread, spot))
        else:
            masks.append(numeral(font, int(value), size, "line" if value == 6 else "none"))
    return tuple(masks)


def numeral(font: ImageFont.FreeTypeFont, number: int, height: float, mark: str) -> Ink:
    """The number in the middle, so many edge lengths high (the mask is 1.2 edge lengths wide), marked or not."""
    text = str(number)
    left, top, right, bottom = font.getbbox(text)
    drawn = Image.new("L", (int(right - left) + 4, int(bottom - top) + 4), 0)
    ImageDraw.Draw(drawn).text((2 - left, 2 - top), text, fill=255, font=font)
    high = max(8, round(height / 1.2 * CELL))
    wide = min(round(drawn.width * high / drawn.height), round(0.46 * CELL))
    small = drawn.resize((max(4, wide), high), Image.Resampling.LANCZOS)
    mask = Image.new("L", (CELL, CELL), 0)
    x, y = (CELL - small.width) // 2, (CELL - small.height) // 2
    mask.paste(small, (x, y))
    draw = ImageDraw.Draw(mask)
    thick = max(4, high // 9)
    if mark == "line":
        draw.rectangle((x, y + high + thick, x + small.width, y + high + 2 * thick), fill=255)
    elif mark == "dot":
        spot = (x + small.width + thick, y + high - thick)
        draw.ellipse((spot[0] - thick // 2, spot[1] - thick // 2, spot[0] + thick, spot[1] + thick), fill=255)
    return np.asarray(mask, dtype=np.uint8)


def _pipped(number: int, spread: float, size: float) -> Ink:
    mask = Image.new("L", (CELL, CELL), 0)
    draw = ImageDraw.Draw(mask)
    unit = CELL / 1.2
    for place in _PIPS[number]:
        right, down = _PLACES[place]
        x, y, r = CELL / 2 + right * spread * unit, CELL / 2 + down * spread * unit, size * unit
        draw.ellipse((x - r, y - r, x + r, y + r), fill=255)
    return np.asarray(mask, dtype=np.uint8)


def effect(rng: np.random.Generator) -> Ink:
    """An Effect's sign: a star, a burst or an arrowhead, filled or in outline."""
    mask = Image.new("L", (CELL * 4, CELL * 4), 0)
    draw = ImageDraw.Draw(mask)
    middle, reach = CELL * 2, float(rng.uniform(0.28, 0.4)) / 1.2 * CELL * 4
    way = str(rng.choice(["star", "burst", "arrowhead"]))
    if way == "arrowhead":
        outline = [(0.0, -1.0), (0.7, 0.85), (0.0, 0.35), (-0.7, 0.85)]
    else:
        points = int(rng.integers(4, 7)) if way == "star" else int(rng.integers(8, 13))
        inner = float(rng.uniform(0.38, 0.55)) if way == "star" else float(rng.uniform(0.55, 0.75))
        turn = [math.pi * k / points for k in range(2 * points)]
        rays = [1.0 if k % 2 == 0 else inner for k in range(2 * points)]
        outline = [(math.sin(a) * r, -math.cos(a) * r) for a, r in zip(turn, rays, strict=True)]
    spots = [(middle + x * reach, middle + y * reach) for x, y in outline]
    if rng.random() < 0.7:
        draw.polygon(spots, fill=255)
    else:
        draw.line([*spots, *spots[:2]], fill=255, width=round(reach * 0.16), joint="curve")
    return np.asarray(mask.resize((CELL, CELL), Image.Resampling.LANCZOS), dtype=np.uint8)
