"""Pictures of a throw from phones, as bytes from a script or as the file of a plain form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final

from flask import Request, Response, request
from msgspec import Meta, Struct
from werkzeug.exceptions import RequestEntityTooLarge

from kiosk.devices.phone_pictures import LARGEST_PICTURE, PhonePictures
from kiosk.errors import KioskError, WireError
from kiosk.views.view import NarrationView, narration_view
from kiosk.web.access import AccessLevel
from kiosk.web.route import Query, Route, answered
from kiosk.web.services import Services
from rules.words import say

LARGEST_BODY: Final = 64 * 1024
"""Bytes of any other request; the largest command is a character of a few kilobytes."""
LARGEST_UPLOAD: Final = LARGEST_PICTURE + LARGEST_BODY
"""Bytes of a request that carries a picture, alone or among the fields of a form."""
PATH: Final = "/api/v1/pictures"
"""The path to which scripts send pictures."""
FORM_PATH: Final = "/text/picture"
"""The path to which the plain form sends them."""
PATHS: Final = frozenset({PATH, FORM_PATH})
"""The paths with requests as large as a picture."""

LARGEST_FILE: Final = 1024 * 1024
"""Bytes of a request with a file for or from a tray: half a minute of a tray's wire, or its firmware."""
FILE_PATHS: Final = frozenset({"/tray/firmware", "/tray/replay"})
"""Where the tray's page sends them."""

LONGEST_NUMBER: Final = 9
"""Digits of a throw's number; more than any table reaches."""

_REQUEST: Final[Query] = (
    "request",
    {"type": "integer", "minimum": 0},
    "The number of the throw that is awaited, from `request` of the table: the picture counts for no other.",
)
"""The query that names the throw for which a picture is sent."""


class PictureTaken(Struct, frozen=True, kw_only=True):
    """The dice of a picture were taken in: they count, or are held with questions, as the table says."""

    sequence: int
    narration: NarrationView | None
    notice: Annotated[str, Meta(description="What else is to be known of what lies there; mostly empty.")]


def require_size(asked: Request) -> None:
    """Raise `RequestEntityTooLarge` for a request of more bytes than its path allows."""
    most = LARGEST_UPLOAD if asked.path in PATHS else LARGEST_FILE if asked.path in FILE_PATHS else LARGEST_BODY
    if (asked.content_length or 0) > most:
        raise RequestEntityTooLarge


def taken_in(kiosk: Services, sent: Callable[[], tuple[bytes, str]]) -> PictureTaken:
    """Count the dice of the picture that was `sent`, for the throw of the number beside it.

    `sent` is asked once there is room for a picture. Raises `KioskError` and `Refusal` with words.
    """
    if kiosk.phone_pictures is None:
        raise KioskError(say("This kiosk reads no pictures. Enter the dice by hand."))
    with kiosk.phone_pictures.place():
        return _counted(kiosk, kiosk.phone_pictures, *sent())


def _counted(kiosk: Services, phones: PhonePictures, data: bytes, number: str) -> PictureTaken:
    if not (number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER):
        raise WireError(say("Say which throw the picture is of: the number of what the table waits for."), "request")
    if not data:
        raise WireError(say("No picture came. Take or choose one first."), "picture")
    made, notice = phones.count(kiosk.engine, data, int(number))
    return PictureTaken(sequence=made.sequence, narration=narration_view(made.said), notice=notice)


def post_picture(kiosk: Services) -> Response:
    """Read a picture of the throw that is awaited."""
    return answered(taken_in(kiosk, lambda: (request.get_data(cache=False), request.args.get("request", ""))))


def posted_picture() -> tuple[bytes, str]:
    """The file of the plain form that is answered, empty where none was chosen, and the number of its throw."""
    sent = request.files.get("picture")
    return sent.read() if sent is not None else b"", request.form.get("request", "")


PICTURES: Final[tuple[Route, ...]] = (
    Route(
        method="POST",
        path=PATH,
        name="readPicture",
        summary="Read a phone's picture of the throw that is awaited; the same file counts once",
        handler=post_picture,
        needs=AccessLevel.PLAYER,
        takes="image/*",
        answer=PictureTaken,
        query=(_REQUEST,),
        problems=(400, 401, 403, 409, 413, 503, 504, 507),
    ),
)
"""The operation that takes pictures."""
