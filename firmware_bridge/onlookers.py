"""Copies of the tray's traffic for other programs while the kiosk owns the port: bounded, and never waited for."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from firmware_bridge.conversation import Direction, Passed
from firmware_bridge.errors import LinkLostError, PortBusyError
from rules.words import Phrase, say

MOST_ONLOOKERS: Final = 4
"""A thread of the web server each, so that the pages keep theirs."""

LONGEST_QUEUE: Final = 1024
"""Most pieces waiting for one onlooker; with more it is disconnected: a minute of the busiest traffic."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Nothing more comes, and why."""

    what: Phrase


class Onlooker:
    """One who looks on. Iterate over it for what passes, None now and then when nothing does; `close` when done."""

    def __init__(self, onlookers: Onlookers, nonce: int, begun: float, quiet: float) -> None:
        self.nonce: Final = nonce
        """What a session has to begin with to understand the greeting that comes first."""
        self._onlookers = onlookers
        self._begun = begun
        self._quiet = quiet
        self._waiting: queue.Queue[Passed] = queue.Queue(LONGEST_QUEUE)
        self._why: Phrase | None = None

    def offer(self, now: float, direction: Direction, data: bytes) -> bool:
        """Queue a copy without waiting; False where the queue is full."""
        with suppress(queue.Full):
            self._waiting.put_nowait(Passed(max(0.0, now - self._begun), direction, data))
            return True
        return False

    def end(self, why: Phrase) -> None:
        """Let it go once it has had what waits."""
        self._why = why

    def close(self) -> None:
        """Give the place back; twice is fine."""
        self._onlookers.leave(self)

    def __iter__(self) -> Iterator[Passed | Ended | None]:
        """What passes; `Ended` is the last."""
        try:
            while True:
                why = self._why  # looked at first: what was queued before the end still comes
                try:
                    yield self._waiting.get(timeout=self._quiet if why is None else 0.0)
                except queue.Empty:
                    if why is not None:
                        yield Ended(why)
                        return
                    yield None
        finally:
            self.close()


class Onlookers:
    """All who look on: where the tray's connection puts copies.

    `greet` has the tray introduce itself anew and tell what lies on it.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, *, quiet: float = 0.5) -> None:
        self._clock = clock
        self._quiet = quiet
        self._lock = threading.Lock()
        self._there: set[Onlooker] = set()
        self._nonce: int | None = None
        self.greet: Callable[[], None] = lambda: None

    def look_on(self) -> Onlooker:
        """A place for one. Raises `LinkLostError` while no port is open, `PortBusyError` while all are taken."""
        with self._lock:
            if self._nonce is None:
                raise LinkLostError(
                    say("No port of a dice tray is open now."), say("Plug the tray in, then try again.")
                )
            if len(self._there) >= MOST_ONLOOKERS:
                raise PortBusyError(
                    say("{count} look on already.", count=MOST_ONLOOKERS), say("End one of them first.")
                )
            one = Onlooker(self, self._nonce, self._clock(), self._quiet)
            self._there.add(one)
        self.greet()
        return one

    def leave(self, one: Onlooker) -> None:
        """Take one off the list; one that is not on it is fine."""
        with self._lock:
            self._there.discard(one)

    def opened(self, nonce: int) -> None:
        """Note that a port is open; `nonce` as for `Onlooker`."""
        with self._lock:
            self._nonce = nonce

    def passed(self, direction: Direction, data: bytes) -> None:
        """Bytes went over the port."""
        if not data or not self._there:
            return
        now = self._clock()
        with self._lock:
            slow = [one for one in self._there if not one.offer(now, direction, data)]
            self._there.difference_update(slow)
        for one in slow:
            one.end(say("This program was too slow for what passes; it was let go."))

    def closed(self) -> None:
        """Note that the port was closed."""
        with self._lock:
            self._nonce = None
            leaving, self._there = self._there, set()
        for one in leaving:
            one.end(say("The dice tray's port was closed; the kiosk looks for the tray again."))
