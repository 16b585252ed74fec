"""On narrow phones no word is broken in the middle, and the head of a page is one row, its title two lines at most."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.program import Program
from tests.e2e.scenes import EVENINGS, Evening, Scene
from tests.e2e.test_fitting import BROKEN
from tests.e2e.test_pages import live

LANGUAGES = ("en", "de", "es", "fr")
PHONES = ((390, 844), (320, 568))
HIGHEST_HEAD = 60
"""CSS pixels: one row of what is touched, with its edge."""

HEAD = """() => {
    const head = document.querySelector(".station"), range = document.createRange();
    range.selectNodeContents(head.querySelector("h1"));
    return [head.offsetHeight, new Set([...range.getClientRects()].map((one) => Math.round(one.top))).size];
}"""
"""How high the head of a page is, and in how many lines its title stands."""


def play_to(kiosk: Program, scenes: tuple[Scene, ...], last: str) -> Evening:
    """The evening up to the scene of that name."""
    evening = Evening(kiosk)
    for scene in scenes:
        scene.play(evening)
        if scene.name == last:
            break
    return evening


def in_language(kiosk: Program, page: Page, path: str, language: str) -> Page:
    """A page as it is read there, live where it can be."""
    mark = "&" if "?" in path else "?"
    page.goto(f"{kiosk.address}{path}{mark}language={language}")
    expect(page.locator("html")).to_have_attribute("lang", language)
    return live(page) if page.locator("#link").count() else page


def broken(page: Page) -> list[str]:
    """The words of a page that stand on two lines, in both widths, and how much wider than the phone it is."""
    found: list[str] = []
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        found += [f"{width}: {one}" for one in page.evaluate(f"({BROKEN})(document.body)")]
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append(f"{page.url} scrolls sideways at {width}")
    return found


@pytest.mark.parametrize(
    ("number", "scene", "paths"),
    [
        (0, "success", ("/gm", "/play", "/text")),
        (1, "bridge", ("/conflict",)),
        (2, "bridge-2e-breach", ("/conflict", "/gm")),
    ],
)
def test_no_word_is_broken_in_the_middle(
    kiosk: Program, open_page: OpenPage, number: int, scene: str, paths: tuple[str, ...]
) -> None:
    evening = play_to(kiosk, EVENINGS[number], scene)
    me = evening.people["Ada Lindqvist"]
    page = open_page("/healthz", bypass_csp=True)
    for path in paths:
        for language in LANGUAGES:
            assert broken(in_language(kiosk, page, f"{path}?me={me}", language)) == [], (path, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_head_of_a_page_is_one_row(standing_kiosk: Program, open_beside: OpenPage, language: str) -> None:
    page = open_beside("/healthz", bypass_csp=True)
    for path in ("/gm", "/text", "/settings", "/screen", "/colours", "/reference"):
        in_language(standing_kiosk, page, path, language)
        for width, height in PHONES:
            page.set_viewport_size({"width": width, "height": height})
            high, lines = page.evaluate(HEAD)
            assert high <= HIGHEST_HEAD, (path, width)
            assert lines <= 2, (path, width)
