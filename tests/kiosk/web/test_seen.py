"""Two pages change the same character or ship: nothing that one of them saved is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from rules.game import System
from tests.kiosk.desk import Desk, got, send
from tests.kiosk.web.test_own_character import form_in, joined, made, sheet
from tests.kiosk.web.test_pages import words
from tests.kiosk.web.test_person_pages import BROWSER
from tests.kiosk.web.test_persons import opened


def form_of(client: FlaskClient, path: str, action: str) -> dict[str, str]:
    return form_in(client.get(path, headers=BROWSER).text, action)


def named(client: FlaskClient, name: str, kind: str = "characters") -> dict[str, Any]:
    found = (one for one in got(client, "/api/v1/table")["table"][kind] if one["name"] == name)
    return next(found, {})


def card_form(desk: Desk, card: dict[str, Any]) -> dict[str, str]:
    return form_of(desk.client(), f"/setup?character={card['character_id']}", "character")


def save(client: FlaskClient, form: dict[str, str], action: str = "character") -> tuple[int, str]:
    """What came of a form, and its page."""
    answer = client.post(f"/text/{action}", data=form, headers=BROWSER)
    return answer.status_code, answer.text


def two_pages(desk: Desk) -> tuple[FlaskClient, dict[str, Any]]:
    send(desk.client(), "set_up_table", ruleset="core-1e", players=["Sam", "Kim"])
    sam = joined(desk, "Sam")
    return sam, made(sam, "T'Lan", "No signal is noise")


def test_a_form_that_changes_nothing_asks_for_what_is_there() -> None:
    """What a form says that it saw is what it shows, for every field."""
    with opened() as desk:
        sam, card = two_pages(desk)
        kit = {"weapons": ["phaser_type_1"], "abilities": [{"name": "fast_recovery", "amount": 2, "note": ""}]}
        known = {name: card[name] for name in ("name", "attributes", "disciplines", "character_id", "player_id")}
        send(desk.client(), "save_character", **known, **kit, focuses=["Chess"], values=["A & B", "<C>"], resistance=1)
        before = named(sam, "T'Lan")
        for client, form in ((sam, sheet(sam)), (desk.client(), card_form(desk, card))):
            seen = json.loads(form["seen"])
            for name, shown in form.items():
                assert seen.get(name, shown) == shown, name
            assert save(client, form)[0] == 303
            assert named(sam, "T'Lan") == before


@pytest.mark.parametrize("where", ["sheet", "setup"])
def test_what_another_page_saved_meanwhile_stays(where: str) -> None:
    with opened() as desk:
        sam, card = two_pages(desk)
        kiosk = desk.client()
        late = sheet(sam) if where == "sheet" else card_form(desk, card)
        other = card_form(desk, card) | {"focuses": "Xenology", "values": "No signal is noise\nHome is the crew"}
        assert save(kiosk, other | {"attribute_daring": "9", "weapon_phaser_type_1": "yes"})[0] == 303
        typed = {"character_name": "T'Lan of Vega", "values": "No signal is noise\nAsk twice", "attribute_reason": "12"}
        assert save(sam if where == "sheet" else kiosk, late | typed)[0] == 303
        now = named(sam, "T'Lan of Vega")
        assert now["focuses"] == ["Xenology"]
        assert [one["text"] for one in now["values"]] == ["No signal is noise", "Home is the crew", "Ask twice"]
        assert (now["attributes"]["daring"], now["attributes"]["reason"]) == (9, 12)
        assert now["weapons"] == ["phaser_type_1"]


def test_a_line_that_was_taken_out_stays_out() -> None:
    with opened() as desk:
        sam, card = two_pages(desk)
        assert save(sam, sheet(sam) | {"focuses": "Chess\nXenology\nOptics"})[0] == 303
        late = sheet(sam)
        assert save(desk.client(), card_form(desk, card) | {"focuses": "Chess\nXenology\nBotany"})[0] == 303
        assert save(sam, late | {"focuses": "Xenology\nOptics"})[0] == 303
        assert named(sam, "T'Lan")["focuses"] == ["Xenology", "Botany"]


def test_a_number_that_both_changed_is_refused_once_with_what_it_is_now() -> None:
    with opened() as desk:
        sam, card = two_pages(desk)
        late = sheet(sam)
        other = {"attribute_reason": "9", "discipline_science": "4", "focuses": "Xenology"}
        assert save(desk.client(), card_form(desk, card) | other)[0] == 303
        status, page = save(sam, late | {"attribute_reason": "12", "character_name": "T'Lan of Vega"})
        assert status == 409
        assert "T'Lan was changed meanwhile. Now it is Reason: 9. What you typed still stands here" in words(page)
        again = form_in(page, "character")
        assert (again["attribute_reason"], again["discipline_science"]) == ("12", "4")
        assert (again["character_name"], again["focuses"]) == ("T'Lan of Vega", "Xenology")
        assert save(sam, again)[0] == 303
        now = named(sam, "T'Lan of Vega")
        assert (now["attributes"]["reason"], now["disciplines"]["science"], now["focuses"]) == (12, 4, ["Xenology"])


def test_a_ships_form_keeps_what_another_page_saved() -> None:
    with opened() as desk:
        two_pages(desk)
        kiosk = desk.client()
        card = {"systems": dict.fromkeys([one.value for one in System], 8)}
        card |= {"departments": dict.fromkeys(named(kiosk, "T'Lan")["disciplines"], 2)}
        phasers = {"name": "Phasers", "kind": "energy", "rating": 7, "optimal_range": "medium"}
        send(kiosk, "save_ship", name="Kestrel", scale=4, weapons=[phasers], **card)
        before = named(kiosk, "Kestrel", "ships")
        path = f"/setup?ship={before['ship_id']}"
        late = form_of(kiosk, path, "ship")
        assert save(kiosk, late, "ship")[0] == 303
        assert named(kiosk, "Kestrel", "ships") == before
        lance = late["ship_weapons"] + "\nLance; energy; 9; long"
        assert save(kiosk, form_of(kiosk, path, "ship") | {"scale": "5", "ship_weapons": lance}, "ship")[0] == 303
        assert save(kiosk, late | {"system_engines": "10"}, "ship")[0] == 303
        now = named(kiosk, "Kestrel", "ships")
        assert (now["scale"], now["systems"]["engines"], len(now["weapons"])) == (5, 10, 2)
        status, page = save(kiosk, late | {"scale": "6"}, "ship")
        assert (status, "Kestrel was changed meanwhile. Now it is Scale: 5." in words(page)) == (409, True)


def test_a_mark_that_cannot_be_read_is_refused_in_words() -> None:
    with opened() as desk:
        sam, _ = two_pages(desk)
        status, page = save(sam, sheet(sam) | {"seen": '["a"'})
        assert (status, "too old or not from this kiosk" in words(page)) == (400, True)
        assert '<h3 id="change-title"' in page
