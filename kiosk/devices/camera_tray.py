"""A dice tray whose camera sends pictures: they are read by the same reader as any camera's.

In: the tray (`firmware_bridge.supervisor`), and what reads its pictures. Out: readings, and the tray's state. Reading
has a thread of its own, so that the tray's heartbeat goes on; what fails there costs the tray's pictures alone.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

from kiosk.errors import words_of
from kiosk.ports import DiceSource
from rules.dice import Reading, SourceKind, SourceState, SourceStatus
from rules.words import Phrase, say, sentences, worded
from vision.errors import PictureError, VisionError

if TYPE_CHECKING:
    from firmware_bridge.pictures import TrayPicture
    from vision.desk.tray_pictures import TrayPictures

log = logging.getLogger(__name__)

MOST_WAITING: Final = 4
"""Pictures that wait while one is read. Nobody throws so quickly: more are a tray gone wrong, and the oldest goes."""
STOP_WITHIN: Final = 2.0
"""Seconds that the thread has to end."""

_LOST: Final = say("A picture of the dice tray did not arrive whole.")
"""What is said of a picture that lacks bytes."""
_FAILS: Final = say("The reader of dice fails on the dice tray's picture.")
"""What is said of a picture on which the reader raised an error."""
_AGAIN: Final = say("Enter the dice by hand, or throw again; the next picture is tried.")
"""What to do after a picture that gave no dice."""
_RESTLESS: Final = say("The dice tray announces one picture after the other, and none of them comes whole.")
"""What is said of a tray that sees no end of a throw."""
_CHECK: Final = say(
    "Enter the dice by hand. Look for lamps that flicker over the tray; `trueroll tray check` tries it."
)
"""What to do about it: its own camera takes flicker for dice that move, or its program is wrong."""


@dataclass(frozen=True, slots=True)
class _Trouble:
    """Why a picture gave no dice, and what to do."""

    what: Phrase
    remedy: Phrase = _AGAIN


@dataclass(frozen=True, slots=True)
class TrayShot:
    """A picture that the tray's camera sent: which one it is, from 1, and its JPEG file."""

    number: int
    data: bytes


class PicturingTray(DiceSource, Protocol):
    """A tray that hands its pictures to whoever listens."""

    show: Callable[[TrayPicture], None]
    """Given each picture, from the tray's thread."""


class CameraTray:
    """The tray as a source, with or without a camera; `make` loads the reader, once the tray has said that it has one.

    Every method may be called from any thread.
    """

    kind: Final = SourceKind.TRAY

    def __init__(self, tray: PicturingTray, make: Callable[[], TrayPictures]) -> None:
        self._tray = tray
        self._make = make
        self._pictures: TrayPictures | None = None
        self._newest: TrayShot | None = None
        self._waiting: deque[TrayPicture] = deque()
        self._work = threading.Condition()
        self._to_load = self._has_camera = self._at_work = False
        self._left_out = 0
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._status: SourceStatus | None = None
        self._told: SourceStatus | None = None
        self._trouble: _Trouble | None = None
        self._notice: Phrase = worded("")
        self.rested: Callable[[str, float], None] = lambda _name, _at: None
        """Told of each reading of a picture before it is reported: its name, and when its dice had come to rest."""
        self._report: Callable[[Reading], None] = lambda _: None
        self._tell: Callable[[SourceStatus], None] = lambda _: None

    def start(self, report: Callable[[Reading], None], tell: Callable[[SourceStatus], None]) -> None:
        """See `DiceSource`."""
        self._report, self._tell = report, tell
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(self._stopping,), name="tray pictures", daemon=True)
        self._thread.start()
        self._tray.show = self._take
        self._tray.start(report, self._told_by_tray)

    def stop(self) -> None:
        """See `DiceSource`. A picture that is being read is read to its end, those that wait are not."""
        self._tray.stop()
        with self._lock:
            self._status = self._told = None  # nothing would send a picture now
        with self._work:
            self._stopping.set()
            self._waiting.clear()  # after the next start they would be told as new
            self._work.notify_all()
        if self._thread is not None:
            self._thread.join(STOP_WITHIN)

    def picture(self, key: str) -> bytes | None:
        """See `DiceSource`."""
        return self._pictures.picture(key) if self._pictures is not None else None

    @property
    def is_ready(self) -> bool:
        """Whether it has a camera and would send a picture of a throw now."""
        with self._lock:
            status = self._status
        return self._has_camera and status is not None and status.state is SourceState.READY

    @property
    def newest(self) -> TrayShot | None:
        """The newest picture that came whole; None before the first."""
        return self._newest

    def whole(self, key: str) -> bytes | None:
        """The whole picture of that die's throw, as JPEG, with the die marked."""
        return self._pictures.whole(key) if self._pictures is not None else None

    def has_cut_out(self, key: str) -> bool:
        """Whether `cut_out` has that die."""
        return self._pictures is not None and self._pictures.has_cut_out(key)

    def cut_out(self, key: str) -> bytes | None:
        """The die of that picture by itself, as WebP."""
        return self._pictures.cut_out(key) if self._pictures is not None else None

    def _take(self, picture: TrayPicture) -> None:
        with self._work:
            left_out = len(self._waiting) >= MOST_WAITING
            if left_out:
                self._waiting.popleft()  # the newest is the one that shows how the dice lie now
                self._left_out += 1
            self._waiting.append(picture)
            self._work.notify_all()
        if left_out and self._left_out == 1:
            log.warning("The dice tray sends pictures more quickly than they are read; the oldest are left out.")

    def _told_by_tray(self, status: SourceStatus) -> None:
        if status.detail.get("camera") and not self._has_camera:
            with self._work:
                self._has_camera = self._to_load = True  # now, so that the first throw does not wait for the reader
                self._work.notify_all()
        with self._lock:
            self._status = status
        self._say()

    def _run(self, stopping: threading.Event) -> None:
        def is_due() -> bool:  # one thread reads at a time, also after a stop: the reader is no more than that
            return stopping.is_set() or (not self._at_work and bool(self._waiting or self._to_load))

        while True:
            with self._work:
                self._work.wait_for(is_due)
                if stopping.is_set():
                    return
                picture = self._waiting.popleft() if self._waiting else None
                self._to_load, self._at_work = False, True
            try:
                if picture is None:
                    self._load()
                else:
                    self._see(picture)
            finally:
                with self._work:
                    self._at_work = False
                    self._work.notify_all()
            with self._work:
                if self._waiting or not self._left_out:
                    continue
                left_out, self._left_out = self._left_out, 0
            log.info("The dice tray's pictures are read as they come again; %d were left out.", left_out)

    def _load(self) -> None:
        try:
            self._loaded()
        except Exception:
            log.exception("what reads the dice tray's pictures could not be loaded; the first picture tries again")

    def _loaded(self) -> TrayPictures:
        if self._pictures is None:
            self._pictures = self._make()
        return self._pictures

    def _see(self, picture: TrayPicture) -> None:
        trouble, notice = self._read(picture)
        if trouble is not None and self._trouble is None:
            log.warning("%s %s", trouble.what, trouble.remedy)
        elif trouble is None and self._trouble is not None:
            log.info("The dice tray's pictures are read again.")
        with self._lock:
            self._trouble, self._notice = trouble, notice
        self._say()

    def _read(self, picture: TrayPicture) -> tuple[_Trouble | None, Phrase]:
        """Read it and report its dice; what went wrong in words, and what those who wait for dice should know."""
        nothing = worded("")
        if not picture.data:
            return _Trouble(_RESTLESS, _CHECK) if picture.restless else _Trouble(_LOST), nothing
        try:
            seen = self._loaded().read(picture.reading_id, picture.data, found=picture.found)
        except PictureError as error:
            return _Trouble(words_of(error)), nothing
        except VisionError as error:
            self._keep(picture.data)
            return _Trouble(words_of(error)), nothing
        except Exception:
            log.exception("a picture of the dice tray could not be read")
            self._keep(picture.data)
            return _Trouble(_FAILS), nothing
        self._keep(picture.data)
        if seen.reading is not None:
            self.rested(seen.reading.reading_id, picture.at)
            self._report(seen.reading)
        return None, seen.notice

    def _keep(self, data: bytes) -> None:
        self._newest = TrayShot(1 + (self._newest.number if self._newest is not None else 0), data)

    def _say(self) -> None:
        with self._lock:
            status = self._status
            if status is None:
                return
            if status.state is SourceState.READY and self._trouble is not None:
                status = replace(status, state=SourceState.LOST, what=self._trouble.what, remedy=self._trouble.remedy)
            elif status.state is SourceState.READY and self._notice:
                notice = sentences(status.notice, self._notice)
                status = replace(status, remedy=sentences(status.remedy, self._notice), notice=notice)
            if status == self._told:
                return
            self._told = status
            self._tell(status)
