"""Pages that a touch opens from the table's display on the kiosk's own screen: read from a seat, as the display is.

Elsewhere they have the letters of a phone: on phones and laptops, and at the kiosk itself where nobody came from the
display.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, get_args

import pytest
from playwright.sync_api import Page, expect

from kiosk.settings import Theme
from tests.e2e.conftest import OpenPage
from tests.e2e.program import Program
from tests.e2e.scenes import EVENINGS, Evening
from tests.e2e.test_accessibility import CONTRAST, RULES, violations
from tests.e2e.test_distance import minutes
from tests.e2e.test_fitting import BROKEN
from tests.e2e.test_pages import live

SCREENS = {
    "24 inches at 2 m": ((1920, 1080), 24.0, 2.0, 15.0),
    "the same with fewer pixels": ((1024, 600), 24.0, 2.0, 15.0),
    "the same upright": ((1080, 1920), 24.0, 2.0, 15.0),
    "7 inches at 1 m": ((1024, 600), 7.0, 1.0, 9.5),
}
"""Viewport, diagonal in inches, distance in metres, and the least angle of letters there in minutes of arc. A panel has
no room for more: a line has to hold what one of a phone does."""

LANGUAGES = dict(zip(SCREENS, ("fr", "es", "de", "en"), strict=True))
"""In which each screen is looked at: upright in that of the longest words."""

NAMED = {
    "24 inches at 2 m": ("/setup", "/screen"),
    "the same with fewer pixels": ("/colours", "/", "/gm"),
    "the same upright": ("/setup", "/colours", "/gm"),
    "7 inches at 1 m": ("/setup", "/screen", "/"),
}
"""Looked at on two of the screens or three, also in the short form; of the others each on one."""

ALL_NAMED = tuple(dict.fromkeys(chain.from_iterable(NAMED.values())))

TABS = ("/play", "/play/fight", "/play/sheet", "/play/log", "/play/table")
AT_TABLE = ("/conflict", "/camera", "/tray", "/dice", "/settings", "/join")
AT_DEVICE = ("/voice", "/reference", "/keys", "/text", "/language", "/pin", "/me")
OTHERS = (*TABS, *AT_TABLE, *AT_DEVICE)
"""Whatever else one comes to from there."""

LETTERS = """() => {
    const sizes = new Map(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const { parentElement: place, data } = node;
        if (!data.trim() || !place.checkVisibility()) continue;
        if (place.closest(".unseen, svg, option, .skip, .skips")) continue;
        sizes.set(data.trim(), parseFloat(getComputedStyle(place).fontSize));
    }
    const typed = "select, textarea, input:is([type=text], [type=number], [type=password])";
    for (const one of document.querySelectorAll(typed)) {
        if (one.checkVisibility()) sizes.set(one.name, parseFloat(getComputedStyle(one).fontSize));
    }
    return [...sizes];
}"""
"""All that can be read, with the size of its letters in CSS pixels."""

TARGETS = """() => [...document.querySelectorAll("main :is(button, .button, summary, select, input, textarea)")]
    .filter((one) => one.checkVisibility() && !one.matches("[type=radio], [type=checkbox], [type=file]"))
    .map((one) => [one.textContent.trim() || one.name, one.getBoundingClientRect().height
        / parseFloat(getComputedStyle(document.documentElement).fontSize)])
    .filter(([, letters]) => letters < 44 / 17)"""
"""What a finger is to meet, lower than 44 pixels would be beside a phone's letters of 17."""

RUNS_OVER = """() => {
    const seen = (one) => one.checkVisibility() && !one.closest(".unseen, svg, .skip, .skips");
    const places = [...document.querySelectorAll("body *")].filter(seen);
    const outside = places.filter((one) => {
        const { left, right, width } = one.getBoundingClientRect();
        return width > 2 && (left < -1 || right > innerWidth + 1);
    });
    const cut = places.filter((one) => one.clientWidth > 2 && one.scrollWidth > one.clientWidth + 2
        && !one.matches("input, textarea, select") && getComputedStyle(one).display !== "inline");
    const sideways = document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : [];
    const named = (one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 40)}`;
    return [...sideways, ...[...outside, ...cut].map(named)];
}"""
"""What is wider than the screen, or than its place."""

UNFOLD = "() => { for (const one of document.querySelectorAll('details')) one.open = true; }"

NO_SMALL_PRINT = 0.82
"""Least size of any letters there, as a share of the page's: what is small on a phone is that small there, too."""


@pytest.fixture(scope="module")
def duel(standing_kiosk: Program) -> Program:
    """A table in a ship duel."""
    evening = Evening(standing_kiosk)
    for scene in EVENINGS[1]:
        scene.play(evening)
    return standing_kiosk


@pytest.fixture
def touched(duel: Program, open_beside: OpenPage) -> Iterator[Page]:
    """The kiosk's own screen, which one has left by the display's bar; what a test makes of it ends with the test."""
    page = live(open_beside("/display", *SCREENS["24 inches at 2 m"][0], has_touch=True, bypass_csp=True))
    page.locator(".touch-bar").get_by_role("link", name="Set up").tap()
    page.wait_for_url("**/setup?from=stage")
    yield page
    usual = {"diagonal_inches": 24.0, "distance_metres": 2.0, "flip": False, "theme": "dark"}
    duel.post("/api/v1/screen", usual)


def faults(page: Page, screen: str) -> list[str]:
    """What is too small, too low, broken, or runs off on the page as that screen shows it."""
    size, diagonal, metres, least = SCREENS[screen]
    assert page.viewport_size == {"width": size[0], "height": size[1]}
    page.evaluate(UNFOLD)
    letters: list[tuple[str, float]] = page.evaluate(LETTERS)
    assert letters, "there is something to read"
    seen = [(name, minutes(pixels, page, diagonal, metres)) for name, pixels in letters]
    return [
        *(f"{name} under {angle:.1f}'" for name, angle in seen if angle < least * NO_SMALL_PRINT),
        *(f"{name}: {height:.2f} letters high" for name, height in page.evaluate(TARGETS)),
        *(f"broken: {word}" for word in page.locator("body").evaluate(BROKEN)),
        *(f"runs over: {one}" for one in page.evaluate(RUNS_OVER)),
    ]


def at(page: Page, duel: Program, screen: str) -> None:
    """Makes the page's screen that one."""
    (width, height), diagonal, metres, _ = SCREENS[screen]
    duel.post("/api/v1/screen", {"diagonal_inches": diagonal, "distance_metres": metres})
    page.set_viewport_size({"width": width, "height": height})


def test_what_a_touch_opens_is_read_from_a_seat(touched: Page, duel: Program, *, whole: bool) -> None:
    found = []
    for place, screen in enumerate(SCREENS):
        at(touched, duel, screen)
        for path in (*ALL_NAMED, *OTHERS) if whole else (*NAMED[screen], *OTHERS[place :: len(SCREENS)]):
            touched.goto(f"{duel.address}{path}?language={LANGUAGES[screen]}")
            found += [f"{path}, {screen}: {fault}" for fault in faults(touched, screen)]
    assert found == []


SPOILT = {
    "html { font-size: 17px !important }": "under",
    "main .button, main button { min-height: 0 !important; padding: 0 !important }": "letters high",
    "main h2 { width: 3ch; overflow-wrap: anywhere }": "broken",
    "main { width: 120vw }": "sideways",
}
"""What makes a page bad, and the fault that it is."""


def test_a_page_made_bad_is_found(touched: Page) -> None:
    for spoil, fault in SPOILT.items():
        assert faults(touched, "24 inches at 2 m") == []
        style = touched.add_style_tag(content=spoil)
        assert [one for one in faults(touched, "24 inches at 2 m") if fault in one], fault
        style.evaluate("one => one.remove()")


def test_its_keys_leave_the_field_in_sight(touched: Page, duel: Program, *, whole: bool) -> None:
    """Of the longest words, too: in the short form each screen has one of both languages, in turn."""
    for place, screen in enumerate(SCREENS):
        at(touched, duel, screen)
        for language in ("es", "en") if whole else (("es", "en")[place % 2],):
            touched.goto(f"{duel.address}/setup?language={language}")
            touched.locator("#character > summary").tap()
            field, keys = touched.locator("#character textarea").first, touched.locator(".screen-keys[role=group]")
            field.tap()
            expect(keys).to_be_visible()
            top, below = field.bounding_box(), keys.bounding_box()
            head = touched.locator(".station").bounding_box()
            assert top
            assert below
            assert head
            assert head["y"] + head["height"] <= top["y"] + 1, (screen, language)
            assert top["y"] < below["y"] - 40, (screen, language, "where one types")
            assert keys.evaluate(BROKEN) == [], (screen, language)
            assert touched.evaluate(RUNS_OVER) == [], (screen, language)


def test_elsewhere_letters_are_as_they_were(duel: Program, open_beside: OpenPage) -> None:
    """The gamemaster's laptop may be the kiosk itself: whoever did not come from the display sits before it."""
    page = open_beside("/gm", 1920, 1080, alone=True)
    size = "() => getComputedStyle(document.documentElement).fontSize"
    assert page.evaluate(size) == "17px"
    crew, foes = page.locator("#crew").bounding_box(), page.locator("#foes").bounding_box()
    assert crew
    assert foes
    assert crew["x"] + crew["width"] < foes["x"], "side by side"
    page.goto(f"{duel.address}/gm?from=stage")
    assert page.evaluate(size) != "17px"
    page.goto(f"{duel.address}/display")
    page.goto(f"{duel.address}/gm")
    assert page.evaluate(size) == "17px"


def test_turned_round_it_is_turned_as_the_display_is(touched: Page, duel: Program) -> None:
    """Its first line is nearest to whoever the screen points to, and what is touched comes in sight above the keys."""
    duel.post("/api/v1/screen", {"flip": True})
    touched.goto(f"{duel.address}/setup")
    head, height = touched.locator(".station").bounding_box(), SCREENS["24 inches at 2 m"][0][1]
    assert head
    assert head["y"] + head["height"] == height
    touched.locator("#character > summary").tap()
    field, keys = touched.locator("#character textarea").first, touched.locator(".screen-keys[role=group]")
    field.tap()
    expect(keys).to_be_visible()
    typed, below, head = field.bounding_box(), keys.bounding_box(), touched.locator(".station").bounding_box()
    assert typed
    assert below
    assert head
    assert below["y"] == 0
    assert head["y"] + head["height"] == height, "it stays in sight"
    assert below["height"] - 1 <= typed["y"] + typed["height"] <= head["y"]
    assert touched.evaluate(RUNS_OVER) == []
    touched.goto(f"{duel.address}/display")
    touched.evaluate("document.body.append(document.getElementById('first-asked').content.cloneNode(true))")
    question = touched.locator("dialog")
    question.evaluate("one => one.showModal()")
    assert question.evaluate("one => getComputedStyle(one).rotate") == "180deg", "it lies above what is turned"


def test_its_letters_have_contrast_in_every_skin(touched: Page, duel: Program, *, whole: bool) -> None:
    """Chosen by touch, it holds on whatever is opened there, and nowhere else.

    In the short form each skin on the page where it is chosen and on one of two others. What axe asks besides is the
    same in each skin, and is asked in the first.
    """
    skins, others = get_args(Theme), ("/setup", "/screen")
    for number, skin in enumerate(skins):
        touched.goto(f"{duel.address}/colours?back=/setup&from=stage")
        touched.locator(f".skins [value={skin}]").tap()
        expect(touched.locator(f".skins [value={skin}]")).to_have_attribute("aria-pressed", "true")
        asked: dict[str, Any] = {"standards": ["cat.color"], "rules": CONTRAST} if number else {"rules": RULES}
        for path in ("/colours", *(others if whole or not number else (others[number % 2],))):
            if path != "/colours":
                touched.goto(f"{duel.address}{path}")
            expect(touched.locator("html")).to_have_attribute("data-theme", skin)
            assert violations(touched, **asked, within="header, main") == {}, (skin, path)
        if whole or skin == skins[-1]:
            touched.goto(f"{duel.address}/display")
            expect(touched.locator("html")).to_have_attribute("data-theme", skin)
    touched.goto(f"{duel.address}/screen")
    touched.add_style_tag(content="main { color: #888 !important; background: #999 !important }")
    assert "color-contrast-enhanced" in violations(touched, ["cat.color"], CONTRAST, within="header, main")


def test_a_skin_of_the_kiosks_own_screen_is_no_other_devices(
    touched: Page, duel: Program, open_beside: OpenPage
) -> None:
    """Nor does what is chosen for the table's screen change the colours of a device that chose its own."""
    touched.goto(f"{duel.address}/colours?back=/setup&from=stage")
    touched.get_by_role("button", name="Candlelight").tap()
    phone = open_beside("/play", 390, 844, alone=True)
    expect(phone.locator("html")).to_have_attribute("data-theme", "dark")
    duel.post("/api/v1/screen", {"theme": "paper"})
    touched.goto(f"{duel.address}/screen")
    expect(touched.locator("html")).to_have_attribute("data-theme", "candlelight")
    phone.reload()
    expect(phone.locator("html")).to_have_attribute("data-theme", "dark")


PIN_KEYS = """() => {
    const keys = [...document.querySelectorAll(".pin-pad button")].map((one) => one.getBoundingClientRect());
    const pin = document.querySelector(".pin").getBoundingClientRect();
    return [
        keys.every(({ top, bottom }) => top >= 0 && bottom <= innerHeight + 1) ? "" : "a key is out of sight",
        Math.abs(pin.left + pin.right - innerWidth) < 3 ? "" : "it stands aside",
        keys.length === 11 ? "" : "a key is missing",
    ].filter((one) => one);
}"""
"""What is wrong with the PIN's pad, as somebody who stands before the screen meets it."""


@pytest.fixture
def locked(duel: Program) -> Iterator[Program]:
    """The same table, with a PIN that nobody typed in."""
    duel.post("/api/v1/pin", {"pin": "1204"})
    yield duel
    duel.post("/api/v1/pin", {"pin": ""})
    duel.post("/api/v1/screen", {"diagonal_inches": 24.0, "distance_metres": 2.0, "flip": False})


def test_all_keys_of_the_pin_are_in_sight_and_in_the_middle(locked: Program, open_beside: OpenPage) -> None:
    page = open_beside("/display", *SCREENS["24 inches at 2 m"][0], has_touch=True, alone=True, bypass_csp=True)
    for screen, language in LANGUAGES.items():
        at(page, locked, screen)
        for path in ("/pin?now=locked", "/pin?back=/setup"):
            page.goto(f"{locked.address}{path}&from=stage&language={language}")
            assert page.evaluate(PIN_KEYS) == [], (screen, path)
    page.add_style_tag(content=".pin { margin: 0 !important; max-width: 95% !important }")
    assert page.evaluate(PIN_KEYS) == ["it stands aside"]
    page.add_style_tag(content=".pin .pin-pad button { min-height: 9rem !important }")
    assert page.evaluate(PIN_KEYS) == ["a key is out of sight", "it stands aside"]


@pytest.mark.parametrize("language", ["en", "de", "es", "fr"])
def test_all_keys_of_the_pin_are_in_sight_on_a_low_phone(locked: Program, open_beside: OpenPage, language: str) -> None:
    page = open_beside(f"/pin?language={language}", 320, 568, alone=True)
    assert page.url.startswith(f"{locked.address}/pin")
    assert page.evaluate(PIN_KEYS) == []


def test_at_a_laptop_that_is_the_kiosk_the_pin_stands_in_the_middle(locked: Program, open_beside: OpenPage) -> None:
    page = open_beside("/pin", 1920, 1080, alone=True)
    assert page.url == f"{locked.address}/pin"
    assert page.evaluate(PIN_KEYS) == []
