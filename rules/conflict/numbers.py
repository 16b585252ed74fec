"""Personal conflict: turns, Minor Actions, ranges, the Tasks with numbers of their own, attacks.

TURN-3, TURN-4, ACT-1, ACT-2, ACT-5 to ACT-8, RNG-1, ATK-2 to ATK-5. What a hit does is in `damage`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rules.conflict.spends import EXTRA_MINOR_ACTION
from rules.dice import Face
from rules.errors import Refusal, require_at_least
from rules.rulesets.profiles import Profile
from rules.state.vocabulary import AttackType, Attribute, Discipline, Range, Side
from rules.tasks.challenge import challenge_result
from rules.tasks.pools import spend_cost
from rules.tasks.scoring import complication_range_of, task_difficulty
from rules.words import Phrase, say

RECOVER_STRESS_PER_MOMENTUM: Final = 2
"""Stress regained for each Momentum spent on Recover (ACT-5, DMG-9)."""


RANGES: Final = tuple(Range)
"""The ranges from near to far: 0, 1, 2, and 3 or more zones away (RNG-1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextTurn:
    """TURN-3: whose Turn is next, and whether a new Round begins with it."""

    side: Side
    new_round: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """ACT-5: the Task's Difficulty and what its success gives."""

    difficulty: int
    stress_after: int
    resistance_bonus: int
    avoid_injury_restored: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskParts:
    """The Difficulty and the parts of a Task."""

    attribute: Attribute
    discipline: Discipline
    difficulty: int
    complication_range: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedAttack:
    """ACT-8: Difficulty of the Guard Task, and of attacks on who is guarded."""

    difficulty: int
    attack_difficulty: int


def next_turn(last: Side, unacted: Mapping[Side, int]) -> NextTurn:
    """Sides alternate; one with nobody left is skipped; a Round opens with the side that did not act last (TURN-3)."""
    other = Side.NPC if last is Side.PC else Side.PC
    if unacted[other] > 0:
        return NextTurn(side=other, new_round=False)
    if unacted[last] > 0:
        return NextTurn(side=last, new_round=False)
    return NextTurn(side=other, new_round=True)


def require_turn_between(*, enemy_turn_since_last_keep: bool) -> None:
    """TURN-4, C-53: refuse to keep the Initiative a second time before the other side had a Turn."""
    if not enemy_turn_since_last_keep:
        raise Refusal("TURN-4", "The other side has to have a Turn first; the Initiative passes now.")


def minor_actions_cost(actions: Sequence[str], profile: Profile) -> int:
    """Momentum for the Minor Actions of one Turn: the first is free, the price of others is the ruleset's (ACT-1, C-1).

    Refuses one action twice, and Drop Prone together with Stand (ACT-2).
    """
    if len(set(actions)) != len(actions):
        raise Refusal("ACT-2", "Each Minor Action is possible once a Turn; choose another.")
    if set(actions) >= _EXCLUSIVE:
        raise Refusal("ACT-2", "Dropping prone and standing up exclude each other in one Turn; choose one.")
    further = max(0, len(actions) - 1)
    return spend_cost(EXTRA_MINOR_ACTION, further, profile) if further else 0


_EXCLUSIVE: Final = frozenset({"drop_prone", "stand"})
"""Minor Actions that exclude each other in one Turn (ACT-2)."""


def minor_actions_left(possible: Collection[str], taken: Collection[str]) -> int:
    """How many of the `possible` Minor Actions, by name, a Turn has room for after those `taken` (ACT-2)."""
    left = set(possible) - set(taken)
    if _EXCLUSIVE.intersection(taken):
        return len(left - _EXCLUSIVE)
    return len(left) - (left >= _EXCLUSIVE)


def range_of(zones: int) -> Range:
    """The range between two zones (RNG-1, SHIP-9): 0 Close, 1 Medium, 2 Long, 3 and more Extreme."""
    return RANGES[min(require_at_least(0, zones, "a number of zones"), len(RANGES) - 1)]


def bands_between(first: Range, second: Range) -> int:
    """How many range bands lie between two ranges (RNG-1)."""
    return abs(RANGES.index(first) - RANGES.index(second))


def recover(
    *, in_cover: bool, momentum_spent: int, stress: int, stress_max: int, cover_faces: Sequence[Face], profile: Profile
) -> Recovery:
    """The Recover Task (ACT-5): Difficulty 2, 1 easier in Cover where the ruleset says so (C-54)."""
    eased = in_cover and profile.cover_eases_recover
    regained = RECOVER_STRESS_PER_MOMENTUM * require_at_least(0, momentum_spent, "Momentum")
    return Recovery(
        difficulty=1 if eased else 2,
        stress_after=max(stress, min(stress_max, stress + regained)),
        resistance_bonus=challenge_result(cover_faces).effects,
        avoid_injury_restored=True,
    )


def sprint_zones(momentum_spent: int) -> int:
    """Zones moved with Sprint: 1, and 1 more for each Momentum (ACT-6)."""
    return 1 + require_at_least(0, momentum_spent, "Momentum")


def first_aid(*, debilitating: bool) -> TaskParts:
    """The First Aid Task: Daring + Medicine D1, 1 harder after a Debilitating weapon (ACT-7, DMG-8, QUAL-5, C-55)."""
    return TaskParts(attribute=Attribute.DARING, discipline=Discipline.MEDICINE, difficulty=2 if debilitating else 1)


GUARD_HARDER: Final = 1
"""By how much an attack on somebody guarded is harder (ACT-8)."""


def guard(*, ally: bool, attack_difficulty: int) -> GuardedAttack:
    """The Guard Task: D0 for oneself, D1 for an ally; attacks on the guarded are 1 harder (ACT-8, C-55)."""
    return GuardedAttack(
        difficulty=1 if ally else 0, attack_difficulty=task_difficulty(attack_difficulty, (GUARD_HARDER,))
    )


def reach_penalty(*, enemy_in_reach: bool, melee_attack: bool) -> int:
    """How much harder an enemy in Reach who can act makes a Task: a melee attack not at all (RNG-2, C-79)."""
    return int(enemy_in_reach and not melee_attack)


def awkward_use(
    *, two_handed: bool, one_handed: bool, deadly: bool, non_lethal: bool, lethal: bool
) -> tuple[Phrase, ...]:
    """Why a weapon's use makes the attack harder, 1 for each reason (ATK-5, QUAL-4, QUAL-8)."""
    reasons = (
        (two_handed and one_handed, say("Two-handed weapon in one hand")),
        (deadly and not lethal, say("Deadly weapon used to stun")),
        (non_lethal and lethal, say("Non-lethal weapon used to kill")),
    )
    return tuple(reason for holds, reason in reasons if holds)


def attack_task(attack: AttackType, *, creatures_in_target_reach: bool = False) -> TaskParts:
    """What an attack is thrown against: melee Daring + Security D1, ranged Control + Security D2 (ATK-2, ATK-3).

    Creatures in a ranged target's Reach widen the complication range by 1.
    """
    ranged = attack is AttackType.RANGED
    return TaskParts(
        attribute=Attribute.CONTROL if ranged else Attribute.DARING,
        discipline=Discipline.SECURITY,
        difficulty=2 if ranged else 1,
        complication_range=complication_range_of(1 if ranged and creatures_in_target_reach else 0),
    )
