"""Forty characters at a table, with names of one letter and of sixty: every page holds them, and what is to be done."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, set_up
from tests.e2e.program import Program
from tests.e2e.test_accessibility import violations
from tests.e2e.test_long_words import CUT
from tests.e2e.test_pages import live

LONGEST: Final = "X" * 60
WORDY: Final = "Ambassador Featherstonehaugh of the Outer Reaches and Beyond"
PAGES: Final = ("/play", "/play/log", "/play/table", "/gm", "/display", "/text")
WIDTHS: Final = ((320, 640), (390, 844), (1366, 768))

ELLIPSIS: Final = "SPAN.long "
"""What begins a word too long for any line, in `CUT`: a phone ends it with an ellipsis, and has it whole on Table."""

BELOW: Final = """() => {
    const all = [...document.querySelectorAll("main :is(.main-action, .watching)")];
    const main = all.find((one) => one.checkVisibility()).getBoundingClientRect();
    return main.bottom - document.querySelector("#tabs").getBoundingClientRect().top;
}"""
"""By how many pixels what is to be done first reaches below what is in sight."""


@pytest.fixture
def crowd(kiosk: Program) -> dict[str, str]:
    """The ids of forty by name, of whom two are NPCs."""
    set_up(kiosk, name=LONGEST)
    armed = {"attributes": ATTRIBUTES, "disciplines": DISCIPLINES, "weapons": ["phaser_type_2"]}
    for name in ("Q", WORDY, *(f"Crew member number {number} of the long watch" for number in range(4, 39))):
        kiosk.send("save_character", name=name, **armed)
    for name in ("Z", "Y" * 60):
        kiosk.send("save_character", name=name, standing="notable_npc", **armed)
    kiosk.send("start_scene", name="N" * 60)
    kiosk.send("add_trait", name=f"A note that says what it is like, in words such as {'w' * 40}", kind="trait")
    return {one["name"]: one["character_id"] for one in kiosk.table()["table"]["characters"]}


def walk(kiosk: Program, page: Page, me: str) -> list[str]:
    """What of the pages is wider than its place, at each width."""
    found: list[str] = []
    for width, height in WIDTHS:
        page.set_viewport_size({"width": width, "height": height})
        for path in PAGES:
            page.goto(f"{kiosk.address}{path}?me={me}")
            page.wait_for_load_state()
            wide = page.evaluate("document.documentElement.scrollWidth")
            cut = [one for one in page.evaluate(CUT) if not one.startswith(ELLIPSIS)]
            found += [f"{path} at {width}: {one}" for one in [*cut, *([f"{wide}"] if wide > width else [])]]
    return found


def begin_fight(kiosk: Program, crowd: dict[str, str]) -> None:
    fighters = [{"combatant_id": one} for one in crowd.values()]
    kiosk.send("start_conflict", kind="personal", combatants=fighters, begins=crowd[LONGEST])
    kiosk.send("begin_turn", combatant_id=crowd[LONGEST])


def test_every_page_holds_them(kiosk: Program, crowd: dict[str, str], open_page: OpenPage) -> None:
    page = open_page("/play")
    assert walk(kiosk, page, crowd[LONGEST]) == []
    begin_fight(kiosk, crowd)
    assert walk(kiosk, page, crowd["Q"]) == []


@pytest.mark.parametrize(("width", "height"), WIDTHS[:2])
def test_a_long_name_leaves_what_is_to_be_done_in_sight(
    kiosk: Program, crowd: dict[str, str], open_page: OpenPage, width: int, height: int
) -> None:
    page = live(open_page(f"/play?me={crowd[LONGEST]}", width, height))
    expect(page.locator("#me-title")).to_have_text(LONGEST)
    assert page.evaluate(BELOW) <= 0
    task = {"attribute": "control", "discipline": "security", "difficulty": 1, "label": "L" * 60}
    kiosk.send("declare_task", declaration={"character_id": crowd[LONGEST], **task})
    expect(page.locator(".watching, #entered .entry").first).to_be_visible()
    kiosk.send("undo")
    begin_fight(kiosk, crowd)
    expect(page.locator("#own-turn .main-action, #fighting .main-action").first).to_be_visible()
    assert page.evaluate(BELOW) <= 0
    page.goto(f"{kiosk.address}/play/table?me={crowd[LONGEST]}")
    whole = page.get_by_text(LONGEST).first
    assert whole.evaluate(
        "one => one.scrollHeight <= one.clientHeight + 1 || getComputedStyle(one).display === 'inline'"
    )


def test_the_tables_screen_counts_those_for_whom_it_has_no_room(
    kiosk: Program, crowd: dict[str, str], open_page: OpenPage
) -> None:
    """Foes too: with the acting one alone nobody knows whom they face."""
    begin_fight(kiosk, crowd)
    page = live(open_page("/display", 1366, 768))
    expect(page.locator("#fight .folded:visible").first).to_have_text(re.compile(r"^\d+ more$"))
    expect(page.locator("#fight .side")).to_have_count(2)
    for side in page.locator("#fight .side").all():
        expect(side).to_be_visible()
    seen = page.locator("#fight .fighter:visible")
    more = sum(int(one.split()[0]) for one in page.locator("#fight .folded:visible").all_inner_texts())
    assert seen.count() + more == len(crowd)


def test_on_a_laptop_a_long_crew_scrolls_by_itself(kiosk: Program, crowd: dict[str, str], open_page: OpenPage) -> None:
    begin_fight(kiosk, crowd)
    page = live(open_page("/gm", 1366, 768))
    assert page.locator("#crew").evaluate(
        "one => one.scrollHeight > one.clientHeight && one.clientHeight < innerHeight"
    )
    assert page.evaluate("document.documentElement.scrollHeight") <= 2 * 768
    assert page.locator("#crew").get_by_text(WORDY).is_visible()
    assert not violations(page, within="#crew"), "also by keyboard"
