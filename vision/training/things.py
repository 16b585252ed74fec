"""Things on a table that are no dice, for teaching: cards, coins, dominoes, tiles, pens, mugs, hands, prints and tools.

Each is drawn by itself, as seen from above, and laid on the picture with its shadow. The bench of tables without dice
(`tests/bench/vision_without_dice.py`) draws its own, by other means: things that taught nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.drawing import Points, regular
from vision.training.glyphs import Fonts
from vision.training.paint import Paint

_SIDE: Final = 320
"""The side of a thing's own picture in pixels; the thing lies within one half of that from its middle."""
_RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
"""What stands in the corners of playing cards."""
_CAPITALS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What words and tiles are lettered with."""
_GRID: Final = ((-1, -1), (1, 1), (1, -1), (-1, 1), (-1, 0), (1, 0), (0, 0))
"""Where pips lie on half a domino, by threes; an odd number has one in the middle."""

Colour = tuple[float, float, float]
"""Blue, green and red, 0 to 255."""


@dataclass(frozen=True, eq=False)
class Sheet:
    """A thing's own picture: its colours, how much of each pixel it covers (0..1), and its height, in its reach."""

    paint: Paint
    cover: NDArray[np.float32]
    height: float = 0.02

    @classmethod
    def empty(cls, height: float = 0.02) -> Sheet:
        """Nothing yet."""
        return cls(np.zeros((_SIDE, _SIDE, 3), np.float32), np.zeros((_SIDE, _SIDE), np.float32), height)

    def fill(self, outline: Points, colour: Colour, at: tuple[float, float] = (0.0, 0.0)) -> None:
        """Cover what the outline, round a spot (in halves of the side, from the middle), encloses."""
        spots = np.round((outline + np.array(at) + 1) * (_SIDE / 2) * 16).astype(np.int32)
        cv2.fillPoly(self.paint, [spots], colour, cv2.LINE_8, shift=4)
        cv2.fillPoly(self.cover, [spots], 1.0, cv2.LINE_8, shift=4)

    def line(self, path: Points, colour: Colour, thick: float, *, closed: bool = False) -> None:
        """Draw along the path, `thick` in halves of the side."""
        spots = np.round((path + 1) * (_SIDE / 2) * 16).astype(np.int32)
        wide = max(1, round(thick * _SIDE / 2))
        cv2.polylines(self.paint, [spots], closed, colour, wide, cv2.LINE_8, shift=4)
        cv2.polylines(self.cover, [spots], closed, 1.0, wide, cv2.LINE_8, shift=4)

    def write(
        self,
        text: str,
        middle: tuple[float, float],
        high: float,
        colour: Colour,
        font: tuple[Fonts, int],
        *,
        turn: float = 0.0,
    ) -> None:
        """Write the text of that height, round the middle, turned by that number of degrees."""
        shape = _written(text, font)
        share = high * _SIDE / 2 / shape.shape[0]
        into = np.asarray(cv2.getRotationMatrix2D((shape.shape[1] / 2, shape.shape[0] / 2), turn, share), np.float64)
        into[:, 2] += (np.array(middle) + 1) * _SIDE / 2 - np.array([shape.shape[1], shape.shape[0]]) / 2
        ink = cv2.warpAffine(shape, into, (_SIDE, _SIDE), flags=cv2.INTER_AREA).astype(np.float32) / 255
        self.paint[:] += (np.array(colour, np.float32) - self.paint) * ink[..., None]
        np.maximum(self.cover, ink, out=self.cover)


def _written(text: str, font: tuple[Fonts, int]) -> NDArray[np.uint8]:
    fonts, number = font
    try:
        return fonts.mask(number, text, 6)
    except IndexError:  # the font draws nothing for it
        return fonts.mask(0, text, 6)


def any_thing(rng: np.random.Generator, fonts: Fonts) -> tuple[Sheet, float]:
    """A thing drawn at random, and how far it reaches in radii of the dice beside it."""
    names = list(THINGS)
    shares = np.array([THINGS[name][0] for name in names])
    name = names[int(rng.choice(len(names), p=shares / shares.sum()))]
    _, draw, (low, high) = THINGS[name]
    return draw(rng, (fonts, int(rng.integers(len(fonts))))), math.exp(
        float(rng.uniform(math.log(low), math.log(high)))
    )


def lay(picture: Paint, sheet: Sheet, spot: tuple[float, float], reach: float, rng: np.random.Generator) -> None:
    """Lay the thing on the picture in place, turned anyhow, `reach` pixels from its middle to its furthest point."""
    height, width = picture.shape[:2]
    turn = float(rng.uniform(0, 360))
    into = np.asarray(cv2.getRotationMatrix2D((_SIDE / 2, _SIDE / 2), turn, 2 * reach / _SIDE), np.float64)
    into[:, :2] = (np.eye(2) + rng.normal(0, 0.015, (2, 2))) @ into[:, :2]
    into[:, 2] = np.array(spot) - into[:, :2] @ np.array([_SIDE / 2, _SIDE / 2])
    margin = reach * 1.3 + 12
    left, top = max(0, round(spot[0] - margin)), max(0, round(spot[1] - margin))
    right, bottom = min(width, round(spot[0] + margin)), min(height, round(spot[1] + margin))
    if right - left < 4 or bottom - top < 4:
        return
    into[:, 2] -= (left, top)
    size = (right - left, bottom - top)
    way = cv2.INTER_LINEAR
    soft = max(0.5, _SIDE / (2 * reach) / 2.2)
    cover = np.asarray(cv2.GaussianBlur(sheet.cover, (0, 0), soft), np.float32)
    paint = np.asarray(cv2.GaussianBlur(sheet.paint * sheet.cover[..., None], (0, 0), soft), np.float32)
    laid = np.asarray(cv2.warpAffine(paint, into, size, flags=way), np.float32)
    covered = np.asarray(cv2.warpAffine(cover, into, size, flags=way), np.float32)
    region = picture[top:bottom, left:right]
    fall = rng.normal(0, 1, 2) * sheet.height * reach
    shade = np.asarray(cv2.warpAffine(covered, np.array([[1, 0, fall[0]], [0, 1, fall[1]]]), size), np.float32)
    shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), max(0.8, 0.6 * sheet.height * reach)), np.float32)
    region *= 1 - float(rng.uniform(0.0, 0.6)) * shade[..., None]
    light = 1 + float(rng.normal(0, 0.12))
    region *= 1 - covered[..., None]
    region += np.clip(laid * light, 0, 255)


def _colour(rng: np.random.Generator) -> Colour:
    blue, green, red = (rng.uniform(5, 250, 3) if rng.random() < 0.75 else np.full(3, rng.uniform(5, 250))).tolist()
    return blue, green, red


def _shade(colour: Colour, by: float) -> Colour:
    blue, green, red = np.clip(np.array(colour) * by, 0, 255).tolist()
    return blue, green, red


def _paper(rng: np.random.Generator) -> Colour:
    """White, cream, or any pale or other colour."""
    if rng.random() < 0.7:
        white = float(rng.uniform(190, 252))
        return white * float(rng.uniform(0.8, 1.0)), white * float(rng.uniform(0.93, 1.0)), white
    return _colour(rng)


def _apart_from(colour: Colour, rng: np.random.Generator) -> Colour:
    """An ink that is well seen on the colour."""
    grey = float(np.mean(colour))
    for _ in range(20):
        ink = _colour(rng)
        if abs(float(np.mean(ink)) - grey) > 60:
            return ink
    return (10.0, 10.0, 10.0) if grey > 128 else (245.0, 245.0, 245.0)


def _slab(wide: float, high: float, corner: float, at: tuple[float, float] = (0.0, 0.0)) -> Points:
    """A rectangle with round corners, half as wide and high as given, round its middle."""
    corner = min(corner, wide, high)
    turn = np.linspace(0, math.pi / 2, 7)
    x, y = wide - corner, high - corner
    parts = [
        np.column_stack([np.cos(turn + n * math.pi / 2), np.sin(turn + n * math.pi / 2)]) * corner + middle
        for n, middle in enumerate(((x, y), (-x, y), (-x, -y), (x, -y)))
    ]
    result: Points = np.vstack(parts) + np.array(at)
    return result


def _suit(way: int, size: float) -> Points:
    """A heart, a diamond, a club or a spade."""
    turn = np.linspace(0, 2 * math.pi, 40, endpoint=False)
    heart = np.column_stack(
        [np.sin(turn) ** 3, -(13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn) - np.cos(4 * turn)) / 16]
    )
    if way == 0:
        return heart * size
    if way == 1:
        return regular(size, 4) * (0.75, 1.0)
    if way == 2:
        far = 0.65 + 0.35 * np.cos(3 * turn)
        return np.column_stack([np.sin(turn), -np.cos(turn)]) * far[:, None] * size
    return heart * (1.0, -1.0) * size


def _card(rng: np.random.Generator, font: tuple[Fonts, int]) -> Sheet:
    """A playing card's face or back, a picture card, or a card of a game with a title, a picture and text."""
    sheet = Sheet.empty(0.012)
    paper = _paper(rng)
    ink = (20.0, 20.0, 200.0) if rng.random() < 0.4 else _apart_from(paper, rng)
    wide = float(rng.uniform(0.58, 0.7))
    sheet.fill(_slab(wide, 0.95, float(rng.uniform(0.02, 0.1))), paper)
    way = rng.random()
    if way < 0.5:
        _ranks(sheet, rng, font, (wide, ink))
    elif way < 0.75:
        rim = float(rng.uniform(0.03, 0.12))
        sheet.fill(_slab(wide - rim, 0.95 - rim, 0.03), ink)
        other, step = _apart_from(ink, rng), float(rng.uniform(0.08, 0.25))
        corners, size = int(rng.choice([3, 4, 6, 30])), step * float(rng.uniform(0.2, 0.5))
        for y in np.arange(-0.9 + rim, 0.9 - rim, step):
            for x in np.arange(-wide + 2 * rim, wide - 2 * rim + 0.01, step):
                sheet.fill(regular(size, corners), other, (x, y))
        if rng.random() < 0.5:
            sheet.fill(regular(0.3, int(rng.choice([4, 6, 40]))), paper)
            sheet.fill(_suit(int(rng.integers(4)), 0.16), ink)
    else:
        sheet.fill(_slab(wide - 0.06, 0.32, 0.03, (0.0, float(rng.uniform(-0.45, -0.2)))), _colour(rng))
        sheet.write("".join(rng.choice(list(_CAPITALS), 6)), (0.0, -0.8), 0.13, ink, font)
        for down in np.arange(0.2, 0.88, float(rng.uniform(0.08, 0.14))):
            half = float(rng.uniform(0.3, wide - 0.08))
            sheet.line(np.array([(-half, down), (half, down)]), ink, 0.02)
        if rng.random() < 0.6:
            place = (float(rng.choice([-1, 1])) * (wide - 0.14), float(rng.choice([-0.8, 0.8])))
            sheet.fill(regular(0.12, int(rng.choice([4, 6, 30]))) + place, _apart_from(paper, rng))
            sheet.write(str(int(rng.integers(1, 13))), place, 0.12, paper, font)
    return sheet


def _ranks(sheet: Sheet, rng: np.random.Generator, font: tuple[Fonts, int], looks: tuple[float, Colour]) -> None:
    """Ranks and small suits in two corners, or in all four, and suits between them."""
    wide, ink = looks
    rank, suit = int(rng.integers(13)), int(rng.integers(4))
    high = float(rng.uniform(0.13, 0.34))
    aside = wide - high * 0.6 - 0.03
    every = rng.random() < 0.3
    for x in (-aside, aside):
        for y in (-0.92 + high * 0.7, 0.92 - high * 0.7):
            if every or x * y > 0:
                sheet.write(_RANKS[rank], (x, y), high, ink, font, turn=0.0 if y < 0 else 180.0)
                down = y + (high * 1.05 if y < 0 else -high * 1.05)
                sheet.fill(_suit(suit, high * 0.4) * (1 if y < 0 else -1) + (x, down), ink)
    if rank > 9:
        sheet.line(_slab(wide * 0.62, 0.7, 0.02), ink, 0.012, closed=True)
        for _ in range(8):
            spots = rng.uniform((-wide * 0.55, -0.62), (wide * 0.55, 0.62), (4, 2))
            sheet.fill(spots, _colour(rng))
        return
    if rank == 0:
        sheet.fill(_suit(suit, float(rng.uniform(0.15, 0.4))), ink)
        return
    size = float(rng.uniform(0.09, 0.13))
    for number in range(rank + 1):
        x = 0.0 if number == rank and rank % 2 == 0 else wide * 0.4 * (1 if number % 2 else -1)
        y = -0.62 + 1.24 * (number // 2) / max(1, (rank - 1) // 2) if rank > 2 else (number - rank / 2) * 0.6
        sheet.fill(_suit(suit, size) * (1 if y < 0.05 else -1) + (x, y), ink)


def _coin(rng: np.random.Generator, font: tuple[Fonts, int]) -> Sheet:
    """A coin or a gaming chip: a rim or teeth, beads, a number, a head or a sign."""
    sheet = Sheet.empty(0.06)
    metal = _shade(
        [(70.0, 150.0, 205.0), (160.0, 170.0, 178.0), (55.0, 95.0, 160.0), (120.0, 150.0, 160.0)][int(rng.integers(4))],
        float(rng.uniform(0.6, 1.25)),
    )
    chip = rng.random() < 0.3
    if chip:
        metal = _colour(rng)
    sheet.fill(regular(0.97, int(rng.choice([60, 60, 60, 7, 12]))), _shade(metal, 0.8))
    sheet.fill(regular(float(rng.uniform(0.8, 0.92)), 60), metal)
    other = _apart_from(metal, rng)
    if chip:
        count = int(rng.integers(4, 9))
        for number in range(count):
            at = 2 * math.pi * number / count
            turned = np.array([[math.cos(at), math.sin(at)], [-math.sin(at), math.cos(at)]])
            sheet.fill(_slab(0.09, 0.12, 0.0, (0.0, 0.85)) @ turned, other)
        sheet.fill(regular(0.62, 50), _shade(metal, float(rng.uniform(0.8, 1.2))))
    elif rng.random() < 0.3:
        sheet.fill(regular(0.65, 50), _shade(metal[::-1], float(rng.uniform(0.7, 1.1))))
    ink = other if chip else _shade(metal, float(rng.choice([rng.uniform(0.45, 0.8), rng.uniform(1.2, 1.5)])))
    if not chip and rng.random() < 0.5:
        for at in np.linspace(0, 2 * math.pi, 40, endpoint=False):
            sheet.fill(regular(0.025, 6), ink, (0.82 * math.cos(at), 0.82 * math.sin(at)))
    way = rng.random()
    if way < 0.45:
        sheet.write(
            str(rng.choice(["1", "2", "5", "10", "20", "25", "50", "100"])),
            (0.0, 0.0),
            float(rng.uniform(0.4, 1.0)),
            ink,
            font,
        )
    elif way < 0.75:
        face = float(rng.choice([-1.0, 1.0]))
        sheet.fill(regular(0.36, 30) * (0.85, 1.0) + (0.0, -0.15), ink)
        sheet.fill(np.array([(0.3 * face, -0.2), (0.45 * face, -0.02), (0.28 * face, 0.05)]), ink)
        sheet.fill(np.array([(-0.3, 0.1), (0.2, 0.1), (0.4, 0.68), (-0.45, 0.68)]), ink)
    else:
        sheet.fill(_suit(int(rng.integers(4)), 0.45), ink)
    return sheet


def _domino(rng: np.random.Generator, font: tuple[Fonts, int]) -> Sheet:
    """A domino, upright or not quite whole, with pips, numerals or nothing; thick, its edges dark or bright."""
    sheet = Sheet.empty(float(rng.uniform(0.05, 0.3)))
    body = _paper(rng) if rng.random() < 0.6 else _shade(_colour(rng), float(rng.uniform(0.3, 1.0)))
    ink, corner = _apart_from(body, rng), float(rng.uniform(0.02, 0.12))
    wide = float(rng.uniform(0.43, 0.5))
    sheet.fill(_slab(wide, 0.95, corner), _shade(body, float(rng.uniform(0.5, 0.85))))
    aside = rng.normal(0, 0.02, 2)
    sheet.fill(_slab(wide - 0.03, 0.91, corner, (float(aside[0]), float(aside[1]))), body)
    way = rng.random()
    if way < 0.75:
        sheet.line(np.array([(-wide * 0.8, 0.0), (wide * 0.8, 0.0)]), ink, float(rng.uniform(0.015, 0.05)))
    if way > 0.6:
        sheet.fill(regular(0.06, 20), (60.0, 140.0, 190.0))
    size, many = float(rng.uniform(0.05, 0.09)), int(rng.choice([7, 7, 10]))
    for half in (-0.47, 0.47):
        number = int(rng.integers(many))
        if way < 0.1:
            sheet.write(str(number), (0.0, half), 0.45, ink, font)
            continue
        colour = ink if rng.random() < 0.8 else _apart_from(body, rng)
        spots = [(0, 0)] * (number % 2) + list(_GRID[: number - number % 2])
        if number > 6:
            spots = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)][:number]
        for x, y in spots:
            sheet.fill(regular(size, 24), colour, (x * wide * 0.55, half + y * 0.26))
    return sheet


def _tile(rng: np.random.Generator, font: tuple[Fonts, int]) -> Sheet:
    """A square tile, key, token, note or brick: a letter with a small number, a sign, studs, nothing."""
    sheet = Sheet.empty(float(rng.uniform(0.03, 0.35)))
    body = _paper(rng) if rng.random() < 0.5 else _colour(rng)
    corners, corner = int(rng.choice([4, 4, 4, 6, 8, 3])), float(rng.uniform(0.0, 0.25))
    outline = (
        _slab(0.68, 0.68 * float(rng.choice([1.0, 1.0, 0.85, 0.7])), corner) if corners == 4 else regular(0.9, corners)
    )
    sheet.fill(outline, _shade(body, float(rng.uniform(0.55, 1.1))))
    share = float(rng.uniform(0.7, 0.96))
    sheet.fill(outline * share + (0.0, float(rng.choice([0.0, -0.05]))), body)
    ink, way = _apart_from(body, rng), rng.random()
    if way < 0.4:
        sheet.write(str(rng.choice(list(_CAPITALS))), (-0.05, -0.05), float(rng.uniform(0.4, 0.8)), ink, font)
        if rng.random() < 0.6:
            sheet.write(str(int(rng.integers(1, 11))), (0.42, 0.42), 0.22, ink, font)
    elif way < 0.6:
        sheet.write(str(int(rng.integers(0, 30))), (0.0, 0.0), float(rng.uniform(0.3, 0.8)), ink, font)
    elif way < 0.75:
        count = int(rng.choice([1, 2, 2, 3]))
        for x in (np.arange(count) - (count - 1) / 2) * 1.2 / count:
            for y in (np.arange(count) - (count - 1) / 2) * 1.2 / count:
                sheet.fill(regular(0.36 / count, 24), _shade(body, 0.75), (x, y + 0.02))
                sheet.fill(regular(0.34 / count, 24), _shade(body, 1.12), (x, y))
    elif way < 0.9:
        sheet.fill(_suit(int(rng.integers(4)), float(rng.uniform(0.2, 0.4))), ink)
    return sheet


def _pen(rng: np.random.Generator, font: tuple[Fonts, int]) -> Sheet:
    """A pencil, a pen or a marker: body with facets, print on it, ferrule with rubber, cone, cap, clip."""
    sheet = Sheet.empty(0.05)
    body, wide = _colour(rng), float(rng.uniform(0.045, 0.11))
    sheet.fill(_slab(0.8, wide, float(rng.uniform(0.0, wide))), body)
    for down, by in ((-0.62, 0.8), (0.62, 1.2), (0.0, 1.1)):
        sheet.line(np.array([(-0.79, down * wide), (0.79, down * wide)]), _shade(body, by), wide * 0.45)
    if rng.random() < 0.6:
        sheet.write(
            "".join(rng.choice(list(_CAPITALS), 6)),
            (float(rng.uniform(-0.3, 0.3)), 0.0),
            wide * 0.9,
            _apart_from(body, rng),
            font,
        )
    if rng.random() < 0.6:
        sheet.fill(np.array([(0.75, -wide), (0.96, 0.0), (0.75, wide)]), (150.0, 190.0, 220.0))
        sheet.fill(np.array([(0.9, -wide * 0.3), (0.97, 0.0), (0.9, wide * 0.3)]), (30.0, 30.0, 40.0))
    else:
        cap = _colour(rng)
        sheet.fill(_slab(float(rng.uniform(0.1, 0.25)), wide * 1.12, 0.02, (0.75, 0.0)), cap)
        sheet.fill(_slab(0.18, wide * 0.25, 0.02, (0.6, wide * 0.6)), _shade(cap, 0.7))
    if rng.random() < 0.7:
        metal = float(rng.uniform(120, 220))
        sheet.fill(_slab(0.07, wide * 1.05, 0.01, (-0.76, 0.0)), (metal, metal, metal * 1.02))
        for x in (-0.81, -0.78, -0.74, -0.71):
            sheet.line(np.array([(x, -wide), (x, wide)]), (metal * 0.6, metal * 0.6, metal * 0.6), 0.008)
        sheet.fill(_slab(float(rng.uniform(0.05, 0.09)), wide, wide * 0.4, (-0.88, 0.0)), _colour(rng))
    return sheet


def _mug(rng: np.random.Generator, font: tuple[Fonts, int]) -> Sheet:
    """A mug, a glass, a bowl, a plate or a coaster from above."""
    del font
    sheet = Sheet.empty(0.15)
    glaze = _colour(rng)
    if rng.random() < 0.6:
        handle = regular(0.2, 24) * (1.0, 0.75) + (0.78, 0.0)
        sheet.line(handle, _shade(glaze, 0.9), 0.07, closed=True)
    sheet.fill(regular(0.76, int(rng.choice([60, 60, 6, 8]))), glaze)
    sheet.fill(regular(float(rng.uniform(0.6, 0.7)), 60), _shade(glaze, float(rng.uniform(0.4, 0.85))))
    drink = _colour(rng) if rng.random() < 0.5 else (20.0, 40.0, 70.0)
    sheet.fill(regular(float(rng.uniform(0.45, 0.6)), 60) + rng.normal(0, 0.02, 2), drink)
    for _ in range(int(rng.integers(0, 6))):
        spot = rng.uniform(-0.35, 0.35, 2)
        sheet.fill(regular(float(rng.uniform(0.02, 0.12)), 20) + spot, _shade(drink, float(rng.uniform(0.7, 1.8))))
    return sheet


def _hand(rng: np.random.Generator, font: tuple[Fonts, int]) -> Sheet:
    """A hand or a fist: knuckles, fingers in light and shade, nails, a ring, a sleeve."""
    del font
    sheet = Sheet.empty(0.12)
    tone = float(rng.uniform(0.25, 1.0))
    skin = _shade((150.0, 185.0, 235.0), tone)
    sleeve = _colour(rng)
    sheet.fill(np.array([(-0.22, 0.3), (0.22, 0.3), (0.26, 1.0), (-0.26, 1.0)]), skin if rng.random() < 0.5 else sleeve)
    sheet.fill(regular(0.36, 24) * (0.95, 1.15) + (0.0, 0.12), skin)
    fist, spread = rng.random() < 0.3, float(rng.uniform(0.02, 0.28))
    for number in range(5):
        turn = (number - 1.5) * spread if number < 4 else float(rng.uniform(0.8, 1.3))
        root = np.array([(number - 1.5) * 0.17, -0.1]) if number < 4 else np.array([0.3, 0.2])
        length = float(rng.uniform(0.18, 0.3) if fist else rng.uniform(0.4, 0.72))
        way = np.array([math.sin(turn), -math.cos(turn)])
        shade, thick = _shade(skin, float(rng.uniform(0.85, 1.1))), float(rng.uniform(0.12, 0.16))
        path = np.array([root, root + way * length * 0.5 + rng.normal(0, 0.02, 2), root + way * length])
        sheet.line(path, _shade(shade, 0.8), thick * 1.1)
        sheet.line(path, shade, thick * 0.9)
        sheet.fill(
            regular(thick * 0.3, 16) * (0.8, 1.1) + path[2] + way * 0.01, _shade(skin, float(rng.uniform(1.05, 1.25)))
        )
        for joint in (0.35, 0.7):
            across = np.array([-way[1], way[0]]) * thick * 0.35
            spot = root + way * length * joint
            sheet.line(np.array([spot - across, spot + across]), _shade(skin, 0.75), 0.012)
        if rng.random() < 0.08:
            spot = root + way * length * 0.4
            sheet.fill(_slab(thick * 0.5, 0.03, 0.01, (float(spot[0]), float(spot[1]))), (70.0, 170.0, 215.0))
    return sheet


def _ruler(rng: np.random.Generator, font: tuple[Fonts, int]) -> Sheet:
    """A ruler or a measuring tape, with ticks and numbers."""
    sheet = Sheet.empty(0.02)
    body, wide = (_paper(rng) if rng.random() < 0.4 else _colour(rng)), float(rng.uniform(0.07, 0.16))
    sheet.fill(_slab(0.98, wide, 0.01), body)
    ink = _apart_from(body, rng)
    step = float(rng.uniform(0.1, 0.25))
    for number, x in enumerate(np.arange(-0.9, 0.95, step)):
        sheet.line(np.array([(x, -wide), (x, -wide * 0.3)]), ink, 0.012)
        sheet.line(np.array([(x + step / 2, -wide), (x + step / 2, -wide * 0.6)]), ink, 0.01)
        sheet.write(str(number), (float(x), wide * 0.35), wide * 0.8, ink, font)
    return sheet


def _device(rng: np.random.Generator, font: tuple[Fonts, int]) -> Sheet:
    """A phone, a calculator or a remote: a dark slab with rounded squares, keys with numbers."""
    sheet = Sheet.empty(0.06)
    body = _shade(_colour(rng), 0.4)
    wide = float(rng.uniform(0.4, 0.6))
    sheet.fill(_slab(wide, 0.95, 0.08), body)
    columns, step = int(rng.integers(3, 6)), 0.0
    step = 2 * (wide - 0.06) / columns
    for row in range(int(rng.integers(2, 1 + int(1.6 / step)))):
        for column in range(columns):
            place = (-wide + 0.06 + (column + 0.5) * step, 0.85 - (row + 0.5) * step)
            key = _colour(rng) if rng.random() < 0.3 else _shade(body, float(rng.uniform(1.2, 2.2)))
            sheet.fill(_slab(step * 0.42, step * 0.42, step * 0.1, place), key)
            if rng.random() < 0.7:
                sheet.write(str(int(rng.integers(10))), place, step * 0.5, _apart_from(key, rng), font)
    return sheet


def _small(rng: np.random.Generator, font: tuple[Fonts, int]) -> Sheet:
    """A nut, a button, a cap, a bead, a rubber, a stone: small solid things without a sign."""
    del font
    sheet = Sheet.empty(float(rng.uniform(0.1, 0.4)))
    body = _colour(rng)
    way = rng.random()
    if way < 0.35:
        corners = int(rng.choice([6, 6, 8, 40]))
        sheet.fill(regular(0.9, corners), body)
        sheet.fill(regular(0.8, corners if rng.random() < 0.5 else 40), _shade(body, float(rng.uniform(0.8, 1.3))))
        sheet.fill(regular(float(rng.uniform(0.3, 0.5)), 30), _shade(body, 0.25))
    elif way < 0.55:
        sheet.fill(regular(0.9, 40), body)
        for x, y in ((-0.2, -0.2), (0.2, 0.2), (0.2, -0.2), (-0.2, 0.2))[: int(rng.choice([2, 4]))]:
            sheet.fill(regular(0.1, 16), _shade(body, 0.3), (x, y))
    elif way < 0.8:
        sheet.fill(_slab(0.9, float(rng.uniform(0.35, 0.7)), float(rng.uniform(0.02, 0.3))), body)
        sheet.fill(_slab(float(rng.uniform(0.2, 0.6)), 0.5, 0.02), _colour(rng))
    else:
        angles = np.linspace(0, 2 * math.pi, 30, endpoint=False)
        far = 0.8 + 0.08 * np.sin(3 * angles + rng.uniform(0, 6)) + 0.05 * np.sin(5 * angles + rng.uniform(0, 6))
        stone = np.column_stack([np.cos(angles), np.sin(angles)]) * far[:, None]
        sheet.fill(stone, _shade(body, 0.8))
        sheet.fill(stone * 0.7 - 0.08, body)
    return sheet


def _print(rng: np.random.Generator, font: tuple[Fonts, int]) -> Sheet:
    """A sheet or a piece of a mat: frames of many corners, ruled cells, words and numbers, as rules and maps have."""
    sheet = Sheet.empty(0.004)
    paper = _paper(rng)
    sheet.fill(_slab(0.97, float(rng.uniform(0.6, 0.97)), 0.0), paper)
    ink = _apart_from(paper, rng)
    way, step = rng.random(), float(rng.uniform(0.18, 0.5))
    corners = int(rng.choice([3, 4, 5, 6, 6, 40]))
    thick = float(rng.uniform(0.008, 0.03))
    for row, y in enumerate(np.arange(-0.8, 0.85, step * float(rng.choice([0.75, 1.0])))):
        for x in np.arange(-0.8, 0.85, step):
            place = np.array([x + (step / 2 if corners == 6 and row % 2 else 0.0), y])
            if way < 0.75:
                outline = (
                    regular(step * float(rng.choice([0.5, 0.56])), corners, math.pi / 4 if corners == 4 else 0.0)
                    + place
                )
                if rng.random() < 0.15:
                    sheet.fill(outline, _colour(rng))
                sheet.line(outline, ink, thick, closed=True)
            if rng.random() < (0.5 if way > 0.4 else 0.1):
                text = str(int(rng.integers(1, 21))) if rng.random() < 0.7 else "".join(rng.choice(list(_CAPITALS), 2))
                sheet.write(text, (float(place[0]), float(place[1])), step * float(rng.uniform(0.25, 0.5)), ink, font)
    return sheet


Draws = Callable[[np.random.Generator, tuple[Fonts, int]], Sheet]
"""Draws a thing, lettered in a font."""

THINGS: Final[dict[str, tuple[float, Draws, tuple[float, float]]]] = {
    "card": (0.19, _card, (2.0, 6.0)),
    "coin": (0.12, _coin, (0.6, 1.6)),
    "domino": (0.15, _domino, (1.2, 3.0)),
    "tile": (0.02, _tile, (0.7, 1.8)),
    "pen": (0.09, _pen, (3.0, 9.0)),
    "mug": (0.04, _mug, (1.5, 5.0)),
    "hand": (0.06, _hand, (4.0, 9.0)),
    "ruler": (0.03, _ruler, (3.0, 9.0)),
    "device": (0.02, _device, (2.5, 6.0)),
    "small": (0.02, _small, (0.5, 1.4)),
    "print": (0.08, _print, (3.0, 9.0)),
}
"""How often each thing is drawn against the others, how, and from where to where it reaches, in radii of the dice."""
