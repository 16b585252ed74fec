"""What ships have alike in both editions: ratings, an NPC ship's Turns, firing, systems hit, terrain, seats.

SHIP-2, NSHIP-2, SATK-1, SATK-2, S2E-5, S2E-22, S2E-T5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.dice import DieKind, require_face
from rules.errors import Refusal, require_at_least
from rules.rulesets.profiles import Profile
from rules.state.vocabulary import ShipWeaponKind, System, Terrain
from rules.words import worded

WEAPON_DIFFICULTY: Final[dict[ShipWeaponKind, int]] = {ShipWeaponKind.ENERGY: 2, ShipWeaponKind.TORPEDO: 3}
"""Difficulty of firing each kind before anything changes it (SATK-1, S2E-T5)."""


SYSTEM_HIT: Final[tuple[tuple[int, System], ...]] = (
    (1, System.COMMUNICATIONS),
    (2, System.COMPUTERS),
    (6, System.ENGINES),
    (9, System.SENSORS),
    (17, System.STRUCTURE),
    (20, System.WEAPONS),
)
"""The highest d20 face that still hits each system (SATK-2)."""


SECOND_SEAT_DEPARTMENT: Final = 4
"""Department rating from which a station has a second seat (S2E-22)."""


SCAN_PIERCING: Final = 2
"""Resistance that a ship's attack ignores after Scan for Weakness, or by piercing without a number (STN-24, S2E-X4)."""


MOST_POWER: Final = 30
"""The most Power that is spent or changed at once; more is a slip of the finger."""


TERRAIN: Final[dict[str, int]] = {
    Terrain.OPEN_SPACE: 0,
    Terrain.PLANETARY_GRAVITY_WELL: 1,
    Terrain.DUST_CLOUD: 1,
    Terrain.DEBRIS_FIELD: 1,
    Terrain.STELLAR_GRAVITY_WELL: 2,
    Terrain.DENSE_NEBULA: 2,
    Terrain.COMET_TAIL: 2,
    Terrain.SINGULARITY: 3,
    Terrain.STRANGE_ANOMALY: 3,
}
"""Momentum to leave a zone of each kind (S2E-5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipNumbers:
    """What follows from a ship's ratings (SHIP-2); a ship may carry its own numbers instead (C-73)."""

    resistance: int
    shields: int
    power: int
    crew_support: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NpcShipTurns:
    """NSHIP-2: Turns a Round, and what the next Task of a role adds to its Difficulty."""

    turns: int
    difficulty_increase: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FireTask:
    """S2E-T5: Difficulty of firing, and Threat that it adds."""

    difficulty: int
    threat_added: int


def ship_numbers(*, scale: int, structure: int, security: int, engines: int) -> ShipNumbers:
    """Resistance and Crew Support are the Scale, Shields Structure + Security, Power the Engines (SHIP-2)."""
    return ShipNumbers(resistance=scale, shields=structure + security, power=engines, crew_support=scale)


def npc_ship_turns(scale: int, tasks_already_by_role: int, profile: Profile) -> NpcShipTurns:
    """Turns a Round are the Scale; a role's second and later Tasks are 1 harder (NSHIP-2, C-34)."""
    already = require_at_least(0, tasks_already_by_role, "Tasks of one role")
    return NpcShipTurns(turns=scale, difficulty_increase=already if profile.npc_role_cumulative else min(1, already))


def system_hit(face: int) -> System:
    """The system that a d20 hits (SATK-2). Raises `DiceError` for a face that a d20 does not have."""
    require_face(DieKind.D20, face)
    return next(system for highest, system in SYSTEM_HIT if face <= highest)


def fire(weapon: ShipWeaponKind) -> FireTask:
    """Firing: D2 for energy, D3 and 1 Threat for torpedoes (S2E-T5)."""
    return FireTask(difficulty=WEAPON_DIFFICULTY[weapon], threat_added=1 if weapon is ShipWeaponKind.TORPEDO else 0)


def has_second_seat(department: int) -> bool:
    """Whether a station seats two: its department is 4 or more (S2E-22)."""
    return department >= SECOND_SEAT_DEPARTMENT


def terrain_cost(terrain: str, impulse_zones: int) -> int:
    """Momentum to leave a zone; 1 less when Impulse moves just one zone, floor 0 (S2E-5). Refuses unknown terrain."""
    if terrain not in TERRAIN:
        raise Refusal("S2E-5", "No terrain is called {terrain}; choose one of those listed.", terrain=worded(terrain))
    return max(0, TERRAIN[terrain] - (1 if impulse_zones == 1 else 0))
