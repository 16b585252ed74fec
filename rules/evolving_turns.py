"""Folding the events of Rounds and Turns: nearly all they say is carried by the state events recorded beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from rules import events_turns as et
from rules.state import Table
from rules.state_conflict import ConflictEnd


def _unchanged(table: Table, _: object) -> Table:
    return table


def _started(table: Table, _: et.ConflictStarted) -> Table:
    return replace(table, conflict_end=None)


def _over(table: Table, event: et.ConflictOver) -> Table:
    return replace(table, conflict_end=ConflictEnd(round=event.round, number=table.next_number))


TURN_FOLDS: Final[dict[type, Callable[[Table, Any], Table]]] = dict.fromkeys(
    (
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
) | {et.ConflictStarted: _started, et.ConflictOver: _over}
"""How each event of Rounds and Turns changes the table by itself: most of them not at all."""
