"""Folding the events of Rounds and Turns: all they say is carried by the state events recorded beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rules import events_turns as et
from rules.state import Table


def _unchanged(table: Table, _: object) -> Table:
    return table


TURN_FOLDS: Final[dict[type, Callable[[Table, Any], Table]]] = dict.fromkeys(
    (
        et.ConflictStarted,
        et.ConflictOver,
        et.CombatantJoined,
        et.CombatantLeft,
        et.TurnBegan,
        et.TurnOver,
        et.TurnPassed,
        et.InitiativeKept,
        et.RoundBegan,
        et.ReachChanged,
        et.MinorActionTaken,
        et.AllyDirected,
    ),
    _unchanged,
)
"""How each event of Rounds and Turns changes the table by itself: not at all."""
