"""The beat of an outcome: it plays once for each throw, any key ends it, and with reduced motion nothing moves."""

from __future__ import annotations

from typing import Literal

from playwright.sync_api import Browser, Page, expect

from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program
from tests.e2e.test_pages import live

COUNT = """() => {
    window.plays = 0;
    const stage = document.getElementById("stage");
    const count = () => { if ("playing" in stage.dataset) window.plays += 1; };
    new MutationObserver(count).observe(stage, { attributes: true, attributeFilter: ["data-playing"] });
}"""
MOVING = """() => document.getAnimations().filter((one) => one.effect.target.closest?.("#stage")).length"""


def thrown(kiosk: Program, character: str, *faces: int) -> None:
    kiosk.send("declare_task", declaration=declaration(character))
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=list(faces))


def opened(kiosk: Program, browser: Browser, motion: Literal["no-preference", "reduce"]) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 720}, reduced_motion=motion)
    page.goto(f"{kiosk.address}/display")
    live(page)
    page.evaluate(COUNT)
    return page


def test_it_plays_once_for_each_throw_and_any_key_ends_it(kiosk: Program, browser: Browser) -> None:
    character = set_up(kiosk)
    page = opened(kiosk, browser, "no-preference")
    stage = page.locator("#stage")
    thrown(kiosk, character, 1, 1)
    expect(stage).to_have_attribute("data-playing", "")
    assert page.evaluate(MOVING) > 0
    page.keyboard.press("Shift")
    expect(stage).not_to_have_attribute("data-playing", "")
    assert page.evaluate(MOVING) == 0
    expect(stage).to_have_attribute("data-weight", "triumph")
    kiosk.send("finish_spending")
    kiosk.send("add_trait", name="Smoke", kind="complication")
    thrown(kiosk, character, 12, 20)
    expect(stage).to_have_attribute("data-weight", "failure")
    expect(stage).not_to_have_attribute("data-playing", "", timeout=5_000)
    assert page.evaluate("plays") == 2, "once for each throw, and not for what is settled after it"
    page.close()


def test_with_reduced_motion_nothing_moves(kiosk: Program, browser: Browser) -> None:
    page = opened(kiosk, browser, "reduce")
    thrown(kiosk, set_up(kiosk), 1, 20)
    expect(page.locator("#stage")).to_have_attribute("data-weight", "cost")
    assert page.evaluate(MOVING) == 0
    page.close()
