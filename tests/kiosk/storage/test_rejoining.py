"""A rescued journal put behind the one that it continues: cut anywhere, both together are the whole; else refused."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from kiosk.cli import main
from kiosk.commands.doctor import examine
from kiosk.compose import build
from kiosk.config import load_config
from kiosk.errors import JournalBusyError, JournalFullError, KioskError
from kiosk.ports import MISSING
from kiosk.storage import unfailing
from kiosk.storage.folder import HeldFolder
from kiosk.storage.journal import open_for_reading, open_journal
from kiosk.storage.kept_twice import JournalKeptTwice, open_kept_twice
from kiosk.storage.rejoining import RejoinError, rejoin
from kiosk.storage.rows import Row, checksum_of
from kiosk.storage.second_copy import second_copy_of
from rules.history import Decision
from rules.setup.setting_up import SetUpTable
from rules.state.vocabulary import Ruleset
from rules.tasks.traits import AddTrait, TraitRemoved
from tests.kiosk.desk import StillClock
from tests.kiosk.storage.test_journal import decision
from tests.kiosk.test_compose import BARE

CLOCK = StillClock()
LAST = 7
Season = list[list[Row]]


def season(folder: Path, seed: int, last: int = LAST) -> Season:
    """The rows of a whole journal: decisions of one to three events, some with a key, each at a time of its own."""
    drawn, clock = Random(seed), StillClock()  # noqa: S311 - to be drawn again
    with closing(open_journal(folder / "whole.sqlite3", clock)) as whole:
        for number in range(1, last + 1):
            clock.wall += drawn.random()
            event = TraitRemoved(trait_id=f"t{number}", name="Fog")
            events = (event,) * drawn.randint(1, 3)
            one = Decision(number=number, by="Ada", command="remove_trait", events=events)
            whole.append(one, f"key {number}" if drawn.random() < 0.5 else None)
        return [rows for _, rows in whole.members(0)]


def written(path: Path, decisions: Season) -> Path:
    with closing(open_journal(path, CLOCK)) as made:
        made.take(decisions)
    return path


def rescued(path: Path, decisions: Season) -> Path:
    """As an end writes what was in memory: the first hangs on none where the table begins before it."""
    before = MISSING if decisions[0][0][1] > 1 else ""
    chained: Season = []
    for rows in decisions:
        before = checksum_of(before, rows)
        chained.append([(*rows[0][:-1], before), *rows[1:]])
    return written(path, chained)


def held(path: Path) -> Season:
    with closing(open_for_reading(path, CLOCK)) as journal:
        assert list(journal.broken()) == []
        return [rows for _, rows in journal.members(0)]


def test_a_journal_cut_at_any_decision_and_the_rest_that_was_rescued_are_the_whole(
    tmp_path: Path, *, whole: bool
) -> None:
    """In the long form with each beginning that the rest can have; else with one that is drawn."""
    drawn = Random(1701)  # noqa: S311 - to be drawn again
    last = LAST if whole else 4
    table = season(tmp_path, 1701, last)
    for cut in range(last + 1):
        begins = range(1, max(cut, 1) + 1)
        for first in begins if whole else [drawn.choice(begins)]:
            folder = tmp_path / f"{cut}-{first}"
            journal = written(folder / "journal.sqlite3", table[:cut])
            file = rescued(folder / "rest.sqlite3", table[first - 1 :])
            before = file.read_bytes()
            done = rejoin(journal, file, CLOCK)
            assert held(journal) == table
            assert file.read_bytes() == before
            if cut == last:
                assert done is None
                continue
            assert done is not None
            assert (done.first, done.last) == (cut + 1, last)
            assert held(folder / done.before) == table[:cut], "as it was before"
            assert len(second_copy_of(journal).read_bytes().splitlines()) == last
            assert rejoin(journal, file, CLOCK) is None, "twice is fine"


def _another(whole: Season) -> Season:
    return [[(*row[:3], "Ben", *row[4:]) for row in rows] for rows in whole]


@pytest.mark.parametrize(
    ("journal", "rest", "why"),
    [
        (slice(3), slice(4, None), "Decision 4 is missing between the journal and it"),
        (slice(3), slice(3, None), "no decision in common with the journal's end"),
        (slice(0), slice(2, None), "Decisions 1 to 2 are missing"),
    ],
    ids=["a gap", "nothing in common", "only its end"],
)
def test_what_does_not_continue_the_journal_is_refused(tmp_path: Path, journal: slice, rest: slice, why: str) -> None:
    whole = season(tmp_path, 1)
    path = written(tmp_path / "data" / "journal.sqlite3", whole[journal])
    file = rescued(tmp_path / "rest.sqlite3", whole[rest])
    refused(path, file, why)


def refused(path: Path, file: Path, why: str) -> None:
    before = held(path)
    with pytest.raises(RejoinError, match=why):
        rejoin(path, file, CLOCK)
    assert held(path) == before
    assert not list(path.parent.glob("*before-rejoin*"))


def test_another_table_or_one_that_was_played_on_is_refused(tmp_path: Path) -> None:
    whole = season(tmp_path, 2)
    path = written(tmp_path / "data" / "journal.sqlite3", whole[:5])
    refused(path, rescued(tmp_path / "other.sqlite3", _another(whole)), "Decision 1 is another one in it")
    played_on = rescued(tmp_path / "on.sqlite3", [*whole[2:4], *_another(whole[4:])])
    refused(path, played_on, "Decision 5 is another one in it than in the journal")
    refused(path, rescued(tmp_path / "gap.sqlite3", [*whole[2:4], *whole[5:]]), "no decision in common")
    written(tmp_path / "empty.sqlite3", [])
    refused(path, tmp_path / "empty.sqlite3", "It holds no decision")


@pytest.mark.parametrize("spoiled", ["a word", "a decision is gone", "an event"])
def test_a_rescued_journal_that_is_damaged_behind_the_cut_is_refused(tmp_path: Path, spoiled: str) -> None:
    whole = season(tmp_path, 3)
    path = written(tmp_path / "data" / "journal.sqlite3", whole[:3])
    rest = list(whole)
    if spoiled == "a word":
        rest[4] = [(*row[:3], "Ben", *row[4:]) for row in rest[4]]
    elif spoiled == "a decision is gone":
        del rest[4]
    else:
        rest[4] = [(*row[:5], "tea", *row[6:]) for row in rest[4]]
        rest[4][0] = (*rest[4][0][:-1], checksum_of(rest[3][0][-1] or "", rest[4]))
    why = "Install the version that wrote it" if spoiled == "an event" else "is not as it was written, or one before"
    with pytest.raises(KioskError, match=why):
        rejoin(path, written(tmp_path / "rest.sqlite3", rest[: 5 if spoiled == "an event" else None]), CLOCK)
    assert held(path) == whole[:3]


def test_a_rescued_journal_that_lacks_a_decision_is_refused_though_its_chain_holds(tmp_path: Path) -> None:
    whole = season(tmp_path, 3)
    path = written(tmp_path / "data" / "journal.sqlite3", whole[:3])
    file = rescued(tmp_path / "rest.sqlite3", [*whole[:4], *whole[5:]])
    with pytest.raises(RejoinError, match="Decision 6 in it is not as it was written, or one before it is missing"):
        rejoin(path, file, CLOCK)
    assert held(path) == whole[:3]


def test_what_the_second_copy_brings_back_meanwhile_is_not_put_behind_again(tmp_path: Path) -> None:
    whole = season(tmp_path, 3)
    path = tmp_path / "data" / "journal.sqlite3"
    written(tmp_path / "older.sqlite3", whole[:3])
    with closing(open_kept_twice(path, CLOCK)) as journal:
        journal.take(whole[:4])
    shutil.copyfile(tmp_path / "older.sqlite3", path)
    file = rescued(tmp_path / "rest.sqlite3", whole[2:4])
    assert rejoin(path, file, CLOCK) is None
    assert held(path) == whole[:4]


def test_without_room_and_while_a_kiosk_runs_nothing_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = season(tmp_path, 4)
    path = written(tmp_path / "data" / "journal.sqlite3", whole[:3])
    file = rescued(tmp_path / "rest.sqlite3", whole)
    with HeldFolder(path.parent), pytest.raises(JournalBusyError):
        rejoin(path, file, CLOCK)

    def full(*_: object) -> None:
        raise JournalFullError("no room")

    with monkeypatch.context() as patched:
        patched.setattr(JournalKeptTwice, "take", full)
        with pytest.raises(JournalFullError):
            rejoin(path, file, CLOCK)
    assert held(path) == whole[:3]
    assert not list(path.parent.glob("*before-rejoin*"))


def test_the_tables_own_journal_and_older_copies_are_never_said_to_be_useless(tmp_path: Path) -> None:
    whole = season(tmp_path, 5)
    data = tmp_path / "data"
    path = written(data / "journal.sqlite3", whole[:3])
    (tmp_path / "link").symlink_to(path)
    for own in ("journal.sqlite3", str(path), str(tmp_path / "link")):
        assert ran("rejoin", "--data", str(data), own).endswith(": It is the table's own journal.")
    written(data / "journal.before-2.sqlite3", whole[:2])
    file = rescued(data / "journal.rescued-20260101T000000Z.sqlite3", whole[1:3])
    said = [ran("rejoin", "--data", str(data), one) for one in ("journal.before-2.sqlite3", file.name)]
    assert [one.partition(" already. ")[2] for one in said] == [
        "Nothing was changed.",
        "Nothing was changed; the file may be deleted.",
    ]


def test_a_rescued_file_is_told_by_its_name_however_the_folder_is_named(tmp_path: Path) -> None:
    whole = season(tmp_path, 6)
    data, link = tmp_path / "data", tmp_path / "link"
    path = written(data / "journal.sqlite3", whole[:3])
    file = rescued(data / "journal.rescued-20260101T000000Z.sqlite3", whole[2:])
    link.symlink_to(data, target_is_directory=True)
    assert rejoin(path, link / file.name, CLOCK) is not None
    assert str(link) not in (data / "told.json").read_text()


def ran(*arguments: str) -> str:
    done = CliRunner().invoke(main, arguments)
    return f"{done.exit_code} {done.output.strip()}"


def test_what_an_end_rescued_is_joined_by_the_command_that_log_screen_and_doctor_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The evening's disk takes nothing any more, and only the end of the table is in memory."""
    data, clock, settings = tmp_path / "My Disk", StillClock(), load_config(None, BARE)
    kiosk = build(settings, data, clock=clock)
    engine = kiosk.services.engine
    engine.start()
    engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",)), "kiosk")
    for name in ("Fog", "Rain"):
        engine.submit(AddTrait(name=name), "kiosk")
    kiosk.stop()
    monkeypatch.setattr(unfailing, "RECENT_KEYS", 2)
    kiosk = build(settings, data, clock=clock)
    engine = kiosk.services.engine
    engine.start()

    def full(*_: object, **__: object) -> int:
        raise JournalFullError("no room")

    with monkeypatch.context() as patched:
        patched.setattr(JournalKeptTwice, "append", full)
        engine.submit(AddTrait(name="Snow"), "kiosk")
        kiosk.stop()
    [file] = data.glob("journal.rescued-*.sqlite3")
    assert f"The decisions 3 to 4, which were in memory, are kept as {file}" in caplog.text
    assert f"trueroll rejoin '{file}'" in caplog.text, "as a shell takes it"
    [told] = [one.remedy for one in examine(settings, data) if one.part == "kept beside"]
    assert told.endswith(f"stop the kiosk, then: trueroll rejoin --data '{data}' '{file}'")
    copy = Path(shutil.copytree(data, tmp_path / "copy"))
    kiosk = build(settings, copy, clock=clock)
    part = kiosk.services.sources.view("kept beside")
    kiosk.stop()
    assert part is not None
    assert "run `trueroll rejoin FILE` with that file" in part.remedy
    assert ran("rejoin", "--data", str(data), file.name).startswith(f"0 Decision 4 of {file} stands in the journal")
    assert ran("rejoin", "--data", str(data), file.name).startswith(f"0 The journal has all of {file} already.")
    [told] = [one.remedy for one in examine(settings, data) if one.part == "kept beside"]
    assert told == "The journal in its place has all of it: the file may be deleted."
    kiosk = build(settings, data, clock=clock)
    table = kiosk.services.engine.present().table
    assert kiosk.services.sources.view("kept beside") is None, "that is done"
    kiosk.services.engine.start()
    kiosk.services.engine.submit(AddTrait(name="Hail"), "kiosk")
    kiosk.stop()
    assert [one.name for one in table.traits] == ["Fog", "Rain", "Snow"]
    with closing(open_kept_twice(copy / "journal.sqlite3", clock)) as played_on:
        played_on.append(decision(4))
    assert "Decision 4 is another one in it" in ran("rejoin", "--data", str(copy), str(file))
    [told] = [one.remedy for one in examine(settings, copy) if one.part == "kept beside"]
    assert "It does not continue the journal in its place. Decision 4 is another one in it" in told
    assert ran("rejoin", "--data", str(tmp_path / "none"), str(file)).startswith("1 Error:")
