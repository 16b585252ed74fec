"""Every decision of the journal once more, a line each, in a file beside it: what a damaged journal is restored from.

SQLite tells that a page is damaged and cannot restore it. A line holds a decision's rows as the journal has them, and
the checksum that chains them to the decision before. A flipped bit damages a line here or a page there, and the other
file still has the original. The journal is the truth: a line is added once the journal has its decision, without
waiting for the disk once more. Lines lost at the end in a power cut are added from the journal at the next start.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from heapq import merge
from itertools import groupby, takewhile
from pathlib import Path
from typing import Final, Self

from kiosk.errors import JournalError, JournalFullError, JournalNewerError, JournalUnreadableError, WireError
from kiosk.ports import Clock, Entry, LeftOut, SecondCopyState, SetAside
from kiosk.storage.begun import BEGUN, Mark
from kiosk.storage.checkpoint import FILE_NAME as CHECKPOINT_NAME
from kiosk.storage.journal import (
    DAMAGED_NAME,
    PAGE,
    RECENT,
    SCHEMA_VERSION,
    FileJournal,
    Row,
    checksum_of,
    damaged_journals,
    is_damage,
    is_sound,
    log_altered,
    log_left_behind,
    looked_through,
    looks_of,
    named_by_time,
    open_for_reading,
    open_journal,
    set_journal_aside,
    wal_of,
)
from kiosk.storage.replacing import OWNERS_ALONE, open_file, sync
from kiosk.storage.salvage import IS_CHECKSUM, Behind, Salvage, behind, frames_taken
from kiosk.storage.wire import event_of
from rules.game import Decision
from rules.words import Phrase, say

__all__ = ["JournalKeptTwice", "SecondCopy", "StartFiles", "open_kept_twice", "second_copy_of", "tried"]

log = logging.getLogger(__name__)

COMPARED: Final = 2000
"""Decisions up to which both files are compared line by line on opening: to read a line takes five times as long as to
look at a checksum."""

TAIL: Final = 1 << 16
"""Bytes at the end of the file that are read first to find the last line, doubled until it is found."""

OTHER_TABLE: Final = "other-table"
"""The name part of a second copy of another table that was set aside: see `named_by_time`."""

_SQLITE: Final = b"SQLite format 3\0"
"""The first bytes of a journal: https://www.sqlite.org/fileformat.html#magic_header_string"""

_LINES: Final = re.compile(rb"\d+ [0-9a-f]{64} \[\[")
"""The first bytes of a second copy."""

_BEGUN: Final = re.compile(rb'\d+ [0-9a-f]{64} \[\[\d+, (\d+), 0, "(?:[^"\\]|\\.)*", "(\w+)"')
"""The beginning of a line: the number of its decision, and its subject."""

LARGEST_WAL: Final = 1 << 26
"""Bytes of a write-ahead log at most that is held in memory while the journal is opened: it has 4 MB as a rule."""

_CHECKSUM: Final = re.compile(rb"(?<![0-9a-f])([0-9a-f]{64}) ")
"""The checksum in a line of which something else is damaged."""

LONGEST_HEAD: Final = 100
"""Bytes of a line in which its checksum begins and ends."""

Rows = list[Row]
"""The rows of one decision, the first with its checksum."""


def second_copy_of(path: Path) -> Path:
    """Where the second copy of the journal at `path` is kept."""
    return path.with_suffix(".lines")


class SecondCopy:
    """The file of lines: `FORM CHECKSUM ROWS`, the journal's form, the decision's checksum, its rows as JSON.

    The rows are in the order of `journal.Row`, without the checksum.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._left: tuple[tuple[int, int, int], ...] | None = None
        """The file's attributes when it was last read or written."""

    def harm(self) -> str:
        """The damage done to it since it was last read or written, as the end of a sentence; empty if none."""
        if not self.path.exists():
            return "taken away"
        return "changed by another program" if self._left not in {None, looks_of(self.path)} else ""

    def decisions(self) -> Iterator[Rows]:
        """Every decision with a readable line, in order; `_chosen` checks whether it is unaltered.

        Raises `OSError`.
        """
        try:
            file = open_file(self.path)
        except FileNotFoundError:
            return
        with file:
            yield from _rising(rows for line in file if (rows := _rows_of(line)) is not None)

    def checksums(self) -> set[str]:
        """The checksums of the lines that cannot be read. Raises `OSError`."""
        if not self.path.exists():
            return set()
        with open_file(self.path) as file:
            lost = (_CHECKSUM.search(line[:LONGEST_HEAD]) for line in file if _rows_of(line) is None)
            return {found[1].decode() for found in lost if found is not None}

    def wrong(self, decisions: Iterable[Rows], last: int) -> Iterator[int]:
        """Which of these decisions of the journal, up to that one, it has not, or otherwise; and which it alone has.

        Raises `OSError`.
        """
        for one, two in _paired(decisions, self.decisions()):
            number = (one or two or [])[0][1]
            if one != two and number <= last:
                yield number

    def end(self) -> tuple[int, str] | None:
        """Number and checksum of the last decision, 0 and nothing where there is none; None where its line is damaged.

        Raises `OSError`.
        """
        if not self.path.exists():
            return 0, ""
        self._left = looks_of(self.path)
        with open_file(self.path) as file:
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
        rows = _rows_of(lines[-1])
        before = _rows_of(lines[-2]) if len(lines) > 1 else None
        if rows is None or (len(lines) > 1 and before is None):
            return None
        number, checksum = rows[0][1], rows[0][-1] or ""
        return (number, checksum) if checksum_of(before[0][-1] or "" if before else "", rows) == checksum else None

    def begun(self) -> LeftOut | None:
        """The decision of an incomplete last line, with its subject if readable.

        None if the file ends with a readable line: an unreadable one before it is a gap, and reported as one. Raises
        `OSError`.
        """
        if self.end() is not None:
            return None
        last = max((rows[0][1] for rows in self.decisions()), default=0)
        with open_file(self.path) as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
            lines = file.read().splitlines(keepends=True)
        rows = _rows_of(lines[-1]) if lines else None
        if rows is not None and rows[0][1] == last:
            return None
        found = _BEGUN.match(lines[-1]) if lines else None
        if found is None or int(found[1]) <= last:
            return LeftOut(last + 1, "")
        return LeftOut(int(found[1]), found[2].decode())

    def add(self, decisions: Iterable[Sequence[Row]]) -> None:
        """Add decisions, the rows of each with its checksum. Raises `OSError`; the file is as it was then."""
        # without blocking: a pipe in its place, which nobody reads, would hold up every decision
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK, OWNERS_ALONE)
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
            finally:
                self._left = looks_of(self.path)

    def replace(self, decisions: Iterable[Sequence[Row]]) -> None:
        """Put these decisions in the place of all. Raises `OSError`; the file is as it was then."""
        made = SecondCopy(self.path.with_name(f"{self.path.name}.new"))
        made.path.unlink(missing_ok=True)
        made.add(decisions)
        sync(made.path)
        made.path.replace(self.path)
        self._left = looks_of(self.path)
        sync(self.path.parent)


def _line_of(rows: Sequence[Row]) -> bytes:
    return f"{SCHEMA_VERSION} {rows[0][-1] or ''} {json.dumps([row[:-1] for row in rows])}\n".encode()


def _rows_of(line: bytes) -> Rows | None:
    """The rows of a decision from its line; None if the line is malformed."""
    try:
        form, checksum, told = line.decode().split(" ", 2)
        rows: Rows = [(*row, None) for row in json.loads(told)]
        fit = form == str(SCHEMA_VERSION) and line.endswith(b"\n") and rows and all(map(_is_row, rows))
    except (ValueError, TypeError):
        return None
    return [(*rows[0][:-1], checksum), *rows[1:]] if fit else None


def _is_row(row: Row) -> bool:
    return len(row) == len(Row.__args__) and isinstance(row[0], int) and isinstance(row[1], int)  # type: ignore[attr-defined]  # a tuple's


def _paired(first: Iterable[Rows], other: Iterable[Rows]) -> Iterator[tuple[Rows | None, Rows | None]]:
    """The decisions of both in order, each with the rows of either."""
    ones, others = iter(first), iter(other)
    one, two = next(ones, None), next(others, None)
    while one is not None or two is not None:
        if two is None or (one is not None and one[0][1] < two[0][1]):
            yield one, None
            one = next(ones, None)
        elif one is None or two[0][1] < one[0][1]:
            yield None, two
            two = next(others, None)
        else:
            yield one, two
            one, two = next(ones, None), next(others, None)


def _together(sources: Sequence[Iterable[Rows]]) -> Iterator[list[tuple[int, Rows]]]:
    """The decisions of all sources in order: what each of them has under one number, with the source's place."""

    def numbered(place: int, source: Iterable[Rows]) -> Iterator[tuple[int, Rows]]:
        return ((place, rows) for rows in source)

    merged = merge(*(numbered(*one) for one in enumerate(sources)), key=lambda one: (one[1][0][1], one[0]))
    return (list(members) for _, members in groupby(merged, key=lambda one: one[1][0][1]))


def _salvaged(sources: Sequence[Iterable[Rows]], checksums: Collection[str] = ()) -> Iterator[Rows]:
    """Each decision that is whole in one of the files of one table, of which any part may be lost in each.

    A decision is whole where its checksum follows that of the one before, as any file has it. Where the one before is
    lost, each of the `checksums` that are left of lost ones is tried. Where none of them fits, nothing tells whether
    the decision is whole: it is taken as it can be read, rather as more files have it. One that a salvaged file alone
    has between two gaps is not taken where it may go on in the second. One that is whole nowhere is taken as the first
    source has it, or is missing. Of two courses of one table the first one's is taken.
    """
    known, other = {""}, set[str]()
    sequence = number = 0
    loose = False
    held: Rows | None = None
    proven, alone = "", False
    for found in _together(sources):
        strays = [rows for _, rows in found if _follows_any(rows, other) and not _follows_any(rows, known)]
        candidates = [rows for _, rows in found if rows not in strays]
        follows = [one for one in candidates if _follows_any(one, known)]
        skips = [one for one in candidates if one[0][1] > number + 1 and one[0][0] > sequence + 1]
        follows = follows or [one for one in skips if _follows_any(one, checksums)]
        rows = follows[0] if follows else None
        if rows is None and (skips or loose):
            fit = [one for one in (candidates if loose else skips) if _seems_whole(one)]
            rows = max(fit, key=candidates.count, default=None)
            loose = rows is not None
        elif rows is not None:
            loose = False
        rows = rows or next((one for place, one in found if place == 0 and one in candidates), None)
        stored = {one[0][-1] or "" for one in candidates}
        other = {one[0][-1] or "" for one in strays}
        before = known
        if follows:
            known = {follows[0][0][-1] or ""}
            other |= stored - known
        elif candidates:
            known = stored | {checksum_of(one, rows) for rows in candidates for one in before}
        if rows is None or rows[0][0] <= sequence:
            continue
        joins = held is not None and (_has_no_more(held, rows) or _follows(rows, held[0][-1] or ""))
        if held is not None and (joins or not alone):
            # only the checksum of the one before was damaged where this one was chained to what it says
            yield _with_checksum(held, proven) if proven and _follows(rows, proven) else held
        after = checksum_of(held[0][-1] or "", rows) if held is not None else checksum_of("", rows)
        held, proven = rows, "" if follows else after
        alone = not follows and (0, rows) not in found
        sequence, number = rows[-1][0], rows[0][1]
    if held is not None:
        yield held


def _has_no_more(rows: Rows, following: Rows) -> bool:
    """Whether as many rows are missing between two decisions as decisions are: each has one at least."""
    return following[0][0] - rows[-1][0] == following[0][1] - rows[0][1]


def _with_checksum(rows: Rows, checksum: str) -> Rows:
    return [(*rows[0][:-1], checksum), *rows[1:]]


def _follows_any(rows: Rows, before: Iterable[str]) -> bool:
    return any(_follows(rows, one) for one in before)


def _seems_whole(rows: Rows) -> bool:
    """Whether nothing but its checksum could tell that these rows are not a whole decision."""
    places = [(row[0] - rows[0][0], row[2]) for row in rows]
    garbled = any("\ufffd" in one for row in rows for one in row if isinstance(one, str))
    has_checksum = IS_CHECKSUM.fullmatch(rows[0][-1] or "") is not None
    return has_checksum and not garbled and places == [(at, at) for at in range(len(rows))] and _can_be_read(rows)


def _chosen(first: Iterable[Rows], other: Iterable[Rows]) -> Iterator[Rows]:
    """Each decision from the file that has it whole: from `first`, or from `other`.

    A decision that neither has whole is taken from `first`, or is missing: the journal continues with that. Rows of
    `first` whose number is none, so that they stand where others do, are left out. Where others are missing before one,
    no checksum tells which file has it whole: it is as `other` has it where `first` has it so that it is no event.
    """
    before = own = ""
    sequence = number = 0
    for one, two in _paired(first, other):
        rows = one
        if two and (one is None or not (_follows(one, before) or _follows(one, own))):
            gap = two[0][0] > sequence + 1 and two[0][1] > number + 1
            if _follows(two, before) or (one is not None and gap and _is_better(two, one)):
                rows = two
        if one is not None:
            own = one[0][-1] or ""
        if rows is not None and rows[0][0] > sequence:
            before, sequence, number = rows[0][-1] or "", rows[-1][0], rows[0][1]
            yield rows


def _is_better(rows: Rows, than: Rows) -> bool:
    """Whether `rows` are readable and the others, with the same checksum, are not."""
    return rows != than and rows[0][-1] == than[0][-1] and _can_be_read(rows) and not _can_be_read(than)


def _can_be_read(rows: Rows) -> bool:
    try:
        for row in rows:
            event_of(row[5])
    except WireError:
        return False
    return True


def _follows(rows: Rows, before: str) -> bool:
    """Whether these rows are whole, and come after the decision with that checksum."""
    return checksum_of(before, rows) == rows[0][-1]


def _readable(journal: FileJournal, at_once: int = PAGE) -> Iterator[Rows]:
    """The readable decisions of a journal, in order, of which so many rows are read together."""

    def found() -> Iterator[Rows]:
        try:
            for _, rows in journal.members(0, at_once):
                yield rows
        except JournalError:
            log.info("Nothing more can be read in the damaged journal.")

    return _rising(found())


def _rising(decisions: Iterable[Rows]) -> Iterator[Rows]:
    """These decisions without any whose number is out of order, as after a flipped bit.

    Under its wrong number it would hide that the other file has it whole.
    """
    last = 0
    held: Rows | None = None
    for rows in decisions:
        number = rows[0][1]
        if held is not None and held[0][1] < number:
            last = held[0][1]
            yield held
            held = None
        if number > last:
            held = rows
    if held is not None:
        yield held


def _share_a_decision(first: Iterable[Rows], other: Iterable[Rows]) -> bool:
    """Whether both are of one table: some decision has the same checksum in both."""
    return any(one and two and one[0][-1] == two[0][-1] for one, two in _paired(first, other))


class JournalKeptTwice:
    """A journal in a file with its second copy; see `ports.Journal`. Opened by `open_kept_twice`."""

    trouble: Phrase | None = None

    def __init__(self, journal: FileJournal, second: SecondCopy, path: Path, clock: Clock, *, wal: bytes = b"") -> None:
        self._journal = journal
        self._wal = wal
        """The write-ahead log as it was before the start."""
        self._needs_wal = False
        """Whether a damage of it hides decisions that no new journal has yet."""
        self._second = second
        self._path = path
        self._clock = clock
        self._restored: SetAside | None = None
        self._copied: int | None = None
        """The last decision in the second copy; None if it has to be rewritten."""
        self._tried = False
        """Whether rewriting it, or restoring from it, failed: the next start tries again."""
        self._behind = False
        self._pieced = False
        """Whether the damaged journal gave what the second copy had not."""
        self._files = path, wal_of(path)
        self._left = looks_of(*self._files)
        """The journal's attributes when this kiosk last wrote it."""
        self._unsure = False
        """Whether a changed file could not be read: it is checked again in any case."""
        self._mark = Mark(path)
        self._first = ""
        """The checksum of the table's first decision, once it is known."""
        self._unsettled = False
        """Whether the disk may not have the latest lines yet."""
        self.second_copy = SecondCopyState.WELL
        self.copied_anew = 0
        self.times_copied_anew = 0

    @property
    def sequence(self) -> int:
        """See `ports.Journal`."""
        return self._journal.sequence

    @property
    def decision(self) -> int:
        """See `ports.Journal`."""
        return self._journal.decision

    @property
    def set_aside(self) -> SetAside | None:
        """See `ports.Journal`."""
        told = self._journal.set_aside
        if told is None or self._restored is None:
            return told or self._restored
        return replace(told, earlier=self._restored)

    @property
    def altered(self) -> Mapping[int, str]:
        """See `ports.Journal`."""
        return self._journal.altered

    def mend_indexes(self) -> bool:
        """See `ports.Journal`."""
        return self._journal.mend_indexes()

    def older_altered(self) -> Mapping[int, str]:
        """See `ports.Journal`."""
        found = self._journal.older_altered()
        if found:
            log_altered(self._path, found)
            with suppress(OSError):
                look_whole(self._path).touch()
        return found

    def append(self, decision: Decision, idempotency: str | None = None, *, at: float | None = None) -> int:
        """See `ports.Journal`. If the second copy cannot be written, only that copy is lost."""
        self._journal.look_there()
        self._look_unchanged()
        sequence = self._journal.append(decision, idempotency, at=at)
        self._bring_up()
        return sequence

    def take(self, decisions: Iterable[Sequence[Row]]) -> None:
        """Add decisions as another file of this journal has them, all or none. Raises `JournalError`."""
        self._journal.take(decisions)
        with suppress(JournalError):
            self._journal.look_at_the_latest(RECENT)  # they may leave a gap, which is no damage from now on
        if self._restored == SetAside(""):
            self._restored = None  # it was empty, and is not any more
        self._bring_up()

    def members(self, after: int) -> Iterator[tuple[int, Rows]]:
        """Each decision after that one with its rows. Raises `JournalError`."""
        return self._journal.members(after)

    def checksum_at(self, decision: int) -> str:
        """See `FileJournal.checksum_at`."""
        return self._journal.checksum_at(decision)

    def copy_to(self, copy: Path) -> None:
        """Copy the journal as it is now to `copy`. Raises `JournalError`; then nothing is left of it."""
        self._journal.copy_to(copy)

    def keep(self) -> None:
        """See `ports.Journal`: nothing is in memory alone here.

        Raises `JournalGoneError`, and `JournalUnreadableError` where another program has damaged it.
        """
        self._journal.keep()
        self._look_unchanged()
        if self._copied is not None and self._second.harm():
            self._bring_up()
        self._settle_on_the_disk()

    def _settle_on_the_disk(self) -> None:
        """Wait until the disk has lines and mark, so that a pulled plug takes the latest only in a moment's time.

        Either alone helps. What the disk does not take is tried again.
        """
        with suppress(OSError):
            self._mark.settle()
        if self._unsettled:
            with suppress(OSError):  # the journal has it all, and the next start compares them
                sync(self._second.path)
                self._unsettled = False

    def look_there(self) -> None:
        """See `FileJournal.look_there`."""
        self._journal.look_there()

    def _look_unchanged(self) -> None:
        """Check the journal if its files were changed. Raises `JournalUnreadableError` if it is damaged.

        SQLite continues with its cache, and would notice only at the next start.
        """
        looks = looks_of(*self._files)
        if looks == self._left and not self._unsure:
            return
        try:
            whole = self._is_whole()
        except (OSError, JournalError) as error:
            whole = not (isinstance(error, JournalError) and is_damage(error, self._path))
            if whole and not self._unsure:
                log.warning("Whether another program changed the journal cannot be told now: %s", error)
            self._unsure = whole
        else:
            self._left, self._unsure = looks if whole else self._left, not whole
        if not whole:
            raise JournalUnreadableError(
                say("The journal {path} was damaged while it was in use.", path=str(self._path))
            )

    def _is_whole(self) -> bool:
        """Whether the file holds what this kiosk left there. Raises `JournalError`, `OSError` if it cannot be read."""
        try:
            with closing(open_for_reading(self._path, self._clock)) as journal:
                journal.look_at_the_latest(RECENT)
                known = self._journal.altered.items()
                whole = journal.decision == self._journal.decision and journal.altered.items() <= known
        except JournalNewerError:
            if looked_through(self._path):
                raise
            return False
        return whole and looked_through(self._path)

    def known(self, idempotency: str) -> tuple[Decision, int] | None:
        """See `ports.Journal`."""
        return self._journal.known(idempotency)

    def decisions(self, after: int = 0) -> Iterator[Decision]:
        """See `ports.Journal`."""
        return self._journal.decisions(after)

    def entries(self, after: int = 0, limit: int = 1000) -> tuple[Entry, ...]:
        """See `ports.Journal`."""
        return self._journal.entries(after, limit)

    def leave_out(self, most: int) -> bool:
        """Restore the journal from its second copy, once; else as `ports.Journal` has it."""
        if self._restored is None and self._lines_know_better() and self._mended("a decision in it is damaged"):
            return True
        first = self._journal.set_aside is None
        if not self._journal.leave_out(most):
            return False
        self._first = ""  # it may be another one now
        if first:
            self._keep_lines_aside()
        self._copied, self._tried = None, False
        self._bring_up()
        return True

    def end_before(self, decision: int) -> None:
        """Restore the journal from its second copy, once; else as `ports.Journal` has it."""
        if self._restored is None and self._lines_know_better() and self._mended(f"decision {decision} is damaged"):
            return
        self._journal.end_before(decision)
        self._first = ""  # it may be another one now
        self._keep_lines_aside()
        self._bring_up()

    def close(self) -> None:
        """See `ports.Journal`."""
        self._settle_on_the_disk()  # the machine is mostly switched off next
        self._journal.close()

    def tell_emptied(self) -> None:
        """Report that the file was empty, or gone with a checkpoint left behind."""
        self._restored = SetAside("")

    def settle(self) -> None:
        """Bring both files together after the journal was opened: each restores what the other lacks.

        Raises `JournalFullError` where a journal that was set aside cannot be restored for want of room: a table that
        began anew would be another one.
        """
        try:
            self._look_behind_the_log()
            if self._restored is None:
                self._restore()
            if self._tried:
                return  # both files stay as they are, and it is tried again at the next start
            self._look_at_the_mark()
            end = self._second.end()
            if end is None or not self._agree():
                self._replace_lines(end)
                end = None
            elif end[0] == 0 and self._was_there():
                self._written_anew("gone or emptied", tell=True)
            self._copied = end[0] if end is not None else None
        except JournalFullError:
            raise
        except (OSError, JournalError) as error:
            self._tried = True  # what cannot be read now may be all that there is
            self.second_copy = SecondCopyState.NOT_WRITTEN
            log.warning("The second copy of the journal cannot be used: %s", error)
        self._bring_up()

    def _restore(self) -> None:
        """Restore the journal from its second copy where that has more, or has it as it was written."""
        if self._journal.decision == 0:
            self._fill()
        elif (self._journal.altered or not self._agree()) and self._lines_know_better():
            self._tried = not self._mended("what it says is not as it was written")

    def _look_behind_the_log(self) -> None:
        """Restore what a damage of the write-ahead log hides, if it hides anything. Raises as `_made`."""
        if self._journal.set_aside is not None:
            return
        hidden = behind_the_log(self._path, self._wal, self._journal, self._second, self._reached())
        if hidden is not None:
            self._restore_what(hidden)

    def _reached(self) -> int:
        """The last decision that the table is known to have had; 0 where nothing tells."""
        return reached_by(self._mark.told(), self._journal)

    def _look_at_the_mark(self) -> None:
        """Tell what the table had, and neither file: each looks whole where nothing but its end is lost."""
        last, reached = self._journal.decision, self._reached()
        if not 0 < last < reached or (self._restored is not None and self._restored.cut):
            return
        lost = tuple(LeftOut(one, "") for one in range(last + 1, reached + 1))
        before = self._restored or SetAside("", restored=self._journal.count())
        self._restored = replace(before, cut=True, left_out=(*before.left_out, *lost))
        log.error("The journal ends with decision %d, and the table had %d: neither file has the rest.", last, reached)

    def _replace_lines(self, end: tuple[int, str] | None) -> None:
        """Have lines that are not this journal's rewritten, and keep those of another one."""
        if self._is_anothers():
            self._keep_lines_aside(OTHER_TABLE)
            log.warning("The second copy of the journal was of another table. It is kept, and written anew.")
            self.second_copy = SecondCopyState.OF_ANOTHER
            return
        torn = end is None and self._is_torn()
        if (end is not None and not self._is_ours(end)) or (self.set_aside is not None and not torn):
            self._keep_lines_aside()
        self._written_anew("damaged", tell=not torn)

    def settle_or_close(self) -> None:
        """As `settle`; closed where it raises, with the write-ahead log as it was if the next start needs it."""
        try:
            self.settle()
        except BaseException:
            self.close()
            if self._needs_wal:
                with suppress(OSError):
                    _write(wal_of(self._path), self._wal)
            raise
        finally:
            self._wal = b""

    def _restore_what(self, hidden: Behind) -> None:
        """Restore what a damage of the write-ahead log hides; tells what is lost. Raises as `_made`."""
        begun = self._second.begun()
        self._needs_wal = True
        with Salvage(self._path, self._wal) as salvage:
            own = _share_a_decision(_rising(salvage.decisions()), self._second.decisions())
            variants = [_rising(salvage.decisions(one)) for one in range(salvage.variants)]
            lines = self._second.decisions() if own else iter(())
            made = self._made(
                _salvaged([_readable(self._journal), lines, *variants], self._second.checksums() if own else ())
            )
        self._needs_wal = False
        with closing(open_for_reading(made, self._clock)) as journal:
            last = journal.decision
        seen_only = any(one.number > last for one in hidden.later)
        if last <= self._journal.decision and not seen_only and not hidden.unsure:
            _discard(made)
            return
        beyond = [one for one in (*((begun,) if begun and own else ()), *hidden.later) if one.number > last]
        lost = {one.number: one for one in sorted(beyond, key=lambda one: bool(one.command))}
        counted = {one.number for one in hidden.later} if last else set()
        kept = set_journal_aside(self._path, self._clock, "its write-ahead log is damaged")
        was_empty = self._journal.decision == 0
        self._take_over(made, kept.name)  # SQLite leaves the log of a file alone that was renamed
        if was_empty:  # SQLite took nothing of the damaged log, and put its own in the place
            with suppress(OSError):
                _write(wal_of(kept), self._wal)
        self._restored = SetAside(
            kept.name,
            restored=self._journal.count(),
            pieced=True,
            cut=bool(lost) or hidden.unsure,
            unsure=hidden.unsure and not lost,
            left_out=tuple(lost[one] for one in sorted(lost) if lost[one].command or one in counted) if last else (),
        )

    def _was_there(self) -> bool:
        """Whether there was a second copy: it exists and is empty, or another file shows that there was a table."""
        told = (self._second.path.with_name(one) for one in (self._second.path.name, CHECKPOINT_NAME, BEGUN))
        return self._journal.decision > 0 and any(one.exists() for one in told)

    def _is_torn(self) -> bool:
        """Whether all lines but the last are right, as after a power cut."""
        lines, last = 0, b""
        with open_file(self._second.path) as file:
            for line in file:
                lines, last = lines + 1, line
        begins, left = b"%d " % SCHEMA_VERSION, last.rstrip(b"\0")  # some cards give zeros back
        if left[: len(begins)] != begins[: len(left)]:
            return False  # nothing that was ever begun
        pairs = _paired((rows for _, rows in self._journal.members(0)), self._second.decisions())
        return lines - 1 == sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

    def _written_anew(self, why: str, *, tell: bool) -> None:
        """Rewrite the second copy from the journal; reported if the journal was whole."""
        log.warning("The second copy of the journal was %s. It is written anew from the journal.", why)
        if tell and self.set_aside is None and self._journal.decision:
            self.second_copy, self.copied_anew = SecondCopyState.WRITTEN_ANEW, self._journal.decision
            self.times_copied_anew += 1

    def _is_ours(self, end: tuple[int, str]) -> bool:
        """Whether the last line is a decision of this journal."""
        return end[0] <= self._journal.decision and self._journal.checksum_at(end[0]) == end[1]

    def _is_anothers(self) -> bool:
        """Whether a whole journal has lines beside it with decisions of which it has none."""
        if self.set_aside is not None or self._journal.altered or next(self._second.decisions(), None) is None:
            return False
        return not _share_a_decision(_readable(self._journal), self._second.decisions())

    def _agree(self) -> bool:
        """Whether the lines belong to the journal; in a long one only the first and last are checked."""
        if self._journal.decision > COMPARED:
            end = self._second.end()
            first = next((rows for _, rows in self._journal.members(0)), None)
            return end is not None and self._is_ours(end) and next(self._second.decisions(), None) == first
        ended = False
        for one, two in _paired((rows for _, rows in self._journal.members(0)), self._second.decisions()):
            ended = ended or two is None
            if two is not None and (ended or one != two):
                return False
        return True

    def _lines_know_better(self) -> bool:
        """Whether the second copy has a whole decision that differs in the journal, or is missing there."""
        return any(one != two for one, two in _paired(_readable(self._journal), self._best()))

    def _best(self) -> Iterator[Rows]:
        """Each decision from the file that has it whole, where the journal can be read."""
        has_lines = next(self._second.decisions(), None) is not None
        if not has_lines or _share_a_decision(_readable(self._journal), self._second.decisions()):
            return _salvaged([_readable(self._journal), self._second.decisions()], self._second.checksums())
        return _chosen(_readable(self._journal), self._second.decisions())

    def _fill(self) -> None:
        """Fill an empty journal from its second copy, and from a damaged journal set aside that goes further."""
        aside = self._journal.set_aside.name if self._journal.set_aside else ""
        has_lines = next(self._second.decisions(), None) is not None
        if not has_lines and not aside:
            return
        begun = self._second.begun()
        made = self._salvage(self._path.with_name(aside)) if aside else None
        if made is None and not has_lines:
            made, cut = self._read_without_checksums(self._path.with_name(aside))
            if made is not None:
                self._take_over(made, aside)
                self._restored = SetAside(aside, restored=self._journal.count(), pieced=True, cut=cut)
            return
        damaged = [self._path.with_name(aside)] if aside else _newest_damaged(self._path)
        with ExitStack() as opened:
            beyond: Iterable[Rows] = ()
            with suppress(JournalError):
                for one in damaged:
                    beyond = _readable(opened.enter_context(closing(open_for_reading(one, self._clock))))
            made = made or self._made(_chosen(self._second.decisions(), beyond))
        self._take_over(made, aside)
        if self._restored is not None and begun is not None and self._journal.decision < begun.number:
            self._restored = replace(self._restored, cut=True, left_out=(begun,) if begun.command else ())
            self._keep_lines_aside()  # what is left of the line may tell somebody more

    def _salvage(self, damaged: Path) -> Path | None:
        """A journal of all that is whole in the lines or in that damaged file; None where they are of two tables.

        None, too, where the damaged file has nothing. Raises as `_made`.
        """
        with Salvage(damaged) as found:
            has_lines = next(self._second.decisions(), None) is not None
            if has_lines and not _share_a_decision(_rising(found.decisions()), self._second.decisions()):
                return None
            variants = [_rising(found.decisions(one)) for one in range(found.variants)]
            made = self._made(_salvaged([self._second.decisions(), *variants], self._second.checksums()))
        with closing(open_for_reading(made, self._clock)) as journal:
            self._pieced = journal.count() > sum(1 for _ in self._second.decisions())
            if journal.decision:
                return made
        _discard(made)
        return None

    def _read_without_checksums(self, damaged: Path) -> tuple[Path | None, bool]:
        """A journal of what SQLite reads of a damaged one of the first form, and whether there was more behind it.

        No checksum tells what is whole in any other row, so that these are not searched for. None where nothing is
        read, or it is of another form. Raises as `_made`.
        """
        try:
            with closing(open_for_reading(damaged, self._clock)) as journal:
                found = [] if journal.has_checksums else list(takewhile(_can_be_read, _readable(journal, 1)))
                last = journal.decision
        except JournalError:
            return None, False
        before = ""
        for place, rows in enumerate(found):
            before = checksum_of(before, rows)
            found[place] = _with_checksum(rows, before)
        return (self._made(found), found[-1][0][1] < last) if found else (None, False)

    def _mended(self, why: str) -> bool:
        """Replace this journal by one with the second copy's whole decisions, if that loses nothing."""
        try:
            made = self._made(self._best())
            if not _goes_as_far(made, self._journal, self._clock):
                _discard(made)
                return False
        except (JournalError, OSError) as error:
            log.warning("The journal cannot be restored from its second copy: %s", error)
            return False
        self._journal.close()
        try:
            kept = set_journal_aside(self._path, self._clock, why)
        except OSError as error:
            log.warning("The damaged journal cannot be set aside, so it is not restored: %s", error)
            self._journal = open_journal(self._path, self._clock)
            return False
        self._take_over(made, kept.name)
        return True

    def _made(self, decisions: Iterable[Rows]) -> Path:
        """A whole journal with these decisions, beside the present one. Raises `JournalError`, `OSError`."""
        place = _made_at(self._path)
        _discard(place)
        try:
            with closing(open_journal(place, self._clock)) as made:
                made.take(decisions)
            sync(place)
        except JournalFullError as error:
            place.unlink(missing_ok=True)
            raise JournalFullError(
                say(
                    "There is no room to restore the journal from its second copy. "
                    "Free some space on the kiosk's disk, then start it again; nothing is lost."
                )
            ) from error
        return place

    def _take_over(self, made: Path, damaged: str) -> None:
        """Continue with the new journal; the old one, if any, is kept under the name `damaged`."""
        self._journal.close()
        for end in ("-wal", "-shm"):  # who read it may have left them; all is in the one file
            made.with_name(made.name + end).unlink(missing_ok=True)
        made.replace(self._path)
        sync(self._path.parent)
        self._journal = open_journal(self._path, self._clock)
        self._first = ""
        self._restored = SetAside(damaged, restored=self._journal.count(), pieced=self._pieced)
        log.error("The journal was restored from its second copy: it has %d decisions.", self._restored.restored)

    def _bring_up(self) -> None:
        """Append to the second copy what the journal has beyond it, and note the files' attributes."""
        self._left = looks_of(*self._files)
        if self._journal.decision:
            with suppress(JournalError):
                self._first = self._first or first_checksum(self._journal)
                self._mark.write(self._journal.decision, self._first)
        if self._copied is not None and (harm := self._second.harm()):
            if self._copied:
                self._written_anew(harm, tell=True)
            self._copied = None
        if self._copied is None and self._tried:
            return
        try:
            if self._copied is None:
                self._tried = True
                self._second.replace(rows for _, rows in self._journal.members(0))
                self._tried = False
            elif self._copied < self._journal.decision:
                self._second.add(rows for _, rows in self._journal.members(self._copied))
                self._unsettled = True
        except (OSError, JournalError) as error:
            if not self._behind:
                log.warning("The second copy of the journal cannot be written: %s. The journal itself is kept.", error)
            self._behind = True
            self.second_copy = SecondCopyState.NOT_WRITTEN
            return
        if self._behind:
            log.warning("The second copy of the journal is written again.")
            self.second_copy = SecondCopyState.WELL
        self._behind = False
        self._copied = self._journal.decision

    def _keep_lines_aside(self, name: str = DAMAGED_NAME) -> None:
        """Keep the lines of another journal under another name; the file is then rewritten."""
        self._copied = None
        try:
            if self._second.path.exists():
                self._second.path.rename(named_by_time(self._second.path, name, self._clock))
        except OSError as error:
            log.warning("The second copy of the journal cannot be set aside: %s", error)


@contextmanager
def tried() -> Iterator[None]:
    """Keep this thread's work on a copy of a journal out of the log: it does not concern the journal itself."""
    me = threading.get_ident()

    def is_anothers(record: logging.LogRecord) -> bool:
        return record.thread != me

    loggers = [
        logging.getLogger(one)
        for one in ("kiosk.storage.journal", "kiosk.storage.checkpoint", __name__, "kiosk.engine")
    ]
    for one in loggers:
        one.addFilter(is_anothers)
    try:
        yield
    finally:
        for one in loggers:
            one.removeFilter(is_anothers)


def first_checksum(journal: FileJournal) -> str:
    """The checksum of a journal's first decision: by it one table is told from another. Raises `JournalError`."""
    return next((rows[0][-1] or "" for _, rows in journal.members(0)), "")


def reached_by(told: tuple[int, str], journal: FileJournal) -> int:
    """The last decision of this journal's table by its mark: see `Mark.told`. An empty journal may be any table's.

    Raises `JournalError`.
    """
    decision, first = told
    return decision if not journal.decision or first == first_checksum(journal) else 0


def behind_the_log(path: Path, wal: bytes, journal: FileJournal, second: SecondCopy, reached: int = 0) -> Behind | None:
    """What a damage of `wal`, the write-ahead log before the open `journal` was, hides of both files; None if nothing.

    The last transaction of a pulled plug, which nobody was shown, is no damage, nor is what an earlier log left. They
    cost the frames that SQLite passes over; the second copy is read where more is seen there. `reached` is the last
    decision that was shown, as far as it is known: see `reached_by`. Raises `OSError`.
    """
    if not wal:
        return None
    last = journal.decision
    found = behind(path, wal, frames_taken(path) if last else 0, last)
    more = any(one.number > last + 1 for one in found.later)  # each is on the disk before the next one begins
    if reached > last and (lost := _not_in(second, range(last + 1, reached + 1))):
        seen = {one.number: one for one in found.later}
        later = {one: seen.get(one, LeftOut(one, "")) for one in lost} | seen
        return replace(found, later=tuple(later[one] for one in sorted(later)))
    if not more and not found.garbled:
        return None
    end = second.end()
    reaches = end is not None and end[0] >= last > 0
    if found.garbled and not reaches and (found.unsure or found.later):
        return found
    return found if more and _lacks(second, found.later, last) else None


def _lacks(second: SecondCopy, later: Iterable[LeftOut], last: int) -> bool:
    """Whether it has no whole line of one of the decisions after the journal's last one, but for what came last."""
    lines = _whole_lines(second)
    last = max(last, *lines, 0)
    return any(one.number not in lines and one.number != last + 1 for one in later)


def _not_in(second: SecondCopy, decisions: Iterable[int]) -> list[int]:
    """Which of these have no whole line."""
    lines = _whole_lines(second)
    return [one for one in decisions if one not in lines]


def _whole_lines(second: SecondCopy) -> set[int]:
    """The decisions that have a whole line."""
    lines, before = set[int](), ""
    for rows in second.decisions():
        if _follows(rows, before):
            lines.add(rows[0][1])
        before = rows[0][-1] or ""
    return lines


def whole_in(path: Path) -> list[int]:
    """The decisions of a damaged journal that a start would take from it. Raises `OSError`.

    As there, one behind a gap counts as it can be read.
    """
    whole, before, last = [], "", 0
    with Salvage(path) as found:
        for rows in _salvaged([_rising(found.decisions(one)) for one in range(found.variants)]):
            if _follows(rows, before) or rows[0][1] > last + 1:
                whole.append(rows[0][1])
            before, last = rows[0][-1] or "", rows[0][1]
    return whole


def look_whole(path: Path) -> Path:
    """The mark beside the journal at `path` that makes the next opening verify all of it."""
    return path.with_name(f"{path.stem}.look-whole")


def _made_at(path: Path) -> Path:
    """The path of a new journal before it replaces the one at `path`."""
    return path.with_name(f"{path.stem}.restored{path.suffix}")


def _discard(made: Path) -> None:
    """Remove a journal that was made beside the present one, with what readers left beside it. Raises `OSError`."""
    for end in ("", "-wal", "-shm"):
        made.with_name(made.name + end).unlink(missing_ok=True)


def _put_names_right(files: StartFiles) -> None:
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
    return path.is_file() and _head_of(path).startswith(_SQLITE)


def _is_lines(path: Path) -> bool:
    """Whether a file begins as a second copy does."""
    return path.is_file() and _LINES.match(_head_of(path)) is not None


def _head_of(path: Path) -> bytes:
    with open_file(path) as file:
        return file.read(LONGEST_HEAD)


def _newest_damaged(path: Path) -> list[Path]:
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
            made=_made_at(path),
            whole=look_whole(path),
            checkpoint=path.with_name(CHECKPOINT_NAME),
            begun=path.with_name(BEGUN),
            damaged=tuple(_newest_damaged(path)),
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


def _goes_as_far(path: Path, damaged: FileJournal, clock: Clock) -> bool:
    """Whether the journal at `path` ends where the damaged one does, or later.

    A flipped bit in the last row enlarges only one of its numbers, not both.
    """
    with closing(open_for_reading(path, clock)) as journal:
        return journal.sequence >= damaged.sequence or journal.decision >= damaged.decision


def _is_one_bit_away(path: Path) -> bool:
    """Whether the schema version in the file, at byte 60, is this version's except for one bit. Raises `OSError`.

    https://www.sqlite.org/fileformat.html#user_version_number
    """
    with open_file(path) as file:
        file.seek(60)
        return (int.from_bytes(file.read(4), "big") ^ SCHEMA_VERSION).bit_count() == 1


def _owners(path: str, flags: int) -> int:
    return os.open(path, flags, OWNERS_ALONE)


def _write(place: Path, content: bytes) -> None:
    """Write a file that its owner alone reads. Raises `OSError`."""
    with open(place, "wb", opener=_owners) as file:
        file.write(content)


def read_wal(path: Path) -> bytes:
    """The write-ahead log of the journal as a power cut left it.

    SQLite deletes it with the pages that it does not understand, and they may hold decisions.
    """
    with suppress(OSError):
        if 0 < wal_of(path).stat().st_size <= LARGEST_WAL:
            with open_file(wal_of(path)) as file:
                return file.read()
    return b""


def open_kept_twice(path: Path, clock: Clock) -> JournalKeptTwice:
    """Open or make the journal at `path` with its second copy, and restore what is damaged from the other of the two.

    Raises as `open_journal`, and `JournalFullError` where there is no room to restore it. A journal of a later version
    counts as damaged if the lines beside it are of this version, because a later version would write its own lines. Its
    schema must also be one bit away from this one, or more of it damaged.
    """
    files = StartFiles.of(path)
    second = SecondCopy(files.second)
    with suppress(OSError):
        _put_names_right(files)
    left = log_left_behind(path)
    if files.made.exists() and not os.path.lexists(path):
        files.made.rename(path)  # there was a power cut just before
        left = None
    whole = files.whole.exists()
    wal = read_wal(path)
    emptied = not path.stat().st_size if path.is_file() else files.checkpoint.exists() or files.begun.exists()
    try:
        journal = open_journal(path, clock, whole=whole)
    except (JournalNewerError, JournalUnreadableError) as error:
        try:
            ours = next(second.decisions(), None) is not None
            if isinstance(error, JournalNewerError) and not (ours and (_is_one_bit_away(path) or not is_sound(path))):
                raise
        except OSError:
            raise error from None
        kept = set_journal_aside(path, clock, str(error))
        journal = open_journal(path, clock)
        journal.set_aside = SetAside(kept.name)
    if left is not None and journal.set_aside is None and not journal.decision:
        journal.set_aside = SetAside(left.name)
    if journal.set_aside is not None and wal:
        with suppress(OSError):
            kept_wal = wal_of(path.with_name(journal.set_aside.name))
            if not kept_wal.exists() or kept_wal.stat().st_size < len(wal):
                _write(kept_wal, wal)
    kept_twice = JournalKeptTwice(journal, second, path, clock, wal=wal)
    kept_twice.settle_or_close()
    if whole:
        with suppress(OSError):
            files.whole.unlink(missing_ok=True)
    if emptied and not kept_twice.decision:
        kept_twice.tell_emptied()
    return kept_twice
