"""What is chosen for the table's screen is seen on the open display and on phones without anybody reloading."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.test_pages import live


def letters(page: Page) -> float:
    size: str = page.evaluate("getComputedStyle(document.body).fontSize")
    return float(size.removesuffix("px"))


def test_open_displays_take_on_what_is_chosen_but_what_one_chose_itself(open_page: OpenPage) -> None:
    """A device that chose its colours keeps them and changes no other."""
    display, other = live(open_page("/display", 1280, 720)), live(open_page("/display", 1024, 600, has_touch=True))
    other.get_by_role("link", name="Colours at this device").tap()
    other.get_by_role("button", name="Candlelight").tap()
    expect(other.get_by_role("button", name="Candlelight")).to_have_attribute("aria-pressed", "true")
    other.get_by_role("link", name="Back").tap()
    before = letters(display)
    display.evaluate("document.body.style.fontSize = '9px'")
    assert letters(display) == 9, "what is seen is measured, not what was chosen"
    display.evaluate("document.body.style.fontSize = ''")
    phone = open_page("/screen")
    phone.get_by_label("Diagonal of the screen in inches").fill("55")
    phone.get_by_label("From the screen to the farthest player in metres").fill("1.5")
    phone.get_by_label("Colours of the table's screen").select_option("light")
    phone.get_by_label("Turned round").check()
    phone.get_by_role("button", name="Keep this").click()
    expect(phone.locator("#reach")).to_have_text("Now: 55 inches, read from 1.5 metres.")
    expect(display.locator("html")).to_have_attribute("data-theme", "light")
    expect(display.locator("html[data-flip]")).to_have_count(1)
    display.wait_for_function(
        "before => parseFloat(getComputedStyle(document.body).fontSize) < before", arg=before, polling=50
    )
    expect(live(other).locator("html[data-flip]")).to_have_count(1)
    expect(other.locator("html")).to_have_attribute("data-theme", "candlelight")
    phone.goto(phone.url.replace("/screen", "/play"))
    expect(phone.locator("html")).to_have_attribute("data-theme", "dark")
    expect(phone.locator("html[data-flip]")).to_have_count(0)
