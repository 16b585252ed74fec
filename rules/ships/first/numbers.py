"""Starships in the first edition: their numbers, attacks, Breaches, repairs, core, weapons' effects.

SHIP-2 to SHIP-7, NSHIP-1 to NSHIP-3, SATK-1, SATK-2, SDMG-1, SDMG-2, BRCH-1 to BRCH-3, REP-1, WCB-1, SWPN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rules.conflict.damage import Hit, half_rounded_up, resolve_hit
from rules.conflict.numbers import bands_between
from rules.dice import Face
from rules.errors import Refusal, require_at_least
from rules.state.changing import replace
from rules.state.house import THE_RULES_OWN, HouseBreaches, HouseTables
from rules.state.vocabulary import Condition, Range, System
from rules.tasks.challenge import challenge_result, is_effect
from rules.tasks.scoring import task_difficulty

ENGINES_IMPACT_POWER: Final = 2
"""Power that each Breach of the Engines costs at once (BRCH-2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerLoss:
    """SHIP-5: Power left, and Complications on a random system."""

    power: int
    complications: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """BRCH-2: what a Breach does at once."""

    power: int
    pc_injured: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemTask:
    """Difficulty and complication range of a Task with or on a breached system (BRCH-3, REP-1)."""

    difficulty: int
    complication_range: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Countdown:
    """WCB-1: whether the core explodes this Round, and the dice that others nearby take."""

    explodes: bool
    splash_dice: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadHit:
    """SWPN-5: hits on random systems beside the first, and the damage of each before Resistance."""

    extra_hits: int
    damage: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Persistence:
    """SWPN-3: damage at the end of each Round, for how many Rounds."""

    damage_per_round: int
    rounds: int


def lose_power(power: int, loss: int) -> PowerLoss:
    """Power after a loss, floor 0; losing more than is left brings a Complication (SHIP-5, C-31)."""
    require_at_least(0, min(power, loss), "Power")
    return PowerLoss(power=max(0, power - loss), complications=1 if loss > power else 0)


def least_pursuit_power(fleeing_power_spent: int) -> int:
    """Least Power that a pursuer has to spend to follow to warp: more than who flees (SHIP-7)."""
    return require_at_least(0, fleeing_power_spent, "Power") + 1


def shot_penalties(target_range: Range, optimal_range: Range, *, aimed: bool) -> tuple[int, int]:
    """What range and aim make a shot harder by: 1 for each band off the best range, 1 aimed at a system (SATK-1)."""
    return bands_between(target_range, optimal_range), int(aimed)


def resolve_ship_hit(
    faces: Sequence[Face],
    *,
    scale: int,
    shields_before: int,
    resistance_faces: Sequence[Face] = (),
    vicious: int = 0,
    piercing: int = 0,
    bonus_damage: int = 0,
    penetration: int = 0,
    high_yield: bool = False,
) -> Hit:
    """Damage to Shields and the Breaches that follow (SDMG-1, SDMG-2, SWPN-4, SWPN-6); Resistance is the Scale.

    High-Yield adds one Breach to a hit that makes any (SQUAL-4).
    """
    hit = resolve_hit(
        faces,
        track_before=shields_before,
        static_resistance=scale,
        resistance_faces=resistance_faces,
        vicious=vicious,
        piercing=piercing,
        bonus_damage=bonus_damage,
        penetration=penetration,
    )
    return replace(hit, wounds=hit.wounds + 1) if high_yield and hit.wounds else hit


def breach_thresholds(scale: int, house: HouseTables = THE_RULES_OWN) -> HouseBreaches:
    """From how many Breaches a system is damaged, disabled, destroyed, unless its house says otherwise (BRCH-1).

    Damaged from half the Scale rounded up, disabled at the Scale, destroyed beyond it.
    """
    require_at_least(1, scale, "a Scale")
    found = next((one for one in house.breaches if one.scale == scale), None)
    return found or HouseBreaches(scale=scale, damaged=(scale + 1) // 2, disabled=scale, destroyed=scale + 1)


def system_condition(scale: int, breaches: int, house: HouseTables = THE_RULES_OWN) -> Condition:
    """State of a system by its Breaches (BRCH-1, BRCH-4, BRCH-5); `house` is `profile.house`.

    An NPC ship's Breaches taken together go by the same steps (NSHIP-3).
    """
    steps = breach_thresholds(scale, house)
    if require_at_least(0, breaches, "Breaches") >= steps.destroyed:
        return Condition.DESTROYED
    if breaches >= steps.disabled:
        return Condition.DISABLED
    return Condition.DAMAGED if 0 < steps.damaged <= breaches else Condition.OPERATIONAL


def breach_impact(system: System, power: int, face: Face | None = None) -> Impact:
    """What one Breach does at once (BRCH-2, C-67): Engines lose 2 Power, an Effect on Structure injures someone.

    `face` is the Challenge Die of a Structure hit; refused where it is missing.
    """
    if system is System.STRUCTURE:
        if face is None:
            raise Refusal("BRCH-2", "A hit on the Structure asks for one Challenge Die; throw it.")
        return Impact(power=power, pc_injured=is_effect(face))
    lost = ENGINES_IMPACT_POWER if system is System.ENGINES else 0
    return Impact(power=lose_power(power, lost).power, pc_injured=False)


def task_with_system(condition: Condition, difficulty: int) -> SystemTask:
    """A Task that uses a system: 2 harder with Complications from 19 when damaged (BRCH-3, C-30).

    Refuses one that is disabled or destroyed (BRCH-4, BRCH-5).
    """
    if condition is Condition.DESTROYED:
        raise Refusal("BRCH-4", "That system is destroyed for good; use another.")
    if condition is Condition.DISABLED:
        raise Refusal("BRCH-4", "That system is {condition}; use another, or repair it.", condition=condition)
    if condition is Condition.DAMAGED:
        return SystemTask(difficulty=task_difficulty(difficulty, (2,)), complication_range=2)
    return SystemTask(difficulty=difficulty, complication_range=1)


def repair_task(condition: Condition, *, devastating: bool = False, damage_report: bool = False) -> SystemTask:
    """The repair of a system: D3 damaged, D4 with Complications from 18 disabled (REP-1, BRCH-3, BRCH-4).

    A Devastating weapon makes it 1 harder (SQUAL-2), a Damage Report 1 easier (STN-6). Refuses what needs no repair
    and what is destroyed (BRCH-5).
    """
    if condition is Condition.DESTROYED:
        raise Refusal("REP-1", "A destroyed system cannot be repaired here.")
    if condition is Condition.OPERATIONAL:
        raise Refusal("REP-1", "That system works; nothing is there to repair.")
    disabled = condition is Condition.DISABLED
    return SystemTask(
        difficulty=task_difficulty(4 if disabled else 3, (int(devastating), -int(damage_report))),
        complication_range=3 if disabled else 1,
    )


def core_countdown(round_number: int, faces: Sequence[Face], scale: int) -> Countdown:
    """The end of a Round after containment failed: any Effect explodes (WCB-1, CD-4).

    One Challenge Die in the first such Round, two in the second, and so on. Refuses another number of dice.
    """
    required = require_at_least(1, round_number, "a Round")
    if len(faces) != required:
        raise Refusal(
            "WCB-1",
            "{required} Challenge Dice are due, {came} came; throw exactly those.",
            required=required,
            came=len(faces),
        )
    explodes = challenge_result(faces).effects > 0
    return Countdown(explodes=explodes, splash_dice=3 + scale if explodes else 0)


def persistence(rating: int, effects: int) -> Persistence:
    """Persistent X: X damage at the end of each Round, for as many Rounds as Effects (SWPN-3, C-35)."""
    return Persistence(damage_per_round=rating if effects else 0, rounds=effects)


def spread(initial_damage: int, effects: int) -> SpreadHit:
    """Spread with one Effect (CD-3): another system takes half, rounded up, and 1 for each further Effect (SWPN-5)."""
    if effects < 1:
        return SpreadHit(extra_hits=0, damage=0)
    return SpreadHit(extra_hits=1, damage=half_rounded_up(initial_damage) + effects - 1)
