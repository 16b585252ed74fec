"""The kiosk asks itself whether its pages are served, and strangers who hold all they can do not change the answer."""

from __future__ import annotations

import socket
import threading
from contextlib import ExitStack, closing

from flask import Flask

from kiosk.web import door
from kiosk.web.probe import MOST_MISSED, WebProbe
from kiosk.web.server import WebServer

AT_HOME = "127.0.0.1"


def test_pages_that_hang_are_told_after_some_questions_and_one_answer_mends_it() -> None:
    with closing(socket.create_server((AT_HOME, 0))) as mute:
        probe = WebProbe(AT_HOME, mute.getsockname()[1], every=0.01)
        for _ in range(MOST_MISSED):
            assert probe.answered
            probe.ask()
        assert not probe.answered
    server = WebServer(Flask("empty"), AT_HOME, probe._port)  # noqa: SLF001 - the same address answers again
    server.start()
    probe._every = 5  # noqa: SLF001 - a fresh application may take its time
    probe.ask()
    server.stop()
    assert probe.answered


def test_all_other_threads_of_the_kiosk_held_leave_the_one_for_the_probe() -> None:
    held = threading.Event()
    app = Flask("held")
    app.add_url_rule("/", "held", lambda: str(held.wait(20)))
    app.add_url_rule(door.HEALTH, "health", lambda: "well")
    server = WebServer(app, AT_HOME, 0)
    server.start()
    probe = WebProbe(AT_HOME, server.port, every=5)
    with ExitStack() as lines:
        lines.callback(server.stop)
        lines.callback(held.set)
        for _ in range(2 * max(door.THREADS.values())):
            line = lines.enter_context(closing(socket.create_connection((AT_HOME, server.port), 5)))
            line.sendall(b"GET / HTTP/1.1\r\nHost: k\r\n\r\n")
        probe.ask()
        assert probe._missed == 0  # noqa: SLF001 - six would have to be missed until it is told
