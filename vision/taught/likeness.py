"""Measures how much a die's patches look like taught faces: evidence for the reader's vote.

The comparison is of plain pictures, the reader's networks have no part in it: a logo, a script numeral or a symbol
unknown to the networks is as good as a printed 7. The numbers below were fitted to rendered dice.
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

from rules.dice import FACES, DieKind, Face, Symbol
from vision.pose.crops import FACE_PIXELS, Grey
from vision.pose.geometry import Array
from vision.taught.own_dice import CODE_PIXELS, Code, Colour, FaceLook, OwnDie
from vision.taught.thresholds import LEAST_DEVIATION, LIKE_ENOUGH, SURELY_ITS

_NEAR_D20: Final = 0.66
"""The middle share of a d20's patch that a code covers."""
_NEAR_CUBE: Final = 0.9
"""The middle share of a cube's patch that a code covers."""
_CIRCLE: Final = 0.85
"""What of a code lies on a d20's face: a circle of this radius, in half sides of the code."""
_SQUARE: Final = 0.88
"""What of a code lies on a cube's face: a square of this half side, in half sides of the code."""
_SOFT: Final = 0.4
"""Pixels by which a patch is blurred before it is compared."""
_REACH: Final = 4
"""Pixels of a code by which a patch may be off."""
CODE_STEP: Final = FACE_PIXELS * _NEAR_D20 / CODE_PIXELS
"""Pixels of a d20's patch for one of a code."""
_LIKEST: Final = 5
"""The number of likest faces that are compared with a patch more closely."""
_USUAL_MOVE: Final = 0.5
"""The usual remaining offset of a face after its best shift, in pixels of a code."""
_USUAL_TURN: Final = 0.03
"""The usual turn or stretch of a face."""
_USUAL_NOISE: Final = 0.3
"""The usual variance of a face's pixels for other reasons."""
_SPARED: Final = 0.2
"""The variance of a pixel that is forgiven."""
_SPARED_BLANK: Final = 0.6
"""The additional variance forgiven on a blank face, which has only noise."""
_UNLIKE: Final = 0.05
"""So unlike is a face that looks as it was taught, usually, in other light and cut out anew; what is less unlike says
no more: evidence goes by the logarithm of what is left beyond this."""
_TELLING: Final = 9.0
"""The log odds that a look gives a face for each unit of that logarithm (`_UNLIKE`)."""
_UNSEEN: Final = 0.8
"""The usual likeness of an unseen face to a seen one."""
_UNSEEN_BELONGS: Final = -3.5
"""The log odds that a die is the taught one with an unseen face up: only colour is evidence."""
_LEAST: Final = -6.0
"""The most log odds of a look against a face."""
_OWNED: Final = {True: (-8.5, 5.0), False: (-6.4, 4.15)}
"""The log odds that a die is the taught one: offset and slope over its faces' mean evidence of its likest looks."""
_OWNED_MOST: Final = 5.0
"""The most that its faces count for or against its being the taught die."""
_COLOUR_SPREAD: Final = (45.0, 12.0, 12.0)
"""By how much a die's lightness and hue differ from throw to throw."""
_COLOUR_MOST: Final = 1.5
"""The most log odds of a similar colour for a taught die."""
_COLOUR_LEAST: Final = -3.0
"""The most log odds of another colour against it."""
_MOSTLY_TAUGHT: Final = 2.0
"""The number of taught dice for each untaught one, at a table with taught dice."""


@dataclass(frozen=True, eq=False)
class Likeness:
    """The evidence of a taught die's looks on some patches.

    * `odds`: for each patch (row) and each face of the kind (column) the log of how much likelier the look makes that
      face than any face of the die; 0 for a face never seen.
    * `best`: the likeness (`own_dice.likeness`) of each patch to its best look.
    * `unseen`: the share of the faces that were never seen, and may be what a patch shows.
    * `strange`: for each patch the odds, as above, of each of those; None if every face was seen.
    """

    odds: Array
    best: Array
    line: tuple[float, float]
    unseen: float = 0.0
    strange: Array | None = None

    def belongs(self, part: slice, beside: Sequence[Likeness] = ()) -> float:
        """The log odds that the die whose patches these are is the one that was taught.

        Looks distinguish it from other taught dice (`beside`) as well as they distinguish faces.
        """
        offset, slope = self.line
        own = _evidence(self.best[part])
        each = offset + slope * own
        if beside:
            likest = _evidence(np.max([one.best[part] for one in beside], axis=0))
            each -= np.maximum(0, likest - own) * (_TELLING - slope)
        told = float(np.log((1 - self.unseen) * np.exp(each) + self.unseen * math.exp(_UNSEEN_BELONGS)).mean())
        return min(_OWNED_MOST, max(-2 * _OWNED_MOST, told))


@dataclass(frozen=True, eq=False)
class PatchCodes:
    """Patches made ready for comparing: their codes at every small shift (patches x shifts x pixels)."""

    codes: NDArray[np.float32]
    squares: NDArray[np.float32]

    @classmethod
    def of(cls, patches: Sequence[Grey], kind: DieKind) -> PatchCodes:
        """Make `patches` of a kind's faces ready."""
        empty = np.zeros((0, len(_shifts()), int(mask_of(kind).sum())), np.float32)
        codes = np.array([codes_of(patch, kind) for patch in patches], np.float32) if patches else empty
        return cls(codes, (codes**2).sum(axis=2))


@dataclass(frozen=True, eq=False)
class KnownDie:
    """A die that was taught, made ready for comparing: each look in every way its face can be turned.

    `ways` are, for each look, the directions in which small moves, turns and stretches of the face change it, made so
    that what lies along them counts as far as such a change is usual; `spared` is how much noise each look is granted.
    """

    die: OwnDie
    faces: tuple[Face, ...]
    codes: NDArray[np.float32]
    squares: NDArray[np.float32]
    ways: NDArray[np.float32]
    spared: NDArray[np.float32]

    @classmethod
    def of(cls, die: OwnDie) -> KnownDie:
        """Make `die` ready."""
        faces: list[Face] = []
        codes: list[Code] = []
        for look in die.looks:
            for turned in _turned(look.code, die.kind, ways=3 if die.legible else 6):
                faces.append(look.face)
                codes.append(turned)
        mask = mask_of(die.kind)
        flat = np.array([code[mask] for code in codes], np.float32).reshape(len(codes), int(mask.sum()))
        ways = np.array([_ways(code, die.kind) for code in codes], np.float32)
        squares = (flat**2).sum(axis=1)
        spared = CODE_PIXELS**2 * (_SPARED + _SPARED_BLANK * np.maximum(0, 1 - squares / max(1, flat.shape[1])))
        return cls(die, tuple(faces), flat, squares, ways, spared.astype(np.float32))

    def says(self, patches: Sequence[Grey]) -> Likeness:
        """The evidence of the looks on each patch."""
        return self.compared(PatchCodes.of(patches, self.die.kind))

    def compared(self, shown: PatchCodes) -> Likeness:
        """The same for prepared patches."""
        is_d20 = self.die.kind is DieKind.D20
        faces = FACES[self.die.kind]
        count = len(shown.codes)
        if not count or not len(self.codes):
            return Likeness(np.zeros((count, len(faces))), np.zeros(count), (0.0, 0.0))
        by_face, known, _ = self._alike(shown)
        logs = _TELLING * _evidence(by_face)
        unseen = len(faces) - len(known)
        whole = np.logaddexp.reduce(logs, axis=1, keepdims=True)
        other = _TELLING * float(_evidence(np.array(_UNSEEN)))
        if unseen:
            whole = np.logaddexp(whole, other + math.log(unseen))
        whole -= math.log(len(faces))
        logs -= whole
        strange = other - whole[:, 0] if unseen else None
        odds = np.zeros((count, len(faces)))
        # 0 would mean that the face was never shown
        odds[:, [faces.index(face) for face in known]] = np.where(logs == 0, 1e-9, np.maximum(logs, _LEAST))
        return Likeness(odds, by_face.max(axis=1), _OWNED[is_d20], unseen / len(faces), strange)

    def located(self, shown: PatchCodes) -> tuple[Array, Array]:
        """How alike each patch is to its likest face, and how far right and down that lies, in pixels of a code."""
        by_face, _, shifts = self._alike(shown)
        rows = np.arange(len(by_face))
        likest = by_face.argmax(axis=1)
        down, right = np.divmod(shifts[rows, likest], 2 * _REACH + 1)
        return by_face[rows, likest], np.column_stack([right, down]) - float(_REACH)

    def _alike(self, shown: PatchCodes) -> tuple[Array, list[Face], NDArray[np.intp]]:
        """How alike each patch (row) is to each face that was seen (column), which those are, and at which shift."""
        count = len(shown.codes)
        coarse = _coarse()
        both = shown.squares[:, coarse, None] + self.squares
        dots = (shown.codes[:, coarse].reshape(count * len(coarse), -1) @ self.codes.T).reshape(both.shape)
        alike = 1 - (both - 2 * dots) / (both + self.spared)
        known = [face for face in FACES[self.die.kind] if face in self.faces]
        result = np.zeros((count, len(known)))
        best = np.zeros((count, len(known), 2), np.intp)  # at which shift, and to which code
        for column, face in enumerate(known):
            own = np.flatnonzero([one == face for one in self.faces])
            flat = alike[:, :, own].reshape(count, -1)
            top = flat.argmax(axis=1)
            result[:, column] = flat[np.arange(count), top]
            best[:, column] = np.column_stack([coarse[top // len(own)], own[top % len(own)]])
        # The likest faces are compared again, at shifts in between, and without differences that a small change
        # explains.
        likest = np.argsort(-result, axis=1)[:, :_LIKEST]
        rows, columns = np.repeat(np.arange(count), likest.shape[1]), likest.ravel()
        places, code = _near()[best[rows, columns, 0]], best[rows, columns, 1]
        apart = shown.codes[rows[:, None], places] - self.codes[code][:, None]
        mended = ((apart @ self.ways[code].transpose(0, 2, 1)) ** 2).sum(axis=2)
        both = shown.squares[rows[:, None], places] + self.squares[code][:, None]
        fine = 1 - ((apart**2).sum(axis=2) - mended) / (both + self.spared[code][:, None])
        top = fine.argmax(axis=1)
        pairs = np.arange(len(top))
        result[rows, columns], best[rows, columns, 0] = fine[pairs, top], places[pairs, top]
        return result, known, best[:, :, 0]

    def colour_says(self, colour: Array | None) -> float:
        """The log odds that a die of this colour is this one."""
        return _same_colour(colour, self.die.colour)

    def colours_say(self, colour: Array | None) -> Array:
        """The same for each face that may be up: a large sign has another colour than the body."""
        usual = self.colour_says(colour)
        known = [(look.face, _same_colour(colour, look.colour)) for look in self.die.looks if look.colour is not None]
        return np.array(
            [max((odds for one, odds in known if one == face), default=usual) for face in FACES[self.die.kind]]
        )


@dataclass(frozen=True, eq=False)
class OwnDice:
    """The dice that were taught, ready for comparing; dice without any look of a face are left out."""

    d20s: tuple[KnownDie, ...] = ()
    cubes: tuple[KnownDie, ...] = ()

    @classmethod
    def of(cls, dice: Iterable[OwnDie]) -> OwnDice:
        """Make `dice` ready."""
        ready = [KnownDie.of(die) for die in dice if die.looks]
        return cls(
            tuple(one for one in ready if one.die.kind is DieKind.D20),
            tuple(one for one in ready if one.die.kind is not DieKind.D20),
        )

    def __bool__(self) -> bool:
        return bool(self.d20s or self.cubes)

    @staticmethod
    def say(patches: Sequence[Grey], dice: Sequence[KnownDie]) -> list[Likeness]:
        """The evidence of each of `dice`, all d20s or all cubes, on each patch."""
        if not dice:
            return []
        shown = PatchCodes.of(patches, dice[0].die.kind)
        return [one.compared(shown) for one in dice]

    def doubt(self, dice: Sequence[KnownDie]) -> float:
        """The prior log odds of each of `dice` against an untaught die."""
        return math.log(_MOSTLY_TAUGHT / max(1, len(dice)))

    @staticmethod
    def surely(votes: Array, dice: Sequence[KnownDie]) -> str | None:
        """The one of `dice` that it surely is by these votes (the first is nobody's), if any."""
        top = int(np.argmax(votes))
        if top == 0 or float(votes[top] - np.logaddexp.reduce(votes)) < math.log(SURELY_ITS):
            return None
        return dice[top - 1].die.die_id


NO_OWN_DICE: Final = OwnDice()
"""Where no die was taught."""


def _same_colour(colour: Array | None, taught: Colour | None) -> float:
    """The log odds that a thing of one colour is the taught one of another."""
    if colour is None or taught is None:
        return 0.0
    apart = (colour - np.array(taught)) / np.array(_COLOUR_SPREAD)
    return max(_COLOUR_LEAST, _COLOUR_MOST - 0.5 * float(apart @ apart))


def _evidence(alike: Array) -> Array:
    """The evidence of a likeness: it grows as the remaining difference shrinks."""
    result: Array = -np.log(1 + _UNLIKE - alike)
    return result


@dataclass(frozen=True, eq=False)
class StrangeFace:
    """An untaught cube's upper face, prepared for comparing it with others."""

    known: KnownDie
    shown: PatchCodes

    @classmethod
    def of(cls, patch: Grey) -> StrangeFace:
        """Make the face of this patch ready."""
        look = FaceLook(Symbol.EFFECT, code_like(patch, DieKind.CHALLENGE, ()))
        known = KnownDie.of(OwnDie("", "", DieKind.CHALLENGE, (look,)))
        return cls(known, PatchCodes.of([patch], DieKind.CHALLENGE))

    def alike(self, others: Sequence[StrangeFace]) -> list[float]:
        """How alike each of `others`, however it is turned, is to this face: 1 the same, about 0 unlike."""
        if not others:
            return []
        codes = np.concatenate([one.shown.codes for one in others])
        squares = np.concatenate([one.shown.squares for one in others])
        return [float(each) for each in self.known.compared(PatchCodes(codes, squares)).best]


@cache
def mask_of(kind: DieKind) -> NDArray[np.bool_]:
    """The part of a code that surely lies on the face: a triangle's inner circle, nearly all of a square."""
    away = np.abs(np.arange(CODE_PIXELS) - (CODE_PIXELS - 1) / 2) / (CODE_PIXELS / 2)
    if kind is DieKind.D20:
        return np.asarray(np.hypot(away[:, None], away[None]) <= _CIRCLE, np.bool_)
    return np.asarray(np.maximum(away[:, None], away[None]) <= _SQUARE, np.bool_)


@cache
def _planes(kind: DieKind) -> NDArray[np.float32]:
    """What a fall of light adds to a code's pixels: an orthonormal base of the planes over the mask, one a column."""
    rows, columns = np.nonzero(mask_of(kind))
    shapes = np.column_stack([np.ones(len(rows)), rows, columns])
    return np.asarray(np.linalg.qr(shapes)[0], np.float32)


def code_like(patch: Grey, kind: DieKind, looks: Iterable[Code], *, ways: int = 3) -> Code:
    """A face's patch as a code that lies as one of `looks` does: turned and shifted so that it is like that one.

    `ways` are those in which a triangle can be turned (`KnownDie.of`). Like none of them, it is the patch's plain code.
    """
    turned = np.array([codes_of(one, kind) for one in _turned_patches(patch, kind, ways)], np.float32)
    mask = mask_of(kind)
    best, most = turned[0, len(_shifts()) // 2], LIKE_ENOUGH
    for look in looks:
        apart = ((turned - look[mask]) ** 2).sum(axis=2)
        both = (turned**2).sum(axis=2) + (look[mask] ** 2).sum()
        alike = 1 - apart / (both + _SPARED * look.size)
        way, shift = np.unravel_index(int(alike.argmax()), alike.shape)
        if alike[way, shift] > most:
            best, most = turned[way, shift], float(alike[way, shift])
    result = np.zeros((CODE_PIXELS, CODE_PIXELS), np.float32)
    result[mask] = best
    return result


def _turned_patches(patch: Grey, kind: DieKind, ways: int) -> list[Grey]:
    if kind is not DieKind.D20:
        return [np.ascontiguousarray(np.rot90(patch, turn)) for turn in range(4)]
    middle = (patch.shape[0] - 1) / 2
    abouts = [cv2.getRotationMatrix2D((middle, middle), turn, 1.0) for turn in range(0, 360, 360 // ways)]
    size = (patch.shape[1], patch.shape[0])
    return [
        np.asarray(cv2.warpAffine(patch, about, size, borderMode=cv2.BORDER_REPLICATE), np.uint8) for about in abouts
    ]


@cache
def _shifts() -> list[tuple[int, int]]:
    ways = range(2 * _REACH + 1)
    return [(down, right) for down in ways for right in ways]


@cache
def _coarse() -> NDArray[np.intp]:
    """Every other shift in both directions: each shift is at most one pixel from one of them."""
    return np.array([n for n, (down, right) in enumerate(_shifts()) if down % 2 == 0 and right % 2 == 0], np.intp)


@cache
def _near() -> NDArray[np.intp]:
    """For each shift itself and the eight round it (at the rim some twice)."""
    side = 2 * _REACH + 1
    ways = (-1, 0, 1)
    return np.array(
        [
            [min(max(down + y, 0), side - 1) * side + min(max(right + x, 0), side - 1) for y in ways for x in ways]
            for down, right in _shifts()
        ],
        np.intp,
    )


def codes_of(patch: Grey, kind: DieKind) -> NDArray[np.float32]:
    """The pixels of its mask at every small shift, one row a shift."""
    side = CODE_PIXELS + 2 * _REACH
    scale = CODE_PIXELS / (patch.shape[0] * (_NEAR_D20 if kind is DieKind.D20 else _NEAR_CUBE))
    shift = (side - 1) / 2 - scale * (patch.shape[0] - 1) / 2
    into = np.array([[scale, 0, shift], [0, scale, shift]])
    soft = cv2.GaussianBlur(patch, (0, 0), _SOFT)
    wide = cv2.warpAffine(soft, into, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = np.asarray(wide, np.float32).ravel()[_places(kind)]
    flat = _flattened(inside, kind)
    deviation = np.sqrt((flat**2).mean(axis=1, keepdims=True))
    return np.asarray(flat / np.maximum(deviation, LEAST_DEVIATION), np.float32)


@cache
def _places(kind: DieKind) -> NDArray[np.intp]:
    """Where the pixels of the mask lie at each shift, one row a shift."""
    side = CODE_PIXELS + 2 * _REACH
    rows, columns = np.nonzero(mask_of(kind))
    return np.array([(rows + down) * side + columns + right for down, right in _shifts()], np.intp)


def _flattened(rows: NDArray[np.float32], kind: DieKind) -> NDArray[np.float32]:
    """Pixels of the mask (rows) without a fall of light across them."""
    planes = _planes(kind)
    return np.asarray(rows - (rows @ planes) @ planes.T, np.float32)


@cache
def _ways_along(kind: DieKind) -> NDArray[np.float32]:
    """The movement of the mask's pixels by each usual change, right and down, in pixels: changes x 2 x pixels."""
    rows, columns = np.nonzero(mask_of(kind))
    x, y = (np.asarray(one - (CODE_PIXELS - 1) / 2, np.float32) for one in (columns, rows))
    none, one = np.zeros_like(x), np.ones_like(x)
    moves = [(one, none), (none, one)]
    shapes = [(-y, x), (x, y), (x, -y), (y, x)]
    return np.array(
        [[_USUAL_MOVE * a, _USUAL_MOVE * b] for a, b in moves]
        + [[_USUAL_TURN * a, _USUAL_TURN * b] for a, b in shapes],
        np.float32,
    )


def _ways(code: Code, kind: DieKind) -> NDArray[np.float32]:
    """The directions in which usual small changes of a face's place, turn and shape change its code.

    Differences along them are reduced by the most likely change (Simard's tangent distance, with a prior for the
    change).
    """
    mask = mask_of(kind)
    inner = cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=0)
    down, right = (np.where(inner, one, 0)[mask] for one in np.gradient(code))
    along = _ways_along(kind)
    changes = _flattened(along[:, 0] * right + along[:, 1] * down, kind)
    own, directions = np.linalg.eigh(changes @ changes.T + _USUAL_NOISE * np.eye(len(changes)))
    return np.asarray(((directions / np.sqrt(own)) @ directions.T) @ changes, np.float32)


def _turned(code: Code, kind: DieKind, ways: int) -> list[Code]:
    """The code in each way the face can be turned: a cube's in four, a triangle's in three or six `ways`.

    In six if the d20 may be spun by a sixth of a turn: that looks similar, and keeps the middle of the upper face.
    """
    if kind is not DieKind.D20:
        return [np.ascontiguousarray(np.rot90(code, turn)) for turn in range(4)]
    middle = (CODE_PIXELS - 1) / 2
    size = (CODE_PIXELS, CODE_PIXELS)
    mask = mask_of(kind)
    turned = []
    for turn in range(0, 360, 360 // ways):
        about = cv2.getRotationMatrix2D((middle, middle), turn, 1.0)
        one = np.asarray(cv2.warpAffine(code, about, size, flags=cv2.INTER_LINEAR), np.float32)
        turned.append(np.where(mask, one, 0).astype(np.float32))
    return turned
