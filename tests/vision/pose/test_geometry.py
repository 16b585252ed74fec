"""Solids, layouts and projections hold together, whatever the pose."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.pose.geometry import (
    STRAIGHT_UP,
    Camera,
    Pose,
    Solid,
    across,
    common_layout,
    convex_hull,
    cube,
    icosahedron,
    layout_hypotheses,
    lean,
    lying,
    opposite,
    other_solids,
    see,
    tilted,
    turns_of_d20,
)

SPINS = st.floats(-math.pi + 0.01, math.pi - 0.01)
LEANS = st.floats(-0.4, 0.4)


@pytest.mark.parametrize("mirrored", [False, True])
def test_opposite_faces_of_a_d20_add_to_21(*, mirrored: bool) -> None:
    numbers = common_layout(mirrored=mirrored)
    assert sorted(numbers) == list(range(1, 21))
    assert all(numbers[face] + numbers[opposite(face)] == 21 for face in range(20))


@pytest.mark.parametrize("mirrored", [False, True])
def test_the_neighbours_of_20_are_2_8_and_14(*, mirrored: bool) -> None:
    numbers = common_layout(mirrored=mirrored)
    assert {numbers[face] for face in icosahedron().neighbours[numbers.index(20)]} == {2, 8, 14}


def test_the_mirror_image_is_another_die() -> None:
    hypotheses = layout_hypotheses()
    assert hypotheses.shape == (120, 20)
    assert len({tuple(row) for row in hypotheses.tolist()}) == 120


def test_2_14_8_run_clockwise_round_20_as_seen() -> None:
    camera = Camera(1280, 720)
    solid = icosahedron()
    view = see(solid, Pose((640, 360), 60, lying(np.array(STRAIGHT_UP), 0.3)), camera)
    angles = {}
    for face in solid.neighbours[0]:
        right, down = view.centres[face] - view.centres[0]
        angles[common_layout()[face]] = math.atan2(down, right)
    order = sorted(angles, key=lambda number: (angles[number] - angles[2]) % (2 * math.pi))
    assert order == [2, 14, 8]


def test_turns_keep_neighbours() -> None:
    neighbours = icosahedron().neighbours
    for turn in turns_of_d20():
        for face in range(20):
            assert {int(turn[other]) for other in neighbours[face]} == set(neighbours[int(turn[face])])


@pytest.mark.parametrize("solid", [icosahedron(), cube(), *other_solids()], ids=lambda solid: solid.name)
def test_solids_are_closed_and_face_up(solid: Solid) -> None:
    edges = sum(len(face) for face in solid.faces)
    assert len(solid.vertices) - edges / 2 + len(solid.faces) == 2  # Euler
    assert solid.normals[0] == pytest.approx([0, 0, 1], abs=1e-9)
    assert np.abs(solid.normals.sum(axis=0)).max() < 1e-9 or solid.name == "d10"
    assert all(solid.normals[i] @ solid.centres[i] > 0 for i in range(len(solid.faces)))


def spin_of(pose: Pose) -> float:
    """The spin that `lying` would need to make this pose's turn."""
    base = lying(pose.rotation[:, 2], 0.0)
    inner = base.T @ pose.rotation
    turned = lying(np.array([0.0, 0.0, -1.0]), 0.4)
    sign = 1.0 if (lying(np.array([0.0, 0.0, -1.0]), 0.0).T @ turned)[1, 0] > 0 else -1.0
    return sign * math.atan2(float(inner[1, 0]), float(inner[0, 0]))


@given(LEANS, LEANS, SPINS)
def test_lying_puts_face_0_up_and_spin_is_found_again(right: float, down: float, spin: float) -> None:
    up = tilted(right, down)
    turn = lying(up, spin)
    assert turn.T @ turn == pytest.approx(np.eye(3), abs=1e-9)
    assert np.linalg.det(turn) == pytest.approx(1.0)
    assert turn @ icosahedron().normals[0] == pytest.approx(up, abs=1e-9)
    assert spin_of(Pose((0, 0), 1, turn)) == pytest.approx(spin, abs=1e-6)


@given(st.floats(60, 1220), st.floats(60, 660), SPINS, st.floats(20, 110))
def test_a_d20_shows_its_upper_face_and_ten_at_most_its_outline_round_its_centre(
    x: float, y: float, spin: float, radius: float
) -> None:
    camera = Camera(1280, 720, 62)
    view = see(icosahedron(), Pose((x, y), radius, lying(np.array(STRAIGHT_UP), spin)), camera)
    assert view.facing[0] > 0.7
    assert 4 <= int((view.facing > 0).sum()) <= 10
    outline = view.outline()
    area = cv2.moments(outline.astype(np.float32))  # the mean of the corners would lie where there are more of them
    middle = np.array([area["m10"], area["m01"]]) / area["m00"]
    assert np.abs(middle - [x, y]).max() < 0.1 * radius
    assert np.linalg.norm(outline - [x, y], axis=1).max() < 1.4 * radius


def test_away_from_the_middle_a_neighbour_can_look_more_frontal_than_the_face_that_is_up() -> None:
    camera = Camera(1280, 720, 66)
    up = np.array(STRAIGHT_UP)
    worst = [
        int(np.argmax(see(icosahedron(), Pose((1230, 670), 50, lying(up, s)), camera).facing))
        for s in np.arange(0, 2.1, 0.1)
    ]
    assert any(face != 0 for face in worst)
    middle = see(icosahedron(), Pose((640, 360), 50, lying(up, 0.7)), camera)
    assert int(np.argmax(middle.facing)) == 0


@given(st.floats(0, 1280), st.floats(0, 720))
def test_straight_up_leans_outwards_from_the_middle(x: float, y: float) -> None:
    camera = Camera(1280, 720)
    right, down = lean(camera, (x, y), np.array(STRAIGHT_UP))
    assert right * (x - 640) >= -1e-9
    assert down * (y - 360) >= -1e-9
    sight = camera.ray((x, y))
    assert math.hypot(right, down) == pytest.approx(math.hypot(sight[0], sight[1]), abs=1e-9)


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=3, max_size=20))
def test_the_hull_is_round_all_points(points: list[tuple[int, int]]) -> None:
    array = np.array(points, dtype=np.float64)
    if len({tuple(p) for p in points}) < 3 or np.linalg.matrix_rank(array - array[0]) < 2:
        return
    hull = convex_hull(array)
    after = np.roll(hull, -1, axis=0)
    for point in array:
        offsets = point - hull
        edges = after - hull
        assert (edges[:, 0] * offsets[:, 1] - edges[:, 1] * offsets[:, 0] >= -1e-9).all()


@pytest.mark.parametrize("hfov", [0.0, -3.0, 180.0, 400.0])
def test_an_impossible_field_of_view_is_refused(hfov: float) -> None:
    with pytest.raises(ValueError, match="field of view"):
        Camera(100, 100, hfov)


@given(st.floats(10, 170), st.integers(1, 4000), st.integers(1, 4000))
def test_a_camera_held_upright_keeps_its_focal_length(hfov: float, width: int, height: int) -> None:
    focal = Camera(width, height, across(hfov, width, height)).focal
    assert focal == pytest.approx(Camera(height, width, across(hfov, height, width)).focal)
    assert (across(hfov, width, height) == hfov) is (width >= height)
