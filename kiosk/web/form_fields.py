"""The fields of plain HTML forms, read one by one: what a person typed becomes text, a number, a choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from kiosk.errors import WireError
from kiosk.views.stage import titled
from rules.words import Phrase, say

LONGEST_NAME: Final = 60
"""Characters in a name that a form takes: more than anybody's, and it still fits every screen."""

SHOWN_OF_NAME: Final = 20
"""Characters of a refused name that are shown."""

Form = Mapping[str, str]
"""A form as it was sent."""

Raw = dict[str, Any]
"""A command as JSON, not yet checked."""


_TOO_LONG: Final[Mapping[str, Callable[[int, str, int], Phrase]]] = {
    "a character": lambda most, shown, length: say(
        "A character's name may have at most {most} characters; {shown} has {length}.",
        most=most,
        shown=shown,
        length=length,
    ),
    "a player": lambda most, shown, length: say(
        "A player's name may have at most {most} characters; {shown} has {length}.",
        most=most,
        shown=shown,
        length=length,
    ),
    "a ship": lambda most, shown, length: say(
        "A ship's name may have at most {most} characters; {shown} has {length}.",
        most=most,
        shown=shown,
        length=length,
    ),
}
"""Whose name is too long for any screen."""


def text(form: Form, name: str) -> str:
    """What was typed in a field, without outer spaces; empty where nothing was."""
    return form.get(name, "").strip()


def name_of(form: Form, field: str, whose: str) -> str:
    """The name in a field, of `whose` (`a player`). Raises `WireError` where it is too long for any screen."""
    return checked_name(text(form, field), whose, field)


def checked_name(typed: str, whose: str, field: str) -> str:
    """`typed` where it is short enough for a name; raises `WireError` with words for the person."""
    if len(typed) > LONGEST_NAME:
        raise WireError(_TOO_LONG[whose](LONGEST_NAME, f"'{typed[:SHOWN_OF_NAME]}…'", len(typed)), field)
    return typed


def yes(form: Form, name: str) -> bool:
    """Whether a box was ticked."""
    return form.get(name) == "yes"


def lines(form: Form, name: str) -> list[str]:
    """What was typed in a field, line by line."""
    return [line.strip() for line in form.get(name, "").splitlines() if line.strip()]


def whole(form: Form, name: str) -> int:
    """The whole number in a field, 0 where it is empty. Raises `WireError` naming the field."""
    typed = text(form, name).replace("\N{MINUS SIGN}", "-")
    if not typed:
        return 0
    try:
        return int(typed)
    except ValueError:
        raise WireError(
            say(
                "{field} must be a whole number, not {typed}.",
                field=titled(name.rstrip("123")),
                typed=repr(typed[:20]),
            ),
            name,
        ) from None
