"""Decides the result of a Task's dice, throw by throw: leader, helpers, ship, and dice thrown again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rules.deciding.agenda import ThrowAwaited
from rules.deciding.checks import find_character, find_ship, nothing_awaited, profile, require_task
from rules.deciding.decision import Command, Draft
from rules.dice import DieKind, Face, SourceKind
from rules.errors import Refusal
from rules.state.table import Table
from rules.state.tasks import Assistance, ShipAssistance, Task, TaskDie, ThrowRequest
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import OpposedWinner, Payer, TaskPhase, ThrowRole
from rules.tasks.abilities import automatic_successes
from rules.tasks.events import OpposedDecided, OutcomeReached, SideTurned, TaskDiceThrown
from rules.tasks.opposed import decide_opposed
from rules.tasks.rerolls import replace_faces
from rules.tasks.scoring import helper_goal, next_helper, outcome_of, score_die, settle_assistance, ship_goal
from rules.words import Phrase, say


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowAgainst(Command):
    """The reactive side has thrown first and keeps its dice; the active side throws against them now (C-42)."""

    undone: ClassVar[Phrase | None] = say("the active side's turn to throw")

    def decide(self, draft: Draft) -> None:
        """C-42: the reactive side's successes are the Difficulty that the active side throws against now.

        Where it throws already, as nothing was to be decided before, there is nothing to do: it makes no events.
        """
        task, active = draft.table.task, draft.table.opposed
        if task is not None and active is not None and active.reactive and active.outcome is not None and not task.dice:
            return
        if task is None or active is None or task.outcome is None or task.phase is not TaskPhase.AWAITING_OPPOSITION:
            raise Refusal("OPP-1", "No side has thrown first; declare an Opposed Task and what opposes it.")
        if draft.table.request is not None:
            raise Refusal("OPP-1", "The table waits for other dice; throw them or call that roll off first.")
        draft.record(SideTurned(number=active.number, who=active.who, difficulty=task.outcome.successes))
        await_next_throw(draft)


def await_next_throw(draft: Draft) -> None:
    """Ask for the next throw of the Task in hand, or settle its outcome when every die is there (ASST-1, ASST-3)."""
    task = require_task(draft.table)
    request = _next_request(draft.table, task)
    if request is None:
        reach_outcome(draft)
    else:
        draft.record(ThrowAwaited(request=request, next_number=request.number + 1))


def _next_request(table: Table, task: Task) -> ThrowRequest | None:
    number = table.next_number
    why = task.declaration.label
    kept = kept_faces(task)
    if task.rerolling:
        return ThrowRequest(
            number=number,
            role=ThrowRole.REROLL,
            kind=DieKind.D20,
            count=len(task.rerolling),
            who=task.dice[task.rerolling[0]].who,
            why=why,
            kept=kept,
        )
    if not task.dice:
        return ThrowRequest(
            number=number, role=ThrowRole.LEADER, kind=DieKind.D20, count=task.own_dice, who=task.who, why=why
        )
    helper = next_helper(task)
    if helper is not None:
        name = find_character(table, helper.character_id).name
        return ThrowRequest(
            number=number, role=ThrowRole.ASSIST, kind=DieKind.D20, count=1, who=name, why=why, kept=kept
        )
    ship = task.declaration.ship
    if ship is not None and all(die.role is not ThrowRole.SHIP for die in task.dice):
        name = find_ship(table, ship.ship_id).name
        return ThrowRequest(number=number, role=ThrowRole.SHIP, kind=DieKind.D20, count=1, who=name, why=why, kept=kept)
    return None


def kept_faces(task: Task) -> tuple[Face, ...]:
    """The faces of this Task's dice that may still lie on the table while others are thrown."""
    return tuple(
        one.die.face for position, one in enumerate(task.dice) if not one.die.fixed and position not in task.rerolling
    )


def count_task_dice(draft: Draft, thrown: tuple[ThrownDie, ...], reading_id: str, source: SourceKind) -> None:
    """Count a throw of the Task in hand; then the next throw is awaited, or the outcome stands."""
    task = require_task(draft.table)
    request = draft.table.request
    if request is None:
        raise Refusal("TASK-3", nothing_awaited(draft.table))
    if request.role is ThrowRole.REROLL:
        dice = _thrown_again(task, thrown)
    else:
        dice = (*task.dice, *_new_dice(draft.table, task, request, thrown))
    draft.record(
        TaskDiceThrown(
            request=request.number,
            role=request.role,
            who=request.who,
            reading_id=reading_id,
            source=source,
            thrown=thrown,
            dice=settle_assistance(dice),
        )
    )
    await_next_throw(draft)


def _new_dice(table: Table, task: Task, request: ThrowRequest, thrown: tuple[ThrownDie, ...]) -> tuple[TaskDie, ...]:
    if request.role is ThrowRole.SHIP and task.declaration.ship is not None:
        return tuple(_ship_die(table, task.declaration.ship, die) for die in thrown)
    helper = next_helper(task)
    if request.role is ThrowRole.ASSIST and helper is not None:
        return tuple(_helper_die(table, helper, die) for die in thrown)
    fixed = (_DETERMINATION_DIE,) if _has_determination_die(task) else ()
    return tuple(_leader_die(task, die) for die in (*fixed, *thrown))


_DETERMINATION_DIE = ThrownDie(kind=DieKind.D20, face=1, source=SourceKind.MANUAL, fixed=True)
"""The die that Determination buys: it shows 1 and is never thrown (BUY-4, DET-3)."""


def _has_determination_die(task: Task) -> bool:
    return any(one.payer is Payer.DETERMINATION for one in task.declaration.purchases)


def _leader_die(task: Task, die: ThrownDie) -> TaskDie:
    return score_die(
        die,
        role=ThrowRole.LEADER,
        who=task.who,
        target_number=task.target_number,
        double_at_most=task.double_at_most,
        complication_range=task.declaration.complication_range,
    )


def _helper_die(table: Table, helper: Assistance, die: ThrownDie) -> TaskDie:
    character = find_character(table, helper.character_id)
    target, double = helper_goal(character, helper)
    return score_die(die, role=ThrowRole.ASSIST, who=character.name, target_number=target, double_at_most=double)


def _ship_die(table: Table, aid: ShipAssistance, die: ThrownDie) -> TaskDie:
    ship = find_ship(table, aid.ship_id)
    target, double = ship_goal(ship, aid)
    return score_die(die, role=ThrowRole.SHIP, who=ship.name, target_number=target, double_at_most=double)


def scored_again(task: Task, one: TaskDie, die: ThrownDie) -> TaskDie:
    """The worth of `die` in the place of `one`, against the same Target Number."""
    return score_die(
        die,
        role=one.role,
        who=one.who,
        target_number=one.target_number,
        double_at_most=one.double_at_most,
        complication_range=task.declaration.complication_range,
    )


def _thrown_again(task: Task, thrown: tuple[ThrownDie, ...]) -> tuple[TaskDie, ...]:
    places = task.rerolling
    new = tuple(scored_again(task, task.dice[place], die) for place, die in zip(places, thrown, strict=True))
    return replace_faces(task.dice, places, new, "TASK-12")


def _automatic(table: Table, task: Task) -> int:
    """NPC-2: successes that an Extraordinary Attribute adds to the roll."""
    character = find_character(table, task.declaration.character_id)
    attribute, _ = task.declaration.skills
    return automatic_successes(character, attribute)


def reach_outcome(draft: Draft) -> None:
    """Decide the Task's outcome once every die is there, and who wins an Opposed Task (TASK-8, OPP-1)."""
    task = require_task(draft.table)
    outcome = outcome_of(task.dice, task.difficulty, automatic_successes=_automatic(draft.table, task))
    other = draft.table.opposed
    waits = other is None if task.declaration.opposed else other is not None and other.outcome is None
    draft.record(
        OutcomeReached(
            number=task.number,
            who=task.who,
            label=task.declaration.label,
            target_number=task.target_number,
            double_at_most=task.double_at_most,
            dice=settle_assistance(task.dice),
            outcome=outcome,
            momentum_left=0 if waits and task.reactive else outcome.momentum,
            complications_open=outcome.complications,
            price_complications=0,
            phase=TaskPhase.AWAITING_OPPOSITION if waits else TaskPhase.SPENDING,
        )
    )
    _decide_opposed(draft)


def _decide_opposed(draft: Draft) -> None:
    """OPP-1 to OPP-3, once both sides' outcomes are there."""
    task, other = draft.table.task, draft.table.opposed
    if task is None or other is None or task.outcome is None or other.outcome is None:
        return
    active, reactive = (other, task) if task.reactive else (task, other)
    if active.outcome is None or reactive.outcome is None:
        return
    result = decide_opposed(active.outcome, reactive.outcome, profile(draft.table))
    draft.record(
        OpposedDecided(
            winner=result.winner,
            active=active.who,
            reactive=reactive.who,
            active_momentum=result.momentum_of(OpposedWinner.ACTIVE),
            reactive_momentum=result.momentum_of(OpposedWinner.REACTIVE),
        )
    )
