"""What the faces of a path-traced die carry: numerals, pips and signs, drawn by Pillow as masks of ink."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from rules.dice import DieKind, Face, Symbol
from tests.bench.ray_traced.emblems import FRAMES, PIPS, Layers, Shape, layered
from tests.bench.ray_traced.looks import CELL, Mask
from vision.pose.geometry import Array, Solid, common_layout, cube, icosahedron, other_solids

_PIPS: Final = {
    1: ("c",),
    2: ("nw", "se"),
    3: ("nw", "c", "se"),
    4: ("nw", "ne", "sw", "se"),
    5: ("nw", "ne", "c", "sw", "se"),
    6: ("nw", "ne", "w", "e", "sw", "se"),
}
_PLACES: Final = {"c": (0, 0), "nw": (-1, -1), "ne": (1, -1), "w": (-1, 0), "e": (1, 0), "sw": (-1, 1), "se": (1, 1)}
CHALLENGE_FACES: Final[tuple[Face, ...]] = (1, 2, Symbol.BLANK, Symbol.BLANK, Symbol.EFFECT, Symbol.EFFECT)


@dataclass(frozen=True)
class LetteredDie:
    """A die with the lettering of its faces.

    `kind` is None for dice that are not read; `values` and `masks` go by the solid's faces; `corners` says to which
    corner of the face (edge, on a cube) the mask's top points.
    """

    kind: DieKind | None
    solid: Solid
    values: tuple[Face | None, ...]
    masks: tuple[Mask, ...]
    corners: tuple[int, ...]


def lettered(rng: np.random.Generator, kind: DieKind | None, fonts: list[Path]) -> LetteredDie:
    """A die of the kind (None: a d4, d8, d10 or d12) in one hand, drawn at random."""
    font = ImageFont.truetype(str(fonts[int(rng.integers(len(fonts)))]), 160)
    if kind is DieKind.D20:
        return _d20(rng, font)
    if kind is None:
        return other_die(rng, font)
    values = list(CHALLENGE_FACES) if kind is DieKind.CHALLENGE else [1, 2, 3, 4, 5, 6]
    order = rng.permutation(6) if kind is DieKind.CHALLENGE else opposed(cube())
    faces: tuple[Face, ...] = tuple(values[int(i)] for i in order)
    masks = _cube_masks(rng, kind, faces, font)
    return LetteredDie(kind, cube(), faces, masks, tuple(int(c) for c in rng.integers(0, 4, 6)))


def other_die(rng: np.random.Generator, font: ImageFont.FreeTypeFont) -> LetteredDie:
    """A d4, d8, d10 or d12."""
    solid = other_solids()[int(rng.integers(len(other_solids())))]
    count = len(solid.faces)
    masks = tuple(numeral(font, n + 1, 0.34, "none") for n in range(count))
    return LetteredDie(None, solid, (None,) * count, masks, (0,) * count)


def opposed(solid: Solid) -> list[int]:
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
) -> tuple[Mask, ...]:
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
            masks.append(pipped(int(value), spread, spot))
        else:
            masks.append(numeral(font, int(value), size, "line" if value == 6 else "none"))
    return tuple(masks)


def numeral(font: ImageFont.FreeTypeFont, number: int, height: float, mark: str) -> Mask:
    """The number in the middle, of that height in edge lengths (the mask is 1.2 edge lengths wide), marked or not."""
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


def pipped(number: int, spread: float, size: float, shape: Shape = PIPS["dots"]) -> Mask:
    """So many pips, in edge lengths apart and large."""
    mask = Image.new("L", (CELL, CELL), 0)
    draw = ImageDraw.Draw(mask)
    unit = CELL / 1.2
    for place in _PIPS[number]:
        right, down = _PLACES[place]
        x, y, r = CELL / 2 + right * spread * unit, CELL / 2 + down * spread * unit, size * unit
        draw.polygon([(x + a * r, y + b * r) for a, b in shape], fill=255)
    return np.asarray(mask, dtype=np.uint8)


def emblem(layers: Layers, reach: float, frame: Shape | None = None) -> Mask:
    """A sign that reaches that number of edge lengths from the middle of a mask (1.2 edge lengths wide), framed or
    not."""
    mask = Image.new("L", (CELL * 4, CELL * 4), 0)
    draw = ImageDraw.Draw(mask)
    for shape, ink in layered(layers, reach / 1.2 * CELL * 4, frame):
        draw.polygon([(CELL * 2 + x, CELL * 2 + y) for x, y in shape], fill=255 if ink else 0)
    return np.asarray(mask.resize((CELL, CELL), Image.Resampling.LANCZOS), dtype=np.uint8)


def mat(rng: np.random.Generator, font: ImageFont.FreeTypeFont, side: int = 1024) -> Mask:
    """What is printed on a mat: circles, lines, a grid and figures, as a mask of ink."""
    mask = Image.new("L", (side, side), 0)
    draw = ImageDraw.Draw(mask)
    step = int(rng.integers(48, 160))
    if rng.random() < 0.7:
        for at in range(0, side, step):
            draw.line((at, 0, at, side), fill=110, width=3)
            draw.line((0, at, side, at), fill=110, width=3)
    for _ in range(int(rng.integers(6, 16))):
        x, y, r = (float(v) for v in rng.uniform((0, 0, 15), (side, side, 140)))
        draw.ellipse((x - r, y - r, x + r, y + r), outline=230, width=int(rng.integers(2, 7)))
    for _ in range(int(rng.integers(8, 22))):
        x, y = (float(v) for v in rng.uniform(0, side * 0.9, 2))
        if rng.random() < 0.6:
            small = font.font_variant(size=int(rng.integers(30, 75)))
            draw.text((x, y), str(int(rng.integers(1, 100))), fill=255, font=small)
        else:
            shape = list(FRAMES.values())[int(rng.integers(len(FRAMES)))]
            r = float(rng.uniform(18, 55))
            draw.polygon([(x + a * r, y + b * r) for a, b in shape], outline=255, width=4)
    return np.asarray(mask, dtype=np.uint8)


def effect(rng: np.random.Generator) -> Mask:
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


@dataclass(frozen=True)
class FaceFrame:
    """Where a face's mask lies: its middle, to its right and to its top (unit), and how wide it is in circumradii."""

    middle: Array
    right: Array
    up: Array
    side: float

    def in_mask(self, points: Array) -> Array:
        """Points of the face's plane as places in the mask, 0 to 1, upward."""
        local = (points - self.middle) / self.side
        result: Array = np.column_stack([local @ self.right, local @ self.up]) + 0.5
        return result

    def square(self) -> Array:
        """The corners of the mask as points: top left, top right, bottom right, bottom left."""
        return np.array(
            [
                self.middle + (x * self.right + y * self.up) * self.side / 2
                for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))
            ]
        )


def face_frame(die: LetteredDie, face: int) -> FaceFrame:
    """Where the mask of a face lies on its die, its top towards the face's corner (cube: edge) as `corners` says."""
    solid = die.solid
    corners = solid.vertices[list(solid.faces[face])]
    middle = corners.mean(axis=0)
    top = die.corners[face]
    aim = corners[top % len(corners)]
    if die.kind in {DieKind.CHALLENGE, DieKind.D6}:
        aim = (aim + corners[(top + 1) % len(corners)]) / 2
    up = (aim - middle) / np.linalg.norm(aim - middle)
    edge = float(np.linalg.norm(corners[1] - corners[0]))
    return FaceFrame(middle, np.cross(up, solid.normals[face]), up, 1.2 * edge)
