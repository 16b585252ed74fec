"""What every sentence is made of: three lengths, its kind, and the words that many of them share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

from rules.state import Table, ThrowRequest
from rules.state_conflict import Step
from rules.vocabulary import StepKind, ThrowRole
from rules.wording import dice_words, spoken


class NarrationKind(StrEnum):
    """What a narration is about; an outcome is never cut off by another kind."""

    OUTCOME = "outcome"
    DECLARED = "declared"
    QUESTION = "question"
    CHANGE = "change"
    INFO = "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class Narration:
    """One thing said in three lengths. `urgent` says that a person must answer before the game goes on."""

    terse: str
    normal: str
    full: str
    kind: NarrationKind
    urgent: bool = False


Asked: TypeAlias = Mapping[StepKind, Callable[[Table, Step], str]]
"""What a chain's step asks of the people at the table, as a sentence; empty where it asks nothing now."""

Sentences: TypeAlias = Mapping[type, Callable[[Any, Table, Table], Narration | None]]
"""How each event is told: from the event and the tables before and after its decision. The weightiest comes first."""


def same(text: str, kind: NarrationKind, *, urgent: bool = False) -> Narration:
    """One text for all three lengths."""
    return Narration(terse=text, normal=text, full=text, kind=kind, urgent=urgent)


def longer(terse: str, more: str, most: str, kind: NarrationKind, *, urgent: bool = False) -> Narration:
    """A terse text, what the normal length adds, and what the full length adds to that."""
    normal = " ".join(part for part in (terse, more) if part)
    full = " ".join(part for part in (normal, most) if part)
    return Narration(terse=terse, normal=normal, full=full, kind=kind, urgent=urgent)


def pools_words(table: Table) -> str:
    """Both pools, as said aloud."""
    return f"Momentum {table.momentum}, Threat {table.threat}."


def awaited_words(request: ThrowRequest | None) -> str:
    """What the table waits for: "Ada throws 3 d20s."; in a chain also what for. Empty when it waits for no dice."""
    if request is None:
        return ""
    who = spoken(request.who)
    why = f", {spoken(request.why)}" if request.role is ThrowRole.STEP and spoken(request.why) else ""
    again = " again" if request.role in _AGAIN else why
    return (
        f"{who} throws {dice_words(request.count, request.kind)}{again}."
        if who
        else (f"Throw {dice_words(request.count, request.kind)}{again}.")
    )


_AGAIN: Final = frozenset({ThrowRole.REROLL, ThrowRole.CHALLENGE_REROLL})


def sentence(text: str) -> str:
    """The text as a sentence, empty where there is none; names within it stay as they are written."""
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def named(words: str) -> Callable[[Any, Table, Table], Narration]:
    """How an event is told that only says of whom it is true: its `name`, then `words`."""

    def sentence(event: Any, _: Table, __: Table) -> Narration:  # noqa: ANN401 - any event that carries a name
        return same(f"{spoken(event.name)} {words}.", NarrationKind.INFO)

    return sentence
