"""What is wrong and what to do: every part of the kiosk looked at once, without starting it.

Each check returns a `Finding` in words. A part that is merely absent is no fault: the table plays without it.
"""

from __future__ import annotations

import importlib
import os
import sqlite3
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path

from kiosk.config import Config
from kiosk.journal import SCHEMA_VERSION
from kiosk.paths import JOURNAL_NAME
from kiosk.speech import find_program, has_sound_output


class Health(StrEnum):
    """How a part is."""

    WELL = "well"
    ABSENT = "absent"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """One part: how it is, what was found, and what a person can do (empty when nothing)."""

    part: str
    health: Health
    what: str
    remedy: str = ""


def examine(config: Config, data: Path) -> tuple[Finding, ...]:
    """Look at every part. Reads only; a running kiosk is not disturbed."""
    checks: tuple[Callable[[], Finding], ...] = (
        _python,
        lambda: _running(config),
        lambda: _journal(data),
        lambda: _board(data),
        lambda: _camera(config),
        lambda: _tray(config),
        _voice,
        lambda: _panel(config),
    )
    return tuple(check() for check in checks)


def _python() -> Finding:
    here = ".".join(str(part) for part in sys.version_info[:3])
    return Finding("program", Health.WELL, f"trueroll {version('trueroll')} on Python {here}.")


def _running(config: Config) -> Finding:
    address = f"http://127.0.0.1:{config.server.port}"
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=3):  # noqa: S310 - this machine's own address
            return Finding("kiosk", Health.WELL, f"Running at {address}.")
    except urllib.error.HTTPError as error:
        return Finding("kiosk", Health.WRONG, f"Something at {address} answers with {error.code}.", "See its log.")
    except OSError:
        return Finding("kiosk", Health.ABSENT, "Not running.", "Start it with: trueroll run")


def _journal(data: Path) -> Finding:
    path = data / JOURNAL_NAME
    if not path.exists():
        place = next((folder for folder in (data, *data.parents) if folder.exists()), Path("/"))
        if not os.access(place, os.W_OK):
            return Finding("journal", Health.WRONG, f"{place} cannot be written to.", "Choose a folder with --data.")
        return Finding("journal", Health.ABSENT, f"None yet; it will be kept in {path}.")
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=2.0)
        try:
            form: int = connection.execute("PRAGMA user_version").fetchone()[0]
            sound: str = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        finally:
            connection.close()
    except sqlite3.Error as error:
        return Finding("journal", Health.WRONG, f"{path} cannot be read: {error}.", "Check the disk; keep the file.")
    if form > SCHEMA_VERSION:
        return Finding("journal", Health.WRONG, f"{path} was written by a later version.", "Install that version.")
    if sound != "ok":
        return Finding(
            "journal", Health.WRONG, f"{path} is damaged: {sound}.", "The next start sets it aside and begins anew."
        )
    return Finding("journal", Health.WELL, f"{path} is sound.")


def _board(data: Path) -> Finding:
    from hardware.board import advice, read_board  # noqa: PLC0415 - each part is loaded by its own check

    place = next((folder for folder in (data, *data.parents) if folder.exists()), Path("/"))
    health = read_board(place)
    told = advice(health)
    free = f"{health.disk_free / 1e9:.1f} GB of disk free" if health.disk_free is not None else "disk unknown"
    warmth = f", {health.temperature:.0f} °C" if health.temperature is not None else ""
    return Finding(
        "board",
        Health.WRONG if told else Health.WELL,
        f"{health.model or 'Not a Raspberry Pi'}; {free}{warmth}.",
        " ".join(told),
    )


def _camera(config: Config) -> Finding:
    try:
        importlib.import_module("vision.reader")
    except Exception as error:  # noqa: BLE001 - a broken library raises whatever it likes
        return Finding("camera", Health.WRONG, f"Pictures cannot be read: {error}.", "Run: make install")
    found = sorted(str(device) for device in Path("/dev").glob("video*"))
    library = f"OpenCV {version('opencv-python-headless')}"
    if config.camera.source == "off":
        return Finding("camera", Health.ABSENT, f"Switched off in the settings ({library}).")
    if not found and config.camera.source == "auto":
        return Finding(
            "camera",
            Health.ABSENT,
            f"None found ({library}).",
            "Plug in a USB camera to have dice read by themselves; entering them by hand always works.",
        )
    return Finding("camera", Health.WELL, f"{', '.join(found) or config.camera.source} ({library}).")


def _tray(config: Config) -> Finding:
    try:
        discover = importlib.import_module("firmware_bridge.discover")
        port = discover.find_port() if config.tray.url == "auto" else config.tray.url
        others = discover.usb_ports()
    except Exception as error:  # noqa: BLE001 - a broken library raises whatever it likes
        return Finding("tray", Health.WRONG, f"pyserial does not work: {error}.", "Run: make install")
    if config.tray.url == "off":
        return Finding("tray", Health.ABSENT, "Switched off in the settings.")
    if port is None:
        hint = f" If one of these is it, name it with --tray: {', '.join(others)}." if others else ""
        return Finding("tray", Health.ABSENT, "None found.", f"Plug in a dice tray to have its dice read.{hint}")
    if "://" not in port and not os.access(port, os.R_OK | os.W_OK):
        return Finding(
            "tray",
            Health.WRONG,
            f"{port} cannot be opened.",
            "Plug it in; if it is, add yourself to the group dialout and log in again.",
        )
    return Finding("tray", Health.WELL, f"{port}. `trueroll tray monitor` shows what it says.")


def _voice() -> Finding:
    if find_program() is None:
        return Finding(
            "voice", Health.ABSENT, "espeak-ng is not installed.", "To hear outcomes: sudo apt-get install espeak-ng"
        )
    if not has_sound_output():
        return Finding(
            "voice", Health.ABSENT, "No sound output; phones can still play the voice.", "Connect a speaker."
        )
    return Finding("voice", Health.WELL, "espeak-ng and a sound output are there.")


def _panel(config: Config) -> Finding:
    if not config.panel.enabled:
        return Finding("panel", Health.ABSENT, "Switched off in the settings.")
    try:
        compose = importlib.import_module("kiosk.compose")
        panel = importlib.import_module("hardware.panel")
        panel.open_panel(compose.panel_pins(config), clock=time.monotonic).stop()
    except Exception as error:  # noqa: BLE001 - a broken library raises whatever it likes
        remedy = str(getattr(error, "remedy", "")) or "Run: make install"
        return Finding("panel", Health.ABSENT, str(getattr(error, "what", error)), remedy)
    return Finding("panel", Health.WELL, "The pins are there. docs/wiring.md says which go where.")
