"""Dice in doubt as they are read where most dice show that the camera stands askew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.dice import DieState, Face
from vision.pose.askew import askew
from vision.pose.geometry import Solid
from vision.pose.refinement import upright
from vision.pose.table_normal import TableNormal, leaning, ups_of_heard
from vision.read.closer import read_dice
from vision.read.die_evidence import DieEvidence, Shown
from vision.read.search import is_clear
from vision.read.thresholds import COCKED_LEAN


def under_askew(
    shown: Shown, dice: Sequence[DieEvidence], assumed: TableNormal, heard: Sequence[bool]
) -> tuple[TableNormal, list[DieEvidence]] | None:
    """What is up where the camera stands askew by the dice that are `heard`, and all dice read anew as they lie then.

    None where the camera is known, or stands as assumed, or no die is in doubt.
    """
    if assumed.witnesses or not any(_in_doubt(one) for one in dice):
        return None
    stands = askew(shown.grey, shown.camera, [one.place for one in dice], assumed, shown.networks, heard=heard)
    if stands is None:
        return None
    ups = ups_of_heard([(one.pose, one.solid) for one in stands.places], heard, stands.up)
    places = [
        replace(one, pose=upright(one.pose, up.direction, one.solid))
        for one, up in zip(stands.places, ups, strict=True)
    ]
    verdicts = read_dice(shown, places, [one.colour for one in dice if one.colour is not None])
    return stands.up, [
        replace(one, place=place, up=up, verdict=verdict, explained=False, askew=True)
        for one, place, up, verdict in zip(dice, places, ups, verdicts, strict=True)
    ]


def counts_askew(solid: Solid, face: Face, plain: Sequence[tuple[DieState, Face]]) -> bool:
    """Whether a die counts as it lies under a camera that stands askew, by the states and faces that it has otherwise.

    None of these is a reading, and one has the same face. A d20 must seem cocked, too: one that is doubtful for another
    reason may show a wrong face in either pose, for two of its faces are only 42 degrees apart.
    """
    states = {state for state, _ in plain}
    same = any(face == one for _, one in plain)
    return DieState.READ not in states and same and (solid.name == "cube" or DieState.COCKED in states)


def _in_doubt(one: DieEvidence) -> bool:
    return not is_clear(one.place, one.verdict) or leaning(one.place.pose, one.up.direction) > COCKED_LEAN
