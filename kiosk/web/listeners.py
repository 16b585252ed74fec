"""How somebody listens and reads at one device, kept in a cookie of that device.

The cookie holds no secrets and no rights; an unreadable one counts as not chosen.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Annotated, Final, Literal

import msgspec
from flask import Response, request
from msgspec import UNSET, Meta, Struct, UnsetType

from kiosk.ports import USUAL, Length, Manner, Rate, Timbre, Volume
from kiosk.settings import Theme
from kiosk.storage.type_registration import registered
from kiosk.storage.wire import decode_as
from kiosk.web.route import Route, answered
from kiosk.web.services import Services

COOKIE: Final = "trueroll_listener"
"""The cookie in which a device keeps how it is spoken to."""
LONGEST_COOKIE: Final = 600
"""Characters; a whole record has some 350."""

YEAR_SECONDS: Final = 365 * 24 * 3600
"""How long the browser keeps that cookie: a year."""

Ear = Literal["off", "kiosk", "device"]
"""What speaks each outcome at a device: nothing, audio from the kiosk, or the device's own voice."""

Language = Annotated[str, Meta(max_length=12, pattern=r"^([a-z]{2,3}(-[A-Za-z0-9]{2,8})?)?$")]
"""The code of a language, such as `de`; empty where none was chosen."""

Skin = Literal["", Theme]
"""The colours of a device; empty where none were chosen."""


Key = Annotated[str, Meta(max_length=1)]
"""A single key, as `r`; empty for none."""


class Keys(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Single keys that ask at one device, `on` or not; with `panel` others are the panel's buttons at its screen."""

    on: bool = True
    panel: bool = True
    again: Key = "r"
    more: Key = "d"
    pools: Key = "p"
    turn: Key = "t"


class Listener(Struct, frozen=True, kw_only=True):
    """What one listener chose. `language` and `skin` are empty where the browser or the kiosk chooses."""

    language: Language = ""
    skin: Skin = ""
    length: Length = "normal"
    rate: Rate = 1.0
    volume: Volume = 100
    voice: Timbre = "plain"
    earcons: bool = False
    tones: bool = False
    ear: Ear = "off"
    keys: Keys = Keys()

    @property
    def manner(self) -> Manner:
        """How this listener is spoken to."""
        return Manner(rate=self.rate, volume=self.volume, voice=self.voice, earcons=self.earcons, tones=self.tones)


class ListenerChoice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Changes for this device; omitted fields stay as they are."""

    language: Annotated[Language | UnsetType, Meta(description="A language's code; empty leaves it open.")] = UNSET
    skin: Annotated[Skin | UnsetType, Meta(description="Colours of the pages; empty as the kiosk has them.")] = UNSET
    length: Annotated[Length | UnsetType, Meta(description="How much is said of each outcome.")] = UNSET
    rate: Annotated[Rate | UnsetType, Meta(description="How fast, as a multiple of the usual.")] = UNSET
    volume: Annotated[Volume | UnsetType, Meta(description="How loud, in hundredths of the usual.")] = UNSET
    voice: Annotated[Timbre | UnsetType, Meta(description="The sound of the voice.")] = UNSET
    earcons: Annotated[bool | UnsetType, Meta(description="Each player's own sound before their results.")] = UNSET
    tones: Annotated[bool | UnsetType, Meta(description="A sound that tells how a result went.")] = UNSET
    ear: Annotated[Ear | UnsetType, Meta(description="What speaks each outcome at this device.")] = UNSET
    keys: Annotated[Keys | UnsetType, Meta(description="Which single keys ask at this device.")] = UNSET


ANYBODY: Final = Listener(
    rate=USUAL.rate, volume=USUAL.volume, voice=USUAL.voice, earcons=USUAL.earcons, tones=USUAL.tones
)
"""One who has chosen nothing."""


def listener_of(cookies: Mapping[str, str]) -> Listener:
    """The listener at the device that sent `cookies`."""
    kept = cookies.get(COOKIE, "")
    if not kept or len(kept) > LONGEST_COOKIE:
        return ANYBODY
    try:
        return msgspec.json.decode(base64.urlsafe_b64decode(kept.encode()), type=registered(Listener))
    except (msgspec.MsgspecError, binascii.Error, ValueError):
        return ANYBODY


def changed(listener: Listener, choice: ListenerChoice) -> Listener:
    """`listener` with what was chosen."""
    chosen = {key: value for key, value in msgspec.structs.asdict(choice).items() if value is not UNSET}
    return msgspec.structs.replace(listener, **chosen)


def with_listener(answer: Response, listener: Listener) -> Response:
    """`answer` with the cookie by which the device knows its listener again."""
    kept = base64.urlsafe_b64encode(msgspec.json.encode(listener)).decode()
    answer.set_cookie(COOKIE, kept, max_age=YEAR_SECONDS, httponly=True, samesite="Strict", path="/")
    return answer


def get_listener(kiosk: Services) -> Response:  # noqa: ARG001  # every handler takes the services
    """What the listener at this device chose."""
    return answered(listener_of(request.cookies))


def post_listener(kiosk: Services) -> Response:  # noqa: ARG001  # every handler takes the services
    """Choose for this device."""
    made = changed(listener_of(request.cookies), decode_as(request.get_data(), ListenerChoice))
    return with_listener(answered(made), made)


LISTENING: Final[tuple[Route, ...]] = (
    Route(
        method="GET",
        path="/api/v1/listener",
        name="getListener",
        summary="How whoever sits at this device wants to be spoken to",
        handler=get_listener,
        answer=Listener,
    ),
    Route(
        method="POST",
        path="/api/v1/listener",
        name="setListener",
        summary="Choose how one is spoken to at this device; a cookie keeps it there",
        handler=post_listener,
        body=ListenerChoice,
        answer=Listener,
        problems=(400, 403, 413),
    ),
)
"""The operations by which a device says how it is spoken to."""
