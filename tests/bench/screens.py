"""From a tap to paint: how long until every open display shows a change of Threat.

Real pages in real Chromium; each page notes when its Threat number changed, and the frame after it. The pages and the
kiosk share this machine's cores, so the figure is an upper bound for screens that have their own. One browser paints
pages that are not in front only once a second: with several screens the last percent of `painted` shows that.
"""

from __future__ import annotations

import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.bench.measure import Row, milliseconds
from tests.e2e.crew import set_up
from tests.e2e.program import Program

PAGES_PER_CONTEXT = 4
"""A browser opens six connections to one address at most; each page holds one for its live events."""

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
        pages: list[Page] = []
        while len(pages) < screens:
            context = browser.new_context()
            for _ in range(min(PAGES_PER_CONTEXT, screens - len(pages))):
                pages.append(context.new_page())
                pages[-1].goto(f"{program.address}/display")
        for page in pages:
            page.wait_for_selector('#link[data-state="live"]')
            page.evaluate(WATCH)
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
    return Row(
        f"tap → {screens} screen{'s' if screens > 1 else ''}",
        f"in the page {milliseconds(changed)}; painted {milliseconds(painted)}",
    )
