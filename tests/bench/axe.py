"""`make axe`: what axe finds on every page in every state, WCAG 2.2 from A to AAA; ends with 1 where it finds anything.

Each state of a table is that of the pictures in docs/screens.md. Skins and languages are sampled: each visit takes the
next of both, so that over a run every page is seen in all of them.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, get_args

from playwright.sync_api import Browser, expect, sync_playwright

from kiosk.settings import Theme
from tests.e2e.conftest import SWITCHES, chromium
from tests.e2e.naming import misnamed
from tests.e2e.program import Program
from tests.e2e.scenes import EVENINGS, Evening
from tests.e2e.test_accessibility import PAGES, RULES, STANDARDS, open_everything, settled, violations

WHOLE: Final = [*STANDARDS, "wcag2aaa", "wcag21a", "wcag21aaa", "wcag22a", "wcag22aaa"]
"""All of it; what axe only tries, as the name of a control in its label, is named in `TRIED`."""

TRIED: Final = {"label-content-name-mismatch": {"enabled": True}}

FOLLOWED: Final = ("/display", "/play", "/play/fight", "/play/table", "/gm", "/conflict", "/text")
"""The pages that change with the table."""

STILL: Final = tuple(one for one in PAGES if one not in FOLLOWED)
"""The others, which are looked at in the first states alone."""

SETTLED_STATES: Final = ("no-table", "ready")

LANGUAGES: Final = ("en", "de", "es", "fr")

PATIENCE: Final = 120_000
"""Milliseconds that a page may take on a machine that does other work."""


def visits(browser: Browser, folder: Path) -> Iterator[tuple[str, str, dict[str, list[str]]]]:
    """Each page in each state: its path, the state with skin and language, and what axe finds by rule."""
    looks = itertools.cycle(itertools.product(get_args(Theme), LANGUAGES))
    for number, evening in enumerate(EVENINGS):
        with Program(folder / str(number), "--camera", "off", "--tray", "off") as program:
            table = Evening(program)
            for scene in evening:
                scene.play(table)
                for path in (*FOLLOWED, *(STILL if scene.name in SETTLED_STATES else ())):
                    skin, language = next(looks)
                    found = _found(browser, f"{program.address}{path}?language={language}", skin)
                    yield path, f"{scene.name}, {skin}, {language}", found


def _found(browser: Browser, address: str, skin: str) -> dict[str, list[str]]:
    width, height = (1280, 720) if "/display" in address else (390, 844)
    context = browser.new_context(viewport={"width": width, "height": height}, bypass_csp=True, service_workers="block")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    at, language = address.split("?language=")
    if at.endswith("/display"):  # which speaks as its room does
        page.goto(at.removesuffix("display") + "language")
        page.locator("form", has=page.locator("input[name=whose]")).locator(f"button[lang={language}]").click()
    page.goto(address)
    expect(page.locator("html")).to_have_attribute("lang", language)
    settled(page)
    page.evaluate("skin => { document.documentElement.dataset.theme = skin; }", skin)
    page.add_style_tag(content="* { transition: none !important; }")
    open_everything(page)
    found = violations(page, WHOLE, {**RULES, **TRIED}, each=True)
    if others := misnamed(page):
        found["named otherwise than written"] = others
    context.close()
    return found


def main() -> None:
    """Print a line for each page, then every element that breaks a rule."""
    states: dict[str, int] = {}
    wrong: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=SWITCHES)
        for path, state, found in visits(browser, Path(folder)):
            states[path] = states.get(path, 0) + 1
            told = [f"{state}: {rule}: {node}" for rule, nodes in found.items() for node in nodes]
            wrong.setdefault(path, []).extend(told)
        browser.close()
    print("| page | states | elements that break a rule |", "|---|---|---|", sep="\n")
    for path, many in states.items():
        print(f"| {path} | {many} | {len(wrong[path])} |")
    for path, told in wrong.items():
        for one in told:
            print(f"{path}, {one}")
    sys.exit(any(wrong.values()))


if __name__ == "__main__":
    main()
