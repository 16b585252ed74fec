"""Phones as they are held: few taps, and chances beside choices."""

from __future__ import annotations

import re
from functools import partial

from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program, until
from tests.e2e.scenes import EVENINGS, Evening
from tests.e2e.test_pages import declaring, live, press
from tests.e2e.thumbs import PHONE, Taps, crew_of_two, phone_of, playing, reopened, touchable, within_reach


def test_ones_character_is_picked_once_and_a_usual_task_declared_in_four_taps(
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
    phone.locator("#presets .preset", has_text="Control + Engineering").tap()
    taps.number += 1
    expect(phone.get_by_role("button", name="Declare", exact=True)).to_be_in_viewport(ratio=1)
    phone.get_by_label("Difficulty", exact=True).select_option("2")
    taps.number += 2  # the list is opened, and the choice touched
    taps.on(phone, "Declare")
    assert taps.number <= 4
    expect(display.locator(".stage-word")).to_have_text("Throw 2 d20s")
    expect(display.locator(".stage-who")).to_contain_text("Ben Adeyemi")
    assert kiosk.table()["table"]["task"]["difficulty"] == 2
    kiosk.send("undo")
    expect(phone.locator("#presets .preset").first).to_be_visible()
    press(phone, "Change")
    phone_of("Ada Lindqvist", phone)
    expect(phone.get_by_role("heading", name="What does Ada Lindqvist do?")).to_be_visible()
    expect(declaring(phone).locator("#declaring")).to_contain_text("Ada Lindqvist")


def test_whoever_takes_over_a_phone_sees_the_table_as_it_is_now(kiosk: Program, open_page: OpenPage) -> None:
    character = crew_of_two(kiosk)
    kiosk.send("declare_task", declaration=declaration(character))
    phone = live(open_page("/play", 390, 780, bypass_csp=True, **PHONE))
    phone_of("Ada Lindqvist", phone)
    expect(phone.locator(".entry input")).to_have_count(2)
    kiosk.send("undo")
    expect(phone.locator(".entry input")).to_have_count(0)
    press(phone, "Change")
    phone_of("Ben Adeyemi", phone)
    expect(phone.get_by_role("heading", name="What does Ben Adeyemi do?")).to_be_visible()
    expect(phone.locator(".entry input"), "the Task of before is over").to_have_count(0)
    expect(phone.locator("#undo")).not_to_contain_text("Task")
    phone.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    kiosk.send("declare_task", declaration=declaration(character))
    phone.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(phone.locator(".entry input"), "as the browser comes back to it").to_have_count(2)
    press(phone, "Change")
    phone_of("Ada Lindqvist", phone)
    expect(phone.locator(".entry input")).to_have_count(2)


def test_every_choice_shows_the_chance_that_it_brings(kiosk: Program, open_page: OpenPage) -> None:
    crew_of_two(kiosk)
    phone = playing(kiosk, open_page, "Ada Lindqvist", 390, 844, bypass_csp=True, **PHONE)
    declaring(phone)
    for name, choices in (("Attribute", 6), ("Discipline", 6), ("Difficulty", 6), ("Bonus dice", 4)):
        chosen = phone.get_by_label(name, exact=True)
        expect(chosen.locator("option", has_text="%")).to_have_count(choices - 1)
        expect(chosen.locator("option:checked"), "its chance stands above the button").not_to_contain_text("%")
    expect(phone.locator("#odds")).to_contain_text(re.compile(r"Success \d+"))
    expect(phone.get_by_role("button", name="Determination")).to_contain_text("%")
    dice = phone.get_by_label("Bonus dice", exact=True)
    then = str(dice.locator("option").nth(3).inner_text()).removeprefix("3: ").partition(",")[0]
    dice.select_option("threat threat threat")
    expect(phone.locator("#odds")).to_contain_text(f"Success {then}")
    phone.get_by_label("Who helps").select_option(index=1)
    expect(phone.get_by_label("Who helps").locator("option:checked")).to_contain_text("Ben Adeyemi: ")
    press(phone, "Declare")
    expect(phone.locator(".stage-word")).to_have_text("Throw 5 d20s")
    assert [one["character_id"] for one in kiosk.table()["table"]["task"]["declaration"]["assists"]] != []


def test_what_the_gamemaster_asks_for_is_one_tap_away(kiosk: Program, open_page: OpenPage) -> None:
    crew_of_two(kiosk)
    display, master = live(open_page("/display", 1280, 720)), live(open_page("/gm", 390, 844, bypass_csp=True))
    phone = playing(kiosk, open_page, "Ada Lindqvist", 360, 740, bypass_csp=True, **PHONE)
    declaring(master, more=True)
    master.get_by_label("Character", exact=True).select_option("Ada Lindqvist")
    master.get_by_label(re.compile("^Daring")).check()
    master.get_by_role("spinbutton", name="Difficulty", exact=True).fill("3")
    press(master, "Ask the player for this Task")
    expect(display.locator("#caption")).to_have_text(
        "Ada Lindqvist is asked for a Task. Daring and Engineering, Difficulty 3."
    )
    for screen in (display, phone):
        expect(screen.locator(".stage-word")).to_have_text("Daring + Engineering")
        expect(screen.locator(".facts")).to_contain_text("Difficulty")
    expect(master.get_by_role("button", name="Take back what Ada Lindqvist is asked for")).to_be_visible()
    expect(phone.get_by_role("heading", name="The gamemaster asks for")).to_be_visible()
    touchable(phone)
    taps = Taps()
    taps.on(phone, re.compile(r"^Daring \+ Engineering"), ".asked-for")
    assert taps.number == 1
    expect(display.locator(".stage-word")).to_have_text("Throw 2 d20s")
    assert kiosk.table()["table"]["task"]["difficulty"] == 3
    expect(master.get_by_role("button", name=re.compile("^Take back"))).to_have_count(0)


def test_the_pad_of_a_hidden_roll_goes_on_with_its_die_when_another_roll_is_hidden(
    kiosk: Program, open_page: OpenPage
) -> None:
    hidden = {"action": "declare", "declaration": declaration(set_up(kiosk))}
    assert kiosk.post("/api/v1/hidden", hidden).status == 200
    roll = live(open_page("/gm", 800, 900)).locator("#hidden-1")
    roll.get_by_role("button", name="Die 1: 4", exact=True).click()
    assert kiosk.post("/api/v1/hidden", hidden).status == 200
    expect(roll.page.locator("#hidden-2")).to_be_visible()
    roll.get_by_role("button", name="Die 2: 17", exact=True).click()
    assert [one.input_value() for one in roll.locator(".entry input").all()] == ["4", "17"]


def test_dice_by_the_pad_are_one_tap_each_and_can_be_put_right(
    kiosk: Program, open_page: OpenPage, *, whole: bool
) -> None:
    """On a phone held upright and on its side; in the short form it is laid on its side before the first tap."""
    character = set_up(kiosk)
    for width, height in ((320, 640), (640, 320)) if whole else ((320, 640),):
        kiosk.send("declare_task", declaration=declaration(character))
        phone = live(open_page("/play", width, height, bypass_csp=True, **PHONE))
        expect(phone.locator("#face-1, .entry input").first).to_have_attribute("inputmode", "none")
        touchable(phone)
        if not whole:
            phone.set_viewport_size({"width": 640, "height": 320})
            within_reach(phone)
        taps = Taps()
        taps.on(phone, "Die 1: 7")
        taps.on(phone, "Die 2: 19")
        taps.on(phone, "Count these dice")
        assert taps.number == 3
        expect(phone.locator(".stage-word")).to_have_text(re.compile(r"\sfails$"))
        kiosk.send("undo")
        expect(phone.locator(".entry-pad")).to_be_visible()
        taps.on(phone, "Die 1: 7")
        taps.on(phone, "Die 2: 19")
        phone.get_by_label("Die 1 of 2").tap()
        taps.on(phone, "Die 1: 1")
        expect(phone.get_by_label("Die 2 of 2")).to_have_value("19")
        taps.on(phone, "Count these dice")
        expect(phone.locator(".stage-word")).to_have_text(re.compile(r"\ssucceeds$"))
        phone.locator("summary", has_text="A die was misread").press("Enter")
        phone.locator("#put-right summary", has_text="Die 2: 19").press("Enter")
        phone.locator("#put-right").get_by_role("button", name="Die 2 shows 3", exact=True).press("Enter")
        until(lambda: [one["die"]["face"] for one in kiosk.table()["table"]["task"]["dice"]] == [1, 3])
        kiosk.send("finish_spending")


def test_a_refusal_goes_with_the_first_die_that_is_tapped(kiosk: Program, open_page: OpenPage) -> None:
    kiosk.send("declare_task", declaration=declaration(set_up(kiosk)))
    phone = live(open_page("/play", 320, 640, bypass_csp=True, **PHONE))
    taps = Taps()
    taps.on(phone, "Count these dice")
    refused = phone.locator("#entered [data-error]", has_text="Die 1 has no value yet.")
    expect(refused).to_be_visible()
    taps.on(phone, "Die 1: 1")
    expect(refused).to_be_hidden()
    taps.on(phone, "Die 2: 20")
    assert [one.input_value() for one in phone.locator("#entered .entry input").all()] == ["1", "20"]
    taps.on(phone, "Count these dice")
    expect(phone.locator(".stage-word")).to_have_text(re.compile("succeeds"))


LINES_OF_WORDS = """(one) => {
    const text = one.firstChild;
    return [...text.data.matchAll(/\\S+/g)].map(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return [word, new Set([...range.getClientRects()].map((each) => each.top)).size];
    });
}"""
"""Each word of a die with the number of lines that it takes."""


def test_no_word_of_a_die_is_broken_on_a_phone(kiosk: Program, open_page: OpenPage) -> None:
    character = set_up(kiosk)
    paid = {"purchases": [{"payer": "determination"}], "value": "Nobody is left behind"}
    kiosk.send("declare_task", declaration={**declaration(character), **paid})
    request = kiosk.table()["table"]["request"]
    kiosk.send("enter_dice", request=request["number"], faces=[4] * request["count"])
    for width in (360, 390):
        phone = live(open_page("/play", width, 844, bypass_csp=True, **PHONE))
        expect(phone.locator("#stage .die-words").first).to_have_text("Determination, 2 successes")
        until(partial(phone.evaluate, "() => document.fonts.status === 'loaded'"))
        for words in phone.locator("#stage .die-words").all():
            assert all(lines == 1 for _, lines in words.evaluate(LINES_OF_WORDS)), (width, words.inner_text())


def test_the_odds_are_written_alike_for_players_and_the_gamemaster(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    letters = "one => [getComputedStyle(one).fontFamily, getComputedStyle(one).fontSize]"
    shown = []
    for path, way in (("/play", "Declare a Task"), ("/gm", "Ask for a Task, or roll")):
        page = live(open_page(path, 390, 844, bypass_csp=True, **PHONE))
        page.get_by_role("link", name=way, exact=True).tap()
        odds = page.locator("#odds")
        expect(odds).to_contain_text("Success")
        shown.append(odds.evaluate(letters))
    assert shown[0] == shown[1]
    assert "Mono" not in shown[0][0]


def test_a_misread_die_is_put_right_with_the_die_and_its_face_in_sight(kiosk: Program, open_page: OpenPage) -> None:
    kiosk.send("declare_task", declaration=declaration(set_up(kiosk), purchases=[{"payer": "threat"}] * 2))
    request = kiosk.table()["table"]["request"]
    kiosk.send("enter_dice", request=request["number"], faces=[19, 18, 20, 17][: request["count"]])
    phone = live(open_page("/play", 390, 844, bypass_csp=True, **PHONE))
    phone.locator("summary", has_text="A die was misread").tap()
    dice = phone.locator(".misread > details")
    expect(dice).to_have_count(request["count"])
    tabs = phone.locator("#tabs").bounding_box()
    assert tabs is not None
    at = [one.bounding_box() for one in dice.all()]
    assert all(one is not None and one["y"] + one["height"] <= tabs["y"] for one in at), "none lies under the tabs"
    last = f"Die {request['count']} shows"
    dice.last.locator("summary").tap()
    keys = phone.locator("#put-right").get_by_role("button", name=re.compile(f"^{last} "))
    expect(keys).to_have_count(20)
    expect(keys.last).to_be_in_viewport(ratio=1)
    under = [one.bounding_box() for one in keys.all()]
    assert all(one is not None and one["y"] + one["height"] <= tabs["y"] for one in under), "no key lies under the tabs"
    keys.filter(has_text=re.compile("^.* 3$")).tap()
    until(lambda: kiosk.table()["table"]["task"]["dice"][-1]["die"]["face"] == 3)


def test_dice_are_thrown_again_by_touching_them(kiosk: Program, open_page: OpenPage) -> None:
    character = set_up(kiosk)
    kiosk.send("declare_task", declaration=declaration(character))
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[4, 19])
    phone = live(open_page("/play", 320, 640, bypass_csp=True, **PHONE))
    picks = phone.locator(".again .dice-picks input")
    expect(picks).to_have_count(2)
    expect(phone.locator("#stage .dice"), "the dice are drawn once, where they can be touched").to_be_hidden()
    press(phone, "Throw these again Inspiration: 1 Determination, and a Value")
    expect(phone.locator(".again [data-error]")).to_have_text("Choose at least one die to throw again.")
    picks.nth(1).tap()
    expect(picks.nth(1)).to_be_checked()
    touchable(phone)
    press(phone, "Throw these again Inspiration: 1 Determination, and a Value")
    expect(phone.locator(".stage-word")).to_have_text("Throw 1 d20 again")
    assert kiosk.table()["table"]["characters"][0]["determination"] == 0


def test_from_the_first_page_to_a_scored_throw_without_reading(kiosk: Program, open_page: OpenPage) -> None:
    """docs/first-throw.md tells these steps; a new one there is a new one here."""
    phone = open_page("/", 390, 844, bypass_csp=True, **PHONE)
    taps = Taps()
    taps.on(phone, "Play at once with a sample crew")
    phone.wait_for_url("**/play")
    live(phone)
    taps.on(phone, re.compile("Okoro"), "#me")
    expect(phone.locator("#presets .preset").first).to_be_visible()
    phone.locator("#presets .preset", has_text="Difficulty 1").first.tap()
    taps.number += 1
    taps.on(phone, "Declare")
    expect(phone.locator(".stage-word")).to_have_text("Throw 2 d20s")
    for name in ("Die 1: 8", "Die 2: 15", "Count these dice"):
        taps.on(phone, name)
    expect(phone.locator(".stage-word")).to_have_text(re.compile(r"\ssucceeds$"))
    assert kiosk.table()["table"]["task"]["outcome"]["success"]
    assert taps.number == 7


def test_a_ship_fight_on_a_phone_shows_what_whoever_acts_can_do(
    kiosk: Program, open_page: OpenPage, *, whole: bool
) -> None:
    """In the long form every form of every station is unfolded for axe, in the short form one."""
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
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url) if "/parts/deed" in request.url else None)
    phone.locator("summary", has_text="Evasive Action").tap()
    expect(phone.locator(".action[open] .odds").first).to_contain_text("Success")
    within_reach(phone)
    assert 0 < len(asked) <= 2, "it asks by itself, and once more where the table has gone on"
    if whole:
        touchable(phone)
        forms = phone.locator("[data-fresh]").count()
        assert 20 < len(asked) <= 2 * forms, "each form asks by itself"
