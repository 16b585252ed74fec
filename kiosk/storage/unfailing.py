"""The table goes on while its disk is full, read-only or dying: decisions wait in memory, in order, for the disk.

What was answered "done" is done: it is saved as soon as the disk works, with its original time, and before anything
newer. The table has played on from it; dropping it later would take the table back to a forgotten state. Until then
`trouble` says why nothing is saved, and every screen says so: what waits is lost if the kiosk is switched off before. A
journal that cannot be opened at the start is read from a copy in memory. If it is removed in play, such a copy is made
from the file that is still open. Once the folder is back, missing decisions are written there from it.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import Final, Protocol

from kiosk.errors import (
    CLOSING,
    EngineStoppedError,
    IdempotencyError,
    JournalBusyError,
    JournalError,
    JournalFullError,
    JournalGoneError,
    JournalNewerError,
    system_words,
)
from kiosk.ports import MISSING, Clock, Entry, Journal, SecondCopyState, SetAside
from kiosk.storage.folder import has_room, is_gone
from kiosk.storage.journal import open_for_reading, open_journal, require_next
from kiosk.storage.journal_names import IN_MEMORY, RESCUED, journals_beside, looks_of, named_by_time, wal_of
from kiosk.storage.journal_troubles import DAMAGED, FOLDER_GONE, FULL_WORDS, why_not_kept
from kiosk.storage.paths import service_folders
from kiosk.storage.replacing import open_file
from kiosk.storage.rows import Row, rows_of
from kiosk.storage.second_copy import second_copy_of
from kiosk.storage.start_files import StartFiles
from rules.game import Decision
from rules.words import Phrase, say

log = logging.getLogger(__name__)

MOST_WAITING: Final = 5000
"""Most decisions waiting in memory: many evenings, some ten megabytes."""

RECENT_KEYS: Final = 256
"""Idempotency keys that are known without the disk: a tray may report its last throws again."""

RECENT_ENTRIES: Final = 2000
"""Events since the start that are known without the disk, an evening's: pages that were away get them again."""

REOPEN_SECONDS: Final = 10.0
"""Seconds between two attempts to open a journal: restoring a damaged one writes as much as it holds."""

AWAY_SECONDS: Final = 50.0
"""How long a removed folder is awaited before it is made again: whoever moved it may put it back. The screens
say "within a minute": with the time until it is noticed, and the one until it is tried again, it is less."""

STILL_SECONDS: Final = 1.5
"""How long the files of a returned folder must stay unchanged before they are used."""

FLUSH_SECONDS: Final = 1.0
"""How long decisions that waited are written before the table is served again."""

MEMORY: Final = (Path("/dev/shm"), None)  # noqa: S108 - a folder of one's own is made in it
"""Where a copy of the journal is opened while its disk does not allow it: in memory, else in the system's own folder
for what is temporary."""

PREFIX: Final = "trueroll-journal-"
"""The beginning of the name of the folder of a copy in memory; the process's number follows."""

ANOTHER: Final = say("the disk holds the journal of another table")
"""Why nothing is saved after somebody changed the card."""


def no_memory_words(why: Phrase) -> Phrase:
    """The message when too much waits, and why; what helps hangs on that, and every screen says it."""
    return say(
        "This was not done: {most} decisions wait for the disk already, and no more can ({why}). Every screen says "
        "what helps. Do it again then.",
        most=MOST_WAITING,
        why=why,
    )


class Filed(Journal, Protocol):
    """A journal in a file."""

    def look_there(self) -> None:
        """Find out whether it lies in its folder; from any thread. Raises `JournalError` where it does not."""

    def checksum_at(self, decision: int) -> str:
        """The checksum by which what follows that decision is chained to it. Raises `JournalError`."""

    def copy_to(self, copy: Path) -> None:
        """Copy it as it is now to a new file. Raises `JournalError`; then nothing is left of that."""

    def members(self, after: int) -> Iterator[tuple[int, list[Row]]]:
        """Each decision after that one with its rows. Raises `JournalError`."""

    def take(self, decisions: Iterable[Sequence[Row]]) -> None:
        """Add decisions as another file of this journal has them, all or none. Raises `JournalError`."""


Opener = Callable[[Path, Clock], Filed]
"""Opens the journal at a path; see `kept_twice.open_kept_twice`."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    decision: Decision
    key: str | None
    time: float
    sequence: int
    """The sequence of its last event."""


class UnfailingJournal:
    """A journal that goes on in memory; see `ports.Journal`. Opened by `open_unfailing`."""

    _closed = False

    def __init__(self, path: Path, clock: Clock, opener: Opener, ready: Callable[[], None]) -> None:
        self._path = path
        self._clock = clock
        self._opener = opener
        self._ready = ready
        self._waiting: deque[_Waiting] = deque()
        self._keys: dict[str, tuple[Decision, int]] = {}
        self._recent: deque[Entry] = deque(maxlen=RECENT_ENTRIES)
        """The latest entries saved since the start."""
        self._trouble: Phrase | None = None
        self._reopen = False
        """Whether the journal has to be opened again: writing alone does not bring it back."""
        self._next_try = 0.0
        self._copy: Path | None = None
        """The folder in memory whose copy of the journal is read in its place."""
        self._last: Entry | None = None
        """The last saved entry, as far as readable when the disk was lost."""
        self._last_before: Entry | None = None
        """The last entry before `_recent`, as read then."""
        self._beside: str = ""
        self._damaged: SetAside | None = None
        """The report on the lost file, until a journal is saved again: a later opening does not know it."""
        self._began_anew: SetAside | None = None
        """The report on the latest journal that begins anew from memory."""
        self._first: Entry | None = None
        """The first entry at the start, by which the journal is recognised."""
        self._mount: Path | None = None
        """The mount point of the journal's disk; None if it was never saved."""
        self._away_since: float | None = None
        """Since when the folder, or the journal in it, is not there."""
        self._ends = False
        """Whether this is the last attempt: then what waits is written however little room there is."""
        self._seen_back: tuple[float, tuple[tuple[int, int, int], ...]] | None = None
        """Since when the files of a returned folder are unchanged, and their attributes."""
        self._turn = threading.RLock()
        """Held by whoever appends, keeps or closes: what comes after the end is not done, and not in memory either."""
        self._base: Filed | None = None
        try:
            self._base = self._opened(path)
            self._mount = _mount_of(path.parent)
        except (JournalNewerError, JournalBusyError):
            raise
        except JournalError as error:
            log.warning("%s The table goes on in memory.", error)
            self._base = self._opened_copy(error)
            self._last_before = _last_of(self._base)
            self._lost(error, reopen=True)
        self._sequence, self._decision = _end_of(self._base)
        self._know_end(self._base)
        self._keys.update(_latest_keys(self._base))

    def _know_end(self, base: Filed) -> None:
        """Remember the beginning and end of the journal: its last decisions are what is left if it is damaged."""
        self._recent.clear()
        self._first = self._last_before = None
        with suppress(JournalError):
            self._first = next(iter(base.entries(0, 1)), None)
            latest = base.entries(max(0, base.sequence - RECENT_KEYS), RECENT_KEYS)
            self._last_before = latest[-1] if latest else None
            whole = not latest or self._first is None or latest[0].sequence == self._first.sequence
            begun = 0 if whole else latest[0].decision  # perhaps its end alone
            self._recent.extend(one for one in latest if one.decision != begun)

    def _opened(self, path: Path) -> Filed:
        try:
            self._ready()
            return self._opener(path, self._clock)
        except JournalError:
            raise
        except OSError as error:  # as of renaming a damaged one where nothing can be written
            raise JournalError(
                say("The journal {path} cannot be opened: {why}.", path=str(path), why=system_words(error))
            ) from error

    def _opened_there(self) -> Filed:
        """The journal in its place. Raises `JournalError`, also where its disk went while it was opened."""
        found = self._opened(self._path)
        if not self._is_back():
            found.close()  # it lies below the disk's place, and has nothing of this table
            raise JournalGoneError(self._path, FOLDER_GONE)
        return found

    @property
    def sequence(self) -> int:
        """See `ports.Journal`."""
        return self._waiting[-1].sequence if self._waiting else self._sequence

    @property
    def decision(self) -> int:
        """See `ports.Journal`."""
        return self._waiting[-1].decision.number if self._waiting else self._decision

    @property
    def set_aside(self) -> SetAside | None:
        """See `ports.Journal`; nothing is reported of a copy in memory."""
        if self._began_anew is not None:
            return self._began_anew
        return self._base.set_aside if self._base is not None and self._copy is None else None

    @property
    def altered(self) -> Mapping[int, str]:
        """See `ports.Journal`."""
        return self._base.altered if self._base is not None and self._copy is None else MappingProxyType({})

    def mend_indexes(self) -> bool:
        """See `ports.Journal`."""
        return self._base.mend_indexes() if self._base is not None and self._copy is None else False

    def older_altered(self) -> Mapping[int, str]:
        """See `ports.Journal`."""
        return self._base.older_altered() if self._base is not None and self._copy is None else {}

    @property
    def second_copy(self) -> SecondCopyState:
        """See `ports.Journal`."""
        return self._base.second_copy if self._base is not None and self._copy is None else SecondCopyState.WELL

    @property
    def copied_anew(self) -> int:
        """See `ports.Journal`."""
        return self._base.copied_anew if self._base is not None and self._copy is None else 0

    @property
    def times_copied_anew(self) -> int:
        """See `ports.Journal`."""
        return self._base.times_copied_anew if self._base is not None and self._copy is None else 0

    @property
    def trouble(self) -> Phrase | None:
        """See `ports.Journal`."""
        return self._trouble

    @property
    def kept_beside(self) -> str:
        """The file beside the journal with this table, if the journal turned out to hold another one."""
        return self._beside

    def all_is_kept(self) -> bool:
        """Whether nothing decided is only in memory, as far as known now; from any thread."""
        if self._is_in_memory_alone or self._base is None or self._trouble is not None:
            return not self._is_in_memory_alone
        try:
            self._base.look_there()
        except JournalError:
            return False  # it was taken away just now
        return True

    def append(self, decision: Decision, idempotency: str | None = None, *, at: float | None = None) -> int:
        """See `ports.Journal`: what the disk does not take waits. Raises `JournalFullError` once too much does.

        Raises `EngineStoppedError` once it is closed: nobody would keep it any more.
        """
        with self._turn:
            if self._closed:
                raise EngineStoppedError(CLOSING)
            return self._appended(decision, idempotency, at)

    def _appended(self, decision: Decision, idempotency: str | None, at: float | None) -> int:
        if self._trouble is not None:
            self.keep()
        if self._trouble is None and self._base is not None:
            now = self._clock.now() if at is None else at
            try:
                self._require_room()
                self._sequence = self._base.append(decision, idempotency, at=now)
            except IdempotencyError:
                raise
            except JournalError as error:
                self._lost(error)
                if self._decision == decision.number:  # the file that was removed had taken it: so has its copy
                    self._recent.extend(_entries_of(_Waiting(decision, idempotency, now, self._sequence)))
                    self._remember(idempotency, decision)
                    return self._sequence
            else:
                self._decision = decision.number
                self._recent.extend(_entries_of(_Waiting(decision, idempotency, now, self._sequence)))
                self._remember(idempotency, decision)
                return self._sequence
        return self._wait(decision, idempotency, self._clock.now() if at is None else at)

    def keep(self) -> None:
        """See `ports.Journal`; nothing once it is closed."""
        with self._turn:
            if not self._closed:
                self._keep()

    def _keep(self) -> None:
        if self._trouble is None:
            self._look_there()
            return
        if self._reopen:
            if self._clock.monotonic() < self._next_try and not self._came_back():
                return
            self._next_try = self._clock.monotonic() + REOPEN_SECONDS
            if not self._opened_again():
                return
        self._write_what_waits()

    def _look_there(self) -> None:
        """Check that the journal is still in its folder, with room: writes to a removed file are lost."""
        if self._base is not None:
            try:
                self._base.keep()
                self._require_room()
            except JournalError as error:
                self._lost(error)

    def _require_room(self) -> None:
        """Raise `JournalFullError` where the disk has no room for a decision."""
        if not has_room(self._path.parent):
            raise JournalFullError(FULL_WORDS)

    def known(self, idempotency: str) -> tuple[Decision, int] | None:
        """See `ports.Journal`."""
        found = self._keys.get(idempotency)
        if found is not None or self._base is None:
            return found
        try:
            return self._base.known(idempotency)
        except JournalError as error:
            self._lost(error)  # what came lately is known in memory
            return None

    def decisions(self, after: int = 0) -> Iterator[Decision]:
        """See `ports.Journal`."""
        yield from self._read().decisions(after)
        yield from (one.decision for one in tuple(self._waiting) if one.decision.number > after)

    def leave_out(self, most: int) -> bool:
        """See `ports.Journal`."""
        base = self._read()
        if self._waiting or not base.leave_out(most):
            return False
        self._sequence, self._decision = _end_of(base)
        self._keys = _latest_keys(base)
        self._know_end(base)
        return True

    def end_before(self, decision: int) -> None:
        """See `ports.Journal`."""
        self._waiting = deque(one for one in self._waiting if one.decision.number < decision)
        self._keys = {key: told for key, told in self._keys.items() if told[0].number < decision}
        self._recent = deque((one for one in self._recent if one.decision < decision), maxlen=RECENT_ENTRIES)
        if decision <= self._decision:
            self._read().end_before(decision)
            self._sequence, self._decision = _end_of(self._base)
            self._last_before = _last_of(self._base)

    def entries(self, after: int = 0, limit: int = 1000) -> tuple[Entry, ...]:
        """See `ports.Journal`. Decisions since the start can be read without the disk, as far as they are in memory."""
        kept = self._kept_entries(after, limit) if after < self._sequence else ()
        waiting = (one for told in tuple(self._waiting) for one in _entries_of(told))
        return (*kept, *islice((one for one in waiting if one.sequence > after), limit - len(kept)))

    def _kept_entries(self, after: int, limit: int) -> tuple[Entry, ...]:
        recent = tuple(self._recent)
        if recent and recent[0].sequence <= after + 1 and recent[-1].sequence == self._sequence:
            first = after + 1 - recent[0].sequence
            return recent[first : first + limit]
        return self._read().entries(after, limit)

    def copy_to(self, copy: Path) -> int:
        """Copy the journal, and what waits, to a new file; its last decision. From any thread.

        Raises `JournalError` where it cannot be read, or what waits does not follow on what the disk holds.
        """
        waiting, last = tuple(self._waiting), self._last  # first: what is kept meanwhile is in both
        place = self._copy / self._path.name if self._copy is not None else self._path
        with closing(open_for_reading(place, self._clock)) as present:
            present.copy_to(copy)
            if not waiting:
                return present.decision
        with closing(open_journal(copy, self._clock)) as made:
            if last is not None and made.entries(last.sequence - 1, 1) != (last,):
                raise JournalError(say("The journal cannot be copied: {why}.", why=ANOTHER))
            for one in waiting:
                if one.decision.number > made.decision:
                    self._append(made, one)
            return made.decision

    def close(self) -> None:
        """Save what can be saved, and close the file; twice is fine."""
        with self._turn:
            if not self._closed:
                self._keep_the_last()
            self._closed = True
            self._let_go()

    def _keep_the_last(self) -> None:
        """Save what is only in memory: in the journal, else wherever possible."""
        if self._trouble is None:
            self._look_there()
        if not self._is_in_memory_alone:
            return
        self._next_try, self._away_since, self._ends = 0.0, -AWAY_SECONDS, True  # there is no later
        self._keep()
        while (before := len(self._waiting)) and self._trouble is not None:
            self._keep()
            if len(self._waiting) == before:
                break
        if self._waiting or (self._copy is not None and self.sequence):
            self._keep_elsewhere()

    @property
    def _is_in_memory_alone(self) -> bool:
        """Whether memory holds more than the disk had at the start, or everything because the disk's file is gone.

        A copy of a journal that could not be opened at the start does not count.
        """
        return bool(self._waiting) or (self._copy is not None and self._mount is not None)

    def _keep_elsewhere(self) -> None:
        """Write what is only in memory wherever possible; the log says where."""
        for folder in self._places_elsewhere():
            what = RESCUED if folder == self._path.parent else _rescued_of(self._path.parent)
            kept = named_by_time(folder / self._path.name, what, self._clock)
            try:
                first, last = (1, self.copy_to(kept)) if self._copy is not None else self._rescued(kept)
            except (OSError, JournalError) as error:
                log.warning("The journal cannot be kept in %s: %s", folder, error)
                with suppress(OSError):
                    kept.unlink(missing_ok=True)
                continue
            # not in the place of the one before: what lies beside that, as its write-ahead log, is none of this
            if first == 1:
                log.error(
                    "The journal is kept as %s, to decision %d: %s. Before the table is played on, put behind its own "
                    "journal what that lacks: trueroll rejoin %s. Or put the file into a folder of its own, name it "
                    "%s, and name the folder with --data.",
                    *(kept, last, self._trouble, quote(str(kept)), self._path.name),
                )
            else:
                log.error(
                    "The decisions %d to %d, which were in memory, are kept as %s: %s. Those before them are in the "
                    "table's own journal. Before that is played on, put these behind them: trueroll rejoin %s",
                    *(first, last, kept, self._trouble, quote(str(kept))),
                )
            return
        log.error(
            "The journal to decision %d was in memory alone, and is kept nowhere: %s.", self.decision, self._trouble
        )

    def _rescued(self, kept: Path) -> tuple[int, int]:
        """Write what is in memory to a new journal there; its first and its last decision.

        Raises `OSError` or `JournalError`.
        """
        with closing(open_journal(kept, self._clock)) as made:
            decisions = self._in_memory(made)
            made.take(decisions)
            return decisions[0][0][1], made.decision

    def _places_elsewhere(self) -> Iterator[Path]:
        """The existing folders for rescuing, the lasting ones first. A service's temporary folder may end with it."""
        folder, mount = self._path.parent, self._mount
        near = () if mount is None or _mount_of(folder) in mount.parents else (folder, folder.parent)
        never = (folder,) if mount is None else ()  # a disk may be mounted over it: memory is worse
        for one in (*near, *_of_the_service(), *never, *_in_memory()):
            hidden = not near and mount is not None and Path(os.path.realpath(one)).is_relative_to(mount)
            if not hidden and not is_gone(one):
                yield one

    def _read(self) -> Filed:
        if self._base is None:
            raise JournalError(say("The journal cannot be read now: {why}.", why=self._trouble or ""))
        return self._base

    def _wait(self, decision: Decision, key: str | None, time: float) -> int:
        require_next(decision, self.decision)
        if key is not None and self.known(key) is not None:
            raise IdempotencyError(say("The journal holds this already: {error}.", error=repr(key)))
        if len(self._waiting) >= MOST_WAITING:
            raise JournalFullError(no_memory_words(self._trouble or say("the disk fails")))
        sequence = self.sequence + len(decision.events)
        self._waiting.append(_Waiting(decision, key, time, sequence))
        self._remember(key, decision)
        return sequence

    def _remember(self, key: str | None, decision: Decision) -> None:
        if key is None:
            return
        self._keys[key] = (decision, self.sequence)
        if len(self._keys) > RECENT_KEYS + len(self._waiting):
            del self._keys[next(iter(self._keys))]

    def _lost(self, error: JournalError, *, reopen: bool = False) -> None:
        """Note that nothing is saved from now on."""
        if self._trouble is None:
            self._last = self._recent[-1] if self._recent else self._last_before
        self._trouble = why_not_kept(error)
        if not self._reopen and (reopen or not isinstance(error, JournalFullError)):
            self._reopen, self._next_try = True, self._clock.monotonic() + REOPEN_SECONDS
        if isinstance(error, JournalGoneError):
            if self._away_since is None:
                self._away_since = self._clock.monotonic()
            if self._copy is None and self._base is not None:
                self._save_in_memory(self._base)

    def _save_in_memory(self, base: Filed) -> None:
        """Continue with a copy of a removed file that is still open: it vanishes when it is closed."""
        log.error("The journal %s was taken away.", self._path)
        for folder in _rooms_in_memory():
            try:
                base.copy_to(folder / self._path.name)
                self._base = open_journal(folder / self._path.name, self._clock)
            except (OSError, JournalError) as error:
                log.warning("The journal cannot be copied into memory: %s", error)
                shutil.rmtree(folder, ignore_errors=True)
                continue
            self._copy = folder
            with suppress(JournalError):
                base.close()
            self._ends_as(self._base)
            self._last = _last_of(self._base)
            return

    def _write_what_waits(self) -> None:
        """Write what waits into the journal, in order, for as long as the table can wait."""
        if self._base is None:
            return
        until = self._clock.monotonic() + FLUSH_SECONDS
        if not has_room(self._path.parent) and not self._ends:
            return
        while self._waiting:
            one = self._waiting[0]
            try:
                self._sequence = self._append(self._base, one)
            except JournalError as error:
                self._lost(error)
                return
            self._decision = one.decision.number
            self._recent.extend(_entries_of(self._waiting.popleft()))
            if self._clock.monotonic() > until and self._waiting:
                return
        self._trouble = None

    @staticmethod
    def _append(journal: Journal, one: _Waiting) -> int:
        try:
            return journal.append(one.decision, one.key, at=one.time)
        except IdempotencyError:  # it was not known while the disk could not be read
            return journal.append(one.decision, at=one.time)

    def _opened_again(self) -> bool:
        """Open the journal again if it holds this table; otherwise continue in a file of its own beside it."""
        if not self._is_back():
            return False
        if self._copy is None and self._base is not None:
            with suppress(JournalError):
                self._base.close()  # two at once would use the same write-ahead log
            self._base = None
        try:
            found = self._opened_there()
        except JournalError as error:
            self._trouble = why_not_kept(error)
            return False
        if found.set_aside is not None:
            self._began_anew = None  # this is the newest report
        try:
            if self._continues(found) or self._completed(found) or self._begun_anew(found):
                self._take_over(found)
                return True
            found.close()
            if self._copy is None:
                self._trouble = DAMAGED if self._damaged is not None and self._ends_with_ours(found) else ANOTHER
                return False
            beside = named_by_time(self._path, IN_MEMORY, self._clock)
            found = self._given_all(beside)
        except (OSError, JournalError) as error:
            found.close()
            self._trouble = why_not_kept(error) if isinstance(error, JournalError) else system_words(error)
            return False
        self._beside = beside.name
        log.warning("The journal %s holds another table. This one is kept as %s.", self._path, beside)
        self._take_over(found)
        return True

    def _is_back(self) -> bool:
        """Whether the journal may be opened again: its folder is there, or was removed so long ago that one is made.

        Where its disk is not mounted it may not: what is written into its place would be hidden once it is. Another one
        that was mounted over it is where it lies now. Where the system does not say, opening it tells why.
        """
        if self._mount is None:
            return True  # it never was: wherever it is, it is welcome
        folder, now = self._path.parent, self._clock.monotonic()
        mount = _mount_of(folder)
        if mount in self._mount.parents:
            self._trouble, self._away_since = FOLDER_GONE, None
            return False
        if not is_gone(folder) or self._mount in mount.parents:  # one that was mounted over it: nobody puts it back
            self._away_since = None
            return True
        self._trouble = FOLDER_GONE
        if self._away_since is None:
            self._away_since = now
        return now - self._away_since >= AWAY_SECONDS

    def _came_back(self) -> bool:
        """Whether a missing folder is back, and its journal no longer changes (it may be being copied back)."""
        if self._trouble != FOLDER_GONE or self._mount is None:
            return False
        folder = self._path.parent
        if is_gone(folder) or _mount_of(folder) in self._mount.parents:
            self._seen_back = None
            return False
        now, looks = self._clock.monotonic(), looks_of(folder, self._path, wal_of(self._path))
        if self._seen_back is None or self._seen_back[1] != looks:
            self._seen_back = now, looks
        return now - self._seen_back[0] >= STILL_SECONDS

    def _completed(self, found: Filed) -> bool:
        """Whether this journal ends where the copy in memory once did, or is empty: then it now gets all the rest.

        Raises `JournalError` where the disk does not take it; then it is as it was.
        """
        base = self._base
        if self._copy is None or base is None or found.sequence >= base.sequence:
            return False
        if found.sequence and _last_of(found) != next(iter(base.entries(found.sequence - 1, 1)), None):
            return False
        found.take(rows for _, rows in base.members(found.decision))
        return True

    def _begun_anew(self, found: Filed) -> bool:
        """Whether this replaces a journal damaged in play with its second copy: then it gets what is in memory.

        Raises `JournalError` where the disk does not take it; then it is as it was.
        """
        if self._copy is not None or found.decision > self._decision:
            return False
        self._damaged = found.set_aside or self._damaged
        if self._damaged is None or not self._ends_with_ours(found):
            return False
        decisions = self._in_memory(found)
        if not decisions:
            return False
        end, first = found.decision, decisions[0][0][1]
        found.take(decisions)
        self._began_anew = SetAside(self._damaged.name, anew_from=first if first > end + 1 else 1)
        if not end:
            self._first = next(iter(found.entries(0, 1)), None)
        told = "The journal %s goes on from memory: decisions %d to %d are kept again."
        if first > end + 1:
            told = "The journal %s begins anew with what was in memory: decisions %d to %d."
        log.error(told, self._path, first, decisions[-1][0][1])
        return True

    def _ends_with_ours(self, found: Filed) -> bool:
        """Whether this journal is empty, or ends with what this table once ended with.

        If it ends before everything in memory, it is recognised by its beginning. Raises `JournalError`.
        """
        if not found.decision:
            return True
        if not self._recent or found.sequence < self._recent[0].sequence:
            return next(iter(found.entries(0, 1)), None) == self._first
        known = next((one for one in self._recent if one.sequence == found.sequence), None)
        return known is not None and _last_of(found) == known

    def _in_memory(self, found: Filed) -> list[list[Row]]:
        """The rows of the decisions that are in memory and that a journal lacks.

        If earlier ones are lost, the first is chained to none, which is reported as a gap.
        """
        sequence, decision = found.sequence, found.decision
        waiting = (entry for one in self._waiting for entry in _entries_of(one))
        entries = [one for one in (*self._recent, *waiting) if one.decision > decision]
        if len(self._recent) == RECENT_ENTRIES and entries and entries[0].sequence > sequence + 1:
            entries = [one for one in entries if one.decision != entries[0].decision]  # perhaps its end alone
        made: list[list[Row]] = []
        gap = bool(entries) and entries[0].sequence > sequence + 1
        before = MISSING if gap else found.checksum_at(decision)
        for _, together in groupby(entries, key=lambda one: one.decision):
            told = list(together)
            one = told[0]
            decided = Decision(
                number=one.decision,
                by=one.by,
                command=one.command,
                events=tuple(each.event for each in told),
                person=one.person,
            )
            made.append(rows_of(decided, one.sequence - 1, before, one.time, one.key))
            before = made[-1][0][-1] or ""
        return made

    def _continues(self, found: Filed) -> bool:
        """Whether what waits follows on this journal: it ends as the one before did.

        A decision may be on the disk although the disk reported an error; then it no longer waits.
        """
        decision = found.decision
        beyond = {one.number: one for one in found.decisions(self._decision)}
        waiting = {one.decision.number: one.decision for one in self._waiting}
        if decision < self._decision or any(waiting.get(number) != one for number, one in beyond.items()):
            return False
        return self._last is None or found.entries(self._last.sequence - 1, 1) == (self._last,)

    def _given_all(self, beside: Path) -> Filed:
        """A new journal there with the content of the copy in memory.

        Raises `JournalError`; nothing is left of it then.
        """
        base = self._read()
        try:
            found = self._opened(beside)
            try:
                found.take(rows for _, rows in base.members(0))
            except JournalError:
                found.close()
                raise
        except JournalError:
            for made in (beside, second_copy_of(beside)):
                with suppress(OSError):
                    made.unlink(missing_ok=True)
            raise
        return found

    def _take_over(self, found: Filed) -> None:
        self._let_go()
        self._base, self._reopen, self._damaged = found, False, None
        self._mount, self._away_since = _mount_of(self._path.parent), None
        self._ends_as(found)

    def _ends_as(self, base: Filed) -> None:
        """Note that everything up to this one is saved: it no longer waits."""
        self._sequence, self._decision = _end_of(base)
        while self._waiting and self._waiting[0].decision.number <= self._decision:
            self._recent.extend(_entries_of(self._waiting.popleft()))

    def _opened_copy(self, error: JournalError) -> Filed:
        """A copy of the journal in memory, as far as the disk is readable. Raises `error` if there is no memory."""
        try:
            files = StartFiles.of(self._path).all
        except OSError:  # the folder cannot be listed; what lies in it may be read all the same
            files = (self._path, self._path.with_name(f"{self._path.name}-wal"), second_copy_of(self._path))
        for copied in (files, ()):  # an empty table is the last resort: first each place for all that can be read
            for folder in _rooms_in_memory():
                try:
                    for one in copied:
                        _copy_what_can_be_read(one, folder / one.name)
                    opened = self._opener(folder / self._path.name, self._clock)
                except (OSError, JournalError) as failed:
                    log.warning("The journal cannot be read in memory: %s", failed)
                    shutil.rmtree(folder, ignore_errors=True)
                    continue
                self._copy = folder
                return opened
        raise error

    def _let_go(self) -> None:
        base, self._base = self._base, None
        if base is not None:
            base.close()
        copy, self._copy = self._copy, None
        if copy is not None:
            shutil.rmtree(copy, ignore_errors=True)


def rescued_elsewhere(path: Path) -> list[Path]:
    """The rescued journals outside the folder that belong to the table of the one at `path`."""
    found: list[Path] = []
    places = (path.parent.parent, *(_of_the_service() or service_folders()), *_in_memory())
    for folder in dict.fromkeys(places):
        with suppress(OSError):  # what may not be looked into
            if folder != path.parent:
                found += journals_beside(folder / path.name, _rescued_of(path.parent))
    return found


def ends_with_the_machine(path: Path) -> bool:
    """Whether that file will be gone after a reboot."""
    return path.parent in _in_memory()


def _rescued_of(folder: Path) -> str:
    """The name of a rescued journal elsewhere: other kiosks of this machine may use the same place."""
    return f"{RESCUED}-{hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:8]}"


def _of_the_service() -> tuple[Path, ...]:
    """The folder that the system gives a service, if this is one."""
    given = os.environ.get("STATE_DIRECTORY", "").partition(":")[0]
    return (Path(given),) if given else ()


def _in_memory() -> tuple[Path, ...]:
    """The places of `MEMORY`, as far as there are any."""
    places = []
    for one in MEMORY:
        with suppress(OSError):  # no folder for what is temporary takes anything
            places.append(Path(one or tempfile.gettempdir()))
    return tuple(places)


def _rooms_in_memory() -> Iterator[Path]:
    """A new folder in each place for a copy of the journal."""
    for place in MEMORY:
        with suppress(OSError):
            _forget_those_of_the_killed(Path(place or tempfile.gettempdir()))
            yield Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=place))


def _mount_of(folder: Path) -> Path:
    """The mount point of the disk on which that folder lies, or would lie."""
    folder = Path(os.path.realpath(folder))  # as `resolve`, which raises where a link leads to itself
    return next((one for one in (folder, *folder.parents) if os.path.ismount(one)), Path("/"))


def _forget_those_of_the_killed(place: Path) -> None:
    """Delete the copies in memory of killed kiosks."""
    for folder in place.glob(f"{PREFIX}*"):
        number = folder.name.removeprefix(PREFIX).partition("-")[0]
        try:
            os.kill(int(number), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except (ValueError, OSError):
            continue  # it runs, or is none of ours


def _copy_what_can_be_read(source: Path, target: Path) -> None:
    """Copy a file up to where the disk fails. Raises `OSError` where there is no room for it."""
    try:
        file = open_file(source)
    except OSError:
        return
    with file, target.open("wb") as made:
        while True:
            try:
                part = file.read(1 << 16)
            except OSError as error:
                log.warning("%s can be read to its byte %d only: %s", source, file.tell(), error)
                return
            if not part:
                return
            made.write(part)


def _entries_of(one: _Waiting) -> Iterator[Entry]:
    """The events of a decision, each with its place."""
    told = one.decision
    first = one.sequence - len(told.events) + 1
    for number, event in enumerate(told.events, start=first):
        yield Entry(
            sequence=number,
            decision=told.number,
            by=told.by,
            time=one.time,
            event=event,
            person=told.person,
            command=told.command,
            key=one.key if number == first else None,
        )


def _end_of(journal: Journal | None) -> tuple[int, int]:
    """The last sequence and the last decision of a journal."""
    return (0, 0) if journal is None else (journal.sequence, journal.decision)


def _last_of(journal: Journal | None) -> Entry | None:
    """The last entry of a journal, as far as readable."""
    if journal is None or not journal.sequence:
        return None
    try:
        return journal.entries(journal.sequence - 1, 1)[0]
    except (JournalError, IndexError):
        return None


def _latest_keys(journal: Journal) -> dict[str, tuple[Decision, int]]:
    """The idempotency keys of the latest decisions: the disk may not be there to ask once a tray reports them again."""
    keys: dict[str, int] = {}
    ends: dict[int, int] = {}
    try:
        for one in journal.entries(max(0, journal.sequence - RECENT_KEYS), RECENT_KEYS):
            ends[one.decision] = one.sequence
            if one.key is not None:
                keys[one.key] = one.decision
        decisions = {one.number: one for one in journal.decisions(min(keys.values()) - 1)} if keys else {}
    except JournalError:
        return {}  # what is damaged is told elsewhere
    return {key: (decisions[number], ends[number]) for key, number in keys.items()}


def open_unfailing(
    path: Path, clock: Clock, opener: Opener, ready: Callable[[], None] = lambda: None
) -> UnfailingJournal:
    """Open the journal at `path` by `opener`; where the disk does not allow it, go on in memory.

    `ready` is called before each opening, and raises `JournalError` where the folder cannot be used yet. Raises
    `JournalNewerError`, `JournalBusyError`, and what `opener` raises where there is no memory either.
    """
    return UnfailingJournal(path, clock, opener, ready)
