"""The first start, from an empty data folder, by touch alone: the table's screen and a phone beside it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from kiosk.web.access import own_network_address
from tests.e2e.conftest import PATIENCE_MILLISECONDS, OpenPage, pages_of
from tests.e2e.program import Program
from tests.e2e.test_accessibility import BUT_COLOURS, violations
from tests.e2e.warm import WarmProgram

MARK_SECONDS = 60
"""How long it may take from the first start until a phone is in."""

OUT_OF_SIGHT = """() => [...document.querySelectorAll("main :is(button, a.button)")].filter((one) => {
    if (!one.checkVisibility()) return false;
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
}).map((one) => one.textContent)"""
"""What a finger would have to scroll to."""


COVERED = """() => {
    const parts = [...document.querySelectorAll("#stage, #join, .company-ships, .company-crew > li, .company-recent")];
    const apart = (one, other) => one.right <= other.left + 1 || other.right <= one.left + 1
        || one.bottom <= other.top + 1 || other.bottom <= one.top + 1;
    const places = parts.map((one) => [one.id || one.className || one.textContent, one.getBoundingClientRect()]);
    return places.flatMap(([name, place], nth) => places.slice(nth + 1).filter(([, other]) => !apart(place, other))
        .map(([other]) => `${name} over ${other}`));
}"""
"""The parts of the screen between throws that lie over each other."""


MOVED = "(one, where) => { one.style.translate = where; }"
"""Moves something out of its place, to see that a check finds it."""


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Program]:
    """A kiosk that was never started before."""
    with WarmProgram(tmp_path / "data", "--camera", "off", "--tray", "off") as program:
        yield program


@pytest.fixture
def opened(browser: Browser, empty: Program) -> Iterator[OpenPage]:
    """Its pages."""
    with pages_of(browser, empty) as opening:
        yield opening


@pytest.fixture
def screen(opened: OpenPage) -> Page:
    """The display on a touch screen of 1024 by 600 without a keyboard."""
    return opened("/display", 1024, 600, has_touch=True, locale="en-GB")


@pytest.fixture
def pocket(browser: Browser) -> Iterator[BrowserContext]:
    """A phone."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    yield context
    context.close()


def stepped(display: Page, name: str, *, link: bool = False) -> None:
    """Tap on what the step offers, once it is there; all of it is in sight.

    In the step alone: before the page's styles are there, the card beside it, which they hide, offers the same.
    """
    offered = display.locator("#first-steps").get_by_role("link" if link else "button", name=name, exact=True)
    expect(offered).to_be_visible()
    display.wait_for_load_state()  # a page without its styles is measured otherwise
    assert display.evaluate(OUT_OF_SIGHT) == []
    offered.tap()


def test_a_phone_is_in_a_minute_after_the_first_start(
    empty: Program, screen: Page, pocket: BrowserContext, *, whole: bool
) -> None:
    """Whoever taps on another language first is led on in that one, and back.

    In the short form axe looks at the step that shows the code, and at the first one in `test_accessibility`.
    """
    begun = time.monotonic()
    kiosk, display = empty, screen
    stepped(display, "Deutsch")
    expect(display.locator("#first-title")).to_have_text("Nach welchen Regeln spielt ihr?")
    stepped(display, "Zurück", link=True)
    stepped(display, "English")
    stepped(display, "Second edition", link=True)
    expect(display.get_by_role("button", name="3", exact=True)).to_be_visible()
    assert not whole or violations(display, rules=BUT_COLOURS) == {}
    stepped(display, "3")
    stepped(display, "Let phones in")
    code = display.locator("#join .code")
    expect(code).to_be_visible()
    middle = display.locator("#join").bounding_box()
    assert middle is not None
    assert middle["width"] > 900, "the code has the stage to itself"
    assert display.evaluate(OUT_OF_SIGHT) == []
    plays = display.locator("#join .main-action")
    plays.evaluate(MOVED, "0 100vh")
    assert len(display.evaluate(OUT_OF_SIGHT)) == 1, "a page made bad"
    plays.evaluate(MOVED, "")
    play = plays.bounding_box()
    assert play is not None
    assert play["height"] >= 60, "it is what is done next"
    assert violations(display, rules=BUT_COLOURS) == {}
    named = display.locator("#join > .qr").get_attribute("aria-label") or ""
    address = named.removeprefix("QR code that opens ")
    assert own_network_address() in address

    phone = pocket.new_page()
    phone.goto(f"{address}?code={code.inner_text()}")
    phone.get_by_label("Your name", exact=True).fill("Ada")
    phone.get_by_label("Your character's name").fill("Nova Lind")
    phone.get_by_role("button", name="Conn").tap()
    expect(phone.locator("#me-title")).to_have_text("Nova Lind")
    expect(display.locator("#here")).to_contain_text("Ada plays Nova Lind.")
    assert time.monotonic() - begun < MARK_SECONDS
    assert kiosk.table()["table"]["threat"] == 6, "two for each player, THR-1"

    expect(phone.locator("#link")).to_have_attribute("data-state", "live")  # all of the page is there
    kiosk.stop()
    kiosk.start()
    expect(phone.locator("#link")).to_have_attribute("data-state", "live", timeout=3 * PATIENCE_MILLISECONDS)
    phone.reload()
    expect(phone.locator("#me-title")).to_have_text("Nova Lind")
    closed_by_one_tap(display, phone, kiosk)


def closed_by_one_tap(display: Page, phone: Page, kiosk: Program) -> None:
    """Whoever is out is told so and what to do, and goes on by itself once the kiosk's own screen lets phones in."""
    display.reload()
    display.locator("#join summary", has_text="Keep phones out").tap()
    display.get_by_role("button", name="Yes, keep phones out").tap()
    expect(display.get_by_role("button", name="Let phones in")).to_be_visible()
    expect(phone.locator("#link")).to_have_attribute("data-state", "stale", timeout=3 * PATIENCE_MILLISECONDS)
    expect(phone.locator("#link")).to_have_text("Phones are kept out: ask the gamemaster to let them in")
    assert not kiosk.table()["open_to_network"]
    display.get_by_role("button", name="Let phones in").tap()
    expect(display.locator("#join > .qr")).to_be_visible()
    expect(phone.locator("#link")).to_have_attribute("data-state", "live", timeout=3 * PATIENCE_MILLISECONDS)


def test_another_display_follows_what_is_chosen(empty: Program, screen: Page, opened: OpenPage) -> None:
    kiosk, display, other = empty, screen, opened("/display", 1920, 1080)
    expect(other.locator("#first-steps")).to_be_visible()
    display.goto(f"{kiosk.address}/display?step=ruleset")
    stepped(display, "First edition, core", link=True)
    stepped(display, "A sample crew of four, with their ship")
    expect(other.locator("#first-steps")).to_be_hidden()
    for shown in ("#stage", "#company", "#join"):
        expect(other.locator(shown)).to_be_visible()
    expect(display.get_by_role("link", name="Not now")).to_be_visible()
    assert kiosk.post("/api/v1/network", {"let_in": True}).status == 200
    for one in (display, other):
        expect(one.locator("#first-steps")).to_be_hidden()
        expect(one.locator("#join > .qr")).to_be_visible()
    kiosk.send(
        "declare_task",
        declaration={
            "character_id": kiosk.table()["table"]["characters"][0]["character_id"],
            "attribute": "daring",
            "discipline": "conn",
            "difficulty": 1,
        },
    )
    for one in (display, other):
        expect(one.locator("#stage")).to_have_attribute("data-kind", "ask")
        expect(one.locator("#join")).to_be_hidden()
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[19, 18])
    kiosk.send("finish_spending")
    kiosk.send("start_scene", name="Deck 12")
    for one in (display, other):
        expect(one.locator("#company :is(.company-ships, .company-crew, .company-recent)")).to_have_count(3)
        for part in ("#stage", ".company-ships", ".company-crew", ".company-recent"):
            expect(one.locator(part), f"beside the code, which stands aside: {part}").to_be_visible()
        assert one.evaluate(COVERED) == []
    display.locator(".company-ships").evaluate(MOVED, "0 -15vh")
    assert display.evaluate(COVERED), "a page made bad"
    assert kiosk.post("/api/v1/network", {"let_in": False}).status == 200
    kiosk.stop()
    expect(other.locator("#link")).to_have_text(re.compile("^Stale: no word"))  # whom it keeps out are others


STEPS = ("?step=language", "?step=ruleset", "?step=crew&ruleset=second-edition")


def test_each_step_fits_small_screens(opened: OpenPage, empty: Program) -> None:
    page = opened("/healthz")
    for step in STEPS:
        page.goto(f"{empty.address}/display{step}")
        for width, height in ((800, 480), (390, 844), (320, 640)):
            page.set_viewport_size({"width": width, "height": height})
            expect(page.locator("#first-title")).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (step, width)


LAST_LINE = """() => {
    const text = document.getElementById("first-title").firstChild, range = document.createRange(), lines = new Map();
    for (const { index, 0: word } of text.data.matchAll(/\\S+/g)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const line = Math.round(range.getBoundingClientRect().bottom);
        lines.set(line, [...(lines.get(line) ?? []), word]);
    }
    return [lines.size, [...lines.values()].at(-1).length];
}"""
"""How many lines the question takes, and how many words stand on the last."""


def test_no_word_of_a_question_stands_alone(opened: OpenPage) -> None:
    page = opened("/display", 1080, 1920, has_touch=True, bypass_csp=True)
    stepped(page, "Deutsch")
    expect(page.locator("#first-title")).to_have_text("Nach welchen Regeln spielt ihr?")
    lines, words = page.evaluate(LAST_LINE)
    assert lines == 2
    assert words > 1
    page.add_style_tag(content="#first-title { text-wrap: wrap !important }")
    assert page.evaluate(LAST_LINE) == [2, 1], "a page made bad"
