"""An invented crew to start playing with at once; every name can be changed at /setup."""

from __future__ import annotations

from typing import Any, Final

_ATTRIBUTES: Final = ("control", "daring", "fitness", "insight", "presence", "reason")
_DISCIPLINES: Final = ("command", "conn", "security", "engineering", "science", "medicine")
_SYSTEMS: Final = ("communications", "computers", "engines", "sensors", "structure", "weapons")

PLAYERS: Final = ("Player 1", "Player 2", "Player 3", "Player 4")

_CREW: Final = (
    (
        "Captain Ilse Brandt",
        (9, 10, 8, 9, 11, 9),
        (5, 3, 2, 1, 2, 1),
        ("Diplomacy", "Inspiration", "Starship tactics"),
        ("The crew decides with me",),
    ),
    (
        "Lieutenant Tomás Okoro",
        (11, 9, 8, 8, 9, 11),
        (2, 2, 2, 5, 3, 1),
        ("Transporters", "Improvised repairs", "Power grids"),
        ("Nothing is broken for good",),
    ),
    (
        "Doctor Mirembe Sato",
        (10, 8, 8, 11, 9, 10),
        (2, 1, 1, 2, 4, 5),
        ("Xenobiology", "Emergency medicine"),
        ("No patient is an enemy",),
    ),
    (
        "Ensign Pell Varga",
        (10, 11, 10, 9, 8, 8),
        (1, 5, 4, 2, 2, 1),
        ("Helm", "Small craft", "Evasive action"),
        ("Closer than anyone dares",),
    ),
)
"""Name, attributes, disciplines, focuses, Values."""

_SHIP: Final = ("Distant Harbour", 4, (9, 9, 10, 10, 8, 8), (2, 2, 2, 3, 4, 2))

NAMES: Final = tuple(name for name, *_ in _CREW)


def sample_crew(ruleset: str) -> list[dict[str, Any]]:
    """The commands that set up a table of four with the crew and its ship; players are matched once they exist.

    `save_character` carries `player_name` in place of `player_id`, for the sender to resolve.
    """
    name, scale, systems, departments = _SHIP
    return [
        {"command": "set_up_table", "ruleset": ruleset, "players": list(PLAYERS)},
        *(
            {
                "command": "save_character",
                "name": who,
                "attributes": dict(zip(_ATTRIBUTES, attributes, strict=True)),
                "disciplines": dict(zip(_DISCIPLINES, disciplines, strict=True)),
                "focuses": list(focuses),
                "values": list(values),
                "player_name": player,
            }
            for player, (who, attributes, disciplines, focuses, values) in zip(PLAYERS, _CREW, strict=True)
        ),
        {
            "command": "save_ship",
            "name": name,
            "scale": scale,
            "systems": dict(zip(_SYSTEMS, systems, strict=True)),
            "departments": dict(zip(_DISCIPLINES, departments, strict=True)),
        },
    ]
