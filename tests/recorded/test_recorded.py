"""Every recorded journal gives the table, the words and the events that were recorded, folded and decided anew."""

from __future__ import annotations

import json
import lzma
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from kiosk.storage.journal import FileJournal, open_for_reading, open_journal
from tests.recorded import game
from tests.recorded.excuses import FILE, Excuse, Mended, read_excuses, written
from tests.recorded.excusing import excused_anew
from tests.recorded.kept import FOLDER, FORM_1, FORM_2, OLDER, Journal, applied, present, read, read_present
from tests.recorded.recorder import START, Ticking
from tests.recorded.replaying import ENGLISH, GERMAN, SAID_OTHERWISE, decided_differs, folded_differs, read_back

PRESENT = present()

FILES = sorted([*FORM_1.glob("*.sqlite.xz"), *FORM_2.glob("*.sqlite.xz")])
"""Journals in the forms in which the kiosk keeps them, each form of each ruleset."""


def test_all_are_here() -> None:
    assert [path.name.partition(".")[0] for path in PRESENT] == ["scripted", "seeds", "stories", "subjects"]
    assert OLDER.exists()
    for folder in (FORM_1, FORM_2):
        found = sorted(path.name.partition(".")[0] for path in folder.glob("*.sqlite.xz"))
        assert found == ["core-1e", "second-edition", "starter"]


def test_create_problem_is_recorded_as_it_is_right_with_each_payment() -> None:
    """POOL-7, THR-4: an excuse holds that something is refused, and nothing of what is decided."""
    excused = {name for row in read_excuses() for name in row.decisions}
    for journal in read(FOLDER / "scripted.jsonl.xz"):
        assert journal.name not in excused
        spends = [one.events for one in journal.decisions if one.name == "create_problem"]
        paid = [json.loads(event)["spend"] for events in spends for event in events if '"problem_created"' in event]
        found = {(one["from_pool"], one["added_threat"], one["spent_threat"]) for one in paid}
        assert found == {(0, 0, 2), (2, 0, 0), (1, 1, 0), (0, 2, 0)}


@pytest.mark.parametrize("path", PRESENT, ids=lambda path: path.name.partition(".")[0])
def test_folding_gives_the_recorded_table_and_words(path: Path) -> None:
    differences = [str(one) for one in (folded_differs(each, read_back(each)) for each in read(path)) if one]
    assert not differences, "\n".join(differences)


def test_the_kiosk_opens_journals_of_older_forms(tmp_path: Path) -> None:
    """Each is brought to the present form as a file of form 1, and gives the recorded table, log and words."""
    made = lzma.decompress((FORM_1 / "starter.sqlite.xz").read_bytes())
    differences = []
    for number, recorded in enumerate(read(OLDER)):
        file = tmp_path / str(number) / "journal.sqlite"
        file.parent.mkdir()
        file.write_bytes(made)
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("DELETE FROM journal")
            connection.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _rows(recorded))
        journal = open_journal(file, Ticking())
        assert journal.set_aside is None
        assert [(one.decision, one.by, one.time) for one in journal.entries(limit=100_000)] == [
            (decision, by, time) for _, decision, _, by, _, _, time, _ in _rows(recorded)
        ]
        differences.append(folded_differs(recorded, journal.decisions()))
        journal.close()
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (2,)
            unchecked = "SELECT count(*) FROM journal WHERE position = 0 AND checksum IS NULL"
            assert connection.execute(unchecked).fetchone() == (0,)
    assert len(differences) > 70
    assert not any(differences), "\n".join(map(str, filter(None, differences)))


def _rows(recorded: Journal) -> list[tuple[int, int, int, str, str, str, float, str | None]]:
    """The journal as a file of form 1 holds it: a row for each event, a decision each second."""
    events = [(one, position, text) for one in recorded.decisions for position, text in enumerate(one.events)]
    return [
        (sequence, one.number, position, one.by, one.name, text, START + one.number, None)
        for sequence, (one, position, text) in enumerate(events, start=1)
    ]


@pytest.mark.parametrize("path", PRESENT, ids=lambda path: path.name.partition(".")[0])
def test_deciding_anew_gives_the_recorded_table_words_and_events(path: Path) -> None:
    mended = read_excuses()
    differences = [str(one) for one in (decided_differs(each, mended) for each in read(path)) if one is not None]
    assert not differences, "\n".join(differences)


def test_what_is_excused_is_written_by_the_command() -> None:
    """So each excuse names a decision that is there, and is needed."""
    rows = read_excuses()
    anew = excused_anew(rows, read_present())
    told = [(one.rule, name, sorted(two)) for one in rows for name, two in one.decisions.items()]
    assert [(one.rule, name, sorted(two)) for one in anew for name, two in one.decisions.items()] == told
    assert written(anew) == FILE.read_text(encoding="utf-8")


def _of(name: str) -> tuple[Journal, Mended]:
    """A journal of the tests, and the row that excuses a decision of it."""
    journal = next(one for one in read(FOLDER / "subjects.jsonl.xz") if one.name.endswith(f"::{name}"))
    [row] = [one for one in read_excuses() if journal.name in one.decisions]
    return journal, row


def _with(row: Mended, name: str, number: int, excuse: Excuse) -> tuple[Mended]:
    return (Mended(row.rule, row.why, {**row.decisions, name: {**row.decisions[name], number: excuse}}),)


@pytest.mark.parametrize(
    "other",
    [
        {"refused": ("STN-1", "Sensor Sweep is thrown with reason, not with control; choose that, or leave it out.")},
        {"refused": ("TASK-1", "Sensor Sweep is thrown with reason; choose that.")},
        {"refused": None},
        {"sent": {"declaration.attribute": None}},
        {"sent": {"declaration.attribute": "insight", "declaration.discipline": None}},
        {"now": {"0 task_declared.task.declaration.attribute": None}},
    ],
)
def test_an_excuse_fits_one_refusal_and_one_outcome(other: dict[str, Any]) -> None:
    journal, row = _of("test_a_scan_by_ruleset'")
    number, excuse = min(row.decisions[journal.name].items())
    assert excuse.sent == {"declaration.attribute": None, "declaration.discipline": None}
    assert decided_differs(journal, (row,)) is None
    found = decided_differs(journal, _with(row, journal.name, number, structs.replace(excuse, **other)))
    assert found is not None
    assert found.number == number
    assert found.what.startswith("is excused by TASK-1 as {")


def test_an_excuse_excuses_no_other_event() -> None:
    """What is put right gives the recorded events; were those other, it would be seen."""
    journal, row = _of("test_a_scan_by_ruleset'")
    number = min(row.decisions[journal.name])
    spoilt = tuple(
        replace(one, events=tuple(re.sub(r'"difficulty":\d', '"difficulty":4', event) for event in one.events))
        if one.number == number
        else one
        for one in journal.decisions
    )
    assert spoilt != journal.decisions
    found = decided_differs(replace(journal, decisions=spoilt), (row,))
    assert found is not None
    assert found.number == number
    assert "task_declared.task" in found.what


def test_an_excuse_that_is_not_needed_is_seen() -> None:
    journal, row = _of("test_a_scan_by_ruleset'")
    number = next(
        one.number for one in journal.decisions if one.command and one.number not in row.decisions[journal.name]
    )
    found = decided_differs(journal, _with(row, journal.name, number, Excuse()))
    assert found is not None
    assert (found.number, found.what) == (number, "is decided as recorded, and needs no excuse by TASK-1")
    [anew] = excused_anew(_with(row, journal.name, number, Excuse()), [journal])
    assert anew.decisions[journal.name] == row.decisions[journal.name]


def test_a_change_beside_events_that_are_joined_now_is_seen() -> None:
    """The event is compared although it takes in those beside it now, and so is what it took in."""
    story = next(one for one in read(FOLDER / "stories.jsonl.xz") if "test_the_boarding[False]" in one.name)
    [turn] = [one for one in story.decisions if one.number == 17]
    assert [text.partition(",")[0] for text in turn.events[:2]] == [
        '{"event":"conflict_changed"',
        '{"event":"turn_began"',
    ]
    for place, told in ((1, "the event turn_began: $"), (2, "the event turn_began: $.conflict")):
        events = list(turn.events)
        events[place] = re.sub(r'"combatant_id":"[^"]*"', '"combatant_id":"nobody"', events[place])
        assert events[place] != turn.events[place]
        spoilt = replace(turn, events=tuple(events))
        found = decided_differs(
            replace(story, decisions=tuple(spoilt if one is turn else one for one in story.decisions)), ()
        )
        assert found is not None
        assert found.number == 17
        assert found.what.startswith(told)


def test_german_that_is_said_otherwise_is_seen() -> None:
    """The same word is excused in one decision and not in another."""
    duel = next(one for one in read(FOLDER / "stories.jsonl.xz") if "test_the_duel[False]" in one.name)
    assert folded_differs(duel, read_back(duel)) is None
    excused = next(one.decisions[duel.name] for one in SAID_OTHERWISE if one.was == "Phaser")
    for one in duel.decisions:
        if one.german is None or one.number in excused:
            continue
        german = [f"{length} Phaser" for length in one.german]
        spoilt = replace(
            duel, decisions=tuple(replace(other, german=german) if other is one else other for other in duel.decisions)
        )
        found = folded_differs(spoilt, read_back(spoilt))
        assert found is not None
        assert found.number == one.number
        assert found.what.startswith("German")
        return
    pytest.fail("no decision of the duel is told without an excuse")


def test_every_excuse_is_needed() -> None:
    """Each names a decision whose recorded words have it, in that language."""
    words = {
        (one.name, each.number): {ENGLISH: each.english, GERMAN: each.german}
        for path in (*PRESENT, OLDER)
        for one in read(path)
        for each in one.decisions
    }
    for row in SAID_OTHERWISE:
        for name, numbers in row.decisions.items():
            for number in numbers:
                told = words[name, number][row.language]
                assert told is not None
                assert any(re.search(rf"\b{row.was}\b", str(length)) for length in told), (row.was, name, number)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.name.partition('.')[0]}")
def test_the_kiosk_opens_its_own_file(path: Path, tmp_path: Path) -> None:
    recorded = _recorded(path)
    file = tmp_path / "journal.sqlite"
    file.write_bytes(lzma.decompress(path.read_bytes()))
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1 if path.parent == FORM_1 else 2,)
    beside = open_for_reading(file, Ticking())
    _holds(beside, recorded)
    beside.close()
    journal = open_journal(file, Ticking())
    assert journal.set_aside is None
    _holds(journal, recorded)
    journal.close()


def _recorded(path: Path) -> Journal:
    name = f"ship_duel, {path.name.partition('.')[0]}, seed 11"
    return next(one for one in read(path.with_name("seeds.jsonl.xz")) if one.name == name)


def _holds(journal: FileJournal, recorded: Journal) -> None:
    """The journal gives each decision back as it was, and its table, its times and the keys against doing it twice."""
    decisions = tuple(journal.decisions())
    at, state = game.history.begin(), game.Hashes()
    events = game.events_of([one.events for one in recorded.decisions])
    for one, kept, kept_events in zip(decisions, recorded.decisions, events, strict=True):
        assert (one.number, one.by, one.command) == (kept.number, kept.by, kept.name)
        assert one.events == kept_events
        at, state = game.history.evolve(at, one), applied(state, kept.state)
        known = journal.known(f"recorded-{one.number}")
        assert (known is not None) is bool(one.number % 3)
        assert known is None or known[0] == one
    assert game.Hashing().of(at.present) == state
    entries = journal.entries(limit=100_000)
    assert [one.sequence for one in entries] == list(range(1, journal.sequence + 1))
    assert all(one.time <= other.time for one, other in pairwise(entries))
    assert entries[0].time == START + 1
