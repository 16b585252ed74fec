"""The gamemaster's dial: what the next Task of a player starts from, and a Task in hand takes before its dice."""

from __future__ import annotations

import pytest

from rules.errors import Unchanged
from rules.setup.setting_up import StartScene
from rules.state.options import TableOptions
from rules.state.tasks import Assistance, Declaration, Dial
from rules.state.vocabulary import Attribute, Discipline
from rules.tasks.declaring import CreateProblem, DeclareTask, WithdrawTask
from rules.tasks.dial import SetComplicationRange, SetDifficulty, as_dialled
from rules.tasks.settling import FinishSpending
from rules.undo import Undo
from tests.rules.tabletop import Game


def plain(who: str, difficulty: int = 1, **more: bool) -> Declaration:
    return Declaration(
        character_id=who,
        attribute=Attribute.CONTROL,
        discipline=Discipline.ENGINEERING,
        difficulty=difficulty,
        **more,  # type: ignore[arg-type]  # marks of a declaration
    )


def test_who_declares_starts_from_it_and_the_first_outcome_spends_it() -> None:
    """TASK-2, TASK-7."""
    game = Game()
    game.do(SetDifficulty(difficulty=3, complication_range=2))
    assert game.last_said.normal == "The next Task: Difficulty 3, daunting. Complication on 19 or 20."
    declared = as_dialled(game.table, plain(game.okafor))
    assert (declared.difficulty, declared.complication_range) == (3, 2)
    assert as_dialled(game.table, plain(game.brack)) == plain(game.brack), "the gamemaster's own are free"
    game.do(DeclareTask(declaration=declared))
    assert game.table.dial == Dial(difficulty=3, complication_range=2), "the Task may still be taken back"
    game.do(WithdrawTask())
    game.do(DeclareTask(declaration=as_dialled(game.table, plain(game.okafor))))
    game.throw(19, 3)
    assert game.task.complications_open == 1
    assert as_dialled(game.table, plain(game.okafor)) == plain(game.okafor), "it is spent"
    game.do(SetDifficulty(difficulty=2))
    assert game.task.difficulty == 3, "the dice are thrown"
    game.do(Undo())
    assert game.table.dial is None


def test_a_task_in_hand_takes_it_before_its_dice_with_what_was_added_to_it() -> None:
    """TASK-10, TRAIT-2."""
    game = Game(momentum=2)
    game.do(DeclareTask(declaration=plain(game.okafor)))
    game.do(CreateProblem(steps=1))
    game.do(SetDifficulty(difficulty=4))
    assert (game.task.declaration.difficulty, game.task.difficulty) == (4, 5)
    assert game.last_said.terse == "Okafor's Task: Difficulty 5, epic."
    with pytest.raises(Unchanged):
        game.do(SetDifficulty(difficulty=4))
    assert game.table.dial == Dial(difficulty=4), "it stays set where the Task is taken back"
    game.do(Undo())
    assert game.task.difficulty == 2
    with pytest.raises(Unchanged):
        game.do(SetDifficulty(difficulty=1))


@pytest.mark.parametrize("reactive_first", [False, True])
def test_what_the_other_side_makes_hard_stays(*, reactive_first: bool) -> None:
    """OPP-1, C-42: and an NPC's Task is the gamemaster's to declare as hard as it is."""
    game = Game(options=TableOptions(opposed_reactive_first=reactive_first))
    game.do(DeclareTask(declaration=plain(game.okafor, 2, opposed=True)))
    game.do(SetDifficulty(difficulty=5))
    assert game.task.difficulty == (2 if reactive_first else 5)
    game.do(Undo())
    if reactive_first:
        game.do(DeclareTask(declaration=plain(game.brack)))
        before = game.task
        game.do(SetDifficulty(difficulty=5))
        assert game.task == before


def test_each_dial_leaves_the_other_as_it_is() -> None:
    """TASK-2, TASK-7: two taps that come at once take nothing of each other back."""
    game = Game()
    game.do(SetComplicationRange(complication_range=3))
    assert game.table.dial == Dial(difficulty=1, complication_range=3)
    game.do(SetDifficulty(difficulty=4))
    assert game.table.dial == Dial(difficulty=4, complication_range=3)
    game.do(DeclareTask(declaration=plain(game.okafor, 2)))
    game.do(SetComplicationRange(complication_range=2))
    assert game.table.dial == Dial(difficulty=2, complication_range=2), "the Task in hand is what it is about"
    game.do(SetDifficulty(difficulty=5))
    declared = game.task.declaration
    assert (declared.difficulty, declared.complication_range) == (5, 2)
    game.refused(SetComplicationRange(complication_range=6), "TASK-7")


def test_an_npcs_task_does_not_spend_it_and_a_new_scene_does() -> None:
    game = Game()
    game.do(SetDifficulty(difficulty=0))
    game.do(DeclareTask(declaration=plain(game.brack)))
    game.throw(19, 3)
    game.do(FinishSpending())
    assert game.table.dial == Dial(difficulty=0)
    game.do(StartScene())
    assert game.table.dial is None


def test_it_is_left_to_the_players_again_and_what_no_task_can_have_is_refused() -> None:
    game = Game()
    with pytest.raises(Unchanged):
        game.do(SetDifficulty(difficulty=None))
    game.do(SetDifficulty(difficulty=2))
    game.do(SetDifficulty(difficulty=None))
    assert game.table.dial is None
    assert game.last_said.terse == "The Difficulty of the next Task is open again."
    game.refused(SetDifficulty(difficulty=31), "TASK-2")
    game.refused(SetDifficulty(difficulty=1, complication_range=6), "TASK-7")


def test_what_is_set_while_a_helper_throws_is_for_the_next_task() -> None:
    game = Game()
    helper = Assistance(character_id=game.lindqvist, attribute=Attribute.REASON, discipline=Discipline.SCIENCE)
    game.declare(assists=(helper,))
    game.throw(4, 19)
    assert game.table.request is not None, "the helper's die is awaited"
    game.do(SetDifficulty(difficulty=4))
    assert game.last_said.terse.startswith("The next Task")
    game.throw(9)
    assert as_dialled(game.table, plain(game.okafor)).difficulty == 4
    game.do(FinishSpending())
    game.do(DeclareTask(declaration=as_dialled(game.table, plain(game.okafor))))
    game.throw(1, 1)
    assert game.table.dial is None
