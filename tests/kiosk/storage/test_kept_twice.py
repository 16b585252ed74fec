"""A journal with its second copy: what one of the two files lost comes back from the other."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from kiosk.engine import Engine
from kiosk.errors import JournalFullError, JournalNewerError, JournalUnreadableError
from kiosk.ports import MISSING, Clock, LeftOut, SecondCopyState, SetAside
from kiosk.storage import kept_twice
from kiosk.storage.begun import BEGUN
from kiosk.storage.checkpoint import FILE_NAME as CHECKPOINT_NAME
from kiosk.storage.damage_words import altered_words, damage_words, second_copy_words
from kiosk.storage.journal import FileJournal, open_for_reading, open_journal
from kiosk.storage.journal_file import SCHEMA_VERSION
from kiosk.storage.kept_twice import JournalKeptTwice, open_kept_twice
from kiosk.storage.second_copy import SecondCopy, second_copy_of
from kiosk.storage.told_once import ToldOnce
from rules.history import Decision
from tests.kiosk.desk import StillClock
from tests.kiosk.storage.test_journal import decision, spoil

CLOCK = StillClock()
MANY = 40
FLIPS = 500
"""As many bits fall over, one in each try, in each file; a twentieth in the short form."""


@contextmanager
def opened(path: Path) -> Iterator[JournalKeptTwice]:
    with closing(open_kept_twice(path, CLOCK)) as journal:
        yield journal


def kept(path: Path, many: int = MANY) -> list[Decision]:
    """A journal of some decisions, and those."""
    made = [decision(number, "Fog " * number) for number in range(1, many + 1)]
    with opened(path) as journal:
        for one in made:
            journal.append(one, f"key-{one.number}")
    return made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


def contents(path: Path, *others: str) -> dict[Path, bytes]:
    """The journal's files as a card would have them now."""
    files = (path, second_copy_of(path), *(path.with_name(one) for one in others))
    return {one: one.read_bytes() for one in files}


def lines(path: Path) -> list[Decision]:
    """What the second copy alone brings back."""
    with opened(path.parent / "elsewhere" / path.name) as journal:
        shutil.copy(second_copy_of(path), second_copy_of(path.parent / "elsewhere" / path.name))
        journal.settle()
        return list(journal.decisions())


def test_each_decision_is_kept_twice(path: Path) -> None:
    with opened(path) as journal:
        journal.append(decision(1))
        assert journal.second_copy is SecondCopyState.WELL, "that it is new is nothing to tell"
    path.unlink()
    second_copy_of(path).unlink()
    made = kept(path)
    assert lines(path) == made
    assert second_copy_of(path).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("ending", ["", "-wal", ".lines"])
def test_a_bit_that_falls_over_costs_nothing(path: Path, ending: str, *, whole: bool) -> None:
    """In the journal, in what SQLite has not folded into it yet, as the plug is pulled, and in the second copy."""
    made = kept(path)
    if ending == "-wal":
        with opened(path) as journal:
            for number in range(MANY + 1, 2 * MANY + 1):
                made.append(decision(number, "Rain"))
                journal.append(made[-1])
            sound = contents(path, f"{path.name}-wal")
    else:
        sound = contents(path)
    hit = next(one for one in sound if one.name.endswith(ending or path.name))
    random = Random(1701)  # noqa: S311 - places, not secrets
    for _ in range(FLIPS if whole else FLIPS // 20):
        for one in path.parent.iterdir():
            one.unlink()
        for one, content in sound.items():
            one.write_bytes(content)
        damaged = bytearray(sound[hit])
        place = random.randrange(len(damaged) * 8)
        damaged[place // 8] ^= 1 << place % 8
        hit.write_bytes(damaged)
        with opened(path) as journal:
            assert list(journal.decisions()) == made, place
            assert journal.append(decision(len(made) + 1)) == 2 * (len(made) + 1), place
        with opened(path) as again:
            assert [one.number for one in again.decisions()] == list(range(1, len(made) + 2)), place
            assert not again.altered, place


@pytest.mark.parametrize("loss", ["gone", "empty", "half", "noise"])
def test_a_file_that_is_lost_comes_back_whole_and_it_is_told(
    path: Path, loss: str, caplog: pytest.LogCaptureFixture
) -> None:
    made = kept(path)
    content = path.read_bytes()
    if loss == "gone":
        path.unlink()
    else:
        path.write_bytes({"empty": b"", "half": content[: len(content) // 2], "noise": b"\xa5" * len(content)}[loss])
    with opened(path) as journal:
        assert list(journal.decisions()) == made
        assert journal.known(f"key-{MANY}") == (made[-1], 2 * MANY)
        told = journal.set_aside
    assert told is not None
    assert told.restored == MANY
    assert "restored from its second copy" in caplog.text
    assert bool(told.name) == (loss in {"half", "noise"})
    if told.name:
        assert (path.parent / told.name).exists(), "nothing is deleted"
    with opened(path) as again:
        assert again.set_aside is None


def test_a_second_copy_that_is_lost_or_behind_is_written_from_the_journal(path: Path) -> None:
    made = kept(path)
    second = second_copy_of(path)
    content = second.read_bytes()
    for left in (None, b"", content[:-9], content[: content.index(b"\n") + 1], content.replace(b"Fog", b"Fig")):
        second.unlink()
        if left is not None:
            second.write_bytes(left)
        with opened(path) as journal:
            assert list(journal.decisions()) == made
            assert journal.set_aside is None
        assert second.read_bytes() == content


def test_a_changed_row_is_put_right(path: Path) -> None:
    made = kept(path)
    spoil(path, "UPDATE journal SET event = replace(event, 'Fog', 'Rain') WHERE sequence = 31")
    with opened(path) as journal:
        assert list(journal.decisions()) == made
        assert journal.altered == {}
        told = journal.set_aside
        assert told is not None
        assert told.restored == MANY
        assert told.name


@pytest.mark.parametrize("sequence", [51, 52, 53, 2 * MANY - 1, 2 * MANY])
@pytest.mark.parametrize("number", [3, 27, MANY + 1, 90])
def test_a_row_whose_number_was_changed_is_put_right(path: Path, number: int, sequence: int) -> None:
    """As by a bit: it stands among rows of other decisions then, before or after its own.

    One of 500 flipped bits was in the number of a decision's first row, which has its checksum.
    """
    made = kept(path)
    spoil(path, f"UPDATE journal SET decision = {number}, position = 7 WHERE sequence = {sequence}")  # noqa: S608 - named above
    with opened(path) as journal:
        assert list(journal.decisions()) == made
        assert journal.altered == {}
    with opened(path) as again:
        assert list(again.decisions()) == made


@pytest.mark.parametrize("number", [3, 90])
def test_a_number_that_was_changed_before_one_more_decision_is_put_right(
    path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last row of the journal was hit while the kiosk ran, and nobody wrote it: as on a card that rots."""
    monkeypatch.setattr(JournalKeptTwice, "_look_unchanged", lambda _: None)
    made = [*kept(path), decision(MANY + 1)]
    with opened(path) as journal:
        spoil(path, f"UPDATE journal SET decision = {number}, position = 7 WHERE sequence = {2 * MANY}")  # noqa: S608 - named above
        journal.append(made[-1])
    with opened(path) as again:
        assert list(again.decisions()) == made
        assert again.altered == {}


def test_a_journal_that_went_further_is_not_cut_to_its_second_copy(path: Path) -> None:
    made = kept(path)
    second = second_copy_of(path)
    second.write_bytes(b"".join(second.read_bytes().splitlines(keepends=True)[:-3]))
    spoil(path, "UPDATE journal SET by = 'Bob' WHERE sequence = 11")
    with opened(path) as journal:
        assert list(journal.decisions()) == made, "what the copy lacks is the journal's"


def test_damage_that_is_met_on_reading_is_restored_once(path: Path) -> None:
    made = kept(path)
    with opened(path) as journal:
        spoil(path, "UPDATE journal SET event = '{' WHERE sequence = 31")
        journal.end_before(16)
        assert list(journal.decisions()) == made
        assert journal.append(decision(MANY + 1)) == 2 * (MANY + 1)
    assert [one.number for one in lines(path)] == list(range(1, MANY + 2))


def test_what_both_files_lost_ends_the_journal_before_it(path: Path) -> None:
    kept(path)
    spoil(path, "UPDATE journal SET event = '{' WHERE sequence = 31")
    second = second_copy_of(path)
    second.write_bytes(second.read_bytes().replace(b'[31, 16, 0, "Ada"', b'[31, 16, 0, "Bob"'))
    with opened(path) as journal:
        journal.end_before(16)
        assert [one.number for one in journal.decisions()] == list(range(1, 16))
        told = journal.set_aside
        assert told == SetAside("journal.damaged-20231114T221320Z.sqlite3", 16)
        journal.append(decision(16, "Rain"))
    assert [one.number for one in lines(path)] == list(range(1, 17)), "the lines are those of the journal again"
    assert list(path.parent.glob("journal.damaged-*.lines")), "nothing is deleted"


def test_a_decision_that_is_taken_in_the_place_of_one_left_out_is_copied_itself(path: Path) -> None:
    """It has the number of what was written last by this kiosk."""
    made = kept(path, 5)
    with closing(open_journal(path.with_name("other.sqlite3"), CLOCK)) as other:
        for one in (*made, decision(6, "Rain")):
            other.append(one, f"key-{one.number}")
        rows = [members for _, members in other.members(5)]
    with closing(open_journal(path, CLOCK)) as journal:
        twice = JournalKeptTwice(journal, SecondCopy(second_copy_of(path)), path, CLOCK)
        twice.settle()
        twice.append(decision(6))
        journal.end_before(6)
        second = second_copy_of(path)
        second.write_bytes(b"".join(second.read_bytes().splitlines(keepends=True)[:5]))
        twice.settle()
        twice.take(rows)
        assert list(twice.decisions())[-1] == decision(6, "Rain")
    assert lines(path) == [*made, decision(6, "Rain")]


def test_what_both_files_lost_is_left_out_and_all_else_stays(path: Path) -> None:
    made = kept(path)
    spoil(path, "UPDATE journal SET event = '{' WHERE sequence = 31")
    second = second_copy_of(path)
    second.write_bytes(second.read_bytes().replace(b'[31, 16, 0, "Ada"', b'[31, 16, 0, "Bob"'))
    others = [*made[:15], *made[16:]]
    with opened(path) as journal:
        assert journal.leave_out(1)
        assert list(journal.decisions()) == others
        journal.append(decision(MANY + 1))
    for _ in range(2):
        with opened(path) as again:
            assert list(again.decisions()) == [*others, decision(MANY + 1)]
            assert list(again.altered) == [16]
            assert again.set_aside is None
    assert lines(path) == [*others, decision(MANY + 1)]
    assert len(list(path.parent.glob("journal.damaged-*.lines"))) == 1
    assert len(list(path.parent.glob("journal.damaged-*.sqlite3"))) == 1


@pytest.mark.parametrize("damage", ["'{'", "replace(event, 'trait_removed', 'trait_rumoved')"])
def test_what_the_journal_lost_behind_a_gap_comes_back(path: Path, damage: str) -> None:
    made = kept(path)
    for one in (path, second_copy_of(path)):
        if one == path:
            spoil(path, "DELETE FROM journal WHERE decision = 16")
        else:
            one.write_bytes(
                b"".join(line for line in one.read_bytes().splitlines(keepends=True) if b"[31," not in line)
            )
    spoil(path, f"UPDATE journal SET event = {damage} WHERE decision = 17")  # noqa: S608 - named above
    with opened(path) as journal:
        Engine(journal)
        assert list(journal.decisions()) == [one for one in made if one.number != 16]
        assert journal.set_aside is not None
        assert journal.set_aside.restored


def test_a_restore_before_a_decision_is_left_out_is_told_as_well(path: Path) -> None:
    kept(path)
    spoil(path, "UPDATE journal SET event = '{' WHERE sequence IN (11, 31)")
    second = second_copy_of(path)
    second.write_bytes(second.read_bytes().replace(b'[31, 16, 0, "Ada"', b'[31, 16, 0, "Bob"'))
    with opened(path) as journal:
        restored = journal.set_aside
        assert restored is not None
        assert restored.restored
        assert journal.leave_out(1)
        told = journal.set_aside
        assert told is not None
        assert told.earlier == restored
        assert [one.number for one in told.left_out] == [16]
        assert {one.name for one in path.parent.glob("*damaged*.sqlite3")} == {restored.name, told.name}


def test_as_many_decisions_are_told_to_have_come_back_as_there_are(path: Path) -> None:
    kept(path, 8)
    second = second_copy_of(path)
    second.write_bytes(b"".join(line for n, line in enumerate(second.read_bytes().splitlines(keepends=True)) if n != 4))
    path.unlink()
    with opened(path) as journal:
        assert journal.decision == 8
        assert journal.set_aside == SetAside("", restored=7)


def test_what_the_lines_lack_comes_from_the_damaged_file(path: Path) -> None:
    """A power cut took the newest lines, then a bit of an old page flipped."""
    made = kept(path)
    second = second_copy_of(path)
    second.write_bytes(b"".join(second.read_bytes().splitlines(keepends=True)[:-3]))
    spoil(path, "UPDATE journal SET by = 'Bob' WHERE sequence = 11")
    with opened(path) as journal:
        assert list(journal.decisions()) == made


def test_a_bad_line_is_written_anew_and_costs_no_other(path: Path) -> None:
    made = kept(path)
    second = second_copy_of(path)
    content = second.read_bytes()
    second.write_bytes(content.replace(b'[9, 5, 0, "Ada"', b'[9, 5, 0, "Bda"'))
    with opened(path) as journal:
        assert journal.set_aside is None
    assert second.read_bytes() == content
    second.write_bytes(content.replace(b'[9, 5, 0, "Ada"', b'[9, 5, 0 "Ada"'))
    spoil(path, "UPDATE journal SET by = 'Bob' WHERE sequence = 51")
    with opened(path) as journal:
        assert list(journal.decisions()) == made
    assert second.read_bytes() == content


def test_without_room_to_restore_nothing_is_changed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = kept(path)
    second = second_copy_of(path)
    lines_now = second.read_bytes()
    spoil(path, "UPDATE journal SET by = 'Bob' WHERE sequence = 51")

    def refused(_journal: FileJournal, _decisions: object) -> None:
        raise JournalFullError("no room")

    with monkeypatch.context() as patched:
        patched.setattr(FileJournal, "take", refused)
        with opened(path) as journal:
            assert [one.number for one in journal.decisions()] == [one.number for one in made]
            journal.append(decision(MANY + 1))
        assert second.read_bytes() == lines_now
        broken = path.read_bytes()
        path.write_bytes(b"\xa5" * 4096)
        for _ in range(2):
            with pytest.raises(JournalFullError, match="no room to restore"):
                open_kept_twice(path, CLOCK)
        assert second.read_bytes() == lines_now
    path.write_bytes(broken)
    with opened(path) as journal:
        assert list(journal.decisions()) == [*made, decision(MANY + 1)]


def test_a_plug_that_is_pulled_while_it_is_restored_loses_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest lines are not on the disk yet, so that both files are needed, before and after each renaming."""
    made = kept(path)
    second = second_copy_of(path)
    second.write_bytes(b"".join(second.read_bytes().splitlines(keepends=True)[:-3]))
    spoil(path, "UPDATE journal SET by = 'Bob' WHERE sequence = 11")
    for name in ("rename", "replace"):
        with monkeypatch.context() as patched:

            def pulled(_path: Path, _other: Path) -> Path:
                raise KeyboardInterrupt

            patched.setattr(Path, name, pulled)
            with pytest.raises(KeyboardInterrupt):
                open_kept_twice(path, CLOCK)
    with opened(path) as journal:
        assert list(journal.decisions()) == made


def test_lines_of_another_course_of_the_same_journal_are_kept_apart(path: Path) -> None:
    """A backup was put back, and an evening played on it without lines."""
    kept(path, 10)
    backup = path.read_bytes()
    with opened(path) as journal:
        for number in range(11, 21):
            journal.append(decision(number, "Snow"))
    path.write_bytes(backup)
    with closing(open_journal(path, CLOCK)) as plain:
        for number in range(11, 16):
            plain.append(decision(number, "Hail"))
        played = list(plain.decisions())
    with opened(path) as journal:
        assert list(journal.decisions()) == played
    assert lines(path) == played
    assert list(path.parent.glob("journal.damaged-*.lines")), "nothing is deleted"


def test_a_head_that_forbids_writing_is_damage(path: Path) -> None:
    made = kept(path)
    content = bytearray(path.read_bytes())
    content[18] = 9
    path.write_bytes(content)
    with opened(path) as journal:
        assert list(journal.decisions()) == made
        assert journal.append(decision(MANY + 1))


def test_a_disk_that_takes_no_second_copy_costs_it_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kept(path, 3)
    wanted = os.open

    def refused(name: str | Path, flags: int, mode: int = 0o777) -> int:
        if str(name).endswith(".lines") and flags & os.O_WRONLY:
            raise OSError(28, "No space left on device")
        return wanted(name, flags, mode)

    with opened(path) as journal:
        with monkeypatch.context() as patched:
            patched.setattr(os, "open", refused)
            for number in (4, 5):
                journal.append(decision(number))
        assert caplog.text.count("cannot be written") == 1
        journal.append(decision(6))
        assert "is written again" in caplog.text
    assert [one.number for one in lines(path)] == [1, 2, 3, 4, 5, 6]


def test_a_journal_of_a_later_version_is_left_alone(path: Path) -> None:
    """One of which the lines say so too, or whose form is no single bit away from this version's."""
    kept(path)
    second = second_copy_of(path)
    lines_now = second.read_bytes().splitlines(keepends=True)
    for later, written in ((SCHEMA_VERSION + 1, SCHEMA_VERSION + 1), (SCHEMA_VERSION + 3, SCHEMA_VERSION)):
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA user_version={later}")
        second.write_bytes(b"".join(str(written).encode() + one[1:] for one in lines_now))
        refused(path)


def refused(path: Path) -> None:
    second = second_copy_of(path)
    before = path.read_bytes(), second.read_bytes()
    with pytest.raises(JournalNewerError):
        open_kept_twice(path, CLOCK)
    assert (path.read_bytes(), second.read_bytes()) == before


def test_a_journal_from_before_gets_its_second_copy(path: Path) -> None:
    with closing(open_journal(path, CLOCK)) as plain:
        plain.append(decision(1))
    with opened(path) as journal:
        assert journal.set_aside is None
    assert lines(path) == [decision(1)]
    with closing(open_for_reading(path, CLOCK)) as read:
        assert SecondCopy(second_copy_of(path)).end() == (1, read.checksum_at(1))


def test_without_room_lines_that_go_further_wait_for_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = kept(path)
    second = second_copy_of(path)
    lines_now = second.read_bytes()
    spoil(path, "DELETE FROM journal WHERE decision > 37")

    def refused(_journal: FileJournal, _decisions: object) -> None:
        raise JournalFullError("no room")

    with monkeypatch.context() as patched:
        patched.setattr(FileJournal, "take", refused)
        with opened(path) as journal:
            assert len(list(journal.decisions())) == MANY - 3
    assert second.read_bytes() == lines_now
    with opened(path) as journal:
        assert list(journal.decisions()) == made


def test_a_folder_that_lets_nothing_be_renamed_costs_the_restoring_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = kept(path)
    spoil(path, "UPDATE journal SET by = 'Bob' WHERE sequence = 51")

    def refused(_path: Path, _other: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", refused)
        with opened(path) as journal:
            assert [one.number for one in journal.decisions()] == [one.number for one in made]
            journal.append(decision(MANY + 1))
    with opened(path) as journal:
        assert list(journal.decisions()) == [*made, decision(MANY + 1)]


def test_a_journal_that_is_gone_is_told_where_its_table_left_a_checkpoint(tmp_path: Path) -> None:
    fresh = tmp_path / "fresh" / "journal.sqlite3"
    with closing(open_kept_twice(fresh, CLOCK)) as journal:
        assert journal.set_aside is None
    gone = tmp_path / "gone" / "journal.sqlite3"
    gone.parent.mkdir()
    gone.with_name("checkpoint.json").write_text("{}")
    with closing(open_kept_twice(gone, CLOCK)) as journal:
        assert journal.set_aside == SetAside("")


@pytest.mark.parametrize("many", [0, 1])
def test_both_files_gone_are_told_from_the_first_decision_on(path: Path, many: int) -> None:
    kept(path, many)
    path.unlink()
    second_copy_of(path).unlink(missing_ok=True)
    with opened(path) as journal:
        assert journal.set_aside == (SetAside("") if many else None)
        journal.append(decision(1))
    with opened(path) as journal:
        assert journal.set_aside is None, "once"


@pytest.mark.parametrize(
    "last",
    [SetAside("two"), SetAside("two", decision=3), SetAside("two", left_out=(LeftOut(2, "end_scene"),))],
    ids=["nothing is left", "cut at one that is damaged", "without one"],
)
def test_each_file_that_is_named_is_to_be_kept(last: SetAside) -> None:
    assert "Keep that file" in damage_words(last)[1]
    what, remedy = damage_words(replace(last, earlier=SetAside("one", restored=4)))
    assert "kept as one" in what
    assert "kept as two" in what
    assert "Keep each file that is named" in remedy


def test_a_second_copy_that_was_damaged_is_told_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "journal.sqlite3"
    with closing(open_kept_twice(path, CLOCK)) as journal:
        for number in (1, 2, 3):
            journal.append(decision(number, "Fog"))
            journal.keep()
    with closing(open_kept_twice(path, CLOCK)):
        assert "damaged" not in caplog.text, "a whole one is no news"
    lines = second_copy_of(path)
    lines.write_bytes(lines.read_bytes().replace(b"Fog", b"Bog", 1))
    with closing(open_kept_twice(path, CLOCK)):
        assert "The second copy of the journal was damaged" in caplog.text


def test_what_a_second_copy_that_is_cut_off_does_not_have_is_told_as_lost(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with closing(open_kept_twice(path, StillClock())) as journal:
        for number in range(1, 9):
            journal.append(decision(number))
    path.write_bytes(b"tea" * 500)
    lines = second_copy_of(path)
    whole = lines.read_bytes().splitlines(keepends=True)
    lines.write_bytes(b"".join(whole[:4]) + whole[4][:-20])
    left = lines.read_bytes()
    with closing(open_kept_twice(path, StillClock())) as journal:
        aside = journal.set_aside
        assert journal.decision == 4
    assert aside is not None
    assert (aside.restored, aside.cut, aside.left_out) == (4, True, (LeftOut(5, "remove_trait"),))
    assert [one.read_bytes() for one in tmp_path.glob("journal.damaged-*.lines")] == [left]
    what, _ = damage_words(aside)
    assert "4 decisions came back. What came after them is lost. Decision 5 of the journal" in what
    path.write_bytes(b"tea" * 500)
    with closing(open_kept_twice(path, StillClock())) as journal:
        assert journal.set_aside is not None
        assert not journal.set_aside.cut, "now the second copy ends with a whole decision"


@pytest.mark.parametrize(
    ("at", "before", "after", "missing"),
    [
        (-2, b"[[13, 7, 0", b"[[13, 7 0", {7: True}),
        (-2, b"Fog", b"Bog", {7: False}),
        (-1, b"Fog", b"Bog", {8: False}),
    ],
)
def test_a_second_copy_whose_last_line_can_be_read_is_not_told_as_cut_off(
    path: Path, at: int, before: bytes, after: bytes, missing: dict[int, bool]
) -> None:
    kept(path, 8)
    path.write_bytes(b"tea" * 500)
    whole = second_copy_of(path).read_bytes().splitlines(keepends=True)
    assert before in whole[at]
    whole[at] = whole[at].replace(before, after, 1)
    second_copy_of(path).write_bytes(b"".join(whole))
    with opened(path) as journal:
        aside = journal.set_aside
        assert aside is not None
        assert (journal.decision, aside.cut, aside.left_out) == (8, False, ()), "the last decision came back"
        assert aside.restored == 8 - sum(missing.values())
        told = {one: how.startswith(MISSING) for one, how in journal.altered.items()}
        assert told == missing, "and what did not is told by itself"


def test_a_second_copy_whose_last_line_has_the_number_of_another_is_told_as_cut_off(path: Path) -> None:
    kept(path, 8)
    path.write_bytes(b"tea" * 500)
    lines = second_copy_of(path).read_bytes()
    second_copy_of(path).write_bytes(lines.replace(b"[[15, 8, 0", b"[[15, 0, 0"))
    with opened(path) as journal:
        assert journal.set_aside is not None
        assert (journal.decision, journal.set_aside.cut) == (7, True), "nothing in the journal tells of the eighth"


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        ("emptied", True),
        ("gone", True),
        ("first lines cut", True),
        ("torn", False),
        ("torn after a byte", False),
        ("torn before its end", False),
        ("another byte", True),
        ("never there", False),
    ],
)
def test_a_second_copy_that_is_written_anew_is_told_once_unless_the_plug_was_pulled(
    path: Path, harm: str, *, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_twice, "COMPARED", 4)
    kept(path, 8)
    second = second_copy_of(path)
    whole = second.read_bytes()
    match harm:
        case "emptied":
            second.write_bytes(b"")
        case "gone":
            second.unlink()
            path.with_name(CHECKPOINT_NAME).touch()
        case "first lines cut":
            second.write_bytes(b"".join(whole.splitlines(keepends=True)[3:]))
        case "torn":
            second.write_bytes(whole[:-20])
        case "torn after a byte":
            second.write_bytes(whole + b"2")
        case "torn before its end":
            second.write_bytes(whole[:-1])
        case "another byte":
            second.write_bytes(whole + b"7")
        case "never there":  # as beside a journal of 0.1.0
            second.unlink()
            path.with_name(BEGUN).unlink()
    with opened(path) as journal:
        assert (journal.second_copy is SecondCopyState.WRITTEN_ANEW) is told
    assert second.read_bytes() == whole
    with opened(path) as journal:
        assert journal.second_copy is SecondCopyState.WELL


@pytest.mark.parametrize("cut", range(4))
def test_files_with_each_others_names_get_their_own_again(path: Path, cut: int) -> None:
    """Also where the plug was pulled after some of the renames that do it."""
    kept(path, 8)
    second, made = second_copy_of(path), path.with_name("journal.restored.sqlite3")
    journal, lines = path.read_bytes(), second.read_bytes()
    path.write_bytes(lines)
    second.write_bytes(journal)
    if cut:
        second.replace(made)
    if cut > 1:
        path.replace(second)
    if cut > 2:
        made.replace(path)
    with opened(path) as found:
        assert [one.number for one in found.decisions()] == list(range(1, 9))
        assert (found.set_aside, found.second_copy) == (None, SecondCopyState.WELL)
    assert (path.read_bytes(), second.read_bytes()) == (journal, lines)
    assert {one.name for one in path.parent.iterdir()} == {"journal.sqlite3", "journal.lines", "journal.begun"}


def test_a_journal_that_has_the_name_of_its_second_copy_alone_is_found(path: Path) -> None:
    kept(path, 8)
    path.replace(second_copy_of(path))
    with opened(path) as found:
        assert found.decision == 8


def test_lines_of_another_table_are_told_and_kept(path: Path, tmp_path: Path) -> None:
    """Whoever put another journal there by mistake gets the table back from them."""
    kept(path, 8)
    lines = second_copy_of(path).read_bytes()
    other = tmp_path / "other" / "journal.sqlite3"
    with opened(other) as journal:
        journal.append(decision(1), "another")
    path.write_bytes(other.read_bytes())
    with opened(path) as journal:
        assert journal.second_copy is SecondCopyState.OF_ANOTHER
        what, remedy = second_copy_words(journal.second_copy, journal.copied_anew)
    assert "another table" in what
    assert "Nothing is lost" not in remedy
    [aside] = path.parent.glob("journal.other-table-*.lines")
    assert aside.read_bytes() == lines
    with opened(path) as journal:
        assert journal.second_copy is SecondCopyState.WELL
    path.unlink()
    aside.replace(second_copy_of(path))
    with opened(path) as journal:
        assert journal.decision == 8


def test_a_restored_journal_that_is_not_used_leaves_nothing_beside(path: Path) -> None:
    kept(path, 3)
    path.write_bytes(b"spilt tea" * 500)
    second_copy_of(path).write_bytes(b"spilt tea" * 500)
    with opened(path) as journal:
        assert journal.decision == 0
    assert not list(path.parent.glob("journal.restored*"))


@pytest.mark.parametrize("harm", ["emptied", "gone"])
def test_a_second_copy_that_is_harmed_in_play_is_written_anew_with_the_next_decision(path: Path, harm: str) -> None:
    kept(path, 3)
    second = second_copy_of(path)
    with opened(path) as journal:
        second.unlink()
        if harm == "emptied":
            second.touch()
        journal.append(decision(4))
        assert journal.second_copy is SecondCopyState.WRITTEN_ANEW
        assert [rows[0][1] for rows in SecondCopy(second).decisions()] == [1, 2, 3, 4]
        what = second_copy_words(journal.second_copy, journal.copied_anew)
        journal.append(decision(5))
        assert second_copy_words(journal.second_copy, journal.copied_anew) == what, "told once"
        second.unlink()
        journal.append(decision(6))
        assert second_copy_words(journal.second_copy, journal.copied_anew) != what, "or nobody hears of the second loss"


def test_a_second_copy_that_cannot_be_written_anew_is_not_told_as_if_it_were(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(_self: SecondCopy, _decisions: object) -> None:
        raise OSError("no room")

    kept(path, 3)
    with opened(path) as journal:
        second_copy_of(path).write_bytes(b"")
        monkeypatch.setattr(SecondCopy, "replace", refuses)
        journal.append(decision(4))
        assert journal.second_copy is SecondCopyState.NOT_WRITTEN


@pytest.mark.parametrize("thing", ["folder", "pipe"])
def test_a_second_copy_that_is_no_file_costs_it_alone_and_is_told(path: Path, thing: str) -> None:
    made = kept(path, 3)
    second = second_copy_of(path)
    second.unlink()
    second.mkdir() if thing == "folder" else os.mkfifo(second)
    with opened(path) as journal:
        assert list(journal.decisions()) == made
        assert journal.second_copy is SecondCopyState.NOT_WRITTEN


def test_a_pipe_in_the_place_of_the_second_copy_holds_up_no_decision(path: Path) -> None:
    made = kept(path, 3)
    with opened(path) as journal:
        second_copy_of(path).unlink()
        os.mkfifo(second_copy_of(path))
        journal.append(decision(4))
        assert list(journal.decisions()) == [*made, decision(4)]
        assert journal.second_copy is SecondCopyState.WRITTEN_ANEW
    assert second_copy_of(path).is_file()


def test_a_journal_whose_own_words_are_garbled_is_damaged(path: Path) -> None:
    """What SQLite says of such a one quotes bytes that are no text: Python raises another error for those."""
    made = kept(path, 3)
    content = path.read_bytes()
    at = content.index(b"CREATE TABLE journal") + len(b"CREATE TABLE ")
    path.write_bytes(content[:at] + b"\xf5" + content[at + 1 :])
    with opened(path) as journal:
        assert list(journal.decisions()) == made


@pytest.mark.parametrize("form", [b"\x25\x5a\xa5\x5a", b"\xa5\x5a\xa5\x5a"])
def test_a_damaged_journal_is_not_taken_for_a_later_versions(path: Path, form: bytes) -> None:
    made = kept(path, 3)
    content = bytearray(path.read_bytes())
    content[60:64] = form
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    with opened(path) as journal:
        assert list(journal.decisions()) == made


def test_a_change_of_the_decision_behind_a_gap_is_told_as_one(path: Path) -> None:
    """No checksum of the chain vouches for it; what it said when the gap was told does."""
    kept(path, 9)
    told = ToldOnce(path.with_name("told.json"))

    def news() -> tuple[tuple[int, ...], frozenset[int], str]:
        with closing(open_journal(path, CLOCK)) as journal:
            found = told.news(journal.altered)
            words = str(altered_words(found, journal.altered, journal, told.behind)[0]) if found else ""
            return found, told.behind, words

    spoil(path, "DELETE FROM journal WHERE decision = 4")
    assert news()[:2] == ((4,), frozenset())
    assert news() == ((), frozenset(), "")
    spoil(path, "DELETE FROM journal WHERE decision = 5")
    assert news()[:2] == ((4, 5), frozenset()), "one more is missing, and nothing is changed"
    spoil(path, "UPDATE journal SET by = 'Bob' WHERE decision = 6")
    found, behind, words = news()
    assert (found, behind) == ((4, 5), frozenset({4, 5}))
    assert words.startswith("The decision behind decision 5 of the journal, which is missing, is not as it was when")
    assert "Decision 6" in words


def test_changes_behind_two_gaps_are_both_told(path: Path) -> None:
    kept(path, 9)
    spoil(path, "DELETE FROM journal WHERE decision IN (3, 4, 8)")
    with closing(open_journal(path, CLOCK)) as journal:
        found = journal.altered
        words = str(altered_words(tuple(found), found, journal, frozenset({3, 4, 8}))[0])
    assert "behind decision 4 " in words
    assert "behind decision 8 " in words
    assert "behind decision 3 " not in words


def garble(file: Path, *, text: bool = False) -> None:
    """Other bytes in the place of its own, as many; with `text` it stays a journal of another text."""
    content = file.read_bytes()
    with file.open("r+b") as there:
        there.write(content.replace(b"Fog", b"Bog") if text else b"\xa5" * len(content))


@pytest.mark.parametrize("text", [False, True])
def test_a_journal_that_is_garbled_in_play_is_noticed_in_play(path: Path, *, text: bool) -> None:
    """SQLite itself would read and write on: it has its pages in memory."""
    kept(path, 3)
    with opened(path) as journal:
        assert journal.decision == 3
        journal.keep()
        garble(path, text=text)
        with pytest.raises(JournalUnreadableError):
            journal.keep()
        with pytest.raises(JournalUnreadableError):
            journal.append(decision(5))


def test_a_journal_that_is_only_looked_at_or_touched_in_play_is_well(path: Path) -> None:
    kept(path, 3)
    with opened(path) as journal:
        journal.append(decision(4))
        os.utime(path)
        journal.keep()
        with closing(open_for_reading(path, CLOCK)) as other:
            assert other.decision == 4
        journal.append(decision(5))
        assert journal.second_copy is SecondCopyState.WELL


def test_a_journal_that_was_touched_is_looked_through_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []

    def noted(looked_at: Path, clock: Clock) -> FileJournal:
        looks.append(looked_at)
        return open_for_reading(looked_at, clock)

    kept(path, 3)
    with opened(path) as journal:
        monkeypatch.setattr(kept_twice, "open_for_reading", noted)
        os.utime(path)
        for _ in range(3):
            journal.keep()
    assert len(looks) == 1, "every two seconds a season is not read anew"


def test_a_second_copy_that_is_garbled_in_play_is_written_anew_without_another_decision(path: Path) -> None:
    kept(path, 3)
    second = second_copy_of(path)
    whole = second.read_bytes()
    with opened(path) as journal:
        journal.keep()
        assert journal.copied_anew == 0
        told = set()
        for _ in range(3):
            garble(second)
            journal.keep()
            assert journal.second_copy is SecondCopyState.WRITTEN_ANEW
            assert second.read_bytes() == whole
            told.add(str(second_copy_words(journal.second_copy, journal.copied_anew, journal.times_copied_anew)[0]))
        assert len(told) == 3, "a screen reader says the same words once"


def test_a_journal_that_another_program_calls_newer_is_not_damaged_unless_it_is(path: Path) -> None:
    kept(path, 3)
    with opened(path) as journal:
        with closing(sqlite3.connect(path)) as other:
            other.execute("PRAGMA user_version = 99")
        journal.keep()
        journal.append(decision(4))
        with closing(sqlite3.connect(path)) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        journal.keep()
        with path.open("r+b") as file:
            file.seek(4096)
            file.write(b"\xa5" * 4096)
        with pytest.raises(JournalUnreadableError):
            journal.keep()


def test_what_could_not_be_looked_at_is_looked_at_later(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With no file descriptor left nothing can be read, and nothing is damaged."""

    def no_more(*_: object) -> FileJournal:
        raise OSError(errno.EMFILE, "Too many open files")

    kept(path, 3)
    with opened(path) as journal:
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("UPDATE journal SET by = 'somebody' WHERE decision = 2")
        with monkeypatch.context() as none_left:
            none_left.setattr(kept_twice, "open_for_reading", no_more)
            journal.keep()
            journal.append(decision(4))  # from now on the file looks as this kiosk left it
        assert caplog.text.count("cannot be told now") == 1
        with pytest.raises(JournalUnreadableError):
            journal.keep()
