"""The beat of an outcome: it plays once for each throw, any key ends it, and with reduced motion nothing moves."""

from __future__ import annotations

from typing import Literal

from flask import get_template_attribute
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program
from tests.e2e.test_pages import live
from tests.kiosk.desk import Desk

MOVING = """() => document.getAnimations().filter((one) => one.effect.target.closest?.("#stage")).length"""
COUNT = f"""() => {{
    window.plays = window.moved = 0;
    const stage = document.getElementById("stage");
    const count = () => {{
        if (!("playing" in stage.dataset)) return;
        window.plays += 1;
        window.moved = ({MOVING})();
    }};
    new MutationObserver(count).observe(stage, {{ attributes: true, attributeFilter: ["data-playing"] }});
}}"""
"""From now on `plays` says how many beats began, and `moved` how much moved as the last one did."""

LASTS = """() => {
    const { setTimeout } = window;
    window.setTimeout = (done, after, ...more) => setTimeout(done, 100 * after, ...more);
    return () => { window.setTimeout = setTimeout; };
}"""
"""A beat that begins now ends by a key alone, however slow the machine is, until what this makes is called."""

AT = """(milliseconds) => {
    const stage = document.getElementById("stage");
    stage.dataset.playing = "";
    for (const one of document.getAnimations()) Object.assign(one, { currentTime: milliseconds });
    const shown = (one) => Number(getComputedStyle(one).opacity) > 0 && getComputedStyle(one).visibility === "visible";
    const seen = [...stage.querySelectorAll(".stage-word, .facts, .stage-count b, .die > *")].filter(shown);
    const edge = getComputedStyle(stage).borderInlineStartColor !== "rgba(0, 0, 0, 0)";
    delete stage.dataset.playing;
    return [...new Set([...(edge ? ["edge"] : []), ...seen.map((one) => one.closest(".stage-count")
        ? `counts ${one.textContent}` : one.getAttribute("class"))])].sort();
}"""
"""What is seen so long after the beat began."""

PLACED = """async ([first, second]) => {
    const { placeParts } = await import(new URL("../../js/live.js", document.querySelector("script[type=module]").src));
    const place = (html) => placeParts({ stage: html });
    const photograph = () => document.querySelector("#stage .die-photograph");
    place(first);
    photograph().toggleAttribute("data-came", true);
    place(second);
    return [photograph().getAttribute("src"), photograph().hasAttribute("data-came")];
}"""
"""Two stages one after the other, the first with its photograph shown: what stands there then."""

CAPTION = """(milliseconds) => {
    const [stage, caption] = ["stage", "caption"].map((one) => document.getElementById(one));
    document.getElementById("repeat").hidden = false;
    document.getElementById("mute").ariaPressed = "false";
    caption.textContent = "Success.";
    stage.dataset.playing = "";
    for (const one of document.getAnimations()) Object.assign(one, { currentTime: milliseconds });
    const seen = Number(getComputedStyle(caption).opacity) > 0;
    delete stage.dataset.playing;
    return seen;
}"""
"""Whether the caption is seen so long after a beat began, while a voice says it."""

WAITS = """() => {
    const [stage, caption] = ["stage", "caption"].map((one) => document.getElementById(one));
    document.getElementById("repeat").hidden = false;
    document.getElementById("mute").ariaPressed = "false";
    caption.textContent = "Success.";
    stage.dataset.playing = "";
    if (!caption.getAnimations().length) return "the caption does not land";
    const states = () => [...new Set(document.getAnimations().map((one) => one.playState))];
    const before = states();
    stage.querySelector(".die-photograph").toggleAttribute("data-came", true);
    return [before, states()];
}"""
"""How the animations of a beat and of its caption stand before its photograph came, and after."""


STILL = """on => {
    for (const one of document.querySelectorAll("#stage .stage-word, #caption")) one.style.animation = on ? "none" : "";
}"""
"""Takes the motion from headline and caption, so that they tell at once how it ended."""


def photographed(key: str) -> str:
    """A stage with one die and its photograph, as the server renders it."""
    die = {"shape": "d20", "face": "7", "name": "d20: 7", "mark": "plain", "photograph": key}
    with Desk() as desk, desk.app.test_request_context():
        return str(get_template_attribute("_parts.html", "stage")({"dice": [die]}, photographs=True))


def thrown(kiosk: Program, character: str, *faces: int) -> None:
    kiosk.send("declare_task", declaration=declaration(character))
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=list(faces))


def opened(open_page: OpenPage, motion: Literal["no-preference", "reduce"], **more: str) -> Page:
    page = live(open_page("/display", 800, 480, reduced_motion=motion, **more))  # each frame costs its pixels
    page.evaluate(COUNT)
    return page


def test_it_plays_once_for_each_throw_and_any_key_ends_it(kiosk: Program, open_page: OpenPage) -> None:
    character = set_up(kiosk)
    page = opened(open_page, "no-preference")
    stage = page.locator("#stage")
    usual = page.evaluate_handle(LASTS)
    thrown(kiosk, character, 1, 1)
    expect(stage).to_have_attribute("data-playing", "")
    assert page.evaluate("moved") > 0
    usual.evaluate("usual => usual()")
    page.keyboard.press("Shift")
    expect(stage).not_to_have_attribute("data-playing", "")
    assert page.evaluate(MOVING) == 0
    words = ["die-origin", "die-words"]
    assert page.evaluate(AT, 300) == ["die-face die-d20"], "first the dice"
    assert page.evaluate(AT, 450) == ["counts 2", "die-face die-d20", *words], "then what they came to"
    assert page.evaluate(AT, 650) == ["counts 4", "die-face die-d20", *words]
    assert page.evaluate(AT, 1_300) == ["die-face die-d20", *words, "edge", "facts", "stage-word"]
    assert [page.evaluate(CAPTION, at) for at in (0, 650, 1_300)] == [False, False, True], "nor does the caption"
    page.evaluate(STILL, arg=True)
    assert "stage-word" in page.evaluate(AT, 300), "a page made bad"
    assert page.evaluate(CAPTION, 0), "a page made bad"
    page.evaluate(STILL, arg=False)
    expect(stage).to_have_attribute("data-weight", "triumph")
    kiosk.send("finish_spending")
    kiosk.send("add_trait", name="Smoke", kind="complication")
    thrown(kiosk, character, 12, 20)
    expect(stage).to_have_attribute("data-weight", "failure")
    expect(stage).not_to_have_attribute("data-playing", "", timeout=5_000)
    assert page.evaluate("plays") == 2, "once for each throw, and not for what is settled after it"


def test_nothing_moves_for_those_who_asked_for_it_and_forced_colours_keep_the_words(
    kiosk: Program, open_page: OpenPage
) -> None:
    page = opened(open_page, "reduce", forced_colors="active")
    thrown(kiosk, set_up(kiosk), 1, 20)
    expect(page.locator("#stage")).to_have_attribute("data-weight", "cost")
    expect(page.locator(".stage-word")).to_have_text("Ada Lindqvist succeeds 1 Complication, open")
    assert page.evaluate(MOVING) == 0
    assert page.evaluate("() => document.getAnimations().length") == 0
    page.locator(".stage-word").evaluate("one => { one.animate([{ opacity: 0 }], 60_000); }")
    assert page.evaluate(MOVING) == 1, "a page made bad"
    complication = page.locator(".die[data-mark=complication]")
    assert complication.evaluate("die => getComputedStyle(die).borderTopStyle") == "dashed"


def test_a_new_die_never_stands_under_the_photograph_of_the_one_before(open_page: OpenPage) -> None:
    page = opened(open_page, "reduce")
    source, came = page.evaluate(PLACED, [photographed("first"), photographed("second")])
    assert "second.webp" in source
    assert not came, "it is drawn until its own photograph is there"


def test_the_beat_waits_for_the_photographs(open_page: OpenPage) -> None:
    page = opened(open_page, "no-preference")
    page.evaluate(PLACED, [photographed("first"), photographed("second")])
    assert page.evaluate(WAITS) == [["paused"], ["running"]]
    page.evaluate(STILL, arg=True)
    assert page.evaluate(WAITS) != [["paused"], ["running"]], "a page made bad"
