"""The gamemaster's bridge on a laptop and on a phone: all of a usual table in sight, its dial, a fight in two taps."""

from __future__ import annotations

import re
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import DISCIPLINES, declaration, set_up
from tests.e2e.naming import misnamed
from tests.e2e.program import Program
from tests.e2e.scenes import EVENINGS, Evening
from tests.e2e.test_accessibility import LEAST_TARGET, open_everything, unfitting, violations
from tests.e2e.test_pages import live, report
from tests.e2e.test_tabs import HEIGHT

SYSTEMS = dict.fromkeys(("communications", "computers", "engines", "sensors", "structure", "weapons"), 8)


def out_of_place(page: Page) -> list[str]:
    """What of a usual table is not in sight at once, or stands below another in place of beside it."""
    found: list[str] = page.evaluate(
        """() => {
            const box = (id) => document.getElementById(id).getBoundingClientRect();
            const bar = document.getElementById('undo-bar').getBoundingClientRect().top;
            const hidden = ['waits', 'pools', 'crew', 'foes'].filter(id => box(id).top < 0 || box(id).bottom > bar);
            const beside = [['crew', 'waits'], ['waits', 'foes'], ['crew', 'pool-taps'], ['pool-taps', 'foes']];
            return [...hidden, ...beside.filter(([one, other]) => box(one).right > box(other).left).map(String)];
        }"""
    )
    return found


def at_hand(page: Page, state: str) -> None:
    """The dial and the pools' buttons can be pressed without scrolling, on a page of two screens, no wider than one."""
    page.set_viewport_size({"width": 1366, "height": 768})
    page.evaluate("scrollTo(0, 0)")
    covered: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('#dial .steps button, .pool-taps button')].filter((one) => {
            const { left, top, width, height } = one.getBoundingClientRect();
            return !one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }).map((one) => one.textContent)"""
    )
    assert covered == [], state
    assert page.evaluate(HEIGHT) <= 2 * 768, state
    for width in (1366, 1440):
        page.set_viewport_size({"width": width, "height": 768})
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, state


SEEN = """one => {
    const { left, top, height } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(left + 5, top + height / 2));
}"""
"""Whether it is in sight, under nothing."""

CRAMPED = """() => [...document.querySelectorAll("#actions .options button, #stage .die")].filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    return one.matches(".die") ? parseFloat(getComputedStyle(one).paddingInlineEnd) < 4 : height > width / 2;
}).map((one) => one.textContent)"""
"""The choices that are towers of words, and the dice whose words may touch their frame."""


BROKEN = """() => [...document.querySelectorAll(".bridge :is(button, summary, .button)")].filter((one) => {
    if (!one.checkVisibility()) return false;
    const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), lines = new Set();
    while (texts.nextNode()) {
        const { parentElement } = texts.currentNode, range = document.createRange();
        if (parentElement.closest("small, .unseen") || parentElement.matches(".step-of")) continue;
        range.selectNodeContents(texts.currentNode);
        for (const { width, bottom } of range.getClientRects()) if (width > 1) lines.add(Math.round(bottom / 4));
    }
    return lines.size > (one.closest("#actions") ? Math.ceil(one.textContent.trim().length / 28) : 1);
}).map((one) => one.textContent.trim())"""
"""The buttons and folds whose name breaks into lines; an option may be a sentence, 28 letters a line."""


def test_no_name_of_a_button_breaks_on_a_laptop(kiosk: Program, open_page: OpenPage) -> None:
    character = set_up(kiosk)
    page = live(open_page("/gm", 1366, 768, bypass_csp=True))
    for kind, declares in (("idle", None), ("ask", character), ("outcome", None)):
        if declares:
            kiosk.send("declare_task", declaration=declaration(declares))
        elif kind == "outcome":
            kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[4, 20])
        expect(page.locator("#stage")).to_have_attribute("data-kind", kind)
        for width, height in ((1280, 800), (1366, 768), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(BROKEN) == [], (kind, width)
    page.add_style_tag(content=".pool-taps button { width: 1rem; min-width: 0; word-break: break-all }")
    assert page.evaluate(BROKEN), "a page made bad"


@pytest.mark.parametrize("path", ["/gm", "/setup"])
def test_what_leads_to_a_weapon_is_as_high_as_a_thumb(kiosk: Program, open_page: OpenPage, path: str) -> None:
    set_up(kiosk)
    kiosk.send("save_ship", name="Razor", scale=3, systems=SYSTEMS, departments=DISCIPLINES)
    page = open_page(path, 390, 844, bypass_csp=True)
    open_everything(page)
    link = page.get_by_role("link", name=re.compile("No weapon yet"))
    assert link.evaluate("(one) => one.getBoundingClientRect().height") >= LEAST_TARGET


COVERED = """() => [...document.querySelectorAll('main :is(input, select, textarea, button, summary, a.button)')]
  .filter((one) => one.checkVisibility() && !one.disabled && (one.focus(), document.activeElement === one))
  .filter((one) => {
    one.focus();
    const at = one.getBoundingClientRect();
    return [at.top + 4, at.bottom - 4].some((y) => {
      const seen = document.elementFromPoint((at.left + at.right) / 2, y);
      return !seen || !(one.contains(seen) || one.closest('label')?.contains(seen));
    });
  }).map((one) => one.id || one.name || one.textContent.trim())"""
"""What stands behind something else, or outside, once it has the focus."""


def test_no_field_stands_behind_what_stays_in_sight(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    page = live(open_page("/gm", 1280, 720, bypass_csp=True))
    for form in (False, True):
        if form:
            page.locator("a[data-opens]").first.click()
            expect(page.locator("#declare-now")).to_be_visible()
        for width, height in ((1280, 720), (1366, 768), (1440, 900), (1024, 600)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(COVERED) == [], (form, width)
    page.set_viewport_size({"width": 1366, "height": 768})
    page.add_style_tag(content=".bridge-now .ready { padding-top: 10rem }")
    assert page.evaluate(COVERED), "a page made bad"


def through_a_task(page: Page, kiosk: Program) -> Page:
    """While dice are awaited, and while a player may spend, the dial and the pools stay at hand."""
    at_hand(page, "at rest")
    actor = kiosk.table()["table"]["characters"][0]["character_id"]
    kiosk.send("declare_task", declaration=declaration(actor, difficulty=0))
    expect(page.locator("#stage")).to_have_attribute("data-kind", "ask")
    at_hand(page, "dice are awaited")
    page.set_viewport_size({"width": 1366, "height": 768})
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    report(kiosk, {"face": 4}, {"face": 12, "confidence": 0.4, "state": "doubtful"})
    expect(page.locator("#question-title")).to_be_in_viewport(ratio=1)
    assert page.locator(".stage-word").evaluate(SEEN), "what is asked comes with its headline"
    kiosk.send("dismiss_throw")
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[1, 20])
    expect(page.locator("#stage")).to_have_attribute("data-kind", "outcome")
    at_hand(page, "a player may spend")
    page.set_viewport_size({"width": 1366, "height": 768})
    assert page.evaluate(CRAMPED) == []
    while kiosk.table()["table"]["task"] is not None:
        kiosk.send("undo")
    return page


def posted(kiosk: Program, action: str, **fields: str) -> None:
    """A form as a page's own script sends it."""
    body = urlencode(fields).encode()
    request = Request(f"{kiosk.address}/text/{action}", data=body, headers={"X-Trueroll": "1"})  # noqa: S310 - our own
    urlopen(request).close()  # noqa: S310 - our own address


def keeps_the_focus(page: Page, kiosk: Program) -> None:
    """Who stands on a Turn that is taken back is led on, not to the top of the page."""
    turn = page.locator("#master-turn .action > summary").first
    turn.focus()
    kiosk.send("undo")
    expect(turn).to_have_count(0)
    page.wait_for_function("() => document.activeElement !== document.body", polling=50)


def plays_a_foe(page: Page) -> None:
    """A foe's Turn begins at its card, and what it does is chosen there, its button in sight; its own side is last."""
    page.set_viewport_size({"width": 1366, "height": 768})
    page.evaluate("scrollTo(0, 600)")
    begins = page.locator("#foes .fighter button").first
    expect(begins, "however far one has scrolled").to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Begin Corsair 1's Turn"), "once").to_have_count(1)
    begins.click()
    expect(page.locator("#waits .whose")).to_have_text("Yours")
    assert page.locator("#master-turn h2").first.evaluate(SEEN), "its headline"
    page.evaluate("scrollTo(0, 0)")
    assert out_of_place(page) == [], "whatever can be done"
    at_hand(page, "a foe's Turn")
    page.locator("#master-turn .action > summary", has_text="Attack").click()
    attack = page.locator("#master-turn .action[open]")
    expect(attack.get_by_role("button", name="Attack", exact=True)).to_be_in_viewport(ratio=1)
    edge = attack.locator("form > .main-action").first.evaluate("one => getComputedStyle(one).boxShadow")
    assert edge != "none", "no row shows through between it and the bar"
    assert page.evaluate(HEIGHT) <= 2000, "two screens and a half"
    names = attack.get_by_label("At whom").locator("option").all_inner_texts()
    foes = [place for place, one in enumerate(names) if one.startswith("Corsair")]
    assert foes == list(range(len(names) - len(foes), len(names))), "those of one's own side last"
    assert "Corsair" not in names[0]


def follows_the_rules(page: Page, kiosk: Program) -> None:
    """The tables of the books on an open page are those of the rules that are played."""
    open_everything(page)
    expect(page.locator("#book-impacts")).to_be_visible()
    kiosk.send("set_up_table", ruleset="second-edition", players=["Ann"])
    expect(page.locator("#book-shaken")).to_be_visible()
    expect(page.locator("#book-impacts")).to_have_count(0)
    expect(page.locator("#about-spends dt", has_text="An NPC fires a torpedo")).to_have_count(1)


def covers_nobody(page: Page, start: Locator) -> None:
    """The button stands below the list that one chooses from."""
    chosen, button = page.locator("#library .kinds").first.bounding_box(), start.bounding_box()
    assert chosen is not None
    assert button is not None
    assert button["y"] >= chosen["y"] + chosen["height"]


def stands_side_by_side(page: Page) -> None:
    """All of a usual table on a laptop and on a large screen, proven on a page made bad."""
    for width, height in ((1366, 768), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        assert out_of_place(page) == [], width
    spoil = page.add_style_tag(content="#crew { margin-top: 30rem; } #foes { margin-left: -20rem; }")
    assert out_of_place(page) == ["crew", "waits,foes", "pool-taps,foes"]
    spoil.evaluate("one => one.remove()")


def starts_beside_who_stands_by(page: Page, kiosk: Program) -> None:
    """Whoever of the gamemaster's stands by scrolls, and leaves a fight its place on a laptop's screen."""
    page.set_viewport_size({"width": 1366, "height": 768})
    ratings = kiosk.table()["table"]["characters"][0]
    numbers = {"attributes": ratings["attributes"], "disciplines": ratings["disciplines"]}
    for number in range(1, 7):
        kiosk.send("save_character", name=f"Guard {number}", standing="minor_npc", **numbers)
    expect(page.locator("#foes .fighter")).to_have_count(6)
    page.evaluate("scrollTo(0, 0)")
    expect(page.get_by_role("heading", name="Start a fight")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="More: Corsair", exact=True).click()
    expect(page.get_by_role("button", name="Start the fight on foot")).to_be_in_viewport(ratio=1)


COLOUR = "one => getComputedStyle(one).backgroundColor"

FADES = """(list) => {
    const fade = getComputedStyle(list, "::after");
    return fade.content !== "none" && fade.position === "sticky" && parseFloat(fade.height) >= 24;
}"""
"""Whether what goes on below a list's edge fades there, so that no line of words is cut through."""


def chooses_three(page: Page) -> Locator:
    """Three corsairs; the button that begins the fight with them."""
    start = page.get_by_role("button", name="Start the fight on foot")
    with_nobody = start.evaluate(COLOUR)
    many = page.locator("#many-corsair")
    expect(many, "before anything is chosen").to_be_in_viewport(ratio=1)
    more, less = (page.get_by_role("button", name=f"{one}: Corsair", exact=True) for one in ("More", "Less"))
    more.click()
    assert start.evaluate(COLOUR) != with_nobody, "a fight with nobody is no main action"
    less.click()
    assert start.evaluate(COLOUR) == with_nobody
    less.click()
    more.click(click_count=3)
    expect(many).to_have_value("3")
    expect(start, "beside whom one chooses").to_be_in_viewport(ratio=1)
    return start


def test_a_usual_table_is_in_sight_and_a_fight_is_two_taps(kiosk: Program, open_page: OpenPage, *, whole: bool) -> None:
    posted(kiosk, "sample_crew", ruleset="core-1e")
    page = through_a_task(live(open_page("/gm", 1366, 768, bypass_csp=True)), kiosk)

    three = page.locator("#difficulty-3")
    page.evaluate("for (const one of ['difficulty-3', 'complication-range-2']) document.getElementById(one).click()")
    expect(page.locator("#complication-range-2")).to_have_attribute("aria-pressed", "true")
    assert kiosk.table()["table"]["dial"]["difficulty"] == 3, "what was tapped a moment before stays"
    three.click()
    expect(three).to_have_attribute("aria-pressed", "true")
    expect(three).to_be_focused()
    expect(page.locator("#complication-range-2")).to_have_attribute("aria-pressed", "true")
    assert kiosk.table()["table"]["dial"] == {"difficulty": 3, "complication_range": 2, "after": 0}
    expect(page.locator("#stage .facts")).to_have_text("Difficulty of the next Task3 (daunting)")

    start = chooses_three(page)
    covers_nobody(page, start)
    foes = page.locator("#library .kinds").first
    assert foes.evaluate(FADES)
    spoil = page.add_style_tag(content="#library .kinds::after { content: none !important }")
    assert not foes.evaluate(FADES)
    spoil.evaluate("one => one.remove()")
    start.click()
    expect(page.locator("#foes .fighter strong")).to_have_text(["Corsair 1", "Corsair 2", "Corsair 3"])
    expect(page.locator("#library")).to_be_hidden()
    page.wait_for_function("() => document.activeElement !== document.body", polling=50)
    kiosk.send("save_ship", name="Razor", scale=3, systems=SYSTEMS, departments=DISCIPLINES, crew="proficient")
    expect(page.locator("#foes .ship")).to_have_count(1)
    stands_side_by_side(page)
    plays_a_foe(page)
    open_everything(page)
    for theme in ("dark", "paper") if whole else ("paper",):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        assert violations(page, each=whole) == {}, theme
    assert misnamed(page) == []

    page.set_viewport_size({"width": 390, "height": 844})
    tops = page.evaluate(
        "() => ['waits', 'master-turn', 'foes', 'crew'].map(id => document.getElementById(id).offsetTop)"
    )
    assert tops == sorted(tops), "in the order of what is needed"

    keeps_the_focus(page, kiosk)
    kiosk.send("undo", confirmed=True)
    kiosk.send("undo")
    expect(page.locator("#library")).to_be_visible()
    assert not whole or violations(page, each=True) == {}, "as in `test_accessibility`, where it is at rest"
    assert unfitting(page) == []

    follows_the_rules(page, kiosk)
    starts_beside_who_stands_by(page, kiosk)


def test_a_foe_is_found_by_name_and_what_is_typed_outlasts_what_others_do(kiosk: Program, open_page: OpenPage) -> None:
    posted(kiosk, "sample_crew", ruleset="core-1e")
    page = live(open_page("/gm", 1366, 768, bypass_csp=True))
    start = page.get_by_role("button", name="Start the fight on foot")
    with_nobody = start.evaluate(COLOUR)
    field = page.get_by_label("Find by name or sort")
    expect(field).to_have_accessible_description("Several: 3 Hired blade, Corsair")
    offered = field.evaluate("(one) => [...one.list.options].map((each) => `${each.value}: ${each.label}`)")
    assert "Warlord of the Broken Belt: major NPC" in offered
    field.focus()
    page.keyboard.type("leviatan")
    assert start.evaluate(COLOUR) != with_nobody, "somebody is chosen"
    kiosk.send("set_difficulty", difficulty=3, complication_range=1)
    ratings = kiosk.table()["table"]["characters"][0]
    numbers = {"attributes": ratings["attributes"], "disciplines": ratings["disciplines"]}
    kiosk.send("save_character", name="Newcomer", **numbers)
    expect(page.locator("#crew .fighter")).to_have_count(5)
    expect(field).to_be_focused()
    expect(field).to_have_value("leviatan")
    page.keyboard.press("Enter")
    problem = page.locator("#library [data-error]").first
    expect(problem).to_have_text("Nobody here is called 'leviatan'. The nearest name is Storm leviathan.")
    field.fill("2 storm")
    expect(start).to_be_in_viewport(ratio=1)
    start.click()
    expect(page.locator("#foes .fighter strong")).to_have_text(["Storm leviathan 1", "Storm leviathan 2"])


COLUMNS = """() => new Set(
    [...document.querySelectorAll("#library .kind")].map((one) => Math.round(one.getBoundingClientRect().left))
).size"""
"""How many foes stand side by side."""


@pytest.mark.parametrize("language", ["en", "de", "es", "fr"])
def test_on_a_large_screen_every_foe_is_in_sight_at_once(kiosk: Program, open_page: OpenPage, language: str) -> None:
    posted(kiosk, "sample_crew", ruleset="core-1e")
    page = live(open_page(f"/gm?language={language}", 1920, 1080))
    expect(page.locator("html")).to_have_attribute("lang", language)
    assert page.evaluate(COLUMNS) == 2
    for foe in page.locator("#library .kinds").first.locator(".kind").all():
        expect(foe).to_be_in_viewport(ratio=1)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 1920


def test_the_tables_of_the_books_stand_side_by_side_in_a_duel(kiosk: Program, open_page: OpenPage) -> None:
    EVENINGS[1][0].play(Evening(kiosk))
    page = open_page("/gm", 1366, 768)
    title = page.locator("#reference > summary")
    above = title.bounding_box()
    title.click()
    tables = page.locator(".reference > section")
    expect(tables.first).to_be_visible()
    places = tables.evaluate_all("all => all.map((one) => one.getBoundingClientRect().left)")
    assert len(set(places)) > 1
    below = title.bounding_box()
    assert above is not None
    assert below is not None
    assert below["y"] <= above["y"] + 1, "what was touched stays in sight"


def test_the_tables_of_the_books_are_requested_once_however_often_they_are_opened(
    kiosk: Program, open_page: OpenPage
) -> None:
    EVENINGS[1][0].play(Evening(kiosk))
    page = live(open_page("/gm", 1366, 768))
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/parts/reference" in one.url else None)
    title, within = page.locator("#reference > summary"), page.locator("#reference details.part")
    title.click()
    within.first.locator("summary").click()
    expect(within.first).to_have_attribute("open", "")
    for _ in range(2):
        title.click()
        expect(within.first.locator("summary")).to_be_hidden()
        title.click()
        expect(within.first.locator("summary")).to_be_visible()
        page.wait_for_timeout(300)
    assert len(asked) == 1
    expect(within.first, "what was open stays so").to_have_attribute("open", "")


def test_a_number_and_its_note_stand_in_one_line_on_a_phone(kiosk: Program, open_page: OpenPage) -> None:
    EVENINGS[1][0].play(Evening(kiosk))
    page = open_page("/play", 320, 640, bypass_csp=True)
    page.locator("#stage .facts").evaluate("""(facts) => {
        facts.closest("#stage").dataset.kind = "chain";
        facts.innerHTML = "<div><dt>Damage before Resistance</dt><dd>7<small> Resistance 3</small></dd></div>";
    }""")
    height, letters = page.locator("#stage .facts dd").evaluate(
        "(one) => [one.getBoundingClientRect().height, parseFloat(getComputedStyle(one).fontSize)]"
    )
    assert height < 1.6 * letters


UNDER_THE_DOCK = """() => {
    const dock = document.getElementById("undo-bar").getBoundingClientRect().top;
    const opened = [...document.querySelectorAll(".pool-desk details[open], .action[open] > form > .main-action")];
    return opened.filter((one) => one.getBoundingClientRect().bottom > dock + 1).map((one) => one.textContent.trim());
}"""
"""What was opened on a laptop and ends below what stays at the foot."""


def test_what_is_opened_on_a_laptop_comes_into_sight_above_what_stays_at_the_foot(
    kiosk: Program, open_page: OpenPage
) -> None:
    evening = Evening(kiosk)
    for scene in EVENINGS[0][:2]:
        scene.play(evening)
    page = live(open_page("/gm", 1366, 768, bypass_csp=True))
    for words in ("Threat is spent", "Threat rises"):
        fold = page.locator(".pool-desk summary", has_text=words)
        fold.click()
        expect(fold.locator("..")).to_have_attribute("open", "")
        page.wait_for_function(f"() => !({UNDER_THE_DOCK})().length")
        fold.click()
    page.evaluate("scrollTo(0, 0)")
    page.add_style_tag(content="html { scroll-padding-bottom: 0 !important }")
    page.locator(".pool-desk summary", has_text="Threat is spent").click()
    page.wait_for_timeout(300)
    assert page.evaluate(UNDER_THE_DOCK) != []


def test_the_button_of_an_open_action_stands_above_what_stays_at_the_foot(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    posted(kiosk, "fight", kind="personal", many_hired_blade="1")
    foe = next(one for one in kiosk.table()["table"]["characters"] if one["standing"] != "player")
    kiosk.send("begin_turn", combatant_id=foe["character_id"])
    page = live(open_page("/gm", 1366, 768, bypass_csp=True))
    page.locator(".action > summary:visible").first.click()
    expect(page.locator(".action[open] > form > .main-action")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    assert page.evaluate(UNDER_THE_DOCK) == []
    page.add_style_tag(content=".undo-bar { min-height: 9rem !important }")
    assert page.evaluate(UNDER_THE_DOCK) != []


def test_beside_a_task_that_is_filled_in_the_result_before_it_is_a_line(kiosk: Program, open_page: OpenPage) -> None:
    character = set_up(kiosk)
    kiosk.send("declare_task", declaration=declaration(character))
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[4, 12])
    if kiosk.table()["table"]["task"] is not None:
        kiosk.send("finish_spending")
    page = live(open_page("/gm", 1366, 768))
    stage, dice = page.locator("#stage"), page.locator("#stage .dice")
    expect(dice).to_be_visible()
    page.locator("#declare-open").click()
    expect(page.locator("#declare-form")).to_be_visible()
    expect(dice).to_be_hidden()
    expect(stage.locator(".stage-word")).to_be_visible()
    box = stage.bounding_box()
    assert box
    assert box["height"] < 90


ROOM = """(button) => {
    const words = document.createRange();
    words.selectNodeContents(button);
    const [inner, outer] = [words.getBoundingClientRect(), button.getBoundingClientRect()];
    return Math.min(inner.left - outer.left, outer.right - inner.right);
}"""
"""How much room is left beside the words of a button."""


def test_what_gives_the_dial_back_has_room_around_its_words(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    kiosk.send("set_difficulty", difficulty=3)
    page = live(open_page("/gm", 1366, 768))
    expect(page.locator("#dial-open")).to_be_visible()
    assert page.locator("#dial-open").evaluate(ROOM) >= 6
    expect(page.locator("#dial-open")).to_be_in_viewport(ratio=1)


CHIPS = """() => [...document.querySelectorAll("#dial .steps button")].map((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return [one.id, left + width / 2, top + height / 2];
})"""
"""Each chip of the dial, and where its middle is."""

HIT = "([, x, y]) => document.elementFromPoint(x, y).closest('button')?.id"
"""Which button is hit there."""


@pytest.mark.parametrize("width", [1366, 1920])
def test_no_chip_of_the_dial_moves_once_one_is_pressed(kiosk: Program, open_page: OpenPage, width: int) -> None:
    set_up(kiosk)
    page = live(open_page("/gm", width, 768))
    before = page.evaluate(CHIPS)
    assert len(before) == 11
    page.locator("#difficulty-4").click()
    expect(page.locator("#dial-open")).to_be_visible()
    assert [page.evaluate(HIT, one) for one in before] == [one for one, _, _ in before]
    assert max(abs(x - at) for (_, x, _), (_, at, _) in zip(page.evaluate(CHIPS), before, strict=True)) < 4
    expect(page.locator("#dial .quick-title")).to_have_text("Complication range")
    expect(page.locator("#dial .quick-title")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1366, 768)])
def test_where_nobody_answers_an_opposed_task_a_foe_of_the_library_comes_in_two_taps(
    kiosk: Program, open_page: OpenPage, width: int, height: int
) -> None:
    evening = Evening(kiosk)
    evening.people["Ada Lindqvist"] = set_up(kiosk)
    evening.declare(label="Talk the guard round", opposed=True)
    evening.throw(3, 12)
    page = live(open_page("/gm", width, height))
    expect(page.locator("#stage .stage-word"), "what has to be beaten").to_be_in_viewport(ratio=1)
    expect(page.locator("#stage")).to_contain_text("To win")
    page.locator("#ready-foes > summary").click()
    foe = page.locator("#ready-foes button", has_text="Corsair captain")
    foe.scroll_into_view_if_needed()
    assert foe.evaluate(SEEN)
    assert not violations(page)
    assert not misnamed(page)
    foe.click()
    expect(page.locator("#declare-open")).to_be_visible()
    expect(page.locator("#ready-foes")).to_have_count(0)
    page.locator("#declare-open").click()
    expect(page.locator("#declare-now")).to_be_visible()
    assert kiosk.table()["table"]["characters"][-1]["name"] == "Corsair captain"
