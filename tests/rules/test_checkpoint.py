"""A restored history equals the one that was marked, however much was taken back and forth."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from rules import commands as c
from rules.checkpoint import checkpoint, restore
from rules.errors import Refusal
from rules.history import DEPTH, Decision, History, begin, decide, evolve
from rules.messages import Command, name_of
from rules.vocabulary import Pool, Ruleset

STEPS: tuple[Command, ...] = (
    c.AdjustPool(pool=Pool.THREAT, change=1),
    c.AdjustPool(pool=Pool.MOMENTUM, change=1),
    c.AddTrait(name="Fog"),
    c.StartScene(name="Later"),
    c.Undo(),
    c.Undo(),
    c.Redo(),
)


def played(steps: Sequence[Command]) -> tuple[History, dict[int, Decision]]:
    """A table at which `steps` were asked for; what was refused is left out."""
    history, decisions = begin(), dict[int, Decision]()
    for command in (c.SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",)), *steps):
        try:
            events = decide(history, command)
        except Refusal:
            continue
        number = len(decisions) + 1
        decisions[number] = Decision(number=number, by="test", command=name_of(command), events=events)
        history = evolve(history, decisions[number])
    return history, decisions


@given(st.lists(st.sampled_from(STEPS), max_size=40))
def test_restoring_gives_the_same_history(steps: list[Command]) -> None:
    history, decisions = played(steps)
    mark = checkpoint(history)
    assert restore(mark, {number: decisions[number] for number in mark.needed}) == history


def test_what_undo_cannot_reach_is_not_needed() -> None:
    history, decisions = played([c.AdjustPool(pool=Pool.THREAT, change=1)] * (DEPTH + 50) + [c.Undo()] * 20)
    mark = checkpoint(history)
    assert mark.last == len(decisions)
    assert len(mark.needed) == DEPTH
    assert restore(mark, {number: decisions[number] for number in mark.needed}) == history
