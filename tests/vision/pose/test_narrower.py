"""A die whose square held more than the die: smaller squares grow onto the die alone."""

from __future__ import annotations

import math
from functools import cache

import cv2
import numpy as np
import pytest

from rules.dice import DieKind
from vision.pose.crops import Grey
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, Solid, cube, icosahedron
from vision.pose.narrower import narrowed
from vision.pose.networks import KIND_CUBE, KIND_D20, KINDS, Judgement, Networks
from vision.pose.posing import PosedDie
from vision.training.scenes import Scene, TrueDie, scene

CAMERA = Camera(1280, 720)
UP = np.array(STRAIGHT_UP)
FACE_ON = np.diag([1.0, -1.0, -1.0])


@cache
def networks() -> Networks:
    """Loaded by the first test that asks: every worker collects them all, and most run none of these."""
    return Networks()


def grey_of(tray: Scene) -> Grey:
    return np.asarray(cv2.cvtColor(tray.picture, cv2.COLOR_BGR2GRAY), np.uint8)


def with_its_shadow(true: TrueDie, solid: Solid) -> PosedDie:
    """A die as a square shows it that holds its shadow, too: too large, moved towards the shadow, in no pose."""
    kinds = [0.0] * KINDS
    kinds[KIND_D20 if solid.name == "d20" else KIND_CUBE] = 0.8
    judgement = Judgement(tuple(kinds), 0.0, 0.0, 1.0, 0.0, 0.0, (0.0, 0.0))
    pose = Pose(true.centre, 0.5 * true.box.width, FACE_ON).moved(-0.25, 0.25, 1.3)
    return PosedDie(judgement, solid, pose, 0.01, (), 0.6, 0.01)


@pytest.mark.parametrize(("kind", "solid"), [(DieKind.D20, icosahedron()), (DieKind.D6, cube())])
def test_a_die_with_its_shadow_is_found_without_it(kind: DieKind, solid: Solid) -> None:
    tray = scene(4, (kind,) * 3)
    for true in tray.dice:
        found = narrowed(grey_of(tray), CAMERA, UP, with_its_shadow(true, solid), networks())
        assert found
        for one in found:
            assert one.narrowed
            assert one.fits > 0.9
            assert math.dist(one.pose.centre, true.centre) < 0.15 * one.pose.radius


def test_nothing_is_found_where_no_die_lies() -> None:
    tray = scene(4, (DieKind.D20,))
    place = with_its_shadow(tray.dice[0], icosahedron())
    empty = scene(12, ())
    assert not narrowed(grey_of(empty), CAMERA, UP, place, networks())
