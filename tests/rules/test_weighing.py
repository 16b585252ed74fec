"""How much an outcome weighs, so that the table can tell it: four weights, none of which changes a rule."""

from __future__ import annotations

import pytest

from rules.state.vocabulary import Payer, Ruleset
from rules.tasks.weighing import Weight, weight_of
from tests.rules.tabletop import Game, bought


@pytest.mark.parametrize(
    ("faces", "difficulty", "weight"),
    [
        ((19, 18), 1, Weight.FAILURE),
        ((19, 20), 1, Weight.FAILURE),
        ((10, 19), 1, Weight.SUCCESS),
        ((1, 10), 1, Weight.SUCCESS),
        ((1, 20), 1, Weight.COST),
        ((1, 1), 2, Weight.TRIUMPH),
        ((1, 1), 0, Weight.TRIUMPH),
    ],
)
def test_an_outcome_weighs(faces: tuple[int, int], difficulty: int, weight: Weight) -> None:
    game = Game(Ruleset.CORE_1E)
    game.declare(game.okafor, difficulty=difficulty, focus=True)
    game.throw(*faces)
    assert weight_of(game.task) is weight
    word = {Weight.FAILURE: "Failure", Weight.TRIUMPH: "Triumph"}.get(weight, "Success")
    assert game.last_said.terse.startswith(word), "and is said"


def test_an_opposed_task_is_won_with_a_triumph() -> None:
    game = Game(Ruleset.CORE_1E)
    game.declare(game.okafor, opposed=True, focus=True)
    game.throw(1, 1)
    game.declare(game.lindqvist)
    game.throw(19, 10)
    assert game.last_said.terse.startswith("Triumph. Okafor wins with ")


def test_four_momentum_are_a_triumph_although_a_die_counts_once() -> None:
    game = Game(Ruleset.CORE_1E, momentum=1)
    game.declare(game.okafor, difficulty=1, focus=True, purchases=bought(Payer.MOMENTUM))
    game.throw(1, 1, 10)
    assert weight_of(game.task) is Weight.TRIUMPH


def test_nothing_weighs_before_it_is_thrown() -> None:
    game = Game(Ruleset.CORE_1E)
    game.declare(game.okafor)
    with pytest.raises(ValueError, match="not thrown"):
        weight_of(game.task)
