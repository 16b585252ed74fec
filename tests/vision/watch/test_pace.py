"""How often a live camera's pictures are taken: seldom while nothing has moved for a while, often otherwise."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import cast

import cv2
import numpy as np
import pytest

from rules.dice import DieReading, DieState
from rules.words import Phrase
from tests.vision.toys import BlobReader, Script, frames, rolling, still, tray
from tests.vision.watching import QUICK, watching
from vision.errors import SourceLostError
from vision.frames.cameras import CaptureStream, PicameraStream
from vision.frames.follow import Follower
from vision.frames.pictures import encode_jpeg
from vision.frames.settling import LARGEST_WINDOW
from vision.ports import Frame, FrameStream, Pace, PacedStream, Pixels
from vision.watch.thresholds import CALM_AFTER
from vision.watch.throws import EventKind, ThrowTracker
from vision.watch.watcher import watch_events

pytestmark = pytest.mark.slow

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
    """A scripted camera that notes how often its pictures were asked for, and sets `calm` with the first calm pace."""

    def __init__(self, *steps: Pixels | Exception | threading.Event, pace: float) -> None:
        super().__init__(*steps, pace=pace)
        self.asked: list[Pace] = []
        self.calm = threading.Event()

    def open(self) -> FrameStream:
        return _PacedStream(super().open(), self)


class _PacedStream:
    def __init__(self, stream: FrameStream, script: PacedScript) -> None:
        self._stream = stream
        self._script = script

    def keep_pace(self, pace: Pace) -> None:
        self._script.asked.append(pace)
        if pace is Pace.CALM:
            self._script.calm.set()

    def read(self) -> Frame | None:
        return self._stream.read()

    def close(self) -> None:
        self._stream.close()


def changes(asked: list[Pace]) -> list[Pace]:
    return [pace for number, pace in enumerate(asked) if number == 0 or pace is not asked[number - 1]]


def test_the_watcher_asks_its_camera_for_fewer_pictures_until_something_moves() -> None:
    moves = threading.Event()
    script = PacedScript(*still(4, ONE), moves, *rolling(6), tray(TWO), pace=0.05)
    with watching(script) as (_, heard):
        heard.until(script.calm.is_set)
        assert heard.faces == [[7]]
        moves.set()
        heard.until(lambda: len(heard.readings) == 2)
        assert heard.faces == [[7], [12]]
    assert changes(script.asked)[:3] == [Pace.WATCHFUL, Pace.CALM, Pace.WATCHFUL]


def test_the_terminal_keeps_the_pace_too_and_a_camera_that_comes_back_is_watched_closely() -> None:
    goes = threading.Event()
    script = PacedScript(tray(ONE), goes, SourceLostError(Phrase("gone")), tray(TWO), pace=0.05)
    script.calm = goes
    seen = []
    for event in watch_events(Follower(script, patience=QUICK), BlobReader()):
        seen.append(event["event"])
        if seen.count("reading") == 2:
            break
    assert seen == ["settled", "reading", "lost", "found", "settled", "reading"]
    assert changes(script.asked) == [Pace.WATCHFUL, Pace.CALM, Pace.WATCHFUL]


class Lens:
    """A driver under a clock of its own; as it keeps one picture, one that came meanwhile is given at once.

    `decode` is how many seconds a picture takes to be decoded, `shows` what lies there at which second.
    """

    def __init__(
        self, *, fps: float = FPS, decode: float = 0.004, shows: Callable[[float], Pixels] = lambda _: tray()
    ) -> None:
        self.now = 0.0
        self.came = 0
        self.taken: list[float] = []
        self._fps = fps
        self._decode = decode
        self._shows = shows

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def grab(self) -> bool:
        """As `cv2.VideoCapture.grab`."""
        self.came = max(self.came + 1, math.floor(self.now * self._fps))
        self.now = max(self.now, self.came / self._fps)
        return True

    def retrieve(self) -> tuple[bool, Pixels]:
        """As `cv2.VideoCapture.retrieve`."""
        self.taken.append(self.came / self._fps)
        self.now += self._decode
        return True, self._shows(self.taken[-1])

    def capture_array(self, _: str) -> Pixels:
        """As picamera2's method of this name."""
        self.grab()
        return self.retrieve()[1]


def capture_stream(lens: Lens) -> CaptureStream:
    return CaptureStream(cast("cv2.VideoCapture", lens), Phrase("the lens"), fps=None, clock=lens.clock)


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
    assert min(apart) > pace.value - 0.5 / FPS - 0.001
    assert max(apart) < pace.value + 2 / FPS


def test_a_recording_gives_every_picture_at_any_pace() -> None:
    lens = Lens()
    stream = CaptureStream(cast("cv2.VideoCapture", lens), Phrase("the film"), fps=FPS, clock=lens.clock)
    stream.keep_pace(Pace.CALM)
    for _ in range(5):
        stream.read()
    assert [later - earlier for earlier, later in pairwise(lens.taken)] == pytest.approx([1 / FPS] * 4)


@pytest.mark.parametrize("fps", [10, 14, 15, 20])
def test_where_pictures_come_seldom_none_is_passed_over_while_dice_may_be_on_their_way(fps: float) -> None:
    lens = Lens(fps=fps, decode=0.025)
    stream = capture_stream(lens)
    for _ in range(20):
        stream.read()
    assert [later - earlier for earlier, later in pairwise(lens.taken)] == pytest.approx([1 / fps] * 19)


@cache
def moving_die() -> list[Pixels]:
    """Pictures of a die on its way: painted where they are looked at, and not by all who collect this test."""
    return [tray((40 + 25 * step, 120, 7)) for step in range(20)]


@pytest.mark.parametrize(("fps", "decode"), [(30, 0.025), (30, 0.004), (25, 0.01), (15, 0.004), (14, 0.025)])
@pytest.mark.parametrize("moving", [0.6, 0.3])
def test_at_any_pace_rest_is_seen_within_the_longest_window_and_a_tenth_of_a_second(
    fps: float, decode: float, moving: float, *, whole: bool
) -> None:
    still, resting, on_its_way = tray(), tray(ONE), moving_die()
    for phase in range(6) if whole else (0, 1, 3):
        rest = CALM_AFTER + 1 + phase / 97

        def shows(t: float, rest: float = rest) -> Pixels:
            return still if t < rest - moving else on_its_way[int((rest - t) * 100) % 20] if t < rest else resting

        lens = Lens(fps=fps, decode=decode, shows=shows)
        stream = capture_stream(lens)
        tracker = ThrowTracker(BlobReader())
        while True:
            frame = stream.read()
            assert frame is not None
            kinds = {event.kind for event in tracker.feed(replace(frame, t=lens.now))}
            stream.keep_pace(Pace.CALM if tracker.calm else Pace.WATCHFUL)
            if EventKind.READING in kinds:
                break
        assert 0 < lens.now - rest <= LARGEST_WINDOW + 0.1


def test_a_damaged_picture_does_not_put_off_the_next() -> None:
    whole = encode_jpeg(tray())

    class Damaged(Lens):
        def retrieve(self) -> tuple[bool, Pixels]:
            super().retrieve()
            coded = whole[: len(whole) // 2] if len(self.taken) % 2 else whole
            return True, np.frombuffer(coded, np.uint8)

    lens = Damaged()
    stream = CaptureStream(cast("cv2.VideoCapture", lens), Phrase("the lens"), fps=None, clock=lens.clock, as_sent=True)
    for _ in range(5):
        stream.read()
    apart = [later - earlier for earlier, later in pairwise(lens.taken)]
    assert apart[::2] == pytest.approx([1 / FPS] * 5), "each damaged one is followed by the very next"
    assert min(apart[1::2]) > 1.5 / FPS


def test_the_pace_quickens_even_for_the_picture_that_is_being_waited_for() -> None:
    class Stirred(Lens):
        def grab(self) -> bool:
            stream.keep_pace(Pace.WATCHFUL)
            return super().grab()

        def sleep(self, seconds: float) -> None:
            super().sleep(seconds)
            stream.keep_pace(Pace.WATCHFUL)

    stream: CaptureStream | PicameraStream
    for open_stream in (capture_stream, csi_stream):
        lens = Stirred()
        stream = open_stream(lens)
        for _ in range(2):
            stream.keep_pace(Pace.CALM)
            stream.read()
        assert lens.taken[1] - lens.taken[0] < Pace.CALM.value - 0.05
