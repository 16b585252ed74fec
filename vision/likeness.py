"""How much a die's patches look like the faces of the dice that were taught: evidence for the reader's vote.

The comparison is of plain pictures, the reader's networks have no part in it: a logo, a script numeral or a symbol
that no network was taught says as much as a printed 7. What it says is calibrated on rendered dice (docs/vision.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import FACES, DieKind, Face
from vision.crops import Grey
from vision.geometry import Array
from vision.own_dice import CODE_PIXELS, Code, OwnDie, coded

_REACH: Final = 1
"""Pixels of a code by which a patch may be off."""
_OFFSET: Final = -5.2
_SLOPE: Final = 11.0
"""Two faces that are alike by `s` (`own_dice.likeness`) are the same face with odds of exp(offset + slope * s)..."""
_LEAST: Final = -3.0
_MOST: Final = 4.5
"""... but no comparison says less or more than this."""
_COLOUR_SPREAD: Final = (26.0, 7.0, 7.0)
"""By how much a die's lightness and hue differ from throw to throw..."""
_COLOUR_MOST: Final = 2.0
_COLOUR_LEAST: Final = -8.0
_SURELY: Final = 0.95
"""The least chance at which a die is said to be one of those that were taught."""


@dataclass(frozen=True, eq=False)
class Taught:
    """A die that was taught, made ready for comparing: each look in every way its face can be turned."""

    die: OwnDie
    faces: tuple[Face, ...]
    codes: NDArray[np.float32]
    squares: NDArray[np.float32]

    @classmethod
    def of(cls, die: OwnDie) -> Taught:
        """Make `die` ready."""
        faces: list[Face] = []
        codes: list[Code] = []
        for look in die.looks:
            for turned in _turned(look.code, die.kind):
                faces.append(look.face)
                codes.append(turned)
        flat = np.array(codes, np.float32).reshape(len(codes), -1)
        return cls(die, tuple(faces), flat, (flat**2).sum(axis=1))

    def says(self, patches: Sequence[Grey]) -> Array:
        """For each patch (row) and each face of the kind (column) the log odds that the patch is that face.

        0 where the face was never seen.
        """
        kind = self.die.kind
        column = {face: number for number, face in enumerate(FACES[kind])}
        result = np.zeros((len(patches), len(column)))
        if not len(self.codes):
            return result
        shown = np.array([codes_of(patch, kind) for patch in patches])  # patches x shifts x pixels
        flat = shown.reshape(-1, shown.shape[-1])
        both = (flat**2).sum(axis=1)[:, None] + self.squares[None]
        alike = 1 - (both - 2 * flat @ self.codes.T) / (both + 0.2 * flat.shape[1])
        best = alike.reshape(len(patches), -1, len(self.faces)).max(axis=1)
        odds = np.clip(_OFFSET + _SLOPE * best, _LEAST, _MOST)
        columns = np.array([column[face] for face in self.faces])
        for place in set(columns.tolist()):
            result[:, place] = odds[:, columns == place].max(axis=1)
        return result

    def colour_says(self, colour: Array | None) -> float:
        """The log odds that a die of this colour is this one."""
        if colour is None or self.die.colour is None:
            return 0.0
        apart = (colour - np.array(self.die.colour)) / np.array(_COLOUR_SPREAD)
        return max(_COLOUR_LEAST, _COLOUR_MOST - 0.5 * float(apart @ apart))


@dataclass(frozen=True, eq=False)
class OwnDice:
    """The dice that were taught, ready for comparing; dice without any look of a face are left out."""

    d20s: tuple[Taught, ...] = ()
    cubes: tuple[Taught, ...] = ()

    @classmethod
    def of(cls, dice: Iterable[OwnDie]) -> OwnDice:
        """Make `dice` ready."""
        ready = [Taught.of(die) for die in dice if die.looks]
        return cls(
            tuple(one for one in ready if one.die.kind is DieKind.D20),
            tuple(one for one in ready if one.die.kind is not DieKind.D20),
        )

    def __bool__(self) -> bool:
        return bool(self.d20s or self.cubes)

    @property
    def doubt(self) -> float:
        """The log chance, before looking, that a die is a given one of these: half of the dice may be strange ones."""
        return -math.log(2.0 * max(1, len(self.d20s), len(self.cubes)))

    @staticmethod
    def surely(votes: Array, dice: Sequence[Taught]) -> str | None:
        """Whose vote (the first is nobody's) leaves no doubt which of `dice` it is."""
        top = int(np.argmax(votes))
        if top == 0 or float(votes[top] - np.logaddexp.reduce(votes)) < math.log(_SURELY):
            return None
        return dice[top - 1].die.die_id


NO_OWN_DICE: Final = OwnDice()


@cache
def mask_of(kind: DieKind) -> NDArray[np.bool_]:
    """The part of a code that surely lies on the face."""
    mask = np.zeros((CODE_PIXELS, CODE_PIXELS), np.uint8)
    middle = (CODE_PIXELS - 1) / 2
    if kind is DieKind.D20:
        reach = CODE_PIXELS / 2 / 0.80 * 0.86
        corners = [
            (middle + reach * math.cos(math.radians(turn)), middle - reach * math.sin(math.radians(turn)))
            for turn in (90, 210, 330)
        ]
    else:
        half = CODE_PIXELS / 2 * 0.8
        corners = [(middle + x * half, middle + y * half) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    cv2.fillConvexPoly(mask, np.round(np.array(corners)).astype(np.int32), 1)
    return mask > 0


def code_of(patch: Grey, kind: DieKind) -> Code:
    """A face's patch as a code."""
    small = cv2.resize(patch, (CODE_PIXELS, CODE_PIXELS), interpolation=cv2.INTER_AREA)
    return coded(np.asarray(small, np.float32), mask_of(kind))


def codes_of(patch: Grey, kind: DieKind) -> NDArray[np.float32]:
    """The same at every small shift, one row a shift."""
    side = CODE_PIXELS + 2 * _REACH
    scale = CODE_PIXELS / patch.shape[0]
    shift = (side - 1) / 2 - scale * (patch.shape[0] - 1) / 2
    into = np.array([[scale, 0, shift], [0, scale, shift]])
    blurred = cv2.GaussianBlur(patch, (0, 0), 0.35 / scale)
    wide = cv2.warpAffine(blurred, into, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    values = np.asarray(wide, np.float32)
    mask = mask_of(kind)
    rows = [
        coded(values[down : down + CODE_PIXELS, right : right + CODE_PIXELS], mask)
        for down in range(2 * _REACH + 1)
        for right in range(2 * _REACH + 1)
    ]
    return np.array(rows, np.float32).reshape(len(rows), -1)


def _turned(code: Code, kind: DieKind) -> list[Code]:
    """The code in each way the face can be turned."""
    if kind is not DieKind.D20:
        return [np.ascontiguousarray(np.rot90(code, turn)) for turn in range(4)]
    middle = (CODE_PIXELS - 1) / 2
    size = (CODE_PIXELS, CODE_PIXELS)
    mask = mask_of(kind)
    turned = []
    for turn in (0, 120, 240):
        about = cv2.getRotationMatrix2D((middle, middle), turn, 1.0)
        one = np.asarray(cv2.warpAffine(code, about, size, flags=cv2.INTER_LINEAR), np.float32)
        turned.append(np.where(mask, one, 0).astype(np.float32))
    return turned
