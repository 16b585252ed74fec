"""A camera tray gone wrong: pictures that come more quickly than they are read, and a reader that is slow to load."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, cast

import pytest

from firmware_bridge.pictures import TrayPicture
from kiosk.devices import camera_tray
from kiosk.devices.camera_tray import MOST_WAITING, CameraTray
from rules.dice import DieKind, DieReading, DieState, Reading, SourceKind, SourceState, SourceStatus
from rules.words import worded
from vision.desk.tray_pictures import SeenInTray

if TYPE_CHECKING:
    from vision.desk.tray_pictures import TrayPictures

READY = SourceStatus(SourceKind.TRAY, SourceState.READY, "The tray is ready.", detail={"camera": "yes"})


class Tray:
    """A tray that says and shows what the test wants."""

    kind = SourceKind.TRAY

    def __init__(self) -> None:
        self.show: Callable[[TrayPicture], None] = lambda _: None
        self.tell: Callable[[SourceStatus], None] = lambda _: None

    def start(self, report: Callable[[Reading], None], tell: Callable[[SourceStatus], None]) -> None:
        del report
        self.tell = tell

    def stop(self) -> None:
        """Nothing runs."""

    def picture(self, key: str) -> bytes | None:
        del key
        return None


class Table:
    """A camera tray, what it reports, and a reader that waits for `go`."""

    def __init__(self) -> None:
        self.tray = Tray()
        self.go = threading.Event()
        self.loads = self.at_once = self.most_at_once = 0
        self.slow = threading.Event()
        self.slow.set()
        self.broken = False
        self.seen: list[str] = []
        self.readings: list[Reading] = []
        self.told: list[SourceStatus] = []
        self.source = CameraTray(self.tray, self.make)
        self.source.start(self.readings.append, self.told.append)

    def make(self) -> TrayPictures:
        self.loads += 1
        self.go.wait(20)
        if self.broken:
            raise OSError("no library")
        return cast("TrayPictures", self)

    def read(self, reading_id: str, data: bytes, *, found: bool = False) -> SeenInTray:
        del data, found
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.seen.append(reading_id)
        self.slow.wait(20)
        self.at_once -= 1
        die = DieReading(DieKind.D20, 5, 1.0, DieState.READ, SourceKind.TRAY)
        return SeenInTray(Reading(reading_id, SourceKind.TRAY, (die,)), worded(""))

    def until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + 20
        while not holds():
            assert time.monotonic() < end, (self.seen, self.loads)
            time.sleep(0.002)


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table()
    yield made
    made.go.set()
    made.source.stop()


def test_of_too_many_pictures_the_newest_are_read_and_one_line_says_so(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    """The last picture of a throw was left out: it had been acknowledged, so that the throw was lost."""
    caplog.set_level(logging.INFO)
    table.tray.tell(READY)
    table.until(lambda: table.loads == 1)
    for number in range(30):
        table.tray.show(TrayPicture(str(number), b"JPEG"))
    table.go.set()
    table.until(lambda: "29" in table.seen)
    assert table.seen == [str(number) for number in range(30 - MOST_WAITING, 30)]
    table.until(lambda: len(caplog.records) == 2)
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]
    assert "26 were left out" in caplog.records[-1].getMessage()


def test_what_a_tray_says_while_its_reader_loads_keeps_no_picture_out(table: Table) -> None:
    table.tray.tell(READY)
    table.until(lambda: table.loads == 1)
    for _ in range(MOST_WAITING + 1):
        table.tray.tell(READY)
    table.tray.show(TrayPicture("first", b"JPEG"))
    table.go.set()
    table.until(lambda: bool(table.readings))
    assert (table.seen, table.loads) == (["first"], 1)


def test_a_reader_that_cannot_be_loaded_is_tried_for_pictures_alone(table: Table) -> None:
    table.broken = True
    table.go.set()
    table.tray.tell(READY)
    table.until(lambda: table.loads == 1)
    for _ in range(20):
        table.tray.tell(READY)
    table.tray.show(TrayPicture("first", b"JPEG"))
    table.until(lambda: table.loads == 2 and table.told[-1].state is SourceState.LOST)
    table.broken = False
    table.tray.show(TrayPicture("second", b"JPEG"))
    table.until(lambda: table.seen == ["second"] and table.told[-1].state is SourceState.READY)


def test_a_tray_whose_pictures_never_come_is_told_with_what_to_do(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    table.go.set()
    table.tray.tell(READY)
    table.until(lambda: bool(table.told))
    for _ in range(2):
        table.tray.show(TrayPicture("restless", b"", restless=True))
    table.until(lambda: table.told[-1].state is SourceState.LOST)
    assert "none of them comes whole" in table.told[-1].what
    assert "trueroll tray check" in table.told[-1].remedy
    table.tray.show(TrayPicture("whole", b"JPEG"))
    table.until(lambda: table.told[-1].state is SourceState.READY)
    assert len(caplog.records) == 1


def test_a_source_that_starts_again_reads_one_picture_at_a_time(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after other firmware was written. Two threads read then, and the one before never ended."""
    monkeypatch.setattr(camera_tray, "STOP_WITHIN", 0.01)
    table.go.set()
    table.slow.clear()
    table.tray.show(TrayPicture("first", b"JPEG"))
    table.until(lambda: table.seen == ["first"])
    table.tray.tell(READY)
    would_send = [table.source.is_ready]
    table.source.stop()
    would_send.append(table.source.is_ready)
    assert would_send == [True, False], "no second view waits for one that rests"
    table.source.start(table.readings.append, table.told.append)
    table.tray.show(TrayPicture("second", b"JPEG"))
    time.sleep(0.05)
    assert table.seen == ["first"]
    table.slow.set()
    table.until(lambda: [one.reading_id for one in table.readings] == ["first", "second"])
    assert table.most_at_once == 1
    table.source.stop()
    table.until(lambda: not [one for one in threading.enumerate() if one.name == "tray pictures"])


def test_a_reader_that_hangs_keeps_no_thread_waiting_and_no_picture_from_before_a_stop(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every later thread waited for the one that hung, and what had waited at the stop was told as a new throw."""
    monkeypatch.setattr(camera_tray, "STOP_WITHIN", 0.01)
    table.go.set()
    table.slow.clear()
    table.tray.show(TrayPicture("hangs", b"JPEG"))
    table.until(lambda: table.seen == ["hangs"])
    table.tray.show(TrayPicture("waits", b"JPEG"))
    for _ in range(3):
        table.source.stop()
        table.source.start(table.readings.append, table.told.append)
    table.until(lambda: len([one for one in threading.enumerate() if one.name == "tray pictures"]) == 2)
    table.tray.show(TrayPicture("after", b"JPEG"))
    table.slow.set()
    table.until(lambda: len(table.readings) == 2)
    assert (table.seen, table.most_at_once) == (["hangs", "after"], 1)


def test_the_newest_picture_is_kept_for_those_who_look(table: Table) -> None:
    table.go.set()

    def newest() -> tuple[int, bytes] | None:
        shot = table.source.newest
        return None if shot is None else (shot.number, shot.data)

    assert newest() is None
    table.tray.show(TrayPicture("1", b"JPEG 1"))
    table.until(lambda: newest() == (1, b"JPEG 1"))
    table.tray.show(TrayPicture("lost", b""))
    table.tray.show(TrayPicture("3", b"JPEG 3"))
    table.until(lambda: newest() == (2, b"JPEG 3"))
