"""How phones join, and what is wrong, have their places on the display, whenever either comes."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import pages_of
from tests.e2e.crew import declaration, set_up
from tests.e2e.test_fitting import BROKEN
from tests.e2e.test_whole_screen import AT_REST
from tests.e2e.warm import WarmProgram

PATIENCE = 60_000

OVERLAPS = """() => {
    const shown = [...document.querySelectorAll(".pool dt, .pool dd")].filter((one) => one.checkVisibility());
    const words = shown.map((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return [one.textContent, range.getBoundingClientRect()];
    });
    return [...document.querySelectorAll(".controls button")].flatMap((button) => {
        const own = button.getBoundingClientRect();
        const beside = (word) => word.left >= own.right || own.left >= word.right;
        const apart = (word) => beside(word) || word.top >= own.bottom || own.top >= word.bottom;
        return words.filter(([, word]) => !apart(word)).map(([text]) => `${text} under ${button.textContent}`);
    });
}"""
"""The pools' words that lie under a button."""


CODE_SHARE = """() => {
    const { width, height } = document.querySelector("#join .qr").getBoundingClientRect();
    return (width * height) / (innerWidth * innerHeight);
}"""
"""How much of the screen the code to scan takes."""

MOST_OF_A_SMALL_CODE = 0.03
"""The most of it once everybody is in: a phone reads it from nearby."""


def test_a_display_that_was_open_already_shows_how_to_join(browser: Browser, tmp_path: Path) -> None:
    settings = tmp_path / "trueroll.toml"
    settings.write_text("[server]\nopen_to_network = false\n")
    off = ("--camera", "off", "--tray", "off")
    with (
        WarmProgram(tmp_path / "data", "--config", str(settings), *off) as kiosk,
        pages_of(browser, kiosk) as opened,
    ):
        character = set_up(kiosk)
        page = opened("/display", 1280, 720)
        expect(page.locator("#link")).to_have_attribute("data-state", "live", timeout=PATIENCE)
        expect(page.locator("#join")).to_be_hidden()
        kiosk.stop()
        expect(page.locator("#link")).to_have_attribute("data-state", "stale", timeout=PATIENCE)
        settings.write_text("[server]\nopen_to_network = true\n")
        kiosk.start()
        expect(page.locator("#join svg")).to_be_visible(timeout=PATIENCE)
        expect(page.locator("#invitation")).to_contain_text("/join")
        kiosk.send("declare_task", declaration=declaration(character))
        kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[4, 12])
        expect(page.locator("#join")).to_be_hidden()
        expect(page.locator("#invitation")).to_be_visible()
        kiosk.send("start_scene", name="Deck 13")
        expect(page.locator("#join .code")).to_be_visible()
        expect(page.locator("#invitation"), "the card says it").to_be_hidden()
        assert page.evaluate(CODE_SHARE) > MOST_OF_A_SMALL_CODE, "somebody is still to come"
        small = "(one) => { one.removeAttribute('data-first'); one.setAttribute('data-in', ''); }"
        page.locator("#join").evaluate(small)  # as the kiosk has it once everybody is in
        assert page.evaluate(CODE_SHARE) < MOST_OF_A_SMALL_CODE
        expect(page.locator("#invitation"), "the first line has its words").to_be_visible()


@pytest.mark.parametrize("language", ["de", pytest.param("es", marks=pytest.mark.long)])
def test_everything_has_its_place_with_a_notice_a_code_and_traits(
    browser: Browser, tmp_path: Path, language: str
) -> None:
    settings = tmp_path / "trueroll.toml"
    settings.write_text(f'[server]\nopen_to_network = true\n[language]\nroom = "{language}"\n')
    lost = ("--camera", "/dev/video-over-the-table", "--tray", "off")
    with (
        WarmProgram(tmp_path / "data", "--config", str(settings), *lost) as kiosk,
        pages_of(browser, kiosk) as opened,
    ):
        set_up(kiosk)
        kiosk.send("add_trait", name="Ion storm")
        page = opened("/display", 1280, 720)
        expect(page.locator("#troubles > span")).to_have_count(1, timeout=PATIENCE)
        expect(page.locator("#scene-traits")).to_contain_text("Ion storm")
        for width, height in ((1920, 1080), (1080, 1920), (800, 480)):
            page.set_viewport_size({"width": width, "height": height})
            expect(page.locator("#controls")).to_be_visible(timeout=PATIENCE)
            page.evaluate(AT_REST)
            notice = page.locator("#troubles").bounding_box()
            assert notice is not None
            assert notice["width"] == width
            assert notice["height"] < height / 8
            assert page.evaluate(OVERLAPS) == []
            assert page.evaluate(f"({BROKEN})(document.body)") == []
        page.locator("#controls").evaluate("one => { one.style.translate = '-60vw 0'; }")
        assert page.evaluate(OVERLAPS), "a page made bad"
        page.locator("#scene-traits").evaluate(
            "one => { one.style.width = '2ch'; one.style.overflowWrap = 'anywhere'; }"
        )
        assert page.evaluate(f"({BROKEN})(document.body)"), "a page made bad"
