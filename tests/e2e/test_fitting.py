"""Nothing is cut off and no word is broken: the stage with any number of dice, the phone's pages down to 320 px."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import pytest
from flask import Flask, get_template_attribute
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, declaration, set_up
from tests.e2e.program import Program
from tests.e2e.scenes import draw_map
from tests.e2e.test_pages import live
from tests.kiosk.desk import Desk

SCREENS = [(1280, 720), (1920, 1080), (800, 480), (1024, 600), (720, 1280)]
SAMPLED = [(1280, 720), (800, 480), (720, 1280)]
"""Of these a usual one, the smallest and the upright one, for the short form."""
WIDTHS = (360, 320)
"""Of phones."""
MOST_DICE = 12
LEAST_LETTERS = 12.5
"""CSS pixels; on a 7-inch panel of 800 by 480, smaller ones are not read across a table."""
SIX_DICE = {(1280, 720): 25.0, (1920, 1080): 38.0, (720, 1280): 25.0}
"""What the words of six dice have at least where there is height for two rows: 12 minutes of arc at 24 inches, 2 m."""

BROKEN = """root => {
    const broken = [];
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const clips = (one) => getComputedStyle(one).clipPath === "inset(50%)";
    const clipped = (one) => one !== null && (clips(one) || clipped(one.parentElement));
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const place = node.parentElement, range = document.createRange();
        const lines = () => new Set([...range.getClientRects()].map((one) => Math.round(one.top))).size;
        range.selectNodeContents(node);
        if (lines() < 2) continue; // as most are: no word of one line is broken
        if (!place.checkVisibility() || place.closest("select, svg") || clipped(place)) continue;
        for (const word of node.data.matchAll(/[\\p{L}\\p{N}]{2,}/gu)) {
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            if (lines() > 1) broken.push(`${word[0]} in ${node.data.trim()}`);
        }
    }
    return broken;
}"""
"""The words below an element that stand on more than one line; not those that are heard alone, of which nothing is left
to see."""

SHOW = """async (html) => {
    const { placeParts } = await import(new URL("../../js/live.js", document.querySelector("script[type=module]").src));
    placeParts({ stage: html });
    await new Promise((done) => setTimeout(done, 0)); // the beat has begun
    for (const one of document.getAnimations()) one.finish();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const stage = document.getElementById("stage");
    const box = stage.getBoundingClientRect();
    const outside = [...stage.querySelectorAll(".die, .die-words, .die-face, .stage-word")].filter((one) => {
        const own = one.getBoundingClientRect();
        return own.bottom > box.bottom || own.top < box.top || own.left < box.left || own.right > box.right;
    });
    const sizes = [...stage.querySelectorAll(".die-words")].map((one) => parseFloat(getComputedStyle(one).fontSize));
    return { fits: stage.scrollHeight <= stage.clientHeight && stage.scrollWidth <= stage.clientWidth,
        outside: outside.length, dice: stage.querySelectorAll(".die").length, smallest: Math.min(...sizes) };
}"""
"""Shows a stage as a live change does, and measures it."""

LATE = """async () => {
    const stage = document.getElementById("stage");
    const sizes = [stage.style.getPropertyValue("--fit")];
    stage.style.setProperty("--fit", 0.1);
    const came = new Promise((done) => document.fonts.addEventListener("loadingdone", done, { once: true }));
    const script = document.querySelector("script[type=module]").src;
    const letters = new URL("../../fonts/atkinson-hyperlegible-mono-400.woff2", script);
    const late = new FontFace("Late", `url(${letters})`);
    document.fonts.add(late);
    await late.load();
    await came;
    document.fonts.delete(late);
    return [...sizes, stage.style.getPropertyValue("--fit")];
}"""
"""The size of the stage before letters come late, which it was not fitted for, and after."""


@cache
def renderer() -> Flask:
    """A kiosk's pages, without a kiosk."""
    with Desk() as desk:
        return desk.app


def rendered(view: dict[str, Any]) -> str:
    """The stage of that view as the server renders it."""
    with renderer().test_request_context():
        return str(get_template_attribute("_parts.html", "stage")(view["stage"], photographs=True))


def with_task_dice(view: dict[str, Any], count: int) -> dict[str, Any]:
    """`view` with `count` d20s with the longest words there are: the leader's five, then the helpers'."""
    made = []
    for place in range(count):
        worth = ("2 successes", "1 success", "Complication", "1 success, Complication")[place % 4]
        words = f"Mirembe: {worth}" if place >= 5 else worth if place else "Determination, 2 successes"
        face, origin = str(20 - place), "(entered)" if place else ""
        die = {"face": face, "name": f"d20: {face}", "words": words, "origin": origin}
        made.append({**view["stage"]["dice"][0], **die, "mark": ("double", "success", "complication")[place % 3]})
    return {**view, "stage": {**view["stage"], "dice": made}}


def with_challenge_dice(view: dict[str, Any], count: int) -> dict[str, Any]:
    """`view` with `count` Challenge Dice, Effects and all."""
    kinds = (("effect", "Effect, 1 point"), ("blank", "blank"), ("1", "1 point"), ("2", "2 points"))
    faces = [kinds[place % 4] for place in range(count)]
    dice = [{**view["stage"]["dice"][0], "face": face, "words": words} for face, words in faces]
    return {**view, "stage": {**view["stage"], "dice": dice}}


@pytest.fixture(scope="module")
def character(standing_kiosk: Program) -> str:
    """Who is at the table."""
    return set_up(standing_kiosk)


ROOM = """root => [...root.querySelectorAll("input[type=number]")].filter((one) => one.checkVisibility()).map((one) => {
    const style = getComputedStyle(one);
    const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return { name: one.name, digits: room / (0.62 * parseFloat(style.fontSize)) };
})"""
"""How many digits each number's field has room for."""


RUNS_OVER = """(preset) => {
    preset.lastElementChild.textContent = "Kontrolle + Technik, Schwerpunkt. Schwierigkeit 3: 34 %";
    return Math.max(0, preset.scrollWidth - preset.clientWidth);
}"""
"""By how many pixels a long line of what a Task needs runs over the edge of its button."""


def test_every_number_has_room_for_two_digits(character: str, open_beside: OpenPage) -> None:
    assert character
    page = open_beside("/setup", 1280, 800, bypass_csp=True)
    page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    for width in (320, 390, 1024, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        fields = page.locator("body").evaluate(ROOM)
        assert len(fields) > 12
        assert [one for one in fields if one["digits"] < 2] == [], width
    page.add_style_tag(content="input[type=number] { width: 43px !important; padding: 0 14px !important }")
    assert [one for one in page.locator("body").evaluate(ROOM) if one["digits"] >= 2] == [], "a page made bad"


def test_no_word_is_broken_on_a_phone(
    standing_kiosk: Program, character: str, open_beside: OpenPage, *, whole: bool
) -> None:
    kiosk = standing_kiosk
    kiosk.send("save_character", name="Ben Adeyemi", attributes=ATTRIBUTES, disciplines=DISCIPLINES)
    page = open_beside("/healthz", WIDTHS[-1], 740)

    def look() -> None:
        for path in ("/play", "/text", "/gm", "/setup", "/conflict"):
            page.goto(kiosk.address + path)
            for width in WIDTHS if whole else WIDTHS[1:]:
                page.set_viewport_size({"width": width, "height": 740})
                assert broken(page) == [], f"{path}, {width} wide"

    draw_map(kiosk, [character])
    page.goto(f"{kiosk.address}/play?me={character}&language=de")
    assert page.locator("#presets").evaluate(BROKEN) == [], "long names of a Task beside their chance"
    assert page.locator("#presets .preset").first.evaluate(RUNS_OVER) == 0, "nor does what stands below a long name"
    if whole:
        look()
    more = {"purchases": [{"payer": "threat"}], "label": "Seal the hatch"}
    kiosk.send("declare_task", declaration=declaration(character, **more))
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[1, 20, 12])
    look()


def broken(page: Page) -> list[str]:
    """The broken words of a page, with everything unfolded."""
    if page.locator("#link[data-state]").count():
        live(page)
    if page.url.endswith("/play"):
        expect(page.locator("#undo-bar")).to_be_visible()
    page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    found: list[str] = page.locator("body").evaluate(BROKEN)
    return found


@pytest.fixture(scope="module")
def outcomes(standing_kiosk: Program, character: str) -> dict[str, dict[str, Any]]:
    """The view after a Task with a Complication, and after Challenge Dice."""
    kiosk = standing_kiosk
    kiosk.send("declare_challenge", count=2, label="Falling rocks in the lower hold")
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=["effect", 2])
    challenge = kiosk.table()
    kiosk.send("close_challenge")
    kiosk.send("declare_task", declaration=declaration(character, label="Seal the hatch before the hold floods"))
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[4, 20])
    return {"task": kiosk.table(), "challenge": challenge}


@pytest.fixture(scope="module")
def display(outcomes: dict[str, dict[str, Any]], open_standing: OpenPage) -> Page:
    """The display, in which things move. What it shows, the tests put there."""
    assert outcomes
    return live(open_standing("/display", bypass_csp=True, reduced_motion="no-preference"))


def test_the_stage_shows_every_die_whole(display: Page, outcomes: dict[str, dict[str, Any]], *, whole: bool) -> None:
    kinds = {"task": with_task_dice, "challenge": with_challenge_dice}
    for (width, height), (kind, make) in itertools.product(SCREENS if whole else SAMPLED, kinds.items()):
        display.set_viewport_size({"width": width, "height": height})
        for count in range(1, MOST_DICE + 1) if whole else (6, MOST_DICE):
            found = display.evaluate(SHOW, rendered(make(outcomes[kind], count)))
            state = f"{count} dice, {kind}, {width} x {height}: {found}"
            assert found["dice"] == count
            assert found["fits"], state
            assert found["outside"] == 0, state
            least = SIX_DICE.get((width, height), LEAST_LETTERS) if count == 6 else LEAST_LETTERS
            assert found["smallest"] >= least, state
            assert display.locator("#stage").evaluate(BROKEN) == [], state
    before, after = display.evaluate(LATE)
    assert after == before, "letters that come late take another room"


SHARE = """() => {
    const stage = document.getElementById("stage").getBoundingClientRect();
    return Math.min(...[...document.querySelectorAll("#stage .die-face")].map((one) => {
        const { height, width } = one.getBoundingClientRect();
        return Math.min(height, width) / stage.height;
    }));
}"""
"""How much of the stage's height the smallest die takes."""


@pytest.mark.parametrize("spoil", ["", ".die-face { height: 18vmin !important; min-height: 0 !important }"])
def test_dice_take_what_the_words_leave_of_the_stage(
    display: Page, outcomes: dict[str, dict[str, Any]], spoil: str
) -> None:
    """Two dice fill it, five still do; a page made bad is found."""
    display.set_viewport_size({"width": 1920, "height": 1080})
    shares = []
    for count in (2, 5):
        display.evaluate(SHOW, rendered(with_task_dice(outcomes["task"], count)))
        if spoil:
            display.add_style_tag(content=spoil)
        shares.append(display.evaluate(SHARE))
    assert (shares[0] > 0.4 and shares[1] > 0.3) == (not spoil), shares


AGAIN = """async () => {
    const caption = document.querySelector("#caption > *") ?? document.getElementById("caption");
    document.getElementById("stage").append(document.createComment("anew"));
    caption.append(" a word more".repeat(60));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
"""Changes what the stage shows, which is fitted anew, and makes the caption too long for its share."""

MOST_LAYOUTS, MOST_STYLES = 12, 18
"""What that may cost at most."""


def test_fitting_costs_few_layouts(display: Page, outcomes: dict[str, dict[str, Any]]) -> None:
    """On the kiosk's own small computer each takes its time: of a place's many sizes only a few are tried."""
    display.set_viewport_size({"width": 800, "height": 480})
    display.evaluate(SHOW, rendered(with_task_dice(outcomes["task"], MOST_DICE)))
    chromium = display.context.new_cdp_session(display)
    chromium.send("Performance.enable")

    def counted() -> dict[str, float]:
        return {one["name"]: one["value"] for one in chromium.send("Performance.getMetrics")["metrics"]}

    before = counted()
    display.evaluate(AGAIN)
    now = counted()
    layouts, styles = (now[one] - before[one] for one in ("LayoutCount", "RecalcStyleCount"))
    assert (layouts <= MOST_LAYOUTS, styles <= MOST_STYLES) == (True, True), (layouts, styles)
