"""Whom the end of a scene kills: said and asked before, and seen wherever somebody is chosen or plays (DMG-6)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from kiosk.web.live_parts import LivePage
from tests.kiosk.desk import got, send
from tests.kiosk.web.test_conflict_page import begin, crew, table
from tests.kiosk.web.test_live_parts import parts_of
from tests.kiosk.web.test_pages import press, read, words
from tests.kiosk.web.test_persons import Phone, opened

ENDS = ("start_scene", "start_session")
KILLS = "The end of the scene kills Lindqvist: nobody treated a lethal Injury."


def struck(client: FlaskClient, *names: str) -> dict[str, str]:
    """Lindqvist, or whoever is named, with a lethal Injury, each after a fight; the ids of all by name."""
    ids = crew(client)
    for name in names or ("Lindqvist",):
        begin(client, {one: ids[one] for one in ("Okafor", name)})
        attack = {"name": "attack", "target_id": ids[name], "weapon": "phaser_type_2", "lethal": True}
        send(client, "begin_turn", combatant_id=ids["Okafor"])
        send(client, "declare_task", declaration={"character_id": ids["Okafor"], "action": attack})
        send(client, "enter_dice", request=table(client)["request"]["number"], faces=[1, 1])
        send(client, "follow_through")
        request = table(client)["request"]
        send(client, "enter_dice", request=request["number"], faces=[2, 2, 2, *["blank"] * (request["count"] - 3)])
        send(client, "settle_damage")
        send(client, "suffer_injury")
        send(client, "finish_spending")
        send(client, "end_conflict")
        assert injury(client, name) == "lethal"
    return ids


def injury(client: FlaskClient, name: str) -> str:
    return next(str(one["body"]["injury"]) for one in table(client)["characters"] if one["name"] == name)


def scene(client: FlaskClient) -> int:
    found: dict[str, Any] = got(client, "/api/v1/table")["table"]
    return int(found["scene"]) + 100 * int(found["session"])


def closed_round(page: str, said: str) -> list[str]:
    """The folds round the first place where `page` says that, which are closed; there has to be a fold."""
    before = page[: page.index(said)]
    folds: list[str] = []
    for tag in re.findall(r"</?details[^>]*>", before):
        if tag == "</details>":
            folds.pop()
        else:
            folds.append(tag)
    assert folds
    return [one for one in folds if not one.endswith(" open>")]


@pytest.mark.parametrize("ends", ENDS)
def test_whom_the_end_of_a_scene_kills_is_named_and_asked_about_before(client: FlaskClient, ends: str) -> None:
    for path in ("/gm", "/text"):
        assert "kills" not in words(read(client, path)), path
    struck(client)
    assert KILLS in words(parts_of(client, LivePage.GAMEMASTER)["dying"]), "where the page is open already, too"
    for path in ("/gm", "/text"):
        assert KILLS in words(read(client, path)), path
        before = scene(client)
        status, page = press(client, ends, back=path)
        assert (status, scene(client)) == (409, before)
        assert f"{KILLS} End the scene all the same?" in words(page)
        assert "Yes, end the scene" in words(page)
        assert 'name="confirmed" value="yes"' in page
        assert closed_round(page, ">Yes, end the scene<") == [], path
    assert injury(client, "Lindqvist") == "lethal"
    assert press(client, ends, back="/gm", confirmed="yes")[0] == 200
    assert injury(client, "Lindqvist") == "dead"


def test_a_scene_that_kills_nobody_of_the_players_begins_unasked() -> None:
    with opened() as desk:
        kiosk = desk.client()
        struck(kiosk, "Brack")
        told = "The end of the scene kills Brack: nobody treated a lethal Injury."
        for path in ("/gm", "/text"):
            assert told in words(read(kiosk, path)), path
        assert Phone(desk, gamemaster=True).asks("start_scene")[0] == 200
        assert injury(kiosk, "Brack") == "dead"


def test_the_question_names_players_alone_and_the_note_all_who_die() -> None:
    with opened() as desk:
        kiosk = desk.client()
        struck(kiosk, "Brack", "Lindqvist")
        assert "The end of the scene kills Lindqvist and Brack:" in words(read(kiosk, "/gm"))
        status, problem = Phone(desk, gamemaster=True).asks("start_scene")
        assert (status, problem["type"]) == (409, "/problems/ask-first")
        assert problem["detail"].startswith(KILLS)


def test_after_treatment_a_scene_kills_nobody_and_begins_unasked() -> None:
    with opened() as desk:
        kiosk = desk.client()
        ids = struck(kiosk)
        master = Phone(desk, gamemaster=True)
        assert master.asks("start_scene")[1]["type"] == "/problems/ask-first"
        treats = {"name": "treatment", "target_id": ids["Lindqvist"]}
        send(kiosk, "declare_task", declaration={"character_id": ids["Okafor"], "action": treats})
        send(kiosk, "enter_dice", request=table(kiosk)["request"]["number"], faces=[1, 1])
        send(kiosk, "finish_spending")
        assert master.asks("start_scene")[0] == 200


def test_a_program_at_the_kiosk_ends_a_scene_unasked(client: FlaskClient) -> None:
    struck(client)
    send(client, "start_scene")
    assert injury(client, "Lindqvist") == "dead"


def test_the_dead_are_offered_no_task_and_look_so_where_somebody_is_chosen() -> None:
    with opened() as desk:
        kiosk = desk.client()
        ids = struck(kiosk)
        dead = ids["Lindqvist"]
        fight = f"/play/fight?me={dead}"
        assert "Lindqvist is injured and cannot act" in words(read(kiosk, fight))
        send(kiosk, "start_scene")
        shown = words(read(kiosk, fight).partition('id="fighting"')[2].partition("</div>")[0])
        assert "Lindqvist is dead." in shown
        assert "Declare a Task" not in shown
        assert "Declare a Task" in words(read(kiosk, f"/play/fight?me={ids['Okafor']}"))
        owner, other = Phone(desk, name="Ana"), Phone(desk, name="Ben")
        for path in ("/play?choose=yes", "/me"):
            assert "Lindqvist , Dead" in words(read(owner.client, path)).replace("✕ ", ""), path
        owner.take(dead)
        for path in ("/play?choose=yes", "/me"):
            assert "I am Lindqvist (dead), with another phone" in words(read(other.client, path)), path
