"""Where everybody is, as a value: named zones, which of them adjoin, and who is in which (RNG-1, SHIP-9).

In: events alone. Out: frozen values on a `Table`; nothing here decides anything.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.state.changing import replace
from rules.state.vocabulary import Terrain


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A place of the scene, as large as the gamemaster likes.

    * `terrain`, `hazardous`: what a ship of the second edition pays to leave it (S2E-5).
    * `difficulty`: what leaving it adds to a Task that moves somebody: Sprint, Maneuver, Impulse (ACT-6, SHIP-9).
    * `concealment`: how much harder attacks and scans are on who is in it; `dark`: because it is dark (NPC-2).
    * `cover`: Challenge Dice against each hit on who is in it (DMG-2, SDMG-1).
    * `hazard`: Challenge Dice of what may harm people in it (DMG-1).
    """

    zone_id: str
    name: str
    terrain: Terrain = Terrain.OPEN_SPACE
    hazardous: bool = False
    difficulty: int = 0
    concealment: int = 0
    dark: bool = False
    cover: int = 0
    hazard: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """In which zone a character or a ship is."""

    who_id: str
    zone_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneMap:
    """The zones of a scene, in the gamemaster's order; `links` are pairs that adjoin, `places` who is where."""

    zones: tuple[Zone, ...]
    links: tuple[tuple[str, str], ...] = ()
    places: tuple[Place, ...] = ()

    def zone(self, zone_id: str) -> Zone | None:
        """The zone with that id, None where there is none."""
        return next((one for one in self.zones if one.zone_id == zone_id), None)

    def zone_of(self, who_id: str) -> Zone | None:
        """The zone that somebody is in, None for who is not on the map."""
        return next((self.zone(one.zone_id) for one in self.places if one.who_id == who_id), None)

    def neighbours(self, zone_id: str) -> tuple[str, ...]:
        """The zones that adjoin one."""
        return tuple(
            second if first == zone_id else first for first, second in self.links if zone_id in (first, second)
        )

    def inside(self, zone_id: str) -> tuple[str, ...]:
        """Who is in a zone, in the order in which they came."""
        return tuple(one.who_id for one in self.places if one.zone_id == zone_id)

    def with_place(self, who_id: str, zone_id: str) -> ZoneMap:
        """The map with somebody in that zone; taken off it where `zone_id` is empty."""
        others = tuple(one for one in self.places if one.who_id != who_id)
        return replace(self, places=(*others, Place(who_id=who_id, zone_id=zone_id)) if zone_id else others)
