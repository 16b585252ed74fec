"""The fields of plain HTML forms, read one by one: what a person typed becomes text, a number, a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from kiosk.errors import WireError
from kiosk.views.stage.names import titled
from rules.game import LONGEST_NAME
from rules.words import Phrase, say

SHOWN_OF_NAME: Final = 20
"""Characters of a refused name that are shown."""

Form = Mapping[str, str]
"""A form as it was sent."""

Raw = dict[str, Any]
"""A command as JSON, not yet checked."""


class Typed(Mapping[str, str]):
    """What was typed into the form that was refused, so that nobody types it twice.

    While a page is drawn, each form states its action at its beginning, so that other forms than the refused one get
    nothing. Without these statements every form gets all of it.
    """

    def __init__(self, form: Form, action: str = "") -> None:
        self._form = form
        self._action = action
        self._here = True

    def begin(self, action: str, about: Form) -> None:
        """Begin the form for `action` with the hidden fields `about`: it shows what is read from now on."""
        self._here = not action or not self._action or self.of(action, **about)

    def of(self, action: str, **about: str) -> bool:
        """Whether the refused form is the one for `action` with the hidden fields `about`."""
        return (
            bool(self._action)
            and action == self._action
            and all(self._form.get(name) == value for name, value in about.items())
        )

    @property
    def wrong_field(self) -> str:
        """Which field of the refused form is wrong, whatever form is drawn; empty if none was named."""
        return self._form.get("wrong", "")

    def __getitem__(self, name: str) -> str:
        if not self._here:
            raise KeyError(name)
        return self._form[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._form if self._here else ())

    def __len__(self) -> int:
        return len(self._form) if self._here else 0


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
"""The refusals of names that are too long for any screen."""


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


def whole(form: Form, name: str, called: str = "") -> int:
    """The whole number in a field, 0 where it is empty. Raises `WireError` naming the field, or what it is `called`."""
    typed = text(form, name).replace("\N{MINUS SIGN}", "-")
    if not typed:
        return 0
    try:
        return int(typed)
    except ValueError:
        raise WireError(
            say(
                "{field} must be a whole number, not {typed}.",
                field=called or titled(name.rstrip("123")),
                typed=repr(typed[:20]),
            ),
            name,
        ) from None


def declared_as(form: Form, declaration: Raw) -> Raw:
    """The command of a form that declares: at once, or in line where the page said so.

    What a page puts in line also waits for another's outcome that can still buy something.
    """
    if yes(form, "line"):
        return {"command": "line_up", "declaration": declaration, "waits": True}
    return {"command": "declare_task", "declaration": declaration}
