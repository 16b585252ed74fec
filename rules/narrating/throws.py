"""How throws are told that are no Task's own: held, free, Challenge Dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules import events as e
from rules.narrating.telling import (
    Narration,
    NarrationKind,
    Sentences,
    awaited_words,
    longer,
    same,
    sentence,
)
from rules.phrases import say, sentences
from rules.questions import questions_sentence
from rules.state import Table, ThrownDie
from rules.wording import (
    counted,
    dice_words,
    face_word,
    faces_words,
    joined,
)


def _held(event: e.ThrowHeld, _: Table, after: Table) -> Narration | None:
    if after.request is None:
        return None
    text = questions_sentence(event.held, after.request)
    return same(text, NarrationKind.QUESTION, urgent=True)


def _dismissed(_: e.ThrowDismissed, __: Table, after: Table) -> Narration:
    return longer(say("Throw set aside."), awaited_words(after.request), "", NarrationKind.CHANGE)


def _free_roll(event: e.FreeRollMade, _: Table, __: Table) -> Narration:
    shown = [face_word(die.face) if die.face is not None else say("one that cannot be read") for die in event.roll.dice]
    kinds = {die.kind for die in event.roll.dice}
    noun = dice_words(len(shown), kinds.pop()) if len(kinds) == 1 else counted(len(shown), "die")
    what = (
        say("Lay there already: {shown}.", shown=joined(shown))
        if event.roll.found
        else say("Free roll: {shown}.", shown=joined(shown))
    )
    return longer(what, say("{noun}, not counted.", noun=noun), "", NarrationKind.INFO)


def _challenge_declared(_: e.ChallengeDeclared, __: Table, after: Table) -> Narration:
    return same(awaited_words(after.request) or say("Challenge Dice."), NarrationKind.DECLARED)


def _challenge(event: e.ChallengeDiceThrown | e.ChallengeDieCorrected, _: Table, __: Table) -> Narration:
    return total_told(event.total, event.effects, event.dice)


def total_told(total: int, number: int, dice: Sequence[ThrownDie]) -> Narration:
    """What Challenge Dice came to: their total, and the number of Effects among them (CD-1)."""
    effects = counted(number, "Effect") if number else say("no Effect")
    normal = sentences(say("Total {total}.", total=total), sentence(effects))
    shown = say("The dice show {faces}.", faces=faces_words([die.face for die in dice]))
    return Narration(
        terse=say("Total {total}, {effects}.", total=total, effects=effects),
        normal=normal,
        full=sentences(normal, shown),
        kind=NarrationKind.OUTCOME,
    )


def _challenge_reroll(event: e.ChallengeRerollStarted, _: Table, after: Table) -> Narration:
    return longer(
        awaited_words(after.request),
        say("In place of {faces}.", faces=faces_words(event.faces)),
        "",
        NarrationKind.CHANGE,
    )


SENTENCES: Final[Sentences] = {
    e.ThrowHeld: _held,
    e.ChallengeDiceThrown: _challenge,
    e.ChallengeDieCorrected: _challenge,
    e.ChallengeDeclared: _challenge_declared,
    e.ChallengeRerollStarted: _challenge_reroll,
    e.ThrowDismissed: _dismissed,
    e.FreeRollMade: _free_roll,
}
"""The weightiest first."""
