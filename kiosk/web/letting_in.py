"""Lets phones in and keeps them out, over the API and by forms; only the gamemaster may choose.

At the kiosk itself that is whoever stands there, once the table's PIN was typed in where there is one.
"""

from __future__ import annotations

from typing import Annotated, Final

from flask import Blueprint, Response, redirect, request
from msgspec import Meta, Struct
from werkzeug.wrappers import Response as AnyResponse

from kiosk.errors import AccessError, KioskError, ServerError, words_of
from kiosk.storage.wire import decode_as
from kiosk.web.access import AccessLevel
from kiosk.web.problems import status_of
from kiosk.web.route import Route, answered
from kiosk.web.services import Services
from kiosk.web.visit import page, visit

letting_in = Blueprint("letting_in", __name__)

_BACK: Final = {"/display": "display.html", "/setup": "setup.html", "/gm": "gm.html", "/settings": "setup.html"}
"""Pages with a form that posts here, each with the template that shows a refusal."""


class NetworkChoice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether phones in the network are let in."""

    let_in: Annotated[bool, Meta(description="False closes the kiosk to them at once.")]


class NetworkView(Struct, frozen=True, kw_only=True):
    """Whether phones reach the kiosk, and what is in the way of choosing otherwise."""

    open_to_network: bool
    settled: Annotated[str, Meta(description="Why it cannot be chosen while the kiosk runs; empty where it can.")]
    trouble: Annotated[str, Meta(description="Why phones could not be let in when that was wanted last.")]


def _shown(kiosk: Services) -> NetworkView:
    network = kiosk.network
    return NetworkView(open_to_network=network.is_open, settled=network.settled or "", trouble=network.trouble)


def get_network(kiosk: Services) -> Response:
    """Whether phones reach the kiosk."""
    return answered(_shown(kiosk))


def post_network(kiosk: Services) -> Response:
    """Let phones in, or keep them out."""
    kiosk.network.choose(let_in=decode_as(request.get_data(), NetworkChoice).let_in)
    return answered(_shown(kiosk))


@letting_in.post("/network")
def choose() -> AnyResponse:
    """Do what the form asks and lead back; obstacles to letting phones in are shown on the page itself."""
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


NETWORK: Final[tuple[Route, ...]] = (
    Route(
        method="GET",
        path="/api/v1/network",
        name="getNetwork",
        summary="Whether phones in the network reach the kiosk, and what is in the way of choosing otherwise",
        handler=get_network,
        needs=AccessLevel.PLAYER,
        answer=NetworkView,
        problems=(401,),
    ),
    Route(
        method="POST",
        path="/api/v1/network",
        name="chooseNetwork",
        summary="Let phones in or keep them out, at once and kept over a restart",
        handler=post_network,
        needs=AccessLevel.GAMEMASTER,
        body=NetworkChoice,
        answer=NetworkView,
        problems=(400, 401, 403, 409, 413),
    ),
)
"""The operations by which the kiosk is opened to the network and closed again."""
