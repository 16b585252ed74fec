"""From a posed die to the chances of what it shows.

A d20's faces are read one by one and vote together: a numbering is one of 120 known ones, or (less likely) one of
its own, and every visible face supports or contradicts it. The vote is soft; a maker's own numbering loses some
confidence, not its value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind, Face, Symbol
from vision.crops import Grey, face_patch
from vision.geometry import Array, Camera, Pose, View, cube, icosahedron, layout_hypotheses, lying, see, tilted
from vision.networks import CUBE_FACES, Networks

_LEAST_FACING: Final = 0.42
"""Faces more slanted than this (65 degrees) are not read."""
_OWN_LAYOUT: Final = math.exp(-4.0)
"""The prior chance of a numbering that is none of the known ones."""
_FLOOR: Final = 0.004
"""The least chance a face gives any number: one smudged face must not outvote the others."""
_SHARPNESS: Final = 0.7
"""Neighbouring faces fail together (blur, glare): their log-chances count for this much."""
_UP_SPREAD: Final = math.radians(6.0)
"""How far the table's "up" usually is from the one assumed..."""
_UP_SPREAD_ASKEW: Final = math.radians(20.0)
"""... and how far where the camera stands askew..."""
_ASKEW: Final = 0.02
"""... which is rare, but nobody says so."""

_RIM: Final = 6
"""Pixels of a cube's patch that may lie on its edges."""


@dataclass(frozen=True)
class Verdict:
    """What a die shows: chances by face (adding up to at most 1), and the pose that explains the picture best.

    `support` is the best pose's share of upright, whole faces (0..1); `off_up` is the angle in radians between
    the upper face's normal and the assumed "up".
    """

    kind: DieKind
    chances: dict[Face, float]
    pose: Pose
    support: float
    off_up: float

    @property
    def best(self) -> tuple[Face, float]:
        """The likeliest face and its chance."""
        return max(self.chances.items(), key=lambda item: item[1])


def read_d20(grey: Grey, poses: Sequence[Pose], camera: Camera, up: Array, networks: Networks) -> Verdict:
    """Read a d20 that lies in one of `poses` (each with face 0 up); `up` is the assumed "up".

    Of one pose all faces are read that can be; of several the four most frontal ones, to save time.
    """
    solid = icosahedron()
    views = [see(solid, pose, camera) for pose in poses]
    most = 20 if len(poses) == 1 else 4
    faces = [_frontal(view, most) for view in views]
    patches = [face_patch(grey, view, face) for view, shown in zip(views, faces, strict=True) for face in shown]
    scores = networks.numbers(patches).astype(np.float64)
    start = 0
    totals: list[Array] = []
    evidence: list[float] = []
    supports: list[float] = []
    for shown in faces:
        rows = scores[start : start + len(shown)]
        start += len(shown)
        logs = _vote(rows, shown)
        totals.append(logs)
        evidence.append(_log_sum(logs))
        top = shown.index(0) if 0 in shown else 0
        supports.append(float(1 - rows[top, 20]) if 0 in shown else 0.0)
    best = int(np.argmax(evidence))
    joined = np.array([_log_sum(np.array([total[n] for total in totals])) for n in range(20)])
    # An empty explanation ("these are no numbers that I know") competes with all poses together.
    whole = _log_sum(np.append(joined, math.log(len(poses)) + _NOTHING))
    chances: dict[Face, float] = {n + 1: float(math.exp(joined[n] - whole)) for n in range(20)}
    normals = poses[best].rotation @ solid.normals.T
    return Verdict(DieKind.D20, chances, poses[best], supports[best], _angle(normals[:, 0], up))


def _frontal(view: View, most: int) -> list[int]:
    """The faces to read: face 0, and those that face the camera enough, the most frontal first; `most` at most."""
    order = np.argsort(-view.facing)
    others = [int(face) for face in order if face != 0 and view.facing[face] > _LEAST_FACING]
    return [0, *others][:most]


_NOTHING: Final = -3.0
"""The log evidence of an unreadable die: faces that speak less than this for any number are no evidence."""


def _vote(rows: Array, shown: Sequence[int]) -> Array:
    """Log evidence for each number on face 0, from the faces `shown` and their chances (21 columns)."""
    if 0 not in shown:
        return np.full(20, -50.0)
    top = list(shown).index(0)
    # 20 numbers are equally likely before looking: a face's chance times 20 is how much it speaks for a number.
    logs = np.log(np.maximum(rows[:, :20] + 0.02 * rows[:, 20:], _FLOOR) * 20) * _SHARPNESS
    hypotheses = layout_hypotheses()
    known = sum((logs[i, hypotheses[:, face] - 1] for i, face in enumerate(shown)), np.zeros(len(hypotheses)))
    result = np.full(20, -50.0)
    free = sum(math.log(max(1 - float(row[20]), 0.02)) for i, row in enumerate(rows) if i != top)
    for number in range(20):
        fits = known[hypotheses[:, 0] == number + 1] - math.log(len(hypotheses))
        own = math.log(_OWN_LAYOUT / 20) + logs[top, number] + free
        result[number] = _log_sum(np.append(fits, own))
    return result


def _log_sum(logs: Array) -> float:
    highest = float(np.max(logs))
    return highest + math.log(float(np.sum(np.exp(logs - highest))))


def _angle(one: Array, other: Array) -> float:
    return math.acos(float(np.clip(one @ other, -1, 1)))


def up_chance(pose: Pose, up: Array) -> float:
    """The chance that face 0, of all faces, is the one that is up, if the true "up" is near the assumed one."""
    angles = np.arccos(np.clip(icosahedron().normals @ pose.rotation.T @ up, -1, 1))
    near, far = (np.exp(-(angles**2) / (2 * spread**2)) for spread in (_UP_SPREAD, _UP_SPREAD_ASKEW))
    weights = (1 - _ASKEW) * near + _ASKEW * far
    return float(weights[0] / weights.sum())


def around(pose: Pose, rng: np.random.Generator, count: int, spread: float = 1.0) -> list[Pose]:
    """`count` poses near this one: moved, scaled, spun and leaned a little."""
    result = []
    up = pose.rotation[:, 2]
    spin = spin_of(pose)
    for _ in range(count):
        leaned = tilted(*(up[:2] + rng.normal(0, 0.05 * spread, 2)))
        near = pose.moved(
            float(rng.normal(0, 0.03 * spread)),
            float(rng.normal(0, 0.03 * spread)),
            math.exp(float(rng.normal(0, 0.03 * spread))),
        )
        turn = spin + float(rng.normal(0, 0.08 * spread))
        result.append(Pose(near.centre, near.radius, lying(leaned, turn)))
    return result


def spin_of(pose: Pose) -> float:
    """The spin that `lying` would need to make this pose's turn."""
    base = lying(pose.rotation[:, 2], 0.0)
    inner = base.T @ pose.rotation
    turned = lying(np.array([0.0, 0.0, -1.0]), 0.4)
    sign = 1.0 if (lying(np.array([0.0, 0.0, -1.0]), 0.0).T @ turned)[1, 0] > 0 else -1.0
    return sign * math.atan2(float(inner[1, 0]), float(inner[0, 0]))


def read_cube(grey: Grey, poses: Sequence[Pose], camera: Camera, up: Array, networks: Networks) -> Verdict:
    """Read a cube that lies in one of `poses`: a pip or numeral d6, or a Challenge Die."""
    views: list[View] = [see(cube(), pose, camera) for pose in poses]
    patches: list[Grey] = []
    for view in views:
        patch = face_patch(grey, view, 0)
        patches += [np.ascontiguousarray(np.rot90(patch, turn)) for turn in range(4)]
    scores = networks.cubes(patches).astype(np.float64).reshape(len(poses), 4, -1)
    logs = np.log(np.maximum(scores, 1e-4)).mean(axis=1)
    rows = np.exp(logs)
    best = int(np.argmin(rows[:, -1]))
    row = rows.mean(axis=0) if len(rows) > 1 else rows[0]
    row = row / row.sum()
    return _cube_verdict(row, poses[best], float(1 - rows[best, -1]), _angle(poses[best].rotation[:, 2], up))


def _cube_verdict(row: NDArray[np.float64], pose: Pose, support: float, off_up: float) -> Verdict:
    challenge: dict[Face, float] = {1: 0.0, 2: 0.0, Symbol.BLANK: 0.0, Symbol.EFFECT: 0.0}
    plain: dict[Face, float] = dict.fromkeys(range(1, 7), 0.0)
    for (style, face), chance in zip(CUBE_FACES, row, strict=True):
        if face is None:
            continue
        (challenge if style == "challenge" else plain)[face] += float(chance)
    if max(challenge.values()) >= max(plain.values()):
        return Verdict(DieKind.CHALLENGE, challenge, pose, support, off_up)
    return Verdict(DieKind.D6, plain, pose, support, off_up)


def edge_sharpness(grey: Grey, outline: Array) -> float:
    """How abruptly the picture changes across an outline: near 1 for a die's edge, towards 0.2 for a soft shadow.

    The median, over points along the outline, of the largest step on a short way across it against the whole change.
    """
    middle = outline.mean(axis=0)
    after = np.roll(outline, -1, axis=0)
    shares = np.linspace(0, 1, 8, endpoint=False)[:, None, None]
    spots = (outline + (after - outline) * shares).reshape(-1, 2)
    ways = np.linspace(0.75, 1.25, 26)[:, None, None]
    path = np.round(middle + (spots - middle) * ways).astype(int)
    columns = np.clip(path[..., 0], 0, grey.shape[1] - 1)
    rows = np.clip(path[..., 1], 0, grey.shape[0] - 1)
    profile = grey[rows, columns].astype(np.float64)
    steps = np.abs(profile[3:] - profile[:-3]).max(axis=0)
    return float(np.median(steps / np.maximum(np.ptp(profile, axis=0), 4.0)))


def unevenness(grey: Grey, pose: Pose, camera: Camera) -> float:
    """How much a cube's upper face varies, in grey levels, beyond the smooth change that light makes: ink shows."""
    patch = face_patch(grey, see(cube(), pose, camera), 0)[_RIM:-_RIM, _RIM:-_RIM]
    soft = np.asarray(cv2.GaussianBlur(patch.astype(np.float32), (0, 0), 1.0), dtype=np.float64)
    across = np.linspace(-1, 1, len(soft))
    x, y = (axis.ravel() for axis in np.meshgrid(across, across))
    shapes = np.column_stack([np.ones_like(x), x, y, x * y, x * x, y * y])
    smooth = shapes @ np.linalg.lstsq(shapes, soft.ravel(), rcond=None)[0]
    return float(np.std(soft.ravel() - smooth))
