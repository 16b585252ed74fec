"""The API's description is what the API does: every path asked, every answer held against its schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from kiosk import hub
from kiosk.devices.camera_switch import SwitchedCamera
from kiosk.devices.phone_pictures import PhonePictures
from kiosk.sources import Sources
from kiosk.web.api import ROUTES
from kiosk.web.openapi import document
from rules.dice import DieKind, DieReading, DieState, Reading, SourceKind
from rules.messages import COMMANDS, EVENTS
from rules.words import say
from tests.kiosk.desk import HEADERS, Desk, got, post, send
from tests.kiosk.test_hub import parsed
from tests.kiosk.web.test_api import CREW, DECLARATION, Lens, Thrower, set_up
from vision.desk.snapshots import Snapshots, TakenPicture

Json = Any


@cache
def described() -> dict[str, Any]:
    """The description: half a second's work, for whoever tests it."""
    made: dict[str, Any] = json.loads(document(ROUTES))
    return made


class MismatchError(AssertionError):
    """A value that its schema does not allow."""


def check(value: Json, schema: dict[str, Any], place: str = "$") -> None:  # noqa: C901 - one step for each word
    """Hold `value` against `schema`, in the part of JSON Schema that the document uses; unknown words are an error."""
    known = {"$ref", "anyOf", "type", "enum", "const", "properties", "required", "items", "prefixItems", "minItems",
             "maxItems", "additionalProperties", "minimum", "maximum", "minLength", "maxLength", "pattern", "title",
             "description", "default", "discriminator", "format", "contentMediaType"}  # fmt: skip
    if unknown := set(schema) - known:
        raise MismatchError(f"{place}: the schema uses {unknown}")
    if "$ref" in schema:
        check(value, described()["components"]["schemas"][schema["$ref"].rpartition("/")[2]], place)
    if "anyOf" in schema:
        _check_any(value, schema["anyOf"], place)
    if "enum" in schema and value not in schema["enum"]:
        raise MismatchError(f"{place}: {value!r} is not among {schema['enum']}")
    if "type" in schema and not _is_type(value, schema["type"]):
        raise MismatchError(f"{place}: {value!r} is not {schema['type']}")
    if isinstance(value, dict):
        _check_object(value, schema, place)
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        for number, one in enumerate(value):
            check(one, schema["items"], f"{place}[{number}]")
    if isinstance(value, int | float) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        raise MismatchError(f"{place}: {value} is out of range")
    if isinstance(value, str) and not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
        raise MismatchError(f"{place}: {value!r} is of the wrong length")


def _check_any(value: Json, schemas: list[dict[str, Any]], place: str) -> None:
    reasons = []
    for schema in schemas:
        try:
            check(value, schema, place)
        except MismatchError as error:
            reasons.append(str(error))
        else:
            return
    raise MismatchError(f"{place}: {value!r} fits none: {reasons[:3]}")


def _check_object(value: dict[str, Any], schema: dict[str, Any], place: str) -> None:
    properties = schema.get("properties", {})
    if missing := set(schema.get("required", ())) - set(value):
        raise MismatchError(f"{place}: {missing} missing")
    for key, one in value.items():
        if key in properties:
            check(one, properties[key], f"{place}.{key}")
        elif schema.get("additionalProperties") is False:
            raise MismatchError(f"{place}: {key} is not allowed")


def _is_type(value: Json, kind: str) -> bool:
    kinds: dict[str, tuple[type, ...]] = {
        "object": (dict,), "array": (list,), "string": (str,), "integer": (int,), "number": (int, float),
        "boolean": (bool,), "null": (type(None),),
    }  # fmt: skip
    return isinstance(value, kinds[kind]) and (not isinstance(value, bool) or kind == "boolean")


def references(value: Json) -> Iterator[str]:
    """Every `$ref` in the document."""
    if isinstance(value, dict):
        yield from (one for key, one in value.items() if key == "$ref")
        for one in value.values():
            yield from references(one)
    elif isinstance(value, list):
        for one in value:
            yield from references(one)


class TwoDice(Snapshots):
    """Sees a 3 and a 12 in every picture."""

    def __init__(self) -> None:
        """There is no reader."""

    def read(self, data: bytes) -> TakenPicture:
        dice = (DieReading(DieKind.D20, face, 1.0, DieState.READ, SourceKind.PHONE) for face in (3, 12))
        return TakenPicture(
            Reading(self.name_of(data), SourceKind.PHONE, tuple(dice), found=True), say("A die is red.")
        )


@pytest.fixture
def client() -> Iterator[FlaskClient]:
    phones = PhonePictures(TwoDice)
    with Desk(sources=Sources((Lens(),)), demo=Thrower(), camera=SwitchedCamera(Lens), phones=phones) as desk:
        yield desk.client()


def test_the_document_is_served_and_whole(client: FlaskClient) -> None:
    assert client.get("/api/v1/openapi.json").json == described()
    assert described()["openapi"] == "3.1.0"
    schemas = described()["components"]["schemas"]
    for reference in references(described()):
        assert reference.removeprefix("#/components/schemas/") in schemas


def test_it_lists_exactly_what_the_application_answers(client: FlaskClient) -> None:
    served = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in client.application.url_map.iter_rules()
        for method in rule.methods or ()
        if rule.rule.startswith(("/api/", "/healthz")) and method in {"GET", "POST", "PUT", "DELETE", "PATCH"}
    }
    assert served == {(path, method) for path, methods in described()["paths"].items() for method in methods}


def test_every_command_and_every_event_is_described() -> None:
    schemas = described()["components"]["schemas"]
    tags = {
        (field, schema["properties"][field]["enum"][0])
        for schema in schemas.values()
        for field in ("command", "event")
        if "enum" in schema.get("properties", {}).get(field, {})
    }
    assert {name for field, name in tags if field == "command"} == set(COMMANDS)
    assert {name for field, name in tags if field == "event"} == set(EVENTS)
    for schema in schemas.values():
        assert schema.get("description", "").strip() or schema["title"].endswith("Input"), schema["title"]


def asked(client: FlaskClient) -> dict[str, tuple[str, object]]:
    """For each operation: the path to ask, and the body where it takes one."""
    character = set_up(client)
    person = post(client, "/api/v1/me", {"name": "Sam"})[1]["person_id"]
    assert post(client, "/api/v1/pin", {"pin": "1234"})[0] == 200
    narration = got(client, "/api/v1/table")["narration"]["id"]
    return {
        "getTable": ("/api/v1/table", None),
        "getMenu": (f"/api/v1/menu?actor={character}", None),
        "sendCommand": (
            "/api/v1/commands",
            {"command": "declare_task", "declaration": {"character_id": character, **DECLARATION}, "idempotency": "k"},
        ),
        "followEvents": ("/api/v1/events", None),
        "holdScreen": ("/api/v1/hold", {"held": True}),
        "getDiePicture": ("/api/v1/pictures/die-1.jpg", None),
        "getCutOut": ("/api/v1/pictures/die-1.webp", None),
        "getWholePicture": ("/api/v1/pictures/die-1/whole.jpg", None),
        "getCameraPicture": ("/api/v1/camera.jpg", None),
        "computeOdds": ("/api/v1/odds", {"character_id": character, **DECLARATION}),
        "getSpeech": (f"/api/v1/speech/{narration}.wav?length=terse", None),
        "setVoice": ("/api/v1/voice", {"muted": False, "length": "terse"}),
        "setScreen": ("/api/v1/screen", {"theme": "light"}),
        "getTray": ("/api/v1/tray", None),
        "checkCamera": ("/api/v1/camera/check", None),
        "changeTray": ("/api/v1/tray", {"action": "begin", "name": "Red", "kind": "d6"}),
        "getReference": ("/api/v1/reference", None),
        "askVoice": ("/api/v1/voice/say", {"what": "pools"}),
        "pressPanel": ("/api/v1/panel", {"gesture": "next"}),
        "getListener": ("/api/v1/listener", None),
        "setListener": ("/api/v1/listener", {"rate": 1.5, "length": "terse"}),
        "getSound": ("/api/v1/sounds/player-1.wav", None),
        "throwDemoDice": ("/api/v1/demo/throw", {"where": "tray"}),
        "getPresets": (f"/api/v1/presets?character={character}", None),
        "computeChoices": ("/api/v1/odds/choices", {"character_id": character, **DECLARATION}),
        "getHiddenRolls": ("/api/v1/hidden", None),
        "changeHiddenRolls": (
            "/api/v1/hidden",
            {"action": "declare", "declaration": {"character_id": character, **DECLARATION, "purchases": []}},
        ),
        "switchCamera": ("/api/v1/camera", {"running": False}),
        "readPicture": ("/api/v1/pictures?request=", b"a picture"),
        "whoAmI": ("/api/v1/me", None),
        "changeMe": ("/api/v1/me", {"take": character}),
        "getPersons": ("/api/v1/persons", None),
        "getNetwork": ("/api/v1/network", None),
        "chooseNetwork": ("/api/v1/network", {"let_in": True}),
        "changePerson": ("/api/v1/persons", {"action": "give", "person_id": person, "character_id": character}),
        "renewCode": ("/api/v1/codes", {"code": "table"}),
        "setPin": ("/api/v1/pin", {"pin": ""}),
        "unlock": ("/api/v1/pin/unlock", {"pin": "1234"}),
        "join": ("/api/v1/join", {"code": "CDFGHJ"}),
        "getDescription": ("/api/v1/openapi.json", None),
        "getHealth": ("/healthz", None),
    }


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)
def test_every_path_answers_as_described(client: FlaskClient, route: Any) -> None:  # noqa: ANN401 - a Route
    every = asked(client)
    path, body = every[route.name]
    told = described()["paths"][re.sub(r"<(\w+)>", r"{\1}", route.path)][route.method.lower()]
    sent: dict[str, Any] = {"json": body}
    if isinstance(body, bytes):
        assert list(told["requestBody"]["content"]) == [route.takes]
        assert client.post(every["sendCommand"][0], json=every["sendCommand"][1], headers=HEADERS).status_code == 200
        path += str(got(client, "/api/v1/table")["table"]["request"]["number"])
        sent = {"data": body, "content_type": "image/jpeg"}
    elif "requestBody" in told:
        check(body, told["requestBody"]["content"]["application/json"]["schema"])
    answer = client.open(path, method=route.method, headers=HEADERS, **sent)
    assert answer.status_code == 200
    content = told["responses"]["200"]["content"]
    assert [answer.mimetype] == list(content)
    if answer.mimetype == "application/json":
        check(answer.json, content["application/json"]["schema"])
    answer.close()


def test_a_problem_is_as_described(client: FlaskClient) -> None:
    schema = described()["components"]["schemas"]["Problem"]
    bodies: list[object] = [{"command": "undo"}, {"command": "nothing"}, {"command": "undo", "x": 1}, []]
    for body in bodies:
        answer = client.post("/api/v1/commands", json=body, headers=HEADERS)
        told = described()["paths"]["/api/v1/commands"]["post"]["responses"][str(answer.status_code)]
        assert list(told["content"]) == [answer.mimetype]
        check(answer.get_json(force=True), schema)


def test_a_busy_table_and_its_stream_are_as_described() -> None:
    with Desk() as desk:
        client = desk.client()
        character = set_up(client)
        send(client, "add_trait", name="Fog")
        send(client, "declare_task", declaration={"character_id": character, **DECLARATION})
        view = got(client, "/api/v1/table")
        send(client, "enter_dice", request=view["table"]["request"]["number"], faces=[1, 20])
        schemas = described()["components"]["schemas"]
        busy = got(client, "/api/v1/table")
        assert busy["options"]
        check(busy, schemas["TableView"])
        events = described()["paths"]["/api/v1/events"]["get"]["responses"]["200"]["content"]["text/event-stream"][
            "schema"
        ]
        told = parsed(next(iter(desk.hub.subscribe(last_event_id=0))))
        assert {name for name, *_ in told} == {"snapshot", "journal"}
        for name, _, data in told:
            check(data, events["x-events"][name]["data"])


def test_every_kind_of_message_that_the_hub_sends_is_described() -> None:
    sent = set(re.findall(r'\bmessage\(\s*"(\w+)"', Path(hub.__file__).read_text(encoding="utf-8")))
    assert "beat" in sent
    stream = described()["paths"]["/api/v1/events"]["get"]["responses"]["200"]["content"]["text/event-stream"]
    assert set(stream["schema"]["x-events"]) == sent


def test_the_checker_itself_finds_what_is_wrong() -> None:
    schema = described()["components"]["schemas"]["Problem"]
    good = {"type": "/problems/x", "title": "X", "status": 400, "detail": "Do y."}
    check(good, schema)
    wrong: list[object] = [
        {**good, "status": "400"},
        {"type": "x"},
        [],
        {**good, "near": [3]},
        {**good, "detail": None},
    ]
    for bad in wrong:
        with pytest.raises(MismatchError):
            check(bad, schema)
    crew = described()["components"]["schemas"]["SaveCharacter"]
    check({"command": "save_character", **CREW}, crew)
    with pytest.raises(MismatchError):
        check({"command": "save_character", **CREW, "luck": 3}, crew)


def test_what_an_option_would_send_is_described_command_by_command() -> None:
    offered = described()["components"]["schemas"]["Option"]["properties"]["command"]["anyOf"]
    assert {one["$ref"].rpartition("/")[2] for one in offered} == {
        f"{kind.__name__}Offered" for kind in COMMANDS.values()
    }


def test_schemas_are_called_as_version_1_calls_them() -> None:
    """Clients make types of these names, so they stay wherever the modules behind them move."""
    names = described()["components"]["schemas"]
    assert {"rules.dice.Guess", "rules.state.Task", "rules.state_conflict.Action", "rules.state_people.Body"} <= set(
        names
    )
    assert [name for name in names if re.match(r"rules\.\w+\.[a-z]", name)] == []
    assert "rules.state.conflict" not in json.dumps(names)


def test_each_status_is_described_as_what_it_means() -> None:
    """The words for a wrong name of the kiosk stand beside 421 alone, and each other status has its own."""
    words: dict[str, set[str]] = {}
    for operations in described()["paths"].values():
        for operation in operations.values():
            for status, response in operation["responses"].items():
                if not status.startswith("2"):
                    words.setdefault(response["description"], set()).add(status)
    assert words.pop("The kiosk does not go by that name.") == {"421"}
    assert {"409", "507"} <= set().union(*words.values())
    assert all(len(statuses) == 1 for statuses in words.values())
