"""Pictures of a throw that people take with their phones and send, read as the table's own camera would read them.

In: a file's bytes. Out: a reading, which counts once however often its file is sent. Where the kiosk has no camera, the
reader is loaded with the first one.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from kiosk.engine import CommandResult, Engine, Present, reading_key
from kiosk.errors import CameraDeskError, KioskError, StaleError, words_of
from rules.dice import Reading, SourceKind, SourceStatus
from rules.game import ReportReading
from rules.words import Phrase, say
from vision.errors import PictureError, VisionError

if TYPE_CHECKING:
    from vision.desk.snapshots import Snapshots, TakenPicture

log = logging.getLogger(__name__)

LARGEST_MEGABYTES: Final = 20
"""The largest size of a phone's picture of 48 megapixels."""
LARGEST_PICTURE: Final = LARGEST_MEGABYTES * 1_000_000
"""Bytes of a picture's file."""
TOO_LARGE: Final = say(
    "This picture has more than {most} megabytes. Take it with a smaller picture size, or crop it round the dice.",
    most=LARGEST_MEGABYTES,
)
"""What is said of a larger one."""
TURN_SECONDS: Final = 20.0
"""How long a picture waits for the one that came before it; they are read one at a time."""
PLACES: Final = 2
"""Pictures taken in at a time: one is read, one waits. Each holds its bytes and a thread of the web server."""
_WAIT: Final = say("Other pictures are being read. Wait a moment, then send it again.")
"""What is said where every place is taken."""


class PhonePictures:
    """A source of dice that reports only when a picture is sent to it. Every method may be called from any thread."""

    def __init__(self, make: Callable[[], Snapshots]) -> None:
        """`make` loads the reader; it is asked with the first picture, and again where it failed."""
        self._make = make
        self._snapshots: Snapshots | None = None
        self._places = threading.BoundedSemaphore(PLACES)
        self._turn = threading.Lock()

    @property
    def kind(self) -> SourceKind:
        """See `DiceSource`."""
        return SourceKind.PHONE

    def start(self, report: Callable[[Reading], None], tell: Callable[[SourceStatus], None]) -> None:
        """See `DiceSource`. There is nothing to watch."""

    def stop(self) -> None:
        """See `DiceSource`."""

    def picture(self, key: str) -> bytes | None:
        """See `DiceSource`."""
        return self._snapshots.picture(key) if self._snapshots is not None else None

    def whole(self, key: str) -> bytes | None:
        """The whole picture of that die's throw, as JPEG, with the die marked."""
        return self._snapshots.whole(key) if self._snapshots is not None else None

    def has_cut_out(self, key: str) -> bool:
        """Whether `cut_out` has that die."""
        return self._snapshots is not None and self._snapshots.has_cut_out(key)

    def cut_out(self, key: str) -> bytes | None:
        """The die of that picture by itself, as WebP."""
        return self._snapshots.cut_out(key) if self._snapshots is not None else None

    @contextmanager
    def place(self) -> Iterator[None]:
        """Room for one more picture, to be had before its bytes are taken in.

        Raises `CameraDeskError` at once while `PLACES` pictures have it.
        """
        if not self._places.acquire(blocking=False):
            raise CameraDeskError(_WAIT)
        try:
            yield
        finally:
            self._places.release()

    def count(self, engine: Engine, data: bytes, request: int) -> tuple[CommandResult, Phrase]:
        """Read the picture, count its dice for the throw awaited as `request`, and return the result with any remark.

        A picture that was taken in before is not read. Raises `StaleError` where another throw or none is awaited,
        `CameraDeskError` where the picture cannot serve, and what `Engine.submit` raises.
        """
        _require_awaited(engine.present(), request)
        if len(data) > LARGEST_PICTURE:
            raise CameraDeskError(TOO_LARGE)
        if not self._turn.acquire(timeout=TURN_SECONDS):
            raise CameraDeskError(_WAIT)
        try:
            return self._count(engine, data, request)
        finally:
            self._turn.release()

    def _count(self, engine: Engine, data: bytes, request: int) -> tuple[CommandResult, Phrase]:
        seen = self._read(engine, data)
        if not seen.reading.dice:
            none = say("No dice were seen in this picture. Take it from straight above, sharp, the dice large in it.")
            raise CameraDeskError(seen.notice or none)
        made = engine.submit(
            ReportReading(reading=seen.reading),
            SourceKind.PHONE.value,
            reading_key(seen.reading),
            fits=lambda present: _require_awaited(present, request),
        )
        if not made.events:
            raise CameraDeskError(say("Nothing new lies there: these dice have counted. Throw, then take the picture."))
        return made, seen.notice

    def _read(self, engine: Engine, data: bytes) -> TakenPicture:
        try:
            snapshots = self._loaded()
            _require_new(engine, Reading(snapshots.name_of(data), SourceKind.PHONE, ()))
            return snapshots.read(data)
        except PictureError as error:
            why = say("This picture cannot be read: {why}.", why=error.what)
            raise CameraDeskError(why) from error
        except KioskError:
            raise
        except VisionError as error:
            raise CameraDeskError(words_of(error)) from error
        except Exception as error:
            log.exception("a phone's picture could not be read")
            words = say("The reader of dice fails on this picture. Take another one, or enter the dice by hand.")
            raise CameraDeskError(words) from error

    def _loaded(self) -> Snapshots:
        if self._snapshots is None:
            self._snapshots = self._make()
        return self._snapshots


def _require_new(engine: Engine, reading: Reading) -> None:
    if engine.knows(reading_key(reading)):
        raise CameraDeskError(say("This picture was taken in before. Take a new one of each throw."))


def _require_awaited(present: Present, request: int) -> None:
    awaited = present.table.request
    if awaited is None or awaited.number != request:
        raise StaleError(say("The table waits for no such throw any more. Look at what it waits for now."))
