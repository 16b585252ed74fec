"""What the pages cost: an outcome on every screen while the camera is at work, what a first visit loads, and how soon a
page can be used on a slow processor.

Real pages in real Chromium, which shares this machine's cores with the kiosk.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Response, sync_playwright

from tests.bench.measure import Row, against, milliseconds
from tests.bench.onlookers import Onlookers
from tests.bench.screens import SWITCHES, displays
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program

VISITED: Final = ("/display", "/play", "/gm")
SLOWER: Final = 6
"""How many times slower the processor is made: a crude stand-in for a small board or an old phone."""

VISITS: Final = 5

LOADED_MARK: Final = 150.0
"""The most kB that a first load sends, without photographs of dice."""

FOLLOWED_MARK: Final = 0.5
"""The most seconds, in the median, until the table's screen follows the table on a slow processor."""

WATCH: Final = """() => {
  window.outcomes = [];
  const stage = document.getElementById("stage");
  let before = stage.dataset.kind;
  new MutationObserver(() => {
    const kind = stage.dataset.kind;
    if (kind === before) return;
    before = kind;
    if (kind === "outcome") requestAnimationFrame(() => setTimeout(() => window.outcomes.push(Date.now())));
  }).observe(stage, { attributes: true, attributeFilter: ["data-kind"] });
}"""


FOLLOWED: Final = """new MutationObserver((_, watch) => {
  if (document.getElementById("link")?.dataset.state !== "live") return;
  watch.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.followed = Date.now(); }));
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-state"] });"""


def outcomes(folder: Path, chromium: str, *, screens: int, painted: int, throws: int) -> Iterator[Row]:
    """From the moment dice are entered to the outcome on every screen, with the camera reading.

    `painted` of the screens are Chromium's windows, which paint on the kiosk's own cores; the others only listen, as
    screens with computers of their own cost the kiosk.
    """
    with Program(folder / f"outcomes-{painted}", "--demo") as program, sync_playwright() as play:
        character = set_up(program)
        browser = play.chromium.launch(executable_path=chromium, args=SWITCHES)
        pages = displays(browser, program, painted, WATCH)
        seen: list[float] = []
        heard: list[float] = []
        with Onlookers(program.port, screens - painted) as onlookers:
            for throw in range(throws + 1):
                program.send("declare_task", declaration=declaration(character))
                number = program.table()["table"]["request"]["number"]
                entered = time.time()
                answer = program.post(
                    "/api/v1/commands", {"command": "enter_dice", "request": number, "faces": [4, 12]}
                )
                for page in pages:
                    page.wait_for_function("number => window.outcomes.length > number", arg=throw)
                assert answer.status == 200, answer
                arrived = onlookers.first_since(entered)
                if throw:  # the first one warms the pages up
                    seen += [page.evaluate("() => window.outcomes.at(-1)") / 1e3 - entered for page in pages]
                    heard += [when - entered for when in arrived]
                program.send("undo")
                for page in pages:
                    page.wait_for_function("() => document.getElementById('stage').dataset.kind !== 'outcome'")
                while program.table()["table"]["task"] is not None:
                    program.send("undo")
        browser.close()
    if heard:
        yield Row(
            f"dice entered → outcome at {screens - painted} of {screens} screens, camera reading", milliseconds(heard)
        )
    yield Row(f"dice entered → outcome painted on {painted} of {screens} screens, camera reading", milliseconds(seen))


def visits(folder: Path, chromium: str) -> Iterator[Row]:
    """What a first visit loads, with and without fonts, and how soon it follows the table on a slow processor."""
    with (
        Program(folder / "visits", "--camera", "off", "--tray", "off") as program,
        sync_playwright() as play,
    ):
        set_up(program)
        browser = play.chromium.launch(executable_path=chromium, args=SWITCHES)
        for path in VISITED:
            sent, unpacked, fonts, requests = _weight(browser, program.address + path)
            figure = (
                f"{sent / 1e3:.0f} kB sent ({unpacked / 1e3:.0f} kB unpacked) and {fonts / 1e3:.0f} kB of fonts, "
                f"{requests} requests"
            )
            yield Row(f"first load of {path}", against(figure, (sent + fonts) / 1e3, LOADED_MARK, "kB"))
            taken = [_usable(browser, program.address + path) for _ in range(VISITS)]
            figure = milliseconds(taken)
            if path == "/display":
                figure = against(figure, statistics.median(taken), FOLLOWED_MARK, "s")
            yield Row(f"{path} follows the table, processor slowed {SLOWER} times", figure)
        browser.close()


def _weight(browser: Browser, address: str) -> tuple[int, int, int, int]:
    """Bytes that a first visit loads without fonts, as sent and unpacked; those of fonts; the number of requests."""
    page = browser.new_page()
    bodies: list[Response] = []
    page.on("response", lambda answer: bodies.append(answer) if "/events" not in answer.url else None)
    page.goto(address)
    page.wait_for_selector('#link[data-state="live"]')
    page.evaluate("() => document.fonts.ready")
    answers = [one for one in bodies if one.ok]
    fonts = [one for one in answers if one.url.endswith(".woff2")]
    rest = [one for one in answers if one not in fonts]
    sent, unpacked = (
        sum(one.request.sizes()["responseBodySize"] for one in rest),
        sum(len(one.body()) for one in rest),
    )
    weight = sent, unpacked, sum(len(one.body()) for one in fonts), len(answers)
    page.close()
    return weight


def _usable(browser: Browser, address: str) -> float:
    """Seconds until a page that was never visited before follows the table and has painted that.

    Only `FOLLOWED` runs there beside the page's own: what Playwright puts into a page that it is asked about takes the
    slowed processor as long as half of the page.
    """
    context: Any = browser.new_context()
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Page.enable")
    line.send("Page.addScriptToEvaluateOnNewDocument", {"source": FOLLOWED})
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    start = time.time()
    page.goto(address, wait_until="commit")
    painted = None
    while painted is None:
        time.sleep(0.02)
        painted = line.send("Runtime.evaluate", {"expression": "window.followed"})["result"].get("value")
    context.close()
    return float(painted) / 1e3 - start
