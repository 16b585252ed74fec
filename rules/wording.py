"""Words for dice, counts and names as a voice can say them: no symbol, and "minus" where a number falls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.dice import DieKind, Face, as_challenge_face
from rules.state import TaskDie, TaskOutcome
from rules.vocabulary import System

KIND_WORDS: Final[dict[DieKind, tuple[str, str]]] = {
    DieKind.D20: ("d20", "d20s"),
    DieKind.CHALLENGE: ("Challenge Die", "Challenge Dice"),
    DieKind.D6: ("d6", "d6s"),
}
"""One die and several of each kind."""

_IN_A_NAME: Final = frozenset("'\u2019.,?!")

_WORTH_WORDS: Final = ("misses", "counts once", "counts twice")


def counted(number: int, one: str, several: str = "") -> str:
    """A number with its noun: "1 success", "2 successes"."""
    return f"{signless(number)} {one if number == 1 else several or one + 's'}"


def signless(number: int) -> str:
    """A number without a sign that a voice would mumble: "minus 2"."""
    return f"minus {-number}" if number < 0 else str(number)


def dice_words(count: int, kind: DieKind) -> str:
    """A number of dice that names their kind: "1 d20", "3 Challenge Dice"."""
    return counted(count, *KIND_WORDS[kind])


def spoken(text: str) -> str:
    """Somebody's own words without what a voice would spell out."""
    kept = "".join(one if one.isalnum() or one in _IN_A_NAME else " " for one in text)
    return " ".join(kept.split())


def joined(parts: Sequence[str]) -> str:
    """A list as it is said: "1, 2 and 3"."""
    if len(parts) < 2:  # noqa: PLR2004 - a list of one needs no "and"
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def faces_words(faces: Sequence[Face]) -> str:
    """What dice show, one after the other: "4, blank and effect"."""
    return joined([str(face) for face in faces])


def challenge_words(faces: Sequence[Face]) -> str:
    """What Challenge Dice show, also those thrown with a d6: "2, blank and effect" (CD-1)."""
    return faces_words([as_challenge_face(DieKind.D6, face) if isinstance(face, int) else face for face in faces])


def are(system: System) -> str:
    """The verb that fits a system's name: "the structure is", "the engines are"."""
    return "is" if system is System.STRUCTURE else "are"


def outcome_word(outcome: TaskOutcome) -> str:
    """Success, success at cost, or failure."""
    if outcome.at_cost:
        return "Success at cost"
    return "Success" if outcome.success else "Failure"


def worth_words(one: TaskDie) -> str:
    """One die of a Task and what it is worth: "14 misses", "3 counts twice"."""
    name = "the Determination die" if one.die.fixed else str(one.die.face)
    words = f"{name} {_WORTH_WORDS[min(one.successes, 2)]}"
    if not one.counted and one.successes:
        words = f"{name} is lost without a success of the leader"
    return f"{words} and brings a Complication" if one.complication else words


def worths_words(dice: Sequence[TaskDie]) -> str:
    """Dice of a Task one after the other; what one die does and the next one's face are kept apart."""
    words = [worth_words(one) for one in dice]
    return "; ".join(words) if any(" and " in one for one in words) else joined(words)
