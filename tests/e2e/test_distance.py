"""What matters on the table's screen is read from the farthest seat: 20 minutes of arc (ISO 9241-3), in every layout.

Measured in Chromium on the letters as they are painted, in every scene, for a screen of known size. Each check is shown
to fail on a page made bad.
"""

from __future__ import annotations

import math
import urllib.request
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from playwright.sync_api import Page, expect

from kiosk.settings import Theme
from tests.e2e.conftest import OpenPage
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program, until
from tests.e2e.scenes import EVENINGS, Evening, Scene, every_other

CAP_HEIGHT = 0.67
"""Height of a capital or a numeral in ems of the bundled fonts."""

LEAST_MINUTES = 20.0

PATIENCE = 30_000

LAYOUTS = {
    "24 inches at 2 m": ((1920, 1080), 24.0, 2.0, 10.0),
    "43 inches at 3 m": ((1920, 1080), 43.0, 3.0, 10.0),
    "32 inches at 3 m": ((1280, 720), 32.0, 3.0, 10.0),
    "7 inches at 1 m": ((800, 480), 7.0, 1.0, 5.0),
    "24 inches upright at 2 m": ((1080, 1920), 24.0, 2.0, 10.0),
}
"""Viewport, diagonal in inches, distance in metres, and the least angle for the words beside what matters: those are
read by who leans forward, and said by the voice. A 7-inch panel has room for little else than what matters."""

SAMPLED = ("32 inches at 3 m", "24 inches upright at 2 m")
"""The layouts of the short form, and one outcome in the first."""

MATTERS = """() => {
    const large = [...document.querySelectorAll(
        ".stage-word, .stage-cost, .stage-chooses, .facts dd, .pools dd#momentum, .pools dd#threat")];
    const few = document.querySelectorAll(".die").length <= 6;
    const faces = few ? [...document.querySelectorAll(".die-face text")] : [];
    const size = (one) => parseFloat(getComputedStyle(one).fontSize)
        * (one.closest("svg") ? one.closest("svg").getBoundingClientRect().height / 100 : 1);
    const name = (one) => `${one.getAttribute("class") ?? one.id ?? one.tagName}: ${one.textContent}`;
    return [...large, ...faces].filter((one) => one.checkVisibility() && one.textContent.trim())
        .map((one) => [name(one), size(one)]);
}"""
"""Everything that has to be read from the farthest seat, with the size of its letters in CSS pixels."""

BESIDE = """() => [...document.querySelectorAll(
    ".stage-who, .stage-lines p, .facts dt, .pools dt, .die-words, #caption")]
    .filter((one) => one.checkVisibility() && one.textContent.trim() && document.querySelectorAll(".die").length <= 6)
    .map((one) => [one.className || one.tagName, parseFloat(getComputedStyle(one).fontSize)])"""


def minutes(pixels: float, page: Page, diagonal: float, metres: float) -> float:
    """The angle under which a capital of letters of `pixels` is seen."""
    size = page.viewport_size
    assert size is not None
    millimetres = diagonal * 25.4 / math.hypot(size["width"], size["height"])
    return math.degrees(math.atan(pixels * CAP_HEIGHT * millimetres / (metres * 1000))) * 60


def too_small(page: Page, script: str, diagonal: float, metres: float, least: float) -> list[str]:
    """What is seen under less than `least` minutes of arc; a hundredth is let pass for rounding."""
    found: list[tuple[str, float]] = page.evaluate(script)
    assert found, "there is something to measure"
    angles = [(name, minutes(pixels, page, diagonal, metres)) for name, pixels in found]
    return [f"{name!r} under {angle:.1f}'" for name, angle in angles if angle < least * 0.99]


WITHOUT: dict[str, dict[str, Any]] = {
    "forced colours": {"forced_colors": "active", "reduced_motion": "no-preference"},
    "reduced motion": {"reduced_motion": "reduce"},
}
ALL_OF_IT: dict[str, Any] = {"forced_colors": "active", "reduced_motion": "reduce"}

OUTSIDE = """() => {
    const sideways = document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : [];
    return sideways.concat([...document.querySelectorAll(".stage-word, .die-words, .pools dd")].filter((one) => {
        const { left, right } = one.getBoundingClientRect();
        return one.checkVisibility() && (left < -1 || right > innerWidth + 1);
    }).map((one) => `outside: ${one.textContent}`));
}"""


END_OF_BEAT = """async () => {
    for (const one of document.getAnimations()) one.finish();
    for (let frames = 0; frames < 3; frames += 1) await new Promise((done) => requestAnimationFrame(done));
}"""
"""What arrives is there: dice that still turn have other sizes."""


def sized(kiosk: Program, open_page: OpenPage, layout: str) -> Page:
    """The display in one layout: the kiosk's own sizes for that screen, kept while others look by other sizes."""
    (width, height), diagonal, metres, _ = LAYOUTS[layout]
    kiosk.post("/api/v1/screen", {"diagonal_inches": diagonal, "distance_metres": metres})
    with urllib.request.urlopen(f"{kiosk.address}/display.css", timeout=20) as answer:  # noqa: S310 - our own address
        sizes = answer.read().decode()
    page = open_page("/healthz", width, height, reduced_motion="no-preference")
    page.route(f"{kiosk.address}/display.css*", lambda route: route.fulfill(body=sizes, content_type="text/css"))
    page.goto(f"{kiosk.address}/display")
    return page


def test_every_scene_is_read_from_the_farthest_seat_and_keeps_its_words(
    kiosk: Program, open_page: OpenPage, *, whole: bool
) -> None:
    """One evening before screens of every size, and before one without colours, without motion, with larger letters.

    In the short form the last three are one screen, each screen shows its part of the evening, one after the other, and
    every other scene is looked at.
    """
    contexts = {**WITHOUT, "twice": {}} if whole else {"all of it": ALL_OF_IT}
    names = [*(LAYOUTS if whole else SAMPLED), *contexts]
    pages: dict[str, Page] = {}
    evening, faults = Evening(kiosk), []
    for number, scene in enumerate(EVENINGS[0]):
        scene.play(evening)
        if not whole and scene not in every_other(EVENINGS[0], 0):
            continue
        for name in names if whole else [names[number * len(names) // len(EVENINGS[0])]]:
            if name not in pages:
                for other in () if whole else pages.values():  # its part is over
                    other.goto(f"{kiosk.address}/healthz")
                pages[name] = screen(kiosk, open_page, name, contexts.get(name))
            faults += [f"{scene.name}, {name}: {fault}" for fault in found_in(scene, name, pages[name])]
    assert faults == []
    still = [name for name, context in contexts.items() if context]
    assert [pages[name].evaluate("() => document.getAnimations().length") for name in still] == [0] * len(still)


def screen(kiosk: Program, open_page: OpenPage, name: str, context: dict[str, Any] | None) -> Page:
    """The display in a layout, or a usual one in a context: with large letters unless one thing alone is missing."""
    if context is None:
        return sized(kiosk, open_page, name)
    kiosk.post("/api/v1/screen", {"diagonal_inches": 24.0, "distance_metres": 2.0})
    page = open_page("/display", 1280, 720, bypass_csp=True, **context)
    if name not in WITHOUT:
        page.add_style_tag(content="html { font-size: 200% !important }")
    return page


def found_in(scene: Scene, name: str, page: Page) -> list[str]:
    """What is too small or outside in that scene."""
    expect(page.locator("#stage")).to_have_attribute("data-kind", scene.kind, timeout=PATIENCE)
    expect(page.locator(".stage-word")).to_have_text(scene.word, timeout=PATIENCE)
    page.evaluate(END_OF_BEAT)
    found: list[str] = page.evaluate(OUTSIDE)
    if name in LAYOUTS:
        _, diagonal, metres, beside = LAYOUTS[name]
        found += too_small(page, MATTERS, diagonal, metres, LEAST_MINUTES)
        found += too_small(page, BESIDE, diagonal, metres, beside)
    return found


LABELS = """(kind) => {
    const size = (one) => parseFloat(getComputedStyle(one).fontSize);
    const seen = (one) => one.checkVisibility() && one.textContent.trim() && one.getBoundingClientRect().height > 2;
    const texts = (places) => [...document.querySelectorAll(places)].filter(seen);
    const word = size(document.querySelector(".stage-word"));
    const larger = texts("main :is(strong, dt, dd, p, h3), .pools dd").filter((one) => size(one) > word);
    const labels = ".stage-who, .stage-lines p, .facts dt, .stage-next, .pools dt, #caption";
    const beside = ", #fight :is(h3, .fighter strong, .gauge dd, .seat, .notes li, .folded)";
    return [
        ...larger.map((one) => [`larger than the headline: ${one.textContent}`, 0]),
        ...texts(labels + beside).map((one) => [one.textContent, size(one)]),
    ];
}"""
"""The labels of a fight with their sizes, those beside dice, too; nothing for what is larger than the headline."""


def test_labels_of_a_fight_are_read_from_where_players_sit(kiosk: Program, open_page: OpenPage) -> None:
    """A fight of four against six with a dial set: 15 minutes of arc, and the headline is the largest."""
    evening = Evening(kiosk)
    kiosk.send("set_up_table", ruleset="core-1e", players=["Ana", "Ben"])
    kiosk.send("set_difficulty", difficulty=3)
    for name in ("Captain Ilse Brandt", "Lieutenant Tomás Okoro", "Doctor Mirembe Sato", "Ensign Pell Varga"):
        evening.join(name)
    for number in range(1, 7):
        evening.join(f"Cinder / drone {number}", standing="minor_npc")
    brandt, *others = evening.people.values()
    kiosk.send("take_weapon", character_id=brandt, weapon="phaser_type_2")
    seats = [{"combatant_id": one} for one in (brandt, *others)]
    kiosk.send("start_conflict", kind="personal", combatants=seats, begins=brandt)
    page = open_page("/display", 1920, 1080, bypass_csp=True, reduced_motion="reduce")
    aim = {"name": "attack", "target_id": others[-1], "weapon": "phaser_type_2"}
    for kind, command, fields in (
        ("turn", "", {}),
        ("turn", "begin_turn", {"combatant_id": brandt}),
        ("ask", "declare_task", {"declaration": {"character_id": brandt, "action": aim}}),
    ):
        if command:
            kiosk.send(command, **fields)
        expect(page.locator("#stage")).to_have_attribute("data-kind", kind, timeout=PATIENCE)
        for width, height in ((1920, 1080), (1280, 800), (1024, 600)):
            page.set_viewport_size({"width": width, "height": height})
            fitted_labels(page, kind)
    page.add_style_tag(content=".stage-next, .facts dt { font-size: 1rem !important }")
    assert too_small(page, f"({LABELS})('ask')", 24.0, 2.0, 15.0)


def fitted_labels(page: Page, kind: str) -> None:
    """All labels are large enough, once they are fitted."""
    found: list[str] = []

    def large() -> bool:
        found[:] = too_small(page, f"({LABELS})('{kind}')", 24.0, 2.0, 15.0)
        return not found

    try:
        until(large, 5)
    except AssertionError:
        pytest.fail(f"{kind} at {page.viewport_size}: {found}")


@pytest.fixture(scope="module")
def standing(standing_kiosk: Program, open_standing: OpenPage) -> Page:
    """A display after a Task with a Complication, in the first layout."""
    character = set_up(standing_kiosk)
    standing_kiosk.send("declare_task", declaration=declaration(character))
    standing_kiosk.send("enter_dice", request=standing_kiosk.table()["table"]["request"]["number"], faces=[4, 20])
    page = open_standing("/display", 1920, 1080, bypass_csp=True, reduced_motion="no-preference")
    expect(page.locator("#stage")).to_have_attribute("data-kind", "outcome", timeout=PATIENCE)
    expect(page.locator("#link")).to_have_attribute("data-state", "live", timeout=PATIENCE)
    return page


UNSPOILT = """() => {
    for (const one of document.querySelectorAll("body style, head style")) one.remove();
    for (const one of document.querySelectorAll("[data-was]")) one.dataset.mark = one.dataset.was;
    document.documentElement.removeAttribute("style");
    delete document.documentElement.dataset.theme;
}"""
"""Takes away what the tests of this file add to the page."""


@pytest.fixture
def outcome(standing: Page) -> Iterator[Page]:
    """That display, which a test may spoil with styles, marks and a theme."""
    yield standing
    standing.evaluate(UNSPOILT)


@pytest.mark.parametrize(
    "spoil",
    [
        ".facts dd { font-size: 40px !important }",
        ".die-face { height: 8vh !important; min-height: 0 !important }",
        "#threat { font-size: 1.5rem !important }",
        ".stage-word { font-size: 1rem !important }",
    ],
)
def test_small_letters_are_found(outcome: Page, spoil: str) -> None:
    assert too_small(outcome, MATTERS, 24.0, 2.0, LEAST_MINUTES) == []
    outcome.add_style_tag(content=spoil)
    assert too_small(outcome, MATTERS, 24.0, 2.0, LEAST_MINUTES)


FADED = """() => {
    const results = [...document.querySelectorAll("#stage, #stage *, .pools, .pools *, #caption")];
    const faded = results.filter((one) => !one.closest("symbol") && getComputedStyle(one).opacity !== "1");
    const moving = document.getAnimations().filter((one) => one.effect?.target?.closest?.("#stage, .pools, #caption"));
    const told = results.filter((one) => {
        const { transitionProperty, transitionDuration } = getComputedStyle(one);
        return /opacity|all/.test(transitionProperty) && parseFloat(transitionDuration) > 0;
    });
    return faded.length + moving.length + told.length;
}"""
"""How many parts of a result fade, are seen through, or move: a contrast is only right once it stands still."""


@pytest.mark.parametrize(
    "spoil",
    [
        ".stage-word { opacity: .5 }",
        ".stage { transition: opacity 2s }",
        "@keyframes come { from { opacity: 0 } } .die { animation: come 60s }",
    ],
)
def test_a_result_never_fades(outcome: Page, spoil: str) -> None:
    assert outcome.evaluate(FADED) == 0
    outcome.add_style_tag(content=spoil)
    outcome.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert outcome.evaluate(FADED) > 0


LOOKS = """() => {
    const look = (one) => {
        const { borderTopStyle, borderTopWidth, borderLeftStyle, maskImage } = getComputedStyle(one);
        return [borderTopStyle, borderTopWidth, borderLeftStyle].join(" ");
    };
    const stage = document.getElementById("stage");
    const die = document.querySelector(".die");
    for (const one of [stage, die]) one.dataset.was ??= one.dataset.mark;
    const mark = (value) => {
        stage.dataset.mark = value;
        const icon = getComputedStyle(stage.querySelector(".stage-word"), "::before").maskImage;
        return `${look(stage)} ${icon}`;
    };
    const dice = ["success", "double", "miss", "complication", "plain"].map((value) => {
        die.dataset.mark = value;
        return look(die);
    });
    return { stage: [mark("success"), mark("failure")], dice };
}"""
"""How marks look without their colours: borders and icons."""


def alike(page: Page) -> list[str]:
    """Pairs of marks that only a colour tells apart."""
    looks: dict[str, list[str]] = page.evaluate(LOOKS)
    return [name for name, all_of in looks.items() if len(set(all_of)) < len(all_of)]


@pytest.mark.parametrize(
    ("spoil", "found"),
    [
        (".die { border: 2px solid red !important }", "dice"),
        (".stage { border: 1px solid red !important; } .stage-word::before { mask: none !important }", "stage"),
    ],
)
def test_no_mark_is_told_by_colour_alone(outcome: Page, spoil: str, found: str) -> None:
    assert alike(outcome) == []
    outcome.add_style_tag(content=spoil)
    assert found in alike(outcome)


EDGES = """() => {
    const light = (colour) => {
        const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map(v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (one, other) => (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
    const ground = light(getComputedStyle(document.documentElement).backgroundColor);
    const marked = ['success', 'double', 'miss', 'complication', 'ask'];
    return [...document.querySelectorAll('button, .die')]
        .filter((one) => one.checkVisibility() && (one.matches('button') || marked.includes(one.dataset.mark)))
        .map((one) => ratio(light(getComputedStyle(one).borderTopColor), ground));
}""".replace("\\\\\\\\", "\\\\")
"""The contrast of the edges of controls and of marked dice with the ground (1.4.11)."""


@pytest.mark.parametrize("theme", get_args(Theme))
def test_edges_on_the_display_stand_out(outcome: Page, theme: str) -> None:
    outcome.add_style_tag(content="* { transition: none !important }")
    outcome.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    ratios = outcome.evaluate(EDGES)
    assert len(ratios) >= 4
    assert min(ratios) >= 3
    outcome.add_style_tag(content=":root { --edge: var(--panel) !important }")
    outcome.evaluate("() => { document.documentElement.style.setProperty('--edge', 'var(--ground)'); }")
    assert min(outcome.evaluate(EDGES)) < 3
