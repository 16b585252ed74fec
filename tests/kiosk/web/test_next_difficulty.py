"""How hard the next Task is: phone, gamemaster's page, panel and API start from the same, and say what it is.

It is the gamemaster's dial for one Task, then Difficulty 1 and a Complication on 20 (TASK-2, TASK-7).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from kiosk.panel.spoken_levels import level
from kiosk.panel.spoken_places import Declaring, Facts, PickPreset
from tests.kiosk.desk import Desk, got, send
from tests.kiosk.web.test_pages import Outline, set_up, words


@pytest.fixture(params=["starter", "core-1e", "second-edition"])
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    with Desk() as made:
        client = made.client()
        set_up(client)
        send(client, "set_up_table", ruleset=request.param, players=["Ada", "Ben"])
        yield made


def ada(desk: Desk) -> str:
    return str(got(desk.client(), "/api/v1/table")["table"]["characters"][0]["character_id"])


def form(desk: Desk, page: str = "phone", **more: str) -> str:
    asked = {"page": page, "declare": "yes", "me": ada(desk), "character_id": ada(desk), **more}
    return str(desk.client().get("/parts/declare", query_string=asked).get_json()["declare"])


def chosen(html: str, name: str) -> str:
    """What a field of the form holds."""
    hidden = [one["value"] for one in Outline(html).all("input") if one.get("name") == name]
    listed = re.search(rf'<select id="{name}".*?</select>', html, re.DOTALL)
    found = re.findall(r'value="(\d+)" selected', listed[0]) if listed else hidden
    return str(found[0])


def everywhere(desk: Desk) -> set[tuple[int, int]]:
    """Difficulty and complication range from which a Task of Ada's starts, on phone, gamemaster's page, API, panel."""
    pages = {
        (int(chosen(html, "difficulty")), int(chosen(html, "complication_range")))
        for html in (form(desk), form(desk, "gm"))
    }
    presets = got(desk.client(), f"/api/v1/presets?character={ada(desk)}")["presets"]
    told = {(one["declaration"]["difficulty"], one["declaration"]["complication_range"]) for one in presets}
    facts = Facts(history=desk.engine.present().history)
    ways = [one.go for one in level(facts, PickPreset(ada(desk))).entries]
    spoken = {(one.draft.difficulty, one.draft.complication_range) for one in ways if isinstance(one, Declaring)}
    return pages | told | spoken


def thrown(desk: Desk, difficulty: int, complication_range: int = 1) -> None:
    task = {"character_id": ada(desk), "attribute": "reason", "discipline": "science", "label": "Scan the hull"}
    numbers = {"difficulty": difficulty, "complication_range": complication_range}
    client = desk.client()
    send(client, "declare_task", declaration=task | numbers)
    request = got(client, "/api/v1/table")["table"]["request"]["number"]
    send(client, "enter_dice", request=request, faces=[15, 18])


def test_a_task_starts_from_the_dial_once_and_then_at_one_everywhere(desk: Desk) -> None:
    client = desk.client()
    thrown(desk, 4, 3)
    assert everywhere(desk) == {(1, 1)}, "how hard the Task before was is over with it"
    send(client, "set_difficulty", difficulty=3, complication_range=2)
    assert everywhere(desk) == {(3, 2)}
    thrown(desk, 3, 2)
    assert everywhere(desk) == {(1, 1)}, "it was for one Task"


def test_the_form_says_where_its_difficulty_comes_from(desk: Desk) -> None:
    client = desk.client()
    for page in ("phone", "gm"):
        assert "No Difficulty is set for it: it starts at 1." in words(form(desk, page)), page
    send(client, "set_difficulty", difficulty=3, complication_range=2)
    for page in ("phone", "gm"):
        assert "The gamemaster has set: Difficulty 3, daunting. Complication on 19 or 20." in words(form(desk, page)), (
            page
        )
    facts = Facts(history=desk.engine.present().history)
    thrown(desk, 3)
    facts = Facts(history=desk.engine.present().history)
    (way,) = [one.go for one in level(facts, PickPreset(ada(desk))).entries if isinstance(one.go, Declaring)]
    assert "set the Difficulty" not in level(facts, way).prompt
    send(client, "set_difficulty", difficulty=2)
    facts = Facts(history=desk.engine.present().history)
    (way,) = [one.go for one in level(facts, PickPreset(ada(desk))).entries if isinstance(one.go, Declaring)]
    assert "The gamemaster has set the Difficulty." in level(facts, way).prompt
    send(client, "set_difficulty", difficulty=None)
    send(client, "ask_for_task", character_id=ada(desk), attribute="daring", discipline="conn", difficulty=5)
    assert "The gamemaster asks for Difficulty 5, epic." in words(form(desk))


def test_an_open_form_follows_the_dial_back_and_keeps_what_somebody_chose(desk: Desk) -> None:
    client = desk.client()
    send(client, "set_difficulty", difficulty=3, complication_range=2)
    skills = {"attribute": "control", "discipline": "conn"}
    open_form = {**skills, "difficulty": "3", "complication_range": "2", "dial": "3/2"}
    assert chosen(form(desk, **open_form), "difficulty") == "3"
    send(client, "set_difficulty", difficulty=None)
    followed = form(desk, **open_form)
    assert (chosen(followed, "difficulty"), chosen(followed, "complication_range")) == ("1", "1")
    assert chosen(form(desk, **open_form | {"difficulty": "4"}), "difficulty") == "4"
