from __future__ import annotations

import pytest

from rules.deciding.decision import name_of
from rules.deciding.telling import NarrationKind
from rules.dice import Symbol
from rules.messages import COMMANDS, EVENTS
from rules.narrate import narrate
from rules.state.table import Table
from rules.state.tasks import Assistance, Modifier
from rules.state.vocabulary import Attribute, Discipline, Payer, Pool, RerollReason, Spend
from rules.tasks.challenge_rolls import DeclareChallenge
from rules.tasks.declaring import BuyDie, DeclareTask, WithdrawTask
from rules.tasks.pools import AdjustPool
from rules.tasks.second_throws import RerollDice
from rules.tasks.settling import FinishSpending, MakeSpend
from rules.undo import Undo, command_words
from rules.words import counted, listed, signless, spoken
from tests.rules.tabletop import OKAFOR_VALUE, Game, bought


def test_an_outcome_is_said_outcome_first_in_three_lengths() -> None:
    game = Game()
    game.declare(focus=True, label="Fix the relay")
    game.throw(3, 20)
    said = game.last_said
    assert said.kind is NarrationKind.OUTCOME
    assert said.terse == "Success, 1 Momentum, 1 Complication."
    assert said.normal == "Success. 2 successes against Difficulty 1. 1 Momentum. 1 Complication."
    assert said.full == (
        f"{said.normal} Okafor, Fix the relay, Target Number 15. 3 counts twice; 20 misses and brings a Complication."
    )


def test_a_failure_is_said_plainly() -> None:
    game = Game()
    game.declare(difficulty=2)
    game.throw(14, 19)
    assert game.last_said.terse == "Failure."
    assert game.last_said.normal == "Failure. 1 success against Difficulty 2."
    assert "14 counts once and 19 misses." in game.last_said.full


def test_a_declaration_says_what_to_throw() -> None:
    game = Game()
    game.declare(
        focus=True,
        purchases=bought(Payer.DETERMINATION, Payer.TALENT),
        value=OKAFOR_VALUE,
        modifiers=(Modifier(reason="Map", change=-1),),
        complication_range=2,
    )
    said = game.last_said
    assert said.kind is NarrationKind.DECLARED
    assert said.terse == "Okafor, Difficulty 0. Okafor, Determination 0."
    assert "Target Number 15, 4 or less counts twice. Throw 3 d20s." in said.normal
    assert said.normal.count("Okafor throws") == 0, "whose it is was said first"
    assert "Map minus 1" in said.full
    assert "a Determination die counts twice" in said.full
    assert "Complications from 19 up" in said.full


def test_the_next_throw_is_announced() -> None:
    game = Game()
    helper = Assistance(character_id=game.lindqvist, attribute=Attribute.REASON, discipline=Discipline.SCIENCE)
    game.declare(assists=(helper,))
    game.throw(2, 19)
    assert game.last_said.normal == "1 success so far. Lindqvist throws 1 d20, Target Number 15."
    game.throw(2)
    game.do(RerollDice(positions=(1,), reason=RerollReason.AIM))
    assert game.last_said.normal == "Okafor throws 1 d20 again. In place of 19."


def test_a_question_is_urgent() -> None:
    game = Game()
    game.declare()
    game.throw(2)
    assert game.last_said.kind is NarrationKind.QUESTION
    assert game.last_said.urgent
    assert game.last_said.terse.startswith("1 d20 under the camera, 2 expected.")


def test_an_opposed_task_names_its_winner() -> None:
    game = Game()
    game.declare(opposed=True)
    game.throw(2, 3)
    assert game.last_said.terse == "2 successes. The other side throws against it."
    game.declare(game.brack)
    game.throw(16, 17)
    assert game.last_said.terse == "Okafor wins with 1 Momentum."


def test_spending_and_saving_are_said() -> None:
    game = Game(momentum=6)
    game.declare(focus=True)
    game.throw(2, 3)
    game.do(MakeSpend(spend=Spend.OBTAIN_INFORMATION, times=2))
    assert game.last_said.terse == "Obtain Information, 2 times. 1 Momentum of this Task left."
    game.do(FinishSpending())
    assert game.last_said.terse == "1 Momentum lost above 6."


def test_challenge_dice_are_said_with_total_and_effects() -> None:
    game = Game()
    game.do(DeclareChallenge(count=2, who="Okafor"))
    assert game.last_said.terse == "Okafor throws 2 Challenge Dice."
    game.throw_challenge(Symbol.EFFECT, Symbol.BLANK)
    assert game.last_said.full == "Total 1. 1 Effect. The dice show effect and blank."


def test_a_pool_that_falls_says_by_how_much() -> None:
    game = Game(momentum=3)
    game.do(AdjustPool(pool=Pool.MOMENTUM, change=-2))
    assert game.last_said.normal == "Momentum falls by 2, to 1."


def test_undo_says_what_is_awaited_again() -> None:
    game = Game()
    game.declare()
    game.throw(2, 3)
    game.do(Undo())
    assert game.last_said.normal == "Taken back: the dice that were read. Okafor throws 2 d20s."


def test_nothing_happened_is_nothing_said() -> None:
    assert narrate(Table(), (), Table()) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<script>alert(1)</script>", "script alert 1 script"),
        ("Jean-Luc", "Jean-Luc"),
        ("- a - b-", "a b"),
        ("O'Brien", "O'Brien"),
        ("  tab\there ", "tab here"),
        ("€#!", "!"),
    ],
)
def test_typed_text_is_said_without_its_symbols(text: str, words: str) -> None:
    assert spoken(text) == words


def test_counts_are_words() -> None:
    assert [counted(number, "success") for number in (0, 1, 2)] == [
        "0 successes",
        "1 success",
        "2 successes",
    ]
    assert (signless(-3), signless(3)) == ("minus 3", "3")
    assert [listed(one) for one in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]


def test_every_command_has_words_and_every_message_its_name() -> None:
    assert COMMANDS["declare_task"] is DeclareTask
    assert name_of(BuyDie) == "buy_die"
    assert all("_" not in command_words(name) for name in COMMANDS)
    plain = {"undo", "redo"}  # neither can be undone itself
    assert {name for name in COMMANDS if command_words(name) == name.replace("_", " ")} == plain
    assert all(name == name_of(kind) for name, kind in EVENTS.items())


def test_an_opposed_outcome_tells_only_the_momentum_that_stands() -> None:
    game = Game()
    game.declare(opposed=True)
    game.throw(1, 14)
    game.declare(game.brack, difficulty=0)
    game.throw(9, 19)
    assert "Okafor wins with 1 Momentum." in game.last_said.terse
    assert game.last_said.normal.count("Momentum") == 1


def test_a_tie_is_won_without_momentum() -> None:
    game = Game()
    game.declare(opposed=True)
    game.throw(9, 14)
    game.declare(game.brack)
    game.throw(9, 14)
    assert game.last_said.terse == "Okafor wins without Momentum."


def test_what_a_die_does_is_kept_apart_from_the_next_die() -> None:
    game = Game()
    game.declare(difficulty=0)
    game.throw(20, 9)
    assert "20 misses and brings a Complication; 9 counts once." in game.last_said.full


def test_a_task_that_cost_nothing_returns_nothing() -> None:
    game = Game()
    game.declare()
    game.do(WithdrawTask())
    assert "cost" not in game.last_said.full
    game.declare(purchases=bought(Payer.THREAT))
    game.do(WithdrawTask())
    assert "What it cost comes back." in game.last_said.normal
