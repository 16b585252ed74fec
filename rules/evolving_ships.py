"""Folding the events of ships: state events beside them carry nearly all of what they say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, get_args

from rules import events_ships as eh
from rules.messages_ships import ShipsEvent
from rules.state import Table


def _unchanged(table: Table, _: object) -> Table:
    return table


def _bonus_momentum(table: Table, event: eh.BonusMomentumGained) -> Table:
    if table.task is None:
        return table
    bonus = table.task.bonus_momentum + event.amount
    return replace(table, task=replace(table.task, momentum_left=event.momentum_left, bonus_momentum=bonus))


SHIPS_FOLDS: Final[dict[type, Callable[[Table, Any], Table]]] = {
    **dict.fromkeys(get_args(ShipsEvent), _unchanged),
    eh.BonusMomentumGained: _bonus_momentum,
}
"""How each event of ships changes the table by itself: all but one not at all."""
