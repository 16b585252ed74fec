"""Phones as hands hold them, for tests: what a thumb can touch, and how often it has to."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Error, Page

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, set_up
from tests.e2e.program import Program, until
from tests.e2e.test_accessibility import LEAST_TARGET, WORDS_AND_ROLES, open_everything, violations
from tests.e2e.test_pages import live

PHONE = {"has_touch": True}
AWAY = 30_000


def phone_of(name: str, page: Page) -> Page:
    """`page`, which shows /play, as the phone of whoever plays that character: another page, once it is live."""
    with live(page).expect_navigation():
        page.get_by_role("button", name=name, exact=True).first.click()
    return live(page)


def playing(kiosk: Program, open_page: OpenPage, name: str, width: int, height: int, **context: Any) -> Page:  # noqa: ANN401 - Playwright's own
    """A live phone of whoever plays that character, by its address: that it is picked there is tested once."""
    character = next(one for one in kiosk.table()["table"]["characters"] if one["name"] == name)
    return live(open_page(f"/play?me={character['character_id']}", width, height, **context))


def crew_of_two(kiosk: Program) -> str:
    """Ada and Ben at the table; Ada's id."""
    character = set_up(kiosk)
    kiosk.send("save_character", name="Ben Adeyemi", attributes=ATTRIBUTES, disciplines=DISCIPLINES)
    return character


def touchable(page: Page, *, within: str = "html") -> None:
    """With all unfolded, nothing wrong for axe `within` that element, nothing too wide, nothing too small to touch."""
    open_everything(page)
    page.add_style_tag(content=".ready { position: static !important; }")
    assert violations(page, rules=WORDS_AND_ROLES, within=within) == {}
    within_reach(page)


def within_reach(page: Page) -> None:
    """As the page stands, nothing wider than the screen, nothing too small for a thumb."""
    width = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0, "the page is wider than the screen"
    small = page.evaluate(
        """least => [...document.querySelectorAll('button, select, summary, .button, .check')]
            .filter(one => one.checkVisibility()).map(one => [one.getBoundingClientRect(), one.outerHTML])
            .filter(([at]) => at.height < least || at.width < least - 1).map(([, html]) => html)""",
        LEAST_TARGET,
    )
    assert small == [], small


def reopened(page: Page) -> None:
    """Open the page again, as often as it takes while the kiosk changes from starting to being there."""

    def opened() -> bool:
        try:
            page.reload()
        except Error:
            return False
        return page.locator("#main").count() > 0

    until(opened, 60)


class Taps:
    """A thumb that counts."""

    def __init__(self) -> None:
        self.number = 0

    def on(self, page: Page, name: str | re.Pattern[str], place: str = "main") -> None:
        """Tap the button of that name."""
        page.locator(place).get_by_role("button", name=name, exact=isinstance(name, str)).first.tap()
        self.number += 1
