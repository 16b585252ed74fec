"""An invented crew to start playing with at once, and ready numbers for a character of one's own.

All of it can be changed at /setup.

Its words are in the language of whoever adds it, and afterwards count as typed text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rules.words import Phrase, joined_by, say

ATTRIBUTES: Final = ("control", "daring", "fitness", "insight", "presence", "reason")
"""The names of attributes, in the order in which the tables here and in `foes` give their numbers."""
DISCIPLINES: Final = ("command", "conn", "security", "engineering", "science", "medicine")
"""The names of disciplines, and of a ship's departments, in that order."""
SYSTEMS: Final = ("communications", "computers", "engines", "sensors", "structure", "weapons")
"""The names of a ship's systems, in the order of the tables here and of `foes`."""

PLAYERS: Final = tuple(say("Player {number}", number=number) for number in range(1, 5))
"""The players' names of the sample crew, one for each of its characters."""

_Words = tuple[Phrase, ...]
_Numbers = tuple[int, ...]
_Mount = tuple[Phrase, str, int, str]

_CREW: Final[tuple[tuple[Phrase, _Numbers, _Numbers, _Words, _Words], ...]] = (
    (
        say("Captain {name}", name="Ilse Brandt"),
        (9, 10, 8, 9, 11, 9),
        (5, 3, 2, 1, 2, 1),
        (say("Diplomacy"), say("Inspiration"), say("Starship tactics")),
        (say("The crew decides with me"),),
    ),
    (
        say("Lieutenant {name}", name="Tomás Okoro"),
        (11, 9, 8, 8, 9, 11),
        (2, 2, 2, 5, 3, 1),
        (say("Transporters"), say("Improvised repairs"), say("Power grids")),
        (say("Nothing is broken for good"),),
    ),
    (
        say("Doctor {name}", name="Mirembe Sato"),
        (10, 8, 8, 11, 9, 10),
        (2, 1, 1, 2, 4, 5),
        (say("Xenobiology"), say("Emergency medicine")),
        (say("No patient is an enemy"),),
    ),
    (
        say("Ensign {name}", name="Pell Varga"),
        (10, 11, 10, 9, 8, 8),
        (1, 5, 4, 2, 2, 1),
        (say("Helm"), say("Small craft"), say("Evasive action")),
        (say("Closer than anyone dares"),),
    ),
)
"""Name, attributes, disciplines, focuses, Values."""

_READY: Final[dict[str, tuple[_Numbers, _Numbers, _Words]]] = {
    "command": ((9, 10, 8, 10, 11, 8), (5, 3, 3, 1, 2, 2), (say("Diplomacy"), say("Inspiration"))),
    "conn": ((10, 11, 10, 9, 8, 8), (2, 5, 3, 3, 2, 1), (say("Helm"), say("Evasive action"))),
    "security": ((8, 11, 11, 9, 9, 8), (2, 3, 5, 2, 1, 3), (say("Hand phasers"), say("Shipboard tactics"))),
    "engineering": ((11, 9, 8, 8, 9, 11), (1, 3, 2, 5, 4, 1), (say("Power grids"), say("Improvised repairs"))),
    "science": ((10, 8, 8, 10, 9, 11), (2, 2, 1, 3, 5, 3), (say("Sensor readings"), say("Astrophysics"))),
    "medicine": ((9, 8, 8, 11, 10, 10), (2, 1, 2, 2, 4, 5), (say("Emergency medicine"), say("Xenobiology"))),
}
"""The initial numbers of a character best at each discipline: attributes of 56 in all and disciplines of 16, in each
ruleset."""

_ARMS: Final = ("phaser_type_1", "phaser_type_1", "phaser_type_1", "phaser_type_2")
"""The weapon of each of the crew, by its name in the table of weapons, in the order of the crew."""

READY_SHIP: Final = ("Distant Harbour", 4, (9, 9, 10, 10, 8, 8), (2, 2, 2, 3, 4, 2))
"""The sample crew's ship: name, Scale, systems, departments."""
READY_WEAPONS: Final[dict[str, _Mount]] = {
    "phasers": (say("Phasers"), "energy", 7, "medium"),
    "torpedoes": (say("Torpedoes"), "torpedo", 5, "long"),
    "light_phasers": (say("Light phasers"), "energy", 4, "close"),
}
"""Weapons that a new ship may have at once: name, kind, rating, optimal range."""
USUAL_WEAPONS: Final = ("phasers", "torpedoes")
"""The keys of those that a new ship has unless somebody says otherwise; the sample crew's ship has them, too."""

NAMES: Final = joined_by(", ", [name for name, *_ in _CREW])
"""Everybody of the crew, in one line."""


def ready_character(discipline: str, name: str, said: Callable[[str], str] = str) -> dict[str, Any]:
    """The command that makes a player character with ready numbers, best in `discipline`, without a player yet.

    Raises `KeyError` for an unknown discipline.
    """
    attributes, disciplines, focuses = _READY[discipline]
    return {
        "command": "save_character",
        "name": name,
        "attributes": dict(zip(ATTRIBUTES, attributes, strict=True)),
        "disciplines": dict(zip(DISCIPLINES, disciplines, strict=True)),
        "focuses": [said(one) for one in focuses],
        "weapons": ["phaser_type_1"],
    }


def ready_weapon(key: str, said: Callable[[str], str] = str) -> dict[str, Any]:
    """The ship's weapon of that key, as `save_ship` takes it. Raises `KeyError` for an unknown one."""
    name, kind, rating, at_range = READY_WEAPONS[key]
    return {"name": said(name), "kind": kind, "rating": rating, "optimal_range": at_range}


def sample_crew(ruleset: str, said: Callable[[str], str] = str) -> list[dict[str, Any]]:
    """The commands that set up a table of four with the crew and its ship; players are matched once they exist.

    `save_character` carries `player_name` in place of `player_id`, for the sender to resolve. `said` puts words into
    the language of whoever calls for the crew.
    """
    return [
        {"command": "set_up_table", "ruleset": ruleset, "players": [said(one) for one in PLAYERS]},
        *(
            {
                "command": "save_character",
                "name": said(who),
                "attributes": dict(zip(ATTRIBUTES, attributes, strict=True)),
                "disciplines": dict(zip(DISCIPLINES, disciplines, strict=True)),
                "focuses": [said(one) for one in focuses],
                "values": [said(one) for one in values],
                "weapons": [arm],
                "player_name": said(player),
            }
            for player, arm, (who, attributes, disciplines, focuses, values) in zip(PLAYERS, _ARMS, _CREW, strict=True)
        ),
        {"command": "save_ship", **ready_ship(said)},
    ]


def ready_ship(said: Callable[[str], str] = str) -> dict[str, Any]:
    """The sample crew's ship, as `save_ship` takes it."""
    name, scale, systems, departments = READY_SHIP
    return {
        "name": name,
        "scale": scale,
        "systems": dict(zip(SYSTEMS, systems, strict=True)),
        "departments": dict(zip(DISCIPLINES, departments, strict=True)),
        "weapons": [ready_weapon(one, said) for one in USUAL_WEAPONS],
    }
