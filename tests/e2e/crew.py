"""An invented crew for the end-to-end tests."""

from __future__ import annotations

from typing import Any

from tests.e2e.program import Program

ATTRIBUTES = {"control": 11, "daring": 9, "fitness": 8, "insight": 9, "presence": 8, "reason": 10}
DISCIPLINES = {"command": 2, "conn": 2, "security": 3, "engineering": 4, "science": 3, "medicine": 1}


def set_up(program: Program, *, name: str = "Ada Lindqvist", ruleset: str = "core-1e") -> str:
    """Set up a table of two players with one character; return the character's id."""
    program.send("set_up_table", ruleset=ruleset, players=["Ada", "Ben"])
    program.send(
        "save_character",
        name=name,
        attributes=ATTRIBUTES,
        disciplines=DISCIPLINES,
        focuses=["Transporters"],
        values=["Nobody is left behind"],
        player_id=program.table()["table"]["players"][0]["player_id"],
    )
    return str(program.table()["table"]["characters"][0]["character_id"])


def declaration(character: str, **changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field of a declaration
    """A Task against Target Number 15, discipline 4, with focus, Difficulty 2."""
    return {
        "character_id": character,
        "attribute": "control",
        "discipline": "engineering",
        "focus": True,
        "difficulty": 2,
        **changes,
    }
