"""What a person typed is shown as it was typed in every language, also after a restart; the program's words are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kiosk.i18n.languages import Languages
from kiosk.storage.journal import open_journal
from kiosk.storage.wire import encode_in, event_json
from rules import history
from rules.history import History
from rules.narrate import narrate
from rules.ships.upkeep import ComplicateShip
from rules.tasks.extended import BeginExtendedTask
from rules.tasks.traits import AddTrait
from rules.words import translated
from tests.kiosk.desk import StillClock
from tests.rules.tabletop import Game

GERMAN = Languages().language("de").catalog


def restarted(game: Game, folder: Path) -> tuple[History, list[str]]:
    """The history as a restart gives it, and what is said of each decision in German."""
    path = folder / "journal.sqlite3"
    journal = open_journal(path, StillClock())
    for one in game.decisions:
        journal.append(one)
    journal.close()
    journal = open_journal(path, StillClock())
    at, said = history.begin(), list[str]()
    for one in journal.decisions():
        before, at = at.present, history.evolve(at, one)
        told = narrate(before, one.events, at.present)
        said.append("" if told is None else translated(told.full, GERMAN))
    journal.close()
    return at, said


@pytest.mark.parametrize("label", ["Work on my novel", "Attack", "Trouble aboard the bar", "Cover"])
def test_the_label_of_a_task_stays_as_it_was_typed(label: str, tmp_path: Path) -> None:
    game = Game()
    game.do(BeginExtendedTask(label=label, work=5, magnitude=1, difficulty=1))
    game.do(AddTrait(name=label))
    game.declare(game.okafor, label=label)
    at, said = restarted(game, tmp_path)
    assert at == game.history
    for words in said[-3:]:
        assert label in words
    assert label in encode_in(at.present.task, GERMAN).decode()


def test_the_programs_words_are_said_in_german_after_a_restart_with_the_names_as_typed(tmp_path: Path) -> None:
    game = Game()
    game.do(ComplicateShip(ship_id=game.ship))
    _, said = restarted(game, tmp_path)
    live = translated(game.said[-1].full, GERMAN) if game.said[-1] is not None else ""
    assert said[-1] == live
    assert "Far Lantern" in live
    assert "Trouble" not in live


def test_programs_that_listen_are_told_plain_english() -> None:
    game = Game()
    game.do(ComplicateShip(ship_id=game.ship))
    sent: list[dict[str, Any]] = [json.loads(event_json(one)) for one in game.decisions[-1].events]
    assert next(one["trait"] for one in sent if "trait" in one) == "Trouble aboard Far Lantern"
