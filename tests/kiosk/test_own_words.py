"""What a person typed is shown as it was typed in every language, also after a restart; the program's words are not."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kiosk.i18n.languages import Languages
from kiosk.panel.spoken_words import weapon_words
from kiosk.storage.journal import open_journal
from kiosk.storage.wire import encode_in, event_json
from rules import history
from rules.conflict.bodies import AdjustStress
from rules.conflict.chain import StrikeHazard
from rules.conflict.injuries import AvoidInjury
from rules.history import History
from rules.house.adopting import AdoptHouseTables
from rules.house.tables import house_tables
from rules.legal.offers import options
from rules.narrate import narrate
from rules.ships.second.events import ShakenChosen
from rules.ships.upkeep import ComplicateShip
from rules.state.vocabulary import ActionScope
from rules.tasks.extended import BeginExtendedTask
from rules.tasks.traits import AddTrait
from rules.words import Catalog, translated
from tests.kiosk.desk import StillClock
from tests.rules.brawl import Brawl
from tests.rules.fleet2e import Fleet
from tests.rules.tabletop import Game


@cache
def german() -> Catalog:
    """The German of the program's words."""
    return Languages().language("de").catalog


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
        said.append("" if told is None else translated(told.full, german()))
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
    assert label in encode_in(at.present.task, german()).decode()


def test_the_programs_words_are_said_in_german_after_a_restart_with_the_names_as_typed(tmp_path: Path) -> None:
    game = Game()
    game.do(ComplicateShip(ship_id=game.ship))
    _, said = restarted(game, tmp_path)
    live = translated(game.said[-1].full, german()) if game.said[-1] is not None else ""
    assert said[-1] == live
    assert "Far Lantern" in live
    assert "Trouble" not in live


def test_programs_that_listen_are_told_plain_english() -> None:
    game = Game()
    game.do(ComplicateShip(ship_id=game.ship))
    sent: list[dict[str, Any]] = [json.loads(event_json(one)) for one in game.decisions[-1].events]
    assert next(one["trait"] for one in sent if "trait" in one) == "Trouble aboard Far Lantern"


@pytest.mark.parametrize(("name", "said"), [("computers", "computers"), ("Mark_2", "Mark 2")])
def test_a_ships_weapon_is_called_as_somebody_named_it(name: str, said: str) -> None:
    game = Fleet()
    assert translated(weapon_words(game.table, name, ActionScope.BRIDGE), german()) == said


def test_the_rules_weapons_are_called_in_each_language_and_a_houses_as_it_named_them() -> None:
    game = Game()
    assert translated(weapon_words(game.table, "knife", ActionScope.PERSONAL), german()) == "Messer"
    rows = {"weapons": {"computers": {"label": "Computers", "attack": "melee", "rating": 3}}}
    game.do(AdoptHouseTables(tables=house_tables(rows, "the house")))
    assert translated(weapon_words(game.table, "computers", ActionScope.PERSONAL), german()) == "Computers"


@pytest.mark.parametrize(
    ("reason", "told"), [("", "Wiederhergestellt."), ("restored", "Restored."), ("A night in bed", "A night in bed.")]
)
def test_the_reason_for_stress_is_the_options_own_or_what_was_typed(reason: str, told: str) -> None:
    """C-75."""
    game = Brawl()
    game.do(StrikeHazard(target_id=game.okafor, rating=1, reason="Falling rocks"))
    game.throw_challenge(1)
    offer = next(one.command for one in options(game.table) if isinstance(one.command, AdjustStress))
    game.do(replace(offer, reason=reason))
    assert told in translated(game.last_said.full, german())


@pytest.mark.parametrize(("typed", "told"), [("", "Schlechter dran"), ("Worse off", "Worse off")])
def test_the_complication_for_an_injury_is_the_options_own_or_what_was_typed(typed: str, told: str) -> None:
    """DMG-7, C-25."""
    game = Brawl()
    game.do(StrikeHazard(target_id=game.okafor, rating=3, reason="Falling rocks"))
    game.throw_challenge(2, 2, 1)
    offer = next(one.command for one in options(game.table) if one.option_id == "avoid_injury:complication")
    assert isinstance(offer, AvoidInjury)
    game.do(replace(offer, complication=typed))
    assert translated(game.table.traits[-1].name, german()) == told


def test_what_a_shaken_ship_suffers_is_said_as_the_house_wrote_it() -> None:
    """S2E-13."""
    game = Fleet()
    chosen = ShakenChosen(ship_id=game.ship, name="Far Lantern", result="Attack", system=None, note="")
    told = chosen.told(game.table, game.table)
    assert "Attack" in translated(told.full, german())
    usual = replace(chosen, result="lose_reserve_power").told(game.table, game.table)
    assert "Lose Reserve Power" not in translated(usual.full, german())
