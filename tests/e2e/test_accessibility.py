"""Every page, in its main states, passes axe-core; and the same check fails where a page was made bad.

axe is blind to the edges of controls, to type size and to what is announced: those are held in `test_pages` and here.
"""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import declaration, set_up
from tests.e2e.naming import misnamed
from tests.e2e.program import Program, until
from tests.e2e.scenes import draw_map

STANDARDS = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]
RULES = {"color-contrast-enhanced": {"enabled": True}, "target-size": {"enabled": True}}
PAGES = [
    "/",
    "/setup",
    "/display",
    "/play",
    "/gm",
    "/conflict",
    "/text",
    "/join",
    "/me",
    "/pin",
    "/screen",
    "/tray",
    "/camera",
    "/dice",
    "/language",
    "/voice",
    "/keys",
    "/settings",
]
LEAST_TARGET = 48
PATIENCE = 30_000
SPACED = """
html { font-size: 100% } p { margin-bottom: 2em !important }
* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
"""


def violations(page: Page) -> dict[str, list[str]]:
    """What axe finds wrong once nothing moves any more: rule to the elements that break it."""
    page.evaluate("() => { for (const one of document.getAnimations()) one.finish(); }")
    options: dict[str, Any] = {"runOnly": {"type": "tag", "values": STANDARDS}, "rules": RULES}
    options["resultTypes"] = ["violations"]  # of all else, axe tells only that it is so
    found = Axe().run(page, options=options).response
    assert {"color-contrast-enhanced", "target-size"} <= {
        rule["id"] for kind in ("passes", "violations", "inapplicable", "incomplete") for rule in found[kind]
    }, "the rules beyond the tags were run"
    return {rule["id"]: [node["html"] for node in rule["nodes"]] for rule in found["violations"]}


def settled(page: Page) -> Page:
    if page.locator("#link[data-state]").count():
        expect(page.locator("#link")).to_have_attribute("data-state", "live")
    return page


def open_everything(page: Page) -> None:
    """Open what is folded, and let bars that stick go with the page: axe takes what they cover just now for hidden."""
    page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    page.add_style_tag(content=".pools, .undo-bar { position: static !important; }")


def test_every_page_in_every_main_state(kiosk: Program, open_page: OpenPage, *, whole: bool) -> None:
    """The pages on which a table shows; in the short form the others pass in another language, next door."""
    followed = {
        path: open_page(path, *((1280, 720) if path == "/display" else (360, 740)), bypass_csp=True)
        for path in ("/display", "/play", "/gm")
    }
    visited = open_page("/", bypass_csp=True)

    def check(kind: str, paths: list[str]) -> None:
        for path in paths:
            page = followed.get(path, visited)
            if path not in followed:
                page.goto(kiosk.address + path)
            settled(page)
            if path in followed:
                expect(page.locator("#stage")).to_have_attribute("data-kind", kind, timeout=PATIENCE)
            open_everything(page)
            assert violations(page) == {}, f"{path}, {kind}"
            assert misnamed(page) == [], f"{path}, {kind}"

    check("setup", PAGES if whole else ["/setup", "/display", "/play"])
    character = set_up(kiosk)
    check("idle", ["/setup", "/display", "/play", "/gm", "/text"] if whole else ["/gm"])
    kiosk.send("declare_task", declaration=declaration(character, complication_range=2))
    check("ask", ["/display", "/play", "/text"] if whole else ["/play"])
    read = {"kind": "d20", "confidence": 1.0, "state": "read", "source": "manual"}
    doubtful = {**read, "face": None, "state": "doubtful", "guesses": [{"face": 6, "chance": 0.5}]}
    kiosk.send(
        "report_reading", reading={"reading_id": "a", "source": "manual", "dice": [{**read, "face": 4}, doubtful]}
    )
    check("question", ["/display", "/play", "/text"] if whole else ["/display", "/play"])
    kiosk.send("correct_die", position=1, face=20)
    check("outcome", ["/display", "/play", "/gm", "/text"] if whole else ["/display", "/play"])


def test_a_conflict_under_way(kiosk: Program, open_page: OpenPage, *, whole: bool) -> None:
    character = set_up(kiosk)
    kiosk.send("start_conflict", kind="personal", combatants=[{"combatant_id": character}], begins=character)
    kiosk.send("begin_turn", combatant_id=character)
    draw_map(kiosk, [character])
    kiosk.send("strike_hazard", target_id=character, rating=6, reason="Falling rocks")
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[2] * 6)
    for path in ("/conflict", "/display", "/play") if whole else ("/conflict",):
        page = settled(open_page(path, *((1280, 720) if path == "/display" else (360, 740)), bypass_csp=True))
        open_everything(page)
        assert page.locator(".map-picture, #where-told").count(), path
        assert violations(page) == {}, path
        assert misnamed(page) == [], path
    page = open_page("/conflict", 360, 740)
    expect(page.locator(".asked")).to_contain_text("suffers the Injury")
    page.get_by_role("button", name="suffers the Injury").click()
    expect(page.locator(".injury").first).to_have_text("Injured")


@pytest.fixture(scope="module")
def standing(standing_kiosk: Program, open_standing: OpenPage) -> Page:
    """A phone's page that tests spoil, and open again."""
    set_up(standing_kiosk)
    return open_standing("/play", bypass_csp=True)


@pytest.mark.parametrize(
    ("spoil", "rule"),
    [
        ("document.querySelector('#caption, .lead').style.color = '#8090b8'", "color-contrast-enhanced"),
        ("document.querySelector('h1').insertAdjacentHTML('afterend', '<button></button>')", "button-name"),
        ("document.documentElement.removeAttribute('lang')", "html-has-lang"),
        ("document.querySelector('#difficulty').labels[0]?.remove()", "label"),
        ("for (const one of document.querySelectorAll('.step')) one.className = 'tiny'", "target-size"),
    ],
)
def test_the_check_fails_where_a_page_is_made_bad(standing: Page, spoil: str, rule: str) -> None:
    standing.reload()
    page = settled(standing)
    page.add_style_tag(content=".tiny { all: unset; position: relative; height: 12px; width: 12px; margin: -6px; }")

    def found() -> bool:
        """Spoiled once more, because what arrives late paints its part of the page anew."""
        page.evaluate(f"() => {{ {spoil}; }}")
        return rule in violations(page)

    until(found)


def test_a_button_that_is_named_otherwise_than_it_is_written_is_seen(standing: Page) -> None:
    standing.reload()
    page = settled(standing)
    assert misnamed(page) == []
    bad = '<button id="bad" aria-label="End Ada\'s Turn">End the Turn</button>'
    page.evaluate("bad => document.getElementById('main').insertAdjacentHTML('afterbegin', bad)", bad)
    assert misnamed(page) == ["End Ada's Turn: End the Turn"]


def test_small_large_spaced_and_forced(kiosk: Program, open_page: OpenPage, *, whole: bool) -> None:
    """Reflow at 320 px (1.4.10), text at twice its size (1.4.4), spaced text (1.4.12), targets of 48 px (2.5.5)."""
    character = set_up(kiosk)
    draw_map(kiosk, [character])
    page = open_page("/", 320, 640, bypass_csp=True)
    for path in PAGES if whole else PAGES[1:8]:
        if path == "/text":
            kiosk.send("declare_task", declaration=declaration(character))
        page.goto(kiosk.address + path)
        settled(page)
        open_everything(page)
        for width, content in ((320, ""), (640, "html { font-size: 200% }"), (320, SPACED)):
            page.set_viewport_size({"width": width, "height": 640})
            if content:
                page.add_style_tag(content=content)
            assert page.evaluate("() => document.documentElement.scrollWidth") <= width, f"{path} {content}"
        assert small_targets(page) == [], path


def small_targets(page: Page) -> list[str]:
    """What is touched and lower than a finger needs; links within a sentence are exempt (WCAG 2.5.5)."""
    found: list[str] = page.evaluate(
        """least => {
            const sentence = (link) => [...link.closest('p, li, dd, td, div, nav, section, main').childNodes]
                .some(one => one.nodeType === Node.TEXT_NODE && one.textContent.trim());
            const alone = [...document.querySelectorAll('a:not(.skip)')].filter(one => !sentence(one));
            const others = document.querySelectorAll('button, select, summary, .button, .choice label, .check, input');
            return [...others, ...alone]
                .filter(one => !['radio', 'checkbox', 'hidden'].includes(one.type) && one.checkVisibility())
                .filter(one => one.getBoundingClientRect().height < least).map(one => one.outerHTML);
        }""",
        LEAST_TARGET,
    )
    return found


def test_a_small_link_that_stands_alone_is_seen_and_one_within_a_sentence_is_not(standing: Page) -> None:
    standing.reload()
    page = settled(standing)
    page.evaluate(
        """() => document.getElementById('main').insertAdjacentHTML('afterbegin',
            '<p><a id="alone" href="/">alone</a></p><p>Within <a href="/">a sentence</a>.</p>')"""
    )
    small = small_targets(page)
    assert len(small) == 1
    assert 'id="alone"' in small[0]


def test_nothing_moves_for_those_who_asked_for_it_and_forced_colours_keep_the_words(
    kiosk: Program, open_page: OpenPage
) -> None:
    character = set_up(kiosk)
    page = settled(open_page("/display", 1280, 720, reduced_motion="reduce", forced_colors="active"))
    kiosk.send("declare_task", declaration=declaration(character))
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[20, 20])
    expect(page.locator(".stage-word")).to_have_text("Failure")
    assert page.evaluate("() => document.getAnimations().length") == 0
    assert page.locator(".die").first.evaluate("die => getComputedStyle(die).borderTopStyle") == "dashed"


def test_edges_of_controls_stand_out(kiosk: Program, open_page: OpenPage) -> None:
    """1.4.11: at least 3:1 against the ground, in every theme."""
    set_up(kiosk)
    page = settled(open_page("/play", bypass_csp=True))
    page.add_style_tag(content="* { transition: none !important; }")
    contrast = """theme => {
        document.documentElement.dataset.theme = theme;
        const light = (colour) => {
            const [r, g, b] = colour.match(/\\d+/g).map(Number).map(v => v / 255)
                .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ground = light(getComputedStyle(document.documentElement).backgroundColor);
        return [...document.querySelectorAll('button:not(.main-action), input, select, .check')]
            .filter(one => one.checkVisibility() && !['radio', 'checkbox'].includes(one.type))
            .map(one => light(getComputedStyle(one).borderTopColor))
            .map(edge => (Math.max(edge, ground) + 0.05) / (Math.min(edge, ground) + 0.05));
    }"""
    for theme in ("dark", "light", "black-yellow"):
        ratios = page.evaluate(contrast, theme)
        assert len(ratios) >= 8
        assert min(ratios) >= 3, theme


def test_focus_is_never_under_a_bar(kiosk: Program, open_page: OpenPage) -> None:
    """2.4.11: whatever has the focus can be seen."""
    set_up(kiosk)
    page = settled(open_page("/play", 360, 640))
    seen = 0
    for _ in range(40):
        page.keyboard.press("Tab")
        hidden = page.evaluate(
            """() => {
                const one = document.activeElement;
                if (one === document.body) return null;
                const at = one.getBoundingClientRect();
                const top = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
                return one === top || one.contains(top) || top?.contains(one) ? "" : one.outerHTML;
            }"""
        )
        if hidden is not None:
            seen += 1
            assert hidden == ""
    assert seen > 20


def test_the_other_themes_keep_their_contrast(kiosk: Program, open_page: OpenPage, *, whole: bool) -> None:
    character = set_up(kiosk)
    kiosk.send("declare_task", declaration=declaration(character))
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[4, 20])
    for path, themes in (("/display", ("light", "black-yellow")), ("/play", ("black-yellow", "light"))):
        page = settled(open_page(path, 1280, 720, bypass_csp=True))
        page.add_style_tag(content="* { transition: none !important; }")
        open_everything(page)
        for theme in themes if whole else themes[:1]:
            page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
            assert violations(page) == {}, f"{path}, {theme}"
