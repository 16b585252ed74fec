"""Dice that lean alike tell how the camera stands; dice that lean beside others that lie flat do not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rules.dice import DieKind, DieState
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, Solid, cube, icosahedron, lying, tilted
from vision.read.askew import counts_askew
from vision.read.reader import load_reader
from vision.training.glyphs import Fonts
from vision.training.paint import light_at_random
from vision.training.scenes import LyingDie, Scene, finish, lay, paint, scene, tray

pytestmark = pytest.mark.slow


def test_a_die_that_leans_as_the_others_do_is_not_cocked_but_read() -> None:
    """The camera stands askew by some ten degrees; one of three d20s seemed to lean."""
    rendered = scene(983_018, (DieKind.D20,) * 3, lean=9.0)
    dice = load_reader().read(rendered.picture)
    assert [die.state for die in dice] == [DieState.READ] * 3
    assert [die.face for die in dice] == [die.face for die in sorted(rendered.dice, key=lambda die: die.centre)]


@pytest.mark.parametrize(("count", "degrees"), [(2, 16.0)])
def test_dice_that_lean_alike_beside_flat_ones_stay_cocked(count: int, degrees: float) -> None:
    dice = load_reader().read(leaning_alike(7201, count, degrees).picture)
    assert sum(die.state is DieState.COCKED for die in dice) == count
    assert sum(die.state is DieState.READ for die in dice) == 6 - count


@pytest.mark.parametrize(
    ("solid", "state", "face", "counts"),
    [
        (icosahedron(), DieState.COCKED, 6, True),
        (icosahedron(), DieState.COCKED, 15, False),
        (icosahedron(), DieState.DOUBTFUL, 6, False),
        (icosahedron(), DieState.READ, 6, False),
        (cube(), DieState.DOUBTFUL, 6, True),
        (cube(), DieState.DOUBTFUL, 5, False),
    ],
)
def test_a_d20_in_doubt_for_another_reason_is_not_read_for_a_camera_askew(
    solid: Solid, state: DieState, face: int, *, counts: bool
) -> None:
    """In the wrong pose it may surely show another face than the upper one."""
    assert counts_askew(solid, 6, [(state, face)]) is counts


def leaning_alike(seed: int, count: int, degrees: float) -> Scene:
    """Six d20s on a tray, the first `count` of them leaning by that angle to the same side."""
    rng = np.random.default_rng(seed)
    camera = Camera(1280, 720)
    picture, light = tray(rng, (1280, 720)), light_at_random(rng)
    truth = []
    laid = lay(rng, [DieKind.D20] * 6, camera, up=np.array(STRAIGHT_UP), radius=50.0, fonts=Fonts())
    for number, one in enumerate(laid):
        turn = lying(tilted(math.sin(math.radians(degrees)), 0.0), 0.9 * number)
        leaning = LyingDie(one.die, Pose(one.pose.centre, one.pose.radius, turn), one.look)
        truth.append(paint(picture, leaning if number < count else one, camera, light))
    return Scene(finish(picture, rng), tuple(truth))
