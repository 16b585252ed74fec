"""The language of an answer, and the page on which people choose it, for their own device or for the room.

A page's stream names its language itself. Otherwise it is, in this order: the device's choice, the room's for the
kiosk's own browser, the browser's preference, the room's. The table's screen is the room's, whoever looks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from flask import Blueprint, Response, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from kiosk.errors import AccessError, KioskError, WireError, words_of
from kiosk.ports import Language
from kiosk.web.access import COOKIE, AccessLevel
from kiosk.web.asking import sender
from kiosk.web.listeners import listener_of, with_listener
from kiosk.web.problems import status_of
from kiosk.web.services import Services
from kiosk.web.visit import Visit, own_path, page, visit
from rules.words import say

language_pages = Blueprint("language_pages", __name__)

ADDRESS: Final = "/language"
"""The path of the page."""


@language_pages.get(ADDRESS)
def language() -> Response:
    """In which language one reads and hears at this device, and all in the room."""
    return _page(visit())


@language_pages.post(ADDRESS)
def choose_language() -> AnyResponse:
    """Keep the language that a form chose, for this device or for the room."""
    now = visit()
    form, services = request.form, now.services
    wanted = form.get("language", "")
    try:
        if not services.access.form_token_right(form.get("token", ""), now.who, now.cookie):
            raise AccessError("This form is too old or not from this kiosk. Try once more from this page.")
        if form.get("whose") == "room":
            services.access.require(now.who, AccessLevel.GAMEMASTER)
            services.room.choose(wanted)
            services.hub.publish_table()
            return redirect("/display?step=ruleset" if form.get("back") == "/display" else ADDRESS, 303)
        if wanted and wanted not in services.room.languages:
            raise WireError(say("Choose a language from the list."), "language")
    except KioskError as error:
        return _page(now, status=status_of(error), problem=words_of(error))
    listener = msgspec.structs.replace(listener_of(request.cookies), language=wanted)
    back = own_path(form.get("back", ""), ADDRESS)
    return with_listener(Response(status=303, headers={"Location": back}), listener)


def _page(now: Visit, *, status: int = 200, problem: str = "") -> Response:
    room = now.services.room
    back = request.form.get("back", "") or request.args.get("back", "")
    return page(
        "language.html",
        now,
        status=status,
        problem=problem,
        languages=room.languages.names(),
        mine=listener_of(request.cookies).language,
        rooms=room.language.code,
        back=own_path(back, ""),
    )


ROOMS_OWN: Final = frozenset({"/display"})
"""Pages that are the room's, on whatever device."""

LONGEST_HEADER: Final = 400
"""Characters of Accept-Language; a longer one is passed over."""

LONGEST_CODE: Final = 12
"""Characters of a language's code in an address; what stands after them is cut off."""


def set_request_language(kiosk: Services) -> None:
    """Set the language for answering the present request."""
    g.language = language_of_request(kiosk)


def language_of_request(kiosk: Services) -> Language:
    """The language of the present request."""
    room = kiosk.room
    if request.path in ROOMS_OWN:
        return room.language
    wanted = [request.args.get("language", "")[:LONGEST_CODE], listener_of(request.cookies).language]
    if kiosk.access.identify(sender(kiosk), request.cookies.get(COOKIE)).local:
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
