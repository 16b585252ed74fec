"""The gamemaster's bridge: the dial that players see, with and without script, and whose it is."""

from __future__ import annotations

import re

from flask.testing import FlaskClient

from tests.kiosk.desk import got, post, send
from tests.kiosk.web.test_api import DECLARATION
from tests.kiosk.web.test_pages import press, read, set_up, words
from tests.kiosk.web.test_persons import Phone, opened


def pressed(page: str, name: str) -> list[str]:
    """The steps of a dial that are set."""
    return re.findall(rf'name="{name}" value="(\d+)" aria-pressed="true"', page)


def test_the_dial_is_set_without_script_and_every_player_starts_from_it(client: FlaskClient) -> None:
    character = set_up(client)
    assert pressed(read(client, "/gm"), "difficulty") == []
    status, page = press(client, "set_difficulty", back="/gm", difficulty="3", complication_range="1")
    assert (status, pressed(page, "difficulty")) == (200, ["3"])
    _, page = press(client, "set_difficulty", back="/text", difficulty="3", complication_range="2")
    assert (pressed(page, "difficulty"), pressed(page, "complication_range")) == (["3"], ["2"])
    for path in ("/display", "/play"):
        assert "Difficulty 3 daunting" in words(read(client, path)), path
    assert "The gamemaster has set: Difficulty 3, daunting. Complication on 19 or 20." in words(read(client, "/play"))
    assert all("Difficulty 3" in one for one in re.findall(r'class="button preset".*?</a>', read(client, "/play")))
    form = f"/play?declare=yes&character_id={character}"
    assert "Control + Engineering, Difficulty 3" in words(read(client, f"{form}&{fields(3, 2)}"))
    press(client, "set_difficulty", back="/gm", difficulty="4", complication_range="1")
    assert "Difficulty 4" in words(read(client, f"{form}&{fields(3, 2)}&dial=3/2")), "the open form follows"
    assert "Control + Engineering, Difficulty 2" in words(read(client, f"{form}&{fields(2, 1)}&dial=4/1")), "a choice"
    assert "Leave it to the players" in read(client, "/gm")
    press(client, "set_difficulty", back="/gm", difficulty="", complication_range="1")
    assert "gamemaster has set" not in words(read(client, "/play"))


def fields(difficulty: int, complication_range: int) -> str:
    return f"attribute=control&discipline=engineering&difficulty={difficulty}&complication_range={complication_range}"


def test_a_task_in_hand_is_what_the_dial_is_about(client: FlaskClient) -> None:
    character = set_up(client)
    send(client, "declare_task", declaration={"character_id": character, **DECLARATION})
    page = read(client, "/gm")
    assert ("How hard is Ada Lindqvist" in page, pressed(page, "difficulty")) == (True, ["2"])
    _, page = press(client, "set_difficulty", back="/gm", difficulty="5", complication_range="1")
    assert pressed(page, "difficulty") == ["5"]
    assert "Leave it to the players" not in page
    table = got(client, "/api/v1/table")["table"]
    assert table["task"]["difficulty"] == 5
    send(client, "enter_dice", request=table["request"]["number"], faces=[9, 19])
    assert "How hard is the next Task?" in read(client, "/gm")


def test_only_the_gamemaster_turns_it() -> None:
    with opened() as desk:
        character = set_up(desk.client())
        sam, master = Phone(desk, name="Sam"), Phone(desk, gamemaster=True)
        sam.take(character)
        assert sam.asks("set_difficulty", difficulty=3)[0] == 403
        fields = {"difficulty": "3", "complication_range": "1", "back": "/text"}
        by_script = sam.client.post("/text/set_difficulty", data=fields, headers={"X-Trueroll": "1"})
        assert by_script.status_code == 403
        assert press(sam.client, "set_difficulty", **fields)[0] == 403
        assert "How hard is the next Task?" not in sam.client.get("/text").text
        assert got(sam.client, "/api/v1/table")["table"]["dial"] is None
        assert master.asks("set_difficulty", difficulty=3)[0] == 200
        assert sam.asks("undo")[0] == 403, "it is the gamemaster's to take back"
        assert post(master.client, "/api/v1/commands", {"command": "undo"})[0] == 200
