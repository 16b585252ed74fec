"""A hand that rests in the picture holds the reading back; dice, cloths and lamps do not."""

from __future__ import annotations

import cv2
import pytest

from tests.vision.toys import BlobReader, tray
from vision.ports import Frame, Pixels
from vision.watch.hands import hand_came, hues_of
from vision.watch.thresholds import LONGEST_HAND
from vision.watch.throws import EventKind, ThrowEvent, ThrowTracker

ONE = (300, 200, 7)
TWO = (450, 100, 12)
SKINS = [(120, 150, 205), (150, 175, 225), (60, 85, 125), (45, 62, 95), (95, 125, 190)]
"""Blue, green and red of light, dark and ruddy skins."""


def reached_over(picture: Pixels, *, skin: tuple[int, int, int] = SKINS[0], tip: int = 250) -> Pixels:
    """A hand that reaches in from the left as far as `tip`, with its wrist across the edge."""
    result = picture.copy()
    cv2.line(result, (-40, 300), (tip - 90, 260), skin, 70, cv2.LINE_AA)
    cv2.ellipse(result, (tip - 70, 255), (70, 55), 0, 0, 360, skin, -1, cv2.LINE_AA)
    return result


@pytest.mark.parametrize("skin", SKINS)
def test_hands_of_every_shade_are_seen(skin: tuple[int, int, int]) -> None:
    before = hues_of(tray(ONE))
    assert hand_came(before, hues_of(reached_over(tray(ONE, seed=1), skin=skin)))


def test_what_was_there_or_is_no_hand_is_none() -> None:
    empty = hues_of(tray())
    assert not hand_came(empty, hues_of(tray(ONE, TWO, seed=3)))
    assert not hand_came(empty, hues_of(tray(light=1.5)))
    held = hues_of(reached_over(tray()))
    assert not hand_came(held, hues_of(reached_over(tray(seed=2))))
    within = tray()
    cv2.ellipse(within, (320, 180), (90, 70), 0, 0, 360, SKINS[0], -1, cv2.LINE_AA)
    assert not hand_came(empty, hues_of(within))  # it does not reach the edge
    assert not hand_came(empty, hues_of(reached_over(tray(), skin=(200, 120, 60))))  # a blue sleeve
    large_die = tray()
    large_die[:90, :70] = (30, 60, 200)
    assert not hand_came(empty, hues_of(large_die))


def played(tracker: ThrowTracker, pictures: list[Pixels], begin: int = 0) -> list[tuple[float, ThrowEvent]]:
    """The events of frames at 30 a second, each with its time."""
    told = []
    for number, picture in enumerate(pictures, begin):
        told += [(number / 30, event) for event in tracker.feed(Frame(picture, number, number / 30))]
    return told


def readings(told: list[tuple[float, ThrowEvent]]) -> list[tuple[float, list[object]]]:
    """When dice were read, and which faces."""
    return [(when, [die.face for die in event.dice]) for when, event in told if event.kind is EventKind.READING]


def still(picture_of: list[Pixels], count: int) -> list[Pixels]:
    """So many frames, the pictures in turn."""
    return [picture_of[number % len(picture_of)] for number in range(count)]


def test_a_resting_hand_holds_the_reading_back_until_it_leaves() -> None:
    tracker = ThrowTracker(BlobReader())
    empty = [tray(seed=seed) for seed in range(4)]
    covered = [reached_over(tray(ONE, TWO, seed=seed), tip=340) for seed in range(4)]
    free = [tray(ONE, TWO, seed=seed) for seed in range(4)]
    told = played(tracker, [*still(empty, 20), *still(covered, 45), *still(free, 20)])
    ((when, faces),) = readings(told)
    assert faces == [7, 12]
    assert when > (20 + 45) / 30


def test_a_hand_that_stays_is_waited_for_no_longer_than_said() -> None:
    tracker = ThrowTracker(BlobReader())
    empty = [tray(seed=seed) for seed in range(4)]
    covered = [reached_over(tray(ONE, TWO, seed=seed), tip=200) for seed in range(4)]
    told = played(tracker, [*still(empty, 20), *still(covered, 200)])
    settled = [when for when, event in told if event.kind is EventKind.SETTLED][-1]
    ((when, faces),) = readings(told)
    assert faces == [7, 12]
    assert LONGEST_HAND <= when - settled < LONGEST_HAND + 0.5


def test_a_throw_without_a_hand_is_read_as_soon_as_it_rests() -> None:
    tracker = ThrowTracker(BlobReader())
    told = played(tracker, [*still([tray(seed=seed) for seed in range(4)], 20), *still([tray(ONE, TWO)], 30)])
    settled = [when for when, event in told if event.kind is EventKind.SETTLED][-1]
    assert readings(told) == [(settled, [7, 12])]
