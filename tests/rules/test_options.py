from __future__ import annotations

import pytest

from rules.deciding.candidate import Role
from rules.dice import DieState, Guess
from rules.legal.offers import Option, Price, options
from rules.state.table import Table
from rules.state.vocabulary import Payer, RerollReason, Ruleset
from rules.tasks.challenge_rolls import DeclareChallenge
from rules.tasks.declaring import BuyDie
from rules.tasks.second_throws import RerollDice
from rules.tasks.settling import FinishSpending
from rules.undo import Undo
from tests.rules.tabletop import OKAFOR_VALUE, Game, bought, die, reading


def offered(game: Game) -> dict[str, Option]:
    return {one.option_id: one for one in options(game.table)}


def test_an_empty_table_offers_nothing() -> None:
    assert options(Table()) == ()


def test_before_the_dice_every_way_to_buy_one_is_priced() -> None:
    game = Game(momentum=2)
    game.declare(purchases=bought(Payer.TALENT))
    choices = offered(game)
    assert choices["buy_die:momentum"].price == Price(momentum=1, threat_allowed=True)
    assert choices["buy_die:threat"].price == Price(threat=1)
    assert choices["buy_die:talent"].price == Price()
    assert "buy_die:determination:0" not in choices
    assert choices["create_problem:threat"].price == Price(threat=2, threat_spent=True)
    assert choices["create_problem:threat"].role is Role.GAMEMASTER
    assert "withdraw_task" in choices


def test_a_determination_die_is_offered_with_each_value_that_may_be_cited() -> None:
    game = Game(Ruleset.STARTER)
    game.declare()
    choice = offered(game)["buy_die:determination:0"]
    assert choice.command == BuyDie(purchase=bought(Payer.DETERMINATION)[0], value=OKAFOR_VALUE)
    assert choice.price == Price(determination=1)


def test_what_nobody_can_pay_is_not_offered() -> None:
    game = Game()
    game.declare(game.brack, purchases=bought(Payer.THREAT, Payer.THREAT))
    assert not [name for name in offered(game) if name.startswith("buy_die:") and "talent" not in name]


def test_after_the_dice_spends_and_rerolls_are_offered() -> None:
    game = Game(momentum=1)
    game.declare()
    game.throw(2, 3)
    choices = offered(game)
    assert choices["make_spend:create_advantage:momentum"].price == Price(momentum=2)
    assert not choices["make_spend:create_advantage:momentum"].repeatable
    assert choices["make_spend:create_advantage:momentum"].asks_for == "note"
    assert choices["finish_spending"].label == "Done: save 1 Momentum"
    assert choices["reroll_dice:inspiration:0"].price == Price(determination=1)
    assert choices["reroll_dice:aim:1"].command == RerollDice(positions=(1,), reason=RerollReason.AIM)
    assert "reroll_dice:ship_system:0" not in choices
    assert "succeed_at_cost" not in choices
    game.do(choices["make_spend:create_advantage:momentum"].worded("High ground"))
    assert not [name for name in offered(game) if name.startswith(("reroll", "make_spend:create_advantage"))]


def test_complications_are_offered_to_be_taken_or_bought_off() -> None:
    game = Game()
    game.declare()
    game.throw(2, 20)
    game.do(FinishSpending())
    choices = offered(game)
    assert choices["buy_off_complication"].price == Price(threat=2)
    assert choices["take_complication"].price == Price()
    assert offered(game).keys() == {
        "take_complication",
        "buy_off_complication",
        "challenge_value:0",
        "surge_of_activity:0",
    }


def test_a_held_throw_offers_its_answers() -> None:
    game = Game()
    game.declare()
    guesses = (Guess(face=6, chance=0.6), Guess(face=9, chance=0.4))
    game.do(reading(die(4), die(None, state=DieState.DOUBTFUL, guesses=guesses), die(7)))
    names = set(offered(game))
    assert {"correct_die:1:6", "correct_die:1:9", "drop_die:0", "drop_die:1", "drop_die:2", "dismiss_throw"} <= names


def test_dice_that_look_like_those_that_stay_can_be_counted_by_one_choice() -> None:
    game = Game()
    game.declare()
    game.throw(4, 19)
    game.do(RerollDice(positions=(1,), reason=RerollReason.AIM))
    game.throw(4)
    game.do(offered(game)["count_as_new"].command)
    assert [one.die.face for one in game.task.dice] == [4, 4]


def test_free_rolls_are_offered_while_dice_are_awaited() -> None:
    game = Game()
    game.throw(4, 9)
    assert options(game.table) == ()
    game.declare()
    number = game.table.free_rolls[0].number
    assert offered(game)[f"attach_free_roll:{number}"].label == "Count the free roll 4, 9"


def test_challenge_dice_offer_their_reroll_while_it_can_be_paid() -> None:
    for momentum in (0, 1):
        game = Game(momentum=momentum)
        game.do(DeclareChallenge(count=2))
        assert offered(game)["close_challenge"].label == "Call the Challenge roll off"
        game.throw_challenge(1, 2)
        assert ("reroll_challenge" in offered(game)) == bool(momentum)


def test_an_npcs_choices_are_the_gamemasters() -> None:
    game = Game()
    game.declare(game.brack)
    assert {one.role for one in options(game.table) if not one.option_id.startswith("create_problem")} == {
        Role.GAMEMASTER
    }


@pytest.mark.parametrize("ruleset", Ruleset)
def test_the_price_told_is_the_price_paid(ruleset: Ruleset) -> None:
    game = Game(ruleset, momentum=5)
    game.declare()
    game.throw(2, 3)
    for one in options(game.table):
        game.do(one.worded())
        game.do(Undo())
        assert game.history.undone[-1].before == game.table
        after = game.history.undone[-1].after
        if one.price.threat:
            assert after.threat - game.table.threat == one.price.threat
        if one.price.determination:
            assert after.characters[0].determination == game.table.characters[0].determination - 1
