"""Folding the events of second-edition starship combat: state events beside most of them carry all that they say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from rules import events_ships2e as es
from rules.state import Table


def _unchanged(table: Table, _: object) -> Table:
    return table


def _hit_settled(table: Table, event: es.FlatHitSettled) -> Table:
    """What took damage off is no Complication of the Task's any more (S2E-10)."""
    task = table.task
    if task is None or not event.reductions:
        return table
    return replace(table, task=replace(task, complications_open=max(0, task.complications_open - event.reductions)))


SHIPS2E_FOLDS: Final[dict[type, Callable[[Table, Any], Table]]] = {
    es.FlatHitSettled: _hit_settled,
    **dict.fromkeys(
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
    ),
}
"""How each event of second-edition starship combat changes the table by itself: most of them not at all."""
