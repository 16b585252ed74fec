"""What `numbers` is taught with: the same seed gives the same patches, and each shows what its class says."""

from __future__ import annotations

import numpy as np
import pytest

from vision.pose.crops import FACE_PIXELS
from vision.pose.networks import Networks
from vision.training.glyphs import Fonts
from vision.training.number_samples import NO_NUMBER, Patches, make_numbers


@pytest.fixture(scope="module")
def made() -> Patches:
    return make_numbers(4, 40, Fonts())


def test_the_same_seed_gives_the_same_patches() -> None:
    (patches, labels), (again, labels_again) = make_numbers(7, 3, Fonts()), make_numbers(7, 3, Fonts())
    assert np.array_equal(patches, again)
    assert np.array_equal(labels, labels_again)
    assert not np.array_equal(patches[:20], make_numbers(8, 3, Fonts())[0][:20])


def test_a_fifth_of_the_patches_shows_no_number(made: Patches) -> None:
    patches, labels = made
    assert patches.shape == (len(labels), FACE_PIXELS, FACE_PIXELS)
    assert set(labels.tolist()) <= set(range(NO_NUMBER + 1))
    assert 0.12 < (labels == NO_NUMBER).mean() < 0.3


def test_the_reader_tells_what_the_classes_say(made: Patches) -> None:
    patches, labels = made
    told = Networks(names=("numbers",)).numbers(list(patches))
    sure = told.max(axis=1) > 0.95
    truth = np.where(labels == NO_NUMBER, 20, labels // 3)
    assert sure.mean() > 0.2
    assert (told.argmax(axis=1) == truth)[sure].mean() > 0.95
