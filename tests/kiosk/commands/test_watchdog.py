"""The loop of `trueroll run` that feeds the service manager's watchdog, over a real datagram socket."""

from __future__ import annotations

import socket
import threading
from pathlib import Path
from typing import Any, cast

import pytest

from kiosk.commands import run


class Hanging:
    """A kiosk that counts as alive for that number of checks."""

    def __init__(self, questions: int) -> None:
        self._left = questions

    @property
    def alive(self) -> bool:
        self._left -= 1
        return self._left >= 0


@pytest.mark.parametrize("told_to_end", [True, False])
def test_the_watchdog_is_fed_while_the_kiosk_is_alive_and_no_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, told_to_end: bool
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(10)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "20000")
        monkeypatch.delenv("WATCHDOG_PID", raising=False)
        told = threading.Event()
        if told_to_end:
            told.set()
        run._watch(cast("Any", Hanging(3)), told)  # noqa: SLF001 - the loop itself
        wanted = ["READY=1", *["WATCHDOG=1"] * (0 if told_to_end else 3), "STOPPING=1"]
        assert [manager.recv(4096).decode() for _ in wanted] == wanted
