"""Dice that can be put right on pages, whichever of an Opposed Task's sides threw them."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape

import pytest
from flask.testing import FlaskClient

from kiosk.ports import SOURCE_LANGUAGE
from kiosk.web.live_parts import LivePage
from rules.game import CorrectScoredDie
from rules.legal.trial import correctable
from tests.kiosk.desk import Desk, StillClock
from tests.kiosk.memory_journal import MemoryJournal
from tests.rules.brawl import Brawl


def warded_off_with_a_twenty() -> Brawl:
    """Okafor's bare hands hit Brack, whose 20 waits as a Complication until the damage is settled (C-61)."""
    game = Brawl()
    game.fight(game.okafor, reach=(game.okafor, game.brack))
    game.threat(0)
    game.attack(game.okafor, game.brack)
    game.throw(1, 1)
    game.defend(game.brack)
    game.throw(20, 19)
    return game


@pytest.fixture
def fight() -> Iterator[tuple[Desk, Brawl]]:
    game, journal = warded_off_with_a_twenty(), MemoryJournal(StillClock())
    for decision in game.decisions:
        journal.append(decision)
    with Desk(journal=journal) as desk:
        yield desk, game


def read(client: FlaskClient, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200, path
    return unescape(response.text)


def test_the_losers_dice_are_put_right_while_their_complication_waits_for_the_damage(
    fight: tuple[Desk, Brawl], caplog: pytest.LogCaptureFixture
) -> None:
    """C-61, TASK-3: their Task is neither the one in hand nor the one closed last."""
    desk, game = fight
    assert game.table.opposed is not None
    assert (game.task.who, game.table.opposed.number) == ("Okafor", correctable(game.table).number)
    client, parts = desk.client(), desk.hub.parts
    assert parts is not None
    for path in (f"/play?me={game.okafor}", "/gm", "/text"):
        page = read(client, path)
        assert "<summary>A die of Brack was misread</summary>" in page, path
        assert ("Die 1: 20" in page, "Die 2: 19" in page) == (True, True), path
    assert "Okafor" in read(client, "/display")
    for one in LivePage:
        assert parts(f"{one}///{game.okafor}", SOURCE_LANGUAGE) != b"{}", one
    assert [one for one in caplog.records if one.exc_info] == []
    desk.engine.submit(CorrectScoredDie(position=0, face=18), "test")
    page = read(client, "/gm")
    assert ("Die 1: 18" in page, "Die 1: 20" in page) == (True, False)
    assert desk.views.current().table.complications_waiting == (), "the Complication goes with the 20"
