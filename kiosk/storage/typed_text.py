"""Cleans typed text of invisible characters: control characters, and those that turn the direction of writing.

With them a name could look like another line of a page, or another's name.
"""

from __future__ import annotations

from typing import Any, Final

_JOINERS: Final = "\u200c\u200d"
"""Joiners between letters, as in Persian and some Indian scripts, and between the parts of one emoji."""


def visible(typed: str) -> str:
    """`typed` on one line; each run of invisible characters becomes a space."""
    if typed.isprintable():
        return typed
    return " ".join("".join(one if one.isprintable() or one in _JOINERS else " " for one in typed).split())


def visible_in(raw: Any) -> Any:  # noqa: ANN401 - JSON may be anything
    """A JSON value with each text cleaned by `visible`; names of fields stay. Raises `RecursionError`."""
    match raw:
        case str():
            return visible(raw)
        case list() | tuple():
            return [visible_in(one) for one in raw]
        case dict():
            return {name: visible_in(one) for name, one in raw.items()}
        case _:
            return raw
