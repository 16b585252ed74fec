"""Two phones, the table's screen and the gamemaster: who is choosing a Task stands there in one quiet line."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from kiosk.i18n.languages import Languages
from rules.words import say, translated
from tests.e2e.conftest import OpenPage
from tests.e2e.crew import set_up
from tests.e2e.program import Program
from tests.e2e.test_pages import live
from tests.e2e.test_persons import joined as phone_joined

WORDS = "Okafor is choosing a Task."


def joined(phones: tuple[OpenPage, dict[str, str]], name: str, character: str) -> Page:
    """A phone whose person took the character, once it is live."""
    return live(phone_joined(phones, name, character))


NOTED = """() => {
    window.moved = 0;
    window.spoken = [];
    document.addEventListener("focusin", () => { window.moved += 1; });
    const seen = { childList: true, subtree: true, characterData: true };
    for (const one of document.querySelectorAll("[aria-live]:not([aria-live=off]), [role=status], [role=alert]"))
        new MutationObserver(() => window.spoken.push(one.id || one.className)).observe(one, seen);
}"""
"""Notes what moves the focus, and what a screen reader would be told."""


def test_the_others_see_who_is_choosing_and_nothing_moves(phones: tuple[OpenPage, dict[str, str]]) -> None:
    opened, _ = phones
    okafor, reed = joined(phones, "Sam", "Okafor"), joined(phones, "Ana", "Reed")
    screen = live(opened("/display", width=1920, height=1080))
    for page in (screen, reed):
        expect(page.locator("#choosing")).to_be_empty()
        page.evaluate(NOTED)
    reed.locator("#declare-open").focus()
    reed.evaluate("window.moved = 0")
    before = (
        [page.locator("main").bounding_box() for page in (screen, reed)],
        reed.locator("#declare-open").bounding_box(),
    )
    okafor.locator("#declare-open").click()
    for page in (screen, reed):
        expect(page.locator("#choosing")).to_have_text(WORDS)
        assert page.locator("#choosing").get_attribute("aria-live") == "off"
        assert page.evaluate("[window.moved, window.spoken]") == [0, []]
    expect(reed.locator("#declare-open")).to_be_focused()
    after = (
        [page.locator("main").bounding_box() for page in (screen, reed)],
        reed.locator("#declare-open").bounding_box(),
    )
    assert after == before, "nothing moves under a thumb"
    expect(okafor.locator("#choosing")).to_be_empty()
    assert not screen.evaluate(
        "document.querySelector('#choosing').closest('[aria-live]:not([aria-live=off]), [role=status], [role=log]')"
    )
    reed.locator("#declare-open").click()
    expect(screen.locator("#choosing")).to_have_text("Choosing Tasks: Okafor, Reed.")
    expect(okafor.locator("#choosing")).to_have_text("Reed is choosing a Task.")
    okafor.locator("#declare-now").click()
    expect(okafor.locator(".entry-pad, .entry").first).to_be_attached()
    expect(screen.locator("#choosing")).to_have_text("Reed is choosing a Task.")
    expect(reed.locator("#declare-form"), "Reed goes on meanwhile").to_be_visible()
    reed.get_by_role("link", name="Not now").click()
    expect(screen.locator("#choosing")).to_be_empty()
    reed.locator("#declare-open").click()
    expect(screen.locator("#choosing")).to_have_text("Reed is choosing a Task.")
    reed.goto("about:blank")
    expect(screen.locator("#choosing")).to_be_empty()


def test_another_page_of_the_same_person_hides_the_line_neither_as_it_comes_nor_keeps_it_as_the_first_goes(
    phones: tuple[OpenPage, dict[str, str]],
) -> None:
    opened, _ = phones
    okafor, reed = joined(phones, "Sam", "Okafor"), joined(phones, "Ana", "Reed")
    screen = live(opened("/display", width=1920, height=1080))
    okafor.locator("#declare-open").click()
    expect(screen.locator("#choosing")).to_have_text(WORDS)
    other = okafor.context.new_page()
    other.goto(okafor.url.partition("?")[0])
    expect(live(other).locator("#declare-open")).to_be_visible()
    screen.wait_for_timeout(2_500)
    for page in (screen, reed):
        expect(page.locator("#choosing")).to_have_text(WORDS)
    okafor.goto("about:blank")
    for page in (screen, reed):
        expect(page.locator("#choosing")).to_be_empty()
    expect(other.locator("#declare-open"), "the other page is there yet").to_be_visible()
    other.close()


def test_the_others_see_who_is_choosing_an_action_of_their_turn(phones: tuple[OpenPage, dict[str, str]]) -> None:
    opened, codes = phones
    okafor, reed = joined(phones, "Sam", "Okafor"), joined(phones, "Ana", "Reed")
    screen = live(opened("/display", width=1920, height=1080))
    base, headers = okafor.url.partition("/play")[0], {"X-Trueroll": "1"}
    code = {"gamemaster_code": codes["gamemaster_code"]}
    assert screen.request.post(f"{base}/api/v1/join", data=code, headers=headers).ok
    people = screen.request.get(f"{base}/api/v1/table").json()["table"]["characters"]
    seats = [{"combatant_id": one["character_id"]} for one in people]
    first = next(one["character_id"] for one in people if one["name"] == "Okafor")
    begins = {"command": "start_conflict", "kind": "personal", "combatants": seats, "begins": first}
    for command in (begins, {"command": "begin_turn", "combatant_id": first}):
        answer = screen.request.post(f"{base}/api/v1/commands", data=command, headers=headers)
        assert answer.ok, answer.text()
    okafor.goto(f"{base}/play/fight")
    live(okafor)
    guard = okafor.locator("#act-personal-guard > summary")
    guard.click()
    words = "Okafor is choosing an action."
    for page in (screen, reed):
        expect(page.locator("#choosing")).to_have_text(words)
    expect(okafor.locator("#choosing")).to_be_empty()
    guard.click()
    for page in (screen, reed):
        expect(page.locator("#choosing")).to_be_empty()
    guard.click()
    expect(screen.locator("#choosing")).to_have_text(words)
    guard.click()
    ready = okafor.locator("#act-personal-ready > summary")
    ready.click()  # one without dice, whose whole form is there
    expect(screen.locator("#choosing")).to_have_text(words)
    ready.click()
    expect(screen.locator("#choosing")).to_be_empty()
    guard.click()
    for _ in range(2):  # the same once more, in the same Turn
        okafor.locator("#act-personal-guard .main-action").click()
        for page in (screen, reed):
            expect(page.locator("#choosing")).to_be_empty()
        expect(guard).to_be_hidden()
        assert okafor.request.post(f"{base}/api/v1/commands", data={"command": "undo"}, headers=headers).ok
        expect(guard).to_be_visible()
        guard.click()
        expect(okafor.locator("#act-personal-guard .main-action")).to_be_visible()
        expect(screen.locator("#choosing")).to_have_text(words)


LONGEST = ("Wilhelmina Cons…", "Okafor, Lindqvist, Reeds")
"""A name, and several, as long as the line has them."""


@pytest.fixture(scope="module")
def turn(standing_kiosk: Program) -> str:
    """Whose Turn it is: who is choosing is written on the pages alone, so the table stays as it is."""
    acting = set_up(standing_kiosk)
    standing_kiosk.send("start_conflict", kind="personal", combatants=[{"combatant_id": acting}], begins=acting)
    standing_kiosk.send("begin_turn", combatant_id=acting)
    return acting


@pytest.mark.parametrize("language", ["en", "de", "es", "fr"])
def test_on_a_small_phone_the_line_is_there_whole_and_moves_nothing(
    turn: str, standing_kiosk: Program, open_beside: OpenPage, language: str
) -> None:
    catalog = Languages().language(language).catalog
    one, several = LONGEST
    lines = [
        translated(say("{who} is choosing a Task.", who=one), catalog),
        translated(say("{who} is choosing an action.", who=one), catalog),
        translated(say("Choosing Tasks: {names}.", names=several), catalog),
    ]
    page = open_beside("/healthz", 320, 568)
    for path in ("/play", "/play/fight", "/gm", "/text"):
        page.goto(f"{standing_kiosk.address}{path}?me={turn}&language={language}")
        expect(page.locator("html")).to_have_attribute("lang", language)
        if path != "/text":
            live(page)
        for width, height in ((320, 568), (385, 844), (390, 844), (409, 900)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.locator("#choosing").evaluate(FAULTS, lines) == [], (path, width)
            spoilt = page.locator("#choosing").evaluate(FAULTS, [lines[0] * 5])
            assert "it moves what stands there" in spoilt, "a page made bad"


FAULTS = """(line, all) => {
    const places = () => [...document.querySelectorAll("main :is(button, summary, a, h2)")]
        .filter((one) => one.checkVisibility()).map((one) => Math.round(one.getBoundingClientRect().top + scrollY));
    const whole = () => line.scrollWidth <= line.clientWidth && line.scrollHeight <= line.clientHeight
        && getComputedStyle(line).overflow !== "hidden" && line.getBoundingClientRect().right <= innerWidth;
    line.textContent = "";
    const before = places();
    const found = before.length ? [] : ["nothing can be touched"];
    for (const words of all) {
        line.textContent = words;
        if (places().join() !== before.join()) found.push("it moves what stands there", words);
        if (!whole()) found.push("it is cut off", words);
    }
    return found;
}"""
"""Writes each line in the place of who is choosing: whether what can be touched moves by it, or it is cut off."""
