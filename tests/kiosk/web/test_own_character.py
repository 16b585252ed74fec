"""What a player makes of their own character on a phone: a Value at once, and all of its card changed on the Sheet."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.kiosk.desk import TABLE_CODE, Desk, got, send
from tests.kiosk.web.test_pages import Outline, words
from tests.kiosk.web.test_person_pages import phone_of, read, sent
from tests.kiosk.web.test_persons import opened

NO_VALUE = "No Value yet: Determination needs one."
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


def sheet(phone: FlaskClient) -> dict[str, str]:
    """The form by which the Sheet is changed, as it stands."""
    page = read(phone, "/play/sheet?change=yes")
    form = page.partition('action="/text/character"')[2].partition("</form>")[0]
    fields = {str(one["name"]): str(one["value"]) for one in Outline(form).all("input")}
    lists = re.findall(r'<select id="\w+" name="(\w+)">.*?value="(\d+)" selected', form, re.DOTALL)
    return fields | dict(lists) | dict(re.findall(r'<textarea id="\w+" name="(\w+)"[^>]*>([^<]*)</textarea>', form))


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
        assert sent(sam, "/text/character", "/play/sheet", **changed)[:2] == (
            303,
            f"/play/sheet?me={before['character_id']}",
        )
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
