"""Watches the board: reports low voltage, heat and a full card once, and once when each is over.

In: the board's health, read now and then. Out: words for screens and voice. A computer without these readings is
ignored.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from hardware.board import BoardHealth
from hardware.board_watch import BoardWatch, TroubleNews

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 10.0
"""How often the board is looked at: each look reads a handful of small files."""

END_SECONDS: Final = 1.0
"""How long the kiosk's end waits for a look that is under way."""


class BoardKeeper:
    """Checks the board in a thread of its own. `read` returns its health, `tell` receives changes."""

    def __init__(
        self,
        read: Callable[[], BoardHealth],
        tell: Callable[[TroubleNews], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._read = read
        self._tell = tell
        self._clock = clock
        self._watch = BoardWatch()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="board", daemon=True)

    def start(self) -> None:
        """Look now, and then every `LOOK_SECONDS`."""
        self._thread.start()

    def stop(self) -> None:
        """End; twice is fine."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(END_SECONDS)

    def look(self) -> None:
        """Check once and report changes."""
        for news in self._watch.feed(self._read(), self._clock()):
            self._tell(news)

    def _run(self) -> None:
        while True:
            try:
                self.look()
            except Exception:
                log.exception("looking at the board failed")
            if self._ended.wait(LOOK_SECONDS):
                return
