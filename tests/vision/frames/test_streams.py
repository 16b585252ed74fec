"""A whole evening before the camera, on rendered dice with the real reader: hands, shadows, lamps, nudges, gaps."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules.dice import DieKind
from tests.vision.toys import frames
from vision.frames.settling import SettleDetector
from vision.ports import Frame, Pixels
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose
from vision.read.reader import PictureReader, load_reader
from vision.training.glyphs import Fonts
from vision.training.paint import Light, Paint, light_at_random
from vision.training.scenes import LyingDie, lay, paint, tray
from vision.watch.throws import EventKind, ThrowEvent, ThrowTracker

pytestmark = pytest.mark.slow

SIZE = (960, 540)
UP = np.array(STRAIGHT_UP)


class Table:
    """Rendered dice on a tray that stay where they are until somebody moves them; no two frames on end are the same."""

    def __init__(self, seed: int = 6, count: int = 3) -> None:
        rng = np.random.default_rng(seed)
        self.camera = Camera(*SIZE)
        self.empty = tray(rng, SIZE)
        light = light_at_random(rng)
        self.light = Light(light.towards, max(light.ambient, 0.6), min(light.shadow, 0.4))
        colour = self.empty.mean(axis=(0, 1)).astype(np.float64)
        self.dice: tuple[LyingDie, ...] = lay(
            rng, (DieKind.D20,) * count, self.camera, up=UP, radius=44, fonts=Fonts(), plain_on=colour
        )
        noise = np.random.default_rng(seed + 1)
        self._grain = [noise.normal(0, 1.5, (SIZE[1], SIZE[0], 3)).astype(np.float32) for _ in range(7)]
        self._frames = 0
        self._painted = self._as_they_lie()

    def shown(self, count: int, *, lamp: float = 1.0) -> list[Pixels]:
        """That number of frames of the present tray."""
        return [self._frame(lamp) for _ in range(count)]

    def with_hand(self, count: int) -> list[Pixels]:
        """A hand that reaches over the dice and leaves again."""
        result = []
        for number in range(count):
            far = int(SIZE[0] * (1 - abs(2 * number / count - 1)) * 0.9)
            picture = self._frame()
            for finger in range(4):
                height = 150 + 55 * finger
                cv2.ellipse(
                    picture, (far - 90, height), (150, 24), 4 * finger, 0, 360, (120, 150, 205), -1, cv2.LINE_AA
                )
            cv2.ellipse(picture, (far - 280, 235), (190, 130), 0, 0, 360, (110, 140, 195), -1, cv2.LINE_AA)
            result.append(picture)
        return result

    def with_shadow(self, count: int) -> list[Pixels]:
        """A soft shadow that passes."""
        across = np.arange(SIZE[0], dtype=np.float32)
        result = []
        for number in range(count):
            middle = -300 + 1560 * number / count
            dimmed = 1 - 0.25 * np.exp(-(((across - middle) / 220) ** 2))
            picture = self._frame().astype(np.float32) * dimmed[None, :, None]
            result.append(picture.clip(0, 255).astype(np.uint8))
        return result

    def nudge(self, right: float, turn: float = 0.0) -> None:
        """Push the first die, which keeps its face."""
        first, *rest = self.dice
        cosine, sine = np.cos(turn), np.sin(turn)
        about = np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]])
        pose = Pose(
            (first.pose.centre[0] + right, first.pose.centre[1]), first.pose.radius, about @ first.pose.rotation
        )
        self.dice = (replace(first, pose=pose), *rest)
        self._painted = self._as_they_lie()

    def take_one(self) -> None:
        """Take the last die away."""
        self.dice = self.dice[:-1]
        self._painted = self._as_they_lie()

    def _frame(self, lamp: float = 1.0) -> Pixels:
        self._frames += 1
        grain = self._grain[self._frames % len(self._grain)]
        return np.asarray(np.clip(self._painted * np.float32(lamp) + grain, 0, 255), np.uint8)

    def _as_they_lie(self) -> Paint:
        picture = self.empty.copy()
        for one in self.dice:
            paint(picture, one, self.camera, self.light)
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.float32)


@pytest.fixture(scope="module")
def reader() -> PictureReader:
    return load_reader()


def played(reader: PictureReader, *parts: Sequence[Pixels], drop: int = 1) -> Iterator[ThrowEvent]:
    """What happens in the parts, one after the other at 20 frames a second, of which one in `drop` arrives."""
    tracker = ThrowTracker(reader)
    every = [picture for part in parts for picture in part]
    for frame in frames(every, fps=20.0)[::drop]:
        yield from tracker.feed(frame)


def told(events: Iterator[ThrowEvent]) -> list[tuple[EventKind, int]]:
    """Readings and empty trays, and how many dice each has."""
    return [(event.kind, len(event.dice)) for event in events if event.kind in (EventKind.READING, EventKind.CLEARED)]


READ_3 = (EventKind.READING, 3)


def test_hands_shadows_and_a_lamp_leave_a_throw_as_it_was(reader: PictureReader) -> None:
    table = Table()
    parts = [table.shown(9), table.with_hand(12), table.shown(9), table.with_shadow(16), table.shown(8)]
    assert told(played(reader, *parts, table.shown(9, lamp=0.55), table.shown(9))) == [READ_3]


def test_the_faces_of_a_throw_are_those_that_were_painted(reader: PictureReader) -> None:
    table = Table()
    (reading,) = (one for one in played(reader, table.shown(9)) if one.kind is EventKind.READING)
    painted = [one.die.face for one in sorted(table.dice, key=lambda one: one.pose.centre[0])]
    assert [die.face for die in sorted(reading.dice, key=lambda die: die.box.x if die.box else 0)] == painted


def test_a_nudged_die_is_read_anew_and_keeps_its_face(reader: PictureReader) -> None:
    table = Table()
    before = table.shown(9)
    pushed = []
    for _ in range(5):
        table.nudge(8, 0.08)
        pushed += table.shown(1)
    events = [one for one in played(reader, before, pushed, table.shown(9)) if one.kind is EventKind.READING]
    assert len(events) == 2
    assert sorted(str(die.face) for die in events[0].dice) == sorted(str(die.face) for die in events[1].dice)
    assert events[1].lay_before


def test_dice_taken_out_one_by_one_end_in_an_empty_tray_said_once(reader: PictureReader) -> None:
    table = Table()
    parts = [table.shown(9)]
    for _ in range(3):
        table.take_one()
        parts.append(table.shown(10))
    said = told(played(reader, *parts, table.shown(8)))
    assert said == [READ_3, (EventKind.READING, 2), (EventKind.READING, 1), (EventKind.CLEARED, 0)]


@pytest.mark.parametrize("drop", [2, 3])
def test_frames_that_are_dropped_change_nothing(reader: PictureReader, drop: int) -> None:
    table = Table()
    parts = [table.shown(12), table.with_hand(12), table.shown(14)]
    table.take_one()
    assert told(played(reader, *parts, table.shown(14), drop=drop)) == [READ_3, (EventKind.READING, 2)]


def test_looking_at_a_tray_that_rests_takes_a_small_part_of_a_core() -> None:
    """At 30 frames a second the detector's work; the mark is 5 % of a core, held tenfold for a busy machine."""
    table = Table()
    pictures = table.shown(4)
    detector = SettleDetector()
    for number in range(4):
        detector.feed(Frame(pictures[number], number, number / 30))
    begun = time.process_time()
    for number in range(60):
        detector.feed(Frame(pictures[number % 4], number + 4, (number + 4) / 30))
    assert time.process_time() - begun < 2.0 * 0.05 * 10
