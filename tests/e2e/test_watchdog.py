"""While strangers flood the kiosk, it feeds the service manager's watchdog, and is not restarted."""

from __future__ import annotations

import logging
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.strangers import KINDS
from tests.e2e.warm import WarmProgram

log = logging.getLogger(__name__)

DEADLINE = 30.0
"""WatchdogSec of hardware/os/trueroll.service."""
LONG = 600.0
SHORT = 3.0
AT_ONCE = 3
"""Kinds of strangers that work together: all of them would only take the processor from one another."""
SETTINGS = "[access]\ntrust_this_machine = false\n"
"""So that whoever comes from this machine is a stranger, wherever the test runs."""


@contextmanager
def strangers(*kinds: str, port: int) -> Iterator[None]:
    """Each of these kinds at work, in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.strangers", "be"]
    attacks = [subprocess.Popen([*command, kind, "127.0.0.1", str(port)]) for kind in kinds]
    try:
        yield
    finally:
        for one in attacks:
            one.kill()
            one.wait()


def fed(manager: socket.socket, until: float) -> Iterator[tuple[float, str]]:
    """What the service manager is told up to that moment, and when."""
    while (left := until - time.monotonic()) > 0:
        manager.settimeout(left)
        try:
            yield time.monotonic(), manager.recv(4096).decode()
        except TimeoutError:
            return


def test_a_flood_of_strangers_never_lets_the_watchdog_restart_the_kiosk(tmp_path: Path, *, whole: bool) -> None:
    """Its deadline is systemd's own, and it is fed at half of a shorter one, so that the short form sees some."""
    settings = tmp_path / "kiosk.toml"
    settings.write_text(SETTINGS)
    kinds = [one for one in KINDS if one != "nobody"]
    seconds = LONG if whole else SHORT
    courses = [kinds[at : at + AT_ONCE] for at in range(0, len(kinds), AT_ONCE)]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        program = WarmProgram(tmp_path / "data", "--camera", "off", "--tray", "off", "--config", str(settings))
        program.start(NOTIFY_SOCKET=str(tmp_path / "notify"), WATCHDOG_USEC="4000000", WATCHDOG_PID="")
        try:
            begun = last = time.monotonic()
            longest, words = 0.0, 0
            for number, course in enumerate(courses, start=1):
                with strangers(*course, port=program.port):
                    for when, word in fed(manager, begun + seconds * number / len(courses)):
                        assert word in {"READY=1", "WATCHDOG=1"}, program.output
                        longest, last, words = max(longest, when - last), when, words + 1
            longest = max(longest, time.monotonic() - last)
            log.info("%.0f s of strangers: told %d times, at most %.1f s apart", seconds, words, longest)
            assert longest < DEADLINE
            assert words > seconds / DEADLINE
            urllib.request.urlopen(f"{program.address}/healthz", timeout=20).close()  # noqa: S310 - our own address
        finally:
            assert program.stop() == 0, program.output
        assert "stopped taking decisions" not in program.output
        assert [word for _, word in fed(manager, time.monotonic() + 0.5)][-1] == "STOPPING=1"
