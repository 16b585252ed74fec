"""The questions of a held throw as sentences that say what is wrong and what a person can do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rules.dice import DieReading, SourceKind
from rules.state import HeldThrow, Question, ThrowRequest
from rules.vocabulary import QuestionReason
from rules.wording import KIND_WORDS, dice_words, faces_words, joined

_PLACES: Final[dict[SourceKind, str]] = {
    SourceKind.TRAY: "on the tray",
    SourceKind.CAMERA: "on the tray",
    SourceKind.MANUAL: "entered",
}


def question_sentence(question: Question, held: HeldThrow, request: ThrowRequest) -> str:
    """One question in plain words, such as "3 d20s on the tray, 2 expected." Dice are counted from 1."""
    return _SENTENCES[question.reason](question, held, request)


def questions_sentence(held: HeldThrow, request: ThrowRequest) -> str:
    """Every question of a held throw, one sentence after the other."""
    return " ".join(question_sentence(one, held, request) for one in held.questions)


def _wrong_count(question: Question, held: HeldThrow, request: ThrowRequest) -> str:
    expected, seen = question.expected or 0, question.seen or 0
    place = _PLACES[held.source]
    if request.kept:
        kept = f"{expected} expected, or {expected + len(request.kept)} with those that stay"
    else:
        kept = f"{expected} expected"
    seen_words = dice_words(seen, request.kind) if seen else f"No {KIND_WORDS[request.kind][0]}"
    todo = (
        "Leave out what does not count, or throw again." if seen > expected else "Find what is missing, or throw again."
    )
    return f"{seen_words} {place}, {kept}. {todo}"


def _wrong_kind(question: Question, held: HeldThrow, request: ThrowRequest) -> str:
    die, name = _die(question, held)
    one, several = KIND_WORDS[request.kind]
    seen = f"looks like a {KIND_WORDS[die.kind][0]}" if die is not None else "is of another kind"
    return f"{name} {seen}; {one if request.count == 1 else several} expected. Leave it out, or say what it shows."


def _doubtful(question: Question, held: HeldThrow, _: ThrowRequest) -> str:
    die, name = _die(question, held)
    if die is not None and die.guesses:
        guesses = joined([str(guess.face) for guess in die.guesses]).replace(" and ", " or ")
        return f"{name} may show {guesses}. What does it show?"
    return f"{name} cannot be read with certainty. What does it show?"


def _cocked(question: Question, held: HeldThrow, _: ThrowRequest) -> str:
    return f"{_die(question, held)[1]} is cocked. Throw it again, or say what it shows."


def _moving(question: Question, held: HeldThrow, _: ThrowRequest) -> str:
    return f"{_die(question, held)[1]} still moves. Wait for it to rest, or say what it shows."


def _kept_dice_differ(_: Question, __: HeldThrow, request: ThrowRequest) -> str:
    stay = faces_words(request.kept)
    return f"The dice that stay showed {stay}, and not all of them are there. Show only the new ones, or correct a die."


def _only_kept_dice(_: Question, __: HeldThrow, request: ThrowRequest) -> str:
    new = "the new die was" if request.count == 1 else "the new dice were"
    shown = faces_words(request.kept)
    return f"These look like the dice that stay, {shown}. Say what a die shows if {new} thrown, or throw now."


def _sources_disagree(_: Question, __: HeldThrow, ___: ThrowRequest) -> str:
    return "Camera and tray see different dice. If those shown here lie there, count them, else say what they show."


def _counted_before(_: Question, held: HeldThrow, __: ThrowRequest) -> str:
    shown = faces_words([die.face for die in held.dice if die.face is not None])
    return f"These look like the dice that counted before, {shown}. Count them if they were thrown again, or throw now."


def _die(question: Question, held: HeldThrow) -> tuple[DieReading | None, str]:
    if question.position is None or question.position >= len(held.dice):
        return None, "A die"
    return held.dice[question.position], f"Die {question.position + 1}"


_SENTENCES: Final[dict[QuestionReason, Callable[[Question, HeldThrow, ThrowRequest], str]]] = {
    QuestionReason.WRONG_COUNT: _wrong_count,
    QuestionReason.WRONG_KIND: _wrong_kind,
    QuestionReason.DOUBTFUL: _doubtful,
    QuestionReason.COCKED: _cocked,
    QuestionReason.MOVING: _moving,
    QuestionReason.KEPT_DICE_DIFFER: _kept_dice_differ,
    QuestionReason.ONLY_KEPT_DICE: _only_kept_dice,
    QuestionReason.SOURCES_DISAGREE: _sources_disagree,
    QuestionReason.COUNTED_BEFORE: _counted_before,
}
