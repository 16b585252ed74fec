"""Who took which character, and whose outcome keeps another person's Task waiting.

In: who took whom, as `Views.holders` has it. Out: what pages and the panel's menu ask
before they let a Task be declared at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from rules.game import Standing, Table, has_to_wait_for

Holders: TypeAlias = Mapping[str, str]
"""The id of the person who took a character, by its id; who is not in it, nobody took. An NPC is the gamemaster's."""


NOBODY: Final[Holders] = MappingProxyType({})
"""The holders for whoever decides for everybody: nobody's outcome keeps them waiting."""


def npcs_of(table: Table) -> frozenset[str]:
    """The ids of NPCs, and of the ships with a crew of their own."""
    npcs = {one.character_id for one in table.characters if one.standing is not Standing.PLAYER}
    return frozenset(npcs | {one.ship_id for one in table.ships if one.crew is not None})


def held_by(holders: Holders, person: str) -> frozenset[str]:
    """The characters that this person took; none for nobody."""
    return frozenset(each for each, one in holders.items() if person and one == person)


def without(holders: Holders, held: frozenset[str]) -> Holders:
    """The holders for whoever `held` those: their own characters' outcomes keep them waiting for nobody."""
    return {each: one for each, one in holders.items() if each not in held}


def waits_for_another(table: Table, who: str, holders: Holders) -> bool:
    """Whether a Task of `who` waits for another person, whose outcome can still buy something (docs/declaring.md)."""
    task = table.task
    owner = holders.get(task.declaration.character_id, "") if task is not None else ""
    return owner not in {"", holders.get(who, "")} and has_to_wait_for(table, who)
