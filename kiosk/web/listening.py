"""The socket on which a kiosk's pages are served: bound once, answered first by `startup` and then by the kiosk.

A second one, at every address of the machine, stands beside it while phones are let in.
"""

from __future__ import annotations

import errno
import socket
from typing import Final

from kiosk.errors import ServerError, system_words
from rules.words import Phrase, say

BACKLOG: Final = 128
"""Most connections that wait to be accepted."""


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket bound to `host` and `port`; 0 takes any free one. Raises `ServerError` where that is not possible."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind, protocol)
        try:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind(address)
        except OSError:
            made.close()
            raise
    except OSError as error:
        raise ServerError(_words(error, host, port)) from error
    return made


def listening_beside(first: socket.socket, host: str) -> socket.socket:
    """A socket that listens at `host` and the port of `first`, which goes on listening at an address of its own there.

    A connection goes to the socket with the more specific address. Raises `ServerError` where another program is in the
    way.
    """
    port = first.getsockname()[1]
    made = socket.socket(first.family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        for one in (first, made):  # while one listens, Linux lets another have its port only where both agree
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        made.bind((host, port))
        made.listen(BACKLOG)
    except OSError as error:
        made.close()
        raise ServerError(_words(error, host, port)) from error
    finally:
        first.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 0)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 0)
    return made


def _words(error: OSError, host: str, port: int) -> Phrase:
    number = str(port)
    match error.errno:
        case errno.EADDRINUSE:
            return say(
                "Port {port} is taken by another program. Choose another with --port, or end that program.", port=number
            )
        case errno.EACCES:
            return say("Port {port} may not be used by this user. Choose one above 1023 with --port.", port=number)
        case errno.EADDRNOTAVAIL:
            return say("{host} is no address of this machine. Leave --host out, or give one of its own.", host=host)
        case _:
            why = system_words(error)
            return say("The pages cannot be served at {host} port {port}: {why}.", host=host, port=number, why=why)
