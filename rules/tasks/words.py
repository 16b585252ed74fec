"""Words of Tasks: the worth of dice, the outcome of a Task, and the questions of a held throw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rules.dice import DieReading, Doubt, SourceKind
from rules.state.tasks import HeldThrow, Question, TaskDie, TaskOutcome, ThrowRequest
from rules.state.vocabulary import QuestionReason
from rules.words import (
    KIND_WORDS,
    Fill,
    Phrase,
    dice_words,
    either,
    face_word,
    faces_words,
    joined_by,
    listed,
    say,
    say_count,
    sentences,
)


def outcome_word(outcome: TaskOutcome) -> Phrase:
    """Success, success at cost, or failure."""
    if outcome.at_cost:
        return say("Success at cost")
    return say("Success") if outcome.success else say("Failure")


def worth_words(one: TaskDie) -> Phrase:
    """One die of a Task and what it is worth: "14 misses", "3 counts twice"."""
    die: Fill = say("the Determination die") if one.die.fixed else face_word(one.die.face)
    if not one.counted and one.successes:
        if one.complication:
            return say("{die} is lost without a success of the leader and brings a Complication", die=die)
        return say("{die} is lost without a success of the leader", die=die)
    if one.complication:
        return _worth_with_complication(die, one.successes)
    if not one.successes:
        return say("{die} misses", die=die)
    return say("{die} counts once", die=die) if one.successes == 1 else say("{die} counts twice", die=die)


def _worth_with_complication(die: Fill, successes: int) -> Phrase:
    if not successes:
        return say("{die} misses and brings a Complication", die=die)
    if successes == 1:
        return say("{die} counts once and brings a Complication", die=die)
    return say("{die} counts twice and brings a Complication", die=die)


def worths_words(dice: Sequence[TaskDie]) -> Phrase:
    """Dice of a Task one after the other; what one die does and the next one's face are kept apart."""
    words = [worth_words(one) for one in dice]
    return joined_by("; ", words) if any(" and " in one for one in words) else listed(words)


_TELLABLE: Final = 8
"""The most questions of a throw that are all told; of more, a few are told and the others are counted."""


_TOLD_OF_MANY: Final = 3
"""Questions told if there are more than `_TELLABLE`."""


def question_sentence(question: Question, held: HeldThrow, request: ThrowRequest) -> Phrase:
    """One question in plain words, such as "3 d20s under the camera, 2 expected." Dice are counted from 1."""
    return _SENTENCES[question.reason](question, held, request)


def question_sentences(held: HeldThrow, request: ThrowRequest) -> tuple[Phrase, ...]:
    """The questions of a held throw; of very many those of the whole throw, a few, and how many more there are.

    A printed mat can look like dozens of dice: nobody listens to a sentence on each of them.
    """
    if len(held.questions) <= _TELLABLE:
        return tuple(question_sentence(one, held, request) for one in held.questions)
    ordered = sorted(held.questions, key=lambda one: one.position is not None)
    told = tuple(question_sentence(one, held, request) for one in ordered[:_TOLD_OF_MANY])
    left = len(ordered) - _TOLD_OF_MANY
    return *told, say_count(left, "And 1 more to look at.", "And {number} more to look at.")


def questions_sentence(held: HeldThrow, request: ThrowRequest) -> Phrase:
    """The questions of a held throw, one sentence after the other; of very many a few."""
    return sentences(*question_sentences(held, request))


def _wrong_count(question: Question, held: HeldThrow, request: ThrowRequest) -> Phrase:
    expected, seen = question.expected or 0, question.seen or 0
    kind = KIND_WORDS[request.kind][0]
    dice = dice_words(seen, request.kind) if seen else say("No {kind}", kind=kind)
    wanted = say("{expected} expected", expected=expected)
    if request.kept:
        with_kept = expected + len(request.kept)
        wanted = say("{expected} expected, or {with_kept} with those that stay", expected=expected, with_kept=with_kept)
    found = _found(held.source, dice, wanted)
    if seen > expected:
        return sentences(found, say("Leave out what does not count, or throw again."))
    if held.source is SourceKind.PHONE:
        return sentences(found, say("Take a picture of all of them, or throw again."))
    return sentences(found, say("Find what is missing, or throw again."))


def _found(source: SourceKind, dice: Phrase, wanted: Phrase) -> Phrase:
    """How many dice there are and are wanted, and what saw them; Bluetooth dice lie anywhere."""
    if source is SourceKind.MANUAL:
        return say("{dice} entered, {wanted}.", dice=dice, wanted=wanted)
    if source is SourceKind.PHONE:
        return say("{dice} in the photograph, {wanted}.", dice=dice, wanted=wanted)
    if source is SourceKind.BLUETOOTH:
        return say("{dice} thrown, {wanted}.", dice=dice, wanted=wanted)
    if source is SourceKind.CAMERA:
        return say("{dice} under the camera, {wanted}.", dice=dice, wanted=wanted)
    return say("{dice} on the tray, {wanted}.", dice=dice, wanted=wanted)


def _wrong_kind(question: Question, held: HeldThrow, request: ThrowRequest) -> Phrase:
    die, name = _die(question, held)
    wanted = KIND_WORDS[request.kind][0 if request.count == 1 else 1]
    if die is None:
        return say("{die} is of another kind; {wanted} expected. Leave it out, or say what it shows.",
                   die=name, wanted=wanted)  # fmt: skip
    return say("{die} looks like a {kind}; {wanted} expected. Leave it out, or say what it shows.",
               die=name, kind=KIND_WORDS[die.kind][0], wanted=wanted)  # fmt: skip


def _doubtful(question: Question, held: HeldThrow, _: ThrowRequest) -> Phrase:
    die, name = _die(question, held)
    if die is not None and die.guesses:
        guesses = either([face_word(guess.face) for guess in die.guesses])
        return say("{die} may show {guesses}. What does it show?", die=name, guesses=guesses)
    if die is not None and die.doubt is Doubt.UNTAUGHT:
        return say("{die} is not known to the tray: nobody has taught its tag. What does it show?", die=name)
    return say("{die} cannot be read with certainty. What does it show?", die=name)


def _cocked(question: Question, held: HeldThrow, _: ThrowRequest) -> Phrase:
    die, name = _die(question, held)
    if die is not None and die.doubt is Doubt.CROWDED:
        return say("{die} is cocked, or two dice share its place. Throw it again, or say what it shows.", die=name)
    return say("{die} is cocked. Throw it again, or say what it shows.", die=name)


def _moving(question: Question, held: HeldThrow, _: ThrowRequest) -> Phrase:
    return say("{die} still moves. Wait for it to rest, or say what it shows.", die=_die(question, held)[1])


def _kept_dice_differ(_: Question, __: HeldThrow, request: ThrowRequest) -> Phrase:
    return say(
        "The dice that stay showed {stay}, and not all of them are there. Show only the new ones, or correct a die.",
        stay=faces_words(request.kept),
    )


def _only_kept_dice(_: Question, __: HeldThrow, request: ThrowRequest) -> Phrase:
    return say_count(
        request.count,
        "These look like the dice that stay, {shown}. Say what a die shows if the new die was thrown, or throw now.",
        "These look like the dice that stay, {shown}. Say what a die shows if the new dice were thrown, or throw now.",
        shown=faces_words(request.kept),
    )


def _sources_disagree(_: Question, held: HeldThrow, __: ThrowRequest) -> Phrase:
    if held.source is SourceKind.PHONE:
        return say("The photograph shows other dice. If those in it lie there, count them, else say what they show.")
    return say("Two sources see different dice. If those shown here lie there, count them, else say what they show.")


def _counted_before(_: Question, held: HeldThrow, __: ThrowRequest) -> Phrase:
    shown = faces_words([die.face for die in held.dice if die.face is not None])
    return say(
        "These look like the dice that counted before, {shown}. Count them if they were thrown again, or throw now.",
        shown=shown,
    )


def _die(question: Question, held: HeldThrow) -> tuple[DieReading | None, Phrase]:
    if question.position is None or question.position >= len(held.dice):
        return None, say("A die")
    return held.dice[question.position], say("Die {position}", position=question.position + 1)


_SENTENCES: Final[dict[QuestionReason, Callable[[Question, HeldThrow, ThrowRequest], Phrase]]] = {
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
"""What is asked about a throw that was held, by the reason."""
