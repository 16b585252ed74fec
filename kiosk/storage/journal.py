"""The journal: every decision of the table in order, durable before anyone is shown it, never edited.

SQLite in write-ahead mode with `synchronous=FULL`, so that a power cut takes back nothing that was committed. One table
is one stream: a row for each event, numbered without gaps; a decision's rows are written in one transaction. The first
row of each carries a checksum of the decision and of the checksum before it, so that a flipped bit, a missing row or a
changed one is reported with the decision's number. Decisions missing at the end leave no trace: the rest is a valid
shorter journal.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import accumulate, groupby, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from kiosk.errors import (
    IdempotencyError,
    JournalBusyError,
    JournalDamagedError,
    JournalError,
    JournalFullError,
    JournalGoneError,
    JournalNewerError,
    JournalUnreadableError,
    WireError,
    system_words,
)
from kiosk.ports import MISSING, Clock, Entry, LeftOut, SecondCopyState, SetAside
from kiosk.storage.folder import is_gone, why_unwritten
from kiosk.storage.migration import migrate, old_texts
from kiosk.storage.replacing import open_file, sync
from kiosk.storage.wire import event_of, kept_event
from rules.game import EVENTS, Decision, DecisionRedone, DecisionUndone, Event, name_of
from rules.words import Phrase, known, say

log = logging.getLogger(__name__)

SCHEMA_VERSION: Final = 2
"""The schema version that is written: version 1 had finished sentences and no checksums."""

PAGE: Final = 250
"""Events read from the file at a time."""

CACHE_KIB: Final = 256
"""What SQLite keeps of the file in memory: it is read from end to end, and what the system has of it serves as well."""

RECENT: Final = 10_000
"""The number of latest decisions whose checksums are verified on opening: a season, in a tenth of a second. Older ones
are verified once the table is served: see `FileJournal.older_altered`.
"""

_SCHEMA: Final = """
CREATE TABLE journal (
    sequence INTEGER PRIMARY KEY,
    decision INTEGER NOT NULL,
    position INTEGER NOT NULL,
    by TEXT NOT NULL,
    command TEXT NOT NULL,
    event TEXT NOT NULL,
    time REAL NOT NULL,
    idempotency TEXT,
    person TEXT NOT NULL DEFAULT '',
    checksum TEXT,
    UNIQUE (decision, position)
) STRICT;
CREATE UNIQUE INDEX journal_idempotency ON journal (idempotency) WHERE idempotency IS NOT NULL;
"""
"""The tables of a new journal of the present form."""

Row = tuple[int, int, int, str, str, str, float, str | None, str, str | None]
"""The columns of one event, in the order of `_SCHEMA`."""

_COLUMNS: Final = {
    1: "sequence, decision, position, by, command, event, time, idempotency, '', NULL",
    2: "sequence, decision, position, by, command, event, time, idempotency, person, checksum",
}
"""How a `Row` is read from a journal of each form."""

_UNDO: Final = " OR ".join(f'event GLOB \'{{"event":"{name_of(kind)}"*\'' for kind in (DecisionUndone, DecisionRedone))
"""The SQL condition for an undo or a redo."""

_UNWRITTEN: Final = frozenset({"SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_IOERR_SHMSIZE"})
"""The errors of SQLite that mean that the disk took nothing: it has no room, can only be read, or fails."""
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
"""The error numbers of a disk without room."""
ANOTHER_KIOSK: Final = say("another kiosk uses the data folder")
"""Why nothing is saved in a folder that another kiosk holds."""
ANOTHER_PROGRAM: Final = say("another program uses it")
"""Why nothing is kept in a journal that another program has locked."""

NO_FILE: Final = say("this user may not, or it is no file")
"""Why nothing is kept where the journal cannot be opened."""

_WHY: Final = {
    "SQLITE_FULL": say("the disk is full"),
    "SQLITE_READONLY": say("the disk can only be read"),
    "SQLITE_CANTOPEN": NO_FILE,
    "SQLITE_BUSY": ANOTHER_PROGRAM,
}
"""The usual troubles of opening a journal, in words."""

_IDEMPOTENCY: Final = "journal.idempotency"
"""SQLite's name of the column with a value that may come again."""

_DAMAGED: Final = frozenset({"SQLITE_CORRUPT", "SQLITE_NOTADB"})
"""The errors of SQLite that mean that the file is damaged."""
_ELSEWHERE: Final = (
    "SQLITE_FULL",
    "SQLITE_READONLY",
    "SQLITE_CANTOPEN",
    "SQLITE_BUSY",
    "SQLITE_IOERR",
    "SQLITE_LOCKED",
)
"""The beginnings of the names of errors of the disk, the folder or another program; all others are the file's fault."""
_PASSING: Final = ("SQLITE_CANTOPEN", "SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_READONLY", "SQLITE_FULL", "SQLITE_NOMEM")
"""The beginnings of the names of errors that say nothing about an unreadable file."""
FOLDER_GONE: Final = say("the data folder is gone")
"""Why nothing is kept where the folder was removed, or its disk unmounted."""
FILE_GONE: Final = say("the journal was taken out of its folder")
"""Why nothing is kept where somebody removed or replaced the file."""
DAMAGED: Final = say("the journal is damaged")
"""Why nothing is saved if the file is no longer a journal."""
DAMAGED_NAME: Final = "damaged"
"""The name part of a damaged journal that was set aside: see `named_by_time`."""
RESCUED: Final = "rescued"
"""The name part of a journal rescued from memory when a run ended: see `named_by_time`."""
IN_MEMORY: Final = "in-memory"
"""The name part of a journal begun in memory that continues beside another table's."""
FULL_WORDS: Final = say(
    "There is no room left to record this, so it was not done. Free some space on the kiosk's disk and try again; "
    "everything shown so far is safe."
)
"""The message if a command could not be recorded."""


def _unusable(error: str) -> Phrase:
    return say(
        "The journal cannot be used ({error}), so nothing was done. Check the kiosk's disk, then restart it.",
        error=error,
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a decision's adjacent rows: first and last sequence, and its number."""

    number: int
    first: int
    last: int
    command: str
    whole: bool
    """Whether it is unaltered, its number included, by its checksum."""
    readable: bool
    begins: bool
    """Whether the first of its rows is the first of a decision."""


class _DamagedError(Exception):
    """`quick_check` found something wrong."""


class _Connection(sqlite3.Connection):
    """A connection that raises only SQLite's errors, even if their message quotes bytes that are no text."""

    def execute(self, sql: str, parameters: tuple[Any, ...] = (), /) -> sqlite3.Cursor:  # type: ignore[override]  # by place alone
        """As usual. Raises only `sqlite3.Error`."""
        try:
            return super().execute(sql, parameters)
        except UnicodeDecodeError as error:
            garbled = sqlite3.DatabaseError("what it says of itself is garbled")
            garbled.sqlite_errorname = "SQLITE_CORRUPT"
            raise garbled from error


def _text(kept: bytes) -> str:
    """A text from the file; invalid bytes are replaced, and the checksum reveals them."""
    return kept.decode(errors="replace")


class FileJournal:
    """The journal in a file; see `ports.Journal`. Opened by `open_journal`."""

    trouble: Phrase | None = None
    second_copy = SecondCopyState.WELL
    copied_anew = 0
    times_copied_anew = 0

    def __init__(
        self, connection: sqlite3.Connection, path: Path, clock: Clock, *, version: int = SCHEMA_VERSION
    ) -> None:
        self._connection = connection
        self._path = path
        self._clock = clock
        self._columns = _COLUMNS[version]
        self._old_texts = old_texts(connection) if version == 1 else None
        self.set_aside: SetAside | None = None
        self.altered: Mapping[int, str] = {}
        self._copied_as = ""
        """The name of the copy made when the first damaged decision was left out."""
        self._looked_after = 0
        """The last decision that was not verified on opening."""
        self._surplus = False
        """Whether the file holds more than this journal: a damaged decision, and those after it."""
        self._lock = threading.RLock()
        self._placed: dict[Path, tuple[int, int]] = {}
        """The identities of the open files, journal and write-ahead log, at the first check."""
        self._sequence, self._decision = self._ends_at()
        self._checksum = self.checksum_at(self._decision)

    def _ends_at(self) -> tuple[int, int]:
        """The last sequence and decision in the file; 0 where there is none."""
        asked = "SELECT sequence, decision FROM journal ORDER BY sequence DESC LIMIT 1"
        found: tuple[int, int] | None = self._connection.execute(asked).fetchone()
        return found or (0, 0)

    @property
    def sequence(self) -> int:
        """The number of the last event kept."""
        return self._sequence

    @property
    def decision(self) -> int:
        """The number of the last decision kept."""
        return self._decision

    @property
    def has_checksums(self) -> bool:
        """Whether the file is of a form that has them."""
        return self._old_texts is None

    def count(self) -> int:
        """The number of decisions; smaller than the last one's number if some are missing."""
        with self._lock, self._words():
            asked = "SELECT count(DISTINCT decision) FROM journal WHERE sequence <= ?"
            return int(self._connection.execute(asked, (self._sequence,)).fetchone()[0])

    def append(self, decision: Decision, idempotency: str | None = None, *, at: float | None = None) -> int:
        """See `ports.Journal`. Returns once the disk has it."""
        require_next(decision, self._decision)
        self.keep()
        if self._old_texts is not None:
            self._bring_to_this_form()
        if self._surplus:
            self._drop_surplus()
        now = self._clock.now() if at is None else at
        rows = rows_of(decision, self._sequence, self._checksum, now, idempotency)
        checksum = _kept_checksum(rows)
        with self._lock, self._words():
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
                self._connection.execute("COMMIT")
            except sqlite3.Error:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise
        self._sequence += len(rows)
        self._decision = decision.number
        self._checksum = checksum
        self.keep()
        return self._sequence

    def keep(self) -> None:
        """See `ports.Journal`: nothing is in memory alone here. Raises as `look_there`."""
        self.look_there()

    def look_there(self) -> None:
        """Find out whether the journal lies in its folder; from any thread. Raises `JournalGoneError`, `JournalError`.

        The open files are compared: SQLite silently goes on writing into a removed file, which nobody finds any more.
        """
        for place in (self._path, wal_of(self._path)):
            try:
                found = place.stat()
            except (FileNotFoundError, NotADirectoryError):
                if place == self._path or place in self._placed:
                    raise JournalGoneError(self._path, FOLDER_GONE if is_gone(place.parent) else FILE_GONE) from None
            except OSError as error:
                raise JournalError(_unusable(str(error))) from error
            else:
                lies = found.st_dev, found.st_ino
                if self._placed.setdefault(place, lies) != lies:
                    raise JournalGoneError(self._path, FILE_GONE)

    def take(self, decisions: Iterable[Sequence[Row]]) -> None:
        """Add decisions as another file of this journal has them, all or none. Raises `JournalError`."""
        last: Sequence[Row] = ()
        with self._lock, self._words(), _transaction(self._connection):
            for rows in decisions:
                self._connection.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
                last = rows
        if last:
            self._sequence, self._decision = last[-1][0], last[-1][1]
            self._checksum = _kept_checksum(last)

    def known(self, idempotency: str) -> tuple[Decision, int] | None:
        """See `ports.Journal`."""
        rows = self._select(
            "WHERE decision = (SELECT decision FROM journal WHERE idempotency = ? AND sequence <= ?) ORDER BY sequence",
            (idempotency, self._sequence),
        )
        return (next(self._decisions(_by_decision(rows))), rows[-1][0]) if rows else None

    def decisions(self, after: int = 0) -> Iterator[Decision]:
        """See `ports.Journal`."""
        return self._decisions(self.members(after), after)

    def broken(self, after: int = 0) -> Iterator[int]:
        """The decisions after that one that are altered, or missing before another.

        Journals of version 1, opened for reading, have no checksums.
        """
        return (number for number, _ in self.changed(after))

    def older_altered(self) -> Mapping[int, str]:
        """See `ports.Journal`."""
        return dict(self.changed(until=self._looked_after))

    def mend_indexes(self) -> bool:
        """Make the indexes anew where one does not say what the rows do: the start looks at the rows alone.

        Returns whether one was damaged. Raises `JournalError`.
        """
        try:
            with closing(_connect_read_only(self._path)) as beside:  # so that nothing waits while it is looked through
                sound = beside.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
            if sound or not looked_through(self._path):
                return False
        except sqlite3.Error as error:
            raise JournalError(_unusable(str(error))) from error
        with self._lock, self._words():
            self._connection.execute("REINDEX")
        log.warning(
            "An index of the journal %s was damaged. It was made anew from the rows, which are whole.", self._path
        )
        return True

    def changed(self, after: int = 0, until: int | None = None) -> Iterator[tuple[int, str]]:
        """The decisions of `broken`, each with the checksum of what it says now and of what it is chained to.

        Up to `until`, where that is given. A missing decision is listed with the marked checksum of the one after it:
        see `ports.Journal.altered`. No more can be missing than rows; otherwise a number is altered.
        """
        if self._old_texts is not None:
            return
        before, last = self.checksum_at(after), after
        sequence: int | None = None
        for number, members in self.members(after):
            if until is not None and number > until:
                return
            kept = _kept_checksum(members)
            now = checksum_of(before, members)
            if kept != now:
                if sequence is None:
                    sequence = self._sequence_before(members[0][0])
                missing = max(0, min(number - last, members[0][0] - sequence) - 1)
                yield from ((last + one, MISSING + now) for one in range(1, missing + 1))
                if not missing:
                    yield min(number, last + 1), now
            before, last, sequence = kept, number, members[-1][0]

    def _sequence_before(self, sequence: int) -> int:
        """The last sequence before that one; 0 where there is none."""
        found = self._select("WHERE sequence < ? ORDER BY sequence DESC LIMIT 1", (sequence,))
        return found[0][0] if found else 0

    def look_at_the_latest(self, many: int) -> None:
        """Verify that number of the latest decisions: see `ports.Journal.altered`."""
        self._looked_after = max(0, self.decision - many)
        self.altered = dict(self.changed(after=self._looked_after))

    def leave_out(self, most: int) -> bool:
        """See `ports.Journal`.

        The damaged file is copied aside once; before anything is deleted, everything is checked.
        """
        if self._surplus or self._old_texts is not None:
            return False
        before = self._left_out()
        try:
            lost, ranges = _lost_among(list(self._places()))
        except JournalUnreadableError:
            return False
        if not lost or len(before) + len(lost) > most:
            return False
        try:
            with self._lock, self._words():
                if not self._copied_as:
                    kept = damaged_name(self._path, self._clock)
                    _copy(self._connection, kept)
                    log.error("The damaged journal is kept as %s.", kept)
                    self._copied_as = kept.name
                with suppress(sqlite3.Error):
                    self._connection.execute("REINDEX")  # what names a row otherwise than it is forbids deleting it
                with _transaction(self._connection):
                    self._connection.executemany("DELETE FROM journal WHERE sequence BETWEEN ? AND ?", ranges)
                self._sequence, self._decision = self._ends_at()
            self._checksum = self.checksum_at(self._decision)
            self.look_at_the_latest(RECENT)
        except JournalError as error:
            log.warning("The damaged decisions cannot be left out of the journal: %s", error)
            return False
        self.set_aside = SetAside(self._copied_as, left_out=(*before, *lost))
        return True

    def _left_out(self) -> tuple[LeftOut, ...]:
        return self.set_aside.left_out if self.set_aside is not None else ()

    def _places(self) -> Iterator[_Place]:
        """The place of each decision, in the order of the rows.

        Raises `JournalError` for a decision that this version cannot read although it seems unaltered.
        """
        before, last = "", (0, 0)
        for number, together in self.members(0):
            for members in _begun(together):
                readable = True
                try:
                    for row in members:
                        event_of(row[5])
                except WireError as error:
                    if not self._is_damaged(members, before, last):
                        raise _of_a_later_version(number, error) from error
                    readable = False
                first = members[0]
                whole = _kept_checksum(members) == checksum_of(before, members)
                yield _Place(number, first[0], members[-1][0], str(first[4]), whole, readable, first[2] == 0)
                last = members[-1][0], number
                if first[2] == 0:  # else these rows are of the one before, which has its checksum
                    before = _kept_checksum(members)

    def _is_damaged(self, members: Sequence[Row], before: str, last: tuple[int, int]) -> bool:
        """Whether an unreadable decision is damaged.

        `before` is the checksum of the one before, and `last` its last sequence and its number. Where others are
        missing in between, its checksum cannot tell: then it is damaged where it is no JSON, or an event of this
        version but for one character of its name.
        """
        if self._old_texts is not None:
            return True
        if _kept_checksum(members) == checksum_of(before, members):
            return False
        missing = members[0][0] > last[0] + 1 and members[0][1] > last[1] + 1
        events = [row[5] for row in members]
        return not missing or not all(map(_is_event, events)) or any(map(_is_misspelt, events))

    def end_before(self, decision: int) -> None:
        """See `ports.Journal`. Where there is no room to keep the damaged file, it is tried again with each append."""
        sequence = number = 0
        for found, members in self.members(0):
            if not number < found < decision:
                break
            number, sequence = found, members[-1][0]
        with self._lock:
            self._sequence, self._decision, self._surplus = sequence, number, True
            self._checksum = self.checksum_at(number)
            left_out = tuple(one for one in self._left_out() if one.number < decision)
            self.set_aside = SetAside("", decision, left_out=left_out)
            try:
                self._drop_surplus()
            except JournalError as error:
                log.warning("The damaged journal cannot be set aside yet: %s", error)

    def _bring_to_this_form(self) -> None:
        """Convert the schema, which the disk had no room for on opening."""
        with self._lock, self._words():
            _bring_to_form_2(self._connection, self._path)
            self._columns, self._old_texts = _COLUMNS[SCHEMA_VERSION], None
            self._checksum = self.checksum_at(self._decision)

    def _drop_surplus(self) -> None:
        """Delete the damaged decision and all after it, once a copy of the whole file is on the disk."""
        with self._lock, self._words():
            kept = damaged_name(self._path, self._clock)
            _copy(self._connection, kept)
            with _transaction(self._connection):
                self._connection.execute("DELETE FROM journal WHERE sequence > ?", (self._sequence,))
            self._surplus = False
            told = self.set_aside or SetAside("")
            self.set_aside = replace(told, name=self._copied_as or kept.name)
        log.error("The damaged journal is kept as %s.", kept)

    def entries(self, after: int = 0, limit: int = 1000) -> tuple[Entry, ...]:
        """See `ports.Journal`."""
        rows = self._page(after, limit)
        return tuple(
            Entry(
                sequence=row[0],
                decision=row[1],
                by=row[3],
                time=row[6],
                event=event,
                person=row[8],
                command=row[4],
                key=row[7],
            )
            for number, members in _by_decision(rows)
            for row, event in zip(members, self._events(number, members), strict=True)
        )

    def dated(self) -> Iterator[tuple[Decision, float, str | None]]:
        """Every decision in order, with its time and its idempotency key. Raises as `decisions`."""
        for number, members in self.members(0):
            first = members[0]
            events = self._events(number, members)
            decision = Decision(number=number, by=first[3], command=first[4], events=events, person=first[8])
            yield decision, first[6], first[7]

    def taken_back(self) -> frozenset[int]:
        """The decisions that are undone at the end. Raises as `decisions`.

        SQLite finds the undos and redos among all: to read every event for them takes a third of an export.
        """
        undone: set[int] = set()
        last = 0
        where = f"WHERE sequence > ? AND sequence <= ? AND ({_UNDO}) ORDER BY sequence LIMIT ?"
        while rows := self._select(where, (last, self._sequence, PAGE)):
            for number, members in _by_decision(rows):
                for event in self._events(number, members):
                    if isinstance(event, DecisionUndone):
                        undone.add(event.decision)
                    elif isinstance(event, DecisionRedone):
                        undone.discard(event.decision)
            last = rows[-1][0]
        return frozenset(undone)

    def copy_to(self, copy: Path) -> None:
        """Copy the journal as it is now to `copy`. Raises `JournalError`; then nothing is left of it."""
        with self._lock, self._words():
            _copy(self._connection, copy)

    def close(self) -> None:
        """Fold the write-ahead log in and close the file."""
        with self._lock:
            self._connection.close()
            self._placed.clear()  # the write-ahead log goes with it

    def members(self, after: int, at_once: int = PAGE) -> Iterator[tuple[int, list[Row]]]:
        """Each decision after that one with its rows. A season is more than should lie in memory at once.

        `at_once` rows are read together. Raises `JournalError` where one of them cannot be.
        """
        found: list[Row] = []
        if after > 0:  # no decision is 0, except after a flipped bit
            found = self._select("WHERE decision = ? ORDER BY sequence DESC LIMIT 1", (after,))
            found = found or self._select("WHERE decision > ? ORDER BY sequence LIMIT 1", (after,))
        else:
            found = self._select("ORDER BY sequence LIMIT 1", ())
            after = found[0][1] - 1 if found else 0
        last = found[0][0] - (found[0][1] > after) if found else self._sequence
        begun: list[Row] = []
        while rows := self._page(last, at_once):
            last = rows[-1][0]
            *whole, (_, begun) = _by_decision([*begun, *rows])
            yield from whole
        if begun:
            yield begun[0][1], begun

    def _page(self, after: int, limit: int) -> list[Row]:
        return self._select(
            "WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?", (after, self._sequence, limit)
        )

    def _decisions(self, decisions: Iterable[tuple[int, list[Row]]], after: int = 0) -> Iterator[Decision]:
        """Yields each decision once the next is known: of two numbers out of order, neighbours show the wrong one."""
        last = after
        held: tuple[int, list[Row]] | None = None
        try:
            for number, members in decisions:
                if held is not None:
                    if last < number <= held[0]:
                        raise JournalDamagedError(last + 1)
                    last = held[0]
                    yield self._decided(*held)
                if number <= last:
                    raise JournalDamagedError(last + 1)
                held = number, members
        except JournalUnreadableError as error:
            if held is not None and held[0] > last:
                last = held[0]
                yield self._decided(*held)
            raise JournalDamagedError(last + 1) from error
        if held is not None:
            yield self._decided(*held)

    def _decided(self, number: int, members: Sequence[Row]) -> Decision:
        by, command, person = members[0][3], members[0][4], members[0][8]
        return Decision(number=number, by=by, command=command, events=self._events(number, members), person=person)

    def _events(self, number: int, members: Sequence[Row]) -> tuple[Event, ...]:
        """The events of rows of that decision."""
        try:
            return tuple(event_of(row[5]) for row in members)
        except WireError as error:
            all_of_it = self._select("WHERE +decision = ? ORDER BY sequence", (number,))
            found = self._select("WHERE sequence < ? ORDER BY sequence DESC LIMIT 1", (all_of_it[0][0],))
            last = (found[0][0], found[0][1]) if found else (0, 0)
            if self._is_damaged(all_of_it, self.checksum_at(last[1]) if found else "", last):
                raise JournalDamagedError(number) from error
            raise _of_a_later_version(number, error) from error

    def checksum_at(self, decision: int) -> str:
        """The checksum by which what follows that decision is chained to it: see `_kept_checksum`."""
        if decision <= 0 or self._old_texts is not None:
            return ""
        last = self._select(
            "WHERE decision <= ? AND sequence <= ? ORDER BY sequence DESC LIMIT 1", (decision, self._sequence)
        )
        if not last:
            return ""
        first = "decision = ? ORDER BY sequence LIMIT 1"
        # without the index where that is damaged and does not find it: see `mend_indexes`
        rows = self._select(f"WHERE {first}", (last[0][1],)) or self._select(f"WHERE +{first}", (last[0][1],))
        return _kept_checksum(rows)

    def _select(self, where: str, values: tuple[object, ...]) -> list[Row]:
        """Rows in the present schema, whichever the file has."""
        with self._lock, self._words():
            old = self._old_texts
            query = f"SELECT {self._columns} FROM journal {where}"  # noqa: S608 - both are this module's own
            rows = self._fetched(query, values)
            if not all(isinstance(row[0], int) and isinstance(row[1], int) and isinstance(row[5], str) for row in rows):
                raise JournalUnreadableError(_unusable("a row has no number or no event"))
        return rows if old is None else [(*row[:5], old.kept(row[5], row[4], row[1]), *row[6:]) for row in rows]

    def _fetched(self, query: str, values: tuple[object, ...]) -> list[Row]:
        """The rows of a query. `_text` is used only for broken text; using it always takes twice as long."""
        self._connection.text_factory = str
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.OperationalError as error:
            if _code(error):
                raise
        finally:
            self._connection.text_factory = _text
        return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _words(self) -> Iterator[None]:
        """SQLite's errors as the journal's own, with what to do."""
        try:
            yield
        except sqlite3.IntegrityError as error:
            if _IDEMPOTENCY not in str(error):  # the next number exists already: a bit of another one flipped
                raise JournalUnreadableError(_unusable(str(error))) from error
            raise IdempotencyError(say("The journal holds this already: {error}.", error=str(error))) from error
        except (sqlite3.Error, OSError) as error:
            cause = _asked(error, self._path)
            if _code(cause) == "SQLITE_FULL" or getattr(cause, "errno", None) in _NO_ROOM:
                raise JournalFullError(FULL_WORDS) from cause
            blamed = JournalUnreadableError if _code(error) in _DAMAGED else JournalError
            raise blamed(_unusable(str(error))) from cause


def open_journal(path: Path, clock: Clock, *, most_pages: int | None = None, whole: bool = False) -> FileJournal:
    """Open or make the journal at `path` and check it.

    A damaged journal is set aside under a name that says when, told in the log, and a fresh one begun; nothing is
    deleted. One of an older form is brought to this one, and a copy of it kept beside it. Altered ones among the latest
    `RECENT` decisions, or with `whole` among all, are logged. `most_pages` bounds the file, in pages of 4 KiB. Raises
    `JournalNewerError` for one written by a later version, `JournalUnreadableError` for one that is no journal any
    more, `JournalError` where none can be kept.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = _connect(path)
        try:
            version = _prepare(connection, path)
            if most_pages is not None:
                connection.execute(f"PRAGMA max_page_count={most_pages:d}")
            return _told(FileJournal(connection, path, clock, version=version), path, whole=whole)
        except BaseException:
            connection.close()
            raise
    except (_DamagedError, JournalUnreadableError) as error:
        return _anew(path, clock, str(error), most_pages)
    except sqlite3.Error as error:
        if _code(error) not in _DAMAGED:
            cause = _asked(error, path)
            why = system_words(cause) if isinstance(cause, OSError) else _WHY.get(_code(error)) or known(str(error))
            blamed = JournalError if _code(error).startswith(_ELSEWHERE) and _has_form(path) else JournalUnreadableError
            raise blamed(
                say(
                    "The journal {path} cannot be opened: {why}. Check the folder and the disk.",
                    path=str(path),
                    why=why,
                )
            ) from cause
        return _anew(path, clock, str(error), most_pages)
    except OSError as error:
        raise JournalError(
            say(
                "The journal cannot be kept in {path}: {why}. Choose another folder with --data.",
                path=str(path.parent),
                why=system_words(error),
            )
        ) from error


def _has_form(path: Path) -> bool:
    """Whether the file is empty, or begins as a database that can be written: bytes 18 and 19 say so, 1 or 2 each.

    https://www.sqlite.org/fileformat.html#file_format_version_numbers
    """
    try:
        with open_file(path) as file:
            head = file.read(20)
    except OSError:
        return True  # which is a trouble of the disk or the folder
    return not head or (head.startswith(b"SQLite format 3\0") and set(head[18:]) <= {1, 2})


def is_sound(path: Path) -> bool:
    """Whether SQLite finds nothing wrong with the file at `path`."""
    try:
        return looked_through(path)
    except JournalError:
        return False


def looked_through(path: Path) -> bool:
    """Whether SQLite finds nothing wrong with what it reads of that file. Raises `JournalError` where it reads none."""
    try:
        with closing(_connect_read_only(path)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.Error as error:
        raise JournalError(_unusable(str(error))) from error


def is_damage(error: JournalError, path: Path) -> bool:
    """Whether the file at `path` is at fault, not the folder, a later version or another program.

    SQLite calls some damages of a write-ahead log an error of the disk, so such an error counts.
    """
    if isinstance(error, JournalUnreadableError | JournalDamagedError):
        return True
    cause = error.__cause__
    return isinstance(cause, sqlite3.Error) and not (_code(cause).startswith(_PASSING) and _has_form(path))


def damaged_journals(path: Path) -> list[Path]:
    """The damaged journals that were set aside from `path`, the oldest first."""
    return journals_beside(path, DAMAGED_NAME)


def journals_beside(path: Path, what: str) -> list[Path]:
    """The journals beside the one at `path` with `what` in their names, the oldest first: see `named_by_time`."""
    return sorted(path.parent.glob(f"{path.stem}.{what}-*{path.suffix}"))


def open_for_reading(path: Path, clock: Clock) -> FileJournal:
    """Open the journal at `path` without changing it, as beside a running kiosk.

    Raises `JournalError` where there is none or it cannot be read, `JournalNewerError` for one of a later version.
    """
    if not path.is_file():
        raise JournalError(f"There is no journal at {path}. Name the kiosk's data folder with --data.")
    try:
        connection = connect_for_reading(path)
        try:
            version = _require_known(connection, path)
            return FileJournal(connection, path, clock, version=version or SCHEMA_VERSION)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        raise JournalError(
            f"The journal {path} {plainly(error)}. `trueroll doctor` says what the next start makes of it."
        ) from error


def connect_for_reading(path: Path) -> sqlite3.Connection:
    """Connect to the journal at `path` without changing it. Raises `sqlite3.Error`.

    SQLite writes beside a journal that it reads. Where the disk does not allow that, a copy is read.
    """
    connection = _connect_read_only(path)
    try:
        connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error as error:
        connection.close()
        if _code(error) not in {"SQLITE_CANTOPEN", "SQLITE_READONLY_DIRECTORY", "SQLITE_READONLY_CANTINIT"}:
            raise
        with TemporaryDirectory(prefix="trueroll-") as room:
            copy = Path(room) / path.name
            try:
                for name in (path.name, f"{path.name}-wal"):
                    if (beside := path.with_name(name)).exists():
                        shutil.copyfile(beside, copy.with_name(name))
            except OSError:
                raise error from None
            with closing(sqlite3.connect(copy, isolation_level=None)) as whole:
                whole.execute("PRAGMA journal_mode=DELETE")  # one file, which is read after its name is gone, too
            connection = _connect_read_only(copy)
            connection.execute("PRAGMA user_version").fetchone()
    return connection


def _connect_read_only(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode=ro",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=2.0,
        factory=_Connection,
    )
    connection.text_factory = _text
    return connection


def _anew(path: Path, clock: Clock, why: str, most_pages: int | None) -> FileJournal:
    kept = set_journal_aside(path, clock, why)
    journal = open_journal(path, clock, most_pages=most_pages)
    journal.set_aside = SetAside(kept.name)
    return journal


def _connect(path: Path) -> sqlite3.Connection:
    made = not os.path.lexists(path)
    if not made and not path.is_file():  # of a pipe SQLite says that the disk fails, and it writes through a link
        error = sqlite3.OperationalError("it is no file")
        error.sqlite_errorname = "SQLITE_CANTOPEN"
        raise error
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=2.0, factory=_Connection)
    connection.text_factory = _text
    if made:
        path.chmod(0o600)  # the table's affairs are its own
    return connection


def _require_known(connection: sqlite3.Connection, path: Path) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version < 0:  # none ever was: a bit flipped
        return SCHEMA_VERSION
    if version > SCHEMA_VERSION:
        raise JournalNewerError(
            say(
                "The journal {path} was written by a later version of trueroll (its form is {version}, this one knows "
                "{known}). Install that version again, or choose another folder with --data. Nothing was changed.",
                path=str(path),
                version=version,
                known=SCHEMA_VERSION,
            )
        )
    return version


def _prepare(connection: sqlite3.Connection, path: Path) -> int:
    """Check the file and convert it; returns its schema version, which stays the older one on a full disk."""
    version = _require_known(connection, path)
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise _DamagedError(found)
    if not _has_form(path):
        raise _DamagedError("its head is none of a journal that can be written")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute(f"PRAGMA cache_size=-{CACHE_KIB:d}")
    if version == 0:
        connection.executescript(f"BEGIN;{_SCHEMA}PRAGMA user_version={SCHEMA_VERSION};COMMIT;")
    elif version == 1:
        try:
            _bring_to_form_2(connection, path)
        except sqlite3.Error as error:
            if _code(error) not in _UNWRITTEN:
                raise
            log.warning(
                "There is no room to bring the journal %s to its new form; nothing is added to it before.", path
            )
            return 1
    return SCHEMA_VERSION


def _bring_to_form_2(connection: sqlite3.Connection, path: Path) -> None:
    copy = _keep_copy(connection, path)
    with _transaction(connection):
        migrate(connection)
        decisions = _add_checksums(connection)
        connection.execute("PRAGMA user_version=2")
    log.info(
        "The journal %s was brought from form 1 to form 2 with its %d decisions. %s",
        path,
        decisions,
        f"The older one is kept as {copy}." if copy is not None else "No copy of the older one is kept.",
    )


def _keep_copy(connection: sqlite3.Connection, path: Path) -> Path | None:
    """Keep the journal in its older schema beside the file, for going back to an earlier version.

    Returns the copy, which may exist already; None if none could be made.
    """
    number, copy = 1, path.with_name(f"{path.stem}.before-2{path.suffix}")
    while copy.exists():
        if _is_copy(connection, copy):
            return copy
        number += 1
        copy = path.with_name(f"{path.stem}.before-2-{number}{path.suffix}")
    try:
        _copy(connection, copy)
    except (OSError, sqlite3.Error) as error:
        log.warning("No copy of the journal in its older form could be kept (%s); it is brought to the new one.", error)
        return None
    return copy


def _is_copy(connection: sqlite3.Connection, copy: Path) -> bool:
    """Whether the file is sound and holds the same rows: as many, with the same last one."""
    asked = "SELECT (SELECT count(*) FROM journal), * FROM journal ORDER BY sequence DESC LIMIT 1"
    try:
        with closing(_connect_read_only(copy)) as other:
            return is_sound(copy) and other.execute(asked).fetchall() == connection.execute(asked).fetchall()
    except sqlite3.Error:
        return False


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit all changes made within, or none."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _add_checksums(connection: sqlite3.Connection) -> int:
    """Chain the decisions of a journal that has no checksums yet; how many there are."""
    before, decisions = "", 0
    rows = connection.execute(f"SELECT {_COLUMNS[2]} FROM journal ORDER BY sequence")  # noqa: S608 - this module's own
    found: list[tuple[str, int]] = []
    for _, members in _by_decision(rows):
        decisions += 1
        if any("\ufffd" in value for row in members for value in row if isinstance(value, str)):
            before = ""  # without a checksum it stays an altered decision
            continue
        before = checksum_of(before, members)
        found.append((before, members[0][0]))
    connection.executemany("UPDATE journal SET checksum = ? WHERE sequence = ?", found)
    return decisions


def _told(journal: FileJournal, path: Path, *, whole: bool) -> FileJournal:
    """`journal`, after its latest decisions were verified and altered ones logged."""
    with suppress(JournalError):
        journal.keep()  # from now on it is known which files are its own
    journal.look_at_the_latest(RECENT if not whole else journal.decision)
    if journal.altered:
        log_altered(path, journal.altered)
    return journal


def log_altered(path: Path, altered: Iterable[int]) -> None:
    """Log the altered decisions."""
    log.error(
        "In the journal %s these decisions are missing, or not as they were written: %s. "
        "The table goes on with what is there.",
        path,
        ", ".join(map(str, altered)),
    )


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


def _copy(connection: sqlite3.Connection, copy: Path) -> None:
    """Copy the journal to `copy` unchanged. Under that name it is whole, even after a power cut.

    Raises `sqlite3.Error` or `OSError`; then nothing is left of it.
    """
    beside = copy.with_name(f"{copy.name}.new")
    beside.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(beside, isolation_level=None)) as target:
            beside.chmod(0o600)
            connection.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")  # so that it is one file, also while somebody reads it
        sync(beside)
        beside.rename(copy)
        sync(copy.parent)
    except (OSError, sqlite3.Error):
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def checksum_of(before: str, rows: Iterable[Row]) -> str:
    """The checksum of a decision's rows, chained to that of the decision before, empty for the first.

    The algorithm must never change: it is compared with checksums in journals.
    """
    told = [
        f"{sequence} {decision} {position} {time!r} {by!a} {command!a} {idempotency!a} {person!a} {event}\n"
        for sequence, decision, position, by, command, event, time, idempotency, person, _ in rows
    ]
    return hashlib.sha256("".join((before, "\n", *told)).encode(errors="surrogatepass")).hexdigest()


def rows_of(decision: Decision, sequence: int, before: str, time: float, key: str | None) -> list[Row]:
    """The rows of a decision that follows that sequence and checksum."""
    rows: list[Row] = [
        (
            sequence + position + 1,
            decision.number,
            position,
            decision.by,
            decision.command,
            kept_event(event),
            time,
            key if position == 0 else None,
            decision.person,
            None,
        )
        for position, event in enumerate(decision.events)
    ]
    rows[0] = (*rows[0][:-1], checksum_of(before, rows))
    return rows


def _kept_checksum(rows: Sequence[Row]) -> str:
    """The checksum of a decision with these rows as the file has it: that of the first; empty where it has none."""
    return rows[0][-1] or ""


def _begun(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Rows of one number, split where a decision begins among them: a wrong number may be the next one's."""
    starts = [at for at, row in enumerate(rows) if at == 0 or row[2] == 0]
    return (rows[one:other] for one, other in pairwise((*starts, len(rows))))


def _is_event(text: str) -> bool:
    """Whether a text has the form of an event of some version."""
    try:
        found = msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return False
    return "\ufffd" not in text and isinstance(found, dict) and isinstance(found.get("event"), str)


def _is_misspelt(text: str) -> bool:
    """Whether an event is one of this version with one wrong character in its name: no later version has such names."""
    name = msgspec.json.decode(text)["event"]
    for one in EVENTS:
        if len(one) == len(name) and sum(a != b for a, b in zip(one, name, strict=True)) == 1:
            with suppress(WireError):
                event_of(text.replace(f'"{name}"', f'"{one}"', 1))
                return True
    return False


def _of_a_later_version(number: int, error: WireError) -> JournalError:
    return JournalError(f"Decision {number} of the journal cannot be read: {error} Install the version that wrote it.")


def _lost_among(places: Sequence[_Place]) -> tuple[tuple[LeftOut, ...], list[tuple[int, int]]]:
    """The decisions that can be read nowhere, of those of a journal, and from which sequence to which their rows stand.

    A decision with a valid checksum has its right number. Each other one stands between two of these, or its number is
    wrong. Rows that form no whole decision belong to the one before, if that is not whole either.
    """
    stays = _compatible(places)
    following = _next_numbers(places, stays)
    for at in range(1, len(places)):
        if stays[at] or not stays[at - 1] or places[at - 1].whole:
            continue
        if places[at].first > places[at - 1].last + 1:
            continue
        if not places[at].begins or following[at] == places[at - 1].number + 1:
            stays[at - 1] = False
    lost: dict[int, LeftOut] = {}
    ranges: list[tuple[int, int]] = []
    last, after = 0, _next_numbers(places, stays)
    for at, one in enumerate(places):
        if stays[at]:
            last = one.number
            continue
        ranges.append((one.first, one.last))
        if not one.begins and at and not stays[at - 1]:
            continue  # it goes on with the one before
        room = one.first - (places[at - 1].last if at else 0)  # as many decisions can be missing before it
        fits = last < one.number <= last + room and (not after[at] or one.number < after[at])
        number = one.number if fits else last + 1
        if not fits and after[at]:
            number = max(last, min(number, after[at] - 1))
        lost.setdefault(number, LeftOut(number, one.command))
        last = number
    return tuple(lost.values()), ranges


def _compatible(places: Sequence[_Place]) -> list[bool]:
    """The readable ones that begin with their first row, and have a number between those of the whole ones around them.

    Of two that exclude each other, the one with an impossible number of missing decisions before it is dropped.
    """
    bounds = _next_numbers(places, [one.whole for one in places])
    lowest = list(accumulate((one.number for one in reversed(places)), min))[::-1]
    stays = []
    last, sequence = 0, 0
    for at, (one, bound) in enumerate(zip(places, bounds, strict=True)):
        rises = one.number > last and (one.whole or not bound or one.number < bound)
        too_high = one.number > last + one.first - sequence and lowest[at] < one.number
        stays.append(rises and one.readable and one.begins and (one.whole or not too_high))
        sequence = one.last
        if stays[-1]:
            last = one.number
    return stays


def _next_numbers(places: Sequence[_Place], among: Sequence[bool]) -> list[int]:
    """For each the number of the next one after it that is among those; 0 where there is none."""
    numbers, number = [0] * len(places), 0
    for at in reversed(range(len(places))):
        numbers[at] = number
        if among[at]:
            number = places[at].number
    return numbers


def _by_decision(rows: Iterable[Row]) -> Iterator[tuple[int, list[Row]]]:
    return ((number, list(members)) for number, members in groupby(rows, key=lambda row: row[1]))


def plainly(error: sqlite3.Error) -> str:
    """SQLite's complaint about a file, as the end of a sentence for people who never heard of SQLite."""
    code = _code(error)
    return next((words for begins, words in _PLAIN.items() if code.startswith(begins)), f"cannot be read: {error}")


_PLAIN: Final = {
    "SQLITE_NOTADB": "is no journal any more: what is in it is something else",
    "SQLITE_CORRUPT": "is damaged",
    "SQLITE_ERROR": "holds no decisions",
    "SQLITE_CANTOPEN": "cannot be opened: this user may not, or it is no file",
    "SQLITE_BUSY": "cannot be read: another program has locked it",
}
"""The usual errors of reading a journal, by SQLite's names."""


def why_not_kept(error: JournalError) -> Phrase:
    """Why the journal could not be written, as part of a sentence."""
    cause = error.__cause__
    if isinstance(error, JournalGoneError):
        return error.why
    if isinstance(error, JournalBusyError):
        return ANOTHER_KIOSK
    if isinstance(error, JournalFullError) or getattr(cause, "errno", None) in _NO_ROOM:
        return say("the disk is full")
    if isinstance(error, JournalUnreadableError):
        return DAMAGED
    if isinstance(cause, OSError):
        return system_words(cause)
    code = next((one for one in _WHY if isinstance(cause, sqlite3.Error) and _code(cause).startswith(one)), "")
    return _WHY[code] if code else say("the disk fails")


def _asked(error: Exception, path: Path) -> Exception:
    """The error, or what its disk says where SQLite only says that it was not written."""
    if _code(error) not in _UNWRITTEN or _code(error) == "SQLITE_FULL":
        return error
    why = why_unwritten(path.parent)
    why.__cause__ = error
    return why


def _code(error: Exception) -> str:
    """SQLite's name for the error; empty where Python raised it by itself."""
    return getattr(error, "sqlite_errorname", "")


def require_next(decision: Decision, last: int) -> None:
    """Refuse a decision without events, or one that does not come after the `last`."""
    if not decision.events:
        raise ValueError("a decision without events is nothing to keep")
    if decision.number <= last:
        raise ValueError(f"decision {decision.number} comes after {last}")
