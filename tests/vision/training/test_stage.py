"""The demo's tray: dice tumble, lie still, and can be read."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rules.dice import DieKind, DieState
from vision.read.reader import load_reader
from vision.training.stage import TUMBLE_SECONDS, Stage


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def difference(
    one: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], other: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
) -> float:
    return float(np.abs(one.astype(int) - other).max(axis=2).astype(np.uint8).astype(float)[::4, ::4].__gt__(40).mean())


def test_dice_move_and_then_lie_still() -> None:
    clock = Clock()
    stage = Stage(1, clock=clock)
    empty = stage.frame()
    stage.throw([DieKind.D20, DieKind.D20])
    first = stage.frame()
    clock.now = TUMBLE_SECONDS / 2
    second = stage.frame()
    clock.now = TUMBLE_SECONDS + 0.01
    third = stage.frame()
    clock.now += 5
    fourth = stage.frame()
    assert empty.shape == (720, 1280, 3)
    assert difference(empty, third) > 0
    assert difference(first, second) > 0
    assert difference(second, third) > 0
    assert difference(third, fourth) == 0


def test_clearing_takes_all_dice_away() -> None:
    clock = Clock()
    stage = Stage(2, size=(640, 360), clock=clock)
    empty = stage.frame()
    stage.throw([DieKind.CHALLENGE] * 3)
    clock.now = 1
    assert len(stage.truth()) == 3
    assert difference(empty, stage.frame()) > 0
    stage.clear()
    assert stage.truth() == ()
    assert difference(empty, stage.frame()) == 0


def test_the_same_seed_and_throws_give_the_same_tray() -> None:
    trays = []
    for _ in range(2):
        stage = Stage(3, size=(640, 360), clock=Clock())
        stage.throw([DieKind.D20, DieKind.D6])
        trays.append((stage.truth(), stage.frame().tobytes()))
    assert trays[0] == trays[1]


def test_demo_dice_are_nearly_always_read_and_never_wrongly(*, whole: bool) -> None:
    clock = Clock()
    reader = load_reader()
    thrown = read = 0
    stages = 8 if whole else 4
    for seed in range(stages):
        stage = Stage(seed, clock=clock)
        stage.throw([DieKind.D20, DieKind.D20, DieKind.CHALLENGE, DieKind.CHALLENGE])
        clock.now += 1
        dice = reader.read(stage.frame())
        for true in stage.truth():
            thrown += 1
            for die in dice:
                assert die.box is not None
                middle = (die.box.x + die.box.width / 2, die.box.y + die.box.height / 2)
                if math.dist(middle, true.centre) < 25 and die.state is DieState.READ:
                    assert (die.kind, die.face) == (true.kind, true.face)
                    read += 1
    assert thrown == 4 * stages
    assert read >= 0.8 * thrown


@pytest.mark.parametrize("kind", [DieKind.D20, DieKind.CHALLENGE])
def test_a_leaning_die_is_asked_about_and_never_read(kind: DieKind) -> None:
    clock, reader = Clock(), load_reader(hfov=60.0)
    for seed in range(4):
        stage = Stage(seed, clock=clock)
        stage.throw([kind] * 3, leaning=True)
        clock.now += 2 * TUMBLE_SECONDS
        dice = reader.read(stage.frame())
        assert len(dice) == 3
        assert [one.state is DieState.READ for one in dice].count(False) == 1
