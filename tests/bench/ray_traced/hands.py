"""How a set of dice is lettered: one font, one family of signs and one way of numbering for all dice of the set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from PIL import ImageFont

from rules.dice import DieKind, Face, Symbol
from tests.bench.ray_traced.emblems import EMBLEMS, FRAMES, PIPS
from tests.bench.ray_traced.faces import CHALLENGE_FACES, LetteredDie, emblem, numeral, opposed, other_die, pipped
from tests.bench.ray_traced.looks import CELL, Mask, Part
from tests.bench.ray_traced.numbering import Numbering, numbered
from vision.pose.geometry import cube, icosahedron

_LOGOS: Final = (1, 20)


_NUMBERINGS: Final = {Numbering.COMMON: 0.5, Numbering.MIRROR: 0.25, Numbering.SPIN_DOWN: 0.15, Numbering.RANDOM: 0.1}


@dataclass(frozen=True)
class Hand:
    """One set's lettering; `logo` is the number of a d20 in whose place a sign stands."""

    font: ImageFont.FreeTypeFont
    numbering: Numbering
    logo: int | None
    d20_height: float
    cube_height: float
    mark: str
    sign: Mask
    corner: Mask | None
    pips: str | None
    pip_spread: float
    pip_size: float

    def lettered(self, rng: np.random.Generator, kind: DieKind | None) -> LetteredDie:
        """A die of the kind (None: a d4, d8, d10 or d12)."""
        if kind is None:
            return other_die(rng, self.font)
        if kind is DieKind.D20:
            values = numbered(rng, self.numbering)
            masks = tuple(self._number(n) for n in values)
            return LetteredDie(kind, icosahedron(), values, masks, tuple(map(int, rng.integers(0, 3, 20))))
        faces: tuple[Face, ...]
        if kind is DieKind.CHALLENGE:
            faces = tuple(CHALLENGE_FACES[int(i)] for i in rng.permutation(6))
        else:
            faces = tuple(i + 1 for i in opposed(cube()))
        masks = tuple(self._on_cube(kind, value) for value in faces)
        return LetteredDie(kind, cube(), faces, masks, tuple(map(int, rng.integers(0, 4, 6))))

    def _number(self, number: int) -> Mask:
        if number == self.logo:
            return scaled(self.sign, 0.62)
        return numeral(self.font, number, self.d20_height, self.mark if number in {6, 9} else "none")

    def _on_cube(self, kind: DieKind, value: Face) -> Mask:
        if value is Symbol.EFFECT:
            return self.sign
        if value is Symbol.BLANK:
            return np.zeros((CELL, CELL), np.uint8)
        if kind is DieKind.D6 and self.pips is not None:
            return pipped(int(value), self.pip_spread, self.pip_size, PIPS[self.pips])
        mask = numeral(self.font, int(value), self.cube_height, "line" if value == 6 else "none")
        if kind is DieKind.CHALLENGE and self.corner is not None:
            mask = np.maximum(mask, self.corner)
        return mask


def hand(rng: np.random.Generator, part: Part, fonts: Sequence[Path]) -> Hand:
    """A set's lettering, drawn from the part's own signs and fonts."""
    families = list(EMBLEMS[part].values())
    layers = families[int(rng.integers(len(families)))](rng)
    style = float(rng.random())
    framed = None if style > 0.3 else list(FRAMES.values())[int(rng.integers(len(FRAMES)))]
    reach = float(rng.uniform(0.42, 0.47) if framed is not None or style > 0.8 else rng.uniform(0.26, 0.4))
    sign = emblem(layers, reach, framed)
    logos = (None,) * 5 + _LOGOS
    return Hand(
        font=ImageFont.truetype(str(fonts[int(rng.integers(len(fonts)))]), 160),
        numbering=list(_NUMBERINGS)[int(rng.choice(len(_NUMBERINGS), p=list(_NUMBERINGS.values())))],
        logo=logos[int(rng.integers(len(logos)))],
        d20_height=float(rng.uniform(0.26, 0.42)),
        cube_height=float(rng.uniform(0.36, 0.66)),
        mark=str(rng.choice(["dot", "line"])),
        sign=sign,
        corner=in_corners(emblem(layers, 0.42)) if rng.random() < 0.35 else None,
        pips=None if rng.random() < 0.35 else list(PIPS)[int(rng.choice(len(PIPS), p=[0.55, 0.15, 0.15, 0.15]))],
        pip_spread=float(rng.uniform(0.2, 0.28)),
        pip_size=float(rng.uniform(0.07, 0.115)),
    )


def scaled(mask: Mask, by: float) -> Mask:
    """The same sign smaller, in the middle."""
    side = round(CELL * by)
    result = np.zeros((CELL, CELL), np.uint8)
    low = (CELL - side) // 2
    result[low : low + side, low : low + side] = cv2.resize(mask, (side, side), interpolation=cv2.INTER_AREA)
    return result


def in_corners(mask: Mask) -> Mask:
    """The sign, small, in two opposite corners of a cube's face."""
    side = round(CELL * 0.2)
    small = cv2.resize(mask, (side, side), interpolation=cv2.INTER_AREA)
    result = np.zeros((CELL, CELL), np.uint8)
    low = round(CELL * 0.14)
    result[low : low + side, low : low + side] = small
    result[CELL - low - side : CELL - low, CELL - low - side : CELL - low] = small[::-1, ::-1]
    return result


def worn(rng: np.random.Generator, mask: Mask, share: float) -> Mask:
    """What is left of the ink when about this share of it has gone, in patches."""
    if share <= 0 or not mask.any():
        return mask
    cloud = np.asarray(cv2.resize(rng.random((14, 14)).astype(np.float32), (CELL, CELL), interpolation=cv2.INTER_CUBIC))
    limit = float(np.quantile(cloud[mask > 127], share))
    left = np.clip((cloud - limit) * 12 + 0.5, 0, 1)
    result: Mask = (mask * left).astype(np.uint8)
    return result
