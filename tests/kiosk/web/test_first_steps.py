"""The first start at the table's screen, and a phone that makes a character in one step."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from kiosk.views.crew import ready_character
from rules.game import Discipline
from tests.kiosk.desk import GAMEMASTER_CODE, PHONE, TABLE_CODE, Desk, got, post, send
from tests.kiosk.web.test_api import set_up
from tests.kiosk.web.test_form_results import Forms
from tests.kiosk.web.test_persons import Phone, opened, two


def read(client: FlaskClient, path: str, **more: object) -> str:
    return unescape(client.get(path, **more).get_data(as_text=True))


def step_of(page: str) -> str:
    """Which step the page asks; empty where it asks none."""
    return page.partition('id="first-steps"')[2].partition('data-step="')[2].partition('"')[0]


def begun(client: FlaskClient, players: str = "3") -> None:
    """A table set up by the steps, with that many players."""
    page = client.get("/display?step=crew&ruleset=second-edition").get_data(as_text=True)
    names = page.partition(f">{players}</button>")[0].rpartition('value="')[2].partition('"')[0]
    form = Forms(unescape(page)).to("/text/set_up")
    sent = form | {"players": unescape(names), "ruleset": "second-edition"}
    answer = client.post("/text/set_up", data=sent)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/display?step=phones")


@pytest.mark.parametrize(
    ("query", "step"),
    [
        ("", "language"),
        ("?step=nonsense", "language"),
        ("?step=ruleset", "ruleset"),
        ("?step=crew", "language"),
        ("?step=crew&ruleset=starter", "crew"),
        ("?step=crew&ruleset=fourth", "language"),
        ("?step=phones", "language"),
    ],
)
def test_the_steps_lead_to_a_table(query: str, step: str) -> None:
    with Desk() as desk:
        assert step_of(read(desk.client(), f"/display{query}")) == step


def test_a_language_leads_on_and_is_the_rooms() -> None:
    with Desk() as desk:
        client = desk.client()
        form = Forms(read(client, "/display")).to("/language")
        answer = client.post("/language", data=form | {"language": "de"})
        assert answer.headers["Location"] == "/display?step=ruleset"
        assert desk.room.chosen == "de"


def test_a_table_of_so_many_players_has_their_threat_and_asks_about_phones() -> None:
    with Desk() as desk:
        client = desk.client()
        begun(client)
        table = got(client, "/api/v1/table")["table"]
        assert [one["name"] for one in table["players"]] == ["Player 1", "Player 2", "Player 3"]
        assert (table["ruleset"], table["threat"]) == ("second-edition", 6)
        page = read(client, "/display?step=phones")
        assert step_of(page) == "phones"
        form = Forms(page).to("/network")
        answer = client.post("/network", data=form | {"let_in": "yes"})
        assert answer.headers["Location"] == "/display"
        opened = read(client, "/display")
        assert (step_of(opened), TABLE_CODE in opened, "data-first" in opened) == ("", True, True)


def test_the_last_step_leads_back_too() -> None:
    with Desk() as desk:
        client = desk.client()
        begun(client)
        forms = Forms(read(client, "/display?step=phones")).all
        (form,) = (fields for where, fields in forms if where == "/text/undo" and "onward" not in fields)  # the bar's
        answer = client.post("/text/undo", data=form)
        assert answer.headers["Location"] == "/display?step=crew&ruleset=second-edition"
        assert step_of(read(client, answer.headers["Location"])) == "crew"
        assert not got(client, "/api/v1/table")["table"]["ready"]


def test_a_port_that_is_taken_is_said_on_the_step() -> None:
    with Desk() as desk:
        client = desk.client()
        begun(client)
        desk.door.refuses = "Port 8080 is taken by another program."
        form = Forms(read(client, "/display?step=phones")).to("/network")
        page = client.post("/network", data=form | {"let_in": "yes"}, follow_redirects=True).text
        assert (step_of(page), "Port 8080 is taken by another program." in page) == ("phones", True)


def test_a_stranger_and_a_player_are_asked_nothing() -> None:
    with Desk() as desk:
        desk.network.choose(let_in=True)
        phone = desk.client()
        assert step_of(read(phone, "/display", environ_overrides=PHONE)) == ""
        post(phone, "/api/v1/join", {"code": TABLE_CODE}, environ_overrides=PHONE)
        page = read(phone, "/display", environ_overrides=PHONE)
        assert (step_of(page), "/network" in page) == ("", False)
        post(phone, "/api/v1/join", {"gamemaster_code": GAMEMASTER_CODE}, environ_overrides=PHONE)
        assert step_of(read(phone, "/display", environ_overrides=PHONE)) == "language"


def test_the_code_leaves_the_middle_once_dice_were_thrown() -> None:
    with Desk() as desk:
        client = desk.client()
        desk.network.choose(let_in=True)
        character = set_up(client)
        page = read(client, "/display")
        assert "data-first" in page
        assert 'class="button main-action" href="/display?everybody=in">Everybody is in: play</a>' in page
        played = read(client, "/display?everybody=in")
        assert ("data-first" in played, "Everybody is in: play" in played) == (False, False), "the code is folded away"
        for one in (page, played):
            asked = one.partition("<summary>Keep phones out</summary>")[2].partition("</details>")[0]
            assert "Every phone is shut out at once." in asked
            assert 'name="let_in" value="no">Yes, keep phones out</button>' in asked
        declaration = {"character_id": character, "attribute": "daring", "discipline": "conn", "difficulty": 0}
        post(client, "/api/v1/commands", {"command": "declare_task", "declaration": declaration})
        post(client, "/api/v1/commands", {"command": "undo", "confirmed": True})
        assert "data-first" in read(client, "/display")


def test_a_table_that_has_played_sees_its_scene_and_not_the_code() -> None:
    """By itself: a television cannot be tapped on. In a later session the code is first while nobody is in."""
    with Desk() as desk:
        client = desk.client()
        desk.network.choose(let_in=True)
        character = set_up(client)
        declaration = {
            "character_id": character,
            "attribute": "daring",
            "discipline": "conn",
            "difficulty": 0,
            "rolled": False,
        }
        send(client, "declare_task", declaration=declaration)
        send(client, "start_scene", name="Deck 12")
        assert "data-first" not in read(client, "/display")
        send(client, "start_session")
        assert "data-first" in read(client, "/display")
        phone = a_phone(desk, "Ada")
        post(phone, "/api/v1/me", {"take": character}, environ_overrides=PHONE)
        assert "data-first" not in read(client, "/display")


def test_a_fight_takes_the_code_out_of_the_middle_as_it_begins_and_its_end_brings_none() -> None:
    """The stage shows a fight's end at once, and the code only learns of it a moment later."""
    with Desk() as desk:
        client = desk.client()
        desk.network.choose(let_in=True)
        character = set_up(client)
        assert "data-first" in read(client, "/display")
        seats = [{"combatant_id": character}]
        send(client, "start_conflict", kind="personal", combatants=seats, begins=character)
        before = got(client, "/api/v1/table")["stamps"]["door"]
        assert "data-first" not in read(client, "/display")
        send(client, "end_conflict", confirmed=True)
        assert "data-first" not in read(client, "/display")
        assert got(client, "/api/v1/table")["stamps"]["door"] == before, "nothing is fetched anew as it ends"
        send(client, "start_scene", name="Deck 12")
        assert "data-first" not in read(client, "/display"), "something was played"


def test_the_code_leaves_the_middle_once_everybody_is_played() -> None:
    with Desk() as desk:
        client = desk.client()
        desk.network.choose(let_in=True)
        assert two(client)
        before = got(client, "/api/v1/table")["stamps"]["door"]
        first, *others = [one["character_id"] for one in got(client, "/api/v1/table")["table"]["characters"]]
        phone = a_phone(desk, "Ada")
        for each in (first, *others):
            assert "data-first" in read(client, "/display")
            post(phone, "/api/v1/me", {"take": each}, environ_overrides=PHONE)
        assert "data-first" not in read(client, "/display")
        assert got(client, "/api/v1/table")["stamps"]["door"] != before, "screens that are open learn of it"


def test_the_code_makes_room_for_the_dial_and_says_who_is_not_taken_yet() -> None:
    with Desk() as desk:
        client = desk.client()
        desk.network.choose(let_in=True)
        set_up(client)
        name = got(client, "/api/v1/table")["table"]["characters"][0]["name"]
        a_phone(desk, "Ada")
        page = unescape(read(client, "/display"))
        assert "data-first" in page
        assert f"Not taken yet (1): {name}" in page
        post(client, "/api/v1/commands", {"command": "set_difficulty", "difficulty": 2})
        assert "data-first" not in read(client, "/display")


def test_long_names_leave_the_way_in_its_room() -> None:
    with Desk() as desk:
        client = desk.client()
        desk.network.choose(let_in=True)
        two(client)
        card = got(client, "/api/v1/table")["table"]["characters"][0]
        body = {each: card[each] for each in ("attributes", "disciplines")}
        for number in range(8):
            send(client, "save_character", name=f"{number}{'W' * 59}", **body)
        a_phone(desk, "Ada")
        here = unescape(read(client, "/display")).partition('id="here"')[2].partition("</ul>")[0]
        assert "Not taken yet (10)" in here
        assert f"0{'W' * 28}…" in here
        assert "W" * 30 not in here


def a_phone(desk: Desk, name: str) -> FlaskClient:
    """A phone that scanned the code: it is led to choose or make somebody."""
    phone = desk.client()
    answer = phone.get(f"/join?code={TABLE_CODE}", environ_overrides=PHONE)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/me")
    post(phone, "/api/v1/me", {"name": name}, environ_overrides=PHONE)
    return phone


def made(phone: FlaskClient, name: str, best: str) -> tuple[int, str]:
    """Make a character by the form of `/me`; the status and the page, or where it leads."""
    form = Forms(read(phone, "/me", environ_overrides=PHONE)).to("/me")
    sent = form | {"name": form.get("name", ""), "character_name": name, "make": best}
    answer = phone.post("/me", data=sent, environ_overrides=PHONE)
    again = phone.post("/me", data=sent, environ_overrides=PHONE)
    assert again.status_code == answer.status_code, "a form that is sent twice counts once"
    return answer.status_code, answer.headers.get("Location") or unescape(answer.text)


def test_where_somebody_can_be_played_one_name_is_asked_for_at_first() -> None:
    with Desk() as desk:
        client = desk.client()
        begun(client, "1")
        desk.network.choose(let_in=True)
        first = read(a_phone(desk, "Ada"), "/me", environ_overrides=PHONE)
        assert re.findall(r"<details[^>]*><summary>([^<]*)", first) == ["Your name: Ada"], "there is nobody yet"
        two(client)
        before, _, folded = read(a_phone(desk, "Ben"), "/me", environ_overrides=PHONE).partition(
            "<details><summary>Or make"
        )
        assert 'name="name"' in before
        assert 'name="character_name"' not in before
        assert 'name="character_name"' in folded


def test_phones_make_characters_for_the_players_there_are_then_for_new_ones() -> None:
    with Desk() as desk:
        client = desk.client()
        begun(client, "1")
        desk.network.choose(let_in=True)
        ada, ben = a_phone(desk, "Ada"), a_phone(desk, "Ben")
        assert made(ada, "Nova Lind", "conn") == (303, "/play")
        assert made(ben, "Rho", "medicine") == (303, "/play")
        table = got(client, "/api/v1/table")
        players = {one["player_id"]: one["name"] for one in table["table"]["players"]}
        played = [(one["name"], players[one["player_id"]]) for one in table["table"]["characters"]]
        assert played == [("Nova Lind", "Player 1"), ("Rho", "Ben")]
        assert [(one["called"], len(one["characters"])) for one in table["persons"]] == [("Ada", 1), ("Ben", 1)]
        assert "Ada plays Nova Lind." in read(client, "/display")
        assert post(client, "/api/v1/commands", {"command": "undo", "confirmed": True})[0] == 200
        assert [one["name"] for one in got(client, "/api/v1/table")["table"]["characters"]] == ["Nova Lind"]
        assert len(got(client, "/api/v1/table")["table"]["players"]) == 1, "one undo takes the player, too"


@pytest.mark.parametrize(
    ("name", "best", "said"),
    [
        ("", "conn", "Say what your character is called."),
        ("Nova", "cooking", "Choose what your character is best at."),
        ("N" * 61, "conn", "61"),
    ],
)
def test_what_is_missing_is_said(name: str, best: str, said: str) -> None:
    with Desk() as desk:
        begun(desk.client())
        desk.network.choose(let_in=True)
        status, page = made(a_phone(desk, "Ada"), name, best)
        assert (status, said in page) == (400, True)
        assert got(desk.client(), "/api/v1/table")["table"]["characters"] == []


@pytest.mark.parametrize("discipline", list(Discipline))
def test_ready_numbers_are_what_every_ruleset_gives(discipline: Discipline) -> None:
    made = ready_character(discipline.value, "Nova")
    attributes, disciplines = made["attributes"], made["disciplines"]
    assert (sum(attributes.values()), sum(disciplines.values())) == (56, 16)
    assert max(disciplines, key=lambda one: disciplines[one]) == discipline.value
    assert all(8 <= one <= 11 for one in attributes.values())
    assert all(1 <= one <= 5 for one in disciplines.values())


def test_what_plain_http_withholds_is_said_once_with_what_to_do() -> None:
    with Desk() as desk:
        begun(desk.client())
        desk.network.choose(let_in=True)
        phone = a_phone(desk, "Ada")
        withheld = "the browser lets the phone fall asleep"
        plain = phone.get("/me", environ_overrides=PHONE)
        assert withheld in unescape(plain.text)
        assert "Cross-Origin-Opener-Policy" in plain.headers, "the tests' own host is this machine"
        named = {"HTTP_HOST": "192.168.1.5:8080"}
        assert "Cross-Origin-Opener-Policy" not in phone.get("/me", environ_overrides=PHONE | named).headers
        assert withheld not in unescape(phone.get("/play", environ_overrides=PHONE).text), "once"
        nameless = phone.get("/me", environ_overrides=PHONE | {"HTTP_HOST": "[::1"})
        assert (nameless.status_code, "Cross-Origin-Opener-Policy" in nameless.headers) == (421, False)
        safe = phone.get("/me", environ_overrides=PHONE | named, headers={"Sec-Fetch-Site": "none"})
        assert withheld not in unescape(safe.text)
        assert "Cross-Origin-Opener-Policy" in safe.headers
        assert withheld not in read(desk.client(), "/me"), "the kiosk's own screen is safe"


def test_the_code_is_small_once_everybody_who_plays_is_in_and_large_again_for_who_is_not() -> None:
    with opened() as desk:
        client = desk.client()
        okafor, reed = two(client)
        assert "data-in" not in read(client, "/display")
        sam, ana = Phone(desk, name="Sam"), Phone(desk, name="Ana")
        sam.take(okafor)
        assert "data-in" not in read(client, "/display")
        ana.take(reed)
        page = read(client, "/display")
        assert ("data-in" in page, "data-first" in page, TABLE_CODE in page) == (True, False, True)
        assert 'id="invitation" class="invitation"' in page, "the first line has its words"
        desk.persons.send_away(ana.me["person_id"])
        assert "data-in" not in read(client, "/display")
