"""Decides how dice that were read or entered count: for a throw, held for a person, or as a free roll."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final

from rules.deciding.agenda import count_step_dice
from rules.deciding.checks import nothing_awaited
from rules.deciding.decision import Command, Draft
from rules.dice import DieReading, DieState, Face, Reading, SourceKind
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.table import Table
from rules.state.tasks import FreeRoll, HeldThrow, ThrowRequest
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import ThrowRole
from rules.tasks.challenge_rolls import count_challenge_dice
from rules.tasks.entering import entered_face
from rules.tasks.review import (
    Review,
    asked_again,
    compared,
    on_the_table,
    review,
    shows_again,
    shows_counted,
    shows_only_kept,
)
from rules.tasks.task_dice import count_task_dice
from rules.tasks.throws import FreeRollMade, ThrowDismissed, ThrowHeld
from rules.words import Phrase, dice_words, say


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportReading(Command):
    """A source saw a throw. Reviewed against what is awaited; undeclared dice become a free roll."""

    reading: Reading

    undone: ClassVar[Phrase | None] = say("the dice that were read")

    def decide(self, draft: Draft) -> None:
        """Take in what a source saw.

        * No change for a reading seen before, one without dice (the tray was cleared), and one of only the dice that
          stay while others are in a hand.
        * No change for the throw just counted if another source shows it, too, or if its dice were moved or found lying
          there, with nothing or a helper's die awaited. With other dice awaited, such a throw counts only once a person
          says that it was thrown anew.
        * With nothing awaited, other dice become a free roll.
        * While a throw is held, newer dice take its place; if another source read other faces, a person decides.
        """
        reading = self.reading
        dice = on_the_table(reading.dice)
        if not dice or reading.reading_id in draft.table.seen_readings:
            return
        request = draft.table.request
        moved = (reading.lay_before or reading.found) and shows_counted(draft.table, dice)
        again = moved or shows_again(draft.table, reading.source, dice)
        if again and (request is None or request.role in _HELP):
            return
        if request is not None:
            if len(dice) != request.count and shows_only_kept(request, dice):
                return
            if again:
                _ask_again(draft, request, reading, dice)
                return
            _consider(draft, reading.reading_id, reading.source, dice, against=draft.table.held)
            return
        number = draft.table.next_number
        roll = FreeRoll(
            number=number, reading_id=reading.reading_id, source=reading.source, dice=dice, found=reading.found
        )
        draft.record(FreeRollMade(roll=roll, next_number=number + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterDice(Command):
    """A person typed in what lies on the table for request number `request`. Entered dice are marked as such."""

    request: int
    faces: tuple[Face, ...]

    undone: ClassVar[Phrase | None] = say("the dice that were entered")

    def decide(self, draft: Draft) -> None:
        """Count what a person typed in for the throw that is awaited (TASK-3). Each die is marked as entered."""
        request = _require_request(draft.table)
        if self.request != request.number:
            raise Refusal("TASK-3", "That throw is no longer awaited; look at what the table waits for now.")
        if len(self.faces) != request.count:
            expected = dice_words(request.count, request.kind)
            raise Refusal(
                "TASK-3",
                "{expected} expected, {entered} entered; enter exactly those thrown.",
                expected=expected,
                entered=len(self.faces),
            )
        dice = tuple(_entered(request, face) for face in self.faces)
        _consider(draft, f"entered-{request.number}", SourceKind.MANUAL, dice)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectDie(Command):
    """A person says what one die of the held throw shows (`position` from 0); the other dice stay as read."""

    position: int
    face: Face

    undone: ClassVar[Phrase | None] = say("the correction of a die")

    def decide(self, draft: Draft) -> None:
        """Take a person's word for one die of the held throw; the throw counts once no question is left."""
        request = _require_request(draft.table)
        held = _require_held(draft.table)
        die = _at(held, self.position)
        corrected = replace(_entered(request, self.face), box=die.box, die_id=die.die_id, picture=die.picture)
        dice = (*held.dice[: self.position], corrected, *held.dice[self.position + 1 :])
        _consider(draft, held.reading_id, held.source, dice)


@dataclass(frozen=True, slots=True, kw_only=True)
class DropDie(Command):
    """A person says that one thing in the held throw is not a die of this throw."""

    position: int

    undone: ClassVar[Phrase | None] = say("leaving out a die")

    def decide(self, draft: Draft) -> None:
        """Leave one thing of the held throw out, as it is no die of this throw."""
        _require_request(draft.table)
        held = _require_held(draft.table)
        _at(held, self.position)
        dice = (*held.dice[: self.position], *held.dice[self.position + 1 :])
        if not dice:
            raise Refusal("TASK-3", "That was the last die of this throw; set the whole throw aside instead.")
        _consider(draft, held.reading_id, held.source, dice)


@dataclass(frozen=True, slots=True, kw_only=True)
class DismissThrow(Command):
    """Set the held throw aside; the table waits for another."""

    undone: ClassVar[Phrase | None] = say("setting the throw aside")

    def decide(self, draft: Draft) -> None:
        """Set the held throw aside; the table waits on."""
        draft.record(ThrowDismissed(reading_id=_require_held(draft.table).reading_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachFreeRoll(Command):
    """Count a free roll as the throw that is awaited now; it is reviewed like any other."""

    number: int

    undone: ClassVar[Phrase | None] = say("counting the free roll")

    def decide(self, draft: Draft) -> None:
        """Count a free roll as the throw awaited now, after the same review as any other. Each counts once."""
        _require_request(draft.table)
        for roll in draft.table.free_rolls:
            if roll.number == self.number:
                if roll.attached:
                    raise Refusal("TASK-3", "Those dice have been counted already; throw again.")
                _consider(draft, roll.reading_id, roll.source, roll.dice)
                return
        raise Refusal("TASK-3", "That free roll is gone; throw again or enter the dice.")


_COUNTING: Final[dict[ThrowRole, Callable[[Draft, tuple[ThrownDie, ...], str, SourceKind], None]]] = {
    ThrowRole.LEADER: count_task_dice,
    ThrowRole.ASSIST: count_task_dice,
    ThrowRole.SHIP: count_task_dice,
    ThrowRole.REROLL: count_task_dice,
    ThrowRole.STEP: count_step_dice,
    ThrowRole.CHALLENGE: count_challenge_dice,
    ThrowRole.CHALLENGE_REROLL: count_challenge_dice,
}
"""What counts the dice of a throw, by what they were thrown for."""


_HELP: Final = frozenset({ThrowRole.ASSIST, ThrowRole.SHIP})
"""The throws of those who help with a Task."""


def _ask_again(draft: Draft, request: ThrowRequest, reading: Reading, dice: tuple[DieReading, ...]) -> None:
    verdict = asked_again(draft.table, request, dice)
    if verdict is not None:
        _hold(draft, request, reading.reading_id, reading.source, dice, verdict)


def _consider(
    draft: Draft,
    reading_id: str,
    source: SourceKind,
    dice: tuple[DieReading, ...],
    *,
    against: HeldThrow | None = None,
) -> None:
    request = _require_request(draft.table)
    verdict = review(request, dice)
    if against is not None and verdict.accepted:
        verdict = compared(verdict, source, against)
    if verdict.questions:
        _hold(draft, request, reading_id, source, dice, verdict)
        return
    thrown = tuple(_thrown(die, source) for die in verdict.accepted)
    _COUNTING[request.role](draft, thrown, reading_id, source)


def _hold(  # noqa: PLR0917 - what a held throw is made of
    draft: Draft,
    request: ThrowRequest,
    reading_id: str,
    source: SourceKind,
    dice: tuple[DieReading, ...],
    verdict: Review,
) -> None:
    held = HeldThrow(
        request=request.number, reading_id=reading_id, source=source, dice=dice, questions=verdict.questions
    )
    draft.record(ThrowHeld(held=held))


def _thrown(die: DieReading, source: SourceKind) -> ThrownDie:
    if die.face is None:  # the review accepts only dice that are read, and those have a face
        raise Refusal("TASK-3", "A die of this throw shows nothing that was read; enter it.")
    return ThrownDie(
        kind=die.kind,
        face=die.face,
        source=die.source,
        picture=die.picture,
        corrected=die.source is SourceKind.MANUAL and source is not SourceKind.MANUAL,
        weak=die.weak,
    )


def _entered(request: ThrowRequest, face: Face) -> DieReading:
    kind, shown = entered_face(request.kind, face)
    return DieReading(kind=kind, face=shown, confidence=1.0, state=DieState.READ, source=SourceKind.MANUAL)


def _require_request(table: Table) -> ThrowRequest:
    if table.request is None:
        raise Refusal("TASK-3", nothing_awaited(table))
    return table.request


def _require_held(table: Table) -> HeldThrow:
    if table.held is None:
        raise Refusal("TASK-3", "No throw is held; there is nothing to look at.")
    return table.held


def _at(held: HeldThrow, position: int) -> DieReading:
    if not 0 <= position < len(held.dice):
        raise Refusal("TASK-3", "The held throw has dice 1 to {count}; choose one of them.", count=len(held.dice))
    return held.dice[position]
