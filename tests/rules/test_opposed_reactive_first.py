"""An Opposed Task whose reactive side throws first: its successes are the active side's Difficulty (C-42, OPP-1)."""

from __future__ import annotations

import pytest

from rules.legal.offers import options
from rules.state.options import TableOptions
from rules.state.vocabulary import OpposedWinner, Payer, RerollReason, Ruleset, TaskPhase
from rules.tasks.challenge_rolls import CloseChallenge, DeclareChallenge
from rules.tasks.declaring import BuyDie, WithdrawTask
from rules.tasks.second_throws import CorrectScoredDie, RerollDice
from rules.tasks.settling import FinishSpending
from rules.tasks.task_dice import ThrowAgainst
from rules.undo import Undo
from tests.rules.tabletop import OKAFOR_VALUE, Game, bought

REACTIVE_FIRST = TableOptions(opposed_reactive_first=True)


@pytest.fixture
def game() -> Game:
    return Game(Ruleset.SECOND_EDITION, momentum=3, options=REACTIVE_FIRST)


def offered(game: Game) -> dict[str, str]:
    return {one.option_id: one.label for one in options(game.table)}


def waiting_for(game: Game) -> str:
    return "" if game.table.request is None else game.table.request.who


def opposed(game: Game, reactive: tuple[int, int], active: tuple[int, int]) -> None:
    game.declare(opposed=True, difficulty=4)
    game.declare(game.brack, difficulty=3)
    game.throw(*reactive)
    game.do(ThrowAgainst())
    game.throw(*active)


def test_the_reactive_side_throws_first_and_the_words_say_so(game: Game) -> None:
    game.declare(opposed=True)
    assert waiting_for(game) == ""
    assert game.task.phase is TaskPhase.AWAITING_OPPOSITION
    assert game.last_said.normal.endswith("Opposed: the other side throws first.")
    game.declare(game.brack)
    assert waiting_for(game) == "Brack"
    assert "Throw 2 d20s." in game.last_said.normal
    game.throw(9, 14)
    assert game.last_said.terse == "2 successes. Okafor throws against Difficulty 2."
    assert offered(game)["throw_against"] == "Okafor throws now"
    game.do(ThrowAgainst())
    assert (waiting_for(game), game.task.who, game.task.difficulty) == ("Okafor", "Okafor", 2)
    assert game.last_said.normal == "Okafor, Difficulty 2. Against Brack: 2 successes. Throw 2 d20s."
    game.throw(9, 14)
    assert game.last_said.terse == "Okafor wins without Momentum."


@pytest.mark.parametrize(
    ("reactive", "active", "winner", "momentum"),
    [
        ((18, 19), (9, 19), OpposedWinner.ACTIVE, 1),
        ((9, 19), (9, 19), OpposedWinner.ACTIVE, 0),
        ((9, 10), (18, 19), OpposedWinner.REACTIVE, 2),
        ((18, 19), (18, 19), OpposedWinner.ACTIVE, 0),
    ],
)
def test_the_margin_is_the_winners_momentum_whatever_difficulty_was_declared(
    game: Game, reactive: tuple[int, int], active: tuple[int, int], winner: OpposedWinner, momentum: int
) -> None:
    opposed(game, reactive, active)
    assert game.task.opposed_winner is winner
    sides = {one.who: one.momentum_left for one in (game.task, game.table.opposed) if one is not None}
    won = "Okafor" if winner is OpposedWinner.ACTIVE else "Brack"
    assert sides[won] == momentum
    assert sum(sides.values()) == momentum


def test_the_winner_spends_and_the_other_side_closes_by_itself(game: Game) -> None:
    opposed(game, (18, 19), (9, 10))
    game.do(FinishSpending())
    assert game.table.task is None
    assert game.table.momentum == 5
    threat = game.table.threat
    opposed(game, (9, 10), (18, 19))
    game.do(FinishSpending())
    assert (game.task.who, game.task.phase, game.task.momentum_left) == ("Brack", TaskPhase.SPENDING, 2)
    game.do(FinishSpending())
    assert (game.table.task, game.table.threat) == (None, threat + 2)


def test_each_side_may_throw_again_while_its_own_dice_are_in_hand(game: Game) -> None:
    game.declare(opposed=True)
    game.declare(game.brack)
    game.throw(18, 19)
    game.do(RerollDice(positions=(0,), reason=RerollReason.AIM))
    game.throw(9)
    assert game.last_said.terse == "1 success. Okafor throws against Difficulty 1."
    game.do(ThrowAgainst())
    game.throw(18, 19)
    winners = [game.task.opposed_winner]
    game.do(RerollDice(positions=(0,), reason=RerollReason.AIM))
    game.throw(9)
    winners.append(game.task.opposed_winner)
    assert winners == [OpposedWinner.REACTIVE, OpposedWinner.ACTIVE]


def test_what_a_settled_side_came_to_stays(game: Game) -> None:
    opposed(game, (9, 10), (18, 19))
    game.do(FinishSpending())
    assert game.task.who == "Brack"
    game.refused(RerollDice(positions=(0,), reason=RerollReason.AIM), "OPP-1")


def test_the_same_holds_where_the_active_side_throws_first() -> None:
    game = Game()
    game.declare(opposed=True)
    game.throw(2, 3)
    game.declare(game.brack)
    game.throw(16, 17)
    game.do(FinishSpending())
    assert game.task.who == "Okafor"
    game.refused(RerollDice(positions=(0,), reason=RerollReason.AIM), "OPP-1")


def test_a_misread_die_of_the_first_side_makes_another_difficulty(game: Game) -> None:
    game.declare(opposed=True)
    game.declare(game.brack)
    game.throw(9, 14)
    game.do(CorrectScoredDie(position=0, face=19))
    game.do(ThrowAgainst())
    assert game.task.difficulty == 1


def test_before_its_dice_the_active_side_may_buy_more_and_be_taken_back(game: Game) -> None:
    game.declare(opposed=True)
    game.do(BuyDie(purchase=bought(Payer.MOMENTUM)[0]))
    assert (game.task.own_dice, game.table.momentum, waiting_for(game)) == (3, 2, "")
    assert "withdraw_task" in offered(game)
    game.do(WithdrawTask())
    assert (game.table.task, game.table.momentum) == (None, 3)


def test_the_reactive_side_may_be_taken_back_and_another_declared(game: Game) -> None:
    game.declare(opposed=True)
    game.declare(game.brack)
    game.do(WithdrawTask())
    assert (game.task.who, game.task.phase) == ("Okafor", TaskPhase.AWAITING_OPPOSITION)
    game.declare(game.lindqvist)
    assert waiting_for(game) == "Lindqvist"


def test_once_the_first_side_has_thrown_nobody_backs_out(game: Game) -> None:
    game.declare(opposed=True)
    game.refused(ThrowAgainst(), "OPP-1")
    game.declare(game.brack)
    game.refused(ThrowAgainst(), "OPP-1")
    game.throw(9, 14)
    game.refused(game.declaration(game.lindqvist), "OPP-1")
    game.do(ThrowAgainst())
    game.refused(WithdrawTask(), "OPP-1")
    game.do(Undo())
    assert (game.task.who, game.task.phase) == ("Brack", TaskPhase.AWAITING_OPPOSITION)


def test_a_determination_die_and_inspiration_work_on_either_side(game: Game) -> None:
    game.declare(opposed=True, purchases=bought(Payer.DETERMINATION), value=OKAFOR_VALUE)
    game.declare(game.brack)
    game.throw(9, 14)
    game.do(ThrowAgainst())
    assert game.table.request is not None
    assert game.table.request.count == 2
    game.throw(18, 19)
    assert game.task.opposed_winner is OpposedWinner.ACTIVE


def test_the_active_side_waits_for_challenge_dice_that_are_asked_for() -> None:
    """C-42, CD-2: another roll under way is thrown or called off first, so that none of its dice gets lost."""
    game = Game(options=TableOptions(opposed_reactive_first=True))
    game.declare(opposed=True)
    game.declare(game.brack)
    game.throw(9, 14)
    game.do(DeclareChallenge(count=1))
    game.refused(ThrowAgainst(), "OPP-1")
    game.do(CloseChallenge())
    game.do(ThrowAgainst())
    assert game.table.request is not None
