"""Reads single values of house tables: checks what each key may hold, and says in words what it must be.

In: values as a reader of files gives them. Out: values of the rules, or `WrongValueError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, TypeAlias

from rules.errors import RulesError
from rules.state.people import WeaponTrait

Reader: TypeAlias = Callable[[object], Any]
"""Makes a value of the rules out of a plain one. Raises `WrongValueError`."""


LONGEST_TEXT: Final = 60
"""Letters of a text at most."""


LONGEST_LIST: Final = 20
"""Entries of a list at most."""


HIGHEST_AMOUNT: Final = 20
"""The largest number of an effect or a quality; more is a slip of the finger."""


_LONGEST_SHOWN: Final = 40
"""Characters of a wrong value that a message shows."""


class WrongValueError(RulesError, ValueError):
    """A value that its key cannot hold; the message goes on after the key's name: "must be ..., not ..."."""


def _no(wanted: str, value: object) -> WrongValueError:
    return WrongValueError(f"must be {wanted}, not {shown(value)}")


def shown(value: object) -> str:
    """A value as its file has it, cut short."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "a table"
    words = "a list" if isinstance(value, (list, tuple)) else repr(value)
    return words if len(words) <= _LONGEST_SHOWN else f"{words[:_LONGEST_SHOWN]}..."


def text(value: object) -> str:
    """A short text that is not empty."""
    if isinstance(value, str) and 0 < len(" ".join(value.split())) <= LONGEST_TEXT:
        return " ".join(value.split())
    raise _no(f"a text of 1 to {LONGEST_TEXT} characters", value)


def texts(value: object) -> tuple[str, ...]:
    """A list of short texts, none of them twice."""
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= LONGEST_LIST:
        raise _no(f"a list of 1 to {LONGEST_LIST} texts", value)
    read = tuple(text(one) for one in value)
    _require_once(read)
    return read


def truth(value: object) -> bool:
    """True or false."""
    if isinstance(value, bool):
        return value
    raise _no("true or false", value)


def whole(least: int, most: int) -> Reader:
    """A whole number within a range."""

    def read(value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        raise _no(f"a whole number from {least} to {most}", value)

    return read


def choice(kind: type[StrEnum]) -> Reader:
    """One word of a closed set."""
    words = " or ".join(repr(one.value) for one in kind)

    def read(value: object) -> StrEnum:
        if isinstance(value, str) and value in {one.value for one in kind}:
            return kind(value)
        raise _no(words, value)

    return read


def choices(kind: type[StrEnum]) -> Reader:
    """A list of words of a closed set, at least one, none of them twice."""
    one = choice(kind)

    def read(value: object) -> tuple[StrEnum, ...]:
        if not isinstance(value, (list, tuple)) or not value:
            raise _no(f"a list of {kind.__name__.lower()}s", value)
        found = tuple(one(word) for word in value)
        _require_once(found)
        return found

    return read


def traits(known: Mapping[str, bool]) -> Reader:
    """Effects or qualities as words, with their number where `known` says that they have one: "vicious 1"."""
    words = ", ".join(f"{name} X" if numbered else name for name, numbered in known.items())

    def read(value: object) -> tuple[WeaponTrait, ...]:
        if not isinstance(value, (list, tuple)):
            raise _no(f"a list out of {words}", value)
        found = tuple(_trait(one, known, words) for one in value)
        _require_once([one.name for one in found])
        return found

    return read


def _trait(value: object, known: Mapping[str, bool], words: str) -> WeaponTrait:
    name, _, number = value.partition(" ") if isinstance(value, str) else ("", "", "")
    if name not in known:
        raise _no(f"a list out of {words}", value)
    if not known[name]:
        if number:
            raise _no(f"{name!r} without a number", value)
        return WeaponTrait(name=name)
    if not (number.isascii() and number.isdigit() and 1 <= int(number[:9]) <= HIGHEST_AMOUNT):
        raise _no(f"{name!r} with a number from 1 to {HIGHEST_AMOUNT}", value)
    return WeaponTrait(name=name, amount=int(number))


def _require_once(names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise WrongValueError(f"has {name!r} twice; once is enough")
