"""The page on which people choose a language, each at their own device and all in the room."""

from __future__ import annotations

from typing import Final

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from kiosk.errors import AccessError, KioskError, WireError, words_of
from kiosk.web.access import AccessLevel
from kiosk.web.listeners import listener_of, with_listener
from kiosk.web.problems import status_of
from kiosk.web.visit import Visit, page, visit
from rules.words import say

language_pages = Blueprint("language_pages", __name__)

ADDRESS: Final = "/language"


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
            return redirect(ADDRESS, 303)
        if wanted and wanted not in services.room.languages:
            raise WireError(say("Choose a language from the list."), "language")
    except KioskError as error:
        return _page(now, status=status_of(error), problem=words_of(error))
    listener = msgspec.structs.replace(listener_of(request.cookies), language=wanted)
    return with_listener(Response(status=303, headers={"Location": ADDRESS}), listener)


def _page(now: Visit, *, status: int = 200, problem: str = "") -> Response:
    room = now.services.room
    return page(
        "language.html",
        now,
        status=status,
        problem=problem,
        languages=room.languages.names(),
        mine=listener_of(request.cookies).language,
        rooms=room.language.code,
    )
