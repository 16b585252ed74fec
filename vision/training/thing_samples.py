"""Training data for the network that distinguishes dice from other things: supposed dice of the reader's first steps.

The trays are of all sorts, with and without other things. A find where no die lies is such a thing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose.crops import THING_PIXELS, colour_batch, thing_square
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose
from vision.pose.networks import Networks
from vision.pose.places import places_of
from vision.training.cube_samples import Kinds, Lies, cube_tray
from vision.training.glyphs import Fonts
from vision.training.throws import spot_in

_FEW: Final = Kinds((1, 7), 0.4, 0.12)
"""The dice of most trays: as many d20s as cubes, with room for other things."""
_CROWD: Final = Kinds((8, 17), 0.3, 0.06)
"""The dice of the others, many of which touch."""
_CROWDED: Final = 0.4
"""The share of those."""
_GLANCED: Final = 10
"""Most places of the first look cut out of a tray, besides those that a closer look accepted as dice."""
_THERE: Final = 0.45
"""Nearer to a die's middle than this, in radii, and about as large, it is that die."""
_AS_LARGE: Final = 1.6
"""The largest ratio of sizes for the same die."""
_PARTLY: Final = 1.0
"""Nearer than this it is a part of the die, or more than it."""
_PARTS: Final = 0.2
"""The share of such parts that are kept, labelled as dice, so that no die is overlooked."""
_NOT_THERE: Final = 1.4
"""Further from all dice than this, in radii, none lies there."""


def make_things(
    seed: int, trays: int, fonts: Fonts, networks: Networks
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Squares in colour (count, side, side, 3) from a number of trays, and 1 for each where no die lies."""
    rng = np.random.default_rng(seed)
    squares: list[NDArray[np.uint8]] = []
    labels: list[float] = []
    for _ in range(trays):
        kinds = _CROWD if rng.random() < _CROWDED else _FEW
        picture, camera, _up, lies = cube_tray(rng, fonts, things=0.9, kinds=kinds)
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        considered = places_of(picture, grey, camera, np.array(STRAIGHT_UP), networks)
        found = [place.pose for place in considered.places] + [one.place for one in considered.judged]
        glanced = [Pose(one.centre, one.radius, np.eye(3)) for one in considered.proposals]
        order = rng.permutation(len(glanced))[:_GLANCED]
        for pose in (*found, *(glanced[number] for number in order), *_by_chance(rng, camera, lies)):
            label = _label(rng, pose, lies)
            if label is not None:
                squares.append(thing_square(picture, pose.centre, pose.radius))
                labels.append(label)
    return np.array(squares, np.uint8).reshape(-1, THING_PIXELS, THING_PIXELS, 3), np.array(labels, np.float32)


def varied_things(squares: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.float32]:
    """The network's batch of some samples in other light and colours, blurred or noisy, laid in one of eight ways."""
    batch = colour_batch(np.array([_in_other_light(one, rng) for one in squares]))
    batch = np.rot90(batch, int(rng.integers(4)), axes=(2, 3))
    if rng.random() < 0.5:
        batch = batch[..., ::-1]
    return np.ascontiguousarray(batch)


def _in_other_light(square: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    way = rng.random(5)
    result = square.astype(np.float32)
    if way[0] < 0.25:
        result = np.asarray(cv2.GaussianBlur(result, (0, 0), float(rng.uniform(0.3, 1.3))), np.float32)
    if way[1] < 0.3:
        result = np.asarray(255 * (result / 255) ** math.exp(float(rng.normal(0, 0.4))), np.float32)
    if way[2] < 0.3:
        down, across = (np.linspace(-1, 1, THING_PIXELS) * rng.normal(0, 0.2) for _ in range(2))
        result *= (1 + down[:, None] + across[None, :])[..., None]
    if way[3] < 0.3:
        result += rng.normal(0, float(rng.uniform(2, 9)), result.shape)
    if way[4] < 0.5:
        result = result[..., rng.permutation(3)] * rng.uniform(0.8, 1.2, 3).astype(np.float32)
    return np.clip(result, 0, 255).astype(np.uint8)


def _by_chance(rng: np.random.Generator, camera: Camera, lies: Sequence[Lies]) -> list[Pose]:
    """Some dice about where they lie, also off their place and size, and a place anywhere."""
    result = []
    for one in lies:
        if rng.random() < 0.5:
            wide = float(rng.choice([0.03, 0.12]))
            right, down, growth = rng.normal(0, wide, 3).tolist()
            result.append(one.pose.moved(right, down, math.exp(growth)))
    pose = Pose(spot_in(camera, rng, 10), math.exp(float(rng.uniform(math.log(20), math.log(70)))), np.eye(3))
    return [*result, pose]


def _label(rng: np.random.Generator, pose: Pose, lies: Sequence[Lies]) -> float | None:
    """1 where no die lies there, 0 where one does, None beside one, and of most parts of one."""
    apart = [(math.dist(one.pose.centre, pose.centre) / max(one.pose.radius, pose.radius), one) for one in lies]
    near, one = min(apart, key=lambda pair: pair[0], default=(math.inf, None))
    if one is None or near > _NOT_THERE:
        return 1.0
    if near < _THERE and 1 / _AS_LARGE < pose.radius / one.pose.radius < _AS_LARGE:
        return 0.0
    return 0.0 if near < _PARTLY and rng.random() < _PARTS else None
