"""The mark of a table: what it had and neither file of the journal has any more is told."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from kiosk.ports import LeftOut, SetAside
from kiosk.storage import begun, kept_twice
from kiosk.storage.begun import BEGUN, Mark
from kiosk.storage.damage_words import damage_words
from kiosk.storage.journal_names import wal_of
from kiosk.storage.kept_twice import open_kept_twice
from kiosk.storage.second_copy import second_copy_of
from tests.kiosk.desk import StillClock
from tests.kiosk.storage.test_journal import decision

CLOCK = StillClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "journal.sqlite3"


def play(path: Path, first: int, last: int, text: str = "Fog ") -> None:
    with closing(open_kept_twice(path, CLOCK)) as journal:
        for number in range(first, last + 1):
            journal.append(decision(number, text * number))


def started(path: Path) -> tuple[int, SetAside | None]:
    """The last decision after a start, and what is told."""
    with closing(open_kept_twice(path, CLOCK)) as journal:
        return journal.decision, journal.set_aside


def cut_between_lines(path: Path, left: int) -> None:
    second = second_copy_of(path)
    second.write_bytes(b"".join(second.read_bytes().splitlines(keepends=True)[:left]))


@pytest.fixture
def shorter(path: Path) -> Callable[[], None]:
    """A table of 12 decisions whose files both look whole and end with the ninth."""
    play(path, 1, 9)
    older = path.read_bytes()
    play(path, 10, 12)

    def cut() -> None:
        path.write_bytes(older)
        cut_between_lines(path, 9)

    return cut


def test_a_table_that_began_anew_is_known_by_its_own_first_decision(path: Path) -> None:
    """The mark had that of the table before it, so that nothing told of an end that both files lost."""
    play(path, 1, 3)
    with closing(open_kept_twice(path, CLOCK)) as journal:
        journal.end_before(1)
        for number in (1, 2):
            journal.append(decision(number, "Rain " * number))
        older = path.with_name("older")
        journal.copy_to(older)
        journal.append(decision(3, "Rain"))
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    older.replace(path)
    cut_between_lines(path, 2)
    decisions, told = started(path)
    assert decisions == 2
    assert told is not None
    assert told.left_out == (LeftOut(3, ""),)


def test_an_end_that_both_files_lost_is_told_once(path: Path, shorter: Callable[[], None]) -> None:
    assert Mark(path).told()[0] == 12
    shorter()
    last, aside = started(path)
    assert last == 9
    assert aside == SetAside("", restored=9, cut=True, left_out=tuple(LeftOut(one, "") for one in (10, 11, 12)))
    assert damage_words(aside)[0] == (
        "The last 3 decisions, 10 to 12, are lost: neither the journal nor its second copy has them any more. "
        "The table is as it was before them."
    )
    assert started(path) == (9, None)


def test_a_second_copy_cut_between_two_lines_brings_back_what_it_has_and_the_rest_is_told(path: Path) -> None:
    play(path, 1, 12)
    path.unlink()
    cut_between_lines(path, 10)
    last, aside = started(path)
    assert (last, aside) == (10, SetAside("", restored=10, cut=True, left_out=(LeftOut(11, ""), LeftOut(12, ""))))


def test_what_the_second_copy_has_is_not_lost(path: Path, shorter: Callable[[], None]) -> None:
    lines = second_copy_of(path).read_bytes()
    shorter()
    second_copy_of(path).write_bytes(lines)
    last, aside = started(path)
    assert aside is not None
    assert (last, aside.cut, aside.left_out) == (12, False, ())


@pytest.mark.parametrize("mark", [b"", b"\0" * 100, b"12", b"%012d %s 00000000\n" % (12, b"a" * 64)])
def test_a_mark_that_tells_nothing_is_none(path: Path, shorter: Callable[[], None], mark: bytes) -> None:
    """An earlier version's is empty; a bit of it may fall over."""
    shorter()
    path.with_name(BEGUN).write_bytes(mark)
    assert started(path) == (9, None)
    assert Mark(path).told()[0] == 9


def test_the_mark_of_another_table_is_none(path: Path, tmp_path: Path, shorter: Callable[[], None]) -> None:
    other = tmp_path / "other" / path.name
    play(other, 1, 3, "Rain ")
    shorter()
    for one in (path, second_copy_of(path)):
        shutil.copy(other.with_name(one.name), one)
    assert started(path) == (3, None)


def test_what_was_left_out_is_not_told_again(path: Path) -> None:
    play(path, 1, 12)
    with closing(open_kept_twice(path, CLOCK)) as journal:
        journal.end_before(11)
    assert started(path) == (10, None)


@pytest.mark.parametrize("lines", ["gone", "empty"])
def test_the_only_decision_of_a_log_without_its_head_comes_back(path: Path, lines: str, tmp_path: Path) -> None:
    """Once such a table began empty without a word of what the log still had."""
    with closing(open_kept_twice(path, CLOCK)) as journal:
        journal.append(decision(1))
        shutil.copytree(path.parent, tmp_path / "pulled")
    path = tmp_path / "pulled" / path.name
    wal_of(path).write_bytes(bytes(32) + wal_of(path).read_bytes()[32:])
    second_copy_of(path).unlink() if lines == "gone" else second_copy_of(path).write_bytes(b"")
    last, aside = started(path)
    assert aside is not None
    assert (last, aside.restored) == (1, 1)


@pytest.mark.parametrize("thing", ["a pipe", "a link to nowhere", "a folder"])
def test_what_is_in_the_marks_place_costs_it_alone(path: Path, thing: str) -> None:
    path.parent.mkdir()
    mark = path.with_name(BEGUN)
    if thing == "a pipe":
        os.mkfifo(mark)
    elif thing == "a folder":
        mark.mkdir()
    else:
        mark.symlink_to(path.with_name("elsewhere"))
    play(path, 1, 3)
    assert started(path) == (3, None)
    assert not path.with_name("elsewhere").exists()


def test_the_latest_lines_are_on_the_disk_once_nothing_is_decided_for_a_moment(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_kept_twice(path, CLOCK)) as journal:
        journal.append(decision(1))
        waited = list[Path]()
        monkeypatch.setattr(kept_twice, "sync", waited.append)
        for number in (2, 3):
            journal.append(decision(number))
        assert not waited, "no decision waits for it"
        journal.keep()
        journal.keep()
    assert waited == [second_copy_of(path)]


def test_a_mark_settles_whatever_becomes_of_the_lines_and_what_fails_is_tried_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once a failing sync of the lines kept the mark from the disk, and neither was tried again."""
    waited = list[Path]()
    failing = True

    def sync(synced: Path) -> None:
        if failing and synced.suffix == ".lines":
            raise OSError("no lines now")
        waited.append(synced)

    with closing(open_kept_twice(path, CLOCK)) as journal:
        monkeypatch.setattr(kept_twice, "sync", sync)
        monkeypatch.setattr(begun, "sync", sync)
        journal.append(decision(1))
        journal.keep()
        assert waited == [path.with_name(BEGUN), path.parent], "the file, and once its name in the folder"
        failing = False
        journal.keep()
        assert waited[2:] == [second_copy_of(path)]
        journal.append(decision(2))
    assert waited[3:] == [path.with_name(BEGUN), second_copy_of(path)], "at the end, too"


def test_a_mark_that_was_deleted_in_play_has_its_name_on_the_disk_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = list[Path]()
    with closing(open_kept_twice(path, CLOCK)) as journal:
        monkeypatch.setattr(begun, "sync", waited.append)
        journal.append(decision(1))
        journal.keep()
        path.with_name(BEGUN).unlink()
        journal.append(decision(2))
        journal.keep()
    assert waited == [path.with_name(BEGUN), path.parent] * 2
