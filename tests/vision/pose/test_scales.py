"""A picture is read at the size that its dice need, and what only looks like a die at another size is not."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dice import DieKind, DieState
from vision.ports import Pixels
from vision.pose.scales import other_scales, scaled
from vision.pose.thresholds import LARGER_COPY, LONGEST_SIDE, SMALLEST
from vision.read.reader import PictureReader, Seen, load_reader
from vision.training.scenes import TrueDie, scene


@cache
def reader() -> PictureReader:
    return load_reader()


def read(seen: Seen) -> int:
    return sum(one.reading.state is DieState.READ for one in seen.found)


def close_up(seed: int, share: float, side: int) -> tuple[TrueDie, Pixels]:
    """A rendered d20 that fills this share of a square picture of that side."""
    tray = scene(seed, (DieKind.D20,))
    die = tray.dice[0]
    (found,) = reader().read(tray.picture)
    assert found.box is not None
    half = max(found.box.width, found.box.height) / share / 2
    zoom = side / (2 * half)
    move = np.array([[zoom, 0.0, -(die.centre[0] - half) * zoom], [0.0, zoom, -(die.centre[1] - half) * zoom]])
    cut = cv2.warpAffine(tray.picture, move, (side, side), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return die, np.asarray(cut, np.uint8)


@given(
    side=st.integers(SMALLEST, 6000),
    shape=st.floats(0.3, 1.0),
    sides=st.lists(st.floats(20, 2000), max_size=6),
    told=st.integers(0, 6),
    sure=st.booleans(),
)
def test_every_other_size_is_smaller_than_the_last_and_none_is_enlarged_without_doubt(
    side: int, shape: float, sides: list[float], told: int, *, sure: bool
) -> None:
    picture = np.zeros((max(1, round(side * shape)), side, 3), np.uint8)
    usual = min(1.0, LONGEST_SIDE / side)
    scales = list(other_scales(picture, usual, sides, told=told, sure=sure))
    assert len(scales) < 8
    assert all(scale <= (1.0 if sure else LARGER_COPY) for scale in scales)
    smaller = [scale for scale in scales if scale < usual]
    assert all(after < before for before, after in pairwise([usual, *smaller]))
    assert all(min(picture.shape[:2]) * scale >= SMALLEST for scale in smaller)


def test_a_picture_whose_dice_are_read_is_looked_at_once() -> None:
    picture = np.zeros((720, 1280, 3), np.uint8)
    assert list(other_scales(picture, 1.0, [90.0, 110.0], told=2, sure=True)) == []
    assert list(other_scales(picture, 1.0, [90.0, 110.0], told=1, sure=False)) == []


@pytest.mark.slow
@pytest.mark.parametrize(("share", "side"), [(0.98, 640), (0.5, 4000)])
def test_a_close_up_is_read_and_its_box_is_in_the_pixels_that_were_given(
    share: float, side: int, *, whole: bool
) -> None:
    for seed in (61, 62) if whole else (61,):
        true, picture = close_up(seed, share, side)
        (die,) = reader().read(picture)
        assert (die.state, die.face) == (DieState.READ, true.face)
        assert die.box is not None
        assert max(die.box.width, die.box.height) == pytest.approx(share * side, rel=0.12)
        assert die.box.x + die.box.width / 2 == pytest.approx(side / 2, abs=0.05 * side)


@pytest.mark.slow
def test_small_dice_of_a_large_picture_are_read_from_its_own_pixels() -> None:
    tray = scene(61, (DieKind.D20,) * 4)
    height, width = tray.picture.shape[:2]
    canvas = np.full((3 * height, 3 * width, 3), tray.picture.mean(axis=(0, 1)), np.uint8)
    canvas[height : 2 * height, width : 2 * width] = tray.picture
    usual = reader().look(scaled(canvas, LONGEST_SIDE / max(canvas.shape[:2])))
    own = reader().look_at_its_size(canvas)
    assert own.scale == 1.0
    assert read(own) > read(usual)


@pytest.mark.slow
def test_dice_of_a_small_picture_are_read_once_it_is_enlarged() -> None:
    tray = scene(62, (DieKind.D20,) * 4)
    small = scaled(tray.picture, 0.28)
    as_given, enlarged = reader().look(small), reader().look_at_its_size(small)
    assert enlarged.scale == LARGER_COPY
    assert len(as_given.found) < len(enlarged.found) == 4
    for one, true in zip(enlarged.readings, sorted(tray.dice, key=lambda die: die.centre), strict=True):
        assert one.box is not None
        assert one.box.x + one.box.width / 2 == pytest.approx(0.28 * true.centre[0], abs=3)
        assert one.face in {None, true.face}


@pytest.mark.slow
def test_pips_of_a_small_picture_are_read_once_it_is_enlarged() -> None:
    """Without any numeral beside them, for in colour the dice surely look like dice."""
    tray = scene(63, (DieKind.D6,) * 3)
    dice = reader().read(scaled(tray.picture, 0.28))
    assert [die.face for die in dice] == [die.face for die in sorted(tray.dice, key=lambda die: die.centre)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "sign", [pytest.param("spot", marks=pytest.mark.long), pytest.param("ring", marks=pytest.mark.long), "star"]
)
def test_a_tray_with_a_sign_in_its_middle_is_no_cube(sign: str) -> None:
    """A square tray looks like a cube from above, and what lies or is printed in its middle like a pip or an Effect."""
    picture = np.full((1080, 1920, 3), (150, 160, 170), np.uint8)
    cv2.rectangle(picture, (520, 100), (1400, 980), (30, 30, 34), -1)
    cv2.rectangle(picture, (560, 140), (1360, 940), (46, 44, 48), -1)
    if sign == "spot":
        cv2.circle(picture, (960, 540), 70, (40, 40, 200), -1, cv2.LINE_AA)
    elif sign == "ring":
        cv2.circle(picture, (960, 540), 200, (220, 220, 220), 40, cv2.LINE_AA)
    else:
        angles = np.arange(10) * np.pi / 5
        reach = np.where(np.arange(10) % 2 == 0, 240, 100)
        corners = np.column_stack([np.sin(angles), -np.cos(angles)]) * reach[:, None] + (960, 540)
        cv2.fillPoly(picture, [np.round(corners).astype(np.int32)], (220, 220, 220), cv2.LINE_AA)
    blurred = np.asarray(cv2.GaussianBlur(picture, (0, 0), 2.0), np.uint8)
    noisy = np.clip(blurred + np.random.default_rng(3).normal(0, 3, picture.shape), 0, 255).astype(np.uint8)
    assert [one for one in reader().read(noisy) if one.state is DieState.READ] == []


@pytest.mark.parametrize(
    ("width", "told", "sides", "enlarged"),
    [(640, 0, [101.0], True), (640, 0, [], True), (640, 1, [101.0], False), (1280, 0, [101.0], False)],
)
def test_a_small_picture_is_enlarged_where_no_numeral_was_read(
    width: int, told: int, sides: list[float], *, enlarged: bool
) -> None:
    picture = np.zeros((width * 9 // 16, width, 3), np.uint8)
    scales = other_scales(picture, 1.0, sides, told=told, sure=False)
    assert (LARGER_COPY in scales) is enlarged
