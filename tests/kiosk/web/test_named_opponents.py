"""The form names who opposes a Task; their phone declares it, no other does, and every page says whose turn it is."""

from __future__ import annotations

import re
from html import unescape

from flask.testing import FlaskClient

from tests.kiosk.desk import got, send
from tests.kiosk.web.test_api import DECLARATION
from tests.kiosk.web.test_conflict_page import crew
from tests.kiosk.web.test_line import page, table_of
from tests.kiosk.web.test_pages import read, words
from tests.kiosk.web.test_persons import Phone, opened, two

FORM = "declare=yes&attribute=control&discipline=command&difficulty=1&complication_range=1"
"""A filled-in form, without who acts."""


def test_the_form_asks_who_opposes_a_task_once_somebody_does(client: FlaskClient) -> None:
    ids = crew(client)
    for path in ("/play", "/gm", "/text"):
        asked = f"{path}?{FORM}&me={ids['Okafor']}&character_id={ids['Okafor']}"
        assert 'name="opponent_id"' not in read(client, asked), path
        form = read(client, f"{asked}&opposed=yes&opponent_id={ids['Lindqvist']}")
        several = form.partition('name="opponent_id"')[2].partition("</select>")[0]
        assert [name for name in ("Somebody else", "Brack", "Lindqvist", "Okafor") if name in several] == [
            "Somebody else", "Brack", "Lindqvist",
        ], path  # fmt: skip
        assert f'value="{ids["Lindqvist"]}" selected' in several, path
    carried = read(client, f"{asked}&opposed=yes&opponent_id={ids['Okafor']}")
    assert 'value="" selected' not in carried
    assert "Nobody opposes their own Task" not in unescape(carried), "whoever acts now was the opponent before"


def test_the_form_declares_whom_it_names(client: FlaskClient) -> None:
    ids = crew(client)
    fields = dict(one.split("=") for one in FORM.split("&")) | {"character_id": ids["Okafor"], "rolled": "yes"}
    for opposed, named in (("yes", ids["Brack"]), ("yes", ""), ("", ids["Brack"])):
        sent = {**fields, "opposed": opposed, "opponent_id": named}
        assert client.post("/text/declare", data=sent, headers={"X-Trueroll": "1"}).status_code == 200
        declared = got(client, "/api/v1/table")["table"]["task"]["declaration"]
        assert (declared["opposed"], declared["opponent_id"]) == (bool(opposed), named if opposed else "")
        send(client, "withdraw_task")
    sent = {**fields, "opposed": "yes", "opponent_id": ids["Brack"]}
    assert client.post("/text/ask_for_task", data=sent, headers={"X-Trueroll": "1"}).status_code == 200
    assert [one["opponent_id"] for one in got(client, "/api/v1/table")["table"]["asked"]] == [ids["Brack"]]
    assert "Against Brack." in read(client, "/display")


def test_the_opponents_phone_throws_and_no_other_does() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        card = got(desk.client(), "/api/v1/table")["table"]["characters"][0]
        numbers = {name: card[name] for name in ("attributes", "disciplines")}
        send(desk.client(), "save_character", name="Tal", **numbers)
        tal = str(got(desk.client(), "/api/v1/table")["table"]["characters"][2]["character_id"])
        sam, ana, kim = Phone(desk, name="Sam"), Phone(desk, name="Ana"), Phone(desk, name="Kim")
        master = Phone(desk, gamemaster=True)
        for phone, who in ((sam, okafor), (ana, reed), (kim, tal)):
            phone.take(who)
        against = {"character_id": okafor, **DECLARATION, "opposed": True, "opponent_id": reed}
        sam.asks("declare_task", declaration=against)
        sam.asks("enter_dice", request=table_of(sam)["request"]["number"], faces=[1, 19])
        name = table_of(sam)["task"]["who"]
        assert "Reed throws against it." in page(sam, "/display")
        asked = unescape(page(ana, f"/play?me={reed}"))
        assert asked.count(f"Declare your Task against {name}") == 1, "what is asked of somebody stands there once"
        assert "Reed throws against it." not in asked
        assert "Reed declares a Task against yours" in page(sam, f"/play?me={okafor}")
        assert 'id="declare-open"' not in page(kim, f"/play?me={tal}")
        shown = words(page(master, "/gm"))
        assert "Declare a Task of Reed against it" in shown
        assert "No foe is at the table" not in shown
        answer = {"character_id": tal, **DECLARATION}
        status, body = kim.asks("declare_task", declaration=answer)
        assert (status, "waits for Reed" in body["detail"]) == (409, True)
        assert kim.asks("declare_task", declaration={**answer, "character_id": reed})[0] == 403
        assert ana.asks("declare_task", declaration={**answer, "character_id": reed})[0] == 200
        assert ana.asks("undo")[0] == 200
        assert master.asks("declare_task", declaration={**answer, "character_id": reed})[0] == 200


def test_the_gamemaster_is_led_to_a_foes_answer_above_all_else_and_told_that_nothing_of_it_is_saved() -> None:
    with opened() as desk:
        ids = crew(desk.client())
        sam, master = Phone(desk, name="Sam"), Phone(desk, gamemaster=True)
        sam.take(ids["Okafor"])
        sam.asks(
            "declare_task",
            declaration={"character_id": ids["Okafor"], **DECLARATION, "opposed": True, "opponent_id": ids["Brack"]},
        )
        sam.asks("enter_dice", request=table_of(sam)["request"]["number"], faces=[19, 18])
        shown = page(master, "/gm")
        assert shown.count('id="declare-open"') == 1
        assert shown.index('id="master-turn"') < shown.index('id="declare-open"') < shown.index('id="actions"')
        assert re.search('id="declare-open" class="button main-action"[^>]*>Declare a Task of Brack against it<', shown)
        assert 'class="unseen">Declare a Task of Brack against it</h2>' in shown, "once in sight"
        master.asks("declare_task", declaration={**DECLARATION, "character_id": ids["Brack"]})
        master.asks("enter_dice", request=table_of(sam)["request"]["number"], faces=[1, 2])
        assert re.search("Brack has [1-9] Momentum to spend; the rest becomes Threat[.]", page(master, "/gm"))


def test_at_whom_a_blow_is_aimed_is_named_and_defends_by_an_action_alone() -> None:
    """ATK-2: a plain Task is no answer to it, so that nothing leads the gamemaster to one."""
    with opened() as desk:
        ids = crew(desk.client())
        master = Phone(desk, gamemaster=True)
        seats = [{"combatant_id": one} for one in ids.values()]
        for command, fields in (
            ("start_conflict", {"kind": "personal", "combatants": seats, "begins": ids["Okafor"]}),
            ("begin_turn", {"combatant_id": ids["Okafor"]}),
            ("set_reach", {"first_id": ids["Okafor"], "second_id": ids["Brack"], "in_reach": True}),
        ):
            assert master.asks(command, **fields)[0] == 200
        blow = {"name": "attack", "scope": "personal", "target_id": ids["Brack"], "weapon": "unarmed"}
        declared = {"character_id": ids["Okafor"], "action": blow}
        assert master.asks("declare_task", declaration=declared)[0] == 200
        master.asks("enter_dice", request=table_of(master)["request"]["number"], faces=[2, 3])
        shown = unescape(page(master, "/gm"))
        assert "Brack is to declare a Task against Okafor." in shown
        assert "Brack defends" in shown
        assert 'id="declare-open"' not in shown


def test_whoever_won_spends_at_once_where_the_loser_has_nothing_to_choose() -> None:
    with opened() as desk:
        ids = crew(desk.client())
        sam, master = Phone(desk, name="Sam"), Phone(desk, gamemaster=True)
        sam.take(ids["Okafor"])
        against = {"character_id": ids["Okafor"], **DECLARATION, "opposed": True, "opponent_id": ids["Brack"]}
        for phone, declaration, faces in (
            (sam, against, [1, 2]),
            (master, {**DECLARATION, "character_id": ids["Brack"]}, [19, 18]),
        ):
            assert phone.asks("declare_task", declaration=declaration)[0] == 200
            phone.asks("enter_dice", request=table_of(sam)["request"]["number"], faces=faces)
        assert table_of(sam)["task"]["who"] == "Okafor", "nobody had to say that Brack has nothing to buy"
        shown = page(sam, f"/play?me={ids['Okafor']}")
        assert re.search('<button[^>]*class="main-action[^>]*>[^/]*Done: save 2\u00a0Momentum', shown)
        assert "<summary>A die of Brack was misread</summary>" in shown
        assert "Die 1: 19" in shown
        status, _ = Phone(desk, name="Ana").asks("finish_spending")
        assert status == 403, "what the winner does with their Momentum is theirs"


def test_a_declaration_without_the_field_is_taken_as_ever(client: FlaskClient) -> None:
    ids = crew(client)
    send(client, "declare_task", declaration={"character_id": ids["Okafor"], **DECLARATION, "opposed": True})
    assert got(client, "/api/v1/table")["table"]["task"]["declaration"]["opponent_id"] == ""


def test_each_side_of_an_opposed_task_that_is_over_keeps_its_own_dice_on_its_phone() -> None:
    with opened() as desk:
        ids = crew(desk.client())
        sam, ana = Phone(desk, name="Sam"), Phone(desk, name="Ana")
        sam.take(ids["Okafor"])
        ana.take(ids["Lindqvist"])
        against = {"character_id": ids["Okafor"], **DECLARATION, "opposed": True, "opponent_id": ids["Lindqvist"]}
        for phone, declaration, faces in (
            (sam, against, [18, 19]),
            (ana, {**DECLARATION, "character_id": ids["Lindqvist"]}, [19, 18]),
        ):
            assert phone.asks("declare_task", declaration=declaration)[0] == 200
            phone.asks("enter_dice", request=table_of(sam)["request"]["number"], faces=faces)
        assert table_of(sam)["task"] is None, "neither side wins"
        third = Phone(desk, name="Bob")
        for phone, who, own in ((sam, "Okafor", True), (ana, "Lindqvist", True), (third, "Brack", False)):
            stage = page(phone, f"/play?me={ids[who]}").partition('<section id="stage"')[2].partition(">")[0]
            assert (" data-own" in stage) is own, who


def test_whose_task_it_is_against_reads_the_way_to_it_and_not_that_the_other_chooses() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        card = got(desk.client(), "/api/v1/table")["table"]["characters"][0]
        numbers = {name: card[name] for name in ("name", "attributes", "disciplines", "player_id")}
        send(
            desk.client(), "save_character", character_id=okafor, **numbers, determination=1, values=["Nobody is lost"]
        )
        ada, ben, cara = Phone(desk, name="Ada"), Phone(desk, name="Ben"), Phone(desk, name="Cara")
        ada.take(okafor)
        ben.take(reed)
        against = {"character_id": okafor, **DECLARATION, "opposed": True, "opponent_id": reed}
        assert ada.asks("declare_task", declaration=against)[0] == 200
        send(desk.client(), "enter_dice", request=table_of(ada)["request"]["number"], faces=[3, 4])
        shown = words(read(ben.client, "/play"))
        assert "Declare your Task against" in shown
        assert "chooses how the Task goes on" not in shown
        assert "chooses how the Task goes on" in words(read(cara.client, "/play")), "who has no part waits for them"
