"""Dice cut off by the picture's edge: seen at the first look, but rejected by the networks for whole dice.

What is left of a die fits no pose well, shows no whole face, and often looks like a die of another kind. It is asked
about all the same: a die lies there, and counts for the person who threw it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from rules.dice import DieState
from vision.pose.geometry import Camera, Pose
from vision.pose.networks import KIND_NONE
from vision.pose.posing import Considered, Judged, posed
from vision.pose.table_normal import TableNormal
from vision.read.closer import read_dice
from vision.read.detection import Detection, box_of
from vision.read.die_evidence import Shown
from vision.read.doubt import found
from vision.read.thresholds import (
    EDGE_GLANCE,
    EDGE_GREW,
    EDGE_HERE,
    EDGE_MOST,
    EDGE_NONE,
    EDGE_OTHER_KIND,
    EDGE_STRAYED,
    EDGE_UNTOLD,
    EDGE_WITHIN,
)


def is_cut(place: Pose, camera: Camera) -> bool:
    """Whether the picture's edge cuts off a die at this place, or hardly leaves it whole."""
    x, y = place.centre
    return min(x, y, camera.width - x, camera.height - y) < EDGE_WITHIN * place.radius


def cut_off_dice(
    shown: Shown, considered: Considered, told: Sequence[Detection], assumed: TableNormal
) -> list[Detection]:
    """Dice cut off by the edge and not in `told`: doubtful, with guesses of their faces."""
    left = left_at_the_edge(considered, told, shown.camera)
    places = posed(shown.grey, shown.camera, assumed.direction, left, shown.networks)
    result = []
    for seen, place in zip(left, places, strict=True):
        (verdict,) = read_dice(shown, [place], [])
        one = doubted(found(shown.grey, shown.camera, place, verdict, assumed), seen.place, shown.camera)
        if shown.is_new(one):
            result.append(one)
    return result


def left_at_the_edge(considered: Considered, told: Sequence[Detection], camera: Camera) -> list[Judged]:
    """Places that look like a die cut off by the edge, and are none of the dice in `told`."""

    def explained(one: Judged) -> bool:
        places = [die.verdict.pose for die in told]
        return any(math.dist(pose.centre, one.place.centre) < max(pose.radius, one.place.radius) for pose in places)

    def glance(one: Judged) -> float:
        return max(
            [one.glance]
            + [
                proposal.chance
                for proposal in considered.proposals
                if math.dist(proposal.centre, one.place.centre) < EDGE_HERE * max(proposal.radius, one.place.radius)
            ]
        )

    inner = [one for one in considered.seen if not is_cut(one.place, camera) and not explained(one)]
    named = [other.pose for other in considered.others]
    untold = [one for one in inner if all(math.dist(one.place.centre, pose.centre) >= pose.radius for pose in named)]
    left = [
        replace(one, glance=glance(one))
        for one in considered.judged
        if one.judgement.kinds[KIND_NONE] < EDGE_NONE
        and one.judgement.other[1] < EDGE_OTHER_KIND
        and is_cut(one.place, camera)
        and glance(one) > EDGE_GLANCE
        and not explained(one)
    ]
    left = _largest_each(left)
    return left if len(left) <= EDGE_MOST and len(untold) < EDGE_UNTOLD else []


def doubted(one: Detection, seen: Pose, camera: Camera) -> Detection:
    """The die as doubtful, whatever it seems to show; at the place `seen` if its pose strayed from there."""
    pose = one.verdict.pose
    moved = math.dist(pose.centre, seen.centre) > EDGE_STRAYED * seen.radius
    grew = not 1 / EDGE_GREW < pose.radius / seen.radius < EDGE_GREW
    verdict = replace(one.verdict, pose=replace(seen, rotation=pose.rotation)) if moved or grew else one.verdict
    reading = replace(one.reading, state=DieState.DOUBTFUL, face=None, box=box_of(verdict, camera))
    return replace(one, pose=verdict.pose, verdict=verdict, reading=reading, evidence=None)


def _largest_each(left: Sequence[Judged]) -> list[Judged]:
    """Without places inside another one: they are faces of a die that is cut off."""
    kept: list[Judged] = []
    for one in sorted(left, key=lambda one: -one.place.radius):
        if all(math.dist(one.place.centre, other.place.centre) > other.place.radius for other in kept):
            kept.append(one)
    return kept
