"""Distinguishes cubes at rest from leaning ones: a network compares the picture with one that lies on the table.

A cube that leans by 20 to 45 degrees often fits another pose that lies flat, and its face is read in that one. What
it shows of its sides differs all the same, and so does its outline.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rules.dice import DieKind, DieState
from vision.pose.crops import Grey
from vision.pose.geometry import Array, Camera, Pose, Solid, cross, cube
from vision.pose.networks import Networks
from vision.pose.refinement import turned_by
from vision.pose.table_normal import TableNormal
from vision.pose.tilts import TiltSquare, tilt_square_of
from vision.read.detection import Detection
from vision.read.readings import questioned
from vision.read.thresholds import EVEN, LEANS_BEFORE, WITNESSES


def laid(pose: Pose, up: Array) -> Pose:
    """The pose's die, which leans by less than half a turn, as it would lie on a table with this "up".

    It is turned there by the shortest way.
    """
    top: Array = pose.rotation[:, 2]
    axis = cross(top, up)
    sine, cosine = float(np.linalg.norm(axis)), float(top @ up)
    turn = axis / sine * np.arctan2(sine, cosine) if sine > 1e-9 else np.zeros(3)  # noqa: PLR2004 - it lies so already
    return replace(pose, rotation=turned_by(turn) @ pose.rotation)


def rest_square(grey: Grey, pose: Pose, solid: Solid, camera: Camera, up: Array) -> TiltSquare:
    """The square round a supposed die, whose face 0 is up: the picture, and the slopes of its faces if it lies flat."""
    return tilt_square_of(grey, solid, laid(pose, up), camera)


def unless_leaning(
    grey: Grey, camera: Camera, networks: Networks, dice: Sequence[tuple[Detection, TableNormal]]
) -> list[Detection]:
    """The dice, each with the "up" that others tell: cubes that were read and rather lean are cocked, or doubtful.

    One run of the network for all that were read and of which enough other dice tell "up". Not for d20s: the vote of
    their faces shows a wrong pose already, and the network would doubt right ones in hard light.
    """
    asked = [
        number
        for number, (one, up) in enumerate(dice)
        if one.reading.state is DieState.READ and one.verdict.kind is not DieKind.D20 and up.witnesses >= WITNESSES
    ]
    squares = [
        rest_square(grey, one.verdict.pose, cube(), camera, up.direction) for one, up in (dice[n] for n in asked)
    ]
    result = [one for one, _ in dice]
    for number, odds in zip(asked, networks.leaning(squares).tolist(), strict=True):
        result[number] = _told(result[number], 1 / (1 + math.exp(-odds - LEANS_BEFORE)))
    return result


def _told(one: Detection, leans: float) -> Detection:
    """The die that was read, with the chance that it leans."""
    if one.evidence is None:
        return one
    evidence = replace(one.evidence, leans=leans)
    reading = replace(one.reading, confidence=round(evidence.confidence(), 4))
    if not evidence.sure():
        reading = questioned(reading)
    if leans > EVEN:
        reading = replace(reading, state=DieState.COCKED)
    return replace(one, reading=reading, evidence=evidence)
