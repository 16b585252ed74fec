"""The JSON edges: strict inwards, faithful outwards."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some

from kiosk.errors import UnknownCommandError, WireError, words_of
from kiosk.i18n.languages import Languages
from kiosk.storage.typed_text import visible_in
from kiosk.storage.wire import (
    Request,
    command_of,
    command_shape,
    decode_object,
    encode,
    event_json,
    event_of,
    kept_event,
    output,
    output_shape,
)
from rules.deciding.decision import Command, name_of
from rules.dice import FACES, DieKind, DieReading, DieState, Guess, SourceKind, Symbol
from rules.messages import COMMANDS, EVENTS
from rules.setup.setting_up import SetUpTable
from rules.state.tasks import Declaration, Purchase
from rules.state.vocabulary import Attribute, Discipline, Payer, Ruleset
from rules.tasks.declaring import DeclareTask
from rules.tasks.events import TaskDeclared
from rules.tasks.throwing import EnterDice
from tests.rules.tabletop import Game

LANGUAGES = Languages()
COMPLETE = ("de", "es", "fr")
DECLARATION: dict[str, Any] = {"character_id": "c1", "attribute": "daring", "discipline": "conn"}
JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False) | some.text(max_size=20),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)


DICE = some.sampled_from(DieKind).flatmap(
    lambda kind: some.builds(
        DieReading,
        kind=some.just(kind),
        face=some.sampled_from(FACES[kind]),
        confidence=some.floats(0, 1),
        state=some.sampled_from(DieState),
        source=some.sampled_from(SourceKind),
        guesses=some.lists(some.builds(Guess, some.sampled_from(FACES[kind]), some.floats(0, 1)), max_size=2).map(
            tuple
        ),
    )
)
some.register_type_strategy(DieReading, DICE)
some.register_type_strategy(int, some.integers(-(2**40), 2**40))


def read(body: bytes) -> Request:
    """A request as the API reads it."""
    return command_of(decode_object(body))


def decoded(**fields: object) -> Command:
    return read(json.dumps(fields).encode()).command


def test_a_task_that_was_kept_without_an_opponent_names_nobody_and_one_with_more_is_read() -> None:
    """OPP-1: journals of before have no such field, and those of later versions may have others."""
    game = Game()
    game.declare(opposed=True, opponent_id=game.brack)
    (event,) = (one for one in game.decisions[-1].events if isinstance(one, TaskDeclared))
    whole = json.loads(kept_event(event))
    del whole["task"]["declaration"]["opponent_id"]
    before = event_of(json.dumps(whole, separators=(",", ":")))
    assert isinstance(before, TaskDeclared)
    assert (before.task.declaration.opposed, before.task.declaration.opponent_id) == (True, "")
    whole["task"]["declaration"] |= {"opponent_id": game.brack, "of_later": "more"}
    assert event_of(json.dumps(whole, separators=(",", ":"))) == event


def test_a_command_is_read_with_its_defaults() -> None:
    assert decoded(
        command="declare_task", declaration={**DECLARATION, "purchases": [{"payer": "threat"}]}
    ) == DeclareTask(
        declaration=Declaration(
            character_id="c1",
            attribute=Attribute.DARING,
            discipline=Discipline.CONN,
            purchases=(Purchase(payer=Payer.THREAT),),
        )
    )
    assert decoded(command="enter_dice", request=3, faces=[1, "effect"]) == EnterDice(
        request=3, faces=(1, Symbol.EFFECT)
    )


def test_the_idempotency_key_travels_beside_the_command() -> None:
    assert read(b'{"command":"undo","idempotency":"k"}').idempotency == "k"


def test_a_name_is_text_whatever_it_looks_like() -> None:
    command = decoded(command="set_up_table", ruleset="starter", players=["<script>alert(1)</script>", "O'Neil; --"])
    assert command == SetUpTable(ruleset=Ruleset.STARTER, players=("<script>alert(1)</script>", "O'Neil; --"))


@pytest.mark.parametrize(
    ("fields", "place", "words"),
    [
        ({}, "$.command", "missing"),
        ({"command": 3}, "$.command", "must be text"),
        ({"command": "declare_task"}, "$.declaration", "'declaration' is missing"),
        ({"command": "undo", "dice": [20]}, "$.dice", "no field 'dice'"),
        (
            {"command": "start_conflict", "kind": "personal", "combatants": [], "places": []},
            "$.places",
            "choose of kind, combatants, begins",
        ),
        (
            {"command": "start_conflict", "kind": "personal", "combatants": [{"combatant_id": "x", "seat": 1}]},
            "$.combatants[0].seat",
            "choose of combatant_id, side, ship_id, station, turns",
        ),
        (
            {"command": "declare_task", "declaration": {**DECLARATION, "focs": True}},
            "$.declaration.focs",
            "Did you mean 'focus'",
        ),
        (
            {"command": "declare_task", "declaration": {**DECLARATION, "focus": 1}},
            "$.declaration.focus",
            "true or false",
        ),
        (
            {"command": "declare_task", "declaration": {**DECLARATION, "difficulty": "2"}},
            "$.declaration.difficulty",
            "a whole number, not text",
        ),
        (
            {"command": "declare_task", "declaration": {**DECLARATION, "difficulty": 10**12}},
            "$.declaration.difficulty",
            "1000000000",
        ),
        (
            {"command": "declare_task", "declaration": {**DECLARATION, "attribute": "luck"}},
            "$.declaration.attribute",
            "one of control, daring",
        ),
        (
            {"command": "declare_task", "declaration": {**DECLARATION, "purchases": [{"payer": "threat"}, {}]}},
            "$.declaration.purchases[1].payer",
            "'payer' is missing",
        ),
        ({"command": "enter_dice", "request": 1, "faces": [3, None]}, "$.faces[1]", "not null"),
        ({"command": "enter_dice", "request": 1, "faces": [3, "efect"]}, "$.faces[1]", "one of blank, effect"),
        (
            {"command": "declare_task", "declaration": {**DECLARATION, "purchases": [{"payer": "credit"}]}},
            "$.declaration.purchases[0].payer",
            "one of momentum, threat",
        ),
        ({"command": "set_up_table", "ruleset": "house", "players": []}, "$.ruleset", "one of starter"),
        ({"command": "enter_dice", "request": 1, "faces": [1] * 65}, "$.faces", "64"),
        ({"command": "add_trait", "name": "x" * 201}, "$.name", "200"),
        ({"command": "undo", "idempotency": ""}, "$.idempotency", "1"),
        (
            {
                "command": "report_reading",
                "reading": {
                    "reading_id": "r",
                    "source": "manual",
                    "dice": [{"kind": "d20", "face": 21, "confidence": 1.0, "state": "read", "source": "manual"}],
                },
            },
            "$.reading.dice[0]",
            "1 to 20",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_place(fields: dict[str, Any], place: str, words: str) -> None:
    with pytest.raises(WireError, match=words) as told:
        decoded(**fields)
    assert told.value.place == place


def test_an_unknown_command_names_the_nearest() -> None:
    with pytest.raises(UnknownCommandError, match="Did you mean declare_task") as told:
        decoded(command="declare_tasks")
    assert "declare_task" in told.value.near


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 60_000, b'{"a":' * 10_000, b'"\\ud800"', b"NaN", b"1e999"]
)
def test_what_is_no_object_is_refused(body: bytes) -> None:
    with pytest.raises(WireError):
        read(body)


@given(body=some.binary(max_size=60))
def test_no_bytes_do_anything_but_decode_or_be_refused(body: bytes) -> None:
    with pytest.raises(WireError):
        read(body)


@given(name=some.sampled_from(sorted(COMMANDS)), fields=some.dictionaries(some.text(max_size=12), JSON, max_size=3))
def test_no_fields_do_anything_but_decode_or_be_refused(name: str, fields: dict[str, Any]) -> None:
    try:
        found = decoded(**{**fields, "command": name})
    except WireError as error:
        assert str(error)  # noqa: PT017 - most are wrong, and then words are the promise
    else:
        assert name_of(found) == name


@given(some.sampled_from(sorted(COMMANDS)).flatmap(lambda name: some.from_type(COMMANDS[name])))
def test_every_command_survives_the_way_out_and_in(command: Any) -> None:  # noqa: ANN401 - one of forty classes
    given = msgspec.json.decode(encode(command))
    try:
        back = decoded(**{**given, "command": name_of(command)})
    except WireError:
        return  # beyond what the edge allows: a text of 300 letters, a list of 70 dice
    assert msgspec.json.decode(encode(back)) == visible_in(given)
    assert back == command or visible_in(given) != given


def declared(value: Any) -> Any:  # noqa: ANN401 - any part of an event
    """`value`, where each declaration in it has both of what a command may leave to its action."""
    if isinstance(value, tuple):
        return tuple(declared(one) for one in value)
    if not is_dataclass(value):
        return value
    made: Callable[..., Any] = type(value)
    parts = {field.name: declared(getattr(value, field.name)) for field in fields(value) if field.init}
    if isinstance(value, Declaration):
        parts["attribute"] = value.attribute or Attribute.CONTROL
        parts["discipline"] = value.discipline or Discipline.COMMAND
    return made(**parts)


@given(some.sampled_from(sorted(EVENTS)).flatmap(lambda name: some.from_type(EVENTS[name])).map(declared))
def test_every_event_comes_back_from_the_journal_and_goes_out_the_same(event: Any) -> None:  # noqa: ANN401 - any event
    assert event_of(event_json(event)) == event
    assert json.loads(msgspec.json.encode(output(event))) == json.loads(event_json(event))


@pytest.mark.parametrize("body", [b"", b"{}", b'{"event":"unheard_of"}', b'{"event":"trait_removed"}', b"[1]"])
def test_what_is_no_event_is_refused(body: bytes) -> None:
    with pytest.raises(WireError):
        event_of(body)


def test_every_message_has_its_struct() -> None:
    for kind in COMMANDS.values():
        assert command_shape(kind).__struct_config__.forbid_unknown_fields
    for event in EVENTS.values():
        assert output_shape(event).__struct_config__.tag_field == "event"


@pytest.mark.parametrize("code", COMPLETE)
@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"{}",
        b"[]",
        b'{"command":3}',
        b'{"command":"undo","dice":[20]}',
        b'{"command":"undo","idempotncy":"k"}',
        b'{"command":"undo","idempotency":""}',
        b'{"command":"declare_task"}',
        b'{"command":"enter_dice","request":"1","faces":[1]}',
        b'{"command":"enter_dice","request":1000000000000,"faces":[1]}',
        b'{"command":"enter_dice","request":1,"faces":[null]}',
        b'{"command":"set_up_table","ruleset":"house","players":[]}',
        b'{"command":"add_trait","name":"%s"}' % (b"x" * 201),
        b'{"command":"enter_dice","request":1,"faces":[%s]}' % b",".join([b"1"] * 65),
    ],
)
def test_what_is_wrong_is_said_in_the_senders_language(body: bytes, code: str) -> None:
    with pytest.raises(WireError) as caught:
        read(body)
    words, catalog = words_of(caught.value), LANGUAGES.language(code).catalog
    told = words.rendered(catalog)
    assert told != str(words)
    assert not {"must", "field", "missing", "than"} & set(re.findall(r"[a-z]+", told)), told
