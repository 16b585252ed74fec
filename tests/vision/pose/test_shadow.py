"""A die's own shadow, taken out of the picture by its colour."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.dice import DieKind
from vision.pose.crops import Grey
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose
from vision.pose.networks import KINDS, Networks
from vision.pose.places import places_of, without_shadows
from vision.pose.posing import Judged
from vision.pose.shadow import without_shadow
from vision.training.scenes import scene

TABLE = (150, 170, 160)
SUPPOSED = Pose((206.0, 206.0), 52.0, np.eye(3))
"""A square that holds the die and a good part of its shadow."""


def shown(die: tuple[int, int, int], shadow: float = 0.25) -> tuple[NDArray[np.uint8], Grey]:
    """A hexagon of that colour on the table, its shadow (so much of the light is left) down to its right."""
    rng = np.random.default_rng(3)
    picture = np.full((400, 400, 3), TABLE, np.float64) + rng.normal(0, 2, (400, 400, 1))
    corners = np.array([(math.cos(turn), math.sin(turn)) for turn in np.arange(6) * math.pi / 3])
    fallen = np.zeros((400, 400), np.uint8)
    for step in range(30):
        cv2.fillPoly(fallen, [np.round(corners * 40 + 200 + step).astype(np.int32)], 1)
    picture[fallen > 0] *= shadow ** (1 / 2.2)
    body = np.zeros((400, 400), np.uint8)
    cv2.fillPoly(body, [np.round(corners * 40 + 200).astype(np.int32)], 1)
    picture[body > 0] = die
    told = np.clip(np.round(picture), 0, 255).astype(np.uint8)
    return told, np.asarray(cv2.cvtColor(told, cv2.COLOR_BGR2GRAY), np.uint8)


@pytest.mark.parametrize("die", [(60, 60, 200), (190, 70, 60), (40, 160, 60), (240, 250, 245)])
def test_a_shadow_is_lightened_and_the_die_left_as_it_is(die: tuple[int, int, int]) -> None:
    picture, grey = shown(die)
    before = grey.copy()
    circle = without_shadow(picture, grey, SUPPOSED)
    assert circle is not None
    assert math.dist(circle.centre, (200, 200)) < 4
    assert 37 < circle.radius < 45
    table = float(np.median(before[:80]))
    in_shadow = (slice(234, 248), slice(234, 248))
    assert abs(float(before[in_shadow].mean()) - table) > 50
    assert abs(float(grey[in_shadow].mean()) - table) < 6
    assert np.array_equal(grey[180:220, 180:220], before[180:220, 180:220])


@pytest.mark.parametrize("die", [(60, 68, 64), TABLE])
def test_a_die_of_the_shadows_colour_changes_nothing(die: tuple[int, int, int]) -> None:
    picture, grey = shown(die)
    before = grey.copy()
    assert without_shadow(picture, grey, SUPPOSED) is None
    assert np.array_equal(grey, before)


def test_what_lies_aside_is_not_the_die() -> None:
    picture, grey = shown((60, 60, 200))
    before = grey.copy()
    assert without_shadow(picture, grey, Pose((250.0, 250.0), 45.0, np.eye(3))) is None
    assert np.array_equal(grey, before)


@pytest.mark.parametrize("centre", [(2.0, 2.0), (398.0, 200.0), (200.0, 399.0)])
def test_at_the_pictures_edge_is_no_die_where_none_lies(centre: tuple[float, float]) -> None:
    picture, grey = shown((60, 60, 200))
    before = grey.copy()
    assert without_shadow(picture, grey, Pose(centre, 50.0, np.eye(3))) is None
    assert np.array_equal(grey, before)


@pytest.mark.parametrize(("left", "top", "side"), [(155, 100, 200), (100, 155, 200), (155, 155, 200), (90, 90, 180)])
def test_a_die_at_the_pictures_edge_is_found_as_in_its_middle(left: int, top: int, side: int) -> None:
    """The square that is looked at ends with the picture, to the left, above, at a corner, and on the shadow's side."""
    picture, grey = shown((60, 60, 200))
    before = grey.copy()
    part = (slice(top, top + side), slice(left, left + side))
    supposed = Pose((206.0 - left, 206.0 - top), 52.0, np.eye(3))
    circle = without_shadow(picture[part], grey[part], supposed)
    assert circle is not None
    assert math.dist(circle.centre, (200 - left, 200 - top)) < 4
    assert 37 < circle.radius < 45
    in_shadow = (slice(234, 248), slice(234, 248))
    assert abs(float(grey[in_shadow].mean()) - float(np.median(before[:80]))) < 6
    assert np.array_equal(grey[180:220, 180:220], before[180:220, 180:220])


@pytest.mark.filterwarnings("error")
def test_where_no_table_is_seen_around_the_die_nothing_is_changed() -> None:
    picture, grey = shown((60, 60, 200))
    near = (slice(140, 260), slice(140, 260))
    before = grey[near].copy()
    assert without_shadow(picture[near], grey[near], Pose((60.0, 60.0), 80.0, np.eye(3))) is None
    assert np.array_equal(grey[near], before)


def test_a_heap_does_not_become_the_sure_die_in_it() -> None:
    """What else lies in the heap is asked about: a black die beside a white one, on a grey table."""
    networks, camera, up = Networks(), Camera(1280, 720), np.array(STRAIGHT_UP)
    picture = scene(800_000, (DieKind.D20,) * 5).picture
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    alone = 0
    for die in places_of(picture, grey, camera, up, networks).judged:
        (x, y), radius = die.place.centre, die.place.radius
        heap = Judged(
            replace(die.judgement, kinds=(0.1, 0.2, 0.3, *[0.4 / (KINDS - 3)] * (KINDS - 3))),
            Pose((x + 0.5 * radius, y), 1.4 * radius, np.eye(3)),
            0.7,
        )
        alone += without_shadow(picture, grey.copy(), heap.place) is not None
        kept, _ = without_shadows(picture, grey, camera, up, [die, heap], networks=networks)
        assert kept == [die, heap]
    assert alone >= 3
