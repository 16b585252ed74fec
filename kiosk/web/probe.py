"""Asks the kiosk's own pages now and then whether they are served, by a line that strangers cannot take.

Answers are missed for good only where the web side hangs: see `WebServer.own_line`. Missed ones are counted, and no
time is taken, so that a machine which slept or a clock that was set does not look like a hang.
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
"""How long the line and then its answer may each take, and how long it is until the next question."""
MOST_MISSED: Final = 6
"""Answers that may be missed in a row: a minute and a half on the busiest machine."""


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
        """Begin to ask."""
        self._thread.start()

    def stop(self) -> None:
        """Ask no more; twice is fine."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def ask(self) -> None:
        """Ask once; any answer will do."""
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
