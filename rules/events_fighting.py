"""What happened in a fight on foot, told with its result; bodies and attacks change by their own events."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.dice import Face
from rules.vocabulary import InjuryState


@dataclass(frozen=True, slots=True, kw_only=True)
class Struck:
    """An attack has hit, or a hazard struck: its damage is thrown next (ATK-1, DMG-1). A hazard is named, not who."""

    attacker: str
    name: str
    hazard: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateThreatDrawn:
    """A creature put points of its own Threat beside the pool; `left` are still its own (THR-6)."""

    character_id: str
    name: str
    points: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateThreatReturned:
    """Points that a creature drew and did not spend are its own again; it has `own` of them now (THR-6)."""

    character_id: str
    name: str
    points: int
    own: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageCounted:
    """The damage's Challenge Dice were counted: total with Vicious, Effects, before Resistance (DMG-1, DMG-3)."""

    attacker: str
    faces: tuple[Face, ...]
    total: int
    effects: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageRerollStarted:
    """Some of the damage's dice are thrown again (MOM-6)."""

    positions: tuple[int, ...]
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverCounted:
    """The cover's Challenge Dice were counted (DMG-2)."""

    name: str
    resistance: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageSettled:
    """One was hit: damage after `resistance`, Stress left, Injuries that follow (DMG-3 to DMG-5)."""

    character_id: str
    name: str
    damage: int
    resistance: int
    stress: int
    stress_max: int
    injuries: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InjuryAvoided:
    """An Injury was not suffered, for points or a Complication (DMG-7)."""

    character_id: str
    name: str
    price: int
    complication: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InjurySuffered:
    """Someone is hurt worse than before (DMG-6)."""

    character_id: str
    name: str
    before: InjuryState
    after: InjuryState


@dataclass(frozen=True, slots=True, kw_only=True)
class InjuryWithstood:
    """An Invulnerable creature takes no Injury; `staggered` it loses its next Turn, `threat` is added (NPC-2)."""

    character_id: str
    name: str
    staggered: bool
    threat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InjuryEnded:
    """An Injury is gone; `why` in words."""

    character_id: str
    name: str
    why: str


class Relief(StrEnum):
    """How somebody hurt or hunted is better off (ACT-5, ACT-7)."""

    STABILISED = "stabilised"
    BACK_IN_ACTION = "back_in_action"
    MAY_AVOID_AGAIN = "may_avoid_again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relieved:
    """First Aid or Recover made somebody better off (ACT-5, ACT-7)."""

    character_id: str
    name: str
    relief: Relief


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockedDown:
    """Someone fell, or stayed up (EFF-3)."""

    character_id: str
    name: str
    fell: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetsChosen:
    """Who else is hit (EFF-1, MOM-8)."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackSettled:
    """Every hit of an attack is done with (C-61)."""

    attacker: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FendedOff:
    """Who won a melee attack left Reach instead (ATK-6)."""

    name: str
    other: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Disarmed:
    """A weapon was knocked out of somebody's hand (MOM-2)."""

    character_id: str
    name: str
    weapon: str
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponTaken:
    """Someone takes a weapon along (C-26)."""

    character_id: str
    name: str
    weapon: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PushedOn:
    """Someone acts in spite of an Injury (DET-9)."""

    character_id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtIn:
    """An NPC entered the scene; `private_threat` is its own (NPC-2, THR-6)."""

    character_id: str
    name: str
    private_threat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StressChanged:
    """Stress was regained or put right, outside a hit."""

    character_id: str
    name: str
    stress: int
    stress_max: int
    why: str
