"""The server of the start: it answers the kiosk's address while the kiosk starts, so that no screen is blank.

A season's journal and a camera's libraries take seconds on a small board. Until then a page says so and looks again by
itself, a program is told to try again soon; if the start fails, the page says why. Standard library only: nothing that
the kiosk may have to wait for. So its few words in other languages stand in a small file of their own, which `make
words` writes from the translators' files; only why a start failed is translated from these themselves, for then nothing
else waits.
"""

from __future__ import annotations

import html
import json
import logging
import re
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from kiosk.errors import ServerError
from kiosk.web.headers import SECURITY_HEADERS
from kiosk.web.listening import listening_socket
from rules.words import Phrase, say

log = logging.getLogger(__name__)

STATE_HEADER: Final = "X-Trueroll"
"""The header that distinguishes this server's answers from the kiosk's."""
STARTING: Final = "starting"
"""What the header says on every answer of this server, so that nobody takes it for the kiosk."""

RETRY_SECONDS: Final = 1
"""Seconds after which a waiting page asks again."""
FAILURE_SECONDS: Final = 3.0
"""How long a failed start is reported to a page that asked meanwhile."""

SLOW_SECONDS: Final = 30.0
"""How long a start takes before the page says what helps."""

SILENCE_SECONDS: Final = 5.0
"""A connection silent for this long is closed."""

WORDS: Final[Mapping[str, Phrase]] = {
    "title": say("Starting"),
    "starting": say("Starting. The journal is being read; the table appears here by itself."),
    "slow": say(
        "Still starting. A long journal on a slow card takes a while. If it stays so, look at `journalctl -u trueroll` "
        "on the kiosk, or run `trueroll doctor` there."
    ),
    "failed_title": say("Not started"),
    "failed": say("The kiosk could not start."),
    "gone": say(
        "The kiosk does not answer any more. This page goes on trying. Start it again, or run `trueroll doctor` on it, "
        "which says what is wrong and what to do."
    ),
    "detail": say("The kiosk is starting. Try again in a second."),
}
"""The words by their place in the page; `detail` is for programs. Text in backticks is to be typed."""

TRANSLATED: Final = Path(__file__).parents[1] / "i18n" / "translations" / "starting.json"
"""The same in each other language: code to place to words."""

LONGEST_HEADER: Final = 400
"""Characters of Accept-Language; a longer one is passed over."""

_FOLDER: Final = Path(__file__).parents[1] / "static"
"""Where the kiosk's static files lie."""
_PAGE: Final = _FOLDER / "starting.html"
"""The page that is shown while the kiosk starts."""
_FILES: Final = {
    "/static/base.css": "text/css",
    "/static/starting.css": "text/css",
    "/static/js/starting.js": "text/javascript",
    "/static/favicon.svg": "image/svg+xml",
    "/static/fonts/atkinson-hyperlegible-next-400.woff2": "font/woff2",
    "/static/fonts/atkinson-hyperlegible-next-700.woff2": "font/woff2",
}
"""The files that the page needs; every other path is answered with the page, or a problem for programs."""


def words_for(accepted: str, translated: Path = TRANSLATED) -> tuple[str, Mapping[str, str]]:
    """The language that an Accept-Language header likes best of those there are, and WORDS in it; else English.

    A file that cannot be read costs the translations alone.
    """
    english = ("en", WORDS)
    ranges = [] if len(accepted) > LONGEST_HEADER else [_RANGE.fullmatch(one) for one in accepted.split(",")]
    liked = [(float(one["quality"] or 1), one["code"].lower()) for one in ranges if one is not None]
    if not liked:
        return english
    try:
        languages: dict[str, dict[str, str]] = json.loads(translated.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        log.debug("The words for the start cannot be read: %s", error)
        return english
    for quality, code in sorted(liked, key=lambda one: -one[0]):
        if quality > 0 and (code == "en" or code in languages):
            return (code, {**WORDS, **languages[code]}) if code != "en" else english
    return english


def _translated(words: str, language: str) -> str:
    """`words` in that language; as they are where they know no other, or the languages cannot be read."""
    if not isinstance(words, Phrase) or language == "en":
        return words
    try:
        from kiosk.i18n.languages import Languages  # noqa: PLC0415 - nobody waits for it before a start failed

        return words.rendered(Languages().language(language).catalog)
    except Exception:
        log.debug("why the start failed cannot be said in %r", language, exc_info=True)
        return words


_RANGE: Final = re.compile(
    r"\s*(?P<code>[A-Za-z]{2,3})(-[A-Za-z0-9-]+)?\s*(;\s*q=(?P<quality>[01](\.[0-9]{0,3})?)\s*)?"
)
"""One of the languages in an Accept-Language header, which may name a region."""


def _filled(page: str, language: str, words: Mapping[str, str]) -> str:
    """The page with its words; what is typed is set apart."""

    def put(place: re.Match[str]) -> str:
        said = html.escape(words[place[1]])
        return re.sub(r"`([^`]+)`", r"<code>\1</code>", said) if place[1] in WORDS else said

    return re.sub(r"\{\{(\w+)\}\}", put, page.replace("{{language}}", language))


FAILED: Final = 'data-state="failed"'
"""The attribute by which the page's style sheet knows that the start failed."""


class StartupServer:
    """Answers at `host` and `port` from its making until `hand_over`, or the end of the `with` block.

    An address that cannot be had costs only this: whoever serves there afterwards says why.
    """

    def __init__(self, host: str, port: int) -> None:
        self.trouble: str = ""
        self._began = time.monotonic()
        self._asked = threading.Event()
        self._told = threading.Event()
        self._server: ThreadingHTTPServer | None = None
        try:
            self._socket: socket.socket | None = listening_socket(host, port)
        except ServerError:
            self._socket = None
            return
        self._socket.settimeout(0.0)
        self._server = ThreadingHTTPServer((host, port), self._handler(), bind_and_activate=False)
        self._server.socket.close()
        self._server.socket = self._socket
        self._server.daemon_threads = True
        self._server.server_activate()
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, name="startup", daemon=True
        )
        self._thread.start()

    @property
    def port(self) -> int:
        """The port that is answered; 0 where there is none."""
        return int(self._socket.getsockname()[1]) if self._socket is not None else 0

    def hand_over(self) -> socket.socket | None:
        """Stop answering and return the socket, on which connections may be waiting; None if there is none."""
        if self._server is not None:
            self._server.shutdown()
            self._thread.join()
            self._server = None
        handed, self._socket = self._socket, None
        return handed

    def tell_failure(self, words: str, *, expected: bool = False) -> None:
        """Tell pages why the start failed. Waits only for a page that has asked before, or is `expected`."""
        self.trouble = words
        if self._server is not None and (expected or self._asked.is_set()):
            self._told.wait(FAILURE_SECONDS)

    def answer(self, path: str, accept: str, languages: str = "") -> tuple[int, str, bytes]:
        """Status, media type and body for a GET of `path`, with its headers Accept and Accept-Language."""
        if media_type := _FILES.get(path):
            return HTTPStatus.OK, media_type, (_FOLDER / path.removeprefix("/static/")).read_bytes()
        language, words = words_for(languages)
        trouble = _translated(self.trouble, language)
        if path.startswith("/api/") or "text/html" not in accept:
            problem = {
                "type": "/problems/starting",
                "title": "The kiosk is starting",
                "status": 503,
                "detail": trouble or words["detail"],
            }
            return HTTPStatus.SERVICE_UNAVAILABLE, "application/problem+json", json.dumps(problem).encode()
        self._asked.set()
        title = words["failed_title" if trouble else "title"]
        page = _filled(_PAGE.read_text(encoding="utf-8"), language, {**words, "title": title, "trouble": trouble})
        slow = time.monotonic() - self._began > SLOW_SECONDS
        if trouble or slow:
            page = page.replace('data-state="starting"', FAILED if trouble else 'data-state="slow"')
        return HTTPStatus.SERVICE_UNAVAILABLE, "text/html; charset=utf-8", page.encode()

    def written(self, body: bytes) -> None:
        """Note that somebody received `body` whole: `tell_failure` may return now."""
        if FAILED.encode() in body:
            self._told.set()

    def __enter__(self) -> Self:
        """Nothing more: it answers since it was made."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Release the address, unless the socket was handed over."""
        if (left := self.hand_over()) is not None:
            left.close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Answering(BaseHTTPRequestHandler):
            timeout = SILENCE_SECONDS

            def handle(self) -> None:
                with suppress(ConnectionError):  # whoever asked is gone, which is no trouble of the kiosk's
                    super().handle()

            def do_GET(self) -> None:
                status, media_type, body = server.answer(
                    self.path.partition("?")[0], self.headers.get("Accept", ""), self.headers.get("Accept-Language", "")
                )
                self.send_response(status)
                headers = {
                    **SECURITY_HEADERS,
                    "Content-Type": media_type,
                    "Content-Length": str(len(body)),
                    "Cache-Control": "no-store",
                    "Vary": "Accept-Language",
                    "Retry-After": str(RETRY_SECONDS),
                    STATE_HEADER: STARTING,
                }
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)
                    server.written(body)

            def do_HEAD(self) -> None:
                self.do_GET()

            def do_POST(self) -> None:
                self.do_GET()

            def log_message(self, *_: Any) -> None:  # noqa: ANN401 - as the library calls it
                """Say nothing: the log is the kiosk's."""

        return Answering
