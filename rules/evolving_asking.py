"""Folding what the gamemaster asks for into the table; as in `rules.evolving`, none can fail or asks a rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from rules import events_asking as ea
from rules.state import Declaration, Table


def without_asking(table: Table, character_id: str) -> tuple[Declaration, ...]:
    """What is asked for at `table` of everybody but this character."""
    return tuple(one for one in table.asked if one.character_id != character_id)


def _asked(table: Table, event: ea.TaskAsked) -> Table:
    others = without_asking(table, event.declaration.character_id)
    return replace(table, asked=(*others, event.declaration))


def _taken_back(table: Table, event: ea.AskingTakenBack) -> Table:
    return replace(table, asked=without_asking(table, event.character_id))


ASKING_FOLDS: Final[dict[type, Callable[[Table, Any], Table]]] = {
    ea.TaskAsked: _asked,
    ea.AskingTakenBack: _taken_back,
}
"""How each event of asking changes the table."""
