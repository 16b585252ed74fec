"""Dice that are too small to be read are told so, and nothing is told of others."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules.dice import Box, DieKind, DieReading, DieState, SourceKind
from vision.desk.hints import HintKind
from vision.desk.sizes import SizeWatch, size_hint
from vision.ports import Pixels
from vision.pose.thresholds import LONGEST_SIDE
from vision.read.reader import PictureReader, load_reader
from vision.training.scenes import scene


@pytest.fixture(scope="module")
def loaded() -> PictureReader:
    return load_reader()


def told(
    reader: PictureReader, picture: Pixels, dice: tuple[DieReading, ...] | None = None
) -> tuple[HintKind, float] | None:
    hint = size_hint(reader, picture, reader.read(picture) if dice is None else dice, longest=LONGEST_SIDE)
    assert hint is None or not hint.fine
    return None if hint is None else (hint.kind, hint.value)


def scaled(picture: Pixels, by: float) -> Pixels:
    way = cv2.INTER_AREA if by < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, None, fx=by, fy=by, interpolation=way), np.uint8)


def widened(picture: Pixels) -> Pixels:
    """The picture in the middle of a plain one that is twice as large."""
    height, width = picture.shape[:2]
    whole = np.full((2 * height, 2 * width, 3), picture.mean(axis=(0, 1)), np.uint8)
    whole[height // 2 : height // 2 + height, width // 2 : width // 2 + width] = picture
    return whole


def test_small_dice_are_told_and_larger_ones_are_not(loaded: PictureReader) -> None:
    picture = scene(61, (DieKind.D20,) * 5).picture
    dice = loaded.read(picture)
    assert told(loaded, picture, dice) is None
    side = max(die.box.width for die in dice if die.box)
    far = told(loaded, scaled(picture, 0.2))
    assert far is not None
    assert far[0] is HintKind.FAR
    assert far[1] == pytest.approx(0.2 * side, rel=0.25)
    among = told(loaded, widened(scaled(picture, 0.2)))
    assert among is not None
    assert among[0] is HintKind.FAR
    box = dice[0].box
    assert box is not None
    left, top = max(0, box.x - box.width // 2), max(0, box.y - box.height // 2)
    cut = picture[top : top + 2 * box.height, left : left + 2 * box.width]
    assert told(loaded, scaled(cut, 500 / side)) is None, "a close-up is read from a smaller copy"


def test_nothing_is_told_of_a_picture_without_dice_unless_it_is_small(loaded: PictureReader) -> None:
    empty = scene(61, ()).picture
    assert told(loaded, empty) is None
    assert told(loaded, scaled(empty, 0.3)) == (HintKind.SMALL, 384.0)


class Broken:
    """A reader that breaks on whatever it is shown."""

    def __init__(self) -> None:
        self.asked = 0

    def read(self, picture: Pixels) -> tuple[DieReading, ...]:
        self.asked += 1
        raise ZeroDivisionError(f"of {picture.shape}")


def test_dice_that_were_read_tell_their_size_and_cost_no_look() -> None:
    reader, picture = Broken(), np.zeros((2160, 3840, 3), np.uint8)
    small = DieReading(DieKind.D20, 7, 0.99, DieState.READ, SourceKind.CAMERA, box=Box(10, 10, 54, 50))
    unread = DieReading(DieKind.D20, None, 0.5, DieState.DOUBTFUL, SourceKind.CAMERA, box=Box(10, 10, 20, 20))
    usual = replace(small, box=Box(10, 10, 58, 58))
    assert size_hint(reader, picture, (usual,), longest=LONGEST_SIDE) is None, "hardly below the least size"
    for dice in ((small,), (small, usual), (small, unread)):
        hint = size_hint(reader, picture, dice, longest=LONGEST_SIDE)
        assert hint is not None
        assert (hint.kind, hint.value) == (HintKind.FAR, 27.0), "in pixels of the picture at the size that is read"
    assert reader.asked == 0


def test_a_picture_that_hardly_changes_is_looked_at_once(loaded: PictureReader) -> None:
    class Counting(PictureReader):
        looks = 0

        def read(self, picture: Pixels) -> tuple[DieReading, ...]:
            Counting.looks += 1
            return super().read(picture)

    watch = SizeWatch(Counting(loaded.networks), longest=LONGEST_SIDE)
    small = widened(scaled(scene(4, (DieKind.D20,) * 3).picture, 0.25))
    noisy = np.clip(small + np.random.default_rng(1).normal(0, 1.0, small.shape), 0, 255).astype(np.uint8)
    first = watch.hint(small, ())
    looks = Counting.looks
    assert looks > 0
    assert watch.hint(noisy, ()) == first
    assert Counting.looks == looks
    watch.hint(np.full_like(small, 90), ())
    assert Counting.looks > looks


def test_a_look_that_breaks_tells_nothing(caplog: pytest.LogCaptureFixture) -> None:
    reader = Broken()
    assert size_hint(reader, np.zeros((720, 1280, 3), np.uint8), (), longest=LONGEST_SIDE) is None
    assert reader.asked == 1
    assert "too small or too large cannot be told (ZeroDivisionError" in caplog.text


class Blind:
    """A reader that sees nothing."""

    def read(self, picture: Pixels) -> tuple[DieReading, ...]:
        assert picture.ndim == 3
        return ()


@pytest.mark.parametrize(
    ("side", "told"), [(150, None), (300, None), (30, None), (27, HintKind.SMALL), (None, HintKind.SMALL)]
)
def test_a_small_picture_is_told_only_where_no_die_in_it_is_large_enough(
    side: int | None, told: HintKind | None
) -> None:
    """One that leans in a picture of 600 pixels would lean in a larger one."""
    picture = np.zeros((480, 600, 3), np.uint8)
    leans = DieReading(DieKind.D20, None, 0.4, DieState.COCKED, SourceKind.CAMERA, box=Box(100, 100, side or 1, 20))
    hint = size_hint(Blind(), picture, (leans,) if side else (), longest=LONGEST_SIDE)
    assert (hint.kind if hint else None) is told
