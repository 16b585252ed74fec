"""The forms that let phones in and keep them out: at once, on the pages where one sets up and on the table's screen."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from kiosk.errors import AccessError, KioskError, ServerError, words_of
from kiosk.web.access import AccessLevel
from kiosk.web.problems import status_of
from kiosk.web.visit import page, visit

network_pages = Blueprint("network_pages", __name__)

_BACK: Final = {"/display": "display.html", "/setup": "setup.html", "/gm": "gm.html", "/settings": "setup.html"}
"""Pages with a form that posts here, each with the template that shows a refusal."""


@network_pages.post("/network")
def choose() -> AnyResponse:
    """Do what the form asks and lead back; what is in the way of letting phones in is told on the page itself."""
    now = visit()
    access, network = now.services.access, now.services.network
    back = request.form.get("back", "")
    back = back if back in _BACK else "/setup"
    try:
        if not access.form_token_right(request.form.get("token", ""), now.who, now.cookie):
            raise AccessError("This form is too old or not from this kiosk. Try once more from this page.")
        access.require(now.who, AccessLevel.GAMEMASTER)
        network.choose(let_in=request.form.get("let_in") == "yes")
    except ServerError:
        return redirect(f"{back}?step=phones#phones", 303)
    except KioskError as error:
        return page(_BACK[back], visit(), status=status_of(error), given=request.form, problem=words_of(error))
    return redirect(back if back == "/display" else f"{back}#phones", 303)
