"""What the networks are taught with: the same seed gives the same, and every sample has its truth."""

from __future__ import annotations

import numpy as np

from vision.networks import KINDS
from vision.training.glyphs import Fonts
from vision.training.samples import NO_NUMBER, make
from vision.training.trays import MOST, TAUGHT, make_trays


def test_the_same_seed_gives_the_same_samples() -> None:
    one, other = make(7, 25, Fonts()), make(7, 25, Fonts())
    assert np.array_equal(np.array(one.numbers), np.array(other.numbers))
    assert np.array_equal(np.array(one.poses), np.array(other.poses))
    assert one.targets == other.targets
    assert not np.array_equal(np.array(one.dice), np.array(make(8, 25, Fonts()).dice))


def test_every_sample_has_its_truth() -> None:
    samples = make(9, 60, Fonts())
    assert len(samples.dice) == len(samples.leans) == len(samples.targets) == 120
    assert len(samples.numbers) == len(samples.number_classes) > 100
    assert set(samples.number_classes) <= set(range(NO_NUMBER + 1))
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
