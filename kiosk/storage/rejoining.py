"""Joins a rescued journal to the one that it continues, so that its decisions come back to their table.

Such a file may hold the end of a table alone, and its checksums begin anew with it. It continues a journal if the
decisions that both have, including the journal's last, are equal, down to the second. Then what it has beyond that is
chained to the journal, as it would have been had the disk taken it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from kiosk.errors import JournalDamagedError, JournalError, KioskError, WireError
from kiosk.ports import Clock
from kiosk.storage.folder import HeldFolder
from kiosk.storage.journal import FileJournal, open_for_reading
from kiosk.storage.journal_names import RESCUED, named_by_time
from kiosk.storage.kept_twice import open_kept_twice
from kiosk.storage.rows import Row, checksum_of
from kiosk.storage.told_once import FILE_NAME as TOLD_NAME
from kiosk.storage.told_once import ToldOnce
from kiosk.storage.wire import event_of

BEFORE: Final = "before-rejoin"
"""The name part of the journal from before: see `named_by_time`."""


class RejoinError(KioskError):
    """A file that does not continue the journal; nothing was changed."""


class Continued(Protocol):
    """The part of a journal that is needed here."""

    @property
    def decision(self) -> int:
        """The number of the last decision."""

    def members(self, after: int) -> Iterator[tuple[int, list[Row]]]:
        """Each decision after that one with its rows. Raises `JournalError`."""

    def checksum_at(self, decision: int) -> str:
        """The checksum by which what follows that decision is chained to it. Raises `JournalError`."""


@dataclass(frozen=True, slots=True)
class Rejoined:
    """The decisions that came back, and the name of the journal as it was before."""

    first: int
    last: int
    before: str


def lacking(journal: Continued, rescued: FileJournal) -> tuple[int, int] | None:
    """The first and the last decision that the rescued one has beyond the journal; None where there is none.

    Raises `RejoinError` where it does not continue the journal, or is damaged; `JournalError` where either cannot be
    read.
    """
    end = journal.decision
    if not rescued.decision:
        raise RejoinError("It holds no decision.")
    first = next(rescued.members(0))[0]
    if first > end + 1:
        missing = f"Decision {end + 1} is" if first == end + 2 else f"Decisions {end + 1} to {first - 1} are"
        raise RejoinError(f"{missing} missing between the journal and it: a newer journal of this table has them.")
    if _last_alike(journal, rescued) != min(end, rescued.decision):
        raise RejoinError("It has no decision in common with the journal's end: nothing tells that it continues it.")
    if rescued.decision <= end:
        return None
    _require_whole(rescued, end)
    return end + 1, rescued.decision


def _last_alike(journal: Continued, rescued: FileJournal) -> int:
    """The last decision that both have, 0 where there is none. Raises `RejoinError` where one is not alike in both."""
    last = 0
    others = journal.members(next(rescued.members(0))[0] - 1)
    number, other = next(others, (0, []))
    for found, rows in rescued.members(0):
        while other and number < found:
            number, other = next(others, (0, []))
        if not other:
            break
        if number == found:
            if not _alike(rows, other):
                raise RejoinError(
                    f"Decision {found} is another one in it than in the journal: it is of another table, or the table "
                    "was played on since."
                )
            last = found
    return last


def _alike(rows: Sequence[Row], other: Sequence[Row]) -> bool:
    """Whether both are the same decision; an earlier version's event is in this version's words in the other."""
    if [row[:-1] for row in rows] == [row[:-1] for row in other]:
        return True
    try:
        return [_read(row) for row in rows] == [_read(row) for row in other]
    except WireError:
        return False


def _read(row: Row) -> tuple[object, ...]:
    return (*row[:5], event_of(row[5]), *row[6:-1])


def _require_whole(rescued: FileJournal, end: int) -> None:
    """Raise `RejoinError` unless all that it has after that decision is there, as it was written, and can be read."""
    before = rescued.checksum_at(end)
    sequence = next((rows[-1][0] for number, rows in rescued.members(end - 1) if number == end), 0) if end else 0
    number = end
    for number, rows in rescued.members(end):
        if rows[0][0] != sequence + 1 or checksum_of(before, rows) != rows[0][-1]:
            raise RejoinError(f"Decision {number} in it is not as it was written, or one before it is missing.")
        before, sequence = rows[0][-1] or "", rows[-1][0]
    try:
        for _ in rescued.decisions(end):
            pass
    except JournalDamagedError as error:
        raise RejoinError(f"Decision {error.decision} in it cannot be read.") from error


def _chained(journal: Continued, rescued: FileJournal) -> Iterator[Sequence[Row]]:
    """The decisions that the rescued one has beyond the journal, chained to it."""
    before = journal.checksum_at(journal.decision)
    for _, rows in rescued.members(journal.decision):
        before = checksum_of(before, rows)
        yield [(*rows[0][:-1], before), *rows[1:]]


def rejoin(path: Path, file: Path, clock: Clock) -> Rejoined | None:
    """Put what the journal `file` has beyond the one at `path` behind it; None where that has all of it.

    The file stays as it is, and the journal as it was before is kept beside. Raises `RejoinError` where both are the
    same file or the one does not continue the other, `JournalBusyError` while a kiosk runs, `JournalError` where one
    cannot be read or written; then nothing was added.
    """
    with closing(open_for_reading(file, clock)) as rescued:
        if path.exists() and path.samefile(file):
            raise RejoinError("It is the table's own journal.")
        with closing(open_for_reading(path, clock)) as before:
            if lacking(before, rescued) is None:
                return None
        with HeldFolder(path.parent), closing(open_kept_twice(path, clock)) as journal:
            found = lacking(journal, rescued)  # the second copy may have brought some of it back
            if found is None:
                return None
            kept = named_by_time(path, BEFORE, clock)
            journal.copy_to(kept)
            try:
                journal.take(_chained(journal, rescued))
            except JournalError:
                kept.unlink(missing_ok=True)
                raise
            told = ToldOnce(path.with_name(TOLD_NAME))
            told.new_names((file.name if file.parent.resolve() == path.parent.resolve() else str(file),), RESCUED)
    return Rejoined(*found, kept.name)
