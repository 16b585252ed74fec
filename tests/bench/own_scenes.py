"""Dice that no reader knows beforehand, the same ones thrown again and again: what teaching is measured with.

d20s with a logo in place of the 1 or the 20, with worn paint, in seven-segment and Roman numerals, with a sign a face,
and with a numbering of their own; Challenge Dice with signs of their own, and symbol dice of another game, with signs
of families that are never taught or with stars, which look like a Challenge Die's Effect.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind, Face, Symbol
from vision.pose.geometry import Camera, Pose, common_layout, cube, icosahedron, lying, tilted
from vision.pose.refinement import symmetries
from vision.training.glyphs import TEXTURE_PIXELS, TEXTURE_REACH, Fonts, Hand, Mask, effect, numeral, pips
from vision.training.paint import Lettering, Look, clouds, light_at_random, look_at_random, paint_die
from vision.training.scenes import finish, tray
from vision.training.signs import KEPT_BACK, strange
from vision.training.throws import FULL_TURN, PaintedDie, readable_look

D20S = ("logo 20", "logo 1", "worn", "segments", "roman", "signs", "own numbering")
CUBES = ("challenge signs", "other game", "other game, stars")
USUAL: Final = Camera(1280, 720)
"""The camera that looks at them, unless another one is named."""
_SAME = 0.9
"""Signs that are so alike (correlation), each as large as the other, are one and the same."""
_EVEN: Final = 1e-6
"""What varies by no more than this, in grey levels, is of one shade."""
_ROMAN = (
    "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X",
    "XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII", "XVIII", "XIX", "XX",
)  # fmt: skip
_SEGMENTS = {
    "0": "abcdef", "1": "bc", "2": "abged", "3": "abgcd", "4": "fgbc", "5": "afgcd", "6": "afgedc", "7": "abc",
    "8": "abcdefg", "9": "abfgcd",
}  # fmt: skip
_BARS = {
    "a": ((0, 0), (1, 0)), "b": ((1, 0), (1, 1)), "c": ((1, 1), (1, 2)), "d": ((0, 2), (1, 2)), "e": ((0, 1), (0, 2)),
    "f": ((0, 0), (0, 1)), "g": ((0, 1), (1, 1)),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Owned:
    """A die with everything that stays the same from throw to throw."""

    sort: str
    die: PaintedDie
    look: Look


@dataclass(frozen=True, eq=False)
class Lies:
    """Where one of them lies and what is up on it."""

    owned: Owned
    pose: Pose
    face: Face


def owned(sort: str, rng: np.random.Generator, fonts: Fonts) -> Owned:
    """A die of the sort, otherwise any."""
    look = next(one for one in iter(lambda: look_at_random(rng), None) if readable_look(one))
    if sort in CUBES:
        return Owned(sort, _cube(sort, rng, fonts), look)
    hand = replace(Hand.chosen(rng, fonts), font=int(rng.integers(3)), mark="dot")
    numbers = list(common_layout(mirrored=bool(rng.random() < 0.3)))
    if sort == "own numbering":
        rng.shuffle(numbers)
    letters = {}
    for face, number in enumerate(numbers):
        texture = numeral(fonts, hand, number, marked=number in (6, 9))
        if (sort, number) in (("logo 20", 20), ("logo 1", 1)):
            texture = effect(hand)
        elif sort == "segments":
            texture = _segments(str(number), hand.height)
        elif sort == "roman":
            texture = _written(_ROMAN[number - 1], hand)
        elif sort == "signs":
            texture = effect(replace(hand, design=hand.design + 7 * number))
        elif sort == "worn":
            spots = clouds(int(rng.integers(1 << 30)), TEXTURE_PIXELS, TEXTURE_PIXELS)
            texture = (texture * np.clip(0.55 + 1.6 * spots, 0.05, 1)).astype(np.uint8)
        letters[face] = Lettering(texture, int(rng.integers(3)))
    values: dict[int, Face] = dict(enumerate(numbers))
    return Owned(sort, PaintedDie(DieKind.D20, numbers[0], icosahedron(), letters, values, sort), look)


def _cube(sort: str, rng: np.random.Generator, fonts: Fonts) -> PaintedDie:
    hand = Hand.chosen(rng, fonts, cube=True)
    kind = DieKind.CHALLENGE if sort == "challenge signs" else DieKind.D6
    net: tuple[Face, ...] = (1, 2, Symbol.BLANK, Symbol.BLANK, Symbol.EFFECT, Symbol.EFFECT)
    shown: tuple[Face, ...] = net if kind is DieKind.CHALLENGE else tuple(range(1, 7))
    letters: dict[int, Lettering] = {}
    for place, value in enumerate(shown):
        if value is Symbol.BLANK:
            continue
        design = 31 * shown.index(value)
        texture = effect(replace(hand, design=hand.design + design))
        if sort == "other game":
            texture = strange(str(rng.choice(KEPT_BACK)), rng, fonts, hand)
            while any(same_sign(texture, letters[other].texture) for other in letters):
                texture = strange(str(rng.choice(KEPT_BACK)), rng, fonts, hand)
        if kind is DieKind.CHALLENGE and value == 2:
            texture = pips(hand, 4)
        letters[place] = Lettering(texture, int(rng.integers(4)))
    return PaintedDie(kind, shown[0], cube(), letters, dict(enumerate(shown)), sort)


def same_sign(one: Mask, other: Mask) -> bool:
    """Whether two signs are one but for their size and turn: no game tells faces by that."""
    first, second = (_filling(each) for each in (one, other))
    turned = (np.rot90(second, turn) for turn in range(4))
    return max(_alike(first, each) for each in turned) > _SAME


def _alike(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The correlation of two pictures; of those of one shade alone, which have none, whether they are the same."""
    both = one.std() * other.std()
    if both < _EVEN:
        return float(np.array_equal(one, other))
    return float(((one - one.mean()) * (other - other.mean())).mean() / both)


def _filling(texture: Mask) -> NDArray[np.float64]:
    """A sign made as large as a small picture; one that is not there is dark."""
    rows, columns = np.flatnonzero(texture.any(axis=1)), np.flatnonzero(texture.any(axis=0))
    if not rows.size:
        return np.zeros((24, 24))
    shape = texture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return np.asarray(cv2.resize(shape, (24, 24), interpolation=cv2.INTER_AREA), np.float64)


def _segments(text: str, height: float) -> Mask:
    texture = np.zeros((TEXTURE_PIXELS, TEXTURE_PIXELS), np.uint8)
    unit = height * TEXTURE_PIXELS / (2 * TEXTURE_REACH) / 2
    wide = 0.7 * unit
    left = TEXTURE_PIXELS / 2 - (len(text) * wide + (len(text) - 1) * 0.5 * unit) / 2
    for place, digit in enumerate(text):
        for bar in _SEGMENTS[digit]:
            ends = [
                (round(left + place * (wide + 0.5 * unit) + x * wide), round(TEXTURE_PIXELS / 2 + (y - 1) * unit))
                for x, y in _BARS[bar]
            ]
            cv2.line(texture, ends[0], ends[1], 255, max(2, round(unit * 0.28)), cv2.LINE_AA)
    return texture


def _written(text: str, hand: Hand) -> Mask:
    canvas = np.zeros((120, 700), np.uint8)
    cv2.putText(canvas, text, (10, 90), cv2.FONT_HERSHEY_COMPLEX, 2.6, 255, 6, cv2.LINE_AA)
    rows, columns = np.flatnonzero(canvas.any(axis=1)), np.flatnonzero(canvas.any(axis=0))
    shape = canvas[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    scale = TEXTURE_PIXELS / (2 * TEXTURE_REACH)
    height = hand.height * scale * 0.9
    width = min(height / shape.shape[0] * shape.shape[1] * 0.8, 0.58 * scale)
    small = cv2.resize(shape, (max(2, round(width)), max(4, round(height))), interpolation=cv2.INTER_AREA)
    texture = np.zeros((TEXTURE_PIXELS, TEXTURE_PIXELS), np.uint8)
    top, left = (TEXTURE_PIXELS - small.shape[0]) // 2, (TEXTURE_PIXELS - small.shape[1]) // 2
    texture[top : top + small.shape[0], left : left + small.shape[1]] = small
    return texture


def throw(
    rng: np.random.Generator,
    dice: Sequence[Owned],
    *,
    askew: float = 2.5,
    radius: tuple[float, float] = (34.0, 62.0),
    up_now: int | None = None,
    camera: Camera = USUAL,
) -> tuple[NDArray[np.uint8], list[Lies]]:
    """A picture of the dice thrown anew, in other light, and how they lie.

    With `up_now` they are laid down so that this face is up, counted anew where a die has fewer.
    """
    up = tilted(*np.sin(np.radians(rng.normal(0, askew, 2))))
    picture, light = tray(rng, (camera.width, camera.height)), light_at_random(rng)
    size = float(rng.uniform(*radius))
    laid: list[Lies] = []
    for one in dice:
        solid = one.die.solid
        face = int(rng.integers(len(solid.faces))) if up_now is None else up_now % len(solid.faces)
        turns = symmetries(solid)
        turn = turns[int(np.argmax(turns[:, 2] @ solid.normals[face]))]
        for _ in range(300):
            spot = (float(rng.uniform(90, camera.width - 90)), float(rng.uniform(90, camera.height - 90)))
            if all(math.dist(spot, other.pose.centre) > 2.4 * size for other in laid):
                pose = Pose(spot, size, lying(up, float(rng.uniform(0, FULL_TURN))) @ turn)
                laid.append(Lies(one, pose, one.die.values[face]))
                break
    for lies in laid:
        letters, look = lies.owned.die.letters, lies.owned.look
        paint_die(picture, lies.owned.die.solid, lies.pose, camera, letters=letters, look=look, light=light)
    return finish(picture, rng), laid
