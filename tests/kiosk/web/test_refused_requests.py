"""What never reaches the application is answered in words too: a too large body, too long headers, no HTTP at all."""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from kiosk.engine import Engine
from kiosk.web.server import LARGEST_REQUEST, WebServer
from tests.kiosk.desk import Desk

TOO_LARGE = f"POST /api/v1/commands HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {LARGEST_REQUEST + 1}\r\n"
LONG_HEADER = f"GET /text HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {'x' * 300_000}\r\n"
NO_HTTP = "GET /te xt HTTP/1.1 and more\r\n"


@pytest.fixture
def port() -> Iterator[int]:
    with Desk() as desk:
        server = WebServer(desk.app, "127.0.0.1", 0)
        server.start()
        yield server.port
        server.stop()


def answer_to(port: int, request: str) -> tuple[int, dict[str, str], bytes]:
    with socket.create_connection(("127.0.0.1", port), 20) as line:
        line.sendall(request.encode() + b"\r\n")
        got = b""
        while more := line.recv(65536):
            got += more
    head, _, body = got.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    headers = dict(one.split(": ", 1) for one in rest)
    return int(first.split()[1]), {name.lower(): value for name, value in headers.items()}, body


@pytest.mark.parametrize(("request_head", "status"), [(TOO_LARGE, 413), (LONG_HEADER, 431), (NO_HTTP, 400)])
def test_a_program_gets_a_problem(port: int, request_head: str, status: int) -> None:
    got, headers, body = answer_to(port, request_head)
    problem = json.loads(body)
    assert (got, headers["content-type"]) == (status, "application/problem+json")
    assert (problem["status"], problem["type"]) == (status, f"/problems/http-{status}")
    assert problem["detail"].endswith(".")
    assert headers["x-content-type-options"] == "nosniff"


def test_a_client_that_sends_all_of_it_still_reads_the_answer(port: int) -> None:
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/commands", b" " * (4 * LARGEST_REQUEST))
    with pytest.raises(urllib.error.HTTPError) as refused, urllib.request.urlopen(asked, timeout=20):  # noqa: S310 - our own
        pass
    assert (refused.value.code, json.loads(refused.value.read())["status"]) == (413, 413)
    refused.value.close()


def test_a_browser_gets_a_page_in_words_which_says_that_nothing_is_kept(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Engine, "trouble", "the disk is full")
    head = f"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\nContent-Length: {LARGEST_REQUEST + 1}\r\n"
    status, headers, body = answer_to(port, head)
    assert (status, headers["content-type"]) == (413, "text/html; charset=utf-8")
    assert b"too large" in body
    assert b'<a href="/">' in body
    assert b"Nothing is being kept: the disk is full." in body


@pytest.mark.parametrize(
    ("path", "accept", "page"),
    [
        ("/nothing", "text/html,application/xhtml+xml,*/*;q=0.8", True),
        ("/nothing", "*/*", False),
        ("/nothing", "application/problem+json, text/html;q=0.5", False),
        ("/nothing", "text/html;q=0, application/json", False),
        ("/api/v1/nothing", "text/html", False),
    ],
)
def test_an_unknown_address_is_answered_as_was_asked(path: str, accept: str, page: bool) -> None:  # noqa: FBT001 - a case
    with Desk() as desk:
        answer = desk.client().get(path, headers={"Accept": accept})
    assert answer.status_code == 404
    assert answer.mimetype == ("text/html" if page else "application/problem+json")
    assert ('<a href="/">' in answer.text) is page
