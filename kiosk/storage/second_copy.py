"""Every decision of the journal once more, a line each, in a file beside it: what a damaged journal is restored from.

SQLite tells that a page is damaged and cannot restore it. A line holds a decision's rows as the journal has them, and
the checksum that chains them to the decision before. A bit that fell over costs a line here or a page there, and the
other file still has what it was. The journal is the truth: a line is added once the journal has its decision, without
waiting for the disk once more. What a power cut takes from the end is added from the journal at the next start.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from kiosk.errors import JournalError, JournalNewerError, JournalUnreadableError
from kiosk.ports import Clock, Entry, SetAside
from kiosk.storage.journal import (
    SCHEMA_VERSION,
    FileJournal,
    Row,
    checksum_of,
    damaged_name,
    open_for_reading,
    open_journal,
    set_journal_aside,
)
from kiosk.storage.replacing import OWNERS_ALONE, sync
from rules.game import Decision

__all__ = ["JournalKeptTwice", "SecondCopy", "open_kept_twice", "second_copy_of"]

log = logging.getLogger(__name__)

TAIL: Final = 1 << 16
"""Bytes at the end of the file that are read at first to find the last line; twice as many until it is found."""


def second_copy_of(path: Path) -> Path:
    """Where the second copy of the journal at `path` is kept."""
    return path.with_suffix(".lines")


class SecondCopy:
    """The file of lines: `FORM CHECKSUM ROWS`, the journal's form, the decision's checksum, its rows as JSON.

    The rows are in the order of `journal.Row`, without the checksum.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def decisions(self) -> Iterator[list[Row]]:
        """Every decision in order, up to the first line that is not as it was written. Raises `OSError`."""
        before = ""
        try:
            file = self.path.open("rb")
        except FileNotFoundError:
            return
        with file:
            for line in file:
                rows = _rows_of(line, before)
                if rows is None:
                    return
                before = rows[0][-1] or ""
                yield rows

    def end(self) -> tuple[int, str] | None:
        """Number and checksum of the last decision, 0 and nothing where there is none; None where its line is damaged.

        Raises `OSError`.
        """
        if not self.path.exists():
            return 0, ""
        with self.path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            length = TAIL
            while True:
                file.seek(max(0, size - length))
                lines = file.read().splitlines(keepends=True)
                if len(lines) > 2 or length >= size:  # noqa: PLR2004 - the last, and one before it that is whole
                    break
                length *= 2
        if not lines:
            return 0, ""
        before = lines[-2].decode(errors="replace").split(" ", 2)[1:2] if len(lines) > 1 else [""]
        rows = _rows_of(lines[-1], *before) if before else None
        return None if rows is None else (rows[0][1], rows[0][-1] or "")

    def add(self, decisions: Iterable[Sequence[Row]]) -> None:
        """Add decisions, the rows of each with its checksum. Raises `OSError`; the file is as it was then."""
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, OWNERS_ALONE)
        with os.fdopen(descriptor, "ab", buffering=0) as file:
            size = file.seek(0, os.SEEK_END)
            try:
                for rows in decisions:
                    line = _line_of(rows)
                    if file.write(line) != len(line):
                        raise OSError(f"{self.path} took part of a line")  # noqa: TRY301 - the next line undoes it
            except OSError:
                file.truncate(size)
                raise

    def replace(self, decisions: Iterable[Sequence[Row]]) -> None:
        """Put these decisions in the place of all. Raises `OSError`; the file is as it was then."""
        made = SecondCopy(self.path.with_name(f"{self.path.name}.new"))
        made.path.unlink(missing_ok=True)
        made.add(decisions)
        sync(made.path)
        made.path.replace(self.path)
        sync(self.path.parent)


def _line_of(rows: Sequence[Row]) -> bytes:
    return f"{SCHEMA_VERSION} {rows[0][-1] or ''} {json.dumps([row[:-1] for row in rows])}\n".encode()


def _rows_of(line: bytes, before: str) -> list[Row] | None:
    """The rows of a decision that comes after the one with the checksum `before`; None where the line is damaged."""
    try:
        form, checksum, told = line.decode().split(" ", 2)
        rows: list[Row] = [(*row, None) for row in json.loads(told)]
        if form != str(SCHEMA_VERSION) or not rows or checksum_of(before, rows) != checksum:
            return None
    except (ValueError, TypeError):
        return None
    return [(*rows[0][:-1], checksum), *rows[1:]] if line.endswith(b"\n") else None


class JournalKeptTwice:
    """A journal in a file with its second copy; see `ports.Journal`. Opened by `open_kept_twice`."""

    def __init__(self, journal: FileJournal, second: SecondCopy, path: Path, clock: Clock) -> None:
        self._journal = journal
        self._second = second
        self._path = path
        self._clock = clock
        self._restored: SetAside | None = None
        self._copied: int | None = None
        """The last decision that the second copy has; None where it has to be written anew."""
        self._behind = False

    @property
    def sequence(self) -> int:
        """See `ports.Journal`."""
        return self._journal.sequence

    @property
    def set_aside(self) -> SetAside | None:
        """See `ports.Journal`."""
        return self._journal.set_aside or self._restored

    @property
    def altered(self) -> Mapping[int, str]:
        """See `ports.Journal`."""
        return self._journal.altered

    def append(self, decision: Decision, idempotency: str | None = None) -> int:
        """See `ports.Journal`. That the second copy cannot be written costs nothing but it."""
        sequence = self._journal.append(decision, idempotency)
        self._bring_up()
        return sequence

    def known(self, idempotency: str) -> tuple[Decision, int] | None:
        """See `ports.Journal`."""
        return self._journal.known(idempotency)

    def decisions(self, after: int = 0) -> Iterator[Decision]:
        """See `ports.Journal`."""
        return self._journal.decisions(after)

    def entries(self, after: int = 0, limit: int = 1000) -> tuple[Entry, ...]:
        """See `ports.Journal`."""
        return self._journal.entries(after, limit)

    def end_before(self, decision: int) -> None:
        """Restore the journal from its second copy, once; else as `ports.Journal` has it."""
        if self._restored is None and self.restore(f"decision {decision} is damaged"):
            return
        self._journal.end_before(decision)
        self._keep_lines_aside()
        self._bring_up()

    def close(self) -> None:
        """See `ports.Journal`."""
        self._journal.close()

    def settle(self) -> None:
        """Bring both files together after the journal was opened: each restores what the other lacks."""
        journal = self._journal
        if journal.set_aside is not None:
            self._fill(journal.set_aside.name)
        elif journal.altered:
            self.restore("what it says is not as it was written")
        try:
            found = self._second.end()
            end = found or self._last_whole()
        except OSError as error:
            log.warning("The second copy of the journal cannot be read: %s", error)
            found, end = None, (0, "")
        if end[0] > self._journal.decision:
            self._fill("")
        if end[0] > self._journal.decision or self._journal.checksum_at(end[0]) != end[1]:
            self._keep_lines_aside()
        elif found is not None:
            self._copied = end[0]
        self._bring_up()

    def _last_whole(self) -> tuple[int, str]:
        """Number and checksum of the last decision before the first damaged line."""
        last = 0, ""
        for rows in self._second.decisions():
            last = rows[0][1], rows[0][-1] or ""
        return last

    def restore(self, why: str) -> bool:
        """Set the journal aside and make it anew from the second copy, where that loses none of its decisions."""
        last = self._journal.decision
        try:
            reached, before = self._last_whole()
            reached = max((rows[0][1] for rows in self._whole(self._journal, reached, before)), default=reached)
        except (OSError, JournalError):
            return False
        if reached < last:
            return False
        self._journal.close()
        kept = set_journal_aside(self._path, self._clock, why)
        self._journal = open_journal(self._path, self._clock)
        self._journal.set_aside = SetAside(kept.name)
        self._fill(kept.name)
        return True

    def _fill(self, damaged: str) -> None:
        """Add to the journal what its second copy has beyond it, then what the damaged file of that name has."""
        began = self._journal.decision
        before = self._journal.checksum_at(began)
        try:
            lines = self._second.decisions()
            if began:
                lines = (rows for rows in lines if rows[0][1] > began)
            self._journal.take(_chained(lines, before))
        except (OSError, JournalError) as error:
            log.warning("The journal cannot be restored from its second copy: %s", error)
        last = self._journal.decision
        if damaged and last:
            try:
                with closing(open_for_reading(self._path.with_name(damaged), self._clock)) as kept:
                    self._journal.take(self._whole(kept, last, self._journal.checksum_at(last)))
            except JournalError:
                log.info("Nothing more can be read in %s.", damaged)
        if self._journal.decision > began:
            self._restored = SetAside(damaged, restored=self._journal.decision - began)
            self._journal.set_aside = None
            log.error("%d decisions of the journal were restored from its second copy.", self._journal.decision - began)

    @staticmethod
    def _whole(journal: FileJournal, after: int, before: str) -> Iterator[list[Row]]:
        """The decisions of `journal` after that one, up to the first that is not as it was written."""
        return _chained((rows for _, rows in journal.members(after)), before)

    def _bring_up(self) -> None:
        """Give the second copy what the journal has beyond it."""
        try:
            if self._copied is None:
                self._second.replace(rows for _, rows in self._journal.members(0))
            elif self._copied < self._journal.decision:
                self._second.add(rows for _, rows in self._journal.members(self._copied))
        except (OSError, JournalError) as error:
            if not self._behind:
                log.warning("The second copy of the journal cannot be written: %s. The journal itself is kept.", error)
            self._behind = True
            return
        if self._behind:
            log.warning("The second copy of the journal is written again.")
        self._behind = False
        self._copied = self._journal.decision

    def _keep_lines_aside(self) -> None:
        """Keep lines that are not this journal's under another name; the next are written anew."""
        self._copied = None
        try:
            if self._second.path.exists():
                self._second.path.rename(damaged_name(self._second.path, self._clock))
        except OSError as error:
            log.warning("The second copy of the journal cannot be set aside: %s", error)


def _chained(decisions: Iterable[list[Row]], before: str) -> Iterator[list[Row]]:
    """Decisions up to the first that does not follow the one before it, of which `before` is the checksum."""
    for rows in decisions:
        if checksum_of(before, rows) != rows[0][-1]:
            return
        before = rows[0][-1]
        yield rows


def _is_one_bit_away(path: Path) -> bool:
    """Whether the form that the file names, at byte 60, is this version's but for one bit. Raises `OSError`.

    https://www.sqlite.org/fileformat.html#user_version_number
    """
    with path.open("rb") as file:
        file.seek(60)
        return (int.from_bytes(file.read(4), "big") ^ SCHEMA_VERSION).bit_count() == 1


def open_kept_twice(path: Path, clock: Clock) -> JournalKeptTwice:
    """Open or make the journal at `path` with its second copy, and restore what is damaged from the other of the two.

    Raises as `open_journal`. A journal of a later version is damaged where its form is one bit away from this one and
    the last line beside it is of this one: a later version writes lines of its own form.
    """
    second = SecondCopy(second_copy_of(path))
    try:
        journal = open_journal(path, clock)
    except (JournalNewerError, JournalUnreadableError) as error:
        try:
            ours = any(second.end() or ()) and (isinstance(error, JournalUnreadableError) or _is_one_bit_away(path))
        except OSError:
            ours = False
        if not ours:
            raise
        kept = set_journal_aside(path, clock, str(error))
        journal = open_journal(path, clock)
        journal.set_aside = SetAside(kept.name)
    made = JournalKeptTwice(journal, second, path, clock)
    made.settle()
    return made
