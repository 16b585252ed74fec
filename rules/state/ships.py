"""Ships as values: systems, departments, Shields, Power, Breaches, the core, weapons, crews (SHIP, BRCH, S2E)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from rules.state.people import Attributes, Character, Disciplines, WeaponTrait
from rules.state.vocabulary import (
    Attribute,
    Condition,
    CrewQuality,
    Discipline,
    Range,
    ShipWeaponKind,
    Standing,
    System,
    Terrain,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipWeapon:
    """A ship's weapon: its rating is Challenge Dice in the first edition and flat damage in the second (S2E-10)."""

    name: str
    kind: ShipWeaponKind
    rating: int
    optimal_range: Range = Range.MEDIUM
    effects: tuple[WeaponTrait, ...] = ()
    qualities: tuple[WeaponTrait, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemDamage:
    """How a system stands (BRCH-1 to BRCH-5, S2E-14, S2E-18).

    * `breaches`: all it has; `condition`: their result, back to operational by a repair (REP-2).
    * `impact`: unusable until Restore (BRCH-2).
    * `patched`: how many of the Breaches are patched up, which the next Breach undoes (S2E-18).
    * `devastating`: repairs are 1 harder (SQUAL-2).
    """

    system: System
    breaches: int = 0
    condition: Condition = Condition.OPERATIONAL
    impact: bool = False
    patched: int = 0
    devastating: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """The warp core after containment failed (WCB-1 to WCB-3, S2E-17).

    `rounds` counts the Rounds since it failed, and so the next roll's dice; 0 while it holds. `stable` says that
    it was stabilised, `exploded` that nothing is left to throw for.
    """

    rounds: int = 0
    ejected: bool = False
    stable: bool = False
    exploded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipState:
    """How a ship stands (SHIP-2, C-73).

    * `shields_max`, `shields`; `shields_kept` is the lower value that comes back when lowered Shields are raised.
    * `resistance`; `resistance_dice`: Challenge Dice of more that shelter gives (SDMG-1).
    * `power_max`, `power` (first edition), `reserve_power` (second, S2E-3).
    * `crew_support_max`, `crew_support`: per mission (SHIP-2).
    * `shields_raised`, `weapons_armed`: SHIP-10, S2E-T2.
    * `systems`: those that were ever breached; `unplaced_breaches`: an NPC ship's in one total (NSHIP-3).
    * `condition`: what they came to for the whole of an NPC ship, back to operational by a repair (NSHIP-3, REP-2).
    * `turns_lost`: Turns that an NPC ship loses next Round (NSHIP-3).
    * `regain_attempts`: of Regain Power this scene (S2E-O2); `terrain`, `hazardous`: the zone it is in (S2E-5).
    * `shaken`: how often (S2E-11); `critical`, `destroyed`, `abandoned`: S2E-15, BRCH-5, S2E-20.
    """

    shields_max: int = 0
    shields: int = 0
    shields_kept: int = 0
    resistance: int = 0
    resistance_dice: int = 0
    power_max: int = 0
    power: int = 0
    reserve_power: bool = True
    crew_support_max: int = 0
    crew_support: int = 0
    shields_raised: bool = True
    weapons_armed: bool = True
    systems: tuple[SystemDamage, ...] = ()
    unplaced_breaches: int = 0
    condition: Condition = Condition.OPERATIONAL
    turns_lost: int = 0
    shaken: int = 0
    critical: bool = False
    destroyed: bool = False
    abandoned: bool = False
    core: Core = field(default_factory=Core)
    regain_attempts: int = 0
    terrain: Terrain = Terrain.OPEN_SPACE
    hazardous: bool = False

    def damage_of(self, system: System) -> SystemDamage:
        """How one system stands; whole if nothing was ever breached there."""
        return next((one for one in self.systems if one.system is system), SystemDamage(system=system))

    def systems_with(self, damage: SystemDamage) -> tuple[SystemDamage, ...]:
        """`systems`, one of which stands otherwise."""
        return (*(one for one in self.systems if one.system is not damage.system), damage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Systems:
    """SHIP-1: the six systems of a ship."""

    communications: int
    computers: int
    engines: int
    sensors: int
    structure: int
    weapons: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ship:
    """A ship: it helps with Tasks (ASST-3) and fights (SHIP-1). `crew` is set for an NPC ship (NSHIP-1)."""

    ship_id: str
    name: str
    scale: int
    systems: Systems
    departments: Disciplines
    crew: CrewQuality | None = None
    weapons: tuple[ShipWeapon, ...] = ()
    state: ShipState = field(default_factory=ShipState)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrewRating:
    """Attribute and discipline that an NPC crew throws against, always with focus (NSHIP-1)."""

    attribute: int
    discipline: int


CREW_RATINGS: Final[dict[CrewQuality, CrewRating]] = {
    CrewQuality.BASIC: CrewRating(attribute=8, discipline=1),
    CrewQuality.PROFICIENT: CrewRating(attribute=9, discipline=2),
    CrewQuality.TALENTED: CrewRating(attribute=10, discipline=3),
    CrewQuality.EXCEPTIONAL: CrewRating(attribute=11, discipline=4),
}
"""Attribute and discipline of each quality of crew (NSHIP-1)."""


def crew_of(ship: Ship, quality: CrewQuality) -> Character:
    """NSHIP-1: an NPC ship's crew as a character that throws for it; its id and name are the ship's."""
    rating = CREW_RATINGS[quality]
    return Character(
        character_id=ship.ship_id,
        name=ship.name,
        attributes=Attributes(**{one.value: rating.attribute for one in Attribute}),
        disciplines=Disciplines(**{one.value: rating.discipline for one in Discipline}),
        determination=0,
        standing=Standing.NOTABLE_NPC,
    )
