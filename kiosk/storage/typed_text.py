"""Cleans typed text of invisible characters: control characters, and those that turn the direction of writing.

With them a name could look like another line of a page, or another's name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from unicodedata import category

_JOINERS: Final = "\u200c\u200d"
"""Joiners between letters, as in Persian and some Indian scripts, and between the parts of one emoji."""

_HARM: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Controls, what turns the direction or is not seen, halves of a pair, and ends of lines and paragraphs."""


_APART: Final = dict.fromkeys(map(ord, "\u2068\u2069"))
"""What pages set names apart with: it comes back where somebody copies one."""


def visible(typed: str) -> str:
    """`typed` on one line; each run of invisible characters becomes a space, and what sets a name apart goes."""
    typed = typed.translate(_APART)
    if typed.isprintable():
        return typed
    return " ".join("".join(one if one.isprintable() or one in _JOINERS else " " for one in typed).split())


def harmless(brought: str) -> str:
    """As `visible`, but only where there is such a character: other texts stay as they are, with each of their spaces.

    For what another program wrote: nothing of it may be lost that does no harm.
    """
    if brought.isprintable() or not any(category(one) in _HARM and one not in _JOINERS for one in brought):
        return brought
    return visible(brought)


def visible_in(raw: Any, clean: Callable[[str], str] = visible) -> Any:  # noqa: ANN401 - JSON may be anything
    """A JSON value with each text cleaned; names of fields stay. Raises `RecursionError`."""
    match raw:
        case str():
            return clean(raw)
        case list() | tuple():
            return [visible_in(one, clean) for one in raw]
        case dict():
            return {name: visible_in(one, clean) for name, one in raw.items()}
        case _:
            return raw
