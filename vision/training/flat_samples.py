"""Training data for the network that distinguishes cubes from flat things: trays of both, cut out by the reader.

Other false cubes of the reader's first steps are labelled flat, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose.crops import Grey
from vision.pose.geometry import STRAIGHT_UP, Array, Camera, Pose, see
from vision.pose.networks import Networks
from vision.pose.places import places_of
from vision.pose.refinement import POSE_PIXELS
from vision.pose.tilts import TiltSquare, tilt_batch
from vision.read.solids import solid_square
from vision.training.cube_samples import Lies, beside, cube_tray
from vision.training.glyphs import Fonts
from vision.training.plates import is_plate

_FLAT: Final = 0.5
"""The share of flat things among what carries a cube's face."""
_CALIBRATED: Final = 0.4
"""The share of trays whose "up" is known, not assumed."""
_BY_CHANCE: Final = 0.35
"""The share of cubes also cut out a little beside their true pose."""


def make_flat(seed: int, trays: int, fonts: Fonts, networks: Networks) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Squares (count, 3, side, side) from a number of trays, as `solid_square` cuts them, and 1 for each flat thing."""
    rng = np.random.default_rng(seed)
    squares: list[TiltSquare] = []
    labels: list[float] = []
    for _ in range(trays):
        picture, camera, up, lies = cube_tray(rng, fonts, flat=_FLAT)
        for square, label in squares_of(rng, picture, camera, up=up, lies=lies, networks=networks):
            squares.append(square)
            labels.append(label)
    return np.array(squares, np.uint8).reshape(-1, 3, POSE_PIXELS, POSE_PIXELS), np.array(labels, np.float32)


def squares_of(
    rng: np.random.Generator,
    picture: NDArray[np.uint8],
    camera: Camera,
    *,
    up: Array,
    lies: Sequence[Lies],
    networks: Networks,
) -> list[tuple[TiltSquare, float]]:
    """The reader's supposed cubes in a picture, and some true ones a little displaced; 1 for each flat thing.

    Flat things among what `lies` there are plates (`plates.is_plate`).
    """
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    assumed = up if rng.random() < _CALIBRATED else np.array(STRAIGHT_UP)
    seen = places_of(picture, grey, camera, assumed, networks).places
    poses = [place.pose for place in seen if place.solid.name == "cube"]
    chance = [beside(rng, one.pose, 0.03, 0.0) for one in lies if one.labels and rng.random() < _BY_CHANCE]
    labelled = ((pose, _flat(pose, camera, lies)) for pose in (*poses, *chance))
    return [(solid_square(grey, pose, camera, assumed), label) for pose, label in labelled if label is not None]


def varied_batch(squares: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.float32]:
    """The network's batch of some samples in other light, blurred or noisy, all laid in one of eight ways."""
    varied = np.array([(_in_other_light(one[0], rng), *one[1:]) for one in squares])
    batch = tilt_batch(varied)
    for _ in range(int(rng.integers(4))):  # what looked right looks up then, what looked down looks right
        batch = np.rot90(batch, axes=(2, 3))
        batch = np.stack([batch[:, 0], batch[:, 2], -batch[:, 1]], axis=1)
    if rng.random() < 0.5:
        batch = batch[..., ::-1] * np.array([1, -1, 1], np.float32)[:, None, None]
    return np.ascontiguousarray(batch)


def _in_other_light(picture: Grey, rng: np.random.Generator) -> Grey:
    way = rng.random(4)
    result = picture.astype(np.float32)
    if way[0] < 0.2:
        result = np.asarray(cv2.GaussianBlur(result, (0, 0), float(rng.uniform(0.3, 1.2))), np.float32)
    if way[1] < 0.25:
        result = np.asarray(255 * (result / 255) ** math.exp(float(rng.normal(0, 0.4))), np.float32)
    if way[2] < 0.3:
        down, across = (np.linspace(-1, 1, side) * rng.normal(0, 0.2) for side in picture.shape)
        result *= 1 + down[:, None] + across[None, :]
    if way[3] < 0.2:
        result += rng.normal(0, float(rng.uniform(2, 9)), picture.shape)
    return np.clip(result, 0, 255).astype(np.uint8)


def _flat(pose: Pose, camera: Camera, lies: Sequence[Lies]) -> float | None:
    """1 where the supposed cube is a flat thing or nothing, 0 where it is a cube, None where it is another die."""
    apart = [(math.dist(_middle(one, camera), pose.centre), one) for one in lies]
    distance, one = min(apart, key=lambda pair: pair[0], default=(math.inf, None))
    if one is None or distance > max(pose.radius, one.pose.radius):
        return 1.0
    if is_plate(one.die):
        return 1.0 if distance < 0.5 * one.pose.radius else None
    return 0.0 if one.labels and distance < 0.3 * one.pose.radius else None


def _middle(one: Lies, camera: Camera) -> Array | tuple[float, float]:
    """Where a die's middle, or a flat thing's upper face, lies in the picture."""
    return see(one.die.solid, one.pose, camera).centres[0] if is_plate(one.die) else one.pose.centre
