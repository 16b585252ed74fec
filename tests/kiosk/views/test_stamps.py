"""The stamps by which a page knows that it shows something as it is no more."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from kiosk.views.view import invites
from rules.dice import SourceState
from rules.setup.setting_up import SetUpTable
from rules.state.vocabulary import Ruleset
from rules.tasks.settling import FinishSpending
from rules.words import say
from tests.kiosk.desk import Desk
from tests.rules.tabletop import Game

CHANGES: dict[str, Callable[[Desk], object]] = {
    "sources": lambda desk: desk.sources.set("tray", SourceState.LOST, say("The tray is gone."), say("Plug it in.")),
    "persons": lambda desk: desk.persons.join("", "player", "Ada"),
    "door": lambda desk: desk.access.renew_code(gamemaster=False),
    "table": lambda desk: desk.engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",)), "Ada"),
}


def stamps(desk: Desk) -> dict[str, str]:
    found: dict[str, str] = msgspec.to_builtins(desk.views.current().stamps)
    return found


@pytest.mark.parametrize("which", CHANGES)
def test_each_change_changes_its_own_stamp_and_no_other(desk: Desk, which: str) -> None:
    before = stamps(desk)
    assert set(before) == set(CHANGES)
    CHANGES[which](desk)
    assert {name for name, stamp in stamps(desk).items() if stamp != before[name]} == {which}


def test_a_new_table_in_the_same_journal_invites_as_the_first_did() -> None:
    game = Game()
    assert invites(game.history, ())
    game.declare()
    game.throw(19, 18)
    game.do(FinishSpending())
    assert not invites(game.history, ())
    game.do(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada", "Ben")))
    assert invites(game.history, ())
