"""Several declare on their phones: who declares meanwhile stands in line, and begins by itself (docs/declaring.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import Any
from urllib.parse import urlencode

from kiosk.web.declaring_form import QUICK_HELPERS
from tests.kiosk.desk import got, send
from tests.kiosk.web.test_api import DECLARATION
from tests.kiosk.web.test_persons import Phone, opened, two


def table_of(phone: Phone) -> dict[str, Any]:
    return dict(got(phone.client, "/api/v1/table")["table"])


def page(phone: Phone, path: str) -> str:
    return phone.client.get(path).get_data(as_text=True)


def test_a_second_phone_declares_while_dice_are_awaited() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        sam, ana = Phone(desk, name="Sam"), Phone(desk, name="Ana")
        sam.take(okafor)
        ana.take(reed)
        assert "Declare it for later" not in page(ana, f"/play?declare=yes&character_id={reed}")
        sam.asks("declare_task", declaration={"character_id": okafor, **DECLARATION})
        assert "declare-open" not in page(sam, "/play"), "whose dice are awaited throws them first"
        form = page(ana, f"/play?declare=yes&character_id={reed}")
        assert "Declare it for later" in form
        assert "Target Number" in form
        fields = {"line": "yes", "rolled": "yes", "character_id": reed, "attribute": "control", "discipline": "command"}
        fields |= {"difficulty": "2", "complication_range": "1"}
        answer = ana.client.post("/text/declare", data=fields, headers={"X-Trueroll": "1"})
        assert answer.status_code == 200, answer.get_data(as_text=True)
        assert [one["character_id"] for one in table_of(ana)["in_line"]] == [reed]
        assert "Reed, Control + Command, Difficulty 2" in page(ana, "/display")
        told, _, stands = page(ana, "/play").partition('id="actions"')[2].partition('id="declare"')
        assert len(re.findall("begins by itself", told)) == 1
        assert "begins by itself" not in stands, "that is said once"
        assert "Another Task in its place" in stands, "a newer one takes it"
        assert "Declare the next Task" not in stands
        assert 'id="presets"' not in stands
        assert sam.asks("leave_line", character_id=reed)[0] == 403, "it is Ana's"
        request = table_of(sam)["request"]["number"]
        sam.asks("enter_dice", request=request, faces=[1, 1])
        assert "Go on now: Ada" not in page(ana, "/play"), "only Sam or the gamemaster ends what Sam can still buy"
        sam.asks("undo")
        sam.asks("enter_dice", request=request, faces=[19, 19])  # nothing can be bought on it
        task = table_of(ana)["task"]
        assert (task["declaration"]["character_id"], task["phase"]) == (reed, "awaiting_dice")
        assert table_of(ana)["in_line"] == []


def test_at_a_large_table_eight_helpers_are_one_tap_and_the_others_in_a_list() -> None:
    with opened() as desk:
        client = desk.client()
        okafor, _ = two(client)
        card = got(client, "/api/v1/table")["table"]["characters"][0]
        for number in range(12):
            numbers = {name: card[name] for name in ("attributes", "disciplines")}
            send(client, "save_character", name=f"Ensign {number}", **numbers)
        sam = Phone(desk, name="Sam")
        sam.take(okafor)
        form = f"declare=yes&more=yes&character_id={okafor}"
        assert page(sam, f"/text?{form}").count(" helps</span>") == QUICK_HELPERS
        helpers = page(sam, f"/play?{form}&part=helpers")
        assert all(f">Ensign {number}</option>" in helpers for number in range(12))


def test_at_the_kiosks_own_screen_a_player_waits_for_another_persons_outcome() -> None:
    with opened() as desk:
        own = desk.client()
        okafor, reed = two(own)
        sam = Phone(desk, name="Sam")
        sam.take(okafor)
        sam.asks("declare_task", declaration={"character_id": okafor, **DECLARATION})
        sam.asks("enter_dice", request=table_of(sam)["request"]["number"], faces=[1, 1])
        query = f"declare=yes&me={reed}&character_id={reed}"
        assert "Declare it for later" in own.get(f"/play?{query}").text
        assert "Declare it for later" in got(own, f"/parts/declare?page=phone&{query}")["declare"]
        assert "Declare it for later" not in own.get(f"/gm?{query}").text
        fields = {"rolled": "yes", "character_id": reed, "attribute": "control", "discipline": "command"}
        fields |= {"difficulty": "2", "complication_range": "1", "back": "/play"}
        assert own.post("/text/declare", data=fields, headers={"X-Trueroll": "1"}).status_code == 200
        assert [one["character_id"] for one in table_of(sam)["in_line"]] == [reed]
        assert table_of(sam)["task"]["declaration"]["character_id"] == okafor


def test_nobody_acts_for_anothers_place_in_line_or_for_an_npc() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        card = table_of(Phone(desk, name="Bob"))["characters"][0]
        numbers = {"attributes": card["attributes"], "disciplines": card["disciplines"]}
        send(desk.client(), "save_character", name="Brack", standing="notable_npc", **numbers)
        brack = got(desk.client(), "/api/v1/table")["table"]["characters"][2]["character_id"]
        sam, ana, bob = (Phone(desk, name=name) for name in ("Sam", "Ana", "Bob"))
        master = Phone(desk, gamemaster=True)
        sam.take(okafor)
        ana.take(reed)
        sam.asks("declare_task", declaration={"character_id": okafor, **DECLARATION})
        for command in ("line_up", "declare_task"):
            assert ana.asks(command, declaration={"character_id": brack, **DECLARATION})[0] == 403
        assert master.asks("line_up", declaration={"character_id": brack, **DECLARATION})[0] == 200
        assert bob.asks("leave_line", character_id=brack)[0] == 403
        assert ana.asks("line_up", declaration={"character_id": reed, **DECLARATION})[0] == 200
        assert "Take back Reed" not in page(sam, f"/play?me={okafor}")
        assert "Take it back" in page(ana, f"/play?me={reed}")


def test_what_cannot_be_a_task_is_refused_before_any_page_shows_it() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        sam = Phone(desk, name="Sam")
        sam.asks("declare_task", declaration={"character_id": okafor, **DECLARATION})
        assert sam.asks("line_up", declaration={"character_id": reed, "difficulty": 1, "rolled": True})[0] == 409
        for path in ("/play", "/display", "/text", "/gm", "/api/v1/table"):
            assert sam.client.get(path).status_code in {200, 302, 403}, path


def test_work_on_an_extended_task_stands_in_line_too() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        sam, ana, master = Phone(desk, name="Sam"), Phone(desk, name="Ana"), Phone(desk, gamemaster=True)
        sam.take(okafor)
        ana.take(reed)
        master.asks("begin_extended_task", label="Mend the relay", work=8, magnitude=2, difficulty=2)
        sam.asks("declare_task", declaration={"character_id": okafor, **DECLARATION})
        assert "Mend the relay" in page(ana, f"/play?me={reed}"), "it is offered while another's dice are awaited"
        form = page(ana, f"/conflict?who={reed}&deed=personal/extended")
        assert "For later: Work on an Extended Task" in form
        assert "For later: " not in page(sam, f"/conflict?who={okafor}&deed=personal/extended")
        track = table_of(ana)["extended"][0]["track_id"]
        fields = {"line": "yes", "who": reed, "character_id": reed, "deed": "extended", "scope": "personal"}
        fields |= {"target_id": track, "attribute": "control", "discipline": "engineering"}
        answer = ana.client.post("/text/act", data=fields, headers={"X-Trueroll": "1"})
        assert answer.status_code == 200, answer.get_data(as_text=True)
        assert [one["label"] for one in table_of(ana)["in_line"]] == ["Mend the relay"]
        request = table_of(sam)["request"]["number"]
        sam.asks("enter_dice", request=request, faces=[19, 19])
        sam.asks("finish_spending")
        task = table_of(ana)["task"]
        assert (task["who"], task["difficulty"], task["phase"]) == ("Reed", 2, "awaiting_dice")


def test_dice_of_a_task_that_is_over_are_put_right_although_challenge_dice_were_thrown_before() -> None:
    with opened() as desk:
        okafor, _ = two(desk.client())
        sam = Phone(desk, name="Sam")
        sam.take(okafor)
        sam.asks("declare_challenge", count=1)
        sam.asks("enter_dice", request=table_of(sam)["request"]["number"], faces=[2])
        sam.asks("declare_task", declaration={"character_id": okafor, **DECLARATION})
        sam.asks("enter_dice", request=table_of(sam)["request"]["number"], faces=[19, 18])
        assert table_of(sam)["challenge"]["closed"]
        assert table_of(sam)["task"] is None, "nothing can be bought on it"
        shown = page(sam, "/play")
        assert "Die 1: 19" in shown
        assert "Die 2: 18" in shown


def test_an_open_form_says_that_the_table_has_gone_on_and_never_becomes_another_task() -> None:
    """What is asked for with the fields of the form, as a phone does with each change of the table."""

    def form_of(phone: Phone, fields: Mapping[str, str]) -> str:
        query = urlencode({"page": "phone", **fields})
        return str(got(phone.client, f"/parts/declare?{query}").get("declare", ""))

    def fields_of(form: str) -> dict[str, str]:
        marked = re.findall(r'<input type="hidden"[^>]*name="(\w+)" value="([^"]*)"', form)
        lists = re.findall(r'<select id="\w+" name="(\w+)">.*?<option value="([^"]*)" selected>', form)
        return dict([*marked, *lists])

    with opened() as desk:
        okafor, reed = two(desk.client())
        sam, ana = Phone(desk, name="Sam"), Phone(desk, name="Ana")
        sam.take(okafor)
        ana.take(reed)
        mine = fields_of(form_of(ana, {"declare": "yes", "me": reed, "character_id": reed}))
        mine |= {"attribute": "insight", "discipline": "conn"}
        sam.asks("declare_task", declaration={"character_id": okafor, **DECLARATION, "opposed": True})
        sam.asks("enter_dice", request=table_of(sam)["request"]["number"], faces=[1, 19])
        gone = unescape(form_of(ana, mine))
        assert re.search("The table has gone on: Ada .* waits for the other side's Task[.]", gone)
        assert 'id="declare-now"' not in gone, "the same tap in the same place does nothing else"
        kept = fields_of(gone)
        assert (kept["attribute"], kept["discipline"], kept["character_id"]) == ("insight", "conn", reed)
        other = unescape(form_of(ana, {**kept, "as_now": "yes"}))
        assert "Declare the other side's Task" in other
        assert 'id="declare-now"' in other
        assert fields_of(other)["side"] == "other"
        assert (sam.asks("undo")[0], sam.asks("undo")[0]) == (200, 200)
        again = form_of(ana, kept)
        assert 'id="declare-now"' in again
        assert 'value="insight" selected' in again
        ended = unescape(form_of(ana, fields_of(other)))
        assert "nobody waits for the other side's Task any more" in ended


def test_an_open_form_keeps_its_character() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        sam, master = Phone(desk, name="Sam"), Phone(desk, gamemaster=True)
        sam.take(okafor)
        master.asks("declare_task", declaration={"character_id": okafor, **DECLARATION, "opposed": True})
        master.asks("enter_dice", request=table_of(sam)["request"]["number"], faces=[1, 19])
        shown = page(master, f"/text?declare=yes&character_id={okafor}")
        assert re.search("The table has gone on: Ada .* cannot declare a Task now[.]", shown)
        assert f'name="character_id" value="{okafor}"' in shown
        assert f'value="{reed}" selected' not in shown.partition('id="declare-form"')[2].partition("</form>")[0]
