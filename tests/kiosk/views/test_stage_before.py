"""Where the next Task begins by itself with the dice of the one before, the stage still says what those came to."""

from __future__ import annotations

from kiosk.views.stage.before import with_what_was_before
from kiosk.views.stage.now import seen_by, stage
from kiosk.views.stage.values import StageView
from rules.state.tasks import Purchase
from rules.state.vocabulary import Payer, Pool
from rules.tasks.challenge_rolls import CloseChallenge, DeclareChallenge
from rules.tasks.declaring import BuyDie
from rules.tasks.line import LineUp
from rules.tasks.pools import AdjustPool
from rules.tasks.second_throws import CorrectScoredDie
from tests.rules.tabletop import Game


def shown(game: Game) -> StageView:
    return with_what_was_before(stage(game.table, (), ""), game.history)


def lined_up() -> Game:
    """Okafor is next after Brack, who has no Threat to spend."""
    game = Game()
    game.do(AdjustPool(pool=Pool.THREAT, change=-game.table.threat))
    game.declare(game.brack, rerolls=(), difficulty=1)
    game.do(LineUp(declaration=game.declaration(game.okafor).declaration))
    return game


def test_what_ended_as_the_next_began_is_told_until_that_has_its_dice() -> None:
    game = lined_up()
    assert shown(game).before == ""
    game.throw(19, 18)
    assert game.task.who == "Okafor"
    assert shown(game).word == "Throw 2 d20s"
    assert shown(game).before == "Before it: Brack fails with 19 and 18."
    assert seen_by(shown(game), game.table, game.okafor).before == "", "who throws now has the dice in sight"
    assert seen_by(shown(game), game.table, game.lindqvist).before
    game.do(BuyDie(purchase=Purchase(payer=Payer.THREAT)))
    assert shown(game).before == "Before it: Brack fails with 19 and 18.", "it is the same Task"
    game.throw(1, 2, 3)
    assert shown(game).kind == "outcome"
    assert shown(game).before == ""


def test_of_an_opposed_task_who_won_and_the_dice_that_fell_last() -> None:
    """OPP-1."""
    game = lined_up()
    game.throw(19, 18)
    game.throw(1, 2)
    game.declare(game.brack, rerolls=(), opposed=True, difficulty=1)
    game.throw(19, 18)
    reed = game.character("Reed", player_id=game.table.players[0].player_id, values=())
    game.declare(reed, rerolls=(), difficulty=1)
    game.do(LineUp(declaration=game.declaration(game.okafor).declaration))
    game.throw(18, 17)
    assert game.task.who == "Okafor"
    assert shown(game).before == "Before it: neither side wins. Reed threw 18 and 17."


def test_a_task_that_somebody_declares_follows_what_everybody_has_seen() -> None:
    game = lined_up()
    game.throw(19, 18)
    game.throw(1, 2)
    game.declare(game.brack)
    assert shown(game).kind == "ask"
    assert shown(game).before == ""


def test_who_won_is_told_beside_the_dice_of_who_lost() -> None:
    """OPP-1."""
    game = lined_up()
    game.throw(19, 18)
    game.throw(1, 2)
    game.declare(game.brack, rerolls=(), opposed=True, difficulty=1, label="Hold the door")
    game.throw(19, 5)
    reed = game.character("Reed", player_id=game.table.players[0].player_id, values=())
    game.declare(reed, rerolls=(), difficulty=1)
    game.do(LineUp(declaration=game.declaration(game.lindqvist).declaration))
    game.throw(18, 17)
    assert game.task.who == "Lindqvist"
    assert shown(game).before == "Before it: Brack wins. Reed threw 18 and 17."


def test_challenge_dice_are_told_with_their_total_until_the_next_task_has_its_dice() -> None:
    """CD-2."""
    game = Game()
    game.do(DeclareChallenge(count=2, label="Blast"))
    game.do(LineUp(declaration=game.declaration(game.lindqvist).declaration))
    game.throw_challenge(2, 1)
    assert game.task.who == "Lindqvist"
    assert shown(game).before == "Before it: the Challenge Dice show 2 and 1, total 3, no Effect."
    game.do(CorrectScoredDie(position=1, face=6))
    assert shown(game).before == "Before it: the Challenge Dice show 2 and 6, total 3, 1 Effect."
    game.throw(1, 2)
    assert shown(game).before == ""


def test_challenge_dice_that_somebody_was_done_with_are_not_told_again() -> None:
    game = Game(momentum=3)
    game.do(DeclareChallenge(count=2, label="Blast"))
    game.do(LineUp(declaration=game.declaration(game.lindqvist).declaration))
    game.throw_challenge(2, 1)
    game.do(CloseChallenge())
    assert game.task.who == "Lindqvist"
    assert shown(game).before == ""
