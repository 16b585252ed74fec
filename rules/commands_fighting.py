"""What can be asked in a fight on foot: cover, answers to what an attack's chain asks, weapons, creatures."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class AvoidHow(StrEnum):
    """What avoiding an Injury is paid with (DMG-7): points of the pool, or a Complication in place of the basic 2."""

    POINTS = "points"
    COMPLICATION = "complication"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCover:
    """Someone is behind cover of so many Challenge Dice until they leave it (0) or the scene ends (DMG-2)."""

    character_id: str
    dice: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RerollDamage:
    """Throw some of the damage's Challenge Dice again, `positions` from 0, once and before it is settled (MOM-6)."""

    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleDamage:
    """Nothing more is bought: the damage meets the Resistance (DMG-3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseTargets:
    """Name who else is hit: by an Area weapon (EFF-1), or as the Secondary Target (MOM-8). Nobody is possible."""

    target_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AvoidInjury:
    """The Injury in hand is not suffered (DMG-7, MOM-7).

    `threat_part` points of a player's price are added to Threat. Paying by a Complication names it.
    """

    how: AvoidHow = AvoidHow.POINTS
    threat_part: int = 0
    complication: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SufferInjury:
    """The Injury in hand is suffered (DMG-6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StayUp:
    """Resist the Knockdown in hand: a player adds Threat, an NPC spends it (EFF-3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FallDown:
    """The Knockdown in hand takes effect (EFF-3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FendOff:
    """Who won a melee attack leaves Reach instead of dealing damage (ATK-6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikeHazard:
    """A hazard does damage: `rating` Challenge Dice, no Task (DMG-1). `effects` are names, as "piercing:2".

    `weakness`: it is what an Invulnerable creature is not proof against (NPC-2).
    """

    target_id: str
    rating: int
    reason: str
    effects: tuple[str, ...] = ()
    lethal: bool = False
    weakness: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeWeapon:
    """Take a weapon along for its price: Opportunity in Momentum, Escalation in Threat (C-26)."""

    character_id: str
    weapon: str
    threat_part: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PushOn:
    """1 Determination: act in spite of an Injury until the scene ends (DET-9, C-24)."""

    character_id: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BringIn:
    """An NPC enters the scene: Menacing adds Threat (NPC-2).

    `reinforcement` pays for it with Threat: 1 a minor NPC, 2 a notable one (NPC-1, THR-4).
    """

    character_id: str
    reinforcement: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawPrivateThreat:
    """A creature puts points of its own Threat beside the pool for a payment of its own (THR-6, C-86)."""

    character_id: str
    points: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LoseInjury:
    """The creature whose Turn begins loses its Injury for 2 Threat, in place of regaining Stress (NPC-3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepInjury:
    """The creature whose Turn begins regains Stress and stays injured (NPC-3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustStress:
    """The gamemaster puts Stress right by a change, or restores it after a scene (C-75)."""

    character_id: str
    change: int
    reason: str = ""
