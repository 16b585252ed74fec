"""What the scenes of taught dice take for one and the same sign."""

from __future__ import annotations

import cv2
import numpy as np

from tests.bench.own_scenes import same_sign


def test_a_sign_is_the_same_in_any_size_and_turn_and_another_one_is_not() -> None:
    corner = np.zeros((80, 80), np.uint8)
    corner[20:60, 20:28] = corner[52:60, 20:60] = 255
    larger = np.zeros((80, 80), np.uint8)
    larger[8:72, 8:72] = cv2.resize(corner[20:60, 20:60], (64, 64), interpolation=cv2.INTER_AREA)
    cross = np.zeros((80, 80), np.uint8)
    cross[36:44, 20:60] = cross[20:60, 36:44] = 255
    for turn in range(4):
        assert same_sign(corner, np.ascontiguousarray(np.rot90(larger, turn)))
    assert not same_sign(corner, cross)


def test_a_sign_that_fills_its_frame_or_is_not_there_is_the_same_as_its_like_alone() -> None:
    ring = np.zeros((80, 80), np.uint8)
    cv2.circle(ring, (40, 40), 20, 255, 5)
    block, smaller, nothing = (np.zeros((80, 80), np.uint8) for _ in range(3))
    block[20:60, 20:60] = smaller[30:50, 30:50] = 255
    assert same_sign(block, smaller)
    assert same_sign(nothing, nothing)
    assert not same_sign(block, ring)
    assert not same_sign(ring, block)
    assert not same_sign(nothing, ring)
    assert not same_sign(block, nothing)
