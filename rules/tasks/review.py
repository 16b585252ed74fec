"""Which dice of a throw need a person before they count, and why (TASK-3: count and kind are checked first).

Nothing here guesses: a throw is accepted whole, or the questions name exactly the dice to look at.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from rules.dice import DieKind, DieReading, DieState, Face, SourceKind, as_challenge_face
from rules.state.table import Table
from rules.state.tasks import HeldThrow, Question, ThrowRequest
from rules.state.vocabulary import QuestionReason

_STATE_REASONS: Final[dict[DieState, QuestionReason]] = {
    DieState.DOUBTFUL: QuestionReason.DOUBTFUL,
    DieState.COCKED: QuestionReason.COCKED,
    DieState.MOVING: QuestionReason.MOVING,
}
"""Why a person is asked about a die in that state."""


_KINDS_AWAITED: Final[dict[DieKind, frozenset[DieKind]]] = {
    DieKind.D20: frozenset({DieKind.D20}),
    DieKind.CHALLENGE: frozenset({DieKind.CHALLENGE, DieKind.D6}),
    DieKind.D6: frozenset({DieKind.CHALLENGE, DieKind.D6}),
}
"""The kinds of dice that count where that kind is awaited: a plain d6 may stand in for a Challenge Die."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """Either the dice that count, in the order read, or the questions that a person must answer first."""

    accepted: tuple[DieReading, ...] = ()
    questions: tuple[Question, ...] = ()


def on_the_table(dice: tuple[DieReading, ...]) -> tuple[DieReading, ...]:
    """The dice of a reading that lie there: one that is in a hand belongs to no throw yet."""
    return tuple(die for die in dice if die.state is not DieState.IN_HAND)


def review(request: ThrowRequest, dice: tuple[DieReading, ...]) -> Review:
    """Hold `dice` against what is awaited: accept exactly the awaited dice, or say what a person must look at.

    A d6 stands in for a Challenge Die where those are awaited (CD-1). With `request.kept`, the kept dice may lie
    beside the new ones; they are told apart by their faces and never count again. As many dice as awaited that show
    just the kept faces may be either, so a person is asked.
    """
    awaited = _KINDS_AWAITED[request.kind]
    questions = [
        Question(reason=_reason_of(die, awaited), position=position)
        for position, die in enumerate(dice)
        if die.kind not in awaited or die.state is not DieState.READ
    ]
    fitting = tuple(die for die in dice if die.kind in awaited)
    expected = request.count
    if request.kept and len(fitting) == expected + len(request.kept):
        expected = len(fitting)
    if len(fitting) != expected:
        questions.append(Question(reason=QuestionReason.WRONG_COUNT, expected=request.count, seen=len(fitting)))
    if questions:
        return Review(questions=tuple(questions))
    if expected != request.count:
        return _without_kept(request, fitting)
    if shows_only_kept(request, fitting):
        question = Question(reason=QuestionReason.ONLY_KEPT_DICE, expected=request.count, seen=len(fitting))
        return Review(questions=(question,))
    return Review(accepted=fitting)


def shows_only_kept(request: ThrowRequest, dice: tuple[DieReading, ...]) -> bool:
    """Whether `dice` show just the faces that stay: then the new ones may still be in a hand.

    A die that a person spoke for is never taken for one that stays.
    """
    if not request.kept or any(die.state is not DieState.READ or die.source is SourceKind.MANUAL for die in dice):
        return False
    if any(die.kind not in _KINDS_AWAITED[request.kind] for die in dice):
        return False
    return Counter(_same_face(die.kind, die.face) for die in dice) == Counter[Face | None](request.kept)


def shows_again(table: Table, source: SourceKind, dice: tuple[DieReading, ...]) -> bool:
    """Whether `dice` are the throw just taken in, seen by another source than the one that read it.

    A camera over a tray sees what the tray has told already; the same dice must not become a throw of their own, alone
    or beside the others of their roll. What was entered by hand is never taken for what a source sees.
    """
    last = table.last_throw
    if last is None or last.source is source or SourceKind.MANUAL in {last.source, source}:
        return False
    return shows_counted(table, dice)


def shows_counted(table: Table, dice: tuple[DieReading, ...]) -> bool:
    """Whether `dice` show what was taken in most recently, alone or beside the others of their roll."""
    last = table.last_throw
    if last is None or any(die.state is not DieState.READ for die in dice):
        return False
    seen = Counter(_shown(die.kind, die.face) for die in dice)
    if seen == Counter(map(_shown, last.kinds, last.faces)):
        return True
    task = table.task or table.last_task
    rolls = [
        [one.die for one in task.dice] if task is not None else [],
        table.challenge.dice if table.challenge else (),
    ]
    return any(seen == Counter(_shown(die.kind, die.face) for die in roll if not die.fixed) for roll in rolls)


def compared(verdict: Review, source: SourceKind, held: HeldThrow) -> Review:
    """`verdict`, unless another source holds a throw in which it surely read a face that is not among these.

    A throw held because it may be an old one says nothing against a new one.
    """
    if held.source in {source, SourceKind.MANUAL}:
        return verdict
    if any(one.reason is QuestionReason.COUNTED_BEFORE for one in held.questions):
        return verdict
    sure = [die for die in held.dice if die.state is DieState.READ and die.source is held.source]
    missing = Counter(_same_face(die.kind, die.face) for die in sure)
    missing.subtract(_same_face(die.kind, die.face) for die in verdict.accepted)
    if not sure or max(missing.values()) <= 0:
        return verdict
    return Review(questions=(Question(reason=QuestionReason.SOURCES_DISAGREE),))


def asked_again(table: Table, request: ThrowRequest, dice: tuple[DieReading, ...]) -> Review | None:
    """What becomes of dice that may be old ones still lying there: a person is asked, or None, they are left out.

    They are left out where nobody would count them: as many as the old throw had, and not as many as are awaited now;
    or while another throw is held.
    """
    if table.held is not None or not review(request, dice).accepted:
        return None
    return Review(questions=(Question(reason=QuestionReason.COUNTED_BEFORE),))


def _reason_of(die: DieReading, awaited: frozenset[DieKind]) -> QuestionReason:
    if die.kind not in awaited:
        return QuestionReason.WRONG_KIND
    return _STATE_REASONS.get(die.state, QuestionReason.DOUBTFUL)


def _same_face(kind: DieKind, face: Face | None) -> Face | None:
    if face is None or kind is DieKind.D20:
        return face
    return as_challenge_face(kind, face)


def _shown(kind: DieKind, face: Face | None) -> tuple[bool, Face | None]:
    return kind is DieKind.D20, _same_face(kind, face)


def _without_kept(request: ThrowRequest, dice: tuple[DieReading, ...]) -> Review:
    kept: Counter[Face | None] = Counter(request.kept)
    new: list[DieReading] = []
    for die in dice:
        face = _same_face(die.kind, die.face)
        if kept[face] > 0:
            kept[face] -= 1
        else:
            new.append(die)
    if len(new) != request.count:
        return Review(
            questions=(
                Question(reason=QuestionReason.KEPT_DICE_DIFFER, expected=len(request.kept), seen=len(dice) - len(new)),
            )
        )
    return Review(accepted=tuple(new))
