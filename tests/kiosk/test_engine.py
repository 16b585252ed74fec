"""The engine: durable before shown, once for each key and reading, and not to be disturbed."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from kiosk import engine as engine_module
from kiosk.engine import Committed, Engine
from kiosk.errors import (
    EngineBusyError,
    EngineError,
    EngineStoppedError,
    EngineUncertainError,
    IdempotencyError,
    JournalError,
    JournalFullError,
)
from kiosk.ports import SetAside
from kiosk.storage.journal import open_for_reading, open_journal
from rules import history as past
from rules.dice import DieKind, DieReading, DieState, Reading, SourceKind
from rules.errors import Refusal
from rules.history import Decision, History
from rules.setup.setting_up import SetUpTable
from rules.state.vocabulary import Ruleset
from rules.tasks.throwing import ReportReading
from rules.tasks.traits import AddTrait, RemoveTrait
from rules.undo import Undo
from tests.kiosk.desk import StillClock
from tests.kiosk.memory_journal import MemoryJournal
from tests.kiosk.storage.test_journal import decision, spoil

SET_UP = SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada", "<script>alert(1)</script>"))


@pytest.fixture
def journal() -> MemoryJournal:
    return MemoryJournal(StillClock())


@pytest.fixture
def engine(journal: MemoryJournal) -> Iterator[Engine]:
    made = Engine(journal)
    made.start()
    yield made
    made.stop()


def reading(name: str = "tray/1/1", *faces: int) -> Reading:
    dice = tuple(DieReading(DieKind.D20, face, 1.0, DieState.READ, SourceKind.TRAY) for face in faces or (7,))
    return Reading(name, SourceKind.TRAY, dice)


def wait_for(engine: Engine, sequence: int) -> None:
    deadline = time.monotonic() + 20
    while engine.present().sequence < sequence:
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_a_command_is_durable_published_and_answered(engine: Engine, journal: MemoryJournal) -> None:
    seen: list[tuple[int, Committed]] = []
    engine.listen(lambda committed: seen.append((journal.sequence, committed)))
    result = engine.submit(SET_UP, "Ada")
    assert result.sequence == journal.sequence == engine.present().sequence
    assert [one.name for one in engine.present().table.players] == ["Ada", "<script>alert(1)</script>"]
    [(kept, committed)] = seen
    assert kept == committed.present.sequence == result.sequence, "kept before it was told"
    assert committed.decision.events == result.events
    assert list(journal.decisions()) == [committed.decision]


def test_a_refusal_changes_nothing_and_cites_its_rule(engine: Engine, journal: MemoryJournal) -> None:
    with pytest.raises(Refusal) as refused:
        engine.submit(RemoveTrait(trait_id="nothing"), "Ada")
    assert refused.value.rule
    assert journal.sequence == 0


def test_the_same_key_is_applied_once_and_answers_the_same_also_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    clock = StillClock()
    first_journal = open_journal(path, clock)
    first = Engine(first_journal)
    first.start()
    first.submit(SET_UP, "Ada")
    told = first.submit(AddTrait(name="Fog"), "Ada", "one tap")
    assert first.submit(AddTrait(name="Fog"), "Ada", "one tap") == told
    first.stop()
    first_journal.close()
    second_journal = open_journal(path, clock)
    second = Engine(second_journal)
    second.start()
    again = second.submit(AddTrait(name="Fog"), "Ada", "one tap")
    assert again == told
    assert second.present().table.traits[0].potency == 1
    with pytest.raises(IdempotencyError, match="add_trait"):
        second.submit(Undo(), "Ada", "one tap")
    second.stop()
    second_journal.close()


def test_a_restart_brings_back_table_undo_and_the_last_narration(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    journal = open_journal(path, StillClock())
    engine = Engine(journal)
    engine.start()
    for command in (SET_UP, AddTrait(name="Fog"), AddTrait(name="Smoke"), Undo()):
        engine.submit(command, "Ada")
    before = engine.present()
    engine.stop()
    journal.close()
    again = open_journal(path, StillClock())
    after = Engine(again).present()
    again.close()
    assert after == before
    assert after.said is not None


@pytest.mark.parametrize("missing", [(2,), ()])
@pytest.mark.parametrize("fault", [ValueError, MemoryError])
def test_a_fault_of_the_program_costs_no_decision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: tuple[int, ...], fault: type[Exception]
) -> None:
    """With a gap before it, too, where nobody can tell it from a decision that does not fit any more."""
    really = past.evolve

    def evolve(history: History, decision: Decision) -> History:
        if decision.number in {6, 7}:
            raise fault("it follows on the second")
        return really(history, decision)

    journal = open_journal(tmp_path / "journal.sqlite3", StillClock())
    there = [number for number in range(1, 9) if number not in missing]
    for number in there:
        journal.append(decision(number))
    with monkeypatch.context() as patched:
        patched.setattr(past, "evolve", evolve)
        if missing and fault is ValueError:
            engine = Engine(journal)
            assert [one.number for one in engine.unfollowed] == [6, 7]
            assert [one.number for one in engine.present().history.done] == [1, 3, 4, 5, 8]
        else:
            with pytest.raises(fault, match="follows on the second"):
                Engine(journal)
    assert [one.number for one in journal.decisions()] == there
    assert journal.set_aside is None
    engine = Engine(journal)
    assert [one.number for one in engine.present().history.done] == there
    assert engine.unfollowed == ()
    journal.close()


def test_where_too_many_are_damaged_the_table_ends_before_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "MOST_LEFT_OUT", 2)
    path = tmp_path / "journal.sqlite3"
    with closing(open_journal(path, StillClock())) as journal:
        for number in range(1, 9):
            journal.append(decision(number))
    spoil(path, "UPDATE journal SET event = '{' WHERE decision IN (3, 5, 7)")
    with closing(open_journal(path, StillClock())) as journal:
        Engine(journal)
        assert [one.number for one in journal.decisions()] == [1, 2]
        [kept] = tmp_path.glob("*damaged*")
        assert journal.set_aside == SetAside(kept.name, 3)
    with closing(open_for_reading(kept, StillClock())) as aside:
        assert aside.decision == 8


def test_a_reading_delivered_again_counts_once_even_when_taken_back(engine: Engine, journal: MemoryJournal) -> None:
    engine.submit(SET_UP, "Ada")
    start = journal.sequence
    engine.report(reading())
    wait_for(engine, start + 1)
    engine.report(reading())
    engine.submit(Undo(), "Ada")
    engine.report(reading())
    engine.report(reading("tray/1/2", 9))
    wait_for(engine, start + 3)
    assert engine.progresses()
    assert [one.reading_id for one in engine.present().table.free_rolls] == ["tray/1/2"]
    assert list(journal.decisions())[-1].by == "tray"


def test_two_who_press_at_once_both_count(engine: Engine) -> None:
    engine.submit(SET_UP, "Ada")
    threads = [threading.Thread(target=engine.submit, args=(AddTrait(name="Fog"), str(who))) for who in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert engine.present().table.traits[0].potency == 20


def test_a_listener_that_fails_disturbs_nobody(engine: Engine, caplog: pytest.LogCaptureFixture) -> None:
    heard: list[int] = []

    def fail(_: Committed) -> None:
        raise ValueError("a page went wrong")

    engine.listen(fail)
    engine.listen(lambda committed: heard.append(committed.decision.number))
    engine.submit(SET_UP, "Ada")
    engine.submit(AddTrait(name="Fog"), "Ada")
    assert heard == [1, 2]
    assert "a page went wrong" in caplog.text


class FaultyJournal(MemoryJournal):
    """Fails when told, the way a disk does; or waits, the way a tired one does."""

    def __init__(self) -> None:
        super().__init__(StillClock())
        self.fault: Exception | None = None
        self.gate = threading.Event()
        self.gate.set()
        self.reached = threading.Event()

    def append(self, decision: Decision, idempotency: str | None = None, *, at: float | None = None) -> int:
        self.reached.set()
        self.gate.wait(20)
        if self.fault is not None:
            raise self.fault
        return super().append(decision, idempotency, at=at)


def test_what_a_journal_refuses_is_told_once_and_never_done_later() -> None:
    journal = FaultyJournal()
    told: list[str | None] = []
    engine = Engine(journal, trouble=told.append)
    engine.start()
    engine.submit(SET_UP, "Ada")
    before = engine.present()
    journal.fault = JournalFullError("no room")
    with pytest.raises(JournalFullError):
        engine.submit(AddTrait(name="Fog"), "Ada")
    with pytest.raises(JournalFullError):
        engine.submit(ReportReading(reading=reading("tray/1/1", 3, 4)), "Ada")
    assert engine.present() is before, "nothing is shown that was not kept"
    assert set(told) == {"no room"}
    journal.fault = None
    engine.submit(AddTrait(name="Rain"), "Ada")
    assert engine.progresses()
    assert [one.command for one in journal.decisions()] == ["set_up_table", "add_trait"]
    assert engine.present().table.free_rolls == ()
    assert told == ["no room", None]
    engine.stop()


def test_an_unexpected_error_is_answered_logged_and_survived(caplog: pytest.LogCaptureFixture) -> None:
    journal = FaultyJournal()
    engine = Engine(journal)
    engine.start()
    journal.fault = ZeroDivisionError("a fault of ours")
    with pytest.raises(EngineError, match="not done"):
        engine.submit(SET_UP, "Ada")
    assert "a fault of ours" in caplog.text
    journal.fault = None
    assert engine.submit(SET_UP, "Ada").events
    engine.stop()


def test_what_could_not_wait_was_not_done_and_what_may_have_been_says_so() -> None:
    journal = FaultyJournal()
    engine = Engine(journal)
    engine.start()
    journal.gate.clear()
    outcome: list[Exception] = []

    def slow() -> None:
        try:
            engine.submit(SET_UP, "Ada", within=0.2)
        except EngineUncertainError as error:
            outcome.append(error)

    first = threading.Thread(target=slow)
    first.start()
    assert journal.reached.wait(20)
    with pytest.raises(EngineBusyError, match="not done"):
        engine.submit(AddTrait(name="Fog"), "Ada", within=0.05)
    assert not engine.progresses(0.05)
    first.join(20)
    journal.gate.set()
    assert len(outcome) == 1
    assert engine.progresses()
    assert [one.command for one in journal.decisions()] == ["set_up_table"]
    engine.stop()


def test_too_many_at_once_are_turned_away() -> None:
    engine = Engine(MemoryJournal(StillClock()))  # not started: nothing is taken from the queue
    for _ in range(256):
        engine.report(reading())
    with pytest.raises(EngineBusyError, match="Wait a moment"):
        engine.submit(Undo(), "Ada")


def test_after_the_end_nothing_is_taken_and_nobody_waits(engine: Engine) -> None:
    engine.submit(SET_UP, "Ada")
    engine.stop()
    engine.stop()
    with pytest.raises(EngineStoppedError):
        engine.submit(Undo(), "Ada")
    engine.report(reading())
    assert not engine.progresses()


def test_recent_narrations_are_kept_by_id(engine: Engine) -> None:
    result = engine.submit(SET_UP, "Ada")
    assert result.said is not None
    assert engine.narration(result.said.narration_id) == result.said.narration
    assert engine.narration("none") is None


def test_a_journal_that_fails_otherwise_is_told_too() -> None:
    journal = FaultyJournal()
    engine = Engine(journal)
    engine.start()
    journal.fault = JournalError("the card is gone")
    with pytest.raises(JournalError):
        engine.submit(SET_UP, "Ada")
    assert engine.trouble == "the card is gone"
    engine.stop()


def test_a_look_at_the_journal_that_cannot_be_told_costs_nothing_else(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(engine_module, "RETRY_SECONDS", 0.001)
    looked = threading.Event()

    def fail() -> None:
        looked.set()
        raise RuntimeError("no screen")

    engine.when_looked(fail)
    engine.progresses()  # the next wait is a short one
    assert looked.wait(10)
    assert engine.progresses()
    assert "telling how the journal looks failed" in caplog.text
