"""The shortcut for starting: the same history as the whole journal gives, or none at all."""

from __future__ import annotations

import dataclasses
import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from kiosk.engine import Checkpoint, Engine, Present
from kiosk.storage import checkpoint as module
from kiosk.storage.checkpoint import CheckpointFile
from kiosk.storage.journal import FileJournal, open_journal
from rules.deciding.decision import Command
from rules.dice import Box, DieKind, DieReading, DieState, Guess, Reading, SourceKind, Symbol
from rules.errors import Refusal
from rules.history import DecidedStep, History
from rules.setup.setting_up import SaveCharacter, SetUpTable
from rules.state.people import Attributes, Disciplines
from rules.state.table import Table
from rules.state.tasks import Declaration
from rules.state.vocabulary import Attribute, Discipline, Ruleset
from rules.tasks.challenge_rolls import DeclareChallenge
from rules.tasks.declaring import DeclareTask
from rules.tasks.settling import FinishSpending, TakeComplication
from rules.tasks.throwing import EnterDice, ReportReading
from rules.tasks.traits import AddTrait
from rules.undo import Redo, Undo
from tests.kiosk.desk import StillClock


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[FileJournal]:
    made = open_journal(tmp_path / "journal.sqlite3", StillClock())
    yield made
    made.close()


@pytest.fixture
def kept(tmp_path: Path) -> CheckpointFile:
    return CheckpointFile(tmp_path / "checkpoint.json")


def next_command(chance: random.Random, table: Table) -> Command:
    """Something that a table might ask for now; it may well be refused."""
    if table.request is not None:
        faces: list[int | Symbol] = [chance.randint(1, 20) for _ in range(table.request.count)]
        if table.request.kind is DieKind.CHALLENGE:
            faces = [chance.choice((1, 2, Symbol.BLANK, Symbol.EFFECT)) for _ in faces]
        return chance.choice((EnterDice(request=table.request.number, faces=tuple(faces)), doubtful(chance)))
    declared = Declaration(
        character_id=table.characters[0].character_id,
        attribute=chance.choice(list(Attribute)),
        discipline=chance.choice(list(Discipline)),
        focus=chance.random() < 0.5,
    )
    choices: tuple[Command, ...] = (
        DeclareTask(declaration=declared),
        DeclareChallenge(count=3),
        FinishSpending(),
        TakeComplication(name="Smoke"),
        AddTrait(name="Fog"),
        doubtful(chance),
        Undo(),
        Undo(),
        Redo(),
    )
    return chance.choice(choices)


def doubtful(chance: random.Random) -> ReportReading:
    guesses = (Guess(6, 0.5), Guess(9, 0.5))
    die = DieReading(DieKind.D20, None, 0.5, DieState.DOUBTFUL, SourceKind.CAMERA, Box(1, 2, 3, 4), None, "p", guesses)
    return ReportReading(reading=Reading(f"camera/{chance.random()}", SourceKind.CAMERA, (die,) * chance.randint(1, 3)))


def play(engine: Engine, decisions: int, seed: int = 7) -> Present:
    chance = random.Random(seed)  # noqa: S311 - a game to keep, not a secret
    if not engine.present().table.ready:
        engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada", "Ben")), "Ada")
        attributes = Attributes(control=11, daring=9, fitness=8, insight=9, presence=8, reason=10)
        disciplines = Disciplines(command=2, conn=2, security=3, engineering=4, science=3, medicine=1)
        engine.submit(SaveCharacter(name="Ada", attributes=attributes, disciplines=disciplines), "Ada")
    wanted = engine.present().history.next_decision + decisions
    while engine.present().history.next_decision < wanted:
        try:
            engine.submit(next_command(chance, engine.present().table), "Ada", person="5a3f")
        except Refusal:
            continue
        except IndexError:  # everything was undone, the character too
            engine.submit(Redo(), "Ada")
    return engine.present()


def wait_for_file(path: Path) -> None:
    deadline = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_it_gives_what_the_whole_journal_gives(
    journal: FileJournal, kept: CheckpointFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kiosk.engine.CHECKPOINT_AFTER", 50)
    first = Engine(journal, checkpoints=kept)
    first.start()
    play(first, 300)
    first.stop()
    found = kept.load(journal)
    assert found is not None
    assert found.decision > 300
    second = Engine(journal, checkpoints=kept)
    assert second.present() == Engine(journal).present() == first.present()
    second.start()
    after = play(second, 40, seed=8)
    second.stop()
    assert Engine(journal, checkpoints=kept).present() == after == Engine(journal).present()


def test_one_is_kept_at_the_start_after_a_power_cut(
    journal: FileJournal, kept: CheckpointFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(journal)
    engine.start()
    play(engine, 60)
    engine.stop()
    monkeypatch.setattr("kiosk.engine.CHECKPOINT_AFTER", 50)
    again = Engine(journal, checkpoints=kept)
    again.start()
    wait_for_file(tmp_path / "checkpoint.json")
    found = kept.load(journal)
    assert found is not None
    assert found.history == again.present().history
    again.stop()


@pytest.fixture
def made(journal: FileJournal, kept: CheckpointFile, monkeypatch: pytest.MonkeyPatch) -> CheckpointFile:
    monkeypatch.setattr("kiosk.engine.CHECKPOINT_AFTER", 1)
    engine = Engine(journal, checkpoints=kept)
    engine.start()
    play(engine, 20)
    engine.stop()
    assert kept.load(journal) is not None
    return kept


def test_tables_share_what_did_not_change(made: CheckpointFile, journal: FileJournal) -> None:
    """Five hundred steps that share nothing took nine megabytes, and four on the disk."""
    found = made.load(journal)
    assert found is not None
    steps = found.history.done
    tables = {id(table): table for step in steps for table in (step.before, step.after)}
    assert len(tables) > len(steps) > 10
    assert len({id(one.characters) for one in tables.values()}) < 5
    assert len({id(one.house) for one in tables.values()}) == 1
    assert all(one.after is two.before for one, two in pairwise(steps) if one.number + 1 == two.number)


def test_other_rules_pass_it_over(made: CheckpointFile, journal: FileJournal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "fingerprint", lambda: "other rules")
    assert made.load(journal) is None


def test_another_journal_passes_it_over(made: CheckpointFile, tmp_path: Path) -> None:
    clock = StillClock()
    for name, play_on in (("empty", 0), ("other", 40)):
        other = open_journal(tmp_path / f"{name}.sqlite3", clock)
        if play_on:
            clock.wall += 1
            engine = Engine(other)
            engine.start()
            play(engine, play_on)
            engine.stop()
        assert made.load(other) is None
        other.close()


def test_no_damage_is_taken_for_a_history(made: CheckpointFile, journal: FileJournal, tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.json"
    whole = path.read_bytes()
    chance = random.Random(3)  # noqa: S311 - places to spoil
    for _ in range(60):
        spoilt = bytearray(whole)
        spoilt[chance.randrange(len(spoilt))] ^= 1 << chance.randrange(8)
        path.write_bytes(spoilt)
        assert made.load(journal) is None
    for cut in (0, 10, 64, 65, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:cut])
        assert made.load(journal) is None


def test_a_damaged_journal_passes_it_over(made: CheckpointFile, journal: FileJournal, tmp_path: Path) -> None:
    checkpoint = made.load(journal)
    assert checkpoint is not None
    with closing(sqlite3.connect(tmp_path / "journal.sqlite3")) as connection, connection:
        connection.execute("UPDATE journal SET event = '{' WHERE sequence = ?", (checkpoint.sequence,))
    assert made.load(journal) is None
    made.save(checkpoint, journal)
    assert made.load(journal) is None


def test_a_folder_without_room_costs_nothing_but_time(journal: FileJournal, tmp_path: Path) -> None:
    nowhere = CheckpointFile(tmp_path / "nowhere" / "checkpoint.json")
    engine = Engine(journal, checkpoints=nowhere)
    engine.start()
    present = play(engine, 5)
    nowhere.save(Checkpoint(present.sequence, 7, present.history, present.said), journal)
    assert nowhere.load(journal) is None
    engine.stop()


def test_it_keeps_every_field_that_a_history_has() -> None:
    assert {field.name for field in dataclasses.fields(History)} == {
        "present",
        "done",
        "undone",
        "next_decision",
        "readings",
        "last_throw",
    }
    assert {field.name for field in dataclasses.fields(DecidedStep)} == {
        "number",
        "command",
        "before",
        "after",
        "person",
        "by",
    }
