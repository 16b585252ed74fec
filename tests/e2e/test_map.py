"""The map in the browser: drawn and filled by the keyboard alone, moved on with a tap, listed and pictured alike."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.program import Program
from tests.e2e.scenes import Evening
from tests.e2e.test_pages import live
from tests.e2e.thumbs import PHONE, phone_of

ADA = "Lieutenant Ada Lindqvist"


@pytest.fixture(scope="module")
def evening(standing_kiosk: Program) -> Evening:
    """A fight on foot of two against one, without a map; Ada begins."""
    made = Evening(standing_kiosk)
    made.send("set_up_table", ruleset="core-1e", players=["Ada", "Ben"])
    for name in (ADA, "Ben Adeyemi"):
        made.join(name)
    made.join("Raider Vosk", standing="notable_npc")
    made.fight(ADA)
    return made


def _open(page: Page, words: str) -> None:
    summary = page.locator("summary", has_text=words)
    summary.focus()
    if summary.evaluate("one => !one.parentElement.open"):
        page.keyboard.press("Enter")


def _sent(page: Page, button: str) -> None:
    page.get_by_role("button", name=button, exact=True).focus()
    page.keyboard.press("Enter")


def test_the_gamemaster_draws_a_map_by_the_keyboard(evening: Evening, open_standing: OpenPage) -> None:
    page = live(open_standing("/conflict", 800, 1000))
    expect(page.locator(".map-picture")).to_have_count(0)
    _open(page, "Map: zones, and who is where")
    page.get_by_label("Zones, one a line").focus()
    page.keyboard.type("Bridge\nCorridor\nEngineering")
    _sent(page, "Draw the map")
    expect(page.locator(".map-list")).to_contain_text("Bridge: nobody.")
    _open(page, "Map: zones, and who is where")
    page.get_by_role("group", name="Who", exact=True).get_by_label(ADA).focus()
    page.keyboard.press("Space")
    page.locator("#place-zone").focus()
    page.keyboard.press("B")
    _sent(page, "Put them there")
    expect(page.locator(".map-list")).to_contain_text(f"Bridge: {ADA}.")
    assert [one["name"] for one in evening.table["zone_map"]["zones"]] == ["Bridge", "Corridor", "Engineering"]
    picture = page.locator(".map-picture")
    expect(picture).to_be_visible()
    expect(picture.locator("rect")).to_have_count(3)
    expect(picture.locator("line")).to_have_count(2)
    expect(picture).to_have_attribute("aria-hidden", "true")


def test_a_player_moves_with_a_tap(evening: Evening, open_standing: OpenPage) -> None:
    ada, vosk = evening.people[ADA], evening.people["Raider Vosk"]
    if evening.table["zone_map"] is None:
        evening.send("draw_map", zones=["Bridge", "Corridor", "Engineering"])
    ids = [one["zone_id"] for one in evening.table["zone_map"]["zones"]]
    evening.send("place_at", who_ids=[ada], zone_id=ids[0])
    evening.send("place_at", who_ids=[vosk], zone_id=ids[1])
    phone = phone_of(ADA, open_standing("/play", 390, 844, bypass_csp=True, **PHONE))
    expect(phone.locator("#where-told")).to_contain_text(f"Bridge: {ADA}. Corridor: Raider Vosk.")
    evening.send("begin_turn", combatant_id=ada)
    walk = phone.locator("#actions").get_by_role("button", name="Movement to Corridor", exact=True)
    expect(walk).to_be_visible()
    walk.tap()
    expect(phone.locator("#where-told")).to_contain_text(f"Corridor: Raider Vosk and {ADA}.")
    expect(phone.locator("#caption")).to_contain_text("Close to Raider Vosk.")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page = live(open_standing("/conflict", 390, 844, bypass_csp=True, **PHONE))
    expect(page.locator(".map-picture .map-acting")).to_contain_text("Corridor")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    display = open_standing("/display", 1280, 720)
    expect(display.locator("#fight .map-list")).to_contain_text(f"Corridor: Raider Vosk and {ADA}.")
