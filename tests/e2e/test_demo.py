"""The demonstration as someone tries it: no hardware, two simulated sources, throws on demand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Browser, ElementHandle, Page, expect

from tests.e2e.conftest import pages_of
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program, source, until
from tests.e2e.warm import WarmProgram

MOST_THROWS = 4
MOST_OF_IT = 0.6
"""Of the screen, for a picture of 4 by 3 on one of 16 by 9 with its line of words."""
SCREENS = [(1920, 1080), (1024, 600), (800, 480), (720, 1280)]
FITS = """() => {
    const stage = document.getElementById("stage");
    return stage.scrollHeight <= stage.clientHeight && stage.scrollWidth <= stage.clientWidth;
}"""

LARGE = """() => [...document.querySelectorAll("#stage .die")].every((one) => {
    const die = one.querySelector(".die-photograph").getBoundingClientRect();
    return die.height > .38 * innerHeight && one.offsetWidth < 1.2 * die.width;
})"""
"""Whether two dice are most of the stage, each in a frame hardly wider."""

AWAITED = """() => Math.min(...[...document.querySelectorAll("#stage .awaited > svg")].map((one) => {
    const { width, height } = one.getBoundingClientRect();
    return Math.min(width, height) / innerWidth;
}))"""
"""The least of the dice that are awaited, as a share of the screen's width."""

LEAST_AWAITED = {2: 0.42, 5: 0.28}
"""How much each of so many has on a screen that stands upright."""

COVERS = """() => {
    const image = [...document.querySelectorAll("#stage .whole img")].find((one) => one.checkVisibility());
    const { width, height } = image.getBoundingClientRect();
    const scale = Math.min(width / image.naturalWidth, height / image.naturalHeight);
    return (image.naturalWidth * scale * image.naturalHeight * scale) / (innerWidth * innerHeight);
}"""
"""How much of the screen a whole picture covers."""

UPRIGHT = [(1080, 1920), (1200, 1920), (720, 1280)]

ALL_FIVE = """() => {
    for (const one of ["repeat", "mute"]) document.getElementById(one).hidden = false;
    const words = ["Schwung", "Bedrohung"];
    document.querySelectorAll(".pools dt").forEach((one, place) => { one.textContent = words[place] ?? "Zug"; });
    const names = ["Wiederholen", "Stumm", "Anhalten", "Wurf Schale", "Wurf Kamera"];
    document.querySelectorAll("#controls span").forEach((one, place) => { one.textContent = names[place]; });
}"""
"""All buttons of a kiosk that speaks, with German names, which are long."""

FIGHTING = """() => {
    document.getElementById("turn").hidden = false;
    document.querySelector("#turn dd").textContent = "Lieutenant Tom\u00e1s Okoro";
    document.documentElement.style.setProperty("--legible", "6vmin");
    document.documentElement.style.setProperty("--key", "6.5vmin");
}"""
"""Whose Turn it is, by a long name, in letters for a far seat."""

ASTRIDE = """() => {
    const parts = [...document.querySelectorAll(".pools :is(dt, dd, svg), #controls button")]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width);
    const boxes = parts.map((one) => [one.textContent.trim(), one.getBoundingClientRect()]);
    return boxes.flatMap(([name, one], place) => boxes.slice(place + 1)
        .filter(([, two]) => one.left + 1 < two.right && two.left + 1 < one.right
            && one.top + 1 < two.bottom && two.top + 1 < one.bottom)
        .map(([other]) => [name, other]));
}"""
"""What lies on something else in the row of the pools and the buttons."""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """The demonstration, with a table that is set up."""
    with WarmProgram(tmp_path_factory.mktemp("demo") / "data", "--demo") as program:
        set_up(program)
        until(lambda: all(source(program, one).get("state") == "ready" for one in ("camera", "tray")))
        yield program


def test_a_throw_on_request_becomes_the_outcome_in_the_browser(demo: Program, browser: Browser, *, whole: bool) -> None:
    """By the button of a phone and the tray, then by the display's and the camera.

    In the short form each source's dice are seen whole on every other screen. Nothing in the row of the pools lies on
    anything else, in German and with all five buttons.
    """
    who = demo.table()["table"]["characters"][0]["character_id"]
    with pages_of(browser, demo) as opened:
        display = opened("/display", 1280, 720, bypass_csp=True)
        for where, sizes in (("tray", SCREENS[::2]), ("camera", SCREENS[1::2])):
            demo.send("declare_task", declaration=declaration(who))
            if where == "tray":
                awaited_upright(display, 2)
                nothing_astride(display)
                display.reload()
            else:
                demo.send("undo")
                dice = [{"payer": "threat"}] * 3
                demo.send("declare_task", declaration=declaration(who, purchases=dice))
                awaited_upright(display, 5)
                demo.send("undo")
                demo.send("declare_task", declaration=declaration(who))
            display.set_viewport_size({"width": 1280, "height": 720})
            asking = opened("/play", 390, 844) if where == "tray" else display
            thrown_until_read(demo, display, where, SCREENS if whole else sizes, asking)
            assert {die["die"]["source"] for die in demo.table()["table"]["task"]["dice"]} == {where}
            if asking is not display:
                asking.goto(f"{demo.address}/healthz")  # its part is over
            while demo.table()["table"]["task"] is not None:
                demo.send("undo")


def nothing_astride(display: Page) -> None:
    """In the row of the pools, with all that it may hold, on screens that lie and that stand upright."""
    display.evaluate(ALL_FIVE)
    for width, height in (*((width, 800) for width in (1280, 1366, 1440, 1600, 1920)), *UPRIGHT):
        display.set_viewport_size({"width": width, "height": height})
        assert display.evaluate(ASTRIDE) == [], (width, height)
    display.evaluate(FIGHTING)
    for width, height in ((1920, 1200), (1920, 1080), (1280, 1024), *UPRIGHT):
        display.set_viewport_size({"width": width, "height": height})
        assert display.evaluate(ASTRIDE) == [], (width, height)
    made_bad(display, ".display .edge .controls { margin-top: -4rem; margin-inline-end: 60% }")
    assert display.evaluate(ASTRIDE), "a page made bad"


def awaited_upright(display: Page, dice: int) -> None:
    """Dice that are awaited are as large as their number lets them be on a screen that stands upright."""
    expect(display.locator("#stage .awaited")).to_have_count(dice)
    for width, height in UPRIGHT:
        display.set_viewport_size({"width": width, "height": height})
        display.wait_for_function(FITS, polling=50)
        assert display.evaluate(AWAITED) >= LEAST_AWAITED[dice], (width, height)


def made_bad(page: Page, style: str) -> ElementHandle:
    """Spoil how a page looks, to see that a check finds it."""
    return page.add_style_tag(content=style)


def thrown_until_read(demo: Program, page: Page, where: str, sizes: Sequence[tuple[int, int]], asking: Page) -> None:
    """Throw by the button of the page that asks, and see the outcome on screens of these sizes."""
    expect(page.locator(".stage-word")).to_have_text("Throw 2 d20s")
    word = page.locator(".stage-word")
    for _ in range(MOST_THROWS):  # a rendered die may be doubtful, as a real one; it is never guessed, so throw again
        button = asking.get_by_role("button", name=re.compile(f"throw.*{where}", re.IGNORECASE))
        expect(button).to_be_in_viewport(ratio=1)
        button.click()
        expect(word).to_have_text(re.compile("succeeds|triumphs|fails|Look at|too many|missing"), timeout=20_000)
        if re.search("succeeds|triumphs|fails", word.inner_text()):
            break
        demo.send("dismiss_throw")
    expect(word).to_have_text(re.compile("succeeds|triumphs|fails"))
    dice = page.locator("#stage .die")
    expect(page.locator("#stage .die-photograph[data-came]")).to_have_count(2 if where == "camera" else 0)
    expect(dice.locator(".die-face").first).to_be_visible(visible=where == "tray")
    if where == "camera":
        seen_whole(page)
        page.set_viewport_size({"width": 1024, "height": 600})
        page.wait_for_function(LARGE, polling=50)
        spoiled = made_bad(page, "#stage .dice { max-height: 30vh }")
        assert not page.evaluate(LARGE), "a page made bad"
        spoiled.evaluate("one => one.remove()")
        page.wait_for_function(LARGE, polling=50)
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(FITS, polling=50)


def seen_whole(page: Page) -> None:
    """A tap on a die shows the whole picture of the throw, on most of the screen; another, or Escape, goes back."""
    page.locator("#stage .die").first.click()
    whole = page.locator("#stage .whole img:visible")
    expect(whole).to_have_count(1)
    page.wait_for_function("() => [...document.images].some((one) => one.closest('.whole') && one.naturalWidth > 320)")
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(COVERS) > MOST_OF_IT, (width, height)
    whole.click()
    expect(whole).to_have_count(0)
    page.locator("#stage .whole-way").last.press("Enter")
    expect(whole).to_have_count(1)
    page.keyboard.press("Escape")
    expect(whole).to_have_count(0)


def test_outside_the_demonstration_nothing_throws(standing_kiosk: Program) -> None:
    answer = standing_kiosk.post("/api/v1/demo/throw", {"where": "tray"})
    assert answer.status in {403, 404, 409}, answer
    assert not standing_kiosk.table()["demo"]
