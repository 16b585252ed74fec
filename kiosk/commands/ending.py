"""Ends the program on Ctrl-C or a service manager's signal, and never loses one.

Python raises `KeyboardInterrupt` wherever the main thread happens to be, and drops it where that is a finaliser or a
callback of the garbage collector. A handler that only notes the signal loses none. A thread of its own then ends the
program: a handler may run while the main thread holds the lock that is needed.

A kiosk ends in bounded time: its parts are closed in order for `END_SECONDS`, and whatever still waits then is
abandoned. What was decided is on the disk before anyone is shown it, so that loses nothing. While the disk takes
nothing decisions are in memory alone, and the end waits until they were written somewhere, or cannot be.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from types import FrameType
from typing import Final, NoReturn

log = logging.getLogger(__name__)

END_SECONDS: Final = 2.0
"""How long the parts of a kiosk may take to end. Whoever ended it sees it gone when it has also said so and the system
has taken it down: measured beside eight busy processes after 0.4 to 1.4 s, and after 2.7 to 3.9 s where those left this
one 3 % of a core; see `docs/reliability.md`."""

LOOK_AGAIN_SECONDS: Final = 0.1
"""Seconds between later checks of whether everything in memory has been saved."""

LAST_WORDS_SECONDS: Final = 0.3
"""Seconds for the last log line: a full pipe may have no reader any more."""

INTERRUPTED: Final = 130
"""The exit status of a program that Ctrl-C ended, as shells count it."""


def nothing_more() -> None:
    """Do nothing: the caller checks the event itself."""


@contextmanager
def told_to_end(end: Callable[[], object] = nothing_more) -> Iterator[threading.Event]:
    """Within this context, Ctrl-C or SIGTERM sets the event and calls `end` once from another thread.

    Only for the main thread. Afterwards the signals do again what they did before.
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

    It waits longer only while `kept` says that decisions are not saved yet, or does not answer.
    """

    def __init__(self) -> None:
        self.kept: Callable[[], bool] = lambda: True
        """Whether everything decided is on a disk, or never will be; called from any thread."""
        self._over = threading.Event()

    def begin(self) -> None:
        """Wait for `close`, and exit the program if it does not come in time."""
        if self._over.wait(END_SECONDS):
            return
        while not self._is_kept():
            if self._over.wait(LOOK_AGAIN_SECONDS):
                return
        leave("A part of the kiosk takes too long to end and is left behind. What could be kept is kept.")

    def _is_kept(self) -> bool:
        with suppress(Exception):  # the journal may be let go while it is asked
            return self.kept()
        return False

    def close(self) -> None:
        """Cancel: the program ended by itself; calling it twice is fine."""
        self._over.set()


def leave(words: str = "") -> NoReturn:
    """Exit at once with status 0 and, if possible, these words in the log.

    Python's own clean-up would take as long again as ending the kiosk.
    """
    try:
        last = [sys.stdout.flush, sys.stderr.flush]
        if words:
            last.insert(0, lambda: log.warning(words))
        saying = [threading.Thread(target=_quietly, args=(one,), daemon=True) for one in last]
        for thread in saying:
            thread.start()
        until = time.monotonic() + LAST_WORDS_SECONDS
        for thread in saying:
            thread.join(max(0.0, until - time.monotonic()))
    finally:
        os._exit(0)


def _quietly(say: Callable[[], object]) -> None:
    with suppress(Exception):
        say()
