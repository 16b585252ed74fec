"""What is still whole in a journal and its second copy, both damaged, is at the table that starts."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

import pytest

from kiosk.engine import Engine
from kiosk.errors import JournalError
from kiosk.ports import LeftOut
from kiosk.storage import kept_twice, salvage, second_copy
from kiosk.storage.begun import Mark
from kiosk.storage.damage_words import damage_words
from kiosk.storage.journal_names import wal_of
from kiosk.storage.kept_twice import open_kept_twice
from kiosk.storage.second_copy import second_copy_of
from kiosk.storage.whole_decisions import Rows
from rules.history import Decision
from tests.kiosk.desk import StillClock
from tests.kiosk.forked import ended
from tests.kiosk.storage.test_journal import decision

CLOCK = StillClock()
MANY = 120
PAGE = 4096
DAMAGES = 300
"""As many damages of both files, drawn anew each; a fiftieth in the short form."""


def text_of(number: int) -> str:
    """Short ones, and some that go on in pages of their own."""
    return f"Fog {number} " * (1 + number * 37 % 60) * (12 if number % 20 == 0 else 1)


def written(folder: Path, many: int = MANY, *, plug_pulled: bool = False) -> list[Decision]:
    """A journal with its second copy in `folder`, as a stop left them, or a plug that was pulled."""
    made = [decision(number, text_of(number)) for number in range(1, many + 1)]
    beside = folder / "beside"
    path = beside / "journal.sqlite3"
    with closing(open_kept_twice(path, CLOCK)) as journal:
        for one in made:
            journal.append(one, f"key-{one.number}")
            if plug_pulled and one.number == many // 2:
                sqlite3.connect(path).execute("PRAGMA wal_checkpoint").connection.close()
        if plug_pulled:
            copied(beside, folder)
    if not plug_pulled:
        copied(beside, folder)
    shutil.rmtree(beside)
    return made


def copied(beside: Path, folder: Path) -> None:
    for one in beside.glob("journal.*"):
        shutil.copy(one, folder / one.name)


def all_of(one: Decision) -> tuple[Decision, str, str]:
    """A decision with what does not count when two are compared."""
    return one, one.by, one.command


def numbers_left(path: Path, made: list[Decision]) -> tuple[list[int], set[int]]:
    """The decisions at the table after a start, each as it was made, and those that are told."""
    with closing(open_kept_twice(path, CLOCK)) as journal:
        Engine(journal)  # which leaves out what can be read nowhere
        there = list(journal.decisions())
        aside = journal.set_aside
        told = {*journal.altered, *(one.number for one in (aside.left_out if aside is not None else ()))}
        last = journal.decision
    unaltered = {one.number for one in there if all_of(one) == all_of(made[one.number - 1])}
    return sorted(unaltered), told | set(range(last + 1, len(made) + 1))


def garbage(content: bytearray, random: Random) -> None:
    for _ in range(random.randint(1, 3)):
        at = random.randrange(max(1, len(content) // PAGE)) * PAGE
        content[at : at + PAGE] = random.randbytes(min(PAGE, len(content) - at))


def flips(content: bytearray, random: Random) -> None:
    for _ in range(random.randint(1, 6)):
        place = random.randrange(len(content) * 8)
        content[place // 8] ^= 1 << place % 8


def cut(content: bytearray, random: Random) -> None:
    del content[random.randrange(len(content)) :]


def test_it_is_told_where_the_second_copy_had_not_all(tmp_path: Path) -> None:
    made = written(tmp_path, 40)
    path = tmp_path / "journal.sqlite3"
    path.write_bytes(b"\0" * PAGE + path.read_bytes()[PAGE:])
    lines = second_copy_of(path).read_bytes()
    sound = path.read_bytes()
    for begins, told in (
        (lines, "; its second copy brought it back"),
        (lines[:-600], "what is whole in either was put"),
    ):
        for one in tmp_path.iterdir():
            one.unlink()
        path.write_bytes(sound)
        second_copy_of(path).write_bytes(begins)
        with closing(open_kept_twice(path, CLOCK)) as journal:
            assert list(journal.decisions()) == made
            assert journal.set_aside is not None
            assert told in str(damage_words(journal.set_aside)[0])


def test_a_damaged_index_keeps_no_kiosk_from_starting(tmp_path: Path) -> None:
    """Once the start failed where the index did not find the last decision."""
    made = written(tmp_path, 6)
    path = tmp_path / "journal.sqlite3"
    with sqlite3.connect(path) as connection:
        asked = "SELECT rootpage FROM sqlite_schema WHERE name LIKE 'sqlite_autoindex%'"
        page = connection.execute(asked).fetchone()[0]
    connection.close()
    sound, lines = path.read_bytes(), second_copy_of(path).read_bytes()
    for place in range(page * PAGE - 90, page * PAGE):
        for one in tmp_path.iterdir():
            one.unlink()
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 8]) + sound[place + 1 :])
        second_copy_of(path).write_bytes(lines)
        with closing(open_kept_twice(path, CLOCK)) as journal:
            with suppress(JournalError):  # as the kiosk does
                journal.mend_indexes()
            assert list(journal.decisions()) == made, place
            journal.append(decision(7), "key-7")


FRAME = PAGE + 24

GARBLED = {
    "nothing": (0, 0),
    "its head": (0, 32),
    "two early frames": (32 + 10 * FRAME, 32 + 12 * FRAME),
    "a page in its frame": (32 + 10 * FRAME + 24, 32 + 11 * FRAME),
    "a page of the file": (30 * PAGE, 31 * PAGE),
    "the last frame that counts": (-6 * FRAME, -5 * FRAME),
    "all from the middle on": (-30 * FRAME, None),
    "all": (0, None),
}
"""What of a write-ahead log is garbage, from which byte to which."""


def laid_out(folder: Path, sound: dict[str, bytes], lines: str, garbled: slice) -> bytes:
    """The files of a plug that was pulled, with that state of the second copy; the damaged write-ahead log."""
    for one in folder.iterdir():
        one.unlink()
    wal = bytearray(sound["journal.sqlite3-wal"])
    wal[garbled] = Random(1).randbytes(len(wal[garbled]))  # noqa: S311 - noise
    kept = sound["journal.lines"].splitlines(keepends=True)[: 15 if "15" in lines else 120]
    torn = b"".join(kept)[: None if lines == "whole" or "and no more" in lines else -40]
    files = sound | {"journal.sqlite3-wal": bytes(wal), "journal.lines": torn}
    for name, content in files.items():
        if name != "journal.lines" or lines != "gone":
            (folder / name).write_bytes(content)
    return bytes(wal)


@pytest.mark.parametrize("lines", ["gone", "15 and no more", "15, the last torn", "whole"])
def test_garbage_in_the_write_ahead_log_hides_nothing_behind_it(tmp_path: Path, lines: str) -> None:
    """SQLite takes what is before it for the whole, so that once all behind it was lost without a word."""
    many = 40
    made = written(tmp_path, many, plug_pulled=True)
    path = tmp_path / "journal.sqlite3"
    sound = {one.name: one.read_bytes() for one in tmp_path.iterdir() if not one.name.endswith("-shm")}
    for what, (begins, ends) in GARBLED.items():
        wal = laid_out(tmp_path, sound, lines, slice(begins, ends))
        with closing(open_kept_twice(path, CLOCK)) as journal:
            there = list(journal.decisions())
            told, last, aside = set(journal.altered), journal.decision, journal.set_aside
        assert there == [made[one.number - 1] for one in there], what
        if what == "nothing":
            assert (len(there), aside) == (many, None), "an ordinary pulled plug"
            continue
        assert aside is not None, what
        assert told == set(range(1, last + 1)) - {one.number for one in there}, what
        if lines == "whole":
            assert (len(there), aside.cut) == (many, False), what
            continue
        assert wal_of(tmp_path / aside.name).read_bytes() == wal, "it is kept"
        assert len(there) >= {"all": 20, "all from the middle on": 20}.get(what, many - 1)
        assert aside.cut or last == many, what
        assert "cannot be told" in str(damage_words(aside)[0]) or not aside.unsure


STARTS = """
import os, sys
from pathlib import Path
from kiosk.storage.kept_twice import open_kept_twice
from tests.kiosk.desk import StillClock
done = 0
def counted(really):
    def done_at_most(*args, **named):
        global done
        if done == {cut}:
            os._exit(9)
        done += 1
        return really(*args, **named)
    return done_at_most
os.rename, os.replace = counted(os.rename), counted(os.replace)
open_kept_twice(Path({path!r}), StillClock()).close()
os._exit(0)
"""


@pytest.mark.parametrize("lines", ["gone", "15, the last torn"])
def test_a_plug_pulled_while_the_start_restores_a_journal_with_a_damaged_log_loses_nothing(
    tmp_path: Path, lines: str, *, whole: bool
) -> None:
    """Before each of the renames: what stood in the log alone is once in a file that is not the journal's yet."""
    many = 40
    made = written(tmp_path, many, plug_pulled=True)
    path = tmp_path / "journal.sqlite3"
    sound = {one.name: one.read_bytes() for one in tmp_path.iterdir() if not one.name.endswith("-shm")}
    for what in GARBLED if whole else ["a page of the file", "all from the middle on"]:
        if what == "nothing":
            continue
        begins, ends = GARBLED[what]
        laid_out(tmp_path, sound, lines, slice(begins, ends))
        with closing(open_kept_twice(path, CLOCK)) as journal:
            there = list(journal.decisions())
        for cut in count():
            wal = laid_out(tmp_path, sound, lines, slice(begins, ends))
            if not ended(STARTS.format(cut=cut, path=str(path))):
                assert cut > 2, "it has renamed something"
                break
            with closing(open_kept_twice(path, CLOCK)) as journal:
                assert list(journal.decisions()) == there, (what, cut)
            assert len(there) == many or [one for one in tmp_path.glob("*-wal") if one.read_bytes() == wal], (
                "it is kept"
            )
        assert there == [made[one.number - 1] for one in there], what


@pytest.mark.parametrize("spoiled", [slice(0, 32), slice(40 * PAGE, 42 * PAGE), slice(0, None)])
def test_garbage_in_the_write_ahead_log_of_a_first_evening_is_told(tmp_path: Path, spoiled: slice) -> None:
    """All that was decided, and the tables of the journal, too, are in it."""
    beside = tmp_path / "beside"
    with closing(open_kept_twice(beside / "journal.sqlite3", CLOCK)) as journal:
        for number in range(1, 31):
            journal.append(decision(number), f"key-{number}")
        copied(beside, tmp_path)
    shutil.rmtree(beside)
    path = tmp_path / "journal.sqlite3"
    second_copy_of(path).unlink()
    wal = bytearray(wal_of(path).read_bytes())
    wal[spoiled] = Random(2).randbytes(len(wal[spoiled]))  # noqa: S311 - noise
    wal_of(path).write_bytes(wal)
    with closing(open_kept_twice(path, CLOCK)) as journal:
        aside = journal.set_aside
        assert aside is not None
        assert wal_of(tmp_path / aside.name).read_bytes() == wal, "it is kept"
        assert (journal.decision, aside.begins_empty) == ((0, True) if spoiled.stop is None else (30, False))


def not_shown(path: Path, last: int) -> None:
    """The mark as it was before the last decision: the plug was pulled before anybody was shown that."""
    Mark(path).write(last - 1, Mark(path).told()[1])


def ends_of_transactions(wal: bytes | bytearray) -> list[int]:
    """The places of the frames with which a transaction ends."""
    return [at for at in range(32, len(wal), FRAME) if any(wal[at + 4 : at + 8])]


@pytest.mark.parametrize("torn", ["a page", "a frame", "all pages"])
@pytest.mark.parametrize("lines", ["whole", "one behind", "gone"])
@pytest.mark.parametrize("shown", [False, True])
def test_a_transaction_that_a_pulled_plug_cut_off_is_no_damage_unless_it_was_shown(
    tmp_path: Path, torn: str, lines: str, *, shown: bool
) -> None:
    """Once the decision that nobody was shown came back where the second copy was gone, with words of damage.

    One that was shown, and spoiled later, was lost without a word.
    """
    made = written(tmp_path, 30, plug_pulled=True)
    path = tmp_path / "journal.sqlite3"
    wal = bytearray(wal_of(path).read_bytes())
    salts = wal[16:24]
    own = [at for at in ends_of_transactions(wal) if wal[at + 8 : at + 16] == salts]
    first = own[-2] + FRAME
    for at in range(first, own[-1] + FRAME if torn == "all pages" else first + FRAME, FRAME):
        begins = at + {"a page": 24 + 512, "a frame": 0, "all pages": 24}[torn]
        wal[begins : at + FRAME] = bytes(at + FRAME - begins)
    wal_of(path).write_bytes(wal)
    kept = second_copy_of(path).read_bytes().splitlines(keepends=True)
    second_copy_of(path).write_bytes(b"".join(kept[: 28 if lines == "one behind" else 29]))
    if lines == "gone":
        second_copy_of(path).unlink()
    if not shown:
        not_shown(path, 30)
    with closing(open_kept_twice(path, CLOCK)) as journal:
        aside = journal.set_aside
        assert list(journal.decisions()) == made[: 30 if shown and torn != "all pages" else 29]
    assert (aside is not None) == shown
    if aside is None:
        return
    assert wal_of(tmp_path / aside.name).read_bytes() == wal, "it is kept"
    if torn == "all pages":
        assert aside.left_out == (LeftOut(30, ""),)
        assert str(damage_words(aside)[0]).startswith("The last decision, number 30, is lost: neither the journal nor")
    with closing(open_kept_twice(path, CLOCK)) as journal:
        assert journal.set_aside is None, "once"


@pytest.mark.parametrize("lines", ["one behind", "gone"])
def test_what_a_log_left_whose_head_was_lost_is_no_damage(tmp_path: Path, lines: str) -> None:
    """SQLite draws the salts of the next log anew then, so that once the frames behind it were taken for garbage."""
    made = written(tmp_path, 30, plug_pulled=True)
    path = tmp_path / "journal.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint")
        whole, wal = path.read_bytes(), wal_of(path).read_bytes()
    path.write_bytes(whole)
    wal_of(path).write_bytes(bytes(32) + wal[32:])
    made += [decision(number) for number in range(31, 34)]
    cut_off = tmp_path / "cut-off"
    cut_off.mkdir()
    with closing(open_kept_twice(path, CLOCK)) as journal:
        assert (list(journal.decisions()), journal.set_aside) == (made[:30], None)
        for one in made[30:]:
            journal.append(one)
        copied(tmp_path, cut_off)
    path = cut_off / "journal.sqlite3"
    assert wal_of(path).read_bytes()[-FRAME:] == wal[-FRAME:], "the earlier log is there behind this one"
    kept = second_copy_of(path).read_bytes().splitlines(keepends=True)
    second_copy_of(path).write_bytes(b"".join(kept[:32]))
    if lines == "gone":
        second_copy_of(path).unlink()
    with closing(open_kept_twice(path, CLOCK)) as journal:
        assert (list(journal.decisions()), journal.set_aside) == (made, None)


def test_a_log_whose_head_was_lost_before_all_was_in_the_journal_is_damage(tmp_path: Path) -> None:
    made = written(tmp_path, 30, plug_pulled=True)
    path = tmp_path / "journal.sqlite3"
    wal_of(path).write_bytes(bytes(32) + wal_of(path).read_bytes()[32:])
    second_copy_of(path).unlink()
    with closing(open_kept_twice(path, CLOCK)) as journal:
        assert list(journal.decisions()) == made
        assert journal.set_aside is not None


def test_a_torn_last_transaction_costs_no_look_at_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once each line of the second copy was hashed and each page searched, ten seconds of a long season's start."""
    many = 60
    monkeypatch.setattr(kept_twice, "COMPARED", 10)  # a long one, whose lines no start compares
    made = written(tmp_path, many, plug_pulled=True)
    path = tmp_path / "journal.sqlite3"
    wal = bytearray(wal_of(path).read_bytes())
    own = [at for at in ends_of_transactions(wal) if wal[at + 8 : at + 16] == wal[16:24]]
    first = own[-2] + FRAME
    wal[first + 24 + 512 : first + FRAME] = bytes(PAGE - 512)
    wal_of(path).write_bytes(wal)
    kept = second_copy_of(path).read_bytes().splitlines(keepends=True)
    second_copy_of(path).write_bytes(b"".join(kept[: many - 1]))
    not_shown(path, many)
    read, searched = 0, 0
    rows_of, numbers = second_copy._rows_of, salvage._numbers  # noqa: SLF001 - to count what they are asked

    def counted_line(line: bytes) -> Rows | None:
        nonlocal read
        read += 1
        return rows_of(line)

    def counted_row(page: bytes, start: int) -> Iterator[int]:
        nonlocal searched
        searched += 1
        return numbers(page, start)

    monkeypatch.setattr(second_copy, "_rows_of", counted_line)
    monkeypatch.setattr(salvage, "_numbers", counted_row)
    with closing(open_kept_twice(path, CLOCK)) as journal:
        assert (list(journal.decisions()), journal.set_aside) == (made[: many - 1], None)
    assert read < many // 4, "lines, at both ends of the second copy"
    assert searched < many // 4, "rows, in the frames of that transaction"


def none(_content: bytearray, _random: Random) -> None:
    """Nothing happens to it."""


@pytest.mark.parametrize(("of_the_second", "comes_back"), [(1, True), (2, False)])
def test_a_decision_alone_between_two_gaps_comes_back_where_it_can_have_no_more_rows(
    tmp_path: Path, of_the_second: int, *, comes_back: bool
) -> None:
    """Each decision has a row at least: a gap of as many rows as decisions has none of the one before it."""
    path = tmp_path / "journal.sqlite3"
    made = [decision(number, f"Fog {number}") for number in range(1, 8)]
    made = [replace(one, events=one.events[: of_the_second if one.number == 5 else 1]) for one in made]
    with closing(open_kept_twice(path, CLOCK)) as journal:
        for one in made:
            journal.append(one)
    second_copy_of(path).unlink()
    content = bytearray(path.read_bytes())
    for number in (2, 3, 5):
        at = -1
        while (at := content.find(f"Fog {number}".encode(), at + 1)) >= 0:
            begins = content.rindex(b"Adaremove_trait", 0, at) - 8  # within the head of the row
            content[begins : at + 5] = b"x" * (at + 5 - begins)
    page = content.index(b"Fog 1") // PAGE * PAGE
    content[page : page + 8] = bytes(8)
    path.write_bytes(content)
    with closing(open_kept_twice(path, CLOCK)) as journal:
        there = list(journal.decisions())
        assert there == [one for one in made if one.number not in {2, 3, 5} | (set() if comes_back else {4})]
        assert set(journal.altered) == {one.number for one in made} - {one.number for one in there}


def emptied(content: bytearray, _random: Random) -> None:
    content.clear()


def whole_in(files: dict[Path, tuple[bytes, bytes]], made: list[Decision]) -> set[int]:
    """The decisions of which every byte, and some around, is as it was in one of the files, by looking for them."""
    found = set()
    for one in made:
        text = f'"name":"{text_of(one.number)}"'.encode()
        for path, (sound, damaged) in files.items():
            if path.suffix == ".lines":
                line = sound.splitlines(keepends=True)[one.number - 1]
                if line in damaged:
                    found.add(one.number)
                continue
            places = []
            at = sound.find(text)
            while at >= 0:
                around = slice(max(0, at - 100), at + len(text) + 120)
                places.append(damaged[around] == sound[around])
                at = sound.find(text, at + 1)
            if len(places) >= 2 and all(places):
                found.add(one.number)
    return found


def test_a_garbage_page_costs_what_stood_in_it_alone(tmp_path: Path, *, whole: bool) -> None:
    """Also where the second copy is gone: the first page, some others, in the long form all."""
    made = written(tmp_path, 60)
    path = tmp_path / "journal.sqlite3"
    sound = path.read_bytes()
    for page in range(0, len(sound) // PAGE, 1 if whole else 9):
        for one in tmp_path.iterdir():
            one.unlink()
        path.write_bytes(
            sound[: page * PAGE] + Random(page).randbytes(PAGE) + sound[(page + 1) * PAGE :]  # noqa: S311 - noise
        )
        there, told = numbers_left(path, made)
        assert len(there) >= len(made) - 14, page
        assert told == {one.number for one in made} - set(there), page


@pytest.mark.parametrize("plug_pulled", [False, True])
def test_what_is_whole_in_either_file_is_at_the_table(tmp_path: Path, *, plug_pulled: bool, whole: bool) -> None:
    """And each other decision is told as missing or not as it was written."""
    made = written(tmp_path, plug_pulled=plug_pulled)
    path = tmp_path / "journal.sqlite3"
    sound = {one: one.read_bytes() for one in (path, wal_of(path), second_copy_of(path)) if one.exists()}
    kinds: list[Callable[[bytearray, Random], None]] = [garbage, flips, cut, emptied, none]
    for seed in range(DAMAGES if whole else DAMAGES // 50):
        random = Random(seed)  # noqa: S311 - places, not secrets
        for one in tmp_path.iterdir():
            one.unlink()
        files = {}
        drawn = []
        for one, content in sound.items():
            damaged = bytearray(content)
            kind = random.choice(
                [garbage, garbage, flips] if one == path else kinds if one.suffix == ".lines" else [none]
            )
            kind(damaged, random)
            drawn.append(kind.__name__)
            one.write_bytes(damaged)
            files[one] = content, bytes(damaged)
        there, told = numbers_left(path, made)
        sure = whole_in(files, made)
        joined = {one for one in sure if {one - 1, one + 1} & (sure | {0, len(made) + 1})}
        assert joined <= set(there), (seed, drawn, "what stands alone between gaps may go on there")
        assert told >= {one.number for one in made} - set(there), (seed, drawn)
        assert not told & joined, (seed, drawn, "what is told and there was altered where the table does not look")
