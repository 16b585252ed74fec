"""What a listener may ask at any time: the pools, and whose turn it is."""

from __future__ import annotations

from rules import commands as c
from rules import history
from rules.asking import pools_told, turn_told
from rules.dice import DieState
from rules.vocabulary import Pool
from tests.rules.skirmish import Skirmish
from tests.rules.tabletop import Game, die, reading


def test_without_a_table_it_says_how_to_have_one() -> None:
    empty = history.begin().present
    for told in (pools_told(empty), turn_told(empty)):
        assert told.normal == "There is no table yet. Set one up on a phone or the screen."


def test_the_pools_say_what_is_there_before_what_fits_in_and_whose_determination() -> None:
    game = Game(momentum=4)
    told = pools_told(game.table)
    assert told.terse == f"Momentum 4, Threat {game.table.threat}."
    assert told.normal == f"{told.terse} Room for 2 more Momentum."
    assert told.full == f"{told.normal} Determination: Okafor 1 and Lindqvist 1."
    game.do(c.AdjustPool(pool=Pool.MOMENTUM, change=2))
    assert "No more Momentum fits in." in pools_told(game.table).normal


def test_whose_turn_follows_a_task_from_nobody_to_its_end() -> None:
    game = Game()
    assert turn_told(game.table).terse == "Nobody is at a Task. Whoever acts next declares one."
    game.declare(focus=True, difficulty=1)
    assert turn_told(game.table).terse == "Okafor throws 2 d20s."
    game.do(reading(die(4), die(None, state=DieState.DOUBTFUL)))
    assert "?" in turn_told(game.table).terse
    game.do(c.CorrectDie(position=1, face=3))
    assert turn_told(game.table).terse == "Okafor has 3 Momentum to spend or save."
    game.do(c.FinishSpending())
    assert turn_told(game.table).terse == "Nobody is at a Task. Whoever acts next declares one."


def test_complications_are_told_as_open() -> None:
    game = Game()
    game.declare(focus=True, difficulty=1)
    game.throw(9, 20)
    game.do(c.FinishSpending())
    assert turn_told(game.table).terse == "Okafor has 1 Complication to take."


def test_in_a_conflict_it_says_whose_turn_and_who_may_be_next() -> None:
    fight = Skirmish()
    assert turn_told(fight.table).full.endswith("Round 1.")
    name = fight.table.characters[0]
    fight.begin(name.character_id)
    told = turn_told(fight.table)
    assert told.terse == f"It is {name.name}'s Turn."
    fight.declare(name.character_id)
    assert turn_told(fight.table).normal == f"{name.name} throws 2 d20s. It is {name.name}'s Turn."
