"""The web server: waitress with enough threads for every live page and room left for everything else."""

from __future__ import annotations

import logging
import socket
import threading
from contextlib import suppress
from typing import Any, Final

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from kiosk.web.listening import listening_socket
from kiosk.web.unread import WordedChannel

THREADS: Final = 64
"""48 live pages hold a thread each; 16 stay for commands, pictures and first paints."""

CONNECTIONS: Final = 512
"""A browser keeps six open to one address: 48 live screens have 288. Past the limit nobody new is let in."""

IDLE_SECONDS: Final = 90
"""How long a connection on which nothing is asked stays open; a phone that walked away would hold its place else."""

LARGEST_REQUEST: Final = 1024 * 1024
"""Bytes of a body. Waitress reads a whole request before the application sees it; a larger one it does not take in."""

STOP_SECONDS: Final = 5

LOOK_SECONDS: Final = 1.0
"""The longest wait for something to happen on any connection; ending wakes it at once."""


class WebServer:
    """Serves an application on its own thread. Raises `ServerError` where the address cannot be listened on.

    With `listening`, a socket that is bound already, host and port are not looked at.
    """

    def __init__(self, app: Flask, host: str, port: int, listening: socket.socket | None = None) -> None:
        logging.getLogger("waitress").setLevel(logging.WARNING)  # it tells of each page that somebody closed
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a full house of live pages is no news
        listening = listening if listening is not None else listening_socket(host, port)
        self.port: int = listening.getsockname()[1]
        self._open: dict[int, Any] = {}
        server: Any = create_server(  # one socket makes one server, whose trigger the stubs leave out
            app,
            map=self._open,
            sockets=[listening],
            threads=THREADS,
            connection_limit=CONNECTIONS,
            channel_timeout=IDLE_SECONDS,
            cleanup_interval=IDLE_SECONDS // 3,
            max_request_body_size=LARGEST_REQUEST,
            ident=None,
            clear_untrusted_proxy_headers=True,
        )
        server.channel_class = WordedChannel
        self._server = server
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self) -> None:
        """Stop listening and let the threads go; twice is fine. Live pages have to be let go by the hub before."""
        if self._stopping.is_set():
            return
        self._stopping.set()
        if self._thread.is_alive():
            with suppress(OSError):  # the thread may have ended by itself meanwhile
                self._server.trigger.pull_trigger()
            self._thread.join(2 * STOP_SECONDS)
        else:
            self._close()

    def _run(self) -> None:
        """Waitress's own loop has no way to end it from another thread; this one looks between two rounds."""
        while not self._stopping.is_set():
            wasyncore.loop(timeout=LOOK_SECONDS, use_poll=True, map=self._open, count=1)
        self._close()

    def _close(self) -> None:
        self._server.task_dispatcher.shutdown(timeout=STOP_SECONDS)
        for one in tuple(self._open.values()):
            one.close()
