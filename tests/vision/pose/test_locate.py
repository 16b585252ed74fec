"""Every die on rendered trays is among the candidates, wherever it lies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rules.dice import Box, DieKind
from vision.pose.locate import DieCandidate, locate
from vision.training.scenes import scene

pytestmark = pytest.mark.slow

MIX = (DieKind.D20, DieKind.D20, DieKind.D20, DieKind.CHALLENGE, DieKind.CHALLENGE, DieKind.D6)


def overlap(one: Box, other: Box) -> float:
    wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    shared = max(0, wide) * max(0, high)
    return shared / (one.width * one.height + other.width * other.height - shared)


def hits(candidates: tuple[DieCandidate, ...], box: Box) -> bool:
    return any(overlap(candidate.box, box) > 0.6 for candidate in candidates)


@pytest.mark.parametrize("size", [(1280, 720), (640, 480), (1296, 972), (1920, 1080)])
def test_nearly_every_rendered_die_is_a_candidate(size: tuple[int, int], *, whole: bool) -> None:
    zoom = size[0] / 1280
    found = total = 0
    trays = 6 if whole else 2
    for seed in range(trays):
        tray = scene(seed, MIX, size=size, radius=(max(30.0, 34 * zoom), max(34.0, 62 * zoom)))
        candidates = locate(tray.picture)
        found += sum(hits(candidates, die.box) for die in tray.dice)
        total += len(tray.dice)
    assert total >= 5 * trays
    assert found >= 0.94 * total


def test_a_die_that_nearly_fills_the_picture_is_a_candidate() -> None:
    found = 0
    for seed in range(12):
        tray = scene(seed, [DieKind.D20], size=(250, 250), radius=(95.0, 105.0), hfov=20)
        found += any(hits(locate(tray.picture), die.box) for die in tray.dice)
    assert found >= 10


def test_two_dice_that_touch_are_two_candidates() -> None:
    picture = np.full((480, 640, 3), 40, np.uint8)
    for x in (200, 292):
        hexagon = np.array([[x + 48 * np.cos(a), 240 + 48 * np.sin(a)] for a in np.arange(6) * np.pi / 3])
        cv2.fillConvexPoly(picture, hexagon.astype(np.int32), (60, 60, 220), cv2.LINE_AA)
    candidates = locate(picture)
    assert hits(candidates, Box(152, 198, 97, 84))
    assert hits(candidates, Box(244, 198, 97, 84))


def test_a_pencil_that_lies_askew_is_no_candidate() -> None:
    """It is as compact as a die, but fills little of its box."""
    picture = np.full((480, 640, 3), 40, np.uint8)
    cv2.line(picture, (250, 200), (330, 280), (60, 60, 220), 14, cv2.LINE_AA)
    assert locate(picture) == ()


@pytest.mark.parametrize("shade", [0, 40, 128, 255])
def test_an_empty_picture_has_no_candidates(shade: int) -> None:
    assert locate(np.full((720, 1280, 3), shade, np.uint8)) == ()


@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 900, 3), (41, 41, 3), (2000, 60, 3)])
def test_odd_pictures_do_no_harm(shape: tuple[int, int, int]) -> None:
    noise = np.random.default_rng(1).integers(0, 255, shape, dtype=np.uint8)
    assert len(locate(noise)) <= 40
