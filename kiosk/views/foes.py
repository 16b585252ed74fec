"""Foes and ships of our own invention, for a fight that begins at once, in every ruleset.

Their words are in the language of whoever adds them, and afterwards count as typed text. Fights on foot go by the same
numbers in every ruleset; the ratings of ships' weapons are Challenge Dice or damage (S2E-10).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

from kiosk.views.crew import ATTRIBUTES, DISCIPLINES, READY_SHIP, SYSTEMS, ready_ship
from rules.words import Phrase, say

MOST: Final = 8
"""Most foes of one kind in a fight."""

ROLES: Final[Mapping[str, tuple[Phrase, str]]] = {
    "minor": (say("minor NPC"), "minor_npc"),
    "notable": (say("notable NPC"), "notable_npc"),
    "major": (say("major NPC"), "notable_npc"),
}
"""Each role in a word, and the standing that it is played with (NPC-1).

The rules know no standing above notable: who is major has Threat of their own besides, or is hard to put down.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Foe:
    """Somebody whom a crew may meet. `abilities` are names of NPC-2, with a number and what they are about."""

    key: str
    name: Phrase
    role: str
    attributes: tuple[int, ...]
    disciplines: tuple[int, ...]
    weapons: tuple[str, ...] = ()
    resistance: int = 0
    focuses: tuple[Phrase, ...] = ()
    values: tuple[Phrase, ...] = ()
    abilities: tuple[tuple[str, int, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A ship's weapon: its Challenge Dice in the first edition, its damage in the second; `traits` of either kind."""

    name: Phrase
    kind: str
    dice: int
    damage: int
    at_range: str
    effects: tuple[tuple[str, int], ...] = ()
    qualities: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoeShip:
    """A ship that a crew may meet, with its crew's quality (NSHIP-1)."""

    key: str
    name: Phrase
    scale: int
    crew: str
    systems: tuple[int, ...]
    departments: tuple[int, ...]
    weapons: tuple[Mount, ...]


FOES: Final = (
    Foe(
        key="hired_blade", name=say("Hired blade"), role="minor",
        attributes=(8, 9, 9, 7, 7, 7), disciplines=(0, 1, 2, 0, 0, 0), weapons=("blade", "knife"),
    ),
    Foe(
        key="corsair", name=say("Corsair"), role="minor",
        attributes=(8, 9, 8, 8, 7, 7), disciplines=(1, 1, 2, 1, 0, 0), weapons=("disruptor_pistol", "knife"),
    ),
    Foe(
        key="sentry", name=say("Outpost sentry"), role="minor", resistance=1,
        attributes=(9, 8, 8, 8, 8, 7), disciplines=(1, 0, 2, 1, 0, 1), weapons=("phase_pistol", "bludgeon"),
    ),
    Foe(
        key="cinder_drone", name=say("Cinder drone"), role="minor",
        attributes=(9, 8, 9, 7, 7, 8), disciplines=(0, 1, 2, 1, 1, 0), weapons=("phase_pistol",),
        abilities=(("machine", 1, ""), ("night_vision", 0, "")),
    ),
    Foe(
        key="glasshide", name=say("Glasshide stalker"), role="minor", resistance=1,
        attributes=(8, 10, 10, 9, 7, 7), disciplines=(0, 1, 2, 0, 0, 0),
        abilities=(("night_vision", 0, ""), ("menacing", 0, "")),
    ),
    Foe(
        key="corsair_captain", name=say("Corsair captain"), role="notable",
        attributes=(9, 10, 9, 8, 10, 8), disciplines=(3, 3, 3, 1, 1, 1),
        weapons=("disruptor_pistol", "heavy_blade"), focuses=(say("Boarding"), say("Intimidation")),
    ),
    Foe(
        key="turncoat", name=say("Turncoat officer"), role="notable",
        attributes=(10, 9, 9, 10, 8, 9), disciplines=(2, 2, 4, 2, 1, 1),
        weapons=("phaser_type_2",), focuses=(say("Shipboard tactics"), say("Deception")),
    ),
    Foe(
        key="broker", name=say("Smuggling broker"), role="notable",
        attributes=(9, 8, 8, 10, 11, 9), disciplines=(3, 2, 2, 1, 2, 1),
        weapons=("phase_pistol", "knife"), focuses=(say("Persuasion"), say("Hidden routes")),
    ),
    Foe(
        key="vault_warden", name=say("Vault warden"), role="notable",
        attributes=(10, 8, 11, 8, 7, 9), disciplines=(1, 1, 3, 3, 2, 0),
        weapons=("particle_rifle",), abilities=(("machine", 3, ""), ("night_vision", 0, ""), ("fast_recovery", 1, "")),
    ),
    Foe(
        key="belt_warlord", name=say("Warlord of the Broken Belt"), role="major", resistance=2,
        attributes=(10, 12, 11, 9, 11, 8), disciplines=(4, 3, 5, 2, 1, 1),
        weapons=("disruptor_rifle", "heavy_blade"), focuses=(say("Intimidation"), say("Close combat")),
        values=(say("The strong owe nothing"),), abilities=(("threatening", 3, ""),),
    ),
    Foe(
        key="pale_regent", name=say("Pale Regent"), role="major",
        attributes=(10, 9, 8, 12, 12, 11), disciplines=(5, 2, 2, 2, 3, 2),
        weapons=("phase_pistol",), focuses=(say("Intrigue"), say("Persuasion")),
        values=(say("Every peace has a price"),), abilities=(("threatening", 4, ""),),
    ),
    Foe(
        key="leviathan", name=say("Storm leviathan"), role="major", resistance=3,
        attributes=(8, 11, 12, 9, 8, 7), disciplines=(0, 2, 5, 0, 0, 0), focuses=(say("Tearing things apart"),),
        abilities=(("menacing", 0, ""), ("wrathful", 0, ""), ("fast_recovery", 2, ""), ("night_vision", 0, "")),
    ),
)  # fmt: skip
"""Every foe of the library, the weakest first."""


_BEAMS, _PULSES, _LANCE = say("Beam emitters"), say("Pulse cannons"), say("Plasma lance")
"""Names of foes' energy weapons."""
_TORPEDOES, _MINES = say("Torpedoes"), say("Grapple torpedoes")
"""Names of foes' torpedoes."""

SHIPS: Final = (
    FoeShip(
        key="needle", name=say("Needle skiff"), scale=1, crew="basic",
        systems=(6, 6, 8, 7, 6, 7), departments=(1, 3, 2, 1, 1, 0),
        weapons=(Mount(name=_PULSES, kind="energy", dice=4, damage=4, at_range="close"),),
    ),
    FoeShip(
        key="mule", name=say("Armed mule"), scale=2, crew="basic",
        systems=(7, 6, 7, 7, 8, 7), departments=(1, 2, 2, 2, 1, 1),
        weapons=(Mount(name=_BEAMS, kind="energy", dice=5, damage=5, at_range="medium"),),
    ),
    FoeShip(
        key="lantern", name=say("Lantern scout"), scale=3, crew="proficient",
        systems=(9, 9, 9, 11, 7, 7), departments=(2, 3, 2, 2, 4, 1),
        weapons=(
            Mount(name=_BEAMS, kind="energy", dice=5, damage=5, at_range="medium"),
            Mount(name=_MINES, kind="torpedo", dice=3, damage=4, at_range="long", effects=(("dampening", 0),)),
        ),
    ),
    FoeShip(
        key="razor", name=say("Razor corsair"), scale=3, crew="proficient",
        systems=(7, 7, 10, 8, 8, 9), departments=(2, 3, 3, 2, 1, 1),
        weapons=(
            Mount(name=_PULSES, kind="energy", dice=6, damage=6, at_range="close", effects=(("vicious", 1),)),
            Mount(name=_TORPEDOES, kind="torpedo", dice=4, damage=5, at_range="long"),
        ),
    ),
    FoeShip(
        key="anvil", name=say("Anvil cruiser"), scale=4, crew="proficient",
        systems=(8, 8, 9, 8, 10, 10), departments=(3, 2, 3, 3, 2, 2),
        weapons=(
            Mount(name=_BEAMS, kind="energy", dice=7, damage=7, at_range="medium"),
            Mount(
                name=_TORPEDOES, kind="torpedo", dice=5, damage=6, at_range="long", qualities=(("high_yield", 0),),
            ),
        ),
    ),
    FoeShip(
        key="halberd", name=say("Halberd heavy cruiser"), scale=5, crew="talented",
        systems=(9, 9, 9, 9, 11, 11), departments=(3, 2, 4, 3, 2, 2),
        weapons=(
            Mount(name=_LANCE, kind="energy", dice=8, damage=8, at_range="medium", effects=(("piercing", 2),)),
            Mount(
                name=_TORPEDOES, kind="torpedo", dice=5, damage=7, at_range="long", qualities=(("high_yield", 0),),
            ),
        ),
    ),
    FoeShip(
        key="glacier", name=say("Glacier dreadnought"), scale=6, crew="talented",
        systems=(10, 10, 8, 9, 12, 12), departments=(4, 1, 4, 4, 2, 2),
        weapons=(
            Mount(name=_LANCE, kind="energy", dice=9, damage=9, at_range="long", effects=(("piercing", 2),)),
            Mount(name=_BEAMS, kind="energy", dice=8, damage=8, at_range="medium", effects=(("spread", 0),)),
            Mount(
                name=_TORPEDOES, kind="torpedo", dice=6, damage=8, at_range="long", qualities=(("high_yield", 0),),
            ),
        ),
    ),
)  # fmt: skip
"""Every ship of the library, the smallest first."""


def foe_cards(
    chosen: Mapping[str, int], taken: Collection[str], said: Callable[[str], str] = str
) -> list[dict[str, Any]]:
    """The cards of as many foes as `chosen` has of each key, as `save_character` takes them; see `_named`."""
    rows = {one.key: one for one in FOES}
    return [
        {
            "name": name,
            "standing": ROLES[row.role][1],
            "attributes": dict(zip(ATTRIBUTES, row.attributes, strict=True)),
            "disciplines": dict(zip(DISCIPLINES, row.disciplines, strict=True)),
            "focuses": [said(one) for one in row.focuses],
            "values": [said(one) for one in row.values],
            "weapons": list(row.weapons),
            "resistance": row.resistance,
            "abilities": [{"name": ability, "amount": x, "note": note} for ability, x, note in row.abilities],
        }
        for row, name in _named([(rows[key], said(rows[key].name), many) for key, many in chosen.items()], taken)
    ]


def kinds_of_foes() -> list[tuple[str, Phrase, Phrase]]:
    """The key, the name and the role of each foe that can be added, the weakest first."""
    return [(one.key, one.name, ROLES[one.role][0]) for one in FOES]


def kinds_of_ships() -> list[tuple[str, Phrase, Phrase]]:
    """The key, the name and the Scale of each ship that can be added, the smallest first."""
    return [(one.key, one.name, say("Scale {scale}", scale=one.scale)) for one in SHIPS]


def ship_cards(
    chosen: Mapping[str, int], taken: Collection[str], ruleset: str, said: Callable[[str], str] = str
) -> list[dict[str, Any]]:
    """The cards of as many ships as `chosen` has of each key, as `save_ship` takes them in that ruleset."""
    rows = {one.key: one for one in SHIPS}
    return [
        {
            "name": name,
            "scale": row.scale,
            "crew": row.crew,
            "systems": dict(zip(SYSTEMS, row.systems, strict=True)),
            "departments": dict(zip(DISCIPLINES, row.departments, strict=True)),
            "weapons": [_mounted(one, ruleset, said) for one in row.weapons],
        }
        for row, name in _named([(rows[key], said(rows[key].name), many) for key, many in chosen.items()], taken)
    ]


READY: Final = "ready"
"""The key of the sample crew's ship."""

FOR_CREWS: Final = ("lantern", "anvil", "halberd")
"""The keys of the library's ships that a crew of players may have as theirs: no skiff, no freighter, no dreadnought."""


def crew_ships() -> list[tuple[str, Phrase, Phrase]]:
    """The key, the name and the Scale of each ship that a crew without one can take; the first is the sample crew's."""
    scale = say("Scale {scale}", scale=READY_SHIP[1])
    return [(READY, say("The sample crew's ship"), scale), *(one for one in kinds_of_ships() if one[0] in FOR_CREWS)]


def crew_ship(
    key: str, taken: Collection[str], ruleset: str, said: Callable[[str], str] = str
) -> dict[str, Any] | None:
    """The card of that ship for the players' own crew, as `save_ship` takes it; None where no ship has that key."""
    if key == READY:
        return ready_ship(said)
    if key not in FOR_CREWS:
        return None
    return {**ship_cards({key: 1}, taken, ruleset, said)[0], "crew": None}


def _mounted(one: Mount, ruleset: str, said: Callable[[str], str]) -> dict[str, Any]:
    return {
        "name": said(one.name),
        "kind": one.kind,
        "rating": one.damage if ruleset == "second-edition" else one.dice,
        "optimal_range": one.at_range,
        "effects": [{"name": name, "amount": x} for name, x in one.effects],
        "qualities": [{"name": name, "amount": x} for name, x in one.qualities],
    }


def _named(several: Sequence[tuple[Any, str, int]], taken: Collection[str]) -> Iterator[tuple[Any, str]]:
    """Each row as often as chosen, under a name that is free at the table: several of a kind are numbered."""
    names = set(taken)
    for row, name, many in several:
        for _ in range(many):
            numbered = (f"{name} {number}" for number in count(1))
            free = name if many == 1 and name not in names else next(one for one in numbered if one not in names)
            names.add(free)
            yield row, free
