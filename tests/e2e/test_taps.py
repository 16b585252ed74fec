"""No tap is lost: fast ones each count, whatever the browser keeps for its pages or has had written there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Error, Locator, Page, Route, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, set_up
from tests.e2e.program import Program, until
from tests.e2e.test_pages import live, press, unfold

AWAY = 30_000

KEEPS_NOTHING = """
Object.defineProperty(window, "localStorage", { get() { throw new DOMException("refused", "SecurityError"); } });
"""
"""What a browser does that refuses to keep anything for a page."""

UNTOLD = """async () => {
  document.documentElement.removeAttribute("data-listener");
  return (await import(new URL("../../js/ear.js?anew", document.querySelector("script[type=module]").src))).listener;
}"""
"""Who listens, as a page has it that tells nothing of them."""

RUBBISH = """
for (const [name, text] of [["trueroll.tap.1", "{"], ["trueroll.tap.2", "7"], ["trueroll.keys", "{"]]) {
  localStorage.setItem(name, text);
}
"""


@pytest.fixture(scope="module")
def table(standing_kiosk: Program) -> Program:
    """A kiosk whose table is set up, for the tests that look at what a tap changes."""
    set_up(standing_kiosk)
    return standing_kiosk


@pytest.fixture(scope="module")
def page(table: Program, open_standing: OpenPage) -> Page:
    assert table.address
    return open_standing("/gm", 1280, 900)


@pytest.fixture
def master(table: Program, page: Page) -> Iterator[Page]:
    """The gamemaster's page, where nothing waits and nothing is held."""
    if not page.url.endswith("/gm"):
        page.goto(f"{table.address}/gm")
    yield live(page)
    page.unroute_all(behavior="ignoreErrors")
    expect(page.locator("#waiting section:visible")).to_have_count(0, timeout=AWAY)


@pytest.fixture
def conflict(table: Program, page: Page) -> Iterator[Page]:
    """The page of the conflict, in the same tab."""
    page.goto(f"{table.address}/conflict")
    yield live(page)
    page.unroute_all(behavior="ignoreErrors")


@contextmanager
def holding(page: Page, action: str) -> Iterator[list[Route]]:
    """Hold back the requests to an action; those not released at the end are dropped."""
    held: list[Route] = []
    pattern = f"**/text/{action}"
    page.route(pattern, lambda route: held.append(route))  # noqa: PLW0108 - Playwright takes no method of a list
    try:
        yield held
    finally:
        page.unroute(pattern)
        for one in held:
            with suppress(Error):  # it was let go
                one.abort()


def waits_for(page: Page, held: list[Route], count: int) -> None:
    """Wait until that number of requests is held."""
    for _ in range(200):
        if len(held) >= count:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{len(held)} of {count} requests came")


def more(page: Page, pool: str) -> Locator:
    """The gamemaster's button for one point more."""
    return page.get_by_role("button", name=f"{pool} +1")


def asked_of(route: Route) -> dict[str, str]:
    """The fields that a held request carries."""
    return dict(parse_qsl(route.request.post_data or ""))


def test_two_fast_taps_on_a_pool_are_two_points(table: Program, master: Page) -> None:
    before = table.table()["table"]["threat"]
    with holding(master, "adjust_pool") as held:
        more(master, "Threat").evaluate("one => { one.click(); one.click(); }")
        waits_for(master, held, 2)
        for one in held:
            one.continue_()
        expect(master.locator("#threat")).to_have_text(str(before + 2), timeout=AWAY)


def test_a_slow_tap_is_told_to_be_sent_and_counts_once(table: Program, master: Page) -> None:
    """While the header says that the page is live nothing is kept until the kiosk is back: it is there."""
    before = table.table()["table"]["threat"]
    with holding(master, "adjust_pool") as held:
        more(master, "Threat").click()
        expect(master.locator("#waiting h2:visible")).to_have_text("Being sent …")
        expect(master.locator("[role=status]", has_text="Being sent …")).to_have_count(1)
        expect(master.locator("#waiting li"), "called as the button that was pressed").to_have_text("Threat +1")
        waits_for(master, held, 1)
        held[0].continue_()
        expect(master.locator("#waiting section:visible")).to_have_count(0, timeout=AWAY)
        expect(master.locator("#threat")).to_have_text(str(before + 1), timeout=AWAY)
        assert len(held) == 1, "it was sent once"


def test_what_is_tapped_while_an_older_tap_has_no_answer_arrives_after_it(master: Page) -> None:
    """The older one may have been lost on its way: what undoes it must not come first."""
    with holding(master, "adjust_pool") as held:
        for pool, tapped in (("threat", 1), ("momentum", 2)):
            more(master, pool.title()).click()
            expect(master.locator("#waiting li")).to_have_count(tapped)
        waits_for(master, held, 1)
        assert [asked_of(one)["pool"] for one in held] == ["threat"]
        expect(master.locator("#waiting h2:visible")).to_have_text("Being sent …")
        held[0].abort()
        expect(master.locator("#waiting h2:visible")).to_have_text("Kept on this device until the kiosk is back")
        for asked in (2, 3):
            waits_for(master, held, asked)
            held[-1].continue_()
        expect(master.locator("#waiting li")).to_have_count(0, timeout=AWAY)
        assert [asked_of(one)["pool"] for one in held] == ["threat", "threat", "momentum"]
        assert asked_of(held[0])["tap"] == asked_of(held[1])["tap"]


def test_what_somebody_else_wrote_among_the_kept_taps_is_let_go(table: Program, master: Page) -> None:
    master.evaluate(RUBBISH)
    master.reload()
    before = table.table()["table"]["threat"]
    more(live(master), "Threat").click()
    expect(master.locator("#threat")).to_have_text(str(before + 1), timeout=AWAY)
    expect(master.locator("#waiting section:visible")).to_have_count(0)


def test_two_fast_taps_on_a_form_of_the_conflict_are_one(table: Program, conflict: Page) -> None:
    """What the second tap means is what the first is still asking for."""
    with holding(conflict, "adjust_stress") as held:
        unfold(conflict, "Hazards, Stress")
        before = table.table()["table"]["characters"][0]["body"]["stress"]
        conflict.get_by_label("Change by", exact=True).first.fill("-1")
        right = conflict.locator("form[action='/text/adjust_stress'] button[type=submit]")
        right.click()
        right.evaluate("one => { one.textContent = 'Put it right'; }")  # as what is undone may change meanwhile
        right.click()
        waits_for(conflict, held, 1)
        conflict.wait_for_timeout(200)
        for one in held:
            one.continue_()
        until(lambda: table.table()["table"]["characters"][0]["body"]["stress"] != before)
        expect(conflict.locator("#undo")).to_be_visible()
        assert len(held) == 1
        assert table.table()["table"]["characters"][0]["body"]["stress"] == before - 1


def test_a_form_of_the_conflict_whose_answer_was_lost_counts_once(table: Program, conflict: Page) -> None:
    sent: list[str] = []

    def lose_the_first(route: Route) -> None:
        sent.append(str(route.request.post_data))
        if len(sent) > 1:
            route.continue_()
        else:
            route.fetch(max_redirects=0)
            route.abort()

    conflict.route("**/text/adjust_stress", lose_the_first)
    conflict.route("**/conflict", lambda route: route.abort())  # nor is the page drawn anew
    unfold(conflict, "Hazards, Stress")
    before = table.table()["table"]["characters"][0]["body"]["stress"]
    right = conflict.locator("form[action='/text/adjust_stress'] button[type=submit]")
    change = conflict.get_by_label("Change by", exact=True).first
    change.fill("-1")
    right.click()
    expect(conflict.locator("#waiting li")).to_contain_text("Put right")
    expect(conflict.locator("#waiting section:visible")).to_have_count(0, timeout=AWAY)
    assert len(sent) > 1
    assert sent[0] == sent[1]
    assert table.table()["table"]["characters"][0]["body"]["stress"] == before - 1


def test_without_script_a_double_click_counts_once_and_going_back_is_harmless(
    kiosk: Program, open_page: OpenPage
) -> None:
    set_up(kiosk)
    before = kiosk.table()["table"]["threat"]
    page = open_page("/text", java_script_enabled=False)

    def threat() -> int:
        return int(kiosk.table()["table"]["threat"])

    def grow(clicks: int) -> None:
        unfold(page, "Threat, pools, traits, scene")
        page.locator("#pool").select_option("threat")
        page.get_by_role("button", name="Adjust", exact=True).click(click_count=clicks)

    grow(clicks=2)
    until(lambda: threat() > before)
    page.goto(f"{kiosk.address}/text")
    grow(clicks=1)
    until(lambda: threat() > before + 1)
    page.reload()
    page.go_back()
    assert threat() == before + 2
    grow(clicks=1)
    until(lambda: threat() == before + 3)


def test_a_browser_that_keeps_nothing_plays_all_the_same(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    kiosk.send("save_character", name="Ben Adeyemi", attributes=ATTRIBUTES, disciplines=DISCIPLINES)
    page = open_page("/gm", alone=True)
    page.context.add_init_script(KEEPS_NOTHING)
    page.reload()
    before = kiosk.table()["table"]["threat"]
    more(live(page), "Threat").click()
    expect(page.locator("#threat")).to_have_text(str(before + 1), timeout=AWAY)
    page.goto(f"{kiosk.address}/play")
    press(live(page), "Ben Adeyemi")
    expect(page.locator("#me-title")).to_have_text("Ben Adeyemi")
    assert page.evaluate(UNTOLD)["ear"] == "off", "nor does a page lose its scripts that is not told who listens"
