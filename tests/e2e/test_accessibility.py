"""Every page, in its main states, passes axe-core; and the same check fails where a page was made bad.

axe is blind to the edges of controls, to type size and to what is announced: those are held in `test_pages` and here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from kiosk.settings import Theme
from tests.e2e.conftest import OpenPage
from tests.e2e.crew import declaration, set_up
from tests.e2e.naming import misnamed
from tests.e2e.program import Program, until
from tests.e2e.scenes import draw_map
from tests.e2e.test_pages import declaring, further

STANDARDS = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]
RULES = {
    "color-contrast-enhanced": {"enabled": True},
    "color-contrast": {"enabled": False},  # the enhanced one asks the same of the same letters, and more
    "target-size": {"enabled": True},
}
CONTRAST = RULES | {"target-size": {"enabled": False}}
"""What is asked of what axe calls colours, alone."""

BUT_COLOURS = RULES | {"color-contrast-enhanced": {"enabled": False}}
"""What is asked where the colours are those of pages that are looked at here; `make axe` asks all of all."""

WORDS_AND_ROLES = BUT_COLOURS | {"target-size": {"enabled": False}}
"""What is asked besides where targets are measured, too: that axe does the same takes two thirds of its time."""

AXE = Axe()
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
    "/reference",
    "/settings",
    "/colours",
]
LEAST_TARGET = 48
PATIENCE = 30_000
SPACED = """
html { font-size: 100% } p { margin-bottom: 2em !important }
* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
"""


LEAVE = """() => {
    axe.configure({ rules: [{ id: "color-contrast-enhanced", selector: ":not([data-alike])" }] });
    const grounds = new Map([[null, ""]]);
    const ground = (one) => {
        if (!grounds.has(one)) {
            const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode } = getComputedStyle(one);
            const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode].join();
            const below = ground(one.parentElement);
            grounds.set(one, own === "rgba(0, 0, 0, 0),none,1,none,normal" ? below : `${below}/${own}`);
        }
        return grounds.get(one);
    };
    const seen = new Map();
    for (const one of document.querySelectorAll("body *")) {
        const own = [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
        const text = own.map((node) => node.data.trim()).join("");
        if (text || one.matches("input, select, textarea")) {
            const { color, fontSize, fontWeight, textShadow, position, clipPath, visibility } = getComputedStyle(one);
            const look = [
                ground(one), color, fontSize, fontWeight, textShadow, position, clipPath, visibility, text.length > 1,
                one.tagName, one.type, one.className, one.parentElement.className,
                one.matches(":disabled, :disabled *"), one.checkVisibility(),
            ].join();
            seen.set(look, (seen.get(look) ?? 0) + 1);
            if (seen.get(look) <= 2) continue;
        }
        one.dataset.alike = "";
    }
}"""
"""Leaves two of all letters that look alike to the rule of contrast: it takes four fifths of a long page's time."""

LOOK = f"""async ([within, options, alike]) => {{
    for (const one of document.getAnimations()) one.finish();
    if (!("axe" in window)) return null;
    if (alike) ({LEAVE})();
    const found = await axe.run(within, options);
    if (alike) document.querySelectorAll("[data-alike]").forEach((one) => delete one.dataset.alike);
    const ran = [found.passes, found.violations, found.inapplicable, found.incomplete].flat().map((rule) => rule.id);
    return {{ ran, broken: found.violations.map((rule) => [rule.id, rule.nodes.map((node) => node.html)]) }};
}}"""
"""Has axe look once nothing moves any more: the rules that were run, and those that are broken, with the elements that
break them. Nothing where axe was not loaded."""


def violations(
    page: Page,
    standards: Sequence[str] = STANDARDS,
    rules: Mapping[str, Mapping[str, bool]] = RULES,
    *,
    each: bool = False,
    within: str = "html",
) -> dict[str, list[str]]:
    """What axe finds wrong `within` that element once nothing moves any more: rule to the elements that break it.

    Contrast is measured of two of those that look alike, class, letters and ground; of `each` where that is asked for.
    """
    options: dict[str, Any] = {"runOnly": {"type": "tag", "values": standards}, "rules": rules}
    options["resultTypes"] = ["violations"]  # of all else, axe tells only that it is so
    options["selectors"] = False  # how to find an element costs more than its HTML, which tells as much
    asked = [within, options, rules["color-contrast-enhanced"]["enabled"] and not each]
    found = page.evaluate(LOOK, asked)
    if found is None:
        page.evaluate(AXE.axe_script)
        found = page.evaluate(LOOK, asked)
    assert {rule for rule, wanted in rules.items() if wanted["enabled"]} <= set(found["ran"]), (
        "the rules beyond the tags were run"
    )
    return dict(found["broken"])


def settled(page: Page) -> Page:
    if page.locator("#link[data-state]").count():
        expect(page.locator("#link")).to_have_attribute("data-state", "live")
    return page


def open_everything(page: Page) -> None:
    """Open what is folded, and let bars that stick go with the page: axe takes what they cover just now for hidden."""
    page.evaluate("""() => {
        for (const one of document.querySelectorAll('details')) {
            one.removeAttribute('name'); // of those with one name only one is open
            one.open = true;
        }
    }""")
    bars = ".pools, .undo-bar, .tabs, .main-action, #actions form:has(> .main-action)"
    page.add_style_tag(content=f"{bars} {{ position: static !important; }}")


def test_every_page_in_every_main_state(kiosk: Program, open_page: OpenPage, *, whole: bool) -> None:
    """The pages on which a table shows; in the long form in every theme, whose colours `test_colours` measures."""
    followed = {
        path: open_page(path, *((1280, 720) if path == "/display" else (360, 740)), bypass_csp=True)
        for path in ("/display", "/play", "/gm")
    }
    visited = open_page("/setup", bypass_csp=True)

    def check(kind: str, paths: list[str]) -> None:
        for path in paths:
            page = followed.get(path, visited)
            if path not in followed and not page.url.endswith(path):
                page.goto(kiosk.address + path)
            settled(page)
            if path in followed:
                expect(page.locator("#stage")).to_have_attribute("data-kind", kind, timeout=PATIENCE)
            open_everything(page)
            assert violations(page, each=whole) == {}, f"{path}, {kind}"
            assert misnamed(page) == [], f"{path}, {kind}"

    check("setup", ["/setup", *PAGES] if whole else ["/setup", "/display"])
    character = set_up(kiosk)
    check("idle", ["/setup", "/display", "/play", "/gm", "/text"] if whole else ["/gm"])
    kiosk.send("declare_task", declaration=declaration(character, complication_range=2))
    check("ask", ["/display", "/play", "/text"] if whole else [])  # `test_phones` has a pad, upright and on its side
    read = {"kind": "d20", "confidence": 1.0, "state": "read", "source": "manual"}
    doubtful = {**read, "face": None, "state": "doubtful", "guesses": [{"face": 6, "chance": 0.5}]}
    kiosk.send(
        "report_reading", reading={"reading_id": "a", "source": "manual", "dice": [{**read, "face": 4}, doubtful]}
    )
    check("question", ["/display", "/play", "/text"] if whole else ["/play"])
    kiosk.send("correct_die", position=1, face=20)
    check("outcome", ["/display", "/play", "/gm", "/text"] if whole else [])
    for path in ("/display", "/play") if whole else ():
        page = followed[path]
        expect(page.locator("#stage")).to_have_attribute("data-kind", "outcome", timeout=PATIENCE)
        page.add_style_tag(content="* { transition: none !important; }")
        open_everything(page)
        for theme in get_args(Theme):
            page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
            assert violations(page, each=True) == {}, f"{path}, {theme}"


def test_a_conflict_under_way(kiosk: Program, open_page: OpenPage, *, whole: bool) -> None:
    character = set_up(kiosk)
    kiosk.send("start_conflict", kind="personal", combatants=[{"combatant_id": character}], begins=character)
    kiosk.send("begin_turn", combatant_id=character)
    draw_map(kiosk, [character])
    kiosk.send("strike_hazard", target_id=character, rating=6, reason="Falling rocks")
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[2] * 6)
    for path in ("/display", "/play", "/conflict") if whole else ("/conflict",):
        page = settled(open_page(path, *((1280, 720) if path == "/display" else (360, 740)), bypass_csp=True))
        open_everything(page)
        assert page.locator(".map-picture, #where-told").count(), path
        assert violations(page, each=whole) == {}, path
        assert misnamed(page) == [], path
    expect(page.locator("#stage")).to_contain_text("suffer the Injury")
    page.get_by_role("button", name="suffers the Injury").click()
    expect(page.locator(".injury").first).to_have_text("Injured")


SPOILS = {
    "color-contrast-enhanced": "document.querySelector('#odds, .lead').style.color = '#8090b8'",
    "button-name": "document.querySelector('h1').insertAdjacentHTML('afterend', '<button></button>')",
    "html-has-lang": "document.documentElement.removeAttribute('lang')",
    "label": "document.querySelector('#reason1')?.labels[0]?.remove()",
    "target-size": "for (const one of document.querySelectorAll('.part-of')) one.className = 'tiny'",
}
"""What breaks each rule."""


@pytest.fixture(scope="module")
def standing(standing_kiosk: Program, open_standing: OpenPage) -> Page:
    """A phone's page without fault, about to declare a Task, which tests spoil."""
    set_up(standing_kiosk)
    page = further(declaring(settled(open_standing("/play", bypass_csp=True)), more=True), "Modifiers and range")
    assert small_targets(page) == []
    assert misnamed(page) == []
    return page


def test_edges_of_controls_stand_out(standing: Page) -> None:
    """1.4.11: at least 3:1 against the ground, in every theme."""
    page = standing
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
    for theme in get_args(Theme):
        ratios = page.evaluate(contrast, theme)
        assert len(ratios) >= 8
        assert min(ratios) >= 3, theme
    page.evaluate("() => { delete document.documentElement.dataset.theme; }")


def test_focus_is_never_under_a_bar(standing: Page) -> None:
    """2.4.11: whatever has the focus can be seen."""
    page = standing
    page.set_viewport_size({"width": 360, "height": 640})
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


def test_the_checks_fail_where_a_page_is_made_bad(standing: Page) -> None:
    """Spoiled once more, because what arrives late paints its part of the page anew."""
    standing.add_style_tag(content=".tiny { all: unset; position: relative; height: 12px; width: 12px; margin: -6px; }")

    def found() -> bool:
        open_everything(standing)
        standing.evaluate(f"() => {{ {'; '.join(SPOILS.values())}; }}")
        return violations(standing).keys() >= SPOILS.keys()

    until(found)


def test_a_button_that_is_named_otherwise_than_it_is_written_is_seen(standing: Page) -> None:
    bad = '<button id="bad" aria-label="End Ada\'s Turn">End the Turn</button>'
    standing.evaluate("bad => document.getElementById('main').insertAdjacentHTML('afterbegin', bad)", bad)
    assert "End Ada's Turn: End the Turn" in misnamed(standing)


@pytest.mark.long
def test_small_large_and_spaced(kiosk: Program, open_page: OpenPage) -> None:
    """In English; in the short form each page in another language."""
    character = set_up(kiosk)
    draw_map(kiosk, [character])
    page = open_page("/", 320, 640, bypass_csp=True)
    for path in PAGES:
        if path == "/text":
            kiosk.send("declare_task", declaration=declaration(character))
        page.goto(kiosk.address + path)
        settled(page)
        open_everything(page)
        assert unfitting(page) == [], path


def unfitting(page: Page) -> list[str]:
    """Reflow at 320 px (1.4.10), text at twice its size (1.4.4), spaced text (1.4.12), targets of 48 px (2.5.5)."""
    found = []
    for width, content in ((320, ""), (640, "html { font-size: 200% }"), (320, SPACED)):
        page.set_viewport_size({"width": width, "height": 640})
        if content:
            page.add_style_tag(content=content)
        if page.evaluate("() => document.documentElement.scrollWidth") > width:
            found.append(f"wider than {width} {content}")
    return [*found, *small_targets(page)]


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
    standing.evaluate(
        """() => document.getElementById('main').insertAdjacentHTML('afterbegin',
            '<p><a id="alone" href="/">alone</a></p><p>Within <a id="within" href="/">a sentence</a>.</p>')"""
    )
    small = small_targets(standing)
    assert any('id="alone"' in one for one in small)
    assert not any('id="within"' in one for one in small)
