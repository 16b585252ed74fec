"""Two phones and a gamemaster, each somebody, in a browser of their own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import parse_qs

from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.conftest import OpenPage, pages_of
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, set_up
from tests.e2e.test_accessibility import WORDS_AND_ROLES, violations
from tests.e2e.test_pages import declaring, live
from tests.e2e.thumbs import within_reach
from tests.e2e.warm import WarmProgram


def joined(phones: tuple[OpenPage, dict[str, str]], name: str, character: str) -> Page:
    """A phone that scanned the code: its person gives a name and takes a character in one tap."""
    opened, codes = phones
    page = opened(f"/join?code={codes['table_code']}", width=390, height=844)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name=re.compile(f"^Play .*{character}")).click()
    expect(page.locator("#me-title")).to_contain_text(character)
    return page


def test_the_panels_keys_are_for_the_gamemasters_screen_and_no_players(
    phones: tuple[OpenPage, dict[str, str]],
) -> None:
    opened, codes = phones
    sam = joined(phones, "Sam", "Okafor")
    base = sam.url.partition("/play")[0]
    pressed: list[str] = []
    sam.on("request", lambda one: pressed.append(one.url) if one.method == "POST" else None)
    sam.goto(f"{base}/display")
    for key in ("ArrowDown", "Backspace", "Backspace"):
        live(sam).keyboard.press(key)
    sam.keyboard.press("r")
    expect(sam.locator("#menu")).to_be_hidden()
    assert not [one for one in pressed if one.endswith("/api/v1/panel")]
    headers = {"X-Trueroll": "1"}
    answer = sam.request.post(f"{base}/api/v1/panel", data={"gesture": "undo"}, headers=headers)
    assert (answer.status, "table's own screen" in answer.json()["detail"]) == (403, True)
    gamemaster = opened("/join")
    answer = gamemaster.request.post(
        f"{base}/api/v1/join", data={"gamemaster_code": codes["gamemaster_code"]}, headers=headers
    )
    assert answer.ok
    gamemaster.goto(f"{base}/display")
    live(gamemaster).keyboard.press("ArrowDown")
    expect(gamemaster.locator("#menu")).to_contain_text("What now?")


def test_whom_one_can_play_keeps_its_place_under_the_thumb_as_others_take_theirs(
    phones: tuple[OpenPage, dict[str, str]],
) -> None:
    opened, codes = phones
    ana = live(opened(f"/join?code={codes['table_code']}", width=320, height=568))
    reed = ana.get_by_role("button", name=re.compile("^Play .*Reed"))
    before = reed.bounding_box()
    joined(phones, "Sam with a name that needs more than one line", "Okafor")
    taken = ana.get_by_role("button", name=re.compile("^Play .*Okafor"))
    expect(taken).to_be_disabled()
    expect(taken).to_contain_text("played by Sam")
    assert reed.bounding_box() == before


def test_who_else_is_played_moves_nothing_where_one_says_who_one_is(phones: tuple[OpenPage, dict[str, str]]) -> None:
    """Notes on whom others play came in below the list, and pushed what was under a thumb down."""
    opened, codes = phones
    ana = live(opened(f"/join?code={codes['table_code']}", width=390, height=844))
    ana.goto(f"{ana.url.partition('/join')[0].partition('/play')[0].partition('/me')[0]}/me")
    live(ana)
    below = [ana.get_by_text("Or make a character"), ana.get_by_role("link", name="Plain page")]
    before = [one.bounding_box() for one in below]
    joined(phones, "Sam", "Okafor")
    asks = ana.get_by_role("button", name=re.compile("^I am .*Okafor, with another phone"))
    expect(asks).to_be_visible()
    assert [one.bounding_box() for one in below] == before
    assert not violations(ana, rules=WORDS_AND_ROLES)
    asks.click()
    expect(ana.get_by_text("Waiting for the gamemaster")).to_be_visible()


def test_a_phone_takes_a_character_and_nobody_else_decides_for_it(
    phones: tuple[OpenPage, dict[str, str]],
) -> None:
    opened, codes = phones
    sam = joined(phones, "Sam", "Okafor")
    ana = opened(f"/join?code={codes['table_code']}", width=320, height=700)
    okafor = ana.get_by_role("button", name=re.compile("^Play .*Okafor"))
    expect(okafor).to_be_disabled()
    expect(okafor).to_contain_text("played by Sam")
    assert not violations(ana, rules=WORDS_AND_ROLES)
    within_reach(ana)
    ana.get_by_label("Your name").fill("ليلى")
    ana.get_by_role("button", name="Keep the name and go on").click()
    ana.locator("#me button:enabled").first.click()
    expect(ana.locator("#me").get_by_role("button", name="Change")).to_be_visible()
    declaring(sam).locator("#declare-now").click()
    expect(sam.locator("#undo")).to_contain_text("by Sam")
    expect(ana.locator(".stage-word")).to_contain_text("Okafor throws 2 d20s")
    expect(ana.locator("#undo"), "it is Sam's").to_have_count(0)
    expect(ana.locator(".entry-pad"), "they are Sam's dice").to_be_hidden()
    ana.get_by_text("Enter the dice for Okafor").click()
    for place, face in enumerate(("2", "9")):
        ana.locator("#entered .entry input").nth(place).fill(face)

    def first(route: Route) -> None:
        """Sam's dice come in just before."""
        request = int(parse_qs(route.request.post_data or "")["request"][0])
        entered = {"command": "enter_dice", "request": request, "faces": [19, 20]}
        sam.request.post(sam.url.partition("/play")[0] + "/api/v1/commands", data=entered, headers={"X-Trueroll": "1"})
        route.continue_()

    ana.route("**/text/enter", first)
    ana.get_by_role("button", name="Count these dice").click()
    expect(ana.locator(".stage-word")).to_contain_text("Okafor fails")
    expect(ana.locator("#error")).to_have_text("Sam counted 19 and 20 before you; your dice were not taken.")
    expect(ana.locator("#error")).to_be_in_viewport()
    for _ in range(2):
        before = sam.locator("#undo").inner_text()
        sam.locator("#undo").click()
        expect(sam.locator("#undo"), "a second tap on the same decision is refused").not_to_have_text(before)
    expect(sam.locator("#undo")).not_to_contain_text("by Sam")


def test_a_phone_that_loses_its_character_hears_and_sees_who_has_it(phones: tuple[OpenPage, dict[str, str]]) -> None:
    opened, codes = phones
    sam = joined(phones, "Sam", "Okafor")
    base = sam.url.partition("/play")[0]
    jo, master = opened("/join"), opened("/join")
    for page, code in (
        (jo, {"code": codes["table_code"], "name": "Jo"}),
        (master, {"gamemaster_code": codes["gamemaster_code"]}),
    ):
        assert page.request.post(f"{base}/api/v1/join", data=code, headers={"X-Trueroll": "1"}).ok
    person, table = (jo.request.get(f"{base}/api/v1/{one}").json() for one in ("me", "table"))
    sam.goto(f"{base}/play/table")
    live(sam).evaluate("scrollTo(0, document.body.scrollHeight)")
    given = {
        "action": "give",
        "person_id": person["person_id"],
        "character_id": table["table"]["characters"][0]["character_id"],
    }
    assert master.request.post(f"{base}/api/v1/persons", data=given, headers={"X-Trueroll": "1"}).ok
    told = re.compile(r"The gamemaster gave .*Okafor to Jo\.")
    expect(sam.locator("#looking")).to_have_text(told)
    expect(sam.locator("#looking")).to_be_in_viewport()
    expect(sam.locator("[id^=status-]").filter(has_text=told)).to_have_count(1)
    assert not violations(sam, rules=WORDS_AND_ROLES)


def test_whoever_is_given_a_character_amid_a_throw_is_told_once_and_loses_no_key(
    phones: tuple[OpenPage, dict[str, str]],
) -> None:
    """It stands over the header: nothing moves under the thumb, the focus stays, and it goes with what they do next."""
    opened, codes = phones
    sam = joined(phones, "Sam", "Okafor")
    base, headers = sam.url.partition("/play")[0], {"X-Trueroll": "1"}
    master = opened("/join")
    told = {"gamemaster_code": codes["gamemaster_code"]}
    assert master.request.post(f"{base}/api/v1/join", data=told, headers=headers).ok
    declaring(live(sam)).locator("#declare-now").click()
    die = sam.locator("#entered .entry input").first
    die.fill("1")
    before = sam.locator(".entry-pad button").first.bounding_box()
    person, table = (sam.request.get(f"{base}/api/v1/{one}").json() for one in ("me", "table"))
    reed = next(one for one in table["table"]["characters"] if "Reed" in one["name"])
    given = {"action": "give", "person_id": person["person_id"], "character_id": reed["character_id"]}
    assert master.request.post(f"{base}/api/v1/persons", data=given, headers=headers).ok
    words = f"The gamemaster gave you {reed['name']}."
    expect(sam.locator("#looking")).to_have_text(words)
    expect(sam.locator("#looking")).to_be_in_viewport()
    expect(sam.locator("[id^=status-]").filter(has_text=words)).to_have_count(1)
    expect(die, "who types goes on typing").to_be_focused()
    assert (die.input_value(), sam.locator(".entry-pad button").first.bounding_box()) == ("1", before)
    assert not violations(sam, rules=WORDS_AND_ROLES)
    sam.reload()
    expect(sam.locator("#looking"), "until they go on").to_have_text(words)
    for place in range(2):
        live(sam).locator("#entered .entry input").nth(place).fill("9")
    sam.get_by_role("button", name="Count these dice").click()
    expect(sam.locator("#looking")).to_be_hidden()
    sam.goto(f"{base}/play/table")
    expect(live(sam).locator("#looking")).to_be_hidden()


def test_the_gamemaster_is_asked_before_anothers_decision_is_taken_back_and_sends_away(
    phones: tuple[OpenPage, dict[str, str]],
) -> None:
    opened, codes = phones
    sam = joined(phones, "Sam", "Okafor")
    declaring(sam).locator("#declare-now").click()
    master = opened("/join", width=1280, height=800)
    master.get_by_text("I am the gamemaster").click()
    master.get_by_label("Gamemaster's code", exact=True).fill(codes["gamemaster_code"])
    master.get_by_role("button", name="Join", exact=True).click()
    expect(live(master).locator("#undo")).to_contain_text("by Sam")
    master.locator("#undo").click()
    question = master.locator(".first-asked")
    expect(question).to_contain_text("Sam decided this")
    expect(question.get_by_role("button", name="No, leave it")).to_be_focused()
    assert not violations(master, within=".first-asked")
    question.get_by_role("button", name="No, leave it").click()
    expect(question).to_be_hidden()
    expect(master.locator("#undo")).to_be_focused()
    master.locator("#undo").click()
    expect(question).to_contain_text("declaring the Task")
    base, headers = sam.url.partition("/play")[0], {"X-Trueroll": "1"}
    smoke = {"command": "add_trait", "name": "Smoke"}
    assert sam.request.post(f"{base}/api/v1/commands", data=smoke, headers=headers).ok
    expect(question, "it would be about what was not asked").to_have_count(0)
    expect(master.locator("#error")).to_contain_text("Something else was decided meanwhile, so the question is closed.")
    expect(master.locator("#error")).to_be_in_viewport()
    master.locator("#undo").click()
    expect(question).to_contain_text("adding the trait")
    question.get_by_role("button", name="Yes, take it back").click()
    expect(master.locator("#undo")).to_contain_text("declaring the Task")
    master.locator("#undo").click()
    question.get_by_role("button", name="Yes, take it back").click()
    expect(question).to_be_hidden()
    expect(master.locator("#undo")).not_to_contain_text("by Sam")
    master.goto(master.url.replace("/gm", "/setup"))
    master.get_by_label("Change Sam", exact=True).click()
    master.get_by_text("Send Sam away", exact=True).click()
    assert not violations(master, rules=WORDS_AND_ROLES)
    within_reach(master)
    sam.set_viewport_size({"width": 390, "height": 400})
    sam.evaluate("scrollTo(0, document.body.scrollHeight)")
    master.get_by_role("button", name="Yes, send Sam away").click()
    expect(sam.get_by_text("You were sent away from the table.").first).to_be_in_viewport()
    declaring(sam).locator("#declare-now").click()
    expect(sam.locator("[data-error]:visible, #error").filter(has_text="You were sent away")).to_be_visible()
    sam.reload()
    expect(sam.get_by_text(re.compile("^You were sent away"))).to_be_visible()


def test_the_gamemasters_part_asks_for_the_pin_at_the_kiosks_own_screen(browser: Browser, tmp_path: Path) -> None:
    with (
        WarmProgram(tmp_path / "data", "--camera", "off", "--tray", "off") as kiosk,
        pages_of(browser, kiosk) as opened,
    ):
        set_up(kiosk)
        page = opened("/setup", width=1024, height=600)
        page.get_by_text("A PIN at the table's own screen").click()
        page.get_by_label("PIN, 4 to 8 digits").fill("2468")
        page.get_by_role("button", name="Set the PIN").click()
        expect(page.get_by_text("A PIN at the table's own screen")).to_be_visible()
        other = opened("/gm", width=1024, height=600)
        expect(other.get_by_label("PIN", exact=True)).to_be_focused()
        assert not violations(other, rules=WORDS_AND_ROLES)
        within_reach(other)
        other.keyboard.type("1111\n")
        expect(other.get_by_role("alert").filter(has_text="That is not the PIN")).to_be_visible()
        other.get_by_label("PIN", exact=True).fill("2468")
        other.keyboard.press("Enter")
        expect(other.locator("#pools-title")).to_be_visible()
        kiosk.send("start_scene", name="The bridge")


def test_locking_and_opening_leave_what_somebody_types_on_another_page(browser: Browser, tmp_path: Path) -> None:
    """The set-up page stays as it is. A character added on it at the locked screen is saved."""
    with (
        WarmProgram(tmp_path / "data", "--camera", "off", "--tray", "off") as kiosk,
        pages_of(browser, kiosk) as opened,
    ):
        set_up(kiosk)
        page = opened("/setup", width=1366, height=768)
        answer = page.request.post(f"{kiosk.address}/api/v1/pin", data={"pin": "2468"}, headers={"X-Trueroll": "1"})
        assert answer.ok
        live(page).reload()
        other = page.context.new_page()
        other.goto(f"{kiosk.address}/gm")
        expect(live(page).locator("#character")).to_be_attached()
        page.locator("#character > summary").click()
        field = page.locator("#character").get_by_label("Name", exact=True)
        field.fill("Half a na")
        page.locator("#character [name=standing]").select_option("notable_npc")
        page.evaluate("globalThis.stays = true")
        field.focus()
        as_of = "() => document.querySelector('#looking').dataset.asOf"
        before = page.evaluate(as_of)
        other.get_by_role("button", name="Lock it now").click()
        page.wait_for_function(f"before => ({as_of})() !== before", arg=before)
        other.get_by_label("PIN", exact=True).fill("2468")
        other.keyboard.press("Enter")
        expect(other.locator("#pools-title")).to_be_visible()
        before = page.evaluate(as_of)
        kiosk.send("save_character", name="Bea Reed", attributes=ATTRIBUTES, disciplines=DISCIPLINES)
        page.wait_for_function(f"before => ({as_of})() !== before", arg=before)
        assert page.evaluate("globalThis.stays")
        expect(field).to_be_visible()
        expect(field).to_have_value("Half a na")
        expect(field).to_be_focused()
        other.goto(f"{kiosk.address}/gm")
        other.get_by_role("button", name="Lock it now").click()
        expect(other.get_by_label("PIN", exact=True)).to_be_visible()
        page.get_by_role("button", name="Add character").click()
        expect(page.locator("#done")).to_have_text("Half a na is ready.")


def test_a_gamemasters_page_that_is_open_shows_that_it_was_locked(browser: Browser, tmp_path: Path) -> None:
    with (
        WarmProgram(tmp_path / "data", "--camera", "off", "--tray", "off") as kiosk,
        pages_of(browser, kiosk) as opened,
    ):
        set_up(kiosk)
        page = opened("/gm", width=1366, height=768)
        answer = page.request.post(f"{kiosk.address}/api/v1/pin", data={"pin": "2468"}, headers={"X-Trueroll": "1"})
        assert answer.ok
        live(page).reload()
        deaf = page.context.new_page()
        for stream in ("**/api/v1/events*", "**/parts/now*"):
            deaf.route(stream, lambda route: route.abort())
        deaf.goto(f"{kiosk.address}/gm")
        locks = page.context.new_page()
        locks.goto(f"{kiosk.address}/gm")
        expect(live(page).locator("#pools-title")).to_be_visible()
        locks.get_by_role("button", name="Lock it now").click()
        expect(page.get_by_label("PIN", exact=True)).to_be_visible()
        expect(page.locator("#pools-title")).to_have_count(0)
        before = kiosk.table()["sequence"]
        deaf.get_by_role("button", name="Threat +1").click()
        refused = deaf.locator(".error:visible", has_text="This is the gamemaster's part.")
        expect(refused).to_contain_text("Type in the table's PIN first.")
        expect(refused.get_by_role("link", name="Type in the PIN")).to_be_visible()
        assert kiosk.table()["sequence"] == before
        page.get_by_label("PIN", exact=True).fill("2468")
        page.keyboard.press("Enter")
        expect(page.locator("#pools-title")).to_be_visible()


def test_who_taps_second_sees_what_came_first_also_once_the_button_is_gone(
    phones: tuple[OpenPage, dict[str, str]],
) -> None:
    """The refusal may come before the table that it is about, which has the form no more."""
    opened, codes = phones
    sam, ana = joined(phones, "Sam", "Okafor"), joined(phones, "Ana", "Reed")
    base = sam.url.partition("/play")[0]
    master = opened("/join")
    headers = {"X-Trueroll": "1"}

    def send(command: str, page: Page = master, **fields: object) -> None:
        answer = page.request.post(f"{base}/api/v1/commands", data={"command": command, **fields}, headers=headers)
        assert answer.ok, answer.text()

    code = {"gamemaster_code": codes["gamemaster_code"]}
    assert master.request.post(f"{base}/api/v1/join", data=code, headers=headers).ok
    send("save_character", name="Vosk", standing="notable_npc", attributes=ATTRIBUTES, disciplines=DISCIPLINES)
    first, second, foe = (
        one["character_id"] for one in master.request.get(f"{base}/api/v1/table").json()["table"]["characters"]
    )
    seats = [{"combatant_id": one} for one in (first, second, foe)]
    send("start_conflict", kind="personal", combatants=seats, begins=foe)
    send("begin_turn", combatant_id=foe)
    send("end_turn")
    told = "Not done, because something else was decided first: beginning Okafor's Turn, by Sam."
    refused = json.dumps({"type": "/problems/gone-on", "title": "", "status": 409, "detail": told})
    ana.route("**/text/option", lambda route: route.fulfill(status=409, body=refused))
    ana.get_by_role("button", name="Begin Reed's Turn").click()
    expect(ana.locator("#error")).to_have_text(told)
    send("begin_turn", page=sam, combatant_id=first)
    expect(ana.locator(".stage-word")).to_contain_text("Okafor's Turn")
    expect(ana.locator("#error")).to_have_text(told)
    expect(ana.locator("#error")).to_be_in_viewport()
