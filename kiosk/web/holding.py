"""The route by which phones and the display itself hold the table's screen still, and let it go on."""

from __future__ import annotations

from typing import Annotated, Final

from flask import Response, request
from msgspec import Meta, Struct

from kiosk.storage.wire import decode_as
from kiosk.views.screen import Screen
from kiosk.web.access import AccessLevel
from kiosk.web.route import Route, answered
from kiosk.web.services import Services


class Hold(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether the table's screen is to stay as it is, so that a result can be talked over."""

    held: Annotated[bool, Meta(description="False lets it show what is true now.")]


def post_hold(kiosk: Services) -> Response:
    """Hold the table's screen, or let it go on."""
    return answered(kiosk.hold_screen(held=decode_as(request.get_data(), Hold).held))


HOLDING: Final[tuple[Route, ...]] = (
    Route(
        method="POST",
        path="/api/v1/hold",
        name="holdScreen",
        summary="Hold the table's screen on what it shows, or let it go on",
        handler=post_hold,
        needs=AccessLevel.PLAYER,
        body=Hold,
        answer=Screen,
        problems=(400, 401, 403, 409, 413),
    ),
)
