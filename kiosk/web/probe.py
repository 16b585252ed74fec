"""Checks now and then whether the kiosk's pages are served, over a connection that strangers cannot take.

Answers stay away only if the web side hangs: see `WebServer.own_line`. Missed answers are counted instead of time, so
that a machine that slept or a changed clock does not look like a hang.
"""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Callable
from contextlib import closing
from typing import Final

from kiosk.web.door import HEALTH

ASK_SECONDS: Final = 5.0
"""Seconds that the connection and then the answer may each take, and until the next check."""
MOST_MISSED: Final = 6
"""Most answers missed in a row: a minute and a half on the busiest machine."""


class WebProbe:
    """Asks on a thread of its own from `start` to `stop`, each time by a new `line`.

    That is given the seconds that it may take, and raises `OSError` where there is none.
    """

    def __init__(self, line: Callable[[float], socket.socket], every: float = ASK_SECONDS) -> None:
        self._line = line
        self._every = every
        self._missed = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._ask_on, name="web probe", daemon=True)

    @property
    def answered(self) -> bool:
        """Whether pages are served, as far as is known."""
        return self._missed < MOST_MISSED

    @property
    def missed(self) -> int:
        """How many answers were missed since the last that came."""
        return self._missed

    def start(self) -> None:
        """Begin to check."""
        self._thread.start()

    def stop(self) -> None:
        """Stop checking; twice is fine."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def ask(self) -> None:
        """Check once; any answer counts."""
        try:
            with closing(http.client.HTTPConnection("localhost", timeout=self._every)) as line:
                line.sock = self._line(self._every)
                line.request("GET", HEALTH)
                line.getresponse().read()
        except (OSError, http.client.HTTPException):
            self._missed += 1
        else:
            self._missed = 0

    def _ask_on(self) -> None:
        while not self._over.wait(self._every):
            self.ask()
