"""What is chosen for the table's screen is seen on the open display and on phones without anybody reloading."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.test_pages import live


def letters(page: Page) -> float:
    size: str = page.evaluate("getComputedStyle(document.body).fontSize")
    return float(size.removesuffix("px"))


def test_an_open_display_takes_on_what_is_chosen(open_page: OpenPage) -> None:
    display, phone = live(open_page("/display", 1280, 720)), live(open_page("/play"))
    before = letters(display)
    chooser = open_page("/screen")
    chooser.get_by_label("Diagonal of the screen in inches").fill("55")
    chooser.get_by_label("From the screen to the farthest player in metres").fill("1.5")
    chooser.get_by_label("Colours", exact=True).select_option("light")
    chooser.get_by_label("Turned round").check()
    chooser.get_by_role("button", name="Keep this").click()
    expect(chooser.locator("#reach")).to_have_text("Now: 55 inches, read from 1.5 metres.")
    expect(display.locator("html")).to_have_attribute("data-theme", "light")
    phone.reload()
    expect(phone.locator("html")).to_have_attribute("data-theme", "dark")
    expect(display.locator("html[data-flip]")).to_have_count(1)
    expect(phone.locator("html[data-flip]")).to_have_count(0)
    display.wait_for_function(f"parseFloat(getComputedStyle(document.body).fontSize) < {before}", polling=50)


def test_a_device_that_chose_its_colours_keeps_them_and_changes_no_other(open_page: OpenPage) -> None:
    display, phone = live(open_page("/display", 1024, 600, has_touch=True)), live(open_page("/play"))
    display.get_by_role("link", name="Colours at this device").tap()
    display.get_by_role("button", name="Candlelight").tap()
    expect(display.get_by_role("button", name="Candlelight")).to_have_attribute("aria-pressed", "true")
    display.get_by_role("link", name="Back").tap()
    chooser = open_page("/screen")
    chooser.get_by_label("Colours", exact=True).select_option("light")
    chooser.get_by_label("Turned round").check()
    chooser.get_by_role("button", name="Keep this").click()
    expect(live(display).locator("html[data-flip]")).to_have_count(1)
    expect(display.locator("html")).to_have_attribute("data-theme", "candlelight")
    phone.reload()
    expect(phone.locator("html")).to_have_attribute("data-theme", "dark")
