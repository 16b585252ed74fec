"""The page without script shows numbers and chances before a Task is declared, and declares in one press."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from kiosk.web.plain_odds import plain_odds
from rules import history
from rules.odds.declared import chance, pool_of
from rules.state.tasks import Declaration
from rules.state.vocabulary import Attribute, Discipline
from tests.kiosk.desk import send
from tests.kiosk.web.test_pages import press, read, set_up, words
from tests.rules.tabletop import Game


def test_every_pair_has_the_chance_of_its_declaration() -> None:
    game = Game()
    shown = plain_odds(game.history, {"character": game.okafor, "difficulty": "2", "focus": "yes"})
    row = shown["actor"]["chances"][list(Attribute).index(Attribute.DARING)]
    declared = Declaration(
        character_id=game.okafor,
        attribute=Attribute.DARING,
        discipline=Discipline.ENGINEERING,
        difficulty=2,
        focus=True,
    )
    exact = round(100 * chance(pool_of(game.table, declared)).chance)
    assert f"Engineering {exact}\u00a0%" in row
    more = plain_odds(game.history, {"character": game.okafor, "difficulty": "2", "dice": "5", "focus": "yes"})
    assert more["actor"]["chances"] != shown["actor"]["chances"]


@pytest.mark.parametrize(
    "asked",
    [{}, {"character": "nobody"}, {"difficulty": "-1", "dice": "\u00b2", "focus": "no"}, {"difficulty": "9" * 5000}],
)
def test_what_makes_no_sense_is_left_aside(asked: dict[str, str]) -> None:
    assert plain_odds(history.begin(), asked)["actor"] is None
    assert plain_odds(Game().history, asked)["actor"] is None
    assert plain_odds(Game().history, asked)["about"] == {"difficulty": 1, "dice": 2, "focus": False}


def test_a_usual_task_is_declared_in_one_press_without_script(client: FlaskClient) -> None:
    press(client, "sample_crew", back="/setup", ruleset="core-1e")
    okoro = client.get("/api/v1/table").get_json()["table"]["characters"][1]["character_id"]
    source = read(client, f"/text?character={okoro}")
    page = words(source)
    assert "Control 11" in page
    assert "Declare: Control + Engineering, Difficulty 1, 96 %" in page
    assert "Control: Command 88 %" in page
    assert press(client, "declare", **ready(source)[0])[0] == 200
    task = client.get("/api/v1/table").get_json()["table"]["task"]
    assert (task["target_number"], task["difficulty"]) == (16, 1)


def test_the_form_says_what_each_difficulty_is_like(client: FlaskClient) -> None:
    """DIFF-1: whoever chooses one is helped by examples, from 0 on."""
    press(client, "sample_crew", back="/setup", ruleset="core-1e")
    for path in ("/text", "/play"):
        told = client.get(path).get_data(as_text=True)
        assert '<ol start="0"><li>common knowledge, target practice, routine maintenance</li>' in told
        assert told.count("transport from warp to warp</li></ol>") == 1


def test_what_the_gamemaster_asks_for_is_declared_as_it_was_asked(client: FlaskClient) -> None:
    character = set_up(client)
    asked = {"attribute": "daring", "discipline": "conn", "difficulty": 2, "complication_range": 3, "opposed": True}
    send(client, "ask_for_task", character_id=character, label="Race", **asked)
    first = ready(read(client))[0]
    assert press(client, "declare", **first)[0] == 200
    declared = client.get("/api/v1/table").get_json()["table"]["task"]["declaration"]
    assert {name: declared[name] for name in (*asked, "label")} == {**asked, "label": "Race"}


def ready(page: str) -> list[dict[str, str]]:
    """The fields of each Task that the page offers to declare in one press."""
    forms = re.findall(r'<form class="row" method="post" action="/text/declare">(.*?)</form>', page, re.DOTALL)
    return [dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', one)) for one in forms]
