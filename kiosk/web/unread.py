"""Requests that the web server turns away before the application sees them, answered in the kiosk's own words.

Too large a body, too long headers, or bytes that are no HTTP: programs get `application/problem+json`, a browser a page
in words, as for every other error.
"""

from __future__ import annotations

import select
import socket
import time
from typing import Any, Final

from waitress.channel import HTTPChannel
from waitress.task import ErrorTask

from kiosk.web.headers import SECURITY_HEADERS
from kiosk.web.problems import http_words, wants_page, written

MISSING: Final = ""
"""A request that broke off early has no path and no headers."""

ARRIVAL_SECONDS: Final = 1.0
"""The longest that the rest of such a request is let arrive, unread: a client that still sends would see its line cut
instead of the answer."""

SILENCE_SECONDS: Final = 0.1
"""A line silent for this long has sent what it had to send."""


class WordedRefusal(ErrorTask):
    """Answers one such request, and lets its connection go."""

    def execute(self) -> None:
        """Write the answer. `request.error` is what waitress found wrong; its `code` is the HTTP status."""
        request: Any = self.request
        headers: dict[str, str] = getattr(request, "headers", {})
        page = wants_page(getattr(request, "path", MISSING) or MISSING, headers.get("ACCEPT", MISSING))
        status: int = request.error.code
        _let_arrive(self.channel.socket)
        body, media_type = written(http_words(status), page=page)
        self.status = f"{status} {request.error.reason}"
        self.response_headers = [("Content-Type", media_type), *SECURITY_HEADERS.items()]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


def _let_arrive(line: socket.socket | None) -> None:
    """Take in what the client still sends and forget it; waitress reads nothing more of a line that it refused."""
    if line is None:
        return
    arriving = select.poll()
    arriving.register(line, select.POLLIN)
    until = time.monotonic() + ARRIVAL_SECONDS
    try:
        while time.monotonic() < until and arriving.poll(SILENCE_SECONDS * 1000):
            if not line.recv(65536):
                return
    except OSError:
        return  # the client has gone; the answer finds nobody


class WordedChannel(HTTPChannel):
    """A connection whose early refusals are in words."""

    error_task_class = WordedRefusal
