"""Deciding dice of a Task that are thrown again, and dice that were misread (TASK-12, DET-3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final

from rules.deciding.checks import find_character, profile, require_task
from rules.deciding.decision import Command, Draft
from rules.dice import DieKind, Face, SourceKind
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.table import Table
from rules.state.tasks import Task
from rules.state.vocabulary import Benefit, RerollReason, TaskPhase, ThrowRole
from rules.tasks.challenge_rolls import correct_challenge_die
from rules.tasks.determination import inspired_positions, spend_on
from rules.tasks.entering import entered_face
from rules.tasks.events import RerollStarted, TaskDieCorrected, TaskReopened
from rules.tasks.rerolls import ACCURATE, chosen_positions, rerollable_dice
from rules.tasks.scoring import settle_assistance
from rules.tasks.settling import ended_by_itself, settled_early
from rules.tasks.task_dice import await_next_throw, reach_outcome, scored_again
from rules.words import Phrase, say


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectScoredDie(Command):
    """A person says that die `position` of the Task in hand was misread.

    `challenge` means a die of the open Challenge roll instead, as does having no Task with dice in hand.
    """

    position: int
    face: Face
    challenge: bool = False

    undone: ClassVar[Phrase | None] = say("the correction of a die")

    def decide(self, draft: Draft) -> None:
        """A counted die was misread: score it anew, while nothing irreversible was based on it."""
        ended = None if self.challenge else ended_by_itself(draft)
        if ended is not None:
            draft.record(TaskReopened(number=ended.number, who=ended.who))
        task = draft.table.task
        if self.challenge or task is None or not task.dice:
            correct_challenge_die(draft, self.position, self.face)
            return
        _require_correctable(task)
        _require_unsettled(draft.table, task)
        if not 0 <= self.position < len(task.dice):
            raise Refusal("TASK-3", "Choose one of the dice 1 to {count}.", count=len(task.dice))
        before = task.dice[self.position]
        if before.die.fixed:
            raise Refusal("DET-2", "The Determination die is fixed; it shows no face to correct.")
        kind, face = entered_face(DieKind.D20, self.face)
        die = replace(before.die, kind=kind, face=face, source=SourceKind.MANUAL, corrected=True, weak=False)
        after = scored_again(task, before, die)
        dice = settle_assistance((*task.dice[: self.position], after, *task.dice[self.position + 1 :]))
        draft.record(TaskDieCorrected(position=self.position, before=before.die.face, after=face, dice=dice))
        if task.outcome is not None:
            reach_outcome(draft)


@dataclass(frozen=True, slots=True, kw_only=True)
class RerollDice(Command):
    """Throw dice of the Task in hand again (`positions` from 0 in `Task.dice`); the others stay (TASK-12, DET-3).

    Inspiration costs 1 Determination and cites `value`.
    """

    positions: tuple[int, ...]
    reason: RerollReason
    value: str = ""

    undone: ClassVar[Phrase | None] = say("throwing dice again")

    def decide(self, draft: Draft) -> None:
        """Throw chosen dice of the Task again; the others stay, and the new faces stand even if worse (TASK-12)."""
        task = require_open_to_rerolls(draft.table)
        places = chosen_positions(len(task.dice), self.positions, "TASK-12")
        if any(task.dice[place].die.fixed for place in places):
            raise Refusal("DET-3", "The Determination die is fixed and is never thrown; choose others.")
        if self.reason is not RerollReason.INSPIRATION and self.reason not in task.declaration.rerolls:
            raise Refusal("TASK-12", "Nothing declared for this Task lets dice be thrown again so; use Determination.")
        _CHECKS[self.reason](draft, task, places, self)
        faces = tuple(task.dice[place].die.face for place in places)
        draft.record(RerollStarted(reason=self.reason, positions=places, faces=faces))
        await_next_throw(draft)


_MAY_REROLL: Final = frozenset({TaskPhase.SPENDING, TaskPhase.AWAITING_OPPOSITION})
"""The phases of a Task in which dice may be thrown again."""


_AIMS: Final = frozenset({RerollReason.AIM, RerollReason.ACCURATE_AIM})
"""The re-rolls that one Aim gives: only one of them is had (QUAL-1)."""


def own_positions(task: Task) -> tuple[int, ...]:
    """Where the leader's own thrown dice are among the Task's dice: neither fixed, nor a helper's or the ship's."""
    return tuple(place for place, one in enumerate(task.dice) if one.role is ThrowRole.LEADER and not one.die.fixed)


def require_open_to_rerolls(table: Table) -> Task:
    """The Task in hand, while its dice may still be thrown again. Refuses once something was based on them."""
    task = require_task(table)
    if table.request is not None:
        raise Refusal("TASK-12", "The table waits for dice; throw them first.")
    if task.phase not in _MAY_REROLL or not task.dice:
        raise Refusal("TASK-12", "Dice are thrown again only before the spending is finished; undo back to that.")
    _require_unsettled(table, task)
    at_cost = task.outcome is not None and task.outcome.at_cost
    if task.spends or task.followed or at_cost or settled_early(task):
        raise Refusal("TASK-10", "Something was decided on these dice already; undo it before throwing again.")
    return task


def _require_unsettled(table: Table, task: Task) -> None:
    """Refuse other dice once the other side of an Opposed Task has finished its spending on these (OPP-1, C-61)."""
    other = table.opposed
    if task.opposed_winner is not None and (other is None or other.phase is TaskPhase.COMPLICATIONS):
        raise Refusal("OPP-1", "The other side has settled what this came to; undo that before throwing again.")


def _require_own(task: Task, places: tuple[int, ...], rule: str) -> tuple[int, ...]:
    own = own_positions(task)
    if any(place not in own for place in places):
        raise Refusal(rule, "Only {who}'s own dice can be thrown again; leave helpers and ship out.", who=task.who)
    return own


def _inspiration(draft: Draft, task: Task, places: tuple[int, ...], command: RerollDice) -> None:
    own = _require_own(task, places, "DET-3")
    inspired_positions(len(own), tuple(own.index(place) for place in places), profile(draft.table))
    character = find_character(draft.table, task.declaration.character_id)
    spend_on(draft, character, Benefit.MOMENT_OF_INSPIRATION, command.value)


def _aim(_: Draft, task: Task, places: tuple[int, ...], command: RerollDice) -> None:
    _require_own(task, places, "TASK-12")
    if _AIMS & set(task.rerolled):
        raise Refusal("TASK-12", "Aim was used on this Task already; go on with these dice.")
    qualities = (ACCURATE,) if command.reason is RerollReason.ACCURATE_AIM else ()
    most = rerollable_dice(aim=True, qualities=qualities)
    if most is not None and len(places) > most:
        raise Refusal("TASK-12", "Aim throws {most} d20 again; choose one.", most=most)


def _ship_system(draft: Draft, task: Task, places: tuple[int, ...], _: RerollDice) -> None:
    if not profile(draft.table).ship_rerolls:
        raise Refusal("TASK-12", "Only the second edition's ship actions throw a d20 again; use Aim or Determination.")
    if RerollReason.SHIP_SYSTEM in task.rerolled:
        raise Refusal("TASK-12", "The ship's re-roll was used on this Task already; go on with these dice.")
    if len(places) > 1:
        raise Refusal("TASK-12", "The ship's help throws 1 d20 again; choose one.")


_CHECKS: Final[dict[RerollReason, Callable[[Draft, Task, tuple[int, ...], RerollDice], None]]] = {
    RerollReason.INSPIRATION: _inspiration,
    RerollReason.AIM: _aim,
    RerollReason.ACCURATE_AIM: _aim,
    RerollReason.SHIP_SYSTEM: _ship_system,
}
"""What refuses a re-roll, by its reason."""


def _require_correctable(task: Task) -> None:
    if task.rerolling:
        raise Refusal("TASK-12", "Dice are being thrown again; finish that throw first.")
    at_cost = task.outcome is not None and task.outcome.at_cost
    settled = task.phase is TaskPhase.COMPLICATIONS or settled_early(task)
    if settled or task.spends or task.followed or at_cost:
        raise Refusal("TASK-10", "Something was decided on this die already; undo that, then correct it.")
