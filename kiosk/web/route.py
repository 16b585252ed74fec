"""Describes one operation of the API, for the application and its documentation, with helpers for handlers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from flask import Response
from msgspec import Struct

from kiosk.i18n.current import language_now
from kiosk.storage.wire import encode_in
from kiosk.web.access import AccessLevel
from kiosk.web.services import Services

HEADER: Final = "X-Trueroll"
"""Required on whatever changes something: no other site's page can set it without asking."""

Query = tuple[str, Mapping[str, object], str]
"""One name of a query, its schema and what it means."""

LANGUAGE: Final[Query] = (
    "language",
    {"type": "string", "maxLength": 12},
    "A language's code, such as `de`. Without it, what the device chose, else what `Accept-Language` likes best.",
)
"""The query that names a language, as the table of routes has it."""

CHANGE_FAILS: Final = (400, 401, 403, 409, 413)
"""The statuses with which whatever changes something may be refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One operation: how it is reached, who may use it, what it takes and gives, and how it may fail.

    `path` is written as Flask has it; `query` holds name -> (schema, description). `takes` is the media type of a body
    that is no JSON.
    """

    method: Literal["GET", "POST"]
    path: str
    name: str
    summary: str
    handler: Callable[[Services], Response]
    needs: AccessLevel = AccessLevel.GUEST
    body: Any = None
    takes: str = ""
    answer: Any = None
    media_type: str = "application/json"
    problems: tuple[int, ...] = ()
    query: tuple[Query, ...] = ()


def answered(value: Struct, status: int = 200) -> Response:
    """`value` as JSON, in the language of the present request."""
    return Response(encode_in(value, language_now().catalog), status, mimetype="application/json")
