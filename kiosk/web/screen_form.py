"""The form of the table's screen: what was typed as a choice, and the screen in the words of the page."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from kiosk.errors import WireError
from kiosk.storage.type_registration import registered
from kiosk.views.screen import Screen, ScreenChoice, readable_metres
from kiosk.web.form_fields import Form, text, yes
from rules.words import Phrase, say


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenWords:
    """A screen as its page shows it.

    `readable` is the distance at which its letters are legible, if less than asked for.
    """

    diagonal: str
    distance: str
    readable: str
    far_enough: bool
    theme: str
    flip: bool
    wait_for_voice: bool


def shown(screen: Screen) -> ScreenWords:
    """`screen` in words."""
    reach = readable_metres(screen)
    return ScreenWords(
        diagonal=f"{screen.diagonal_inches:g}",
        distance=f"{screen.distance_metres:g}",
        readable=f"{reach:.1f}",
        far_enough=reach == screen.distance_metres,
        theme=screen.theme,
        flip=screen.flip,
        wait_for_voice=screen.wait_for_voice,
    )


def screen_choice(form: Form) -> ScreenChoice:
    """The form's choice. Raises `WireError` with words for the person if a field is no valid number."""
    typed = {
        "diagonal_inches": _number(form, "diagonal_inches", say("The diagonal must be a number, 3 to 120 inches.")),
        "distance_metres": _number(form, "distance_metres", say("The distance must be a number, 0.3 to 10 metres.")),
        "theme": text(form, "theme"),
        "flip": yes(form, "flip"),
        "wait_for_voice": yes(form, "wait_for_voice"),
    }
    try:
        return msgspec.convert(typed, registered(ScreenChoice))
    except msgspec.ValidationError:
        raise WireError(
            "The diagonal goes from 3 to 120 inches and the distance from 0.3 to 10 metres; "
            "choose the colours from the list.",
            "screen",
        ) from None


def screen_asked(form: Form, now: Screen) -> Screen:
    """`now` with the size and distance that the form has; `now` where they are no such numbers."""
    try:
        asked = msgspec.convert(
            {name: float(form[name]) for name in ("diagonal_inches", "distance_metres")}, registered(ScreenChoice)
        )
    except (KeyError, ValueError):
        return now
    return msgspec.structs.replace(
        now,
        diagonal_inches=asked.diagonal_inches or now.diagonal_inches,
        distance_metres=asked.distance_metres or now.distance_metres,
    )


def _number(form: Form, name: str, otherwise: Phrase) -> float:
    """A number with a point or a comma; raises `WireError` with the words of `otherwise`."""
    try:
        return float(text(form, name).replace(",", "."))
    except ValueError:
        raise WireError(otherwise, name) from None
