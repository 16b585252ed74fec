"""What a finger or an eye is on stays where it is, and nothing lies over it: phone, the panel's screen, laptop."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program
from tests.e2e.test_bridge import posted
from tests.e2e.test_pages import declaring, live

PANEL = (1024, 600)
LAPTOP = (1366, 768)


def top(place: Locator) -> float:
    return float(place.evaluate("one => one.getBoundingClientRect().top"))


def lines(place: Locator) -> list[int]:
    """How many lines the words of each element take."""
    found: list[int] = place.evaluate_all(
        """all => all.map((one) => {
            const range = document.createRange();
            range.selectNodeContents(one);
            return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 4))).size;
        })"""
    )
    return found


def test_no_form_moves_while_somebody_fills_it_in(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    phone = declaring(live(open_page("/play", 390, 844)))
    phone.get_by_label("A focus applies").check()
    expect(phone.locator("#declaring")).to_contain_text("focus")
    for difficulty in (3, 1):
        phone.evaluate("scrollTo(0, 57)")
        before = top(phone.locator("#attribute"))
        kiosk.send("set_difficulty", difficulty=difficulty)
        expect(phone.locator("#difficulty")).to_have_value(str(difficulty))
        phone.wait_for_timeout(300)  # whatever would move it has come
        assert top(phone.locator("#attribute")) == before
    assert lines(phone.locator(".check:has(#focus) span")) == [1], "ticked, too"


def test_on_the_panel_nothing_lies_over_the_form_and_the_throw_is_in_sight(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    kiosk.send("adjust_pool", pool="threat", change=1)
    panel = declaring(live(open_page("/play", *PANEL)))
    panel.evaluate("scrollTo(0, 40)")
    box = panel.locator("#declare .ready").bounding_box()
    assert box
    assert box["y"] + box["height"] == PANEL[1], "no row of the form looks out below it"
    assert max(lines(panel.locator(".check span"))) == 1
    panel.locator("#declare-now").click()
    expect(panel.get_by_label("Die 1 of 2")).to_be_focused()
    for place in ("#stage .facts", "#entered .entry", "#entered .pad", "#entered .main-action"):
        expect(panel.locator(place)).to_be_in_viewport(ratio=1)


ABOVE = """([one, other]) => {
    const { left, top, width, height } = document.querySelector(one).getBoundingClientRect();
    const there = document.elementsFromPoint(left + width / 2, top + height / 2);
    const at = (name) => there.findIndex((each) => each.closest(name));
    return at(other) >= 0 && at(other) < at(one);
}"""
"""Whether the middle of one element is covered by another that can be seen."""


def test_the_gamemasters_bar_lies_over_the_pools_and_not_under_them(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    page = live(open_page("/gm", *LAPTOP))
    page.locator("#waits").evaluate("one => { one.style.minHeight = `${innerHeight - 150}px`; }")  # many ask at once
    assert page.evaluate(ABOVE, ["#pool-taps", "#undo-bar"])
    ground = "getComputedStyle(document.querySelector('#dial')).backgroundColor"
    assert page.evaluate(ground) == page.evaluate(
        "getComputedStyle(document.querySelector('#undo-bar')).backgroundColor"
    )


def test_a_hidden_roll_is_said_to_be_hidden_in_sight(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    page = live(open_page("/gm", *LAPTOP))
    page.locator("#declare-open").click()
    expect(page.locator("#declare-now")).to_be_visible()
    page.evaluate("scrollTo(0, 400)")
    page.get_by_role("button", name="Roll it hidden").click()
    expect(page.locator("#hidden .entry input").first).to_be_focused()
    pools = page.locator("#pool-taps").bounding_box()
    assert pools
    assert top(page.locator("#hidden-title")) >= pools["y"] + pools["height"]


def test_what_is_first_is_filled_wholly_and_a_complication_is_as_large_as_its_neighbours(
    kiosk: Program, open_page: OpenPage
) -> None:
    character = set_up(kiosk)
    page = live(open_page("/gm", *LAPTOP))
    kiosk.send("declare_task", declaration=declaration(character))
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[12, 20])
    kiosk.send("take_complication", name="Smoke")
    faces = page.locator("#stage .die > .die-face")
    expect(faces).to_have_count(2)
    assert len(set(faces.evaluate_all("all => all.map(one => one.getBoundingClientRect().width)"))) == 1
    gap = page.locator(".die[data-mark=complication] .die-words").evaluate(
        "one => getComputedStyle(one, '::before').content"
    )
    assert gap == '"▲\u00a0"'
    posted(kiosk, "fight", kind="personal", many_hired_blade="1")
    foe = next(one for one in kiosk.table()["table"]["characters"] if one["standing"] != "player")
    kiosk.send("begin_turn", combatant_id=foe["character_id"])
    page.get_by_role("button", name="Movement into Ada Lindqvist's Reach").click()
    first = page.locator(".deeds > .action:has(> .main-action)")
    expect(first).to_be_visible()
    tile, filled = first.bounding_box(), first.locator("> summary").bounding_box()
    assert tile
    assert filled
    assert tile["height"] - filled["height"] <= 2 + 1, "all but its frame"


def test_the_map_of_a_fight_is_named_in_one_line_on_a_laptop(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    page = live(open_page("/conflict", *LAPTOP))
    assert lines(page.locator("summary", has_text=re.compile("^Map"))) == [1]


def test_german_names_of_dice_and_pools_keep_their_line(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    kiosk.send("adjust_pool", pool="threat", change=6)
    kiosk.send("adjust_pool", pool="momentum", change=6)
    phone: Page = live(open_page("/play", 390, 844, locale="de-DE"))
    pools = phone.locator("main > .pools .pool")
    assert len(set(pools.evaluate_all("all => all.map(one => one.getBoundingClientRect().top)"))) == 1
    kiosk.send("declare_challenge", count=7, label="Schaden")
    labels = phone.locator("#entered .entry label")
    expect(labels).to_have_count(7)
    assert max(lines(labels)) == 1
