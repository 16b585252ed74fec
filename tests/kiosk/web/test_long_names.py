"""A name that is too long is refused in a person's words, at the same length by the forms and by the API."""

from __future__ import annotations

import re
from typing import Final

import pytest
from flask.testing import FlaskClient

from rules.game import LONGEST_NAME
from tests.kiosk.desk import got, post
from tests.kiosk.web.test_pages import press, read, set_up, words

LONG = "A" * 300
KEPT = "B" * LONGEST_NAME

COMMANDS: Final[dict[str, dict[str, object]]] = {
    "set_up_table": {"ruleset": "core-1e"},
    "add_player": {},
    "save_character": {
        "attributes": dict.fromkeys(("control", "daring", "fitness", "insight", "presence", "reason"), 8),
        "disciplines": dict.fromkeys(("command", "conn", "engineering", "security", "science", "medicine"), 2),
    },
    "save_ship": {
        "scale": 4,
        "systems": dict.fromkeys(("communications", "computers", "engines", "sensors", "structure", "weapons"), 8),
        "departments": dict.fromkeys(("command", "conn", "engineering", "security", "science", "medicine"), 2),
    },
}
"""What each command needs besides a name."""


@pytest.mark.parametrize(
    ("action", "fields", "whose"),
    [
        ("set_up", {"ruleset": "core-1e", "players": f"Ada\n{LONG}"}, "A player's"),
        ("add_player", {"name": LONG}, "A player's"),
        ("character", {"character_name": LONG}, "A character's"),
        ("ship", {"ship_name": LONG}, "A ship's"),
    ],
)
def test_a_long_name_is_refused_in_words(client: FlaskClient, action: str, fields: dict[str, str], whose: str) -> None:
    set_up(client)
    before = got(client, "/api/v1/table")["sequence"]
    status, page = press(client, action, back="/setup", **fields)
    assert status == 400
    shown = words(page)
    assert f"{whose} name may have at most 60 characters; '{'A' * 20}…' has 300." in shown
    assert "$." not in shown
    assert got(client, "/api/v1/table")["sequence"] == before


def test_sixty_characters_are_taken(client: FlaskClient) -> None:
    set_up(client)
    assert press(client, "add_player", back="/setup", name=KEPT)[0] == 200
    assert got(client, "/api/v1/table")["table"]["players"][-1]["name"] == KEPT


@pytest.mark.parametrize(
    ("path", "field"),
    [
        *(("/setup", one) for one in ("player-name", "character_name", "ship_name")),
        *(("/me", one) for one in ("name", "character_name")),
        ("/join", "name"),
    ],
)
def test_no_field_cuts_a_name_without_a_word(client: FlaskClient, path: str, field: str) -> None:
    """It takes more than a name may have, so that the refusal says how many letters there are."""
    set_up(client)
    (most,) = re.findall(rf'<input id="{field}"[^>]* maxlength="(\d+)"', read(client, path))
    assert int(most) > len(KEPT)


def test_the_api_names_the_field_in_words(client: FlaskClient) -> None:
    set_up(client)
    status, problem = post(client, "/api/v1/commands", {"command": "add_player", "name": LONG})
    assert status == 400
    assert problem["detail"] == "The field 'name' may have at most 60 characters."
    status, problem = post(
        client, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"] * 65}
    )
    assert status == 400
    assert problem["detail"] == "The field 'players' may have at most 64 entries."


@pytest.mark.parametrize(
    ("command", "field", "name"),
    [
        ("set_up_table", "players", ["Ada", KEPT + "C"]),
        ("add_player", "name", KEPT + "C"),
        ("save_character", "name", KEPT + "C"),
        ("save_ship", "name", KEPT + "C"),
    ],
)
def test_the_api_takes_no_longer_names_than_the_pages(
    client: FlaskClient, command: str, field: str, name: str | list[str]
) -> None:
    set_up(client)
    status, problem = post(client, "/api/v1/commands", {**COMMANDS[command], "command": command, field: name})
    assert (status, problem["detail"]) == (400, f"The field '{field}' may have at most 60 characters.")
    kept = ["Ada", KEPT] if isinstance(name, list) else KEPT
    assert post(client, "/api/v1/commands", {**COMMANDS[command], "command": command, field: kept})[0] == 200


def test_the_api_tells_how_long_a_name_may_be(client: FlaskClient) -> None:
    schemas = got(client, "/api/v1/openapi.json")["components"]["schemas"]
    for command in ("AddPlayer", "SaveCharacter", "SaveShip"):
        (found,) = (one for name, one in schemas.items() if name.endswith(command))
        assert found["properties"]["name"]["maxLength"] == LONGEST_NAME
