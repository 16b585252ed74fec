"""A phone that is not on turn: it answers for others where they cannot, and chooses nothing that is another's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from kiosk.ports import SOURCE_LANGUAGE
from tests.kiosk.desk import Desk, got, post, send
from tests.kiosk.web.test_api import DECLARATION
from tests.kiosk.web.test_conflict_page import crew
from tests.kiosk.web.test_line import page, table_of
from tests.kiosk.web.test_pages import words
from tests.kiosk.web.test_persons import Phone, opened, two

HEADERS = {"X-Trueroll": "1"}


class Table:
    """Sam with Okafor, Ana with Reed, and a gamemaster."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.okafor, self.reed = two(desk.client())
        self.sam, self.ana, self.master = (
            Phone(desk, name="Sam"), Phone(desk, name="Ana"), Phone(desk, gamemaster=True, name="Gus"),
        )  # fmt: skip
        self.sam.take(self.okafor)
        self.ana.take(self.reed)

    def declares(self) -> None:
        """Sam declares."""
        assert self.sam.asks("declare_task", declaration={"character_id": self.okafor, **DECLARATION})[0] == 200

    def throws(self, *faces: int) -> None:
        """What the table asks for, as Sam enters it."""
        assert self.sam.asks("enter_dice", request=table_of(self.sam)["request"]["number"], faces=faces)[0] == 200


@pytest.fixture
def table() -> Iterator[Table]:
    with opened() as desk:
        yield Table(desk)


def part(html: str, name: str) -> str:
    """The content of the part of that id, up to the next part."""
    found = re.search(rf'<div id="{name}".*?(?=<(?:div|section|footer|nav) id=|<section id=)', html, re.DOTALL)
    return found[0] if found else ""


def buttons(html: str) -> list[str]:
    return [words(one) for one in re.findall(r"<button.*?</button>", html, re.DOTALL)]


def lines_up(phone: Phone, who: str, **more: str) -> int:
    fields = {"rolled": "yes", "character_id": who, "attribute": "control", "discipline": "command"}
    fields |= {"difficulty": "1", "complication_range": "1", **more}
    return phone.client.post("/text/declare", data=fields, headers=HEADERS).status_code


def test_anothers_dice_are_entered_behind_one_quiet_control(table: Table) -> None:
    table.declares()
    shown = page(table.ana, "/play")
    assert re.search(r"<summary>Enter the dice for Ada [^<]*</summary>", shown)
    assert re.search(r'class="stage-word">Ada [^<]* throws 2 d20s', shown)
    assert "data-mine" not in shown
    for own in (page(table.sam, "/play"), page(table.master, f"/play?me={table.reed}")):
        assert "Enter the dice for" not in own
        assert 'class="stage-word">Throw 2 d20s' in own


def test_whoever_holds_nobody_answers_for_others_too_and_for_what_nobody_took_as_ever(table: Table) -> None:
    helper = Phone(table.desk, name="Bob")
    table.declares()
    assert "Enter the dice for" in page(helper, "/play")
    send(table.desk.client(), "withdraw_task")
    send(table.desk.client(), "save_character", name="Ensign Vale", **{
        name: table_of(helper)["characters"][0][name] for name in ("attributes", "disciplines")
    })  # fmt: skip
    vale = table_of(helper)["characters"][-1]["character_id"]
    assert helper.asks("declare_task", declaration={"character_id": vale, **DECLARATION})[0] == 200
    assert "Enter the dice for" not in page(table.ana, "/play")


def test_a_phone_calls_another_players_character_as_the_stage_does(table: Table) -> None:
    """By the last name, where nobody else has it: a whole name may be sixty letters long."""
    card = table_of(table.sam)["characters"][0]
    numbers = {name: card[name] for name in ("attributes", "disciplines")}
    long = {"character_id": table.okafor, "name": "Wilhelmina Featherstonehaugh", **numbers}
    send(table.desk.client(), "save_character", **long)
    table.declares()
    shown = page(table.ana, "/play")
    assert "<summary>Enter the dice for Featherstonehaugh</summary>" in shown
    assert 'class="stage-word">Featherstonehaugh throws 2 d20s' in shown
    table.throws(1, 2)
    shown = page(table.ana, "/play")
    assert "<summary>What Featherstonehaugh can choose</summary>" in shown
    assert "Featherstonehaugh chooses what to do with 2 Momentum." in shown
    assert lines_up(table.ana, table.reed, line="yes") == 200
    assert "Your Task begins by itself when Featherstonehaugh is done" in page(table.ana, "/play")
    own = table.desk.client().get(f"/play?me={table.reed}").get_data(as_text=True)
    assert "Go on now: Featherstonehaugh saves 2 Momentum" in words(own)


def test_a_question_about_anothers_dice_stands_folded(table: Table) -> None:
    table.declares()
    whole = {"kind": "d20", "confidence": 1.0, "state": "read", "source": "manual"}
    dice = [{**whole, "face": 3}, {**whole, "face": None, "state": "doubtful", "guesses": [{"face": 6, "chance": 0.5}]}]
    send(table.desk.client(), "report_reading", reading={"reading_id": "one", "source": "manual", "dice": dice})
    shown = page(table.ana, "/play")
    assert re.search(r"<summary>Answer for Ada [^<]*</summary>", shown)
    assert re.search(r'class="stage-word">Ada [^<]* looks at the dice', shown)
    assert shown.count("It shows 6") == 1
    assert "Answer for" not in page(table.sam, "/play")


def test_who_may_not_decide_sees_what_is_chosen_and_no_buttons(table: Table) -> None:
    table.declares()
    table.throws(1, 2)
    shown = page(table.ana, "/play")
    assert re.search(r"Ada [^<]* chooses what to do with 2 Momentum[.]", shown)
    assert re.search(r"<summary>What Ada [^<]* can choose</summary>", shown)
    assert "Obtain Information" in words(shown)
    actions = part(shown, "actions")
    assert buttons(actions) == []
    assert "declare-open" in shown
    own = page(table.sam, "/play")
    assert "can choose" not in own
    assert any("Done" in one for one in buttons(part(own, "actions")))
    assert any("Done" in one for one in buttons(part(page(table.master, f"/play?me={table.reed}"), "actions")))


def test_no_momentum_is_promised_before_the_other_side_of_an_opposed_task_has_thrown(table: Table) -> None:
    card = table_of(table.sam)["characters"][0]
    fields = {name: card[name] for name in ("character_id", "name", "attributes", "disciplines")}
    send(table.desk.client(), "save_character", **fields, values=["Never alone"])  # dice may be thrown again for it
    declared = {"character_id": table.okafor, **DECLARATION, "opposed": True}
    assert table.sam.asks("declare_task", declaration=declared)[0] == 200
    table.throws(1, 1)
    shown = page(table.ana, "/play")
    assert "chooses what to do with" not in shown
    assert re.search(r"Ada [^<]* chooses how the Task goes on[.]", shown)


def test_a_declaration_waits_for_another_persons_outcome_and_begins_by_itself(table: Table) -> None:
    table.declares()
    table.throws(1, 2)
    form = page(table.ana, f"/play?declare=yes&character_id={table.reed}")
    assert 'name="line" value="yes"' in form
    assert lines_up(table.ana, table.reed, line="yes") == 200
    now = table_of(table.sam)
    assert (now["task"]["declaration"]["character_id"], now["momentum"]) == (table.okafor, 0)
    assert [one["character_id"] for one in now["in_line"]] == [table.reed]
    assert "Reed's Task is next: it begins by itself when you are done." in unescape(page(table.sam, "/play"))
    shown = page(table.ana, "/play")
    assert re.search(r"<h2 id=\"actions-title\">Your Task begins by itself when Ada ", shown)
    assert not [one for one in buttons(shown) if one.startswith("Go on")]
    assert "chooses what to do with 2 Momentum" in shown
    assert "begins by itself" not in shown.partition('id="declare"')[2], "that is said once"
    assert "Take it back" in shown
    assert "Task that waits" not in shown
    (main,) = re.findall(r'class="main-action.*?</button>', page(table.sam, "/play"), re.DOTALL)
    assert "Done: save 2 Momentum" in words(main)
    assert table.sam.asks("finish_spending")[0] == 200
    now = table_of(table.sam)
    assert (now["task"]["declaration"]["character_id"], now["momentum"]) == (table.reed, 2)


def test_nobody_waits_for_their_own_persons_outcome_or_for_what_nobody_took(table: Table) -> None:
    table.declares()
    table.throws(1, 2)
    assert 'name="line"' not in page(table.master, f"/gm?declare=yes&character_id={table.reed}")
    assert table.ana.client.post("/api/v1/me", json={"leave": table.reed}, headers=HEADERS).status_code == 200
    table.sam.take(table.reed)
    assert 'name="line"' not in page(table.sam, f"/play?declare=yes&me={table.reed}&character_id={table.reed}")
    assert lines_up(table.sam, table.reed) == 200
    assert table_of(table.sam)["task"]["declaration"]["character_id"] == table.reed


def test_work_on_an_extended_task_waits_for_an_outcome_too(table: Table) -> None:
    table.master.asks("begin_extended_task", label="Mend the relay", work=8, magnitude=2, difficulty=2)
    table.declares()
    table.throws(1, 2)
    form = page(table.ana, f"/conflict?who={table.reed}&deed=personal/extended")
    assert "For later: Work on an Extended Task" in form


def test_a_form_without_script_that_was_opened_before_an_outcome_does_not_end_it(table: Table) -> None:
    opened_before = page(table.ana, f"/play?declare=yes&character_id={table.reed}")
    form = re.search(r'<form[^>]*action="/text/declare".*?</form>', opened_before, re.DOTALL)
    assert form is not None
    fields = dict(re.findall(r'<input[^>]*type="hidden"[^>]*name="([^"]*)"[^>]*value="([^"]*)"', form[0]))
    assert "line" not in fields
    table.declares()
    table.throws(1, 2)
    chosen = {"character_id": table.reed, "attribute": "control", "discipline": "command", "difficulty": "1"}
    assert table.ana.client.post("/text/declare", data={**fields, **chosen}).status_code == 303
    now = table_of(table.sam)
    assert now["task"]["declaration"]["character_id"] == table.okafor, "Sam still spends"
    assert [one["character_id"] for one in now["in_line"]] == [table.reed]


def test_who_entered_dice_too_late_is_told_whose_were_counted(table: Table) -> None:
    table.declares()
    number = str(table_of(table.ana)["request"]["number"])

    def entered(phone: Phone, *faces: str) -> tuple[int, Any]:
        fields = {"request": number, **{f"face{place}": face for place, face in enumerate(faces)}, "about": "then"}
        answer = phone.client.post("/text/enter", data=fields, headers=HEADERS)
        return answer.status_code, answer.get_json()

    table.throws(5, 18)
    status, body = entered(table.ana, "2", "9")
    assert status == 409
    assert body["detail"] == "Sam counted 5 and 18 before you; your dice were not taken."
    send(table.desk.client(), "undo")
    send(table.desk.client(), "enter_dice", request=int(number), faces=[4, 4])
    assert entered(table.ana, "2", "9")[1]["detail"] == "Counted before: 4 and 4. Your dice were not taken."


def test_only_the_refusal_of_a_throw_that_anothers_dice_answered_is_said_otherwise(table: Table) -> None:
    table.declares()
    number = str(table_of(table.ana)["request"]["number"])
    table.throws(5, 18)

    def entered(phone: Phone, request: str) -> tuple[int, str]:
        fields = {"request": request, "face0": "2", "face1": "9", "about": "then"}
        answer = phone.client.post("/text/enter", data=fields, headers=HEADERS)
        return answer.status_code, answer.get_json()["detail"]

    status, told = entered(table.sam, number)
    assert (status, "before you" in told) == (400, False), "the dice were his own"
    assert "no longer waits for this throw" in told
    for bad in ("9" * 5_000, "x"):
        status, told = entered(table.ana, bad)
        assert status == 400
        assert "must be a whole number" in told
    guest = table.desk.client()
    guest.environ_base["REMOTE_ADDR"] = "192.168.1.88"
    token = re.search(r'name="token" value="([^"]*)"', guest.get("/join").get_data(as_text=True))
    assert token is not None
    fields = {"token": token[1], "request": number, "face0": "2", "face1": "9", "back": "/play"}
    answer = guest.post("/text/enter", data=fields)
    assert answer.status_code in {401, 403}
    assert "before you" not in answer.get_data(as_text=True)


def test_the_log_says_whose_dice_those_were(table: Table) -> None:
    table.declares()
    table.throws(5, 18)
    log = words(page(table.ana, "/play/log"))
    assert re.search(r"Ada [^:]*: 5 and 18[.] (Success|Failure)[.]", log)
    assert re.search(r"Ada [^,.]*, Difficulty [^:]* Throw 2 d20s", log)


def test_in_anothers_turn_nothing_of_theirs_is_offered_and_nobody_else_passes_it() -> None:
    with opened() as desk:
        ids = crew(desk.client())
        ada, ben = Phone(desk, name="Ada"), Phone(desk, name="Ben")
        ada.take(ids["Okafor"])
        ben.take(ids["Lindqvist"])
        seats = [{"combatant_id": one} for one in ids.values()]
        send(desk.client(), "start_conflict", kind="personal", combatants=seats, begins=ids["Okafor"])
        send(desk.client(), "begin_turn", combatant_id=ids["Okafor"])
        assert buttons(part(page(ben, "/play"), "actions")) == []
        assert "Okafor chooses what to do in this Turn." in page(ben, "/play")
        assert ben.asks("pass_turn")[0] == 403
        assert ada.asks("pass_turn")[0] == 200


def test_a_page_is_sent_the_parts_of_its_own_person(table: Table) -> None:
    table.declares()
    parts = table.desk.hub.parts
    assert parts is not None
    sam, ana = (one.me["person_id"] for one in (table.sam, table.ana))
    assert b"Enter the dice for" in parts(f"phone/normal/{ana}/{table.reed}", SOURCE_LANGUAGE)
    assert b"Enter the dice for" in parts(f"phone/normal/own/{table.reed}", SOURCE_LANGUAGE)
    assert b"Enter the dice for" not in parts(f"phone/normal//{table.reed}", SOURCE_LANGUAGE)
    assert b"Enter the dice for" not in parts(f"phone/normal/{sam}/{table.okafor}", SOURCE_LANGUAGE)
    stream = table.ana.client.get(f"/parts/now?parts=phone&me={table.reed}")
    assert "Enter the dice for" in stream.get_data(as_text=True)
    assert got(table.ana.client, "/api/v1/table")["table"]["request"] is not None


def sent(phone: Phone, me: str) -> str:
    """The parts with which the stream of that phone begins, while it plays `me`."""
    stream = phone.client.get(f"/parts/now?parts=phone&me={me}").get_data(as_text=True)
    return stream.partition("event: parts")[2]


def vale_of(table: Table) -> str:
    """The id of a third character, whom nobody took."""
    card = table_of(table.sam)["characters"][0]
    given = {name: card[name] for name in ("attributes", "disciplines")}
    send(table.desk.client(), "save_character", name="Ensign Vale", **given)
    return str(table_of(table.sam)["characters"][-1]["character_id"])


def test_a_phone_that_plays_nobodys_character_still_decides_for_its_persons_own(table: Table) -> None:
    vale = vale_of(table)
    table.declares()
    for shown in (page(table.sam, f"/play?me={vale}"), sent(table.sam, vale)):
        assert "Enter the dice for" not in shown
        assert "data-mine" in shown
    assert "Enter the dice for" in page(table.ana, f"/play?me={vale}")
    table.throws(1, 2)
    own = page(table.sam, f"/play?me={vale}")
    assert "can choose" not in own
    assert any("Done" in one for one in buttons(part(own, "actions")))
    assert "finish_spending" in sent(table.sam, vale)
    assert 'name="line"' not in page(table.sam, f"/play?declare=yes&me={vale}&character_id={vale}")
    assert 'name="line"' in page(table.ana, f"/play?declare=yes&me={vale}&character_id={vale}")


def test_a_phone_that_asks_for_anothers_character_decides_nothing_for_them(table: Table) -> None:
    table.declares()
    shown = page(table.ana, f"/play?me={table.okafor}")
    assert "Enter the dice for" in shown
    assert "data-mine" not in shown
    table.throws(1, 2)
    shown = page(table.ana, f"/play?me={table.okafor}")
    assert buttons(part(shown, "actions")) == []
    assert re.search(r"Ada [^<]* chooses what to do with 2 Momentum[.]", shown)
    assert "finish_spending" not in sent(table.ana, table.okafor)


def test_who_leaves_the_character_that_their_phone_plays_goes_on_with_another_of_theirs(table: Table) -> None:
    vale, client = vale_of(table), table.sam.client
    token = re.search(r'name="token" value="([^"]*)"', page(table.sam, "/me"))
    assert token is not None
    assert client.post("/me", data={"token": token[1], "play": vale}).status_code == 303
    assert client.get_cookie("trueroll-plays") is not None
    assert client.post("/me", data={"token": token[1], "leave": vale}).status_code == 303
    assert client.get_cookie("trueroll-plays") is None


def test_nobody_elses_phone_ends_what_its_owner_can_still_buy(table: Table) -> None:
    """By going on in line, by declaring at once, or by a program's line; the gamemaster and the kiosk's screen may."""
    declaration = {"character_id": table.reed, **DECLARATION}
    table.declares()
    table.throws(1, 2)
    assert lines_up(table.ana, table.reed, line="yes") == 200
    for command in ("declare_task", "line_up"):
        status, told = table.ana.asks(command, declaration=declaration)
        assert (status, told["detail"].startswith("Sam still spends for Ada")) == (403, True)
    assert table.ana.asks("line_up", declaration=declaration, waits=True)[0] == 200
    assert table_of(table.sam)["task"]["declaration"]["character_id"] == table.okafor
    assert "Go on now: Ada" in words(table.desk.client().get(f"/play?me={table.reed}").get_data(as_text=True))
    assert table.master.asks("declare_task", declaration=declaration)[0] == 200
    assert table_of(table.sam)["task"]["declaration"]["character_id"] == table.reed


def test_what_is_a_foes_is_the_gamemasters_and_stands_folded_on_a_players_phone() -> None:
    with opened() as desk:
        client = desk.client()
        ids = crew(client)
        ada, master = Phone(desk, name="Ada"), Phone(desk, gamemaster=True, name="Gus")
        ada.take(ids["Okafor"])
        seats = [{"combatant_id": one} for one in ids.values()]
        send(client, "take_weapon", character_id=ids["Brack"], weapon="phaser_type_2")
        send(client, "start_conflict", kind="personal", combatants=seats, begins=ids["Brack"])
        send(client, "begin_turn", combatant_id=ids["Brack"])
        attack = {"name": "attack", "target_id": ids["Okafor"], "weapon": "phaser_type_2"}
        send(client, "declare_task", declaration={"character_id": ids["Brack"], "action": attack})
        shown = page(ada, "/play")
        assert "<summary>Enter the dice for Brack</summary>" in shown
        assert 'class="stage-word">Brack throws 2 d20s' in shown
        assert "Enter the dice for" not in page(master, "/gm")
        send(client, "enter_dice", request=table_of(ada)["request"]["number"], faces=[1, 2])
        shown = page(ada, "/play")
        assert "The gamemaster chooses for Brack." in shown
        assert "<summary>What Brack can choose</summary>" in shown
        assert buttons(part(shown, "actions")) == []
        status, refusal = ada.asks("follow_through")
        assert (status, refusal["detail"]) == (403, "Only the gamemaster decides for this character.")
        change = {"action": "send_away", "person_id": master.me["person_id"]}
        assert post(client, "/api/v1/persons", change)[0] == 200
        assert any(one.startswith("Go on") for one in buttons(part(page(ada, "/play"), "actions")))
        assert ada.asks("follow_through")[0] == 200, "nobody is the gamemaster, and the fight goes on"


def test_without_a_gamemaster_an_npc_that_loses_in_melee_holds_nobody_up() -> None:
    with opened() as desk:
        client = desk.client()
        ids = crew(client)
        ada = Phone(desk, name="Ada")
        ada.take(ids["Okafor"])
        send(client, "start_conflict", kind="personal", combatants=[{"combatant_id": one} for one in ids.values()])
        send(client, "begin_turn", combatant_id=ids["Okafor"])
        send(client, "set_reach", first_id=ids["Okafor"], second_id=ids["Brack"], in_reach=True)
        attack = {"name": "attack", "target_id": ids["Brack"], "weapon": "unarmed"}
        send(client, "declare_task", declaration={"character_id": ids["Okafor"], "action": attack})
        send(client, "enter_dice", request=table_of(ada)["request"]["number"], faces=[1, 1])
        defence = {"name": "defend", "weapon": "unarmed"}
        send(client, "declare_task", declaration={"character_id": ids["Brack"], "action": defence})
        send(client, "enter_dice", request=table_of(ada)["request"]["number"], faces=[12, 12])
        assert table_of(ada)["task"]["who"] == "Okafor"
        assert "Go on to the damage" in buttons(part(page(ada, "/play"), "actions"))


def test_who_is_not_on_turn_is_told_who_is_and_declares_what_the_gamemaster_asks_for() -> None:
    with opened() as desk:
        client = desk.client()
        ids = crew(client)
        ben = Phone(desk, name="Ben")
        ben.take(ids["Lindqvist"])
        seats = [{"combatant_id": one} for one in ids.values()]
        send(client, "start_conflict", kind="personal", combatants=seats, begins=ids["Okafor"])
        assert "Nobody has the Turn. Out of your own Turn" in page(ben, "/play")
        send(client, "begin_turn", combatant_id=ids["Okafor"])
        for path in ("/play", "/play?declare=yes"):
            shown = page(ben, path)
            assert "Okafor has the Turn. Out of your own Turn" in shown
            assert "declare-open" not in shown
            assert "declare-now" not in shown
        begun = f"/play?declare=yes&character_id={ids['Lindqvist']}&attribute=reason&discipline=science"
        shown = page(ben, f"{begun}&difficulty=1&complication_range=1&label=Scan+it")
        assert re.search(r'<section id="declare"[^>]*aria-labelledby="declare-title">', shown), "it is no hidden one"
        assert "What you chose is kept" in shown
        assert 'name="label" value="Scan it"' in shown
        asked = {"character_id": ids["Lindqvist"], "attribute": "fitness", "discipline": "security"}
        send(client, "ask_for_task", **asked, difficulty=1)
        shown = page(ben, "/play")
        assert "The gamemaster asks for" in shown
        assert "Out of your own Turn" not in shown


def test_a_phone_that_asks_for_anothers_character_is_offered_no_form_for_it(table: Table) -> None:
    for path in ("/play?me=", "/play?declare=yes&me="):
        shown = page(table.ana, path + table.okafor)
        assert "Sam plays Ada" in shown
        assert "declare-open" not in shown
        assert "declare-form" not in shown
    assert 'id="declare-form"' in page(table.sam, f"/play?declare=yes&me={table.okafor}")
    own = page(table.ana, "/play?declare=yes&me=")
    assert f'name="character_id" value="{table.reed}"' in own


def test_the_form_against_a_task_says_what_wins(table: Table) -> None:
    declared = {"character_id": table.okafor, **DECLARATION, "difficulty": 0, "rolled": True, "opposed": True}
    assert table.sam.asks("declare_task", declaration=declared)[0] == 200
    table.throws(1, 10)
    shown = unescape(page(table.ana, f"/play?declare=yes&me={table.reed}&character_id={table.reed}"))
    assert re.search(r"is 3 above the Difficulty: 4 or more above yours wins[.]", shown)


def test_a_failure_that_a_value_would_throw_again_says_so_on_the_phone_with_the_way_to_add_one(table: Table) -> None:
    missed = "Determination throws no dice again."
    table.declares()
    assert missed not in page(table.sam, "/play")
    table.throws(19, 18)
    shown = unescape(page(table.sam, "/play"))
    assert missed in shown
    assert f'href="/play/sheet?change=yes&me={table.okafor}#values"' in shown
    assert missed not in page(table.ana, "/play")
    table.declares()
    table.throws(1, 2)
    assert missed not in page(table.sam, "/play")
