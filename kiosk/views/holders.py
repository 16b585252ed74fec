"""Who took which character, and whose outcome keeps another person's Task waiting.

In: the persons of the view. Out: what pages and the panel's menu ask before they let a Task be declared at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from rules.game import Table, has_to_wait_for

Holders: TypeAlias = Mapping[str, str]
"""The id of the person who took a character, by its id; who is not in it, nobody took."""


NOBODY: Final[Holders] = MappingProxyType({})
"""The holders for whoever decides for everybody: nobody's outcome keeps them waiting."""


def holders_of(persons: Iterable[Mapping[str, Any]]) -> Holders:
    """Who took whom, of the view's `persons`."""
    return {character: one["person_id"] for one in persons for character in one["characters"]}


def waits_for_another(table: Table, who: str, holders: Holders) -> bool:
    """Whether a Task of `who` waits for another person, whose outcome can still buy something (docs/declaring.md)."""
    task = table.task
    owner = holders.get(task.declaration.character_id, "") if task is not None else ""
    return owner not in {"", holders.get(who, "")} and has_to_wait_for(table, who)
