"""What is up where the camera stands askew: dice that lean alike show it.

A fitted pose is biased towards the "up" that was assumed: the networks move it less than half of the way. So the dice
are laid upon the "up" that they seem to show, and fitted again from there, until they stay where they were laid.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.pose.crops import Grey
from vision.pose.geometry import Array, Camera, Pose, cross, unit
from vision.pose.networks import Networks
from vision.pose.posing import PosedDie, posed_anew
from vision.pose.refinement import turned_by, upright
from vision.pose.table_normal import CAMERA_SPREAD, TableNormal, angle_between, shared_up
from vision.pose.thresholds import (
    ASKEW_AGAINST,
    ASKEW_AGREED,
    ASKEW_DICE,
    ASKEW_FROM,
    ASKEW_MOST,
    ASKEW_ROUNDS,
    ASKEW_SETTLED,
    ASKEW_SPREAD,
    ASKEW_STEP,
    AT_REST,
)


@dataclass(frozen=True)
class Askew:
    """What is up under a camera that stands askew, supposed instead of straight up, and all dice as they lie then."""

    up: TableNormal
    places: tuple[PosedDie, ...]


def askew(
    grey: Grey,
    camera: Camera,
    places: Sequence[PosedDie],
    assumed: TableNormal,
    networks: Networks,
    *,
    heard: Sequence[bool],
) -> Askew | None:
    """What is up by the dice that are `heard`; None where they show what was assumed, or contradict one another."""
    up = assumed.direction
    fitted = list(places)
    for _ in range(ASKEW_ROUNDS):
        seen = _seen(fitted, heard, up)
        away = angle_between(seen, up)
        if away < (ASKEW_FROM if up is assumed.direction else ASKEW_SETTLED):
            break
        up = _limited(unit(up + ASKEW_STEP * (seen - up)), assumed.direction)
        laid = [(replace(one, pose=laid_on(upright(one.pose, up, one.solid), up)), up) for one in places]
        fitted = posed_anew(grey, camera, laid, networks)
    if up is assumed.direction:
        return None
    leans = [angle_between(one.pose.rotation[:, 2], up) for one, said in zip(fitted, heard, strict=True) if said]
    agreed = sum(lean < ASKEW_AGREED for lean in leans)
    against = sum(lean > AT_REST for lean in leans)
    if agreed < max(ASKEW_DICE, ASKEW_AGAINST * against) or 2 * agreed <= len(leans):
        return None
    return Askew(TableNormal(up, CAMERA_SPREAD), tuple(fitted))


def laid_on(pose: Pose, up: Array) -> Pose:
    """The pose turned as little as possible so that its face 0 looks towards `up`."""
    normal = pose.rotation[:, 2]
    axis = cross(normal, up)
    length = float(np.linalg.norm(axis))
    if length == 0:
        return pose
    turn = turned_by(axis * (math.atan2(length, float(normal @ up)) / length))
    return replace(pose, rotation=turn @ pose.rotation)


def _seen(places: Sequence[PosedDie], heard: Sequence[bool], up: Array) -> Array:
    shown = [(one.pose, one.solid) for one, counts in zip(places, heard, strict=True) if counts]
    return shared_up(shown, TableNormal(up, ASKEW_SPREAD)).direction


def _limited(up: Array, assumed: Array) -> Array:
    """`up`, at most `ASKEW_MOST` from the assumed one."""
    if angle_between(up, assumed) <= ASKEW_MOST:
        return up
    beside = unit(up - float(up @ assumed) * assumed)
    result: Array = math.cos(ASKEW_MOST) * assumed + math.sin(ASKEW_MOST) * beside
    return result
