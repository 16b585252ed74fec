"""Which lens a picture was taken through, by its dice, where nothing else tells it.

A die's pose is fitted as it is seen from the camera. So under a wider lens than is supposed flat dice seem to lean
outwards, the more the farther they lie from the picture's middle, and under the right one they all look up alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.pose.geometry import Array, Camera, unit
from vision.pose.table_normal import angle_between
from vision.read.detection import Detection
from vision.read.thresholds import LENS_DICE, LENS_OUTLIER, LENS_POSED, LENS_REACH


@dataclass(frozen=True)
class Outwards:
    """How the dice of a picture lean under a supposed lens.

    `lean` is by how much they lean away from the picture's middle in the mean (radians, less than 0: towards it), and
    `apart` how far their upper faces are from a common "up" in the mean (radians).
    """

    lean: float
    apart: float


def outwards(found: Sequence[Detection], camera: Camera) -> Outwards | None:
    """How the dice lean that surely are posed, flat or not; None where too few of them tell."""
    posed = [one for one in found if _tells(one)]
    if len(posed) < LENS_DICE:
        return None
    tops = np.array([one.verdict.pose.rotation[:, 2] for one in posed])
    centres = np.array([one.verdict.pose.centre for one in posed])
    return leaning_outwards(tops, (centres - [camera.width / 2, camera.height / 2]) / camera.focal)


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


def _tells(one: Detection) -> bool:
    if one.evidence is None or one.beneath or one.flat.rather_print:
        return False
    return one.evidence.die * one.evidence.fits > LENS_POSED
