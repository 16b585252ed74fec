"""Backups by a tap, and each week to a stick that the owner has marked."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path

import pytest

from kiosk.devices import backup_stick
from kiosk.devices.backup_stick import MARK, MOST_KEPT, WEEK_SECONDS, BackupKeeper, mounted_sticks
from kiosk.storage.backup import BackupError, verified
from kiosk.storage.kept_twice import open_kept_twice
from rules.dice import SourceState
from tests.kiosk.desk import StillClock
from tests.kiosk.storage.test_journal import decision


class Keeping:
    """A kiosk's folder, sticks that are plugged in, and what was told."""

    def __init__(self, room: Path) -> None:
        self.clock = StillClock()
        self.data, self.sticks = room / "data", [room / "own", room / "marked"]
        self.told: list[tuple[SourceState, str]] = []
        with closing(open_kept_twice(self.data / "journal.sqlite3", self.clock)) as journal:
            journal.append(decision(1))
        for one in self.sticks:
            one.mkdir()
        self.keeper = BackupKeeper(
            self.data, self.clock, lambda state, what, _: self.told.append((state, what)), lambda: self.sticks
        )

    def made(self, folder: Path) -> list[str]:
        return sorted(one.name for one in folder.glob("*")) if folder.is_dir() else []


@pytest.fixture
def keeping(tmp_path: Path) -> Keeping:
    return Keeping(tmp_path)


def test_a_stick_is_written_to_each_week_once_it_is_marked(keeping: Keeping) -> None:
    keeping.keeper.each_week()
    assert [keeping.made(one) for one in keeping.sticks] == [[], []]
    assert keeping.keeper.seen() == (False, None)
    folder = keeping.sticks[1] / MARK
    folder.mkdir()
    keeping.keeper.each_week()
    assert keeping.made(folder) == ["trueroll-20231114T221320Z.zip"]
    assert verified(folder / "trueroll-20231114T221320Z.zip").decisions == 1
    assert keeping.keeper.seen() == (True, keeping.clock.wall)
    keeping.clock.wall += WEEK_SECONDS - 1
    keeping.keeper.each_week()
    assert len(keeping.made(folder)) == 1
    keeping.clock.wall += 1
    keeping.keeper.each_week()
    assert len(keeping.made(folder)) == 2
    keeping.clock.wall -= 3 * WEEK_SECONDS
    for _ in range(2):
        keeping.keeper.each_week()
        keeping.clock.wall += 600
    assert len(keeping.made(folder)) == 3, "a clock that was put back keeps none away, and makes one alone"
    assert keeping.made(keeping.sticks[0]) == []
    assert {state for state, _ in keeping.told} == {SourceState.READY}


def test_a_stick_that_is_not_there_is_waited_for_once(keeping: Keeping) -> None:
    waited: list[str] = []

    def mounted() -> list[Path]:
        waited.append("two seconds")
        return []

    keeper = BackupKeeper(keeping.data, keeping.clock, lambda *_: None, mounted)
    assert keeper.seen() == (False, None)
    assert waited == ["two seconds"]


def test_the_oldest_give_way_and_what_is_none_of_ours_stays(keeping: Keeping) -> None:
    folder = keeping.sticks[1] / MARK
    folder.mkdir()
    (folder / "holiday.zip").write_bytes(b"")
    for _ in range(MOST_KEPT + 2):
        keeping.keeper.now()
        keeping.clock.wall += 60
    assert len(keeping.made(folder)) == MOST_KEPT + 1
    assert "holiday.zip" in keeping.made(folder)
    assert "trueroll-20231114T221320Z.zip" not in keeping.made(folder)


def test_a_backup_made_by_a_clock_that_was_put_back_stays(keeping: Keeping) -> None:
    folder = keeping.sticks[1] / MARK
    folder.mkdir()
    for _ in range(MOST_KEPT):
        keeping.keeper.now()
        keeping.clock.wall += 60
    keeping.clock.wall -= 3 * WEEK_SECONDS
    assert keeping.keeper.now().exists()
    assert len(keeping.made(folder)) == MOST_KEPT


def test_a_file_that_no_backup_takes_is_named(keeping: Keeping) -> None:
    (keeping.data / "a\\b").touch()
    keeping.keeper.now()
    assert keeping.told[-1][1].endswith("These files cannot be read, and are not in it: a\\b.")


def test_what_a_pulled_plug_left_of_a_backup_gives_its_room_back(keeping: Keeping) -> None:
    folder = keeping.sticks[1] / MARK
    (folder / ".trueroll-abc").mkdir(parents=True)
    (folder / ".trueroll-abc" / "journal.sqlite3").write_bytes(b"x")
    (folder / "trueroll-20230101T000000Z.zip.new").write_bytes(b"x")
    file = keeping.keeper.now()
    assert list(folder.iterdir()) == [file]


def test_a_stick_that_hangs_does_not_keep_the_kiosk_from_ending(
    keeping: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup_stick, "END_SECONDS", 0.01)
    monkeypatch.setattr(backup_stick, "LOOK_SECONDS", 0.0)
    begun, pulled = threading.Event(), threading.Event()

    def hangs() -> list[Path]:
        begun.set()
        pulled.wait()
        return []

    keeper = BackupKeeper(keeping.data, keeping.clock, lambda *_: None, hangs)
    ending = threading.Thread(target=keeper.stop, daemon=True)
    try:
        keeper.start()
        assert begun.wait(5)
        ending.start()
        ending.join(5)
        assert not ending.is_alive()
    finally:
        pulled.set()


def test_without_a_stick_a_tap_keeps_it_beside_the_journal_and_out_of_the_next(keeping: Keeping) -> None:
    first = keeping.keeper.now()
    assert first.parent == keeping.data / "backups"
    keeping.clock.wall += 60
    assert [one.name for one in verified(keeping.keeper.now()).files] == ["journal.sqlite3"]


def test_a_stick_that_takes_nothing_is_told(keeping: Keeping) -> None:
    (keeping.sticks[1] / MARK).mkdir()
    (keeping.data / "journal.sqlite3").unlink()
    keeping.keeper.each_week()
    with pytest.raises(BackupError):
        keeping.keeper.now()
    assert [state for state, _ in keeping.told] == [SourceState.LOST] * 2
    assert "No backup was made. There is no journal" in keeping.told[0][1]


def test_the_watch_ends(keeping: Keeping) -> None:
    keeping.keeper.start()
    keeping.keeper.stop()
    keeping.keeper.stop()
    assert all(one.is_mount() for one in mounted_sticks())
