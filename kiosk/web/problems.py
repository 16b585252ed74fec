"""Every error as `application/problem+json`: what happened, and what the person can do."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from typing import Final

from flask import Flask, Response, current_app, request
from msgspec import UNSET
from werkzeug.datastructures import MIMEAccept
from werkzeug.exceptions import HTTPException
from werkzeug.http import parse_accept_header
from werkzeug.wrappers import Response as AnyResponse

from kiosk import errors
from kiosk.i18n.current import language_now, page_catalog, shown_now
from kiosk.storage.wire import encode_in
from kiosk.views.page_words import not_kept_words
from kiosk.web.listeners import listener_of
from kiosk.web.messages import Problem
from kiosk.web.services import Services
from rules.game import Refusal
from rules.words import Phrase, known, say

log = logging.getLogger(__name__)

MEDIA_TYPE: Final = "application/problem+json"
"""The media type of every refusal (RFC 9457)."""
SOON: Final = 5
"""Seconds after which trying again is worth it."""


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    title: str
    status: int
    retry_after: int | None = None


_KINDS: Final[tuple[tuple[type[Exception], _Kind], ...]] = (
    (Refusal, _Kind("refused", "The rules do not allow this", 409)),
    (errors.UnknownCommandError, _Kind("unknown-command", "Unknown command", 400)),
    (errors.WireError, _Kind("wrong-shape", "The request is not as it should be", 400)),
    (errors.NotJoinedError, _Kind("not-joined", "Join the table first", 401)),
    (errors.NotGamemasterError, _Kind("gamemaster-only", "The gamemaster's to do", 403)),
    (errors.NotTheirsError, _Kind("not-yours", "Somebody else's to decide", 403)),
    (errors.PinNeededError, _Kind("pin-needed", "The table's PIN is needed", 403)),
    (errors.AskFirstError, _Kind("ask-first", "Answer a question first", 409)),
    (errors.TooManyTriesError, _Kind("too-many-tries", "Too many wrong tries", 429)),
    (errors.AskedTooOftenError, _Kind("too-often", "Asked for too often", 429)),
    (errors.AccessError, _Kind("not-allowed", "Not allowed", 403)),
    (errors.StaleError, _Kind("gone-on", "The table has gone on", 409)),
    (errors.IdempotencyError, _Kind("key-used", "This key was used before", 422)),
    (errors.JournalFullError, _Kind("no-room", "No room to record it", 507)),
    (errors.JournalError, _Kind("journal", "The journal cannot be used", 503, SOON)),
    (errors.EngineUncertainError, _Kind("uncertain", "Still being recorded", 504)),
    (errors.EngineBusyError, _Kind("busy", "Too much at once", 503, SOON)),
    (errors.EngineStoppedError, _Kind("closing", "The kiosk is closing down", 503, SOON)),
    (errors.EngineError, _Kind("not-done", "Not done", 500)),
    (errors.HubFullError, _Kind("no-live-place", "Every live place is taken", 503, SOON)),
    (errors.KioskError, _Kind("not-possible", "Not possible now", 409)),
)
"""The kinds of errors; the first that fits is used."""

_BROKEN: Final = _Kind("broken", "Something is broken", 500)
"""The kind of an error that nobody foresaw."""

_HTTP_WORDS: Final[dict[int, Phrase]] = {
    400: say("The request cannot be understood."),
    404: say("There is nothing at this address. Start at /."),
    405: say("This address does not take that method; /api/v1/openapi.json lists what it takes."),
    411: say("Say how long the request is (Content-Length)."),
    431: say("The headers of the request are too long. Leave out cookies and headers that this kiosk did not ask for."),
    413: say("The request is too large. A command takes a few kilobytes at most."),
    415: say("Send JSON, with Content-Type application/json."),
    421: say(
        "This kiosk does not go by that name. Use its address, or list the name under server.names in the settings."
    ),
    500: say("Something in the kiosk is broken; the table is safe. `trueroll doctor` says more."),
}
"""What a person can do about each status of HTTP."""

_HTTP_TITLES: Final = (
    say("Bad Request"),
    say("Not Found"),
    say("Method Not Allowed"),
    say("Length Required"),
    say("Request Entity Too Large"),
    say("Request Header Fields Too Large"),
    say("Unsupported Media Type"),
    say("Misdirected Request"),
    say("Internal Server Error"),
)
"""The titles that HTTP gives errors, for the translators: the page looks them up by `HTTPStatus.phrase`."""


def status_of(error: Exception) -> int:
    """The HTTP status for an error of ours."""
    return next((known.status for kind, known in _KINDS if isinstance(error, kind)), _BROKEN.status)


def problem(error: Exception) -> AnyResponse:
    """The answer to an error that a handler raised."""
    if isinstance(error, HTTPException):
        return _http_problem(error)
    body, retry_after = problem_words(error)
    if body.type == f"/problems/{_BROKEN.name}":
        log.error("%s %s failed", request.method, request.path, exc_info=error)
    answer = _answer(body)
    if retry_after is not None:
        answer.headers["Retry-After"] = str(retry_after)
    return answer


def problem_words(error: Exception) -> tuple[Problem, int | None]:
    """An error of ours in words, and the seconds after which trying again is worth it, where that is known."""
    found = next((known for kind, known in _KINDS if isinstance(error, kind)), _BROKEN)
    retry_after = found.retry_after
    if isinstance(error, (errors.TooManyTriesError, errors.AskedTooOftenError)):
        retry_after = error.retry_after
    return Problem(
        type=f"/problems/{found.name}",
        title=known(found.title),
        status=found.status,
        detail=_HTTP_WORDS[500] if found is _BROKEN else errors.words_of(error),
        rule=error.rule if isinstance(error, Refusal) else UNSET,
        place=error.place if isinstance(error, errors.WireError) else UNSET,
        near=error.near if isinstance(error, errors.UnknownCommandError) and error.near else UNSET,
    ), retry_after


def http_words(status: int, detail: str = "") -> Problem:
    """A problem that is HTTP's own, such as 404, in words that say what the person can do."""
    title = known(HTTPStatus(status).phrase)
    words = known(detail) if detail else _HTTP_WORDS.get(status) or say("{title}.", title=title)
    return Problem(type=f"/problems/http-{status}", title=title, status=status, detail=words)


def http_problem(status: int, detail: str = "") -> Response:
    """The answer for a problem that is HTTP's own."""
    return _answer(http_words(status, detail))


def _http_problem(error: HTTPException) -> AnyResponse:
    if error.code is not None and error.code < HTTPStatus.BAD_REQUEST:
        return error.get_response(request.environ)  # a redirect is no error
    answer = http_problem(error.code or 500)
    for name, value in error.get_headers():
        if name in {"Allow", "Retry-After"}:
            answer.headers[name] = value
    return answer


def wants_page(path: str, accept: str) -> bool:
    """Whether a person at a browser asks, not a program, so that the answer is a page.

    `accept` is the request's Accept header. The API answers every client alike.
    """
    if path.startswith("/api/") or "html" not in accept:
        return False
    return parse_accept_header(accept, MIMEAccept).best_match(("text/html", MEDIA_TYPE)) == "text/html"


def unkept_at(app: object) -> str:
    """Says that decisions are not saved now, and why; empty while they are, and in other applications."""
    services: Services | None = app.extensions.get("trueroll") if isinstance(app, Flask) else None
    why = services.engine.trouble if services is not None else None
    return "" if why is None else not_kept_words(why)


def written(body: Problem, *, page: bool, unkept: str = "", skin: str = "") -> tuple[bytes, str]:
    """`body` as bytes and their media type: a page with a way back to the start, which says `unkept`, too, or JSON.

    The page has the colours of `skin`; without one it is dark.
    """
    if not page:
        return encode_in(body, page_catalog(language_now())), MEDIA_TYPE
    language = language_now()
    title, detail, back, lost = (
        escape(shown_now(one)) for one in (body.title, body.detail, say("To the start"), unkept)
    )
    aside = f'<aside class="error">{lost}</aside>' if lost else ""
    text = (
        f'<!doctype html><html lang="{language.code}" dir="{language.direction}" data-theme="{skin}"><head>'
        '<meta charset="utf-8">'
        f"<title>{title} - trueroll</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="stylesheet" href="/static/base.css"></head>'
        f"<body>{aside}<main><h1>{title}</h1><p>{detail}</p>"
        f'<p><a href="/">{back}</a></p></main></body></html>'
    )
    return text.encode(), "text/html; charset=utf-8"


def _answer(body: Problem) -> Response:
    page = wants_page(request.path, request.headers.get("Accept", ""))
    made, media_type = written(body, page=page, unkept=unkept_at(current_app), skin=listener_of(request.cookies).skin)
    return Response(made, body.status, content_type=media_type)
