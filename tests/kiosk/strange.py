"""The kiosk in a language that nobody speaks: every template with strange letters, so that English words stand out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from kiosk.i18n.languages import Translations
from kiosk.ports import Language
from tests.words import kept

_PLACE: Final = re.compile(r"(\{\w+\}|%\(\w+\)s)")

READ: Final = frozenset(
    {
        *("terse", "normal", "full", "questions", "asked", "why_not", "menu", "undo", "redo"),
        *("word", "who", "lines", "facts", "words", "name", "value", "label", "what", "remedy"),
    }
)
"""Keys of the view whose texts people read or hear."""

KEPT: Final = frozenset({"table", "command", "about", "sounds", "screen", "voice"})
"""Keys of the view below which pages and programs find values to compare and to send back."""


@cache
def strange_words() -> MappingProxyType[str, str]:
    """Every template, made strange."""
    found: dict[str, str] = {}
    for message in kept():
        for one in (message.id,) if isinstance(message.id, str) else tuple(message.id):
            found[one] = "".join(part if _PLACE.fullmatch(part) else _odd(part) for part in _PLACE.split(one))
    return MappingProxyType(found)


class _Strange:
    def gettext(self, message: str) -> str:
        return strange_words().get(message, message)

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        return self.gettext(singular if number == 1 else plural)


STRANGE: Final = Language("eo", "Esperanto", "ltr", Translations(_Strange()), MappingProxyType({}))  # type: ignore[arg-type]  # it says what a catalog says


def read_texts(view: Any, key: str = "", within: str = "") -> Iterator[str]:  # noqa: ANN401 - any JSON
    """The texts of a view that somebody reads or hears."""
    if isinstance(view, dict):
        for name, value in view.items():
            if name not in KEPT:
                yield from read_texts(value, name, key)
    elif isinstance(view, list):
        for one in view:
            yield from read_texts(one, key, within)
    elif isinstance(view, str) and key in READ:
        yield view


def english_in(text: str, names: Iterator[str] | frozenset[str]) -> list[str]:
    """The words of `text` that nobody translated, but for `names`."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "")
    return re.findall(r"[A-Za-z]{2,}", text)


def _odd(words: str) -> str:
    return "".join("ø" if one.isalpha() else one for one in words)
