"""Backups by a tap, and each week to a USB stick that the owner has marked with a folder called `trueroll-backups`.

A stick without that folder is never written to, and one that is not plugged in is missed by nobody. Without a stick a
tap keeps the backup beside the journal, which helps against a mistake and not against a card that dies.
"""

from __future__ import annotations

import logging
import os
import shutil
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from kiosk.ports import Clock
from kiosk.storage.backup import CUT_OFF, BackupError, Manifest, back_up, left_out_words, usual_name
from rules.dice import SourceState
from rules.words import Phrase, known, say, sentences

log = logging.getLogger(__name__)

MARK: Final = "trueroll-backups"
"""The folder by which the owner marks a stick, and in which its backups are kept."""
OWN_FOLDER: Final = "backups"
"""The folder in the data folder for backups of a kiosk without a stick."""

PLACES: Final = ("/media/*", "/media/*/*", "/run/media/*/*", "/mnt/*")
"""Where sticks are found once they are mounted."""

WEEK_SECONDS: Final = 7 * 24 * 3600.0
"""Age of a stick's newest backup at which the next is made."""

LOOK_SECONDS: Final = 600.0
"""How often a stick is looked for."""

MOST_KEPT: Final = 8
"""Backups kept in a folder; the oldest give way."""

END_SECONDS: Final = 2.0
"""How long the kiosk's end waits for a backup that is being made; a stick that hangs would hold it for ever."""

_NAMES: Final = "trueroll-????????T??????Z.zip"
"""The pattern for the names of backups on a stick."""
_STAMP: Final = "trueroll-%Y%m%dT%H%M%SZ.zip"
"""The name of a backup on a stick, with its time in UTC."""

Tell = Callable[[SourceState, Phrase, Phrase | str], None]
"""Receives the state of backups, in words, and what to do."""


class BackupKeeper:
    """Makes backups of the folder `data`. Every method may be called from any thread.

    `mounted` gives the folders that may be sticks; `tell` is called when one was made, or could not be.
    `copy_journal` is as `backup.back_up` has it.
    """

    def __init__(
        self,
        data: Path,
        clock: Clock,
        tell: Tell,
        mounted: Callable[[], Iterable[Path]] | None = None,
        copy_journal: Callable[[Path], int] | None = None,
    ) -> None:
        self._data = data
        self._copy_journal = copy_journal
        self._clock = clock
        self._tell = tell
        self._mounted = mounted or mounted_sticks
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="backups", daemon=True)

    def start(self) -> None:
        """Begin to look for a marked stick every `LOOK_SECONDS`."""
        self._thread.start()

    def stop(self) -> None:
        """Stop, after waiting a limited time for a backup in progress; calling it twice is fine."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(END_SECONDS)

    def stick(self) -> Path | None:
        """The folder for backups on a marked stick, where one is plugged in."""
        for one in self._mounted():
            with suppress(OSError):
                if (one / MARK).is_dir():
                    return one / MARK
        return None

    def seen(self) -> tuple[bool, float | None]:
        """Whether a marked stick is plugged in, and the time of the newest visible backup.

        In seconds since 1970-01-01 UTC. The stick is looked for once: where it is mounted at its first use, the system
        waits for one that is not there.
        """
        stick = self.stick()
        folders = (stick, self._data / OWN_FOLDER)
        made = (time for one in folders if one is not None for time in _made_in(one))
        return stick is not None, max(made, default=None)

    def now(self) -> Path:
        """Make a backup on a marked stick, or else beside the journal. Raises `BackupError`, which is reported, too."""
        return self._made(self.stick() or self._data / OWN_FOLDER)

    def each_week(self) -> None:
        """Make one on a marked stick without a backup of the last seven days; report what goes wrong."""
        stick, now = self.stick(), self._clock.now()
        if stick is not None and all(abs(now - one) >= WEEK_SECONDS for one in _made_in(stick)):
            with suppress(BackupError):
                self._made(stick)

    def _made(self, folder: Path) -> Path:
        with self._lock:
            file = folder / usual_name(self._clock)
            try:
                with suppress(OSError):
                    folder.mkdir(exist_ok=True, mode=0o700)
                _forget_what_was_cut_off(folder)
                made = back_up(self._data, file, self._clock, self._copy_journal)
            except BackupError as error:
                what = say("No backup was made. {why}", why=known(str(error)))
                self._tell(SourceState.LOST, what, say("Try another stick or disk."))
                raise
            _forget_the_oldest(folder, but=file)
        self._tell(SourceState.READY, _words(made, file), "")
        return file

    def _run(self) -> None:
        while not self._ended.wait(LOOK_SECONDS):
            try:
                self.each_week()
            except Exception:
                log.exception("looking for a stick failed")


def _words(made: Manifest, file: Path) -> Phrase:
    words = say("A backup of {decisions} decisions is in {file}.", decisions=made.decisions, file=str(file))
    return sentences(words, left_out_words(made)) if made.left_out else words


def _made_in(folder: Path) -> list[float]:
    """The time of each backup in that folder, from its name."""
    found: list[float] = []
    for one in _backups_in(folder):
        with suppress(ValueError):
            found.append(datetime.strptime(one.name, _STAMP).replace(tzinfo=UTC).timestamp())
    return found


def _backups_in(folder: Path) -> list[Path]:
    try:
        return sorted(folder.glob(_NAMES))
    except OSError:
        return []  # a stick that was pulled just now


def _forget_the_oldest(folder: Path, but: Path) -> None:
    """Keep `MOST_KEPT`: the one just made, whatever its clock said, and the newest of the others."""
    others = [one for one in _backups_in(folder) if one != but]
    with suppress(OSError):
        for one in others[: max(0, len(others) + 1 - MOST_KEPT)]:
            one.unlink()


def _forget_what_was_cut_off(folder: Path) -> None:
    """Delete unfinished backups."""
    for one in folder.glob(f"{CUT_OFF}*"):
        shutil.rmtree(one, ignore_errors=True)
    for one in folder.glob(f"{_NAMES}.new"):
        with suppress(OSError):
            one.unlink()


def mounted_sticks() -> list[Path]:
    """The folders at which sticks are mounted now."""
    root = Path("/")
    return [one for place in PLACES for one in sorted(root.glob(place.removeprefix("/"))) if os.path.ismount(one)]
