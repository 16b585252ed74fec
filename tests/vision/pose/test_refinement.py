"""Poses are described, compared and mended without loss, and the supposed edges lie where the die is painted."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.pose.geometry import Camera, Pose, cube, icosahedron, lying, see, tilted
from vision.pose.refinement import (
    POSE_PIXELS,
    Correction,
    batch_of,
    corrected,
    difference,
    square_of,
    symmetries,
    turned_by,
    vector_of,
)

CAMERA = Camera(1280, 720)
small = st.floats(-0.15, 0.15)


def test_a_solid_has_its_symmetries() -> None:
    for solid, count in ((icosahedron(), 60), (cube(), 24)):
        turns = symmetries(solid)
        assert len(turns) == count
        assert np.allclose(turns[0], np.eye(3))


@given(st.tuples(small, small, small), st.tuples(small, small, small), st.integers(0, 59), st.floats(0, 6.2))
def test_the_difference_of_two_poses_corrects_the_one_to_the_other(
    move: tuple[float, float, float], turn: tuple[float, float, float], symmetry: int, spin: float
) -> None:
    solid = icosahedron()
    true = Pose((300.0, 500.0), 50.0, lying(tilted(0.1, -0.05), spin))
    near = true.moved(move[0], move[1], math.exp(move[2]))
    supposed = Pose(near.centre, near.radius, turned_by(np.array(turn)) @ true.rotation @ symmetries(solid)[symmetry])
    delta, angle = difference(true, supposed, CAMERA, solid)
    assert angle == pytest.approx(float(np.linalg.norm(turn)), abs=1e-6)
    first, second, third = (float(value) for value in delta[3:])
    change = Correction(float(delta[0]), float(delta[1]), float(delta[2]), (first, second, third), 1.0)
    mended = corrected(supposed, change, CAMERA)
    assert np.abs(difference(true, mended, CAMERA, solid)[0]).max() < 1e-6


@given(st.tuples(small, small, small))
def test_a_rotation_vector_and_its_matrix_are_the_same(vector: tuple[float, float, float]) -> None:
    assert np.allclose(vector_of(turned_by(np.array(vector))), vector, atol=1e-7)


@pytest.mark.parametrize("radius", [22.0, 55.0, 120.0])
@pytest.mark.parametrize("spin", [0.0, 0.7, 2.9])
def test_the_supposed_edges_lie_on_the_die(radius: float, spin: float) -> None:
    pose = Pose((700.0, 300.0), radius, lying(tilted(0.1, 0.2), spin))
    picture = np.zeros((720, 1280), np.uint8)
    outline = see(cube(), pose, CAMERA).outline()
    cv2.fillConvexPoly(picture, np.round(outline * 16).astype(np.int32), 255, cv2.LINE_AA, shift=4)
    shown, edges = square_of(picture, cube(), pose, CAMERA)
    assert shown.shape == (POSE_PIXELS, POSE_PIXELS)
    hull = np.zeros_like(shown)
    rows, columns = np.nonzero(edges > 100)
    cv2.fillConvexPoly(hull, cv2.convexHull(np.column_stack([columns, rows]).astype(np.int32)), 255)
    assert np.mean((hull > 127) != (shown > 127)) < 0.03


def test_a_batch_holds_an_even_picture_and_edges() -> None:
    batch = batch_of([np.full((2, POSE_PIXELS, POSE_PIXELS), 255, np.uint8)])
    assert batch.shape == (1, 2, POSE_PIXELS, POSE_PIXELS)
    assert np.abs(batch[0, 0]).max() == 0
    assert np.all(batch[0, 1] == 2)
