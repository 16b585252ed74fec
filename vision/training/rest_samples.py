"""Training data for the network that tells dice at rest from leaning ones: trays of both, cut out by the reader.

A leaning die is found in a pose of its own, and often in one that lies flat. Either is laid on the table, as
`rests.rest_square` does, and what the picture then lacks or shows too much is what the network learns.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose.crops import Grey
from vision.pose.geometry import Array, Camera, Pose, Solid, tilted
from vision.pose.networks import Networks
from vision.pose.places import places_of
from vision.pose.refinement import POSE_PIXELS, upright
from vision.pose.tilts import TiltSquare
from vision.read.rests import rest_square
from vision.training.cube_samples import Kinds, Lies, beside, cube_tray
from vision.training.glyphs import Fonts

_KINDS: Final = Kinds((8, 17), 0.35, 0.0, leaning=0.5)
"""What dice lie on a tray: more cubes than d20s, since they are harder to tell."""
_RESTS: Final = math.radians(4.0)
"""A die that leans by less lies flat: a table is as uneven."""
_LEANS: Final = math.radians(12.0)
"""A die that leans by more leans; between the two it is not taught."""
_UNSURE_UP: Final = math.radians(1.5)
"""One standard deviation of the error of "up" in each direction, as dice that agree tell it."""
_SAME_PLACE: Final = 0.35
"""How far from a die's middle the reader may hold it, in radii."""
_BY_CHANCE: Final = 0.4
"""The share of dice also cut out a little beside their true pose."""


@dataclass(frozen=True)
class _Supposed:
    """A pose in which the reader may hold a die, and its solid."""

    pose: Pose
    solid: Solid


def make_rests(
    seed: int, trays: int, fonts: Fonts, networks: Networks
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Squares (count, 3, side, side) from a number of trays, as `rest_square` cuts them, and 1 for each leaning die."""
    rng = np.random.default_rng(seed)
    squares: list[TiltSquare] = []
    labels: list[float] = []
    for _ in range(trays):
        picture, camera, up, lies = cube_tray(rng, fonts, kinds=_KINDS)
        grey = _grey(picture)
        told = _about(up, rng)
        held = [*_as_found(picture, camera, told, lies, networks), *_by_chance(rng, lies)]
        for one, lean in ((one, leans_by(true, up)) for one, true in held):
            if not _RESTS < lean <= _LEANS:
                pose = upright(one.pose, told, one.solid)
                squares.append(rest_square(grey, pose, one.solid, camera, told))
                labels.append(float(lean > _LEANS))
    return np.array(squares, np.uint8).reshape(-1, 3, POSE_PIXELS, POSE_PIXELS), np.array(labels, np.float32)


def leans_by(one: Lies, up: Array) -> float:
    """The angle, in radians, by which a die's upper face leans from the table's "up"."""
    heights = one.die.solid.normals @ one.pose.rotation.T @ up
    return math.acos(min(1.0, float(heights.max())))


def _as_found(
    picture: NDArray[np.uint8], camera: Camera, up: Array, lies: Sequence[Lies], networks: Networks
) -> Iterator[tuple[_Supposed, Lies]]:
    """The dice that the reader finds, each with the one that lies there."""
    for place in places_of(picture, _grey(picture), camera, up, networks).places:
        one = min(lies, key=lambda one: math.dist(one.pose.centre, place.pose.centre), default=None)
        if one is None or math.dist(one.pose.centre, place.pose.centre) > _SAME_PLACE * one.pose.radius:
            continue
        if one.die.solid.name == place.solid.name:
            yield _Supposed(place.pose, place.solid), one


def _by_chance(rng: np.random.Generator, lies: Sequence[Lies]) -> Iterator[tuple[_Supposed, Lies]]:
    """Some of the dice, each a little beside its pose."""
    for one in lies:
        if rng.random() < _BY_CHANCE:
            yield _Supposed(beside(rng, one.pose, 0.03, 0.0), one.die.solid), one


def _about(up: Array, rng: np.random.Generator) -> Array:
    """The table's "up" as dice that agree would tell it."""
    right, down = (float(one) for one in np.sin(rng.normal(0, _UNSURE_UP, 2)))
    return tilted(float(up[0]) + right, float(up[1]) + down)


def _grey(picture: NDArray[np.uint8]) -> Grey:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
