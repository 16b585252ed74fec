"""Folding the events of fights on foot: weapons taken along; the rest tells what other events changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, get_args

from rules import events_fighting as ef
from rules.folding import with_character
from rules.messages_fighting import FightingEvent
from rules.state import Table


def _unchanged(table: Table, _: object) -> Table:
    return table


def _weapon_taken(table: Table, event: ef.WeaponTaken) -> Table:
    return with_character(table, event.character_id, lambda one: replace(one, weapons=(*one.weapons, event.weapon)))


FIGHTING_FOLDS: Final[dict[type, Callable[[Table, Any], Table]]] = {
    **dict.fromkeys(get_args(FightingEvent), _unchanged),
    ef.WeaponTaken: _weapon_taken,
}
"""How each event of a fight changes the table."""
