"""The table's screen is held still by whoever presses, and what comes late is not painted over what is newer."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program, take_back
from tests.e2e.test_pages import live, press


@pytest.fixture(scope="module")
def standing(standing_kiosk: Program, open_standing: OpenPage) -> tuple[str, dict[str, Any], Page, Page]:
    """A character, the table as it begins, the table's screen and a phone."""
    character = set_up(standing_kiosk)
    beginning = standing_kiosk.table()["table"]
    return character, beginning, live(open_standing("/display", 1280, 720)), live(open_standing("/gm", 390, 844))


@pytest.fixture
def screens(standing_kiosk: Program, standing: tuple[str, dict[str, Any], Page, Page]) -> tuple[str, Page, Page]:
    """The character and the screens, which show the table as it begins and are not held."""
    character, beginning, display, phone = standing
    take_back(standing_kiosk, beginning)
    for page in (display, phone):
        expect(page.locator(".stage-word")).to_have_text("Ready")
    expect(display.locator("#hold")).to_have_attribute("aria-pressed", "false")
    return character, display, phone


def test_a_held_screen_stays_until_it_is_let_go(standing_kiosk: Program, screens: tuple[str, Page, Page]) -> None:
    character, display, _ = screens
    press(display, "Hold")
    standing_kiosk.send("declare_task", declaration=declaration(character))
    expect(display.locator("[role=status]").filter(has_text="Target Number")).to_have_count(1)
    expect(display.locator(".stage-word")).to_have_text("Ready")
    press(display, "Hold")
    expect(display.locator(".stage-word")).to_have_text("Throw 2 d20s")


def test_a_phone_holds_the_tables_screen_and_the_display_lets_it_go(
    standing_kiosk: Program, screens: tuple[str, Page, Page]
) -> None:
    character, display, phone = screens
    press(phone, "Hold the table's screen")
    expect(display.locator("#hold")).to_have_attribute("aria-pressed", "true")
    expect(phone.locator("[role=status]", has_text="The table's screen is held.")).to_have_count(1)
    standing_kiosk.send("declare_task", declaration=declaration(character))
    expect(display.locator(".away:visible")).to_contain_text("Something newer waits")
    expect(display.locator(".stage-word")).to_have_text("Ready")
    display.locator("#hold").click()
    expect(display.locator(".stage-word")).to_have_text("Throw 2 d20s")
    expect(display.locator(".away:visible")).to_have_count(0)
    expect(phone.locator("#hold-screen")).to_have_attribute("aria-pressed", "false")


def test_a_screen_held_again_at_once_shows_nothing_newer_for_a_moment(
    standing_kiosk: Program, screens: tuple[str, Page, Page]
) -> None:
    character, display, phone = screens
    press(display, "Hold")
    expect(phone.locator("#hold-screen")).to_have_attribute("aria-pressed", "true")
    standing_kiosk.send("declare_task", declaration=declaration(character))
    expect(display.locator(".away:visible")).to_contain_text("Something newer waits")
    sent: list[Route] = []
    display.route("**/api/v1/hold", lambda route: sent.append(route))  # noqa: PLW0108 - Playwright takes no method of a list
    press(display, "Hold")
    expect(display.locator(".stage-word")).to_have_text("Throw 2 d20s")
    press(display, "Hold")
    display.evaluate("""() => {
      window.words = [];
      const look = () => window.words.push(document.querySelector(".stage-word").textContent);
      new MutationObserver(look).observe(document.getElementById("stage"), { childList: true });
    }""")
    waited_for(display, sent, 1)
    sent[0].continue_()  # the kiosk lets the screen go on, which nobody wants any more
    expect(phone.locator("#hold-screen")).to_have_attribute("aria-pressed", "false")
    standing_kiosk.send("withdraw_task")
    expect(phone.locator(".stage-word")).to_have_text("Ready")
    expect(display.locator(".away:visible")).to_contain_text("Something newer waits")
    waited_for(display, sent, 2)
    sent[1].continue_()
    expect(phone.locator("#hold-screen")).to_have_attribute("aria-pressed", "true")
    expect(display.locator("#hold")).to_have_attribute("aria-pressed", "true")
    assert display.evaluate("window.words") == []
    press(phone, "Hold the table's screen")  # and whoever presses elsewhere afterwards is heard
    expect(display.locator(".stage-word")).to_have_text("Ready")


def waited_for(page: Page, routes: list[Route], number: int) -> None:
    """Wait until that number of requests was held back."""
    deadline = time.monotonic() + 20
    while len(routes) < number:
        assert time.monotonic() < deadline
        page.wait_for_timeout(20)
