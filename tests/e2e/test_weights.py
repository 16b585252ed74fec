"""What an outcome weighs is seen across the room, also upright; and a crew that waits fills its screen.

Each check of looks is shown to fail on a page made bad.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.program import Program, until
from tests.e2e.scenes import Evening
from tests.e2e.test_distance import too_small
from tests.e2e.test_pages import live

SIZES = ((1920, 1080), (1024, 600), (1080, 1920))
CREW = ("Captain Ilse Brandt", "Lieutenant Tomás Okoro", "Doctor Mirembe Sato", "Ensign Pell Varga")

APART = """() => {
    const [headline, cost] = [".stage-word", ".stage-cost"].map((one) => document.querySelector(`#stage ${one}`));
    const range = document.createRange();
    range.selectNodeContents(headline.firstChild);
    const { borderTopStyle } = getComputedStyle(cost);
    return cost.getBoundingClientRect().top >= range.getBoundingClientRect().bottom - 2 && borderTopStyle !== "none";
}"""
"""Whether what a success costs stands in a frame of its own below it."""

DICE = """() => {
    const stage = document.getElementById("stage").getBoundingClientRect();
    const faces = [...document.querySelectorAll("#stage .die-face")].map((one) => one.getBoundingClientRect());
    return Math.min(...faces.map(({ height, width }) => Math.min(height / stage.height, width / stage.width)));
}"""
"""How much of the stage a die takes, of its height or its width, whichever is less."""

BANNER = """() => {
    const { height } = document.querySelector(".stage-banner").getBoundingClientRect();
    const [word, banner] = [".stage-word", ".stage-banner"].map((one) => document.querySelector(one));
    const range = document.createRange();
    range.selectNodeContents(banner.firstChild);
    const text = range.getBoundingClientRect(), start = word.getBoundingClientRect();
    return text.top - start.top < text.height / 2;
}"""
"""Whether the word of a triumph stands beside its star, not below it."""

FILLS = """() => {
    const [all, crew] = ["#company", ".company-crew"].map((one) => document.querySelector(one).getBoundingClientRect());
    return crew.height / all.height;
}"""

NAMES = """() => [...document.querySelectorAll(".company-crew strong")]
    .map((one) => [one.textContent, parseFloat(getComputedStyle(one).fontSize)])"""


@pytest.fixture(scope="module")
def evening(standing_kiosk: Program) -> Evening:
    """Four without a ship."""
    made = Evening(standing_kiosk)
    made.send("set_up_table", ruleset="core-1e", players=["Ana", "Ben"])
    for name in CREW:
        made.join(name)
    return made


@pytest.fixture
def screen(evening: Evening, open_beside: OpenPage) -> Page:
    """Their display."""
    assert evening.people
    return live(open_beside("/display", *SIZES[0], bypass_csp=True))


def shown(page: Page, kind: str, script: str, spoil: str) -> None:
    """On each size the page is as `script` says, and with the style `spoil` it is not."""
    expect(page.locator("#stage")).to_have_attribute("data-kind", kind)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        until(lambda: bool(page.evaluate(script)), 5)
    style = page.add_style_tag(content=spoil)
    until(lambda: not page.evaluate(script), 5)
    style.evaluate("one => one.remove()")


def test_a_crew_without_a_ship_fills_the_screen_between_throws(screen: Page) -> None:
    shown(screen, "idle", f"() => ({FILLS})() > .9", ".company-crew { align-self: center !important; font-size: 1rem }")
    screen.set_viewport_size({"width": 1920, "height": 1080})
    assert too_small(screen, NAMES, 24.0, 2.0, 15.0) == []


TRACKS = """() => {
    const [stage, word, lines, facts] = ["#stage", ".stage-word", ".stage-lines", ".facts"]
        .map((one) => document.querySelector(one).getBoundingClientRect());
    const told = [...document.querySelectorAll("#stage :is(.stage-word, .stage-lines, .facts :is(dt, dd))")];
    const cut = told.some((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return one.scrollWidth > one.clientWidth + 1 || left < stage.left - 1 || right > stage.right + 1
            || top < stage.top - 1 || bottom > stage.bottom + 1;
    });
    const on = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    return !cut && !on(word, facts) && !on(lines, facts) && word.width > .1 * innerWidth
        && lines.width > .25 * innerWidth && document.querySelectorAll("#stage .facts dd").length === 3;
}"""
"""Whether the word, its lines and three Extended Tasks are seen whole, and have some width."""


def test_three_extended_tasks_leave_the_word_its_room(evening: Evening, screen: Page) -> None:
    for label in ("Decode the freighter's distress call", "Repair the plasma conduits aft", "Evacuate the lower decks"):
        evening.send("begin_extended_task", label=label, work=12, magnitude=2, resistance=1, difficulty=2)
    expect(screen.locator("#stage .facts dd")).to_have_count(3)
    shown(screen, "idle", TRACKS, "#stage .facts { position: absolute; left: 0 }")
    for one in evening.table["extended"]:
        evening.send("end_extended_task", track_id=one["track_id"])


def test_what_a_success_costs_stands_apart(evening: Evening, screen: Page) -> None:
    evening.declare(CREW[0], label="Seal the hatch", purchases=[{"payer": "threat"}])
    evening.throw(4, 3, 20)
    shown(screen, "outcome", APART, ".stage-cost { display: inline !important; border: 0 !important }")
    evening.settle()


def test_a_triumph_leaves_the_dice_their_room(evening: Evening, screen: Page) -> None:
    evening.declare(CREW[1], label="Raise the shields")
    evening.throw(1, 1)
    expect(screen.locator(".stage-banner")).to_be_visible()
    for width, height in SIZES:
        screen.set_viewport_size({"width": width, "height": height})
        until(lambda: bool(screen.evaluate(BANNER)), 5)
    until(lambda: screen.evaluate(DICE) > 0.25, 5)
    screen.add_style_tag(content="#stage { --word: 11vmin !important }")
    screen.set_viewport_size({"width": 1080, "height": 1880})
    until(lambda: screen.evaluate(DICE) < 0.2 and not screen.evaluate(BANNER), 5)
    evening.settle()


HIGH = """() => {
    const rows = [...document.querySelectorAll("#fight .fighter")].map((one) => one.getBoundingClientRect().height);
    return Math.min(...rows) > 0.11 * Math.min(innerWidth, innerHeight);
}"""
"""Whether each row of a fight is as high as a ninth of the screen's shorter side."""


def test_few_on_foot_fill_the_screen_between_throws(evening: Evening, screen: Page) -> None:
    evening.join("Brack", standing="notable_npc")
    ada, *others, _, brack = evening.people.values()
    seats = [{"combatant_id": one} for one in (ada, *others, brack)]
    evening.send("start_conflict", kind="personal", combatants=seats, begins=ada)
    evening.send("begin_turn", combatant_id=ada)
    shown(screen, "turn", HIGH, "#fight .fighters { grid-auto-rows: auto !important }")
    assert screen.locator("#fight").evaluate("one => one.scrollHeight <= one.clientHeight")
