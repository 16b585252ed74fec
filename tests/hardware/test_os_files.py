"""The Pi's OS files: the unit as systemd reads it, the tray's rule, and the page shown until the kiosk answers."""

from __future__ import annotations

import configparser
import http.server
import os
import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

OS_FILES = Path(__file__).resolve().parents[2] / "hardware/os"
UNIT = (OS_FILES / "trueroll.service").read_text(encoding="utf-8")
RULES = (OS_FILES / "70-trueroll-tray.rules").read_text(encoding="utf-8")


def verified(unit: str, folder: Path) -> str:
    """What systemd has to say about a unit whose program is there. It exits 0 even for a key it does not know."""
    place = folder / "trueroll.service"
    place.write_text(re.sub(r"^ExecStart=\S+", f"ExecStart={shutil.which('true')}", unit, flags=re.MULTILINE))
    command = ["systemd-analyze", "verify", "--man=no", str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    said = [line for line in done.stderr.splitlines() if "trueroll.service" in line]
    return "\n".join(said) or ("" if done.returncode == 0 else done.stderr)


def test_the_unit_says_what_the_kiosk_relies_on() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # systemd's keys have capitals
    unit.read_string(UNIT)
    service = unit["Service"]
    assert service["Type"] == "notify"
    assert int(service["WatchdogSec"]) >= 10
    assert service["Restart"] == "always"
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    assert service["User"] == "trueroll"
    assert service["WorkingDirectory"] == f"%t/{service['RuntimeDirectory']}"
    assert service["ExecStart"].endswith("trueroll run --data %S/trueroll")
    assert service["StateDirectory"] == "trueroll"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="NOT CHECKED: systemd-analyze is not installed")
def test_systemd_has_nothing_to_say_against_the_unit(tmp_path: Path) -> None:
    assert verified(UNIT, tmp_path) == ""
    assert "WatchdogSek" in verified(UNIT.replace("WatchdogSec", "WatchdogSek"), tmp_path)


def test_every_line_of_the_rule_is_one() -> None:
    part = re.compile(r'^[A-Z_]+(\{[A-Za-z_]+\})?(==|!=|=|\+=)"[^"]*"$')
    lines = [line for line in RULES.splitlines() if line and not line.startswith("#")]
    assert len(lines) > 10
    for line in lines:
        assert all(part.match(one.strip()) for one in line.split(", ")), line


def test_every_jump_of_the_rule_lands_further_down() -> None:
    for jump in re.finditer(r'GOTO="(\w+)"', RULES):
        assert RULES.find(f'LABEL="{jump[1]}"', jump.end()) > 0, jump[1]


def test_the_rule_keeps_modemmanager_off_and_names_the_port() -> None:
    _, _, tray = RULES.partition('LABEL="trueroll_tray"')
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in tray
    assert 'SYMLINK+="trueroll-tray"' in tray
    assert 'SUBSYSTEM=="tty"' in tray


def test_the_browser_script_is_a_program_and_says_what_it_lacks() -> None:
    script = OS_FILES / "trueroll-browser"
    assert os.access(script, os.X_OK)
    # Found by path, with nowhere to find a browser in.
    shell = "/bin/sh"
    tools = {"PATH": "/nonexistent"}
    done = subprocess.run([shell, str(script)], env=tools, capture_output=True, text=True, check=False, timeout=20)
    assert done.returncode == 1
    assert "sudo apt install chromium" in done.stderr


@pytest.fixture
def page() -> Iterator[Page]:
    chromium = shutil.which("chromium")
    assert chromium, "Chromium is missing: scripts/system-packages.sh installs what the tests need"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        fresh = browser.new_page()
        fresh.clock.install()
        yield fresh
        browser.close()


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
        page.goto(f"{(OS_FILES / 'starting.html').as_uri()}#http://127.0.0.1:{address[1]}/display")
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
    page.goto(f"{(OS_FILES / 'starting.html').as_uri()}#javascript:document.title='taken'")
    assert "is not one" in page.locator("#now").inner_text()
    assert page.title() == "trueroll is starting"
