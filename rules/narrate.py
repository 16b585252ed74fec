"""What happened, as sentences for the caption and the voice: outcome first, in three lengths, words only.

A name or label that a person typed is said without its symbols. Falling numbers say "minus". How each event is told
is in `rules.narrating`, subject by subject.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rules import events as e
from rules import events_conflict as ec
from rules import events_ships2e as es
from rules import events_turns as et
from rules.lasting import LASTING
from rules.messages import Event
from rules.narrating import (
    asking,
    extended,
    fighting,
    house,
    lasting,
    ships,
    ships2e,
    table_changes,
    tasks,
    throws,
    turns,
)
from rules.narrating.costs import costs
from rules.narrating.telling import (
    NOTHING,
    Asked,
    Narration,
    NarrationKind,
    Sentences,
    awaited_words,
    pools_words,
    same,
)
from rules.narrating.undoing import command_words
from rules.phrases import Phrase, say, sentences
from rules.questions import question_sentence, question_sentences, questions_sentence
from rules.state import Table

__all__ = [
    "Narration",
    "NarrationKind",
    "asked_words",
    "command_words",
    "narrate",
    "question_sentence",
    "question_sentences",
    "questions_sentence",
]

_COMMON: Final[Sentences] = {
    e.ThrowHeld: throws.SENTENCES[e.ThrowHeld],
    e.OutcomeReached: tasks.SENTENCES[e.OutcomeReached],
    **throws.SENTENCES,
    **tasks.SENTENCES,
    **asking.SENTENCES,
    **house.SENTENCES,
    **table_changes.SENTENCES,
}

_BY_WEIGHT: Final = tuple(_COMMON)
"""The weightiest first: the order of the table above decides which of several events speaks."""


_CHAINED: Final[Sentences] = {
    **turns.SENTENCES,
    **extended.SENTENCES,
    **fighting.SENTENCES,
    **ships.SENTENCES,
    **ships2e.SENTENCES,
    **lasting.SENTENCES,
}
"""Events of conflicts: several follow from one throw, and each is told, in the order in which it happened."""

_ASKED: Final[Asked] = {**fighting.ASKED, **ships.ASKED, **ships2e.ASKED}
"""What each step of a chain asks."""


def narrate(before: Table, events: tuple[Event, ...], after: Table) -> Narration | None:
    """What `events` mean to the people at the table, or None where there is nothing to say.

    Of a common decision the weightiest event speaks; what follows from it (pools, dice awaited next) is added in the
    longer forms. A chain tells each of its events, and what it asks next. Of dice whose source has no check against
    damage the full length says so.
    """
    told = _told(before, events, after)
    if told is None or not _unchecked(before, events, after):
        return told
    return replace(told, full=sentences(told.full, say("Nothing checked these values on their way: look at the dice.")))


def _unchecked(before: Table, events: tuple[Event, ...], after: Table) -> bool:
    """Whether dice came just now whose values nothing guarded on their way (`DieReading.weak`)."""
    if any(isinstance(event, e.DecisionUndone | e.DecisionRedone) for event in events):
        return False
    if any(isinstance(event, e.ThrowHeld) and any(die.weak for die in event.held.dice) for event in events):
        return True
    counted = after.last_throw
    return counted is not None and counted.weak and counted is not before.last_throw


def _told(before: Table, events: tuple[Event, ...], after: Table) -> Narration | None:
    chain = ships.summed(event for event in events if not _told_by_another(event, events))
    chained = [_CHAINED[type(event)](event, before, after) for event in chain if type(event) in _CHAINED]
    told = [one for one in chained if one is not None]
    weightiest = tasks.named(_together(_weightiest(before, events, after), _correction(events)), events)
    if not told:
        alone = _together(weightiest, costs(before, events, after, [weightiest] if weightiest else []))
        asked = asked_words(after) if after.agenda != before.agenda else NOTHING
        if not asked:
            return alone
        return _with_asked(alone or same("", NarrationKind.CHANGE), asked, after)
    weighs = weightiest is not None and (weightiest.kind is not NarrationKind.CHANGE or weightiest.urgent)
    if weightiest is not None and weighs and not _goes_without_saying(events):
        told.insert(0, weightiest)
    else:
        told += [tasks.left_over(event) for event in events if isinstance(event, e.SpendingFinished)]
    paid = costs(before, events, after, told)
    told += [paid] if paid is not None else []
    return _joined(told, asked_words(after), after)


def _told_by_another(event: Event, events: tuple[Event, ...]) -> bool:
    """Whether what begins to last is what an action just taken is called, or an order just given."""
    if not isinstance(event, ec.EffectBegan):
        return False
    row = LASTING.get(event.effect.name)
    if event.effect.name == "abandoning":
        return any(isinstance(one, es.ShipAbandoned) for one in events)
    if row is None or event.effect.target_id:
        return False
    taken = (one for one in events if isinstance(one, et.MinorActionTaken))
    return any(one.label == row.label and one.combatant_id == event.effect.owner_id for one in taken)


def _goes_without_saying(events: tuple[Event, ...]) -> bool:
    """Whether a success without dice is nothing beside what it brings."""
    return any(isinstance(event, e.OutcomeReached) and not event.dice for event in events)


def _weightiest(before: Table, events: tuple[Event, ...], after: Table) -> Narration | None:
    for kind in _BY_WEIGHT:
        for event in reversed(events) if kind is e.OutcomeReached else events:  # a correction scores the dice anew
            if type(event) is kind:
                return _COMMON[kind](event, before, after)
    return None


def asked_words(table: Table) -> Phrase:
    """What a chain asks for next, as a sentence: its dice, or the choice of its step. Empty when it asks nothing."""
    if not table.agenda:
        return NOTHING
    if table.request is not None:
        return awaited_words(table.request)
    step = table.agenda[0]
    return _ASKED[step.kind](table, step) if step.kind in _ASKED else NOTHING


def _joined(told: list[Narration], asked: str, after: Table) -> Narration:
    waits = bool(after.agenda) and after.request is None
    leads = bool(after.agenda) and all(one.kind is NarrationKind.CHANGE for one in told)  # the dice are what matters
    pools = pools_words(after)
    return Narration(
        terse=_text([*(one.terse for one in told), asked if waits or leads else ""]),
        normal=_text([*(one.normal for one in told), asked]),
        full=_text([*(one.full for one in told), asked, "" if any(pools in one.full for one in told) else pools]),
        kind=NarrationKind.OUTCOME if any(one.kind is NarrationKind.OUTCOME for one in told) else told[0].kind,
        urgent=waits or any(one.urgent for one in told),
    )


def _correction(events: tuple[Event, ...]) -> Narration | None:
    """That a die was put right, where what it brings about is what is told."""
    for event in events:
        if isinstance(event, e.TaskDieCorrected | e.ChallengeDieCorrected):
            return tasks.corrected(event)
    return None


def _together(told: Narration | None, beside: Narration | None) -> Narration | None:
    """Both, as what is told: the second first where the first is nothing but a reason."""
    if told is None or beside is None:
        return told or beside
    first, second = (told, beside) if told.terse else (beside, told)
    return replace(
        told,
        terse=_text([first.terse, second.terse]),
        normal=_text([first.normal, second.normal]),
        full=_text([first.full, second.full]),
    )


def _with_asked(one: Narration, asked: str, after: Table) -> Narration:
    waits = after.request is None
    return Narration(
        terse=_text([one.terse, asked if waits or not one.terse else ""]),
        normal=_text([one.normal, "" if asked in one.normal else asked]),
        full=_text([one.full, "" if asked in one.full else asked]),
        kind=one.kind,
        urgent=one.urgent or waits,
    )


def _text(parts: list[str]) -> Phrase:
    """The parts as one text, none of them twice."""
    return sentences(*dict.fromkeys(parts))
