"""People at a table: what one does on a phone is seen, and heard, on every other screen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, declaration, set_up
from tests.e2e.program import Program, take_back

LIVE = re.compile("live")


def live(page: Page) -> Page:
    """Wait until the page follows the table."""
    expect(page.locator("#link")).to_have_attribute("data-state", LIVE)
    return page


def words(page: Page, place: str = "#stage") -> str:
    """What a part of the page reads, spaces made one."""
    return " ".join(page.locator(place).inner_text().split())


def unfold(page: Page, *titles: str) -> Page:
    """Open the folded parts of those names."""
    for title in titles:
        page.locator("summary", has_text=re.compile(f"^\\W*{re.escape(title)}\\W*$")).click()
    return page


def declaring(page: Page, *, more: bool = False) -> Page:
    """Open the form of a Task; with `more`, what few Tasks need, too."""
    page.locator("#declare-open").click()
    expect(page.locator("#odds")).not_to_be_empty()
    if more:
        press(page, "Modifiers, dice, helpers, at cost")
        expect(page.get_by_role("button", name="Back to the short form")).to_be_visible()
        further(page, "Dice and")
        expect(page.get_by_label("Bonus die 1")).to_be_visible()
    return page


def further(page: Page, title: str) -> Page:
    """Open what few Tasks need of that name: on a phone an open part stands alone, and is closed first."""
    part = page.locator(".part-of", has_text=title)
    if page.locator(".part-of[aria-expanded=true]").filter(has_not_text=title).count():
        expect(together(page).locator(".part-of", has_text=title)).to_be_visible()
    if part.count() and part.first.get_attribute("aria-expanded") == "false":
        part.first.click()
        expect(part.first).to_have_attribute("aria-expanded", "true")
    return page


def together(page: Page) -> Page:
    """Close the part that stands alone on a phone: the rest of the form is there again."""
    page.locator(".part-of[aria-expanded=true]").click()
    return page


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def report(kiosk: Program, *dice: dict[str, Any]) -> None:
    """A throw as someone reports it through the API."""
    whole = [{"kind": "d20", "confidence": 1.0, "state": "read", "source": "manual", **die} for die in dice]
    reading = {"reading_id": f"test-{kiosk.table()['sequence']}", "source": "manual", "dice": whole}
    kiosk.send("report_reading", reading=reading)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of one character, and the screens that follow it."""

    kiosk: Program
    character: str
    beginning: dict[str, Any]
    display: Page
    phone: Page


OWN_DOING = 3_000
"""Milliseconds after an answer within which focus moves: as `static/js/shell.js` has it."""


@pytest.fixture(scope="module")
def standing(standing_kiosk: Program, open_standing: OpenPage) -> Table:
    """Opened once for all tests of this file."""
    character = set_up(standing_kiosk)
    beginning = standing_kiosk.table()["table"]
    display, phone = live(open_standing("/display", 1280, 720)), live(open_standing("/play"))
    return Table(standing_kiosk, character, beginning, display, phone)


@pytest.fixture(scope="module")
def master(standing: Table, open_standing: OpenPage) -> Page:
    """The gamemaster's page, for the last tests of this file: each page that is open takes part in every change."""
    assert standing.character
    return live(open_standing("/gm", 800, 900))


@pytest.fixture
def table(standing: Table) -> Table:
    """The table as it was set up: everything since is taken back, and each screen shows it so."""
    take_back(standing.kiosk, standing.beginning)
    for page in (standing.display, standing.phone):
        expect(live(page).locator("#stage")).to_have_attribute("data-kind", "idle")
    if (closes := standing.phone.locator("#declare [data-closes]")).count():  # somebody was about to declare a Task
        closes.click()
    expect(standing.phone.locator("#declare-open")).to_be_visible()
    return standing


def test_declared_on_a_phone_entered_by_hand_seen_on_the_display(table: Table) -> None:
    kiosk, display, phone = table.kiosk, table.display, declaring(table.phone, more=True)
    expect(phone.locator("#odds")).to_contain_text("Success")
    together(phone).get_by_label("Discipline", exact=True).select_option("engineering")
    phone.locator("input[name=focus]").check()
    further(phone, "Modifiers and range").get_by_label("Difficulty", exact=True).select_option("2")
    further(phone, "Dice and").get_by_label("Bonus die 1").select_option("threat")
    press(phone, "Declare")
    expect(display.locator(".stage-word")).to_have_text("Throw 3 d20s")
    assert "Target Number 15 Counts double 1 to 4 Difficulty 2" in words(display)

    first, second, third = (phone.get_by_label(f"Die {place} of 3") for place in (1, 2, 3))
    expect(first).to_be_focused()
    phone.keyboard.type("1")
    expect(first, "1 may become 14").to_be_focused()
    phone.keyboard.type("4")
    expect(second, "14 is complete").to_be_focused()
    phone.keyboard.type("3")
    expect(third, "no face begins with 3").to_be_focused()
    press(phone, "Count these dice")
    expect(phone.locator("#answer [data-error]:visible")).to_have_text("Die 3 has no value yet. Type in what it shows.")
    expect(third).to_be_focused()
    assert kiosk.table()["table"]["task"]["outcome"] is None
    phone.keyboard.type("1")
    phone.keyboard.press("Enter")

    expect(display.locator(".stage-word")).to_have_text("Ada Lindqvist succeeds")
    assert "Momentum to spend or save 3" in words(display)
    expect(display.locator("#caption")).to_contain_text("5 successes against Difficulty 2.")
    assert "14 1 success (entered) 3 2 successes (entered) 1 2 successes (entered)" in words(display)
    expect(display.locator("#threat")).to_have_text("5")
    phone.get_by_role("button", name=re.compile("^Obtain Information")).click()
    expect(phone.get_by_role("button", name="Done: save 2 Momentum")).to_be_visible()
    press(phone, "Done: save 2 Momentum")
    expect(display.locator("#momentum")).to_have_text("2 of 6")
    expect(phone.locator("#declare-open"), "what comes next is one tap away").to_be_visible()


def test_an_aim_is_offered_only_where_it_was_declared(table: Table) -> None:
    kiosk, phone = table.kiosk, table.phone
    for aimed in (True, False):
        declaring(phone, more=True)
        box = further(phone, "At cost, thrown again").get_by_label("Aim: 1 die")
        expect(box, "what was declared last does not linger").not_to_be_checked()
        if aimed:
            box.check()
        press(phone, "Declare")
        expect(phone.get_by_label("Die 1 of 2")).to_be_focused()
        kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[16, 19])
        offered = [one["option_id"] for one in kiosk.table()["options"]]
        assert any(one.startswith("reroll_dice:aim") for one in offered) is aimed
        kiosk.send("finish_spending")
        expect(phone.locator("#declare-open")).to_be_visible()


def test_who_waits_long_for_an_answer_is_led_to_the_dice_all_the_same(table: Table) -> None:
    phone = table.phone
    declaring(phone)
    held: list[Route] = []
    phone.route("**/text/*", lambda route: held.append(route))  # noqa: PLW0108 - Playwright takes no method of a list
    press(phone, "Declare")
    phone.wait_for_timeout(OWN_DOING + 200)
    held[0].continue_()
    phone.unroute("**/text/*")
    expect(phone.get_by_label("Die 1 of 2")).to_be_focused()


def test_undo_goes_back_on_every_screen_and_redo_forth(table: Table) -> None:
    kiosk, display, phone = table.kiosk, table.display, table.phone
    kiosk.send("declare_task", declaration=declaration(table.character))
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[4, 20])
    expect(display.locator(".stage-word")).to_have_text("Ada Lindqvist succeeds 1 Complication, open")
    phone.get_by_role("button", name=re.compile("^Undo")).click()
    expect(display.locator(".stage-word")).to_have_text("Throw 2 d20s")
    phone.get_by_role("button", name=re.compile("^Redo")).click()
    expect(display.locator(".stage-word")).to_have_text("Ada Lindqvist succeeds 1 Complication, open")
    expect(display.locator(".die[data-mark=complication]")).to_have_count(1)


def test_a_doubtful_die_is_asked_about_and_answered(table: Table) -> None:
    kiosk, display, phone = table.kiosk, table.display, table.phone
    kiosk.send("declare_task", declaration=declaration(table.character))
    guesses = [{"face": 6, "chance": 0.5}, {"face": 9, "chance": 0.4}]
    report(kiosk, {"face": 4}, {"face": None, "state": "doubtful", "confidence": 0.5, "guesses": guesses})
    expect(display.locator(".stage-word")).to_have_text("Look at the dice")
    expect(display.locator("#alert")).to_contain_text("Someone must look at the dice.")
    expect(display.locator(".die[data-mark=ask]")).to_have_count(1)
    assert kiosk.table()["questions"][0] in words(display, "body")
    press(phone, "It shows 9")
    expect(display.locator(".stage-word")).to_have_text("Ada Lindqvist succeeds")
    expect(display.locator("#alert")).to_have_text("")
    assert re.search(r"9 1 success \((corrected|entered)\)", words(display)), "a person's value is marked as such"


def test_a_wrong_count_is_said_in_words_and_the_throw_set_aside(table: Table) -> None:
    kiosk, display, phone = table.kiosk, table.display, table.phone
    kiosk.send("declare_task", declaration=declaration(table.character))
    report(kiosk, {"face": 4}, {"face": 7}, {"face": 9})
    expect(display.locator(".stage-lines")).to_contain_text("2 expected")
    press(phone, "Set this throw aside")
    expect(display.locator(".stage-word")).to_have_text("Throw 2 d20s")


def test_free_dice_are_shown_and_attached_afterwards(table: Table) -> None:
    kiosk, display, phone = table.kiosk, table.display, table.phone
    report(kiosk, {"face": 4}, {"face": 12})
    expect(display.locator(".stage-word")).to_have_text("Free roll")
    kiosk.send("declare_task", declaration=declaration(table.character))
    press(phone, "Count the free roll 4, 12")
    expect(display.locator(".stage-word")).to_have_text("Ada Lindqvist succeeds")


def test_challenge_dice_by_keys_and_chosen_dice_again(table: Table) -> None:
    kiosk, display, phone = table.kiosk, table.display, table.phone
    kiosk.send("adjust_pool", pool="momentum", change=1)
    tabs = phone.get_by_role("navigation", name="Parts of the player's page")
    tabs.get_by_role("link", name="Table").click()
    unfold(live(phone), "Challenge Dice").get_by_label("How many Challenge Dice", exact=True).fill("3")
    press(phone, "Ask for Challenge Dice")
    tabs.get_by_role("link", name="Now").click()
    live(phone).get_by_label("Die 1 of 3").focus()
    phone.keyboard.type("2eb")
    phone.keyboard.press("Enter")
    expect(display.locator(".stage-word")).to_have_text("3 points")
    assert "1 Effect." in words(display)
    phone.get_by_label("Die 3: blank").press("Space")
    phone.get_by_role("button", name=re.compile("^Throw these again")).click()
    expect(display.locator(".stage-word")).to_have_text("Throw 1 Challenge Die again")
    assert "2 stays Effect" not in words(display)
    expect(display.locator(".die[data-mark=plain]")).to_have_count(2)
    press(phone, "Die 1: Effect")
    press(phone, "Count these dice")
    expect(display.locator(".stage-word")).to_have_text("4 points")


def test_a_whole_task_by_keyboard_alone(table: Table) -> None:
    phone = table.phone
    phone.set_viewport_size({"width": 800, "height": 600})
    live(phone).reload()
    live(phone)

    def tab_to(name: str) -> None:
        for _ in range(80):
            phone.keyboard.press("Tab")
            text, outline = phone.evaluate(
                """() => {
                    const one = document.activeElement;
                    const named = one.ariaLabel || one.labels?.[0]?.textContent || one.textContent;
                    return [named.trim(), getComputedStyle(one.closest('label') ?? one).outlineStyle];
                }"""
            )
            if re.match(name, text):
                assert outline == "solid", f"{name} has no visible focus"
                return
        raise AssertionError(f"no way to {name} by keyboard")

    tab_to("Skip to the main part")
    tab_to("Declare a Task")
    phone.keyboard.press("Enter")
    expect(phone.locator("#declare-title")).to_be_focused()
    expect(phone.locator("#declare-now"), "the form comes later than the focus").to_be_visible()
    tab_to("Declare$")
    phone.keyboard.press("Enter")
    expect(phone.get_by_label("Die 1 of 2")).to_be_focused()
    for key in ("4", "Enter", "2", "0", "Enter"):  # 4 has moved on by itself
        phone.keyboard.press(key)
    expect(phone.locator(".stage-word")).to_have_text("Ada Lindqvist succeeds 1 Complication, open")
    expect(phone.get_by_text("has no value yet")).to_have_count(0)
    expect(phone.get_by_role("button", name="Take the Complication")).to_be_focused()
    phone.keyboard.press("Enter")
    expect(phone.locator("#declare-open")).to_be_visible()
    tab_to("Undo")
    phone.keyboard.press("Space")
    expect(phone.get_by_role("button", name="Take the Complication")).to_be_visible()


TOLD_WHERE = """() => {
    window.told = [];
    document.querySelectorAll("[role=status]").forEach((one, place) => {
        const note = (changes) => changes.forEach((change) => change.addedNodes.forEach((node) => {
            if (node.textContent.includes("Threat")) told.push(place);
        }));
        new MutationObserver(note).observe(one, { childList: true });
    });
}"""
"""Remembers in which of the polite regions each word of Threat was put."""


def test_what_is_said_is_said_again_for_a_repeat(table: Table) -> None:
    kiosk, display = table.kiosk, table.display
    display.evaluate(TOLD_WHERE)
    for times in (1, 2):
        kiosk.send("gain_threat", event="threatening_scene", amount=1)
        expect(display.locator("#threat")).to_have_text(str(kiosk.table()["table"]["threat"]))
        display.wait_for_function("times => told.length >= times", arg=times, polling=50)
    first, second = display.evaluate("told")
    assert first != second, "the same words go to another region"


SAID_FOUR = """async () => {
    const after = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    const page = document.querySelector("script[type=module]").src;
    const { say } = await import(page.replace(/linked.*/, "js/ear.js"));
    const regions = [...document.querySelectorAll("[role=status]")];
    const stands = () => regions.some((one) => one.textContent === "the first");
    let began;
    for (const words of ["the first", "the second", "the third", "the fourth"]) {
        say(words);
        while (!regions.some((one) => one.textContent === words)) await after(20);
        began ??= performance.now();
    }
    const fourth = stands();
    while (stands()) await after(50);
    return [fourth, performance.now() - began];
}"""
"""Says four sentences, one as soon as the other stands there: whether the first stood beside the last, and how long."""


def test_what_was_said_is_there_for_a_slow_screen_reader_when_more_is_said(table: Table) -> None:
    beside, milliseconds = table.display.evaluate(SAID_FOUR)
    assert beside, "it is not gone yet"
    assert milliseconds >= 8_000, "nor is it for eight seconds"


def test_a_refusal_stands_beside_the_control_and_is_said(table: Table) -> None:
    kiosk, phone = table.kiosk, table.phone
    declaring(phone, more=True).get_by_label("Bonus die 1").select_option("momentum")
    press(phone, "Declare")
    error = phone.locator("#declare-form [data-error]")
    expect(error).to_be_visible()
    expect(phone.locator("[role=status]").filter(has_text=error.inner_text())).to_have_count(1)
    assert kiosk.table()["table"]["task"] is None
    phone.get_by_label("Bonus die 1").select_option("threat")
    expect(error, "what was refused is no longer what is chosen").to_be_hidden()
    phone.get_by_label("Bonus die 1").select_option("momentum")
    press(phone, "Declare")
    expect(error).to_be_visible()
    kiosk.send("gain_threat", event="threatening_scene", amount=1)
    expect(phone.locator("#threat")).to_have_text(str(kiosk.table()["table"]["threat"]))
    expect(error, "it could not be read yet").to_be_visible()
    phone.evaluate("() => { Date.now = ((now) => () => now() + 60_000)(Date.now); }")
    kiosk.send("gain_threat", event="threatening_scene", amount=1)
    expect(error, "its reason may be gone with the table's change").to_be_hidden()


def test_a_screen_says_when_the_kiosk_is_gone_and_comes_back_by_itself(table: Table) -> None:
    kiosk, display = table.kiosk, table.display
    kiosk.kill()
    expect(display.locator("#link")).to_have_text(re.compile("^Stale"), timeout=20_000)
    kiosk.start()
    kiosk.send("adjust_pool", pool="threat", change=1)
    expect(display.locator("#threat")).to_have_text("5", timeout=20_000)
    live(display)


def test_first_paint_and_live_paint_are_the_same(kiosk: Program, open_page: OpenPage, *, whole: bool) -> None:
    """In the short form one of each kind of stage that has dice, and the first."""
    look = "stage => stage.innerHTML.replace(/>\\s+</g, '><').trim()"
    followed = live(open_page("/display", 1280, 720, bypass_csp=True))
    first = """async look => {
        const text = await (await fetch("/display", { cache: "no-store" })).text();
        const stage = new DOMParser().parseFromString(text, "text/html").getElementById("stage");
        return [stage.dataset.kind, stage.dataset.mark ?? "", eval(look)(stage)];
    }"""

    def compare(kind: str) -> None:
        painted, mark, html = followed.evaluate(first, look)
        assert painted == kind
        expect(followed.locator("#stage")).to_have_attribute("data-kind", kind)
        expect(followed.locator("#stage")).to_have_attribute("data-mark", mark)
        assert followed.locator("#stage").evaluate(look) == html

    compare("setup")
    character = set_up(kiosk)
    if whole:
        compare("idle")
        report(kiosk, {"face": 6}, {"face": 9})
        compare("free")
        kiosk.send("declare_challenge", count=3, label="Falling rocks")
        compare("ask")
        kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[2, "effect", "blank"])
        compare("challenge")
        kiosk.send("close_challenge")
    more = {"purchases": [{"payer": "threat"}], "complication_range": 2, "label": "Seal the hatch"}
    helper = {"character_id": character, "attribute": "reason", "discipline": "science", "focus": True}
    kiosk.send("declare_task", declaration=declaration(character, **more))
    compare("ask")
    report(kiosk, {"face": 6}, {"face": None, "state": "cocked", "confidence": 0.1, "picture": "a/b"}, {"face": 19})
    compare("question")
    kiosk.send("correct_die", position=1, face=1)
    compare("outcome")
    kiosk.send("finish_spending")
    kiosk.send("take_complication")
    second = add_character(kiosk)
    kiosk.send("declare_task", declaration=declaration(character, assists=[{**helper, "character_id": second}]))
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[16, 17])
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[3])
    compare("outcome")
    assert "does not count" in words(followed)
    kiosk.send("finish_spending")
    while any(one["command"]["command"] == "take_complication" for one in kiosk.table()["options"]):
        kiosk.send("take_complication")
    kiosk.send("start_scene")
    kiosk.send("strike_hazard", target_id=character, rating=3, reason="Falling rocks")
    compare("ask")
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[2, 2, "effect"])
    compare("chain")
    kiosk.send("suffer_injury")


def add_character(kiosk: Program, name: str = "Ben Adeyemi") -> str:
    """A second character, and its id."""
    kiosk.send("save_character", name=name, attributes=ATTRIBUTES, disciplines=DISCIPLINES)
    return str(kiosk.table()["table"]["characters"][-1]["character_id"])


def test_the_price_is_shown_while_dice_are_chosen_and_nothing_lingers_for_the_next_task(table: Table) -> None:
    kiosk, phone = table.kiosk, table.phone
    declaring(phone, more=True)
    expect(phone.locator("#odds")).to_contain_text("Success")
    expect(phone.locator("#price")).to_be_hidden()
    phone.get_by_label("Bonus die 1").select_option("threat")
    phone.get_by_label("Bonus die 2").select_option("threat")
    each = "Bonus die 1: 1 Threat added. Bonus die 2: 2 Threat added. Together: 3 Threat added."
    expect(phone.locator("#price")).to_have_text(each)
    together(phone).locator("input[name=opposed]").check()
    further(phone, "At cost, thrown again").locator("input[name=may_succeed_at_cost]").check()
    press(phone, "Declare")
    expect(phone.locator(".stage-word")).to_have_text("Throw 4 d20s")
    kiosk.send("undo")
    declaring(phone, more=True)
    expect(phone.locator("#price")).to_be_hidden()
    further(phone, "At cost, thrown again")
    expect(phone.locator("input[name=may_succeed_at_cost]")).not_to_be_checked()
    expect(together(phone).locator("input[name=opposed]")).not_to_be_checked()


def test_an_npc_task_and_threat_at_the_gamemasters(table: Table, master: Page) -> None:
    kiosk, phone = table.kiosk, table.phone
    kiosk.send("save_character", name="Smuggler", attributes=ATTRIBUTES, disciplines=DISCIPLINES, standing="minor_npc")
    expect(declaring(phone).locator("input[name=character_id]"), "nobody else is to be chosen").to_have_count(1)
    unfold(declaring(master, more=True), "Scene and traits", "Threat rises")
    master.get_by_label("Trait", exact=True).fill("Ion storm")
    press(master, "Add trait")
    expect(master.get_by_role("button", name="Remove Ion storm")).to_be_visible()
    rises = master.get_by_role("group", name="Threat rises because")
    rises.get_by_label("A player character attacks to kill").check()
    expect(rises.get_by_role("spinbutton")).to_have_count(0)
    rises.get_by_label("A threatening scene, 1 or 2").check()
    expect(rises.get_by_role("spinbutton", name="How many times")).to_have_value("1")
    press(master, "Gain Threat")
    expect(master.locator("#threat")).to_have_text("5")
    master.get_by_label("Character", exact=True).select_option("Smuggler")
    master.get_by_label("Bonus die 1").select_option("threat")
    press(master, "Declare")
    expect(phone.locator(".stage-word")).to_have_text("Throw 3 d20s")
    expect(phone.locator("#threat")).to_have_text("4")


def test_a_wrong_number_beside_another_reason_is_there_to_put_right(table: Table, master: Page) -> None:
    """The browser takes no form with it, and says so at the field alone."""
    before = table.kiosk.table()["table"]["threat"]
    master.locator("details:has(> form[data-act=gain_threat])").evaluate("one => { one.open = true; }")
    rises = master.get_by_role("group", name="Threat rises because")
    unasked = rises.locator(".reason > input:not(:checked) ~ .stepper").first
    assert unasked.evaluate("one => one.getBoundingClientRect().height") == 0, "what nobody is asked takes no room"
    rises.get_by_label("A threatening scene, 1 or 2").check()
    number = rises.locator("#gain-amount-threatening_scene")
    number.fill("50")
    rises.get_by_label("A player character attacks to kill").check()
    press(master, "Gain Threat")
    expect(number).to_be_focused()
    expect(number).to_be_in_viewport(ratio=1)
    number.fill("2")
    press(master, "Gain Threat")
    expect(number).to_be_hidden()
    expect(master.locator("#threat")).to_have_text(str(before + 1))


def test_two_taps_while_one_is_under_way_are_one(table: Table, master: Page) -> None:
    kiosk, page = table.kiosk, master
    before = kiosk.table()["table"]["threat"]
    page.locator("#gain-threatening_scene").evaluate("one => one.click()")
    page.locator("form[data-act=gain_threat] button[type=submit]").evaluate("one => { one.click(); one.click(); }")
    expect(page.locator("#threat")).to_have_text(str(before + 1))
    page.wait_for_timeout(300)
    assert kiosk.table()["table"]["threat"] == before + 1


def test_a_player_called_script_is_shown_as_such(table: Table, master: Page) -> None:
    name = "<script>document.title='bad'</script><img src=x onerror=x()>"
    script = add_character(table.kiosk, name)
    table.kiosk.send("declare_task", declaration=declaration(script, label="<b>bold</b>"))
    for page in (table.display, table.phone, master):
        expect(page.locator(".stage-who")).to_contain_text(name)
        expect(page.locator(".stage-who")).to_contain_text("<b>bold</b>")
        assert page.locator("#stage b, #stage img").count() == 0
        assert "bad" not in page.title()
