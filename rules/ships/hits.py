"""What a hit on a ship meets in both editions: the ship's Resistance, and what the attack's qualities are worth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rules.conflict.lasting import effects_named
from rules.state.ships import Ship
from rules.state.table import Table

_MODULATED: Final = ("resistance_modulated", "shields_modulated")
"""What Modulate Shields leaves on a ship, by edition (STN-21, S2E-T6)."""


def resistance_of(table: Table, ship: Ship) -> int:
    """A ship's static Resistance now: its own, and what Modulate Shields adds (SHIP-2, STN-21, S2E-T6)."""
    return ship.state.resistance + sum(
        one.amount for name in _MODULATED for one in effects_named(table, name, target_id=ship.ship_id)
    )


def amount_among(qualities: Iterable[str], name: str) -> int:
    """The number X of the quality of that name, 1 where it has none of its own, 0 where it is not among them."""
    for one in qualities:
        known, _, amount = one.partition(":")
        if known == name:
            return int(amount) if amount else 1
    return 0
