"""The tabs of a player's page: each within two screens, few controls, one thing to do first, and all without script."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import OpenPage, pages_of
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, declaration
from tests.e2e.program import Program, source, until
from tests.e2e.test_pages import declaring, live, press
from tests.e2e.thumbs import PHONE, Taps, crew_of_two, phone_of, touchable
from tests.e2e.warm import WarmProgram

TABS = ("/play", "/play/sheet", "/play/fight", "/play/log", "/play/table")
MOST_CONTROLS = 30
SCREEN = 844
CONTROLS = """() => [...document.querySelectorAll("a, button, input:not([type=hidden]), select, summary, textarea")]
    .filter(one => {
        while (one && getComputedStyle(one).display !== "none") one = one.parentElement;
        return !one;
    }).length"""
"""All that can be focused or pressed on a page, folded or not."""
HEIGHT = "() => document.documentElement.scrollHeight"


def fits(page: Page) -> None:
    """Two screens hold it, and it is no wider than the screen."""
    page.wait_for_load_state()  # a page without its styles is longer
    link = page.locator("#link[data-state]")
    if link.count():
        expect(link).to_have_attribute("data-state", "live")  # on a busy machine it may be stale, which takes a line
    height = page.evaluate(HEIGHT)
    assert height <= 2 * SCREEN, f"{page.url} is {height} pixels high"
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390, page.url


COVERED = """all => all.filter(key => {
    const box = key.getBoundingClientRect();
    return !key.contains(document.elementFromPoint(box.left + box.width / 2, box.bottom - 3));
}).map(key => key.value)"""
"""The keys that lie out of sight, or under something."""


CROWDED = """() => {
    const sorts = '.quick button, .field > *, .check, .about > summary';
    const all = [...document.querySelectorAll(`#declare-form :is(${sorts})`)];
    const seen = all.filter(one => one.checkVisibility());
    const boxes = seen.map(one => one.getBoundingClientRect());
    const beside = (a, b) => a.left < b.right - 1 && b.left < a.right - 1;
    const over = (a, b) => beside(a, b) && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const lies = place => boxes.some((box, other) => other !== place && over(box, boxes[place]));
    const full = one => one.scrollWidth > one.clientWidth + 1;
    return seen.filter((one, place) => full(one) || lies(place)).map(one => one.textContent);
}"""
"""The choices of a declaration that lie over one another, or do not hold their words."""


def as_ada(kiosk: Program, open_page: OpenPage) -> Page:
    """Ada's phone at a table of two; she has done something before."""
    ada = crew_of_two(kiosk)
    kiosk.send("adjust_pool", pool="momentum", change=4)
    kiosk.send("declare_task", declaration=declaration(ada))
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[1, 4])
    kiosk.send("finish_spending")
    phone = live(open_page("/play", 390, SCREEN, bypass_csp=True, **PHONE))
    phone_of("Ada Lindqvist", phone)
    return phone


def named(phone: Page, deed: str) -> None:
    """Type what the Task is about into the form as it opens: that declares nothing yet, whatever key ends it."""
    about = phone.get_by_label("What it is about")
    for width, height in ((320, 640), (390, SCREEN)):
        phone.set_viewport_size({"width": width, "height": height})
        phone.evaluate("() => document.getElementById('declare-title').scrollIntoView()")
        expect(about).to_be_in_viewport(ratio=1)
    about.focus()
    with phone.expect_response("**/parts/declare*"):
        phone.keyboard.type(deed)
    with phone.expect_response("**/parts/declare*"):
        phone.keyboard.press("Enter")
    expect(phone.locator("#declare-now"), "the form is still open").to_be_visible()
    expect(about).to_have_value(deed)


def test_ready_to_declare_there_are_few_controls_and_one_comes_first(kiosk: Program, open_page: OpenPage) -> None:
    phone = as_ada(kiosk, open_page)
    for width, height in ((390, SCREEN), (320, 640)):
        phone.set_viewport_size({"width": width, "height": height})
        expect(phone.locator(".main-action:visible")).to_have_count(1)
        expect(phone.locator("#declare-open.main-action")).to_be_in_viewport(ratio=1)
    assert phone.evaluate(CONTROLS) <= MOST_CONTROLS
    phone.set_viewport_size({"width": 390, "height": SCREEN})
    fits(phone)
    declaring(phone)
    expect(phone.locator("#declare-now")).to_be_in_viewport(ratio=1)
    for width in (320, 390):
        phone.set_viewport_size({"width": width, "height": SCREEN})
        assert phone.evaluate(CROWDED) == [], f"{width} wide"
    assert phone.evaluate(CONTROLS) <= MOST_CONTROLS
    phone.locator("#choose-determination span").evaluate("one => { one.textContent = 'Entschlossenheit'; }")
    assert phone.evaluate(CROWDED) == [], "in German"
    spoil = phone.add_style_tag(content="#difficulty { transform: translateX(-60px); }")
    assert phone.evaluate(CROWDED) != [], "a page made bad"
    spoil.evaluate("one => one.remove()")
    expect(phone.locator(".main-action:visible")).to_have_count(1)
    fits(phone)
    named(phone, "Seal the hatch ")
    press(phone, "Declare")
    expect(phone.locator(".entry input")).to_have_count(2)
    fits(phone)
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[1, 20])
    expect(phone.get_by_role("heading", name="What can be done now")).to_be_visible()
    expect(phone.locator(".stage-word")).to_contain_text("Seal the hatch: Lindqvist succeeds")
    fits(phone)
    touchable(phone)


def test_each_tab_is_a_link_within_two_screens(kiosk: Program, open_page: OpenPage) -> None:
    phone = as_ada(kiosk, open_page)
    tabs = phone.get_by_role("navigation", name="Parts of the player's page")
    expect(tabs.get_by_role("link")).to_have_text(["Now", "Sheet", "Log", "Table"])
    ada, ben = (one["character_id"] for one in kiosk.table()["table"]["characters"])
    more = {"attributes": ATTRIBUTES, "disciplines": DISCIPLINES, "standing": "notable_npc"}
    kiosk.send("save_character", name="Raider Vosk", **more)
    vosk = kiosk.table()["table"]["characters"][-1]["character_id"]
    seats = [{"combatant_id": one} for one in (ada, ben, vosk)]
    kiosk.send("start_conflict", kind="personal", combatants=seats, begins=ada)
    kiosk.send("begin_turn", combatant_id=ada)
    expect(tabs.get_by_role("link")).to_have_text(["Now", "Sheet", "Fight", "Log", "Table"])
    expect(phone.locator(".main-action:visible")).to_have_text("Your Turn: choose an action")
    expect(phone.locator(".main-action:visible")).to_be_in_viewport(ratio=1)
    fits(phone)
    for path in TABS[1:]:
        name = path.rpartition("/")[2].capitalize()
        tabs.get_by_role("link", name=name).tap()
        phone.wait_for_url(f"**{path}")
        expect(live(phone).get_by_role("heading", name=name, exact=True)).to_be_visible()
        expect(tabs.locator("[aria-current=page]")).to_have_text(name)
        expect(tabs).to_be_in_viewport(ratio=1)
        if path == "/play/fight":
            expect(phone.locator("#fighting .action").first).to_be_visible()
        fits(phone)
        if path != "/play/fight":  # `test_fight_phone` has that one unfolded
            touchable(phone)
    phone.go_back()
    expect(live(phone).get_by_role("heading", name="Log", exact=True)).to_be_visible()


@pytest.mark.long
def test_the_tabs_work_without_script(kiosk: Program, open_page: OpenPage) -> None:
    """In the short form without a browser, in `kiosk/web/test_pages.py`."""
    as_ada(kiosk, open_page)
    ada = kiosk.table()["table"]["characters"][0]["character_id"]
    page = open_page(f"/play/sheet?me={ada}", 390, SCREEN, java_script_enabled=False)
    expect(page.locator("#sheet")).to_contain_text("Determination")
    page.get_by_role("link", name="Log", exact=True).click()
    expect(page.locator("#log li").first).to_contain_text("Momentum")
    page.get_by_role("button", name=re.compile("^Back to here")).first.click()
    expect(page.get_by_role("alert").first).to_contain_text("This takes back 1 decision.")
    before = kiosk.table()["table"]["momentum"]
    page.get_by_role("button", name="Yes, take it back").click()
    assert kiosk.table()["table"]["momentum"] != before or kiosk.table()["table"]["task"] is not None


def test_what_is_typed_on_the_sheet_stays_while_the_kiosk_is_away(kiosk: Program, open_page: OpenPage) -> None:
    phone = as_ada(kiosk, open_page)
    ada = kiosk.table()["table"]["characters"][0]["character_id"]
    phone.goto(f"{phone.url.partition('/play')[0]}/play/sheet?change=yes&me={ada}")
    live(phone).get_by_label("Values, one a line").fill("Home is the crew")
    phone.context.set_offline(True)
    phone.get_by_role("button", name="Save", exact=True).tap()
    expect(phone.locator("form.card [data-error]").first).to_contain_text("What you typed stays here: save again")
    expect(phone.get_by_label("Values, one a line")).to_have_value("Home is the crew")
    phone.context.set_offline(False)
    phone.get_by_role("button", name="Save", exact=True).tap()
    expect(phone.locator("#done")).to_have_text("Ada Lindqvist is changed.")
    expect(phone.locator("#done")).to_be_focused()
    assert [one["text"] for one in kiosk.table()["table"]["characters"][0]["values"]] == ["Home is the crew"]


def test_the_gamemaster_goes_back_in_order_after_a_question(kiosk: Program, open_page: OpenPage) -> None:
    crew_of_two(kiosk)
    for _ in range(3):
        kiosk.send("gain_threat", event="threatening_scene", amount=1)
    threat = kiosk.table()["table"]["threat"]
    page = live(open_page("/play/log", 390, SCREEN, bypass_csp=True, **PHONE))
    page.get_by_role("button", name=re.compile("^Back to here")).nth(1).tap()
    question = page.locator(".first-asked")
    expect(question).to_contain_text("This takes back 2 decisions, the newest first.")
    expect(question.get_by_role("button", name="No, leave it")).to_be_focused()
    assert kiosk.table()["table"]["threat"] == threat
    question.get_by_role("button", name="Yes, take it back").tap()
    until(lambda: kiosk.table()["table"]["threat"] == threat - 2)
    expect(page.locator("#log li").first).to_contain_text(str(threat - 2))
    page.get_by_role("button", name=re.compile("^Redo")).tap()
    until(lambda: kiosk.table()["table"]["threat"] == threat - 1)


@pytest.fixture
def watched(tmp_path: Path) -> Program:
    """The demonstration, whose camera watches."""
    return WarmProgram(tmp_path / "data", "--demo")


def test_an_ordinary_task_takes_two_taps_where_a_camera_watches(watched: Program, browser: Browser) -> None:
    with watched as kiosk, pages_of(browser, kiosk) as opened:
        until(lambda: source(kiosk, "camera").get("state") == "ready")
        phone = as_ada(kiosk, opened)
        taps = Taps()
        phone.locator("#declare-open").tap()
        taps.number += 1
        taps.on(phone, "Declare")
        assert taps.number <= 2
        expect(phone.locator(".watching")).to_be_in_viewport(ratio=1)
        expect(phone.locator(".watching")).to_contain_text("camera")
        expect(phone.locator(".entry-pad"), "one tap away").to_be_hidden()
        phone.locator("#entered summary").first.tap()
        keys = phone.locator(".entry-pad button")
        expect(keys).to_have_count(20)
        assert keys.evaluate_all(COVERED) == []
        assert phone.locator("#entered .main-action").evaluate_all(COVERED) == []
        spoil = phone.add_style_tag(
            content="html { overflow-anchor: none; } #entered > .watching { display: block !important; height: 60rem; }"
        )
        assert keys.evaluate_all(COVERED) != [], "a page made bad"
        spoil.evaluate("one => one.remove()")
        phone.set_viewport_size({"width": 320, "height": 568})
        phone.locator(".entry input").first.focus()
        assert keys.evaluate_all(COVERED) == []
