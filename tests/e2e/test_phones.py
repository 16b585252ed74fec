"""Phones as they are held: few taps, chances beside choices, nothing lost while the kiosk is away."""

from __future__ import annotations

import re

from playwright.sync_api import Error, Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, declaration, set_up
from tests.e2e.program import Program, until
from tests.e2e.scenes import EVENINGS, Evening
from tests.e2e.test_accessibility import LEAST_TARGET, open_everything, violations
from tests.e2e.test_pages import live, press

PHONE = {"has_touch": True}
AWAY = 30_000


def crew_of_two(kiosk: Program) -> str:
    """Ada and Ben at the table; Ada's id."""
    character = set_up(kiosk)
    kiosk.send("save_character", name="Ben Adeyemi", attributes=ATTRIBUTES, disciplines=DISCIPLINES)
    return character


def touchable(page: Page) -> None:
    """Nothing wrong for axe, nothing wider than the screen, nothing too small for a thumb."""
    open_everything(page)
    page.add_style_tag(content=".ready { position: static !important; }")
    assert violations(page) == {}
    width = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0, "the page is wider than the screen"
    small = page.evaluate(
        """least => [...document.querySelectorAll('button, select, summary, .button, .check')]
            .filter(one => one.checkVisibility()).map(one => [one.getBoundingClientRect(), one.outerHTML])
            .filter(([at]) => at.height < least || at.width < least - 1).map(([, html]) => html)""",
        LEAST_TARGET,
    )
    assert small == []


def reopened(page: Page) -> None:
    """Open the page again, as often as it takes while the kiosk changes from starting to being there."""

    def opened() -> bool:
        try:
            page.reload()
        except Error:
            return False
        return page.locator("#main").count() > 0

    until(opened, 60)


class Taps:
    """A thumb that counts."""

    def __init__(self) -> None:
        self.number = 0

    def on(self, page: Page, name: str | re.Pattern[str], place: str = "main") -> None:
        page.locator(place).get_by_role("button", name=name, exact=isinstance(name, str)).first.tap()
        self.number += 1


def test_ones_character_is_picked_once_and_a_usual_task_declared_in_three_taps(
    kiosk: Program, open_page: OpenPage
) -> None:
    crew_of_two(kiosk)
    display = live(open_page("/display", 1280, 720))
    phone = live(open_page("/play", 320, 640, bypass_csp=True, **PHONE))
    expect(phone.get_by_role("heading", name="Whom do you play?")).to_be_visible()
    touchable(phone)
    phone.reload()
    press(live(phone), "Ben Adeyemi")
    expect(phone.locator("#me-title")).to_have_text("Ben Adeyemi")
    kiosk.stop()
    kiosk.start()
    reopened(phone)
    expect(live(phone).locator("#me-title"), "kept over a restart of kiosk and page").to_have_text("Ben Adeyemi")

    taps = Taps()
    taps.on(phone, re.compile(r"^Control \+ Engineering"), "#presets")
    expect(phone.get_by_role("button", name="Declare", exact=True)).to_be_in_viewport(ratio=1)
    taps.on(phone, re.compile("^Difficulty 2:"))
    taps.on(phone, "Declare")
    assert taps.number <= 3
    expect(display.locator(".stage-word")).to_have_text("Throw 2 d20s")
    expect(display.locator(".stage-who")).to_contain_text("Ben Adeyemi")
    assert kiosk.table()["table"]["task"]["difficulty"] == 2
    kiosk.send("undo")
    expect(phone.locator("#presets .preset").first).to_be_visible()
    press(phone, "Change")
    press(phone, "Ada Lindqvist")
    expect(phone.get_by_role("heading", name="What does Ada Lindqvist do?")).to_be_visible()
    expect(phone.get_by_label("Character", exact=True).locator("option:checked")).to_have_text("Ada Lindqvist")


def test_every_choice_shows_the_chance_that_it_brings(kiosk: Program, open_page: OpenPage) -> None:
    crew_of_two(kiosk)
    phone = live(open_page("/play", 390, 844, bypass_csp=True, **PHONE))
    expect(phone.locator(".choice .chance")).to_have_count(12)
    expect(phone.locator(".check .chance")).to_be_visible()
    for name in ("0 bonus dice", "3 bonus dice", "Determination", "Ben Adeyemi helps"):
        expect(phone.locator(".quick").get_by_role("button", name=re.compile(f"^{name}"))).to_contain_text("%")
    shown = phone.locator(".quick").get_by_role("button", name=re.compile("^3 bonus dice"))
    then = (shown.locator("small")).inner_text()
    shown.tap()
    expect(shown).to_have_attribute("aria-pressed", "true")
    expect(phone.locator("#odds")).to_contain_text(f"Success {then}")
    phone.locator(".quick").get_by_role("button", name=re.compile("^Ben Adeyemi helps")).tap()
    press(phone, "Declare")
    expect(phone.locator(".stage-word")).to_have_text("Throw 5 d20s")
    assert [one["character_id"] for one in kiosk.table()["table"]["task"]["declaration"]["assists"]] != []


def test_what_the_gamemaster_asks_for_is_one_tap_away(kiosk: Program, open_page: OpenPage) -> None:
    crew_of_two(kiosk)
    display, master = live(open_page("/display", 1280, 720)), live(open_page("/gm", 390, 844, bypass_csp=True))
    phone = live(open_page("/play", 360, 740, bypass_csp=True, **PHONE))
    press(phone, "Ada Lindqvist")
    master.get_by_label("Character", exact=True).select_option("Ada Lindqvist")
    master.get_by_label(re.compile("^Daring")).check()
    master.get_by_label("Difficulty", exact=True).fill("3")
    press(master, "Ask the player for this Task")
    expect(display.locator("#caption")).to_have_text(
        "Ada Lindqvist is asked for a Task. Daring and Command, Difficulty 3."
    )
    for screen in (display, phone):
        expect(screen.locator(".stage-word")).to_have_text("Daring + Command")
        expect(screen.locator(".facts")).to_contain_text("Difficulty")
    expect(master.get_by_role("button", name="Take back what Ada Lindqvist is asked for")).to_be_visible()
    expect(phone.get_by_role("heading", name="The gamemaster asks for")).to_be_visible()
    touchable(phone)
    taps = Taps()
    taps.on(phone, re.compile(r"^Daring \+ Command"), ".asked-for")
    assert taps.number == 1
    expect(display.locator(".stage-word")).to_have_text("Throw 2 d20s")
    assert kiosk.table()["table"]["task"]["difficulty"] == 3
    expect(master.get_by_role("button", name=re.compile("^Take back"))).to_have_count(0)


def test_dice_by_the_pad_are_one_tap_each_and_can_be_put_right(kiosk: Program, open_page: OpenPage) -> None:
    character = set_up(kiosk)
    for width, height in ((320, 640), (640, 320)):
        kiosk.send("declare_task", declaration=declaration(character))
        phone = live(open_page("/play", width, height, bypass_csp=True, **PHONE))
        expect(phone.locator("#face-1, .entry input").first).to_have_attribute("inputmode", "none")
        touchable(phone)
        taps = Taps()
        taps.on(phone, "Die 1: 7")
        taps.on(phone, "Die 2: 19")
        taps.on(phone, "Count these dice")
        assert taps.number == 3
        expect(phone.locator(".stage-word")).to_have_text("Failure")
        kiosk.send("undo")
        expect(phone.locator(".pad")).to_be_visible()
        taps.on(phone, "Die 1: 7")
        taps.on(phone, "Die 2: 19")
        phone.get_by_label("Die 1 of 2").tap()
        taps.on(phone, "Die 1: 1")
        expect(phone.get_by_label("Die 2 of 2")).to_have_value("19")
        taps.on(phone, "Count these dice")
        expect(phone.locator(".stage-word")).to_have_text("Success")
        phone.locator("summary", has_text="A die was misread").press("Enter")
        phone.locator("#more .dice-picks").get_by_role("button", name="Die 2: 19").press("Enter")
        phone.locator("#more .pad").get_by_role("button", name="Die 2 shows 3", exact=True).press("Enter")
        until(lambda: [one["die"]["face"] for one in kiosk.table()["table"]["task"]["dice"]] == [1, 3])
        kiosk.send("finish_spending")


def test_dice_are_thrown_again_by_touching_them(kiosk: Program, open_page: OpenPage) -> None:
    character = set_up(kiosk)
    kiosk.send("declare_task", declaration=declaration(character))
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[4, 19])
    phone = live(open_page("/play", 320, 640, bypass_csp=True, **PHONE))
    picks = phone.locator(".again .dice-picks button")
    expect(picks).to_have_count(2)
    expect(phone.locator("#stage .dice"), "the dice are drawn once, where they can be touched").to_be_hidden()
    press(phone, "Throw these again Inspiration: 1 Determination, and a Value")
    expect(phone.locator(".again [data-error]")).to_have_text("Touch at least one die to throw again.")
    picks.nth(1).tap()
    expect(picks.nth(1)).to_have_attribute("aria-pressed", "true")
    touchable(phone)
    press(phone, "Throw these again Inspiration: 1 Determination, and a Value")
    expect(phone.locator(".stage-word")).to_have_text("Throw 1 d20 again")
    assert kiosk.table()["table"]["characters"][0]["determination"] == 0


def test_taps_are_kept_while_the_kiosk_is_away_and_each_counts_once(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    master = live(open_page("/gm", 360, 740, bypass_csp=True))
    before = kiosk.table()["table"]["threat"]
    kiosk.stop()
    for _ in range(2):
        press(master, "Gain Threat")
        expect(master.locator("#error")).to_be_hidden()
    expect(master.locator("#waiting li")).to_have_count(2)
    expect(master.locator("#waiting")).to_contain_text("Gain Threat")
    touchable(master)
    kiosk.start()
    expect(master.locator("#waiting li")).to_have_count(0, timeout=AWAY)
    expect(master.locator("#threat")).to_have_text(str(before + 2), timeout=AWAY)
    assert kiosk.table()["table"]["threat"] == before + 2
    kiosk.stop()
    press(master, "Gain Threat")
    press(master, "Do not send: Gain Threat")
    expect(master.locator("#waiting li")).to_have_count(0)
    kiosk.start()
    live(master)
    assert kiosk.table()["table"]["threat"] == before + 2


def test_pools_are_a_tap_a_point_and_two_hands_at_once_both_count(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    before = kiosk.table()["table"]["threat"]
    hands = [live(open_page("/gm", 360, 740, **PHONE)) for _ in range(2)]
    for hand in hands:
        hand.get_by_role("button", name="Threat +1", exact=True).evaluate("one => setTimeout(() => one.click(), 200)")
    for hand in hands:
        expect(hand.locator("#threat")).to_have_text(str(before + 2))
    hands[0].get_by_role("button", name=re.compile("^Undo")).tap()
    expect(hands[1].locator("#threat")).to_have_text(str(before + 1))


def test_a_kept_tap_that_no_longer_fits_is_refused_in_words(kiosk: Program, open_page: OpenPage) -> None:
    character = set_up(kiosk)
    kiosk.send("declare_task", declaration=declaration(character))
    phone = live(open_page("/play", 360, 740, bypass_csp=True, **PHONE))
    phone.context.set_offline(True)
    for name in ("Die 1: 1", "Die 2: 1", "Count these dice"):
        press(phone, name)
    expect(phone.locator("#waiting")).to_contain_text("Enter the dice 1, 1")
    kiosk.send("withdraw_task")
    kiosk.send("declare_task", declaration=declaration(character, difficulty=4))
    phone.context.set_offline(False)
    expect(phone.locator("#waiting")).to_contain_text("Not done: Enter the dice 1, 1.", timeout=AWAY)
    expect(phone.locator("#waiting")).to_contain_text("The table has gone on since")
    assert kiosk.table()["table"]["task"]["outcome"] is None
    touchable(phone)
    press(phone, "I have read it")
    expect(phone.locator("#waiting")).to_be_empty()


def test_a_phone_that_slept_catches_up(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    phone = live(open_page("/play", 360, 740))
    seen = """hidden => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden === 'yes' });
        document.dispatchEvent(new Event('visibilitychange'));
    }"""
    phone.evaluate(seen, "yes")
    expect(phone.locator("#link")).to_have_attribute("data-state", "stale")
    kiosk.send("adjust_pool", pool="momentum", change=4)
    phone.evaluate(seen, "no")
    expect(live(phone).locator("#momentum")).to_have_text("4 of 6")


def test_a_hidden_roll_is_seen_by_nobody_before_it_is_shown(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    kiosk.send("save_character", name="Brack", attributes=ATTRIBUTES, disciplines=DISCIPLINES, standing="notable_npc")
    display, phone = live(open_page("/display", 1280, 720)), live(open_page("/play"))
    master = live(open_page("/gm", 360, 740, bypass_csp=True, **PHONE))
    before = [page.locator("body").inner_text() for page in (display, phone)]
    sequence = kiosk.table()["sequence"]
    master.get_by_label("Character", exact=True).select_option("Brack")
    press(master, "Roll it hidden")
    hidden = master.locator("#hidden")
    expect(hidden.get_by_role("heading", name="Hidden: only you see this")).to_be_visible()
    for name in ("Die 1: 1", "Die 2: 4", "Count these dice"):
        hidden.get_by_role("button", name=name, exact=True).tap()
    expect(hidden.locator(".stage-word")).to_have_text("Success")
    touchable(master)
    assert kiosk.table()["sequence"] == sequence
    assert [page.locator("body").inner_text() for page in (display, phone)] == before
    master.reload()
    expect(live(master).locator("#hidden .stage-word"), "kept by the kiosk").to_have_text("Success")
    press(master, "Show it to all")
    for page in (display, phone):
        expect(page.locator(".stage-word")).to_have_text("Success")
        expect(page.locator(".stage-who")).to_contain_text("Brack")
    expect(hidden).to_be_empty()


def test_the_page_is_an_app_that_opens_while_the_kiosk_is_away(kiosk: Program, open_page: OpenPage) -> None:
    crew_of_two(kiosk)
    phone = live(open_page("/play", 360, 740))
    manifest = phone.evaluate("async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json()")
    assert (manifest["display"], manifest["start_url"]) == ("standalone", "/play")
    for icon in manifest["icons"]:
        size = phone.evaluate(
            "async src => { const made = new Image(); made.src = src; await made.decode(); return made.naturalWidth; }",
            icon["src"],
        )
        assert icon["sizes"] in {"any", f"{size}x{size}"}
    press(phone, "Ada Lindqvist")
    phone.evaluate("async () => { await navigator.serviceWorker.ready; }")
    phone.reload()
    live(phone)
    kiosk.stop()
    phone.reload()
    expect(phone.get_by_role("heading", name="Player")).to_be_visible()
    expect(phone.locator("#link")).to_have_text(re.compile("^Stale"), timeout=AWAY)
    kiosk.start()
    expect(live(phone).locator("#me-title")).to_have_text("Ada Lindqvist")


def test_from_the_first_page_to_a_scored_throw_without_reading(kiosk: Program, open_page: OpenPage) -> None:
    """docs/first-throw.md tells these steps; a new one there is a new one here."""
    phone = open_page("/", 390, 844, bypass_csp=True, **PHONE)
    taps = Taps()
    taps.on(phone, "Play at once with a sample crew")
    phone.wait_for_url("**/play")
    live(phone)
    taps.on(phone, re.compile("Okoro"), "#me")
    expect(phone.locator("#presets .preset").first).to_be_visible()
    taps.on(phone, re.compile("Difficulty 1"), "#presets")
    taps.on(phone, "Declare")
    expect(phone.locator(".stage-word")).to_have_text("Throw 2 d20s")
    for name in ("Die 1: 8", "Die 2: 15", "Count these dice"):
        taps.on(phone, name)
    expect(phone.locator(".stage-word")).to_have_text("Success")
    assert kiosk.table()["table"]["task"]["outcome"]["success"]
    assert taps.number == 7


def test_a_ship_fight_on_a_phone_shows_what_whoever_acts_can_do(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    next(one for scenes in EVENINGS for one in scenes if one.name == "bridge").play(evening)
    phone = live(open_page("/conflict", 360, 740, bypass_csp=True, **PHONE))
    expect(phone.locator("summary", has_text="Fire Weapon")).to_be_visible()
    expect(phone.locator("summary", has_text="Evasive Action")).to_be_hidden()
    assert phone.evaluate("() => document.documentElement.scrollHeight") < 5 * 740
    phone.locator("summary", has_text="Helm: Tasks").tap()
    expect(phone.locator("summary", has_text="Evasive Action")).to_be_visible()
    kiosk.send("gain_threat", event="threatening_scene", amount=1)
    expect(phone.locator("#threat")).to_have_text(str(kiosk.table()["table"]["threat"]))
    expect(phone.locator("summary", has_text="Evasive Action"), "what was unfolded stays so").to_be_visible()
    touchable(phone)
