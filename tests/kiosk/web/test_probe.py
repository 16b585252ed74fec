"""The kiosk asks itself whether its pages are served, and strangers who hold all they can do not change the answer."""

from __future__ import annotations

import socket
import threading
from contextlib import ExitStack, closing

import pytest
from flask import Flask

from kiosk.hub import KeptPlace
from kiosk.web import door
from kiosk.web.access import AccessLevel
from kiosk.web.app import create_app
from kiosk.web.door import Caller
from kiosk.web.probe import MOST_MISSED, WebProbe
from kiosk.web.server import WebServer
from tests.kiosk.desk import Desk

AT_HOME = "127.0.0.1"


def test_pages_that_hang_are_told_after_some_questions_and_one_answer_mends_it() -> None:
    server = WebServer(Flask("empty"), AT_HOME, 0)
    probe = WebProbe(server.own_line, every=0.01)
    for _ in range(MOST_MISSED):
        assert probe.answered
        probe.ask()
    assert not probe.answered, "the server's thread was never begun"
    server.start()
    probe._every = 5  # noqa: SLF001 - a fresh application may take its time
    probe.ask()
    server.stop()
    assert probe.answered


def test_an_application_that_hangs_is_told() -> None:
    held = threading.Event()
    app = Flask("held")
    app.add_url_rule(door.HEALTH, "health", lambda: str(held.wait(20)))
    server = WebServer(app, AT_HOME, 0)
    server.start()
    probe = WebProbe(server.own_line, every=0.05)
    probe.ask()
    assert probe.missed == 1
    held.set()
    server.stop()


@pytest.mark.parametrize("trust", [True, False])
def test_all_other_threads_and_connections_held_leave_those_of_the_probe(
    monkeypatch: pytest.MonkeyPatch, *, trust: bool
) -> None:
    """Where this machine is not trusted, the probe's line still is no stranger's."""
    monkeypatch.setattr(door, "CONNECTIONS", 20)
    held = threading.Event()
    app = Flask("held")
    app.add_url_rule("/", "held", lambda: str(held.wait(20)))
    app.add_url_rule(door.HEALTH, "health", lambda: "well")
    place = KeptPlace.KIOSK if trust else KeptPlace.GUEST
    server = WebServer(app, AT_HOME, 0, knows=lambda _address, _cookie: Caller(place))
    server.start()
    probe = WebProbe(server.own_line, every=5)
    with ExitStack() as lines:
        lines.callback(server.stop)
        lines.callback(held.set)
        for number in range(2 * max(door.THREADS.values())):
            line = lines.enter_context(closing(socket.create_connection((AT_HOME, server.port), 5)))
            path = door.HEALTH if not trust and number % 2 else "/"
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: k\r\n\r\n".encode())
        for _ in range(3):
            probe.ask()
            assert probe.missed == 0


def test_the_line_of_the_probe_is_heard_at_any_host_and_opens_nothing() -> None:
    with Desk(settings={"access.trust_this_machine": False}) as desk:
        server = WebServer(create_app(desk.services), AT_HOME, 0, knows=desk.services.knows)
        server.start()
        try:
            probe = WebProbe(server.own_line)
            probe.ask()
            assert probe.missed == 0
            assert desk.access.identify(AT_HOME, None).role is AccessLevel.GUEST
        finally:
            server.stop()
