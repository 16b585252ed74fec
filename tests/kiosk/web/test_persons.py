"""Persons: who each device is, what they took, and whose decisions are whose."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from kiosk.errors import KioskError
from kiosk.storage.persons import FILE_NAME, MOST, Persons, person_name
from kiosk.web import permissions
from kiosk.web.access import Access, AccessLevel, Secrets, keep_secrets, load_secrets
from kiosk.web.live_parts import LivePage
from kiosk.web.messages import GAMEMASTER_COMMANDS
from rules.game import COMMANDS
from tests.kiosk.desk import GAMEMASTER_CODE, HEADERS, TABLE_CODE, Desk, StillClock, got, post, send
from tests.kiosk.web.test_api import DECLARATION, set_up
from tests.kiosk.web.test_conflict_page import SYSTEMS
from tests.kiosk.web.test_letting_in import OPENED
from tests.kiosk.web.test_live_parts import parts_of
from tests.kiosk.web.test_pages import DISCIPLINES, read


class Phone:
    """A phone of the table, with an address and cookies of its own."""

    def __init__(self, desk: Desk, *, gamemaster: bool = False, name: str = "") -> None:
        self.client: FlaskClient = desk.client()
        self.client.environ_base["REMOTE_ADDR"] = "192.168.1.20"
        code = {"gamemaster_code": GAMEMASTER_CODE} if gamemaster else {"code": TABLE_CODE}
        status, body = post(self.client, "/api/v1/join", {**code, "name": name})
        assert status == 200, body

    @property
    def me(self) -> dict[str, Any]:
        return got(self.client, "/api/v1/me")

    def take(self, character: str) -> tuple[int, dict[str, Any]]:
        return post(self.client, "/api/v1/me", {"take": character})

    def asks(self, command: str, **fields: object) -> tuple[int, dict[str, Any]]:
        return post(self.client, "/api/v1/commands", {"command": command, **fields})


def opened() -> Desk:
    return Desk(settings=OPENED)


@pytest.mark.parametrize(("typed", "called"), [("", "Ana"), ("Ana's tablet", "Ana's tablet")])
def test_who_comes_back_with_another_phone_keeps_their_name(typed: str, called: str) -> None:
    with opened() as desk:
        okafor = set_up(desk.client())
        lost, master = Phone(desk, name="Ana"), Phone(desk, gamemaster=True)
        lost.take(okafor)
        phone = Phone(desk, name=typed)
        assert post(phone.client, "/api/v1/me", {"ask": okafor})[0] == 200
        give = {"action": "give", "person_id": phone.me["person_id"], "character_id": okafor}
        assert post(master.client, "/api/v1/persons", give)[0] == 200
        assert (phone.me["name"], phone.me["characters"]) == (called, [okafor])
        assert lost.me["characters"] == []


def test_who_did_not_ask_for_a_character_gets_no_name_with_it() -> None:
    with opened() as desk:
        okafor = set_up(desk.client())
        owner, other, master = Phone(desk, name="Ana"), Phone(desk), Phone(desk, gamemaster=True)
        owner.take(okafor)
        give = {"action": "give", "person_id": other.me["person_id"], "character_id": okafor}
        assert post(master.client, "/api/v1/persons", give)[0] == 200
        assert (other.me["name"], other.me["characters"]) == ("", [okafor])


def test_who_plays_another_character_too_is_no_lost_phone_whose_name_passes_on() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        ana, other, master = Phone(desk, name="Ana"), Phone(desk), Phone(desk, gamemaster=True)
        ana.take(okafor)
        ana.take(reed)
        assert post(other.client, "/api/v1/me", {"ask": okafor})[0] == 200
        give = {"action": "give", "person_id": other.me["person_id"], "character_id": okafor}
        assert post(master.client, "/api/v1/persons", give)[0] == 200
        assert (other.me["name"], other.me["characters"]) == ("", [okafor])
        assert (ana.me["name"], ana.me["characters"]) == ("Ana", [reed])


def two(client: FlaskClient) -> tuple[str, str]:
    """Two characters at the table, by id."""
    first = set_up(client)
    card = got(client, "/api/v1/table")["table"]["characters"][0]
    send(
        client,
        "save_character",
        name="Reed",
        attributes=card["attributes"],
        disciplines=card["disciplines"],
    )
    return first, str(got(client, "/api/v1/table")["table"]["characters"][1]["character_id"])


def test_each_device_that_joins_is_somebody_and_stays_so() -> None:
    with opened() as desk:
        sam, ana = Phone(desk, name="Sam"), Phone(desk)
        assert (sam.me["role"], sam.me["name"]) == ("player", "Sam")
        assert sam.me["person_id"] != ana.me["person_id"]
        post(ana.client, "/api/v1/me", {"name": "Ana"})
        assert ana.me["name"] == "Ana"
        before = sam.me["person_id"]
        post(sam.client, "/api/v1/join", {"gamemaster_code": GAMEMASTER_CODE})
        assert (sam.me["person_id"], sam.me["role"], sam.me["name"]) == (before, "gamemaster", "Sam")


def test_a_character_is_taken_by_one_person_until_they_leave_it() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        sam, ana = Phone(desk, name="Sam"), Phone(desk, name="Ana")
        assert sam.take(okafor)[0] == sam.take(reed)[0] == 200
        assert sam.me["characters"] == [okafor, reed]
        status, body = ana.take(reed)
        assert status == 409
        assert "Sam plays this character" in body["detail"]
        post(sam.client, "/api/v1/me", {"leave": reed})
        assert ana.take(reed)[1]["characters"] == [reed]
        assert ana.take("nobody")[0] == 409
        shown = got(desk.client(), "/api/v1/table")["persons"]
        assert [(one["called"], one["characters"]) for one in shown] == [("Sam", [okafor]), ("Ana", [reed])]


def test_the_gamemaster_gives_a_lost_phones_characters_to_another() -> None:
    with opened() as desk:
        okafor = set_up(desk.client())
        lost, found, master = Phone(desk, name="Sam"), Phone(desk, name="Sam"), Phone(desk, gamemaster=True)
        lost.take(okafor)
        change = {"action": "give", "person_id": found.me["person_id"], "character_id": okafor}
        assert post(found.client, "/api/v1/persons", change)[0] == 403
        assert post(master.client, "/api/v1/persons", change)[0] == 200
        assert (lost.me["characters"], found.me["characters"]) == ([], [okafor])


def test_whose_character_is_given_to_another_is_told_to_whom_until_they_play_again() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        sam, jo, master = Phone(desk, name="Sam"), Phone(desk, name="Jo"), Phone(desk, gamemaster=True)
        sam.take(okafor)
        name = re.escape(escape(got(desk.client(), "/api/v1/table")["table"]["characters"][0]["name"]))
        change = {"action": "give", "person_id": jo.me["person_id"], "character_id": okafor}
        assert post(master.client, "/api/v1/persons", change)[0] == 200
        told = (
            '<p id="looking" class="looking" data-follows="persons" data-as-of="[^"]*" data-news="given">The gamemaster'
        )
        for path in ("/play", "/play/fight", "/play/table"):
            assert re.search(rf"{told} gave {name} to Jo\.</p>", sam.client.get(path).text), path
            theirs = jo.client.get(path).text
            assert re.search(rf"data-given>The gamemaster gave you {name}\.</p>", theirs), "whom they were given, alone"
            assert 'data-news="given"' not in theirs
        assert sam.take(reed)[0] == 200
        assert "The gamemaster gave" not in sam.client.get("/play").text
        post(sam.client, "/api/v1/me", {"leave": reed})
        assert "The gamemaster gave" not in sam.client.get("/play").text, "who left one knows"


def test_who_was_sent_away_is_told_so_and_may_join_again() -> None:
    with opened() as desk:
        okafor = set_up(desk.client())
        sam, master = Phone(desk, name="Sam"), Phone(desk, gamemaster=True)
        sam.take(okafor)
        person = sam.me["person_id"]
        assert post(master.client, "/api/v1/persons", {"action": "send_away", "person_id": person})[0] == 200
        status, body = sam.asks("add_trait", name="Fog")
        assert status == 401
        assert "sent away" in body["detail"]
        assert sam.me["sent_away"]
        assert got(desk.client(), "/api/v1/table")["persons"][0]["called"] != "Sam"
        post(sam.client, "/api/v1/join", {"code": TABLE_CODE})
        assert (sam.me["person_id"], sam.me["characters"], sam.me["role"]) == (person, [], "player")
        gone = {"action": "give", "person_id": "nobody", "character_id": okafor}
        assert post(master.client, "/api/v1/persons", gone)[0] == 409


def test_who_was_sent_away_is_offered_nobody_to_play_and_the_way_back() -> None:
    with opened() as desk:
        two(desk.client())
        sam, master = Phone(desk, name="Sam"), Phone(desk, gamemaster=True)
        assert "Whom do you play?" in sam.client.get("/play").text
        person = sam.me["person_id"]
        post(master.client, "/api/v1/persons", {"action": "send_away", "person_id": person})
        page = sam.client.get("/play").text
        assert "You were sent away from the table." in page
        assert '<a class="button" href="/join">' in page
        assert "Whom do you play?" not in page
        post(sam.client, "/api/v1/join", {"code": TABLE_CODE})
        assert "Whom do you play?" in sam.client.get("/play").text


def test_a_character_is_taken_off_the_table_by_whose_it_is_and_after_a_question() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        sam, master = Phone(desk, name="Sam"), Phone(desk, gamemaster=True)
        assert sam.client.get("/setup").text.count("Yes, remove") == 4, "two players and two characters, as before"
        sam.take(okafor)
        page = sam.client.get("/setup").text
        assert [f'name="character_id" value="{one}"><button' in page for one in (okafor, reed)] == [True, False]
        status, body = sam.asks("remove_character", character_id=reed, confirmed=True)
        assert (status, body["type"]) == (403, "/problems/not-yours")
        for phone, character in ((sam, okafor), (master, reed)):
            status, body = phone.asks("remove_character", character_id=character)
            assert (status, body["type"]) == (409, "/problems/ask-first")
            assert "off the table" in body["detail"]
            assert phone.asks("remove_character", character_id=character, confirmed=True)[0] == 200
        assert sam.asks("remove_ship", ship_id="gone")[1]["type"] == "/problems/refused", "nothing is to be asked"


def test_a_ship_with_a_crew_of_its_own_is_taken_off_the_table_by_the_gamemaster_alone() -> None:
    with opened() as desk:
        okafor, _ = two(desk.client())
        sam, master = Phone(desk, name="Sam"), Phone(desk, gamemaster=True)
        numbers = {"scale": 3, "systems": SYSTEMS, "departments": DISCIPLINES}
        for crew in ({}, {"crew": "basic"}):
            assert master.asks("save_ship", name="Ember", **numbers, **crew)[0] == 200
        sam.take(okafor)
        ours, theirs = (one["ship_id"] for one in got(master.client, "/api/v1/table")["table"]["ships"])
        page = sam.client.get("/setup").text
        assert [f'name="ship_id" value="{one}"><button' in page for one in (ours, theirs)] == [True, False]
        for phone, ship, status in ((sam, theirs, 403), (sam, ours, 200), (master, theirs, 200)):
            assert phone.asks("remove_ship", ship_id=ship, confirmed=True)[0] == status


def test_a_renewed_code_lets_nobody_new_in_and_ends_nobodys_place() -> None:
    with opened() as desk:
        sam, master = Phone(desk), Phone(desk, gamemaster=True)
        assert post(sam.client, "/api/v1/codes", {"code": "table"})[0] == 403
        _, renewed = post(master.client, "/api/v1/codes", {"code": "table"})
        assert post(master.client, "/api/v1/codes", {"code": "gamemaster"})[0] == 200
        assert (sam.me["role"], master.me["role"]) == ("player", "gamemaster")
        assert post(desk.client(), "/api/v1/join", {"code": TABLE_CODE})[0] == 403
        assert post(desk.client(), "/api/v1/join", {"code": renewed["table_code"]})[0] == 200
        assert desk.access.gamemaster_code != GAMEMASTER_CODE


def test_persons_and_codes_last_over_a_restart(tmp_path: Path) -> None:
    kept = load_secrets(tmp_path)

    def begun() -> Access:
        return Access(
            load_secrets(tmp_path),
            StillClock(),
            host="0.0.0.0",  # noqa: S104 - opened on purpose
            open_to_network=True,
            persons=Persons(tmp_path / FILE_NAME),
            keep=lambda changed: keep_secrets(tmp_path, changed),
        )

    first = begun()
    cookie = first.join("192.168.1.20", kept.table_code, name="Sam")
    who = first.identify("192.168.1.20", cookie)
    first.persons.take(who.person, "character-3")
    first.renew_code(gamemaster=False)
    second = begun()
    assert second.identify("192.168.1.20", cookie) == who
    found = second.persons.find(who.person)
    assert found is not None
    assert (found.name, found.characters) == ("Sam", ("character-3",))
    assert second.table_code == first.table_code != kept.table_code
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o600


def test_a_cookie_of_another_kiosk_is_nobodys() -> None:
    def kiosk(secret: str) -> Access:
        return Access(Secrets(secret, TABLE_CODE, GAMEMASTER_CODE), StillClock(), host="0.0.0.0", open_to_network=True)  # noqa: S104 - opened on purpose

    ours, theirs = kiosk("ours"), kiosk("theirs")
    cookie = theirs.join("192.168.1.20", TABLE_CODE)
    assert ours.identify("192.168.1.20", cookie).role is AccessLevel.GUEST
    assert ours.join("192.168.1.20", TABLE_CODE, cookie=cookie) != cookie


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("A", "A"),
        ("x" * 60, "x" * 60),
        ("  Sam \n Vimes\x00 ", "Sam Vimes"),
        ("ليلى القمر", "ليلى القمر"),
        ("\u202eSam", "Sam"),
        ("", ""),
    ],
)
def test_names_are_what_a_screen_can_show(typed: str, name: str) -> None:
    assert person_name(typed) == name


def test_a_name_that_no_screen_has_room_for_is_refused() -> None:
    with opened() as desk:
        status, body = post(desk.client(), "/api/v1/me", {"name": "x" * 61})
        assert status == 409
        assert "up to 60 characters" in body["detail"]


def test_forty_persons_and_then_as_many_as_are_remembered() -> None:
    persons = Persons()
    for number in range(40):
        person = persons.join("", "player", f"Person {number}")
        persons.take(person.person_id, f"character-{number}")
    assert [one.called for one in persons.here] == [f"Person {number}" for number in range(40)]
    for _ in range(MOST):
        persons.join("", "player")
    assert len(persons.all) == MOST
    assert persons.owner("character-7") is not None, "who plays somebody is not forgotten"


def test_where_all_play_somebody_one_has_to_go_first() -> None:
    persons = Persons()
    for number in range(MOST):
        persons.take(persons.join("", "player").person_id, f"character-{number}")
    with pytest.raises(KioskError, match="Send one away first"):
        persons.join("", "player")
    persons.send_away(persons.here[0].person_id)
    assert persons.join("", "player").called == f"Phone {MOST + 1}"


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"a": 1}', "\x00"])
def test_a_damaged_file_of_persons_costs_no_start(tmp_path: Path, text: str) -> None:
    path = tmp_path / FILE_NAME
    path.write_text(text)
    persons = Persons(path)
    assert persons.all == ()
    persons.join("", "player", "Sam")
    assert json.loads(path.read_text())[0]["name"] == "Sam"


def test_a_browser_at_the_kiosk_is_somebody_once_it_takes_a_character() -> None:
    with Desk() as desk:
        client = desk.client()
        okafor = set_up(client)
        assert got(client, "/api/v1/me")["person_id"] == ""
        status, me = post(client, "/api/v1/me", {"take": okafor})
        assert (status, me["characters"], me["role"]) == (200, [okafor], "gamemaster")
        assert got(client, "/api/v1/me") == me
        assert post(client, "/api/v1/me", {})[0] == 400


def test_each_decision_says_whose_it_was() -> None:
    with opened() as desk:
        set_up(desk.client())
        sam = Phone(desk, name="Sam")
        sam.asks("add_trait", name="Fog")
        entry = desk.journal.entries()[-1]
        assert (entry.by, entry.person) == ("player", sam.me["person_id"])
        assert got(desk.client(), "/api/v1/table")["undo"] == "adding the trait, by Sam"
        told = next(iter(desk.hub.subscribe(last_event_id=0)))
        assert sam.me["person_id"].encode() in told


def declares(phone: Phone, character: str) -> tuple[int, dict[str, Any]]:
    return phone.asks("declare_task", declaration={"character_id": character, **DECLARATION})


def test_only_whoever_plays_a_character_and_the_gamemaster_decide_for_it() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        sam, ana, master = Phone(desk, name="Sam"), Phone(desk, name="Ana"), Phone(desk, gamemaster=True)
        assert declares(ana, okafor)[0] == 200, "nobody has taken anybody: as before"
        assert ana.asks("withdraw_task")[0] == 200
        sam.take(okafor)
        status, body = declares(ana, okafor)
        assert (status, body["type"]) == (403, "/problems/not-yours")
        assert "Sam plays" in body["detail"]
        assert "the gamemaster" in body["detail"]
        assert declares(ana, reed)[0] == 200, "whom nobody took is played by all"
        assert ana.asks("withdraw_task")[0] == 200
        assert declares(sam, okafor)[0] == 200
        request = got(sam.client, "/api/v1/table")["table"]["request"]["number"]
        assert ana.asks("enter_dice", request=request, faces=[1, 1])[0] == 200, "anybody sees the dice"
        assert ana.asks("finish_spending")[0] == 403
        assert ana.asks("make_spend", spend="create_advantage", note="Fog")[0] == 403
        assert ana.asks("remove_character", character_id=okafor)[0] == 403
        assert master.asks("finish_spending")[0] == 200


def test_a_complication_that_waits_is_settled_by_whose_it_is_or_the_gamemaster() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        sam, ana = Phone(desk, name="Sam"), Phone(desk, name="Ana")
        sam.take(okafor)
        ana.take(reed)
        declares(sam, okafor)
        table = got(sam.client, "/api/v1/table")["table"]
        sam.asks("enter_dice", request=table["request"]["number"], faces=[20, 1])
        assert declares(ana, reed)[0] == 200, "nobody waits for Sam"
        waiting = {"number": table["task"]["number"]}
        assert ana.asks("take_complication", **waiting)[0] == 403
        assert sam.asks("take_complication", **waiting, name="Sparks")[0] == 200


def test_the_newest_decision_is_taken_back_by_its_owner_or_the_gamemaster_after_a_question() -> None:
    with opened() as desk:
        okafor, _ = two(desk.client())
        sam, ana, master = Phone(desk, name="Sam"), Phone(desk, name="Ana"), Phone(desk, gamemaster=True)
        sam.take(okafor)
        sam.asks("add_trait", name="Fog")
        status, body = ana.asks("undo")
        assert (status, body["type"]) == (403, "/problems/not-yours")
        assert "Sam decided this" in body["detail"]
        status, body = master.asks("undo")
        assert (status, body["type"]) == (409, "/problems/ask-first")
        assert "adding the trait" in body["detail"]
        assert master.asks("undo", confirmed=True)[0] == 200
        assert ana.asks("redo")[0] == 403
        assert sam.asks("redo")[0] == 200
        assert sam.asks("undo")[0] == 200
        status, body = sam.asks("undo")
        assert status == 409, "a character was made before that, by nobody in particular: it is asked about"
        assert "This takes back" in body["detail"]


def test_undo_is_offered_to_whoever_may() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        sam, ana, master = Phone(desk, name="Sam"), Phone(desk, name="Ana"), Phone(desk, gamemaster=True)
        sam.take(okafor)
        ana.take(reed)

        def offered(to: Phone) -> list[list[str]]:
            pages = [read(to.client, path) for path in ("/play", "/play/log", "/text", "/conflict")]
            pages.append(parts_of(to.client, LivePage.PHONE)["undo-bar"])
            return [re.findall(r'<button type="submit" id="(undo|redo)">', page) for page in pages]

        assert offered(ana) == [["undo"]] * 5, "before that nobody in particular decided"
        sam.asks("add_trait", name="Fog")
        assert [offered(one) for one in (sam, ana, master)] == [[["undo"]] * 5, [[]] * 5, [["undo"]] * 5]
        assert "Take back" not in read(ana.client, "/text")
        sam.asks("undo")
        sam.asks("add_trait", name="Smoke")
        sam.asks("undo")
        assert [offered(one) for one in (sam, ana)] == [[["undo", "redo"]] * 5, [["undo"]] * 5]


def test_dice_that_nobody_sent_are_taken_back_by_whoever_they_were_for() -> None:
    with opened() as desk:
        kiosk = desk.client()
        okafor, _ = two(kiosk)
        sam, ana = Phone(desk, name="Sam"), Phone(desk, name="Ana")
        sam.take(okafor)
        declares(sam, okafor)
        number = got(kiosk, "/api/v1/table")["table"]["request"]["number"]
        send(kiosk, "enter_dice", request=number, faces=[20, 19])
        assert ana.asks("undo")[0] == 403
        assert sam.asks("undo")[0] == 200


def test_what_the_gamemaster_did_at_the_kiosk_is_theirs_to_take_back() -> None:
    with opened() as desk:
        kiosk = desk.client()
        okafor = set_up(kiosk)
        sam = Phone(desk)
        sam.take(okafor)
        send(kiosk, "start_scene", name="The bridge")
        status, body = sam.asks("undo")
        assert status == 403
        assert "The gamemaster decided this" in body["detail"]


def test_programs_at_the_kiosk_are_asked_nothing_and_pages_are() -> None:
    with Desk() as desk:
        client = desk.client()
        set_up(client)
        status, body = post(client, "/api/v1/commands", {"command": "undo", "confirmed": False})
        assert (status, body["type"]) == (409, "/problems/ask-first")
        send(client, "undo")
        send(client, "redo")
        page = client.get("/text").get_data(as_text=True)
        fields = {"back": "/text", "token": page.partition('name="token" value="')[2].partition('"')[0]}
        asked = client.post("/text/undo", data=fields)
        assert asked.status_code == 409
        assert 'name="confirmed" value="yes"' in asked.get_data(as_text=True)
        assert client.post("/text/undo", data={**fields, "confirmed": "yes"}).status_code == 303


def test_every_command_is_either_somebodys_or_named_here_as_anybodys() -> None:
    somebodys = (
        permissions.OF_TASK
        | permissions.OF_ATTACK
        | permissions.OF_CHAIN
        | permissions.OF_TURN
        | permissions.OF_CHARACTER
        | permissions.OF_COMBATANT
        | permissions.OF_CHALLENGE
        | permissions.OF_COMPLICATION
        | {"declare_task", "line_up", "undo", "redo"}
    )
    assert somebodys <= set(COMMANDS)
    assert set(COMMANDS) - somebodys - GAMEMASTER_COMMANDS == ANYBODYS


ANYBODYS = {
    "abandon_ship", "add_combatant", "add_player", "add_trait", "adjust_power", "attach_free_roll", "bring_in",
    "choose_large_ship_turns", "choose_ships_in_close", "complicate_ship",
    "correct_die", "correct_scored_die", "create_problem", "declare_challenge", "dismiss_throw", "drop_die",
    "end_conflict", "end_effect", "enter_dice", "name_casualty", "name_ships_hit", "next_round", "remove_ship",
    "remove_trait", "rename_trait", "renew_crew_support", "report_reading", "restore_shields", "save_ship",
    "set_reach", "set_terrain", "shelter_ship", "spend_crew_support", "start_conflict", "strike_hazard", "strike_ship",
}  # fmt: skip
"""Dice that all see, ships, and what the table keeps together."""


def test_the_header_is_wanted_for_persons_too() -> None:
    with Desk() as desk:
        assert desk.client().post("/api/v1/me", json={"name": "Sam"}).status_code == 403
        assert desk.client().post("/api/v1/me", json={"name": "Sam"}, headers=HEADERS).status_code == 200


def test_a_player_is_asked_before_a_fight_for_the_whole_table_and_the_gamemaster_before_it_ends() -> None:
    with opened() as desk:
        kiosk = desk.client()
        okafor, reed = two(kiosk)
        sam, master = Phone(desk, name="Sam"), Phone(desk, gamemaster=True)
        both: dict[str, Any] = {"kind": "personal", "combatants": [{"combatant_id": one} for one in (okafor, reed)]}
        status, body = sam.asks("start_conflict", **both)
        assert (status, body["type"]) == (409, "/problems/ask-first")
        names = [one["name"] for one in got(kiosk, "/api/v1/table")["table"]["characters"]]
        assert all(one in body["detail"] for one in names)
        assert sam.asks("start_conflict", **both, confirmed=True)[0] == 200
        status, body = sam.asks("end_conflict")
        assert (status, body["type"]) == (409, "/problems/ask-first"), "it is everybody's to end, too"
        assert sam.asks("end_conflict", confirmed=True)[0] == 200
        assert sam.asks("end_conflict")[1]["type"] == "/problems/refused", "nothing is to be asked"
        assert master.asks("start_conflict", **both)[0] == 200
        status, body = master.asks("end_conflict")
        assert (status, body["type"]) == (409, "/problems/ask-first"), "as before other removals"
        assert master.asks("end_conflict", confirmed=True)[0] == 200


def test_a_program_at_the_kiosk_is_asked_nothing_about_a_fight_behind_a_pin_either() -> None:
    with opened() as desk:
        kiosk = desk.client()
        okafor, _ = two(kiosk)
        assert post(Phone(desk, gamemaster=True).client, "/api/v1/pin", {"pin": "4821"})[0] == 200
        assert got(kiosk, "/api/v1/me")["role"] == "player"
        fight = {"command": "start_conflict", "kind": "personal", "combatants": [{"combatant_id": okafor}]}
        status, body = post(kiosk, "/api/v1/commands", {**fight, "confirmed": False})
        assert (status, body["type"]) == (409, "/problems/ask-first"), "its page is asked"
        assert post(kiosk, "/api/v1/commands", fight)[0] == 200
        assert post(kiosk, "/api/v1/commands", {"command": "end_conflict"})[0] == 200


def test_the_locked_screen_takes_back_what_players_decided_and_not_what_the_gamemaster_did() -> None:
    with opened() as desk:
        kiosk = desk.client()
        okafor, _ = two(kiosk)
        sam, master = Phone(desk, name="Sam"), Phone(desk, gamemaster=True)
        sam.take(okafor)
        assert post(master.client, "/api/v1/pin", {"pin": "4821"})[0] == 200
        declaration = {"character_id": okafor, **DECLARATION}
        assert master.asks("declare_task", declaration=declaration)[0] == 200
        status, body = post(kiosk, "/api/v1/commands", {"command": "undo", "confirmed": True})
        assert (status, body["type"]) == (403, "/problems/pin-needed")
        assert master.asks("undo")[0] == 200
        assert post(kiosk, "/api/v1/commands", {"command": "redo"})[1]["type"] == "/problems/pin-needed"
        assert sam.asks("declare_task", declaration=declaration)[0] == 200
        status, body = post(kiosk, "/api/v1/commands", {"command": "undo", "confirmed": False})
        assert (status, body["type"]) == (409, "/problems/ask-first"), "it is another's"
        assert post(kiosk, "/api/v1/commands", {"command": "undo", "confirmed": True})[0] == 200


def test_a_players_phone_neither_begins_nor_passes_an_npcs_turn() -> None:
    with opened() as desk:
        kiosk = desk.client()
        okafor, _ = two(kiosk)
        sam, master = Phone(desk, name="Sam"), Phone(desk, gamemaster=True)
        sam.take(okafor)
        card = got(kiosk, "/api/v1/table")["table"]["characters"][0]
        numbers = {"attributes": card["attributes"], "disciplines": card["disciplines"]}
        send(kiosk, "save_character", name="Brack", standing="notable_npc", **numbers)
        brack = got(kiosk, "/api/v1/table")["table"]["characters"][-1]["character_id"]
        seats = [{"combatant_id": one} for one in (okafor, brack)]
        send(kiosk, "start_conflict", kind="personal", combatants=seats, begins=brack)
        assert sam.asks("begin_turn", combatant_id=brack)[0] == 403
        assert master.asks("begin_turn", combatant_id=brack)[0] == 200
        assert [sam.asks(one)[0] for one in ("pass_turn", "end_turn")] == [403, 403]
        send(kiosk, "pass_turn")


def test_the_gamemaster_without_a_name_is_called_so() -> None:
    with opened() as desk:
        Phone(desk)
        Phone(desk, gamemaster=True)
        called = [one["called"] for one in got(desk.client(), "/api/v1/table")["persons"]]
        assert called == ["Phone 1", "The gamemaster"]


def test_whoever_taps_second_is_told_who_decided_what() -> None:
    with opened() as desk:
        first, second = two(desk.client())
        sam, ana = Phone(desk, name="Sam"), Phone(desk, name="Ana")
        sam.take(first)
        ana.take(second)
        seen = got(ana.client, "/api/v1/table")["about"]["table"]
        assert sam.asks("declare_task", declaration={"character_id": first, **DECLARATION})[0] == 200
        late = {"character_id": second, **DECLARATION}
        status, body = ana.asks("declare_task", declaration=late, about=seen)
        assert (status, "decided first: declaring the Task, by Sam." in str(body)) == (409, True), body
        sam.asks("undo")
        seen = got(ana.client, "/api/v1/table")["about"]["table"] + "-"
        _, body = ana.asks("declare_task", declaration=late, about=seen)
        assert "decided first: declaring the Task, taken back, by Sam." in str(body), body
        assert [sam.asks("redo")[0], sam.asks("add_trait", name="Smoke")[0]] == [200, 200]
        assert [sam.asks("undo")[0], sam.asks("undo")[0], sam.asks("redo")[0]] == [200, 200, 200]
        _, body = ana.asks("declare_task", declaration=late, about=seen)
        assert "decided first: declaring the Task, by Sam." in str(body), "the other decision is still taken back"
