"""What answers while the kiosk starts."""

from __future__ import annotations

import socket
import struct
import time

import pytest

from kiosk.web.startup import StartupServer
from tests.e2e.program import free_port


def test_who_is_gone_before_the_answer_leaves_no_traceback_in_the_log(capfd: pytest.CaptureFixture[str]) -> None:
    port = free_port()
    with StartupServer("127.0.0.1", port):
        for _ in range(10):
            with socket.create_connection(("127.0.0.1", port)) as line:
                line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n" * 5)
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset, not an end
        time.sleep(0.2)
    assert capfd.readouterr().err == ""
