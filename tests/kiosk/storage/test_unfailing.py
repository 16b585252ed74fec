"""A journal on a disk that is full, read-only or dying: the table goes on, and all is kept once the disk takes it."""

from __future__ import annotations

import errno
import os
import queue
import shutil
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from kiosk import engine as engine_module
from kiosk.commands.doctor import examine
from kiosk.compose import build
from kiosk.config import load_config
from kiosk.engine import Engine
from kiosk.errors import (
    EngineStoppedError,
    IdempotencyError,
    JournalBusyError,
    JournalError,
    JournalFullError,
    JournalUnreadableError,
    system_words,
)
from kiosk.ports import Clock, SecondCopyState, SetAside
from kiosk.storage import unfailing
from kiosk.storage.checkpoint import CheckpointFile
from kiosk.storage.damage_words import damage_words
from kiosk.storage.folder import LOCK_NAME, HeldFolder, held_at
from kiosk.storage.journal import FileJournal, open_journal
from kiosk.storage.journal_names import damaged_journals, wal_of
from kiosk.storage.journal_troubles import why_not_kept
from kiosk.storage.kept_twice import JournalKeptTwice, open_kept_twice
from kiosk.storage.paths import UNIT, service_folders
from kiosk.storage.second_copy import SecondCopy, second_copy_of
from kiosk.storage.unfailing import AWAY_SECONDS, MOST_WAITING, REOPEN_SECONDS, UnfailingJournal, open_unfailing
from rules.history import Decision
from rules.setup.setting_up import SetUpTable
from rules.state.vocabulary import Ruleset
from rules.tasks.traits import AddTrait
from tests.kiosk.desk import StillClock
from tests.kiosk.forked import ended
from tests.kiosk.storage.test_journal import decision, spoil
from tests.kiosk.test_compose import BARE


@dataclass
class Disk:
    """A stand-in for a disk: `fault` is what it answers to whoever opens or writes the journal at `path`."""

    path: Path
    clock: StillClock = field(default_factory=StillClock)
    fault: JournalError | None = None
    made: list[UnfailingJournal] = field(default_factory=list)

    def open_it(self, path: Path, clock: Clock) -> JournalKeptTwice:
        if self.fault is not None and path.parent == self.path.parent:
            raise self.fault
        return open_kept_twice(path, clock)

    def journal(self) -> UnfailingJournal:
        self.made.append(open_unfailing(self.path, self.clock, self.open_it))
        return self.made[-1]

    def later(self) -> None:
        self.clock.ticks += REOPEN_SECONDS
        self.clock.wall += REOPEN_SECONDS


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    one = Disk(tmp_path / "data" / "journal.sqlite3")
    really = FileJournal.append

    def append(journal: FileJournal, decision: Decision, key: str | None = None, *, at: float | None = None) -> int:
        if one.fault is not None and journal._path.parent == one.path.parent:  # noqa: SLF001 - where the fault is
            raise one.fault
        return really(journal, decision, key, at=at)

    monkeypatch.setattr(FileJournal, "append", append)
    (tmp_path / "memory").mkdir()
    monkeypatch.setattr(unfailing, "MEMORY", (tmp_path / "memory",))
    yield one
    for journal in one.made:
        journal.close()
    assert not list((tmp_path / "memory").iterdir()), "no copy is left behind"


def said(journal: UnfailingJournal) -> str:
    """Why nothing is kept; empty when all is well."""
    return str(journal.trouble or "")


FULL = JournalFullError("no room")
DYING = JournalError("the disk fails")


def kept(path: Path) -> list[Decision]:
    journal = open_journal(path, StillClock())
    try:
        return list(journal.decisions())
    finally:
        journal.close()


@pytest.mark.parametrize("fault", [FULL, DYING])
def test_what_waits_is_kept_in_order_with_its_time_once_the_disk_takes_it(disk: Disk, fault: JournalError) -> None:
    journal = disk.journal()
    journal.append(decision(1), "one")
    assert journal.all_is_kept()
    disk.fault = fault
    assert journal.append(decision(2), "two") == 4
    assert said(journal)
    assert not journal.all_is_kept()
    disk.later()
    assert journal.append(decision(3)) == 6
    assert (journal.sequence, journal.decision) == (6, 3)
    assert journal.known("two") == (decision(2), 4)
    with pytest.raises(IdempotencyError):
        journal.append(decision(4), "two")
    disk.fault = None
    disk.later()
    assert journal.append(decision(4)) == 8, "what is newer comes after what waited"
    assert not said(journal)
    times = [one.time for one in journal.entries()]
    assert list(journal.decisions()) == [decision(number) for number in range(1, 5)]
    journal.close()
    assert kept(disk.path) == [decision(number) for number in range(1, 5)]
    assert [one - times[0] for one in times[::2]] == [0, 0, REOPEN_SECONDS, 2 * REOPEN_SECONDS]


def test_the_decisions_that_wait_are_read_after_those_on_the_disk(disk: Disk) -> None:
    journal = disk.journal()
    journal.append(decision(1))
    disk.fault = FULL
    journal.append(decision(2))
    journal.append(decision(3))
    assert [one.number for one in journal.decisions()] == [1, 2, 3]
    assert [one.number for one in journal.decisions(2)] == [3]
    assert [(one.sequence, one.decision) for one in journal.entries(after=1, limit=4)] == [
        (2, 1),
        (3, 2),
        (4, 2),
        (5, 3),
    ]
    journal.end_before(3)
    assert journal.decision == 2


def test_what_was_decided_since_the_start_can_be_read_while_the_disk_is_gone(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it would be read from the disk, its times and keys, too; pages that were away are told it again."""
    before = disk.journal()
    before.append(decision(1), "before")
    before.close()
    monkeypatch.setattr(unfailing, "RECENT_KEYS", 1)
    journal = disk.journal()
    journal.append(decision(2), "two")
    journal.append(decision(3))
    from_disk = FileJournal.entries(open_journal(disk.path, disk.clock), after=2)
    disk.fault = DYING
    journal.append(decision(4), "four")
    disk.later()
    journal.keep()
    assert journal._base is None, "the journal was let go of, and cannot be opened"  # noqa: SLF001 - what is tried here
    assert journal.entries(after=2)[:4] == from_disk
    assert [(one.sequence, one.decision, one.key) for one in journal.entries(after=5)] == [
        (6, 3, None),
        (7, 4, "four"),
        (8, 4, None),
    ]
    assert [one.sequence for one in journal.entries(after=3, limit=2)] == [4, 5]
    with pytest.raises(JournalError, match="cannot be read now"):
        journal.entries(after=1)
    disk.fault = None
    disk.later()
    journal.keep()
    assert [one.sequence for one in journal.entries()] == [1, 2, 3, 4, 5, 6, 7, 8]
    monkeypatch.setattr(FileJournal, "entries", None)
    assert [one.sequence for one in journal.entries(after=2)] == [3, 4, 5, 6, 7, 8], "what waited is known, too"


def test_it_is_kept_by_itself_without_another_decision(disk: Disk) -> None:
    journal = disk.journal()
    disk.fault = FULL
    journal.append(decision(1))
    journal.keep()
    assert said(journal) == "the disk is full"
    disk.fault = None
    journal.keep()
    assert not said(journal)
    assert kept(disk.path) == [decision(1)]


def test_it_starts_on_a_disk_that_lets_nothing_be_opened_with_all_that_can_be_read(disk: Disk) -> None:
    before = disk.journal()
    before.append(decision(1), "one")
    before.close()
    disk.fault = DYING
    journal = disk.journal()
    assert said(journal)
    assert list(journal.decisions()) == [decision(1)]
    assert journal.known("one") == (decision(1), 2)
    journal.append(decision(2))
    disk.fault = None
    journal.keep()
    assert said(journal), "it is not tried all the time"
    disk.later()
    journal.keep()
    assert not said(journal)
    assert journal.kept_beside == ""
    journal.append(decision(3))
    journal.close()
    assert kept(disk.path) == [decision(1), decision(2), decision(3)]


@pytest.mark.parametrize("name", ["journal.restored.sqlite3", "journal.damaged-20260101T000000Z.sqlite3"])
def test_a_copy_in_memory_reads_all_that_a_start_reads(disk: Disk, name: str) -> None:
    """The plug was pulled as a restored journal was put in place; what the second copy lacks is in the damaged one."""
    before = disk.journal()
    for number in range(1, 4):
        before.append(decision(number))
    before.close()
    disk.path.rename(disk.path.with_name(name))
    lines = second_copy_of(disk.path)
    lines.write_bytes(lines.read_bytes().splitlines(keepends=True)[0])
    disk.fault = DYING
    assert [one.number for one in disk.journal().decisions()] == [1, 2, 3]


def test_without_room_to_restore_a_damaged_journal_it_is_restored_in_memory(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = disk.journal()
    for number in range(1, 6):
        before.append(decision(number))
    before.close()
    disk.path.write_bytes(b"\xa5" * 4096)
    lines = second_copy_of(disk.path).read_bytes()
    really = FileJournal.take

    def refused(journal: FileJournal, decisions: object) -> None:
        if disk.fault is not None and journal._path.parent == disk.path.parent:  # noqa: SLF001 - where the fault is
            raise FULL
        really(journal, decisions)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(FileJournal, "take", refused)
    monkeypatch.setattr(Disk, "open_it", lambda _, path, clock: open_kept_twice(path, clock))
    disk.fault = FULL
    journal = disk.journal()
    assert [one.number for one in journal.decisions()] == [1, 2, 3, 4, 5]
    assert (journal.set_aside, bool(said(journal))) == (None, True)
    journal.append(decision(6))
    assert second_copy_of(disk.path).read_bytes() == lines
    disk.fault = None
    disk.later()
    journal.keep()
    assert not said(journal)
    assert journal.set_aside is not None
    assert journal.set_aside.restored == 5
    journal.close()
    assert [one.number for one in kept(disk.path)] == [1, 2, 3, 4, 5, 6]


def test_a_table_begun_in_memory_never_takes_the_place_of_the_one_before(disk: Disk) -> None:
    before = disk.journal()
    for number in range(1, 4):
        before.append(decision(number))
    before.close()
    disk.fault = DYING
    hidden = disk.path.parent.rename(disk.path.parent.with_name("unreadable"))
    journal = disk.journal()
    assert journal.sequence == 0
    journal.append(decision(1, "Rain"))
    hidden.rename(disk.path.parent)
    disk.fault = None
    disk.later()
    journal.keep()
    assert not said(journal)
    journal.append(decision(2, "Rain"))
    journal.close()
    assert kept(disk.path) == [decision(1), decision(2), decision(3)]
    assert kept(disk.path.with_name(journal.kept_beside)) == [decision(1, "Rain"), decision(2, "Rain")]


def test_what_the_disk_has_although_it_said_no_is_not_kept_twice(disk: Disk) -> None:
    journal = disk.journal()
    journal.append(decision(1))
    disk.fault = DYING
    journal.append(decision(2))
    disk.fault = None
    other = open_journal(disk.path, disk.clock)
    other.append(decision(2))
    other.close()
    disk.later()
    disk.fault = None
    journal.keep()
    assert not said(journal)
    journal.append(decision(3))
    journal.close()
    assert kept(disk.path) == [decision(1), decision(2), decision(3)]


@pytest.mark.parametrize("number", ["sequence = 7", "sequence = 8", "decision = 4"])
@pytest.mark.parametrize("kept_before", [2, 3])
def test_a_number_that_fell_over_onto_the_next_is_put_right(disk: Disk, number: str, kept_before: int) -> None:
    """The file says that the next number is there already. Nobody has to start the kiosk anew to go on."""
    made = [decision(one) for one in range(1, 6)]
    with closing(open_kept_twice(disk.path, disk.clock)) as before:
        for one in made[:kept_before]:
            before.append(one)
    journal = disk.journal()
    for one in made[kept_before:3]:
        journal.append(one)
    spoil(disk.path, f"UPDATE journal SET {number} WHERE sequence = 6")  # noqa: S608 - named above
    for one in made[3:]:
        journal.append(one, f"key-{one.number}")
    assert said(journal) == "the journal is damaged"
    disk.later()
    journal.keep()
    assert not said(journal)
    assert journal.append(decision(6)) == 12
    journal.close()
    with closing(open_kept_twice(disk.path, disk.clock)) as again:
        assert list(again.decisions()) == [*made, decision(6)]
        assert again.altered == {}


def test_a_card_that_was_changed_is_known_also_where_nothing_was_kept_since_the_start(disk: Disk) -> None:
    with closing(open_kept_twice(disk.path, disk.clock)) as before:
        before.append(decision(1))
    journal = disk.journal()
    disk.fault = JournalUnreadableError("a bit of the last row")
    journal.append(decision(2))
    for one in list(disk.path.parent.iterdir()):
        one.unlink()
    disk.fault = None
    with closing(open_journal(disk.path, disk.clock)) as other:
        other.append(decision(1, "Snow"))
    disk.later()
    journal.keep()
    assert said(journal) == "the disk holds the journal of another table"
    assert kept(disk.path) == [decision(1, "Snow")]


def test_a_card_that_was_changed_for_another_is_left_alone(disk: Disk) -> None:
    journal = disk.journal()
    journal.append(decision(1))
    disk.fault = DYING
    journal.append(decision(2))
    for one in list(disk.path.parent.iterdir()):
        one.unlink()
    disk.fault = None
    other = open_journal(disk.path, disk.clock)
    other.append(decision(1, "Snow"))
    other.close()
    seen = []
    for _ in range(2):
        disk.later()
        journal.keep()
        assert said(journal) == "the disk holds the journal of another table"
        seen.append(sorted(disk.path.parent.iterdir()))
    assert kept(disk.path) == [decision(1, "Snow")]
    assert seen[0] == seen[1], "nothing is left there each time it is tried"
    with pytest.raises(JournalError, match="another table"):
        journal.copy_to(disk.path.with_name("copy"))


def test_who_changed_the_card_is_told_to_put_the_one_from_before_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, data = StillClock(), tmp_path / "data"
    kiosk = build(load_config(None, BARE), data, clock=clock)
    engine = kiosk.services.engine
    engine.start()
    engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",)), "kiosk")

    def dying(*_: object, **__: object) -> int:
        raise DYING

    try:
        with monkeypatch.context() as patched:
            patched.setattr(JournalKeptTwice, "append", dying)
            engine.submit(AddTrait(name="Fog"), "kiosk")
        for one in data.glob("journal.*"):
            one.unlink()
        with closing(open_kept_twice(data / "journal.sqlite3", clock)) as other:
            other.append(decision(1, "Snow"))
        clock.ticks += REOPEN_SECONDS
        engine.submit(AddTrait(name="Rain"), "kiosk")
        told = kiosk.services.sources.view("journal")
        assert told is not None
        assert "the disk holds the journal of another table" in told.what
        assert "Put the card or disk from before back in." in told.remedy
    finally:
        kiosk.stop()
    [rescued] = data.glob("journal.rescued-*.sqlite3")
    assert [one.command for one in kept(rescued)] == ["set_up_table", "add_trait", "add_trait"]
    words = f"When the kiosk ended, what its journal had not taken was written to {rescued.name}."
    for told_now in (True, False):
        again = build(load_config(None, BARE), data, clock=clock)
        part = again.services.sources.view("kept beside")
        again.stop()
        assert (part is not None and words in part.what) is told_now


def test_what_was_rescued_into_memory_is_told_by_the_next_start_and_the_doctor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the disk is full there is no room in the data folder, nor in the one above."""
    memory, data, clock = tmp_path / "memory", tmp_path / "home" / "data", StillClock()
    memory.mkdir()
    monkeypatch.setattr(unfailing, "MEMORY", (memory,))
    really = open_journal

    def no_room(path: Path, clock: Clock) -> FileJournal:
        if path.is_relative_to(tmp_path / "home"):
            raise FULL
        return really(path, clock)

    def full(*_: object, **__: object) -> int:
        raise FULL

    journal = open_unfailing(data / "journal.sqlite3", clock, open_kept_twice)
    journal.append(decision(1))
    with monkeypatch.context() as patched:
        patched.setattr(JournalKeptTwice, "append", full)
        patched.setattr(unfailing, "open_journal", no_room)
        journal.append(decision(2))
        journal.close()
    [rescued] = memory.glob("journal.rescued-*.sqlite3")
    shutil.copy(rescued, memory / "journal.rescued-00000000-20261124T120000Z.sqlite3")  # another kiosk's
    found = [one for one in examine(load_config(None, BARE), data) if one.part == "kept beside"]
    assert [one.what.partition(": ")[0] for one in found] == [str(rescued)]
    assert found[0].remedy.startswith("Copy it to a disk first: it is gone once this machine is started again.")
    kiosk = build(load_config(None, BARE), data, clock=clock)
    part = kiosk.services.sources.view("kept beside")
    kiosk.stop()
    assert part is not None
    assert part.what == f"When the kiosk ended, what its journal had not taken was written to {rescued}."
    assert part.remedy.startswith(f"Copy {rescued} to a disk first: it is gone once this machine is started again.")
    shutil.rmtree(data)
    kiosk = build(load_config(None, BARE), data, clock=clock)
    kiosk.stop()
    assert not kiosk.services.begun, "its last decisions lie there"


def test_no_room_to_keep_a_table_beside_another_leaves_nothing_behind(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = disk.journal()
    before.append(decision(1, "Rain"), "rain")
    before.close()
    disk.fault = DYING
    journal = disk.journal()
    for one in list(disk.path.parent.iterdir()):
        one.unlink()
    disk.fault = None
    with closing(open_kept_twice(disk.path, disk.clock)) as other:
        other.append(decision(1, "Snow"))
    there = sorted(disk.path.parent.iterdir())

    def full(*_: object, **__: object) -> int:
        raise FULL

    with monkeypatch.context() as patched:
        patched.setattr(JournalKeptTwice, "take", full)
        disk.later()
        journal.keep()
        assert said(journal) == "the disk is full"
        assert sorted(disk.path.parent.iterdir()) == there
    disk.later()
    journal.keep()
    assert not said(journal)
    beside = open_journal(disk.path.with_name(journal.kept_beside), disk.clock)
    assert beside.known("rain") == (decision(1, "Rain"), 2), "a tray that reports it again rolls it no second time"
    beside.close()


def test_what_was_rolled_before_the_start_is_known_while_the_disk_cannot_be_read(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = disk.journal()
    before.append(decision(1), "reading:tray:1")
    before.append(decision(2))
    before.close()
    journal = disk.journal()

    def unreadable(*_: object) -> None:
        raise DYING

    with monkeypatch.context() as patched:
        patched.setattr(JournalKeptTwice, "known", unreadable)
        assert journal.known("reading:tray:1") == (decision(1), 2)
    journal.end_before(1)
    assert journal.known("reading:tray:1") is None


def test_a_backup_holds_what_waits(disk: Disk, tmp_path: Path) -> None:
    journal = disk.journal()
    journal.append(decision(1), "one")
    disk.fault = FULL
    journal.append(decision(2), "two")
    assert journal.copy_to(tmp_path / "copy") == 2
    assert kept(tmp_path / "copy") == [decision(1), decision(2)]
    disk.fault = None
    journal.keep()
    assert journal.copy_to(tmp_path / "another") == 2
    assert kept(tmp_path / "another") == [decision(1), decision(2)]


def test_all_that_can_be_read_is_read_before_an_empty_table_is_begun(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = disk.journal()
    before.append(decision(1))
    before.close()
    disk.fault = DYING
    (tmp_path / "small").mkdir()
    monkeypatch.setattr(unfailing, "MEMORY", (tmp_path / "small", tmp_path / "memory"))
    really = unfailing._copy_what_can_be_read  # noqa: SLF001 - stands for the room there

    def copied(source: Path, target: Path) -> None:
        if (tmp_path / "small") in target.parents:
            raise OSError(errno.ENOSPC, "No space left on device")
        really(source, target)

    monkeypatch.setattr(unfailing, "_copy_what_can_be_read", copied)
    assert list(disk.journal().decisions()) == [decision(1)]
    assert not list((tmp_path / "small").iterdir())


@pytest.mark.parametrize(("fault", "why"), [(FULL, "the disk is full"), (DYING, "the disk fails")])
def test_more_than_memory_is_meant_for_is_refused_and_never_done(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, fault: JournalError, why: str
) -> None:
    """Once whoever was refused was told to free space, whatever the disk's trouble was."""
    monkeypatch.setattr(unfailing, "MOST_WAITING", 2)
    assert MOST_WAITING > 1000
    journal = disk.journal()
    disk.fault = fault
    journal.append(decision(1))
    journal.append(decision(2))
    with pytest.raises(JournalFullError, match=rf"not done: 2 decisions .* \({why}\)\."):
        journal.append(decision(3), "three")
    assert journal.known("three") is None
    disk.fault = None
    disk.later()
    journal.append(decision(3, "Rain"))
    assert [one.number for one in journal.decisions()] == [1, 2, 3]
    journal.close()
    assert kept(disk.path)[-1] == decision(3, "Rain")


def test_at_the_end_what_waits_is_tried_once_more(disk: Disk, caplog: pytest.LogCaptureFixture) -> None:
    journal = disk.journal()
    disk.fault = DYING
    journal.append(decision(1))
    disk.fault = None
    journal.close()
    assert kept(disk.path) == [decision(1)]
    lost = disk.journal()
    disk.fault = FULL
    lost.append(decision(2))
    lost.close()
    [rescued] = disk.path.parent.glob("journal.rescued-*.sqlite3")
    assert f"The journal is kept as {rescued}, to decision 2: the disk is full." in caplog.text
    assert kept(rescued) == [decision(1), decision(2)]


@pytest.mark.parametrize("known", ["all", "the end"])
def test_what_waits_where_the_disk_holds_another_table_is_kept_beside_it_at_the_end(
    disk: Disk, known: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    if known == "the end":
        monkeypatch.setattr(unfailing, "RECENT_KEYS", 3)  # half a decision, and one that is whole
    with closing(open_kept_twice(disk.path, disk.clock)) as before:
        for number in (1, 2, 3):
            before.append(decision(number))
    journal = disk.journal()
    disk.fault = DYING
    journal.append(decision(4))
    for one in list(disk.path.parent.iterdir()):
        one.unlink()
    disk.fault = None
    with closing(open_kept_twice(disk.path, disk.clock)) as other:
        other.append(decision(1, "Snow"))
    disk.later()
    journal.append(decision(5))
    assert said(journal) == "the disk holds the journal of another table"
    journal.close()
    assert kept(disk.path) == [decision(1, "Snow")], "nothing of it is changed"
    [rescued] = disk.path.parent.glob("journal.rescued-*.sqlite3")
    first = 1 if known == "all" else 3
    assert kept(rescued) == [decision(number) for number in range(first, 6)]
    told = f"The journal is kept as {rescued}, to decision 5: the disk holds the journal of another table."
    if known == "the end":
        told = f"The decisions 3 to 5, which were in memory, are kept as {rescued}: the disk holds the journal"
    assert told in caplog.text
    [found] = [one for one in examine(load_config(None, BARE), disk.path.parent) if one.part == "kept beside"]
    assert f"{rescued}: of its decisions up to 5 these are whole: {first} to 5. They were in memory" in found.what
    assert ("trueroll run --port 8081 --data THAT_FOLDER" in found.remedy) is (known == "all")
    assert ("are in the journal of their own table: keep that, too." in found.remedy) is (known == "the end")


def test_once_it_is_closed_nothing_is_done_any_more(disk: Disk) -> None:
    """The end gives up waiting for an engine that hangs: what that decides later nobody would keep."""
    journal = disk.journal()
    journal.append(decision(1))
    journal.close()
    there = sorted(disk.path.parent.iterdir())
    with pytest.raises(EngineStoppedError, match="so this was not done"):
        journal.append(decision(2))
    disk.later()
    journal.keep()
    journal.close()
    assert sorted(disk.path.parent.iterdir()) == there
    assert kept(disk.path) == [decision(1)]


def test_a_decision_that_an_engine_takes_after_the_end_gave_up_waiting_is_refused(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "ANSWER_SECONDS", 0.05)
    journal = disk.journal()
    engine = Engine(journal)
    hangs, go_on = threading.Event(), threading.Event()

    def listener(_: object) -> None:
        hangs.set()
        go_on.wait(20)

    engine.listen(listener)
    engine.start()
    answers: list[str] = []

    def late() -> None:
        with pytest.raises(EngineStoppedError) as refused:
            engine.submit(AddTrait(name="Fog"), "Ada", within=20)
        answers.append(str(refused.value))

    first = threading.Thread(target=engine.submit, args=(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",)), "Ada"))
    second = threading.Thread(target=late)
    first.start()
    assert hangs.wait(20)
    second.start()
    while not engine._jobs.qsize():  # noqa: SLF001 - until it waits behind the one that hangs
        time.sleep(0.001)
    engine.stop()
    journal.close()
    go_on.set()
    for one in (first, second):
        one.join(20)
    assert answers == ["The kiosk is closing down, so this was not done. Try again once it runs."]
    assert [one.command for one in kept(disk.path)] == ["set_up_table"]


EMPTIES = """
import os
from pathlib import Path
from kiosk.storage.kept_twice import open_kept_twice
from kiosk.storage.unfailing import open_unfailing
from tests.kiosk.desk import StillClock
from tests.kiosk.storage.test_journal import decision

path = Path({path!r})
journal = open_unfailing(path, StillClock(), open_kept_twice)
with path.with_name("shown").open("w", buffering=1) as shown:
    for number in range(1, 100):
        if number == 6:
            os.truncate(path.with_name("journal.sqlite3-shm"), 0)
        journal.append(decision(number))
        print(number, file=shown)
"""


def test_who_empties_what_sqlite_maps_into_memory_ends_the_program_and_loses_nothing(disk: Disk) -> None:
    """No Python can catch that. The system starts the kiosk again, with every decision that was shown."""
    disk.path.parent.mkdir()
    assert ended(EMPTIES.format(path=str(disk.path))) == -signal.SIGBUS
    shown = [int(one) for one in disk.path.with_name("shown").read_text().split()]
    assert shown[:5] == [1, 2, 3, 4, 5]
    journal = disk.journal()
    there = [one.number for one in journal.decisions()]
    assert there[: len(shown)] == shown
    assert len(there) <= len(shown) + 1, "and the one that was being written, at most"
    assert (journal.set_aside, journal.altered, said(journal)) == (None, {}, "")
    assert journal.second_copy is SecondCopyState.WELL


@pytest.mark.parametrize("why", [errno.EROFS, errno.ENOSPC, errno.EIO])
def test_a_folder_on_such_a_disk_is_held_as_far_as_it_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, why: int
) -> None:
    really: Callable[..., int] = os.open
    with HeldFolder(tmp_path):
        pass

    def refusing(path: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT:
            raise OSError(why, os.strerror(why))
        return really(path, flags, mode)

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", refusing)
        with pytest.raises(JournalError, match="--data"):
            HeldFolder(tmp_path)
        held = HeldFolder(tmp_path, or_wait=True)
        with pytest.raises(JournalBusyError):
            HeldFolder(tmp_path, or_wait=True)
        with pytest.raises(JournalError, match="--data"):
            held.hold()
    with pytest.raises(JournalBusyError):
        HeldFolder(tmp_path)
    held.hold()
    held.announce("http://127.0.0.1:1/")
    assert (tmp_path / "kiosk.lock").read_text() == "http://127.0.0.1:1/"
    with pytest.raises(JournalBusyError):
        HeldFolder(tmp_path)
    held.release()
    HeldFolder(tmp_path).release()


def taken_away(path: Path) -> None:
    """As `rm -r`, or as a disk that is unmounted: what is open stays open."""
    shutil.rmtree(path.parent)


def test_a_folder_that_is_removed_is_noticed_between_decisions_and_made_anew_whole(disk: Disk) -> None:
    journal = disk.journal()
    journal.append(decision(1), "one")
    journal.keep()
    assert not said(journal)
    taken_away(disk.path)
    assert not journal.all_is_kept(), "also before it is noticed"
    journal.keep()
    assert said(journal) == "the data folder is gone"
    assert journal.append(decision(2)) == 4
    assert [one.number for one in journal.decisions()] == [1, 2], "what is gone is read on, and played on from"
    disk.later()
    journal.keep()
    assert not disk.path.parent.exists(), "who moved it may put it back"
    disk.clock.ticks += AWAY_SECONDS
    journal.keep()
    assert not said(journal)
    journal.append(decision(3))
    assert journal.set_aside is None
    journal.close()
    assert kept(disk.path) == [decision(number) for number in (1, 2, 3)]
    assert sum(1 for _ in SecondCopy(second_copy_of(disk.path)).decisions()) == 3


@pytest.mark.parametrize("back", ["as it was", "older", "empty", "another table's"])
def test_a_folder_that_comes_back_gets_what_it_lacks_and_loses_nothing(disk: Disk, tmp_path: Path, back: str) -> None:
    journal = disk.journal()
    journal.append(decision(1))
    if back == "older":
        journal.copy_to(tmp_path / "older")
    journal.append(decision(2), "two")
    disk.path.parent.rename(tmp_path / "elsewhere")
    assert journal.append(decision(3), "three") == 6, "noticed with the decision, whose time it keeps"
    assert said(journal) == "the data folder is gone"
    assert journal.known("two") == (decision(2), 4)
    if back == "as it was":
        (tmp_path / "elsewhere").rename(disk.path.parent)
    else:
        disk.path.parent.mkdir()
    if back == "older":
        (tmp_path / "older").rename(disk.path)
    if back == "another table's":
        with closing(open_kept_twice(disk.path, disk.clock)) as other:
            other.append(decision(1, "Other"))
    disk.later()
    journal.keep()
    assert not said(journal)
    journal.append(decision(4))
    assert bool(journal.kept_beside) == (back == "another table's")
    journal.close()
    place = disk.path.with_name(journal.kept_beside) if journal.kept_beside else disk.path
    assert kept(place) == [decision(number) for number in (1, 2, 3, 4)]
    if journal.kept_beside:
        assert kept(disk.path) == [decision(1, "Other")]


def test_a_folder_that_comes_back_is_used_once_nobody_writes_to_it_any_more(disk: Disk, tmp_path: Path) -> None:
    journal = disk.journal()
    journal.append(decision(1))
    disk.path.parent.rename(tmp_path / "elsewhere")
    journal.keep()
    assert said(journal) == "the data folder is gone"
    (tmp_path / "elsewhere").rename(disk.path.parent)
    content = disk.path.read_bytes()
    for part in (1000, 2000):
        disk.path.write_bytes(content[:part])
        disk.clock.ticks += 2
        journal.keep()
        assert said(journal), "somebody copies it back"
    disk.path.write_bytes(content)
    journal.keep()
    journal.keep()
    assert said(journal), "not at once, however often it is looked at"
    disk.clock.ticks += 2
    journal.keep()
    assert not said(journal), "two looks, two seconds apart, not ten"
    journal.close()
    assert kept(disk.path) == [decision(1)]


@pytest.mark.parametrize("code", ["SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_IOERR_SHMSIZE"])
@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (errno.EROFS, "the disk can only be read"),
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "the disk is full"),
        (errno.EIO, "the disk fails"),
    ],
)
def test_a_write_that_failed_is_told_by_what_the_disk_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, asked: int, words: str
) -> None:
    """SQLite says the same of a full disk, of one that turned read-only in play, and of one that dies."""
    path = tmp_path / "journal.sqlite3"
    journal = open_journal(path, StillClock())
    monkeypatch.setattr("kiosk.storage.journal_troubles.why_unwritten", lambda _: OSError(asked, os.strerror(asked)))
    failed = sqlite3.OperationalError("disk I/O error")
    failed.sqlite_errorname = code

    def failing() -> None:
        with journal._words():  # noqa: SLF001 - what each access goes through
            raise failed

    with pytest.raises(JournalError) as told:
        failing()
    assert why_not_kept(told.value) == words
    assert isinstance(told.value, JournalFullError) is (words == "the disk is full")
    journal.close()

    def refusing(*_: object) -> None:
        raise failed

    monkeypatch.setattr("kiosk.storage.journal.prepare", refusing)
    with pytest.raises(JournalError) as told:
        open_journal(path, StillClock())
    assert why_not_kept(told.value) == words


def test_a_disk_without_room_for_a_decision_is_told_before_the_first(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = [False]
    monkeypatch.setattr(unfailing, "has_room", lambda _: room[0])
    journal = disk.journal()
    journal.keep()
    assert said(journal) == "the disk is full"
    journal.append(decision(1))
    journal.keep()
    assert said(journal), "what is told is so: nothing is written"
    assert kept(disk.path) == []
    room[0] = True
    journal.keep()
    assert not said(journal)
    room[0] = False
    journal.append(decision(2))
    assert said(journal)
    journal.close()
    assert [one.number for one in kept(disk.path)] == [1, 2], "at the end it is tried all the same"


@pytest.mark.parametrize("what", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to(path.with_name("away"))])
def test_what_was_decided_where_the_journal_is_no_file_is_kept_beside_it_at_the_end(
    disk: Disk, what: Callable[[Path], None]
) -> None:
    disk.path.parent.mkdir()
    what(disk.path)
    journal = disk.journal()
    assert said(journal) == "this user may not, or it is no file"
    journal.append(decision(1))
    journal.close()
    [rescued] = disk.path.parent.glob("journal.rescued-*.sqlite3")
    assert kept(rescued) == [decision(1)], "and not in memory, which ends with the machine"


def test_a_journal_taken_out_of_its_folder_is_written_there_again(disk: Disk) -> None:
    journal = disk.journal()
    journal.append(decision(1))
    for one in disk.path.parent.iterdir():
        one.unlink()
    journal.keep()
    assert said(journal) == "the journal was taken out of its folder"
    journal.close()
    assert kept(disk.path) == [decision(1)], "also where the kiosk ends before it tries again"


def test_nothing_is_written_into_the_place_of_a_disk_that_is_not_mounted(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be hidden, and told as kept, once the disk is there again."""
    mounted = {disk.path.parent, Path("/")}
    monkeypatch.setattr("os.path.ismount", lambda path: Path(path) in mounted)
    journal = disk.journal()
    journal.append(decision(1))
    away = disk.path.parent.rename(disk.path.parent.with_name("away"))
    disk.path.parent.mkdir()
    mounted.remove(disk.path.parent)
    disk.clock.ticks += 2 * AWAY_SECONDS
    for _ in range(2):
        journal.keep()
        disk.later()
    journal.append(decision(2))
    assert said(journal) == "the data folder is gone"
    assert not list(disk.path.parent.iterdir())
    disk.path.parent.rmdir()
    away.rename(disk.path.parent)
    mounted.add(disk.path.parent)
    disk.later()
    journal.keep()
    assert not said(journal)
    journal.close()
    assert kept(disk.path) == [decision(1), decision(2)]


def test_no_decision_is_written_below_a_disk_that_goes_while_its_journal_is_opened(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a stick with a loose plug."""
    mounted = {disk.path.parent, Path("/")}
    monkeypatch.setattr("os.path.ismount", lambda path: Path(path) in mounted)
    goes = False

    def opened(path: Path, clock: Clock) -> JournalKeptTwice:
        if goes:
            mounted.remove(path.parent)
        return open_kept_twice(path, clock)

    monkeypatch.setattr(disk, "open_it", opened)
    journal = disk.journal()
    journal.append(decision(1))
    away = disk.path.parent.rename(disk.path.parent.with_name("away"))
    disk.path.parent.mkdir()
    goes = True
    for _ in range(2):
        journal.keep()
        disk.later()
    journal.append(decision(2))
    assert said(journal) == "the data folder is gone"
    assert not kept(disk.path)
    shutil.rmtree(disk.path.parent)
    away.rename(disk.path.parent)
    mounted.add(disk.path.parent)
    goes = False
    disk.later()
    journal.keep()
    assert not said(journal)
    journal.close()
    assert kept(disk.path) == [decision(1), decision(2)]


def test_a_disk_mounted_over_the_folder_is_where_the_journal_lies_from_then_on(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a stick that is mounted late, by hand: what is below it is hidden, and nobody finds it any more."""
    mounted = {Path("/")}
    monkeypatch.setattr("os.path.ismount", lambda path: Path(path) in mounted)
    journal = disk.journal()
    journal.append(decision(1))
    disk.path.parent.rename(disk.path.parent.with_name("hidden"))
    disk.path.parent.mkdir()
    mounted.add(disk.path.parent)
    journal.keep()
    assert said(journal)
    journal.append(decision(2))
    disk.later()
    journal.keep()
    assert not said(journal)
    journal.close()
    assert kept(disk.path) == [decision(1), decision(2)]


def test_a_new_disk_that_is_mounted_over_the_folder_gets_the_table_without_waiting_for_the_folder(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounted = {Path("/")}
    monkeypatch.setattr("os.path.ismount", lambda path: Path(path) in mounted)
    disk.path.parent.mkdir()
    disk.path = disk.path.parent / "trueroll" / disk.path.name
    journal = disk.journal()
    journal.append(decision(1))
    disk.path.parent.rename(disk.path.parents[1].with_name("hidden"))
    mounted.add(disk.path.parents[1])
    journal.keep()
    assert said(journal) == "the data folder is gone"
    disk.later()
    journal.keep()
    assert not said(journal)
    journal.close()
    assert kept(disk.path) == [decision(1)]


@pytest.mark.parametrize("why", [errno.EACCES, errno.EIO])
def test_a_folder_that_cannot_be_looked_at_is_tried_again_until_it_can(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, why: int
) -> None:
    journal = disk.journal()
    journal.append(decision(1))
    really = os.stat

    def refused(path: os.PathLike[str], *args: object, **named: object) -> object:
        if not isinstance(path, int) and Path(path).is_relative_to(disk.path.parent):
            raise OSError(why, os.strerror(why), str(path))
        return really(path, *args, **named)  # type: ignore[arg-type]  # passed on as it came

    with monkeypatch.context() as patched:
        patched.setattr(os, "stat", refused)
        journal.keep()
        assert said(journal)
        disk.fault = DYING
        for _ in range(2):
            disk.later()
            journal.keep()
            assert said(journal) == "the disk fails"
        journal.append(decision(2))
    disk.fault = None
    disk.later()
    journal.keep()
    assert not said(journal)
    journal.close()
    assert kept(disk.path) == [decision(1), decision(2)]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (PermissionError(errno.EACCES, "Permission denied"), system_words(PermissionError(errno.EACCES, ""))),
        (RuntimeError("a fault of the program"), "the system's log says why"),
    ],
)
def test_what_fails_while_the_journal_is_kept_is_told_and_the_table_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fault: Exception, words: str
) -> None:
    monkeypatch.setattr(engine_module, "RETRY_SECONDS", 0.005)
    told: queue.Queue[str | None] = queue.Queue()
    journal = open_unfailing(tmp_path / "journal.sqlite3", StillClock(), open_kept_twice)
    engine = Engine(journal, trouble=told.put)
    engine.when_kept_again(lambda: (tmp_path / "x").touch(exist_ok=False))
    (tmp_path / "x").touch()
    engine.start()

    def refused() -> None:
        raise fault

    try:
        with monkeypatch.context() as patched:
            patched.setattr(journal, "keep", refused)
            assert told.get(timeout=20) == words
        assert told.get(timeout=20) is None
        assert engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",)), "kiosk").sequence
        assert caplog.text.count("keeping what was decided failed") == 1, "once, not every two seconds"
        assert "what lies beside the journal could not be kept" in caplog.text
    finally:
        engine.stop()
        journal.close()


@pytest.fixture
def taken_with(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """The folder goes away between a decision's commit and the look at where it was committed."""
    really = FileJournal.keep
    looks = iter((False, True))

    def keep(journal: FileJournal) -> None:
        if disk.path.parent.exists() and next(looks, False):
            disk.path.parent.rename(disk.path.parent.with_name("elsewhere"))
        really(journal)

    return lambda: monkeypatch.setattr(FileJournal, "keep", keep)


def test_a_decision_that_the_file_had_taken_as_it_went_away_is_told_in_its_place(
    disk: Disk, taken_with: Callable[[], None]
) -> None:
    journal = disk.journal()
    journal.append(decision(1))
    taken_with()
    assert journal.append(decision(2)) == 4
    assert said(journal) == "the data folder is gone"
    journal.append(decision(3))
    disk.path.parent.with_name("elsewhere").rename(disk.path.parent)
    disk.later()
    journal.keep()
    assert not said(journal)
    assert [one.sequence for one in journal.entries()] == [1, 2, 3, 4, 5, 6]
    assert [one.sequence for one in journal.entries(after=2)] == [3, 4, 5, 6]


def test_what_waited_and_was_written_as_the_folder_went_away_is_told_once(
    disk: Disk, taken_with: Callable[[], None]
) -> None:
    journal = disk.journal()
    journal.append(decision(1))
    disk.fault = FULL
    journal.append(decision(2))
    journal.append(decision(3))
    disk.fault = None
    taken_with()
    journal.keep()
    assert said(journal) == "the data folder is gone"
    assert [one.number for one in journal.decisions()] == [1, 2, 3]
    assert [one.sequence for one in journal.entries()] == [1, 2, 3, 4, 5, 6]
    assert [one.sequence for one in journal.entries(after=1)] == [2, 3, 4, 5, 6]


@pytest.mark.parametrize("writable", ["the service's own folder", "memory", "nothing"])
def test_an_evening_whose_disk_is_missing_at_the_end_is_kept_elsewhere_and_the_log_says_where(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, writable: str
) -> None:
    mounted = {disk.path.parent, Path("/")}
    monkeypatch.setattr("os.path.ismount", lambda path: Path(path) in mounted)
    if writable == "the service's own folder":
        (tmp_path / "own").mkdir()
        monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "own"))
    journal = disk.journal()
    journal.append(decision(1))
    mounted.remove(disk.path.parent)
    taken_away(disk.path)
    journal.keep()
    journal.append(decision(2))
    if writable == "nothing":
        monkeypatch.setattr(unfailing, "MEMORY", ())
    journal.close()
    made = list(tmp_path.rglob("journal.rescued-*"))
    if writable == "nothing":
        assert not made
        assert (
            "The journal to decision 2 was in memory alone, and is kept nowhere: the data folder is gone."
            in caplog.text
        )
        return
    assert [one.parent.name for one in made] == ["own" if "own" in writable else "memory"]
    assert f"The journal is kept as {made[0]}, to decision 2: the data folder is gone." in caplog.text
    assert "never kept" not in caplog.text
    assert kept(made[0]) == [decision(1), decision(2)]
    made[0].unlink()


@pytest.mark.parametrize("below", ["", "trueroll"])
def test_what_is_rescued_is_never_hidden_below_the_disk_that_is_missing(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, below: str
) -> None:
    """The service's own folder may be the place of that disk, or hold it."""
    monkeypatch.setenv("STATE_DIRECTORY", str(disk.path.parent / below))
    mounted = {disk.path.parent, Path("/")}
    monkeypatch.setattr("os.path.ismount", lambda path: Path(path) in mounted)
    journal = disk.journal()
    journal.append(decision(1))
    mounted.remove(disk.path.parent)
    taken_away(disk.path)
    (disk.path.parent / below).mkdir(exist_ok=True, parents=True)
    journal.keep()
    journal.append(decision(2))
    journal.close()
    [rescued] = tmp_path.rglob("journal.rescued-*")
    assert rescued.parent.name == "memory"
    rescued.unlink()


def test_what_a_service_left_in_its_own_folder_is_found_by_who_is_none(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, units = tmp_path / "states" / "own", tmp_path / "units"
    own.mkdir(parents=True)
    units.mkdir()
    (units / UNIT).write_text("[Service]\nStateDirectory=own\n")
    monkeypatch.setattr(unfailing, "service_folders", lambda: service_folders([units], tmp_path / "states"))
    mounted = {disk.path.parent, Path("/")}
    monkeypatch.setattr("os.path.ismount", lambda path: Path(path) in mounted)
    with monkeypatch.context() as service:
        service.setenv("STATE_DIRECTORY", str(own))
        journal = disk.journal()
        journal.append(decision(1))
        mounted.remove(disk.path.parent)
        taken_away(disk.path)
        journal.keep()
        journal.close()
    [rescued] = own.iterdir()
    told = [one.what for one in examine(load_config(None, BARE), disk.path.parent) if one.part == "kept beside"]
    assert len(told) == 1
    assert told[0].startswith(f"{rescued}: of its decisions up to 1 these are whole: 1.")


def test_of_a_kiosk_that_could_read_nothing_and_decided_nothing_nothing_is_written(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = disk.journal()
    before.append(decision(1))
    before.close()
    there = {one.name: one.read_bytes() for one in disk.path.parent.iterdir()}
    disk.fault = DYING
    with monkeypatch.context() as patched:
        patched.setattr(unfailing, "_copy_what_can_be_read", lambda *_: None)
        journal = disk.journal()
    assert journal.sequence == 0
    disk.fault = None
    journal.close()
    assert {one.name: one.read_bytes() for one in disk.path.parent.iterdir()} == there


def test_what_was_deleted_is_made_anew_within_a_minute_as_the_screens_say(disk: Disk) -> None:
    journal = disk.journal()
    journal.append(decision(1))
    taken_away(disk.path)
    seconds = 0.0
    while not disk.path.parent.exists():
        seconds += engine_module.RETRY_SECONDS
        disk.clock.ticks += engine_module.RETRY_SECONDS
        journal.keep()
        assert seconds < 2 * AWAY_SECONDS
    assert REOPEN_SECONDS < seconds < 60


def test_the_lock_of_a_folder_that_was_made_anew_is_held_too(tmp_path: Path) -> None:
    with HeldFolder(tmp_path / "data") as held:
        held.announce("http://here/")
        shutil.rmtree(tmp_path / "data")
        held.hold()
        assert held_at(tmp_path / "data" / LOCK_NAME) == "http://here/"
        with pytest.raises(JournalBusyError):
            HeldFolder(tmp_path / "data")


def garbled(path: Path, how: str) -> None:
    """Every file of the journal, in its place: what is open stays open."""
    for one in path.parent.glob(f"{path.stem}*"):
        if how == "emptied" and one.name.endswith("-shm"):
            continue  # who empties what is mapped into memory ends the program
        with one.open("r+b") as file:
            many = len(file.read())
            file.seek(0)
            file.truncate(0) if how == "emptied" else file.write(b"\xa5" * many)


@pytest.mark.parametrize("how", ["garbled", "emptied"])
@pytest.mark.parametrize("known", ["all", "the end"])
def test_a_table_all_of_whose_files_are_garbled_in_play_goes_on_in_a_new_journal(
    disk: Disk, known: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all that is in memory of it, and told as what it is."""
    if known == "the end":
        monkeypatch.setattr(unfailing, "RECENT_KEYS", 3)  # half a decision, and one that is whole
        before = disk.journal()
        for number in (1, 2, 3):
            before.append(decision(number), f"{number}")
        before.close()
    journal = disk.journal()
    numbers = range(1, 6)
    for number in numbers[journal.decision :]:
        journal.append(decision(number), f"{number}")
    journal.keep()
    times = journal.entries(after=4)
    garbled(disk.path, how)
    journal.keep()
    assert said(journal) == "the journal is damaged"
    assert journal.append(decision(6), "6") == 12
    disk.later()
    journal.keep()
    assert not said(journal)
    assert journal.append(decision(7)) == 14
    first = 1 if known == "all" else 3
    aside = journal.set_aside
    assert aside is not None
    assert (aside.anew_from, bool(aside.name)) == (first, how == "garbled")
    what, _ = damage_words(aside)
    assert ("are kept as journal.damaged" in what or "is kept as journal.damaged" in what) is (how == "garbled")
    assert ("from decision 3 on" in what) is (first == 3)
    assert journal.entries(after=4)[: len(times)] == times
    assert journal.known("6") == (decision(6), 12)
    journal.close()
    again = disk.journal()
    assert list(again.decisions()) == [decision(number) for number in range(first, 8)]
    assert set(again.altered) == set(range(1, first)), "what is missing is told again"
    assert again.second_copy is SecondCopyState.WELL


def test_of_files_cut_in_play_the_log_calls_nothing_lost_that_is_in_memory(
    disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    journal = disk.journal()
    for number in range(1, 6):
        journal.append(decision(number))
    lines = second_copy_of(disk.path)
    lines.write_bytes(b"".join(lines.read_bytes().splitlines(keepends=True)[:3]))
    disk.path.write_bytes(b"\xa5" * disk.path.stat().st_size)
    wal_of(disk.path).write_bytes(b"")
    journal.keep()
    disk.later()
    journal.keep()
    assert "is lost" not in caplog.text
    assert "goes on from memory: decisions 4 to 5 are kept again" in caplog.text


def test_another_table_in_the_place_of_one_that_began_anew_is_never_mixed_with_it(disk: Disk, tmp_path: Path) -> None:
    """A loss that was mended stands for no later one."""
    journal = disk.journal()
    for number in range(1, 4):
        journal.append(decision(number))
    garbled(disk.path, "garbled")
    journal.keep()
    disk.later()
    journal.append(decision(4))
    assert not said(journal)
    others = replace(decision(1), by="another")
    with closing(open_kept_twice(tmp_path / "other" / disk.path.name, disk.clock)) as other:
        other.append(others)
    for one in disk.path.parent.glob(f"{disk.path.stem}*"):
        if not one.name.endswith("-shm") and "damaged" not in one.name:  # in its place, as `cp` does it
            source = tmp_path / "other" / one.name
            with one.open("r+b") as file:
                file.write(source.read_bytes() if source.exists() else b"")
                file.truncate()
    journal.append(decision(5))
    disk.later()
    journal.keep()
    assert said(journal) == "the disk holds the journal of another table"
    journal.close()
    assert kept(disk.path) == [others]


def test_of_several_losses_in_play_the_newest_is_told(disk: Disk) -> None:
    journal = disk.journal()
    journal.append(decision(1))
    garbled(disk.path, "garbled")
    journal.keep()
    disk.later()
    journal.keep()
    assert journal.set_aside is not None
    assert journal.set_aside.anew_from == 1
    disk.path.write_bytes(b"\xa5" * disk.path.stat().st_size)
    disk.path.with_name(f"{disk.path.name}-wal").write_bytes(b"")
    journal.append(decision(2))
    disk.later()
    journal.keep()
    assert not said(journal)
    newest = damaged_journals(disk.path)[-1].name
    assert journal.set_aside == SetAside(newest, restored=1)


def test_a_table_that_began_anew_loses_nothing_of_it_with_the_next_loss(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first decision of a journal is whole in memory wherever that journal begins."""
    monkeypatch.setattr(unfailing, "RECENT_KEYS", 2)
    with closing(disk.journal()) as before:
        for number in (1, 2, 3):
            before.append(decision(number))
    with closing(disk.journal()) as journal:
        journal.append(decision(4))
        garbled(disk.path, "garbled")
        journal.keep()
        disk.later()
        journal.keep()
    assert kept(disk.path) == [decision(4)]
    journal = disk.journal()
    garbled(disk.path, "garbled")
    journal.keep()
    disk.later()
    journal.keep()
    assert not said(journal)
    assert list(journal.decisions()) == [decision(4)]


def test_a_journal_that_began_anew_with_a_gap_is_not_damaged_by_it(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unfailing, "RECENT_KEYS", 1)
    with closing(disk.journal()) as before:
        for number in (1, 2):
            before.append(decision(number))
    journal = disk.journal()
    journal.append(decision(3))
    garbled(disk.path, "garbled")
    journal.keep()
    disk.later()
    journal.keep()
    assert list(journal.altered) == [1, 2]
    os.utime(disk.path)
    journal.keep()
    assert not said(journal)


def test_a_table_whose_files_are_garbled_before_its_first_decision_begins(disk: Disk) -> None:
    journal = disk.journal()
    journal.keep()
    garbled(disk.path, "garbled")
    journal.keep()
    disk.later()
    journal.append(decision(1))
    disk.later()
    journal.keep()
    assert not said(journal)
    journal.close()
    assert kept(disk.path) == [decision(1)]


def test_a_journal_that_is_garbled_in_play_comes_back_from_its_second_copy_in_play(disk: Disk) -> None:
    journal = disk.journal()
    for number in (1, 2):
        journal.append(decision(number))
    journal.keep()
    disk.path.write_bytes(b"\xa5" * disk.path.stat().st_size)
    disk.path.with_name(f"{disk.path.name}-wal").write_bytes(b"")
    journal.append(decision(3))
    assert said(journal) == "the journal is damaged"
    disk.later()
    journal.keep()
    assert not said(journal)
    assert journal.set_aside is not None
    assert (journal.set_aside.restored, journal.set_aside.anew_from) == (2, 0)
    assert list(journal.decisions()) == [decision(number) for number in (1, 2, 3)]


def test_a_table_of_which_only_the_end_was_in_memory_goes_on_by_its_checkpoint(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was garbled in play is not in the new journal: without a checkpoint the next start would begin anew."""
    monkeypatch.setattr(engine_module, "RETRY_SECONDS", 0.005)
    monkeypatch.setattr(unfailing, "RECENT_KEYS", 1)
    checkpoints = CheckpointFile(tmp_path / "checkpoint.json")
    journal = disk.journal()
    engine = Engine(journal)
    engine.start()
    engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",)), "kiosk")
    engine.submit(AddTrait(name="Fog"), "kiosk")
    engine.stop()
    journal.close()
    journal = disk.journal()
    told: queue.Queue[str | None] = queue.Queue()
    engine = Engine(journal, trouble=told.put, checkpoints=checkpoints)
    engine.start()
    engine.submit(AddTrait(name="Rain"), "kiosk")
    garbled(disk.path, "garbled")
    assert told.get(timeout=20) == "the journal is damaged"
    disk.later()
    assert told.get(timeout=20) is None
    engine.submit(AddTrait(name="Hail"), "kiosk")
    history = engine.present().history
    engine.stop()
    journal.close()
    again = disk.journal()
    assert [one.number for one in again.decisions()] == [3, 4]
    assert Engine(again, checkpoints=checkpoints).present().history == history


def test_a_journal_that_began_anew_has_its_checkpoint_before_anybody_is_answered(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plug that is pulled once the answer is given takes nothing of the table."""
    monkeypatch.setattr(engine_module, "RETRY_SECONDS", 60)  # the next command is what finds the disk well again
    monkeypatch.setattr(unfailing, "RECENT_KEYS", 1)
    with closing(disk.journal()) as journal:
        engine = Engine(journal)
        engine.start()
        engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",)), "kiosk")
        engine.stop()
    checkpoints = CheckpointFile(tmp_path / "checkpoint.json")
    journal = disk.journal()
    there: list[bool] = []

    def look() -> None:
        there.append(checkpoints.load(journal) is not None)

    engine = Engine(journal, trouble=lambda why: None if why else look(), checkpoints=checkpoints)
    engine.start()
    engine.submit(AddTrait(name="Fog"), "kiosk")
    garbled(disk.path, "garbled")
    engine.submit(AddTrait(name="Rain"), "kiosk")
    assert said(journal) == "the journal is damaged"
    engine.listen(lambda _: look())
    disk.later()
    engine.submit(AddTrait(name="Hail"), "kiosk")
    engine.stop()
    assert there == [True, True], "told that all is kept again, and published"
