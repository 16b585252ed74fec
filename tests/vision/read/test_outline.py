"""A pose that does not explain the whole die is doubted, and dice that touch are told from the heap they make."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.dice import Box, DieKind, DieReading, DieState, SourceKind, Symbol
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, cube, icosahedron, lying, see, tilted
from vision.pose.networks import KINDS, Judgement
from vision.pose.places import without_faces
from vision.pose.posing import Judged, PosedDie
from vision.pose.table_normal import CAMERA_SPREAD, TableNormal
from vision.read.detection import Detection
from vision.read.evidence import Evidence
from vision.read.faces import Verdict
from vision.read.outline import goes_on, outline_share, reconsidered
from vision.read.overlaps import hidden

CAMERA = Camera(640, 480)
POSE = Pose((320.0, 240.0), 80.0, lying(np.array(STRAIGHT_UP), 0.3))
LONE = TableNormal(np.array(STRAIGHT_UP), CAMERA_SPREAD)


def painted(pose: Pose, *, shades: dict[int, int] | None = None) -> NDArray[np.uint8]:
    """A red d20 on green cloth, every face with a brightness of its own."""
    picture = np.full((480, 640, 3), (40, 110, 40), np.uint8)
    view = see(icosahedron(), pose, CAMERA)
    for face in np.flatnonzero(view.facing > 0):
        shade = (shades or {}).get(int(face), 150 + 5 * int(face) % 20)
        corners = np.round(view.points[list(view.solid.faces[face])]).astype(np.int32)
        cv2.fillConvexPoly(picture, corners, (30, 30, shade))
    return picture


def die(pose: Pose, *, judged: float = 1.0, likely: float = 1.0) -> Detection:
    """A d20 that was read in this pose."""
    kinds = (1 - judged, judged, *[0.0] * (KINDS - 2))
    reading = DieReading(DieKind.D20, 7, 0.98, DieState.READ, SourceKind.CAMERA, Box(240, 160, 160, 160))
    verdict = Verdict(DieKind.D20, {7: 0.999}, pose, 1.0)
    evidence = Evidence(DieKind.D20, 0.98)
    return Detection(Judgement(kinds, 0, 0, 1, 0, 0, (0, 0)), pose, verdict, reading, likely=likely, evidence=evidence)


def again(picture: NDArray[np.uint8], one: Detection, up: TableNormal = LONE) -> DieReading:
    """What is said of the die after a second thought."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    return reconsidered(picture, grey, CAMERA, one, up).reading


@pytest.mark.parametrize(("right", "down", "size"), [(0.3, 0.2, 0.78), (0.0, 0.3, 1.0), (-0.15, 0.1, 1.25)])
def test_an_outline_away_from_where_the_picture_changes_is_told(right: float, down: float, size: float) -> None:
    picture = painted(POSE)
    beside = POSE.moved(right, down, size)
    assert outline_share(picture, see(icosahedron(), POSE, CAMERA).outline(), POSE.radius) > 0.9
    assert outline_share(picture, see(icosahedron(), beside, CAMERA).outline(), beside.radius) < 0.6


def test_a_lone_d20_of_a_doubtful_pose_is_read_only_where_its_outline_is() -> None:
    picture = painted(POSE)
    inside = POSE.moved(0.3, 0.2, 0.78)
    assert again(picture, die(POSE, judged=0.998, likely=0.99)).state is DieState.READ
    doubted = again(picture, die(inside, judged=0.998, likely=0.99))
    assert (doubted.state, doubted.face) == (DieState.DOUBTFUL, None)
    assert doubted.confidence == pytest.approx(0.98 * 0.9)
    assert again(picture, die(inside)).state is DieState.READ  # the pose is beyond doubt
    assert again(picture, die(POSE, judged=0.96, likely=0.99)).state is DieState.READ  # the outline speaks for it
    assert again(picture, die(inside, judged=0.998, likely=0.99), replace(LONE, witnesses=3)).state is DieState.READ


def test_a_taught_die_whose_faces_look_as_they_were_taught_is_posed_right() -> None:
    one = die(POSE.moved(0.3, 0.2, 0.78), judged=0.998, likely=0.99)
    taught = replace(one, verdict=replace(one.verdict, owner="red"))
    assert again(painted(POSE), one).state is DieState.DOUBTFUL
    assert again(painted(POSE), taught).state is DieState.READ


def test_of_two_faces_that_may_be_up_the_brighter_one_is_likelier_to_be() -> None:
    leaning = Pose(POSE.centre, POSE.radius, lying(tilted(-math.sin(math.radians(14.5)), 0.0), math.pi / 3))
    one = die(leaning)
    up = TableNormal(np.array(STRAIGHT_UP), CAMERA_SPREAD)
    angles = icosahedron().normals @ leaning.rotation.T @ up.direction
    upper, rival = np.argsort(-angles)[:2].tolist()
    assert upper == 0
    darker, brighter = {0: 140, rival: 120}, {0: 120, rival: 140}
    assert again(painted(leaning, shades=darker), one).state is DieState.READ
    assert again(painted(leaning, shades=brighter), one).state is DieState.DOUBTFUL


def test_a_die_seen_from_aside_that_hardly_lay_flat_is_doubted_beside_a_brighter_face() -> None:
    leaning = Pose(POSE.centre, POSE.radius, lying(tilted(-math.sin(math.radians(12.5)), 0.0), math.pi / 3))
    one = replace(die(leaning), lean=math.radians(12.5))
    rival = int(np.argsort(-(icosahedron().normals @ leaning.rotation.T @ LONE.direction))[1])
    brighter, darker = ({0: 150, rival: 150 + more} for more in (40, -40))
    assert again(painted(leaning, shades=brighter), replace(one, resting=0.95)).state is DieState.READ
    assert again(painted(leaning, shades=brighter), replace(one, resting=0.8)).state is DieState.DOUBTFUL
    assert again(painted(leaning, shades=darker), replace(one, resting=0.8)).state is DieState.READ
    upright = replace(one, resting=0.8, lean=math.radians(9.0))
    assert again(painted(leaning, shades=brighter), upright).state is DieState.READ


def place(x: float, radius: float, *, solid: str = "d20", glance: float = 0.8, fits: float = 1.0) -> PosedDie:
    """Something at a place of a row, as the networks tell of it."""
    kinds = (0.0, 1.0, 0.0) if solid == "d20" else (0.0, 0.0, 1.0)
    judgement = Judgement((*kinds, *[0.0] * (KINDS - 3)), 0, 0, 1, 0, 0, (0, 0))
    pose = Pose((x, 100.0), radius, lying(np.array(STRAIGHT_UP), 0.0))
    return PosedDie(judgement, replace(icosahedron(), name=solid), pose, fits, glance=glance, fits=fits)


def test_dice_that_touch_outweigh_the_heap_that_they_look_like() -> None:
    left, right = place(100.0, 40.0), place(175.0, 40.0)
    heap = place(138.0, 85.0, solid="cube", glance=0.0, fits=0.9)
    assert without_faces([heap, left, right]) == [left, right]
    fits = replace(heap, likely=0.98, fits=0.98)  # as three dice did on a path-traced tray
    assert without_faces([fits, left, right]) == [left, right]
    assert without_faces([fits, replace(left, glance=0.0), right]) != [replace(left, glance=0.0), right]


def test_a_die_outweighs_what_looks_like_a_die_on_it() -> None:
    whole = place(138.0, 85.0, fits=1.0)
    faces = [place(120.0, 30.0, solid="cube", fits=0.95), place(165.0, 30.0, solid="cube", fits=0.95)]
    assert without_faces([*faces, whole]) == [whole]
    unseen = replace(whole, glance=0.0)
    assert without_faces([*faces, unseen]) == [unseen]  # its pose fits too well for a heap
    heap = replace(unseen, likely=0.5, fits=0.5)
    assert len(without_faces([faces[0], heap])) == 1  # one die alone makes no heap


def seen(x: float, radius: float) -> Judged:
    """What looked like a die in the whole picture."""
    judgement = Judgement((0.0, 0.5, 0.4, 0.1, *[0.0] * (KINDS - 4)), 0, 0, 1, 0, 0, (0, 0))
    return Judged(judgement, Pose((x, 240.0), radius, np.eye(3)), 0.7)


def test_what_is_left_of_dice_when_the_upper_one_is_taken_off_is_doubtful() -> None:
    upper = die(POSE)
    (beneath,) = hidden([seen(280.0, 125.0), seen(320.0, 85.0)], [upper], CAMERA)
    assert (beneath.reading.state, beneath.reading.face) == (DieState.DOUBTFUL, None)
    assert beneath.pose.centre == pytest.approx((280.0 - (125.0 - 80.0), 240.0))
    assert beneath.pose.radius == POSE.radius
    assert hidden([seen(280.0, 95.0)], [upper], CAMERA) == []  # the die explains it
    assert hidden([seen(80.0, 80.0)], [upper], CAMERA) == []  # no die lies there at all


FLAT = Pose((320.0, 240.0), 80.0, lying(np.array(STRAIGHT_UP), 0.5))


def slab(*, longer: float = 0.0, body: tuple[int, int, int] = (220, 225, 230), more: int = 0) -> NDArray[np.uint8]:
    """A cube's outline on noisy blue cloth, extended at one end by a number of radii, there lighter by `more`."""
    cloth = np.random.default_rng(3).normal((120, 60, 30), 4, (480, 640, 3))
    picture = np.clip(cloth, 0, 255).astype(np.uint8)
    outline = see(cube(), FLAT, CAMERA).outline()
    way = (outline[1] - outline[0]) / np.linalg.norm(outline[1] - outline[0])
    onwards = outline + longer * FLAT.radius * way
    whole = cv2.convexHull(np.round(np.vstack([outline, onwards])).astype(np.int32))
    cv2.fillConvexPoly(picture, whole, tuple(min(255, value + more) for value in body))
    cv2.fillConvexPoly(picture, np.round(outline).astype(np.int32), body)
    return picture


def cube_read(*, owner: str | None = None) -> Detection:
    """A blank Challenge Die that was read where the slab begins."""
    reading = DieReading(
        DieKind.CHALLENGE, Symbol.BLANK, 0.98, DieState.READ, SourceKind.CAMERA, Box(240, 160, 160, 160)
    )
    verdict = Verdict(DieKind.CHALLENGE, {Symbol.BLANK: 0.999}, FLAT, 1.0, owner=owner)
    return replace(die(FLAT), verdict=verdict, reading=reading, evidence=Evidence(DieKind.CHALLENGE, 0.98))


def test_half_a_domino_is_asked_about_and_a_die_is_read() -> None:
    assert again(slab(), cube_read()).state is DieState.READ
    half = again(slab(longer=1.2), cube_read())
    assert (half.state, half.face) == (DieState.DOUBTFUL, None)
    assert half.confidence == pytest.approx(0.98 * 0.9)
    assert again(slab(longer=1.2), cube_read(owner="mine")).state is DieState.READ  # it looks as it was taught


def test_what_goes_on_in_another_colour_goes_on() -> None:
    outline = see(cube(), FLAT, CAMERA).outline()
    assert goes_on(slab(longer=1.2, body=(60, 120, 150), more=60), outline, FLAT.radius)
    assert not goes_on(slab(longer=0.15), outline, FLAT.radius)  # the pose is a little too small
    assert not goes_on(np.full((480, 640, 3), 90, np.uint8), outline, FLAT.radius)


def test_what_goes_on_within_a_d20_is_that_d20() -> None:
    outline = see(cube(), FLAT, CAMERA).outline()
    picture = slab(longer=1.2)
    over = np.array([[0.0, 0.0], [640.0, 0.0], [640.0, 480.0], [0.0, 480.0]])
    elsewhere = np.array([[0.0, 0.0], [60.0, 0.0], [60.0, 60.0], [0.0, 60.0]])
    assert not goes_on(picture, outline, FLAT.radius, [over])
    assert goes_on(picture, outline, FLAT.radius, [elsewhere])


def test_the_middle_of_a_card_is_asked_about() -> None:
    """It is a little longer than a die at both ends, and its long sides end soon."""
    longer = np.maximum(slab(longer=0.4), slab(longer=-0.4))
    outline = see(cube(), FLAT, CAMERA).outline()
    assert goes_on(longer, outline, FLAT.radius)
    assert again(longer, cube_read()).state is DieState.DOUBTFUL
    assert not goes_on(slab(longer=0.4), outline, FLAT.radius)  # another die of its colour may touch it there


def test_a_die_beside_another_ends_where_its_sides_end() -> None:
    picture = slab()
    outline = see(cube(), FLAT, CAMERA).outline()
    aside = outline + (outline[1] - outline[0]) * 1.1 + (outline[2] - outline[1]) * 0.5
    cv2.fillConvexPoly(picture, np.round(aside).astype(np.int32), (220, 225, 230))
    assert not goes_on(picture, outline, FLAT.radius)
