"""A watcher at work on a source of pictures, and a listener that hears what it reports and tells."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rules.dice import Reading, SourceState, SourceStatus
from tests.vision.toys import BlobReader, Script
from vision.frames.follow import Patience
from vision.frames.sources import Pixels, StageSource
from vision.ports import Reader
from vision.watch.watcher import Watcher

ONE = (300, 200, 7)
TWO = (450, 100, 12)
QUICK = Patience(first=5.0, stale=2.0, pauses=(0.05,))
LONG = 20.0


class Listener:
    """Hears what a watcher reports and tells."""

    def __init__(self) -> None:
        self.readings: list[Reading] = []
        self.statuses: list[SourceStatus] = []

    def until(self, done: Callable[[], bool]) -> None:
        """Wait for `done`, as long as a busy machine may need."""
        end = time.monotonic() + LONG
        while not done():
            assert time.monotonic() < end, (self.readings, self.statuses)
            time.sleep(0.01)

    @property
    def states(self) -> list[SourceState]:
        return [status.state for status in self.statuses]

    @property
    def faces(self) -> list[list[object]]:
        return [[die.face for die in reading.dice] for reading in self.readings]


@contextmanager
def watching(
    source: object,
    *,
    reader: Reader | None = None,
    start_id: str = "boot",
    wanted: Callable[[], bool] | None = None,
) -> Iterator[tuple[Watcher, Listener]]:
    assert isinstance(source, str | Script | StageSource)
    watcher = Watcher(source, reader=reader or BlobReader(), start_id=start_id, patience=QUICK, hold=0.6, wanted=wanted)
    listener = Listener()
    watcher.start(listener.readings.append, listener.statuses.append)
    try:
        yield watcher, listener
    finally:
        watcher.stop()


def camera(*pictures: Pixels | Exception | str | threading.Event) -> Script:
    return Script(*pictures, pace=0.04)
