"""Dice of a set that touch: what has a found die's colour beside it is looked at."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.pose.beside import Lying, beside_in_colour, covered, shows_table
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, cube, lying, see
from vision.pose.networks import Networks
from vision.pose.places import places_of

CAMERA = Camera(640, 480)
RED, BLUE, GREEN = (40, 40, 190), (190, 60, 30), (60, 130, 60)
FIRST, SECOND = (300.0, 240.0), (356.0, 240.0)
RADIUS = 36.0


def die(spot: tuple[float, float]) -> Lying:
    return cube(), Pose(spot, RADIUS, lying(np.array(STRAIGHT_UP), math.pi / 4))


def table(colour: tuple[int, int, int], *dice: tuple[tuple[float, float], tuple[int, int, int]]) -> NDArray[np.uint8]:
    """A table of that colour on which dice of other colours lie."""
    picture = np.full((480, 640, 3), colour, np.uint8)
    for spot, own in dice:
        cv2.fillConvexPoly(picture, np.round(see(*die(spot), CAMERA).outline()).astype(np.int32), own)
    return picture


def found(picture: NDArray[np.uint8], *others: Lying) -> list[tuple[float, float]]:
    return [one.centre for one in beside_in_colour(picture, 1.0, CAMERA, [die(FIRST)], others)]


def test_a_die_of_its_colour_that_touches_it_is_found() -> None:
    (centre,) = found(table(GREEN, (FIRST, RED), (SECOND, RED)))
    assert math.dist(centre, SECOND) < 0.3 * RADIUS


def test_places_are_told_in_pixels_of_the_whole_picture() -> None:
    half = cv2.resize(table(GREEN, (FIRST, RED), (SECOND, RED)), (320, 240), interpolation=cv2.INTER_AREA)
    (place,) = beside_in_colour(np.asarray(half, np.uint8), 0.5, CAMERA, [die(FIRST)], [])
    assert math.dist(place.centre, SECOND) < 0.3 * RADIUS
    assert (place.radius, place.chance) == (RADIUS, 0.0)


@pytest.mark.parametrize(
    ("picture", "why"),
    [
        (table(GREEN, (FIRST, RED)), "nothing touches it"),
        (table(GREEN, (FIRST, RED), (SECOND, BLUE)), "the neighbour has another colour"),
        (table(RED, (FIRST, RED), (SECOND, BLUE)), "the table has its colour"),
        (table(GREEN, (FIRST, RED), ((430.0, 240.0), RED)), "the other one lies apart, where outlines show it"),
    ],
)
def test_nothing_else_is(picture: NDArray[np.uint8], why: str) -> None:
    assert not found(picture), why


def test_what_another_known_die_covers_is_taken() -> None:
    assert not found(table(GREEN, (FIRST, RED), (SECOND, RED)), die(SECOND))


def test_a_thin_strip_of_its_colour_is_no_die() -> None:
    picture = table(GREEN, (FIRST, RED))
    cv2.rectangle(picture, (320, 232), (460, 248), RED, -1)
    assert not found(picture)


def test_dice_are_painted_over_in_the_grey_round_them() -> None:
    grey = np.asarray(cv2.cvtColor(table((90, 90, 90), (FIRST, RED)), cv2.COLOR_BGR2GRAY), np.uint8)
    over = covered(grey, CAMERA, [die(FIRST)])
    assert np.ptp(over[220:260, 280:320]) == 0
    assert over[240, 300] == 90
    assert grey[240, 300] != 90, "the picture itself stays as it is"


CROWD = Path(__file__).parents[1] / "ray_traced" / "560003.jpg"
TOUCHING = (232.0, 471.0)
"""Where a cube lies in that crowd that only its neighbour's colour shows."""


def test_a_touching_die_beside_the_calibrated_tray_is_left_out() -> None:
    picture = np.asarray(cv2.imread(str(CROWD)), np.uint8)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    camera, up, networks = Camera(1280, 720), np.array(STRAIGHT_UP), Networks()

    def centres(*, reach: float) -> list[tuple[float, float]]:
        """The dice in a tray that holds all but what lies within `reach` pixels of the touching one."""
        tray = places_of(picture, grey, camera, up, networks, inside=lambda spot: math.dist(spot, TOUCHING) > reach)
        return [one.pose.centre for one in tray.places]

    (there,) = (one for one in centres(reach=0.0) if math.dist(one, TOUCHING) < 15.0)
    assert centres(reach=15.0) == [one for one in centres(reach=0.0) if one != there]


HELD = Pose((320.0, 240.0), 60.0, lying(np.array(STRAIGHT_UP), 0.0))
"""A square that held more than the first die."""
WHITE, BLACK, GREY = (250, 250, 250), (3, 3, 3), (120, 120, 120)


@pytest.mark.parametrize(
    ("picture", "shown", "why"),
    [
        (table(GREEN, (FIRST, RED)), True, "the table alone"),
        (table(GREEN, (FIRST, RED), (SECOND, RED)), False, "another die of its colour"),
        (table(GREEN, (FIRST, RED), (SECOND, BLUE)), False, "one of another colour"),
        (table(WHITE, (FIRST, RED), (SECOND, GREY)), True, "as dark as a shadow of a bright die"),
        (table(WHITE, (FIRST, BLACK), (SECOND, BLACK)), False, "a die of a dark set is no shadow, nor white"),
    ],
)
def test_what_a_square_held_beside_its_die_is_the_table_or_not(
    picture: NDArray[np.uint8], *, shown: bool, why: str
) -> None:
    assert shows_table(picture, CAMERA, HELD, [die(FIRST)], []) is shown, why


def test_the_colours_of_what_lies_elsewhere_are_not_the_tables() -> None:
    far = (440.0, 240.0)
    picture = table(GREEN, (FIRST, RED), (SECOND, RED), (far, RED))
    elsewhere = Pose(far, 1.2 * RADIUS, np.eye(3))
    assert not shows_table(picture, CAMERA, HELD, [die(FIRST)], [elsewhere])
