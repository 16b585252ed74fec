"""Who can declare a Task now, and of what kind: what pages list."""

from __future__ import annotations

from rules.state.table import Table
from rules.table import PLAYBOOK
from rules.tasks.opposed import PLAIN, answer


def declarers(table: Table) -> tuple[str, ...]:
    """Who can declare a Task now, as `character_id`s; where one waits for the other side's, who may answer it (OPP-1).

    Of those the expected come first, and NPC ships' crews are among them (NSHIP-1).
    """
    found = answer(table, PLAYBOOK)
    return found.who if found is not None else tuple(one.character_id for one in table.characters)


def may_be_plain(table: Table) -> bool:
    """Whether the Task that is declared next may name no action: an attack that waits has answers of its own."""
    found = answer(table, PLAYBOOK)
    return found is None or found.actions >= PLAIN
