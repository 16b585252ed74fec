"""A network looks for the sides that a cube would have to show: it tells cubes from print, and keeps out elsewhere."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.vision_prints import SHOWS, counted, flat_scene
from tests.bench.vision_solids import told_apart
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, cube, lying, tilted
from vision.pose.networks import Judgement, Networks
from vision.pose.posing import PosedDie
from vision.read.reader import load_reader
from vision.read.rests import laid
from vision.read.solids import look_flat
from vision.training.cube_samples import cube_tray
from vision.training.glyphs import Fonts
from vision.training.plates import flattened, is_plate

SURE = Judgement((0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0), 0.0, 0.0, 1.0, 0.0, 0.0, (0.0, 0.0))
slopes = st.floats(-0.4, 0.4)
FEW = (5_300_009, 5_300_010, 5_300_011, 5_300_013)
"""Scenes that hold each of `SHOWS` among them, and dice."""


@given(slopes, slopes, slopes, slopes, st.floats(0, 6.3))
def test_a_cube_is_laid_onto_the_table_by_the_shortest_way(
    right: float, down: float, up_right: float, up_down: float, spin: float
) -> None:
    pose = Pose((500.0, 200.0), 40.0, lying(tilted(right, down), spin))
    up = tilted(up_right, up_down)
    after = laid(pose, up)
    assert np.allclose(after.rotation[:, 2], up, atol=1e-9)
    assert np.allclose(after.rotation @ after.rotation.T, np.eye(3), atol=1e-9)
    assert (after.centre, after.radius) == (pose.centre, pose.radius)
    angle = math.acos(float(np.clip((np.trace(after.rotation @ pose.rotation.T) - 1) / 2, -1, 1)))
    lean = math.acos(float(np.clip(pose.rotation[:, 2] @ up, -1, 1)))
    assert math.isclose(angle, lean, abs_tol=1e-5), "no spin besides"


def test_cubes_and_flat_things_are_told_apart(*, whole: bool) -> None:
    trays = 8 if whole else 4
    (cubes, right), (flat, rightly) = told_apart(trays, Networks())
    assert min(cubes, flat) > 2 * trays - 1
    assert right > 0.85 * cubes
    assert rightly > 0.85 * flat


def test_nothing_is_asked_where_nothing_lies() -> None:
    grey = np.full((720, 1280), 90, np.uint8)
    assert look_flat(grey, Camera(1280, 720), Networks(), [], np.array(STRAIGHT_UP)) == {}


def test_the_look_says_nothing_below_the_lens_where_no_side_shows() -> None:
    picture, camera, _, lies = cube_tray(np.random.default_rng(4), Fonts(), flat=1.0)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    pose = next(one.pose for one in lies if is_plate(one.die))
    middle = Pose((camera.width / 2, camera.height / 2), pose.radius, lying(np.array(STRAIGHT_UP), 0.3))
    places = [PosedDie(SURE, cube(), one, 1.0) for one in (middle, pose)]
    told = look_flat(grey, camera, Networks(), places, np.array(STRAIGHT_UP))
    assert set(told) == {1}
    assert told[1] != 0.0


def test_flat_things_are_low_and_of_no_kind() -> None:
    rng = np.random.default_rng(1)
    _, _, _, lies = cube_tray(rng, Fonts())
    die = next(one.die for one in lies if one.labels)
    for _ in range(20):
        flat = flattened(die, rng)
        heights = flat.solid.vertices[:, 2]
        assert flat.kind is None
        assert heights.max() == pytest.approx(cube().vertices[:, 2].max()), "its upper face lies where the cube's did"
        assert heights.max() - heights.min() < 0.35 * cube().edge
        assert set(flat.letters) <= {0}


def test_of_printed_and_flat_things_hardly_one_is_read_and_the_dice_among_them_are(*, whole: bool) -> None:
    seeds = range(5_300_000, 5_300_016) if whole else FEW
    counts = counted(load_reader(), (flat_scene(seed, Fonts()) for seed in seeds))
    things = sum(counts[shows]["all"] for shows in SHOWS)
    assert things > 2.5 * len(seeds)
    assert sum(counts[shows]["read"] for shows in SHOWS) <= 0.05 * things
    dice = counts["dice among them"]
    assert dice["read"] >= 0.8 * dice["all"] > 3
