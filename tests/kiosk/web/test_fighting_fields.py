"""Cards for fights on the set-up page: what is typed comes back as it was, and what is wrong is said in words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from kiosk.errors import WireError
from kiosk.web.form_fields import whole
from rules.game import System
from tests.kiosk.desk import post, send
from tests.kiosk.web.test_own_character import form_in
from tests.kiosk.web.test_pages import ATTRIBUTES, DISCIPLINES, press, read, set_up, words

CARD = {
    "character_name": "Brack",
    "standing": "notable_npc",
    "player_id": "",
    **{f"attribute_{name}": str(value) for name, value in ATTRIBUTES.items()},
    **{f"discipline_{name}": str(value) for name, value in DISCIPLINES.items()},
}
SHIP = {
    "ship_name": "Far Lantern",
    "scale": "4",
    **{f"system_{name}": "9" for name in ("communications", "computers", "engines", "sensors", "structure", "weapons")},
    **{f"department_{name}": str(value) for name, value in DISCIPLINES.items()},
}


def test_a_characters_weapons_and_abilities_are_saved_and_shown_again(client: FlaskClient) -> None:
    set_up(client)
    lines = "Fast Recovery 2\nExtraordinary Attribute 1: daring\nMenacing"
    more = {"fights": "yes", "weapon_blade": "yes", "stress_max": "14", "resistance": "1", "abilities": lines}
    status, page = press(client, "character", back="/setup", **CARD, **more)
    assert status == 200, words(page)
    brack = client.get("/api/v1/table").get_json()["table"]["characters"][-1]
    assert brack["weapons"] == ["blade"]
    assert brack["abilities"] == [
        {"name": "fast_recovery", "amount": 2, "note": ""},
        {"name": "extraordinary_attribute", "amount": 1, "note": "daring"},
        {"name": "menacing", "amount": 0, "note": ""},
    ]
    assert (brack["body"]["stress_max"], brack["body"]["resistance"]) == (14, 1)
    page = read(client, f"/setup?character={brack['character_id']}")
    assert lines in page
    assert 'name="weapon_blade" value="yes" checked' in page


def test_a_form_without_these_fields_changes_none_of_them(client: FlaskClient) -> None:
    set_up(client)
    press(client, "character", back="/setup", **CARD, fights="yes", weapon_blade="yes", abilities="", resistance="0")
    brack = client.get("/api/v1/table").get_json()["table"]["characters"][-1]
    press(client, "character", back="/setup", **CARD, character_id=brack["character_id"])
    assert client.get("/api/v1/table").get_json()["table"]["characters"][-1]["weapons"] == ["blade"]


def test_a_ships_crew_and_weapons_are_saved_and_shown_again(client: FlaskClient) -> None:
    set_up(client)
    lines = "Phasers; energy; 7; medium; piercing 2, high yield\nTorpedoes; torpedo; 5; long"
    status, page = press(client, "ship", back="/setup", **SHIP, fights="yes", crew="talented", ship_weapons=lines)
    assert status == 200, words(page)
    (ship,) = client.get("/api/v1/table").get_json()["table"]["ships"]
    assert ship["crew"] == "talented"
    assert ship["weapons"][0]["effects"] == [{"name": "piercing", "amount": 2}]
    assert ship["weapons"][0]["qualities"] == [{"name": "high_yield", "amount": 0}]
    assert lines in read(client, f"/setup?ship={ship['ship_id']}")


def saved_ship(client: FlaskClient) -> dict[str, Any]:
    (ship,) = client.get("/api/v1/table").get_json()["table"]["ships"]
    return dict(ship)


@pytest.mark.parametrize("ruleset", ["starter", "core-1e", "second-edition"])
def test_a_ships_own_numbers_stay_as_its_form_is_saved(client: FlaskClient, ruleset: str) -> None:
    set_up(client)
    send(client, "set_up_table", ruleset=ruleset, players=["Ada"])
    card = {"systems": {one.value: 9 for one in System}, "departments": DISCIPLINES, "crew": "talented"}
    own = {"shields": 21, "resistance": 6, "power": 11, "crew_support": 0}
    send(client, "save_ship", name="Far Lantern", scale=4, **card, **own)
    before = saved_ship(client)
    path = f"/setup?ship={before['ship_id']}"
    form = form_in(read(client, path), "ship")
    shown = {name: form[name] for name in own if name in form}
    assert shown == {name: str(own[name]) for name in own if name != "power" or ruleset != "second-edition"}
    assert json.loads(form["seen"]) | shown == json.loads(form["seen"])
    assert press(client, "ship", **form)[0] == 200
    assert saved_ship(client) == before
    press(client, "ship", **form_in(read(client, path), "ship") | {"system_structure": "12", "resistance": ""})
    state = saved_ship(client)["state"]
    assert (state["shields_max"], state["power_max"], state["crew_support_max"]) == (21, 11, 0)
    assert state["resistance"] == 4, "an empty field follows the ratings"
    assert form_in(read(client, path), "ship")["resistance"] == ""


def test_a_ships_form_without_these_fields_changes_none_of_them(client: FlaskClient) -> None:
    set_up(client)
    own = {"crew": "talented", "shields": "20", "ship_weapons": "Phasers; energy; 7"}
    press(client, "ship", back="/setup", **SHIP, fights="yes", **own)
    before = saved_ship(client)
    press(client, "ship", back="/setup", **SHIP, ship_id=before["ship_id"])
    assert saved_ship(client) == before
    assert (before["crew"], before["state"]["shields_max"]) == ("talented", 20)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Phasers", "name; energy or torpedo; rating; range; effects"),
        ("Phasers; magic; 7", "energy or torpedo, not 'magic'"),
        ("Phasers; energy; seven", "a whole number, not 'seven'"),
        ("Phasers; energy; 7; here", "not 'here'"),
    ],
)
def test_a_weapon_that_cannot_be_read_is_said_in_words(client: FlaskClient, line: str, said: str) -> None:
    set_up(client)
    status, page = press(client, "ship", back="/setup", **SHIP, fights="yes", ship_weapons=line)
    assert status == 400
    assert said in words(page)


@pytest.mark.parametrize("line", ["Phasers", "Phasers; magic; 7", "Phasers; energy; seven", "Phasers; energy; 7; here"])
def test_it_is_said_in_the_language_of_whoever_typed_it(client: FlaskClient, line: str) -> None:
    set_up(client)
    post(client, "/api/v1/listener", {"language": "de"})
    status, page = press(client, "ship", back="/setup", **SHIP, fights="yes", ship_weapons=line)
    assert status == 400
    assert any(words in page for words in ("Eine Schiffswaffe", "Eine Entfernung"))


def test_an_ability_of_no_table_is_said_in_words(client: FlaskClient) -> None:
    set_up(client)
    status, page = press(client, "character", back="/setup", **CARD, fights="yes", abilities="Flying 2")
    assert status == 400
    assert "No special ability is called 'Flying'" in words(page)


@pytest.mark.parametrize("typed", ["12345678901", "-12345678901"])
def test_a_long_number_is_never_cut_short(typed: str) -> None:
    assert whole({"stress": typed}, "stress") == int(typed)
    with pytest.raises(WireError, match="whole number"):
        whole({"stress": typed * 1_000}, "stress")
