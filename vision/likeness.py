"""How much a die's patches look like the faces of the dice that were taught: evidence for the reader's vote.

The comparison is of plain pictures, the reader's networks have no part in it: a logo, a script numeral or a symbol
that no network was taught says as much as a printed 7. The numbers below were fitted to rendered dice.
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
from vision.own_dice import CODE_PIXELS, LEAST_DEVIATION, Code, OwnDie

_NEAR_D20: Final = 0.66
_NEAR_CUBE: Final = 0.9
"""The middle part of a patch that a code shows..."""
_CIRCLE: Final = 0.85
_SQUARE: Final = 0.88
"""... and what of that lies on the face, in half sides of the code."""
_SOFT: Final = 0.4
_REACH: Final = 4
"""Pixels of a code by which a patch may be off."""
_TELLING: Final = {True: 35.0, False: 32.0}
"""How much more likely, as a logarithm, a look makes a face (of a d20; of a cube) for each unit of likeness."""
_UNSEEN: Final = 0.72
"""So alike is a face that was not seen yet to one of those that were, usually."""
_LEAST: Final = -6.0
"""No look speaks against a face by more than this."""
_OWNED: Final = {True: (-21.4, 25.4), False: (-14.5, 20.0)}
"""The log odds that a die is the one taught: offset and slope over its faces' mean likeness to their likest looks..."""
_OWNED_MOST: Final = 5.0
"""... but no more than this for or against."""
_COLOUR_SPREAD: Final = (45.0, 12.0, 12.0)
"""By how much a die's lightness and hue differ from throw to throw..."""
_COLOUR_MOST: Final = 1.5
_COLOUR_LEAST: Final = -4.0
_SURELY: Final = 0.95
"""The least chance at which a die is said to be one of those that were taught."""


@dataclass(frozen=True, eq=False)
class Likeness:
    """What a taught die's looks say of some patches.

    `odds`: for each patch (row) and each face of the kind (column) the log of how much more likely the look makes that
    face than any face of the die, 0 where the face was never seen; `best`: how alike (`own_dice.likeness`) each patch
    is to its likest look.
    """

    odds: Array
    best: Array
    line: tuple[float, float]

    def belongs(self, part: slice) -> float:
        """The log odds that the die whose patches these are is the one that was taught."""
        offset, slope = self.line
        told = offset + slope * float(self.best[part].mean())
        return min(_OWNED_MOST, max(-2 * _OWNED_MOST, told))


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
        mask = mask_of(die.kind)
        flat = np.array([code[mask] for code in codes], np.float32).reshape(len(codes), int(mask.sum()))
        return cls(die, tuple(faces), flat, (flat**2).sum(axis=1))

    def says(self, patches: Sequence[Grey]) -> Likeness:
        """What the looks say of each patch."""
        kind = self.die.kind
        is_d20 = kind is DieKind.D20
        faces = FACES[kind]
        if not patches or not len(self.codes):
            return Likeness(np.zeros((len(patches), len(faces))), np.zeros(len(patches)), (0.0, 0.0))
        shown = np.array([codes_of(patch, kind) for patch in patches])  # patches x shifts x pixels
        flat = shown.reshape(-1, shown.shape[-1])
        both = (flat**2).sum(axis=1)[:, None] + self.squares[None]
        alike = 1 - (both - 2 * flat @ self.codes.T) / (both + 0.2 * CODE_PIXELS**2)
        best = alike.reshape(len(patches), -1, len(self.faces)).max(axis=1)
        known = [face for face in faces if face in self.faces]
        by_face = np.column_stack([best[:, [one == face for one in self.faces]].max(axis=1) for face in known])
        logs = _TELLING[is_d20] * by_face
        unseen = len(faces) - len(known)
        usual = [logs, *([np.full((len(logs), 1), _TELLING[is_d20] * _UNSEEN + math.log(unseen))] if unseen else [])]
        logs -= np.logaddexp.reduce(np.hstack(usual), axis=1, keepdims=True) - math.log(len(faces))
        odds = np.zeros((len(patches), len(faces)))
        odds[:, [faces.index(face) for face in known]] = np.where(logs == 0, 1e-9, np.maximum(logs, _LEAST))
        return Likeness(odds, by_face.max(axis=1), _OWNED[is_d20])

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

    def doubt(self, dice: Sequence[Taught]) -> float:
        """The log odds, before looking, of each of `dice` against a die that was never taught: evens for them all."""
        return -math.log(max(1, len(dice)))

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
    """The part of a code that surely lies on the face: a triangle's inner circle, nearly all of a square."""
    away = np.abs(np.arange(CODE_PIXELS) - (CODE_PIXELS - 1) / 2) / (CODE_PIXELS / 2)
    if kind is DieKind.D20:
        return np.asarray(np.hypot(away[:, None], away[None]) <= _CIRCLE, np.bool_)
    return np.asarray(np.maximum(away[:, None], away[None]) <= _SQUARE, np.bool_)


@cache
def _smooth(kind: DieKind) -> NDArray[np.float32]:
    """What takes a fall of light out of a code's pixels: the projection onto planes over the mask."""
    rows, columns = np.nonzero(mask_of(kind))
    shapes = np.column_stack([np.ones(len(rows)), rows, columns])
    return np.asarray(shapes @ np.linalg.pinv(shapes), np.float32)


def code_of(patch: Grey, kind: DieKind) -> Code:
    """A face's patch as a code."""
    middle = len(_shifts()) // 2
    result = np.zeros((CODE_PIXELS, CODE_PIXELS), np.float32)
    result[mask_of(kind)] = codes_of(patch, kind)[middle]
    return result


def _shifts() -> list[tuple[int, int]]:
    ways = range(2 * _REACH + 1)
    return [(down, right) for down in ways for right in ways]


def codes_of(patch: Grey, kind: DieKind) -> NDArray[np.float32]:
    """The pixels of its mask at every small shift, one row a shift."""
    side = CODE_PIXELS + 2 * _REACH
    scale = CODE_PIXELS / (patch.shape[0] * (_NEAR_D20 if kind is DieKind.D20 else _NEAR_CUBE))
    shift = (side - 1) / 2 - scale * (patch.shape[0] - 1) / 2
    into = np.array([[scale, 0, shift], [0, scale, shift]])
    soft = cv2.GaussianBlur(patch, (0, 0), _SOFT)
    wide = cv2.warpAffine(soft, into, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    values, mask = np.asarray(wide, np.float32), mask_of(kind)
    inside = np.array(
        [values[down : down + CODE_PIXELS, right : right + CODE_PIXELS][mask] for down, right in _shifts()]
    )
    flat = inside - inside @ _smooth(kind).T
    return np.asarray(flat / np.maximum(flat.std(axis=1, keepdims=True), LEAST_DEVIATION), np.float32)


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
