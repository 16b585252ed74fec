"""By keyboard alone, and as the accessibility tree has it: order, names, focus that is never lost."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program, until
from tests.e2e.scenes import Evening
from tests.e2e.test_pages import declaring, further, live

PAGES = [
    *("/", "/setup", "/display", "/play", "/gm", "/conflict", "/text", "/join", "/screen", "/tray", "/voice", "/keys"),
    *("/settings", "/me", "/pin", "/reference"),
]
NAMED = {"button", "checkbox", "combobox", "link", "radio", "spinbutton", "textbox", "image", "region"}
MOST_TABS = 80


def tree(page: Page) -> list[dict[str, Any]]:
    """Chromium's accessibility tree, what it ignores left out."""
    session = page.context.new_cdp_session(page)
    nodes: list[dict[str, Any]] = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    return [one for one in nodes if not one.get("ignored")]


def role(node: dict[str, Any]) -> str:
    return str(node["role"]["value"])


def name(node: dict[str, Any]) -> str:
    return str(node.get("name", {}).get("value", "")).strip()


def state(node: dict[str, Any], wanted: str) -> object:
    return next((one["value"].get("value") for one in node.get("properties", []) if one["name"] == wanted), None)


def unnamed(nodes: list[dict[str, Any]]) -> list[str]:
    """The roles of what a screen reader would only call by its kind."""
    return [role(one) for one in nodes if role(one) in NAMED and not name(one)]


def tab_to(page: Page, words: str) -> None:
    """Tab until what has the focus is named so; fail where the keyboard does not come there."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        now = page.evaluate(
            "() => document.activeElement?.innerText || document.activeElement?.labels?.[0]?.innerText || ''"
        )
        if now.strip().startswith(words):
            return
    pytest.fail(f"{words!r} is not reached by Tab")


def misshapen(page: Page) -> list[str]:
    """What a screen reader misses: names, one first heading, levels without gaps, four polite regions and an alert."""
    nodes = tree(page)
    found = [f"a {one} has no name" for one in unnamed(nodes)]
    levels = [int(str(state(one, "level"))) for one in nodes if role(one) == "heading"]
    if not levels[0] == levels.count(1) == 1 or any(after - before > 1 for before, after in itertools.pairwise(levels)):
        found.append(f"headings {levels}")
    regions = [(role(one), state(one, "live"), state(one, "atomic")) for one in nodes if state(one, "live")]
    if (regions.count(("status", "polite", True)), regions.count(("alert", "assertive", True))) != (4, 1):
        found.append(f"regions {regions}")
    return found


@pytest.mark.long
def test_every_page_has_its_outline_its_names_and_four_polite_regions(kiosk: Program, open_page: OpenPage) -> None:
    """In English; in the short form each page in another language, beside what axe finds there."""
    kiosk.send("declare_task", declaration=declaration(set_up(kiosk)))
    page = open_page("/")
    for path in PAGES:
        page.set_viewport_size({"width": 1280 if path == "/display" else 360, "height": 740})
        page.goto(kiosk.address + path)
        if page.locator("#link[data-state]").count():
            live(page)
        assert misshapen(page) == [], path


@pytest.fixture(scope="module")
def standing(standing_kiosk: Program, open_standing: OpenPage) -> Page:
    """A phone's page, about to declare a Task, which is spoiled in the end."""
    set_up(standing_kiosk)
    return further(declaring(live(open_standing("/play")), more=True), "Modifiers and range")


def test_the_same_words_are_said_again_and_what_comes_together_is_said_together(standing: Page) -> None:
    page = standing
    page.evaluate(
        """() => {
            const told = window.told = []; // a run before this one fills its own
            for (const one of document.querySelectorAll('[role=status]'))
                new MutationObserver(() => one.textContent && told.push([one.id, one.textContent]))
                    .observe(one, { childList: true, characterData: true, subtree: true });
        }"""
    )
    for count in (1, 2):
        page.keyboard.press("p")
        page.wait_for_function("count => window.told.length === count", arg=count, polling=50)
    (first, words), (second, again) = page.evaluate("() => window.told")
    assert words == again
    assert first != second, "a region that holds the same words again is not read again"
    page.keyboard.press("p")
    page.keyboard.press("t")
    page.wait_for_function("() => window.told.length === 3", polling=50)
    assert all(part in page.evaluate("() => window.told[2][1]") for part in ("Momentum 0", "No Task is declared yet"))


def test_at_the_begin_of_a_turn_all_that_can_be_done_follows_the_focus(kiosk: Program, open_page: OpenPage) -> None:
    """Blind, by Tab alone: the attack and the other actions stand before the Minor Actions, and behind the focus."""
    evening = Evening(kiosk)
    evening.send("set_up_table", ruleset="core-1e", players=["Ada"])
    evening.join("Lindqvist", weapons=["phaser_type_2"])
    evening.join("Raider Vosk", standing="notable_npc")
    page = live(open_page(f"/play?me={evening.fight('Lindqvist')}"))
    page.get_by_role("button", name="Begin Lindqvist's Turn").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#stage h2:focus")).to_have_text("Lindqvist's Turn")
    passed = []
    for _ in range(4):
        page.keyboard.press("Tab")
        passed.append(page.evaluate("() => document.activeElement.innerText.split('\\n')[0]"))
    assert passed[:2] == ["Attack", "Choose another action"], passed
    assert passed[3] == "Aim", passed


SPOILS = {
    "a combobox has no name": "document.querySelector('#difficulty')?.labels[0]?.remove()",
    "a button has no name": "document.querySelector('main').append(document.createElement('button'))",
    "headings": "document.querySelector('h1')?.remove()",
    "regions": "document.querySelector('[role=alert]')?.remove()",
}
"""What breaks each part of the check."""


def test_the_checks_find_what_is_missing(standing: Page) -> None:
    """Spoiled once more, because what arrives late paints its part of the page anew."""
    assert misshapen(standing) == []
    title = standing.locator("#declare-title").inner_text()

    def regions() -> list[str]:
        return [name(one) for one in tree(standing) if role(one) == "region"]

    until(lambda: title in regions())
    standing.evaluate("() => document.getElementById('declare').removeAttribute('aria-labelledby')")
    until(lambda: title not in regions())

    def found() -> bool:
        standing.evaluate(f"() => {{ {'; '.join(SPOILS.values())}; }}")
        words = " ".join(misshapen(standing))
        return all(one in words for one in SPOILS)

    until(found)


def test_the_gamemaster_raises_threat_by_keyboard_alone(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    before = kiosk.table()["table"]["threat"]
    page = live(open_page("/gm"))
    tab_to(page, "Threat rises")
    page.keyboard.press("Enter")
    tab_to(page, "An Immediate spend paid in Threat")
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    expect(page.get_by_label("A threatening scene, 1 or 2")).to_be_checked()
    tab_to(page, "Gain Threat")
    page.keyboard.press("Enter")
    until(lambda: kiosk.table()["table"]["threat"] == before + 1)
    assert page.evaluate("() => document.activeElement.innerText") == "Gain Threat", "the focus stays where one acts"


def test_a_task_is_played_at_the_tables_screen_by_keyboard_alone(kiosk: Program, open_page: OpenPage) -> None:
    """By the keys that stand for the panel's buttons: on, back, choose, and out again."""
    set_up(kiosk)
    page = live(open_page("/display", 1280, 720))
    caption = page.locator("#menu")

    def find(words: str) -> None:
        for _ in range(30):
            if words in caption.inner_text():
                return
            before = caption.inner_text()
            page.keyboard.press("ArrowDown")
            expect(caption).not_to_have_text(before)
        pytest.fail(f"{words!r} is not in the menu; it says {caption.inner_text()!r}")

    def choose(words: str) -> None:
        find(words)
        before = caption.inner_text()
        page.keyboard.press("Enter")
        expect(caption).not_to_have_text(before)

    page.keyboard.press("ArrowDown")
    expect(caption).to_contain_text("What now?")
    first = caption.inner_text()
    page.keyboard.press("ArrowDown")
    expect(caption).not_to_have_text(first)
    page.keyboard.press("ArrowUp")
    expect(caption).to_contain_text("Declare a Task")
    choose("Declare a Task")
    expect(caption).to_contain_text("Ada Lindqvist")
    page.keyboard.press("Escape")
    expect(caption).to_contain_text("Declare a Task")
    choose("Declare a Task")
    choose("step by step")
    for words in ("Control", "Engineering", "No focus", "Difficulty 1", "Declare it"):
        choose(words)
    until(lambda: kiosk.table()["table"]["request"] is not None)


def test_no_key_enters_a_die_that_nobody_meant(kiosk: Program, open_page: OpenPage) -> None:
    """A Tab from habit skips no die, digits on the pad are the die's, and what is not taken is told."""
    kiosk.send("declare_task", declaration=declaration(set_up(kiosk)))
    page = live(open_page("/play", 1280, 800))
    first, second = (page.get_by_label(f"Die {place} of 2") for place in (1, 2))
    first.focus()
    page.keyboard.type("20")
    expect(second).to_be_focused()
    page.keyboard.press("Tab")
    expect(second, "there already").to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Die 2: 1", exact=True)).to_be_focused()
    page.keyboard.type("7")
    expect(second).to_have_value("7")
    count = page.get_by_role("button", name="Count these dice")
    expect(count, "as where it was typed in its field").to_be_focused()
    page.keyboard.type("9")
    expect(page.locator("[role=status]", has_text="9 is not taken here.")).to_have_count(1)
    assert [first.input_value(), second.input_value()] == ["20", "7"]
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    until(lambda: kiosk.table()["table"]["task"]["outcome"] is not None)
    assert [die["die"]["face"] for die in kiosk.table()["table"]["task"]["dice"]] == [20, 7]


def test_without_script_a_wrong_die_is_told_where_it_was_typed(kiosk: Program, open_page: OpenPage) -> None:
    kiosk.send("declare_task", declaration=declaration(set_up(kiosk)))
    page = open_page("/text", 1280, 800, java_script_enabled=False)
    first, second = (page.get_by_label(f"Die {place} of 2") for place in (1, 2))
    expect(first).to_have_accessible_description(re.compile("Tab goes on to the next die, Enter counts all of them"))
    first.fill("4")
    second.fill("21")
    second.press("Enter")
    expect(second).to_be_focused()
    expect(second).to_have_accessible_description(re.compile("Die 2 cannot show 21: type 1 to 20."))
    assert [first.input_value(), second.input_value()] == ["4", "21"]
    expect(page.get_by_role("alert").filter(has_text="Die 2 cannot show 21")).to_be_in_viewport()
    page.keyboard.press("Control+a")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    until(lambda: kiosk.table()["table"]["task"]["outcome"] is not None)
