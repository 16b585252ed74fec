"""What is up: agreed on by dice at rest, not moved by those that lean."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.pose.geometry import STRAIGHT_UP, Array, Pose, Solid, cube, icosahedron, lying, tilted
from vision.pose.refinement import turned_by
from vision.pose.table_normal import CAMERA_SPREAD, TableNormal, leaning, shared_up, up_chance

STRAIGHT = np.array(STRAIGHT_UP)
ASSUMED = TableNormal(STRAIGHT, CAMERA_SPREAD)


def dice_on(up: Array, count: int) -> list[tuple[Pose, Solid]]:
    solids = [icosahedron(), cube()]
    return [(Pose((100.0 * n, 200.0), 50.0, lying(up, 0.7 * n)), solids[n % 2]) for n in range(count)]


def test_without_dice_the_camera_tells_what_is_up() -> None:
    up = shared_up([], ASSUMED)
    assert np.allclose(up.direction, STRAIGHT)
    assert up.spread == CAMERA_SPREAD


def test_dice_that_agree_outvote_the_camera() -> None:
    askew = tilted(math.sin(math.radians(9)), 0.0)
    one, five = (shared_up(dice_on(askew, count), ASSUMED) for count in (1, 5))
    assert math.acos(float(five.direction @ askew)) < math.radians(1.5)
    assert math.acos(float(one.direction @ askew)) > math.acos(float(five.direction @ askew))
    assert five.spread < one.spread < CAMERA_SPREAD
    assert five.witnesses == 5


def test_a_die_that_leans_has_no_say_and_is_seen_to_lean() -> None:
    dice = dice_on(STRAIGHT, 4)
    leaning_pose = Pose((50.0, 50.0), 50.0, turned_by(np.array([0.0, 0.3, 0.0])) @ lying(STRAIGHT, 0.4))
    up = shared_up([*dice, (leaning_pose, icosahedron())], ASSUMED)
    assert up.witnesses == 4
    assert math.acos(float(np.clip(up.direction @ STRAIGHT, -1, 1))) < math.radians(1)
    assert leaning(leaning_pose, up.direction) == pytest.approx(0.3, abs=0.02)


def test_up_is_doubtful_half_way_between_two_faces() -> None:
    up = shared_up([], ASSUMED)
    solid = icosahedron()
    assert up_chance(Pose((0, 0), 1, lying(STRAIGHT, 0.2)), solid, up) > 0.97
    half = math.sin(math.acos(math.sqrt(5) / 3) / 2)
    chances = [
        up_chance(Pose((0, 0), 1, lying(tilted(half, 0.0), spin)), solid, up) for spin in np.arange(0, 2.1, 0.02)
    ]
    assert min(chances) == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(("degrees", "sure"), [(8, True), (14, True), (19, False)])
def test_a_lone_die_under_a_camera_that_leans_a_little_is_believed(degrees: int, sure: bool) -> None:  # noqa: FBT001 - a case
    """Up to some 15 degrees the face that looks up by less than its neighbours is up; beyond, nobody knows."""
    up = shared_up([], ASSUMED)
    lean = tilted(math.sin(math.radians(degrees)), 0.0)
    chances = [up_chance(Pose((0, 0), 1, lying(lean, spin)), icosahedron(), up) for spin in np.arange(0, 2.1, 0.1)]
    assert (min(chances) > 0.95) is sure
