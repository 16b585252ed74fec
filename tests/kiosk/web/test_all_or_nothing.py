"""Several commands as one decision: all of it is kept and taken back together, or nothing is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from kiosk.engine import Engine
from kiosk.errors import JournalFullError
from rules.errors import Refusal
from rules.history import Next
from rules.setup.setting_up import AddPlayer, RemovePlayer, SetUpTable
from rules.state.vocabulary import Ruleset
from rules.tasks.traits import AddTrait
from rules.undo import Undo
from tests.kiosk.desk import Desk, StillClock, got
from tests.kiosk.memory_journal import MemoryJournal
from tests.kiosk.web.test_pages import press, read, words

SET_UP = SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",))


@pytest.fixture
def journal() -> MemoryJournal:
    return MemoryJournal(StillClock())


@pytest.fixture
def engine(journal: MemoryJournal) -> Iterator[Engine]:
    made = Engine(journal)
    made.start()
    yield made
    made.stop()


def test_what_follows_sees_what_went_before_and_one_undo_takes_all_back(engine: Engine, journal: MemoryJournal) -> None:
    following: list[Next] = [
        lambda _: AddTrait(name="Dark"),
        lambda table: AddPlayer(name=f"{table.players[0].name}'s guest"),
    ]
    result = engine.submit_all(SET_UP, following, "test")
    assert [player.name for player in engine.present().table.players] == ["Ada", "Ada's guest"]
    (decision,) = journal.decisions()
    assert (decision.command, decision.events) == ("set_up_table", result.events)
    again = Engine(journal).present().table
    assert again == engine.present().table, "the journal read again leads to the same table"
    engine.submit(Undo(), "test")
    assert not engine.present().table.ready


def test_a_refusal_on_the_way_leaves_nothing(engine: Engine, journal: MemoryJournal) -> None:
    with pytest.raises(Refusal):
        engine.submit_all(SET_UP, [lambda _: AddTrait(name="Dark"), lambda _: RemovePlayer(player_id="nobody")], "test")
    assert journal.sequence == 0
    assert not engine.present().table.ready


def test_without_room_for_all_nothing_is_kept() -> None:
    journal = MemoryJournal(StillClock(), capacity=2)
    engine = Engine(journal)
    engine.start()
    with pytest.raises(JournalFullError):
        engine.submit_all(SET_UP, [lambda _: AddTrait(name="Dark"), lambda _: AddTrait(name="Wet")], "test")
    assert journal.sequence == 0
    engine.stop()


def test_the_sample_crew_comes_whole_and_goes_with_one_undo() -> None:
    with Desk() as desk:
        client: FlaskClient = desk.client()
        assert press(client, "sample_crew", back="/setup", ruleset="core-1e")[0] == 200
        table = got(client, "/api/v1/table")["table"]
        assert len(table["characters"]) == len(table["players"]) == 4
        assert {one["player_id"] for one in table["characters"]} == {one["player_id"] for one in table["players"]}
        assert len(table["ships"]) == 1
        assert "Distant Harbour" in words(read(client, "/setup"))
        assert press(client, "undo")[0] == 409, "it asks first"
        press(client, "undo", confirmed="yes")
        assert got(client, "/api/v1/table")["table"]["ready"] is False


def test_a_sample_crew_that_cannot_be_kept_leaves_the_table_as_it_was() -> None:
    with Desk(journal=MemoryJournal(StillClock(), capacity=4)) as desk:
        client = desk.client()
        press(client, "sample_crew", back="/setup", ruleset="core-1e")
        assert got(client, "/api/v1/table")["table"]["ready"] is False
        assert desk.journal.sequence == 0
