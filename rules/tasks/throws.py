"""What happened to throws that are no Task's own: held, free, Challenge Dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from rules.deciding.decision import Event
from rules.deciding.telling import Narration, NarrationKind, awaited_words, longer, same, sentence
from rules.dice import Face, SourceKind
from rules.state.changing import replace
from rules.state.folding import counted_throw, last_throw, seen
from rules.state.table import Table
from rules.state.tasks import ChallengeRoll, FreeRoll, HeldThrow
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import ThrowRole
from rules.tasks.words import questions_sentence
from rules.words import counted, dice_words, face_word, faces_words, listed, say, sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowHeld(Event):
    """A throw waits for a person to look at it; one that was held before is replaced."""

    held: HeldThrow

    weight: ClassVar[int | None] = 10

    def fold(self, table: Table) -> Table:
        return replace(table, held=self.held, seen_readings=seen(table, self.held.reading_id))

    def told(self, _: Table, after: Table) -> Narration | None:
        if after.request is None:
            return None
        text = questions_sentence(self.held, after.request)
        return same(text, NarrationKind.QUESTION, urgent=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowDismissed(Event):
    """The held throw was set aside; the table waits on."""

    reading_id: str

    weight: ClassVar[int | None] = 70

    def fold(self, table: Table) -> Table:
        return replace(table, held=None)

    def told(self, _: Table, after: Table) -> Narration:
        return longer(say("Throw set aside."), awaited_words(after.request), "", NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeRollMade(Event):
    """Dice lie on the table that nobody asked for: shown and spoken, never scored until attached."""

    roll: FreeRoll
    next_number: int

    weight: ClassVar[int | None] = 80

    def fold(self, table: Table) -> Table:
        return replace(
            table,
            free_rolls=(*table.free_rolls, self.roll)[-FREE_ROLLS_KEPT:],
            last_throw=last_throw(self.roll.source, self.roll.dice),
            seen_readings=seen(table, self.roll.reading_id),
            next_number=self.next_number,
        )

    def told(self, _: Table, __: Table) -> Narration:
        shown = [
            face_word(die.face) if die.face is not None else say("one that cannot be read") for die in self.roll.dice
        ]
        kinds = {die.kind for die in self.roll.dice}
        noun = dice_words(len(shown), kinds.pop()) if len(kinds) == 1 else counted(len(shown), "die")
        what = (
            say("Lay there already: {shown}.", shown=listed(shown))
            if self.roll.found
            else say("Free roll: {shown}.", shown=listed(shown))
        )
        return longer(what, say("{noun}, not counted.", noun=noun), "", NarrationKind.INFO)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeDeclared(Event):
    """A roll of Challenge Dice is wanted."""

    challenge: ChallengeRoll
    next_number: int

    weight: ClassVar[int | None] = 50

    def fold(self, table: Table) -> Table:
        return replace(table, challenge=self.challenge, next_number=self.next_number)

    def told(self, _: Table, after: Table) -> Narration:
        return same(awaited_words(after.request) or say("Challenge Dice."), NarrationKind.DECLARED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeDiceThrown(Event):
    """CD-2: Challenge Dice counted: `thrown` just now, `dice` the whole roll."""

    request: int
    role: ThrowRole
    who: str
    label: str
    reading_id: str
    source: SourceKind
    thrown: tuple[ThrownDie, ...]
    dice: tuple[ThrownDie, ...]
    total: int
    effects: int

    weight: ClassVar[int | None] = 30

    def fold(self, table: Table) -> Table:
        table = counted_throw(table, self.reading_id, self.source, self.thrown)
        if table.challenge is None:
            return table
        rolled = replace(table.challenge, dice=self.dice, total=self.total, effects=self.effects, rerolling=())
        return replace(table, challenge=rolled)

    def told(self, before: Table, after: Table) -> Narration | None:
        return _challenge(self, before, after)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeRerollStarted(Event):
    """CD-5: Challenge Dice are thrown again; the others stay."""

    positions: tuple[int, ...]
    faces: tuple[Face, ...]

    weight: ClassVar[int | None] = 60

    def fold(self, table: Table) -> Table:
        if table.challenge is None:
            return table
        return replace(
            table,
            challenge=replace(table.challenge, rerolled=True, rerolling=self.positions, total=None, effects=None),
        )

    def told(self, _: Table, after: Table) -> Narration:
        return longer(
            awaited_words(after.request),
            say("In place of {faces}.", faces=faces_words(self.faces)),
            "",
            NarrationKind.CHANGE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeDieCorrected(Event):
    """A person said what a counted Challenge Die really shows."""

    position: int
    before: Face
    after: Face
    dice: tuple[ThrownDie, ...]
    total: int
    effects: int

    weight: ClassVar[int | None] = 40

    def fold(self, table: Table) -> Table:
        if table.challenge is None:
            return table
        return replace(
            table, challenge=replace(table.challenge, dice=self.dice, total=self.total, effects=self.effects)
        )

    def told(self, before: Table, after: Table) -> Narration | None:
        return _challenge(self, before, after)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeClosed(Event):
    """The Challenge roll is done with, or was called off before its dice."""

    number: int

    def fold(self, table: Table) -> Table:
        if table.challenge is None:
            return table
        waiting = not table.challenge.dice
        return replace(
            table,
            challenge=replace(table.challenge, closed=True),
            request=None if waiting else table.request,
            held=None if waiting else table.held,
        )


FREE_ROLLS_KEPT: Final = 5
"""Most free rolls kept for attaching them later."""


def _challenge(event: ChallengeDiceThrown | ChallengeDieCorrected, _: Table, __: Table) -> Narration:
    return total_told(event.total, event.effects, event.dice)


def total_told(total: int, number: int, dice: Sequence[ThrownDie]) -> Narration:
    """The result of Challenge Dice: their total, and the number of Effects (CD-1)."""
    effects = counted(number, "Effect") if number else say("no Effect")
    normal = sentences(say("Total {total}.", total=total), sentence(effects))
    shown = say("The dice show {faces}.", faces=faces_words([die.face for die in dice]))
    return Narration(
        terse=say("Total {total}, {effects}.", total=total, effects=effects),
        normal=normal,
        full=sentences(normal, shown),
        kind=NarrationKind.OUTCOME,
    )
