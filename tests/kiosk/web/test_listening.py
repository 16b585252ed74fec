"""The socket of the pages: why it cannot be had, and what to do."""

from __future__ import annotations

import errno
import socket
from typing import NoReturn

import pytest

from kiosk.errors import ServerError
from kiosk.web.listening import listening_socket


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            OSError(errno.EADDRINUSE, "Address already in use"),
            "Port 8080 is taken by another program. Choose another with --port, or end that program.",
        ),
        (
            OSError(errno.EACCES, "Permission denied"),
            "Port 8080 may not be used by this user. Choose one above 1023 with --port.",
        ),
        (
            OSError(errno.EADDRNOTAVAIL, "Cannot assign requested address"),
            "table.example is no address of this machine. Leave --host out, or give one of its own.",
        ),
        (
            socket.gaierror(socket.EAI_NONAME, "Name or service not known"),
            "The pages cannot be served at table.example port 8080: Name or service not known.",
        ),
    ],
)
def test_each_reason_is_told_in_words(monkeypatch: pytest.MonkeyPatch, error: OSError, told: str) -> None:
    def refused(*_arguments: object, **_more: object) -> NoReturn:
        raise error

    monkeypatch.setattr(socket, "getaddrinfo", refused)
    with pytest.raises(ServerError) as caught:
        listening_socket("table.example", 8080)
    assert str(caught.value) == told
