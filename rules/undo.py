"""Taking decisions back and bringing them back: what is asked, what happened, and how it is told (UNDO)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from rules.deciding.checks import profile
from rules.deciding.decision import Command, Draft, Event
from rules.deciding.telling import Narration, NarrationKind, awaited_words, pools_if_same, same
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.glossary import SPEND_WORDS
from rules.state.people import Character
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.tasks import ChallengeRoll, Task, TaskOutcome
from rules.state.vocabulary import Spend
from rules.tasks.events import OutcomeReached, outcome_told, to_settle
from rules.tasks.extended import work_told
from rules.tasks.opposed import other_side
from rules.tasks.throws import total_told
from rules.words import Phrase, listed, say, sentences, spoken, worded


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo(Command):
    """Take back the latest decision that still stands. Dice are never thrown again for it."""

    def decide(self, _: Draft) -> None:
        """Refuse: a table alone remembers nothing; `rules.history` answers before."""
        raise Refusal("UNDO", "A table alone cannot be taken back; ask its history.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Redo(Command):
    """Take back the latest undo, as long as nothing was decided since."""

    def decide(self, _: Draft) -> None:
        """Refuse: a table alone remembers nothing; `rules.history` answers before."""
        raise Refusal("UNDO", "A table alone cannot be taken back; ask its history.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionUndone(Event):
    """The decision of that number was taken back; history keeps both. `command` is the name of what made it."""

    decision: int
    command: str = ""

    weight: ClassVar[int | None] = 410

    def told(self, before: Table, after: Table) -> Narration:
        text = say("Taken back.")
        if self.command:
            text = say("Taken back: {decision}.", decision=spoken(decided_words(self.command, after, before)))
        return _stands_again(text, before, after)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRedone(Event):
    """The decision of that number stands again. `command` is the name of what made it."""

    decision: int
    command: str = ""

    weight: ClassVar[int | None] = 420

    def told(self, before: Table, after: Table) -> Narration:
        text = say("Brought back.")
        if self.command:
            text = say("Brought back: {decision}.", decision=spoken(decided_words(self.command, before, after)))
        return _stands_again(text, before, after)


def standing_again(before: Table, after: Table) -> Narration:
    """The outcome that `after` shows and `before` did not, and Complications that are open again, in three lengths.

    Without words where neither changed, and where dice are awaited, which are asked for.
    """
    if after.request is not None:
        return same("", NarrationKind.CHANGE)
    challenge = after.challenge
    if challenge is not None and _total(challenge) not in {(), _total(before.challenge)}:
        return total_told(challenge.total or 0, challenge.effects or 0, challenge.dice)
    task = after.task or after.last_task
    left = to_settle(after)
    if task is None or task.outcome is None or _result(task) == _result(before.task or before.last_task):
        return same(left if left != to_settle(before) else "", NarrationKind.CHANGE)
    told = _outcome_now(after, task, task.outcome)
    return replace(
        told,
        terse=sentences(told.terse, left),
        normal=sentences(told.normal, left),
        full=sentences(told.full, left),
    )


def outcome_now(table: Table) -> Narration | None:
    """The outcome of the Task in hand, or else of the last one; None if there is none.

    Of an Opposed Task it is told with the dice of the side that threw last, as when they fell.
    """
    task = table.task or table.last_task
    other = other_side(table, task) if task is not None else None
    if task is not None and other is not None and task.reactive is profile(table).opposed_reactive_first:
        task = other
    return None if task is None or task.outcome is None else _outcome_now(table, task, task.outcome)


def _outcome_now(table: Table, task: Task, outcome: TaskOutcome) -> Narration:
    if task.work is not None:
        return work_told(task.work, task.who, tuple(one.face for one in task.work.dice))
    return outcome_told(_reached(task, outcome), table)


def _total(challenge: ChallengeRoll | None) -> tuple[object, ...]:
    if challenge is None or challenge.total is None:
        return ()
    return (challenge.number, challenge.dice, challenge.total, challenge.effects)


def _result(task: Task | None) -> tuple[object, ...]:
    return () if task is None else (task.number, task.outcome, task.dice, task.opposed_winner, task.work)


def _reached(task: Task, outcome: TaskOutcome) -> OutcomeReached:
    """The event that brought the outcome of `task` about, as it stands now."""
    return OutcomeReached(
        number=task.number,
        who=task.who,
        label=task.declaration.label,
        target_number=task.target_number,
        double_at_most=task.double_at_most,
        dice=task.dice,
        outcome=outcome,
        momentum_left=task.momentum_left,
        complications_open=task.complications_open,
        price_complications=task.price_complications,
        phase=task.phase,
    )


def _stands_again(text: Phrase, before: Table, after: Table) -> Narration:
    """What was decided, then what it is about now: the outcome that stands again, or the dice that are awaited."""
    again, pools = standing_again(before, after), pools_if_same(before, after)
    return Narration(
        terse=sentences(text, again.terse),
        normal=sentences(text, again.normal, awaited_words(after.request)),
        full=sentences(text, again.full, awaited_words(after.request), pools),
        kind=NarrationKind.CHANGE,
    )


def command_words(command: str) -> Phrase:
    """What was decided, as a phrase that fits after "take back": the command's name in plain words."""
    kind = Command.kinds.get(command)
    return (kind.undone if kind is not None else _MORE_WORDS.get(command)) or worded(command)


def decided_words(command: str, before: Table, after: Table) -> Phrase:
    """The same with the name of what was bought, made or changed, where the tables before and after it tell that."""
    match command:
        case "make_spend":
            return _spend_words(before.task, after.task) or command_words(command)
        case "save_ship":
            return _card_words(_ships(before), _ships(after)) or command_words(command)
        case "save_character":
            return _card_words(_people(before), _people(after)) or command_words(command)
        case "remove_ship" | "remove_character":
            return _gone_words(before, after) or command_words(command)
        case _:
            return command_words(command)


def _spend_words(before: Task | None, after: Task | None) -> Phrase | None:
    """Which spend the Task has now, and had not before; an Advantage is called by its name."""
    if before is None or after is None or len(after.spends) <= len(before.spends):
        return None
    spend = after.spends[-1]
    if spend.spend == Spend.CREATE_ADVANTAGE and spend.note:
        return say("the Advantage {name}", name=spend.note)
    return say("the spend on {spend}", spend=SPEND_WORDS.get(spend.spend) or worded(spend.spend))


_Cards = Mapping[str, Character | Ship]
"""Characters or ships by their ids."""


def _people(table: Table) -> _Cards:
    return {one.character_id: one for one in table.characters}


def _ships(table: Table) -> _Cards:
    return {one.ship_id: one for one in table.ships}


def _card_words(before: _Cards, after: _Cards) -> Phrase | None:
    """What is new or changed, by the name that it has now."""
    for its_id, card in after.items():
        if its_id not in before:
            ship = isinstance(card, Ship)
            return (
                say("the new ship {name}", name=card.name) if ship else say("the new character {name}", name=card.name)
            )
        if card != before[its_id]:
            return say("the change of {name}", name=card.name)
    return None


def _gone_words(before: Table, after: Table) -> Phrase | None:
    """Who and what left the table, by name: all who took their leave with a fight, too."""
    there = {**_people(after), **_ships(after)}
    gone = [card.name for its_id, card in {**_people(before), **_ships(before)}.items() if its_id not in there]
    return say("taking {names} off the table", names=listed(gone)) if gone else None


_MORE_WORDS: Final = {"show_hidden_roll": say("showing the hidden roll")}
"""What undo calls a decision whose command alone does not say it."""
