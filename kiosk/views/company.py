"""Who and what is at the table while nothing is thrown: the crew with their Stress and Injuries, the ships as drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from kiosk.views.conflict_view import INJURIES, Gauge, body_gauges
from kiosk.views.stage import titled
from rules.game import Character, Condition, Ship, Standing, System, Table
from rules.words import say_count

MOST_SHIPS: Final = 3
"""Ships that are drawn; more would be too small to tell apart."""
MOST_CREW: Final = 8
"""Characters that are named."""
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

    name: str
    large: bool
    foe: bool
    shields: Gauge | None
    shield_share: int
    lost: bool
    hits: tuple[SystemHit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """Somebody of the crew; `stress` where there is any."""

    name: str
    stress: Gauge | None
    injury: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """Everybody and every ship that is shown between throws."""

    crew: tuple[Member, ...]
    ships: tuple[ShipDrawing, ...]


def company(table: Table) -> Company:
    """Who is at `table`; nobody while a conflict shows them itself."""
    if table.conflict is not None:
        return Company(crew=(), ships=())
    crew = [one for one in table.characters if one.standing is Standing.PLAYER]
    return Company(
        crew=tuple(_member(one) for one in crew[:MOST_CREW]),
        ships=tuple(_drawing(one) for one in table.ships[:MOST_SHIPS]),
    )


def _member(one: Character) -> Member:
    return Member(name=one.name, stress=next(iter(body_gauges(one)), None), injury=INJURIES[one.body.injury])


def _drawing(one: Ship) -> ShipDrawing:
    state = one.state
    return ShipDrawing(
        name=one.name,
        large=one.scale >= LARGE,
        foe=one.crew is not None,
        shields=Gauge(name="", left=state.shields, most=state.shields_max) if state.shields_max else None,
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
