"""Places in the network's answer are told in pixels of the picture, each once, the likeliest first."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rules.dice import DieKind
from vision.pose.networks import Networks
from vision.pose.proposals import CELL, SHOWN_SIDE, USUAL_RADIUS, proposal_batch, proposals_of, shrunk, smoothed
from vision.training.scenes import scene


@pytest.mark.parametrize(
    ("width", "height"), [(1280, 720), (640, 480), (720, 1280), (250, 250), (41, 41), (1296, 972), (5000, 40)]
)
def test_a_picture_is_shown_small_in_whole_cells(width: int, height: int) -> None:
    small, scale = shrunk(np.zeros((height, width, 3), np.uint8))
    assert max(small.shape[:2]) <= SHOWN_SIDE
    assert small.shape[0] % CELL == small.shape[1] % CELL == 0
    assert abs(small.shape[1] - width * scale) <= CELL
    assert proposal_batch(small[None]).shape == (1, 3, *small.shape[:2])


def test_a_pattern_of_stripes_is_smoothed_away_and_a_die_is_not() -> None:
    picture = np.full((720, 1280, 3), 200, np.uint8)
    picture[:, np.arange(1280) % 16 < 6] = 90  # narrower than the gaps between them
    picture[300:380, 600:680] = (40, 40, 230)
    plain, scale = shrunk(picture)
    smooth, same = smoothed(picture)
    assert (smooth.shape, same) == (plain.shape, scale)
    assert smooth[5:75, 5:145].std() < 0.5 * plain[5:75, 5:145].std()
    assert np.abs(smooth[94:110, 184:200] - np.array((40.0, 40.0, 230.0))).max() < 10


def test_a_die_is_told_where_it_lies() -> None:
    answer = np.full((4, 27, 48), -8.0, np.float32)
    answer[1:] = 0
    answer[:, 10, 20] = (3.0, 0.25, -0.25, math.log(2))
    answer[0, 10, 21] = 1.0  # the same die, seen less well beside its middle
    answer[:, 3, 40] = (1.0, 0.0, 0.0, 0.0)
    first, second = proposals_of(answer, 0.5)
    assert first.centre == pytest.approx((20.75 * CELL * 2, 10.25 * CELL * 2))
    assert first.radius == pytest.approx(2 * USUAL_RADIUS / 0.5)
    assert first.chance > second.chance
    assert second.centre == pytest.approx((40.5 * CELL * 2, 3.5 * CELL * 2))


def test_an_empty_answer_has_no_places() -> None:
    assert proposals_of(np.full((4, 27, 48), -8.0, np.float32), 1.0) == ()


def test_a_die_that_fills_a_small_picture_is_seen_as_one_not_as_its_faces() -> None:
    networks = Networks()
    for seed in range(4):
        tray = scene(5000 + seed, (DieKind.D20,), size=(480, 480), radius=(90.0, 120.0))
        (true,) = tray.dice
        likeliest = networks.proposals(tray.picture)[0]
        assert math.dist(likeliest.centre, true.centre) < 0.15 * true.box.width
        assert likeliest.radius == pytest.approx(true.box.width / 2, rel=0.35)
