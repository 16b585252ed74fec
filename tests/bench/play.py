"""The Task that the benchmarks play over and over, as commands worked out from the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rules.deciding.decision import Command, name_of
from rules.history import Decision, History, begin, decide, evolve
from rules.setup.setting_up import SaveCharacter, SetUpTable
from rules.state.people import Attributes, Disciplines
from rules.state.table import Table
from rules.state.tasks import Declaration, Purchase
from rules.state.vocabulary import Attribute, Discipline, Payer, Ruleset
from rules.tasks.declaring import DeclareTask
from rules.tasks.settling import FinishSpending
from rules.tasks.throwing import EnterDice

SETTING_UP: Final[tuple[Command, ...]] = (
    SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada", "Ben", "Cleo", "Dan")),
    SaveCharacter(
        name="Ada Lindqvist",
        attributes=Attributes(control=11, daring=9, fitness=8, insight=9, presence=8, reason=10),
        disciplines=Disciplines(command=2, conn=2, security=3, engineering=4, science=3, medicine=1),
    ),
)
Step = Callable[[Table], Command]


def decided(history: History, command: Command, number: int) -> tuple[History, Decision]:
    """One decision, as the engine takes it."""
    decision = Decision(number=number, by="bench", command=name_of(command), events=decide(history, command))
    return evolve(history, decision), decision


def set_up() -> tuple[History, tuple[Decision, ...]]:
    """A table with one character, and the decisions that led there."""
    history, decisions = begin(), []
    for number, command in enumerate(SETTING_UP, start=1):
        history, decision = decided(history, command, number)
        decisions.append(decision)
    return history, tuple(decisions)


def _declare(table: Table) -> Command:
    return DeclareTask(
        declaration=Declaration(
            character_id=table.characters[0].character_id,
            attribute=Attribute.CONTROL,
            discipline=Discipline.ENGINEERING,
            focus=True,
            difficulty=2,
            purchases=(Purchase(payer=Payer.THREAT),),
        )
    )


def _throw(table: Table) -> Command:
    assert table.request is not None
    return EnterDice(request=table.request.number, faces=(1, 4, 13))


TASK: Final[tuple[Step, ...]] = (_declare, _throw, lambda _: FinishSpending())
"""Declare with a bought die, throw it, save the Momentum."""
