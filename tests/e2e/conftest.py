"""A browser as the people at the table use one, and a running kiosk for it to look at."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, set_up
from tests.e2e.kept_pages import KeptPage, KeptPages
from tests.e2e.program import Program
from tests.e2e.warm import WarmProgram

CHROMIUM = [Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium")]
"""Debian's: the engine alone loads a page in two thirds of the time; else the whole browser."""


def chromium() -> str:
    """The path of the browser. A missing one is a failure: who needs it says nothing without it."""
    found = next((path for path in CHROMIUM if path.exists()), None)
    assert found is not None, "Chromium is missing; scripts/system-packages.sh installs it."
    return str(found)


UNWANTED = [
    # Chromium takes the last list of features alone, so these are what Playwright itself turns off,
    *("AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    *("DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay"),
    *("MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
    *("TcpPortRandomizationWin", "ThirdPartyStoragePartitioning"),
    # the lists below the address bar, which are pages: each window renders them, unseen, at the cost of a page,
    *("WebUIOmniboxAimPopup", "WebUIOmniboxPopup"),
    # and a process kept ready for a next page, which no test opens.
    "SpareRendererForSitePerProcess",
]
WANTED = ["CDPScreenshotNewSurface", "NetworkServiceInProcess2", "SkipListAccountsWithoutGaiaCookies"]
SWITCHES = [
    "--no-sandbox",  # tests may run as root, where the sandbox cannot
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # No window is there to be drawn to: what a graphics card would be asked for is work for nobody.
    "--disable-gpu",
    "--disable-software-rasterizer",
    # A process less between the pages and the kiosk. What Playwright itself turns on is named again, as above.
    f"--enable-features={','.join(WANTED)}",
    f"--disable-features={','.join(UNWANTED)}",
]

PATIENCE_MILLISECONDS = 20_000
"""How long a page may take to come to a state, far beyond the usual: other tests share the machine."""

expect.set_options(timeout=PATIENCE_MILLISECONDS)

OpenPage = Callable[..., Page]
"""`open_page(path, width=360, height=740, **context)` -> a page of the kiosk in a browser of its own."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=chromium(), args=SWITCHES)
        yield made
        made.close()


def standing(data: Path) -> WarmProgram:
    """The real program with nothing connected."""
    return WarmProgram(data, "--camera", "off", "--tray", "off")


@pytest.fixture
def kiosk(tmp_path: Path) -> Iterator[Program]:
    """The real program with nothing connected."""
    with standing(tmp_path / "data") as program:
        yield program


KEPT: Final[WeakKeyDictionary[Browser, KeptPages]] = WeakKeyDictionary()
"""The pages at rest of each browser."""


@contextmanager
def pages_of(browser: Browser, kiosk: Program) -> Iterator[OpenPage]:
    """Opens pages of a kiosk; a script that fails, or anything that the page's policy forbids, fails at the end.

    Nothing moves on them: who looks at motion asks for `reduced_motion="no-preference"`.

    The worker that keeps pages for when the kiosk is away fetches every file once more; who needs it allows it.
    """
    pages = KEPT.setdefault(browser, KeptPages(browser))
    lent: list[KeptPage] = []
    contexts: list[BrowserContext] = []
    troubles: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            troubles.append(message.text)

    def opened(path: str, width: int = 360, height: int = 740, *, alone: bool = False, **context: Any) -> Page:  # noqa: ANN401 - Playwright's own
        wanted: dict[str, Any] = {"service_workers": "block", "reduced_motion": "reduce"} | context
        if alone or wanted["service_workers"] == "allow":
            contexts.append(browser.new_context(viewport={"width": width, "height": height}, **wanted))
            page = contexts[-1].new_page()
        else:
            lent.append(pages.lend(width, height, wanted))
            page = lent[-1].page
        page.on("console", heard)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(kiosk.address + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    for one in lent:
        pages.hand_back(one, kiosk.address)
    assert not troubles


@pytest.fixture
def open_page(browser: Browser, kiosk: Program) -> Iterator[OpenPage]:
    """Pages of this test's own kiosk."""
    with pages_of(browser, kiosk) as opened:
        yield opened


@pytest.fixture(scope="module")
def standing_kiosk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """The real program with nothing connected, for all tests of a file that leave its table as it is."""
    with standing(tmp_path_factory.mktemp("kiosk") / "data") as program:
        yield program


@pytest.fixture
def open_beside(browser: Browser, standing_kiosk: Program) -> Iterator[OpenPage]:
    """Pages of that kiosk for one test: each page that is open takes part in every change."""
    with pages_of(browser, standing_kiosk) as opened:
        yield opened


@pytest.fixture(scope="module")
def open_standing(browser: Browser, standing_kiosk: Program) -> Iterator[OpenPage]:
    """Pages of that kiosk, which stay open to the file's end."""
    with pages_of(browser, standing_kiosk) as opened:
        yield opened


OPENED = "[server]\nopen_to_network = true\n"
STRANGERS = f"{OPENED}[access]\ntrust_this_machine = false\n"
"""Browsers on this machine are phones, as far as the kiosk knows."""


@pytest.fixture
def phones(browser: Browser, tmp_path: Path) -> Iterator[tuple[OpenPage, dict[str, str]]]:
    """Opens pages of phones at a table that is set up, with the codes."""
    settings = tmp_path / "trueroll.toml"
    settings.write_text(OPENED)
    with WarmProgram(tmp_path / "data", "--config", str(settings), "--camera", "off", "--tray", "off") as kiosk:
        set_up(kiosk, name="Okafor")
        kiosk.send("save_character", name="Reed", attributes=ATTRIBUTES, disciplines=DISCIPLINES)
        kiosk.stop()
        settings.write_text(STRANGERS)
        kiosk.start()
        with pages_of(browser, kiosk) as opened:
            yield opened, json.loads((tmp_path / "data" / "access.json").read_text())
