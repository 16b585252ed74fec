"""How it is told what a decision cost: which pool changed by how much, and where it stands now.

Whatever was decided, each change of Momentum, Threat or Determination is said in all three lengths, so that nobody has
to look at the pools to know who paid. Power, Stress and what else a ship or a body has are told by events of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from rules import events as e
from rules.messages import Event
from rules.narrating.telling import NOTHING, Narration, NarrationKind, pools_words
from rules.phrases import Phrase, say, sentences
from rules.state import Table
from rules.wording import spoken

_Change: TypeAlias = tuple[Phrase, Phrase]
"""Where something stands now, and by how much it changed to that."""

_SET_ANEW: Final = (e.TableSetUp, e.OptionsChanged)
"""What sets all that people pay with anew: no price."""


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
    saved = any(isinstance(event, e.SpendingFinished) for event in events)  # what was saved is told, and how much
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
        if not isinstance(event, e.MomentumSpent) or not event.spend.from_generated:
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
    if not any(isinstance(event, e.DecisionUndone | e.DecisionRedone) for event in events):
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
        name, points = spoken(one.name), one.determination
        stands = say("{name}, Determination {after}.", name=name, after=points)
        if change < 0:  # paid, put right, taken back or above a new maximum
            yield (
                stands,
                say("{name}'s Determination falls by {change}, to {points}.", name=name, change=-change, points=points),
            )
        elif change > 0:
            yield (
                stands,
                say("{name}'s Determination rises by {change}, to {points}.", name=name, change=change, points=points),
            )
