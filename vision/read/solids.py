"""Distinguishes cubes from flat things: a network looks for the sides that a cube on the table must show.

The supposed pose of a printed square leans towards the camera, because that hides missing sides. So the network gets
the slopes of a cube that lies on the table at that place, and checks the picture against them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.pose.crops import Grey
from vision.pose.geometry import Array, Camera, Pose, cube, see
from vision.pose.networks import Networks
from vision.pose.posing import PosedDie
from vision.pose.tilts import TiltSquare
from vision.read.rests import laid, rest_square
from vision.read.thresholds import SOLID_FACING


def solid_square(grey: Grey, pose: Pose, camera: Camera, up: Array) -> TiltSquare:
    """The square round a supposed cube: the picture, and the slopes of a lying cube's faces."""
    return rest_square(grey, pose, cube(), camera, up)


def look_flat(
    grey: Grey, camera: Camera, networks: Networks, places: Sequence[PosedDie], up: Array
) -> dict[int, float]:
    """For each supposed cube, by its number among the places, the log odds that it is flat; one run for all of them.

    They count in proportion to how much of a side a cube there would show; one that would show none is left out.
    """
    cubes = [number for number, place in enumerate(places) if place.solid.name == "cube"]
    shown = {number: _side_shown(laid(places[number].pose, up), camera) for number in cubes}
    asked = [number for number in cubes if shown[number] > 0]
    told = networks.flat([solid_square(grey, places[number].pose, camera, up) for number in asked])
    return {number: odds * shown[number] for number, odds in zip(asked, told.tolist(), strict=True)}


def _side_shown(pose: Pose, camera: Camera) -> float:
    """How visible a cube's most frontal side is beside its upper face, from not at all (0) to enough (1)."""
    least, enough = SOLID_FACING
    facing = float(np.sort(see(cube(), pose, camera).facing)[-2])
    return float(np.clip((facing - least) / (enough - least), 0.0, 1.0))
