"""What the table's screen costs a small board: its styles are made once, and a tap changes words alone."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Browser, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import set_up
from tests.e2e.program import Program
from tests.e2e.test_pages import live


def restyled(browser: Browser) -> list[int]:
    """Ends the tracing of `browser`: of how many elements styles were made, time after time, once the screen had
    its style sheets."""
    events: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    sheets = [one for one in events if one["name"] == "ParseAuthorStyleSheet"]
    page = {one["pid"] for one in sheets if "/display.css" in one["args"]["data"]["styleSheetUrl"]}
    there = max((one["ts"] for one in sheets if one["pid"] in page), default=0)
    made = [one for one in events if one["name"] == "UpdateLayoutTree" and (not page or one["pid"] in page)]
    return [one["args"]["elementCount"] for one in sorted(made, key=lambda one: one["ts"]) if one["ts"] > there]


def test_styles_of_the_whole_screen_are_made_once(
    browser: Browser, standing_kiosk: Program, open_standing: OpenPage
) -> None:
    set_up(standing_kiosk)
    browser.start_tracing(categories=["devtools.timeline"])
    page = live(open_standing("/display", 1280, 720, alone=True))
    made = restyled(browser)
    elements = page.locator("*").count()
    whole = [one for one in made if one > elements / 2]
    assert len(whole) == 1, f"of {elements} elements: {made}"


def test_a_point_of_threat_is_words_alone(browser: Browser, standing_kiosk: Program, open_standing: OpenPage) -> None:
    set_up(standing_kiosk)
    page = live(open_standing("/display", 1280, 720, alone=True))
    standing_kiosk.send("adjust_pool", pool="threat", change=1)
    before = standing_kiosk.table()["table"]["threat"]
    expect(page.locator("#threat")).to_have_text(str(before))
    browser.start_tracing(categories=["devtools.timeline"])
    standing_kiosk.send("adjust_pool", pool="threat", change=1)
    expect(page.locator("#threat")).to_have_text(str(before + 1))
    page.evaluate("() => new Promise(requestAnimationFrame)")
    made = restyled(browser)
    assert max(made, default=0) < page.locator("*").count() / 4, made
