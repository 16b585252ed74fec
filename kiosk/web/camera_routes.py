"""What the camera's page asks of the API while somebody looks at it."""

from __future__ import annotations

from typing import Final

from flask import Response

from kiosk.devices.camera_desk import CheckView
from kiosk.web.access import AccessLevel
from kiosk.web.route import Route, answered
from kiosk.web.services import Services


def get_check(kiosk: Services) -> Response:
    """What the camera's newest picture lacks."""
    return answered(kiosk.camera_desk.check(kiosk.sources))


CAMERA: Final = (
    Route(
        method="GET",
        path="/api/v1/camera/check",
        name="checkCamera",
        summary="What the camera's newest picture lacks for reading dice, and how the camera is calibrated",
        handler=get_check,
        needs=AccessLevel.PLAYER,
        answer=CheckView,
        problems=(401,),
    ),
)
