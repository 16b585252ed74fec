"""Words for dice, counts and names as a voice can say them: no symbol, and "minus" where a number falls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, LiteralString, TypeAlias

from rules.dice import DieKind, Face, as_challenge_face
from rules.phrases import Fill, Phrase, altered, joined_by, known, listed, say, say_count, signless
from rules.state import TaskDie, TaskOutcome
from rules.vocabulary import System

__all__ = [
    "COUNTED",
    "KIND_WORDS",
    "challenge_words",
    "counted",
    "dice_words",
    "face_word",
    "faces_words",
    "grammatical",
    "joined",
    "listed",
    "outcome_word",
    "signless",
    "spoken",
    "worth_words",
    "worths_words",
]

Count: TypeAlias = tuple[LiteralString, LiteralString]
"""The template for one and that for several, as `say_count` takes them."""


def _plural(one: LiteralString, several: LiteralString) -> Count:
    """Marks templates for those who translate."""
    return one, several


COUNTED: Final[dict[str, Count]] = {
    "Breach": _plural("{number} Breach", "{number} Breaches"),
    "Breakthrough": _plural("{number} Breakthrough", "{number} Breakthroughs"),
    "Challenge Die": _plural("{number} Challenge Die", "{number} Challenge Dice"),
    "Complication": _plural("{number} Complication", "{number} Complications"),
    "Effect": _plural("{number} Effect", "{number} Effects"),
    "Injury": _plural("{number} Injury", "{number} Injuries"),
    "Momentum": _plural("{number} Momentum", "{number} Momentum"),
    "Threat": _plural("{number} Threat", "{number} Threat"),
    "blank die": _plural("{number} blank die", "{number} blank dice"),
    "bonus die": _plural("{number} bonus die", "{number} bonus dice"),
    "d20": _plural("{number} d20", "{number} d20s"),
    "d6": _plural("{number} d6", "{number} d6s"),
    "die": _plural("{number} die", "{number} dice"),
    "helper": _plural("{number} helper", "{number} helpers"),
    "hour": _plural("{number} hour", "{number} hours"),
    "option": _plural("{number} option", "{number} options"),
    "player": _plural("{number} player", "{number} players"),
    "Scale's Breaches": _plural("{number} Scale's Breaches", "{number} Scales' Breaches"),
    "shaken result": _plural("{number} shaken result", "{number} shaken results"),
    "ship weapon": _plural("{number} ship weapon", "{number} ship weapons"),
    "spend": _plural("{number} spend", "{number} spends"),
    "station action": _plural("{number} station action", "{number} station actions"),
    "success": _plural("{number} success", "{number} successes"),
    "turn": _plural("{number} turn", "{number} turns"),
    "weapon": _plural("{number} weapon", "{number} weapons"),
    "zone": _plural("{number} zone", "{number} zones"),
}
"""Everything that is counted on its own, by its name for one."""

KIND_WORDS: Final[dict[DieKind, tuple[Phrase, Phrase]]] = {
    DieKind.D20: (say("d20"), say("d20s")),
    DieKind.CHALLENGE: (say("Challenge Die"), say("Challenge Dice")),
    DieKind.D6: (say("d6"), say("d6s")),
}
"""One die and several of each kind."""

_IN_A_NAME: Final = frozenset("'\u2019.,?!")


def counted(number: int, noun: str) -> Phrase:
    """A number with a noun of `COUNTED`: "1 success", "2 successes"."""
    return say_count(number, *COUNTED[noun])


def dice_words(count: int, kind: DieKind) -> Phrase:
    """A number of dice that names their kind: "1 d20", "3 Challenge Dice"."""
    return counted(count, str(KIND_WORDS[kind][0]))


def spoken(text: str) -> str:
    """Somebody's own words without what a voice would spell out; a `Phrase` stays one."""
    return altered(text, _sayable) if isinstance(text, Phrase) else _sayable(text)


def _sayable(text: str) -> str:
    kept = "".join(one if one.isalnum() or one in _IN_A_NAME else " " for one in text)
    return " ".join(kept.split())


def joined(parts: Iterable[Fill]) -> Phrase:
    """A list as it is said: "1, 2 and 3"."""
    return listed(parts)


def faces_words(faces: Sequence[Face]) -> Phrase:
    """What dice show, one after the other: "4, blank and effect"."""
    return joined([face_word(face) for face in faces])


def face_word(face: Face) -> Fill:
    """What one die shows: a number, blank or effect."""
    return face if isinstance(face, int) else known(str(face))


def challenge_words(faces: Sequence[Face]) -> Phrase:
    """What Challenge Dice show, also those thrown with a d6: "2, blank and effect" (CD-1)."""
    return faces_words([as_challenge_face(DieKind.D6, face) if isinstance(face, int) else face for face in faces])


def grammatical(system: System) -> int:
    """The number in which a system's name stands: one for "the structure is", several for "the engines are"."""
    return 1 if system is System.STRUCTURE else 2


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
    return joined_by("; ", words) if any(" and " in one for one in words) else joined(words)
