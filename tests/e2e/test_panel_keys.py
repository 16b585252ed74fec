"""The keys of the table's own screen: what they take back is asked about, seen and heard, and left or done."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import set_up
from tests.e2e.program import Program
from tests.e2e.test_pages import live

QUESTION = "Do you want that? Press again for yes."


def test_a_key_takes_the_set_up_back_only_after_a_question(standing_kiosk: Program, open_standing: OpenPage) -> None:
    set_up(standing_kiosk)
    before = standing_kiosk.table()["sequence"]
    page = live(open_standing("/display", 1280, 720, alone=True))
    way = page.get_by_role("navigation", name="Keys").get_by_role("link", name="Gamemaster")
    expect(way, "without a touch, keys lead there, and so to the PIN").to_have_attribute("href", "/gm?from=stage")
    menu = page.locator("#menu")
    page.keyboard.press("Backspace")
    expect(menu).to_contain_text(QUESTION)
    expect(page.locator('[role="status"]', has_text=QUESTION), "a screen reader says it").to_have_count(1)
    page.keyboard.press("Escape")
    expect(menu).to_have_text("It is left as it is.")
    assert standing_kiosk.table()["sequence"] == before
    page.keyboard.press("Backspace")
    expect(menu).to_contain_text(QUESTION)
    page.wait_for_timeout(1_200)  # as long as nobody can have heard it
    page.keyboard.press("Backspace")
    expect(menu).not_to_contain_text(QUESTION)
    assert standing_kiosk.table()["sequence"] > before
    standing_kiosk.send("redo")
