"""The pages: each reads sensibly before, and without, any script; static/js then keeps it live."""

from __future__ import annotations

import math
from typing import Any, Final

from flask import Blueprint, Response, request
from markupsafe import Markup

from kiosk.access import Role, qr_svg
from kiosk.option_fields import fits
from kiosk.stage import shown_face, titled
from kiosk.text import forms
from kiosk.visit import Visit, joined, page, visit

pages = Blueprint("pages", __name__)
pages.register_blueprint(forms)
pages.add_app_template_filter(titled, "titled")
pages.add_app_template_filter(shown_face, "shown_face")
pages.add_app_template_filter(fits, "fits")

_WELL: Final = frozenset({"ready", "off", "absent"})
"""States of a source that the table's screen need not mention."""

_CAP_HEIGHT: Final = 0.67
"""Height of a capital in ems of the bundled font."""

_LEGIBLE_ANGLE: Final = math.radians(20 / 60)
"""Letters of 20 minutes of arc are read without effort (ISO 9241-3)."""

_HEIGHT_OF_DIAGONAL: Final = 0.4903
"""Of a 16:9 screen."""

_MILLIMETRES_PER_INCH: Final = 25.4


@pages.get("/")
def index() -> Response:
    """Choose a part; each missing source is named with what it would add."""
    return page("index.html", visit())


@pages.get("/setup")
def set_up() -> Response:
    """Ruleset, players, characters, ships."""
    return page("setup.html", visit())


@pages.get("/display")
def display() -> Response:
    """The table's screen."""
    now = visit()
    troubles = [
        f"{titled(one['source'])}: {one['state']}. {one['remedy']}".strip()
        for one in now.view["sources"]
        if one["state"] not in _WELL
    ]
    return page("display.html", now, troubles=troubles, **_invitation(now))


@pages.get("/display.css")
def display_size() -> Response:
    """The size of the smallest letters that the farthest player reads, from the display's settings."""
    settings = visit().services.config.display
    height = settings.diagonal_inches * _MILLIMETRES_PER_INCH * _HEIGHT_OF_DIAGONAL
    letter = settings.distance_metres * 1000 * math.tan(_LEGIBLE_ANGLE) / _CAP_HEIGHT
    share = min(6.5, max(3.0, 100 * letter / height))
    return Response(f":root {{ --legible: max(1rem, {share:.2f}vh); }}\n", mimetype="text/css")


@pages.get("/play")
def play() -> Response:
    """A player's phone."""
    return page("play.html", visit())


@pages.get("/gm")
def gamemaster() -> Response:
    """The gamemaster's page."""
    return page("gm.html", visit())


@pages.get("/conflict")
def conflict() -> Response:
    """A fight or a ship duel: who stands how, whose Turn it is, and acting in it."""
    return page("conflict.html", visit())


@pages.get("/text")
def text() -> Response:
    """Everything without script."""
    return page("text.html", visit())


@pages.get("/join")
def join() -> Response:
    """Type in a code, or arrive with it from the QR code."""
    now = visit()
    code = request.args.get("code", "")
    return joined(now, {"code": code}) if code else page("join.html", now)


def _invitation(now: Visit) -> dict[str, Any]:
    """The QR code, shown where the display already belongs to the table: never to a stranger on the network."""
    services = now.services
    if not services.access.open_to_network or now.who.role < Role.PLAYER:
        return {"qr": ""}
    address = services.access.join_address(int(request.environ["SERVER_PORT"]))  # the setting may be 0: any free one
    return {
        "qr": Markup(qr_svg(address)),  # noqa: S704 - our own drawing, no words of a person in it
        "join_address": address.partition("?")[0],
        "code": services.access.table_code,
    }
