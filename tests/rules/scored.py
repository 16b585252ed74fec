"""A whole Task scored from plain numbers, by the functions that the game scores each of its dice with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.dice import DieKind, SourceKind
from rules.state.tasks import TaskDie, TaskOutcome
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import ThrowRole
from rules.tasks.scoring import NARROWEST_RANGE, double_at_most, outcome_of, score_die, settle_assistance, target_number


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistDie:
    """A helper's d20 against the helper's own attribute, discipline and focus (ASST-1)."""

    attribute: int
    discipline: int
    focus: bool = False
    die: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipDie:
    """The ship's d20 against its system and department, always with focus (ASST-3, SHIP-3, SHIP-4)."""

    system: int
    department: int
    die: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskScore:
    """A Task's Target Number and the result of its dice (TASK-8)."""

    target_number: int
    dice: tuple[TaskDie, ...]
    outcome: TaskOutcome


def score_task(
    *,
    attribute: int,
    discipline: int,
    focus: bool,
    difficulty: int,
    dice: Sequence[int],
    complication_range: int = NARROWEST_RANGE,
    assists: Sequence[AssistDie] = (),
    ship_assist: ShipDie | None = None,
    determination_die: bool = False,
    automatic_successes: int = 0,
) -> TaskScore:
    """Score a whole Task from plain numbers (TASK-8, ASST-1 to ASST-3, DET-2, NPC-2).

    `dice` are the d20s that the leader threw; a Determination die is not among them.
    Raises `DiceError` for a face that a d20 does not have.
    """
    target = target_number(attribute, discipline)
    double = double_at_most(discipline, focus=focus)
    scored = [
        score_die(
            die,
            role=ThrowRole.LEADER,
            who="",
            target_number=target,
            double_at_most=double,
            complication_range=complication_range,
        )
        for die in (*((_thrown(1, fixed=True),) if determination_die else ()), *(_thrown(face) for face in dice))
    ]
    scored += [
        score_die(
            _thrown(one.die),
            role=ThrowRole.ASSIST,
            who="",
            target_number=target_number(one.attribute, one.discipline),
            double_at_most=double_at_most(one.discipline, focus=one.focus),
        )
        for one in assists
    ]
    if ship_assist is not None:
        scored.append(
            score_die(
                _thrown(ship_assist.die),
                role=ThrowRole.SHIP,
                who="",
                target_number=target_number(ship_assist.system, ship_assist.department),
                double_at_most=double_at_most(ship_assist.department, focus=True),
            )
        )
    return TaskScore(
        target_number=target,
        dice=settle_assistance(scored),
        outcome=outcome_of(scored, difficulty, automatic_successes=automatic_successes),
    )


def _thrown(face: int, *, fixed: bool = False) -> ThrownDie:
    return ThrownDie(kind=DieKind.D20, face=face, source=SourceKind.MANUAL, fixed=fixed)
