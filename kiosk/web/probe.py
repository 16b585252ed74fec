"""Asks the kiosk's own pages now and then whether they are served, at a place that strangers cannot take.

Answers are missed for good only where the web side hangs: see `door.HEALTH`. Missed ones are counted, and no time is
taken, so that a machine which slept or a clock that was set does not look like a hang.
"""

from __future__ import annotations

import http.client
import threading
from contextlib import closing
from typing import Final

from kiosk.config import is_loopback
from kiosk.web.door import HEALTH

AT_HOME: Final = "127.0.0.1"
"""Where a kiosk that listens at every address is asked."""
ASK_SECONDS: Final = 5.0
"""How long an answer may take, and how long it is until the next question."""
MOST_MISSED: Final = 6
"""Answers that may be missed in a row: a minute on the busiest machine."""


class WebProbe:
    """Asks on a thread of its own from `start` to `stop`. Only a loopback address has the place kept for it.

    At any other address nothing is asked, and all counts as well.
    """

    def __init__(self, host: str, port: int, every: float = ASK_SECONDS) -> None:
        self._host = AT_HOME if host == "0.0.0.0" else host  # noqa: S104 - compared, not listened on
        self._port = port
        self._every = every
        self._missed = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._ask_on, name="web probe", daemon=True)

    @property
    def answered(self) -> bool:
        """Whether pages are served, as far as is known."""
        return self._missed < MOST_MISSED

    def start(self) -> None:
        """Begin to ask."""
        if is_loopback(self._host):
            self._thread.start()

    def stop(self) -> None:
        """Ask no more; twice is fine."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def ask(self) -> None:
        """Ask once; any answer will do."""
        try:
            with closing(http.client.HTTPConnection(self._host, self._port, timeout=self._every)) as line:
                line.request("GET", HEALTH)
                line.getresponse().read()
        except (OSError, http.client.HTTPException):
            self._missed += 1
        else:
            self._missed = 0

    def _ask_on(self) -> None:
        while not self._over.wait(self._every):
            self.ask()
