"""The conflict's page while its answers are slow: what is newer stays, and so does what somebody types."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.late import Late
from tests.e2e.program import Program
from tests.e2e.scenes import Evening
from tests.e2e.test_pages import live

TURN = "#acting[data-turn]"


@pytest.fixture
def evening(kiosk: Program) -> Evening:
    made = Evening(kiosk)
    made.send("set_up_table", ruleset="core-1e", players=["Ada", "Ben"])
    made.join("Ada")
    made.join("Ben")
    seats = [{"combatant_id": one} for one in made.people.values()]
    made.send("start_conflict", kind="personal", combatants=seats, begins=made.people["Ada"])
    return made


def test_an_older_page_does_not_replace_a_newer_one(evening: Evening, open_page: OpenPage) -> None:
    page = live(open_page("/conflict", 1280, 800))
    late = Late(page, "**/conflict")
    evening.send("begin_turn", combatant_id=evening.people["Ada"])
    held = late.asked()
    older = held.fetch()
    evening.send("undo")
    page.wait_for_function("() => window.read > 0", polling=50)
    expect(page.locator(TURN)).to_have_count(0)
    late.let_go(held, response=older)
    expect(page.locator(TURN)).to_have_count(0)
    evening.send("begin_turn", combatant_id=evening.people["Ada"])
    expect(page.locator(TURN)).to_have_count(1)


def test_what_is_typed_while_an_answer_is_under_way_stays(evening: Evening, open_page: OpenPage) -> None:
    page = live(open_page("/conflict", 1280, 800))
    late = Late(page, "**/conflict")
    evening.send("begin_turn", combatant_id=evening.people["Ada"])
    held = late.asked()
    page.locator("#live details").evaluate_all("all => all.forEach(one => { one.open = true; })")
    reason = page.locator("#hazard-reason")
    reason.fill("Falling rocks")
    late.let_go(held)
    expect(reason).to_have_value("Falling rocks")
    expect(reason).to_be_focused()
    expect(page.locator(TURN)).to_have_count(1)
