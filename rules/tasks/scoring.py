"""Tasks: Target Number, Difficulty, what each d20 is worth, and what the throw comes to.

TASK-1 to TASK-11, TRAIT-2, RNG-2, assistance (ASST-1 to ASST-3), the Determination die (DET-2) and an NPC's
automatic successes (NPC-2). Buying dice is in `buying`, throwing them again in `rerolls`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rules.deciding.checks import find_character, find_ship
from rules.dice import DieKind, require_face
from rules.errors import Refusal, require_at_least
from rules.state.changing import replace
from rules.state.people import Character
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.tasks import Assistance, ShipAssistance, Task, TaskDie, TaskOutcome
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import ThrowRole
from rules.words import Phrase, say

BASE_DICE: Final = 2
"""d20s of a Task before any is bought (TASK-3)."""


MOST_BONUS_DICE: Final = 3
"""Bonus d20s of a Task from all sources together, a Determination die included (TASK-3, BUY-1)."""


NARROWEST_RANGE: Final = 1
"""The complication range of a 20 alone (TASK-7)."""


WIDEST_RANGE: Final = 5
"""The complication range of 16 to 20, beyond which it never grows (TASK-7)."""


DETERMINATION_DIE_SUCCESSES: Final = 2
"""The successes of a Determination die, which shows 1 (DET-2)."""


DIFFICULTY_LADDER: Final = (
    (say("common knowledge"), say("target practice"), say("routine maintenance")),
    (say("specialist research"), say("hitting in melee"), say("emergency rerouting")),
    (say("obscure research"), say("a phaser shot at an enemy"), say("repair under fire")),
    (say("restricted research"), say("a shot in poor light"), say("improvised work")),
    (
        say("classified research"),
        say("a shot in poor light at an enemy dug in"),
        say("technology that does not fit"),
    ),
    (say("redacted research"), say("a small fast target in poor light"), say("transport from warp to warp")),
)
"""What each Difficulty from 0 to 5 feels like (DIFF-1); a Task may be harder still (TASK-2)."""


DIFFICULTY_WORDS: Final = (
    say("simple"), say("average"), say("challenging"), say("daunting"), say("dire"), say("epic"),
)  # fmt: skip
"""A word for each Difficulty from 0 to 5 (TASK-2)."""


RANGE_WORDS: Final[Mapping[int, Phrase]] = MappingProxyType(
    {
        1: say("Complication on 20."),
        2: say("Complication on 19 or 20."),
        3: say("Complication on 18 to 20."),
        4: say("Complication on 17 to 20."),
        5: say("Complication on 16 to 20."),
    }
)
"""What each complication range means (TASK-7)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimpleSuccess:
    """TASK-9: the result of a Difficulty 0 Task without dice."""

    outcome: TaskOutcome
    can_spend_momentum: bool


def target_number(attribute: int, discipline: int) -> int:
    """Attribute + discipline (TASK-1). A ship's is System + Department (SHIP-4)."""
    return require_at_least(0, attribute, "an attribute") + require_at_least(0, discipline, "a discipline")


def double_at_most(discipline: int, *, focus: bool) -> int:
    """The highest face that counts as two successes: the discipline with a focus (TASK-5), else a natural 1 (TASK-6).

    A natural 1 counts two even with a focus and a discipline of 0 (C-12), so this is never below 1.
    """
    return max(1, require_at_least(0, discipline, "a discipline")) if focus else 1


def task_difficulty(base: int, modifiers: Iterable[int] = (), floor: int = 0) -> int:
    """Base Difficulty with every modifier added, never below `floor` (TASK-2, TRAIT-2)."""
    return max(floor, require_at_least(0, base, "a base Difficulty") + sum(modifiers))


def dice_to_throw(bonus_dice: int, *, determination_die: bool = False) -> int:
    """d20s that the leader throws: 2 and the bonus dice, without the Determination die (TASK-3).

    `bonus_dice` counts the Determination die. Refuses more than three of them (BUY-1).
    """
    require_at_least(1 if determination_die else 0, bonus_dice, "the number of bonus dice")
    if bonus_dice > MOST_BONUS_DICE:
        raise Refusal(
            "BUY-1",
            "A Task has at most {most} bonus dice; leave {bonus_dice} out.",
            most=MOST_BONUS_DICE,
            bonus_dice=bonus_dice - MOST_BONUS_DICE,
        )
    return BASE_DICE + bonus_dice - (1 if determination_die else 0)


def complication_range_of(*widenings: int) -> int:
    """Complication range 1 with every widening added, kept within 1 to 5 (TASK-7)."""
    return min(WIDEST_RANGE, max(NARROWEST_RANGE, NARROWEST_RANGE + sum(widenings)))


def successes_of(face: int, target: int, double: int) -> int:
    """Successes of one d20: 2 up to `double` (TASK-5, TASK-6), 1 up to `target` (TASK-4), else 0.

    `double` comes from `double_at_most`. Raises `DiceError` for a face that a d20 does not have.
    """
    require_face(DieKind.D20, face)
    if face <= max(1, double):
        return 2
    return 1 if face <= target else 0


def is_complication(face: int, complication_range: int = NARROWEST_RANGE) -> bool:
    """Whether one d20 brings a Complication: 21 - range or more (TASK-7); it may be a success as well (C-13).

    A range beyond 5 counts as 5. Raises `DiceError` for a face that a d20 does not have.
    """
    require_face(DieKind.D20, face)
    return face > 20 - min(WIDEST_RANGE, require_at_least(NARROWEST_RANGE, complication_range, "a complication range"))


def score_die(
    die: ThrownDie,
    *,
    role: ThrowRole,
    who: str,
    target_number: int,
    double_at_most: int,
    complication_range: int = NARROWEST_RANGE,
) -> TaskDie:
    """What one d20 of a Task is worth (TASK-4 to TASK-7).

    The fixed Determination die is two successes and never a Complication (DET-2). The widened complication range
    holds for the leader's dice alone; a helper's or the ship's die brings a Complication on a 20 (C-14).
    Raises `DiceError` for anything but a d20 that shows 1 to 20. Assistance is settled by `settle_assistance`.
    """
    require_face(DieKind.D20, die.face)
    face = int(die.face)
    own = role is ThrowRole.LEADER
    return TaskDie(
        role=role,
        who=who,
        target_number=target_number,
        double_at_most=double_at_most,
        die=die,
        successes=DETERMINATION_DIE_SUCCESSES if die.fixed else successes_of(face, target_number, double_at_most),
        complication=not die.fixed and is_complication(face, complication_range if own else NARROWEST_RANGE),
    )


def ship_acts(task: Task) -> bool:
    """Whether the ship that adds its die to a Task is the very one whose crew acts (NSHIP-1): it helps nobody else."""
    ship = task.declaration.ship
    return ship is not None and ship.ship_id == task.declaration.character_id


def settle_assistance(dice: Sequence[TaskDie]) -> tuple[TaskDie, ...]:
    """The dice with `counted` set: helpers and ship count once the leader scores with the leader's own (ASST-2).

    A Determination die is the leader's own.
    """
    leader_scores = any(one.successes for one in dice if one.role is ThrowRole.LEADER)
    return tuple(replace(one, counted=leader_scores or one.role is ThrowRole.LEADER) for one in dice)


def outcome_of(dice: Sequence[TaskDie], difficulty: int, *, automatic_successes: int = 0) -> TaskOutcome:
    """The result of a Task's dice (TASK-8): successes that count, Complications of all dice (TASK-7), Momentum.

    `automatic_successes` come on top of the roll (NPC-2) and do not stand in for the leader's own (ASST-2).
    """
    settled = settle_assistance(dice)
    successes = sum(one.successes for one in settled if one.counted) + require_at_least(
        0, automatic_successes, "automatic successes"
    )
    return result_of(successes, difficulty, sum(1 for one in settled if one.complication))


def result_of(successes: int, difficulty: int, complications: int = 0) -> TaskOutcome:
    """TASK-8: success from the Difficulty upward; what exceeds it is Momentum (POOL-1), none on a failure."""
    success = successes >= difficulty
    return TaskOutcome(
        successes=successes,
        difficulty=difficulty,
        success=success,
        momentum=successes - difficulty if success else 0,
        complications=complications,
    )


def simple_success(difficulty: int = 0) -> SimpleSuccess:
    """A Difficulty 0 Task without dice (TASK-9): it succeeds, makes nothing, and nothing may be spent on it.

    Refuses any other Difficulty.
    """
    if difficulty != 0:
        raise Refusal("TASK-9", "Only a Task of Difficulty 0 succeeds without dice; throw for this one.")
    return SimpleSuccess(outcome=result_of(0, 0), can_spend_momentum=False)


def succeed_at_cost(outcome: TaskOutcome) -> TaskOutcome:
    """A failure turned into a bare success: no Momentum, one Complication more (TASK-11, C-57).

    Refuses a Task that succeeded, and one that was turned already.
    """
    if outcome.success:
        raise Refusal("TASK-11", "This Task succeeded; only a failure can be made a success at a cost.")
    return replace(outcome, success=True, momentum=0, complications=outcome.complications + 1, at_cost=True)


def goal(table: Table, task: Task, role: ThrowRole) -> tuple[int, int]:
    """Target Number and what counts double, of whoever throws now in that role (ASST-1, ASST-3)."""
    helper, aid = next_helper(task), task.declaration.ship
    if role is ThrowRole.ASSIST and helper is not None:
        return helper_goal(find_character(table, helper.character_id), helper)
    if role is ThrowRole.SHIP and aid is not None:
        return ship_goal(find_ship(table, aid.ship_id), aid)
    return task.target_number, task.double_at_most


def helper_goal(character: Character, helper: Assistance) -> tuple[int, int]:
    """A helper's own Target Number and what counts double (ASST-1)."""
    discipline: int = getattr(character.disciplines, helper.discipline)
    target = target_number(getattr(character.attributes, helper.attribute), discipline)
    return target, double_at_most(discipline, focus=helper.focus)


def ship_goal(ship: Ship, aid: ShipAssistance) -> tuple[int, int]:
    """A ship's Target Number and what counts double, when it helps, always focused (ASST-3, SHIP-3)."""
    department: int = getattr(ship.departments, aid.department)
    return target_number(getattr(ship.systems, aid.system), department), double_at_most(department, focus=True)


def next_helper(task: Task) -> Assistance | None:
    """The helper whose die comes next; None once all have thrown."""
    there = sum(die.role is ThrowRole.ASSIST for die in task.dice)
    helpers = task.declaration.assists
    return helpers[there] if there < len(helpers) else None
