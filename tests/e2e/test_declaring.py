"""Declaring a Task on a phone: only what makes sense is offered."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, set_up
from tests.e2e.program import Program
from tests.e2e.test_pages import live


def test_whoever_acts_is_not_offered_as_their_own_helper(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    kiosk.send("save_character", name="Ben Adeyemi", attributes=ATTRIBUTES, disciplines=DISCIPLINES)
    phone = live(open_page("/play"))
    phone.locator("summary", has_text="Helpers and ship").click()
    acting, helper = phone.get_by_label("Character", exact=True), phone.locator("#assist1")
    expect(acting.locator("option:checked")).to_have_text("Ada Lindqvist")
    expect(helper.locator("option")).to_have_text(["Nobody", "Ben Adeyemi"])
    helper.select_option("Ben Adeyemi")
    acting.select_option("Ben Adeyemi")
    expect(helper.locator("option")).to_have_text(["Nobody", "Ada Lindqvist"])
    expect(helper).to_have_value("")
