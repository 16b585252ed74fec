"""The tilt that is left in a pose is seen and mended."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rules.dice import DieKind
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, icosahedron, lying
from vision.pose.refinement import POSE_PIXELS, corrected, difference, frontal, sight_frame, turn_of, turned_by
from vision.pose.tilts import FURTHEST, as_correction, slopes, tilt_batch, tilt_square_of
from vision.read.reader import load_reader
from vision.training.glyphs import Fonts
from vision.training.paint import light_at_random
from vision.training.scenes import finish, lay, paint, tray

CAMERA = Camera(1280, 720)
UP = np.array(STRAIGHT_UP)


def test_a_face_that_looks_at_the_camera_has_no_slope() -> None:
    pose = Pose((640.0, 360.0), 50.0, lying(UP, 0.4))
    frame = sight_frame(CAMERA, pose)
    slope = slopes(frame, pose, icosahedron(), turn_of(frame, pose))
    assert np.abs(slope[0]).max() < 1e-9
    assert np.all(np.hypot(slope[:, 0], slope[:, 1]) <= 1 + 1e-9)


def test_where_no_face_is_the_network_sees_nothing() -> None:
    pose = Pose((640.0, 360.0), 50.0, lying(UP, 0.4))
    square = tilt_square_of(np.full((720, 1280), 90, np.uint8), icosahedron(), pose, CAMERA)
    assert square.shape == (3, POSE_PIXELS, POSE_PIXELS)
    assert np.abs(tilt_batch([square])[0, :, 0, 0]).max() == 0


def test_no_tilt_beyond_what_was_taught_is_believed() -> None:
    first, second, third = as_correction(3.0, -4.0).rotation
    assert math.hypot(first, second) == pytest.approx(FURTHEST)
    assert third == 0
    assert as_correction(0.0, 0.0).rotation == (0.0, 0.0, 0.0)


def test_supposed_tilts_of_rendered_dice_are_mended() -> None:
    rng = np.random.default_rng(5)
    networks = load_reader().networks
    before, after = [], []
    for _ in range(6):
        picture = tray(rng, (1280, 720))
        light = light_at_random(rng)
        dice = lay(rng, [DieKind.D20] * 5, CAMERA, up=UP, radius=55.0, fonts=Fonts())
        for one in dice:
            paint(picture, one, CAMERA, light)
        grey = np.asarray(finish(picture, rng).mean(axis=2), dtype=np.uint8)
        for one in dice:
            angle = float(rng.uniform(0, 2 * math.pi))
            tilt = np.array([math.cos(angle), math.sin(angle), 0.0]) * math.radians(12)
            wrong = Pose(one.pose.centre, one.pose.radius, turned_by(tilt) @ one.pose.rotation)
            supposed = frontal(wrong, CAMERA, icosahedron())
            (change,) = networks.tilts([tilt_square_of(grey, icosahedron(), supposed, CAMERA)])
            mended = corrected(supposed, change, CAMERA)
            before.append(difference(one.pose, supposed, CAMERA, icosahedron())[1])
            after.append(difference(one.pose, mended, CAMERA, icosahedron())[1])
    assert np.median(before) == pytest.approx(math.radians(12), abs=0.01)
    assert np.median(after) < math.radians(5)
