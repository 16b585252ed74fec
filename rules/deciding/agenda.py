"""The steps that a chain has still to take, one after the other, each waiting for its dice or its choice.

A chain (attack, damage, cover, Injury, Breach; the end of a Round) is nothing but this list on the table, so that a
restart finds it as it was, and each step is a decision of its own that can be undone.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.deciding.checks import nothing_awaited
from rules.deciding.decision import Draft, Event
from rules.dice import DieKind, SourceKind
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.conflict import Step
from rules.state.folding import counted_throw
from rules.state.table import Table
from rules.state.tasks import ThrowRequest
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import StepKind, ThrowRole


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowAwaited(Event):
    """The table waits for dice; an earlier request is void."""

    request: ThrowRequest
    next_number: int

    def fold(self, table: Table) -> Table:
        return replace(table, request=self.request, held=None, next_number=self.next_number)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfChain:
    """What an event that a chain goes on from carries: the steps still to take, the one in hand first.

    `steps` is None where the event changes nothing of them, and in older journals, which keep an `AgendaChanged`
    beside it.
    """

    steps: tuple[Step, ...] | None = None

    def fold(self, table: Table) -> Table:
        return table if self.steps is None else replace(table, agenda=self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaChanged(Event):
    """The remaining steps of a chain changed, if no other event says so; the step in hand first."""

    steps: tuple[Step, ...]

    def fold(self, table: Table) -> Table:
        return replace(table, agenda=self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDiceThrown(Event):
    """Dice that a step of a chain asked for (`kind` says which) were taken in."""

    request: int
    kind: StepKind
    who: str
    why: str
    reading_id: str
    source: SourceKind
    thrown: tuple[ThrownDie, ...]

    def fold(self, table: Table) -> Table:
        return counted_throw(table, self.reading_id, self.source, self.thrown)


def front_step(draft: Draft) -> Step | None:
    """The step in hand, None when nothing is left to do."""
    return draft.table.agenda[0] if draft.table.agenda else None


def subject_of(table: Table) -> str | None:
    """The id of whom the step in hand affects; None without a step."""
    return table.agenda[0].subject_id if table.agenda else None


def require_step(draft: Draft, kind: StepKind, rule: str, otherwise: str) -> Step:
    """The step in hand if it is of that kind. Refuses with `rule` and the sentence `otherwise`."""
    step = front_step(draft)
    if step is None or step.kind is not kind:
        raise Refusal(rule, otherwise)
    return step


def with_next(draft: Draft, *steps: Step) -> tuple[Step, ...] | None:
    """The agenda with steps right after the one in hand, for the event that brings them; None where it brings none."""
    agenda = draft.table.agenda
    return (*agenda[:1], *steps, *agenda[1:]) if steps else None


def plan_next(draft: Draft, *steps: Step) -> None:
    """Put steps right after the one in hand, in their order; with nothing in hand the first of them begins."""
    if not steps:
        return
    agenda = draft.table.agenda
    draft.record(AgendaChanged(steps=with_next(draft, *steps) or ()))
    if not agenda:
        _begin(draft)


def plan_last(draft: Draft, *steps: Step) -> None:
    """Put steps behind all others; with nothing in hand the first of them begins."""
    if not steps:
        return
    agenda = draft.table.agenda
    draft.record(AgendaChanged(steps=(*agenda, *steps)))
    if not agenda:
        _begin(draft)


def finish_step(draft: Draft) -> None:
    """Finish the step in hand, and begin the next one."""
    draft.record(AgendaChanged(steps=draft.table.agenda[1:]))
    _begin(draft)


def _begin(draft: Draft) -> None:
    step = front_step(draft)
    if step is not None:
        draft.playbook.step_rows[step.kind].begin(draft, step)


def ask_for_dice(draft: Draft, kind: DieKind, count: int, *, who: str, why: str) -> None:
    """Ask for the dice of the step in hand; with none to throw, it counts none at once."""
    if count < 1:
        _count(draft, ())
        return
    number = draft.table.next_number
    request = ThrowRequest(number=number, role=ThrowRole.STEP, kind=kind, count=count, who=who, why=why)
    draft.record(ThrowAwaited(request=request, next_number=number + 1))


def count_step_dice(draft: Draft, thrown: tuple[ThrownDie, ...], reading_id: str, source: SourceKind) -> None:
    """Count the dice of the step in hand."""
    request = draft.table.request
    step = front_step(draft)
    if request is None or step is None:
        raise Refusal("TASK-3", nothing_awaited(draft.table))
    draft.record(
        StepDiceThrown(
            request=request.number,
            kind=step.kind,
            who=request.who,
            why=request.why,
            reading_id=reading_id,
            source=source,
            thrown=thrown,
        )
    )
    _count(draft, thrown)


def _count(draft: Draft, thrown: tuple[ThrownDie, ...]) -> None:
    step = front_step(draft)
    count = draft.playbook.step_rows[step.kind].count if step is not None else None
    if step is not None and count is not None:
        count(draft, step, thrown)


def require_agenda_done(draft: Draft) -> None:
    """Refuse while a chain waits for dice or a choice."""
    if draft.table.agenda:
        raise Refusal("TASK-10", "Something is still to be settled first; look at what the table waits for.")
