"""What a person has to see is in view: the connection, a throw's result, what waits or was refused."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program, until
from tests.e2e.test_pages import declaring, live, press, report
from tests.e2e.thumbs import AWAY, PHONE, Taps, crew_of_two, playing

SIZES = [(320, 640), pytest.param(390, 844, marks=pytest.mark.long)]


@pytest.fixture(scope="module")
def crew(standing_kiosk: Program) -> tuple[str, str]:
    """Ada's and Ben's ids."""
    ada = crew_of_two(standing_kiosk)
    return ada, str(standing_kiosk.table()["table"]["characters"][1]["character_id"])


@pytest.fixture(scope="module")
def adas(standing_kiosk: Program, crew: tuple[str, str], open_standing: OpenPage) -> Page:
    """Ada's phone."""
    assert crew
    return playing(standing_kiosk, open_standing, "Ada Lindqvist", 390, 844, **PHONE)


@pytest.fixture
def phone(standing_kiosk: Program, adas: Page) -> Page:
    """It, with nothing under way."""
    while any(standing_kiosk.table()["table"][one] is not None for one in ("task", "challenge", "request")):
        standing_kiosk.send("undo")
    if (closes := adas.locator("#declare [data-closes]")).count():  # somebody was about to declare a Task
        closes.click()
    expect(adas.locator("#presets .preset").first).to_be_visible()
    return adas


BROKEN = """one => [...one.firstChild.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(one.firstChild, index);
    range.setEnd(one.firstChild, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
}).map(([word]) => word)"""
"""The words of an element that go on in another line."""

PHOTOGRAPHED = """dice => {
    dice.style.display = "grid";
    for (const one of dice.querySelectorAll("svg.die-face")) {
        const photograph = Object.assign(document.createElement("span"), { className: "die-kept" });
        const number = Object.assign(document.createElement("strong"), { className: "die-number", textContent: "20" });
        one.replaceWith(photograph, number);
        photograph.append(Object.assign(document.createElement("img"), { className: "die-photograph" }), one);
    }
}"""
"""The dice of the stage as if a camera had read them."""

REMEMBER = """() => {
    const link = document.getElementById("link");
    globalThis.words = [];
    const heard = new MutationObserver(() => globalThis.words.push(link.textContent));
    heard.observe(link, { childList: true, characterData: true, subtree: true });
}"""
"""Keeps every word that the line says from now on."""


def test_a_page_that_finds_a_place_again_within_seconds_says_nothing_of_it(kiosk: Program, open_page: OpenPage) -> None:
    """Who goes from page to page quickly holds the places of those they left for some seconds."""
    character = set_up(kiosk)
    phone = open_page("/healthz", 390, 844, alone=True)
    phone.add_init_script(f"addEventListener('DOMContentLoaded', {REMEMBER})")
    refusals = iter([503, 503])

    def full(route: Route) -> None:
        status = next(refusals, None)
        route.continue_() if status is None else route.fulfill(status=status, body="{}")

    phone.route("**/api/v1/events*", full)
    with phone.expect_response(lambda answer: "/api/v1/events" in answer.url and answer.status == 200, timeout=AWAY):
        phone.goto(f"{kiosk.address}/play?me={character}")
    assert next(refusals, None) is None, "it was refused twice"
    expect(phone.locator("#link")).to_have_text("Live")
    assert set(phone.evaluate("() => globalThis.words")) == {"Live"}


def test_a_screen_that_found_no_place_is_live_once_there_is_one(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    display = open_page("/healthz", 1280, 720, alone=True)
    display.add_init_script(f"addEventListener('DOMContentLoaded', {REMEMBER})")
    display.route("**/api/v1/events*", lambda route: route.fulfill(status=503, body="{}"))
    display.goto(kiosk.address + "/display")
    expect(display.locator("#link")).to_have_text("Asking every 3 seconds", timeout=AWAY)
    assert "Live" not in display.evaluate("() => globalThis.words"), "it has no place"
    expect(display.locator(".away:visible")).to_contain_text("So many screens are live")
    kiosk.send("adjust_pool", pool="threat", change=1)
    expect(display.locator("#threat")).to_have_text("5", timeout=AWAY)
    display.unroute("**/api/v1/events*")
    expect(display.locator("#link")).to_have_text("Live", timeout=AWAY)
    expect(display.locator(".away:visible")).to_have_count(0)
    display.evaluate(REMEMBER)
    display.wait_for_timeout(4_000)  # longer than a question for the table is waited for
    assert display.evaluate("() => globalThis.words") == [], "nothing asked before is told after"


def test_a_kiosk_that_starts_is_not_called_full(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    display = live(open_page("/display", 1280, 720))
    display.evaluate(REMEMBER)
    for path in ("api/v1/events", "parts/now"):
        display.route(
            f"**/{path}*", lambda route: route.fulfill(status=503, headers={"X-Trueroll": "starting"}, body="{}")
        )
    kiosk.kill()
    kiosk.start()
    expect(display.locator("#link")).to_have_text(re.compile("^Stale"), timeout=AWAY)
    with display.expect_response("**/parts/now*", timeout=AWAY) as refused:
        pass
    assert refused.value.status == 503
    for path in ("api/v1/events", "parts/now"):
        display.unroute(f"**/{path}*")
    expect(display.locator("#link")).to_have_text("Live", timeout=AWAY)
    assert not [one for one in display.evaluate("() => globalThis.words") if one.startswith("Asking")]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_what_a_throw_came_to_is_in_view_where_it_was_entered(phone: Page, width: int, height: int) -> None:
    phone.set_viewport_size({"width": width, "height": height})
    taps = Taps()
    phone.locator("#presets .preset").first.tap()
    taps.on(phone, "Declare")
    for name in ("Die 1: 4", "Die 2: 15", "Count these dice"):
        taps.on(phone, name)
    expect(phone.locator("#stage")).to_have_attribute("data-kind", "outcome")
    expect(phone.locator(".stage-word")).to_be_in_viewport(ratio=1)
    expect(phone.locator("#stage .facts")).to_be_in_viewport(ratio=1)
    expect(phone.locator("#caption")).to_be_hidden()  # it would say the same once more
    expect(phone.locator(".main-action:visible")).to_have_text(re.compile("^Done: save"))
    expect(phone.locator(".main-action:visible")).to_be_in_viewport(ratio=1)
    phone.locator(".again .dice-picks input").nth(1).tap()
    taps.on(phone, re.compile("^Throw these again"))
    expect(phone.locator(".stage-word")).to_have_text("Throw 1 d20 again")
    for name in ("Die 1: 3", "Count these dice"):
        taps.on(phone, name)
    expect(phone.locator("#stage")).to_have_attribute("data-kind", "outcome")
    expect(phone.locator(".stage-word")).to_be_in_viewport(ratio=1)


def test_what_is_asked_of_a_player_is_in_view_at_once(
    standing_kiosk: Program, crew: tuple[str, str], phone: Page
) -> None:
    kiosk, (ada, ben) = standing_kiosk, crew
    phone.set_viewport_size({"width": 390, "height": 844})
    kiosk.send("ask_for_task", character_id=ada, attribute="daring", discipline="command", difficulty=3)
    expect(phone.locator("#asked .main-action")).to_be_in_viewport(ratio=1)
    expect(phone.locator("#actions"), "there is nothing to be done but what is asked").to_be_empty()
    kiosk.send("take_back_asking", character_id=ada)
    phone.evaluate("document.body.style.paddingBottom = '100vh'; scrollTo(0, document.body.scrollHeight)")
    kiosk.send("declare_task", declaration=declaration(ada))
    expect(phone.locator("#stage .stage-word"), "who throws, and what").to_be_in_viewport(ratio=1)
    phone.evaluate("document.body.style.paddingBottom = ''")
    expect(phone.locator("#entered .entry input").last).to_be_in_viewport(ratio=1)
    report(kiosk, {"face": 4}, {"face": 12, "confidence": 0.4, "state": "doubtful"})
    expect(phone.locator("#question-title")).to_be_in_viewport(ratio=1)
    expect(phone.locator("#answer h3").first).to_be_in_viewport(ratio=1)
    kiosk.send("dismiss_throw")
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[1, 2])
    expect(phone.get_by_role("heading", name="What can be done now")).to_be_visible()
    phone.locator("#stage .dice").evaluate(PHOTOGRAPHED)
    worth = phone.locator("#stage .die-words").first
    for words in ("2 successes", "2 Erfolge", "2 éxitos"):
        worth.evaluate("(one, words) => { one.textContent = words; }", words)
        assert worth.evaluate(BROKEN) == [], "beside a photographed die"
    phone.set_viewport_size({"width": 360, "height": 800})
    pick = phone.locator(".again label > span").first
    pick.evaluate("one => { one.textContent = 'Complicación'; }")
    assert pick.evaluate(BROKEN) == [], "in Spanish"
    phone.set_viewport_size({"width": 390, "height": 844})
    kiosk.send("finish_spending")
    kiosk.send("declare_task", declaration=declaration(ben, difficulty=0))
    phone.evaluate("scrollTo(0, 0)")
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[1, 2])
    expect(phone.get_by_role("heading", name="What Ben Adeyemi can do now"), "whose it is").to_be_visible()
    assert phone.evaluate("scrollY") == 0, "the outcome is in sight there"


PLACED = """() => {
    const die = '<li class="die" data-mark="complication"><span class="die-kept">'
        + '<img class="die-photograph" alt=""></span>'
        + '<strong class="die-number">20</strong><span class="die-words">Complication</span></li>';
    document.querySelector("#stage .dice").innerHTML = die + die;
    document.getElementById("actions").innerHTML = '<section><details class="fold" open><summary><h2>'
        + 'Was jetzt getan werden kann</h2></summary><div class="folded"><div class="headed"><details class="about">'
        + '<summary>?</summary></details></div></div></details></section>';
}"""
"""Dice that were photographed, and what can be done, as a phone has them."""

OVER = """() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector("#actions h2"));
    const mark = document.querySelector("#actions .about").getBoundingClientRect();
    return [...range.getClientRects()].some(({ right, top, bottom }) =>
        right > mark.left && bottom > mark.top && top < mark.bottom);
}"""
"""Whether the mark of what there is to know lies on the heading beside it."""


def test_long_words_keep_clear_of_what_stands_beside_them(phone: Page) -> None:
    phone.evaluate(PLACED)
    broken, over = [], []
    for width in range(320, 421, 5):
        phone.set_viewport_size({"width": width, "height": 700})
        broken += [width] if phone.locator("#stage .die-words").first.evaluate(BROKEN) else []
        over += [width] if phone.evaluate(OVER) else []
    assert (broken, over) == ([], [])
    phone.reload()


def test_the_pad_for_challenge_dice_is_in_view_with_their_fields(
    standing_kiosk: Program, crew: tuple[str, str], phone: Page
) -> None:
    phone.set_viewport_size({"width": 390, "height": 780})
    standing_kiosk.send("declare_challenge", count=5, label="Damage", who="")
    phone.goto(f"{standing_kiosk.address}/play?me={crew[0]}")
    expect(live(phone).locator("#entered .entry input")).to_have_count(5)
    undo = phone.locator("#undo-bar").bounding_box()
    shown = phone.locator("#answer").get_by_role("button", name="Count these dice").bounding_box()
    assert undo
    assert shown
    assert shown["y"] + shown["height"] <= undo["y"], "all is to be touched without moving the page"
    expect(phone.locator("#entered .entry input").first).to_be_in_viewport(ratio=1)
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
    for number in range(1, 6):
        press(phone, f"Die {number}: Effect")
    assert phone.locator("#entered .entry input").evaluate_all(cut) == 0, "the word can be read in its field"
    off = phone.get_by_role("button", name="Call the Challenge roll off")
    off.evaluate("one => { one.textContent = 'Herausforderungswurf absagen'; }")
    assert phone.locator("#actions .option button").first.evaluate(BROKEN) == [], "in German"
    phone.set_viewport_size({"width": 320, "height": 568})
    effect = phone.locator(".entry-pad button").last
    for place, words in ((phone.locator(".stage-word"), "Werft 5 Herausforderungswürfel"), (effect, "Effekt")):
        place.evaluate("(one, words) => { one.textContent = words; }", words)
        assert place.evaluate(BROKEN) == [], "in German"
        place.evaluate("one => { one.style.fontSize = '3rem'; }")
        assert place.evaluate(BROKEN) != [], "a page made bad"
    keys = "<div class=pin-pad><button>1</button><button>2</button><button value=back>Löschen</button></div>"
    phone.locator("#main").evaluate("(one, keys) => one.insertAdjacentHTML('beforeend', keys)", keys)
    phone.locator(".pin-pad").evaluate("one => { one.style.width = '16rem'; }")
    assert phone.locator(".pin-pad button").last.evaluate(BROKEN) == [], "the key of a PIN that deletes, in German"


def test_what_is_reached_by_keyboard_stands_above_the_panel_that_declares(phone: Page) -> None:
    phone.set_viewport_size({"width": 320, "height": 700})
    expect(declaring(phone).locator("#odds")).to_contain_text("Success")
    choices = phone.locator("#declare-form > .field > select")
    expect(choices).to_have_count(5)
    choices.first.focus()
    over = """() => document.activeElement.getBoundingClientRect().bottom
        - document.querySelector("#declare .ready").getBoundingClientRect().top"""
    for _ in range(choices.count()):
        until(lambda: phone.evaluate(over) <= 0)
        phone.keyboard.press("Tab")


def test_the_gamemasters_page_is_short_until_something_is_opened(kiosk: Program, open_page: OpenPage) -> None:
    crew_of_two(kiosk)
    master = live(open_page("/gm", 390, 844, **PHONE))
    expect(master.locator("#more summary").first).to_be_visible()
    assert master.evaluate("() => document.documentElement.scrollHeight") < 2 * 844
    for name in ("Threat +1", "Momentum +1"):
        expect(master.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
    without = open_page("/gm", 390, 844, java_script_enabled=False)
    without.locator("summary", has_text="Threat rises").click()
    expect(without.get_by_role("button", name="Gain Threat")).to_be_visible()
    for nothing in ("#link", ".ask"):
        expect(without.locator(nothing), "nothing starts or answers without script").to_be_hidden()
