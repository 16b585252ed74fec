"""What a stranger sees on the screens: Threat as a thing that grows, life between throws, lines that break well.

Each check of looks is shown to fail on a page made bad.
"""

from __future__ import annotations

import re

import cv2
import numpy as np
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program, until
from tests.e2e.scenes import EVENINGS, Evening
from tests.e2e.test_distance import minutes
from tests.e2e.test_pages import live

TOOTH = 0.025
"""How much of the screen's width a point of Threat takes at each end."""

CLEAR = """() => {
    const top = document.querySelector(".teeth").getBoundingClientRect().top + 1;
    const others = [...document.querySelectorAll("main > :not(.teeth)")];
    return others.every((one) => one.getBoundingClientRect().bottom <= top);
}"""
"""Whether nothing on the stage lies under the teeth."""

LIFE = """() => document.getAnimations().filter((one) => one.animationName).map((one) => {
    const apart = ["offset", "computedOffset", "easing", "composite"];
    const all = one.effect.getKeyframes().flatMap((each) => Object.keys(each));
    const moved = all.filter((name) => !apart.includes(name));
    return [one.animationName, one.effect.getTiming().easing.includes("steps") || getComputedStyle(one.effect.target,
        one.effect.pseudoElement).animationTimingFunction.includes("steps"), ...new Set(moved)];
})"""
"""What moves by itself, whether in steps, and by which properties."""

ALONE = """() => {
    const text = document.querySelector(".stage-word").firstChild, range = document.createRange(), lines = new Map();
    for (const { index, 0: word } of text.data.matchAll(/[^ \\n\\u00a0]+/g)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const line = Math.round(range.getBoundingClientRect().bottom / 8);
        lines.set(line, [...(lines.get(line) ?? []), word]);
    }
    const last = [...lines.values()].at(-1);
    const cost = document.querySelector("#stage .stage-cost")?.getBoundingClientRect();
    if (cost && cost.top < range.getBoundingClientRect().bottom - 8) return "";
    return lines.size > 1 && last.length === 1 ? last[0] : "";
}"""
"""The word that stands alone on the last line of a headline, without what a success costs beside it."""


def in_reach(page: Page, script: str, wanted: object) -> None:
    """Waits until the page shows that."""
    until(lambda: bool(page.evaluate(script) == wanted))


def jaw(page: Page) -> tuple[int, int, bool]:
    """How many points of Threat are seen at the left end and at the right, and that nothing lies under them."""
    footer, size = page.locator("footer").bounding_box(), page.viewport_size
    assert footer is not None
    assert size is not None
    width = size["width"]
    line = page.screenshot(clip={"x": 0, "y": footer["y"] - 3, "width": width, "height": 1})
    row = np.asarray(cv2.imdecode(np.frombuffer(line, np.uint8), cv2.IMREAD_COLOR))[0].astype(int)
    style = page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")
    ground = [int(one) for one in re.findall(r"\d+", style)][::-1]
    drawn = np.abs(row - ground).max(axis=1) > 60
    left, right = drawn[: width // 2], drawn[::-1][: width // 2]
    reached = [int(np.flatnonzero(end).max(initial=-1)) + 1 for end in (left, right)]
    assert all(end[:far].mean() > 0.7 for end, far in zip((left, right), reached, strict=True) if far), "with no gap"
    at_left, at_right = (round(one / width / TOOTH) for one in reached)
    return at_left, at_right, bool(page.evaluate(CLEAR))


def test_threat_is_a_jaw_that_closes_from_both_ends(kiosk: Program, open_page: OpenPage) -> None:
    page = live(open_page("/display", 1280, 720, bypass_csp=True, reduced_motion="no-preference"))
    assert jaw(page)[:2] == (0, 0), "there is no table yet"
    set_up(kiosk)
    until(lambda: jaw(page) == (4, 4, True))
    kiosk.send("adjust_pool", pool="threat", change=5)
    expect(page.locator("#threat")).to_have_text("9")
    assert not page.evaluate("() => document.getAnimations().some((one) => one.transitionProperty)"), "a tap is quick"
    until(lambda: jaw(page) == (9, 9, True))
    kiosk.send("adjust_pool", pool="threat", change=-7)
    until(lambda: jaw(page) == (2, 2, True))
    kiosk.send("adjust_pool", pool="threat", change=20)
    until(lambda: jaw(page) == (20, 20, True))
    expect(page.locator("#threat")).to_have_text("22")
    for width, height in ((1920, 1080), (1024, 600), (1080, 1920), (800, 480)):
        page.set_viewport_size({"width": width, "height": height})
        until(lambda: jaw(page) == (20, 20, True))
    page.add_style_tag(content=".teeth { bottom: 3vw !important }")
    assert jaw(page) != (20, 20, True), "a page made bad"
    forced = live(open_page("/display", 1280, 720, forced_colors="active"))
    until(lambda: jaw(forced) == (20, 20, True))


def test_between_throws_the_table_lives_and_otherwise_it_is_still(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    character = evening.people["Ada Lindqvist"] = set_up(kiosk)
    page = live(open_page("/display", 1920, 1080, reduced_motion="no-preference"))
    still = live(open_page("/display", 1280, 720))
    evening.declare()
    evening.throw(4, 12)
    expect(page.locator("#stage")).to_have_attribute("data-kind", "outcome")
    evening.settle()
    kiosk.send("start_scene", name="Deck 13")
    expect(page.locator("#stage")).to_have_attribute("data-kind", "idle")
    moves = page.evaluate(LIFE)
    assert {name for name, *_ in moves} == {"walk", "forward"}
    assert all(steps for _, steps, *_ in moves), "the processor is left alone"
    assert {one for _, _, *moved in moves for one in moved} == {"translate"}, "nothing flashes, nothing is painted anew"
    kiosk.send("declare_task", declaration=declaration(character))
    expect(page.locator("#stage")).to_have_attribute("data-kind", "ask")
    assert page.evaluate(LIFE) == [], "while dice are awaited"
    kiosk.send("undo")
    expect(still.locator("#stage")).to_have_attribute("data-kind", "idle")
    assert still.evaluate("() => document.getAnimations().length") == 0


def test_headlines_and_marks_break_well(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    evening.people["Ada Lindqvist"] = set_up(kiosk)
    evening.join("Ben Adeyemi")
    stage = live(open_page("/display", 1024, 600, bypass_csp=True))
    phone = live(open_page("/gm", 390, 844, bypass_csp=True))
    thrown = (
        ("Ben Adeyemi", "Cross the gap", [4, 20]),
        ("Ben Adeyemi", "Bring everyone back aboard", [9, 13, 4, 20, 16]),
        ("Ada Lindqvist", "Cross the wide gap", [18, 19]),
    )
    for who, label, faces in thrown:
        evening.settle()
        evening.declare(who, label=label, purchases=[{"payer": "threat"}] * (len(faces) - 2))
        evening.throw(*faces)
        expect(stage.locator("#stage")).to_have_attribute("data-kind", "outcome")
        expect(stage.locator("#stage .die")).to_have_count(len(faces))
        in_reach(stage, ALONE, "")
        if faces == [4, 20]:
            words = phone.locator("#stage .die[data-mark=complication] .die-words")
            expect(words).to_be_visible()
            lines = "one => one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight)"
            assert words.evaluate(lines) < 1.5, "its mark stands on no line alone"
            phone.add_style_tag(content=".die-words { width: 4em }")
            assert words.evaluate(lines) >= 1.5, "a page made bad"
            phone.evaluate("() => document.querySelector('body style, head style').remove()")
    stage.add_style_tag(content=".stage-word { max-width: 5em; white-space: normal }")
    stage.evaluate("() => { document.querySelector('.stage-word').firstChild.data = 'Ada Lindqvist succeeds'; }")
    assert stage.evaluate(ALONE) == "succeeds"


def test_a_hand_is_told_to_the_farthest_seat(kiosk: Program, open_page: OpenPage) -> None:
    character = set_up(kiosk)
    kiosk.send("declare_task", declaration=declaration(character))
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[4, 12])
    page = live(open_page("/display", 1920, 1080))
    for width, height in ((1920, 1080), (1280, 720), (1024, 600), (1080, 1920)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".die-origin .sign")).to_have_count(2)
        for mark in page.locator(".die-origin .sign").all():
            box = mark.bounding_box()
            assert box is not None
            assert minutes(box["height"], page, 24.0, 2.0) >= 15, width
    expect(page.locator(".die-origin")).to_have_text(["(entered)"] * 2)


def test_upright_the_crew_stands_below_the_word_and_a_fight_below_the_dice(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    evening.people["Ada Lindqvist"] = set_up(kiosk)
    evening.join("Brack", standing="notable_npc")
    kiosk.send("start_scene", name="Deck 12")
    page = live(open_page("/display", 1080, 1920))
    expect(page.locator(".company-crew strong")).to_have_text(re.compile("Lindqvist"))
    expect(page.locator(".company-crew strong")).to_be_in_viewport(ratio=1)
    seats = [{"combatant_id": one} for one in evening.people.values()]
    kiosk.send("start_conflict", kind="personal", combatants=seats, begins=evening.people["Ada Lindqvist"])
    kiosk.send("begin_turn", combatant_id=evening.people["Ada Lindqvist"])
    evening.declare(label="Shoot the lamp")
    evening.throw(16, 15)
    expect(page.locator("#stage")).to_have_attribute("data-kind", "outcome")
    size = "one => parseFloat(getComputedStyle(one).fontSize)"
    until(lambda: minutes(page.locator(".fighter strong").first.evaluate(size), page, 24.0, 2.0) >= 15)
    high = "one => one.offsetHeight / one.offsetWidth"
    assert all(one.evaluate(high) < 1.5 for one in page.locator("#stage .die").all()), "no higher than its dice"


def test_by_candlelight_no_word_breaks_and_folds_are_as_round_as_buttons(kiosk: Program, open_page: OpenPage) -> None:
    """And an Injury has the colour that it has in a fight; the screen's page says which colours this browser has."""
    set_up(kiosk)
    page = open_page("/colours?back=/", 390, 844)
    page.get_by_role("button", name="Candlelight").click()
    page.goto(page.url.partition("/colours")[0] + "/")
    assert (
        page.evaluate(
            """() => {
            const range = document.createRange();
            range.selectNode(document.querySelector('a[href="/language"]').firstChild);
            return range.getClientRects().length;
        }"""
        )
        == 1
    )
    page.goto(page.url + "play/table")
    found = page.evaluate(
        """() => {
            const of = (what) => getComputedStyle(document.querySelector(what));
            return [of("#pools").backgroundColor, of("main details").borderRadius === of("main .button").borderRadius];
        }"""
    )
    assert found == ["rgba(0, 0, 0, 0)", True]
    page.goto(page.url.removesuffix("play/table") + "display")
    assert page.evaluate(
        """() => {
            const made = document.createElement("span"), like = document.createElement("span");
            made.className = "injury";
            document.querySelector(".company").append(made, like);
            like.style.color = "var(--failure)";
            return getComputedStyle(made).color === getComputedStyle(like).color;
        }"""
    )
    page.goto(page.url.removesuffix("display") + "screen")
    expect(page.get_by_text("This browser has colours of its own: Candlelight.")).to_be_visible()


PARTED = """() => {
    const parted = [], range = document.createRange();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const bottom = (node, [word, index]) => {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        return range.getBoundingClientRect().bottom;
    };
    const told = [/(Scale) (\\d+)/d, /(goes) (out):/d];
    while (walker.nextNode()) {
        const node = walker.currentNode;
        if (!node.parentElement.checkVisibility() || node.parentElement.closest("option, .unseen")) continue;
        for (const { indices } of told.map((one) => one.exec(node.data.replaceAll("\\u00a0", " "))).filter(Boolean)) {
            const [first, second] = indices.slice(1).map(([at, to]) => bottom(node, [node.data.slice(at, to), at]));
            if (Math.abs(first - second) > 4) parted.push(node.data);
        }
    }
    return parted;
}"""
"""What stands on two lines though it is one: a label and its number, or the words of what goes out."""


def test_a_label_and_its_number_stay_on_one_line(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    for scene in EVENINGS[2]:
        scene.play(evening)
    pages = [open_page(path, 390, 844) for path in ("/gm", "/conflict", "/setup", "/play/table")]
    for page in pages:
        page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
        for width in (*range(300, 480, 6), 768, 1024, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate(PARTED) == [], f"{page.url} at {width} pixels"
