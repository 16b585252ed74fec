"""Where the next Task begins by itself with the dice of the one before, the stage still says what those came to."""

from __future__ import annotations

from kiosk.views.stage import StageView, seen_by, stage, with_what_was_before
from rules.state.tasks import Purchase
from rules.state.vocabulary import Payer, Pool
from rules.tasks.declaring import BuyDie
from rules.tasks.line import LineUp
from rules.tasks.pools import AdjustPool
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
    assert shown(game).before == "Before it: Brack fails: 19 and 18."
    assert seen_by(shown(game), game.table, game.okafor).before == "", "who throws now has the dice in sight"
    assert seen_by(shown(game), game.table, game.lindqvist).before
    game.do(BuyDie(purchase=Purchase(payer=Payer.THREAT)))
    assert shown(game).before == "Before it: Brack fails: 19 and 18.", "it is the same Task"
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
    assert shown(game).before == "Before it: Neither side wins. Reed: 18 and 17."


def test_a_task_that_somebody_declares_follows_what_everybody_has_seen() -> None:
    game = lined_up()
    game.throw(19, 18)
    game.throw(1, 2)
    game.declare(game.brack)
    assert shown(game).kind == "ask"
    assert shown(game).before == ""
