"""The web server under more browsers than a table has."""

from __future__ import annotations

import http.client
from contextlib import ExitStack, closing

from kiosk.web.server import WebServer
from tests.kiosk.desk import Desk

BROWSERS = 64
CONNECTIONS_OF_A_BROWSER = 6
PATIENCE_SECONDS = 20


def test_browsers_that_keep_all_their_connections_leave_room_for_another() -> None:
    with Desk() as desk, ExitStack() as browsers:
        server = WebServer(desk.app, "127.0.0.1", 0)
        server.start()
        browsers.callback(server.stop)
        for _ in range(BROWSERS * CONNECTIONS_OF_A_BROWSER + 1):
            line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_SECONDS)
            browsers.enter_context(closing(line))
            line.request("GET", "/healthz")
            answer = line.getresponse()
            answer.read()
            assert not answer.will_close, "the server closes what a browser would keep: this shows nothing"
