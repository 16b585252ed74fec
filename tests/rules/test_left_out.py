"""Attribute and discipline may be left out of a declaration where its action settles them (TASK-1)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.errors import Refusal
from rules.legal.menu import Dice, MenuEntry, menu
from rules.state.conflict import Action
from rules.state.table import Table
from rules.state.tasks import Declaration, Task
from rules.state.vocabulary import ActionScope, Attribute, Condition, Discipline, Ruleset, System
from rules.table import decide
from rules.tasks.declaring import DeclareTask
from rules.tasks.events import TaskDeclared
from tests.rules.squadron import Squadron
from tests.rules.tabletop import Game
from tests.rules.test_menu_holds import aboard, broken, on_foot, plainly_chosen, suggested


def task_of(table: Table, declaration: Declaration) -> Task | Refusal:
    """The Task that a declaration makes, or what it is refused with."""
    try:
        events = decide(table, DeclareTask(declaration=declaration))
    except Refusal as refusal:
        return refusal
    return next(one.task for one in events if isinstance(one, TaskDeclared))


def is_settled(entry: MenuEntry) -> bool:
    return entry.settled or (len(entry.attributes) == 1 and len(entry.disciplines) == 1)


def settles(table: Table, who: str, entry: MenuEntry) -> int:
    """Hold what is left out against what is suggested, choice by choice; how many choices were taken."""
    taken = 0
    attribute, discipline = suggested(entry)
    for action in plainly_chosen(table, who, entry):
        said = Declaration(character_id=who, attribute=attribute, discipline=discipline, action=action)
        full = task_of(table, said)
        if isinstance(full, Refusal):
            continue
        taken += 1
        left_out = task_of(table, replace(said, attribute=None, discipline=None))
        if is_settled(entry) or not (full.declaration.rolled or entry.dice is Dice.LATER):
            assert left_out == full, entry.name
        else:
            assert isinstance(left_out, Refusal)
            assert left_out.rule == "TASK-1", (entry.name, left_out.message)
            for one in entry.attributes or Attribute:
                assert (one.value in left_out.message) is (len(entry.attributes) != 1), (entry.name, left_out.message)
            half = task_of(table, replace(said, discipline=None))
            assert isinstance(half, Refusal) is (len(entry.disciplines) != 1), entry.name
    return taken


@pytest.mark.parametrize("ruleset", Ruleset)
def test_what_an_action_settles_may_be_left_out(ruleset: Ruleset) -> None:
    """TASK-1: the same Task as with what the menu suggests; where there is a choice, a refusal that lists it."""
    foot, ships = on_foot(ruleset), aboard(ruleset)
    broken(ships, System.SENSORS, Condition.DAMAGED)
    for game, who in ((foot, foot.okafor), (ships, ships.okafor), (ships, ships.raider)):
        tried = (settles(game.table, who, one) for one in menu(game.table, who) if not one.minor and one.possible)
        assert sum(tried) > 8


def test_a_plain_task_says_what_it_is_thrown_with() -> None:
    """TASK-1."""
    game = Game()
    plain = Declaration(character_id=game.okafor, label="Open the hatch")
    both = game.refused(DeclareTask(declaration=plain), "TASK-1")
    assert both == (
        "Say with what: Open the hatch. Choose control, daring, fitness, insight, presence or reason, "
        "with command, conn, security, engineering, science or medicine."
    )
    one = game.refused(DeclareTask(declaration=replace(plain, attribute=Attribute.DARING)), "TASK-1")
    assert one.startswith("Say with which discipline: Open the hatch. Choose command, conn")
    other = game.refused(DeclareTask(declaration=replace(plain, discipline=Discipline.CONN)), "TASK-1")
    assert other.startswith("Say with which attribute: Open the hatch. Choose control, daring")


def test_a_choice_of_two_lists_the_two() -> None:
    """SHIP-8, STN-7."""
    game = Squadron(ruleset=Ruleset.STARTER)
    sweep = Declaration(character_id=game.okafor, action=Action(name="sensor_sweep", scope=ActionScope.BRIDGE))
    said = game.refused(DeclareTask(declaration=sweep), "TASK-1")
    assert said == "Say with which attribute: Sensor Sweep. Choose control or reason."
    game.do(DeclareTask(declaration=replace(sweep, attribute=Attribute.REASON)))
    assert game.task.declaration.skills == (Attribute.REASON, Discipline.SCIENCE)
