"""The names of a journal and of what is kept beside it, and how a damaged one is set aside."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from kiosk.ports import Clock

log = logging.getLogger(__name__)

DAMAGED_NAME: Final = "damaged"
"""The name part of a damaged journal that was set aside: see `named_by_time`."""

RESCUED: Final = "rescued"
"""The name part of a journal rescued from memory when a run ended: see `named_by_time`."""

IN_MEMORY: Final = "in-memory"
"""The name part of a journal begun in memory that continues beside another table's."""

BESIDE: Final = "kept beside"
"""The name under which the screens and the doctor tell of journals that were written beside another."""


def damaged_journals(path: Path) -> list[Path]:
    """The damaged journals that were set aside from `path`, the oldest first."""
    return journals_beside(path, DAMAGED_NAME)


def journals_beside(path: Path, what: str) -> list[Path]:
    """The journals beside the one at `path` with `what` in their names, the oldest first: see `named_by_time`."""
    return sorted(path.parent.glob(f"{path.stem}.{what}-*{path.suffix}"))


def set_journal_aside(path: Path, clock: Clock, why: str) -> Path:
    """Rename a damaged journal with its companions, so that a person can look at it.

    The journal goes first. A power cut in between leaves a log without a journal, which `log_left_behind` notices; a
    journal without its log would be taken for the whole.
    """
    kept = damaged_name(path, clock)
    path.rename(kept)
    _rename_companions(path, kept)
    log.error("The journal was damaged (%s). It is kept as %s; a fresh one was begun.", why, kept)
    return kept


def log_left_behind(path: Path) -> Path | None:
    """Finish what a power cut interrupted in `set_journal_aside`, and name the journal; None if there was nothing.

    The log must not stay: SQLite would take it for that of the next journal at `path`. Raises `OSError`.
    """
    kept = damaged_journals(path)[-1:]
    if os.path.lexists(path) or not kept or not wal_of(path).exists() or wal_of(kept[0]).exists():
        return None
    _rename_companions(path, kept[0])
    log.warning("%s was not set aside whole before this start: it has its log again.", kept[0].name)
    return kept[0]


def _rename_companions(path: Path, kept: Path) -> None:
    for companion in ("-wal", "-shm"):
        beside = path.with_name(path.name + companion)
        if beside.exists():
            beside.rename(kept.with_name(kept.name + companion))


def damaged_name(path: Path, clock: Clock) -> Path:
    """The name for a damaged file, beside `path`."""
    return named_by_time(path, DAMAGED_NAME, clock)


def wal_of(path: Path) -> Path:
    """The write-ahead log of the journal at `path`."""
    return path.with_name(f"{path.name}-wal")


def looks_of(*files: Path) -> tuple[tuple[int, int, int], ...]:
    """The attributes of files that change with every write; for each existing file."""
    looks = []
    for one in files:
        with suppress(OSError):
            found = one.stat()
            looks.append((found.st_ino, found.st_size, found.st_mtime_ns))
    return tuple(looks)


def named_by_time(path: Path, what: str, clock: Clock) -> Path:
    """A name beside `path` that says what it is and when, and that no file has yet."""
    stamp = datetime.fromtimestamp(clock.now(), tz=UTC).strftime("%Y%m%dT%H%M%SZ")
    number, kept = 1, path.with_name(f"{path.stem}.{what}-{stamp}{path.suffix}")
    while kept.exists():
        number += 1
        kept = path.with_name(f"{path.stem}.{what}-{stamp}-{number}{path.suffix}")
    return kept
