"""Labelled patches of d20s' faces without end, for `numbers`: harder dice and cameras than `samples` draws.

A die is painted once and photographed three times. Each photograph is cut as by a reader that is a little wrong, and
mostly by one that is far off, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind
from vision.pose.crops import Grey, face_patch
from vision.pose.geometry import Array, Camera, Pose, View, icosahedron, lying, see, tilted
from vision.pose.refinement import turned_by
from vision.training.glyphs import TEXTURE_PIXELS, TEXTURE_REACH, Fonts, Hand, Mask
from vision.training.paint import Lettering, Look, Paint, light_at_random, look_at_random, odd_look, paint_die
from vision.training.samples import surface
from vision.training.throws import FULL_TURN, PaintedDie, d20, spot_in
from vision.training.weather import hasty, mirrored, shine, weathered

NO_NUMBER: Final = 60
"""The class of a patch that shows no whole upright number: a logo, another sign, a blank, a patch beside a face."""
Patches = tuple[NDArray[np.uint8], NDArray[np.intp]]
"""Patches (count, side, side) and their classes: a number and the corner to which its top points, or `NO_NUMBER`."""

PHOTOGRAPHS: Final = 3
"""How often each painted die is photographed."""
_LEAST_FACING: Final = 0.4
"""Faces that look towards the lens less than this are not cut, as in `samples`."""
_FOREIGN: Final = 0.04
"""The share of dice with other signs than 1 to 20: Roman numerals, letters, other numbers."""
_ROMAN: Final = (
    *("III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"),
    *("XIII", "XIV", "XV", "XVI", "XVII", "XVIII", "XIX", "XX"),
)
"""Roman numbers; without I and II, which look like a 1 and an 11."""
_LETTERS: Final = "ABCDEFGHJKMNPQRTUVWXYZ&?+%#"
"""Signs that are no digit in any font, nor look like one."""
_LARGE: Final = 0.12
"""The share of dice so large that their patches are shrunk."""
_NOT_BESIDE: Final = 0.25
"""The share of photographs that are not cut in a wrong pose, so that a fifth of all patches shows no number."""
_HASTE: Final = 24.0
"""Of dice smaller than this nothing is left by a smear or a lens out of focus."""
_PAINTED: Final = 0.1
"""Faces that look towards the lens less than this are not lettered, unless they show through the die."""
_RADII: Final = (14.0, 24.0, 62.0, 115.0)
"""The least circumradius in pixels, that in mild pictures, that from which a die is large, and the largest."""
_CLEAR: Final = 0.3
"""The share of clear dice: through them the far faces show, which real ones are asked about most for."""
_MILD: Final = 0.7
"""The share of dice that a fair camera sees: nearly all of their faces can be told."""


def make_numbers(seed: int, count: int, fonts: Fonts) -> Patches:
    """Patches of `count` painted d20s; the same seed and fonts give the same ones."""
    rng = np.random.default_rng(seed)
    made = [one for _ in range(count) for one in _one(rng, fonts)]
    return np.array([patch for patch, _ in made], np.uint8), np.array([label for _, label in made], np.intp)


@dataclass(frozen=True)
class _Placed:
    """A lettered die of some material in its pose; `origin` is the camera's pixel at the crop's upper left."""

    die: PaintedDie
    look: Look
    pose: Pose
    camera: Camera
    origin: Array

    def view(self, pose: Pose) -> View:
        """Where a d20 in this pose appears in the crop."""
        seen = see(icosahedron(), pose, self.camera)
        return replace(seen, points=seen.points - self.origin, centres=seen.centres - self.origin)


def _one(rng: np.random.Generator, fonts: Fonts) -> Iterator[tuple[Grey, int]]:
    least, middling, large, most = _RADII
    mild = rng.random() < _MILD
    span = (large, most) if rng.random() < _LARGE else (middling if mild else least, large)
    radius = math.exp(float(rng.uniform(math.log(span[0]), math.log(span[1]))))
    zoom = radius / float(rng.uniform(25, 110))
    camera = Camera(round(1280 * zoom), round(720 * zoom), float(rng.uniform(45, 80)))
    centre = spot_in(camera, rng, radius)
    wide = 4.0 if rng.random() < 0.7 else 14.0
    up = tilted(*np.clip(np.sin(np.radians(rng.normal(0, wide, 2))), -0.7, 0.7))
    side = math.ceil(2.8 * radius)
    origin = np.array([centre[0] - side / 2, centre[1] - side / 2])
    pose = Pose(centre, radius, lying(up, float(rng.uniform(0, FULL_TURN))))
    look = _material(rng)
    shown = np.flatnonzero(see(icosahedron(), pose, camera).facing > (-1.0 if look.clear else _PAINTED))
    placed = _Placed(lettered(rng, fonts, frozenset(shown.tolist())), look, pose, camera, origin)
    picture = _painted(rng, placed, side)
    for _ in range(PHOTOGRAPHS):
        yield from _cut(rng, photographed(picture, rng, radius, mild=mild), placed)


def lettered(rng: np.random.Generator, fonts: Fonts, shown: frozenset[int]) -> PaintedDie:
    """A d20 in a hand of any height, width and slant; a few carry signs that are no number of a d20.

    Only the faces that are `shown` are lettered.
    """
    die = d20(rng, fonts)
    die = replace(die, letters={face: one for face, one in die.letters.items() if face in shown})
    hand = Hand.chosen(rng, fonts)
    if rng.random() < _FOREIGN:
        return _foreign(rng, fonts, hand, die)
    return replace(die, letters=_slanted(rng, weathered(die.letters, rng)))


def _foreign(rng: np.random.Generator, fonts: Fonts, hand: Hand, die: PaintedDie) -> PaintedDie:
    """The die with other signs on all of its faces, so that none of them is a number."""
    way = rng.random()
    letters = {}
    for face, lettering in die.letters.items():
        if way < 0.5:
            text = _ROMAN[int(rng.integers(len(_ROMAN)))]
        elif way < 0.75:
            text = "".join(_LETTERS[int(n)] for n in rng.integers(0, len(_LETTERS), int(rng.integers(1, 3))))
        else:
            text = f"{int(rng.integers(21, 100))}" if rng.random() < 0.8 else str(rng.choice(["0", "00", "100"]))
        letters[face] = Lettering(_sign(fonts, hand, text), lettering.corner)
    return PaintedDie(DieKind.D20, die.face, die.solid, _slanted(rng, weathered(letters, rng)), {}, "foreign")


def _sign(fonts: Fonts, hand: Hand, text: str) -> Mask:
    shape = fonts.mask(hand.font, text, hand.weight)
    scale = TEXTURE_PIXELS / (2 * TEXTURE_REACH)
    height = hand.height * scale
    width = min(height / shape.shape[0] * shape.shape[1] * hand.stretch, 0.54 * scale)
    small = np.asarray(cv2.resize(shape, (max(2, round(width)), max(4, round(height))), interpolation=cv2.INTER_AREA))
    texture = np.zeros((TEXTURE_PIXELS, TEXTURE_PIXELS), np.uint8)
    top, left = round((TEXTURE_PIXELS - small.shape[0]) / 2), round((TEXTURE_PIXELS - small.shape[1]) / 2)
    texture[top : top + small.shape[0], left : left + small.shape[1]] = small
    return texture


def _slanted(rng: np.random.Generator, letters: dict[int, Lettering]) -> dict[int, Lettering]:
    """All signs of a die larger or smaller, narrower or wider, slanted and turned a little, alike on all faces."""
    if rng.random() < 0.3:
        return letters
    size, narrow = math.exp(float(rng.normal(0.06, 0.12))), math.exp(float(rng.normal(-0.05, 0.15)))
    slant, turn = float(rng.normal(0, 0.1)), float(rng.normal(0, 0.05))
    size, narrow = min(max(size, 0.75), 1.25), min(max(narrow, 0.65), 1.3)
    about = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    linear = about @ np.array([[size * narrow, slant], [0.0, size]])
    middle = np.array([(TEXTURE_PIXELS - 1) / 2] * 2)
    lift = rng.normal(0, 1.2, 2)
    matrix = np.column_stack([linear, middle + lift - linear @ middle])
    return {
        face: replace(one, texture=np.asarray(cv2.warpAffine(one.texture, matrix, (TEXTURE_PIXELS,) * 2), np.uint8))
        for face, one in letters.items()
    }


def _painted(rng: np.random.Generator, placed: _Placed, side: int) -> Paint:
    """The die on a surface, in any light, in grey (side, side)."""
    picture = surface(rng, side, side)
    die, look, pose, camera = placed.die, placed.look, placed.pose, placed.camera
    origin, light = (float(placed.origin[0]), float(placed.origin[1])), light_at_random(rng)
    view = paint_die(picture, die.solid, pose, camera, letters=die.letters, look=look, light=light, origin=origin)
    mirrored(picture, view, rng)
    shine(picture, view, pose.radius, rng)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    if rng.random() < 0.2:
        _shade_edge(grey, rng)
    if rng.random() < 0.15:
        _window(grey, rng, pose.radius)
    return grey


def _material(rng: np.random.Generator) -> Look:
    look = look_at_random(rng)
    if rng.random() < _CLEAR:
        look = replace(look, clear=float(rng.uniform(0.35, 1.0)), marbling=0.0, facets=float(rng.uniform(0, 1)))
        if rng.random() < 0.25:
            look = replace(look, specks=float(rng.uniform(0.03, 0.2)))
    else:
        look = odd_look(look, rng)
    way = rng.random()
    if way < 0.1:  # gilt: an ink that mirrors the room
        return replace(look, glint=float(rng.uniform(0.2, 0.9)))
    if way < 0.18:  # engraved, with little ink or none
        share = float(rng.uniform(0.05, 0.4))
        ink = tuple(b + share * (i - b) for b, i in zip(look.body, look.ink, strict=True))
        return replace(look, ink=(ink[0], ink[1], ink[2]), relief=float(rng.uniform(0.35, 1.0)))
    if way < 0.3:
        return replace(look, relief=float(rng.uniform(0.1, 0.6)))
    return look


def _shade_edge(grey: Paint, rng: np.random.Generator) -> None:
    """The edge of a shadow across the picture, in place."""
    side = len(grey)
    turn, where = float(rng.uniform(0, FULL_TURN)), float(rng.normal(0, 0.25)) * side
    soft = side * math.exp(float(rng.uniform(math.log(0.005), math.log(0.1))))
    steps = np.arange(side, dtype=np.float32) - side / 2
    across = steps[None, :] * math.cos(turn) + steps[:, None] * math.sin(turn) - where
    dark = float(rng.uniform(0.25, 0.8))
    grey *= 1 - (1 - dark) * np.clip(across / soft + 0.5, 0, 1)


def _window(grey: Paint, rng: np.random.Generator, radius: float) -> None:
    """The image of a window or a lamp on the die: a bright patch with clear edges, in place."""
    side = len(grey)
    middle = side / 2 + rng.normal(0, 0.35, 2) * radius
    spread = radius * np.exp(rng.uniform(math.log(0.06), math.log(0.35), 2))
    turn = float(rng.uniform(0, FULL_TURN))
    box = cv2.boxPoints(
        ((float(middle[0]), float(middle[1])), (float(spread[0]), float(spread[1])), math.degrees(turn))
    )
    mask = np.zeros_like(grey)
    cv2.fillConvexPoly(mask, np.round(box * 16).astype(np.int32), 1.0, cv2.LINE_AA, shift=4)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.4, radius * float(rng.uniform(0.01, 0.06)))), np.float32)
    grey += float(rng.uniform(25, 200)) * mask


def photographed(picture: Paint, rng: np.random.Generator, radius: float, *, mild: bool) -> Grey:
    """A grey picture with a camera's flaws: blur, exposure, noise and what a phone does about them, JPEG."""
    grey = picture
    if not mild and radius > _HASTE and rng.random() < 0.12:
        grey = hasty(grey, rng)
    if rng.random() < 0.75:
        most = 0.8 if mild else min(1.4, 0.4 + radius * 0.02)
        grey = np.asarray(cv2.GaussianBlur(grey, (0, 0), float(rng.uniform(0.3, most))), np.float32)
    grey = _exposed(grey, rng, mild=mild)
    deep = 4.0 if mild else 7.0 if rng.random() < 0.8 else 16.0
    grey = grey + rng.standard_normal(grey.shape, dtype=np.float32) * np.float32(rng.uniform(0, deep))
    way = rng.random()
    if way < 0.12:  # noise taken away, and fine strokes with it
        grey = np.asarray(cv2.medianBlur(np.clip(grey, 0, 255).astype(np.uint8), 3), np.float32)
    elif way < 0.3:
        grey = np.asarray(cv2.GaussianBlur(grey, (0, 0), float(rng.uniform(0.4, 0.9))), np.float32)
    if rng.random() < 0.25:  # sharpened, with a bright rim round dark strokes
        soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), float(rng.uniform(0.8, 2.2))), np.float32)
        grey = grey + float(rng.uniform(0.3, 1.6)) * (grey - soft)
    result = np.clip(grey, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        quality = int(rng.integers(70 if mild else 25, 96))
        _, packed = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, quality])
        result = np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), np.uint8)
    return result


def _exposed(grey: Paint, rng: np.random.Generator, *, mild: bool) -> Paint:
    """The picture brighter or darker, flatter or steeper."""
    gain, offset = float(rng.uniform(0.6, 1.5)), float(rng.normal(0, 12))
    if mild:
        gain, offset = float(rng.uniform(0.8, 1.15)), float(rng.normal(0, 6))
    elif rng.random() < 0.15:
        gain *= 1.6
    grey = grey * np.float32(gain) + np.float32(offset)
    if not mild and rng.random() < 0.3:
        grey = (grey - 110) * np.float32(rng.uniform(0.3, 0.7)) + 110
    if rng.random() < 0.2:
        grey = np.asarray(255 * (np.clip(grey, 0, 255) / 255) ** math.exp(float(rng.normal(0, 0.3))), np.float32)
    return grey


def _cut(rng: np.random.Generator, grey: Grey, placed: _Placed) -> Iterator[tuple[Grey, int]]:
    """Patches in a pose that is nearly right, then in one that is wrong."""
    die, pose = placed.die, placed.pose
    worse = 1.0 if rng.random() < 0.7 else 1.8
    near = _moved(rng, pose, 0.026 * worse, 0.028 * worse, turned_by(rng.normal(0, 0.045 * worse, 3)))
    for face, patch in _patches(grey, placed.view(near), _LEAST_FACING):
        number = die.values.get(face)
        yield patch, NO_NUMBER if number is None else (int(number) - 1) * 3 + die.letters[face].corner
    if rng.random() < _NOT_BESIDE:
        return
    turn = turned_by(pose.rotation[:, 2] * (math.pi / 3 + float(rng.normal(0, 0.25))))
    move = 0.06
    way = rng.random()
    if way < 0.2:
        turn = turned_by(pose.rotation[:, 2] * float(rng.choice([-0.5, 0.5])))
    elif way < 0.4:  # between two faces
        angle = float(rng.uniform(0, FULL_TURN))
        turn = turned_by(np.array([math.cos(angle), math.sin(angle), 0]) * float(rng.uniform(0.3, 0.42)))
    elif way < 0.55:
        turn, move = turned_by(rng.normal(0, 0.05, 3)), 0.3
        if abs(float(rng.normal())) > 1:
            turn = turned_by(pose.rotation[:, 2] * math.pi / 3)
    wrong = _moved(rng, pose, move, 0.08, turn)
    if move > 0.1 and math.dist(wrong.centre, pose.centre) < 0.3 * pose.radius:
        return
    beside = list(_patches(grey, placed.view(wrong), 0.5))
    for _, patch in beside[: 1 + int(rng.integers(2))]:
        yield patch, NO_NUMBER


def _moved(rng: np.random.Generator, pose: Pose, move: float, grow: float, turn: Array) -> Pose:
    near = pose.moved(float(rng.normal(0, move)), float(rng.normal(0, move)), math.exp(float(rng.normal(0, grow))))
    return Pose(near.centre, near.radius, turn @ pose.rotation)


def _patches(grey: Grey, view: View, least: float) -> Iterator[tuple[int, Grey]]:
    for face in np.flatnonzero(view.facing > least):
        yield int(face), face_patch(grey, view, int(face))
