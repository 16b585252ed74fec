"""Folding the events of second-edition starship combat: state events beside them carry all of what they say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rules import events_ships2e as es
from rules.state import Table


def _unchanged(table: Table, _: object) -> Table:
    return table


SHIPS2E_FOLDS: Final[dict[type, Callable[[Table, Any], Table]]] = dict.fromkeys(
    (
        es.ReservePowerChanged,
        es.ShieldsChanged,
        es.WeaponsArmed,
        es.ShipMoved,
        es.TerrainSet,
        es.HazardMet,
        es.WentToWarp,
        es.PursuitDecided,
        es.EvasionWon,
        es.AttackStruck,
        es.SystemStruck,
        es.FlatHitSettled,
        es.HullFailed,
        es.ShakenChosen,
        es.CoreChecked,
        es.CoreSecured,
        es.BreachPatched,
        es.BreachesMended,
        es.SystemRestored,
        es.ShipAbandoned,
        es.LargeShipTurnsSet,
    ),
    _unchanged,
)
"""How each event of second-edition starship combat changes the table by itself: not at all."""
