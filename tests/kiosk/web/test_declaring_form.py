"""A declaration goes into the form's fields and comes back as it was: no choice is lost on the way."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from kiosk.storage.wire import command_of, output
from kiosk.web.chances import percent, prices_of
from kiosk.web.declaring_form import fields_of
from kiosk.web.forms import DECLARED_REROLLS, ROWS, declaration_of
from rules.game import (
    Assistance,
    Attribute,
    Circumstance,
    Declaration,
    DeclareTask,
    DicePrice,
    Discipline,
    Modifier,
    Payer,
    Purchase,
    Ruleset,
    ShipAssistance,
    System,
    Table,
    TaskOdds,
    chance,
)
from rules.odds.declared import DicePool
from tests.kiosk.desk import send
from tests.kiosk.web.test_pages import ATTRIBUTES as ATTRIBUTES_OF_CREW
from tests.kiosk.web.test_pages import DISCIPLINES as DISCIPLINES_OF_CREW
from tests.kiosk.web.test_pages import Outline, click, read, set_up

ATTRIBUTES = st.sampled_from(Attribute)
DISCIPLINES = st.sampled_from(Discipline)
TYPED = st.sampled_from(["", "Fog", "Arbeit <b>", "O'Brien & Co"])
PURCHASES = st.one_of(
    st.builds(Purchase, payer=st.just(Payer.MOMENTUM), threat_part=st.integers(0, 3)),
    st.builds(Purchase, payer=st.sampled_from(Payer)),
)
DECLARATIONS = st.builds(
    Declaration,
    character_id=st.sampled_from(["ada", "reed"]),
    attribute=ATTRIBUTES,
    discipline=DISCIPLINES,
    focus=st.booleans(),
    label=TYPED,
    difficulty=st.integers(1, 5),
    modifiers=st.lists(
        st.builds(
            Modifier,
            reason=TYPED,
            change=st.sampled_from([-2, -1, 1, 2]),
            circumstance=st.none() | st.sampled_from(Circumstance),
        ),
        max_size=len(ROWS),
    ).map(tuple),
    complication_range=st.integers(1, 5),
    purchases=st.lists(PURCHASES, max_size=len(ROWS)).map(tuple),
    value=TYPED,
    assists=st.lists(
        st.builds(
            Assistance,
            character_id=st.sampled_from(["okafor", "tal"]),
            attribute=ATTRIBUTES,
            discipline=DISCIPLINES,
            focus=st.booleans(),
        ),
        max_size=2,
    ).map(tuple),
    ship=st.none()
    | st.builds(ShipAssistance, ship_id=st.just("ship"), system=st.sampled_from(System), department=DISCIPLINES),
    rolled=st.just(True),  # noqa: FBT003 - a declaration of Difficulty 1 or more is rolled
    may_succeed_at_cost=st.booleans(),
    opposed=st.booleans(),
    opponent_id=st.sampled_from(["", "okafor"]),
    rerolls=st.sets(st.sampled_from(DECLARED_REROLLS)).map(
        lambda found: tuple(one for one in DECLARED_REROLLS if one in found)
    ),
).map(lambda one: one if one.opposed else replace(one, opponent_id=""))


@given(DECLARATIONS)
def test_a_declaration_comes_back_from_its_fields(declared: Declaration) -> None:
    fields = fields_of(output(declared))
    command = command_of({"command": "declare_task", "declaration": declaration_of(fields)}).command
    assert isinstance(command, DeclareTask)
    assert command.declaration == declared


EVERY = {
    "declare": "yes",
    "more": "yes",
    "attribute": "control",
    "discipline": "engineering",
    "focus": "yes",
    "difficulty": "3",
    "complication_range": "2",
    "label": "Seal the hatch",
    "rolled": "yes",
    "opposed": "yes",
    "may_succeed_at_cost": "yes",
    "rerolls_aim": "yes",
    "reason1": "Fog",
    "change1": "1",
    "purchase1": "threat",
}
"""A form with something chosen in each part."""

MOST_OF_A_PART = 21
"""Controls of a phone's form with one part open."""


@pytest.mark.parametrize("part", ["modifiers", "dice", "helpers", "rare", "no"])
def test_a_phone_fetches_one_part_of_the_long_form_and_carries_the_others_along(client: FlaskClient, part: str) -> None:
    fields = {**EVERY, "character_id": set_up(client), "choose": f"part/{part}"}
    form = str(client.get("/parts/declare", query_string={"page": "phone", **fields}).get_json()["declare"])
    outline = Outline(form)
    held = {one["name"]: one.get("value", "") for one in outline.all("input") if "name" in one}
    held |= {one["name"]: "" for one in outline.all("select")}
    assert held.keys() >= EVERY.keys()
    controls = [one for one in outline.all("input") if one.get("type") != "hidden"] + outline.all("select")
    assert len(controls) + len(outline.all("button")) <= MOST_OF_A_PART
    assert ("change1" in {one.get("name") for one in controls}) == (part == "modifiers")


def test_a_form_prices_the_same_dice_once_and_tries_only_the_choice_that_was_touched(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    who = set_up(client)
    send(client, "adjust_pool", pool="momentum", change=3)
    query = {"page": "phone", "declare": "yes", "me": who}
    fields = {"attribute": "control", "discipline": "command", "difficulty": "2", "complication_range": "1"}
    priced: list[tuple[Purchase, ...]] = []
    tried: list[DicePool] = []

    def noted_prices(table: Table, declaration: Declaration) -> list[DicePrice]:
        priced.append(declaration.purchases)
        return prices_of(table, declaration)

    def noted_chance(pool: DicePool) -> TaskOdds:
        tried.append(pool)
        return chance(pool)

    monkeypatch.setattr("kiosk.web.presets.prices_of", noted_prices)
    monkeypatch.setattr("kiosk.web.presets.chance", noted_chance)
    once = client.get("/parts/declare", query_string=query).get_json()["declare"]
    assert 'value="momentum momentum"' in once
    assert len(priced) <= len(set(priced)) + 1, "those of the form as it stands are told beside the others"
    choices, tried[:] = len(tried), []
    touched = query | fields | {"character_id": who, "choose": "dice/2"}
    assert client.get("/parts/declare", query_string=touched).get_json()["declare"] != once
    assert len(tried) <= choices, "a touched choice is found without the chances of all others"


def test_the_newest_extended_task_comes_first_and_before_the_usual_ones(client: FlaskClient) -> None:
    who = set_up(client)
    for label in ("Restart the warp core", "Seal the breach"):
        send(client, "begin_extended_task", label=label, work=8, magnitude=2, difficulty=1)
    newest, older = ("Work on: Seal the breach", "Work on: Restart the warp core")
    page = client.get(f"/play?me={who}").text
    presets = page.partition('<div id="presets"')[2].partition("</div>")[0]
    assert re.findall(r"<a [^>]*>(?:<span>)?([^<]*)", presets)[:3] == [newest, older, "Control + Engineering"]
    query = {"page": "phone", "declare": "yes", "me": who}
    form = client.get("/parts/declare", query_string=query).get_json()["declare"]
    assert form.index(newest) < form.index(older)


def test_a_task_begins_at_work_on_an_extended_one_by_one_choice(client: FlaskClient) -> None:
    who = set_up(client)
    send(client, "begin_extended_task", label="Restart the warp core", work=8, magnitude=2, difficulty=3)
    track = client.get("/api/v1/table").get_json()["table"]["extended"][0]["track_id"]
    assert f"choose=work_on/{track}#declare-title" in client.get(f"/play?me={who}").get_data(as_text=True)
    fields = {"declare": "yes", "me": who, "choose": f"work_on/{track}"}
    form = str(client.get("/parts/declare", query_string={"page": "phone", **fields}).get_json()["declare"])
    sent = {
        str(one["name"]): str(one.get("value", "")) for one in Outline(form).all("input") if one.get("type") == "hidden"
    }
    assert sent["work_on"] == track
    assert sent["difficulty"] == "3"
    sent |= dict(re.findall(r'<select id="\w+" name="(\w+)">.*?<option value="([^"]*)" selected>', form))
    assert declaration_of(sent)["action"] == {"name": "extended", "target_id": track}
    assert "Work on: Restart the warp core" in form


@pytest.mark.parametrize("page", ["phone", "gm", "text"])
@pytest.mark.parametrize("more", [{}, {"more": "yes"}, {"more": "yes", "choose": "part/modifiers"}])
def test_an_extended_task_after_a_breakthrough_has_one_difficulty_the_present_one(
    client: FlaskClient, page: str, more: dict[str, str]
) -> None:
    who = set_up(client)
    send(client, "begin_extended_task", label="Restart the warp core", work=8, magnitude=2, difficulty=3)
    table = client.get("/api/v1/table").get_json()["table"]
    fields = {"attribute": "control", "discipline": "engineering", "complication_range": "1", "difficulty": "3"}
    at_work = {**fields, "declare": "yes", "character_id": who, "work_on": table["extended"][0]["track_id"]}
    assert difficulties(client, page, at_work | more) == (["Difficulty 3"], "3")
    send(client, "declare_task", declaration=declaration_of({**at_work}))
    for faces in ([1, 2], [2, 2, 2, 1, "blank", "blank"]):
        number = client.get("/api/v1/table").get_json()["table"]["request"]["number"]
        send(client, "enter_dice", request=number, faces=faces)
        if faces == [1, 2]:
            send(client, "finish_spending")
    assert difficulties(client, page, at_work | more) == (["Difficulty 2"], "2")


def test_bonus_dice_that_nobody_can_pay_for_any_more_say_so_and_what_they_cost_now(client: FlaskClient) -> None:
    """BUY-2, BUY-3."""
    who = set_up(client)
    send(client, "adjust_pool", pool="momentum", change=3)
    dice = ("Bonus die 1: 1 Momentum. Bonus die 2: 2 Momentum. Together: 3 Momentum.", "The dice cost 3 Momentum.")
    phone, lists = bonus_dice(client, "phone", who)
    assert all(one in phone for one in dice)
    assert "cannot be paid" not in phone
    assert lists[2:] == ["2: 3 Momentum", "3: over 99 %, 3 Momentum, 3 Threat added"]
    send(client, "adjust_pool", pool="momentum", change=-2)
    for page in ("phone", "gm"):
        shown, lists = bonus_dice(client, page, who)
        assert all(one in shown for one in dice), "as it was chosen, until something else is"
        assert "That cannot be paid: the pool holds 1 Momentum. Choose the dice again." in shown
        assert "1 Momentum, 2 Threat added" in shown, "two dice as they are paid for now"
        assert page == "gm" or lists[0] == "2: cannot be paid now"
    send(client, "adjust_pool", pool="momentum", change=2)
    assert bonus_dice(client, "phone", who)[0] == phone, "and are what they were once it can be paid again"


def test_bonus_dice_are_paid_for_with_what_the_spending_before_saves(client: FlaskClient) -> None:
    """BUY-3."""
    who = set_up(client)
    send(client, "declare_task", declaration=declaration_of({**ROLLED, "character_id": who}))
    number = client.get("/api/v1/table").get_json()["table"]["request"]["number"]
    send(client, "enter_dice", request=number, faces=[1, 20])
    send(client, "adjust_pool", pool="momentum", change=1)
    table = client.get("/api/v1/table").get_json()["table"]
    assert (table["momentum"], table["task"]["phase"], table["task"]["momentum_left"]) == (1, "spending", 1)
    shown, lists = bonus_dice(client, "phone", who, "momentum momentum momentum")
    assert "That cannot be paid: the pool holds 2 Momentum. Choose the dice again." in shown
    prices = ["1 Momentum", "2 Momentum, 1 Threat added", "2 Momentum, 4 Threat added"]
    assert [one.partition(", ")[2] for one in lists[2:]] == prices
    assert bonus_dice(client, "phone", who, "")[1][1:] == lists[2:], "so are dice of which none is chosen yet"


def test_nobody_is_told_of_a_task_for_later_that_its_dice_cannot_be_paid(client: FlaskClient) -> None:
    """They are paid for when it begins."""
    who = set_up(client)
    card = {"attributes": ATTRIBUTES_OF_CREW, "disciplines": DISCIPLINES_OF_CREW}
    send(client, "save_character", name="Ben Reed", values=["Never alone"], **card)
    other = client.get("/api/v1/table").get_json()["table"]["characters"][1]["character_id"]
    send(client, "declare_task", declaration=declaration_of({**ROLLED, "character_id": other}))
    shown, lists = bonus_dice(client, "phone", who)
    assert "Declare it for later" in shown
    assert "cannot be paid" not in shown
    assert lists[2] == "2: 3 Momentum"
    assert lists[1].endswith(" %, 1 Momentum")
    fewer, _ = bonus_dice(client, "phone", who, choose="dice/1")
    assert "The dice cost 1 Momentum." in fewer


@pytest.mark.parametrize("path", ["/text", "/play", "/gm"])
def test_the_long_form_says_without_script_what_each_bonus_die_costs_by_who_pays(
    client: FlaskClient, path: str
) -> None:
    """BUY-2, BUY-7: the second die costs more. The lists named payers alone, and prices came once one was chosen."""
    who = set_up(client)
    fields = {**EVERY, "character_id": who, "part": "dice"}
    page = client.get(path, query_string=fields).get_data(as_text=True)
    for place, price in ((1, 1), (2, 2)):
        (listed,) = re.findall(rf'<select id="purchase{place}".*?</select>', page, re.DOTALL)
        options = dict(re.findall(r'<option value="([^"]*)"[^>]*>([^<]*)', listed))
        dear = {"momentum": f"{price} Momentum", "threat": f"{price} Threat added", "determination": "1 Determination"}
        assert options == {"": "None", **dear, "talent": "Talent"}
    smuggler = {"name": "Smuggler", "attributes": ATTRIBUTES_OF_CREW, "disciplines": DISCIPLINES_OF_CREW}
    send(client, "save_character", standing="minor_npc", **smuggler)
    fields["character_id"] = client.get("/api/v1/table").get_json()["table"]["characters"][-1]["character_id"]
    page = client.get("/gm", query_string=fields).get_data(as_text=True)
    assert '<option value="threat">Threat: 2 Threat</option>' in page.partition('id="purchase2"')[2].replace(
        "\xa0", " "
    )


SKILLS = {"attribute": "control", "discipline": "engineering", "complication_range": "1", "difficulty": "1"}
ROLLED = {**SKILLS, "rolled": "yes"}


def bonus_dice(
    client: FlaskClient, page: str, who: str, bought: str = "momentum momentum", **more: str
) -> tuple[str, list[str]]:
    """The words of the open form with bonus dice, two unless others are said, and of the list that it has them in."""
    asked = {"page": page, "me": who, **SKILLS, "declare": "yes", "character_id": who, "bought": bought, **more}
    form = str(client.get("/parts/declare", query_string=asked).get_json()["declare"]).replace("\xa0", " ")
    listed = re.search(r'name="bought".*?</select>', form, re.DOTALL)
    options = re.findall(r"<option[^>]*>([^<]*)", listed[0]) if listed else []
    return " ".join(re.sub(r"<[^>]*>", " ", form).split()), options


def difficulties(client: FlaskClient, page: str, fields: dict[str, str]) -> tuple[list[str], str]:
    """Every Difficulty that the open form tells, and the one that it would send."""
    if page == "text":
        shown = client.get("/text", query_string=fields).get_data(as_text=True)
        form = shown[shown.index('id="declare-form"') :]
    else:
        form = str(client.get("/parts/declare", query_string={"page": page, "me": "", **fields}).get_json()["declare"])
    form = form.partition("</form>")[0]
    sent = [str(one.get("value")) for one in Outline(form).all("input") if one.get("name") == "difficulty"]
    assert len(sent) == 1
    assert not re.search(r'<select[^>]*name="difficulty"|value="difficulty/', form)
    return re.findall(r"(?<!even at )Difficulty \d", re.sub(r"<[^>]*>", " ", form)), sent[0]


def test_the_chance_against_somebody_says_that_the_other_sides_dice_decide(client: FlaskClient) -> None:
    who = set_up(client)
    asked = (
        f"/play?declare=yes&character_id={who}&attribute=control&discipline=command&difficulty=1&complication_range=1"
    )
    assert "decide who wins" not in read(client, asked)
    shown = read(client, f"{asked}&opposed=yes")
    assert re.search(r"Difficulty reached \d+.%; the other side&#39;s dice decide who wins[.]", shown)


def test_an_address_with_half_a_form_begins_with_the_presets(client: FlaskClient) -> None:
    who = set_up(client)
    shown = read(client, f"/play?declare=yes&character_id={who}&attribute=reason&discipline=command&difficulty=1")
    assert 'id="declare-now"' in shown


def test_what_an_earlier_task_was_about_is_not_carried_into_the_next_unseen(client: FlaskClient) -> None:
    who = set_up(client)
    task = {"character_id": who, "attribute": "reason", "discipline": "command", "difficulty": 3, "label": "Seal it"}
    send(client, "declare_task", declaration=task)
    number = client.get("/api/v1/table").get_json()["table"]["request"]["number"]
    send(client, "enter_dice", request=number, faces=[19, 18])
    asked = {"page": "phone", "declare": "yes", "me": who}
    form = str(client.get("/parts/declare", query_string=asked).get_json()["declare"])
    assert re.search(r'name="difficulty".*?value="1" selected', form, re.DOTALL), "so is how hard that was"
    assert 'value="reason" selected' in form, "the skills come back"
    assert "Seal it" not in form
    send(client, "ask_for_task", **{**task, "label": "Open it"})
    assert "Open it" in str(client.get("/parts/declare", query_string=asked).get_json()["declare"])


FOCUS = '<input type="checkbox" id="focus" name="focus" value="yes"'


def test_a_new_task_begins_without_the_focus_of_the_one_before_and_one_that_is_asked_for_keeps_its_own(
    client: FlaskClient,
) -> None:
    who = set_up(client)
    task = {"character_id": who, "attribute": "reason", "discipline": "command", "difficulty": 3, "focus": True}
    send(client, "declare_task", declaration=task)
    number = client.get("/api/v1/table").get_json()["table"]["request"]["number"]
    send(client, "enter_dice", request=number, faces=[3, 4])
    send(client, "finish_spending")
    asked = {"page": "phone", "declare": "yes", "me": who}
    form = str(client.get("/parts/declare", query_string=asked).get_json()["declare"])
    assert f"{FOCUS}>" in form, "it was that other Task's"
    assert 'value="reason" selected' in form, "the skills come back"
    again = client.get(f"/play?me={who}").get_data(as_text=True)
    assert "Reason + Command, focus" in again, "the same Task once more is one tap, and says so"
    send(client, "ask_for_task", **task)
    form = str(client.get("/parts/declare", query_string=asked).get_json()["declare"])
    assert f"{FOCUS} checked>" in form


def chance_beside(page: str, mark: str) -> str:
    """The chance in the control of a form that begins with `mark`."""
    found = re.search(rf"<[^>]*{mark}[^>]*>(?:<span>[^<]*</span>)<small[^>]*>(\d+.%)</small>", page)
    assert found is not None, mark
    return found[1]


@pytest.mark.parametrize(
    ("choice", "mark", "chosen"),
    [
        ("focus", 'name="focus"', {"focus": "yes"}),
        (
            "helper",
            'value="help/BEN',
            {"assist1": "BEN", "assist_attribute1": "control", "assist_discipline1": "science"},
        ),
        ("point", 'value="determination/', {"purchase1": "determination", "value": "Evidence before opinion"}),
        ("circumstance", 'value="circumstance/darkness', {"reason1": "D", "change1": "1", "circumstance1": "darkness"}),
    ],
)
def test_a_choice_shows_the_chance_that_it_brings_whether_it_is_made_or_not(
    client: FlaskClient, choice: str, mark: str, chosen: dict[str, str]
) -> None:
    set_up(client)
    cards = {"attributes": ATTRIBUTES_OF_CREW, "disciplines": DISCIPLINES_OF_CREW}
    send(client, "save_character", name="Cy", **cards, values=["Evidence before opinion"], determination=1)
    send(client, "save_character", name="Ben", **cards)
    *_, cy, ben = (one["character_id"] for one in client.get("/api/v1/table").get_json()["table"]["characters"])
    form = {"character_id": cy, "attribute": "reason", "discipline": "science", "difficulty": "2"}
    form |= {"declare": "yes", "more": "yes", "complication_range": "1"}
    with_it = form | {name: value.replace("BEN", ben) for name, value in chosen.items()}
    shown = [read(client, "/gm?" + urlencode(one)) for one in (form, with_it)]
    odds = [re.search(r'id="odds"[^>]*>Success (\d+.%)', one) for one in shown]
    assert all(odds)
    assert len({one and one[1] for one in odds}) == 2, choice
    assert [chance_beside(one, mark.replace("BEN", ben)) for one in shown] == [odds[1] and odds[1][1]] * 2


def test_whoever_answers_anothers_opposed_task_finds_that_above_all_else(client: FlaskClient) -> None:
    who = set_up(client)
    card = client.get("/api/v1/table").get_json()["table"]["characters"][0]
    send(client, "save_character", name="Ben", attributes=card["attributes"], disciplines=card["disciplines"])
    ben = client.get("/api/v1/table").get_json()["table"]["characters"][-1]["character_id"]
    declared = {"character_id": who, "attribute": "control", "discipline": "engineering", "opposed": True}
    send(client, "declare_task", declaration={**declared, "difficulty": 1})
    number = client.get("/api/v1/table").get_json()["table"]["request"]["number"]
    send(client, "enter_dice", request=number, faces=[3, 4])
    page = client.get(f"/play?me={ben}").get_data(as_text=True)
    assert page.count('id="declare-open"') == 1
    assert page.index('id="own-turn"') < page.index('id="declare-open"') < page.index('id="actions"')
    assert 'id="declare-open"' not in client.get(f"/play?me={who}").get_data(as_text=True)


class Controls(HTMLParser):
    """All that can be focused or pressed on a page, folded or not; not what is hidden, or there without script only.

    While a Task is declared, a phone shows no other part that its style sheet names: those are in `aside`.
    """

    def __init__(self, page: str, aside: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self._without_script = False
        self._aside = aside
        self._within = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._without_script |= tag in OFF_PAGE
        if tag in BOXES and (self._within or given.get("id") in self._aside or given.get("class") in self._aside):
            self._within += 1
        touched = tag in {"a", "button", "select", "summary", "textarea"}
        touched |= tag == "input" and given.get("type") != "hidden"
        if touched and not self._without_script and not self._within and "hidden" not in given:
            self.found.append((tag, given.get("id") or given.get("href") or ""))

    def handle_endtag(self, tag: str) -> None:
        self._without_script &= tag not in OFF_PAGE
        self._within -= tag in BOXES and self._within > 0


OFF_PAGE = {"noscript", "template"}
BOXES = {"div", "section", "footer", "p"}
"""The elements that parts of a page are."""

SYSTEMS = {"communications": 9, "computers": 9, "engines": 9, "sensors": 9, "structure": 9, "weapons": 9}
MOST_CONTROLS = 30


@pytest.mark.parametrize("ruleset", Ruleset)
def test_the_page_of_whoever_declares_keeps_few_controls(client: FlaskClient, ruleset: str) -> None:
    """The mark of issue 19, at a table where much can be chosen, also further on in the long form and in a fight."""
    send(client, "set_up_table", ruleset=ruleset, players=["Ada", "Ben"])
    card = {"attributes": ATTRIBUTES_OF_CREW, "disciplines": DISCIPLINES_OF_CREW, "values": ["Never alone"]}
    for name in ("Ada", "Ben", "Cem", "Dana"):
        send(client, "save_character", name=name, **card)
    who, *others = (one["character_id"] for one in client.get("/api/v1/table").get_json()["table"]["characters"])
    send(client, "save_ship", name="Far Lantern", systems=SYSTEMS, departments=DISCIPLINES_OF_CREW, scale=4)
    send(client, "adjust_pool", pool="momentum", change=3)
    send(client, "adjust_pool", pool="momentum", change=2)
    send(client, "undo")
    chosen = {"declare": "yes", **{f"{one}{place}": "1" for one in ("change", "threat_part") for place in (1, 2, 3)}}
    chosen |= {"attribute": "control", "discipline": "conn", "difficulty": "2", "complication_range": "1"}
    chosen |= {f"purchase{place}": "momentum" for place in (1, 2, 3)}
    cited = chosen | {"purchase1": "determination", "value": "Never alone"}
    css = (Path(__file__).parents[3] / "kiosk/static/phone.css").read_text(encoding="utf-8")
    rule = re.search(r"main:has\(#declare-form\) :is\(([^)]*)\) \{ display: none; \}", css)
    assert rule is not None
    hidden = frozenset(one.strip(" #.") for one in rule[1].split(","))
    for aside in (frozenset[str](), hidden):  # in a fight much else can be done: it is not shown beside the form
        if aside:
            seats = [{"combatant_id": one} for one in (who, *others)]
            send(client, "start_conflict", kind="personal", combatants=seats, begins=who)
            send(client, "begin_turn", combatant_id=who)
        for place, helper in enumerate(others if aside else others[:2], 1):
            helps = {"assist": helper, "assist_attribute": "control", "assist_discipline": "conn"}
            chosen |= {f"{name}{place}": value for name, value in helps.items()}
        long = [chosen | {"more": "yes", "part": one} for one in ("", "modifiers", "dice", "helpers", "rare", "no")]
        for query in ({}, {"declare": "yes"}, chosen, cited, *long):
            page = client.get("/play", query_string={"me": who, "character_id": who, **query}).get_data(as_text=True)
            found = Controls(page, aside if query else frozenset()).found
            assert len(found) <= MOST_CONTROLS, (query, found)
            assert ("a", "#main") in found, "all of the page"
            assert ("select", "bought") in found or len(query) != 1
            assert (("button", "choose-less") in found) is ("more" in query), "the way back"


def closed(page: str) -> str:
    """The form as one sees it with no list open: of each only what is chosen."""
    form = page.partition('<form id="declare-form"')[2].partition("</form>")[0]
    return re.sub(r"<option (?![^>]*selected)[^>]*>[^<]*</option>", "", form)


def test_a_die_of_determination_is_told_once_and_beside_the_number_of_the_others(client: FlaskClient) -> None:
    """BUY-4: what it is, and how many dice are bought besides; its price stands on its button."""
    who = set_up(client)
    send(client, "adjust_pool", pool="momentum", change=2)
    page = client.get(f"/play?me={who}&declare=yes&choose=determination/yes").get_data(as_text=True)
    bought = re.search(r'<select id="bought".*?</select>', page, re.DOTALL)
    assert bought
    none, one, *_ = (unescape(each) for each in re.findall(r"<option[^>]*>([^<]*)", bought[0]))
    assert none == "0 besides Determination's"
    assert re.fullmatch(r"1 besides Determination's: (over )?\d+\N{NO-BREAK SPACE}%, 1 Momentum", one), one
    told = re.search(r'<p id="price"[^>]*>([^<]*)', page)
    assert told
    assert unescape(told[1]) == "Bonus die 1 is Determination's: it shows 1 and is not thrown."


@pytest.mark.parametrize("touched", ["", "&choose=focus/yes", "&choose=dice/1", "&choose=determination/yes"])
def test_a_phone_shows_the_chance_once_and_beside_the_rest_what_that_would_come_to(
    client: FlaskClient, touched: str
) -> None:
    who = set_up(client)
    send(client, "save_ship", name="Far Lantern", systems=SYSTEMS, departments=DISCIPLINES_OF_CREW, scale=4)
    send(client, "adjust_pool", pool="momentum", change=2)
    page = client.get(f"/play?me={who}&declare=yes{touched}").get_data(as_text=True)
    shown = re.findall(r"(?:over |under )?\d+\N{NO-BREAK SPACE}%", closed(page))
    offered = touched != "&choose=determination/yes"  # beside its price: what the point would buy
    assert len(shown) == 2 + offered, "success, Complication, and what Determination would buy"
    words = dict(re.findall(r'<option value="([^"]+)"[^>]*>([^<]*)', page))
    assert words["reason"].endswith("%") != ('value="reason" selected' in page)
    bought = re.search(r'<select id="bought".*?</select>', page, re.DOTALL)
    assert bought
    dice = re.findall(r"<option[^>]*>([^<]*)", bought[0])
    if touched == "&choose=dice/1":
        assert dice[1] == "1: 1 Momentum", "its price stays"
        assert re.fullmatch(r"0: \d+\N{NO-BREAK SPACE}%", dice[0])
    elif offered:
        assert dice[0] == "0"
        assert re.fullmatch(r"1: .*%, 1 Momentum", dice[1])


def test_the_lists_of_a_phone_declare_what_they_show_without_script(client: FlaskClient) -> None:
    who = set_up(client)
    card = client.get("/api/v1/table").get_json()["table"]["characters"][0]
    for name in ("Ben", "Cem"):
        send(client, "save_character", name=name, attributes=card["attributes"], disciplines=card["disciplines"])
    ben, cem = (one["character_id"] for one in client.get("/api/v1/table").get_json()["table"]["characters"][1:])
    send(client, "save_ship", name="Far Lantern", systems=SYSTEMS, departments=card["disciplines"], scale=4)
    send(client, "adjust_pool", pool="momentum", change=2)
    page = client.get(f"/play?me={who}&declare=yes").get_data(as_text=True)
    values = re.findall(r'<option value="([^"]*)"[^>]*>([^<]*)', page)
    two = next(value for value, words in values if words.startswith("2: ") and "Momentum" in words)
    helper = next(value for value, words in values if words.startswith("Ben: "))
    ship = next(value for value, words in values if words.startswith("Far Lantern: "))
    page = click(client, page, "Show the chances", bought=two, helped=helper, ship_helped=ship, difficulty="3")
    assert re.search(rf'<option value="{helper}" selected>Ben<', page), "what is chosen stays"
    page = click(client, page, "Modifiers, dice, helpers, at cost")
    page = click(client, page, "Back to the short form")
    assert "choose-less" not in page
    assert re.search(rf'<option value="{helper}" selected>Ben<', page), "what is chosen stays on the way back"
    page = click(client, page, "Modifiers, dice, helpers, at cost")
    page = click(client, page, "Helpers and ship")
    page = click(
        client, page, "Show the chances", assist2=cem, assist_attribute2="reason", assist_discipline2="science"
    )
    click(client, page, "Declare")
    declared = client.get("/api/v1/table").get_json()["table"]["task"]["declaration"]
    assert [one["payer"] for one in declared["purchases"]] == ["momentum", "momentum"]
    assert [one["threat_part"] for one in declared["purchases"]] == [0, 1], "Momentum 2 pays for one and a half"
    assert [one["character_id"] for one in declared["assists"]] == [ben, cem]
    assert (declared["ship"]["department"], declared["difficulty"]) == ("engineering", 3)


def test_only_what_is_certain_is_a_hundred_percent() -> None:
    found = [str(percent(one)) for one in (1.0, 0.9999, 0.995, 0.994, 0.006, 0.004, 0.00001, 0.0)]
    ends = ["100\u00a0%", "over 99\u00a0%", "99\u00a0%", "1\u00a0%", "under 1\u00a0%", "0\u00a0%"]
    assert [found[0], found[1], found[3], found[4], found[5], found[-1]] == ends
    assert "100\u00a0%" not in found[1:]
    assert "0\u00a0%" not in found[:-1]
