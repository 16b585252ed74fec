"""What pages are sent of the table as HTML: what the page holds itself, in its language, and never a broken stream."""

from __future__ import annotations

import logging
import re
from html import unescape
from typing import cast

import pytest
from flask import get_template_attribute
from flask.testing import FlaskClient

from kiosk.ports import SOURCE_LANGUAGE
from kiosk.web import live_parts
from kiosk.web.live_parts import PARTS, STAMP, LivePage, shown_on
from rules.dice import SourceState
from rules.words import say
from tests.kiosk.desk import PHONE, Desk, post, send
from tests.kiosk.test_hub import parsed
from tests.kiosk.web.test_conflict_page import begin, crew, table
from tests.kiosk.web.test_pages import enter, press, read, set_up

MARKS = r'<input type="hidden" name="(?:token|tap|about)" value="[^"]*">'
"""What the forms of a page have that was opened without script."""

PATHS = {LivePage.DISPLAY: "/display", LivePage.PHONE: "/play", LivePage.GAMEMASTER: "/gm"}


def declared(client: FlaskClient, character: str, label: str = "Seal the hatch") -> None:
    declaration = {
        "character_id": character, "attribute": "control", "discipline": "engineering", "difficulty": 1, "label": label,
    }  # fmt: skip
    send(client, "declare_task", declaration=declaration)


def parts_of(client: FlaskClient, page: LivePage, language: str = "en", me: str = "") -> dict[str, str]:
    (made,) = (
        data
        for name, _, data in parsed(client.get(f"/parts/now?parts={page}&language={language}&me={me}").data)
        if name == "parts"
    )
    return cast("dict[str, str]", made)


def shown_with(page: str) -> list[str]:
    """The stamp of the parts that a page says it came with, and the ids of those that it has otherwise."""
    found = re.search(r'<html [^>]*data-shows="([^"]*)"', page)
    assert found is not None
    return found[1].split(" ")


def test_a_page_says_with_which_parts_it_came(client: FlaskClient) -> None:
    character = set_up(client)
    stamps = []
    for change in (lambda: None, lambda: declared(client, character), lambda: enter(client, "3", "20")):
        change()
        for page, path in PATHS.items():
            whole, found = read(client, path), parts_of(client, page)
            stamp, *otherwise = shown_with(whole)
            assert stamp == found[STAMP]
            assert otherwise == [part for part in PARTS[page] if found[part] not in whole], page
            assert "stage" not in otherwise, page
            assert page is not LivePage.DISPLAY or not otherwise, (
                "nothing is done there that carries a mark of who does it"
            )
            stamps.append(stamp)
    assert len(set(stamps)) == len(stamps)
    assert shown_with(read(client, "/setup")) == [""], "it is sent none"


@pytest.mark.parametrize(("active", "reactive"), [(("1", "2"), ("9", "19")), (("9", "19"), ("1", "2"))])
def test_each_side_of_an_opposed_task_reads_its_own_result_on_its_phone(
    client: FlaskClient, active: tuple[str, str], reactive: tuple[str, str]
) -> None:
    ben, ada, _ = crew(client).values()  # Okafor, Lindqvist, Brack
    declaration = {"attribute": "control", "discipline": "engineering", "difficulty": 1}
    send(client, "declare_task", declaration={**declaration, "character_id": ada, "opposed": True})
    enter(client, *active)
    send(client, "declare_task", declaration={**declaration, "character_id": ben})
    enter(client, *reactive)
    results = {True: ("success", "wins", "1 success."), False: ("failure", "loses", "3 successes.")}
    for closed in range(3):
        for me, name, other, won in (
            (ada, "Lindqvist", "Okafor", active[0] == "1"),
            (ben, "Okafor", "Lindqvist", reactive[0] == "1"),
        ):
            mark, own, others = results[won]
            for shown in (parts_of(client, LivePage.PHONE, me=me)["stage"], read(client, f"/play?me={me}")):
                assert f'data-mark="{mark}"' in shown, closed
                assert f">{name} {own}<" in shown, closed
                assert f"<p>Against {other}: {others}" in shown, closed
        if table(client)["task"] is not None:
            send(client, "finish_spending")


def test_what_changed_while_a_page_was_made_counts_as_otherwise() -> None:
    assert shown_on("<p>new</p>", {STAMP: "ab", "one": "<p>new</p>", "two": "<p>old</p>"}) == "ab two"
    assert shown_on("<p>new</p>", {}) == ""


def test_a_part_is_what_the_page_holds(client: FlaskClient) -> None:
    character = set_up(client)
    send(client, "add_trait", name="Smoke <b>", kind="complication")
    declared(client, character)
    enter(client, "3", "20")
    for page, path in PATHS.items():
        whole = re.sub(MARKS, "", read(client, path))
        found = parts_of(client, page)
        assert set(found) == {STAMP, *PARTS[page]}
        for part in PARTS[page]:
            assert found[part].strip() in whole, part
        assert "Seal the hatch" in found["stage"]
        assert "Smoke &lt;b&gt;" in found["scene-traits"]


def test_the_stage_draws_an_outline_for_each_die_that_is_awaited(client: FlaskClient) -> None:
    character = set_up(client)
    declared(client, character)
    assert parts_of(client, LivePage.DISPLAY)["stage"].count('class="awaited"') == 2
    assert "awaited" not in parts_of(client, LivePage.PHONE)["stage"], "a phone has their fields"
    assert "Throw 2\u00a0d20s." in read(client, "/play"), "a number and its word stay on a line"
    display = read(client, "/display").replace("\u00a0", " ")
    assert "Throw 2 d20s." not in display, "there it stands large, and in no caption again"
    assert "Throw 2 d20s<" in display
    enter(client, "3", "20")
    assert "awaited" not in parts_of(client, LivePage.DISPLAY)["stage"]


def test_each_phone_is_offered_what_whoever_plays_there_can_do(client: FlaskClient) -> None:
    ids = crew(client)
    begin(client, ids)
    actions = {name: parts_of(client, LivePage.PHONE, me=ids[name])["actions"] for name in ("Okafor", "Lindqvist")}
    for name, html in actions.items():
        told = re.findall(r"Begin (\w+)&#39;s Turn", html)
        assert told[0] == name, "one's own comes first"
        assert "Brack" not in told, "that is the gamemaster's"
        own, folded = html.split("<summary>Turns of others</summary>")
        assert re.findall(r'class="main-action">Begin (\w+)', own) == [name]
        assert re.findall(r">(\w+) passes<", own) == [name]
        assert told[1:] == re.findall(r"Begin (\w+)", folded)
    open_, folded = parts_of(client, LivePage.GAMEMASTER)["actions"].split("<summary>Somebody passes</summary>")
    assert "Begin Brack" in open_
    assert (" passes<" in open_, "Brack passes<" in folded) == (False, True)
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    actions = {name: parts_of(client, LivePage.PHONE, me=ids[name])["actions"] for name in ("Okafor", "Lindqvist")}
    assert "End the Turn" in actions["Okafor"]
    assert "End Okafor" in actions["Lindqvist"]
    assert parts_of(client, LivePage.PHONE)["actions"] == parts_of(client, LivePage.PHONE, me="nobody")["actions"]


def test_a_page_that_names_itself_is_sent_its_parts_before_the_table(desk: Desk, client: FlaskClient) -> None:
    assert desk.app is not None
    chunks = iter(desk.hub.subscribe(page=LivePage.DISPLAY))
    plain = iter(desk.hub.subscribe())
    assert [name for name, *_ in parsed(next(chunks))] == ["snapshot", "parts", "beside"]
    assert [name for name, *_ in parsed(next(plain))] == ["snapshot"]
    character = set_up(client)
    declared(client, character)
    names = [name for name, *_ in parsed(next(chunks))]
    assert names[-2:] == ["parts", "table"]
    assert "parts" not in [name for name, *_ in parsed(next(plain))]


def test_what_is_wrong_is_sent_as_soon_as_a_source_tells_it(desk: Desk) -> None:
    assert desk.app is not None
    chunks = iter(desk.hub.subscribe(page=LivePage.DISPLAY))
    next(chunks)
    desk.sources.set("camera", SourceState.LOST, say("The camera is gone."), say("Plug it in again."))
    told = [(name, data) for name, _, data in parsed(next(chunks))]
    assert [name for name, _ in told] == ["source", "parts", "table"]
    assert "Plug it in again." in told[1][1]["troubles"]


def test_parts_are_in_the_language_asked_for_and_typed_words_stay(client: FlaskClient) -> None:
    declared(client, set_up(client), "Success")
    stage = parts_of(client, LivePage.PHONE, "de")["stage"]
    assert "2 W20" in stage
    assert "Success" in stage


def test_a_part_that_fails_costs_itself_alone(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = desk.client()
    broken = {**PARTS[LivePage.PHONE], "stage": "no_such_macro"}
    monkeypatch.setattr(live_parts, "PARTS", {LivePage.PHONE: broken})
    with caplog.at_level(logging.ERROR):
        found = parts_of(client, LivePage.PHONE)
    assert found["stage"] == ""
    assert "0 of 6" in found["momentum"]
    assert "part no_such_macro" in caplog.text


def test_an_error_before_any_part_costs_the_parts_and_not_the_table(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = desk.client()

    def broken(_table: object) -> object:
        raise RuntimeError("a conflict that cannot be told")

    monkeypatch.setattr(live_parts, "conflict_view", broken)
    chunks, plain = iter(desk.hub.subscribe(page=LivePage.DISPLAY)), iter(desk.hub.subscribe())
    for one in (chunks, plain):
        next(one)
    set_up(client)
    assert [name for name, *_ in parsed(next(chunks))][-2:] == ["parts", "table"]
    assert [name for name, *_ in parsed(next(plain))][-1] == "table"
    assert "page display cannot be shown" in caplog.text


def test_photographs_are_asked_for_where_they_are_shown(desk: Desk) -> None:
    """At once by the table's screen, where people play once they are in sight, by no other page."""
    die = {"shape": "d20", "face": "7", "name": "d20: 7", "mark": "plain", "photograph": "key"}
    with desk.app.test_request_context():
        stage = get_template_attribute("_parts.html", "stage")
        assert "key.webp" in stage({"dice": [die]}, photographs=True)
        assert "key.webp" not in stage({"dice": [die]})
        assert 'popovertarget="whole-key"' in stage({"dice": [die]}, photographs=True), (
            "tapping it shows the whole picture"
        )
        assert 'data-name="d20: 7"' in stage({"dice": [die]}, photographs=True), "that names the die"
        assert "data-word" not in stage({"dice": [die]}, photographs=True)
        assert "data-word" in stage({"dice": [{**die, "face": "effect"}]}, photographs=True), "no word is broken"
        assert "popover" not in stage({"dice": [die]})
        for back in ("/play", "/play/fight", "/gm", "/conflict"):
            on_page = desk.app.jinja_env.get_template("_parts.html").make_module({"back": back})
            drawn = r'loading="lazy"[^>]*key\.webp" alt=""><svg [^>]* role="img" aria-label="d20: 7"'
            assert re.search(drawn, re.sub(r">\s+<", "><", on_page.in_hand(die))), "its drawing names it"  # type: ignore[attr-defined]  # a macro of the template
            assert "key/whole.jpg" in on_page.stage({"dice": [die]})  # type: ignore[attr-defined]  # a macro of the template


def test_an_unchanged_table_is_rendered_once(desk: Desk) -> None:
    client = desk.client()
    set_up(client)
    assert desk.hub.parts is not None
    first = desk.hub.parts(LivePage.DISPLAY, SOURCE_LANGUAGE)
    assert desk.hub.parts(LivePage.DISPLAY, SOURCE_LANGUAGE) is first
    send(client, "add_trait", name="Fog", kind="advantage")
    assert b"Fog" in desk.hub.parts(LivePage.DISPLAY, SOURCE_LANGUAGE)


def test_hidden_rolls_are_the_gamemasters() -> None:
    with Desk(settings={"server.host": "0.0.0.0", "server.open_to_network": True}) as desk:  # noqa: S104 - opened
        client = desk.client()
        declaration = {"character_id": set_up(client), "attribute": "control", "discipline": "engineering"}
        status, rolls = post(client, "/api/v1/hidden", {"action": "declare", "declaration": declaration})
        assert status == 200, rolls
        part = client.get("/parts/hidden").get_json()["hidden"]
        assert f'id="hidden-{rolls["rolls"][0]["roll_id"]}"' in part
        assert "Throw 2 d20" in part
        assert client.get("/parts/hidden", environ_overrides=PHONE).status_code == 401


def test_a_roll_is_hidden_by_plain_forms_too() -> None:
    """The gamemaster's page has them before any script; nobody else can send them."""
    with Desk(settings={"server.host": "0.0.0.0", "server.open_to_network": True}) as desk:  # noqa: S104 - opened
        client = desk.client()
        fields = {"character_id": set_up(client), "attribute": "control", "discipline": "engineering"}
        for more in (fields | {"difficulty": "1", "complication_range": "1", "rolled": "yes"}, {"step": "enter"}):
            faces = {"roll_id": "1", "face0": "20", "face1": "3"} if "step" in more else {}
            status, page = press(client, "hidden", back="/gm", **more, **faces)
            assert (status, 'id="hidden-1"' in page) == (200, True)
        assert "Dice as entered: 20, 3." in page
        assert press(client, "hidden", back="/gm", step="enter", roll_id="1", face0="21")[0] == 400
        sent = {"step": "show", "roll_id": "1", "tap": "a", "back": "/gm"}
        refused = client.post("/text/hidden", data=sent, headers={"X-Trueroll": "1"}, environ_overrides=PHONE)
        assert refused.status_code in {401, 403}
        assert desk.engine.present().table.last_task is None
        for _ in range(2):
            shown = client.post("/text/hidden", data=sent, headers={"X-Trueroll": "1"})
            assert shown.status_code == 200, shown.text
        assert desk.hidden.view().rolls == ()
        assert client.get("/api/v1/table").get_json()["stage"]["kind"] == "outcome"


def test_a_part_has_no_space_round_it(client: FlaskClient) -> None:
    set_up(client)
    for page in LivePage:
        for part, html in parts_of(client, page).items():
            assert html == html.strip(), f"a page would gather it at each change: {part} of {page}"


def test_the_caption_is_as_long_as_each_device_wants_it(client: FlaskClient) -> None:
    declared(client, set_up(client))
    told = client.get("/api/v1/table").get_json()["narration"]
    assert len({told["terse"], told["full"]}) == 2
    for length in ("terse", "full"):
        post(client, "/api/v1/listener", {"length": length})
        for page in (LivePage.PHONE, LivePage.GAMEMASTER, LivePage.LOG):
            words = re.sub("<[^>]*>", "", parts_of(client, page)["caption"])
            assert unescape(words).replace("\u00a0", " ") == told[length], page


def caption_of(client: FlaskClient, me: str, language: str = "en") -> str:
    """The words of a phone's caption."""
    caption = parts_of(client, LivePage.PHONE, language, me)["caption"]
    return " ".join(unescape(re.sub(r"<[^>]*>", "", caption)).replace("\u2068", "").replace("\u2069", "").split())


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_phone_tells_of_work_and_of_a_turn_once(client: FlaskClient, language: str) -> None:
    """The caption had in other words what the stage above it says; what that leaves out stays."""
    ids = crew(client, "second-edition")
    okafor = ids["Okafor"]
    send(client, "begin_extended_task", label="Repair the core", work=8, magnitude=0, resistance=1, difficulty=2)
    track = {"name": "extended", "target_id": table(client)["extended"][0]["track_id"]}
    skills = {"attribute": "control", "discipline": "engineering", "difficulty": 2}
    send(client, "declare_task", declaration={"character_id": okafor, **skills, "action": track})
    send(client, "enter_dice", request=table(client)["request"]["number"], faces=[1, 2])
    send(client, "finish_spending")
    saved = caption_of(client, okafor, language)
    assert saved == {"en": "1 Momentum saved. Momentum 1.", "de": "1 Schwung aufgehoben. Schwung 1."}[language]
    begin(client, ids, begins=okafor)
    send(client, "begin_turn", combatant_id=okafor)
    stage = parts_of(client, LivePage.PHONE, language, okafor)["stage"]
    assert "Turn" in stage or "Zug" in stage
    assert caption_of(client, okafor, language) == ""
