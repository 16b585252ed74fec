"""Decides which of overlapping things are dice, and what another die hides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rules.dice import FACES, DieKind, DieReading, DieState, SourceKind, Symbol
from vision.pose.geometry import Camera, Pose
from vision.pose.posing import Considered, Judged
from vision.read.detection import Detection, box_of
from vision.read.faces import Verdict, merit
from vision.read.thresholds import EVEN, HIDDEN_LEFT_OVER, NARROWED_LEFT_OVER, SIZE_OF_ANY_KIND, SIZE_OF_ITS_KIND


def apart(found: Sequence[Detection]) -> list[Detection]:
    """Of things inside one another (a die, and a face mistaken for a small die) the more convincing one."""

    def worth(one: Detection) -> float:
        sure = merit(one.verdict) + (0.15 if one.contradicted else 0.3) * one.die
        return sure * 0.9 if one.unproven else sure

    kept: list[Detection] = []
    for one in sorted(found, key=worth, reverse=True):
        place = one.verdict.pose
        inside = (
            math.dist(place.centre, other.verdict.pose.centre) < 0.9 * max(place.radius, other.verdict.pose.radius)
            for other in kept
        )
        if not any(inside):
            kept.append(one)
    return kept


def large_enough(found: Sequence[Detection]) -> list[Detection]:
    """Without what is doubtful and far smaller than the dice that were read beside it.

    Dice of one kind differ little in size, and seen from above little by where they lie: what is not even
    `SIZE_OF_ITS_KIND` as large as the smallest of them, or `SIZE_OF_ANY_KIND` as large as the smallest of all, is part
    of the tray or of what lies around it, unless one of its faces (not blank: whatever is smooth looks blank) is more
    likely than not.
    """
    least: dict[bool, float] = {}
    for one in found:
        if one.reading.state is DieState.READ:
            d20 = one.verdict.kind is DieKind.D20
            least[d20] = min(one.verdict.pose.radius, least.get(d20, math.inf))
    of_any = SIZE_OF_ANY_KIND * min(least.values(), default=0.0)
    return [
        one
        for one in found
        if one.reading.state is DieState.READ
        or one.verdict.pose.radius >= max(of_any, SIZE_OF_ITS_KIND * least.get(one.verdict.kind is DieKind.D20, 0.0))
        or (one.verdict.best[1] > EVEN and one.verdict.best[0] is not Symbol.BLANK)
    ]


def hidden(
    seen: Sequence[Judged], kept: Sequence[Detection], camera: Camera, silenced: Sequence[Detection] = ()
) -> list[Detection]:
    """The doubtful dice left of each thing that looked like a die, once the dice on it are removed.

    A die that another one hides in part looks, together with that one, like a larger die. Things in `silenced`, surely
    no dice, are removed likewise, and do not count as dice on others.
    """
    result: list[Detection] = []
    for one in seen:
        centre, radius = one.place.centre, one.place.radius
        upon = [die for die in [*kept, *result] if math.dist(die.pose.centre, centre) < radius]
        off = [*upon, *(thing for thing in silenced if math.dist(thing.pose.centre, centre) < radius)]
        left_over = NARROWED_LEFT_OVER if any(die.narrowed for die in upon) else HIDDEN_LEFT_OVER
        if not upon or sum(thing.pose.radius**2 for thing in off) > left_over * radius**2:
            continue
        middle = np.mean([die.pose.centre for die in upon], axis=0)
        size = float(np.median([die.pose.radius for die in upon]))
        away = np.array(centre) - middle
        x, y = np.array(centre) + away / max(1.0, float(np.hypot(*away))) * max(0.0, radius - size)
        model = max(upon, key=lambda die: die.pose.radius)
        pose = Pose((float(x), float(y)), size, model.pose.rotation)
        verdict = Verdict(model.verdict.kind, dict.fromkeys(FACES[model.verdict.kind], 0.0), pose, 0.0)
        reading = DieReading(
            model.verdict.kind, None, 0.0, DieState.DOUBTFUL, SourceKind.CAMERA, box_of(verdict, camera)
        )
        result.append(
            Detection(
                one.judgement, pose, verdict, reading, glance=one.glance, solid=model.solid, likely=0.0, beneath=True
            )
        )
    return result


def without_told(considered: Considered, told: Sequence[Detection]) -> Considered:
    """The considered places, without dice of another kind that are in `told` as cut off."""
    places = [die.verdict.pose for die in told]
    others = [
        other
        for other in considered.others
        if all(math.dist(other.pose.centre, pose.centre) >= max(other.pose.radius, pose.radius) for pose in places)
    ]
    return replace(considered, others=tuple(others))
