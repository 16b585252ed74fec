"""The web server: waitress, with threads and connections reserved for each kind of client in `door`.

Requests that waitress turns away before the application sees them (too large a body, too long headers, bytes that are
no HTTP) are answered in the kiosk's own words: programs get `application/problem+json`, a browser a page.
"""

from __future__ import annotations

import copy
import functools
import logging
import queue
import select
import socket
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import create_server
from waitress.task import ErrorTask, WSGITask
from werkzeug.http import parse_cookie

from kiosk.devices.phone_pictures import TOO_LARGE
from kiosk.hub import KeptPlace
from kiosk.web.access import COOKIE, JOIN_FIRST
from kiosk.web.door import (
    BODY_BYTES_A_SECOND,
    HEADER_SECONDS,
    LINE,
    STALL_SECONDS,
    Caller,
    Full,
    Knows,
    Pools,
    TurnedAwayError,
    by_address,
    in_the_way,
    never_full,
)
from kiosk.web.headers import SECURITY_HEADERS
from kiosk.web.listening import listening_beside, listening_socket
from kiosk.web.picture_uploads import LARGEST_UPLOAD, PATHS
from kiosk.web.problems import http_words, problem_words, unkept_at, wants_page, written

IDLE_SECONDS: Final = 90
"""How long a connection on which nothing is asked stays open; else a phone that has left would keep its place."""

LARGEST_REQUEST: Final = 1024 * 1024
"""Bytes of a body. Waitress reads a whole request before the application sees it; a larger one it does not take in.

Only pictures of those who are at the table may be larger: strangers could fill the disk with them.
"""

AT_HOME: Final = "127.0.0.1"
"""The address of the kiosk's own requests."""

UNLIMITED: Final = 1 << 20
"""Waitress's own limit on connections, which would refuse everybody; `door` closes others instead."""

STOP_SECONDS: Final = 5
"""The longest that ending waits for answers that are under way."""

LOOK_SECONDS: Final = 1.0
"""The longest wait for something to happen on any connection; ending wakes it at once."""

FAREWELL_SECONDS: Final = 0.5
"""How long a connection from the network lasts on once it is closed: whoever closed it from there reads the answer."""


MOST_UNSENT: Final = 1 << 19
"""Bytes that a client may have left unread when more is sent to it; beyond it has fallen behind. They stay in memory:
waitress writes more than a mebibyte into a file."""

MISSING: Final = ""
"""A request that broke off early has no path and no headers."""

ARRIVAL_SECONDS: Final = 1.0
"""The longest wait for the rest of such a request, which is discarded: a client that still sends would see a broken
connection instead of the answer."""

SILENCE_SECONDS: Final = 0.1
"""A connection silent for this long has sent everything."""


class WordedRefusal(ErrorTask):
    """Answers one such request, and closes its connection."""

    def execute(self) -> None:
        """Write the answer. `request.error` is what waitress found wrong; its `code` is the HTTP status."""
        request: Any = self.request
        headers: dict[str, str] = getattr(request, "headers", {})
        page = wants_page(getattr(request, "path", MISSING) or MISSING, headers.get("ACCEPT", MISSING))
        retry_after = None
        if isinstance(request.error, TurnedAwayError):
            problem, retry_after = problem_words(request.error.why)
        else:
            problem = http_words(*_why(request))
            _let_arrive(self.channel.socket)
        body, media_type = written(problem, page=page, unkept=unkept_at(self.channel.server.application))
        self.status = f"{problem.status} {HTTPStatus(problem.status).phrase}"
        self.response_headers = [("Content-Type", media_type), *SECURITY_HEADERS.items()]
        if retry_after is not None:
            self.response_headers.append(("Retry-After", str(retry_after)))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


def _let_arrive(line: socket.socket | None) -> None:
    """Read and discard what the client still sends; waitress itself reads no more after a refusal."""
    if line is None:
        return
    arriving = select.poll()
    arriving.register(line, select.POLLIN)
    until = time.monotonic() + ARRIVAL_SECONDS
    try:
        while time.monotonic() < until and arriving.poll(SILENCE_SECONDS * 1000):
            if not line.recv(65536):
                return
    except OSError:
        return  # the client has gone; the answer finds nobody


Admits = Callable[[str | None, str | None], bool]
"""Whether somebody at the table asks, by address and cookie."""


def nobody(_address: str | None, _cookie: str | None) -> bool:
    """Treats everybody as a stranger."""
    return False


Sender = Callable[[str | None, Mapping[str, str], str], str | None]
"""The address that a request counts as sent from, by where its connection comes from, its headers and its version."""


def as_connected(address: str | None, _headers: Mapping[str, str], _version: str) -> str | None:
    """Knows of no proxy."""
    return address


Admitted = Callable[[Mapping[str, str], str], bool]
"""Whether whoever sent a request is at the table, by its headers and its version."""


def _the_kiosk(_address: str | None, _cookie: str | None) -> Caller:
    return Caller(KeptPlace.KIOSK)


class PictureParser(HTTPRequestParser):
    """Accepts a body as large as a picture from somebody at the table."""

    def __init__(self, adjustments: Adjustments, admitted: Admitted) -> None:
        super().__init__(adjustments)
        self._admitted = admitted
        self.takes_picture = False

    def parse_header(self, header_plus: bytes) -> None:
        """As waitress does; sets the limit of the body before it arrives."""
        super().parse_header(header_plus)
        path: str = getattr(self, "path")  # noqa: B009 - the stubs leave it out
        if path in PATHS and self._admitted(self.headers, self.version):
            self.takes_picture = True
            self.adj = copy.copy(self.adj)
            self.adj.max_request_body_size = LARGEST_UPLOAD


def _cookie(headers: Mapping[str, str]) -> str | None:
    return parse_cookie(headers.get("COOKIE", "")).get(COOKIE)


def _why(refused: Any) -> tuple[int, str]:  # noqa: ANN401 - the request as waitress has it
    """The status of a request that waitress turned away, and the words for it where they are not HTTP's own."""
    status: int = refused.error.code
    if status != HTTPStatus.REQUEST_ENTITY_TOO_LARGE or refused.path not in PATHS:
        return status, ""
    return (status, TOO_LARGE) if refused.takes_picture else (HTTPStatus.UNAUTHORIZED, JOIN_FIRST)


class LiveTask(WSGITask):
    """Answers a request by the application, which can send more of an answer that it has begun: see `hub.Line`."""

    def get_environment(self) -> dict[str, Any]:
        """As waitress has it, with `send` as `LINE`."""
        environment: dict[str, Any] = super().get_environment()
        environment[LINE] = self.send
        return environment

    def send(self, data: bytes) -> bool:
        """Send `data` after what was sent before, without waiting; False if the client is gone or has fallen behind."""
        if self.channel.total_outbufs_len > MOST_UNSENT:
            return False
        try:
            self.write(data)
        except (ClientDisconnected, OSError):
            return False
        return True


class WordedChannel(HTTPChannel):
    """A connection with refusals in words, closed if a request never arrives whole."""

    task_class = LiveTask
    error_task_class = WordedRefusal

    def __init__(
        self,
        *parts: Any,  # noqa: ANN401 - of waitress
        admits: Admits = nobody,
        knows: Knows = by_address,
        sender: Sender = as_connected,
        own: bool = False,
        **more: Any,  # noqa: ANN401 - of waitress
    ) -> None:
        super().__init__(*parts, **more)
        self.parser_class: Any = functools.partial(
            PictureParser,
            admitted=lambda headers, version: admits(sender(self.addr[0], headers, version), _cookie(headers)),
        )
        self._sender = sender
        self._knows = knows
        self.caller: Caller = knows(self.addr[0], None)
        self.network = self.caller.who
        self.asked = time.monotonic()
        self.has_asked = False
        self.own = own
        """Whether the kiosk itself uses it: see `WebServer.own_line`."""
        self._begun: float | None = None

    @property
    def busy(self) -> bool:
        """Whether a request of it is being answered."""
        return bool(self.requests)

    def know(self, wanted: Any) -> Caller:  # noqa: ANN401 - the request as waitress has it
        """Whose that request is, kept from then on."""
        sent_from = self._sender(self.addr[0], wanted.headers, wanted.version)
        self.caller = self._knows(sent_from, _cookie(wanted.headers))
        self.asked = time.monotonic()
        self.has_asked = True
        return self.caller

    def write_soon(self, data: Any) -> int:  # noqa: ANN401 - bytes, or a file as waitress has it
        """As waitress does, but what the connection takes at once goes through no buffer: most news do."""
        with self.outbuf_lock:
            sent = 0
            if self.connected and not self.total_outbufs_len and data and isinstance(data, bytes):
                with suppress(OSError):  # which it meets again with the rest, and handles
                    sent = self.send(data, do_close=False)
                if sent:
                    self.last_activity = time.time()  # waitress keeps it on this clock
            if sent and sent == len(data):
                return sent
            return sent + int(super().write_soon(data[sent:] if sent else data))

    def received(self, data: bytes) -> bool:
        """As waitress does; the time is kept at which a request began."""
        taken = bool(super().received(data))
        if self.request is None:
            self._begun = None
        elif self._begun is None:
            self._begun = time.monotonic()
        return taken

    def overdue(self) -> bool:
        """Whether its request takes too long to arrive, or its answer is not read."""
        if self.total_outbufs_len:
            return time.time() - self.last_activity > STALL_SECONDS  # waitress keeps it on this clock
        coming = self.request
        if self._begun is None or coming is None:
            return False
        seconds = HEADER_SECONDS
        if coming.headers_finished:
            seconds += coming.adj.max_request_body_size / BODY_BYTES_A_SECOND
            if coming.content_length:
                seconds = HEADER_SECONDS + coming.content_length / BODY_BYTES_A_SECOND
        return time.monotonic() - self._begun > seconds


class WebServer:
    """Serves an application on its own thread. Raises `ServerError` where the address cannot be listened on.

    With `listening`, a socket that is bound already, host and port are not looked at. Whom it `admits` may send
    pictures; it `knows` for whom places are kept, by the address of the `sender`, and who finds the live pages `full`.
    `open_to` and `close_beside` change while it runs what it listens on beside that.
    """

    def __init__(
        self,
        app: Flask,
        host: str,
        port: int,
        listening: socket.socket | None = None,
        *,
        admits: Admits = nobody,
        knows: Knows = by_address,
        sender: Sender = as_connected,
        full: Full = never_full,
    ) -> None:
        logging.getLogger("waitress").setLevel(logging.WARNING)  # it tells of each page that somebody closed
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a full house of live pages is no news
        listening = listening if listening is not None else listening_socket(host, port)
        self.port: int = listening.getsockname()[1]
        self._open: dict[int, Any] = {}
        self._app, self._admits, self._knows, self._sender = app, admits, knows, sender
        self._pools = Pools(full)
        self._next_look = 0.0
        self._listening = listening
        self._server = self._serving(listening)
        if listening.getsockname()[0] == "0.0.0.0":  # noqa: S104 - the kiosk itself does not queue behind strangers
            self._served_too(listening_beside(listening, "127.0.0.1"))
        self._beside: Any = None
        self._leaving: list[tuple[float, Any]] = []
        self._asked: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
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

    def open_to(self, host: str) -> None:
        """Listen at `host`, too, from now on, at the same port; twice is fine.

        Raises `ServerError` where that cannot be had. Only while it runs.
        """
        self._between_rounds(lambda: self._listen_beside(host))

    def own_line(self, within: float) -> socket.socket:
        """A connection for the kiosk itself, which needs no address and takes no place from others.

        Raises `OSError` if the server's thread does not do it within that number of seconds.
        """
        ours, others = socket.socketpair()
        try:
            ours.settimeout(within)
            self._between_rounds(lambda: self._take_in_own(others), within)
        except BaseException:
            ours.close()
            raise
        return ours

    def _take_in_own(self, line: socket.socket) -> None:
        line.setblocking(False)  # noqa: FBT003 - the standard library's own signature
        adjustments = self._server.adj
        WordedChannel(self._server, line, (AT_HOME, 0), adjustments, knows=_the_kiosk, own=True, map=self._open)

    def close_beside(self) -> None:
        """Listen no more at what `open_to` opened, and end the connections that came there; twice is fine."""
        self._between_rounds(self._leave)

    def _serving(self, listening: socket.socket) -> Any:  # noqa: ANN401 - of waitress
        """A server of waitress on one socket, whose trigger the stubs leave out; all share connections and threads."""
        made: Any = create_server(
            self._app,
            map=self._open,
            _dispatcher=self._pools,
            sockets=[listening],
            connection_limit=UNLIMITED,
            channel_timeout=IDLE_SECONDS,
            cleanup_interval=IDLE_SECONDS // 3,
            max_request_body_size=LARGEST_REQUEST,
            ident=None,
            clear_untrusted_proxy_headers=False,  # the application looks whether there are any, and believes none
        )
        made.channel_class = self._let_in
        return made

    def _let_in(self, server: Any, line: socket.socket, address: Any, adjustments: Any, **more: Any) -> None:  # noqa: ANN401 - of waitress
        """Accept a connection if there is a place, and close another one for it if necessary."""
        caller = self._knows(address[0], None)
        if caller.place is not KeptPlace.KIOSK:
            present = [one for one in self._open.values() if isinstance(one, WordedChannel)]
            comes, goes = in_the_way(present, caller.who)
            if goes is not None:
                goes.handle_close()
            if not comes:
                line.close()
                return
        WordedChannel(
            *(server, line, address, adjustments), admits=self._admits, knows=self._knows, sender=self._sender, **more
        )

    def _end_overdue(self) -> None:
        """End what takes too long, once in a while."""
        if time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + LOOK_SECONDS
        for one in tuple(self._open.values()):
            if isinstance(one, WordedChannel) and one.overdue():
                one.handle_close()

    def _listen_beside(self, host: str) -> None:
        if self._beside is not None:
            return
        self._beside = self._served_too(listening_beside(self._listening, host))

    def _served_too(self, listening: socket.socket) -> Any:  # noqa: ANN401 - of waitress
        made = self._serving(listening)
        made.trigger.close()
        made.trigger = self._server.trigger  # its connections may outlast it, and wake the loop to the end
        return made

    def _leave(self) -> None:
        if self._beside is None:
            return
        left, self._beside = self._beside, None
        wasyncore.dispatcher.close(left)
        for one in tuple(left.active_channels.values()):
            if not one.requests:
                one.handle_close()
        self._leaving.append((time.monotonic() + FAREWELL_SECONDS, left))

    def _end_farewells(self) -> None:
        """Close remaining connections of closed listeners, such as live pages."""
        over = [one for when, one in self._leaving if when <= time.monotonic()]
        for left in over:
            for channel in tuple(left.active_channels.values()):
                channel.handle_close()
        self._leaving = [one for one in self._leaving if one[1] not in over]

    def _between_rounds(self, work: Callable[[], None], within: float = 2 * STOP_SECONDS) -> None:
        """Do `work` on the server's own thread, which alone touches connections, and wait for it.

        Raises what `work` raises, and `TimeoutError` after that number of seconds.
        """
        done: Future[None] = Future()

        def one() -> None:
            try:
                work()
                done.set_result(None)
            except Exception as error:  # noqa: BLE001 - whoever asked is told
                done.set_exception(error)

        self._asked.put(one)
        self._server.trigger.pull_trigger()
        done.result(within)

    def _run(self) -> None:
        """Waitress's own loop has no way to end it from another thread; this one looks between two rounds."""
        while not self._stopping.is_set():
            wasyncore.loop(timeout=self._longest_round(), use_poll=True, map=self._open, count=1)
            while not self._asked.empty():
                self._asked.get()()
            self._end_farewells()
            self._end_overdue()
        self._close()

    def _longest_round(self) -> float:
        return FAREWELL_SECONDS / 2 if self._leaving else LOOK_SECONDS

    def _close(self) -> None:
        self._pools.shutdown(timeout=STOP_SECONDS)
        for one in tuple(self._open.values()):
            one.close()
