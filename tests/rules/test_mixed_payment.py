"""Prices that the pool alone cannot bear are offered with as little added Threat as will do."""

from __future__ import annotations

from rules.conflict.rounds import EndTurn
from rules.legal.offers import Option, options
from rules.state.vocabulary import Payer, Ruleset
from rules.tasks.declaring import BuyDie
from tests.rules.skirmish import Skirmish


def offered(game: Skirmish, option_id: str) -> Option:
    return next(one for one in options(game.table) if one.option_id == option_id)


def test_the_initiative_is_kept_with_a_point_of_each() -> None:
    """TURN-4, POOL-4: one point is in the pool, the other is added to Threat."""
    game = Skirmish(begins="okafor", momentum=1)
    game.take_turn(game.okafor)
    mixed = offered(game, f"keep_initiative:{game.lindqvist}:mixed")
    assert (mixed.price.momentum, mixed.price.threat, mixed.price.threat_spent) == (1, 1, False)
    threat = game.table.threat
    game.do(mixed.command)
    assert (game.table.momentum, game.table.threat) == (0, threat + 1)


def test_a_further_minor_action_is_offered_for_threat_when_the_pool_is_empty() -> None:
    """ACT-1, C-1, C-2: the starter set's third costs 2, one of them in the pool."""
    game = Skirmish(ruleset=Ruleset.STARTER, begins="okafor", momentum=2)
    game.begin(game.okafor)
    game.minor(game.okafor, "aim")
    game.minor(game.okafor, "prepare")
    mixed = offered(game, "minor_action:drop_prone:mixed")
    assert (mixed.price.momentum, mixed.price.threat) == (1, 1)
    game.do(mixed.command)
    game.do(EndTurn())


def test_a_dear_die_is_bought_with_both() -> None:
    """BUY-2, BUY-3: the second costs 2."""
    game = Skirmish(begins="okafor", momentum=2)
    game.begin(game.okafor)
    game.act(game.okafor, "other")
    game.do(offered(game, f"buy_die:{Payer.MOMENTUM}").command)
    mixed = offered(game, "buy_die:mixed")
    assert isinstance(mixed.command, BuyDie)
    threat = game.table.threat
    game.do(mixed.command)
    assert (game.table.momentum, game.table.threat, game.task.own_dice) == (0, threat + 1, 4)
