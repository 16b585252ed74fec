"""Replaces symbols by words of the spoken language, because a synthesiser would mumble or skip them.

The sentences of the rules have no signs; names, notes and what other parts report may. Captions keep what was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from rules.words import Catalog, Phrase, say

_NUMBER: Final = r"(\d+(?:[.,]\d+)?)"
"""A number, with decimals or without."""

_WAYS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Phrase]], ...]] = (
    (
        re.compile(rf"(?<![\w.,/]){_NUMBER} ?/ ?{_NUMBER}(?![\w.,]*/)"),
        lambda found: say("{part} of {whole}", part=found[1], whole=found[2]),
    ),
    (
        re.compile(rf"(?<![\w.,\u2013\u2014-]){_NUMBER} ?[\u2013\u2014-] ?{_NUMBER}(?!\w|[\u2013\u2014-]\d)"),
        lambda found: say("{lowest} to {highest}", lowest=found[1], highest=found[2]),
    ),
    (re.compile(rf"[\u2265\u2a7e] ?{_NUMBER}"), lambda found: say("at least {number}", number=found[1])),
    (re.compile(rf"[\u2264\u2a7d] ?{_NUMBER}"), lambda found: say("at most {number}", number=found[1])),
    (re.compile(rf"(?<!\w)[\u2212-] ?{_NUMBER}"), lambda found: say("minus {number}", number=found[1])),
    (re.compile(rf"[\u00d7] ?{_NUMBER}"), lambda found: say("times {number}", number=found[1])),
    (re.compile(rf"{_NUMBER} ?\u00d7"), lambda found: say("{number} times", number=found[1])),
    (re.compile(r"(?<=\s)\+(?=\s)"), lambda _: say("plus")),
    (re.compile(r"(?<=\s)&(?=\s)"), lambda _: say("and")),
    (re.compile(r"(?<=\s)[\u2192\u21d2](?=\s)"), lambda _: say("then")),
)
"""The symbols that stand for words, in the order of the search: those between two numbers come first."""

_PAUSE: Final = re.compile(r"\s*[\u2013\u2014\u00b7\u2022|()\[\]{}\u2026]+\s*(?=\w)|\s+[-/]\s+")
"""Dashes, brackets, bullets and slashes between words: they are spoken like a comma."""

_UNHEARD: Final = re.compile(r"[*_#^~`<>=@\\\u2713\u2717\u25b2\u26a0|\u00b7\u2022\u2026()\[\]{}]+")
"""Characters that would be spelt out and have no meaning when heard."""

_BEFORE_MARK: Final = re.compile(r"\s+(?=[,.:;])")
"""The space before a punctuation mark, which taking signs out leaves."""
_LOOSE_COMMA: Final = re.compile(r",(?:\s*,)+")
"""Several commas with nothing between them."""
_AFTER_STOP: Final = re.compile(r"(^|[.:;!?])\s*,")
"""A comma that nothing precedes."""


def sayable(text: str, catalog: Catalog) -> str:
    """`text` with its signs in words of `catalog`. Words, figures and marks that end a sentence stay as they are."""
    for sign, words in _WAYS:
        text = sign.sub(_in_language(words, catalog), text)
    text = _UNHEARD.sub(" ", _PAUSE.sub(", ", text))
    text = _AFTER_STOP.sub(r"\1", _LOOSE_COMMA.sub(",", _BEFORE_MARK.sub("", text)))
    return " ".join(text.split())


def _in_language(words: Callable[[re.Match[str]], Phrase], catalog: Catalog) -> Callable[[re.Match[str]], str]:
    return lambda found: words(found).rendered(catalog)
