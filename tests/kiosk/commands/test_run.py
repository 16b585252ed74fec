"""`trueroll run` answers its address before the kiosk's libraries are loaded."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kiosk.commands.allocator import give_memory_back
from kiosk.commands.run import DiscreetFormatter
from tests.bench.measure import resident_megabytes


def test_the_command_loads_nothing_of_the_kiosk_that_takes_long() -> None:
    """A page says that the kiosk starts while they are loaded; see `kiosk.web.startup`."""
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys, kiosk.commands.run; print(*sys.modules)"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    assert "kiosk.web.startup" in loaded
    assert {"flask", "waitress", "numpy", "cv2", "kiosk.engine", "kiosk.compose", "rules.game"}.isdisjoint(loaded)


STARTS = """
import sys, urllib.request
from pathlib import Path
from kiosk.compose import build
from kiosk.config import load_config
settings = {"camera.source": "off", "tray.url": "off", "voice.enabled": False, "server.port": 0}
kiosk = build(load_config(None, settings), Path(sys.argv[1]))
kiosk.start()
urllib.request.urlopen(kiosk.address + "display").close()
print(*sys.modules)
kiosk.stop()
"""


def test_a_kiosk_without_camera_and_tray_loads_nothing_for_them(tmp_path: Path) -> None:
    """Nor what words of other languages, pins, Bluetooth, QR codes and changed settings are read or made by: 40 MB."""
    command = [sys.executable, "-c", STARTS, str(tmp_path / "data")]
    apart = {name: value for name, value in os.environ.items() if name != "GPIOZERO_PIN_FACTORY"}
    loaded = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60, env=apart).stdout.split()
    others = {"numpy", "cv2", "serial", "babel", "bleak", "gpiozero", "segno", "tomlkit", "vision.desk.workbench"}
    assert "kiosk.web.app" in loaded
    assert others.isdisjoint(loaded)


def test_memory_that_is_free_goes_back_from_between_what_is_used() -> None:
    """The C library by itself gives back only what lies at the end."""
    blocks = [bytes(2_000) for _ in range(20_000)]
    kept = blocks[::100]
    full = resident_megabytes(os.getpid())
    del blocks
    freed = resident_megabytes(os.getpid())
    if not give_memory_back():
        pytest.skip("NOT CHECKED: this C library has no way to ask for it")
    assert full - freed < 10, "or there is nothing to ask for"
    assert freed - resident_megabytes(os.getpid()) > 20
    assert len(kept) == 200


def test_no_line_of_the_log_has_a_password() -> None:
    """Also in the traceback of a library that quotes the address."""
    failed = OSError("cannot open http://ada:pw9@camera/x?token=pw9")
    quoted = (OSError, failed, None)
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "at %s", ("socket://u:pw9@h:9",), quoted)
    told = DiscreetFormatter("%(message)s").format(record)
    assert "pw9" not in told
    assert told.startswith("at socket://***@h:9\n")
    assert "cannot open http://***@camera/x?***" in told
