"""The journal with its second copy: each restores at the start what the other lost, and both are looked at in play.

The journal is the truth: a line is added once the journal has its decision, without waiting for the disk once more.
Lines lost at the end in a power cut are added from the journal at the next start.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Final

from kiosk.errors import JournalError, JournalFullError, JournalNewerError, JournalUnreadableError
from kiosk.ports import Clock, Entry, LeftOut, SecondCopyState, SetAside
from kiosk.storage.begun import BEGUN, Mark
from kiosk.storage.checkpoint import FILE_NAME as CHECKPOINT_NAME
from kiosk.storage.journal import RECENT, FileJournal, log_altered, open_for_reading, open_journal
from kiosk.storage.journal_file import SCHEMA_VERSION, is_sound, looked_through
from kiosk.storage.journal_names import (
    DAMAGED_NAME,
    log_left_behind,
    looks_of,
    named_by_time,
    set_journal_aside,
    wal_of,
)
from kiosk.storage.journal_troubles import is_damage
from kiosk.storage.replacing import OWNERS_ALONE, open_file, sync
from kiosk.storage.rows import Row, checksum_of
from kiosk.storage.salvage import Behind, Salvage
from kiosk.storage.second_copy import SecondCopy
from kiosk.storage.start_files import StartFiles, discard, look_whole, made_at, newest_damaged, put_names_right
from kiosk.storage.whole_decisions import (
    Rows,
    can_be_read,
    chosen,
    paired,
    readable,
    rising,
    salvaged,
    share_a_decision,
    with_checksum,
)
from kiosk.storage.write_ahead_log import behind_the_log, first_checksum, reached_by, read_wal
from rules.game import Decision
from rules.words import Phrase, say

log = logging.getLogger(__name__)

COMPARED: Final = 2000
"""Decisions up to which both files are compared line by line on opening: to read a line takes five times as long as to
look at a checksum."""

OTHER_TABLE: Final = "other-table"
"""The name part of a second copy of another table that was set aside: see `named_by_time`."""


_LOGGERS: Final = (
    "kiosk.storage.journal",
    "kiosk.storage.journal_file",
    "kiosk.storage.journal_names",
    "kiosk.storage.checkpoint",
    "kiosk.storage.start_files",
    "kiosk.storage.whole_decisions",
    __name__,
    "kiosk.engine",
)
"""Who tells in the log what is found in a journal."""


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
        """Check the journal if its files were changed.

        SQLite continues with its cache, and would notice only at the next start. Raises `JournalUnreadableError` if it
        is damaged, and as `look_there`.
        """
        looks = looks_of(*self._files)
        if looks == self._left and not self._unsure:
            return
        self._journal.look_there()  # or what was taken away would count as damaged
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
            own = share_a_decision(rising(salvage.decisions()), self._second.decisions())
            variants = [rising(salvage.decisions(one)) for one in range(salvage.variants)]
            lines = self._second.decisions() if own else iter(())
            made = self._made(
                salvaged([readable(self._journal), lines, *variants], self._second.checksums() if own else ())
            )
        self._needs_wal = False
        with closing(open_for_reading(made, self._clock)) as journal:
            last = journal.decision
        seen_only = any(one.number > last for one in hidden.later)
        if last <= self._journal.decision and not seen_only and not hidden.unsure:
            discard(made)
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
        pairs = paired((rows for _, rows in self._journal.members(0)), self._second.decisions())
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
        return not share_a_decision(readable(self._journal), self._second.decisions())

    def _agree(self) -> bool:
        """Whether the lines belong to the journal; in a long one only the first and last are checked."""
        if self._journal.decision > COMPARED:
            end = self._second.end()
            if end == (0, ""):
                return True  # there are no lines: see `_was_there`
            first = next((rows for _, rows in self._journal.members(0)), None)
            return end is not None and self._is_ours(end) and next(self._second.decisions(), None) == first
        ended = False
        for one, two in paired((rows for _, rows in self._journal.members(0)), self._second.decisions()):
            ended = ended or two is None
            if two is not None and (ended or one != two):
                return False
        return True

    def _lines_know_better(self) -> bool:
        """Whether the second copy has a whole decision that differs in the journal, or is missing there."""
        return any(one != two for one, two in paired(readable(self._journal), self._best()))

    def _best(self) -> Iterator[Rows]:
        """Each decision from the file that has it whole, where the journal can be read."""
        has_lines = next(self._second.decisions(), None) is not None
        if not has_lines or share_a_decision(readable(self._journal), self._second.decisions()):
            return salvaged([readable(self._journal), self._second.decisions()], self._second.checksums())
        return chosen(readable(self._journal), self._second.decisions())

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
        damaged = [self._path.with_name(aside)] if aside else newest_damaged(self._path)
        with ExitStack() as opened:
            beyond: Iterable[Rows] = ()
            with suppress(JournalError):
                for one in damaged:
                    beyond = readable(opened.enter_context(closing(open_for_reading(one, self._clock))))
            made = made or self._made(chosen(self._second.decisions(), beyond))
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
            if has_lines and not share_a_decision(rising(found.decisions()), self._second.decisions()):
                return None
            variants = [rising(found.decisions(one)) for one in range(found.variants)]
            made = self._made(salvaged([self._second.decisions(), *variants], self._second.checksums()))
        with closing(open_for_reading(made, self._clock)) as journal:
            self._pieced = journal.count() > sum(1 for _ in self._second.decisions())
            if journal.decision:
                return made
        discard(made)
        return None

    def _read_without_checksums(self, damaged: Path) -> tuple[Path | None, bool]:
        """A journal of what SQLite reads of a damaged one of the first form, and whether there was more behind it.

        No checksum tells what is whole in any other row, so that these are not searched for. None where nothing is
        read, or it is of another form. Raises as `_made`.
        """
        try:
            with closing(open_for_reading(damaged, self._clock)) as journal:
                found = [] if journal.has_checksums else list(takewhile(can_be_read, readable(journal, 1)))
                last = journal.decision
        except JournalError:
            return None, False
        before = ""
        for place, rows in enumerate(found):
            before = checksum_of(before, rows)
            found[place] = with_checksum(rows, before)
        return (self._made(found), found[-1][0][1] < last) if found else (None, False)

    def _mended(self, why: str) -> bool:
        """Replace this journal by one with the second copy's whole decisions, if that loses nothing."""
        try:
            made = self._made(self._best())
            if not _goes_as_far(made, self._journal, self._clock):
                discard(made)
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
        place = made_at(self._path)
        discard(place)
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
                self._second.add(self._rows_after(self._copied))
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

    def _rows_after(self, decision: int) -> Iterable[Sequence[Row]]:
        """The rows of the journal's decisions after that one; mostly it is one alone, and known."""
        newest = self._journal.newest
        if newest and newest[0][1] == self._journal.decision == decision + 1:
            return (newest,)
        return (rows for _, rows in self._journal.members(decision))

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

    loggers = [logging.getLogger(one) for one in _LOGGERS]
    for one in loggers:
        one.addFilter(is_anothers)
    try:
        yield
    finally:
        for one in loggers:
            one.removeFilter(is_anothers)


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


def open_kept_twice(path: Path, clock: Clock) -> JournalKeptTwice:
    """Open or make the journal at `path` with its second copy, and restore what is damaged from the other of the two.

    Raises as `open_journal`, and `JournalFullError` where there is no room to restore it. A journal of a later version
    counts as damaged if the lines beside it are of this version, because a later version would write its own lines. Its
    schema must also be one bit away from this one, or more of it damaged.
    """
    files = StartFiles.of(path)
    second = SecondCopy(files.second)
    with suppress(OSError):
        put_names_right(files)
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
