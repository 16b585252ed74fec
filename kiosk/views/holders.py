"""Who took which character, and whose outcome keeps another person's Task waiting.

In: the persons and the table. Out: who decides for whom, and what pages and the panel's menu ask
before they let a Task be declared at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from kiosk.storage.persons import Person
from rules.game import Standing, Table, has_to_wait_for

Holders: TypeAlias = Mapping[str, str]
"""The id of the person who decides for a character or a ship's crew, by its id: see `holders_of`."""


NOBODY: Final[Holders] = MappingProxyType({})
"""The holders for whoever decides for everybody: nobody's outcome keeps them waiting."""


def npcs_of(table: Table) -> frozenset[str]:
    """The ids of NPCs, and of the ships with a crew of their own."""
    npcs = {one.character_id for one in table.characters if one.standing is not Standing.PLAYER}
    return frozenset(npcs | {one.ship_id for one in table.ships if one.crew is not None})


def holders_of(here: Iterable[Person], table: Table) -> Holders:
    """Who of those `here` took which character; whom nobody took is not in it.

    NPCs are the gamemaster's once somebody joined as the gamemaster and a character is taken.
    """
    here = tuple(here)
    taken = {each: one.person_id for one in here for each in one.characters}
    master = next((one.person_id for one in here if one.part == "gamemaster"), "")
    return {**dict.fromkeys(npcs_of(table), master), **taken} if taken and master else taken


def held_by(holders: Holders, person: str) -> frozenset[str]:
    """The characters that this person took; none for nobody."""
    return frozenset(each for each, one in holders.items() if person and one == person)


def without(holders: Holders, held: frozenset[str]) -> Holders:
    """The holders for whoever `held` those: their own characters' outcomes keep them waiting for nobody."""
    return {each: one for each, one in holders.items() if each not in held}


def waits_for_another(table: Table, who: str, holders: Holders) -> bool:
    """Whether a Task of `who` waits for another person, whose outcome can still buy something (docs/declaring.md)."""
    free = {"", holders.get(who, "")}
    return any(holders.get(one, "") not in free for one in has_to_wait_for(table, who))
