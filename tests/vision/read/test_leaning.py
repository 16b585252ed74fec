"""Dice that lean: the reader may doubt them, and never takes another face for the one that is up."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rules.dice import Box, DieKind, DieState
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, lying, tilted
from vision.read.reader import load_reader
from vision.training.glyphs import Fonts
from vision.training.paint import light_at_random
from vision.training.scenes import LyingDie, Scene, finish, lay, paint, tray
from vision.training.throws import FULL_TURN

pytestmark = pytest.mark.slow

SIZE = (1280, 720)


def leaning_tray(seed: int, kind: DieKind, degrees: float, *, count: int = 6) -> Scene:
    """Six dice of one kind on a tray, the first `count` leaning by that angle, each in its own direction."""
    rng = np.random.default_rng(seed)
    camera = Camera(*SIZE)
    picture = tray(rng, SIZE)
    light = light_at_random(rng)
    radius = float(rng.uniform(40, 60))
    sine = math.sin(math.radians(degrees))
    truth = []
    for number, one in enumerate(lay(rng, [kind] * 6, camera, up=np.array(STRAIGHT_UP), radius=radius, fonts=Fonts())):
        if number >= count:
            truth.append(paint(picture, one, camera, light))
            continue
        way = float(rng.uniform(0, FULL_TURN))
        turn = lying(tilted(sine * math.cos(way), sine * math.sin(way)), float(rng.uniform(0, FULL_TURN)))
        leaning = LyingDie(one.die, Pose(one.pose.centre, one.pose.radius, turn), one.look)
        truth.append(paint(picture, leaning, camera, light))
    return Scene(finish(picture, rng), tuple(truth))


@pytest.mark.parametrize(
    ("kind", "degrees"),
    [
        pytest.param(DieKind.D20, 4.0, marks=pytest.mark.long),
        (DieKind.D20, 12.0),
        pytest.param(DieKind.CHALLENGE, 12.0, marks=pytest.mark.long),
        (DieKind.CHALLENGE, 30.0),
        (DieKind.D6, 38.0),
    ],
)
def test_leaning_dice_are_never_read_as_showing_another_face(kind: DieKind, degrees: float, *, whole: bool) -> None:
    reader = load_reader()
    for seed in range(7000, 7008 if whole else 7001):
        scene = leaning_tray(seed, kind, degrees)
        for die in reader.read(scene.picture):
            if die.state is not DieState.READ:
                continue
            assert die.box is not None
            middle = middle_of(die.box)
            true = min(scene.dice, key=lambda one: math.dist(one.centre, middle))
            assert math.dist(true.centre, middle) < 0.5 * true.box.width, seed
            assert (die.kind, die.face) == (true.kind, true.face), seed


@pytest.mark.parametrize("degrees", [18.0, 30.0])
def test_most_d20s_that_lean_much_are_cocked_and_none_that_lie_flat(degrees: float, *, whole: bool) -> None:
    reader = load_reader()
    cocked = leaning = flat = called = 0
    for seed in range(7100, 7106 if whole else 7102):
        scene = leaning_tray(seed, DieKind.D20, degrees, count=2)
        dice = reader.read(scene.picture)
        for number, true in enumerate(scene.dice):
            near = [
                die for die in dice if die.box and math.dist(middle_of(die.box), true.centre) < 0.3 * true.box.width
            ]
            is_cocked = any(die.state is DieState.COCKED for die in near)
            if number < 2:
                leaning += 1
                cocked += is_cocked
                assert not any(die.state is DieState.COCKED and die.face is not None for die in near)
            else:
                flat += 1
                called += is_cocked
    assert cocked >= 0.5 * leaning
    assert called <= 0.05 * flat


def middle_of(box: Box) -> tuple[float, float]:
    return box.x + box.width / 2, box.y + box.height / 2
