"""The page of how people are spoken to, at their own device and in the room, and the list of keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from kiosk.errors import AccessError, KioskError, WireError, words_of
from kiosk.storage.type_registration import registered
from kiosk.web.access import AccessLevel
from kiosk.web.hearing import VoiceChoice, answer_in_room, choose_for_room
from kiosk.web.listeners import Keys, ListenerChoice, changed, listener_of, with_listener
from kiosk.web.problems import status_of
from kiosk.web.visit import Visit, page, visit
from rules.words import say

voice_pages = Blueprint("voice_pages", __name__)

LENGTHS: Final = (
    ("terse", say("Short: the outcome")),
    ("normal", say("Normal: the outcome and what made it")),
    ("full", say("Full: every die too")),
)
"""How much is said, by the words of the setting."""
RATES: Final = (
    ("0.8", say("Slow")),
    ("1.0", say("Usual")),
    ("1.3", say("Brisk")),
    ("1.6", say("Fast")),
    ("2.0", say("Very fast")),
    ("2.5", say("As fast as can be")),
)
"""How fast it is said, as a multiple of the usual speed."""
VOLUMES: Final = (
    ("40", say("Quiet")),
    ("70", say("Soft")),
    ("100", say("Usual")),
    ("150", say("Loud")),
    ("200", say("Loudest")),
)
"""How loud it is said, in hundredths of the usual loudness."""
TIMBRES: Final = (("plain", say("Plain")), ("deep", say("Deep")), ("bright", say("Bright")), ("soft", say("Soft")))
"""In which voice it is said."""
EARS: Final = (
    ("off", say("Nothing: I read it, or my screen reader does")),
    ("kiosk", say("The kiosk's voice")),
    ("device", say("This device's own voice")),
)
"""What speaks at this device."""
ASKED: Final = (
    ("again", say("Repeat")),
    ("more", say("More detail")),
    ("pools", say("Pools")),
    ("turn", say("Whose turn")),
)
"""What can be asked for at any time, with the words on its button."""

T = TypeVar("T", bound=msgspec.Struct)
"""A record of settings, such as a listener's."""


@voice_pages.get("/voice")
def voice() -> Response:
    """How one is spoken to at this device, and all in the room."""
    now = visit()
    return page("voice.html", now, **_parts(now))


@voice_pages.get("/keys")
def all_keys() -> Response:
    """Every key that does something, page by page; the letters are those of the device that asks."""
    return page("keys.html", visit(), asked=ASKED)


@voice_pages.post("/voice")
def choose_voice() -> AnyResponse:
    """Keep what a form chose, for this device or for the room."""
    now = visit()
    form = request.form
    services = now.services
    listener = listener_of(request.cookies)
    try:
        if not services.access.form_token_right(form.get("token", ""), now.who, now.cookie):
            raise AccessError("This form is too old or not from this kiosk. Try once more from this page.")
        if form.get("whose") == "keys":
            listener = changed(listener, ListenerChoice(keys=_keys(form)))
            return with_listener(Response(status=303, headers={"Location": "/voice#keys"}), listener)
        if form.get("whose") != "room":
            listener = changed(listener, _choice(form, ListenerChoice))
            return with_listener(Response(status=303, headers={"Location": "/voice"}), listener)
        services.access.require(now.who, AccessLevel.PLAYER)
        if (what := form.get("what", "")) in dict(ASKED):
            answer_in_room(services, what)  # type: ignore[arg-type]  # it is one of them
        else:
            choose_for_room(services, _choice(form, VoiceChoice))
    except KioskError as error:
        return page("voice.html", now, status=status_of(error), **_parts(now), problem=words_of(error))
    return redirect("/voice#room", 303)


def _choice(form: Mapping[str, str], kind: type[T]) -> T:
    """What the form chose; a box that is not ticked is no. Raises `WireError` for what cannot be chosen."""
    names = {one.name for one in msgspec.structs.fields(kind)} - {"language"}
    ticked = {"earcons", "tones", "muted"} & names
    given: dict[str, Any] = {name: form[name] for name in names - ticked if name in form}
    given |= {name: name in form for name in ticked}
    try:
        return msgspec.convert(given, registered(kind), strict=False)
    except msgspec.ValidationError:
        raise WireError(say("The voice cannot be so. Choose from the lists."), "voice") from None


def _keys(form: Mapping[str, str]) -> Keys:
    """The keys that the form chose. Raises `WireError` where one key would ask for two things."""
    letters = {name: form.get(name, "").strip().lower()[:1] for name, _ in ASKED}
    given = [one for one in letters.values() if one]
    if len(given) != len(set(given)):
        raise WireError(say("Each needs a key of its own."), "keys")
    return Keys(on="on" in form, panel="panel" in form, **letters)


def _with(listed: tuple[tuple[str, str], ...], chosen: list[str]) -> list[tuple[str, str]]:
    """The list with a value chosen elsewhere added in order."""
    more = [(one, one) for one in dict.fromkeys(chosen) if one not in dict(listed)]
    return sorted([*listed, *more], key=lambda one: float(one[0]))


def _parts(now: Visit) -> dict[str, Any]:
    listener, room = listener_of(request.cookies), now.services.voice
    manners = (listener.manner, room.manner)
    return {
        "room": room,
        "room_chosen": {**msgspec.structs.asdict(room.manner), "length": room.length},
        "lengths": LENGTHS,
        "rates": _with(RATES, [str(one.rate) for one in manners]),
        "volumes": _with(VOLUMES, [str(one.volume) for one in manners]),
        "timbres": TIMBRES,
        "ears": EARS,
        "asked": ASKED,
    }
