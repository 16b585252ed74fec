"""Being told to end, by Ctrl-C or by a service manager, without losing the word.

Python raises `KeyboardInterrupt` wherever the main thread happens to be, and drops it where that is a finaliser or a
callback of the garbage collector. A handler that only notes the signal loses none; a thread of its own then calls what
ends the program, because a handler may run while the main thread holds the very lock that this call needs.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from types import FrameType
from typing import Final

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
