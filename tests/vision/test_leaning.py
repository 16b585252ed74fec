"""Dice that lean: the reader may doubt them, and never takes another face for the one that is up."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rules.dice import DieKind, DieState
from vision.geometry import STRAIGHT_UP, Camera, Pose, lying, tilted
from vision.reader import load_reader
from vision.training.glyphs import Fonts
from vision.training.paint import light_at_random
from vision.training.scenes import LyingDie, Scene, finish, lay, paint, tray
from vision.training.throws import FULL_TURN

SIZE = (1280, 720)


def leaning_tray(seed: int, kind: DieKind, degrees: float) -> Scene:
    """Six dice of one kind on a tray, each leaning by so much in a direction of its own."""
    rng = np.random.default_rng(seed)
    camera = Camera(*SIZE)
    picture = tray(rng, SIZE)
    light = light_at_random(rng)
    radius = float(rng.uniform(40, 60))
    sine = math.sin(math.radians(degrees))
    truth = []
    for one in lay(rng, [kind] * 6, camera, up=np.array(STRAIGHT_UP), radius=radius, fonts=Fonts()):
        way = float(rng.uniform(0, FULL_TURN))
        turn = lying(tilted(sine * math.cos(way), sine * math.sin(way)), float(rng.uniform(0, FULL_TURN)))
        leaning = LyingDie(one.die, Pose(one.pose.centre, one.pose.radius, turn), one.look)
        truth.append(paint(picture, leaning, camera, light))
    return Scene(finish(picture, rng), tuple(truth))


@pytest.mark.parametrize(
    ("kind", "degrees"),
    [(DieKind.D20, 4.0), (DieKind.D20, 12.0), (DieKind.CHALLENGE, 12.0), (DieKind.CHALLENGE, 30.0), (DieKind.D6, 38.0)],
)
def test_leaning_dice_are_never_read_as_showing_another_face(kind: DieKind, degrees: float) -> None:
    reader = load_reader()
    for seed in range(7000, 7008):
        scene = leaning_tray(seed, kind, degrees)
        for die in reader.read(scene.picture):
            if die.state is not DieState.READ:
                continue
            assert die.box is not None
            middle = (die.box.x + die.box.width / 2, die.box.y + die.box.height / 2)
            true = min(scene.dice, key=lambda one: math.dist(one.centre, middle))
            assert math.dist(true.centre, middle) < 0.5 * true.box.width, seed
            assert (die.kind, die.face) == (true.kind, true.face), seed
