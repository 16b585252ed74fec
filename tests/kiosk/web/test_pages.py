"""The pages as they come from the server, and everything that works on them without script."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.routing import AnyConverter

from kiosk.errors import JournalFullError, WireError
from kiosk.storage.journal import open_journal
from kiosk.storage.unfailing import open_unfailing
from kiosk.views.option_fields import fits
from kiosk.views.page_words import not_kept_words
from kiosk.web.forms import face_of
from rules.dice.readings import SourceState
from tests.kiosk.desk import GAMEMASTER_CODE, PHONE, TABLE_CODE, Desk, StillClock, send

PAGES = [
    *("/", "/setup", "/display", "/play", "/gm", "/text"),
    *("/join", "/screen", "/camera", "/dice", "/language", "/voice", "/keys", "/settings", "/reference"),
]
ATTRIBUTES = {"control": 11, "daring": 9, "fitness": 8, "insight": 9, "presence": 8, "reason": 10}
DISCIPLINES = {"command": 2, "conn": 2, "security": 3, "engineering": 4, "science": 3, "medicine": 1}


class Outline(HTMLParser):
    """What a page is made of: its elements with attributes, its headings' levels."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def levels(self) -> list[int]:
        return [int(tag[1]) for tag, _ in self.elements if re.fullmatch("h[1-6]", tag)]


class Parts(HTMLParser):
    """What a page unfolds and what it keeps folded: the words of each part's summary, by whether it is open."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: dict[bool, list[str]] = {True: [], False: []}
        self._open: list[bool] = []
        self._words: str | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "details":
            self._open.append("open" in dict(attrs))
        elif tag == "summary":
            self._words = ""

    def handle_data(self, data: str) -> None:
        if self._words is not None:
            self._words += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "details":
            self._open.pop()
        elif tag == "summary" and self._words is not None:
            self.names[self._open[-1]].append(" ".join(self._words.split()))
            self._words = None


def read(client: FlaskClient, path: str = "/text") -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.text


def words(page: str) -> str:
    """The page as it reads: tags dropped, spaces made one."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def press(client: FlaskClient, action: str, **fields: str | list[str]) -> tuple[int, str]:
    """Send a form of the plain page with its token; the status and the page that follows."""
    token = re.search(r'name="token" value="([^"]*)"', read(client, "/setup"))
    assert token is not None
    answer = client.post(f"/text/{action}", data={"token": token[1], **fields}, follow_redirects=True)
    return answer.status_code, answer.text


def set_up(client: FlaskClient, name: str = "Ada Lindqvist") -> str:
    send(client, "set_up_table", ruleset="core-1e", players=["Ada", "Ben"])
    send(client, "save_character", name=name, attributes=ATTRIBUTES, disciplines=DISCIPLINES, values=["Never alone"])
    return str(client.get("/api/v1/table").get_json()["table"]["characters"][0]["character_id"])


def declare(client: FlaskClient, character: str, **more: str) -> tuple[int, str]:
    fields = {
        "character_id": character,
        "attribute": "control",
        "discipline": "engineering",
        "focus": "yes",
        "difficulty": "2",
        "complication_range": "1",
        "rolled": "yes",
        **more,
    }
    return press(client, "declare", **fields)


def enter(client: FlaskClient, *faces: str) -> tuple[int, str]:
    number = re.search(r'name="request" value="(\d+)"', read(client))
    assert number is not None
    typed = {f"face{place}": face for place, face in enumerate(faces)}
    return press(client, "enter", request=number[1], **typed)


@dataclass(frozen=True)
class Press:
    """What a browser sends for a button: its words, how and where to, and the fields of its form as they stand.

    Of fields of one name it is the last that counts here.
    """

    words: str
    method: str
    action: str
    fields: dict[str, str]


class Buttons(HTMLParser):
    """The buttons of a page that send something without script, each with all that its form holds."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.all: list[Press] = []
        self._form: dict[str, str] = {}
        self._fields: dict[str, str] = {}
        self._buttons: list[tuple[str, dict[str, str]]] = []
        self._select: dict[str, str] = {}
        self._chosen: str | None = None
        self._given: dict[str, str] = {}
        self._words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form, self._fields, self._buttons = given, {}, []
        elif tag == "input":
            if given.get("type") not in {"radio", "checkbox"}:
                self._fill(given, given.get("value", ""))
            elif "checked" in given:
                self._fill(given, given.get("value", "on"))
        elif tag == "select":
            self._select, self._chosen = given, None
        elif tag in {"button", "option", "textarea"}:
            self._given, self._words = given, ""

    def handle_data(self, data: str) -> None:
        self._words += data

    def handle_endtag(self, tag: str) -> None:
        words = " ".join(self._words.split())
        if tag == "button" and self._given.get("type", "submit") == "submit":
            self._buttons.append((self._given.get("aria-label") or words, self._given))
        elif tag == "option" and ("selected" in self._given or self._chosen is None):
            self._chosen = self._given.get("value", words)
        elif tag == "select" and self._chosen is not None:
            self._fill(self._select, self._chosen)
        elif tag == "textarea":
            self._fill(self._given, self._words.removeprefix("\n"))
        elif tag == "form" and self._form.get("action"):
            self.all.extend(self._press(*one) for one in self._buttons)

    def _fill(self, field: dict[str, str], value: str) -> None:
        if field.get("name") and "disabled" not in field:
            self._fields[field["name"]] = value

    def _press(self, words: str, button: dict[str, str]) -> Press:
        named = {button["name"]: button.get("value", "")} if "name" in button else {}
        method = button.get("formmethod", self._form.get("method", "get"))
        action = button.get("formaction", self._form["action"])
        return Press(words, method, action, {**self._fields, **named})


def click(client: FlaskClient, page: str, button: str, **chosen: str) -> str:
    """Press the first button of `page` whose words begin so, with `chosen` in its form; the page that follows."""
    one = next(one for one in Buttons(page).all if one.words.startswith(button))
    sent = {**one.fields, **chosen}
    address = one.action.partition("#")[0] or "/play"
    if one.method == "get":
        return client.get(address, query_string=sent, follow_redirects=True).text
    return client.post(address, data=sent, follow_redirects=True).text


def test_a_button_sends_all_of_its_form_also_what_stands_behind_it() -> None:
    page = """
        <form method="post" action="/text/note">
        <input name="first" value="1"><button name="go" value="on">Go</button>
        <select name="rank"><option value="e">Ensign</option><option>Captain</option></select>
        <select name="room"><option value="b">Bridge</option><option selected>Lab</option></select>
        <input type="checkbox" name="loud"><input type="radio" name="way" value="up" checked><input name="off" disabled>
        <textarea name="text">\nTwo &amp;\nthree</textarea>
        </form>
        <form method="get" action="/play"><button>Back</button></form>"""
    fields = {"first": "1", "go": "on", "rank": "e", "room": "Lab", "way": "up", "text": "Two &\nthree"}
    assert Buttons(page).all == [Press("Go", "post", "/text/note", fields), Press("Back", "get", "/play", {})]


def test_a_log_goes_back_after_a_question_without_script(client: FlaskClient) -> None:
    character = set_up(client)
    assert "Determination" in words(read(client, f"/play/sheet?me={character}").partition('id="sheet"')[2])
    before = client.get("/api/v1/table").get_json()["table"]
    send(client, "gain_threat", event="threatening_scene", amount=1)
    asked = click(client, read(client, "/play/log"), "Back to here")
    assert "This takes back 1 decision." in words(asked)
    assert client.get("/api/v1/table").get_json()["table"] != before
    click(client, asked, "Yes, take it back")
    assert client.get("/api/v1/table").get_json()["table"] == before


def test_each_reason_for_spent_threat_has_its_price(client: FlaskClient) -> None:
    """THR-4; what raises it says how much where that is not a point each."""
    set_up(client)
    for path in ("/gm", "/text"):
        page = read(client, path)
        spends = page.partition("<legend>Threat is spent on</legend>")[2].partition("</fieldset>")[0]
        prices = re.findall(r"<label for=\"spend-\w+\">[^<]*: (\d) Threat</label>", spends)
        assert (len(prices), set(prices)) == (spends.count('type="radio"'), {"1", "2"})
        assert "A Complication made: 2 Threat<" in spends
        assert "A Complication bought off: 2 Threat<" in page
        assert "A threatening scene, 1 or 2<" in page


def test_how_often_is_asked_only_of_what_can_happen_more_than_once(client: FlaskClient) -> None:
    """Beside each reason by itself, so that no script has to show it."""
    set_up(client)
    once = {"create_complication", "keep_initiative", "npc_lethal_attack", "notable_avoids_injury"}
    once |= {"fast_recovery_clears_injury", "npc_torpedo_attack"}
    for path in ("/gm", "/text"):
        page = read(client, path)
        spends = page.partition("<legend>Threat is spent on</legend>")[2].partition("</fieldset>")[0]
        offered = set(re.findall(r'type="radio" name="event" value="(\w+)"', spends))
        assert offered - set(re.findall(r'name="amount_(\w+)"', spends)) == once
        assert 'name="amount"' not in page
    pool = client.get("/api/v1/table").get_json()["table"]["threat"]
    press(client, "gain_threat", event="pc_lethal_attack", amount_threatening_scene="7")
    assert client.get("/api/v1/table").get_json()["table"]["threat"] == pool + 1
    press(client, "spend_threat", event="reinforce_notable", amount_reinforce_notable="2", amount_reinforce_minor="1")
    assert client.get("/api/v1/table").get_json()["table"]["threat"] == pool + 1 - 4


def test_a_fight_ends_after_a_question_without_script(client: FlaskClient) -> None:
    """Only the button of what was asked about answers it."""
    character = set_up(client)
    send(client, "start_conflict", kind="personal", combatants=[{"combatant_id": character}])
    asked = click(client, read(client, "/conflict"), "End the conflict")
    assert "This ends the fight for the whole table. End it?" in words(asked)
    assert [one.words for one in Buttons(asked).all if "confirmed" in one.fields] == ["End it"]
    assert client.get("/api/v1/table").get_json()["table"]["conflict"]
    click(client, asked, "End it")
    assert client.get("/api/v1/table").get_json()["table"]["conflict"] is None


def test_a_task_is_chosen_bit_by_bit_without_script(client: FlaskClient) -> None:
    """On a phone; the whole form on /text is sent further below."""
    character = set_up(client)
    page = read(client, f"/play?me={character}&declare=yes")
    page = click(client, page, "Show the chances", difficulty="3")
    page = click(client, page, "Show the chances", attribute="daring", bought="threat threat")
    assert "Ada Lindqvist: Daring + Engineering, Difficulty 3" in words(page)
    click(client, page, "Declare")
    declared = client.get("/api/v1/table").get_json()["table"]["task"]["declaration"]
    assert (declared["attribute"], declared["difficulty"], len(declared["purchases"])) == ("daring", 3, 2)


def test_the_table_tab_tells_how_the_ships_stand(client: FlaskClient) -> None:
    set_up(client)
    systems = dict.fromkeys(["communications", "computers", "engines", "sensors", "structure", "weapons"], 9)
    send(client, "save_ship", name="Far Lantern", systems=systems, departments=DISCIPLINES, scale=4)
    told = words(read(client, "/play/table"))
    assert "Far Lantern, Scale 4 Shields 12 of 12 Power 9 of 9" in told
    assert "All systems work" in told


@pytest.mark.parametrize("path", PAGES)
def test_each_page_is_whole_without_script(client: FlaskClient, path: str) -> None:
    for ready in (False, True):
        if ready:
            set_up(client)
        page = read(client, path)
        outline = Outline(page)
        assert len(outline.all("h1")) == 1
        assert all(after - before <= 1 for before, after in zip(outline.levels, outline.levels[1:], strict=False))
        assert outline.all("html")[0]["lang"] == "en"
        assert len([one for _, one in outline.elements if one.get("role") == "status"]) == 4
        identities = [one["id"] for _, one in outline.elements if "id" in one]
        assert len(identities) == len(set(identities)), "ids are unique"


@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_inline_and_nothing_comes_from_elsewhere(client: FlaskClient, path: str) -> None:
    set_up(client)
    outline = Outline(read(client, path))
    assert all(one.get("src") for one in outline.all("script"))
    assert not outline.all("style")
    for _, one in outline.elements:
        assert not any(name == "style" or name.startswith("on") for name in one)
        for name in ("src", "href", "action"):
            assert not re.match(r"(https?:)?//", one.get(name) or "")


@pytest.mark.parametrize("path", ["/setup", "/display", "/play", "/gm", "/text"])
def test_a_player_called_script_is_shown_as_such(client: FlaskClient, path: str) -> None:
    name = "<script>alert(1)</script>"
    character = set_up(client, name)
    send(client, "add_trait", name=name)
    if path == "/display":
        declared = {"character_id": character, "attribute": "control", "discipline": "conn"}
        send(client, "declare_task", declaration=declared)
    page = read(client, path)
    assert name not in page
    assert html.escape(name) in page


def test_every_control_has_a_name(client: FlaskClient) -> None:
    set_up(client)
    for path in PAGES:
        page = read(client, path)
        outline = Outline(page)
        labelled = {one.get("for") for one in outline.all("label")}
        for tag in ("input", "select", "textarea"):
            for one in outline.all(tag):
                if one.get("type") in {"hidden", "radio", "checkbox"}:
                    continue
                assert one.get("id") in labelled, f"{path}: {one}"


def test_a_whole_task_on_the_plain_page(client: FlaskClient) -> None:
    character = set_up(client)
    status, page = declare(client, character, purchase1="threat")
    assert status == 200
    assert "Throw 3 d20s" in words(page)
    assert "Target Number 15" in words(page)
    assert "Counts double 1 to 4" in words(page)
    status, page = enter(client, "4", "1", "20")
    assert "4 successes against Difficulty 2" in words(page)
    assert "2 successes (entered)" in words(page)
    assert client.get("/api/v1/table").get_json()["table"]["task"]["momentum_left"] == 2
    option = re.search(r'name="option" value="([^"]*finish[^"]*)"', page)
    assert option is not None, "saving what is left is offered"
    status, page = press(client, "option", option=option[1])
    assert "Momentum 2 of 6" in words(page)
    take = re.search(r'name="option" value="([^"]*take[^"]*)"', page)
    assert take is not None, "the Complication is offered"
    status, page = press(client, "option", option=take[1], name="Smoke & mirrors")
    assert "Smoke & mirrors (Complication)" in words(page)
    _, page = press(client, "undo")
    assert "Smoke & mirrors" not in words(read(client)), "undo takes the Complication back"
    _, page = press(client, "redo")
    assert "Smoke & mirrors" in words(page)


def test_an_empty_field_is_never_filled_in_for_anyone(client: FlaskClient) -> None:
    declare(client, set_up(client))
    status, page = enter(client, "12", "")
    assert status == 400
    assert "has no value yet" in words(page)
    assert 'name="face0"' in page
    assert re.search(r'name="face0"[^>]*value="12"', page), "what was typed is still there"
    assert client.get("/api/v1/table").get_json()["table"]["task"]["outcome"] is None


@pytest.mark.parametrize("typed", ["21", "0", "-3", "1.5", "b", "\u0661", "12345678901"])
def test_a_face_that_no_d20_has_is_refused_in_words(client: FlaskClient, typed: str) -> None:
    declare(client, set_up(client))
    status, page = enter(client, typed, "5")
    assert status in {400, 409}
    assert 'class="error" role="alert"' in page
    assert client.get("/api/v1/table").get_json()["table"]["task"]["outcome"] is None


def test_an_opposed_task_on_the_plain_page(client: FlaskClient) -> None:
    character = set_up(client)
    send(
        client, "save_character", name="Smuggler", attributes=ATTRIBUTES, disciplines=DISCIPLINES, standing="minor_npc"
    )
    declare(client, character, opposed="yes")
    _, page = enter(client, "4", "4")
    assert "The other side throws against it." in words(page)
    assert "Declare the other side's Task" in words(page)
    page = read(client, "/text?declare=yes")
    acting = page.split('name="character_id"', 1)[1].split("</select>", 1)[0]
    assert "Smuggler" in acting
    assert character not in acting
    smuggler = client.get("/api/v1/table").get_json()["table"]["characters"][1]["character_id"]
    status, _ = declare(client, smuggler)
    assert status == 200
    _, page = enter(client, "19", "18")
    assert "Ada Lindqvist wins with" in words(page)
    assert "Against Smuggler: 0 successes." in words(page)


def test_the_next_task_is_declared_while_momentum_is_left(client: FlaskClient) -> None:
    """POOL-2: nobody has to say first that they are done."""
    character = set_up(client)
    declare(client, character)
    _, page = enter(client, "1", "2")
    left = client.get("/api/v1/table").get_json()["table"]["task"]["momentum_left"]
    assert left
    assert "Declare a Task" in words(page)
    assert "Declare the other side's Task" not in words(page)
    status, page = declare(client, character)
    assert status == 200
    assert f"{left} Momentum saved." in words(page)
    assert client.get("/api/v1/table").get_json()["table"]["momentum"] == left


def test_chosen_dice_again_on_the_plain_page(client: FlaskClient) -> None:
    declare(client, set_up(client))
    enter(client, "17", "4")
    status, page = press(client, "reroll", reason="inspiration", cited="Never alone")
    assert status == 400
    assert "Choose at least one die" in words(page)
    status, page = press(client, "reroll", reason="inspiration", cited="Never alone", die0="yes", die1="yes")
    assert status == 200
    assert "Throw 2 d20s again" in words(page)
    assert client.get("/api/v1/table").get_json()["table"]["characters"][0]["determination"] == 0


def test_a_value_makes_it_so_on_the_plain_page(client: FlaskClient) -> None:
    character = set_up(client)
    status, page = press(client, "use_value", cited=f"{character}\r\nNever alone", use="make_it_so", what="High ground")
    assert status == 200, words(page)
    assert "High ground (Advantage)" in words(page)


def test_challenge_dice_on_the_plain_page(client: FlaskClient) -> None:
    set_up(client)
    press(client, "declare_challenge", count="3", challenge_label="Falling rocks")
    assert "Throw 3 Challenge Dice" in words(read(client))
    _, page = enter(client, "2", "e", "Blank")
    assert "3 points" in words(page)
    assert "1 Effect." in words(page)


def test_the_price_of_a_refused_form_is_nothing_and_what_was_typed_stays(client: FlaskClient) -> None:
    character = set_up(client)
    status, page = declare(client, character, purchase1="momentum", label="Seal the hatch")
    assert status == 409
    assert 'role="alert"' in page
    assert 'value="Seal the hatch"' in page
    table = client.get("/api/v1/table").get_json()["table"]
    assert table["task"] is None
    assert table["threat"] == 4


@pytest.mark.parametrize(
    ("action", "more"), [("ask_for_task", {"difficulty": "many"}), ("hidden", {"purchase1": "threat"})]
)
def test_what_the_gamemaster_asks_for_or_rolls_hidden_stays_when_it_is_refused(
    client: FlaskClient, action: str, more: dict[str, str]
) -> None:
    fields = {"character_id": set_up(client), "attribute": "control", "discipline": "engineering", "declare": "yes"}
    fields |= {"difficulty": "3", "complication_range": "1", "label": "Listen at the hatch", "opposed": "yes", **more}
    status, page = press(client, action, back="/gm", **fields)
    assert (status // 100, 'role="alert"' in page) == (4, True)
    assert 'value="Listen at the hatch"' in page
    ticked = {one["name"] for one in Outline(page).all("input") if one.get("type") == "checkbox" and "checked" in one}
    assert "opposed" in ticked


def test_the_sample_crew_is_ready_at_once(client: FlaskClient) -> None:
    status, _ = press(client, "sample_crew", ruleset="second-edition", back="/setup")
    assert status == 200
    table = client.get("/api/v1/table").get_json()["table"]
    assert len(table["characters"]) == 4
    assert {one["player_id"] for one in table["characters"]} == {one["player_id"] for one in table["players"]}
    assert len(table["ships"]) == 1
    assert table["threat"] == 8


def test_a_character_is_changed_on_the_set_up_page(client: FlaskClient) -> None:
    character = set_up(client)
    page = read(client, f"/setup?character={character}")
    assert 'value="Ada Lindqvist"' in page
    fields = {f"attribute_{name}": str(value) for name, value in ATTRIBUTES.items()}
    fields |= {f"discipline_{name}": str(value) for name, value in DISCIPLINES.items()}
    status, _ = press(
        client,
        "character",
        **fields,
        character_id=character,
        character_name="Ada Berg",
        standing="player",
        player_id="",
        focuses="Helm\n\n Warp theory ",
        values="",
        determination="2",
        back="/setup",
    )
    assert status == 200
    found = client.get("/api/v1/table").get_json()["table"]["characters"]
    assert [(one["name"], one["focuses"], one["determination"]) for one in found] == [
        ("Ada Berg", ["Helm", "Warp theory"], 2)
    ]


def test_a_form_from_elsewhere_does_nothing(client: FlaskClient) -> None:
    set_up(client)
    answer = client.post("/text/gain_threat", data={"event": "threatening_scene", "amount": "2", "token": "x"})
    assert answer.status_code == 403
    assert client.get("/api/v1/table").get_json()["table"]["threat"] == 4


def test_an_unknown_action_and_a_word_for_a_number_are_explained(client: FlaskClient) -> None:
    set_up(client)
    status, page = press(client, "fire_at_will")
    assert status == 400
    assert "no action called" in words(page)
    status, page = press(client, "adjust_pool", pool="threat", change="lots")
    assert status == 400
    assert "Change must be a whole number" in words(page)


def test_back_leads_only_to_our_own_pages(client: FlaskClient) -> None:
    set_up(client)
    token = re.search(r'name="token" value="([^"]*)"', read(client))
    assert token is not None
    answer = client.post("/text/start_scene", data={"token": token[1], "name": "", "back": "//elsewhere.example"})
    assert answer.status_code == 303
    assert answer.headers["Location"] == "/text"


@pytest.fixture
def open_desk() -> Iterator[Desk]:
    with Desk(settings={"server.open_to_network": True}) as made:
        yield made


def test_on_the_network_the_code_is_shown_to_the_table_only(open_desk: Desk) -> None:
    client = open_desk.client()
    assert TABLE_CODE in read(client, "/display")
    assert GAMEMASTER_CODE not in read(client, "/display")
    stranger = client.get("/display", environ_base=PHONE).text
    assert TABLE_CODE not in stranger
    assert GAMEMASTER_CODE not in client.get("/setup", environ_base=PHONE).text


def test_a_phone_joins_by_code_and_may_then_act(open_desk: Desk) -> None:
    set_up(open_desk.client())
    phone = open_desk.client()

    def token() -> str:
        found = re.search(r'name="token" value="([^"]*)"', phone.get("/text", environ_base=PHONE).text)
        assert found is not None
        return found[1]

    refused = phone.post("/text/add_trait", data={"token": token(), "name": "Fog", "kind": "trait"}, environ_base=PHONE)
    assert refused.status_code == 403
    assert "Join the table first" in words(refused.text)
    wrong = phone.get("/join?code=WRONG2", environ_base=PHONE)
    assert wrong.status_code == 401
    assert "That is not the table's code now. Scan the one on the display" in words(wrong.text)
    joined = phone.get(f"/join?code={TABLE_CODE.lower()}", environ_base=PHONE)
    assert joined.status_code == 303
    assert joined.headers["Location"] == "/me", "a character is free"
    done = phone.post("/text/add_trait", data={"token": token(), "name": "Fog", "kind": "trait"}, environ_base=PHONE)
    assert done.status_code == 303
    threat = phone.post(
        "/text/gain_threat", data={"token": token(), "event": "threatening_scene", "amount": "1"}, environ_base=PHONE
    )
    assert threat.status_code == 403
    assert "Only the gamemaster" in words(threat.text)


def test_a_player_is_told_how_to_become_the_gamemaster(open_desk: Desk) -> None:
    phone = open_desk.client()
    phone.get(f"/join?code={TABLE_CODE}", environ_base=PHONE)
    page = phone.get("/gm", environ_base=PHONE).text
    assert "This is the gamemaster's page." in words(page)
    assert "enter the gamemaster's code" in words(page)
    assert "<form" not in page
    assert "js/gm" not in page
    assert "<form" in read(open_desk.client(), "/gm")


def test_the_gamemasters_code_counts_in_either_field(open_desk: Desk) -> None:
    phone = open_desk.client()
    typed = f"{GAMEMASTER_CODE[:4]} {GAMEMASTER_CODE[4:]}".lower()
    joined = phone.get("/join", query_string={"code": typed}, environ_base=PHONE)
    assert (joined.status_code, joined.headers.get("Location")) == (303, "/gm")
    assert "<form" in phone.get("/gm", environ_base=PHONE).text


@pytest.mark.parametrize(
    ("kind", "count", "attached", "fit"),
    [("d20", 2, False, True), ("d20", 3, False, False), ("challenge", 2, False, False), ("d20", 2, True, False)],
)
def test_only_a_free_roll_that_fits_is_offered(kind: str, count: int, attached: bool, fit: bool) -> None:  # noqa: FBT001 - a table's row
    roll = {"dice": [{"kind": "d20"}, {"kind": "d20"}], "attached": attached}
    assert fits(roll, {"kind": kind, "count": count}) is fit


def test_letters_are_sized_for_the_farthest_player() -> None:
    def size(**display: float) -> float:
        settings: dict[str, object] = {f"display.{key}": value for key, value in display.items()}
        with Desk(settings=settings) as desk:
            found = re.search(r"--legible: max\(1rem, ([\d.]+)vmin", read(desk.client(), "/display.css"))
        assert found is not None
        return float(found[1])

    near, far = size(diagonal_inches=43.0, distance_metres=2.0), size(diagonal_inches=43.0, distance_metres=3.0)
    assert far == pytest.approx(1.5 * near, abs=0.02)
    assert size(diagonal_inches=24.0, distance_metres=2.0) == pytest.approx(5.81, abs=0.05)


@pytest.mark.parametrize(
    ("typed", "kind", "face"),
    [("7", "d20", 7), (" 20 ", "d20", 20), ("b", "challenge", "blank"), ("EFFECT", "d6", "effect"), ("6", "d6", 6)],
)
def test_a_typed_face_is_read(typed: str, kind: str, face: int | str) -> None:
    assert face_of(typed, kind) == face


@pytest.mark.parametrize(("typed", "kind"), [("", "d20"), ("  ", "challenge"), ("e", "d20"), ("x", "challenge")])
def test_what_is_no_face_is_refused(typed: str, kind: str) -> None:
    with pytest.raises(WireError, match=r"no value yet|No die shows"):
        face_of(typed, kind)


def test_too_many_wrong_codes_are_told_as_that() -> None:
    with Desk(settings={"server.open_to_network": True, "server.host": "0.0.0.0"}) as desk:  # noqa: S104 - the table opens it
        client = desk.client()
        said = [client.get("/join?code=WRONG2", environ_base=PHONE) for _ in range(8)]
        assert [one.status_code for one in said] == [401] * 6 + [303] * 2
        desk.clock.ticks += 20
        waits = client.get(said[-1].location, environ_base=PHONE)
        assert waits.status_code == 200, "it is fetched anew each second"
        assert "Too many wrong tries. Wait 40 seconds, then try again." in waits.text
        assert re.search(r'<p [^>]*id="wait"[^>]*data-every="1000"', waits.text)
        assert '<noscript><meta http-equiv="refresh" content="40"></noscript>' in waits.text
        desk.clock.ticks += 40
        over = client.get(said[-1].location, environ_base=PHONE).text
        assert "The wait is over: try again." in over
        assert "data-every" not in over
        assert "refresh" not in over
        assert "The wait is over" not in client.get("/join", environ_base=PHONE).text


def test_what_was_ticked_stays_ticked_after_a_refusal(client: FlaskClient) -> None:
    character = set_up(client)
    status, page = declare(client, character, focus="yes", opposed="yes", difficulty="many")
    assert status == 400
    ticked = {one["name"] for one in Outline(page).all("input") if one.get("type") == "checkbox" and "checked" in one}
    assert {"focus", "opposed"} <= ticked
    assert "may_succeed_at_cost" not in ticked


def test_a_form_that_finds_no_room_in_the_journal_is_told_so(
    desk: Desk, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(client)

    def full(*_: object) -> int:
        raise JournalFullError("There is no room left to record this.")

    monkeypatch.setattr(desk.journal, "append", full)
    status, page = press(client, "add_trait", name="Fog", kind="trait")
    assert status == 507
    assert "There is no room left to record this." in page


def pages_of(desk: Desk) -> list[str]:
    """The address of every page of the application, as its own table of routes has them."""
    found = []
    for rule in desk.app.url_map.iter_rules():
        named = list(rule._converters.values())  # noqa: SLF001 - the only place that knows them
        if "GET" not in (rule.methods or ()) or rule.rule.startswith(("/api/", "/parts/")):
            continue
        if not named:
            found.append(rule.rule)
        elif isinstance(named[0], AnyConverter):
            found.extend(re.sub("<.*>", one, rule.rule) for one in named[0].items)
    return found


def test_every_page_says_once_that_nothing_is_kept(tmp_path: Path) -> None:
    full = open_unfailing(tmp_path / "journal.sqlite3", StillClock(), partial(open_journal, most_pages=24))
    with Desk(journal=full, settings={"server.open_to_network": True}) as desk:
        client = desk.client()
        while desk.engine.trouble is None:
            send(client, "set_up_table", ruleset="core-1e", players=["x" * 60])
        desk.sources.set("journal", SourceState.LOST, not_kept_words(desk.engine.trouble))  # as the kiosk itself does
        shown = 0
        as_browser = {"Accept": "text/html"}
        for path in (*pages_of(desk), "/no-such-page"):
            for asks in ({}, PHONE):  # the kiosk itself, and somebody who has not joined
                answer = client.get(path, environ_overrides=asks, headers=as_browser)
                if answer.mimetype == "text/html" and answer.status_code not in range(300, 400):
                    shown += 1
                    assert words(answer.text).count("Nothing is being kept: ") == 1, (path, asks)
        assert shown > 40


@pytest.mark.parametrize("path", ["/", "/gm", "/setup", "/camera", "/display"])
def test_the_way_to_the_keys_stands_in_a_landmark(client: FlaskClient, path: str) -> None:
    page = read(client, path)
    way = '<a class="skip" href="/keys">'
    assert page.count(way) == page.count(f'<nav class="skips" aria-label="Keys">{way}')
    assert page.count(way) == 1


def test_dice_that_are_thrown_again_are_awaited_beside_those_that_stay(client: FlaskClient) -> None:
    set_up(client, "Okafor")
    send(client, "adjust_pool", pool="momentum", change=2)
    send(client, "declare_challenge", count=4, label="Falling rocks")
    send(
        client,
        "enter_dice",
        request=client.get("/api/v1/table").get_json()["table"]["request"]["number"],
        faces=[1, 2, "blank", "effect"],
    )
    send(client, "reroll_challenge", positions=[1, 2])
    page = client.get("/display").text
    assert page.count('<span class="die-words">stays</span>') == 2
    assert page.count('<li class="die again" aria-hidden="true">') == 2
