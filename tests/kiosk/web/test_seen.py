"""Two pages change the same character or ship: nothing that one of them saved is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from rules.game import System
from tests.kiosk.desk import Desk, got, post, send
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
        late = form_of(kiosk, path, "ship") | {"shields": "30"}
        assert save(kiosk, form_of(kiosk, path, "ship") | {"shields": "20"}, "ship")[0] == 303
        assert "Now it is Shields: 20." in words(save(kiosk, late, "ship")[1])
        late = form_of(kiosk, path, "ship") | {"shields": "30"}
        assert save(kiosk, form_of(kiosk, path, "ship") | {"shields": ""}, "ship")[0] == 303
        assert "Now it is Shields: what its ratings give." in words(save(kiosk, late, "ship")[1])


def replacing(card: dict[str, Any], **changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field of a card
    """What a program sends that changes something of the card that it saw."""
    known = {name: card[name] for name in ("name", "attributes", "disciplines", "focuses", "character_id", "player_id")}
    values = [one["text"] for one in card["values"]]
    return {"command": "save_character", **known, "values": values, **changes}


def test_a_program_that_says_what_it_saw_takes_nothing_back_that_others_saved() -> None:
    with opened() as desk:
        sam, card = two_pages(desk)
        kiosk = desk.client()
        other = {"focuses": "Xenology", "attribute_reason": "9", "weapon_phaser_type_2": "yes"}
        assert save(kiosk, card_form(desk, card) | other)[0] == 303
        saved = named(sam, "T'Lan")
        late = replacing(card, name="T'Lan of Vega")
        status, told = post(kiosk, "/api/v1/commands", late | {"seen": card})
        assert (status, told["type"], named(sam, "T'Lan")) == (409, "/problems/gone-on", saved)
        for now in ("T'Lan was changed meanwhile. Now it is ", "Reason: 9", "Focuses: Xenology"):
            assert now in told["detail"]
        assert told["detail"].endswith(". Read the table again before you replace it.")
        assert "Phaser" not in told["detail"], "a command without weapons keeps them"
        late["weapons"] = []
        told = post(kiosk, "/api/v1/commands", late | {"seen": card})[1]
        assert "Phaser type 2: yes" in told["detail"]
        assert post(kiosk, "/api/v1/commands", replacing(saved, name="T'Lan of Vega", seen=saved))[0] == 200
        assert named(sam, "T'Lan of Vega")["attributes"]["reason"] == 9


def test_what_a_program_leaves_as_it_is_or_does_not_say_that_it_saw_is_saved() -> None:
    with opened() as desk:
        sam, card = two_pages(desk)
        kiosk = desk.client()
        assert save(kiosk, card_form(desk, card) | {"focuses": "Xenology"})[0] == 303
        alike = replacing(card, focuses=["Xenology"], name="T'Lan of Vega", seen=card)
        assert post(kiosk, "/api/v1/commands", alike)[0] == 200
        assert named(sam, "T'Lan of Vega")["focuses"] == ["Xenology"]
        assert post(kiosk, "/api/v1/commands", replacing(card))[0] == 200, "without it the last one wins, as before"
        assert named(sam, "T'Lan")["focuses"] == card["focuses"]
        status, told = post(kiosk, "/api/v1/commands", replacing(card, seen={"name": "T'Lan"}))
        assert (status, told["type"]) == (400, "/problems/wrong-shape")


def test_a_program_takes_nothing_back_of_a_ship_either() -> None:
    with opened() as desk:
        two_pages(desk)
        kiosk = desk.client()
        card = {"systems": dict.fromkeys([one.value for one in System], 8)}
        card |= {"departments": dict.fromkeys(named(kiosk, "T'Lan")["disciplines"], 2)}
        send(kiosk, "save_ship", name="Raider", scale=3, crew="basic", **card)
        seen = named(kiosk, "Raider", "ships")
        kept = {"command": "save_ship", "name": "Raider", "ship_id": seen["ship_id"], "scale": 3, **card}
        assert post(kiosk, "/api/v1/commands", kept | {"crew": "talented"})[0] == 200
        status, told = post(kiosk, "/api/v1/commands", kept | {"crew": "basic", "scale": 4, "seen": seen})
        assert (status, "Raider was changed meanwhile. Now it is Crew: Talented." in told["detail"]) == (409, True)
        assert post(kiosk, "/api/v1/commands", kept | {"crew": "talented", "scale": 4, "seen": seen})[0] == 200


def test_a_program_takes_back_no_number_of_a_ship_that_another_gave_it() -> None:
    """Left out, a number follows the ratings: it would take back what another program saved."""
    with opened() as desk:
        kiosk = desk.client()
        two_pages(desk)
        card = {"systems": dict.fromkeys([one.value for one in System], 8)}
        card |= {"departments": dict.fromkeys(named(kiosk, "T'Lan")["disciplines"], 2)}
        send(kiosk, "save_ship", name="Bold", scale=3, **card)
        seen = named(kiosk, "Bold", "ships")
        late = {"command": "save_ship", "name": "Bold", "ship_id": seen["ship_id"], "scale": 3, **card}
        own = {"shields": 19, "resistance": 7, "power": 12, "crew_support": 5}
        assert post(kiosk, "/api/v1/commands", late | own)[0] == 200
        saved = named(kiosk, "Bold", "ships")
        for name, number in own.items():
            kept = {each: value for each, value in own.items() if each != name}
            status, told = post(kiosk, "/api/v1/commands", late | kept | {"seen": seen})
            words = f"Now it is {name.capitalize().replace('_', ' ')}: {number}."
            assert (status, words in told["detail"]) == (409, True), told
        assert named(kiosk, "Bold", "ships") == saved
        assert post(kiosk, "/api/v1/commands", late | own | {"seen": seen})[0] == 200, "both saved alike"
        again = named(kiosk, "Bold", "ships")
        assert post(kiosk, "/api/v1/commands", late | {"seen": again})[0] == 200, "who has seen them may take them back"
        assert named(kiosk, "Bold", "ships")["state"]["shields_max"] == seen["state"]["shields_max"]


@pytest.mark.parametrize("other", ["nobody", ""])
def test_what_was_seen_is_what_is_replaced(other: str) -> None:
    """The card of another character says nothing of what others saved of this one."""
    with opened() as desk:
        sam, card = two_pages(desk)
        kiosk = desk.client()
        assert save(kiosk, card_form(desk, card) | {"focuses": "Xenology"})[0] == 303
        late = replacing(card, name="T'Lan of Vega", seen=card | {"character_id": other})
        status, told = post(kiosk, "/api/v1/commands", late)
        assert (status, told["type"]) == (400, "/problems/wrong-shape"), told
        assert "has another id than what you replace" in told["detail"]
        assert named(sam, "T'Lan")["focuses"] == ["Xenology"]


def test_a_mark_that_cannot_be_read_is_refused_in_words() -> None:
    with opened() as desk:
        sam, _ = two_pages(desk)
        status, page = save(sam, sheet(sam) | {"seen": '["a"'})
        assert (status, "too old or not from this kiosk" in words(page)) == (400, True)
        assert '<h3 id="change-title"' in page
