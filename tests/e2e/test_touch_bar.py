"""A table's screen that can be touched is no dead end; on a television nothing invites to be touched."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.crew import set_up
from tests.e2e.program import Program
from tests.e2e.test_demo import FITS
from tests.e2e.test_pages import live

LEAST = 44
"""CSS pixels of a target (WCAG 2.2, 2.5.5)."""


@pytest.mark.parametrize(("width", "height"), [(1024, 600), (800, 480)])
def test_a_touch_leads_on_from_the_display(kiosk: Program, browser: Browser, width: int, height: int) -> None:
    set_up(kiosk)
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
    page = context.new_page()
    for name, path in (("Player", "/play"), ("Gamemaster", "/gm"), ("Set up", "/setup")):
        page.goto(f"{kiosk.address}/display")
        live(page)
        page.wait_for_function(FITS)
        link = page.locator(".touch-bar").get_by_role("link", name=name)
        box = link.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= LEAST
        assert box["x"] + box["width"] <= width
        link.tap()
        page.wait_for_url(f"**{path}")
    context.close()


def test_a_television_shows_no_bar(kiosk: Program, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    page.goto(f"{kiosk.address}/display")
    live(page)
    expect(page.locator(".touch-bar")).to_be_hidden()
    page.close()
