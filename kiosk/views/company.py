"""Who and what is at the table while nothing is thrown: the crew with their Stress and Injuries, the ships as drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kiosk.views.conflict_view import INJURIES, Gauge, body_gauges
from kiosk.views.silhouette import ShipDrawing, silhouette
from rules.game import Character, Ship, Standing, Table
from rules.words import Phrase, say_count

MOST_SHIPS: Final = 8
"""Ships that are drawn where there is room; more would be too small to tell apart."""
FEW_SHIPS: Final = 3
"""Those that are drawn where there is little."""
MOST_CREW: Final = 8
"""Characters that are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnShip:
    """A ship with its name, its Shields in words and how it is drawn."""

    name: str
    shields: Gauge | None
    drawing: ShipDrawing


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """Somebody of the crew; `stress` where there is any."""

    name: str
    stress: Gauge | None
    injury: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """Everybody and every ship that is shown between throws; `more` are of the crew, too, and not named.

    `more_ships` says how many ships are not drawn, `with_few` how many where only a few are; empty for none.
    """

    crew: tuple[Member, ...]
    ships: tuple[DrawnShip, ...]
    more: int = 0
    more_ships: str = ""
    with_few: str = ""


def company(table: Table) -> Company:
    """Who is at `table`; nobody while a conflict shows them itself. Foes and their ships are there in a fight only."""
    if table.conflict is not None:
        return Company(crew=(), ships=())
    crew = [one for one in table.characters if one.standing is Standing.PLAYER]
    ships = [one for one in table.ships if one.crew is None]
    return Company(
        crew=tuple(_member(one) for one in crew[:MOST_CREW]),
        ships=tuple(_drawn(one) for one in ships[:MOST_SHIPS]),
        more=max(0, len(crew) - MOST_CREW),
        more_ships=_more_ships(len(ships) - MOST_SHIPS),
        with_few=_more_ships(len(ships) - FEW_SHIPS),
    )


def _more_ships(number: int) -> Phrase | str:
    return say_count(number, "and {number} more ship", "and {number} more ships") if number > 0 else ""


def _member(one: Character) -> Member:
    return Member(name=one.name, stress=next(iter(body_gauges(one)), None), injury=INJURIES[one.body.injury])


def _drawn(one: Ship) -> DrawnShip:
    state = one.state
    return DrawnShip(
        name=one.name,
        shields=Gauge(name="", left=state.shields, most=state.shields_max) if state.shields_max else None,
        drawing=silhouette(one),
    )
