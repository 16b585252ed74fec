"""The files beside a journal from which a start restores it, and their names."""

from __future__ import annotations

import logging
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from kiosk.storage.begun import BEGUN
from kiosk.storage.checkpoint import FILE_NAME as CHECKPOINT_NAME
from kiosk.storage.journal_names import damaged_journals
from kiosk.storage.replacing import open_file, sync
from kiosk.storage.salvage import MAGIC
from kiosk.storage.second_copy import LONGEST_HEAD, second_copy_of

log = logging.getLogger(__name__)

_LINES: Final = re.compile(rb"\d+ [0-9a-f]{64} \[\[")
"""The first bytes of a second copy."""


def look_whole(path: Path) -> Path:
    """The mark beside the journal at `path` that makes the next opening verify all of it."""
    return path.with_name(f"{path.stem}.look-whole")


def made_at(path: Path) -> Path:
    """The path of a new journal before it replaces the one at `path`."""
    return path.with_name(f"{path.stem}.restored{path.suffix}")


def discard(made: Path) -> None:
    """Remove a journal that was made beside the present one, with what readers left beside it. Raises `OSError`."""
    for end in ("", "-wal", "-shm"):
        made.with_name(made.name + end).unlink(missing_ok=True)


def put_names_right(files: StartFiles) -> None:
    """Give journal and second copy their own names where somebody exchanged them, or a power cut came in between.

    Each step leaves what the next start needs. Raises `OSError`.
    """
    if not os.path.lexists(files.journal):
        if _is_journal(files.second):
            files.second.replace(files.journal)
            log.warning("The journal had the name of its second copy. It has its own again.")
        return
    if not _is_lines(files.journal):
        return
    if _is_journal(files.second):
        files.second.replace(files.made)
    elif os.path.lexists(files.second) or not _is_journal(files.made):
        return
    files.journal.replace(files.second)
    files.made.replace(files.journal)
    sync(files.journal.parent)
    log.warning("The journal and its second copy had each other's names. They have their own again.")


def _is_journal(path: Path) -> bool:
    """Whether a file begins as SQLite's do."""
    return path.is_file() and _head_of(path).startswith(MAGIC)


def _is_lines(path: Path) -> bool:
    """Whether a file begins as a second copy does."""
    return path.is_file() and _LINES.match(_head_of(path)) is not None


def _head_of(path: Path) -> bytes:
    with open_file(path) as file:
        return file.read(LONGEST_HEAD)


def newest_damaged(path: Path) -> list[Path]:
    """The damaged journal that was set aside last from the one at `path`, if any was."""
    return damaged_journals(path)[-1:]


@dataclass(frozen=True, slots=True)
class StartFiles:
    """The files beside a journal that `open_kept_twice` reads: a copy of all that are there is opened as they are."""

    journal: Path
    second: Path
    made: Path
    whole: Path
    checkpoint: Path
    begun: Path
    damaged: tuple[Path, ...]

    @classmethod
    def of(cls, path: Path) -> Self:
        """Those of the journal at `path`. Raises `OSError`."""
        return cls(
            journal=path,
            second=second_copy_of(path),
            made=made_at(path),
            whole=look_whole(path),
            checkpoint=path.with_name(CHECKPOINT_NAME),
            begun=path.with_name(BEGUN),
            damaged=tuple(newest_damaged(path)),
        )

    @property
    def know_a_table(self) -> bool:
        """Whether one of them shows that there was a table, or holds it, if the journal itself is gone."""
        return any(one.exists() for one in (self.second, self.made, self.checkpoint, self.begun))

    @property
    def all(self) -> tuple[Path, ...]:
        """All their paths, with the journals' write-ahead logs, existing or not."""
        journals = (self.journal, self.made, *self.damaged)
        logs = (one.with_name(f"{one.name}-wal") for one in journals)
        return (*journals, *logs, self.second, self.whole, self.checkpoint, self.begun)

    def copy_to(self, folder: Path) -> Path:
        """Copy the existing ones into an empty folder; returns the path of the journal's copy. Raises `OSError`."""
        for file in self.all:
            if file.exists():
                shutil.copyfile(file, folder / file.name)
        return folder / self.journal.name
