"""A table's screen that can be touched is no dead end; on a television nothing invites to be touched."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, declaration, set_up
from tests.e2e.program import Program, until
from tests.e2e.test_demo import FITS
from tests.e2e.test_distance import too_small
from tests.e2e.test_pages import live

LEAST = 44
"""CSS pixels of a target (WCAG 2.2, 2.5.5)."""


PAGES = {
    "Player": "/play?from=stage",
    "Gamemaster": "/gm?from=stage",
    "Set up": "/setup?from=stage",
}
"""Where a touch leads to, by its words."""


SIZES = [(1024, 600), (800, 480), (320, 640)]

INVITE = """() => {
    const said = document.getElementById('invitation');
    said.hidden = false;
    said.textContent = 'Join: 192.168.178.123:8080/join, code K79GXR';
}"""

TYPED_INTO = """body => {
    body.insertAdjacentHTML('beforeend', '<form id="typed-into"><textarea></textarea></form>');
    const field = body.querySelector('#typed-into textarea');
    field.focus();
    document.execCommand('insertText', false, 'half a scene');
}"""

CUT_OFF = """() => document.documentElement.scrollWidth > innerWidth
    || document.getElementById('link').getBoundingClientRect().right > innerWidth"""


def test_a_touch_leads_on_from_the_display(standing_kiosk: Program, open_standing: OpenPage) -> None:
    set_up(standing_kiosk)
    page = live(open_standing("/display", *SIZES[0], has_touch=True, bypass_csp=True, alone=True))
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(FITS, polling=50)
        for name, path in PAGES.items():
            link = page.locator(".touch-bar").get_by_role("link", name=name)
            expect(link).to_have_attribute("href", path)
            box = link.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= LEAST
            assert box["x"] + box["width"] <= width
    page.evaluate(INVITE)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate(CUT_OFF), f"what stands beside the bar, {width} wide"
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    spoil = page.add_style_tag(content=".invitation { white-space: nowrap; flex: none; }")
    assert page.evaluate(CUT_OFF), "a page made bad"
    spoil.evaluate("one => one.remove()")
    page.clock.install()
    page.locator(".touch-bar").get_by_role("link", name="Player").tap()
    page.wait_for_url(f"**{PAGES['Player']}")
    expect(page.get_by_role("link", name="Back to the table")).to_be_in_viewport(ratio=1)
    page.mouse.wheel(0, 5_000)
    expect(page.get_by_role("link", name="Back to the table")).to_be_in_viewport(ratio=1)
    page.locator("#declare-open").tap()
    expect(page.locator("#declare-form")).to_be_visible()
    page.clock.run_for(130_000)
    assert page.url.endswith(PAGES["Player"]), "a Task is half-built"
    page.locator("[data-closes]").first.tap()
    expect(page.locator("#declare-form")).to_have_count(0)
    page.locator("body").evaluate(TYPED_INTO)
    page.clock.run_for(130_000)
    page.wait_for_timeout(300)  # where it would have gone
    assert page.url.endswith(PAGES["Player"]), "a form holds what was typed, and its field still has the focus"
    page.locator("#typed-into").evaluate("one => one.reset()")
    page.keyboard.press("Shift")
    page.clock.run_for(115_000)
    assert page.url.endswith(PAGES["Player"])
    page.clock.run_for(10_000)
    page.wait_for_url("**/display")


HEIGHTS = """() => [...new Set([...document.querySelectorAll(".touch-bar :is(a, button)")]
    .filter((one) => one.checkVisibility())
    .map((one) => one.getBoundingClientRect())
    .map(({ top, height }) => `${Math.round(height)} from ${Math.round(top)}`))]"""
"""How tall the parts of the bar are, and from where."""


def test_all_of_the_bar_stands_on_one_line(standing_kiosk: Program, open_standing: OpenPage) -> None:
    if not standing_kiosk.table()["table"]["ready"]:
        set_up(standing_kiosk)
    page = live(open_standing("/display", *SIZES[0], has_touch=True, bypass_csp=True, alone=True))
    expect(page.locator(".touch-bar").get_by_role("button", name="Undo")).to_be_visible()
    for width, height in ((1280, 720), (1366, 768), (1600, 900), (1920, 1080), (1080, 1920)):
        page.set_viewport_size({"width": width, "height": height})
        assert len(page.evaluate(HEIGHTS)) == 1, (width, height)
    page.add_style_tag(content=".touch-bar form { display: block }")
    assert len(page.evaluate(HEIGHTS)) > 1, "a page made bad"


TOUCHED = """() => [...document.querySelectorAll(":is(.touch-bar, .controls) :is(a:not(.colours), button)")]
    .filter((one) => one.checkVisibility())
    .map((one) => [one.textContent.trim(), parseFloat(getComputedStyle(one).fontSize)])"""
"""What is touched on the display, with the size of its letters in CSS pixels, or of its sign."""


@pytest.mark.parametrize("path", ["/display", "/display?language=de"])
def test_what_is_touched_is_as_large_as_the_bar_has_room_for(
    standing_kiosk: Program, open_standing: OpenPage, path: str
) -> None:
    if not standing_kiosk.table()["table"]["ready"]:
        set_up(standing_kiosk)
    page = live(open_standing(path, 1920, 1080, has_touch=True, bypass_csp=True, alone=True))
    assert too_small(page, TOUCHED, 24.0, 2.0, 10.0) == []
    page.evaluate(INVITE)
    for width, height in ((1920, 1080), (1080, 1920), (1024, 600)):
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate(CUT_OFF), (width, height)
        assert len(page.evaluate(HEIGHTS)) == 1, (width, height)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.add_style_tag(content=".touch-bar a { font-size: 17px !important }")
    assert too_small(page, TOUCHED, 24.0, 2.0, 10.0), "a page made bad"


def test_undo_takes_back_at_the_screen_itself_after_the_question_that_is_due(
    standing_kiosk: Program, open_standing: OpenPage
) -> None:
    kiosk = standing_kiosk
    ada = kiosk.table()["table"]["characters"][0]["character_id"] if kiosk.table()["table"]["ready"] else set_up(kiosk)
    page = live(open_standing("/display", *SIZES[0], has_touch=True, alone=True))
    undo = page.locator(".touch-bar").get_by_role("button", name="Undo")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        box = undo.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= LEAST
        assert box["x"] + box["width"] <= width
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    kiosk.send("save_character", name="Ben Adeyemi", attributes=ATTRIBUTES, disciplines=DISCIPLINES)
    kiosk.send("declare_task", declaration=declaration(ada))
    expect(page.locator("#stage")).to_have_attribute("data-kind", "ask")
    undo.tap()
    until(lambda: kiosk.table()["table"]["task"] is None)
    expect(page.locator("#stage")).to_have_attribute("data-kind", "idle")
    undo.tap()
    question = page.locator(".first-asked")
    expect(question).to_be_in_viewport(ratio=1)
    expect(question.get_by_role("button", name="No, leave it")).to_be_focused()
    question.get_by_role("button", name="No, leave it").tap()
    assert len(kiosk.table()["table"]["characters"]) == 2
    undo.tap()
    question.get_by_role("button", name="Yes, take it back").tap()
    until(lambda: len(kiosk.table()["table"]["characters"]) == 1)
    assert page.url.endswith("/display"), "it is still the table's screen"
    without = open_standing("/display", *SIZES[0], has_touch=True, java_script_enabled=False, alone=True)
    kiosk.send("declare_task", declaration=declaration(ada))
    without.locator(".touch-bar").get_by_role("button", name="Undo").tap()
    until(lambda: kiosk.table()["table"]["task"] is None)
    without.wait_for_url("**/display")


def test_undo_comes_to_a_screen_that_stood_there_before_the_table_was_set_up(
    kiosk: Program, open_page: OpenPage
) -> None:
    page = live(open_page("/display", *SIZES[0], has_touch=True))
    undo = page.locator(".touch-bar").get_by_role("button", name="Undo")
    expect(page.locator("#first-steps")).to_be_visible()
    expect(undo).to_be_hidden()
    set_up(kiosk)
    expect(page.locator("#stage")).to_have_attribute("data-kind", "idle")
    expect(undo).to_be_visible()


def test_a_television_shows_no_bar(open_standing: OpenPage) -> None:
    page = live(open_standing("/display", 1920, 1080))
    expect(page.locator(".touch-bar")).to_be_hidden()
