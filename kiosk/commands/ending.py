"""Being told to end, by Ctrl-C or by a service manager, without losing the word.

Python raises `KeyboardInterrupt` wherever the main thread happens to be, and drops it where that is a finaliser or a
callback of the garbage collector. A handler that only notes the signal loses none; a thread of its own then calls what
ends the program, because a handler may run while the main thread holds the very lock that this call needs.

A kiosk ends in bounded time. What was decided is on the disk before anyone is shown it, so nothing of that hangs on
how it ends: its parts are let go in order for `END_SECONDS`, and whatever still waits then is left behind.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from types import FrameType
from typing import Final, NoReturn

log = logging.getLogger(__name__)

END_SECONDS: Final = 2.0
"""How long the parts of a kiosk may take to end. Whoever ended it sees it gone a second later at most, also where other
programs leave this one little of the processor."""

LOOK_AGAIN_SECONDS: Final = 0.1
"""How often is looked after that whether what was in memory alone is on a disk."""

INTERRUPTED: Final = 130
"""The exit status of a program that Ctrl-C ended, as shells count it."""


def nothing_more() -> None:
    """For those who look at the event."""


@contextmanager
def told_to_end(end: Callable[[], object] = nothing_more) -> Iterator[threading.Event]:
    """While it lasts, Ctrl-C or SIGTERM calls `end` once from another thread; the event says that one came.

    For the main thread alone. Afterwards the signals do again what they did before.
    """
    came = threading.Event()
    signals: SimpleQueue[int] = SimpleQueue()

    def note(number: int, _: FrameType | None) -> None:
        signals.put(number)  # the one queue that may be filled from a handler

    def wait() -> None:
        if signals.get():
            came.set()
            end()

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    waiting = threading.Thread(target=wait, name="waits to be told to end", daemon=True)
    waiting.start()
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signals.put(0)
        waiting.join()


class EndInTime:
    """Ends the program `END_SECONDS` after `begin` was called, if it was not closed until then.

    Only what is in memory alone is waited for longer: while `kept` says that there is such.
    """

    def __init__(self) -> None:
        self.kept: Callable[[], bool] = lambda: True
        """Whether all that was decided is on a disk; from any thread."""
        self._over = threading.Event()

    def begin(self) -> None:
        """Wait for the end; returns once it is there."""
        if self._over.wait(END_SECONDS):
            return
        while not self.kept():
            if self._over.wait(LOOK_AGAIN_SECONDS):
                return
        log.warning("A part of the kiosk takes too long to end and is left behind. All that was decided is kept.")
        leave()

    def close(self) -> None:
        """It has ended by itself; twice is fine."""
        self._over.set()


def leave() -> NoReturn:
    """End the program at once, as one that ended well.

    Python would take down all that was loaded piece by piece: as much work again as to end the kiosk.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
