"""Whole trays of dice with their truth: for tests, benches and the demo. The same seed gives the same picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import Box, DieKind, Face
from vision.pose.geometry import Array, Camera, Pose
from vision.training.glyphs import Fonts
from vision.training.paint import Light, Look, Paint, clouds, light_at_random, look_at_random, paint_die
from vision.training.throws import FULL_TURN, PaintedDie, die_of, other_die, plain_look, readable_look, resting, spot_in

_TRAYS: Final = (
    (34.0, 30.0, 26.0),
    (40.0, 66.0, 38.0),
    (58.0, 40.0, 96.0),
    (196.0, 202.0, 206.0),
    (96.0, 128.0, 160.0),
)
"""The colours of the trays, in BGR."""

_STRIP: Final = 60
"""Rows of a picture to which noise is added at a time."""


@dataclass(frozen=True)
class TrueDie:
    """A painted die's truth: kind and face (None for dice that trueroll does not read), box and centre in pixels."""

    kind: DieKind | None
    face: Face | None
    box: Box
    centre: tuple[float, float]


@dataclass(frozen=True)
class Scene:
    """A rendered tray: a BGR picture and what lies in it."""

    picture: NDArray[np.uint8]
    dice: tuple[TrueDie, ...]


@dataclass(frozen=True)
class LyingDie:
    """A die on a tray, before it is painted."""

    die: PaintedDie
    pose: Pose
    look: Look


def scene(
    seed: int,
    kinds: Sequence[DieKind | None],
    *,
    size: tuple[int, int] = (1280, 720),
    hfov: float = 60.0,
    radius: tuple[float, float] = (34.0, 62.0),
    lean: float = 2.0,
    fonts: Fonts | None = None,
) -> Scene:
    """A tray with one die of each of `kinds` (None: a d4, d8, d10 or d12) under a camera `lean` degrees askew.

    Dice do not overlap; fewer are laid when they find no room. Radii are circumradii in pixels.
    """
    rng = np.random.default_rng(seed)
    camera = Camera(*size, hfov)
    askew = np.radians(rng.normal(0, lean, 2))
    up = np.array([math.sin(askew[0]), math.sin(askew[1]), 0.0])
    up[2] = -math.sqrt(1 - up[0] ** 2 - up[1] ** 2)
    picture = tray(rng, size)
    light = light_at_random(rng)
    lying_dice = lay(rng, kinds, camera, up=up, radius=float(rng.uniform(*radius)), fonts=fonts or Fonts())
    truths = tuple(paint(picture, one, camera, light) for one in lying_dice)
    return Scene(finish(picture, rng), truths)


def tray(rng: np.random.Generator, size: tuple[int, int]) -> Paint:
    """An empty tray: plain cloth or wood, a little uneven, a little darker towards its corners."""
    width, height = size
    colour = np.array(_TRAYS[int(rng.integers(len(_TRAYS)))]) * float(rng.uniform(0.8, 1.1))
    uneven = 1 + 0.08 * clouds(int(rng.integers(1 << 30)), height, width)
    across, along = np.linspace(-1, 1, width), np.linspace(-1, 1, height)
    darker = (1 - 0.12 * (across[None, :] ** 2 + along[:, None] ** 2) / 2).astype(np.float32)
    layers = [uneven * one * darker for one in colour.astype(np.float32)]  # numpy spreads one over three slowly
    return np.asarray(cv2.merge(layers), np.float32)


def lay(
    rng: np.random.Generator,
    kinds: Sequence[DieKind | None],
    camera: Camera,
    *,
    up: Array,
    radius: float,
    fonts: Fonts,
    plain_on: Array | None = None,
) -> tuple[LyingDie, ...]:
    """Dice in legible materials at rest in free places; plain ones where `plain_on` gives the table's colour."""
    laid: list[LyingDie] = []

    def suits(look: Look) -> bool:
        return readable_look(look) if plain_on is None else plain_look(look, plain_on)

    for kind in kinds:
        die = other_die(rng, fonts) if kind is None else die_of(rng, fonts, kind, plain=plain_on is not None)
        look = next(look for look in iter(lambda: look_at_random(rng), None) if suits(look))
        for _ in range(200):
            x, y = spot_in(camera, rng, min(1.3 * radius, camera.width / 2, camera.height / 2))
            if all(math.dist((x, y), other.pose.centre) > 2.3 * radius for other in laid):
                laid.append(LyingDie(die, resting(die, (x, y), radius, up, float(rng.uniform(0, FULL_TURN))), look))
                break
    return tuple(laid)


def paint(picture: Paint, one: LyingDie, camera: Camera, light: Light) -> TrueDie:
    """Paint a lying die and return its truth."""
    view = paint_die(picture, one.die.solid, one.pose, camera, letters=one.die.letters, look=one.look, light=light)
    low = np.clip(np.floor(view.points.min(axis=0)), 0, [camera.width - 1, camera.height - 1]).astype(int)
    high = np.clip(np.ceil(view.points.max(axis=0)), low + 1, [camera.width, camera.height]).astype(int)
    box = Box(int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))
    return TrueDie(one.die.kind, one.die.face, box, one.pose.centre)


def finish(picture: Paint, rng: np.random.Generator, noise: float = 2.5) -> NDArray[np.uint8]:
    """The painting as seen by a fair camera: a little blur and noise."""
    return noisy(softened(picture), rng, noise)


def softened(picture: Paint) -> Paint:
    """The painting through a fair lens."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), dtype=np.float32)


def noisy(soft: Paint, rng: np.random.Generator, noise: float) -> NDArray[np.uint8]:
    """The picture with a fair sensor's noise; strip by strip, because noise for the whole takes 11 MB."""
    seen = np.empty(soft.shape, np.uint8)
    for top in range(0, len(soft), _STRIP):
        strip = soft[top : top + _STRIP]
        grain = rng.standard_normal(strip.shape, dtype=np.float32)
        grain *= noise
        grain += strip
        np.maximum(grain, 0, out=grain)
        seen[top : top + _STRIP] = np.minimum(grain, 255, out=grain)
    return seen
