"""A Task that the gamemaster asks for: seen by all, declared by its player, ended by any Task of that character."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules import history as past
from rules.deciding.decision import Command
from rules.errors import Refusal
from rules.narrate import narrate
from rules.setup.setting_up import RemoveCharacter
from rules.state.table import Table
from rules.state.vocabulary import Attribute, Discipline
from rules.table import decide, evolve
from rules.tasks.asking import AskForTask, TakeBackAsking
from rules.tasks.declaring import DeclareTask
from rules.undo import Undo
from tests.rules.tabletop import Game


def after(table: Table, command: Command) -> Table:
    for event in decide(table, command):
        table = evolve(table, event)
    return table


@pytest.fixture
def table() -> Table:
    return Game().table


def wanted(table: Table, **changes: Any) -> AskForTask:  # noqa: ANN401 - any field of the command
    asked = AskForTask(
        character_id=table.characters[0].character_id,
        attribute=Attribute.DARING,
        discipline=Discipline.CONN,
        label="Land the shuttle",
        difficulty=3,
    )
    return replace(asked, **changes)


def test_it_is_declared_as_it_was_asked_for_and_then_over(table: Table) -> None:
    asking = after(table, wanted(table))
    (declaration,) = asking.asked
    assert (declaration.attribute, declaration.discipline, declaration.difficulty) == ("daring", "conn", 3)
    declared = after(asking, DeclareTask(declaration=declaration))
    assert declared.task is not None
    assert declared.task.declaration == declaration
    assert declared.asked == ()


def test_the_newest_counts_and_saying_it_twice_changes_nothing(table: Table) -> None:
    asking = after(after(table, wanted(table)), wanted(table, difficulty=1))
    assert [one.difficulty for one in asking.asked] == [1]
    assert decide(asking, wanted(table, difficulty=1)) == ()


def test_it_can_be_taken_back_by_the_gamemaster_and_by_undo(table: Table) -> None:
    asking = after(table, wanted(table))
    assert after(asking, TakeBackAsking(character_id=table.characters[0].character_id)).asked == ()
    with pytest.raises(Refusal, match="is not asked for a Task"):
        decide(table, TakeBackAsking(character_id=table.characters[0].character_id))
    history = past.begin(table)
    commands: tuple[Command, ...] = (wanted(table), Undo())
    for number, command in enumerate(commands, 1):
        events = past.decide(history, command)
        history = past.evolve(history, past.Decision(number=number, by="gamemaster", command="x", events=events))
    assert history.present.asked == ()


def test_whoever_leaves_is_asked_for_nothing(table: Table) -> None:
    asking = after(table, wanted(table))
    assert after(asking, RemoveCharacter(character_id=table.characters[0].character_id)).asked == ()


@pytest.mark.parametrize(
    "changes", [{"difficulty": 31}, {"complication_range": 6}, {"character_id": "nobody"}, {"label": "x" * 500}]
)
def test_what_no_task_can_be_is_not_asked_for(table: Table, changes: dict[str, object]) -> None:
    with pytest.raises(Refusal):
        decide(table, wanted(table, **changes))


def test_it_is_told_with_all_that_a_player_needs(table: Table) -> None:
    events = decide(table, wanted(table))
    told = narrate(table, events, evolve(table, events[0]))
    assert told is not None
    assert told.terse.endswith("is asked for a Task.")
    assert told.normal.endswith("Daring and Conn, Difficulty 3.")
    assert told.full.endswith("Land the shuttle.")
