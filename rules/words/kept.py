"""Phrases as plain values that a file can hold: a template and its fills, and the same phrase back.

`{"say": template}`, with `fills` where it has places; with `several` and `number` where it counts; `{"say": [parts],
"joint": text}` for parts in a row; `{"say": words, "altered": name}` for words changed as a whole. A fill is a number,
somebody's own words as text, or again such an object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final

from rules.words.phrases import (
    Altered,
    Counted,
    Fill,
    JoinedPhrase,
    Phrase,
    Said,
    altered,
    capital,
    joined_by,
    known,
    places_of,
)
from rules.words.terms import sayable

SAY: Final = "say"
"""The key by which a phrase is told from other objects; it stands first in each."""

ALTERATIONS: Final[Mapping[str, Callable[[str], str]]] = {"capital": capital, "sayable": sayable}
"""The functions by which words that are kept may be altered. A name that stands in a journal stays for ever."""

_NAMES: Final = {function: name for name, function in ALTERATIONS.items()}
"""The name under which each alteration is kept."""


def as_kept(phrase: Phrase) -> dict[str, Any] | str:
    """`phrase` as the object that a journal holds; plain text where nothing in it can be translated."""
    if not phrase:
        return ""
    if isinstance(phrase, Said):
        kept: dict[str, Any] = {SAY: phrase.template}
        if isinstance(phrase, Counted):
            kept |= {"several": phrase.several, "number": phrase.quantity}
        if phrase.fills:
            kept["fills"] = {place: _kept(fill) for place, fill in phrase.fills.items()}
        return kept
    if isinstance(phrase, JoinedPhrase):
        return {SAY: [_kept(one) for one in phrase.parts], "joint": phrase.joint}
    if isinstance(phrase, Altered) and phrase.alter in _NAMES:
        return {SAY: _kept(phrase.words), "altered": _NAMES[phrase.alter]}
    return str(phrase)


def from_kept(value: Mapping[str, Any]) -> Phrase:
    """The phrase that `as_kept` wrote. Raises `ValueError` for an object that holds none."""
    match value:
        case {"say": str(one), "several": str(several), "number": int(number), "fills": dict(fills), **rest} if (
            not rest
        ):
            return _counted(one, several, number, _fills(fills, one, several))
        case {"say": str(template), "fills": dict(fills), **rest} if not rest:
            return _filled(template, _fills(fills, template))
        case {"say": list(parts), "joint": str(joint), **rest} if not rest:
            return joined_by(joint, [_fill(one) for one in parts])
        case {"say": str() | dict() as words, "altered": str(name), **rest} if name in ALTERATIONS and not rest:
            return altered(words if isinstance(words, str) else from_kept(words), ALTERATIONS[name])
        case {"say": str(text), **rest} if not rest:
            return known(text)
        case _:
            raise ValueError(f"there is no phrase in {dict(value)!r}")


def _filled(template: str, fills: dict[str, Fill]) -> Phrase:
    phrase = str.__new__(Said, template.format(**fills))
    phrase.template, phrase.fills = template, fills
    return phrase


def _counted(one: str, several: str, number: int, fills: dict[str, Fill]) -> Phrase:
    phrase = str.__new__(Counted, (one if number == 1 else several).format(**fills))
    phrase.template, phrase.several, phrase.quantity, phrase.fills = one, several, number, fills
    return phrase


def _fills(raw: Mapping[str, Any], *templates: str) -> dict[str, Fill]:
    """What fills the places of the templates. Raises `ValueError` where one has a place that nothing fills."""
    for template in templates:
        places = places_of(template)
        if places is None or not places <= raw.keys():
            raise ValueError(f"the places of {template!r} are not those of {dict(raw)!r}")
    return {place: _fill(one) for place, one in raw.items()}


def _fill(raw: Any) -> Fill:  # noqa: ANN401 - what JSON holds
    if isinstance(raw, Mapping):
        return from_kept(raw)
    if isinstance(raw, str | int):
        return raw
    raise ValueError(f"{raw!r} fills no place")


def _kept(fill: Fill) -> Any:  # noqa: ANN401 - what JSON holds
    if isinstance(fill, Phrase):
        return as_kept(fill)
    if isinstance(fill, StrEnum):
        return {SAY: fill.value}  # a word of the vocabulary is the program's, and said in each language
    return fill
