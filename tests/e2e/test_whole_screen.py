"""Nothing on the table's screen is ever cut off, scrolled to or unreadably small, in any scene, on any screen.

The words are two fifths longer than English ones, as no language's are: what holds them holds German and French.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import set_up
from tests.e2e.long_words import LongWorded
from tests.e2e.program import Program, until
from tests.e2e.scenes import EVENINGS, Evening, every_other

SCREENS = {
    "7 inches": ((800, 480), 7.0, 1.0),
    "7 inches, read from afar": ((800, 480), 7.0, 2.0),
    "10 inches": ((1024, 600), 10.1, 1.5),
    "a small television": ((1280, 720), 32.0, 3.0),
    "a television": ((1920, 1080), 43.0, 3.0),
    "upright": ((720, 1280), 24.0, 2.0),
}
"""Viewport, diagonal in inches and distance in metres."""

DIE = Path(__file__).parents[2] / "kiosk" / "static" / "app-192.png"
"""What stands for the camera's picture of a die."""

LEAST_LETTERS = 9.0
"""CSS pixels of the longest words beside a fight; English ones are larger, and `test_distance.py` measures those."""

CUT = """(least) => {
    const found = [];
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight)
        found.push(`the page is ${root.scrollWidth} by ${root.scrollHeight}`);
    const unseen = (one) => one.closest("svg, .unseen, .skip, .controls") || getComputedStyle(one).clipPath !== "none";
    for (const one of document.body.querySelectorAll("*")) {
        if (!one.checkVisibility({ visibilityProperty: true }) || unseen(one)) continue;
        const style = getComputedStyle(one);
        const name = `${one.tagName} ${one.id || one.className}: ${one.textContent.trim().slice(0, 30)}`;
        if (style.overflow !== "visible" && !one.matches("progress")
            && (one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1))
            found.push(`cut off: ${name}`);
        if (style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none") found.push(`may be cut: ${name}`);
        if (![...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())) continue;
        const words = document.createRange();
        words.selectNodeContents(one);
        const { left, top, right, bottom } = words.getBoundingClientRect();
        if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) found.push(`outside: ${name}`);
        if (parseFloat(style.fontSize) < least) found.push(`${parseFloat(style.fontSize).toFixed(1)} px: ${name}`);
    }
    return found;
}"""

AT_REST = """async () => {
    await document.fonts.ready;
    for (let frames = 0, before = ""; frames < 100; frames += 1) {
        await new Promise((done) => setTimeout(() => requestAnimationFrame(done), 30));
        const now = [...document.querySelectorAll("#stage, #fight, #caption, #momentum")]
            .map((one) => JSON.stringify([one.getBoundingClientRect(), one.style.cssText])).join();
        if (now === before) return;
        before = now;
    }
}"""
"""Waits until nothing is made larger or smaller any more."""


SIZED = """async () => {
    const text = await (await fetch("/display.css", { cache: "no-store" })).text();
    const wanted = text.match(/--key: ([^;]+);/)[1];
    const now = () => getComputedStyle(document.documentElement).getPropertyValue("--key").trim();
    const turned = document.documentElement.hasAttribute("data-flip");
    return now() === wanted && turned === TURNED;
}"""
"""Whether the page is laid out as the kiosk has it."""


def faults(page: Page, kiosk: Program, screen: str, *, flip: bool = False) -> list[str]:
    """What is wrong with the page on that screen."""
    (width, height), diagonal, distance = SCREENS[screen]
    if page.viewport_size != {"width": width, "height": height}:
        page.set_viewport_size({"width": width, "height": height})
    kiosk.post("/api/v1/screen", {"diagonal_inches": diagonal, "distance_metres": distance, "flip": flip})
    sized = SIZED.replace("TURNED", str(flip).lower())
    until(lambda: bool(page.evaluate(sized)), 30)
    page.evaluate(AT_REST)
    found: list[str] = page.evaluate(CUT, LEAST_LETTERS)
    return found


@pytest.fixture
def kiosk(tmp_path: Path) -> Iterator[Program]:
    """In the long language."""
    with LongWorded(tmp_path / "data") as program:
        yield program


@pytest.fixture
def display(open_page: OpenPage) -> Page:
    """The table's screen."""
    page = open_page("/display")
    page.route("**/api/v1/pictures/**", lambda route: route.fulfill(path=DIE, content_type="image/png"))
    expect(page.locator("#link")).to_have_attribute("data-state", "live", timeout=30_000)
    return page


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.long), 2])
def test_nothing_is_cut_off_in_any_scene(kiosk: Program, display: Page, number: int, *, whole: bool) -> None:
    """In the short form every other scene on one screen; `test_distance.py` looks at those between.

    Of the two fights of ships it looks at the second edition's.
    """
    played = Evening(kiosk)
    looked_at = every_other(EVENINGS[number], 1)
    turns = [*SCREENS][2 * number :] + [*SCREENS][: 2 * number]
    for place, scene in enumerate(EVENINGS[number]):
        scene.play(played)
        expect(display.locator("#stage")).to_have_attribute("data-kind", scene.kind, timeout=30_000)
        if not whole and scene not in looked_at:
            continue
        screens = max(2, len(EVENINGS[number]) // 3)
        for screen in SCREENS if whole else (turns[place * screens // len(EVENINGS[number])],):
            assert faults(display, kiosk, screen) == [], f"{scene.name} on {screen}"
    if whole or number == 0:
        assert faults(display, kiosk, "7 inches", flip=True) == [], "turned round"


def test_the_checks_fail_on_a_page_made_bad(kiosk: Program, display: Page) -> None:
    set_up(kiosk)
    expect(display.locator("#stage")).to_have_attribute("data-kind", "idle")
    assert faults(display, kiosk, "7 inches") == []
    display.evaluate("() => { document.querySelector('.stage-word').style.height = '2000px'; }")
    assert any("cut off" in one for one in display.evaluate(CUT, LEAST_LETTERS))
    display.evaluate("() => { document.querySelector('.stage-word').style.height = ''; }")
    display.evaluate("() => { document.querySelector('#momentum').style.cssText = 'position: fixed; left: 790px'; }")
    assert any("outside" in one for one in display.evaluate(CUT, LEAST_LETTERS))
    display.evaluate("() => { document.querySelector('#momentum').style.cssText = 'text-overflow: ellipsis'; }")
    assert any("may be cut" in one for one in display.evaluate(CUT, LEAST_LETTERS))
    display.evaluate("() => { document.querySelector('#momentum').style.cssText = 'font-size: 8px'; }")
    assert any("8.0 px" in one for one in display.evaluate(CUT, LEAST_LETTERS))
