"""Patches cut anew from sheets: each shows what its class says, and no two are quite alike."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.pose.geometry import STRAIGHT_UP, Camera
from vision.pose.networks import Networks
from vision.training.glyphs import Fonts
from vision.training.number_patches import CutAnew, NumberSheet, exposed_anew, jittered, load_sheet, patches_of, written
from vision.training.number_samples import NO_NUMBER
from vision.training.paint import Light, Look, paint_die
from vision.training.sheet_samples import cut_from_sheets
from vision.training.throws import d20, resting

_SIZE = (240, 320)


@pytest.fixture(scope="module")
def sheet() -> NumberSheet:
    """Two white d20s with black numbers under a camera straight above."""
    rng = np.random.default_rng(3)
    height, width = _SIZE
    camera, up = Camera(width, height, 60.0), np.array(STRAIGHT_UP)
    picture = np.full((height, width, 3), 90, np.float32)
    look = Look((235, 235, 235), (10, 10, 10), 0.0, 0.2, 0.1, 0.0, 0.0, 1)
    light = Light(np.array([0.2, 0.1, -0.97]), 0.5, 0.0)
    middles, turns, classes = [(90.0, 120.0), (220.0, 110.0)], [], []
    for middle in middles:
        die = d20(rng, Fonts())
        pose = resting(die, middle, 44.0, up, float(rng.uniform(0, 6)))
        paint_die(picture, die.solid, pose, camera, letters=die.letters, look=look, light=light, origin=(0.0, 0.0))
        turns.append(pose.rotation)
        classes.append(
            [
                -1 if die.values.get(face) is None else 3 * (int(die.values[face]) - 1) + die.letters[face].corner
                for face in range(20)
            ]
        )
    grey = np.clip(picture[..., 0], 0, 255).astype(np.uint8)
    return NumberSheet(
        np.array([grey]),
        60.0,
        up,
        np.array(middles),
        np.array([44.0, 44.0]),
        np.array(turns),
        np.array(classes, np.int64),
        np.array([False, False]),
    )


def test_the_reader_tells_what_the_classes_say(sheet: NumberSheet) -> None:
    patches, labels = CutAnew([sheet], 4).batch(200)
    told = Networks(names=("numbers",)).numbers(list(patches))
    sure = told.max(axis=1) > 0.95
    truth = np.where(labels == NO_NUMBER, 20, labels // 3)
    assert sure.mean() > 0.4
    assert (told.argmax(axis=1) == truth)[sure].mean() > 0.97


def test_no_two_patches_are_alike_and_some_lie_beside_a_face(sheet: NumberSheet) -> None:
    patches, labels = CutAnew([sheet], 4).batch(300)
    assert len({patch.tobytes() for patch in patches}) == len(patches)
    assert 0.02 < (labels == NO_NUMBER).mean() < 0.3


def test_a_sign_in_a_numbers_place_is_no_number(sheet: NumberSheet) -> None:
    signs = replace(sheet, classes=np.full_like(sheet.classes, -1))
    pose = jittered(signs, 0, np.random.default_rng(1))
    shown = [label for _, label in patches_of(signs, 0, signs.pictures[0], pose)]
    assert shown
    assert set(shown) == {NO_NUMBER}


def test_a_sheet_is_read_as_it_was_written(sheet: NumberSheet, tmp_path: Path) -> None:
    written(sheet, tmp_path / "1.npz")
    again = load_sheet(tmp_path / "1.npz")
    assert again.hfov == sheet.hfov
    assert np.array_equal(again.pictures, sheet.pictures)
    assert np.array_equal(again.classes, sheet.classes)
    assert [file.name for file in tmp_path.iterdir()] == ["1.npz"]


def test_other_light_leaves_what_is_shown(sheet: NumberSheet) -> None:
    patches, _ = CutAnew([sheet], 4).batch(64)
    lit = exposed_anew(patches, np.random.default_rng(2))
    assert lit.shape == patches.shape
    alike = [np.corrcoef(a.ravel(), b.ravel())[0, 1] for a, b in zip(patches, lit, strict=True)]
    assert min(alike) > 0.6


def test_the_networks_mend_the_poses_of_a_sheet_as_its_targets_say(sheet: NumberSheet) -> None:
    samples, networks = cut_from_sheets([sheet], 5, 40), Networks(names=("poses", "tilts"))
    wanted, tilts = np.array(samples.pose_targets), np.array(samples.tilt_targets)
    told = networks.mend(samples.poses)
    likely, right = np.array([one.likely for one in told]), wanted[:, 0] == 1
    assert likely[right].mean() > 0.9
    assert likely[wanted[:, 0] == 0].mean() < 0.2
    moves = np.array([(one.right, one.down, one.growth) for one in told])
    assert np.abs(moves - wanted[:, 1:4])[right].mean() < 0.5 * np.abs(wanted[:, 1:4])[right].mean()
    turns = np.array([one.rotation[:2] for one in networks.tilts(samples.tilts)])
    assert np.corrcoef(turns.ravel(), tilts.ravel())[0, 1] > 0.8
    assert not samples.dice


def test_the_same_seed_cuts_the_same_poses_from_sheets(sheet: NumberSheet) -> None:
    one, other, third = (cut_from_sheets([sheet], seed, 4) for seed in (6, 6, 7))
    assert np.array_equal(np.array(one.poses), np.array(other.poses))
    assert one.tilt_targets == other.tilt_targets
    assert one.pose_targets != third.pose_targets
