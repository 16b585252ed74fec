"""What happened, as sentences for the caption and the voice: outcome first, in three lengths, words only.

A name or label that a person typed is said without its symbols. Falling numbers say "minus". How each event is told
stands with the event, in its room; here the events of one decision are put together, with what it cost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from rules.conflict.events import MOST_NAMED, ConflictStarted, MinorActionTaken
from rules.conflict.lasting import EffectEnded
from rules.deciding.decision import Event
from rules.deciding.telling import Narration, NarrationKind, awaited_words, ended, pools_words, reason, same
from rules.setup.events import (
    CharacterRemoved,
    CharacterSaved,
    OptionsChanged,
    SceneStarted,
    SessionStarted,
    TableSetUp,
)
from rules.ships.events import ShieldsChanged, ShipRemoved, ShipSaved
from rules.state.changing import replace
from rules.state.table import Table
from rules.table import PLAYBOOK
from rules.tasks.events import (
    ComplicationsPutOff,
    MomentumSpent,
    OutcomeReached,
    SpendingFinished,
    TaskClosed,
    TaskDeclared,
    TaskDieCorrected,
    corrected,
    left_over,
    named,
    put_off_words,
)
from rules.tasks.line import NotBegun
from rules.tasks.throws import ChallengeDieCorrected, ThrowHeld
from rules.tasks.traits import TraitAdded, told_at_once
from rules.undo import DecisionRedone, DecisionUndone
from rules.words import NOTHING, Phrase, listed, say, sentences, spoken

_Change: TypeAlias = tuple[Phrase, Phrase]
"""The present value of something, and the change that led to it."""


_SET_ANEW: Final = (TableSetUp, OptionsChanged)
"""Events that reset all pools, which is no price."""


def costs(before: Table, events: Sequence[Event], after: Table, told: Sequence[Narration]) -> Narration | None:
    """What the decision of `events` changed of what people pay with, beside what is `told` of it; None for nothing.

    The terse length says where each stands now, the others also by how much it changed.
    """
    if any(isinstance(event, _SET_ANEW) for event in events):
        return None
    pools = list(_of_the_pools(before, after))
    others = [*_of_the_task(events), *_taken_back(before, events, after), *_of_determination(before, after)]
    if not pools and not others:
        return None
    stands, moved = (sentences(*words) for words in zip(*pools, strict=True)) if pools else (NOTHING, NOTHING)
    other = sentences(*(one for _, one in others))
    saved = any(isinstance(event, SpendingFinished) for event in events)  # what was saved is told, and how much
    both = pools_words(after)
    known = any(both in one.normal for one in told)
    change = NOTHING if known or saved else moved
    return Narration(
        terse=sentences(*(one for one, _ in others), stands),
        normal=sentences(other, stands if saved and not known else change),
        full=sentences(other, change, NOTHING if any(both in one.full for one in told) else both),
        kind=NarrationKind.CHANGE,
    )


def momentum_moved(before: int, after: int) -> Phrase:
    """The group's Momentum, by how much it rose or fell and to what."""
    if after < before:
        return say("Momentum falls by {change}, to {points}.", change=before - after, points=after)
    return say("Momentum rises by {change}, to {points}.", change=after - before, points=after)


def threat_moved(before: int, after: int) -> Phrase:
    """The gamemaster's Threat, by how much it rose or fell and to what."""
    if after < before:
        return say("Threat falls by {change}, to {points}.", change=before - after, points=after)
    return say("Threat rises by {change}, to {points}.", change=after - before, points=after)


def _of_the_task(events: Iterable[Event]) -> Iterator[_Change]:
    """What was paid with Momentum that the Task itself brought."""
    for event in events:
        if not isinstance(event, MomentumSpent) or not event.spend.from_generated:
            continue
        paid, left = event.spend.from_generated, event.momentum_left
        if left:
            yield (
                say("{momentum} Momentum of this Task left.", momentum=left),
                say("It costs {paid} Momentum of this Task, {momentum} left.", paid=paid, momentum=left),
            )
        else:
            yield (
                say("No Momentum of this Task left."),
                say("It costs {paid} Momentum of this Task, none left.", paid=paid),
            )


def _taken_back(before: Table, events: Iterable[Event], after: Table) -> Iterator[_Change]:
    """What a Task has again of its own Momentum, or has not any more, by undo and redo."""
    if not any(isinstance(event, DecisionUndone | DecisionRedone) for event in events):
        return
    was, now = before.task, after.task
    if was is None or now is None or (was.number, was.outcome) != (now.number, now.outcome):
        return
    if was.momentum_left != now.momentum_left:
        left = say("{momentum} Momentum of this Task left.", momentum=now.momentum_left)
        yield left, left


def _of_the_pools(before: Table, after: Table) -> Iterator[_Change]:
    if after.momentum != before.momentum:
        yield say("Momentum {points}.", points=after.momentum), momentum_moved(before.momentum, after.momentum)
    if after.threat != before.threat:
        yield say("Threat {points}.", points=after.threat), threat_moved(before.threat, after.threat)


def _of_determination(before: Table, after: Table) -> Iterator[_Change]:
    had = {one.character_id: one.determination for one in before.characters}
    for one in after.characters:
        change = one.determination - had.get(one.character_id, one.determination)
        if not change:
            continue
        name, points = spoken(one.name), one.determination
        stands = say("{name}, Determination {after}.", name=name, after=points)
        if change < 0:  # paid, put right, taken back or above a new maximum
            yield (
                stands,
                say("{name}'s Determination falls by {change}, to {points}.", name=name, change=-change, points=points),
            )
        else:
            yield (
                stands,
                say("{name}'s Determination rises by {change}, to {points}.", name=name, change=change, points=points),
            )


def narrate(before: Table, events: tuple[Event, ...], after: Table) -> Narration | None:
    """What `events` mean to the people at the table, or None where there is nothing to say.

    Of a common decision the weightiest event speaks; what follows from it (pools, dice awaited next) is added in the
    longer forms. A chain tells each of its events, and what it asks next. Of dice whose source has no check against
    damage the full length says so.
    """
    end = _ends_at(before, events)
    if end:
        table = before
        for event in events[:end]:
            table = event.fold(table)
        then = _owned(narrate(table, events[end:], after), events[end])
        return _one_after_the_other(narrate(before, events[:end], table), then)
    told = _told(before, events, after)
    if told is None or not _unchecked(before, events, after):
        return told
    return replace(told, full=sentences(told.full, say("Nothing checked these values on their way: look at the dice.")))


def _owned(told: Narration | None, first: Event) -> Narration | None:
    """What is told of a Task that the line began, after whose it is: one without dice is told as its outcome alone."""
    if told is None or not isinstance(first, TaskDeclared) or first.task.declaration.rolled:
        return told
    who, what = spoken(first.task.who), spoken(first.task.declaration.label)
    if who in told.terse:
        return told
    whose = say("{who}: {what}.", who=who, what=what) if what else ended(who)
    return replace(
        told,
        terse=sentences(whose, told.terse),
        normal=sentences(whose, told.normal),
        full=sentences(whose, told.full),
    )


def _ends_at(before: Table, events: tuple[Event, ...]) -> int:
    """Where one decision begins another thing: the next Task of the line, a scene, a session; 0 where it does not."""
    if any(isinstance(event, DecisionUndone | DecisionRedone) for event in events):
        return 0
    waiting = {one.character_id for one in before.in_line}
    for place, event in enumerate(events[1:], 1):
        called = isinstance(event, TaskDeclared) and event.task.declaration.character_id in waiting
        if called or isinstance(event, NotBegun):
            return place
        closed = isinstance(events[place - 1], TaskClosed)
        if closed and any(isinstance(one, SceneStarted | SessionStarted) for one in events[place:]):
            return place
    return 0


def _one_after_the_other(first: Narration | None, then: Narration | None) -> Narration | None:
    """Both as one, the first in its shortest form; it is of the second's kind, which is what people have to act on."""
    if first is None or then is None:
        return first or then
    return Narration(
        terse=sentences(first.terse, then.terse),
        normal=sentences(first.terse, then.normal),
        full=sentences(first.terse, then.full),
        kind=NarrationKind.OUTCOME if first.kind is NarrationKind.OUTCOME else then.kind,
        urgent=first.urgent or then.urgent,
    )


def _unchecked(before: Table, events: tuple[Event, ...], after: Table) -> bool:
    """Whether dice came just now whose values nothing guarded on their way (`DieReading.weak`)."""
    if any(isinstance(event, DecisionUndone | DecisionRedone) for event in events):
        return False
    if any(isinstance(event, ThrowHeld) and any(die.weak for die in event.held.dice) for event in events):
        return True
    counted = after.last_throw
    return counted is not None and counted.weak and counted is not before.last_throw


def _told(before: Table, events: tuple[Event, ...], after: Table) -> Narration | None:
    covering = [one for one in events if type(one).covers is not Event.covers]
    chain = _merged(event for event in events if not any(one.covers(event) for one in covering))
    told = _in_turn([event for event in chain if event.weight is None], before, after)
    fight = any(isinstance(one, ConflictStarted) for one in events)  # it tells who comes with it
    weighed = tuple(one for one in events if not fight or not isinstance(one, CharacterSaved | ShipSaved))
    weightiest = named(_together(_weightiest(before, weighed, after), _correction(events)), events)
    weightiest = _after_what_was_left(weightiest, events)
    if not told:
        alone = _together(weightiest, costs(before, events, after, [weightiest] if weightiest else []))
        asked = _asked_after(alone, after) if after.agenda != before.agenda else NOTHING
        if not asked:
            return alone
        return _with_asked(alone or same("", NarrationKind.CHANGE), asked, after)
    weighs = weightiest is not None and (weightiest.kind is not NarrationKind.CHANGE or weightiest.urgent)
    if weightiest is not None and weighs and not _goes_without_saying(events):
        told.insert(0, weightiest)
    else:
        told.append(same(_let_go(events), NarrationKind.CHANGE))
    paid = costs(before, events, after, told)
    told += [paid] if paid is not None else []
    return _joined(told, _asked_after(next((one for one in reversed(told) if one.terse), None), after), after)


def _merged(events: Iterable[Event]) -> list[Event]:
    """`events`, with those that can be joined merged."""
    told: list[Event] = []
    for event in events:
        joined = ((place, one.joined_with(event)) for place, one in enumerate(told))
        place, both = next(((place, one) for place, one in joined if one is not None), (len(told), event))
        told[place : place + 1] = [both]
    return told


def _in_turn(events: Sequence[Event], before: Table, after: Table) -> list[Narration]:
    """What each event of a chain says. What the next ones say, too, is said once: a reason, and who acts."""
    told: list[Narration] = []
    actions = {reason(event.label) for event in events if isinstance(event, MinorActionTaken)}
    for event in reversed(events):
        kept = event
        if isinstance(event, EffectEnded | ShieldsChanged) and _is_told(event, told, actions):
            kept = replace(event, why="")
        one = kept.told(before, after)
        if isinstance(event, MinorActionTaken) and told and _is_of(event.name, told[0], after):
            told[0] = event.leading(told[0])
        elif one is not None:
            told.insert(0, one)
    return told


def _is_told(event: EffectEnded | ShieldsChanged, told: Sequence[Narration], actions: Collection[str]) -> bool:
    """Whether its reason is given by what is told after it, or is the name of one of these actions."""
    why = reason(event.why)
    return why in actions if isinstance(event, ShieldsChanged) else any(why in one.full for one in told)


def _is_of(name: str, told: Narration, after: Table) -> bool:
    """Whether it begins with that name, and not with a longer one of the table that begins so, too."""
    named = [name, *(one.name for one in after.characters), *(one.name for one in after.ships)]
    beginning = (one for one in map(spoken, named) if _begins(told.terse, one))
    return max(beginning, key=len, default="") == spoken(name)


def _begins(text: str, name: str) -> bool:
    return text.startswith(name) and not text[len(name) : len(name) + 1].isalnum()


def _goes_without_saying(events: tuple[Event, ...]) -> bool:
    """Whether a success without dice need not be told beside its result."""
    return any(isinstance(event, OutcomeReached) and not event.dice for event in events)


def _weightiest(before: Table, events: tuple[Event, ...], after: Table) -> Narration | None:
    """What the weightiest event of a common decision says; the last of several outcomes: a correction scores anew."""
    weights = [event.weight for event in events if event.weight is not None]
    if not weights:
        return None
    alike = [event for event in events if event.weight == min(weights)]
    added = [event for event in alike if isinstance(event, TraitAdded) and event.at_once > 1]
    if added:
        return told_at_once(added, before, after)
    gone = [spoken(one.name) for one in events if isinstance(one, CharacterRemoved | ShipRemoved)]
    if len(gone) > 1 and isinstance(alike[0], CharacterRemoved | ShipRemoved):
        names = listed(gone) if len(gone) <= MOST_NAMED else str(len(gone))
        return same(say("{names} leave the table.", names=names), NarrationKind.INFO)
    return (alike[-1] if isinstance(alike[-1], OutcomeReached) else alike[0]).told(before, after)


def _after_what_was_left(told: Narration | None, events: tuple[Event, ...]) -> Narration | None:
    """What is told, after what became of the Momentum of a Task whose spending ended to make room for it."""
    speaks = min((one.weight for one in events if one.weight is not None), default=None)
    left = _let_go(events)
    if told is None or not left or speaks == SpendingFinished.weight:
        return told
    return replace(
        told,
        terse=sentences(left, told.terse),
        normal=sentences(left, told.normal),
        full=sentences(left, told.full),
    )


def _let_go(events: tuple[Event, ...]) -> Phrase:
    """What became of the Momentum of the Tasks that ended, and of their Complications."""
    saved = [left_over(one).terse for one in events if isinstance(one, SpendingFinished)]
    return sentences(*saved, *(put_off_words(one) for one in events if isinstance(one, ComplicationsPutOff)))


def _asked_after(told: Narration | None, after: Table) -> Phrase:
    """What is asked next; who throws is not named where what was `told` is of them already."""
    who = after.request.who if after.request is not None else ""
    return asked_words(after, named=told is None or not who or not _is_of(who, told, after))


def asked_words(table: Table, *, named: bool = True) -> Phrase:
    """What a chain asks for next, as a sentence: its dice, or the choice of its step. Empty when it asks nothing.

    `named`: who throws is said.
    """
    if not table.agenda:
        return NOTHING
    if table.request is not None:
        return sentences(
            awaited_words(table.request if named else replace(table.request, who="")), beside_dice_words(table)
        )
    step = table.agenda[0]
    asks = PLAYBOOK.step_rows[step.kind].asks
    return asks(table, step) if asks is not None else NOTHING


def beside_dice_words(table: Table) -> Phrase:
    """What else is to be known of the dice that a chain asks for, such as which of several hits; mostly nothing."""
    step = table.agenda[0] if table.agenda and table.request is not None else None
    beside = PLAYBOOK.step_rows[step.kind].beside if step is not None else None
    return beside(table, step) if step is not None and beside is not None else NOTHING


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
        if isinstance(event, TaskDieCorrected | ChallengeDieCorrected):
            return corrected(event)
    return None


def _together(told: Narration | None, beside: Narration | None) -> Narration | None:
    """Both narrations joined: the second first if the first is only a reason."""
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
