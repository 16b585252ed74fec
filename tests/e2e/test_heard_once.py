"""Each thing that somebody must answer reaches a listener once: as an alert or politely, never both within a breath.

Proven on pages made bad, which tell of everything both ways.
"""

from __future__ import annotations

import re
import resource
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.e2e.conftest import pages_of
from tests.e2e.crew import set_up
from tests.e2e.scenes import Evening
from tests.e2e.test_pages import live
from tests.e2e.warm import WarmProgram

GOOD: Final = ("/play", "/gm", "/conflict", "/display")
ALIKE: Final = ("/gm", "/conflict")
"""Pages on which the same modules tell the same as on a phone's; opened in the long form."""

BAD: Final = ("/play", "/display")
SPOILT: Final[Mapping[str, str]] = {
    'alertOf(told ? "" : waits.words)': "alertOf(waits.words)",
    'alerted && narration.kind === "question"': "false",
}
"""What keeps a page from telling a thing twice, and what would let it."""

LISTEN: Final = """() => {
  window.heard = [];
  for (const region of document.querySelectorAll("[role=status], [role=alert]")) {
    const note = () => region.textContent && heard.push(region.textContent);
    new MutationObserver(note).observe(region, { childList: true, characterData: true, subtree: true });
  }
}"""


@dataclass(frozen=True)
class Table:
    """A kiosk, the pages that are as they should be, and those that were made bad."""

    evening: Evening
    good: Mapping[str, Page]
    bad: Mapping[str, Page]

    def heard(self, page: Page) -> str:
        """All that a listener there heard since this was last asked."""
        return " | ".join(page.evaluate("() => heard.splice(0)"))

    def say_something_else(self, number: int) -> None:
        """Go on once every page has said what comes after all else that there was to say."""
        name = f"Fog bank {number}"
        self.evening.send("add_trait", name=name, kind="trait")
        for page in (*self.good.values(), *self.bad.values()):
            page.wait_for_function("name => heard.some((one) => one.includes(name))", arg=name, polling=50)


def spoil(page: Page) -> None:
    """Let a page that is opened next tell of what it waits for as if nothing else did."""

    def changed(route: Route) -> None:
        answer = route.fetch()
        source = answer.text()
        for right, wrong in SPOILT.items():
            assert source.count(right) == 1, f"there is no such place any more: {right}"
            source = source.replace(right, wrong)
        route.fulfill(response=answer, body=source)

    page.route("**/linked/js/*.js", changed)


@pytest.fixture
def table(browser: Browser, tmp_path: Path, *, whole: bool) -> Iterator[Table]:
    with (
        WarmProgram(tmp_path / "data", "--camera", "off", "--tray", "off") as program,
        pages_of(browser, program) as opened,
    ):
        evening = Evening(program)
        evening.people["Ada Lindqvist"] = set_up(program)
        evening.join("Ben Adeyemi")
        good = {path: opened(path) for path in GOOD if whole or path not in ALIKE}
        bad = {path: opened("/healthz", alone=True) for path in (BAD if whole else BAD[:1])}
        for path, page in bad.items():
            spoil(page)
            page.goto(program.address + path)
        for page in (*good.values(), *bad.values()):
            live(page).evaluate(LISTEN)
        yield Table(evening, good, bad)


def doubtful(evening: Evening) -> None:
    evening.declare()
    evening.report({"face": 4})


def complication(evening: Evening) -> None:
    evening.send("dismiss_throw")
    evening.throw(3, 20)
    evening.send("finish_spending")


def choice(evening: Evening) -> None:
    evening.send("take_complication")
    seats = [{"combatant_id": one} for one in evening.people.values()]
    evening.send("start_conflict", kind="personal", combatants=seats, begins=evening.people["Ada Lindqvist"])
    evening.send("strike_hazard", target_id=evening.people["Ben Adeyemi"], rating=3, reason="Falling rocks")
    evening.throw(2, 2, 1)


MATTERS: Final[tuple[tuple[Callable[[Evening], None], str], ...]] = (
    (doubtful, "2 expected"),
    (complication, "to settle|to be settled"),
    (choice, "suffer the Injury"),
)


def test_what_has_to_be_answered_is_heard_once_and_twice_where_a_page_is_bad(table: Table) -> None:
    for number, (play, matter) in enumerate(MATTERS):
        play(table.evening)
        table.say_something_else(number)
        for expected, pages in enumerate((table.good, table.bad), start=1):  # politely, or also as an alert
            for path, page in pages.items():
                heard = table.heard(page)
                assert len(re.findall(matter, heard)) == expected, (path, heard)


def test_that_nothing_is_kept_is_heard_once_and_taken_back_also_where_no_live_place_is_left(
    browser: Browser, tmp_path: Path
) -> None:
    """The disk of a running kiosk takes nothing for a while: the system lets it write no byte more into any file."""
    with (
        WarmProgram(tmp_path / "data", "--camera", "off", "--tray", "off") as program,
        pages_of(browser, program) as opened,
    ):
        evening = Evening(program)
        set_up(program)
        asking = opened("/healthz")
        asking.route("**/api/v1/events*", lambda route: route.fulfill(status=503))
        asking.goto(f"{program.address}/play")
        pages = [live(opened("/play")), asking]
        for page in pages:
            page.wait_for_function("() => document.getElementById('pools').textContent", polling=50)
            page.evaluate(LISTEN)

        def told(words: str) -> None:
            for page in pages:
                page.wait_for_function("words => heard.some((one) => one.includes(words))", arg=words, polling=50)

        resource.prlimit(program.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        for name in ("Fog", "Rain", "Hail"):
            evening.send("add_trait", name=name, kind="trait")
            told(name)
        told("Nothing is being kept")
        resource.prlimit(program.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        told("Everything is kept again")
        for page in pages:
            heard = " | ".join(page.evaluate("() => heard"))
            for words in ("Nothing is being kept", "Everything is kept again"):
                assert heard.count(words) == 1, heard
            assert page.locator("#not-kept").is_hidden()
