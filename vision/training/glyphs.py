"""What is drawn on the faces of dice: numerals in many fonts, pips, and abstract marks for Challenge Dice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
"""A sign's picture: 255 where it is printed, 0 elsewhere."""

TEXTURE_PIXELS: Final = 96
"""The side of a face's texture."""
TEXTURE_REACH: Final = 0.6
"""Half a texture's side, in edge lengths of the face."""
_BUILT_IN: Final = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)
"""The fonts that OpenCV brings."""
BUILT_IN: Final = len(_BUILT_IN)
"""The number of OpenCV's own fonts, of plain strokes, which come first in `Fonts`."""


@dataclass
class Fonts:
    """Numerals as masks: OpenCV's own fonts always, FreeType files where Pillow is installed and files are given.

    `icons` are pictures that emblems are taken from besides (`icons.icons_in`).
    """

    files: Sequence[Path] = ()
    icons: Sequence[Mask] = ()
    _cache: dict[tuple[int, str, int], Mask] = field(default_factory=dict)

    def __len__(self) -> int:
        return BUILT_IN + len(self.files)

    def mask(self, font: int, text: str, weight: int) -> Mask:
        """`text` in font number `font`, 255 where there is ink, cut tightly; `weight` thickens OpenCV's own fonts."""
        key = (font, text, weight if font < BUILT_IN else 0)
        if key not in self._cache:
            made = _drawn(font, text, weight) if font < BUILT_IN else _typeset(self.files[font - BUILT_IN], text)
            rows, columns = np.flatnonzero(made.any(axis=1)), np.flatnonzero(made.any(axis=0))
            # A copy: what is cut out would hold the whole canvas.
            self._cache[key] = made[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].copy()
        return self._cache[key]


def _drawn(font: int, text: str, weight: int) -> Mask:
    canvas = np.zeros((120, 240), np.uint8)
    cv2.putText(canvas, text, (20, 90), _BUILT_IN[font], 2.4, 255, weight, cv2.LINE_AA)
    return canvas


def _typeset(file: Path, text: str) -> Mask:
    drawing, fonts, images = (import_module(f"PIL.{name}") for name in ("ImageDraw", "ImageFont", "Image"))
    image: Any = images.new("L", (320, 160), 0)
    drawing.Draw(image).text((60, 30), text, fill=255, font=fonts.truetype(str(file), 64))
    return np.asarray(image, dtype=np.uint8)


def usable_fonts(folders: Sequence[Path]) -> list[Path]:
    """The font files below `folders` whose ten digits are ten different, upright, inked shapes, sorted by name."""
    kept = []
    for file in sorted({one.name: one for folder in folders for one in folder.rglob("*.[to]tf")}.values()):
        try:
            shapes = [cv2.resize(_tight(_typeset(file, digit)), (16, 16)) for digit in "0123456789"]
        except (OSError, ValueError, IndexError, cv2.error):
            continue
        pairs = [np.abs(a.astype(int) - b).mean() for i, a in enumerate(shapes) for b in shapes[:i]]
        if min(pairs) > 8.0:
            kept.append(file)
    return kept


def _tight(mask: Mask) -> Mask:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


@dataclass(frozen=True, slots=True)
class Hand:
    """How one die's faces are lettered: the same on all its faces.

    Sizes are in edge lengths of the face; `mark` tells 6 from 9 ("dot", "line" or "none").
    """

    font: int
    weight: int
    height: float
    stretch: float
    mark: str
    lift: float
    design: int

    @classmethod
    def chosen(cls, rng: np.random.Generator, fonts: Fonts, *, cube: bool = False) -> Hand:
        """A hand drawn at random; a cube's numerals are larger."""
        return cls(
            font=int(rng.integers(len(fonts))),
            weight=int(rng.integers(4, 11)),
            height=float(rng.uniform(0.35, 0.68) if cube else rng.uniform(0.24, 0.42)),
            stretch=float(rng.uniform(0.8, 1.2)),
            mark=str(rng.choice(["dot", "line", "none"], p=[0.5, 0.35, 0.15])),
            lift=float(rng.normal(0, 0.015)),
            design=int(rng.integers(1 << 16)),
        )

    @classmethod
    def plain(cls, rng: np.random.Generator, *, cube: bool = False) -> Hand:
        """A bold hand of middling size in one of OpenCV's own fonts."""
        return cls(
            font=int(rng.integers(3)),
            weight=int(rng.integers(6, 9)),
            height=float(rng.uniform(0.48, 0.56) if cube else rng.uniform(0.31, 0.36)),
            stretch=float(rng.uniform(0.9, 1.1)),
            mark=str(rng.choice(["dot", "line"])),
            lift=0.0,
            design=int(rng.integers(1 << 16)),
        )


def numeral(fonts: Fonts, hand: Hand, number: int, *, marked: bool) -> Mask:
    """A texture with the number in its middle; `marked` numbers carry the hand's dot or line."""
    shape = fonts.mask(hand.font, str(number), hand.weight)
    scale = TEXTURE_PIXELS / (2 * TEXTURE_REACH)
    height = hand.height * scale
    width = min(height / shape.shape[0] * shape.shape[1] * hand.stretch, 0.54 * scale)
    texture = np.zeros((TEXTURE_PIXELS, TEXTURE_PIXELS), np.uint8)
    small = np.asarray(cv2.resize(shape, (max(2, round(width)), max(4, round(height))), interpolation=cv2.INTER_AREA))
    top = round(TEXTURE_PIXELS / 2 - height / 2 - hand.lift * scale)
    left = round(TEXTURE_PIXELS / 2 - width / 2)
    texture[top : top + small.shape[0], left : left + small.shape[1]] = small
    if marked and hand.mark == "dot":
        spot = (left + small.shape[1] + round(height * 0.12), top + small.shape[0] - round(height * 0.08))
        cv2.circle(texture, spot, max(1, round(height * 0.09)), 255, -1, cv2.LINE_AA)
    elif marked and hand.mark == "line":
        low = top + small.shape[0] + round(height * 0.16)
        thickness = max(1, round(height * 0.1))
        cv2.line(texture, (left, low), (left + small.shape[1], low), 255, thickness, cv2.LINE_AA)
    return texture


_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Where the pips of each number lie, in steps to the right and down from the middle."""


def pips(hand: Hand, number: int, shape: NDArray[np.float64] | None = None) -> Mask:
    """A texture with 1 to 6 pips: round ones, or this outline, which reaches 1 from its middle."""
    texture = np.zeros((TEXTURE_PIXELS, TEXTURE_PIXELS), np.uint8)
    scale = TEXTURE_PIXELS / (2 * TEXTURE_REACH)
    spread = 0.2 + 0.08 * (hand.design % 10) / 10
    size = 0.07 + 0.05 * (hand.design // 10 % 10) / 10
    for right, down in _PIPS[number]:
        spot = (TEXTURE_PIXELS / 2 + right * spread * scale, TEXTURE_PIXELS / 2 + down * spread * scale)
        if shape is None:
            cv2.circle(texture, _fixed(spot), round(size * scale * 16), 255, -1, cv2.LINE_AA, shift=4)
        else:
            outline = np.round((shape * size * scale + spot) * 16).astype(np.int32)
            cv2.fillPoly(texture, [outline], 255, cv2.LINE_AA, shift=4)
    return texture


def _fixed(point: tuple[float, float]) -> tuple[int, int]:
    return round(point[0] * 16), round(point[1] * 16)


def star(points: int, outer: float, inner: float, *, turn: float = 0.0) -> NDArray[np.int32]:
    """A star's outline in texture pixels times 16; radii in edge lengths."""
    scale = TEXTURE_PIXELS / (2 * TEXTURE_REACH) * 16
    angles = turn - math.pi / 2 + math.pi * np.arange(2 * points) / points
    radii = np.where(np.arange(2 * points) % 2 == 0, outer, inner) * scale
    spots = np.column_stack([np.cos(angles) * radii, np.sin(angles) * radii]) + TEXTURE_PIXELS * 8
    return np.round(spots).astype(np.int32)


def effect(hand: Hand) -> Mask:
    """A Challenge Die's Effect: a star-burst or another abstract badge, by the hand's design."""
    rng = np.random.default_rng(hand.design)
    texture = np.zeros((TEXTURE_PIXELS, TEXTURE_PIXELS), np.uint8)
    size = float(rng.uniform(0.26, 0.42))
    way = int(rng.integers(4))
    shape = star(int(rng.integers(4, 11)), size, size * float(rng.uniform(0.3, 0.7)), turn=float(rng.uniform(0, 0.3)))
    if way < 2:
        cv2.fillPoly(texture, [shape], 255, cv2.LINE_AA, shift=4)
    else:
        cv2.polylines(texture, [shape], isClosed=True, color=255, thickness=4, lineType=cv2.LINE_AA, shift=4)
    if rng.random() < 0.5:
        small = star(int(rng.integers(3, 7)), size * 0.45, size * 0.25)
        cv2.fillPoly(texture, [small], 0 if way < 2 else 255, cv2.LINE_AA, shift=4)
    if rng.random() < 0.4:
        half = TEXTURE_PIXELS * 8
        cv2.circle(texture, (half, half), round(size * 1.12 * 80 * 16), 255, 3, cv2.LINE_AA, shift=4)
    return texture


def challenge_number(fonts: Fonts, hand: Hand, number: int) -> Mask:
    """A Challenge Die's 1 or 2: a numeral in a frame by the hand's design; a plain die's numerals stand alone."""
    rng = np.random.default_rng(hand.design + 1)
    texture = numeral(fonts, hand, number, marked=False)
    small = np.asarray(cv2.resize(texture, None, fx=0.72, fy=0.72, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    edge = TEXTURE_PIXELS - small.shape[0]
    texture = np.asarray(
        cv2.copyMakeBorder(
            small, edge // 2, edge - edge // 2, edge // 2, edge - edge // 2, cv2.BORDER_CONSTANT, value=0
        )
    ).astype(np.uint8)
    outer = float(rng.uniform(0.34, 0.42))
    frame = star(int(rng.integers(4, 10)), outer, outer * float(rng.uniform(0.7, 0.95)))
    cv2.polylines(texture, [frame], isClosed=True, color=255, thickness=3, lineType=cv2.LINE_AA, shift=4)
    return texture
