"""What the networks are taught with: the same seed gives the same, and every sample has its truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, cube, lying
from vision.pose.networks import KINDS
from vision.training.glyphs import Fonts
from vision.training.paint import Lettering, Light, Look, paint_die
from vision.training.samples import make
from vision.training.trays import MOST, TAUGHT, make_trays


def test_the_same_seed_gives_the_same_samples() -> None:
    one, other = make(7, 10, Fonts()), make(7, 10, Fonts())
    assert np.array_equal(np.array(one.dice), np.array(other.dice))
    assert np.array_equal(np.array(one.poses), np.array(other.poses))
    assert one.targets == other.targets
    assert not np.array_equal(np.array(one.dice), np.array(make(8, 10, Fonts()).dice))


def test_every_sample_has_its_truth() -> None:
    samples = make(9, 60, Fonts())
    assert len(samples.dice) == len(samples.leans) == len(samples.targets) == 120
    assert len(samples.poses) == len(samples.pose_targets)
    assert {target[0] for target in samples.pose_targets} == {-1.0, 0.0, 1.0}
    assert len(samples.tilts) == len(samples.tilt_targets) > 30
    assert {int(target[0]) for target in samples.targets} <= set(range(KINDS))


def test_trays_tell_where_their_dice_lie() -> None:
    pictures, places = make_trays(3, 6, Fonts())
    assert pictures.shape == (6, TAUGHT[1], TAUGHT[0], 3)
    assert places.shape == (6, MOST, 3)
    there = places[places[..., 2] > 0]
    assert len(there) > 5
    assert np.all((there[:, 0] > 0) & (there[:, 0] < TAUGHT[0]) & (there[:, 1] > 0) & (there[:, 1] < TAUGHT[1]))


PLASTIC = Look((200, 200, 200), (20, 20, 20), 0.0, 0.0, 0.0, 0.0, 0.02, 3)


def blank_cube(look: Look, *, below: bool) -> NDArray[np.float32]:
    """The middle of a cube seen from straight above on a dark table; nothing on it, or all ink on its lower face."""
    picture = np.full((200, 200, 3), 40, np.float32)
    normals = cube().normals
    under = int(np.argmin(normals @ normals[0]))
    letters = {under: Lettering(np.full((96, 96), 255, np.uint8), 0)} if below else {}
    pose = Pose((100.0, 100.0), 60.0, lying(np.array(STRAIGHT_UP), 0.0))
    light = Light(np.array(STRAIGHT_UP), ambient=1.0, shadow=0.0)
    paint_die(picture, cube(), pose, Camera(200, 200), letters=letters, look=look, light=light)
    return picture[90:110, 90:110]


def test_a_clear_die_shows_the_table_and_the_sign_beneath_and_plastic_does_not() -> None:
    clear = replace(PLASTIC, clear=0.9)
    assert np.array_equal(blank_cube(PLASTIC, below=True), blank_cube(PLASTIC, below=False))
    assert blank_cube(clear, below=False).mean() + 40 < blank_cube(PLASTIC, below=False).mean()
    assert blank_cube(clear, below=True).mean() + 3 < blank_cube(clear, below=False).mean()


def test_specks_have_a_colour_of_their_own_that_ink_can_be_told_from() -> None:
    specked = blank_cube(replace(PLASTIC, specks=0.3), below=False)
    plain = blank_cube(PLASTIC, below=False)
    there = np.abs(specked - plain).max(axis=2) > 8
    assert 0.02 < there.mean() < 0.8
    assert np.all(specked[there].mean(axis=-1) > 40)
