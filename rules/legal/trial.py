"""Tries with `decide`, without doing it, what the rules would accept: a Task to declare, a die to correct.

In: the table, and a declaration. Out: the Task that `decide` would begin with it, the move that lets it, and which of
the dice that count can still be put right.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from rules.deciding.decision import Draft
from rules.errors import Refusal
from rules.legal.offers import UNSAID, Option, offered
from rules.legal.turns import movements
from rules.state.changing import replace
from rules.state.table import Table
from rules.state.tasks import Declaration, Task
from rules.state.thrown import ThrownDie
from rules.table import PLAYBOOK, decide, evolve
from rules.tasks.actions import require_skills
from rules.tasks.challenge_rolls import correctable_roll
from rules.tasks.declaring import DeclareTask
from rules.tasks.events import TaskDeclared
from rules.tasks.second_throws import CorrectScoredDie
from rules.tasks.settling import ended_by_itself


def tried(table: Table, declaration: Declaration) -> Task:
    """The Task that declaring `declaration` would begin: its action's Difficulty, modifiers, help, range, re-rolls.

    Refuses whatever `declare_task` refuses, except that words of an action may be missing yet.
    """
    action = declaration.action
    if action is not None and not action.note.strip():
        declaration = replace(declaration, action=replace(action, note=UNSAID))
    for event in decide(table, DeclareTask(declaration=declaration)):
        if isinstance(event, TaskDeclared):
            return event.task
    raise Refusal("TASK-10", "That begins no Task at this table; choose another action.")


def with_skills(table: Table, declaration: Declaration) -> Declaration:
    """The declaration, if it says with what it is thrown or its action settles that (TASK-1). Refuses any other."""
    require_skills(Draft(table, PLAYBOOK), declaration)
    return declaration


def move_before(table: Table, declaration: Declaration) -> Option | None:
    """The Movement towards its target after which a refused Task is possible (ACT-3); None where none helps."""
    action = declaration.action
    turn = table.conflict.turn if table.conflict is not None else None
    if action is None or not action.target_id or turn is None or turn.combatant_id != declaration.character_id:
        return None
    for one in movements(table, action.target_id):
        move = offered(table, one)
        if move is None:
            continue
        try:
            tried(reduce(evolve, decide(table, move.command), table), declaration)
        except Refusal:
            continue
        return move
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Correctable:
    """The dice that count, and which of them can be put right.

    * `number`, `dice`: the number of the Task or Challenge roll that they are of, 0 without one, and the dice.
    * `who`: whose they are, where both sides of an Opposed Task threw; else empty.
    * `places`: the places of those that can be put right, counted from 0.
    * `why_not`: why the others cannot; empty where all can.
    """

    number: int = 0
    dice: tuple[ThrownDie, ...] = ()
    who: str = ""
    places: tuple[int, ...] = ()
    why_not: str = ""


def correctable(table: Table) -> Correctable:
    """Of the dice of the Task that has just ended by itself, else of the one in hand, else of the Challenge roll.

    A Determination die shows no face to be misread.
    """
    task = ended_by_itself(Draft(table, PLAYBOOK)) or table.task
    number, dice, who = 0, tuple[ThrownDie, ...](), ""
    if task is not None and task.dice:
        number, dice = task.number, tuple(one.die for one in task.dice)
        who = task.who if task.opposed_winner is not None else ""
    elif (roll := correctable_roll(table)) is not None:
        number, dice = roll.number, roll.dice
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
    return Correctable(number=number, dice=dice, who=who, places=tuple(places), why_not=why_not)
