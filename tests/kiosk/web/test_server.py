"""The web server under more browsers than a table has."""

from __future__ import annotations

import errno
import http.client
import os
import socket
from contextlib import ExitStack, closing
from types import SimpleNamespace
from typing import Any

import pytest
from waitress.adjustments import Adjustments

from kiosk.web.server import MOST_UNSENT, LiveTask, WebServer, WordedChannel
from rules.setup.setting_up import SetUpTable
from rules.state.vocabulary import Ruleset
from rules.tasks.traits import AddTrait
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


def test_a_live_page_that_reads_nothing_is_let_go_and_holds_up_nobody() -> None:
    with Desk() as desk, ExitStack() as ends:
        server = WebServer(desk.app, "127.0.0.1", 0)
        server.start()
        ends.callback(server.stop)
        ends.callback(desk.hub.close)
        slow, quick = (ends.enter_context(socket.socket()) for _ in range(2))
        for line in (slow, quick):
            line.settimeout(PATIENCE_SECONDS)
            line.connect(("127.0.0.1", server.port))
            line.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            while b"event: snapshot" not in line.recv(65536):
                pass
        desk.engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",)), "Ada")
        name = "Fog" * 20
        for _ in range(200):
            desk.engine.submit(AddTrait(name=name), "Ada")
        sent = 0
        while desk.hub.subscribers == 2:
            desk.hub.publish_table()
            last = b"\n\n\r\n"  # of a message, in a chunk
            while not (came := quick.recv(1 << 20)).endswith(last):
                assert came, "the line is closed"
                sent += len(came)
            assert sent < 100 * MOST_UNSENT, "what the system itself keeps for a connection is far less"
        desk.engine.submit(AddTrait(name="Rain"), "Ada")
        told = b""
        while b"Rain" not in told:
            told += (came := quick.recv(1 << 20))
            assert came, "the line is closed"


def test_a_live_page_to_which_nothing_can_be_written_any_more_is_gone_for_whoever_publishes() -> None:
    """As where what is unread would go into a file and the disk is full."""

    def full(_data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    channel: Any = SimpleNamespace(total_outbufs_len=0, write_soon=full)
    request: Any = SimpleNamespace(version="1.1")
    line = LiveTask(channel, request)
    line.complete = line.wrote_header = True
    assert not line.send(b"news")


@pytest.mark.parametrize("taken", [0, 1, 999, 1000])
def test_what_a_connection_takes_at_once_is_sent_at_once_and_the_rest_in_its_order(taken: int) -> None:
    """Of the first thousand bytes the system takes so many at first, then all."""
    ours, theirs = socket.socketpair()
    server: Any = SimpleNamespace(active_channels={}, pull_trigger=lambda: None)
    ours.setblocking(False)  # noqa: FBT003 - the standard library's own signature
    channel: Any = WordedChannel(server, ours, ("127.0.0.1", 0), Adjustments(), map={})
    whole, real = bytes(range(250)) * 4, channel.socket
    answers = iter([taken])

    def send(data: bytes) -> int:
        most = next(answers, None)
        if most == 0:
            raise BlockingIOError(errno.EWOULDBLOCK, os.strerror(errno.EWOULDBLOCK))
        return int(real.send(data if most is None else data[:most]))

    channel.socket = SimpleNamespace(send=send, close=real.close)
    assert channel.write_soon(whole) == len(whole)
    assert channel.write_soon(b"and more") == len(b"and more")
    with theirs:
        assert theirs.recv(1 << 16) == whole + b"and more"
        assert channel.total_outbufs_len == 0
        real.close()


def test_a_broken_connection_is_left_to_the_loop() -> None:
    def send(_data: bytes) -> int:
        raise OSError(errno.EHOSTUNREACH, os.strerror(errno.EHOSTUNREACH))

    pulled: list[bool] = []
    server: Any = SimpleNamespace(active_channels={}, pull_trigger=lambda: pulled.append(True))
    ours, theirs = socket.socketpair()
    with ours, theirs:
        channel: Any = WordedChannel(server, ours, ("127.0.0.1", 0), Adjustments(), map={})
        channel.socket = SimpleNamespace(send=send)
        assert channel.write_soon(b"news") == len(b"news")
        assert (channel.will_close, pulled) == (True, [True])
