"""The camera's thread, and the stream of events for the terminal."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest

from rules.dice import DieReading, DieState, Reading, SourceKind, SourceState
from rules.words import Phrase, capitalized, say
from tests.vision.taken import TakenWith, with_exif
from tests.vision.toys import BlobReader, FragileReader, Script, rolling, still, tray
from tests.vision.watching import LONG, ONE, QUICK, TWO, Listener, camera, watching
from vision.errors import READING, SourceError, SourceLostError
from vision.frames.follow import Follower
from vision.frames.pictures import decode_picture, encode_jpeg
from vision.frames.sources import Pixels, StageSource, open_source
from vision.ports import FrameStream
from vision.watch import watcher
from vision.watch.album import PICTURES_KEPT
from vision.watch.watcher import LATEST_WIDTH, Watcher, die_as_json, watch_events


def test_a_throw_is_reported_once_with_its_pictures() -> None:
    with watching(camera(*still(20), *rolling(5), *still(12, ONE, TWO))) as (watcher, heard):
        heard.until(lambda: bool(heard.readings))
        time.sleep(0.5)
        assert heard.faces == [[7, 12]]
        reading = heard.readings[0]
        assert (reading.reading_id, reading.source) == ("boot:0", SourceKind.CAMERA)
        key = reading.dice[0].picture
        assert key is not None
        assert re.fullmatch("boot-0-[0-9a-f]{16}-0", key), "whoever has one key has no other"
        picture = watcher.picture(key)
        assert picture is not None
        crop = decode_picture(picture)
        assert 40 <= crop.width <= 80
        assert crop.pixels[crop.height // 2, crop.width // 2, 2] > 150
        assert watcher.picture("nothing") is None
        latest = watcher.latest()
        assert latest is not None
        assert decode_picture(latest).width <= LATEST_WIDTH
        assert heard.states == [SourceState.STARTING, SourceState.READY]


def test_an_emptied_tray_is_a_reading_without_dice() -> None:
    seen = threading.Event()
    with watching(camera(tray(ONE), seen, *rolling(5), tray())) as (_, heard):
        heard.until(lambda: len(heard.readings) == 1)
        seen.set()
        heard.until(lambda: len(heard.readings) == 2)
        assert heard.faces == [[7], []]
        assert [reading.reading_id for reading in heard.readings] == ["boot:0", "boot:1"]


def test_an_absent_camera_is_waited_for_and_said_once() -> None:
    script = Script(*still(12, ONE), pace=0.04, absent=4)
    with watching(script) as (_, heard):
        heard.until(lambda: bool(heard.readings))
        assert heard.states == [SourceState.STARTING, SourceState.ABSENT, SourceState.READY]
        assert heard.statuses[1].remedy


def test_a_camera_that_somebody_named_is_missed_from_the_first(tmp_path: Path) -> None:
    heard = Listener()
    watcher = Watcher(str(tmp_path / "later"), reader=BlobReader(), start_id="boot", patience=QUICK, expected=True)
    watcher.start(heard.readings.append, heard.statuses.append)
    try:
        heard.until(lambda: bool(heard.statuses))
        assert heard.states == [SourceState.LOST]
        assert heard.statuses[0].remedy.endswith("Enter the dice by hand.")
    finally:
        watcher.stop()


def test_a_lost_camera_comes_back_and_does_not_repeat_the_throw() -> None:
    gone = SourceLostError(Phrase("The cable is out."), Phrase("Put it in."))
    seen, back = threading.Event(), threading.Event()
    script = camera(tray(ONE), seen, gone, gone, tray(ONE), back, *rolling(5), tray(TWO))
    with watching(script) as (_, heard):
        heard.until(lambda: len(heard.readings) == 1)
        seen.set()
        heard.until(lambda: heard.states[-1] is SourceState.READY and script.opened == 3)
        time.sleep(0.6)
        back.set()
        heard.until(lambda: len(heard.readings) == 2)
        assert heard.faces == [[7], [12]]
        assert heard.states == [SourceState.STARTING, SourceState.READY, SourceState.LOST, SourceState.READY]


def test_stop_leaves_a_hanging_driver_behind() -> None:
    script = camera(tray(), Script.HANG)
    with watching(script) as (watcher, heard):
        heard.until(lambda: SourceState.LOST in heard.states)
        begun = time.monotonic()
        watcher.stop()
        assert time.monotonic() - begun < 8.0
        told = len(heard.statuses)
        script.let_go.set()
        time.sleep(0.1)
        assert len(heard.statuses) == told


def test_stopping_before_starting_and_starting_twice() -> None:
    watcher = Watcher(camera(tray()), reader=BlobReader(), start_id="boot")
    watcher.stop()
    assert watcher.latest() is None
    watcher.start(lambda _: None, lambda _: None)
    with pytest.raises(RuntimeError, match="started before"):
        watcher.start(lambda _: None, lambda _: None)
    watcher.stop()


def test_a_reader_that_breaks_does_not_end_the_watching() -> None:
    failed = threading.Event()
    with watching(camera(tray(ONE), failed, *rolling(5), tray(TWO)), reader=FragileReader()) as (_, heard):
        heard.until(lambda: SourceState.LOST in heard.states)
        failed.set()
        heard.until(lambda: bool(heard.readings))
        assert heard.faces == [[12]]
        assert heard.states[:3] == [SourceState.STARTING, SourceState.READY, SourceState.LOST]
        heard.until(lambda: heard.states[-1] is SourceState.READY)


def test_a_listener_that_breaks_does_not_end_the_watching() -> None:
    heard: list[Reading] = []
    seen = threading.Event()

    def report(reading: Reading) -> None:
        heard.append(reading)
        if len(heard) == 1:
            seen.set()
            raise ZeroDivisionError("in the listener")

    watcher = Watcher(
        camera(tray(ONE), seen, *rolling(5), tray(TWO)), reader=BlobReader(), start_id="boot", patience=QUICK
    )
    watcher.start(report, lambda _: None)
    end = time.monotonic() + LONG
    while len(heard) < 2 and time.monotonic() < end:
        time.sleep(0.02)
    watcher.stop()
    assert [[die.face for die in reading.dice] for reading in heard] == [[7], [12]]


def test_what_a_silent_source_says_begins_as_a_sentence_does() -> None:
    class Silent:
        live = True
        name = say("the stream {address}", address="http://10.0.0.9")

        def open(self) -> FrameStream:
            raise SourceError(
                say("{source} does not answer with pictures.", source=capitalized(self.name)),
                Phrase("Check the address."),
            )

    watcher, heard = Watcher(Silent(), reader=BlobReader(), start_id="boot", patience=QUICK), Listener()
    watcher.start(heard.readings.append, heard.statuses.append)
    try:
        heard.until(lambda: heard.statuses[-1:] != [] and heard.statuses[-1].state is not SourceState.STARTING)
    finally:
        watcher.stop()
    assert heard.statuses[-1].what == "The stream http://10.0.0.9 does not answer with pictures."


def test_the_reader_knows_the_lens_of_each_picture_that_is_shown(tmp_path: Path) -> None:
    """Also of one whose turn to be read has not come: people may calibrate by it."""

    class Told(BlobReader):
        lens: float | None = None

        def look_through(self, hfov: float | None) -> None:
            self.lens = hfov

    for number, lens in enumerate((TakenWith(26), TakenWith(13))):
        (tmp_path / f"{number}.jpg").write_bytes(with_exif(encode_jpeg(tray(ONE)), lens=lens))
    reader, wanted = Told(), threading.Event()
    with watching(str(tmp_path), reader=reader, wanted=wanted.is_set) as (watcher, heard):
        heard.until(lambda: watcher.newest() is not None)
        assert not heard.readings
        assert reader.lens == pytest.approx(71.9, abs=0.1)
        wanted.set()
        heard.until(lambda: len(heard.readings) == 2)
        assert reader.lens == pytest.approx(110.8, abs=0.1)


def test_a_film_ends_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (640, 360))
    for picture in still(20, ONE):
        writer.write(picture)
    writer.release()
    with watching(str(path)) as (_, heard):
        heard.until(lambda: SourceState.OFF in heard.states)
        assert heard.faces == [[7]]


def test_a_stage_is_watched_as_a_camera_is() -> None:
    class Stage:
        picture = tray()

        def frame(self) -> Pixels:
            return self.picture

    stage = Stage()
    with watching(StageSource(stage)) as (watcher, heard):
        heard.until(lambda: watcher.latest() is not None)
        stage.picture = tray(ONE)
        heard.until(lambda: bool(heard.readings))
        assert heard.faces == [[7]]


def test_only_the_newest_pictures_are_kept() -> None:
    throws = [tray((20 + 50 * (number % 10), 30 + 60 * (number // 10 % 5), 1 + number % 20)) for number in range(6)]

    class Stage:
        picture = tray()

        def frame(self) -> Pixels:
            return self.picture

    stage = Stage()
    watcher = Watcher(StageSource(stage), reader=_Crowd(), start_id="boot", patience=QUICK)
    listener = Listener()
    watcher.start(listener.readings.append, listener.statuses.append)
    try:
        for number, picture in enumerate(throws, start=1):
            stage.picture = picture
            listener.until(lambda: len(listener.readings) == number)  # noqa: B023 - used within the turn
    finally:
        watcher.stop()
    keys = [die.picture for reading in listener.readings for die in reading.dice if die.picture]
    assert len(set(keys)) == len(keys) > PICTURES_KEPT
    assert watcher.picture(keys[0]) is None
    assert all(watcher.picture(key) for key in keys[-PICTURES_KEPT:])


class _Crowd(BlobReader):
    """Reads each die ten times over, so that pictures mount up."""

    def read(self, picture: Pixels) -> tuple[DieReading, ...]:
        return super().read(picture) * 10


def test_the_events_of_a_recording_are_those_of_the_design(tmp_path: Path) -> None:
    pictures = [*still(20), *rolling(10), *still(20, ONE), *rolling(10), *still(20)]
    for number, picture in enumerate(pictures):
        assert cv2.imwrite(str(tmp_path / f"{number:03d}.png"), picture)
    events = list(watch_events(Follower(open_source(str(tmp_path), fps=30)), BlobReader()))
    assert [event["event"] for event in events] == [
        "settled",
        "motion",
        "settled",
        "reading",
        "motion",
        "settled",
        "cleared",
    ]
    assert all(list(event) == ["event", "frame", "t", "dice"] for event in events)
    reading = events[3]
    frame = reading["frame"]
    assert isinstance(frame, int)
    assert 38 <= frame <= 42
    assert reading["t"] == pytest.approx(frame / 30, abs=0.001)
    assert reading["dice"] == [
        {"kind": "d20", "face": 7, "confidence": 0.99, "state": "read", "box": [300, 200, 40, 40]}
    ]
    assert [event["dice"] for event in events if event["event"] != "reading"] == [[]] * 6


def test_a_live_stream_tells_its_losses() -> None:
    seen = threading.Event()
    script = camera(tray(ONE), seen, SourceLostError(Phrase("gone")), tray(TWO))
    events = []
    for event in watch_events(Follower(script, patience=QUICK, must_open=True), BlobReader()):
        events.append(event)
        if event["event"] == "reading":
            seen.set()
        if len([one for one in events if one["event"] == "reading"]) == 2:
            break
    assert [event["event"] for event in events] == ["settled", "reading", "lost", "found", "settled", "reading"]


def test_a_folder_that_goes_while_it_is_read_is_a_loss_and_goes_on_once_it_is_back(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "throws", tmp_path / "elsewhere"
    folder.mkdir()
    for number, spot in enumerate((ONE, TWO)):
        assert cv2.imwrite(str(folder / f"{number}.png"), tray(spot))
    events = []
    for event in watch_events(Follower(open_source(str(folder), hold=1.0), patience=QUICK), BlobReader()):
        events.append(event["event"])
        if event["event"] == "reading" and "lost" not in events:
            folder.rename(elsewhere)
        if event["event"] == "lost":
            elsewhere.rename(folder)
    assert events == ["settled", "reading", "lost", "found", "settled", "reading"]


def test_a_source_that_is_not_there_is_an_error_at_once() -> None:
    with pytest.raises(SourceError, match="no scripted camera"):
        list(watch_events(Follower(Script(tray(), absent=1), patience=QUICK, must_open=True), BlobReader()))


def test_a_doubtful_die_has_no_face_in_json() -> None:
    doubtful = BlobReader(doubts=9).read(tray(ONE))[0]
    assert doubtful.state is DieState.DOUBTFUL
    assert die_as_json(doubtful)["face"] is None


def test_no_thread_is_left_when_a_watcher_stops() -> None:
    before = set(threading.enumerate())
    with watching(camera(*still(5))) as (watcher, heard):
        heard.until(lambda: watcher.latest() is not None)
    end = time.monotonic() + LONG
    while set(threading.enumerate()) - before and time.monotonic() < end:
        time.sleep(0.02)
    assert not set(threading.enumerate()) - before


class SlowReader(BlobReader):
    """Takes its time for pictures with dice until it may go on."""

    def __init__(self) -> None:
        super().__init__()
        self.goes_on = threading.Event()

    def read(self, picture: Pixels) -> tuple[DieReading, ...]:
        dice = super().read(picture)
        if dice:
            self.goes_on.wait(20)
        return dice


class Dawdler(BlobReader):
    """Takes a moment for each picture."""

    def read(self, picture: Pixels) -> tuple[DieReading, ...]:
        time.sleep(0.2)
        return super().read(picture)


def test_a_long_reading_is_told_once_until_the_dice_are_there() -> None:
    """As long as whoever threw sees nothing, they may throw again: the word stands until the dice do."""
    reader = SlowReader()
    with watching(camera(*still(20), *rolling(5), *still(12, ONE, TWO)), reader=reader) as (_, heard):
        heard.until(lambda: bool(heard.statuses) and heard.statuses[-1].notice == READING)
        assert heard.statuses[-1].state is SourceState.READY
        assert not heard.readings
        reader.goes_on.set()
        heard.until(lambda: bool(heard.readings) and not heard.statuses[-1].notice)
        assert heard.faces == [[7, 12]]
        assert [one.notice for one in heard.statuses].count(READING) == 1


class NoticingReader(BlobReader):
    """Takes its time for every picture, and tells before whether dice lie there."""

    noticed: Callable[[], None] | None = None

    def read(self, picture: Pixels) -> tuple[DieReading, ...]:
        dice = super().read(picture)
        if dice and self.noticed is not None:
            self.noticed()
        time.sleep(0.2)
        return dice


def test_over_an_empty_tray_no_long_reading_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher, "LONG", 0.0)
    throws = [*rolling(5), *still(12, ONE, TWO), *rolling(5), *still(12)]
    with watching(camera(*still(20), *throws), reader=NoticingReader()) as (_, heard):
        heard.until(lambda: heard.faces[-1:] == [[]])
        heard.until(lambda: not heard.statuses[-1].notice)
        assert [one.notice for one in heard.statuses].count(READING) == 1


def test_long_readings_leave_nothing_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(watcher, "LONG", 0.0)
    caplog.set_level(logging.INFO, watcher.__name__)
    throws = [*rolling(5), *still(12, ONE, TWO), *rolling(5), *still(12)]
    with watching(camera(*still(20), *throws), reader=Dawdler()) as (_, heard):
        heard.until(lambda: [one.notice for one in heard.statuses].count(READING) == 3)
        heard.until(lambda: not heard.statuses[-1].notice)
    assert [one.message.strip() for one in caplog.records].count("The scripted camera watches the tray.") == 1


def test_a_quick_reading_is_not_told() -> None:
    with watching(camera(*still(20), *rolling(5), *still(12, ONE, TWO))) as (_, heard):
        heard.until(lambda: bool(heard.readings))
        time.sleep(0.2)
        assert READING not in [one.notice for one in heard.statuses]
