"""Narrations: their kinds and three lengths, and words that many of them share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules.state.table import Table
from rules.state.tasks import ThrowRequest
from rules.state.vocabulary import ThrowRole
from rules.words import NOTHING, Phrase, capitalized, dice_words, known, say, sentences, spoken


class NarrationKind(StrEnum):
    """What a narration is about; an outcome is never cut off by another kind."""

    OUTCOME = "outcome"
    DECLARED = "declared"
    QUESTION = "question"
    CHANGE = "change"
    INFO = "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class Narration:
    """One thing said in three lengths, each a `Phrase`; `str` where it was kept and read again.

    `urgent` says that a person must answer before the game goes on.
    """

    terse: str
    normal: str
    full: str
    kind: NarrationKind
    urgent: bool = False


def same(text: str, kind: NarrationKind, *, urgent: bool = False) -> Narration:
    """One text for all three lengths."""
    words = known(text)
    return Narration(terse=words, normal=words, full=words, kind=kind, urgent=urgent)


def longer(terse: str, more: str, most: str, kind: NarrationKind, *, urgent: bool = False) -> Narration:
    """A terse text, what the normal length adds, and what the full length adds to that."""
    return Narration(
        terse=known(terse),
        normal=sentences(terse, more),
        full=sentences(terse, more, most),
        kind=kind,
        urgent=urgent,
    )


def pools_words(table: Table) -> Phrase:
    """Both pools, as said aloud."""
    return say("Momentum {momentum}, Threat {threat}.", momentum=table.momentum, threat=table.threat)


def pools_if_same(before: Table, after: Table) -> Phrase:
    """Both pools where a decision left them alone; else `rules.narrate.costs` tells them with their change."""
    same_pools = (before.momentum, before.threat) == (after.momentum, after.threat)
    return pools_words(after) if same_pools else NOTHING


def awaited_words(request: ThrowRequest | None) -> Phrase:
    """What the table waits for: "Ada throws 3 d20s."; in a chain also what for. Empty when it waits for no dice."""
    if request is None:
        return NOTHING
    who, dice = spoken(request.who), dice_words(request.count, request.kind)
    if request.role in _AGAIN:
        return say("{who} throws {dice} again.", who=who, dice=dice) if who else say("Throw {dice} again.", dice=dice)
    why = spoken(request.why)
    if request.role is ThrowRole.STEP and why:
        if who:
            return say("{who} throws {dice}: {why}.", who=who, dice=dice, why=why)
        return say("Throw {dice}: {why}.", dice=dice, why=why)
    return say("{who} throws {dice}.", who=who, dice=dice) if who else say("Throw {dice}.", dice=dice)


_AGAIN: Final = frozenset({ThrowRole.REROLL, ThrowRole.CHALLENGE_REROLL})
"""The throws of dice that lie on the table already."""


def ended(words: str) -> Phrase:
    """The words as a sentence, as they are written; empty where there are none."""
    return say("{words}.", words=words) if words else NOTHING


def sentence(text: str) -> Phrase:
    """The text as a sentence, empty where there is none; names within it stay as they are written."""
    return ended(capitalized(text)) if text else NOTHING


def reason(text: str) -> Phrase:
    """Why something happened, in the program's words or somebody's, as a sentence; empty where none is given."""
    return sentence(spoken(text))


def why_changed(words: str) -> Narration:
    """In full, why something changed; what changed is said as with every decision that changes it."""
    return longer(NOTHING, NOTHING, reason(words), NarrationKind.CHANGE)


def saved_told(name: str, *, created: bool) -> Narration:
    """That somebody or something is ready, or was changed."""
    if created:
        return same(say("{name} is ready.", name=name), NarrationKind.INFO)
    return same(say("{name} is changed.", name=name), NarrationKind.INFO)
