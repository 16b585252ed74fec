"""Which of the dice that count can still be put right, asked of `decide` as options are."""

from __future__ import annotations

from dataclasses import dataclass

from rules.errors import Refusal
from rules.state.table import Table
from rules.table import decide
from rules.tasks.second_throws import CorrectScoredDie


@dataclass(frozen=True, slots=True, kw_only=True)
class Correctable:
    """The places of the dice that can be put right, counted from 0, and why the others cannot: empty where all can."""

    places: tuple[int, ...] = ()
    why_not: str = ""


def correctable(table: Table) -> Correctable:
    """Of the dice of the Task in hand, else of the Challenge roll. A Determination die shows no face to be misread."""
    task, roll = table.task, table.challenge
    dice = [one.die for one in task.dice] if task is not None else list(roll.dice) if roll is not None else []
    places, why_not = [], ""
    for place, die in enumerate(dice):
        if die.fixed:
            continue
        try:
            decide(table, CorrectScoredDie(position=place, face=1))
        except Refusal as refused:
            why_not = refused.message
        else:
            places.append(place)
    return Correctable(places=tuple(places), why_not=why_not)
