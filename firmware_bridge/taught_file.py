"""The file of taught dice: read, kept, and watched, because people mend it by hand while the kiosk runs.

What a hand wrote is never written over unread, and what trueroll had kept is never lost to a hand: where an edit takes
dice away, they are put beside the file first.
"""

from __future__ import annotations

import logging
import os
import stat
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Final

from firmware_bridge.errors import NO_WORDS, TaughtError
from firmware_bridge.taught import DAMAGED_REMEDY, REMEDY, TaughtDice, read, written
from rules.words import Phrase, say, sentences

LARGEST_FILE: Final = 256 * 1024
"""Bytes of the longest file that is read."""

LOOK_INTERVAL: Final = 1.0
"""Seconds between two looks at whether the file was changed, however often the dice are asked for."""

AWAY: Final = say("Move it away, and put the file there from a backup or teach the dice again.")
"""What to do about what is no file."""

_LOG: Final = logging.getLogger(__name__)

_Stamp = tuple[int, int, int, int]
_UNREAD: Final[_Stamp] = (-1, -1, -1, -1)
"""The stamp of a file that was never read."""


class TaughtFile:
    """The dice that have been taught, kept in the file at `path`; every method may be called from any thread.

    Without a `path` they are kept in memory alone. Listeners are told of each change, on the thread that noticed it.
    `trouble` is why the file cannot be used now, None where it can; meanwhile the dice are as they were, and nothing is
    written. `noticed` says in words what was last changed by hand, empty where nothing was.
    """

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.path: Final = path
        self.trouble: TaughtError | None = None
        self.noticed: Phrase = NO_WORDS
        self._clock = clock
        self._lock = threading.Lock()
        self._taught = TaughtDice()
        self._data: bytes | None = None
        self._stamp: _Stamp | None = _UNREAD
        self._loaded = False
        self._looked = clock() - LOOK_INTERVAL
        self._listeners: list[Callable[[], None]] = []

    @property
    def taught(self) -> TaughtDice:
        """All dice, as last read or changed."""
        return self._taught

    def current(self) -> TaughtDice:
        """All dice, after a look at the file where the last one was a while ago. Never raises."""
        if self._clock() - self._looked >= LOOK_INTERVAL:
            self.refresh()
        return self._taught

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` after each change of the dice or of `trouble`."""
        self._listeners.append(listener)

    def load(self) -> TaughtDice:
        """Read the file; one that is not there says that no die has been taught. Raises `TaughtError`."""
        with self._lock:
            self._look(whole=True)
            self.noticed = NO_WORDS
            if self.trouble is not None:
                raise self.trouble
            return self._taught

    def refresh(self) -> None:
        """Read the file anew where somebody has changed it. Never raises: see `trouble` and `noticed`."""
        with self._lock:
            changed = self._look(whole=False)
        if changed:
            self._tell()

    def change(self, how: Callable[[TaughtDice], TaughtDice]) -> TaughtDice:
        """Keep what `how` makes of the dice, whole or not at all. Raises `TaughtError`; then nothing is written.

        What a hand has changed in the file meanwhile is read first.
        """
        found = False
        try:
            with self._lock:
                found = self._look(whole=True)
                if self.trouble is not None:
                    raise self.trouble
                changed = how(self._taught)
                if self.path is not None:
                    text = written(changed)
                    _replace(self.path, text)
                    self._data, self._stamp = text.encode(), self._stamp_now()
                self._taught, self.noticed, found = changed, NO_WORDS, True
        finally:
            if found:
                self._tell()
        return changed

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()

    def _look(self, *, whole: bool) -> bool:
        """Read what is in the file now, where it is not what was there; whether the dice or the trouble changed.

        `whole` looks at the bytes, not only at when they were written.
        """
        if self.path is None:
            return False
        self._looked = self._clock()
        dice, trouble = self._taught, str(self.trouble)
        stamp = self._stamp_now()
        if stamp == self._stamp and not whole:
            return False
        self._stamp = stamp
        try:
            data = _bytes_of(self.path)
            if not self._loaded or data != self._data or self.trouble is not None:
                self._take(data)
            self._data, self.trouble = data, None
        except TaughtError as error:
            if str(error) != trouble:
                self.trouble = self._put_by(error) if self._loaded else error
                _LOG.log(logging.WARNING if self._loaded else logging.DEBUG, "%s. %s", error, self.trouble.remedy)
        self._loaded = True
        return str(self.trouble) != trouble or self._taught != dice

    def _put_by(self, error: TaughtError) -> TaughtError:
        """The same trouble, with where the dice are kept that the file had: they are in memory alone from now on."""
        if not self._taught.dice:
            return error
        try:
            beside = _put_beside(self.path or Path(), self._taught)
        except TaughtError:
            return error
        kept = say("The dice as they were before are in {file}.", file=beside)
        return TaughtError(error.what, sentences(error.remedy, kept))

    def _take(self, data: bytes | None) -> None:
        """Take over the dice in `data`. Raises `TaughtError` where it holds none, or those before cannot be kept."""
        try:
            found = TaughtDice() if data is None else read(data.decode("utf-8"), str((self.path or Path()).absolute()))
        except UnicodeDecodeError:
            raise TaughtError(
                say("{place} is damaged: what is in it is no text", place=str(self.path)), DAMAGED_REMEDY
            ) from None
        before, self.noticed = self._taught, NO_WORDS
        if not self._loaded or found == before:
            self._taught = found
            return
        kept = {(die.name, die.tags, die.kind, die.side) for die in found.dice}
        gone = [die.name for die in before.dice if (die.name, die.tags, die.kind, die.side) not in kept]
        self.noticed = say("The file of taught dice was changed by hand and has been read anew.")
        if gone:
            try:
                beside = _put_beside(self.path or Path(), before)
            except TaughtError:
                self._stamp = _UNREAD  # so that it is tried again
                raise
            self.noticed = sentences(
                self.noticed,
                say(
                    "Another or gone: {dice}. The dice as they were before are in {file}.",
                    dice=", ".join(gone),
                    file=beside,
                ),
            )
        self._taught = found
        _LOG.info("%s", self.noticed)

    def _stamp_now(self) -> _Stamp | None:
        try:
            found = (self.path or Path()).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def _bytes_of(path: Path) -> bytes | None:
    """The content of the file; None if there is none. Raises `TaughtError`, also for a pipe, which would block."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise TaughtError(say("{place} is no file", place=str(path)), AWAY)
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        if not path.is_symlink():
            return None
        raise TaughtError(say("{place} is a link to a file that is not there", place=str(path)), AWAY) from None
    except OSError as error:
        raise TaughtError(
            say("{place} cannot be read: {reason}", place=str(path), reason=str(error.strerror)),
            say("Check its permissions."),
        ) from error
    if len(data) > LARGEST_FILE:
        raise TaughtError(say("{place} is too large to be a file of taught dice", place=str(path)), REMEDY)
    return data


def _put_beside(path: Path, dice: TaughtDice) -> str:
    """Write `dice` to a file beside the one at `path`, unless one has these; its name. Raises `TaughtError`."""
    for number in count(1):
        beside = path.with_name(f"{path.stem}.before-{number}{path.suffix}")
        if not os.path.lexists(beside):
            _replace(beside, written(dice))
            return beside.name
        with suppress(TaughtError):  # a folder or the like that has the name stays
            if _bytes_of(beside) == written(dice).encode():
                return beside.name
    raise AssertionError  # pragma: no cover - count has no end


def _replace(path: Path, text: str) -> None:
    """Put `text` in the place of the file at `path`, so that a power cut leaves the old one or the new one."""
    fresh = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, fresh = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with open(handle, "w", encoding="utf-8") as file:  # noqa: PTH123 - an open descriptor
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(fresh).replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        with suppress(OSError):
            Path(fresh).unlink(missing_ok=True)
        raise TaughtError(
            say("{place} cannot be written: {reason}", place=str(path), reason=str(error.strerror)),
            say("Make room on the disk or mend the folder's permissions."),
        ) from error
