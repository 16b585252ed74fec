"""The dice of Work on an Extended Task are the table's dice, with what they came to beside them (EXT-T1, EXT-T2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kiosk.views.stage.before import with_what_was_before
from kiosk.views.stage.now import beside_what_was_told, stage, with_photographs
from kiosk.views.stage.recent import recent_outcomes
from kiosk.views.stage.values import StageFact, StageView, Telling
from rules.deciding.telling import Narration
from rules.dice import Symbol
from rules.state.conflict import Action
from rules.state.tasks import Declaration
from rules.state.vocabulary import Attribute, Discipline, Ruleset
from rules.tasks.declaring import DeclareTask
from rules.tasks.dial import SetDifficulty
from rules.tasks.extended import BeginExtendedTask, EndExtendedTask
from rules.tasks.line import LineUp
from rules.tasks.settling import FinishSpending
from rules.undo import Redo, Undo
from tests.rules.tabletop import Game

BLANK, EFFECT = Symbol.BLANK, Symbol.EFFECT


def at_work(ruleset: Ruleset = Ruleset.CORE_1E, **changes: Any) -> Game:  # noqa: ANN401 - those of `BeginExtendedTask`
    """Okafor has succeeded on "Hold the core", and the spending is over."""
    game = Game(ruleset)
    magnitude = 3 if ruleset is Ruleset.CORE_1E else 0
    begun = BeginExtendedTask(label="Hold the core", work=8, magnitude=magnitude, resistance=2, difficulty=2)
    game.do(replace(begun, **changes))
    declare(game)
    game.throw(1, 1)
    game.do(FinishSpending())
    return game


def declare(game: Game) -> None:
    game.declare(action=Action(name="extended", target_id=game.table.extended[0].track_id))


def seen(game: Game) -> StageView:
    return with_what_was_before(stage(game.table, (), ""), game.history)


def telling(game: Game) -> Telling:
    found = seen(game).telling
    assert found is not None
    return found


def said(game: Game) -> Narration:
    return game.last_said


def test_the_dice_of_the_work_stand_in_the_place_of_those_that_succeeded() -> None:
    game = at_work()
    game.throw_challenge(2, 2, 2, EFFECT, BLANK, BLANK)
    shown = seen(game)
    assert shown.kind == "outcome"
    assert [(one.shape, one.face, str(one.words)) for one in shown.dice] == [
        *[("challenge", "2", "2 points")] * 3,
        ("challenge", "effect", "Effect, 1 point"),
        *[("challenge", "blank", "blank")] * 2,
    ]
    assert {one.photograph for one in shown.dice} == {"p"}
    assert {one.photograph for one in with_photographs(shown, lambda _: False).dice} == {None}
    assert shown.counts == (2, 4, 6, 7, 7, 7)


def test_what_they_came_to_is_told_with_what_resistance_and_effects_made_of_it() -> None:
    game = at_work()
    game.throw_challenge(2, 2, 2, EFFECT, BLANK, BLANK)
    told = telling(game)
    assert str(told.headline) == "Hold the core: Okafor gets 5 Work and 1 Breakthrough"
    assert told.number == StageFact("Work", "5 of 8")
    assert [str(one) for one in told.lines] == [
        "The dice came to 7 with 1 Effect, less Resistance 2.",
        "Breakthroughs: 1 of 3.",
        "The next Task on it has Difficulty 1.",
    ]
    assert str(said(game).normal).startswith(
        "5 Work and 1 Breakthrough. The dice came to 7 with 1 Effect, less Resistance 2. Hold the"
    )


def test_no_next_task_is_told_of_once_the_extended_one_was_given_up() -> None:
    game = at_work()
    game.throw_challenge(2, 2, 2, EFFECT, BLANK, BLANK)
    game.do(EndExtendedTask(track_id=game.table.extended[0].track_id))
    assert [str(one) for one in telling(game).lines][1:] == ["Breakthroughs: 1 of 3."]


def test_nothing_is_said_of_resistance_that_was_not_met_and_effects_that_were_not_thrown() -> None:
    game = at_work(resistance=0)
    game.throw_challenge(2, 1, BLANK, BLANK, BLANK, BLANK)
    assert str(telling(game).headline) == "Hold the core: Okafor gets 3 Work"
    assert [str(one) for one in telling(game).lines] == ["Breakthroughs: 0 of 3."]
    assert str(said(game).normal) == "3 Work. Hold the core has 3 of 8 Work, 0 of 3 Breakthroughs."
    game = at_work(resistance=0)
    game.throw_challenge(EFFECT, EFFECT, BLANK, BLANK, BLANK, BLANK)
    assert [str(one) for one in telling(game).lines] == ["The dice came to 2 with 2 Effects.", "Breakthroughs: 0 of 3."]


def test_work_that_resistance_takes_whole_is_told_too() -> None:
    game = at_work()
    game.throw_challenge(1, BLANK, BLANK, BLANK, BLANK, BLANK)
    assert str(telling(game).headline) == "Hold the core: Okafor gets no Work done"
    assert [str(one) for one in telling(game).lines] == [
        "The dice came to 1, less Resistance 2.",
        "Breakthroughs: 0 of 3.",
    ]


def test_the_last_breakthrough_says_that_it_is_finished() -> None:
    game = at_work(magnitude=1)
    game.throw_challenge(2, 2, 2, 1, BLANK, BLANK)
    assert not game.table.extended
    told = telling(game)
    assert (str(told.headline), str(told.banner)) == ("Hold the core is finished", "Finished!")
    assert seen(game).weight == "triumph", "the end of a long work is told across the room"
    assert [str(one) for one in told.lines] == [
        "Okafor gets 5 Work and 1 Breakthrough",
        "The dice came to 7, less Resistance 2.",
        "Breakthroughs: 1 of 1.",
    ]
    assert len(seen(game).dice) == 6


def test_a_phone_tells_it_once_and_after_undo_and_redo_again() -> None:
    game = at_work()
    game.throw_challenge(2, 2, 2, EFFECT, BLANK, BLANK)
    assert beside_what_was_told(seen(game), game.table, said(game)).says_all
    game.do(Undo())
    game.do(Redo())
    assert "5 Work and 1 Breakthrough." in said(game).normal


def test_undo_takes_them_off() -> None:
    game = at_work()
    before = seen(game)
    game.throw_challenge(2, 2, 2, 1, BLANK, BLANK)
    game.do(Undo())
    assert seen(game) == before
    assert not seen(game).dice
    game.do(Undo())
    assert [one.shape for one in seen(game).dice] == ["d20"] * 2


def test_their_throw_is_one_of_its_own() -> None:
    """So the screen shows how they come, and the bell of a Triumph rings once."""
    game = at_work()
    game.do(Undo())
    succeeded = seen(game)
    game.do(FinishSpending())
    game.throw_challenge(2, 2, 2, 1, BLANK, BLANK)
    assert succeeded.weight == "triumph"
    assert (seen(game).weight, seen(game).mark) == ("success", "success")
    assert seen(game).beat not in {"", succeeded.beat}


def test_progress_is_told_beside_the_dice_that_made_it() -> None:
    """EXT-T2: no Challenge Dice are thrown."""
    game = at_work(Ruleset.SECOND_EDITION)
    assert [one.shape for one in seen(game).dice] == ["d20"] * 2
    assert str(telling(game).headline) == "Hold the core: Okafor gets 2 Progress"
    assert telling(game).number == StageFact("Progress", "2 of 8")
    assert [str(one) for one in telling(game).lines] == ["The success brought 4, less Resistance 2."]
    game = at_work(Ruleset.SECOND_EDITION, resistance=4)
    assert [str(one) for one in telling(game).lines] == ["The success brought 4, less Resistance 4, but 1 at least."]


def test_they_stay_where_the_gamemaster_has_set_the_next_task() -> None:
    game = at_work()
    game.do(SetDifficulty(difficulty=4))
    game.throw_challenge(2, 2, 2, 1, BLANK, BLANK)
    assert len(seen(game).dice) == 6
    assert any("Difficulty 4" in str(one) for one in seen(game).next)


def test_progress_leaves_the_place_to_what_the_gamemaster_has_set_for_the_next_task() -> None:
    game = at_work(Ruleset.SECOND_EDITION)
    game.do(SetDifficulty(difficulty=4))
    facts = [(one.name, one.value) for one in seen(game).facts]
    assert facts == [("Difficulty of the next Task", "4"), ("Hold the core", "2 of 8")], "and how far it is stays"
    assert not seen(game).dice


def test_the_next_task_that_begins_in_the_same_moment_says_what_they_came_to() -> None:
    game = at_work()
    game.do(LineUp(declaration=next_task(game)))
    game.throw_challenge(2, 2, 2, EFFECT, BLANK, BLANK)
    assert seen(game).kind == "ask"
    assert str(seen(game).before) == (
        "Before it: Okafor gets 5 Work and 1 Breakthrough with 2, 2, 2, effect, blank and blank."
    )
    game = at_work()
    game.throw_challenge(2, 2, 2, EFFECT, BLANK, BLANK)
    game.do(DeclareTask(declaration=next_task(game)))
    assert seen(game).before == "", "they were seen"


def next_task(game: Game) -> Declaration:
    return Declaration(
        character_id=game.lindqvist, attribute=Attribute.CONTROL, discipline=Discipline.SCIENCE, difficulty=1
    )


def test_the_last_outcomes_name_the_work() -> None:
    game = at_work()
    game.throw_challenge(2, 2, 2, EFFECT, BLANK, BLANK)
    assert [str(one.headline) for one in recent_outcomes(game.history)] == [
        "Hold the core: Okafor gets 5 Work and 1 Breakthrough"
    ]


def test_work_that_waits_names_the_difficulty_as_it_is_by_then() -> None:
    game = at_work()
    waits = replace(next_task(game), action=Action(name="extended", target_id=game.table.extended[0].track_id))
    game.do(Undo())
    game.do(LineUp(declaration=replace(waits, difficulty=2)))
    assert [str(one) for one in seen(game).next] == ["Lindqvist, Control + Science, Difficulty 2: Hold the core"]
    game.do(FinishSpending())
    game.throw_challenge(2, 2, 2, 1, BLANK, BLANK)
    assert game.task.difficulty == 1
    assert [(one.name, one.value) for one in seen(game).facts][-1] == ("Difficulty", "1")


def test_while_another_outcome_stands_there_how_far_the_work_is_comes_next() -> None:
    game = at_work()
    game.throw_challenge(2, 2, 2, 1, BLANK, BLANK)
    game.declare(game.lindqvist)
    game.throw(1, 4)
    game.do(FinishSpending())
    assert seen(game).kind == "outcome"
    assert [str(one) for one in seen(game).next] == ["Hold the core: Work 5 of 8"]


def test_work_that_waits_for_another_is_as_hard_as_the_track_is_now() -> None:
    game = at_work()
    game.throw_challenge(2, 2, 2, 1, BLANK, BLANK)
    work = Action(name="extended", target_id=game.table.extended[0].track_id)
    game.declare(difficulty=1)
    game.do(LineUp(declaration=replace(next_task(game), action=work, difficulty=2)))
    assert [str(one) for one in seen(game).next] == ["Lindqvist, Control + Science, Difficulty 1: Hold the core"]
