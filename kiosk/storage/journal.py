"""The journal: every decision of the table in order, durable before anyone is shown it, never edited.

SQLite in write-ahead mode with `synchronous=FULL`, so that a power cut takes back nothing that was committed. One table
is one stream: a row for each event, numbered without gaps; a decision's rows are written in one transaction. The first
row of each carries a checksum of the decision and of the checksum before it, so that a flipped bit, a missing row or a
changed one is reported with the decision's number. Decisions missing at the end leave no trace: the rest is a valid
shorter journal.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from kiosk.errors import (
    IdempotencyError,
    JournalDamagedError,
    JournalError,
    JournalFullError,
    JournalGoneError,
    JournalUnreadableError,
    WireError,
    system_words,
)
from kiosk.ports import MISSING, Clock, Entry, LeftOut, SecondCopyState, SetAside
from kiosk.storage.folder import is_gone
from kiosk.storage.journal_file import (
    COLUMNS,
    SCHEMA_VERSION,
    DamagedFileError,
    bring_to_form_2,
    connect,
    connect_for_reading,
    connect_read_only,
    copy_to,
    looked_through,
    prepare,
    require_known,
    text_of,
    transaction,
)
from kiosk.storage.journal_names import damaged_name, set_journal_aside, wal_of
from kiosk.storage.journal_troubles import (
    DAMAGE_CODES,
    ELSEWHERE_CODES,
    FILE_GONE,
    FOLDER_GONE,
    FULL_WORDS,
    NO_ROOM_NUMBERS,
    WHY_UNOPENED,
    cause_of,
    code_of,
    has_form,
    plainly,
    unusable,
)
from kiosk.storage.lost_decisions import RowRange, lost_among
from kiosk.storage.migration import old_texts
from kiosk.storage.rows import (
    Row,
    begun_among,
    by_decision,
    checksum_of,
    is_event,
    is_misspelt,
    kept_checksum,
    of_a_later_version,
    rows_of,
)
from kiosk.storage.wire import event_of
from rules.game import Decision, DecisionRedone, DecisionUndone, Event, name_of
from rules.words import Phrase, known, say

log = logging.getLogger(__name__)

PAGE: Final = 250
"""Events read from the file at a time."""

RECENT: Final = 10_000
"""The number of latest decisions whose checksums are verified on opening: a season, in a tenth of a second. Older ones
are verified once the table is served: see `FileJournal.older_altered`.
"""

_UNDO: Final = " OR ".join(f'event GLOB \'{{"event":"{name_of(kind)}"*\'' for kind in (DecisionUndone, DecisionRedone))
"""The SQL condition for an undo or a redo."""

_IDEMPOTENCY: Final = "journal.idempotency"
"""SQLite's name of the column with a value that may come again."""


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
        self._columns = COLUMNS[version]
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
        self._files = path, wal_of(path)
        self.newest: Sequence[Row] = ()
        """The rows of the decision that was written last, left out since or not; none before the first."""
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
        checksum = kept_checksum(rows)
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
        self.newest = rows
        self.keep()
        return self._sequence

    def keep(self) -> None:
        """See `ports.Journal`: nothing is in memory alone here. Raises as `look_there`."""
        self.look_there()

    def look_there(self) -> None:
        """Find out whether the journal lies in its folder; from any thread. Raises `JournalGoneError`, `JournalError`.

        The open files are compared: SQLite silently goes on writing into a removed file, which nobody finds any more.
        """
        for place in self._files:
            try:
                found = place.stat()
            except (FileNotFoundError, NotADirectoryError):
                if place == self._path or place in self._placed:
                    raise JournalGoneError(self._path, FOLDER_GONE if is_gone(place.parent) else FILE_GONE) from None
            except OSError as error:
                raise JournalError(unusable(str(error))) from error
            else:
                lies = found.st_dev, found.st_ino
                if self._placed.setdefault(place, lies) != lies:
                    raise JournalGoneError(self._path, FILE_GONE)

    def take(self, decisions: Iterable[Sequence[Row]]) -> None:
        """Add decisions as another file of this journal has them, all or none. Raises `JournalError`."""
        last: Sequence[Row] = ()
        with self._lock, self._words(), transaction(self._connection):
            for rows in decisions:
                self._connection.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
                last = rows
        if last:
            self._sequence, self._decision = last[-1][0], last[-1][1]
            self._checksum = kept_checksum(last)
            self.newest = last

    def known(self, idempotency: str) -> tuple[Decision, int] | None:
        """See `ports.Journal`."""
        rows = self._select(
            "WHERE decision = (SELECT decision FROM journal WHERE idempotency = ? AND sequence <= ?) ORDER BY sequence",
            (idempotency, self._sequence),
        )
        return (next(self._decisions(by_decision(rows))), rows[-1][0]) if rows else None

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
            with closing(connect_read_only(self._path)) as beside:  # so that nothing waits while it is looked through
                sound = beside.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
            if sound or not looked_through(self._path):
                return False
        except sqlite3.Error as error:
            raise JournalError(unusable(str(error))) from error
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
            kept = kept_checksum(members)
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
            lost, ranges = lost_among(list(self._places()))
        except JournalUnreadableError:
            return False
        if not lost or len(before) + len(lost) > most:
            return False
        try:
            with self._lock, self._words():
                if not self._copied_as:
                    kept = damaged_name(self._path, self._clock)
                    copy_to(self._connection, kept)
                    log.error("The damaged journal is kept as %s.", kept)
                    self._copied_as = kept.name
                with suppress(sqlite3.Error):
                    self._connection.execute("REINDEX")  # what names a row otherwise than it is forbids deleting it
                with transaction(self._connection):
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

    def _places(self) -> Iterator[RowRange]:
        """The place of each decision, in the order of the rows.

        Raises `JournalError` for a decision that this version cannot read although it seems unaltered.
        """
        before, last = "", (0, 0)
        for number, together in self.members(0):
            for members in begun_among(together):
                readable = True
                try:
                    for row in members:
                        event_of(row[5])
                except WireError as error:
                    if not self._is_damaged(members, before, last):
                        raise of_a_later_version(number, error) from error
                    readable = False
                first = members[0]
                whole = kept_checksum(members) == checksum_of(before, members)
                yield RowRange(number, first[0], members[-1][0], str(first[4]), whole, readable, first[2] == 0)
                last = members[-1][0], number
                if first[2] == 0:  # else these rows are of the one before, which has its checksum
                    before = kept_checksum(members)

    def _is_damaged(self, members: Sequence[Row], before: str, last: tuple[int, int]) -> bool:
        """Whether an unreadable decision is damaged.

        `before` is the checksum of the one before, and `last` its last sequence and its number. Where others are
        missing in between, its checksum cannot tell: then it is damaged where it is no JSON, or an event of this
        version but for one character of its name.
        """
        if self._old_texts is not None:
            return True
        if kept_checksum(members) == checksum_of(before, members):
            return False
        missing = members[0][0] > last[0] + 1 and members[0][1] > last[1] + 1
        events = [row[5] for row in members]
        return not missing or not all(map(is_event, events)) or any(map(is_misspelt, events))

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
            bring_to_form_2(self._connection, self._path)
            self._columns, self._old_texts = COLUMNS[SCHEMA_VERSION], None
            self._checksum = self.checksum_at(self._decision)

    def _drop_surplus(self) -> None:
        """Delete the damaged decision and all after it, once a copy of the whole file is on the disk."""
        with self._lock, self._words():
            kept = damaged_name(self._path, self._clock)
            copy_to(self._connection, kept)
            with transaction(self._connection):
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
            for number, members in by_decision(rows)
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
            for number, members in by_decision(rows):
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
            copy_to(self._connection, copy)

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
            *whole, (_, begun) = by_decision([*begun, *rows])
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
            raise of_a_later_version(number, error) from error

    def checksum_at(self, decision: int) -> str:
        """The checksum by which what follows that decision is chained to it: see `kept_checksum`."""
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
        return kept_checksum(rows)

    def _select(self, where: str, values: tuple[object, ...]) -> list[Row]:
        """Rows in the present schema, whichever the file has."""
        with self._lock, self._words():
            old = self._old_texts
            query = f"SELECT {self._columns} FROM journal {where}"  # noqa: S608 - both are this module's own
            rows = self._fetched(query, values)
            if not all(isinstance(row[0], int) and isinstance(row[1], int) and isinstance(row[5], str) for row in rows):
                raise JournalUnreadableError(unusable("a row has no number or no event"))
        return rows if old is None else [(*row[:5], old.kept(row[5], row[4], row[1]), *row[6:]) for row in rows]

    def _fetched(self, query: str, values: tuple[object, ...]) -> list[Row]:
        """The rows of a query. `text_of` is used only for broken text; using it always takes twice as long."""
        self._connection.text_factory = str
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.OperationalError as error:
            if code_of(error):
                raise
        finally:
            self._connection.text_factory = text_of
        return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _words(self) -> Iterator[None]:
        """SQLite's errors as the journal's own, with what to do."""
        try:
            yield
        except sqlite3.IntegrityError as error:
            if _IDEMPOTENCY not in str(error):  # the next number exists already: a bit of another one flipped
                raise JournalUnreadableError(unusable(str(error))) from error
            raise IdempotencyError(say("The journal holds this already: {error}.", error=str(error))) from error
        except (sqlite3.Error, OSError) as error:
            cause = cause_of(error, self._path)
            if code_of(cause) == "SQLITE_FULL" or getattr(cause, "errno", None) in NO_ROOM_NUMBERS:
                raise JournalFullError(FULL_WORDS) from cause
            blamed = JournalUnreadableError if code_of(error) in DAMAGE_CODES else JournalError
            raise blamed(unusable(str(error))) from cause


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
        connection = connect(path)
        try:
            version = prepare(connection, path)
            if most_pages is not None:
                connection.execute(f"PRAGMA max_page_count={most_pages:d}")
            return _told(FileJournal(connection, path, clock, version=version), path, whole=whole)
        except BaseException:
            connection.close()
            raise
    except (DamagedFileError, JournalUnreadableError) as error:
        return _anew(path, clock, str(error), most_pages)
    except sqlite3.Error as error:
        if code_of(error) not in DAMAGE_CODES:
            cause = cause_of(error, path)
            why = (
                system_words(cause)
                if isinstance(cause, OSError)
                else WHY_UNOPENED.get(code_of(error)) or known(str(error))
            )
            blamed = (
                JournalError
                if code_of(error).startswith(ELSEWHERE_CODES) and has_form(path)
                else JournalUnreadableError
            )
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


def open_for_reading(path: Path, clock: Clock) -> FileJournal:
    """Open the journal at `path` without changing it, as beside a running kiosk.

    Raises `JournalError` where there is none or it cannot be read, `JournalNewerError` for one of a later version.
    """
    if not path.is_file():
        raise JournalError(f"There is no journal at {path}. Name the kiosk's data folder with --data.")
    try:
        connection = connect_for_reading(path)
        try:
            version = require_known(connection, path)
            return FileJournal(connection, path, clock, version=version or SCHEMA_VERSION)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        raise JournalError(
            f"The journal {path} {plainly(error)}. `trueroll doctor` says what the next start makes of it."
        ) from error


def _anew(path: Path, clock: Clock, why: str, most_pages: int | None) -> FileJournal:
    kept = set_journal_aside(path, clock, why)
    journal = open_journal(path, clock, most_pages=most_pages)
    journal.set_aside = SetAside(kept.name)
    return journal


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


def require_next(decision: Decision, last: int) -> None:
    """Refuse a decision without events, or one that does not come after the `last`."""
    if not decision.events:
        raise ValueError("a decision without events is nothing to keep")
    if decision.number <= last:
        raise ValueError(f"decision {decision.number} comes after {last}")
