"""The web server: waitress with enough threads for every live page and room left for everything else."""

from __future__ import annotations

import errno
import logging
import threading
from typing import Any, Final

from flask import Flask
from waitress.server import create_server

from kiosk.errors import ServerError

THREADS: Final = 64
"""48 live pages hold a thread each; 16 stay for commands, pictures and first paints."""

CONNECTIONS: Final = 256
LARGEST_REQUEST: Final = 1024 * 1024
"""Waitress reads a whole request before the application sees it; beyond this it hangs up by itself."""

STOP_SECONDS: Final = 5.0


class WebServer:
    """Serves an application on its own thread. Raises `ServerError` where the address cannot be listened on."""

    def __init__(self, app: Flask, host: str, port: int) -> None:
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a full house of live pages is no news
        try:
            self._server = create_server(
                app,
                host=host,
                port=port,
                threads=THREADS,
                connection_limit=CONNECTIONS,
                max_request_body_size=LARGEST_REQUEST,
                ident=None,
                clear_untrusted_proxy_headers=True,
                asyncore_use_poll=True,
            )
        except OSError as error:
            raise ServerError(_words(error, host, port)) from error
        self.port: int = _port_of(self._server)
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self) -> None:
        """Stop listening and let the threads go; twice is fine. Live pages have to be let go by the hub before."""
        self._server.close()
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        try:
            self._server.run()
        except OSError as error:
            if error.errno != errno.EBADF:  # closed from another thread while it was waiting
                raise


def _port_of(server: Any) -> int:  # noqa: ANN401 - waitress gives one of two unrelated classes
    """The port in use: a name such as localhost may stand for several addresses, all on the first one's port."""
    listening: list[tuple[str, int]] = getattr(server, "effective_listen", [])
    return listening[0][1] if listening else int(server.effective_port)


def _words(error: OSError, host: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"Port {port} is taken by another program. Choose another with --port, or end that program."
        case errno.EACCES:
            return f"Port {port} may not be used by this user. Choose one above 1023 with --port."
        case errno.EADDRNOTAVAIL:
            return f"{host} is no address of this machine. Leave --host out, or give one of its own."
        case _:
            return f"The pages cannot be served at {host} port {port}: {error.strerror or error}."
