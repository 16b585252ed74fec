"""The page that a Pi's screen shows until the kiosk answers."""

from __future__ import annotations

import http.server
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

STARTING = (Path(__file__).parents[2] / "hardware/os/starting.html").as_uri()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    fresh = context.new_page()
    fresh.clock.install()
    yield fresh
    context.close()


class Display(http.server.BaseHTTPRequestHandler):
    """A kiosk that answers every request with its display."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>the table</title>")

    def log_message(self, *_: object) -> None:
        """Keep the test's output quiet."""


def test_the_starting_page_waits_then_helps_then_gives_way_to_the_kiosk(page: Page) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = taken.getsockname()
        page.goto(f"{STARTING}#http://127.0.0.1:{address[1]}/display")
        assert page.locator("#now").inner_text() == "Starting. The table appears here in a moment."
        assert page.locator("#help").is_hidden()
        for _ in range(200):
            page.clock.run_for(1000)
            if page.locator("#help").is_visible():
                break
        assert "trueroll doctor" in page.locator("#help").inner_text()
    with http.server.HTTPServer(address, Display) as kiosk:
        serving = threading.Thread(target=kiosk.serve_forever, daemon=True)
        serving.start()
        try:
            page.clock.resume()
            page.wait_for_url(f"http://127.0.0.1:{address[1]}/display", timeout=30_000)
            assert page.title() == "the table"
        finally:
            kiosk.shutdown()
            serving.join()


def test_the_starting_page_goes_to_no_address_but_the_webs(page: Page) -> None:
    page.goto(f"{STARTING}#javascript:document.title='taken'")
    assert "is not one" in page.locator("#now").inner_text()
    assert page.title() == "trueroll is starting"
