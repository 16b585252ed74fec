"""What somebody asks is answered in words that stand as those of the page: names from the right are set apart."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import set_up
from tests.e2e.program import Program
from tests.e2e.test_pages import live

NAME = "عمر القمر-نور ٢"


def test_names_from_the_right_are_set_apart_in_an_answer(standing_kiosk: Program, open_beside: OpenPage) -> None:
    """The marks are for the eye alone: what is heard has none."""
    who = set_up(standing_kiosk, name=NAME)
    standing_kiosk.send("start_conflict", kind="personal", combatants=[{"combatant_id": who}])
    standing_kiosk.send("begin_turn", combatant_id=who)
    phone = live(open_beside("/play", 390, 844))
    phone.get_by_role("button", name="Whose turn").click()
    expect(phone.locator("#answered")).to_contain_text(f"\u2068{NAME}\u2069's Turn")
    expect(phone.locator("[role=status]", has_text=f"{NAME}'s Turn")).to_have_count(1)
