"""The pages of persons: who one is, the PIN at the kiosk itself, and what the gamemaster does about phones."""

from __future__ import annotations

import json
import re
from contextlib import closing
from html import unescape

import pytest
from flask.testing import FlaskClient

from kiosk.hub import KeptPlace
from kiosk.i18n.room import Room
from kiosk.web.access import PAGE_SECONDS, PIN_SECONDS
from kiosk.web.persons_routes import ABSENT_SECONDS
from tests.kiosk.desk import GAMEMASTER_CODE, LANGUAGES, TABLE_CODE, Desk, got, post, send
from tests.kiosk.web.test_api import DECLARATION, set_up
from tests.kiosk.web.test_conflict_page import SYSTEMS
from tests.kiosk.web.test_form_results import Forms
from tests.kiosk.web.test_letting_in import OPENED
from tests.kiosk.web.test_pages import DISCIPLINES, words
from tests.kiosk.web.test_persons import Phone, opened, two

BROWSER = {"Sec-Fetch-Site": "same-origin", "X-Trueroll": "1"}


def read(client: FlaskClient, path: str) -> str:
    return unescape(client.get(path, headers=BROWSER).get_data(as_text=True))


def sent(client: FlaskClient, path: str, page: str = "/me", **fields: str) -> tuple[int, str, str]:
    """POST a form of `page` as a browser does: the status, where it leads, and the page that came."""
    token = read(client, page).partition('name="token" value="')[2].partition('"')[0]
    answer = client.post(path, data={"token": token, **fields}, headers=BROWSER)
    return answer.status_code, answer.headers.get("Location", ""), unescape(answer.get_data(as_text=True))


def phone_of(desk: Desk) -> FlaskClient:
    client = desk.client()
    client.environ_base["REMOTE_ADDR"] = "192.168.1.20"
    return client


@pytest.mark.parametrize("name", ["A", "x" * 60, "ليلى القمر"])
def test_who_joins_without_script_gives_a_name_and_then_picks_a_character(name: str) -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        phone = phone_of(desk)
        status, onward, _ = sent(phone, "/text/join", "/join", name=name, code=TABLE_CODE)
        assert (status, onward) == (303, "/me")
        page = read(phone, "/me")
        assert f'value="{name}"' in page
        assert f'name="take" value="{okafor}"' in page
        assert page.index('<button type="submit">Keep the name') < page.index('name="take"'), "Enter takes nobody"
        assert sent(phone, "/me", name=name, take=okafor)[:2] == (303, "/play")
        assert f'name="leave" value="{okafor}"' in read(phone, "/me")
        other = phone_of(desk)
        assert other.get(f"/join?code={TABLE_CODE}").headers["Location"] == "/me"
        page = read(other, "/me")
        assert re.search(f"played by \u2068?{name}\u2069?</small>", page)
        assert f'name="take" value="{okafor}"' not in page
        status, _, page = sent(other, "/me", name="", take=okafor)
        assert status == 409
        assert re.search(f"\u2068?{name}\u2069? plays this character", page)
        assert sent(other, "/me", name="Ana", take=reed)[:2] == (303, "/play")
        assert sent(phone, "/me", name=name, leave=okafor)[:2] == (303, "/me")
        assert other.get(f"/join?code={TABLE_CODE}").headers["Location"] == "/play", "they play somebody"


def test_who_takes_another_character_goes_on_as_them() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        phone = Phone(desk, name="Ana").client
        assert sent(phone, "/me", "/play?choose=yes", play=okafor)[:2] == (303, "/play")
        assert f'data-me="{okafor}"' in read(phone, "/play")
        assert sent(phone, "/me", take=reed)[:2] == (303, "/play")
        assert f'data-me="{reed}"' in read(phone, "/play")


def test_a_stranger_is_told_to_join_and_a_form_of_elsewhere_is_not_taken() -> None:
    with opened() as desk:
        stranger = phone_of(desk)
        set_up(desk.client())
        assert "Not joined" in read(stranger, "/me")
        assert stranger.post("/me", data={"name": "Sam"}).status_code == 403
        token = read(stranger, "/join").partition('name="token" value="')[2].partition('"')[0]
        assert stranger.post("/me", data={"token": token, "name": "Sam"}).status_code == 401


def test_who_scanned_the_code_finds_the_gamemasters_part_and_types_no_name_again() -> None:
    way = '<a class="button" href="/join?gamemaster=yes">I am the gamemaster</a>'
    with opened() as desk:
        two(desk.client())
        phone, master = Phone(desk, name="Greta"), Phone(desk, gamemaster=True)
        for path in ("/me", "/play"):
            assert way in read(phone.client, path), path
            assert way not in read(master.client, path), path
        assert re.search(r'name="name"[^>]*value="Greta"', read(phone.client, "/join?gamemaster=yes"))


def test_where_the_gamemasters_code_is_shown_is_said_by_the_name_on_its_button() -> None:
    """At a screen that is touched nobody types an address."""
    with opened() as desk:
        two(desk.client())
        phone = Phone(desk, name="Greta")
        for path in ("/gm", "/join?gamemaster=yes"):
            words = re.sub(r"<[^>]*>", "", read(phone.client, path))
            assert "under Set up" in words, path
            assert "/setup" not in words, path
        status, _, page = sent(phone.client, "/text/join", "/join", gamemaster_code="WRONGONE")
        assert status != 303
        assert "The kiosk itself shows it under Set up." in page


def test_a_phone_that_was_sent_away_is_told_so_on_each_page() -> None:
    with opened() as desk:
        set_up(desk.client())
        sam = Phone(desk, name="Sam")
        desk.persons.send_away(sam.me["person_id"])
        for path in ("/play", "/me", "/conflict", "/text"):
            page = read(sam.client, path)
            assert "You were sent away from the table." in page, path
            assert 'href="/join"' in page, path


def test_the_plain_page_offers_a_guest_no_form_that_is_refused() -> None:
    with opened() as desk:
        set_up(desk.client())
        offered = 'action="/text/hold"', 'action="/text/gain_threat"', 'action="/text/start_scene"'
        page = read(Phone(desk, name="Sam").client, "/text")
        assert all(one in page for one in offered)
        guest = desk.client()
        guest.environ_base["REMOTE_ADDR"] = "192.168.1.9"
        page = read(guest, "/text")
        assert not any(one in page for one in offered)
        assert "Not joined: you can look, but not play." in page


def test_the_gamemaster_gives_frees_and_sends_away_on_the_page_without_script() -> None:
    with opened() as desk:
        okafor = set_up(desk.client())
        sam, master = Phone(desk, name="Sam & <Co>"), Phone(desk, gamemaster=True)
        person = sam.me["person_id"]
        page = master.client.get("/setup").get_data(as_text=True)
        assert "Sam &amp; &lt;Co&gt; plays nobody yet" in page
        assert "Phones and who holds them" not in read(sam.client, "/setup")
        fields = {"person_id": person, "character_id": okafor}
        assert sent(master.client, "/persons", "/setup", action="give", **fields)[:2] == (303, "/setup#persons")
        assert sam.me["characters"] == [okafor]
        assert sent(master.client, "/persons", "/setup", action="free", **fields)[0] == 303
        assert sam.me["characters"] == []
        assert sent(sam.client, "/persons", "/me", action="give", **fields)[0] == 403
        assert sent(master.client, "/persons", "/setup", action="dance", **fields)[0] == 400
        assert sent(master.client, "/persons", "/setup", action="send_away", person_id=person)[0] == 303
        assert sam.me["sent_away"]
        status, _, page = sent(master.client, "/persons", "/setup", action="give", **fields)
        assert status == 409
        assert "no longer at the table" in page
        assert sent(master.client, "/persons", "/setup", action="renew", code="table")[0] == 303
        assert TABLE_CODE not in read(master.client, "/setup")
        assert sent(master.client, "/persons", "/setup", action="renew", code="gamemaster")[0] == 303
        assert desk.access.gamemaster_code != GAMEMASTER_CODE


def test_forty_persons_are_listed() -> None:
    with opened() as desk:
        set_up(desk.client())
        for number in range(40):
            desk.persons.join("", "player", f"Person {number} {'x' * 40}")
        page = read(desk.client(), "/setup")
        assert page.count("plays nobody yet") == 40


def test_forty_characters_stand_in_groups_and_those_of_others_say_who_plays_them() -> None:
    with opened() as desk:
        master = desk.client()
        set_up(master)
        card = got(master, "/api/v1/table")["table"]["characters"][0]
        numbers = {name: card[name] for name in ("attributes", "disciplines")}
        for number in range(39):
            send(master, "save_character", name=f"Officer {number:02}", **numbers)
        people = [one["character_id"] for one in got(master, "/api/v1/table")["table"]["characters"]]
        onlooker, sam, ana = phone_of(desk), Phone(desk, name="Sam"), Phone(desk, name="Ana")
        page = read(onlooker, "/play")
        assert page.count('<details name="people">') == 5
        assert "<summary>Officer 07 \N{EN DASH} Officer 14</summary>" in page
        assert page.count('name="play"') == 40
        for one in people[:20]:
            desk.persons.take(sam.me["person_id"], one)
        page = read(ana.client, "/play")
        assert (page.count('name="play"'), page.count('name="ask"')) == (20, 20)
        assert page.count("played by Sam") == 20
        desk.persons.ask(ana.me["person_id"], people[3])
        page = read(ana.client, "/play")
        assert 'class="note">You asked for Officer 02: the' in page, "who is waited for stays in sight"
        assert read(onlooker, "/display").count("and 32 more") == 1


def test_once_a_pin_is_set_the_gamemasters_part_asks_for_it_at_the_kiosk_itself() -> None:
    with opened() as desk:
        kiosk = desk.client()
        okafor = set_up(kiosk)
        assert sent(kiosk, "/persons", "/setup", action="pin", pin="12a4")[0] == 403
        assert sent(kiosk, "/persons", "/setup", action="pin", pin="1234")[0] == 303
        assert "js/gm" in read(kiosk, "/gm"), "whoever set it is in"
        other = desk.client()
        assert other.get("/gm", headers=BROWSER).headers["Location"] == "/pin"
        assert desk.access.gamemaster_code not in read(other, "/setup")
        answer = other.post("/api/v1/commands", json={"command": "start_scene", "name": "Dawn"}, headers=BROWSER)
        assert (answer.status_code, answer.get_json(force=True)["type"]) == (403, "/problems/pin-needed")
        assert "/pin" not in answer.get_json(force=True)["detail"], "a button leads there"
        _, _, plain = sent(other, "/text/start_scene", "/text", name="Dawn")
        assert 'href="/pin">Type in the PIN</a>' in plain, "without script, too"
        assert 'href="/display">Back to the table</a>' in read(other, "/pin"), "whoever has no PIN gets back"
        assert other.get("/api/v1/hidden", headers=BROWSER).status_code == 403
        declared = {"command": "add_trait", "name": "Fog"}
        assert other.post("/api/v1/commands", json=declared, headers=BROWSER).status_code == 200, "play goes on"
        Phone(desk, name="Sam").take(okafor)
        taken = {"command": "adjust_stress", "character_id": okafor, "change": -1}
        assert other.post("/api/v1/commands", json=taken, headers=BROWSER).status_code != 403, "the stage acts for all"
        assert other.get("/api/v1/hidden").status_code == 403, "open to the network, programs are asked too"
        status, _, page = sent(other, "/pin", "/pin", pin="9999")
        assert status == 403
        assert "That is not the PIN" in page
        assert sent(other, "/pin", "/pin", pin="1234")[:2] == (303, "/gm")
        assert "js/gm" in read(other, "/gm")
        assert sent(other, "/pin", "/pin", action="lock")[0] == 303
        assert other.get("/gm", headers=BROWSER).status_code == 302
        desk.clock.ticks += PIN_SECONDS
        assert kiosk.get("/gm", headers=BROWSER).status_code == 302, "it is open for a while only"


def test_the_locked_screen_takes_nothing_off_the_table_and_offers_it_behind_the_pin() -> None:
    folds = (
        "Begin again with a new table</summary>",
        "Change the house rules</summary>",
        ">Remove</summary>",
    )
    with opened() as desk:
        okafor = set_up(desk.client())
        send(desk.client(), "save_ship", name="Aurora", scale=4, systems=SYSTEMS, departments=DISCIPLINES)
        there = got(desk.client(), "/api/v1/table")["table"]
        gone = [
            {"command": "remove_character", "character_id": okafor},
            {"command": "remove_ship", "ship_id": there["ships"][0]["ship_id"]},
            {"command": "remove_player", "player_id": there["players"][0]["player_id"]},
        ]
        screen = desk.client()
        assert all(one in read(screen, "/setup") for one in folds), "without a PIN it is open"
        desk.access.set_pin("1204")
        for taken in gone:
            answer = screen.post("/api/v1/commands", json={**taken, "confirmed": True}, headers=BROWSER)
            assert (answer.status_code, answer.get_json(force=True)["type"]) == (403, "/problems/pin-needed")
        page = read(screen, "/setup")
        assert [one for one in (*folds, ">Remove<") if one in page] == []
        assert 'href="/pin?back=/setup">Type in the PIN</a>' in page
        fields = {"character_id": okafor, "confirmed": "yes"}
        status, _, page = sent(screen, "/text/remove_character", "/setup", back="/setup", **fields)
        assert status == 403
        assert 'href="/pin?back=/setup">Type in the PIN</a>' in page
        assert sent(screen, "/pin", "/pin", pin="1204", back="/setup")[:2] == (303, "/setup")
        assert all(one in read(screen, "/setup") for one in folds)
        assert sent(screen, "/text/remove_character", "/setup", back="/setup", **fields)[0] == 303


def test_locking_at_the_kiosk_locks_every_browser_there_and_the_panels_buttons() -> None:
    with opened() as desk:
        desk.access.set_pin("1204")
        first, second = desk.client(), desk.client()
        for kiosk in (first, second, second):
            desk.clock.ticks += 1
            assert sent(kiosk, "/pin", "/pin", pin="1204")[:2] == (303, "/gm")
        assert not desk.access.locked_here()
        assert sent(second, "/pin", "/pin", action="lock")[0] == 303
        assert desk.access.locked_here(), "the buttons too"
        for kiosk in (first, second):
            assert kiosk.get("/gm", headers=BROWSER).headers["Location"] == "/pin"


def test_whoever_sets_a_pin_is_told_who_needs_none_and_locks_beside_it() -> None:
    lock = 'name="action" value="lock"'
    with opened() as desk:
        kiosk, other, master = desk.client(), desk.client(), Phone(desk, gamemaster=True).client
        set_up(kiosk)
        assert lock not in read(kiosk, "/gm"), "there is none yet"
        _, led, _ = sent(kiosk, "/persons", "/setup", action="pin", pin="1234")
        told = read(kiosk, led)
        for words in (
            "A PIN is set:",
            "needs none on their own device.",
            "This browser is open for half an hour",
            lock,
        ):
            assert words in told[told.index('<details id="own-pin" open') :]
        assert lock in read(kiosk, "/gm")
        assert other.get("/gm", headers=BROWSER).headers["Location"] == "/pin"
        for page in ("/gm", "/setup"):
            assert lock not in read(master, page), "it is the kiosk's"
        status, led, _ = sent(kiosk, "/pin", "/gm", action="lock")
        assert (status, "It is locked now" in read(kiosk, led)) == (303, True)
        assert kiosk.get("/gm", headers=BROWSER).headers["Location"] == "/pin"
        _, led, _ = sent(master, "/persons", "/setup", action="pin", pin="")
        assert "There is no PIN now" in read(master, led)


def test_what_is_typed_to_set_a_pin_or_to_be_the_gamemaster_is_hidden_until_asked_for() -> None:
    def field(page: str, name: str) -> str:
        (found,) = re.findall(rf'<input id="{name}"[^>]*>', page)
        return str(found)

    with opened() as desk:
        kiosk = desk.client()
        assert 'type="password"' in field(read(kiosk, "/setup"), "new-pin")
        told = {"action": "pin", "pin": "12"}
        _, _, page = sent(kiosk, "/persons", "/setup", **told, show="yes")
        assert all(one in field(page, "new-pin") for one in ('type="text"', 'value="12"'))
        _, _, page = sent(kiosk, "/persons", "/setup", **told, shown="yes", key="3")
        assert all(one in field(page, "new-pin") for one in ('type="text"', 'value="123"'))
        _, _, page = sent(kiosk, "/persons", "/setup", **told, shown="yes", show="no")
        assert all(one in field(page, "new-pin") for one in ('type="password"', 'value="12"'))
        assert not desk.access.has_pin
        assert re.search(rf"<details id=.gamemaster-code.><summary>[^<]+<.*{GAMEMASTER_CODE}", read(kiosk, "/setup"))
        phone = phone_of(desk)
        assert 'type="password"' in field(read(phone, "/join"), "gamemaster_code")
        status, _, page = sent(phone, "/text/join", "/join", gamemaster_code=GAMEMASTER_CODE, show="yes")
        assert (status, "Not joined" in read(phone, "/me")) == (200, True), "it tries nothing"
        assert all(one in field(page, "gamemaster_code") for one in ('type="text"', f'value="{GAMEMASTER_CODE}"'))


def test_the_gamemasters_code_is_folded_away_and_a_name_is_asked_for_once() -> None:
    with opened() as desk:
        two(desk.client())
        phone = phone_of(desk)
        folded = r"<details( open)?><summary>I am the gamemaster</summary>.*?name=.gamemaster_code.*?</details>"
        shut, asked = (re.search(folded, read(phone, path), re.DOTALL) for path in ("/join", "/join?gamemaster=yes"))
        assert shut is not None
        assert asked is not None
        assert (shut[1], asked[1]) == (None, " open")
        assert read(phone, "/join").index("Join</button>") < shut.start(), "Enter joins as a player"
        sent(phone, "/text/join", "/join", name="Sam", code=TABLE_CODE)
        folded = r"<details><summary>Your name: Sam</summary>.*?name=.name. .*?</details>"
        assert re.search(folded, read(phone, "/me"), re.DOTALL)
        nameless = phone_of(desk)
        sent(nameless, "/text/join", "/join", code=TABLE_CODE)
        assert "Your name: " not in read(nameless, "/me")
        assert "Your name</label>" in read(nameless, "/me")


@pytest.mark.parametrize("path", ["/screen", "/language", "/tray"])
def test_who_stands_at_the_locked_kiosk_is_led_to_the_pin_and_back(path: str) -> None:
    with opened() as desk:
        kiosk = desk.client()
        assert "Type in the PIN" not in read(kiosk, path)
        desk.access.set_pin("1204")
        assert f'href="/pin?back={path}">Type in the PIN</a>' in read(kiosk, path)
        assert "Type in the PIN" not in read(phone_of(desk), path), "the PIN is the kiosk's own"
        _, _, page = sent(kiosk, "/pin", f"/pin?back={path}", back=path, pin="9999")
        assert f'name="back" value="{path}"' in page
        assert sent(kiosk, "/pin", f"/pin?back={path}", back=path, pin="1204")[:2] == (303, path)
        desk.access.lock("127.0.0.1")
        assert sent(kiosk, "/pin", "/pin", back="//elsewhere", pin="1204")[:2] == (303, "/gm")


def test_a_players_table_tab_leads_to_colours_and_language_and_they_lead_back() -> None:
    with opened() as desk:
        two(desk.client())
        phone = phone_of(desk)
        sent(phone, "/text/join", "/join", name="Sam", code=TABLE_CODE)
        table = read(phone, "/play/table")
        assert 'href="/colours?back=/play/table">Colours and text size</a>' in table
        assert 'href="/language?back=/play/table">Language</a>' in table
        assert 'href="/language?back=/play/table"' in read(phone, "/colours?back=/play/table")
        page = read(phone, "/language?back=/play/table")
        assert 'name="back" value="/play/table"' in page
        assert '<a class="button" href="/play/table">Back</a>' in page
        fields = {"language": "de", "back": "/play/table"}
        assert sent(phone, "/language", "/language?back=/play/table", **fields)[:2] == (303, "/play/table")
        assert 'lang="de"' in read(phone, "/play/table")
        assert sent(phone, "/language", "/language", language="en", back="//elsewhere")[1] == "/language"


def test_the_panels_buttons_are_locked_a_minute_after_the_page_that_opened_them_is_gone() -> None:
    with opened() as desk:
        desk.access.set_pin("1204")
        kiosk = desk.client()
        assert sent(kiosk, "/pin", "/pin", pin="1204")[:2] == (303, "/gm")
        page = kiosk.get("/api/v1/events", headers=BROWSER)
        desk.clock.ticks += 600
        assert not desk.access.locked_here(), "its page lives"
        page.close()
        desk.clock.ticks += PAGE_SECONDS - 1
        assert not desk.access.locked_here(), "it may only be loaded again"
        desk.clock.ticks += 2
        assert desk.access.locked_here()
        assert "Lock it now" in read(kiosk, "/gm"), "the browser itself is open as long as it was"
        assert not desk.access.locked_here(), "and is heard of again"
        desk.clock.ticks += PIN_SECONDS - 661
        assert desk.access.locked_here()
        assert kiosk.get("/gm", headers=BROWSER).headers["Location"] == "/pin"


def test_a_lock_changes_the_stamp_that_open_pages_follow() -> None:
    """Also where the panel's menu locks, or another PIN is set."""
    with opened() as desk:
        seen = [desk.views.current().stamps]

        def looked() -> None:
            """The next message to open pages is a table with other stamps."""
            assert b"event: table" in next(pages)
            seen.append(desk.views.current().stamps)

        with closing(desk.hub.subscribe()) as open_page:
            pages = iter(open_page)
            next(pages)
            desk.access.set_pin("1204")
            looked()
            desk.access.lock("127.0.0.1")
            looked()
            desk.access.lock_all()
            looked()
        assert len({one.persons for one in seen}) == 4
        assert len({one.door for one in seen}) == 1


def test_typing_the_pin_in_again_leaves_no_second_opening_behind() -> None:
    with opened() as desk:
        desk.access.set_pin("1204")
        first = desk.access.unlock("127.0.0.1", "1204")
        second = desk.access.unlock("127.0.0.1", "1204", first)
        roles = [desk.access.identify("127.0.0.1", None, one).locked for one in (first, second)]
        assert roles == [True, False]


def test_a_device_in_the_network_neither_opens_nor_locks_what_the_pin_keeps_at_the_kiosk() -> None:
    with opened() as desk:
        desk.access.set_pin("1204")
        player, master = Phone(desk, name="Ana").client, Phone(desk, gamemaster=True).client
        for phone in (player, master):
            status, told = post(phone, "/api/v1/pin/unlock", {"pin": "1204"})
            assert (status, "kiosk's own screen" in told["detail"]) == (403, True)
            assert sent(phone, "/pin", "/pin", pin="1204")[0] == 403
        assert desk.access.locked_here()
        desk.access.unlock("127.0.0.1", "1204")
        assert sent(player, "/pin", "/pin", action="lock")[0] == 403
        assert not desk.access.locked_here()


def typed_on_the_pad(client: FlaskClient, keys: str) -> str:
    """The page after these keys, `<` for the one that takes a digit away, as a browser without script sends them."""
    pin, shown = "", ""
    for key in keys:
        status, _, shown = sent(client, "/pin", "/pin", pin=pin, key="back" if key == "<" else key)
        assert status == 200
        (field,) = re.findall(r'<input id="pin"[^>]*>', shown)
        assert 'type="password"' in field, "nobody reads it"
        pin = re.findall(r'value="(\d*)"', field)[0]
    return pin


def test_a_screen_without_a_keyboard_has_a_pad_for_the_pin_that_needs_no_script() -> None:
    with opened() as desk:
        kiosk = desk.client()
        desk.access.set_pin("1204")
        page = read(kiosk, "/pin")
        assert re.findall(r'name="key" value="(\w+)"', page) == [*"123456789", "back", "0"], "as it is seen"
        assert page.index("Open the gamemaster's part") < page.index('name="key"'), "Enter tries the PIN"
        assert typed_on_the_pad(kiosk, "129<04") == "1204"
        assert typed_on_the_pad(kiosk, "1234567890") == "12345678", "no longer than a PIN"
        assert typed_on_the_pad(kiosk, "<<") == ""
        for _ in range(6):
            assert typed_on_the_pad(kiosk, "99") == "99", "a key tries nothing"
        assert kiosk.get("/gm", headers=BROWSER).headers["Location"] == "/pin"
        status, _, page = sent(kiosk, "/pin", "/pin", pin="9999")
        assert (status, "That is not the PIN" in page, 'value="9999"' in page) == (403, True, False)
        assert sent(kiosk, "/pin", "/pin", pin="1204")[:2] == (303, "/gm")


def test_a_pin_is_set_by_the_same_pad_and_no_key_sets_it() -> None:
    with opened() as desk:
        kiosk = desk.client()
        typed = ""
        for key in ("1", "2", "9", "back", "0", "4"):
            status, _, page = sent(kiosk, "/persons", "/setup", action="pin", pin=typed, key=key)
            assert (status, desk.access.has_pin) == (200, False)
            (field,) = re.findall(r'<input id="new-pin"[^>]*>', page)
            (typed,) = re.findall(r'value="(\d*)"', field)
            assert re.search(
                rf'<details id="own-pin" open><summary>A PIN.*name="key" value="{key}" autofocus',
                unescape(page),
                re.DOTALL,
            )
        assert typed == "1204"
        assert page.index("Set the PIN") < page.index('name="key"'), "Enter sets it"
        assert sent(kiosk, "/persons", "/setup", action="pin", pin=typed)[0] == 303
        assert desk.access.has_pin


def test_wrong_pins_are_counted_as_wrong_codes_are() -> None:
    with opened() as desk:
        kiosk = desk.client()
        desk.access.set_pin("1234")
        for _ in range(6):
            assert sent(kiosk, "/pin", "/pin", pin="9999")[0] == 403
        status, led, _ = sent(kiosk, "/pin", "/pin", pin="1234")
        assert status == 303
        assert "Too many wrong tries. Wait 60 seconds, then try again." in read(kiosk, led)
        desk.clock.ticks += 60
        assert "The wait is over: try again." in read(kiosk, led)
        assert sent(kiosk, "/pin", "/pin", pin="1234")[:2] == (303, "/gm")


def test_a_gamemasters_phone_needs_no_pin_and_sets_another() -> None:
    with opened() as desk:
        desk.access.set_pin("1234")
        master = Phone(desk, gamemaster=True)
        assert "js/gm" in read(master.client, "/gm")
        assert post(master.client, "/api/v1/pin", {"pin": "87654321"})[0] == 200
        desk.access.unlock("127.0.0.1", "87654321")
        assert post(master.client, "/api/v1/pin", {"pin": ""})[0] == 200
        assert "js/gm" in read(desk.client(), "/gm")


def test_programs_on_a_closed_kiosk_need_no_pin_and_its_pages_do() -> None:
    with Desk() as desk:
        desk.access.set_pin("1234")
        client = desk.client()
        set_up(client)
        send(client, "start_scene", name="Dawn")
        assert got(client, "/api/v1/me")["role"] == "gamemaster"
        assert client.get("/gm", headers=BROWSER).status_code == 302
        status = client.post("/api/v1/pin/unlock", json={"pin": "1234"}, headers=BROWSER).status_code
        assert (status, client.get("/gm", headers=BROWSER).status_code) == (200, 200)


def test_what_is_taken_off_the_table_is_asked_about_first() -> None:
    with Desk() as desk:
        client = desk.client()
        set_up(client)
        page = read(client, "/setup")
        name = got(client, "/api/v1/table")["table"]["characters"][0]["name"]
        assert f'<summary aria-label="Remove {name}">Remove</summary>' in page
        assert f">Yes, remove {name}</button>" in page


def test_whom_a_phone_plays_is_chosen_on_the_page_and_kept_by_a_cookie() -> None:
    """Who has joined takes whom they choose; who only looks takes nobody, and sees the page all the same."""
    with opened() as desk:
        okafor, reed = two(desk.client())
        onlooker, sam, ana = phone_of(desk), Phone(desk, name="Sam"), Phone(desk, name="Ana")
        assert "Whom do you play?" in read(sam.client, "/play/fight")
        for client in (onlooker, sam.client):
            assert sent(client, "/me", "/play", play=okafor, back="/play/log")[:2] == (303, "/play/log")
            assert 'id="me-title">Ada' in read(client, "/play/sheet")
        assert (sam.me["characters"], len(desk.persons.all)) == ([okafor], 2)
        assert 'id="me-title">Whom do you play?' in read(onlooker, "/play"), "it is another's now"
        assert "played by Sam" in read(ana.client, "/play")
        assert sent(ana.client, "/me", "/play", play=okafor, back="/elsewhere")[0] == 409
        assert sent(ana.client, "/me", "/play", play=reed, back="/elsewhere")[:2] == (303, "/play")
        assert f'value="{reed}" aria-pressed="true"' in read(ana.client, "/play?choose=yes")
        desk.persons.take(sam.me["person_id"], reed, from_others=True)
        assert 'id="me-title">Whom do you play?' in read(ana.client, "/play")


def test_who_lost_their_phone_asks_with_another_and_the_gamemaster_gives_by_one_tap() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        lost, found, master = Phone(desk, name="Ana"), Phone(desk, name="Ana"), Phone(desk, gamemaster=True)
        lost.take(okafor)
        name = got(desk.client(), "/api/v1/table")["table"]["characters"][0]["name"]
        for path in ("/me", "/play"):
            assert f"I am {name}, with another phone" in read(found.client, path)
        assert "with another phone" not in read(lost.client, "/me")
        assert sent(found.client, "/me", "/play", ask=okafor)[:2] == (303, "/play")
        assert found.me["name"] == "Ana", "who asks keeps their name"
        for path in ("/me", "/play"):
            assert f"You asked for {name}" in read(found.client, path)
        assert lost.me["characters"] == [okafor], "only the gamemaster gives it"
        bridge = read(master.client, "/gm")
        assert f"Ana asks with another phone for {name}, whom Ana plays." in bridge
        body = json.loads(bridge.partition('data-post="/api/v1/persons" data-body="')[2].partition('}"')[0] + "}")
        assert post(found.client, "/api/v1/persons", body)[0] == 403
        assert post(master.client, "/api/v1/persons", body)[0] == 200
        assert (lost.me["characters"], found.me["characters"]) == ([], [okafor])
        assert "asks with another phone" not in read(master.client, "/gm")
        post(lost.client, "/api/v1/me", {"ask": okafor})
        assert "asks with another phone" in read(master.client, "/gm")
        post(master.client, "/api/v1/persons", {**body, "action": "refuse", "person_id": lost.me["person_id"]})
        assert "asks with another phone" not in read(master.client, "/gm")
        assert post(found.client, "/api/v1/me", {"ask": "nobody"})[0] == 409
        assert found.take(reed)[0] == 200


def test_a_screen_does_not_say_that_somebody_is_there_whose_phone_may_be_gone() -> None:
    with opened() as desk:
        set_up(desk.client())
        Phone(desk, name="Ana")
        shown = read(desk.client(), "/display").partition('id="here"')[2].partition("</ul>")[0]
        assert "Ana has joined." in shown
        Phone(desk, name="Gero", gamemaster=True)
        shown = read(desk.client(), "/display").partition('id="here"')[2].partition("</ul>")[0]
        assert "Gero is the gamemaster." in shown


def _here(client: FlaskClient) -> str:
    """Who is here, as the table's screen says it."""
    return read(client, "/display").partition('<ul id="here"')[2].partition("</ul>")[0]


def test_who_has_not_been_heard_of_for_long_stands_apart_and_keeps_their_character() -> None:
    with opened() as desk:
        kiosk = desk.client()
        okafor, _ = two(kiosk)
        sam, ana = Phone(desk, name="Sam"), Phone(desk, name="Ana")
        sam.take(okafor)
        sams = sam.me["person_id"]
        here, _, _ = read(kiosk, "/setup#persons").partition("New codes")
        assert "Sam plays" in here
        assert 'id="absent"' not in here
        desk.clock.ticks += ABSENT_SECONDS
        assert ana.me["name"] == "Ana"
        here, _, gone = read(kiosk, "/setup").partition("New codes")[0].partition('id="absent"')
        assert "Ana plays nobody yet." in here
        assert "Sam plays" not in here
        assert "1 who is not here now" in gone
        assert "Sam plays" in _here(kiosk), "nobody else takes their character"
        assert "Sam plays" in gone
        assert "<small>Last here 30 minutes ago.</small>" in gone
        with closing(desk.hub.subscribe(place=KeptPlace.TABLE, who=sams)):
            desk.clock.ticks += 5 * ABSENT_SECONDS
            assert "Sam plays" in read(kiosk, "/setup").partition('id="absent"')[0], "their phone shows the table"
        gone = read(kiosk, "/setup").partition('id="absent"')[2]
        assert "Last here 2 hours ago." in gone
        assert "Ana" not in _here(kiosk)
        ana_id = next(one.person_id for one in desk.persons.here if one.name == "Ana")
        assert sent(kiosk, "/persons", "/setup", action="give", person_id=ana_id, character_id=okafor)[0] == 303
        assert desk.persons.owner(okafor) == desk.persons.find(ana_id)


@pytest.mark.parametrize("address", ["192.168.1.20", "127.0.0.1"])
def test_whoever_looked_on_for_long_is_here_for_half_an_hour_more(address: str) -> None:
    """A page that is live asks for nothing: they were not here for hours the moment their phone was locked."""
    with opened() as desk:
        kiosk, ana = desk.client(), Phone(desk, name="Ana")
        ana.client.environ_base["REMOTE_ADDR"] = address
        watching = ana.client.get("/api/v1/events")
        assert watching.status_code == 200
        desk.clock.ticks += 5 * ABSENT_SECONDS
        assert "Ana has joined." in _here(kiosk)
        watching.close()
        assert "Ana has joined." in _here(kiosk)
        desk.clock.ticks += ABSENT_SECONDS
        assert "Ana" not in _here(kiosk)
        assert "Last here 30 minutes ago." in read(kiosk, "/setup")


def test_a_phone_without_a_name_is_named_in_the_language_of_whoever_reads() -> None:
    with Desk(settings=OPENED, room=Room(LANGUAGES, "de")) as desk:
        okafor, _ = two(desk.client())
        nobody, ana = Phone(desk), Phone(desk, name="Ana")
        assert nobody.take(okafor)[0] == 200
        for path in ("/me", "/play", "/display"):
            shown = words(read(ana.client, f"{path}?language=de"))
            assert ("Telefon 1 spielt" if path == "/display" else "gespielt von Telefon 1") in shown, path
            assert "Phone 1" not in shown, path


def test_a_phone_that_holds_nobody_leads_to_taking_a_character_or_watching() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        phone = Phone(desk, name="Sam").client
        page = read(phone, "/play")
        mains = re.findall(r"<(?:button|a) [^>]*\bmain-action\b[^>]*>", page)
        assert [re.findall('value="([^"]*)"', one) for one in mains] == [[okafor], [reed]]
        assert '<a class="button" href="/display">Only watch</a>' in page
        assert 'id="declare-open" class="button"' in page, "who holds nobody may still play whom nobody took"
        page = read(phone, f"/play?me={okafor}")
        assert "Only watch" not in page
        assert len(re.findall(r"<(?:button|a) [^>]*\bmain-action\b", page)) == 1


def test_the_screen_without_script_waits_for_the_answer_to_its_question_and_leads_to_the_pin() -> None:
    """What answers a form has no address of its own: it is not to be loaded again after five seconds."""
    with opened() as desk:
        kiosk = desk.client()
        okafor, _ = two(kiosk)
        sam, master = Phone(desk, name="Sam"), Phone(desk, gamemaster=True)
        assert post(master.client, "/api/v1/pin", {"pin": "4821"})[0] == 200
        declaration = {"character_id": okafor, **DECLARATION}
        assert sam.asks("declare_task", declaration=declaration)[0] == 200
        again = re.compile('<meta http-equiv="refresh" content="([^"]*)">')
        page = read(kiosk, "/display")
        assert again.findall(page) == ["5"]
        asked = kiosk.post("/text/undo", data=Forms(page).to("/text/undo"))
        page = asked.get_data(as_text=True)
        assert (asked.status_code, again.findall(page)) == (409, ["60;url=/display"])
        assert '<a class="button" href="/display">No, leave it</a>' in page
        assert 'href="/pin"' not in page, "a question is no refusal"
        assert kiosk.post("/text/undo", data=Forms(page).to("/text/undo")).status_code == 303
        assert master.asks("declare_task", declaration=declaration)[0] == 200
        refused = kiosk.post("/text/undo", data=Forms(read(kiosk, "/display")).to("/text/undo"))
        page = refused.get_data(as_text=True)
        assert (refused.status_code, again.findall(page)) == (403, ["60;url=/display"])
        assert '<a class="button" href="/pin">Type in the PIN</a>' in page


def test_who_comes_back_finds_their_own_first_and_reads_whom_they_wait_for() -> None:
    def leads(phone: Phone, path: str) -> list[str]:
        page = read(phone.client, path).partition("Whom do you play?")[2].partition('id="stage"')[0]
        return [one.strip() for one in re.findall(r'class="main-action"[^>]*>(.*?)(?:<small>|</button>)', page)]

    with opened() as desk:
        okafor, reed = two(desk.client())
        name, free = (one["name"] for one in got(desk.client(), "/api/v1/table")["table"]["characters"])
        old, other = Phone(desk, name="Anna"), Phone(desk, name="Ben")
        old.take(okafor)
        new = Phone(desk, name="anna ")
        for path, plays in (("/me", f"Play {free}"), ("/play", free)):
            assert leads(new, path) == [f"I am {name}, with another phone"], path
            assert leads(other, path) == [plays]
        sent(new.client, "/me", "/play", ask=okafor)
        for path in ("/me", "/play"):
            assert "<h3>Waiting for the gamemaster</h3>" in read(new.client, path)
            assert leads(new, path) == []
            assert f'value="{reed}"' in read(new.client, path), "they may still play somebody else"
            assert "<h3>Waiting" not in read(other.client, path)


def test_a_list_of_whom_one_can_play_follows_who_is_taken() -> None:
    with opened() as desk:
        two(desk.client())
        stamp = got(desk.client(), "/api/v1/table")["stamps"]["persons"]
        page = read(Phone(desk, name="Cleo").client, "/me")
        followed = re.search(r'<fieldset id="whom"[^>]*data-follows="persons" data-as-of="([^"]*)"', page)
        assert followed is not None
        assert followed[1] != stamp, "Cleo herself has come since"
        assert 'name="take"' in page.partition(followed[0])[2].partition("</fieldset>")[0]


def test_whom_another_takes_keeps_their_place_in_the_list_and_is_no_choice() -> None:
    def places(phone: Phone, path: str) -> list[tuple[str, bool]]:
        listed = re.findall(r'<div class="people">(<button.*?)</div>', read(phone.client, path))[0]
        found = re.findall(r"<button([^>]*)>(.*?)</button>", listed)
        return [(first if first in name else second, "disabled" in attributes) for attributes, name in found]

    with opened() as desk:
        okafor, _ = two(desk.client())
        first, second = (one["name"] for one in got(desk.client(), "/api/v1/table")["table"]["characters"])
        ana, cleo = Phone(desk, name="Ana"), Phone(desk, name="Cleo")
        for path in ("/me", "/play"):
            assert places(cleo, path) == [(first, False), (second, False)], path
        ana.take(okafor)
        for path in ("/me", "/play"):
            assert places(cleo, path) == [(first, True), (second, False)], path
            assert "played by Ana" in read(cleo.client, path)


def test_a_phone_that_was_replaced_stands_apart_and_the_gamemaster_is_called_so() -> None:
    with opened() as desk:
        okafor, _ = two(desk.client())
        old, new, gus = (
            Phone(desk, name="Anna"), Phone(desk, name="Anna"), Phone(desk, gamemaster=True, name="Gus"),
        )  # fmt: skip
        old.take(okafor)
        page = read(gus.client, "/setup")
        assert "Gus, gamemaster" in page
        assert "Joined again" not in page, "their character is to be given first"
        give = {"action": "give", "person_id": new.me["person_id"], "character_id": okafor}
        assert post(gus.client, "/api/v1/persons", give)[0] == 200
        here, _, apart = read(gus.client, "/setup").partition('<details id="absent">')
        assert apart.count("Anna plays nobody yet") == 1
        assert "Joined again with another phone." in apart
        assert "plays nobody yet" not in here


def test_the_tables_own_screen_acts_for_whom_a_phone_plays_and_takes_nobody_from_it() -> None:
    """One tap there named a character, and the phone that played them asked whom one plays."""
    with opened() as desk:
        okafor, reed = two(desk.client())
        name, other = (one["name"] for one in got(desk.client(), "/api/v1/table")["table"]["characters"])
        ben, screen = Phone(desk, name="Ben"), desk.client()
        ben.take(okafor)
        people = read(screen, "/play").partition('<div class="people">')[2].partition("</div>")[0]
        assert re.search(rf'value="{okafor}"[^>]*>{re.escape(name)} <small>played by Ben</small></button>', people)
        assert people.count("played by") == 1
        assert sent(screen, "/me", "/play", play=okafor)[:2] == (303, "/play")
        assert re.search(rf'id="me-title">{re.escape(name)} <small>played by Ben</small></h2>', read(screen, "/play"))
        assert (ben.me["characters"], len(desk.persons.all)) == ([okafor], 1)
        assert f'id="me-title">{name}<' in read(ben.client, "/play")
        send(screen, "declare_task", declaration={**DECLARATION, "character_id": okafor})
        assert ben.me["characters"] == [okafor]
        assert sent(screen, "/me", "/play", play=reed)[:2] == (303, "/play")
        assert [one.called for one in desk.persons.all] == ["Ben", "Table's screen"]
        assert f'id="me-title">{other}<' in read(screen, "/play")


def test_the_locked_screen_acts_for_whom_a_phone_plays_too() -> None:
    with opened() as desk:
        okafor = set_up(desk.client())
        ben, master, screen = Phone(desk, name="Ben"), Phone(desk, gamemaster=True), desk.client()
        ben.take(okafor)
        assert post(master.client, "/api/v1/pin", {"pin": "4711"})[0] == 200
        assert sent(screen, "/me", "/play", play=okafor)[:2] == (303, "/play")
        assert "played by Ben" in read(screen, "/play")
        assert ben.me["characters"] == [okafor]


def test_whom_another_plays_is_asked_for_at_the_tables_screen_and_given_by_an_answer() -> None:
    """No tap takes them over; the words on the phone tell where they were given."""
    with opened() as desk:
        okafor = set_up(desk.client())
        name = got(desk.client(), "/api/v1/table")["table"]["characters"][0]["name"]
        ben, master, screen = Phone(desk, name="Ben"), Phone(desk, gamemaster=True), desk.client()
        ben.take(okafor)
        for client in (screen, master.client):
            page = read(client, "/me")
            assert f'name="take" value="{okafor}"' not in page
            assert f'name="ask" value="{okafor}">Ask to play {name} here</button>' in page
            assert sent(client, "/me", take=okafor)[0] == 409
        assert sent(screen, "/me", ask=okafor)[0] == 303
        assert ben.me["characters"] == [okafor]
        bridge = read(screen, "/gm")
        assert f"Table's screen asks for {name}, whom Ben plays." in bridge
        body = json.loads(bridge.partition('data-post="/api/v1/persons" data-body="')[2].partition('}"')[0] + "}")
        assert post(screen, "/api/v1/persons", body)[0] == 200
        assert ben.me["characters"] == []
        assert f"{name} is played at the table's screen now." in read(ben.client, "/play")
        give = {**body, "person_id": master.me["person_id"]}
        assert post(screen, "/api/v1/persons", {**body, "person_id": ben.me["person_id"]})[0] == 200
        assert f"At the table's screen you were given {name}." in read(ben.client, "/play")
        assert post(screen, "/api/v1/persons", give)[0] == 200
        given = f"At the table's screen {name} was given to The gamemaster."
        assert given in read(ben.client, "/play")
        assert post(master.client, "/api/v1/persons", {**give, "person_id": Phone(desk, name="Cleo").me["person_id"]})
        assert "was given to" not in read(ben.client, "/play"), "of later owners nothing is said"


def test_only_the_tables_own_screen_is_called_so_whatever_a_phones_name_is() -> None:
    with opened() as desk:
        okafor = set_up(desk.client())
        ben, screen = Phone(desk, name="Ben"), desk.client()
        ben.take(okafor)
        poses = Phone(desk, name="Table's screen")
        assert post(poses.client, "/api/v1/me", {"ask": okafor})[0] == 200
        assert "Table's screen asks with another phone for" in read(screen, "/gm")
        assert post(screen, "/api/v1/join", {"code": TABLE_CODE})[0] == 200
        assert sent(screen, "/me", name="Kitchen", ask=okafor)[0] == 303
        assert "Kitchen asks for" in read(screen, "/gm")


def test_who_gives_themselves_a_character_is_told_nothing_and_a_name_ends_the_telling() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        master, ben = Phone(desk, gamemaster=True), Phone(desk, name="Ben")
        give = {"action": "give", "character_id": okafor}
        assert post(master.client, "/api/v1/persons", {**give, "person_id": master.me["person_id"]})[0] == 200
        assert "gave you" not in read(master.client, "/play")
        assert post(master.client, "/api/v1/persons", {**give, "character_id": reed, "person_id": ben.me["person_id"]})
        assert "The gamemaster gave you" in read(ben.client, "/play")
        assert post(ben.client, "/api/v1/me", {"name": "Benno"})[0] == 200
        assert "gave you" not in read(ben.client, "/play")


def test_who_plays_whom_is_told_once_on_the_page_of_whoever_comes_back() -> None:
    with opened() as desk:
        okafor, reed = two(desk.client())
        other = got(desk.client(), "/api/v1/table")["table"]["characters"][1]["name"]
        ana, ben, new = Phone(desk, name="Ana"), Phone(desk, name="Ben"), Phone(desk, name="Ana")
        ana.take(okafor)
        ben.take(reed)
        for asked in (False, True):
            if asked:
                assert sent(new.client, "/me", "/play", ask=okafor)[:2] == (303, "/play")
            for path in ("/me", "/play"):
                page = read(new.client, path).partition("Whom do you play?")[2].partition('id="stage"')[0]
                assert page.count("Ben") == 1, path
                assert f"plays {other}" not in page, path
                assert page.count("You asked for") == asked, path


def test_names_from_the_set_up_that_nobody_has_yet_are_one_tap_each() -> None:
    with opened() as desk:
        send(desk.client(), "set_up_table", ruleset="core-1e", players=["Ada", "Bo", "Player 3"])
        phone = phone_of(desk)
        assert phone.get(f"/join?code={TABLE_CODE}").headers["Location"] == "/me"
        page = read(phone, "/me")
        offered = re.findall(r'<button type="submit" name="called" value="([^"]*)">', page)
        assert offered == ["Ada", "Bo"], "a number is nobody's name"
        assert page.index('name="called"') < page.index('name="name"')
        assert sent(phone, "/me", called="Ada")[:2] == (303, "/me"), "then the character"
        assert got(phone, "/api/v1/me")["name"] == "Ada"
        assert 'name="called"' not in read(phone, "/me"), "they have a name"
        assert 'value="Ada"' not in read(Phone(desk).client, "/me")
        late = Phone(desk)
        assert 'name="called" value="Bo"' in read(late.client, "/me")
        status, _, page = sent(late.client, "/me", called="Ada")
        assert (status, late.me["name"]) == (409, ""), "tapped by two at once, a name is one person's"
        assert "Somebody at the table is called Ada already." in page
