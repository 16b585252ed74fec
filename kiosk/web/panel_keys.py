"""The route by which pages press the panel's buttons."""

from __future__ import annotations

from typing import Annotated, Final

from flask import Response, request
from msgspec import Meta, Struct

from kiosk.panel.spoken_places import Gesture
from kiosk.storage.wire import decode_as
from kiosk.web.access import AccessLevel
from kiosk.web.route import Route, answered
from kiosk.web.services import Services


class Press(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is meant by a key: to move on or back in the spoken menu, to choose, to leave, to hear it again or more."""

    gesture: Annotated[Gesture, Meta(description="As a button of the panel means it.")]


def post_panel(kiosk: Services) -> Response:
    """Press a button of the panel; what comes of it is shown and said."""
    pressed = decode_as(request.get_data(), Press)
    kiosk.keys.press(pressed.gesture)
    return answered(pressed)


PANEL: Final[tuple[Route, ...]] = (
    Route(
        method="POST",
        path="/api/v1/panel",
        name="pressPanel",
        summary="Press a button of the panel's spoken menu, as a keyboard at the table's screen does",
        handler=post_panel,
        needs=AccessLevel.PLAYER,
        body=Press,
        answer=Press,
        problems=(400, 401, 403, 409, 413),
    ),
)
