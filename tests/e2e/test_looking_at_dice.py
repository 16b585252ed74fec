"""What a phone shows of dice that a person must look at: one word for one die, a short list where a mat is to blame."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program
from tests.e2e.test_pages import live

PAINTED = "async (table) => (await import('/static/js/work.js')).paintAnswer({ table })"
"""The page's own way of painting what has to be answered."""


def held(program: Program, *dice: dict[str, Any]) -> dict[str, Any]:
    """The table as it is, with these dice held and each of them asked about."""
    table: dict[str, Any] = program.table()["table"]
    lying = [{"picture": None, "guesses": [], "confidence": 0.5, **die} for die in dice]
    asked = [{"reason": "wrong_kind", "position": number} for number in range(len(dice))]
    number = table["request"]["number"]
    return {**table, "held": {"request": number, "source": "camera", "dice": lying, "questions": asked}}


def test_of_a_mats_pattern_the_way_out_comes_first_and_the_list_is_short(kiosk: Program, open_page: OpenPage) -> None:
    kiosk.send("declare_task", declaration=declaration(set_up(kiosk)))
    phone = live(open_page("/play", 390, 844))
    expect(phone.locator("#answer .entry")).to_be_visible()
    four = {"kind": "d6", "face": 4, "state": "read", "guesses": [{"face": 4, "chance": 0.9}]}
    squares = [{"kind": "challenge", "face": None, "state": "cocked"}] * 11

    phone.evaluate(PAINTED, held(kiosk, four))
    expect(phone.locator("#answer h3")).to_have_text(["Die 1: d6, 4"])
    expect(phone.get_by_role("button", name="It shows 4")).to_be_visible()
    expect(phone.get_by_text("pattern")).to_have_count(0)

    phone.evaluate(PAINTED, held(kiosk, four, *squares))
    expect(phone.locator("#answer h3:visible")).to_have_text(
        ["Die 1: d6, 4", "Die 2: not read, cocked", "Die 3: not read, cocked"]
    )
    expect(phone.locator("#answer section > *:nth-child(2)")).to_contain_text("This may be the mat's pattern")
    expect(phone.locator("#answer section > *:nth-child(3)")).to_contain_text("Set this throw aside")
    expect(phone.get_by_role("link", name="The tray is empty now")).to_have_attribute("href", "/camera#empty")
    phone.get_by_text("9 more to look at").click()
    expect(phone.locator("#answer h3:visible")).to_have_count(12)
    phone.get_by_role("button", name="Set this throw aside").click()
    expect(phone.locator("#error")).to_be_visible()  # nothing was held in truth
