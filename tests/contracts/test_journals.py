"""What every journal promises, held by the one in memory and the one in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kiosk.errors import IdempotencyError, JournalFullError
from kiosk.ports import Journal
from kiosk.storage.journal import FileJournal, open_journal
from rules.dice import Box, DieKind, DieReading, DieState, Guess, SourceKind, Symbol
from rules.history import Decision
from rules.setup.events import PlayerRemoved
from rules.state.tasks import FreeRoll
from rules.tasks.throws import FreeRollMade
from rules.tasks.traits import TraitRemoved
from rules.undo import DecisionUndone
from tests.kiosk.desk import StillClock
from tests.kiosk.memory_journal import MemoryJournal

ROLL = FreeRollMade(
    roll=FreeRoll(
        number=1,
        reading_id="tray/1",
        source=SourceKind.TRAY,
        dice=(
            DieReading(DieKind.D20, 17, 1.0, DieState.READ, SourceKind.TRAY),
            DieReading(
                DieKind.CHALLENGE,
                None,
                0.4,
                DieState.DOUBTFUL,
                SourceKind.CAMERA,
                box=Box(1, 2, 3, 4),
                picture="p1",
                guesses=(Guess(Symbol.EFFECT, 0.6), Guess(1, 0.4)),
            ),
        ),
    ),
    next_number=2,
)


def decision(number: int, count: int = 1) -> Decision:
    events = tuple(TraitRemoved(trait_id=f"t{number}-{place}", name="Fog") for place in range(count))
    return Decision(number=number, by="Ada", command="remove_trait", events=events)


@pytest.fixture(params=["memory", "file"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Journal]]:
    made: list[Journal] = []

    def one() -> Journal:
        clock = StillClock()
        journal: Journal = (
            MemoryJournal(clock)
            if request.param == "memory"
            else open_journal(tmp_path / f"{len(made)}.sqlite3", clock)
        )
        made.append(journal)
        return journal

    yield one
    for journal in made:
        journal.close()


def test_an_empty_journal_has_nothing(make: Callable[[], Journal]) -> None:
    journal = make()
    assert journal.sequence == 0
    assert list(journal.decisions()) == []
    assert journal.entries() == ()
    assert journal.known("x") is None


def test_decisions_come_back_whole_and_in_order(make: Callable[[], Journal]) -> None:
    journal = make()
    kept = [decision(1, 3), Decision(number=2, by="tray", command="report_reading", events=(ROLL,)), decision(5, 2)]
    assert [journal.append(one) for one in kept] == [3, 4, 6]
    assert list(journal.decisions()) == kept
    assert list(journal.decisions(after=1)) == kept[1:]
    assert journal.sequence == 6


def test_entries_are_numbered_without_gaps_and_dated(make: Callable[[], Journal]) -> None:
    journal = make()
    for number in range(1, 4):
        journal.append(decision(number, 2))
    assert [entry.sequence for entry in journal.entries()] == [1, 2, 3, 4, 5, 6]
    assert [entry.decision for entry in journal.entries(after=3, limit=2)] == [2, 3]
    assert {entry.time for entry in journal.entries()} == {StillClock().wall}
    assert journal.entries(after=6) == ()


def test_a_key_is_known_with_its_decision_and_sequence(make: Callable[[], Journal]) -> None:
    journal = make()
    journal.append(decision(1, 2), "one")
    journal.append(decision(2))
    assert journal.known("one") == (decision(1, 2), 2)
    assert journal.known("two") is None


def test_the_same_key_twice_keeps_nothing_of_the_second(make: Callable[[], Journal]) -> None:
    journal = make()
    journal.append(decision(1), "one")
    with pytest.raises(IdempotencyError):
        journal.append(decision(2, 2), "one")
    assert journal.sequence == 1
    assert journal.append(decision(2)) == 2


@pytest.mark.parametrize("wrong", [Decision(number=9, by="", command="undo", events=()), decision(1), decision(0)])
def test_nothing_to_keep_and_numbers_that_fall_are_refused(make: Callable[[], Journal], wrong: Decision) -> None:
    journal = make()
    journal.append(decision(1))
    with pytest.raises(ValueError, match="decision"):
        journal.append(wrong)
    assert journal.sequence == 1


@pytest.mark.parametrize("kind", ["memory", "file"])
def test_without_room_nothing_of_the_decision_is_kept_and_later_ones_are(kind: str, tmp_path: Path) -> None:
    clock = StillClock()
    small = PlayerRemoved(player_id="p", name="Ada")
    large = PlayerRemoved(player_id="p", name="x" * 400_000)
    journal: Journal
    if kind == "memory":
        journal = MemoryJournal(clock, capacity=2)
        too_much = Decision(number=2, by="Ada", command="undo", events=(small,) * 2)
    else:
        journal = _small_file(tmp_path / "journal.sqlite3", clock)
        too_much = Decision(number=2, by="Ada", command="undo", events=(small, large))
    journal.append(Decision(number=1, by="Ada", command="undo", events=(small,)))
    with pytest.raises(JournalFullError, match="room"):
        journal.append(too_much, "key")
    assert journal.known("key") is None
    assert journal.append(Decision(number=2, by="Ada", command="undo", events=(DecisionUndone(decision=1),))) == 2
    assert [one.number for one in journal.decisions()] == [1, 2]
    journal.close()


def _small_file(path: Path, clock: StillClock) -> FileJournal:
    """A journal whose file may not grow past 256 kilobytes, as on a disk that is nearly full."""
    return open_journal(path, clock, most_pages=64)
