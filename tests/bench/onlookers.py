"""Live connections that only listen: what a screen on a computer of its own costs the kiosk, without its painting."""

from __future__ import annotations

import queue
import selectors
import socket
import threading
import time
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

OUTCOME: Final = b'"kind":"outcome"'
"""How the state of a table tells that an outcome is on its stage."""

PATIENCE_SECONDS: Final = 20
"""For connecting, and for an outcome to arrive at every listener."""

LOOK_SECONDS: Final = 0.2


class Onlookers:
    """`count` live connections to a kiosk on this machine, read by one thread until the context ends."""

    def __init__(self, port: int, count: int) -> None:
        self._lines = selectors.DefaultSelector()
        self._unread: dict[socket.socket, bytes] = {}
        self._arrived: queue.SimpleQueue[tuple[socket.socket, float] | OSError] = queue.SimpleQueue()
        for _ in range(count):
            line = socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS)
            line.sendall(b"GET /api/v1/events?language=en HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            line.setblocking(False)  # noqa: FBT003 - the standard library's own
            self._unread[line] = b""
            self._lines.register(line, selectors.EVENT_READ)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="onlookers", daemon=True)

    def first_since(self, start: float) -> list[float]:
        """When the first outcome after `start` arrived at each listener, in seconds since the epoch; waits for all.

        Raises `ConnectionError` where the kiosk let one go, and `queue.Empty` where one has to wait too long.
        """
        first: dict[socket.socket, float] = {}
        while len(first) < len(self._unread):
            arrived = self._arrived.get(timeout=PATIENCE_SECONDS)
            if isinstance(arrived, OSError):
                raise arrived
            line, when = arrived
            if when >= start:
                first.setdefault(line, when)
        return list(first.values())

    def _listen(self) -> None:
        while not self._over.is_set():
            for key, _ in self._lines.select(LOOK_SECONDS):
                line = key.fileobj
                assert isinstance(line, socket.socket)
                try:
                    with suppress(BlockingIOError):
                        self._read(line)
                except OSError as error:
                    self._lines.unregister(line)
                    self._arrived.put(error)

    def _read(self, line: socket.socket) -> None:
        got = line.recv(1 << 20)
        if not got:
            raise ConnectionError("the kiosk let a listener go: what is measured would be of fewer screens")
        *events, self._unread[line] = (self._unread[line] + got).split(b"\n\n")
        now = time.time()
        for event in events:
            if b"event: table\n" in event and OUTCOME in event:
                self._arrived.put((line, now))

    def __enter__(self) -> Self:
        """Listen."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Hang up."""
        self._over.set()
        self._thread.join()
        for line in self._unread:
            line.close()
        self._lines.close()
