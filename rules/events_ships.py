"""What happened to ships, told with its result; their state and the attack in hand change by their own events."""

from __future__ import annotations

from dataclasses import dataclass

from rules.dice import Face
from rules.vocabulary import Condition, System


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerChanged:
    """A ship has more or less Power (SHIP-2, SHIP-5); `why` in words."""

    ship_id: str
    name: str
    power: int
    change: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipComplicated:
    """A Complication came up on a ship, on `system` or on none (SHIP-5, C-84)."""

    ship_id: str
    name: str
    system: System | None
    trait: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CrewSupportChanged:
    """Crew Support was spent, or is whole again for a new mission (SHIP-2)."""

    ship_id: str
    name: str
    left: int
    spent: bool
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipSheltered:
    """A ship has so many Challenge Dice of Resistance beside its own (SDMG-1)."""

    ship_id: str
    name: str
    dice: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusMomentumGained:
    """The Task in hand has bonus Momentum, to be spent now or lost (POOL-10, SQUAL-5, STN-15)."""

    number: int
    who: str
    amount: int
    momentum_left: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipDamageCounted:
    """An attack's Challenge Dice: the total with Vicious and the Effects, before Resistance (SDMG-1)."""

    attacker: str
    faces: tuple[Face, ...]
    total: int
    effects: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipDamageRerollStarted:
    """Some of the damage's dice are thrown again (MOM-6)."""

    positions: tuple[int, ...]
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipResistanceCounted:
    """What a ship's shelter is worth against the hit in hand (SDMG-1)."""

    ship_id: str
    name: str
    resistance: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipHitSettled:
    """A ship was hit: damage after `resistance`, Shields left, Breaches that follow (SDMG-1, SDMG-2)."""

    ship_id: str
    name: str
    system: System | None
    damage: int
    resistance: int
    shields: int
    shields_max: int
    breaches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemBreached:
    """A system has `breaches` in all and stands as `condition`; it is out until Restore (BRCH-1, BRCH-2)."""

    ship_id: str
    name: str
    system: System
    breaches: int
    condition: Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class NpcShipBreached:
    """An NPC ship has `breaches` in one total and stands as `condition` (NSHIP-3)."""

    ship_id: str
    name: str
    breaches: int
    condition: Condition
    turn_lost: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactCounted:
    """The Challenge Dice of an Impact on the Structure: how many people are injured (BRCH-2)."""

    ship_id: str
    name: str
    injured: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CasualtyNamed:
    """Somebody is injured by a hit on the Structure (BRCH-2)."""

    ship_id: str
    ship: str
    character_id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainmentFailed:
    """The Engines are destroyed, in the second edition of a critical ship: the warp core fails (BRCH-5, S2E-17)."""

    ship_id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreCounted:
    """The Challenge Dice for a failing core at the end of a Round (WCB-1); `next_dice` are due in the next one."""

    ship_id: str
    name: str
    faces: tuple[Face, ...]
    explodes: bool
    splash: int
    ejected: bool
    next_dice: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipsNamed:
    """Which other ships are hit (SWPN-1, WCB-1)."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipRepaired:
    """A system, or an NPC ship as a whole (`system` None), works again; its Breaches stay (REP-2)."""

    ship_id: str
    name: str
    system: System | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstEditionWarp:
    """A ship went to warp for so much Power (SHIP-7, STN-13); `pursued` names the ship that it follows."""

    ship_id: str
    name: str
    zones: int
    power: int
    pursued: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionChanged:
    """Someone goes to another station, now or with the next Turn (SHIP-10, C-3)."""

    name: str
    station: str
    arrived: bool
