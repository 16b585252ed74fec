"""A change between a page's making and the moment its line is up is learnt when the line comes up, on every page."""

from __future__ import annotations

from http import HTTPStatus

from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, set_up
from tests.e2e.program import Program, until
from tests.e2e.test_holding import waited_for
from tests.e2e.test_pages import live

LINE = "**/api/v1/events*"


class LateLine:
    """A page whose live line is held back from its loading on, until it is let up."""

    def __init__(self, page: Page, address: str) -> None:
        self._held: list[Route] = []
        self.page = page
        page.route(LINE, lambda route: self._held.append(route))  # noqa: PLW0108 - Playwright marks what it is given
        page.goto(address)
        until(self._asked)

    def _asked(self) -> bool:
        self.page.wait_for_timeout(20)  # lets Playwright hear of it
        return bool(self._held)

    def up(self) -> Page:
        """The page, live."""
        held, self._held = self._held, []
        for one in held:
            one.continue_()
        self.page.unroute(LINE)
        return live(self.page)


def test_the_tables_screen_catches_up_with_what_was_chosen_for_it(open_page: OpenPage, kiosk: Program) -> None:
    set_up(kiosk)
    kiosk.post("/api/v1/screen", {"diagonal_inches": 43, "distance_metres": 3})
    late = LateLine(open_page("/healthz"), f"{kiosk.address}/display")
    late.page.wait_for_load_state("load")
    size = "getComputedStyle(document.documentElement).getPropertyValue('--key').trim()"
    before = late.page.evaluate(size)
    kiosk.post("/api/v1/screen", {"diagonal_inches": 7, "distance_metres": 0.5, "flip": True, "theme": "light"})
    kiosk.post("/api/v1/network", {"let_in": True})
    expect(late.page.locator("html[data-flip]")).to_have_count(0)
    display = late.up()
    display.wait_for_function(f"before => {size} !== before", arg=before, polling=50)
    expect(display.locator("html[data-flip][data-theme=light]")).to_have_count(1)
    expect(display.locator("summary", has_text="Keep phones out")).to_be_attached()


def test_the_letters_that_a_page_asks_for_are_those_of_its_own_screen(open_page: OpenPage, kiosk: Program) -> None:
    """A style sheet that comes after another choice is not taken for the one that the page was made with."""
    page = open_page("/display")
    href = page.locator("#letters").get_attribute("href")
    first = page.request.get(f"{kiosk.address}{href}").text()
    kiosk.post("/api/v1/screen", {"diagonal_inches": 7, "distance_metres": 3})
    assert page.request.get(f"{kiosk.address}{href}").text() == first
    assert page.request.get(f"{kiosk.address}/display.css").text() != first


def test_a_phone_catches_up_with_who_can_be_played(open_page: OpenPage, kiosk: Program) -> None:
    set_up(kiosk)
    late = LateLine(open_page("/healthz"), f"{kiosk.address}/play")
    player = kiosk.table()["table"]["players"][-1]["player_id"]
    kiosk.send("save_character", name="Benet Okoye", attributes=ATTRIBUTES, disciplines=DISCIPLINES, player_id=player)
    expect(late.page.locator("#me")).not_to_contain_text("Benet")
    expect(late.up().locator("#me")).to_contain_text("Benet Okoye")


def test_the_page_of_fights_catches_up(open_page: OpenPage, kiosk: Program) -> None:
    ada = set_up(kiosk)
    late = LateLine(open_page("/healthz"), f"{kiosk.address}/conflict")
    kiosk.send("start_conflict", kind="personal", combatants=[{"combatant_id": ada}])
    expect(late.page.locator("#overview-title")).to_have_text("No conflict is under way")
    fight = late.up()
    expect(fight.locator("#overview-title")).to_have_text("The conflict")
    fight.route("**/conflict", lambda route: route.fulfill(status=500))
    kiosk.send("end_conflict")
    expect(fight.locator("#link"), "the line is up, and the page is old").to_have_text("Old: load this page again")
    expect(fight.locator("[role=status]", has_text="Old: load this page again")).to_have_count(1)
    fight.unroute("**/conflict")
    kiosk.send("adjust_pool", pool="threat", change=1)
    expect(live(fight).locator("#overview-title")).to_have_text("No conflict is under way")
    older: list[Route] = []
    fight.route("**/conflict", lambda route: older.append(route), times=1)  # noqa: PLW0108 - Playwright marks what it is given
    kiosk.send("adjust_pool", pool="threat", change=1)
    waited_for(fight, older, 1)
    kiosk.send("start_conflict", kind="personal", combatants=[{"combatant_id": ada}])
    expect(fight.locator("#overview-title")).to_have_text("The conflict")
    with fight.expect_response(lambda answer: answer.status == HTTPStatus.INTERNAL_SERVER_ERROR):
        older[0].fulfill(status=500)
    fight.evaluate("new Promise(requestAnimationFrame)")
    expect(fight.locator("#link"), "what came since is newer than what failed").to_have_text("Live")


def test_a_page_that_looks_again_by_itself_says_that_it_is_old(open_page: OpenPage) -> None:
    page = open_page("/tray")
    expect(page.locator("#link")).to_have_text("Live")
    page.route("**/tray", lambda route: route.fulfill(status=500))
    expect(page.locator("#link")).to_have_text("Old: load this page again")
    page.unroute("**/tray")
    expect(page.locator("#link")).to_have_text("Live")
