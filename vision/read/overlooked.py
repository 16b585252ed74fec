"""Possible dice at places where no pose was found."""

from __future__ import annotations

import math

from vision.pose.geometry import Camera, Pose, cube, icosahedron
from vision.pose.networks import KIND_NONE
from vision.pose.posing import Considered, PosedDie
from vision.read.thresholds import (
    OVERLOOKED_GLANCE,
    OVERLOOKED_INSIDE,
    OVERLOOKED_POSED,
    OVERLOOKED_READABLE,
    SEARCH_GLANCE,
    SEARCH_NONE,
    SEARCH_SAME_PLACE,
    SEARCH_SAME_SIZE,
    SEARCH_SURELY,
)


def overlooked(considered: Considered, camera: Camera) -> list[PosedDie]:
    """Possible dice at places without a pose of their size: to be explained, or asked about."""
    return [
        PosedDie(one.judgement, icosahedron() if one.is_d20 else cube(), one.place, 0.0, (), one.glance, 0.0)
        for one in considered.judged
        if one.glance > SEARCH_GLANCE
        and one.judgement.kinds[KIND_NONE] < SEARCH_NONE
        and one.judgement.readable > OVERLOOKED_READABLE
        and _whole(one.place, camera)
        and not any(_same(place.pose, one.place) for place in considered.places)
    ]


def is_there(place: PosedDie) -> bool:
    """Whether an overlooked place is a die: it was explained, or both looks were sure of one."""
    return place.fits > OVERLOOKED_POSED or (
        place.judgement.readable > SEARCH_SURELY and place.glance > OVERLOOKED_GLANCE
    )


def _whole(one: Pose, camera: Camera) -> bool:
    """Whether most of it lies inside the picture."""
    x, y = one.centre
    spare = OVERLOOKED_INSIDE * one.radius
    return spare < x < camera.width - spare and spare < y < camera.height - spare


def _same(one: Pose, other: Pose) -> bool:
    """Whether two squares may be of one die."""
    larger, smaller = max(one.radius, other.radius), min(one.radius, other.radius)
    return math.dist(one.centre, other.centre) < SEARCH_SAME_PLACE * larger and larger < SEARCH_SAME_SIZE * smaller
