"""Which lens a picture was taken through, by its dice, where nothing else tells it.

A die's pose is fitted as it is seen from the camera. So under a wider lens than is supposed flat dice seem to lean
outwards, the more the farther they lie from the picture's middle, and under the right one they all look up alike. How
they would look up under another lens follows from their poses, so that only the likeliest one costs a further look.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rules.dice import DieKind
from vision.pose.geometry import (
    STRAIGHT_UP,
    Array,
    Camera,
    Pose,
    Solid,
    across,
    cross,
    cube,
    icosahedron,
    unit,
)
from vision.pose.refinement import turned_by
from vision.pose.table_normal import angle_between, top
from vision.read.detection import Detection
from vision.read.thresholds import (
    LENS_AS_GOOD,
    LENS_DICE,
    LENS_OUTLIER,
    LENS_OUTWARDS,
    LENS_POSED,
    LENS_REACH,
    LENS_SAME,
    LENSES,
)


@dataclass(frozen=True)
class Outwards:
    """How the dice of a picture lean under a supposed lens.

    `lean` is by how much they lean away from the picture's middle in the mean (radians, less than 0: towards it), and
    `apart` how far their upper faces are from a common "up" in the mean (radians).
    """

    lean: float
    apart: float


Posed = Sequence[tuple[Pose, Solid]]
"""Dice by their poses, each with its solid."""


def posed_in(found: Sequence[Detection]) -> Posed:
    """The dice that surely are some and surely are posed, flat or not."""
    return [(one.verdict.pose, _solid(one)) for one in found if _tells(one)]


def outwards(posed: Posed, camera: Camera) -> Outwards | None:
    """How these dice lean; None where too few of them tell."""
    if len(posed) < LENS_DICE:
        return None
    tops = np.array([pose.rotation[:, 2] for pose, _ in posed])
    centres = np.array([pose.centre for pose, _ in posed])
    return leaning_outwards(tops, (centres - [camera.width / 2, camera.height / 2]) / camera.focal)


def wider_shown(posed: Posed, camera: Camera, told: Outwards) -> float | None:
    """The wider lens of `LENSES` through which these dice would look up most alike; None where none shows.

    `told` is how they lean. No pixel is looked at again: what looks the same through another lens has turned with its
    line of sight.
    """
    width, height = camera.width, camera.height
    wider = [one for one in LENSES if across(one, width, height) > camera.hfov + LENS_SAME]
    apart = {one: _apart(posed, camera, Camera(width, height, across(one, width, height))) for one in wider}
    least = min(apart.values(), default=told.apart)
    if not wider or max(told.lean, told.apart - least) < LENS_OUTWARDS:
        return None
    return max(one for one in wider if apart[one] <= LENS_AS_GOOD * least)


def _apart(posed: Posed, camera: Camera, other: Camera) -> float:
    """How far the upper faces are from a common "up" in the mean, if `other` saw them as `camera` did (radians).

    Another face than supposed may be up then, the one that looks up most.
    """
    tops = []
    for pose, solid in posed:
        turn = turn_between(camera.ray(pose.centre), other.ray(pose.centre))
        tops.append(top(Pose(pose.centre, pose.radius, turn @ pose.rotation), solid, np.array(STRAIGHT_UP)))
    up = unit(np.median(np.array(tops), axis=0))
    return float(np.mean([angle_between(one, up) for one in tops]))


def leaning_outwards(tops: Array, aside: Array) -> Outwards | None:
    """How dice lean with these upper faces (unit normals, a row a die), so far from the picture's middle.

    `aside` is to the right and down, in focal lengths. None where too few of them tell; outliers do not.
    """
    middle = unit(np.median(tops, axis=0))
    near = [angle_between(top, middle) < LENS_OUTLIER for top in tops]
    tops, aside = tops[near], aside[near]
    reach = np.linalg.norm(aside, axis=1)
    telling = reach > LENS_REACH
    if int(telling.sum()) < LENS_DICE:
        return None
    up = unit(tops.mean(axis=0))
    ways = aside[telling] / reach[telling, None]
    leans = np.arcsin(np.clip(((tops - up)[telling, :2] * ways).sum(axis=1), -1, 1))
    return Outwards(float(leans.mean()), float(np.mean([angle_between(top, up) for top in tops])))


def turn_between(one: Array, other: Array) -> Array:
    """The least turn from one direction to another (unit vectors)."""
    axis = cross(one, other)
    length = float(np.linalg.norm(axis))
    return turned_by(axis * (math.atan2(length, float(one @ other)) / length)) if length else np.eye(3)


def _solid(one: Detection) -> Solid:
    return icosahedron() if one.verdict.kind is DieKind.D20 else cube()


def _tells(one: Detection) -> bool:
    if one.evidence is None or one.beneath or one.flat.rather_print:
        return False
    return one.evidence.die * one.evidence.fits > LENS_POSED
