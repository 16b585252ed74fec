"""Cards for fights on the set-up page: what is typed comes back as it was, and what is wrong is said in words."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from kiosk.errors import WireError
from kiosk.web.form_fields import whole
from tests.kiosk.desk import post
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
