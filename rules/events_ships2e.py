"""What happened in starship combat of the second edition, for the voice and the record.

State events beside them carry what is true then.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.vocabulary import System, Terrain


@dataclass(frozen=True, slots=True, kw_only=True)
class ReservePowerChanged:
    """Reserve Power was used or is back (S2E-3)."""

    ship_id: str
    name: str
    available: bool
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShieldsChanged:
    """Shields were regenerated, raised or lowered."""

    ship_id: str
    name: str
    shields: int
    change: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponsArmed:
    """Weapons were armed or made safe (S2E-T2)."""

    ship_id: str
    name: str
    armed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipMoved:
    """A ship moved; `terrain` is where it is now, `left` where it was (S2E-5, S2E-H1, S2E-H2)."""

    ship_id: str
    name: str
    zones: int
    left: Terrain
    terrain: Terrain
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TerrainSet:
    """The gamemaster said what kind of zone a ship is in (S2E-5)."""

    ship_id: str
    name: str
    terrain: Terrain
    hazardous: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HazardMet:
    """Threat that paid for leaving hazardous terrain is spent at once for harm (S2E-5)."""

    ship_id: str
    name: str
    terrain: Terrain
    threat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WentToWarp:
    """A ship went to warp with so many successes: as many zones as its Engines at most, or away (S2E-4)."""

    ship_id: str
    name: str
    zones: int
    successes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PursuitDecided:
    """Whether a pursuer at warp caught up: only with more successes (S2E-23)."""

    pursuer: str
    fleeing: str
    pursuer_successes: int
    fleeing_successes: int
    caught: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EvasionWon:
    """Who won an attack on an evading ship may move it 1 zone (S2E-H4)."""

    ship_id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackStruck:
    """An attack struck, or something else does damage to a ship: a hazard, a collision; `by` says what or who."""

    ship_id: str
    name: str
    by: str
    damage: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemStruck:
    """Which system a hit finds, by a d20 (`face`) or by choice (`face` 0)."""

    ship_id: str
    name: str
    system: System
    face: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatHitSettled:
    """A hit's damage after Resistance and reductions, and what it did (S2E-10 to S2E-12).

    `reductions` of the attack's Complications were used up for it, one for each point.
    """

    ship_id: str
    name: str
    system: System
    damage: int
    shields: int
    shields_max: int
    shaken: int
    breaches: int
    breaches_of_system: int
    system_destroyed: bool
    reductions: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HullFailed:
    """A ship is critically damaged, or destroyed (S2E-15)."""

    ship_id: str
    name: str
    destroyed: bool
    npc: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShakenChosen:
    """What a shaken ship suffers, as its commander chose (S2E-13, C-39)."""

    ship_id: str
    name: str
    result: str
    system: System | None
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreChecked:
    """The d20 for a failing warp core (S2E-17); `limit` is what it must not exceed."""

    ship_id: str
    name: str
    face: int
    limit: int
    explodes: bool
    splash: int
    ejected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreSecured:
    """The warp core was ejected, or stabilised (S2E-17)."""

    ship_id: str
    name: str
    ejected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BreachPatched:
    """One Breach was patched in combat (S2E-18); `open_breaches` are left on the system."""

    ship_id: str
    name: str
    system: System
    open_breaches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BreachesMended:
    """Breaches were repaired for good, in so many hours (S2E-19); `left` stay on the system."""

    ship_id: str
    name: str
    system: System
    mended: int
    hours: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRestored:
    """A system that was out works again (S2E-6)."""

    ship_id: str
    name: str
    system: System


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipAbandoned:
    """S2E-20: the order (`share` 0), half the crew gone (1), all of it (2)."""

    ship_id: str
    name: str
    share: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeShipTurnsSet:
    """How a large adversary takes its turns: so many, and bonus dice for the rest (S2E-21)."""

    ship_id: str
    name: str
    turns: int
    bonus_dice: int
