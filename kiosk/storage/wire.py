"""The JSON formats: input is read strictly, output has one shape, both from the types of `rules`.

For each dataclass of `rules` a msgspec struct of the same fields is made. Those for input refuse unknown keys and
hold every text, list and number within bounds; those for output carry the name of a command or event beside its
fields. The rules' own ranges are the rules' to refuse, with their rule ID.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated, Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from kiosk.errors import UnknownCommandError, WireError
from kiosk.ports import Language, SourceView
from kiosk.storage.type_registration import REGISTERING, registered
from kiosk.storage.typed_text import visible_in
from kiosk.storage.wire_words import misfit, words_of_value
from rules.game import (
    COMMANDS,
    EVENTS,
    KNOWN_ONCE_DECLARED,
    Character,
    Command,
    Event,
    SaveCharacter,
    Ship,
    Undo,
    name_of,
)
from rules.words import SAY, Catalog, Phrase, as_kept, from_kept, say

LONGEST_TEXT: Final = 200
"""Characters in one text: a Value is a sentence. A field that says its own `longest`, as a name does, has that."""

LONGEST_MARK: Final = 2_000
"""Characters in one mark: that of Complications names each Task of which some wait."""

LONGEST_LIST: Final = 64
"""Items in one list: nobody throws, buys or cites more."""

LARGEST_NUMBER: Final = 1_000_000_000
"""Far beyond any number of the game or of a season's requests; keeps arithmetic and storage small."""

LONGEST_KEY: Final = 100
"""Characters in an idempotency key; a UUID has 36."""

SCHEMAS: Final = "kiosk.keeping.wire"
"""The prefix of schema names in the description of version 1 of the API, which stay; there is no module of that
name."""

T = TypeVar("T")
"""The class that is read."""

IdempotencyKey = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LONGEST_KEY,
        description="The same key twice is applied once and answers the same.",
    ),
]
"""The key that distinguishes a repeated request from a new one."""

Mark = Annotated[
    str,
    Meta(
        max_length=LONGEST_MARK,
        description="What the sender saw, from `about` of the table: the command is refused where it no longer is so.",
    ),
]
"""The mark of what the sender saw, for commands that apply only to that."""

Confirmed = Annotated[
    bool,
    Meta(
        description=(
            "True after a yes to the question that may have to be answered first, whose refusal is of the type "
            "/problems/ask-first; false asks for that question where it is not asked of everybody."
        )
    ),
]
"""Whether whoever sends a command has answered its question."""

ASKED_FIRST: Final[frozenset[type]] = frozenset(
    {
        Undo,
        *(
            COMMANDS[one]
            for one in (
                "correct_die",
                "dismiss_throw",
                "drop_die",
                "start_conflict",
                "end_conflict",
                "remove_character",
                "remove_player",
                "remove_ship",
            )
        ),
    }
)
"""Commands before which a question may have to be answered."""

SEEN_BEFORE: Final[Mapping[type, type]] = {SaveCharacter: Character, COMMANDS["save_ship"]: Ship}
"""Commands that replace something whole, with what its sender saw before."""

_SEEN: Final = Meta(
    description=(
        "What is replaced, as the table showed it to the sender. Where that would take back what others have saved "
        "since, the command is refused as /problems/gone-on, with what it is now. Without it the last one wins."
    )
)
"""What the description says of that field."""

Make = Callable[[type], type[Any]]
"""Makes the shape in which a class travels."""


def _remembered(make: Make) -> Make:
    """`make`, called once for each type: a struct made twice would be two different types."""
    made: dict[type, type[Any]] = {}

    def once(kind: type) -> type[Any]:
        if kind not in made:
            with REGISTERING:
                if kind not in made:
                    made[kind] = make(kind)
        return made[kind]

    return once


_EVENT_HEAD: Final = '{"event":"'
"""The beginning of `event_json`; reading the name from it halves the time to read a season."""


@dataclass(frozen=True, slots=True)
class Request:
    """A command from outside with the key that keeps it from being applied twice, and what its sender saw.

    `confirmed`: whether its sender said yes to the question that may be asked first; None of one who knows of none.
    `seen`: of a command that replaces a character or a ship, that one as its sender saw it; None where it does not say.
    """

    command: Command
    idempotency: str | None = None
    about: str | None = None
    confirmed: bool | None = None
    seen: Character | Ship | None = None


def command_of(raw: Mapping[str, object]) -> Request:
    """The command in an object that was JSON, its texts without what cannot be seen.

    Raises `WireError` (with its place) or `UnknownCommandError`.
    """
    if "command" not in raw:
        raise WireError('The command is missing: send {"command": "undo"} or another.', "$.command")
    name = raw["command"]
    if not isinstance(name, str):
        raise WireError(say("The command must be text, not {given}.", given=words_of_value(name)), "$.command")
    if name not in COMMANDS:
        raise UnknownCommandError(name[:LONGEST_TEXT], tuple(get_close_matches(name[:LONGEST_TEXT], COMMANDS, n=3)))
    kind = COMMANDS[name]
    given = _convert(_seen(raw), command_shape(kind))
    made = _convert(given, kind, from_attributes=True)
    seen = getattr(given, "seen", None)
    return Request(
        command=made,
        idempotency=given.idempotency,
        about=given.about,
        confirmed=getattr(given, "confirmed", None),
        seen=None if seen is None else _convert(seen, SEEN_BEFORE[kind], from_attributes=True),
    )


def _seen(raw: Mapping[str, object]) -> dict[str, object]:
    """`raw` with cleaned texts; the key is not cleaned, because two keys must not become equal."""
    try:
        return {name: one if name == "idempotency" else visible_in(one) for name, one in raw.items()}
    except RecursionError:
        raise WireError("The request is nested too deeply.") from None


def decode_object(body: bytes) -> dict[str, object]:
    """`body` as a JSON object; raises `WireError`."""
    try:
        raw = msgspec.json.decode(body)
    except msgspec.DecodeError as error:
        raise WireError(say("The request is not JSON: {error}.", error=str(error))) from None
    except RecursionError:
        raise WireError("The request is nested too deeply.") from None
    except UnicodeDecodeError:
        raise WireError("The request is not JSON in UTF-8.") from None
    if not isinstance(raw, dict):
        raise WireError(say("The request must be an object, not {given}.", given=words_of_value(raw)))
    return raw


def decode_as(body: bytes, kind: type[T]) -> T:
    """`body` as the struct `kind`; raises `WireError`."""
    return _convert(decode_object(body), kind)


def event_json(event: Event) -> bytes:
    """`event` as streams send it: its name under `event`, then its fields, all words in English."""
    return _named("event", name_of(event), encode(event))


def kept_event(event: Event) -> str:
    """`event` as the journal keeps it: as `event_json`, but words of the program as templates with their fills."""
    return _named("event", name_of(event), encode_kept(event)).decode()


def event_of(body: bytes | str) -> Event:
    """The event that `kept_event` or `event_json` wrote; raises `WireError` for anything else."""
    text = body if isinstance(body, str) else body.decode()
    name = text.removeprefix(_EVENT_HEAD).partition('"')[0] if text.startswith(_EVENT_HEAD) else ""
    if name not in EVENTS:
        raise WireError(say("This version knows no event called {name}.", name=repr(name)))
    try:
        event: Event = decode_kept(text, registered(EVENTS[name]))
    except ValueError as error:
        raise WireError(
            say("This version cannot read the event {name}: {error}.", name=name, error=str(error))
        ) from error
    return event


def encode(value: object) -> bytes:
    """Any value of `rules` or of the views as JSON; a `Phrase` as its English words."""
    return _ENCODER.encode(value)


class JsonEncoder:
    """The JSON encoder for live pages: see `ports.Encoder`."""

    def event(self, event: Event, sequence: int, decision: int, by: str, person: str) -> bytes:
        """See `ports.Encoder`."""
        who = (encode(by), encode(person))
        return b'{"sequence":%d,"decision":%d,"by":%s,"person":%s,"event":%s}' % (
            sequence,
            decision,
            *who,
            event_json(event),
        )

    def source(self, source: SourceView, language: Language) -> bytes:
        """See `ports.Encoder`."""
        return encode_in(source, language.catalog)


def encode_kept(value: object) -> bytes:
    """Any value of `rules` as JSON that `decode_kept` reads with its phrases."""
    return _KEEPER.encode(value)


def decode_kept(body: bytes | str, kind: type[T]) -> T:
    """The value that `encode_kept` wrote. Raises `ValueError`, which msgspec's own errors are too."""
    text = body if isinstance(body, str) else body.decode()
    if PHRASE_HEAD not in text:
        return msgspec.json.decode(text, type=kind)
    return msgspec.convert(_with_phrases(msgspec.json.decode(text)), kind)


def _with_phrases(raw: Any) -> Any:  # noqa: ANN401 - what JSON holds
    """`raw` with a phrase in place of each object that keeps one."""
    if isinstance(raw, dict):
        if SAY in raw:
            return from_kept(raw)
        for name, value in raw.items():
            if isinstance(value, dict | list):
                raw[name] = _with_phrases(value)
    elif isinstance(raw, list):
        for place, value in enumerate(raw):
            if isinstance(value, dict | list):
                raw[place] = _with_phrases(value)
    return raw


def _as_kept(value: object) -> object:
    if isinstance(value, Phrase):
        return as_kept(value)
    raise NotImplementedError(f"a {type(value).__name__} cannot be kept")


_KEEPER: Final = msgspec.json.Encoder(enc_hook=_as_kept)
"""Writes the journal: each `Phrase` as its template and fills."""

PHRASE_HEAD: Final = f'{{"{SAY}":'
"""The beginning of a kept phrase; a value without one is read in one go. In texts quotation marks are escaped."""


def in_english(value: object) -> str:
    """Encodes a `Phrase`, which msgspec does not know, as its English words."""
    if isinstance(value, Phrase):
        return str(value)
    raise NotImplementedError(f"a {type(value).__name__} cannot be sent")


_ENCODER: Final = msgspec.json.Encoder(enc_hook=in_english)
"""Writes version 1 of the API: each `Phrase` as its English words."""


def encode_in(value: object, catalog: Catalog) -> bytes:
    """`value` as JSON, each `Phrase` in the language of `catalog`."""
    return msgspec.json.encode(value, enc_hook=in_words_of(catalog))


def in_words_of(catalog: Catalog) -> Callable[[object], str]:
    """As `in_english`, in the language of `catalog`."""

    def words(value: object) -> str:
        return value.rendered(catalog) if isinstance(value, Phrase) else in_english(value)

    return words


def told(value: Any) -> Any:  # noqa: ANN401  # any value of `rules`
    """`value` as dicts and lists in its output shape, its phrases kept: each reader has them in their own language.

    Commands in it are in English: they come back as they were sent, and the journal keeps one language.
    """
    if isinstance(value, tuple):
        return [told(one) for one in value]
    if not dataclasses.is_dataclass(value):
        return value
    if isinstance(value, Command):
        return _plain(value)
    fields = {field.name: told(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return {"event": name_of(value), **fields} if isinstance(value, Event) else fields


@_remembered
def command_shape(kind: type) -> type[Any]:
    """The strict struct for one command: its name under `command`, a key to apply it once, and what its sender saw."""
    extra: list[tuple[str, Any, Any]] = [("idempotency", IdempotencyKey | None, None), ("about", Mark | None, None)]
    if kind in ASKED_FIRST:
        extra.append(("confirmed", Confirmed | None, None))
    if kind in SEEN_BEFORE:
        extra.append(("seen", Annotated[output_shape(SEEN_BEFORE[kind]) | None, _SEEN], None))
    return _struct(kind, strict=True, tag=("command", _name_in(COMMANDS, kind)), extra=extra)


@_remembered
def output_shape(kind: type) -> type[Any]:
    """The struct in which `kind` goes out; commands and events inside carry their names."""
    for field, names in (("command", COMMANDS), ("event", EVENTS)):
        if kind in names.values():
            return _struct(kind, strict=False, tag=(field, _name_in(names, kind)))
    return _struct(kind, strict=False)


def output(value: object) -> Any:  # noqa: ANN401  # a struct made from the value's own type
    """`value`, a dataclass of `rules`, in its output shape."""
    return msgspec.convert(_plain(value), registered(output_shape(type(value))))


def _plain(value: Any) -> Any:  # noqa: ANN401  # any value of `rules`
    """`value` as dicts and lists, commands and events with their names."""
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, Phrase):
        return str(value)
    if not dataclasses.is_dataclass(value):
        return value
    fields = {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Command):
        return {"command": name_of(value), **fields}
    return {"event": name_of(value), **fields} if isinstance(value, Event) else fields


def any_of(shapes: tuple[type[Any], ...]) -> Any:  # noqa: ANN401  # a union made at run time has no static type
    """The union of structs told apart by their tag."""
    return Union[shapes]  # noqa: UP007  # made at run time


@_remembered
def input_shape(kind: type) -> type[Any]:
    """The strict struct for a dataclass that is part of a command."""
    return _struct(kind, strict=True)


def _struct(
    kind: type,
    *,
    strict: bool,
    tag: tuple[str, str] | None = None,
    extra: list[tuple[str, Any, Any]] | None = None,
) -> type[Any]:
    hints = get_type_hints(kind)
    fields: list[Any] = []
    for field in dataclasses.fields(kind):
        known = not strict and KNOWN_ONCE_DECLARED.items() <= field.metadata.items()
        longest = field.metadata.get("longest", LONGEST_TEXT)
        hint = _without_none(hints[field.name]) if known else hints[field.name]
        shape = _shape(hint, strict=strict, longest=longest)
        if field.default_factory is not dataclasses.MISSING:
            fields.append(
                (field.name, shape, msgspec.field(default_factory=_factory(field.default_factory, strict=strict)))
            )
        elif field.default is not dataclasses.MISSING and not known:
            fields.append((field.name, shape, field.default))
        else:
            fields.append((field.name, shape))
    return msgspec.defstruct(
        kind.__name__ + _suffix(strict=strict, tag=tag),
        [*fields, *(extra or [])],
        tag_field=tag[0] if tag else None,
        tag=tag[1] if tag else None,
        forbid_unknown_fields=strict,
        frozen=True,
        kw_only=True,
        module=SCHEMAS,
        namespace={"__doc__": kind.__doc__},
    )


def _without_none(hint: Any) -> Any:  # noqa: ANN401  # type hints are values here
    """The output type of a field that may be omitted in input."""
    return Union[tuple(one for one in get_args(hint) if one is not types.NoneType)]  # noqa: UP007  # made at run time


def _suffix(*, strict: bool, tag: tuple[str, str] | None) -> str:
    """Each shape of a class has a name of its own in the API's description."""
    if strict:
        return "" if tag else "Input"
    return "Offered" if tag and tag[0] == "command" else ""


def _factory(make: Any, *, strict: bool) -> Any:  # noqa: ANN401  # dataclass factories are untyped
    def made() -> Any:  # noqa: ANN401 - likewise
        value = make()
        if not dataclasses.is_dataclass(value):
            return value
        shape = input_shape(type(value)) if strict else output_shape(type(value))
        return msgspec.convert(value, registered(shape), from_attributes=True)

    return made


def _shape(hint: Any, *, strict: bool, longest: int = LONGEST_TEXT) -> Any:  # noqa: ANN401, PLR0911  # hints are values here
    """The type to decode where `rules` says `hint`; incoming texts have at most `longest` characters."""
    for base, kinds in ((Command, COMMANDS), (Event, EVENTS)):
        if hint is base:  # any of them, told apart by its name
            return Union[tuple(_shape(kind, strict=strict) for kind in kinds.values())]  # noqa: UP007 - made at run time
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in {Union, types.UnionType}:
        return Union[tuple(_shape(one, strict=strict) for one in arguments)]  # noqa: UP007  # made at run time
    if origin in {tuple, frozenset}:
        inner = tuple(one if one is Ellipsis else _shape(one, strict=strict, longest=longest) for one in arguments)
        return Annotated[origin[inner], Meta(max_length=LONGEST_LIST)] if strict and _is_list(hint) else origin[inner]
    if origin is not None:
        return hint
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return input_shape(hint) if strict else output_shape(hint)
    if strict and hint is str:
        return Annotated[str, Meta(max_length=longest)]
    if strict and hint is int:
        return Annotated[int, Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
    return hint


def _is_list(hint: Any) -> bool:  # noqa: ANN401  # type hints are values here
    return get_origin(hint) is frozenset or Ellipsis in get_args(hint)


def _named(field: str, name: str, body: bytes) -> bytes:
    head = b'{"%s":"%s"' % (field.encode(), name.encode())
    return head + (b"}" if body == b"{}" else b"," + body[1:])


def _name_in(names: Mapping[str, type], kind: type) -> str:
    return next(name for name, one in names.items() if one is kind)


def _convert(raw: Any, kind: type[T], *, from_attributes: bool = False) -> T:  # noqa: ANN401  # JSON may be anything
    try:
        return msgspec.convert(raw, registered(kind), from_attributes=from_attributes)
    except msgspec.ValidationError as error:
        raise misfit(str(error), kind, LONGEST_TEXT) from None
    except RecursionError:
        raise WireError("The request is nested too deeply.") from None
