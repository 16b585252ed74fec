"""The messages about wrong JSON from outside, each a whole sentence to translate."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from enum import Enum
from typing import Annotated, Any, Final, get_args, get_origin

import msgspec

from kiosk.errors import WireError
from rules.words import Phrase, either, joined_by, say

_PLACE: Final = re.compile(r"^(?P<what>.*?)(?: - at `(?P<place>[^`]*)`)?$", re.DOTALL)
"""A message of msgspec, and the place in the JSON that it names."""
_UNKNOWN: Final = re.compile(r"unknown field `(?P<name>.*)`", re.DOTALL)
"""The message of msgspec about an unknown field."""
_MISSING: Final = re.compile(r"missing required field `(?P<name>.*)`", re.DOTALL)
"""The message of msgspec about a missing field."""
_LENGTH: Final = re.compile(r"Expected `(?P<kind>str|array)` of length (?P<sign><=|>=) (?P<bound>\d+)$")
"""The message of msgspec about a text or a list of a wrong length."""
_EXPECTED: Final = re.compile(
    r"Expected `(?P<wanted>[^`]*)`(?: (?P<sign><=|>=) (?P<bound>[^`, ]+))?(?:, got `(?P<got>[^`]*)`)?$"
)
"""The message of msgspec about a value of a wrong kind or out of bounds."""

_KINDS: Final[Mapping[str, Phrase]] = {
    "str": say("text"),
    "int": say("a whole number"),
    "float": say("a number"),
    "bool": say("true or false"),
    "array": say("a list"),
    "object": say("an object"),
}
"""What msgspec calls the kinds of JSON; `null` is called so in every language."""

_PYTHON: Final[Mapping[type, Phrase]] = {
    bool: _KINDS["bool"],
    int: _KINDS["float"],
    float: _KINDS["float"],
    str: _KINDS["str"],
    list: _KINDS["array"],
    dict: _KINDS["object"],
}
"""What the JSON of each type of Python is called; a whole number is a number, too."""


def words_of_value(value: object) -> str:
    """The kind of a JSON value in words: "a list"."""
    return _PYTHON.get(type(value), "null")


def misfit(message: str, kind: Any, longest: int) -> WireError:  # noqa: ANN401  # type hints are values here
    """The error for `message` of msgspec about what should be a `kind`; names are cut off at `longest` characters."""
    found = _PLACE.match(message)
    what, place = (found["what"], found["place"] or "$") if found else (message, "$")
    if unknown := _UNKNOWN.search(what):
        return _unknown(unknown["name"][:longest], place, kind)
    if missing := _MISSING.search(what):
        name = missing["name"]
        return WireError(
            say("The field {name} is missing at {place}.", name=repr(name), place=place), f"{place}.{name}"
        )
    if length := _LENGTH.match(what):
        return WireError(_length_words(length, place), place)
    if expected := _EXPECTED.match(what):
        return WireError(_expected_words(expected, place), place)
    if choices := _choices(kind, place):
        return WireError(say("{place} must be one of {choices}.", place=place, choices=joined_by(", ", choices)), place)
    return WireError(say("{place} does not fit: {error}.", place=place, error=what), place)


def _unknown(name: str, place: str, kind: Any) -> WireError:  # noqa: ANN401  # type hints are values here
    struct = _struct(_kind_at(kind, place))
    known = [field.encode_name for field in msgspec.structs.fields(struct)] if struct is not None else []
    words = say("There is no field {name} at {place}.", name=repr(name), place=place)
    if known:
        words = say(
            "There is no field {name} at {place}; choose of {names}.",
            name=repr(name),
            place=place,
            names=joined_by(", ", known),
        )
    for near in get_close_matches(name, known, n=1):
        words = say(
            "There is no field {name} at {place}. Did you mean {near}?", name=repr(name), place=place, near=repr(near)
        )
    return WireError(words, f"{place}.{name}")


def _length_words(found: re.Match[str], place: str) -> Phrase:
    field, bound = repr(place.rpartition(".")[2].partition("[")[0] or "$"), found["bound"]
    if found["kind"] == "str":
        if found["sign"] == "<=":
            return say("The field {field} may have at most {bound} characters.", field=field, bound=bound)
        return say("The field {field} has to have {bound} characters or more.", field=field, bound=bound)
    if found["sign"] == "<=":
        return say("The field {field} may have at most {bound} entries.", field=field, bound=bound)
    return say("The field {field} has to have {bound} entries or more.", field=field, bound=bound)


def _expected_words(found: re.Match[str], place: str) -> Phrase:
    wanted = either([_KINDS.get(one, one) for one in found["wanted"].split(" | ")])
    if found["sign"] == "<=":
        return say("{place} must be {wanted}, {bound} or less.", place=place, wanted=wanted, bound=found["bound"])
    if found["sign"]:
        return say("{place} must be {wanted}, {bound} or more.", place=place, wanted=wanted, bound=found["bound"])
    if found["got"]:
        given = _KINDS.get(found["got"], found["got"])
        return say("{place} must be {wanted}, not {given}.", place=place, wanted=wanted, given=given)
    return say("{place} must be {wanted}.", place=place, wanted=wanted)


def _choices(kind: Any, place: str) -> tuple[str, ...]:  # noqa: ANN401 - type hints are values here
    """The values of the closed set at `place`, empty where it is none."""
    kind = _unbounded(_kind_at(kind, place))
    members = [kind, *get_args(kind)]
    found = next((one for one in members if isinstance(one, type) and issubclass(one, Enum)), None)
    return tuple(str(one.value) for one in found) if found else ()


def _kind_at(kind: Any, place: str) -> Any:  # noqa: ANN401 - type hints are values here
    """The type at `place`; None if `kind` has no such place."""
    for name in re.findall(r"\.(\w+)|\[", place):
        if name:
            struct = _struct(kind)
            fields = {field.name: field.type for field in msgspec.structs.fields(struct)} if struct else {}
            kind = fields.get(name)
        else:  # into a list: its items' type is the first argument, under any bounds on its length
            kind = next(iter(get_args(_unbounded(kind))), None)
    return kind


def _struct(kind: Any) -> type[msgspec.Struct] | None:  # noqa: ANN401 - type hints are values here
    members = [kind, *get_args(kind)]
    return next((one for one in members if isinstance(one, type) and issubclass(one, msgspec.Struct)), None)


def _unbounded(kind: Any) -> Any:  # noqa: ANN401 - type hints are values here
    """`kind` without bounds."""
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind
