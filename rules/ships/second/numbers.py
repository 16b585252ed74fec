"""Starship combat in the second edition: terrain, damage, shaken ships, Breaches, the core, repairs.

S2E-5, S2E-10 to S2E-12, S2E-14 to S2E-17, S2E-19, S2E-21 to S2E-23, S2E-O2, S2E-T5, S2E-T6.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from rules.dice import DieKind, require_face
from rules.errors import Refusal, require_at_least
from rules.rulesets.profiles import Profile
from rules.state.house import THE_RULES_OWN, HouseTables


class LargeShipTurns(StrEnum):
    """How an adversary of Scale 7 or more takes its turns (S2E-21)."""

    ALL = "all"
    MATCH = "match"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShieldHit:
    """S2E-11, S2E-12: Shields after a hit, how often the ship is shaken, how many Breaches it suffers."""

    shields: int
    shaken: int
    breaches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HullState:
    """S2E-15: whether the ship can act no more, and whether it is gone."""

    critical: bool
    destroyed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreCheck:
    """S2E-17: whether the core has to be thrown for, whether it explodes, and the damage to all in Close range."""

    roll_required: bool
    explodes: bool
    splash_damage: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LongRepair:
    """S2E-19: hours for each Breach, the Difficulty, and how many can be worked on at once."""

    hours_per_breach: int
    difficulty: int
    simultaneous: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeShipRound:
    """S2E-21: turns of a large adversary in a Round, and bonus dice for those it gives up."""

    turns: int
    bonus_dice: int


def ship_damage(damage: int, modifiers: Iterable[int], resistance: int, reductions: int = 0) -> int:
    """Damage after Resistance, at least 1 (S2E-10); then the gamemaster's reductions, floor 0 (C-38)."""
    return max(0, max(1, damage + sum(modifiers) - resistance) - reductions)


def hit_shields(
    shields_max: int, shields_before: int, damage: int, profile: Profile, *, shaken_before: bool = False
) -> ShieldHit:
    """Subtract damage and apply each threshold that this hit crosses, in order (S2E-11, C-37).

    Below half: shaken. Below a quarter: shaken, or a Breach if the same attack shook the ship already, by this hit or
    by an earlier one (`shaken_before`). At 0: a Breach. Shields that were down already: a Breach (S2E-12).
    """
    require_at_least(0, min(shields_max, shields_before, damage), "Shields or damage")
    if shields_before == 0:
        return ShieldHit(shields=0, shaken=0, breaches=1 if damage else 0)
    after = max(0, shields_before - damage)
    shaken = int(2 * after < shields_max <= 2 * shields_before)
    down = int(after == 0)
    quarter = 4 * after < shields_max <= 4 * shields_before and not (down and profile.s2e_zero_replaces_quarter)
    if quarter and (shaken or shaken_before):
        return ShieldHit(shields=after, shaken=shaken, breaches=1 + down)
    return ShieldHit(shields=after, shaken=shaken + int(quarter), breaches=down)


def system_destroyed(scale: int, breaches: int, house: HouseTables = THE_RULES_OWN) -> bool:
    """Whether a system is gone: Breaches of half the Scale, rounded up, or the house's number (S2E-14, C-41)."""
    require_at_least(0, breaches, "Breaches")
    ours = next((one for one in house.breaches if one.scale == scale), None)
    return breaches >= (ours.destroyed if ours is not None else (require_at_least(1, scale, "a Scale") + 1) // 2)


def hull_state(scale: int, breaches_before: int, new_breaches: int) -> HullState:
    """More Breaches than the Scale are critical; each one after that destroys the ship (S2E-15)."""
    total = require_at_least(0, breaches_before, "Breaches") + require_at_least(0, new_breaches, "new Breaches")
    return HullState(critical=total > scale, destroyed=new_breaches > 0 and total > scale + 1)


def collision_rating(scale: int, zones_moved: int) -> int:
    """Damage of a collision: Scale and half the zones moved, rounded up (S2E-16, C-41)."""
    return scale + (require_at_least(0, zones_moved, "zones") + 1) // 2


def core_check(*, critical: bool, engines_destroyed: bool, engineering: int, face: int, scale: int) -> CoreCheck:
    """A critical ship with its Engines destroyed explodes when the d20 exceeds its Engineering (S2E-17, C-43)."""
    require_face(DieKind.D20, face)
    required = critical and engines_destroyed
    explodes = required and face > engineering
    return CoreCheck(roll_required=required, explodes=explodes, splash_damage=scale + 1 if explodes else 0)


def regain_power_difficulty(attempts_this_scene: int) -> int:
    """Difficulty of Regain Power: 1, and 1 more for each earlier attempt of the scene (S2E-O2)."""
    return 1 + require_at_least(0, attempts_this_scene, "attempts")


def modulate_shields(shields: int) -> int:
    """Resistance that Modulate Shields gives until the next turn (S2E-T6, C-46). Refused while Shields are down."""
    if shields < 1:
        raise Refusal("S2E-T6", "The Shields are down; restore them first.")
    return 2


def long_repair(engineering: int, *, patched: bool, starbase: bool) -> LongRepair:
    """Repairs outside combat: 6 hours a Breach, D3 or D2 if patched; half the time and 2 easier in dock (S2E-19)."""
    return LongRepair(
        hours_per_breach=3 if starbase else 6,
        difficulty=max(0, (2 if patched else 3) - (2 if starbase else 0)),
        simultaneous=engineering,
    )


def large_ship_round(scale: int, player_turns: int, option: LargeShipTurns) -> LargeShipRound:
    """Turns of a large adversary: all of its Scale, or as many as the players and dice for the rest (S2E-21)."""
    if option is LargeShipTurns.ALL:
        return LargeShipRound(turns=scale, bonus_dice=0)
    turns = min(scale, player_turns)
    return LargeShipRound(turns=turns, bonus_dice=scale - turns)


def pursuit_catches(fleeing_successes: int, pursuer_successes: int) -> bool:
    """Whether a pursuer at warp catches up: only with more successes (S2E-23, S2E-4)."""
    return pursuer_successes > fleeing_successes
