"""From a tap to paint: how long until every open display shows a change of Threat.

Real pages in real Chromium; each page notes when its Threat number changed, and the frame after it. The pages and the
kiosk share this machine's cores, so the figure is an upper bound for screens that have their own. Every page has a
window to itself: of a window's tabs only the one in front is painted at once, the others once a second.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, sync_playwright

from tests.bench.measure import Row, against, milliseconds
from tests.e2e.crew import set_up
from tests.e2e.program import Program

PAINTED_MARKS: Final = {1: 14.0, 8: 16.0, 48: 75.0}
"""The median limit, in milliseconds, from a tap to paint, by number of screens: the time before pages came from the
server alone."""

SWITCHES = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-background-timer-throttling",  # every screen is looked at: none is a tab in the background
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
]

WATCH = """() => {
  window.changed = {};
  window.painted = {};
  const note = () => {
    const now = document.getElementById('threat').textContent;
    if (!(now in window.changed)) {
      window.changed[now] = Date.now();
      requestAnimationFrame(() => setTimeout(() => { window.painted[now] ??= Date.now(); }));
    }
  };
  new MutationObserver(note).observe(document.body, {subtree: true, childList: true, characterData: true});
}"""


def measure(folder: Path, chromium: str, *, screens: int, taps: int) -> Row:
    """Open `screens` displays, tap `taps` times, and report tap -> in the page and -> painted, over all pages."""
    with (
        Program(folder / f"screens-{screens}", "--camera", "off", "--tray", "off") as program,
        sync_playwright() as play,
    ):
        set_up(program)
        browser = play.chromium.launch(executable_path=chromium, args=SWITCHES)
        pages = displays(browser, program, screens, WATCH)
        changed: list[float] = []
        painted: list[float] = []
        for tap in range(taps + 1):
            tapped = time.time()
            program.send("adjust_pool", pool="threat", change=1)
            shown = str(program.table()["table"]["threat"])
            for page in pages:
                page.wait_for_function("key => key in window.painted", arg=shown)
            if tap:  # the first one warms the pages up
                changed += [page.evaluate("key => window.changed[key]", shown) / 1e3 - tapped for page in pages]
                painted += [page.evaluate("key => window.painted[key]", shown) / 1e3 - tapped for page in pages]
        browser.close()
    figure = f"in the page {milliseconds(changed)}; painted {milliseconds(painted)}"
    if (mark := PAINTED_MARKS.get(screens)) is not None:
        figure = against(figure, statistics.median(painted) * 1e3, mark, "ms")
    return Row(f"tap → {screens} screen{'s' if screens > 1 else ''}", figure)


def displays(browser: Browser, program: Program, screens: int, watch: str) -> list[Page]:
    """That many live displays, each in a window of its own and running the script `watch`."""
    pages = [browser.new_context().new_page() for _ in range(screens)]
    for page in pages:
        page.goto(f"{program.address}/display")
    for page in pages:
        page.wait_for_selector('#link[data-state="live"]')
        page.evaluate(watch)
    return pages
