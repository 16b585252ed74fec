"""The colours of one device: chosen on a page that every other leads to, and kept in that device's cookie alone."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response, request
from werkzeug.wrappers import Response as AnyResponse

from kiosk.errors import AccessError, KioskError, WireError, words_of
from kiosk.views.page_words import SKINS
from kiosk.web.listeners import listener_of, with_listener
from kiosk.web.problems import status_of
from kiosk.web.visit import own_path, page, visit
from rules.words import say

colour_pages = Blueprint("colour_pages", __name__)


@colour_pages.get("/colours")
def colours() -> Response:
    """In which colours this device shows the pages."""
    return page("colours.html", visit(), back=own_path(request.args.get("back", "")))


@colour_pages.post("/colours")
def choose_colours() -> AnyResponse:
    """Keep what was chosen, at this device alone."""
    now = visit()
    back = own_path(request.form.get("back", ""))
    wanted: Any = request.form.get("skin", "")
    try:
        if not now.services.access.form_token_right(request.form.get("token", ""), now.who, now.cookie):
            raise AccessError("This form is too old or not from this kiosk. Try once more from this page.")
        if wanted and wanted not in dict(SKINS):
            raise WireError(say("Choose colours from the list."), "skin")
    except KioskError as error:
        more: dict[str, Any] = {"problem": words_of(error), "back": back}
        return page("colours.html", now, status=status_of(error), **more)
    listener = msgspec.structs.replace(listener_of(request.cookies), skin=wanted)
    return with_listener(Response(status=303, headers={"Location": f"/colours?{urlencode({'back': back})}"}), listener)
