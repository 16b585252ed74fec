"""The map in the browser: drawn and filled by the keyboard alone, moved on with a tap, listed and pictured alike."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import declaration
from tests.e2e.program import Program
from tests.e2e.scenes import Evening
from tests.e2e.test_pages import live
from tests.e2e.thumbs import PHONE

ADA = "Lieutenant Ada Lindqvist"
NARROW = "document.documentElement.scrollWidth <= innerWidth"
"""Whether nothing makes the page wider than its screen."""


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


def test_the_gamemaster_draws_a_map_by_the_keyboard(evening: Evening, open_beside: OpenPage) -> None:
    page = live(open_beside("/conflict", 800, 1000))
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


def test_a_player_moves_with_a_tap(evening: Evening, open_beside: OpenPage) -> None:
    ada, vosk = evening.people[ADA], evening.people["Raider Vosk"]
    if evening.table["zone_map"] is None:
        evening.send("draw_map", zones=["Bridge", "Corridor", "Engineering"])
    there = {one["who_id"]: one["zone_id"] for one in evening.table["zone_map"].get("places", ())}
    for who, zone in zip((ada, vosk), evening.table["zone_map"]["zones"], strict=False):
        if there.get(who) != zone["zone_id"]:
            evening.send("place_at", who_ids=[who], zone_id=zone["zone_id"])
    phone = live(open_beside(f"/play?me={ada}", 390, 844, **PHONE))
    expect(phone.locator("#where-told")).to_contain_text(f"Bridge: {ADA}. Corridor: Raider Vosk.")
    evening.send("begin_turn", combatant_id=ada)
    walk = phone.locator("#actions").get_by_role("button", name="Movement to Corridor", exact=True)
    expect(walk).to_be_visible()
    walk.tap()
    expect(phone.locator("#where-told")).to_contain_text(f"Corridor: Raider Vosk and {ADA}.")
    expect(phone.locator("#caption")).to_contain_text("Close to Raider Vosk.")
    assert phone.evaluate(NARROW)
    phone.goto(f"{evening.program.address}/conflict")
    expect(live(phone).locator(".map-picture .map-acting")).to_contain_text("Corridor")
    assert phone.evaluate(NARROW)
    phone.locator(".map-picture").evaluate("one => { one.style.maxWidth = 'none'; one.style.width = '30rem'; }")
    assert not phone.evaluate(NARROW), "a page made bad"


def test_ships_on_a_map_are_seen_on_every_screen(kiosk: Program, open_page: OpenPage) -> None:
    """Three ships keep the picture, terrain and concealment are in the list, and nothing covers it on a phone."""
    evening = Evening(kiosk)
    evening.send("set_up_table", ruleset="second-edition", players=["Ada"])
    evening.join(ADA)
    evening.launch("Far Lantern", scale=4, shields=10)
    for name in ("Black Comet", "Red Ember"):
        evening.launch(name, scale=3, shields=8, crew="talented")
    evening.send("draw_map", zones=["Orbit", "The rings", "Nebula", "Gate"])
    zones = [one["zone_id"] for one in evening.table["zone_map"]["zones"]]
    evening.send("change_zone", zone_id=zones[2], terrain="dense_nebula", concealment=2, difficulty=1)
    for place, ship in enumerate(evening.ships.values()):
        evening.send("place_at", who_ids=[ship], zone_id=zones[place])
    seat = {"combatant_id": evening.people[ADA], "ship_id": evening.ships["Far Lantern"], "station": "tactical"}
    others = [{"combatant_id": evening.ships[name]} for name in ("Black Comet", "Red Ember")]
    evening.send("start_conflict", kind="starship", combatants=[seat, *others], begins=evening.people[ADA])
    evening.send("begin_turn", combatant_id=evening.people[ADA])
    page = open_page("/display")
    for width, height in ((1920, 1080), (1024, 600), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        nebula = page.locator("#fight .map-list li", has_text="Nebula: ")
        expect(nebula).to_have_text(
            "Nebula: Red Ember. Dense nebula, attacks and scans are 2 harder. Next to The rings and Gate."
        )
        expect(nebula.locator(".map-like")).to_be_visible()
        expect(page.locator("#fight .map-picture")).to_be_visible()
    _below_one_another(page)
    page.locator("#fight").evaluate("one => { one.style.translate = '0 -2rem'; }")
    with pytest.raises(AssertionError):
        _below_one_another(page)  # a page made bad
    page.locator("#fight").evaluate("one => { one.style.translate = ''; }")
    evening.send("declare_task", declaration=declaration(evening.people[ADA], action=CALLED))
    expect(page.locator("#stage")).to_have_attribute("data-kind", "ask")
    _below_one_another(page)


CALLED = {"name": "create_trait", "scope": "bridge", "note": "A clear shot"}


def _below_one_another(page: Page) -> None:
    """The stage, the conflict with its map and the edge of a page that flows: none covers another."""
    boxes = [page.locator(one).bounding_box() for one in ("#stage", "#fight", "#fight .where", "footer.edge")]
    stage, fight, where, edge = (one for one in boxes if one is not None)
    assert stage["y"] + stage["height"] <= fight["y"]
    assert where["y"] + where["height"] <= fight["y"] + fight["height"] + 1
    assert fight["y"] + fight["height"] <= edge["y"] + 1
