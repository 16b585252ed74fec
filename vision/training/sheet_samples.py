"""Samples of d20s that lie on path-traced sheets, for the networks that mend poses.

Each die is cut anew, in other poses and other light, so that no sample comes twice. `tests/bench/ray_traced/
number_sheets.py` renders the sheets.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from rules.dice import DieKind
from vision.pose.crops import padded
from vision.pose.geometry import Camera, Pose, icosahedron
from vision.pose.refinement import upright
from vision.training.number_patches import NumberSheet, exposed_anew
from vision.training.samples import Laid, Samples, add_poses

_SIDE: Final = 3.6
"""The side of the picture that is kept round a die, in its radii."""


def cut_from_sheets(sheets: Sequence[NumberSheet], seed: int, count: int) -> Samples:
    """Samples of so many dice of the sheets, any of them several times; of the same seed they are the same."""
    rng = np.random.default_rng(seed)
    dice = [(sheet, die) for sheet in sheets for die in range(len(sheet.radii))]
    samples = Samples.empty()
    for _ in range(count):
        sheet, die = dice[int(rng.integers(len(dice)))]
        add_poses(rng, laid_of(sheet, die, rng), samples, rng)
    return samples


def laid_of(sheet: NumberSheet, die: int, rng: np.random.Generator) -> Laid:
    """The die of this number as one of the sheet's sensors sees it, in somewhat other light."""
    picture = sheet.pictures[int(rng.integers(len(sheet.pictures)))]
    height, width = picture.shape
    x, y, radius = (float(one) for one in (*sheet.middles[die], sheet.radii[die]))
    side = math.ceil(_SIDE * radius)
    left, top = round(x - side / 2), round(y - side / 2)
    grey = exposed_anew(padded(picture, left, top, side, side)[None], rng)[0]
    solid, camera = icosahedron(), Camera(width, height, sheet.hfov)
    pose = upright(Pose((x, y), radius, sheet.turns[die]), sheet.up, solid)
    return Laid(grey, solid, DieKind.D20, camera, (left, top), pose, sheet.up)
