"""The OpenAPI 3.1 document, made from the same table of routes and the same types as the handlers."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, Final

import msgspec

from kiosk.ports import SourceView
from kiosk.storage import shapes
from kiosk.views.view import TableView
from kiosk.web.access import COOKIE, AccessLevel
from kiosk.web.menu_view import describe_actions
from kiosk.web.messages import JournalEvent, Problem
from kiosk.web.problems import MEDIA_TYPE
from kiosk.web.route import HEADER, Route
from rules.game import KNOWN_ONCE_DECLARED, Command, Declaration

_TEMPLATE: Final = "#/components/schemas/{name}"
"""The place of a named schema in the description."""
_VARIABLE: Final = re.compile(r"<(\w+)>")
"""A variable of a route's path, as Flask writes it."""
_STREAM: Final = {
    "snapshot": (TableView, "First, without id: the table as it is now."),
    "journal": (JournalEvent, "One for each event, with its sequence as id."),
    "table": (TableView, "After the events of a decision, without id."),
    "source": (SourceView, "When a part of the kiosk came or went."),
    "behind": (dict[str, int], "After the snapshot: how many events were missed that are not sent again."),
    "parts": (dict[str, str], "To the kiosk's own pages alone: what of them changes, as HTML by its id."),
    "beside": (dict[str, str], "Likewise words that change without the table, by their id: who is choosing a Task."),
    "hidden": (dict[str, str], "To the gamemaster's pages alone: the hidden rolls have changed."),
    "beat": (int, "Every three seconds in which nothing else is sent, without meaning but that the line is open."),
}
"""Each kind of message on the event stream."""

_VALUES: Final = re.compile(r"\brules\.(?P<room>dice\.readings|state\.(?P<part>\w+))\.(?P<name>[A-Z]\w*)")
"""The name of a schema that msgspec makes of a value of the rules: its module and its class."""

_PARTS: Final[Mapping[str, frozenset[str]]] = {
    "state_people": frozenset({"Ability", "Body", "Weapon"}),
    "state_ships": frozenset({"Core", "ShipState", "ShipWeapon", "SystemDamage", "WeaponTrait"}),
    "state_extended": frozenset({"ExtendedTrack"}),
    "state_conflict": frozenset({"Action", "Attack", "Combatant", "Conflict", "LastingEffect", "Step", "Turn"}),
    "state_house": frozenset({"HouseBreaches", "HouseSpend", "HouseStationAction", "HouseTables"}),
    "state_options": frozenset({"TableOptions"}),
}
"""Schemas of version 1 by the word before their names. These names stay for clients: they are no modules any more."""

_STATUS_WORDS: Final = {
    400: "The request is not as it should be; `place` says where.",
    401: "Join the table first.",
    403: "Not this visitor's to do.",
    404: "Not there, or no longer.",
    409: "Refused; `rule` names the rule of the game where it was the game that refused.",
    413: "Too large.",
    422: "This idempotency key was used for another command.",
    429: "Too many wrong codes or PINs; Retry-After says how long to wait.",
    503: "Not now; Retry-After says when.",
    504: "Still being recorded; look at the table before trying again.",
    507: "No room to record it, so it was not done.",
}
"""The meaning of each status."""


def document(routes: tuple[Route, ...]) -> bytes:
    """The document of `routes` as JSON."""
    return msgspec.json.encode(describe(routes))


def describe(routes: tuple[Route, ...]) -> dict[str, Any]:
    """The document of `routes` as plain values."""
    bodies = [kind for route in routes for kind in (route.body, route.answer) if kind is not None]
    kinds = [*bodies, *(kind for kind, _ in _STREAM.values()), Problem]
    shaped = [shapes.AnyCommand if kind is Command else kind for kind in kinds]
    schemas, components = msgspec.json.schema_components(shaped, ref_template=_TEMPLATE)
    describe_actions(components)
    _require_known(components)
    schema_of = {id(kind): schema for kind, schema in zip(kinds, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        path = _VARIABLE.sub(r"{\1}", route.path)
        paths.setdefault(path, {})[route.method.lower()] = _operation(route, schema_of)
    return _as_version_1(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "trueroll",
                "version": version("trueroll"),
                "description": (
                    "The table as it is, the decisions that change it, and what happens as it happens. "
                    "Every error is application/problem+json and says what the person can do."
                ),
                "license": {"name": "MIT", "identifier": "MIT"},
            },
            "servers": [{"url": "/"}],
            "paths": paths,
            "components": {
                "schemas": components,
                "securitySchemes": {
                    "joined": {
                        "type": "apiKey",
                        "in": "cookie",
                        "name": COOKIE,
                        "description": "From /api/v1/join. Not needed on the kiosk itself.",
                    }
                },
            },
        }
    )


def _require_known(schemas: dict[str, Any]) -> None:
    """Mark the fields of a declaration at the table as required that may be left out of an incoming one."""
    schema = schemas[f"{Declaration.__module__}.{Declaration.__name__}"]
    for field in dataclasses.fields(Declaration):
        if KNOWN_ONCE_DECLARED.items() <= field.metadata.items():
            schema["properties"][field.name] = schema["properties"][field.name]["anyOf"][0]
            schema["required"].append(field.name)


def _as_version_1(described: dict[str, Any]) -> dict[str, Any]:
    """`described` with the schemas of values called as version 1 calls them, wherever their modules lie today."""

    def called(found: re.Match[str]) -> str:
        name = found["name"]
        if not found["part"]:
            return f"rules.dice.{name}"
        return f"rules.{next((part for part, names in _PARTS.items() if name in names), 'state')}.{name}"

    renamed: dict[str, Any] = json.loads(_VALUES.sub(called, json.dumps(described)))
    return renamed


def _operation(route: Route, schema_of: dict[int, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {"operationId": route.name, "summary": route.summary}
    if parameters := _parameters(route):
        operation["parameters"] = parameters
    if route.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema_of[id(route.body)]}},
        }
    if route.takes:
        operation["requestBody"] = {"required": True, "content": {route.takes: {}}}
    if route.needs is not AccessLevel.GUEST:
        operation["security"] = [{"joined": []}, {}]
    operation["responses"] = {"200": _success(route, schema_of)}
    for status in sorted({*route.problems, 421}):
        operation["responses"][str(status)] = {
            "description": _STATUS_WORDS.get(status, "The kiosk does not go by that name."),
            "content": {MEDIA_TYPE: {"schema": {"$ref": _TEMPLATE.format(name="Problem")}}},
        }
    return operation


def _success(route: Route, schema_of: dict[int, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    described = "Done."
    if route.answer is not None:
        schema = schema_of[id(route.answer)]
    elif route.media_type == "application/json":
        schema = {"type": "object"}
    elif route.media_type == "text/event-stream":
        described = " ".join(f"`{name}`: {words}" for name, (_, words) in _STREAM.items())
        schema = {
            "type": "string",
            "x-events": {
                name: {"data": schema_of[id(kind)], "description": words} for name, (kind, words) in _STREAM.items()
            },
        }
    else:
        schema = {"type": "string", "contentMediaType": route.media_type}
    return {"description": described, "content": {route.media_type: {"schema": schema}}}


def _parameters(route: Route) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in _VARIABLE.findall(route.path)
    ]
    found += [
        {"name": name, "in": "query", "required": False, "schema": schema, "description": words}
        for name, schema, words in route.query
    ]
    if route.method == "POST":
        words = "Keeps other sites' pages out."
        found.append({"name": HEADER, "in": "header", "required": True, "schema": {"const": "1"}, "description": words})
    if route.media_type == "text/event-stream":
        words = "The last event seen; everything since is sent again."
        schema = {"type": "string", "pattern": "^[0-9]{1,15}$"}
        found.append(
            {"name": "Last-Event-ID", "in": "header", "required": False, "schema": schema, "description": words}
        )
    return found
