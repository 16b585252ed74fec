"""The tables of the books on their page, beside each choice, in the room's voice, and as data."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from rules.game import Ruleset, profile_of, reference
from tests.kiosk.desk import PHONE, Desk, SilentVoice, got, send
from tests.kiosk.web.test_conflict_page import begin, crew
from tests.kiosk.web.test_pages import Parts, press, read, set_up, words


def rows_said(desk: Desk) -> list[str]:
    voice = desk.services.voice
    assert isinstance(voice, SilentVoice)
    return [str(one.normal) for one in voice.answers]


@pytest.mark.parametrize("ruleset", Ruleset)
def test_every_row_is_on_the_page_under_its_heading(desk: Desk, ruleset: Ruleset) -> None:
    client = desk.client()
    send(client, "set_up_table", ruleset=ruleset, players=["Ada"])
    page = read(client, "/reference")
    data = got(client, "/api/v1/reference")["tables"]
    tables = reference(profile_of(ruleset)).values()
    headings = [one.heading for one in tables]
    assert [name for name in Parts(page).names[False] if name in headings] == headings
    assert re.findall(r'name="row" value="([^"]+)"', page) == [row["row"] for one in data for row in one["rows"]]
    assert len(set(re.findall(r' id="(row-[^"]+)"', page))) == sum(len(one.rows) for one in tables)
    assert 'title="DIFF-1"' in page


def test_a_row_is_said_in_the_room_with_script_and_without(desk: Desk) -> None:
    client = desk.client()
    set_up(client)
    status, page = press(client, "say_row", row="difficulty/2", back="/reference")
    assert status == 200
    assert "Difficulty" in Parts(page).names[True]
    headers = {"X-Trueroll": "1"}
    assert client.post("/text/say_row", data={"row": "breaches/12"}, headers=headers).status_code == 200
    asked = {"what": "row", "row": "crews/talented"}
    assert client.post("/api/v1/voice/say", json=asked, headers=headers).status_code == 200
    assert [one.partition(".")[0] for one in rows_said(desk)] == ["Difficulty 2, challenging", "Scale 12", "Talented"]
    refused = client.post("/text/say_row", data={"row": "crews/lazy"}, headers=headers)
    assert (refused.status_code, "has that row" in refused.text) == (400, True)


def test_who_has_not_joined_reads_and_has_nothing_said() -> None:
    opened: dict[str, object] = {"server.host": "0.0.0.0", "server.open_to_network": True}  # noqa: S104 - opened
    with Desk(settings=opened) as desk:
        client = desk.client()
        set_up(client)
        page = client.get("/reference", environ_overrides=PHONE).get_data(as_text=True)
        assert "Create Advantage" in page
        assert 'name="row"' not in page
        said = client.post(
            "/text/say_row", data={"row": "difficulty/2"}, headers={"X-Trueroll": "1"}, environ_overrides=PHONE
        )
        assert said.status_code == 401
        assert rows_said(desk) == []


def test_each_choice_has_its_row_beside_it(desk: Desk) -> None:
    client = desk.client()
    who = set_up(client)
    parts = ("", "&part=modifiers", "&part=dice")
    form = "".join(read(client, f"/play?declare=yes&character_id={who}&more=yes{part}") for part in parts)
    for name in ("Difficulty", "Complication range", "Bonus dice", "Circumstances"):
        assert f"What it means: {name}" in form
    assert "Complication on 16 to 20." in form
    declared = {"character_id": who, "attribute": "control", "discipline": "command", "difficulty": 0, "rolled": True}
    send(client, "declare_task", declaration=declared)
    assert "What it means: Bonus dice" in read(client, "/play")
    request = got(client, "/api/v1/table")["table"]["request"]["number"]
    send(client, "enter_dice", request=request, faces=[1, 2])
    spending = words(read(client, "/play"))
    assert "What it means: Create Advantage" in spending
    assert "An advantage for the scene, or one complication less. It costs 2 Momentum." in spending
    master = read(client, "/gm")
    assert "What it means: What Threat buys" in master
    assert 'data-fresh="/parts/reference?page=gm&amp;rules=' in master
    opened = got(client, "/parts/reference")["reference"]
    assert re.findall(r'value="crews/(\w+)"', opened) == ["basic", "proficient", "talented", "exceptional"]
    setting_up = words(read(client, "/setup"))
    for meant in ("What it means: Crews of NPC ships", "Aim gives nothing", "Darkness makes nothing harder for it."):
        assert (meant in setting_up) == (meant != "Aim gives nothing"), "no weapon of the books is inaccurate"


def test_minor_actions_have_their_rows_at_the_head_of_their_buttons_and_in_their_forms(client: FlaskClient) -> None:
    ids = crew(client)
    begin(client, ids, begins=ids["Okafor"])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    aimed, prone = "The next attack may throw a d20 again.", "Ranged attacks on one who lies on the ground"
    listed = read(client, "/text").split('id="actions-title"')[1].split("</dl>")[0]
    assert "What it means: Minor Actions" in listed
    assert (listed.count(aimed), listed.count(prone)) == (1, 1)
    menu = read(client, f"/conflict?who={ids['Okafor']}&deed=personal/aim")
    assert aimed in menu.split('id="act-personal-aim"')[1].split("</form>")[0]


def test_a_circumstance_is_a_button_that_night_vision_does_not_mind(desk: Desk) -> None:
    client = desk.client()
    set_up(client)
    table = got(client, "/api/v1/table")["table"]
    card = {name: table["characters"][0][name] for name in ("attributes", "disciplines")}
    abilities = [{"name": "night_vision"}]
    send(client, "save_character", name="Owl", abilities=abilities, **card)
    first, owl = (one["character_id"] for one in got(client, "/api/v1/table")["table"]["characters"])
    fields = (
        "&attribute=control&discipline=command&difficulty=2&complication_range=1&more=yes&part=modifiers&rolled=yes"
    )

    def form(who: str, more: str = "") -> str:
        return read(client, f"/play?declare=yes&character_id={who}{fields}{more}")

    dark = form(first, "&choose=circumstance/darkness")
    assert re.search(r'value="circumstance/darkness" aria-pressed="true"', dark)
    assert re.search(r'name="circumstance1" value="darkness"', dark)
    modified = "&reason1=Darkness&change1=1&circumstance1=darkness"
    light = form(first, modified + "&choose=circumstance/darkness")
    assert re.search(r'value="circumstance/darkness" aria-pressed="false"', light)
    chances = [re.search(r'<p id="odds"[^>]*>([^<]*)', form(who, modified)) for who in (first, owl)]
    plain = re.search(r'<p id="odds"[^>]*>([^<]*)', form(owl))
    assert chances[0] is not None
    assert chances[1] is not None
    assert plain is not None
    assert chances[1][1] == plain[1] != chances[0][1]
    sent = {"character_id": owl, "attribute": "control", "discipline": "command", "difficulty": "2"}
    sent |= {
        "reason1": "Darkness",
        "change1": "1",
        "circumstance1": "darkness",
        "rolled": "yes",
        "complication_range": "1",
    }
    assert client.post("/text/declare", data=sent, headers={"X-Trueroll": "1"}).status_code == 200
    assert got(client, "/api/v1/table")["table"]["task"]["difficulty"] == 2
