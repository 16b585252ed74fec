"""Pages in a language with longer words, and in one that is written from the right.

Nothing scrolls sideways, nothing is cut off, and no English word is left; each check is tried on a page made bad.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import OpenPage, pages_of
from tests.e2e.crew import declaration, set_up
from tests.e2e.long_words import LongWorded, longer
from tests.e2e.naming import misnamed
from tests.e2e.program import Program
from tests.e2e.test_accessibility import unfitting
from tests.e2e.test_by_keyboard import misshapen

PAGES: Final = ["/", "/setup", "/gm", "/conflict", "/text", "/join", "/screen", "/tray"]

NAMES: Final = {
    *("Ada", "Lindqvist", "Ben", "Transporters", "Nobody", "left", "behind"),  # what `crew.py` has people type
    *("trueroll", "English", "Esperanto"),
}
"""Words that are nobody's language: names at the table and what people typed."""

LEFT: Final = """names => {
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const parent = node.parentElement;
        if (parent.closest("script, style, textarea, noscript, option, code, .code")) continue;
        if (!parent.checkVisibility()) continue;
        for (const [word] of node.data.replaceAll(/(?<![^\\s\u2068])\\/\\S+/g, "").matchAll(/[A-Za-z]{3,}/g)) {
            if (!names.includes(word)) found.push(`${word} in ${node.data.trim()}`);
        }
    }
    for (const name of ["aria-label", "alt", "placeholder"]) {
        for (const one of document.querySelectorAll(`[${name}]`)) {
            const words = one.getAttribute(name).match(/[A-Za-z]{3,}/g)?.filter((word) => !names.includes(word));
            if (one.checkVisibility() && words?.length) found.push(`${words[0]} in ${name}`);
        }
    }
    return found;
}"""
"""English words that are seen, but for the paths of files."""

CUT: Final = """() => {
    const cut = [];
    for (const one of document.body.querySelectorAll("*")) {
        if (!one.checkVisibility({ visibilityProperty: true })) continue;
        if (one.closest(".unseen, svg, select, input, textarea, .skip")) continue;
        const { display, clipPath } = getComputedStyle(one);
        if (one.scrollWidth <= one.clientWidth + 1 || display === "inline" || clipPath === "inset(50%)") continue;
        cut.push(`${one.tagName}.${one.className} ${one.scrollWidth} > ${one.clientWidth}: ${one.textContent.trim()}`);
    }
    return cut;
}"""
"""What is seen, and wider than its own box."""

Opened = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    """Opens pages of a kiosk, with all unfolded; a script that fails there fails the test."""
    tabs: dict[str, OpenPage] = {}
    pages: dict[tuple[str, bool], Page] = {}
    with ExitStack() as closing:

        def open_it(kiosk: Program, path: str, width: int, height: int) -> Page:
            """In one tab for each kiosk, and one for the display beside it."""
            key = (kiosk.address, path == "/display")
            if kiosk.address not in tabs:
                tabs[kiosk.address] = closing.enter_context(pages_of(browser, kiosk))
            if key in pages:
                pages[key].set_viewport_size({"width": width, "height": height})
                pages[key].goto(kiosk.address + path)
            else:
                pages[key] = tabs[kiosk.address](path, width, height, bypass_csp=True)
            page = pages[key]
            if page.locator("#link[data-state]").count():
                expect(page.locator("#link")).to_have_attribute("data-state", "live", timeout=20_000)
            page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
            return page

        yield open_it


def faults(page: Page, width: int) -> list[str]:
    """What is wrong with a page as it stands."""
    found: list[str] = page.evaluate(CUT)
    if page.evaluate("() => document.documentElement.scrollWidth") > width:
        found.append(f"{page.url} scrolls sideways")
    return found


def faultless(page: Page, width: int) -> None:
    assert faults(page, width) == [], page.url
    assert page.evaluate(LEFT, list(NAMES)) == [], page.url


def well_made(page: Page) -> None:
    """Its names, outline and targets, as `test_accessibility_in_languages.py` asks them of all other pages."""
    assert [*misnamed(page), *misshapen(page), *unfitting(page)] == [], page.url


def test_every_page_holds_longer_words_in_the_direction_of_reading(
    tmp_path: Path, opened: Opened, *, whole: bool
) -> None:
    """In the short form each page in one direction, and a phone and the table's screen from the right.

    From the left `test_whole_screen.py` has the screen in every scene in the same words.

    What overhangs to the left counts as cut off from the right: the stage must not be made smaller for an ornament.
    """
    fits = []
    for direction, sign in (("ltr", 1), ("rtl", -1)):
        with LongWorded(tmp_path / direction, direction) as kiosk:
            character = set_up(kiosk)
            for path in PAGES if whole else PAGES[direction == "rtl" :: 2]:
                faultless(page := opened(kiosk, path, 320, 640), 320)
                assert page.locator("html").get_attribute("dir") == direction
                well_made(page)
            display = opened(kiosk, "/display", 1280, 720)
            looked_at = [(display, 1280)]
            if whole or direction == "rtl":
                looked_at.append((opened(kiosk, "/play", 320, 640), 320))
                faultless(looked_at[-1][0], 320)
            for page, width in looked_at:
                page.set_viewport_size({"width": max(width, 900), "height": 720})
                assert sign * (middle(page, "#threat") - middle(page, "#momentum")) > 0, f"pools, {direction}, {width}"
                page.set_viewport_size({"width": width, "height": 720 if page is display else 640})
            expect(display.locator(".stage-word")).to_have_text(longer("Ready"))
            kiosk.send("declare_task", declaration=declaration(character, complication_range=2))
            for page, width in looked_at:
                expect(page.locator("#stage")).to_have_attribute("data-kind", "ask", timeout=20_000)
                faultless(page, width)
            fits.append(display.locator("#stage").evaluate("one => Number(one.style.getPropertyValue('--fit') || 1)"))
            if whole or direction == "rtl":
                kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[20, 1])
                for page, width in looked_at:
                    expect(page.locator("#stage")).to_have_attribute("data-kind", "outcome", timeout=20_000)
                    faultless(page, width)
            for page, _ in looked_at:
                page.goto(f"{kiosk.address}/healthz")
    assert fits[1] >= 0.9 * fits[0]


def middle(page: Page, place: str) -> float:
    """Where the middle of something is, from the left."""
    box = page.locator(place).bounding_box()
    assert box is not None, place
    return float(box["x"] + box["width"] / 2)


@pytest.fixture
def kiosk(tmp_path: Path) -> Iterator[Program]:
    with LongWorded(tmp_path / "data") as program:
        yield program


def test_the_checks_fail_on_a_page_made_bad(kiosk: Program, opened: Opened) -> None:
    set_up(kiosk)
    page = opened(kiosk, "/play", 320, 640)
    assert faults(page, 320) == []
    page.evaluate("() => { document.querySelector('h1').textContent = 'Player'; }")
    assert page.evaluate(LEFT, list(NAMES)) == ["Player in Player"]
    page.evaluate("() => { document.querySelector('#pools').ariaLabel = 'Less of it'; }")
    assert page.evaluate(LEFT, list(NAMES)) == ["Player in Player", "Less in aria-label"]
    narrow = "width: 20px; overflow: hidden; white-space: nowrap"
    page.evaluate(f"() => {{ document.querySelector('#declare-open').style.cssText = '{narrow}'; }}")
    assert any("declare-open" in one or "main-action" in one for one in faults(page, 320))
    page.evaluate("() => { document.querySelector('#caption').style.minWidth = '400px'; }")
    assert any("scrolls sideways" in one for one in faults(page, 320))
