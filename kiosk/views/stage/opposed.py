"""An Opposed Task: its two sides, and which of them won."""

from __future__ import annotations

from msgspec.structs import replace

from kiosk.views.stage.dice import task_die
from kiosk.views.stage.names import known_as, those_said
from kiosk.views.stage.told import (
    beat_of,
    cost_of,
    headline_of,
    lost_by,
    mark_of,
    number_of,
    skills_of,
    who_is_struck,
    why_it_won,
)
from kiosk.views.stage.values import Duel, DuelSide
from rules.game import OpposedWinner, Table, Task, is_foes, other_side, profile, reached, weight_of
from rules.words import Phrase, counted, say


def duel_asked(task: Task, table: Table, lines: tuple[str, ...]) -> Duel | None:
    """The other side's throw beside whoever throws now, with `lines`; None while there is none."""
    other = table.opposed
    if other is None or other.outcome is None:
        return None
    awaited = table.request.count if table.request is not None else 0
    sides = (_duel_side(other, table, lies=True), replace(_duel_side(task, table), awaited=awaited))
    return Duel(sides=sides[::-1] if other.reactive else sides, lines=lines)


def duel_of(task: Task, table: Table, blow: str) -> Duel | None:
    """Both throws of a decided Opposed Task; None of any other. `blow` is the mark of one that strikes somebody.

    It is told as it is for the players where only one side is theirs, else for the winner.
    """
    other = other_side(table, task)
    if other is None or other.outcome is None:
        return None
    won = other if reached(other) else task
    told = next((one for one in (task, other) if not one.npc), won) if task.npc is not other.npc else won
    active, reactive = sorted((task, other), key=lambda one: one.reactive)
    neither = task.opposed_winner is OpposedWinner.NONE
    struck = who_is_struck(task, table) or who_is_struck(other, table)
    reactive_first = profile(table).opposed_reactive_first
    headline: Phrase | str = say("Neither side wins") if neither else headline_of(won, table, good=True)
    shared = won.momentum_left + won.saved + won.lost
    return Duel(
        sides=tuple(_duel_side(one, table, lies=one.reactive is reactive_first) for one in (active, reactive)),
        headline="" if struck else headline,
        about=skills_of(active if neither else won, table),
        number=None if neither or not shared else number_of(won, table, shared),
        lines=those_said(
            say("Neither reaches their Difficulty.") if neither else why_it_won(task, table), lost_by(won)
        ),
        mark=blow if struck else mark_of(told, table, good=reached(told)),
        weight="" if is_foes(told, table) else weight_of(told).value,
        beat=" ".join(beat_of(one) for one in (active, reactive)),
    )


def _duel_side(task: Task, table: Table, *, lies: bool = False) -> DuelSide:
    """A side as it is in the duel."""
    result, decided = task.outcome, task.opposed_winner not in {None, OpposedWinner.NONE}
    return DuelSide(
        name=known_as(table, task.who),
        words=counted(result.successes, "success") if result is not None else "",
        cost=cost_of(task),
        mark=(("npc-won" if is_foes(task, table) else "won") if reached(task) else "lost") if decided else "",
        dice=tuple(task_die(die) for die in task.dice),
        lies=lies,
    )


def winner_of(task: Task, table: Table) -> Phrase:
    """Who won the Opposed Task that this side lost."""
    winner = other_side(table, task)
    if task.opposed_winner is OpposedWinner.NONE or winner is None:
        return say("Neither side wins.")
    if winner.momentum_left:
        return say("{who} wins with {momentum} Momentum.", who=winner.who, momentum=winner.momentum_left)
    return say("{who} wins.", who=winner.who)
