"""What a player makes of their own character on a phone: a Value at once, and all of its card changed on the Sheet."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.kiosk.desk import GAMEMASTER_CODE, TABLE_CODE, Desk, got, post, send
from tests.kiosk.web.test_pages import Outline, words
from tests.kiosk.web.test_person_pages import BROWSER, phone_of, read, sent
from tests.kiosk.web.test_persons import opened

NO_VALUE = "No Value yet: Determination needs one."
GIVEN = re.compile(r'<textarea id="\w+" name="(\w+)"[^>]*>([^<]*)</textarea>')
LIST = re.compile(r'<select id="[\w-]+" name="(\w+)">(.*?)</select>', re.DOTALL)
CHOSEN = re.compile(r'value="([^"]*)" selected')
CONFIRMED = re.compile(r'<p class="caption" id="done".*?</p>')
RULESETS = ("starter", "core-1e", "second-edition")


def joined(desk: Desk, name: str) -> FlaskClient:
    phone = phone_of(desk)
    assert sent(phone, "/text/join", "/join", name=name, code=TABLE_CODE)[0] == 303
    return phone


def made(phone: FlaskClient, name: str, value: str = "") -> dict[str, Any]:
    """The character that a phone makes in one step."""
    form = {"character_name": name, "character_value": value, "make": "science"}
    status, onward, page = sent(phone, "/me", **form)
    assert (status, onward) == (303, "/play"), words(page)
    found: dict[str, Any] = got(phone, "/api/v1/table")["table"]["characters"][-1]
    return found


def form_in(page: str, action: str) -> dict[str, str]:
    """The form for `action` on a page, as a browser sends it untouched."""
    form = page.partition(f'action="/text/{action}"')[2].partition("</form>")[0]
    inputs = [one for one in Outline(form).all("input") if one.get("type") != "checkbox" or "checked" in one]
    chosen = {name: (CHOSEN.findall(options) or [""])[0] for name, options in LIST.findall(form)}
    texts = {name: unescape(text) for name, text in GIVEN.findall(form)}
    return {str(one["name"]): str(one["value"]) for one in inputs} | chosen | texts


def sheet(phone: FlaskClient) -> dict[str, str]:
    """The form by which the Sheet is changed, as it stands."""
    return form_in(phone.get("/play/sheet?change=yes", headers=BROWSER).text, "character")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_value_is_given_at_making_and_buys_determination(ruleset: str) -> None:
    with opened() as desk:
        send(desk.client(), "set_up_table", ruleset=ruleset, players=["Sam", "Kim"])
        sam, kim = joined(desk, "Sam"), joined(desk, "Kim")
        t_lan, oda = made(sam, "T'Lan", "No signal is noise"), made(kim, "Oda")
        assert [one["text"] for one in t_lan["values"]] == ["No signal is noise"]
        assert oda["values"] == []
        buys = 'value="determination/yes"'
        assert buys in read(sam, f"/play?declare=yes&character_id={t_lan['character_id']}")
        assert NO_VALUE not in words(read(sam, "/play/sheet"))
        page = read(kim, f"/play?declare=yes&character_id={oda['character_id']}")
        assert buys not in page
        assert NO_VALUE in words(page)
        page = read(kim, "/play/sheet")
        assert NO_VALUE in words(page)
        (way,) = re.findall(r'<a href="([^"]*)">Add a Value</a>', page)
        assert 'name="values"' in read(kim, way.replace("&amp;", "&"))
        status, _, page = sent(kim, "/text/character", "/play/sheet", **sheet(kim) | {"values": "Home is the crew"})
        assert status == 303, words(page)
        assert buys in read(kim, f"/play?declare=yes&character_id={oda['character_id']}")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_owner_changes_the_card_within_the_rules_and_takes_it_back(ruleset: str) -> None:
    """CHAR-1 to CHAR-4: what the Sheet shows is changed there; weapons, Stress lost and Determination stay."""
    with opened() as desk:
        send(desk.client(), "set_up_table", ruleset=ruleset, players=["Sam", "Kim"])
        sam, kim = joined(desk, "Sam"), joined(desk, "Kim")
        before = made(sam, "T'Lan", "No signal is noise")
        made(kim, "Oda")
        assert "The Sheet changes those" in read(joined(desk, "Lee"), "/me")
        now = sheet(sam)
        assert (now["attribute_reason"], now["discipline_science"]) == ("11", "5")
        status, _, page = sent(sam, "/text/character", "/play/sheet", **now | {"attribute_reason": "13"})
        assert (status, "Reason goes from 7 to 12." in words(page)) == (409, True)
        assert '<h3 id="change-title"' in page, "with the form, where it is put right"
        changed = now | {"attribute_reason": "12", "discipline_medicine": "4", "focuses": "Xenology\nChess"}
        status, onward, _ = sent(sam, "/text/character", "/play/sheet", **changed)
        assert (status, onward.partition("&")[0]) == (303, f"/play/sheet?me={before['character_id']}")
        done = CONFIRMED.search(sam.get(onward, headers=BROWSER).text)
        assert done is not None
        assert words(done[0]) == "T'Lan is changed."
        assert "autofocus" in done[0]
        assert not CONFIRMED.search(sam.get("/play/sheet", headers=BROWSER).text)
        (after,) = (one for one in got(sam, "/api/v1/table")["table"]["characters"] if one["name"] == "T'Lan")
        assert after["focuses"] == ["Xenology", "Chess"]
        assert (after["attributes"]["reason"], after["disciplines"]["medicine"]) == (12, 4)
        kept = ("weapons", "determination", "values", "player_id", "character_id", "standing", "body")
        assert {one: after[one] for one in kept} == {one: before[one] for one in kept}
        assert sent(kim, "/text/character", "/play/sheet", **changed)[0] == 403, "another's"
        assert sent(kim, "/text/undo", "/play", back="/play", confirmed="yes")[0] == 403
        assert 'action="/text/undo"' in read(sam, "/play/sheet")
        assert sent(sam, "/text/undo", "/play", back="/play/sheet", confirmed="yes")[0] == 303
        assert next(one for one in got(sam, "/api/v1/table")["table"]["characters"] if one["name"] == "T'Lan") == before


def test_a_players_own_form_makes_no_npc_of_a_character() -> None:
    """CHAR-1: an NPC's attributes go to 20. Only the gamemaster and the kiosk itself change what somebody is."""
    with opened() as desk:
        kiosk = desk.client()
        send(kiosk, "set_up_table", ruleset="core-1e", players=["Sam"])
        sam, gamemaster = joined(desk, "Sam"), phone_of(desk)
        before = made(sam, "T'Lan")
        grown = sheet(sam) | {"standing": "notable_npc", "attribute_reason": "20"}
        status, _, page = sent(sam, "/text/character", "/play/sheet", **grown)
        assert (status, "Only the gamemaster makes T'Lan an NPC" in words(page)) == (403, True)
        card = {one: before[one] for one in ("name", "attributes", "disciplines", "character_id", "player_id")}
        by_program = {"command": "save_character", **card, "standing": "notable_npc"}
        assert post(sam, "/api/v1/commands", by_program)[0] == 403
        assert got(sam, "/api/v1/table")["table"]["characters"] == [before]
        here = f"/setup?character={before['character_id']}"
        assert '<select id="standing"' not in sam.get(here, headers=BROWSER).text
        assert '<input type="hidden" name="standing" value="player">' in sam.get(here, headers=BROWSER).text
        assert '<select id="standing"' in kiosk.get(here).text
        sent(gamemaster, "/text/join", "/join", name="Kim", gamemaster_code=GAMEMASTER_CODE)
        by_hand = form_in(gamemaster.get(here, headers=BROWSER).text, "character")
        assert sent(gamemaster, "/text/character", "/setup", **by_hand | {"standing": "notable_npc"})[0] == 303
        assert got(sam, "/api/v1/table")["table"]["characters"][0]["standing"] == "notable_npc"
        send(kiosk, "save_character", **card)
