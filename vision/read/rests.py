"""Distinguishes dice at rest from leaning ones: a network compares the picture with one that lies on the table.

A cube that leans by 20 to 45 degrees often fits another pose that lies flat, and its face is read in that one. What
it shows of its sides differs all the same, and so does its outline. A d20 that stands on an edge is posed as if it
leaned by a third of that, which a flat one may seem to do as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from rules.dice import DieKind, DieState
from vision.pose.crops import Grey
from vision.pose.geometry import Array, Camera, Pose, Solid, cross, cube, icosahedron, see
from vision.pose.refinement import symmetries, turned_by
from vision.pose.tilts import TiltSquare, tilt_square_of
from vision.read.detection import Detection
from vision.read.die_evidence import DieEvidence, Shown
from vision.read.evidence import Evidence
from vision.read.face_memory import FaceMemory
from vision.read.faces import Verdict, votes_of
from vision.read.outline import outline_share
from vision.read.readings import questioned
from vision.read.thresholds import (
    D20_DOUBTED,
    D20_ELSEWHERE,
    D20_LEANS,
    D20_LEANS_BEFORE,
    D20_OUTLINE,
    EVEN,
    LEANS_BEFORE,
    WITNESSES,
)

_FACES: Final = 8
"""How many faces of a d20 are read in either pose."""
_SAME_FACE: Final = 0.999
"""The cosine from which on a symmetry leaves the upper face up."""


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


def unless_leaning(shown: Shown, dice: Sequence[DieEvidence], *, strictly: bool = False) -> list[DieEvidence]:
    """The dice; those that were read and rather lean are cocked, or doubtful.

    One run of the network for all of which enough other dice tell "up"; of d20s only for those whose pose leans, or has
    its outline elsewhere. What the network rather doubts of the first is read once more as if it lay flat. `strictly`
    cubes are shown to it in four turns, of which that counts in which they look most like leaning ones.
    """
    beside = {number for number, one in enumerate(dice) if _lies_beside(shown, one)}
    asked = [number for number, one in enumerate(dice) if _may_lean(one) or number in beside]
    looks = [_squares(shown, dice[number], strictly=strictly) for number in asked]
    odds = shown.networks.leaning([square for look in looks for square in look])
    result = list(dice)
    for number, look in zip(asked, looks, strict=True):
        said, odds = odds[: len(look)], odds[len(look) :]
        result[number] = _told(shown, dice[number], said, beside=number in beside)
    return result


def _told(shown: Shown, one: DieEvidence, said: Array, *, beside: bool) -> DieEvidence:
    """The die with what the network says of it, in each turn."""
    if one.told is None:
        return one
    if one.verdict.kind is not DieKind.D20:
        return replace(one, told=leaning_by_chance(one.told, _chance(float(said.max()) + LEANS_BEFORE)))
    told, odds = one.told, float(said.mean())
    if beside and odds > D20_ELSEWHERE and told.evidence is not None:
        told = _weighed(told, replace(told.evidence, outlined=False))
    if one.told.lean > D20_LEANS and odds > D20_DOUBTED:
        odds += D20_LEANS_BEFORE + _read_worse_flat(shown, told.verdict, one.up.direction)
        told = leaning_by_chance(told, _chance(odds))
    return replace(one, told=told)


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def _may_lean(one: DieEvidence) -> bool:
    """Whether the network is asked about the die.

    Faces that look as they were taught could not be cut out in a wrong pose of a d20.
    """
    told = one.told
    if told is None or told.evidence is None or one.up.witnesses < WITNESSES:
        return False
    if told.verdict.kind is not DieKind.D20:
        return told.reading.state is DieState.READ
    return told.reading.state is not DieState.COCKED and told.lean > D20_LEANS and told.verdict.owner is None


def _lies_beside(shown: Shown, one: DieEvidence) -> bool:
    """Whether a d20 is read in a pose that a search found by its faces, and the picture hardly changes round that."""
    told = one.told
    if told is None or told.reading.state is not DieState.READ or one.up.witnesses < WITNESSES:
        return False
    if not one.explained or told.verdict.kind is not DieKind.D20 or told.verdict.owner is not None:
        return False
    outline = see(icosahedron(), told.verdict.pose, shown.camera).outline()
    return outline_share(shown.picture, outline, told.verdict.pose.radius) < D20_OUTLINE


def _squares(shown: Shown, one: DieEvidence, *, strictly: bool) -> list[TiltSquare]:
    """What the network is shown of the die: once, or with each corner of its upper face to the right."""
    pose = one.verdict.pose if one.told is None else one.told.verdict.pose
    is_d20 = one.verdict.kind is DieKind.D20
    solid = icosahedron() if is_d20 else cube()
    poses = [pose]
    if is_d20 or strictly:
        turns = [turn for turn in symmetries(solid) if turn[2, 2] > _SAME_FACE]
        poses = [replace(pose, rotation=pose.rotation @ turn) for turn in turns]
    return [rest_square(shown.grey, each, solid, shown.camera, one.up.direction) for each in poses]


def _read_worse_flat(shown: Shown, verdict: Verdict, up: Array) -> float:
    """How much less its faces speak for a d20's number if it is laid flat (log odds).

    One that lies flat is hardly read worse: its pose was a little off. Of one on an edge the faces are cut out wrongly.
    """
    poses = [verdict.pose, laid(verdict.pose, up)]
    as_found, flat = votes_of(FaceMemory(shown.grey, shown.networks), poses, shown.camera, _FACES)
    number = int(verdict.best[0]) - 1
    return float(as_found[number] - flat[number])


def leaning_by_chance(one: Detection, leans: float) -> Detection:
    """The die with the chance that it leans."""
    if one.evidence is None:
        return one
    told = _weighed(one, replace(one.evidence, leans=leans))
    if one.reading.state is DieState.READ and leans > EVEN:
        return replace(told, reading=replace(told.reading, state=DieState.COCKED))
    return told


def _weighed(one: Detection, evidence: Evidence) -> Detection:
    """The die with that evidence, questioned if it does not suffice."""
    reading = replace(one.reading, confidence=round(evidence.confidence(), 4))
    return replace(one, reading=reading if evidence.sure() else questioned(reading), evidence=evidence)
