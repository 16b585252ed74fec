"""Every page in German, Spanish and French fits every size of screen and text, has its names and its outline.

That axe-core finds nothing there either is looked at in the long form: in English `test_accessibility` always asks it.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import declaration, set_up
from tests.e2e.naming import misnamed
from tests.e2e.program import Program
from tests.e2e.test_accessibility import BUT_COLOURS, PAGES, open_everything, unfitting, violations
from tests.e2e.test_by_keyboard import misshapen
from tests.e2e.test_long_words import PAGES as LONGER

LANGUAGES = ["de", "es", "fr"]
"""Each takes a part of the pages in the short form."""

SAMPLED = [path for path in PAGES if path not in LONGER]
"""Those pages: `test_long_words.py` asks the same of the others, in words longer than any of these languages has."""

PATIENCE = 30_000
WIDE = {"/display": (1280, 720)}
NARROW = (320, 640)

SIDEWAYS = """() => document.documentElement.scrollWidth <= innerWidth ? [] : ["the page"].concat(
    [...document.querySelectorAll("body *")]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1)
        .map((one) => one.outerHTML.slice(0, 120)))"""
"""What makes a page wider than its screen."""


@pytest.fixture(scope="module")
def reader(standing_kiosk: Program, open_standing: OpenPage) -> Page:
    """A tab before a table with a fight begun and an outcome with a Complication."""
    character = set_up(standing_kiosk)
    standing_kiosk.send("start_conflict", kind="personal", combatants=[{"combatant_id": character}], begins=character)
    standing_kiosk.send("begin_turn", combatant_id=character)
    standing_kiosk.send("declare_task", declaration=declaration(character, complication_range=2))
    standing_kiosk.send("enter_dice", request=standing_kiosk.table()["table"]["request"]["number"], faces=[4, 20])
    return open_standing("/language", *NARROW, bypass_csp=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_passes_and_fits_in_each_language(
    reader: Page, standing_kiosk: Program, language: str, *, whole: bool
) -> None:
    reader.goto(f"{standing_kiosk.address}/language")
    reader.locator("form", has=reader.locator("input[name=whose]")).locator(f"button[lang={language}]").click()
    faults = []
    for path in PAGES if whole else SAMPLED[LANGUAGES.index(language) :: len(LANGUAGES)]:
        width, height = WIDE.get(path, NARROW)
        reader.set_viewport_size({"width": width, "height": height})
        reader.goto(standing_kiosk.address + path)
        expect(reader.locator("html")).to_have_attribute("lang", language)
        if reader.locator("#link[data-state]").count():
            expect(reader.locator("#link")).to_have_attribute("data-state", "live", timeout=PATIENCE)
        open_everything(reader)
        broken = violations(reader, rules=BUT_COLOURS) if whole else {}
        faults += [f"{path}: {rule} of {one}" for rule, nodes in broken.items() for one in nodes]
        faults += [f"{path}: {one}" for one in (*misnamed(reader), *misshapen(reader))]
        reader.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
        faults += [f"{path} scrolls sideways: {one}" for one in reader.evaluate(SIDEWAYS)]
        faults += [f"{path}: {one}" for one in unfitting(reader)]
    assert faults == []


def test_what_is_too_wide_is_found(reader: Page, standing_kiosk: Program) -> None:
    reader.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    reader.goto(f"{standing_kiosk.address}/play")
    assert reader.evaluate(SIDEWAYS) == []
    reader.locator("#stage").evaluate("one => { one.style.minWidth = '400px'; }")
    assert any("stage" in one for one in reader.evaluate(SIDEWAYS))
