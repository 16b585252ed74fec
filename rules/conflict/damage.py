"""What a hit does to a person: damage, Stress, Injuries, and how they are avoided (DMG-1 to DMG-7, EFF, MOM-8).

The arithmetic of damage and Resistance serves starships as well (SDMG-1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rules.dice import Face, SourceKind
from rules.errors import Refusal, require_at_least
from rules.state.changing import replace
from rules.state.conflict import Attack
from rules.state.people import Character, Weapon
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import InjuryState, Pool, Standing
from rules.tasks.challenge import challenge_result
from rules.tasks.rerolls import replace_faces

HEAVY_HIT: Final = 5
"""Damage after Resistance that injures or breaches by itself (DMG-4, SDMG-2)."""


RESISTANCE_PER_PENETRATION: Final = 2
"""Resistance that one Penetration ignores (MOM-5)."""


AVOID_INJURY_PRICE: Final = 2
"""Points for avoiding an Injury, before Intense (DMG-7)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """The result of a hit from dice, Resistance and target.

    `rolled` is the bare total of the Challenge Dice; `track_after` Stress or Shields afterwards; `wounds` how many
    Injuries or Breaches follow (at most two).
    """

    rolled: int
    effects: int
    total_resistance: int
    damage: int
    track_after: int
    wounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AvoidancePrice:
    """DMG-7: what avoiding one Injury costs, and in which pool's points."""

    cost: int
    pool: Pool


@dataclass(frozen=True, slots=True, kw_only=True)
class Knockdown:
    """EFF-3: whether the target falls, and by how much Threat changes if it resists."""

    prone_unless_resisted: bool
    resist_threat_change: int


def damage_dice(weapon_rating: int, security: int = 0) -> int:
    """Challenge Dice of an attack: the weapon's rating and the character's Security (DMG-1); hazards have none."""
    return require_at_least(0, weapon_rating, "a rating") + require_at_least(0, security, "Security")


def attack_dice(weapon: Weapon, attacker: Character) -> int:
    """Challenge Dice of an attack of `attacker` with `weapon` (DMG-1)."""
    return damage_dice(weapon.rating, attacker.disciplines.security)


def resolve_hit(
    faces: Sequence[Face],
    *,
    track_before: int,
    static_resistance: int = 0,
    resistance_faces: Sequence[Face] = (),
    vicious: int = 0,
    piercing: int = 0,
    bonus_damage: int = 0,
    penetration: int = 0,
) -> Hit:
    """Damage of one hit, what it leaves of Stress or Shields, and the wounds (DMG-2 to DMG-5, SDMG-1, SDMG-2).

    Resistance: static and dice, less Piercing for each Effect (EFF-4) and 2 for each Penetration (MOM-5), floor 0.
    Damage: dice, Vicious for each Effect (EFF-5) and Bonus Damage (MOM-1), less Resistance, floor 0.
    Wounds: one for 5 or more damage, one for reaching 0 or being hit there (C-23, C-29).
    """
    require_at_least(0, min(track_before, static_resistance, vicious, piercing, bonus_damage, penetration), "a number")
    result = challenge_result(faces)
    hit = resolve_flat(
        result.total + vicious * result.effects + bonus_damage,
        result.effects,
        track_before=track_before,
        static_resistance=static_resistance,
        resistance_faces=resistance_faces,
        piercing=piercing,
        penetration=penetration,
    )
    return replace(hit, rolled=result.total)


def resolve_flat(
    damage: int,
    effects: int,
    *,
    track_before: int,
    static_resistance: int = 0,
    resistance_faces: Sequence[Face] = (),
    piercing: int = 0,
    penetration: int = 0,
) -> Hit:
    """The same for damage that is known before Resistance: a second target's half, an Area hit (MOM-8, EFF-1, C-69)."""
    require_at_least(0, min(damage, effects, track_before, static_resistance, piercing, penetration), "a number")
    resistance = static_resistance + challenge_result(resistance_faces).total
    total_resistance = max(0, resistance - piercing * effects - RESISTANCE_PER_PENETRATION * penetration)
    taken = max(0, damage - total_resistance)
    after = max(0, track_before - taken)
    return Hit(
        rolled=damage,
        effects=effects,
        total_resistance=total_resistance,
        damage=taken,
        track_after=after,
        wounds=(taken >= HEAVY_HIT) + (taken > 0 and after == 0),
    )


def penetration_left(resistance: int, attack: Attack) -> int:
    """How many times more Penetration ignores something of a Resistance that Piercing has lowered already (MOM-5)."""
    left = resistance - RESISTANCE_PER_PENETRATION * attack.penetration
    return -(-max(0, left) // RESISTANCE_PER_PENETRATION)


def half_rounded_down(damage: int) -> int:
    """What a Secondary Target takes, before its own Resistance (MOM-8, C-56)."""
    return require_at_least(0, damage, "damage") // 2


def half_rounded_up(damage: int) -> int:
    """What a Devastating Attack does to another system, before its own Resistance (MOM-10, C-56)."""
    return (require_at_least(0, damage, "damage") + 1) // 2


def injured(state: InjuryState, *, lethal: bool, injuries: int = 1, avoided: int = 0) -> InjuryState:
    """How badly someone is hurt after the Injuries that were not avoided, one after the other (DMG-5, DMG-6)."""
    for _ in range(
        max(0, require_at_least(0, injuries, "Injuries") - require_at_least(0, avoided, "avoided Injuries"))
    ):
        if state is InjuryState.NONE:
            state = InjuryState.LETHAL if lethal else InjuryState.NONLETHAL
        else:
            state = InjuryState.LETHAL if state is InjuryState.NONLETHAL else InjuryState.DEAD
    return state


def avoid_injury_price(
    standing: Standing,
    *,
    used_this_scene: bool = False,
    effects: int = 0,
    intense: bool = False,
    price: int = AVOID_INJURY_PRICE,
) -> AvoidancePrice:
    """What avoiding one Injury costs (DMG-7, MOM-7): 2, and 1 for each Effect of an Intense weapon (EFF-2, C-25).

    `price` stands in the place of the 2 where the house has another (`spend_cost`). Players pay Momentum, notable NPCs
    Threat. Refuses minor NPCs, and anyone twice a scene (C-77).
    """
    if standing is Standing.MINOR_NPC:
        raise Refusal("DMG-7", "A minor NPC cannot avoid an Injury; it is suffered.")
    if used_this_scene:
        raise Refusal("DMG-7", "An Injury was avoided this scene already; Recover first.")
    more = require_at_least(0, effects, "Effects") if intense else 0
    pool = Pool.MOMENTUM if standing is Standing.PLAYER else Pool.THREAT
    return AvoidancePrice(cost=price + more, pool=pool)


def knockdown(effects: int, *, npc: bool) -> Knockdown:
    """Knockdown with at least one Effect (CD-3, EFF-3): a player resists by adding Threat, an NPC by spending it."""
    require_at_least(0, effects, "Effects")
    return Knockdown(prone_unless_resisted=effects > 0, resist_threat_change=-effects if npc else effects)


def fast_recovery(stress: int, stress_max: int, recovery: int) -> int:
    """Stress of a creature with Fast Recovery at the start of its Turn, up to its maximum (NPC-3)."""
    return max(stress, min(stress_max, stress + require_at_least(0, recovery, "Fast Recovery")))


def with_damage(
    attack: Attack, thrown: tuple[ThrownDie, ...], faces: tuple[Face, ...], *, again: tuple[int, ...] = ()
) -> Attack:
    """The attack with the dice of its damage (DMG-1), or with those at `again`, from 0, thrown a second time (CD-5).

    `faces` are what the `thrown` dice count as.
    """
    after = replace_faces(attack.faces, again, faces, "CD-5") if again else faces
    places = again or tuple(range(len(thrown)))
    dice = tuple(zip(places, thrown, strict=True))
    unchecked = (place for place, die in dice if die.weak)
    entered = (place for place, die in dice if die.source is SourceKind.MANUAL)
    kept = dict(enumerate(attack.pictures)) if again else {}
    of_each = kept | {place: die.picture for place, die in dice}
    return replace(
        attack,
        faces=after,
        pictures=tuple(of_each.get(place) for place in range(len(after))) if any(of_each.values()) else (),
        unchecked=(*(one for one in attack.unchecked if one not in places), *unchecked),
        entered=(*(one for one in attack.entered if one not in places), *entered),
    )
