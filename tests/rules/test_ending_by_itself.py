"""Spending ends by itself where nothing can be bought, and a misread die can still be put right (docs/declaring.md)."""

from __future__ import annotations

import pytest

from rules.legal.offers import options
from rules.legal.trial import correctable
from rules.setup.setting_up import StartScene
from rules.ships.striking import StrikeShip
from rules.state.tasks import Declaration
from rules.state.vocabulary import Attribute, Discipline, Ruleset, System, TaskPhase
from rules.tasks.challenge_rolls import CloseChallenge, DeclareChallenge
from rules.tasks.line import LineUp
from rules.tasks.second_throws import CorrectScoredDie
from rules.tasks.settling import FinishSpending, TakeComplication
from rules.undo import Undo
from tests.rules.skirmish import Skirmish
from tests.rules.tabletop import Game, challenge_die, reading


def thrown(*faces: int, ruleset: Ruleset = Ruleset.CORE_1E, **declared: object) -> Game:
    """Reed, who has no Value to cite, throws at Difficulty 1 with nothing that lets dice be thrown again."""
    game = Game(ruleset)
    reed = game.character("Reed", player_id=game.table.players[0].player_id, values=())
    game.declare(reed, rerolls=(), **{"difficulty": 1, **declared})
    game.throw(*faces)
    return game


@pytest.mark.parametrize("ruleset", Ruleset)
@pytest.mark.parametrize("faces", [(19, 18), (3, 18)])
def test_a_task_on_which_nothing_can_be_bought_is_over_with_its_dice(ruleset: Ruleset, faces: tuple[int, int]) -> None:
    game = thrown(*faces, ruleset=ruleset)
    assert (game.table.task, game.table.last_task and game.table.last_task.phase) == (None, TaskPhase.CLOSED)
    assert ("Success" in game.last_said.terse) == (faces == (3, 18)), "the outcome is what is said"
    assert not [one for one in options(game.table) if "spend" in one.option_id]
    before = game.history.done[-1].before
    game.do(Undo())
    assert game.table == before, "one undo takes back the throw and its end"


def test_one_that_can_buy_stays_open() -> None:
    """C-62, DET-3, TASK-11: Momentum of the Task or the pool, Determination, a success at a cost."""
    assert thrown(1, 2).task.momentum_left
    saved = Game(momentum=2)
    saved.declare(saved.okafor, rerolls=())
    saved.throw(3, 18)
    assert saved.task.phase is TaskPhase.SPENDING
    inspired = Game()
    inspired.declare(inspired.okafor, rerolls=())
    inspired.throw(19, 18)
    assert inspired.task.phase is TaskPhase.SPENDING
    assert thrown(19, 18, may_succeed_at_cost=True).task.phase is TaskPhase.SPENDING


def test_a_misread_die_of_a_task_that_is_over_is_put_right_and_opens_it_again() -> None:
    game = thrown(3, 18)
    assert correctable(game.table).places == (0, 1)
    game.do(CorrectScoredDie(position=1, face=2))
    assert (game.task.phase, game.task.momentum_left) == (TaskPhase.SPENDING, 1)
    assert [one.die.face for one in game.task.dice] == [3, 2]
    assert game.last_said.terse == "Success, 1 Momentum. Corrected from 18 to 2."
    game.do(FinishSpending())
    assert game.table.momentum == 1
    game.refused(CorrectScoredDie(position=1, face=18), "CD-2")
    assert correctable(game.table).places == ()


def test_one_that_stays_without_anything_to_buy_is_over_again() -> None:
    game = thrown(19, 18)
    game.do(CorrectScoredDie(position=0, face=17))
    assert game.table.task is None
    assert game.table.last_task is not None
    assert [one.die.face for one in game.table.last_task.dice] == [17, 18]


def test_its_complications_are_settled_at_once_and_go_with_a_die_that_was_no_twenty() -> None:
    game = thrown(20, 18)
    assert (game.task.phase, game.task.complications_open) == (TaskPhase.COMPLICATIONS, 1)
    game.do(CorrectScoredDie(position=0, face=2))
    assert game.table.task is None
    assert game.table.last_task is not None
    assert game.table.last_task.outcome is not None
    assert (game.table.last_task.outcome.success, game.table.last_task.complications_open) == (True, 0)
    game = thrown(20, 18)
    game.do(TakeComplication())
    assert correctable(game.table).places == (), "somebody has settled it"
    assert game.refused(CorrectScoredDie(position=0, face=2), "CD-2")


def test_until_the_next_declaration() -> None:
    game = thrown(3, 18)
    game.declare(game.okafor)
    assert correctable(game.table).places == ()
    game.do(Undo())
    assert correctable(game.table).places == (0, 1)
    game.do(StartScene())
    assert correctable(game.table).places == ()


def test_challenge_dice_of_before_hold_nothing_up_and_those_of_after_end_it() -> None:
    game = thrown(3, 18)
    game.do(DeclareChallenge(count=2))
    game.do(reading(challenge_die(1), challenge_die(2)))
    game.do(CloseChallenge())
    assert correctable(game.table).places == (), "they were declared since"
    game.refused(CorrectScoredDie(position=1, face=2), "CD-2")
    game.declare(game.brack, rerolls=(), difficulty=1)
    game.throw(3, 18)
    assert correctable(game.table).places == (0, 1)
    game.do(CorrectScoredDie(position=1, face=2))
    assert game.task.momentum_left == 1


def test_a_hit_that_asks_something_is_settled_before_a_die_is_put_right() -> None:
    game = thrown(3, 18, ruleset=Ruleset.SECOND_EDITION)
    game.do(StrikeShip(ship_id=game.ship, damage=20, reason="a storm", system=System.SENSORS))
    assert game.table.agenda
    assert correctable(game.table).places == ()


def test_the_next_in_line_begins_without_a_tap() -> None:
    game = Game()
    game.declare(game.brack, rerolls=(), difficulty=1)
    waits = Declaration(character_id=game.okafor, attribute=Attribute.CONTROL, discipline=Discipline.CONN)
    game.do(LineUp(declaration=waits))
    game.throw(19, 18)
    assert game.task.declaration.character_id == game.okafor


def test_what_a_fight_is_about_is_left_to_its_owner() -> None:
    """C-61: an action has more to it than its dice."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.declare(game.okafor)
    game.throw(19, 18)
    assert game.task.phase is TaskPhase.SPENDING
