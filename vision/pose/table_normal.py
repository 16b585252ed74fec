"""The direction "up", shared by all dice of a picture, and how far each die leans from it.

Dice at rest show it: the normal of each one's uppermost face is "up", apart from the error of its fitted pose. A camera
assumed to look straight down also gives it, less exactly. A die that leans from it leans on something.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.pose.geometry import Array, Pose, Solid, unit
from vision.pose.thresholds import AT_REST

CAMERA_SPREAD: Final = math.radians(6.0)
"""How far the table's "up" usually is from the camera's axis."""
_ASKEW_SPREAD: Final = math.radians(20.0)
"""How far the assumed "up" is from the true one where the camera stands askew, in radians."""
_ASKEW: Final = 0.03
"""The share of cameras that stand askew; nobody says so."""
POSE_SPREAD: Final = math.radians(3.5)
"""How far a fitted pose's upper face is from where it truly is, in radians."""


@dataclass(frozen=True)
class TableNormal:
    """The table's "up" (unit, camera frame), how far it may be off (radians), and how many dice agree on it.

    A calibrated camera, or one that is remembered, counts as `CALIBRATED` dice that agree.
    """

    direction: Array
    spread: float
    witnesses: int = 0

    def turned(self) -> TableNormal:
        """The same for pictures that were turned by a half."""
        return replace(self, direction=self.direction * np.array([-1.0, -1.0, 1.0]))


def shared_up(poses: Sequence[tuple[Pose, Solid]], assumed: TableNormal) -> TableNormal:
    """The "up" on which the dice of a picture agree, starting from the assumption about the camera."""
    direction, resting = _agreed(poses, assumed)
    return _up(assumed, [one for one in resting if one is not None], direction)


def ups_of_others(poses: Sequence[tuple[Pose, Solid]], assumed: TableNormal) -> list[TableNormal]:
    """For each die the "up" of the others: a leaning die must not count for itself."""
    _, resting = _agreed(poses, assumed)
    return [
        _up(assumed, [one for n, one in enumerate(resting) if one is not None and n != number], None)
        for number in range(len(poses))
    ]


def ups_of_heard(poses: Sequence[tuple[Pose, Solid]], heard: Sequence[bool], assumed: TableNormal) -> list[TableNormal]:
    """For each die the "up" of the others that are `heard`."""
    said = [one for one, says in zip(poses, heard, strict=True) if says]
    others, everyone = iter(ups_of_others(said, assumed)), shared_up(said, assumed)
    return [next(others) if says else everyone for says in heard]


def _agreed(poses: Sequence[tuple[Pose, Solid]], assumed: TableNormal) -> tuple[Array, list[Array | None]]:
    """The common "up", and the normal of each die's upper face, or None where it leans from the others."""
    direction = assumed.direction
    resting: list[Array | None] = []
    for _ in range(2):
        tops = [top(pose, solid, direction) for pose, solid in poses]
        apart = [angle_between(one, direction) for one in tops]
        reach = max(AT_REST, float(np.median(apart)) if apart else 0.0)
        resting = [one if angle <= reach else None for one, angle in zip(tops, apart, strict=True)]
        direction = _up(assumed, [one for one in resting if one is not None], None).direction
    return direction, resting


def _up(assumed: TableNormal, tops: Sequence[Array], direction: Array | None) -> TableNormal:
    rough = math.radians(1.0) ** 2 * bool(tops)
    spread = math.sqrt(1 / (1 / assumed.spread**2 + len(tops) / POSE_SPREAD**2) + rough)
    if direction is None:
        weights = np.array([1 / assumed.spread**2] + [1 / POSE_SPREAD**2] * len(tops))
        direction = unit(weights @ np.array([assumed.direction, *tops]))
    return TableNormal(direction, spread, assumed.witnesses + len(tops))


def top(pose: Pose, solid: Solid, up: Array) -> Array:
    """The normal (camera frame) of the face that is nearest to `up`."""
    normals = solid.normals @ pose.rotation.T
    result: Array = normals[int(np.argmax(normals @ up))]
    return result


def leaning(pose: Pose, up: Array) -> float:
    """By how many radians face 0 leans from `up`."""
    return angle_between(pose.rotation[:, 2], up)


def up_chance(pose: Pose, solid: Solid, up: TableNormal) -> float:
    """The chance that face 0, of all faces, is the one that is up."""
    return float(up_chances(pose, solid, up)[0])


def up_chances(pose: Pose, solid: Solid, up: TableNormal) -> Array:
    """For each face the chance that it is the one that is up."""
    angles = np.arccos(np.clip(solid.normals @ pose.rotation.T @ up.direction, -1, 1))
    spread = math.hypot(up.spread, POSE_SPREAD)
    near, far = (np.exp(-(angles**2) / (2 * wide**2)) / wide**2 for wide in (spread, _ASKEW_SPREAD))
    askew = _ASKEW if up.witnesses < 3 else _ASKEW / 10  # noqa: PLR2004 - three dice that agree are no chance
    weights = (1 - askew) * near + askew * far
    result: Array = weights / weights.sum()
    return result


def angle_between(one: Array, other: Array) -> float:
    """The angle between two unit vectors, in radians."""
    return math.acos(float(np.clip(one @ other, -1, 1)))
