"""The one place where the recorded journals meet the game: its imports, its forms of JSON, and its words."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any, Final

import msgspec

from kiosk.i18n.languages import Languages
from kiosk.storage import wire
from kiosk.storage.migration import OldTexts, ships_named
from kiosk.storage.wire import encode, event_json
from rules import history
from rules.deciding.decision import Command, Event, name_of
from rules.deciding.telling import Narration
from rules.errors import OutOfRangeError, Refusal
from rules.history import Decision, History
from rules.messages import COMMANDS, EVENTS
from rules.narrate import narrate
from rules.state.table import Table
from rules.words import Catalog, translated

__all__ = [
    "COMMANDS",
    "EVENTS",
    "Command",
    "Decision",
    "Event",
    "History",
    "OutOfRangeError",
    "Refusal",
    "Table",
    "command_of",
    "command_raw",
    "event_of",
    "event_raw",
    "history",
    "name_of",
    "narrate",
    "plain",
    "said",
]

Hashes = dict[str, str]
"""A short hash of each field of the table that is not as it is by itself."""

Words = list[Any]
"""A narration: its kind, whether it is urgent, and its three lengths."""


def command_raw(command: Command) -> dict[str, Any]:
    """A command as the JSON object that stands for it."""
    fields: dict[str, Any] = json.loads(encode(command))
    return {"command": name_of(command), **fields}


def command_of(raw: Mapping[str, Any]) -> Command:
    """The command that `command_raw` wrote. What a later version added to it is as it is by itself."""
    fields = {name: value for name, value in raw.items() if name != "command"}
    made: Command = msgspec.convert(fields, COMMANDS[raw["command"]])
    return made


def event_raw(event: Event) -> str:
    """An event as the journal keeps it."""
    return event_json(event).decode()


_NO_SHIPS: Final = OldTexts(frozenset())
"""A journal without a ship."""


def events_of(decisions: Sequence[Sequence[str]]) -> Iterator[tuple[Event, ...]]:
    """The events that a journal of form 1 kept, as one that was brought to the present form gives them back."""
    ships = frozenset(name for one in decisions for text in one for name in ships_named(msgspec.json.decode(text)))
    old = OldTexts(frozenset(), ships=ships)
    return (tuple(event_of(text, old) for text in one) for one in decisions)


def event_of(text: str, old: OldTexts = _NO_SHIPS) -> Event:
    """An event that a journal of form 1 kept, as one that was brought to the present form gives it back."""
    return wire.event_of(old.kept(text, ""))


@cache
def german() -> Catalog:
    """The words of the translation that the recorded narrations were said in beside English."""
    return Languages().language("de").catalog


def said(before: Table, events: tuple[Event, ...], after: Table) -> tuple[Words, Words] | None:
    """What the kiosk says of a decision, in English and in German; None where it says nothing."""
    told = narrate(before, events, after)
    if told is None:
        return None
    return [told.kind.value, told.urgent, *map(str, _lengths(told))], [
        translated(one, german()) for one in _lengths(told)
    ]


def _lengths(told: Narration) -> tuple[str, str, str]:
    return told.terse, told.normal, told.full


# --- what a value holds, whoever added a field to it since -------------------------------------------------------


def plain(value: Any) -> Any:  # noqa: ANN401  # any value of the game
    """`value` as JSON holds it: words in English, and no field that is as it is by itself."""
    if isinstance(value, Enum | str):
        return value.value if isinstance(value, Enum) else str(value)
    if dataclasses.is_dataclass(value):
        return {name: plain(one) for name, one in _told_fields(value)}
    if isinstance(value, tuple | list | frozenset):
        rows = [plain(one) for one in value]
        return sorted(rows, key=str) if isinstance(value, frozenset) else rows
    if isinstance(value, Mapping):
        return {str(plain(name)): plain(one) for name, one in value.items()}
    return value


def _told_fields(value: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - likewise
    kind: type[Any] = type(value)
    for name, default in _defaults(kind).items():
        one = getattr(value, name)
        if default is _REQUIRED or one != default:
            yield name, one


_REQUIRED: Final = object()
"""Stands for the default of a field that has none."""

_KNOWN: Final = dict[type[Any], dict[str, Any]]()
"""The fields' defaults of each class met so far: asking the class each time takes longer than all else."""


def _defaults(kind: type[Any]) -> dict[str, Any]:
    if kind in _KNOWN:
        return _KNOWN[kind]
    found = _KNOWN[kind] = dict[str, Any]()
    for field in dataclasses.fields(kind):
        if field.default_factory is not dataclasses.MISSING:
            found[field.name] = field.default_factory()
        else:
            found[field.name] = _REQUIRED if field.default is dataclasses.MISSING else field.default
    return found


class Hashing:
    """Hashes tables; a field that two of them share is hashed once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, str]] = {}

    def of(self, table: Table) -> Hashes:
        """The hash of each field of `table` that is not as it is by itself."""
        return {name: self._hash(value) for name, value in _told_fields(table)}

    def _hash(self, value: Any) -> str:  # noqa: ANN401 - any value of the game
        if isinstance(value, int | str):
            return _short(value)
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = value, _short(plain(value))  # the value is kept, so that its id is its own
        return known[1]


def _short(value: Any) -> str:  # noqa: ANN401 - what JSON holds
    body = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(body.encode()).hexdigest()[:8]
