"""A ship as it is drawn from above: how much of its Shields is left, and hits where the system lies.

In: a ship. Out: what the macro `drawing` of `_company.html` draws; the words beside it say the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from kiosk.views.stage.names import titled
from rules.game import Condition, Ship, System
from rules.words import say_count

LARGE: Final = 4
"""The Scale from which a ship is drawn with outriggers."""

PLACES: Final[Mapping[System, tuple[int, int]]] = MappingProxyType(
    {
        System.SENSORS: (206, 60),
        System.WEAPONS: (172, 42),
        System.COMMUNICATIONS: (140, 78),
        System.COMPUTERS: (118, 52),
        System.STRUCTURE: (84, 66),
        System.ENGINES: (44, 60),
    }
)
"""Where each system lies in the drawing, from astern at the left: ours for every ship."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemHit:
    """A system that is harmed, and where it lies; `breaches` in words, empty where it has none."""

    x: int
    y: int
    mark: str
    system: str
    breaches: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipDrawing:
    """A ship from above. `shield_share` is what is left of its Shields, in per cent; `foe` looks the other way."""

    large: bool
    foe: bool
    shield_share: int
    lost: bool
    hits: tuple[SystemHit, ...]

    def place(self, system: str) -> tuple[int, int]:
        """Where a system lies in the drawing."""
        return PLACES[System(system)]


def silhouette(one: Ship) -> ShipDrawing:
    """How a ship is drawn."""
    state = one.state
    return ShipDrawing(
        large=one.scale >= LARGE,
        foe=one.crew is not None,
        shield_share=round(100 * state.shields / state.shields_max) if state.shields_max else 0,
        lost=state.destroyed,
        hits=tuple(hit for system in System if (hit := _hit(one, system)) is not None),
    )


def _hit(one: Ship, system: System) -> SystemHit | None:
    damage = one.state.damage_of(system)
    if not (damage.breaches or damage.impact or damage.condition is not Condition.OPERATIONAL):
        return None
    mark = "impact" if damage.condition is Condition.OPERATIONAL else damage.condition.value
    breaches = say_count(damage.breaches, "{number} Breach", "{number} Breaches") if damage.breaches else ""
    x, y = PLACES[system]
    return SystemHit(x=x, y=y, mark=mark, system=titled(system.value), breaches=breaches)
