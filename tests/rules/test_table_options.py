"""The disputed points that a table settles for itself can be settled anew on any evening (RULES section 19)."""

from __future__ import annotations

import pytest

from rules.conflict.bodies import AdjustStress
from rules.deciding.decision import name_of
from rules.errors import Refusal
from rules.setup.setting_up import StartScene, StartSession
from rules.setup.table_options import ChangeOptions
from rules.state.options import TableOptions
from rules.state.table import Table
from rules.state.vocabulary import Payer, Ruleset
from rules.table import decide
from rules.tasks.challenge_rolls import CloseChallenge, DeclareChallenge
from rules.tasks.declaring import WithdrawTask
from rules.tasks.settling import FinishSpending
from rules.undo import Redo, Undo, command_words
from tests.rules.tabletop import Game, bought

DEARER = TableOptions(bonus_price_counts_all=True)


def change(**options: object) -> ChangeOptions:
    return ChangeOptions(options=TableOptions(**options))  # type: ignore[arg-type]  # whatever an option takes


def price_after_a_talent_die(game: Game) -> int:
    before = game.table.momentum
    game.declare(purchases=bought(Payer.TALENT, Payer.MOMENTUM))
    return before - game.table.momentum


def test_the_next_roll_is_played_by_the_new_options() -> None:
    game = Game(momentum=6)
    assert price_after_a_talent_die(game) == 1
    game.do(WithdrawTask())
    game.do(ChangeOptions(options=DEARER))
    assert price_after_a_talent_die(game) == 2


def test_it_is_taken_back_and_brought_back_like_any_decision() -> None:
    game = Game()
    game.do(ChangeOptions(options=DEARER))
    game.do(Undo())
    assert game.table.options == TableOptions()
    game.do(Redo())
    assert game.table.options == DEARER
    assert command_words(name_of(ChangeOptions)) == "the change of the table's rules"


def test_every_option_is_given_so_that_one_can_be_left_to_the_ruleset_again() -> None:
    game = Game(options=DEARER)
    game.do(change())
    assert game.table.options == TableOptions()


def test_no_change_is_nothing_decided() -> None:
    game = Game(options=DEARER)
    said = game.refused(ChangeOptions(options=DEARER), "UNDO")
    assert said == "That is so already; change something, or leave it as it is."


def test_it_is_refused_while_a_roll_is_open() -> None:
    game = Game()
    game.declare()
    game.refused(ChangeOptions(options=DEARER), "TASK-10")
    game.throw(3, 4)
    game.refused(ChangeOptions(options=DEARER), "TASK-10")
    game.do(FinishSpending())
    game.do(DeclareChallenge(count=2))
    game.refused(ChangeOptions(options=DEARER), "TASK-10")
    game.do(CloseChallenge())
    assert game.do(ChangeOptions(options=DEARER))


def test_options_that_make_no_sense_are_refused() -> None:
    game = Game()
    game.refused(change(momentum_decay=99), "SETUP")
    game.refused(change(determination_start=3, determination_maximum=2), "DET-8")


def test_a_table_is_set_up_first() -> None:
    with pytest.raises(Refusal, match="Set the table up first"):
        decide(Table(), change())


def test_who_has_more_than_the_new_maximum_keeps_the_maximum() -> None:
    game = Game(options=TableOptions(determination_start=3))
    game.do(change(determination_start=1, determination_maximum=2))
    assert [game.card(one).determination for one in (game.okafor, game.lindqvist, game.brack)] == [2, 2, 0]
    game.do(Undo())
    assert game.card(game.okafor).determination == 3


def test_it_is_said_what_changed() -> None:
    game = Game()
    game.do(change(momentum_decay=2, bonus_price_counts_all=True))
    said = game.last_said
    assert said.terse == "The table's rules are changed."
    assert "Free dice raise the price: yes." in said.normal
    assert "Momentum lost after a scene: 2." in said.normal
    game.do(change(momentum_decay=1, bonus_price_counts_all=True))
    assert "Free dice" not in game.last_said.full


def test_saying_what_the_ruleset_says_anyway_changes_nothing_that_is_played() -> None:
    game = Game()
    game.do(change(determination_maximum=3))
    assert game.last_said.normal == "The table's rules are changed. They come to the same."


@pytest.mark.parametrize("ruleset", Ruleset)
@pytest.mark.parametrize("ends", [StartScene(), StartSession()])
@pytest.mark.parametrize(("decay", "left"), [(None, 4), (1, 3)])
def test_the_end_of_a_scene_takes_what_the_table_plays_and_nothing_else(
    ruleset: Ruleset, ends: StartScene | StartSession, decay: int | None, left: int
) -> None:
    """C-17: Momentum decays by the table's option, which is 0 in each ruleset; a new session ends the scene, too.

    C-75: Stress is not given back by itself.
    """
    game = Game(ruleset=ruleset, momentum=4, options=TableOptions(momentum_decay=decay))
    game.do(AdjustStress(character_id=game.okafor, change=-3))
    stress = game.card(game.okafor).body.stress
    game.do(ends)
    assert game.table.momentum == left
    assert game.card(game.okafor).body.stress == stress
