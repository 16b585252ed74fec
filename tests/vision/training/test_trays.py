"""Windows of path-traced trays, which teach where dice lie."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.bench.ray_traced.sheet_folder import put
from vision.training.trays import TAUGHT, WholeTray, trays_in, windows_of

DICE = np.array([(60, 50, 20), (200, 150, 25), (420, 260, 18)], np.float32)


def dotted(width: int, height: int) -> WholeTray:
    """A dark tray on which each of `DICE` that lies in it is a bright disc."""
    picture = np.full((height, width, 3), 40, np.uint8)
    inside = DICE[(DICE[:, 0] < width) & (DICE[:, 1] < height)]
    for x, y, radius in inside:
        cv2.circle(picture, (round(float(x)), round(float(y))), round(float(radius)), (230, 230, 230), -1)
    return WholeTray(picture, inside)


@pytest.mark.parametrize("size", [(512, 288), (512, 384), (256, 144)])
def test_each_die_of_a_window_lies_where_its_place_says(size: tuple[int, int]) -> None:
    pictures, places = windows_of([dotted(*size)] * 40, np.random.default_rng(3))
    assert pictures.shape == (40, TAUGHT[1], TAUGHT[0], 3)
    told = 0
    for picture, dice in zip(pictures, places, strict=True):
        there = dice[dice[:, 2] > 0]
        told += len(there)
        for x, y, _ in there:
            assert picture[int(y), int(x)].min() > 200
        bright = (picture[..., 0] > 135).sum()
        whole = [one for one in there if (one[:2] > one[2]).all() and (one[:2] + one[2] < TAUGHT).all()]
        assert bright >= 0.9 * sum(np.pi * radius**2 for _, _, radius in whole)
    assert told >= 40


def test_half_of_the_windows_are_as_wide_as_the_picture() -> None:
    tray = dotted(512, 288)
    _, places = windows_of([tray] * 200, np.random.default_rng(4))
    sizes = np.array([dice[dice[:, 2] > 0][0, 2] for dice in places if (dice[:, 2] > 0).sum() == len(DICE)])
    at_first = np.isclose(sizes, DICE[0, 2] * TAUGHT[0] / 512, rtol=1e-5).mean()
    assert 0.5 < at_first < 1  # narrower windows seldom hold all dice, smaller pictures do
    assert sizes.min() < 0.9 * DICE[0, 2] * TAUGHT[0] / 512


def test_trays_are_found_in_their_folder_by_name(tmp_path: Path) -> None:
    for name, tray in (("2", dotted(256, 144)), ("1", dotted(512, 288))):
        put(tmp_path / f"{name}.npz", picture=tray.picture, places=tray.places)
    assert [tray.picture.shape[1] for tray in trays_in(tmp_path)] == [512, 256]
    assert [len(tray.places) for tray in trays_in(tmp_path)] == [3, 1]
    assert trays_in(tmp_path / "nowhere") == []
