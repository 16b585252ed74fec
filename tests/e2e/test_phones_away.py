"""Phones in pockets and out of reach: nothing is lost while the kiosk is away, nothing hidden is seen."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, declaration, set_up
from tests.e2e.program import Program
from tests.e2e.test_pages import declaring, live, press, unfold
from tests.e2e.thumbs import AWAY, PHONE, crew_of_two, touchable, within_reach


def test_taps_are_kept_while_the_kiosk_is_away_and_each_counts_once(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    master = live(open_page("/gm", 360, 740, bypass_csp=True))
    unfold(master, "Threat rises")
    before = kiosk.table()["table"]["threat"]
    kiosk.stop()
    for _ in range(2):
        master.get_by_label("A Menacing creature enters").check()
        press(master, "Gain Threat")
        expect(master.locator("#error")).to_be_hidden()
    expect(master.locator("#waiting li")).to_have_count(2)
    expect(master.locator("#waiting")).to_contain_text("Gain Threat")
    within_reach(master)
    not_sent = master.get_by_role("button", name="Do not send: Gain Threat").first
    not_sent.focus()
    with master.expect_event("requestfailed", lambda one: "/text/" in one.url):
        master.evaluate("dispatchEvent(new Event('online'))")  # sooner than every three seconds
    master.wait_for_timeout(50)  # what comes of it
    expect(not_sent, "whoever reads there stays there").to_be_focused()
    kiosk.start()
    expect(master.locator("#waiting li")).to_have_count(0, timeout=AWAY)
    expect(master.locator("#threat")).to_have_text(str(before + 2), timeout=AWAY)
    assert kiosk.table()["table"]["threat"] == before + 2
    kiosk.stop()
    master.get_by_label("A Menacing creature enters").check()
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
    phone = live(open_page("/play", 320, 640, bypass_csp=True, **PHONE))
    phone.context.set_offline(True)
    for name in ("Die 1: 1", "Die 2: 1", "Count these dice"):
        phone.locator("main").get_by_role("button", name=name, exact=True).tap()
    expect(phone.locator("#waiting h2:visible")).to_have_text("Kept on this device until the kiosk is back")
    expect(phone.locator("#waiting h2:visible"), "where the thumb is").to_be_in_viewport(ratio=1)
    expect(phone.locator("#waiting")).to_contain_text("Enter the dice 1, 1")
    kiosk.send("withdraw_task")
    kiosk.send("declare_task", declaration=declaration(character, difficulty=4))
    phone.context.set_offline(False)
    expect(phone.locator("#waiting")).to_contain_text("Not done: Enter the dice 1, 1.", timeout=AWAY)
    expect(phone.locator("#waiting")).to_contain_text("The table no longer waits for this throw")
    assert kiosk.table()["table"]["task"]["outcome"] is None
    expect(phone.get_by_role("button", name="I have read it")).to_be_in_viewport(ratio=0.9)
    touchable(phone)
    press(phone, "I have read it")
    expect(phone.locator("#waiting section:visible")).to_have_count(0)
    expect(phone.locator("#stage"), "where the table is now, not the top of the page").to_be_focused()


def test_whoever_declared_while_away_is_at_the_first_die_when_it_is_sent(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    phone = live(open_page("/play", 360, 740, **PHONE))
    kiosk.stop()
    phone.locator("#declare-open").tap()
    expect(phone.locator("#error")).to_have_text("The kiosk cannot be reached. Try again when it is back.")
    kiosk.start()
    expect(phone.locator("#error"), "gone with what it is about").to_be_hidden(timeout=AWAY)
    declaring(live(phone)).context.set_offline(True)
    phone.locator("#focus").check()
    expect(phone.locator("#odds")).to_have_text("The chances are not known now: the kiosk does not answer.")
    press(phone, "Declare")
    expect(phone.locator("#waiting")).to_contain_text("Declare the Task")
    phone.evaluate("document.activeElement.blur()")  # as a phone that focuses nothing that is touched
    phone.evaluate("() => { const now = Date.now; Date.now = () => now() + 5_000; }")
    phone.context.set_offline(False)
    expect(phone.get_by_label("Die 1 of 2"), "long after the tap").to_be_focused(timeout=AWAY)
    expect(phone.get_by_label("Die 1 of 2")).to_be_in_viewport(ratio=1)


def test_a_phone_that_slept_catches_up(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    phone = live(open_page("/play", 360, 740))
    seen = """hidden => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden === 'yes' });
        document.dispatchEvent(new Event('visibilitychange'));
    }"""
    phone.evaluate(seen, "yes")
    expect(phone.locator("#link")).to_have_attribute("data-state", "stale")
    phone.evaluate("() => { document.body.style.minHeight = '3000px'; scrollTo(0, 2000); }")
    expect(phone.locator("#link"), "however far one has scrolled").to_be_in_viewport(ratio=1)
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
    second = live(open_page("/gm"))
    declaring(master)
    master.get_by_label("Character", exact=True).select_option("Brack")
    first = {"type": "/problems/ask-first", "detail": "Really?"}
    master.route("**/text/hidden", lambda one: one.fulfill(status=409, json=first), times=1)
    press(master, "Roll it hidden")
    with master.expect_request("**/text/hidden") as confirmed:
        press(master, "Yes, take it back")
    assert "about=" not in (confirmed.value.post_data or ""), "it means the same whatever has happened since"
    hidden = master.locator("#hidden")
    expect(hidden.get_by_role("heading", name="Hidden: only you see this")).to_be_visible()
    expect(hidden.get_by_label("Die 1 of 2"), "whoever asked is led to the first die").to_be_focused()
    expect(hidden.get_by_label("Die 1 of 2")).to_be_in_viewport(ratio=1)
    expect(master.locator("[role=status]", has_text="Hidden roll 1: Throw 2 d20s")).to_have_count(1)
    for name in ("Die 1: 1", "Die 2: 4", "Count these dice"):
        hidden.get_by_role("button", name=name, exact=True).tap()
    for device in (master, second):
        expect(device.locator("#hidden-done .stage-word"), "live on each of the gamemaster's devices").to_have_text(
            re.compile("^Brack (succeeds|triumphs)$")
        )
    touchable(master, within="#hidden-done")
    assert kiosk.table()["sequence"] == sequence
    assert [page.locator("body").inner_text() for page in (display, phone)] == before
    master.reload()
    expect(live(master).locator("#hidden-done .stage-word"), "kept by the kiosk").to_have_text(re.compile("^Brack"))
    press(master, "Show it to all")
    for page in (display, phone):
        expect(page.locator(".stage-word")).to_have_text("Brack succeeds")
    expect(hidden).to_be_empty()
    expect(master.locator("#stage"), "the focus was on what is gone").to_be_focused()
    brack = next(one["character_id"] for one in kiosk.table()["table"]["characters"] if one["name"] == "Brack")
    for step in ({"action": "declare", "declaration": declaration(brack)},) * 2:
        assert kiosk.post("/api/v1/hidden", step).status == 200
    assert kiosk.post("/api/v1/hidden", {"action": "enter", "roll_id": "2", "faces": [2, 3]}).status == 200
    expect(master.locator("#hidden-done #hidden-2")).to_be_visible()
    for number in (1, 2):
        hidden.get_by_label(f"Die {number} of 2").fill("4")
    hidden.get_by_role("button", name="Count these dice").click()
    expect(master.locator("#hidden-1 .stage"), "also behind a newer roll").to_be_focused()


def test_the_page_is_an_app_that_opens_while_the_kiosk_is_away(kiosk: Program, open_page: OpenPage) -> None:
    crew_of_two(kiosk)
    phone = live(open_page("/play", 360, 740, service_workers="allow"))
    manifest = phone.evaluate("async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json()")
    assert (manifest["display"], manifest["start_url"]) == ("standalone", "/play")
    for icon in manifest["icons"]:
        size = phone.evaluate(
            "async src => { const made = new Image(); made.src = src; await made.decode(); return made.naturalWidth; }",
            icon["src"],
        )
        assert icon["sizes"] in {"any", f"{size}x{size}"}
    with phone.expect_response("**/me"):
        press(phone, "Ada Lindqvist")
    phone.evaluate("async () => { await navigator.serviceWorker.ready; }")
    phone.reload()
    live(phone)
    (worker,) = phone.context.service_workers
    worker.evaluate("() => { Cache.prototype.put = () => Promise.reject(new Error('the disk is full')); }")
    phone.reload()
    live(phone)
    kiosk.stop()
    phone.reload()
    expect(phone.get_by_role("heading", name="Player")).to_be_visible()
    expect(phone.locator("#link")).to_have_text(re.compile("^Stale"), timeout=AWAY)
    kiosk.start()
    expect(live(phone).locator("#me-title")).to_have_text("Ada Lindqvist")
