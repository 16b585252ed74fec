"""A die whose square held more than the die: smaller squares grow onto the die alone."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from rules.dice import DieKind
from vision.pose.crops import Grey
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, Solid, cube, icosahedron
from vision.pose.narrower import from_smaller_squares, narrowed
from vision.pose.networks import KIND_CUBE, KIND_D20, KINDS, Judgement, Networks
from vision.pose.posing import Judged, PosedDie
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


def from_within(tray: Scene, place: PosedDie) -> tuple[list[Judged], list[PosedDie]]:
    """What squares within that of a die in no sure pose show, seen at the first look."""
    judged = [Judged(place.judgement, place.pose, place.glance)]
    return from_smaller_squares(tray.picture, grey_of(tray), CAMERA, UP, judged, places=[place], networks=networks())


@pytest.mark.parametrize(("kind", "solid"), [(DieKind.D20, icosahedron()), (DieKind.D6, cube())])
@pytest.mark.parametrize("aside", [(-0.4, 0.0), (0.0, 0.4), (0.28, -0.28)])
def test_a_square_that_was_drawn_aside_is_left_for_the_die(
    kind: DieKind, solid: Solid, aside: tuple[float, float]
) -> None:
    tray = scene(4, (kind,) * 3)
    for true in tray.dice:
        drawn = with_its_shadow(true, solid)
        pose = Pose(true.centre, 0.5 * true.box.width, FACE_ON).moved(*aside, 1.3)
        judged, places = from_within(tray, replace(drawn, pose=pose))
        assert len(judged) == len(places) == 1
        assert places[0].narrowed
        assert places[0].posed > 0.9
        assert math.dist(places[0].pose.centre, true.centre) < 0.15 * places[0].pose.radius
        assert (judged[0].judgement, judged[0].glance) == (places[0].judgement, 0.6)


def test_a_sure_pose_stays_and_none_is_found_on_an_empty_table() -> None:
    tray = scene(4, (DieKind.D20,))
    place = with_its_shadow(tray.dice[0], icosahedron())
    sure = replace(place, fits=0.99)
    assert from_within(tray, sure)[1] == [sure]
    assert from_within(scene(12, ()), place)[1] == [place]
