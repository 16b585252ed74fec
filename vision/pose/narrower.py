"""Looks at supposed dice once more, in squares that lie within them.

A square that holds a die's own shadow or a neighbour makes the die look larger, and moved towards it: shadows of the
die's grey and touching dice share its outline. From a smaller square the closer look grows onto the die alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.pose.crops import Grey, die_crop
from vision.pose.geometry import Array, Camera, Pose, lean
from vision.pose.networks import Networks
from vision.pose.posing import Judged, PosedDie, posed
from vision.pose.thresholds import NARROWER_LEAST, NARROWER_LOOKS, NARROWER_MOVE, NARROWER_SHARES, SETTLED_KIND


def narrowed(grey: Grey, camera: Camera, up: Array, place: PosedDie, networks: Networks) -> list[PosedDie]:
    """The die as smaller squares show it and pose it: at most one for each of `NARROWER_SHARES`.

    None where such a square settles on another place, or is not sure of a kind.
    """
    first = place.pose
    starts = [Pose(first.centre, first.radius * share, np.eye(3)) for share in NARROWER_SHARES]
    judged = [replace(one, glance=place.glance) for one in _settled(grey, camera, up, starts, networks)]
    kept = [one for one in judged if one.judgement.readable > SETTLED_KIND and _within(one.place, first)]
    return [replace(one, narrowed=True) for one in posed(grey, camera, up, kept, networks)]


def _settled(grey: Grey, camera: Camera, up: Array, places: Sequence[Pose], networks: Networks) -> list[Judged]:
    """What the closer look says of each of these squares, and where it moves them to, look by look."""
    judged: list[Judged] = []
    for _ in range(NARROWER_LOOKS):
        crops = [die_crop(grey, one.centre, one.radius) for one in places]
        told = networks.judge(crops, [lean(camera, one.centre, up) for one in places])
        places = [one.moved(said.right, said.down, said.scale) for one, said in zip(places, told, strict=True)]
        judged = [Judged(said, one, 0.0) for said, one in zip(told, places, strict=True)]
    return judged


def _within(one: Pose, first: Pose) -> bool:
    """Whether it may be the same die: not moved far, and hardly smaller than a die with its shadow seems."""
    near = math.dist(one.centre, first.centre) < NARROWER_MOVE * first.radius
    return near and one.radius > NARROWER_LEAST * first.radius
