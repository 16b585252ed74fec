"""Training data for the network for sides of cubes: the trays of `cube_samples`, each visible side cut out.

Poses are those that the reader finds, and others a little beside the true ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import Symbol
from vision.pose.crops import Grey
from vision.pose.geometry import STRAIGHT_UP, View, cube, see
from vision.pose.networks import CUBE_FACES, SIDE_SHOWS, Networks
from vision.pose.places import places_of
from vision.pose.refinement import difference
from vision.read.sides import SIDE_PIXELS, SIDE_REACH, side_patch, visible_sides
from vision.training.cube_samples import beside, cube_tray
from vision.training.glyphs import Fonts

CUT_PIXELS: Final = 64
"""Samples are cut larger than the network sees them, in pixels a side, so that they can be moved."""
CUT_REACH: Final = 1.7
"""Samples are cut this much further round the side than the network sees, so that they can be moved."""
_RIGHT: Final = math.radians(14.0)
"""The largest angle, in radians, by which a side's pose may be off and still show it."""
_NEAR: Final = 0.15
"""A pose that is off by no more than this, in radii, is about right."""


def shows(label: int) -> int:
    """The place in `SIDE_SHOWS` of a face that has this place in `CUBE_FACES`."""
    style, face = CUBE_FACES[label]
    if style in {"strange", "pips"}:
        return SIDE_SHOWS.index(style)
    if isinstance(face, Symbol):
        return SIDE_SHOWS.index(face.value)
    return SIDE_SHOWS.index("one or two" if face in {1, 2} else "three to six")


def make_sides(seed: int, trays: int, fonts: Fonts, networks: Networks) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """Patches (count, `CUT_PIXELS`, `CUT_PIXELS`) from `count` trays, and what each shows (a place in `SIDE_SHOWS`)."""
    rng = np.random.default_rng(seed)
    seen = [one for _ in range(trays) for one in tray_of_sides(rng, fonts, networks)]
    patches = [side_patch(grey, view, side, CUT_PIXELS, CUT_REACH) for grey, view, side, _ in seen]
    return np.array(patches), np.array([label for *_, label in seen])


def tray_of_sides(rng: np.random.Generator, fonts: Fonts, networks: Networks) -> Iterator[tuple[Grey, View, int, int]]:
    """Each visible side of a new tray's cubes: the picture, the cube in it, which side, what it shows (as above)."""
    picture, camera, _, lies = cube_tray(rng, fonts)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    cubes = [one for one in lies if one.labels]
    seen = places_of(picture, grey, camera, np.array(STRAIGHT_UP), networks).places
    poses = [place.pose for place in seen if place.solid.name == "cube"]
    for pose in (*poses, *(beside(rng, one.pose, 0.03, 0.0) for one in cubes)):
        one = min(cubes, key=lambda one: math.dist(one.pose.centre, pose.centre), default=None)
        if one is None or math.dist(one.pose.centre, pose.centre) > 0.3 * one.pose.radius:
            continue
        off, angle = difference(one.pose, pose, camera, cube())
        if angle > _RIGHT or float(np.abs(off[:3]).max()) > _NEAR:
            continue
        view = see(cube(), pose, camera)
        normals = cube().normals @ one.pose.rotation.T
        for side in visible_sides(view):
            truly = int(np.argmax(normals @ (pose.rotation @ cube().normals[side])))
            yield grey, view, side, shows(one.labels[truly])


def varied_side(patch: Grey, rng: np.random.Generator) -> Grey:
    """A varied sample: a little moved, in other light, darker downwards, blurred or noisy."""
    way = rng.random(5)
    scale = (SIDE_PIXELS / SIDE_REACH) / (CUT_PIXELS / CUT_REACH)
    linear = np.array(
        [
            [math.exp(float(rng.normal(0, 0.03))), float(rng.normal(0, 0.03))],
            [0.0, math.exp(float(rng.normal(0, 0.06)))],
        ]
    )
    linear *= scale
    middle = (SIDE_PIXELS - 1) / 2 + rng.normal(0, (0.7, 1.2)) - linear @ np.full(2, (CUT_PIXELS - 1) / 2)
    size = (SIDE_PIXELS, SIDE_PIXELS)
    moved = cv2.warpAffine(patch, np.column_stack([linear, middle]), size, borderMode=cv2.BORDER_REPLICATE)
    if way[0] < 0.25:
        across, down = float(rng.uniform(0.3, 1.0)), float(rng.uniform(0.3, 1.8))
        moved = cv2.GaussianBlur(moved, (0, 0), sigmaX=across, sigmaY=down)
    result = np.asarray(moved, np.float32)
    if way[1] < 0.35:
        result *= np.linspace(1, float(rng.uniform(0.35, 1.2)), SIDE_PIXELS, dtype=np.float32)[:, None]
    if way[2] < 0.25:
        result *= np.float32(rng.uniform(0.35, 1))
    if way[3] < 0.25:
        power = math.exp(float(rng.normal(0, 0.35)))
        result = np.asarray(255 * (np.clip(result, 0, 255) / 255) ** power, np.float32)
    if way[4] < 0.35:
        result += rng.normal(0, float(rng.uniform(1, 6)), result.shape).astype(np.float32)
    return np.clip(result, 0, 255).astype(np.uint8)
