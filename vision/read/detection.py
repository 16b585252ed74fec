"""A possible die in a picture, with everything that was found about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rules.dice import Box, DieKind, DieReading
from vision.pose.geometry import Array, Camera, Pose, cube, icosahedron, see
from vision.pose.networks import Judgement
from vision.read.evidence import Evidence
from vision.read.faces import Verdict
from vision.read.flat import NOT_FLAT, Flatness


@dataclass(frozen=True)
class Detection:
    """A possible die in the picture: the judgement of its square, its pose, and its face.

    * `contradicted`: its faces or its edges do not look like a die's, so that its chance is halved.
    * `lean`: how far its upper face leans from the table's "up", in radians.
    * `die`: the chance that it is one; `glance`: the one that the first look at the whole picture gave.
    * `solid`: the solid it was posed as; `likely`: the chance that it lies about so, flat or not.
    * `resting`: the chance that it lies flat under the assumed "up"; `flat`: the evidence for print or another flat
      thing.
    * `beneath`: other dice hide it in part, so that only its place is known.
    * `narrowed`: a smaller square showed it, within one that held more.
    * `unproven`: it counts only beside dice that are read (`PosedDie.unproven`).
    * `evidence`: that of the reading's confidence; None for a die beneath others.
    """

    judgement: Judgement
    pose: Pose
    verdict: Verdict
    reading: DieReading
    contradicted: bool = False
    lean: float = 0.0
    die: float = 1.0
    glance: float = 0.0
    solid: str = "d20"
    likely: float = 1.0
    flat: Flatness = NOT_FLAT
    beneath: bool = False
    narrowed: bool = False
    unproven: bool = False
    resting: float = 1.0
    evidence: Evidence | None = None


def box_of(verdict: Verdict, camera: Camera) -> Box:
    """The die's bounding box, clipped to the picture."""
    points = corners(verdict, camera)
    limit = np.array([camera.width, camera.height])
    low = np.clip(np.floor(points.min(axis=0)).astype(int), 0, limit - 1)
    high = np.clip(np.ceil(points.max(axis=0)).astype(int), low + 1, limit)
    return Box(int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))


def corners(verdict: Verdict, camera: Camera) -> Array:
    """The die's corners in the picture, one row a corner."""
    solid = icosahedron() if verdict.kind is DieKind.D20 else cube()
    return see(solid, verdict.pose, camera).points
