"""In which language a request is answered.

A page's stream names its language itself; else it is what the device chose, what the room speaks where the kiosk's own
browser asks, what the browser prefers, and at last the room's again. The table's screen is the room's, whoever looks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from flask import g, request

from kiosk.ports import Language
from kiosk.web.access import COOKIE
from kiosk.web.listeners import listener_of
from kiosk.web.services import Services

ROOMS_OWN: Final = frozenset({"/display"})
"""Pages that are the room's, on whatever device."""

LONGEST_HEADER: Final = 400
"""Characters of Accept-Language; a longer one is passed over."""

LONGEST_CODE: Final = 12


def set_request_language(kiosk: Services) -> None:
    """Let the present request be answered in its language."""
    g.language = language_of_request(kiosk)


def language_of_request(kiosk: Services) -> Language:
    """The language of the present request."""
    room = kiosk.room
    if request.path in ROOMS_OWN:
        return room.language
    wanted = [request.args.get("language", "")[:LONGEST_CODE], listener_of(request.cookies).language]
    if kiosk.access.identify(request.remote_addr, request.cookies.get(COOKIE)).local:
        wanted.append(room.chosen)
    found = _first(wanted, room.languages.codes) or _accepted(room.languages.codes)
    return room.languages.language(found) if found else room.language


def _first(wanted: Iterable[str], codes: tuple[str, ...]) -> str:
    tried = (each for one in wanted for each in (one, one.partition("-")[0]))
    return next((one for one in tried if one in codes), "")


def _accepted(codes: tuple[str, ...]) -> str:
    """The language that the browser likes best of those there are; empty where it names none of them."""
    if len(request.headers.get("Accept-Language", "")) > LONGEST_HEADER:
        return ""
    return _first((code.lower() for code, quality in request.accept_languages if quality > 0), codes)
