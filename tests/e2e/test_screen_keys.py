"""The page's own keys at a touch screen without a keyboard: at the kiosk itself, for the field that was touched."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import set_up
from tests.e2e.program import Program, until
from tests.e2e.test_accessibility import violations
from tests.e2e.test_fitting import BROKEN
from tests.e2e.thumbs import within_reach
from tests.kiosk.desk import PHONE, Desk

TOUCH: dict[str, Any] = {"has_touch": True, "alone": True}


@pytest.fixture
def screen(kiosk: Program, open_page: OpenPage) -> Page:
    """The set-up page on the kiosk's own touch screen."""
    set_up(kiosk)
    page = open_page("/setup", 1024, 600, **TOUCH)
    page.locator("#character > summary").tap()
    return page


def keys_of(page: Page) -> Locator:
    return page.locator(".screen-keys[role=group]")


def tap(page: Page, *names: str) -> None:
    for name in names:
        keys_of(page).get_by_role("button", name=name, exact=True).tap()


def above_keys(page: Page, field: Locator) -> bool:
    """Whether all of `field` is in sight above the keys, which are in sight themselves."""
    at, keys = field.bounding_box(), page.locator(".screen-keys").bounding_box()
    assert at is not None
    assert keys is not None
    assert page.viewport_size is not None
    assert (keys["x"], keys["y"] + keys["height"]) == (0, page.viewport_size["height"])
    return at["y"] >= 0 and at["y"] + at["height"] <= keys["y"]


def test_a_name_is_typed_by_touch_alone(kiosk: Program, screen: Page) -> None:
    name, focuses = screen.get_by_label("Name", exact=True).first, screen.get_by_label("Focuses, one a line")
    expect(keys_of(screen)).to_be_hidden()
    name.tap()
    expect(keys_of(screen)).to_be_visible()
    assert above_keys(screen, name)
    tap(screen, "Shift", "L", "i", "v", "Space", "Shift", "O", "'", "Delete", "-", "7")
    expect(name).to_have_value("Liv O-7")
    expect(name).to_be_focused()
    expect(keys_of(screen).get_by_role("button", name="New line")).to_be_hidden()
    assert not violations(screen, within=".screen-keys")
    within_reach(screen)
    focuses.tap()
    assert above_keys(screen, focuses)
    tap(screen, "Shift", "E", "New line", "k")
    expect(focuses).to_have_value("E\nk")
    tap(screen, "Put the keys away")
    expect(keys_of(screen)).to_be_hidden()
    screen.get_by_role("button", name="Add character").tap()
    until(lambda: "Liv O-7" in [one["name"] for one in kiosk.table()["table"]["characters"]])


def test_a_field_that_hides_what_is_typed_has_keys_too(open_page: OpenPage) -> None:
    """What is typed there is not said either."""
    page = open_page("/join", 1024, 600, **TOUCH)
    page.get_by_text("I am the gamemaster").tap()
    code = page.get_by_label("Gamemaster's code")
    expect(code).to_have_attribute("type", "password")
    code.tap()
    expect(keys_of(page)).to_be_visible()
    assert above_keys(page, code)
    tap(page, "Shift", "Q", "4")
    expect(code).to_have_value("Q4")
    expect(keys_of(page).get_by_role("button", name="New line")).to_be_hidden()
    expect(page.locator("[id^=status-]").filter(has_text="4")).to_have_count(0)


@pytest.mark.parametrize("path", ["/setup?language=fr", "/gm", "/voice", "/screen", "/me"])
def test_no_field_of_a_page_is_covered_by_its_keys(kiosk: Program, open_page: OpenPage, path: str) -> None:
    set_up(kiosk)
    page = open_page(path, 1024, 600, **TOUCH)
    page.evaluate("() => { for (const one of document.querySelectorAll('details:not([name])')) one.open = true; }")
    fields = page.locator("main :is(textarea, input:is([type=text], [type=number])):not([inputmode=none], .pin input)")
    seen = [one for one in fields.all() if one.is_visible()]
    assert seen
    for one in (*seen[:2], *seen[-2:]):
        one.tap()
        assert above_keys(page, one), one.get_attribute("name")


@pytest.mark.parametrize("language", ["de", "es", "fr"])
def test_keys_of_each_language_are_whole_and_cover_no_field(kiosk: Program, open_page: OpenPage, language: str) -> None:
    """On the smallest screen of a Pi, with the letters that the language adds."""
    set_up(kiosk)
    page = open_page(f"/setup?new=foe&language={language}", 800, 480, **TOUCH)
    for name in ("character_name", "focuses", "values"):
        page.locator(f"#{name}").tap()
        assert above_keys(page, page.locator(f"#{name}")), name
    assert page.locator(".screen-keys").evaluate(BROKEN) == []


def test_a_number_has_digits_alone_and_the_pin_its_own_pad(screen: Page) -> None:
    number = screen.get_by_label("Control", exact=True)
    number.tap()
    expect(keys_of(screen).get_by_role("button", name="q", exact=True)).to_be_hidden()
    tap(screen, "Delete", "1", "1")
    expect(number).to_have_value("11")
    screen.get_by_text("A PIN at the table's own screen").tap()
    screen.get_by_label("PIN, 4 to 8 digits").tap()
    expect(keys_of(screen)).to_be_hidden()


def test_keys_come_for_touch_and_stay_away_for_a_mouse(screen: Page) -> None:
    name = screen.get_by_label("Name", exact=True).first
    name.tap()
    tap(screen, "Put the keys away")
    name.tap()
    expect(keys_of(screen)).to_be_visible()
    screen.locator("h1").tap()
    expect(keys_of(screen)).to_be_hidden()
    name.click()
    expect(name).to_be_focused()
    expect(keys_of(screen)).to_be_hidden()


@pytest.mark.usefixtures("kiosk")
def test_a_page_without_fields_takes_a_touch_too(open_page: OpenPage) -> None:
    page = open_page("/", 1024, 600, **TOUCH)
    failed: list[str] = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.locator("h1").tap()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert failed == []


def test_whoever_hears_the_keys_is_told_each_and_stays_on_it(screen: Page) -> None:
    name = screen.get_by_label("Name", exact=True).first
    name.tap()
    key = keys_of(screen).get_by_role("button", name="w", exact=True)
    key.focus()
    expect(keys_of(screen)).to_be_visible()
    screen.keyboard.press("Enter")
    expect(key).to_be_focused()
    expect(name).to_have_value("w")
    expect(screen.locator("[id^=status-]").filter(has_text="w")).to_have_count(1)


def test_the_letters_are_those_of_the_pages_language_and_no_phone_gets_any() -> None:
    with Desk(settings={"server.host": "0.0.0.0", "server.open_to_network": True}) as desk:  # noqa: S104 - opened
        here, phone = desk.client(), desk.client()
        phone.environ_base.update(PHONE)
        for language, letters in (("en", "qwerty"), ("de", "üöäß"), ("fr", "azçéù"), ("es", "ñáü¿")):
            page = unescape(here.get(f"/setup?language={language}").get_data(as_text=True))
            assert all(f'data-low="{one}"' in page for one in letters), language
        assert 'id="screen-keys"' not in phone.get("/setup").get_data(as_text=True)
        assert 'id="screen-keys"' not in here.get("/display").get_data(as_text=True)
