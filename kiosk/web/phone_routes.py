"""What the phones ask of the API beside the table itself: presets, chances, hidden rolls, the camera's switch."""

from __future__ import annotations

from typing import Final

from flask import Response, request

from kiosk.devices.camera_switch import AGAIN, STOPPED, CameraChoice, CameraView
from kiosk.errors import KioskError
from kiosk.storage.wire import decode_as, input_shape
from kiosk.views.hidden import HiddenChange, HiddenRolls
from kiosk.web.access import AccessLevel
from kiosk.web.acting_chances import post_choices
from kiosk.web.asking import who_asks
from kiosk.web.presets import CHARACTER, Choices, Presets, get_presets
from kiosk.web.route import CHANGE_FAILS, Route, answered
from kiosk.web.services import Services
from rules.game import Declaration, Narration, NarrationKind
from rules.words import say


def get_hidden(kiosk: Services) -> Response:
    """The hidden rolls."""
    return answered(kiosk.hidden.view())


def post_hidden(kiosk: Services) -> Response:
    """A step of a hidden roll."""
    change = decode_as(request.get_data(), HiddenChange)
    return answered(kiosk.hidden.do(change, "gamemaster", who_asks(kiosk).person))


def post_camera(kiosk: Services) -> Response:
    """Stop the camera, or start it again; the room hears it."""
    wanted = decode_as(request.get_data(), CameraChoice)
    if kiosk.camera is None:
        raise KioskError(say("There is no camera to stop: none is connected, or the settings switch it off."))
    if kiosk.camera.switch(running=wanted.running):
        said = AGAIN if wanted.running else STOPPED
        # asked for, so that the last outcome stays what "again" repeats
        kiosk.voice.ask(Narration(terse=said, normal=said, full=said, kind=NarrationKind.INFO))
    return answered(CameraView(running=kiosk.camera.running))


PHONES: Final[tuple[Route, ...]] = (
    Route(
        method="GET",
        path="/api/v1/presets",
        name="getPresets",
        summary="Tasks that a character would declare next, each with its chance",
        handler=get_presets,
        answer=Presets,
        query=(CHARACTER,),
    ),
    Route(
        method="POST",
        path="/api/v1/odds/choices",
        name="computeChoices",
        summary="The chance of a Task with each other choice that could be made in it",
        handler=post_choices,
        body=input_shape(Declaration),
        answer=Choices,
        problems=(400, 403, 409, 413),
    ),
    Route(
        method="GET",
        path="/api/v1/hidden",
        name="getHiddenRolls",
        summary="The gamemaster's hidden rolls",
        handler=get_hidden,
        needs=AccessLevel.GAMEMASTER,
        answer=HiddenRolls,
        problems=(401, 403),
    ),
    Route(
        method="POST",
        path="/api/v1/hidden",
        name="changeHiddenRolls",
        summary="A step of a hidden roll: declare, enter, correct, show to all, or drop",
        handler=post_hidden,
        needs=AccessLevel.GAMEMASTER,
        body=HiddenChange,
        answer=HiddenRolls,
        problems=(*CHANGE_FAILS, 503, 504, 507),
    ),
    Route(
        method="POST",
        path="/api/v1/camera",
        name="switchCamera",
        summary="Stop the camera, or start it again",
        handler=post_camera,
        needs=AccessLevel.GAMEMASTER,
        body=CameraChoice,
        answer=CameraView,
        problems=CHANGE_FAILS,
    ),
)
"""The phones' own operations."""
