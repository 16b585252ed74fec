"""How often a live camera's pictures are taken: seldom while nothing has moved for a while, often otherwise."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import cast

import cv2
import pytest

from rules.dice import DieReading, DieState
from tests.vision.toys import BlobReader, Script, frames, rolling, still, tray
from tests.vision.watching import watching
from vision.cameras import CaptureStream, PicameraStream
from vision.seams import Frame, FrameStream, Pace, PacedStream, Pixels
from vision.throws import CALM_AFTER, ThrowTracker

ONE, TWO = (300, 200, 7), (450, 100, 12)
FPS = 30
CALM_FRAMES = round(FPS * (CALM_AFTER + 0.5))


def calm_after(tracker: ThrowTracker, pictures: list[Pixels], *, begin: float = 0.0) -> bool:
    for frame in frames(pictures, fps=FPS, begin=begin):
        list(tracker.feed(frame))
    return tracker.calm


def test_a_tray_becomes_calm_some_time_after_the_throw_and_no_longer_is_with_the_next() -> None:
    tracker = ThrowTracker(BlobReader())
    assert not calm_after(tracker, [*rolling(10), *still(20, ONE)])
    assert calm_after(tracker, still(CALM_FRAMES, ONE), begin=1.0)
    assert not calm_after(tracker, rolling(1), begin=4.0)
    assert not calm_after(tracker, still(20), begin=4.1)


def test_a_lamp_or_a_lost_camera_ends_the_calm() -> None:
    tracker = ThrowTracker(BlobReader())
    assert calm_after(tracker, still(CALM_FRAMES, ONE))
    assert not calm_after(tracker, still(20, ONE, light=0.5), begin=3.0)
    assert calm_after(tracker, still(CALM_FRAMES, ONE, light=0.5), begin=4.0)
    tracker.restart()
    assert not tracker.calm


def test_while_a_hand_holds_a_die_the_tray_is_not_calm() -> None:
    class Hand(BlobReader):
        def read(self, picture: Pixels) -> tuple[DieReading, ...]:
            held = self.asked < 8
            return tuple(replace(die, state=DieState.IN_HAND) if held else die for die in super().read(picture))

    tracker = ThrowTracker(Hand())
    assert not calm_after(tracker, still(CALM_FRAMES, ONE))
    assert calm_after(tracker, still(2 * CALM_FRAMES, ONE), begin=CALM_FRAMES / FPS)


class PacedScript(Script):
    """A scripted camera that notes how often its pictures were asked for."""

    def __init__(self, *steps: Pixels | threading.Event, pace: float) -> None:
        super().__init__(*steps, pace=pace)
        self.asked: list[Pace] = []

    def open(self) -> FrameStream:
        return _PacedStream(super().open(), self.asked)


class _PacedStream:
    def __init__(self, stream: FrameStream, asked: list[Pace]) -> None:
        self._stream = stream
        self._asked = asked

    def keep_pace(self, pace: Pace) -> None:
        self._asked.append(pace)

    def read(self) -> Frame | None:
        return self._stream.read()

    def close(self) -> None:
        self._stream.close()


def test_the_watcher_asks_its_camera_for_fewer_pictures_until_something_moves() -> None:
    moves = threading.Event()
    script = PacedScript(*still(4, ONE), moves, *rolling(6), tray(TWO), pace=0.05)
    with watching(script) as (_, heard):
        heard.until(lambda: Pace.CALM in script.asked)
        assert heard.faces == [[7]]
        quick = len(script.asked)
        moves.set()
        heard.until(lambda: len(heard.readings) == 2)
        assert heard.faces == [[7], [12]]
    assert CALM_AFTER / script.pace / 4 < quick
    assert set(script.asked[quick + 3 :]) == {Pace.WATCHFUL}


class Lens:
    """A driver under a clock of its own, that takes a 30th of a second for each picture."""

    def __init__(self) -> None:
        self.now = 0.0
        self.taken: list[float] = []

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def grab(self) -> bool:
        """As `cv2.VideoCapture.grab`."""
        self.now += 1 / FPS
        return True

    def retrieve(self) -> tuple[bool, Pixels]:
        """As `cv2.VideoCapture.retrieve`."""
        self.taken.append(self.now)
        return True, tray()

    def capture_array(self, _: str) -> Pixels:
        """As picamera2's method of this name."""
        self.grab()
        return self.retrieve()[1]


def capture_stream(lens: Lens) -> CaptureStream:
    return CaptureStream(cast("cv2.VideoCapture", lens), "the lens", fps=None, clock=lens.clock)


def csi_stream(lens: Lens) -> PicameraStream:
    return PicameraStream(lens, lens.clock, lens.sleep)


@pytest.mark.parametrize("open_stream", [capture_stream, csi_stream])
@pytest.mark.parametrize("pace", Pace)
def test_a_live_stream_keeps_the_pace(
    open_stream: Callable[[Lens], CaptureStream | PicameraStream], pace: Pace
) -> None:
    lens = Lens()
    stream = open_stream(lens)
    assert isinstance(stream, PacedStream)
    stream.keep_pace(pace)
    for _ in range(20):
        stream.read()
    apart = [later - earlier for earlier, later in pairwise(lens.taken)]
    assert min(apart) > pace.value - 0.001
    assert max(apart) < pace.value + 2 / FPS


def test_a_recording_gives_every_picture_at_any_pace() -> None:
    lens = Lens()
    stream = CaptureStream(cast("cv2.VideoCapture", lens), "the film", fps=FPS, clock=lens.clock)
    stream.keep_pace(Pace.CALM)
    for _ in range(5):
        stream.read()
    assert [later - earlier for earlier, later in pairwise(lens.taken)] == pytest.approx([1 / FPS] * 4)


def test_the_pace_quickens_even_for_the_picture_that_is_being_waited_for() -> None:
    class Stirred(Lens):
        def sleep(self, seconds: float) -> None:
            super().sleep(seconds)
            stream.keep_pace(Pace.WATCHFUL)

    lens = Stirred()
    stream = csi_stream(lens)
    stream.keep_pace(Pace.CALM)
    for _ in range(2):
        stream.read()
    assert lens.taken[1] - lens.taken[0] < Pace.CALM.value - 0.05
