"""Forty characters at a table, with names of one letter and of sixty: every page holds them, and what is to be done."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, set_up
from tests.e2e.program import Program, take_back
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


@pytest.fixture(scope="module")
def beginning(standing_kiosk: Program) -> dict[str, Any]:
    """The table of forty, of whom two are NPCs."""
    set_up(standing_kiosk, name=LONGEST)
    armed = {"attributes": ATTRIBUTES, "disciplines": DISCIPLINES, "weapons": ["phaser_type_2"]}
    for name in ("Q", WORDY, *(f"Crew member number {number} of the long watch" for number in range(4, 39))):
        standing_kiosk.send("save_character", name=name, **armed)
    for name in ("Z", "Y" * 60):
        standing_kiosk.send("save_character", name=name, standing="notable_npc", **armed)
    standing_kiosk.send("start_scene", name="N" * 60)
    note = f"A note that says what it is like, in words such as {'w' * 40}"
    standing_kiosk.send("add_trait", name=note, kind="trait")
    table: dict[str, Any] = standing_kiosk.table()["table"]
    return table


@pytest.fixture
def crowd(standing_kiosk: Program, beginning: dict[str, Any]) -> dict[str, str]:
    """The ids of the forty by name; what a test before decided is taken back."""
    take_back(standing_kiosk, beginning)
    return {one["name"]: one["character_id"] for one in beginning["characters"]}


SETTLED: Final = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def walk(kiosk: Program, page: Page, me: str, widths: tuple[tuple[int, int], ...]) -> list[str]:
    """What of the pages is wider than its place, at each of these widths."""
    found: list[str] = []
    for path in PAGES:
        page.goto(f"{kiosk.address}{path}?me={me}")
        for width, height in widths:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(SETTLED)
            wide = page.evaluate("document.documentElement.scrollWidth")
            cut = [one for one in page.evaluate(CUT) if not one.startswith(ELLIPSIS)]
            found += [f"{path} at {width}: {one}" for one in [*cut, *([f"{wide}"] if wide > width else [])]]
    return found


def begin_fight(kiosk: Program, crowd: dict[str, str]) -> None:
    fighters = [{"combatant_id": one} for one in crowd.values()]
    kiosk.send("start_conflict", kind="personal", combatants=fighters, begins=crowd[LONGEST])
    kiosk.send("begin_turn", combatant_id=crowd[LONGEST])


def test_every_page_holds_them(
    standing_kiosk: Program, crowd: dict[str, str], open_beside: OpenPage, *, whole: bool
) -> None:
    """In the short form the narrowest and the widest."""
    widths = WIDTHS if whole else (WIDTHS[0], WIDTHS[-1])
    page = open_beside("/play")
    assert walk(standing_kiosk, page, crowd[LONGEST], widths) == []
    begin_fight(standing_kiosk, crowd)
    assert walk(standing_kiosk, page, crowd["Q"], widths) == []


@pytest.mark.parametrize(("width", "height"), WIDTHS[:2])
def test_a_long_name_leaves_what_is_to_be_done_in_sight(
    standing_kiosk: Program, crowd: dict[str, str], open_beside: OpenPage, width: int, height: int
) -> None:
    page = live(open_beside(f"/play?me={crowd[LONGEST]}", width, height))
    expect(page.locator("#me-title")).to_have_text(LONGEST)
    assert page.evaluate(BELOW) <= 0
    task = {"attribute": "control", "discipline": "security", "difficulty": 1, "label": "L" * 60}
    standing_kiosk.send("declare_task", declaration={"character_id": crowd[LONGEST], **task})
    expect(page.locator(".watching, #entered .entry").first).to_be_visible()
    standing_kiosk.send("undo")
    begin_fight(standing_kiosk, crowd)
    expect(page.locator("#own-turn .main-action, #fighting .main-action").first).to_be_visible()
    assert page.evaluate(BELOW) <= 0
    page.goto(f"{standing_kiosk.address}/play/table?me={crowd[LONGEST]}")
    whole = page.get_by_text(LONGEST).first
    assert whole.evaluate(
        "one => one.scrollHeight <= one.clientHeight + 1 || getComputedStyle(one).display === 'inline'"
    )


def test_the_tables_screen_counts_those_for_whom_it_has_no_room(
    standing_kiosk: Program, crowd: dict[str, str], open_beside: OpenPage
) -> None:
    """Foes too: with the acting one alone nobody knows whom they face."""
    begin_fight(standing_kiosk, crowd)
    page = live(open_beside("/display", 1366, 768))
    expect(page.locator("#fight .folded:visible").first).to_have_text(re.compile(r"^\d+ more$"))
    expect(page.locator("#fight .side")).to_have_count(2)
    for side in page.locator("#fight .side").all():
        expect(side).to_be_visible()
    seen = page.locator("#fight .fighter:visible")
    more = sum(int(one.split()[0]) for one in page.locator("#fight .folded:visible").all_inner_texts())
    assert seen.count() + more == len(crowd)


def test_on_a_laptop_a_long_crew_scrolls_by_itself(
    standing_kiosk: Program, crowd: dict[str, str], open_beside: OpenPage
) -> None:
    begin_fight(standing_kiosk, crowd)
    page = live(open_beside("/gm", 1366, 768))
    assert page.locator("#crew").evaluate(
        "one => one.scrollHeight > one.clientHeight && one.clientHeight < innerHeight"
    )
    assert page.evaluate("document.documentElement.scrollHeight") <= 2 * 768
    assert page.locator("#crew").get_by_text(WORDY).is_visible()
    assert not violations(page, within="#crew"), "also by keyboard"
