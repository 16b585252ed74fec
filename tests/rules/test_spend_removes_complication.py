"""The Create Advantage spend takes a Complication away as well as it makes an Advantage (POOL-5, TRAIT-3)."""

from __future__ import annotations

from rules.legal.offers import options
from rules.state.vocabulary import Spend, Standing, TraitKind
from rules.tasks.settling import FinishSpending, MakeSpend, TakeComplication
from rules.tasks.traits import AddTrait, RenameTrait
from rules.undo import Undo
from tests.rules.tabletop import Game


def succeeded(*complications: str) -> tuple[Game, list[str]]:
    """A Task of Okafor's with 2 Momentum to spend, and the ids of what holds."""
    game = Game()
    for one in complications:
        game.do(AddTrait(name=one, kind=TraitKind.COMPLICATION))
    game.do(AddTrait(name="High ground", kind=TraitKind.ADVANTAGE))
    game.declare(focus=True)
    game.throw(4, 10)
    assert game.task.momentum_left == 2
    return game, [one.trait_id for one in game.table.traits]


def names(game: Game) -> list[str]:
    return [one.name for one in game.table.traits]


def test_the_spend_takes_a_complication_away() -> None:
    """POOL-5: 2 Momentum, and what ends is said."""
    game, traits = succeeded("Leaking coolant", "Smoke")
    game.do(MakeSpend(spend=Spend.CREATE_ADVANTAGE, trait_id=traits[1]))
    assert (names(game), game.task.momentum_left) == (["Leaking coolant", "High ground"], 0)
    assert game.last_said.terse == "Create Advantage: Smoke ends. No Momentum of this Task left."
    game.do(Undo())
    assert names(game) == ["Leaking coolant", "Smoke", "High ground"]


def test_nothing_but_a_complication_goes() -> None:
    """POOL-5, TRAIT-3: neither an Advantage nor what is there no more, and one of both: an Advantage or an end."""
    game, traits = succeeded("Smoke")
    game.refused(MakeSpend(spend=Spend.CREATE_ADVANTAGE, trait_id=traits[1]), "TRAIT-3")
    game.refused(MakeSpend(spend=Spend.CREATE_ADVANTAGE, trait_id="trait-99"), "TRAIT-3")
    game.refused(MakeSpend(spend=Spend.CREATE_ADVANTAGE, trait_id=traits[0], note="A way out"), "POOL-5")
    game.refused(MakeSpend(spend=Spend.OBTAIN_INFORMATION, trait_id=traits[0]), "POOL-5")
    game.do(MakeSpend(spend=Spend.CREATE_ADVANTAGE, note="A way out"))
    assert names(game) == ["Smoke", "High ground", "A way out"]


def test_each_complication_is_offered_by_its_name() -> None:
    """POOL-5: beside the Advantage, at the same price."""
    game, traits = succeeded("Leaking coolant", "Smoke")
    offered = {one.option_id: one for one in options(game.table)}
    found = {one.label for one in offered.values() if "Create Advantage" in one.label}
    assert found == {"Create Advantage", "Create Advantage: Leaking coolant ends", "Create Advantage: Smoke ends"}
    smoke = offered[f"make_spend:create_advantage:momentum:{traits[1]}"]
    assert (smoke.price.momentum, smoke.rule) == (2, "POOL-5")
    game.do(smoke.command)
    assert "Smoke" not in names(game)


def test_an_npc_takes_one_away_for_threat() -> None:
    """POOL-5, NPC-1: from what it made, then from Threat."""
    game = Game()
    brute = game.character("Brute", standing=Standing.MINOR_NPC)
    game.do(AddTrait(name="Smoke", kind=TraitKind.COMPLICATION))
    before = game.table.threat
    game.declare(brute)
    game.throw(4, 10)
    game.do(MakeSpend(spend=Spend.CREATE_ADVANTAGE, trait_id=game.table.traits[0].trait_id))
    assert (names(game), game.table.threat) == ([], before - 1)


def test_each_side_is_offered_the_end_of_its_own_complications() -> None:
    """POOL-5, TRAIT-3: nobody pays for the end of what hinders the other side."""
    game = Game()
    brute = game.character("Brute", standing=Standing.MINOR_NPC)
    for who in (brute, game.okafor):
        game.declare(who)
        game.throw(20, 19)
        game.do(TakeComplication())
    game.declare(brute)
    game.throw(4, 3)
    assert ended_by(game) == ["Trouble for Brute"]
    game.do(FinishSpending())
    game.declare(game.okafor, focus=True)
    game.throw(1, 3)
    assert ended_by(game) == ["Trouble for Okafor"]


def test_the_same_trouble_of_both_sides_is_one_of_each() -> None:
    """TRAIT-3, TRAIT-4: a player is offered the end of theirs, and the gamemaster's side that of its own."""
    game = Game()
    brute = game.character("Brute", standing=Standing.MINOR_NPC)
    for who in (brute, game.okafor, game.okafor):
        game.declare(who)
        game.throw(20, 19)
        game.do(TakeComplication(name="Fire"))
    assert [(one.npc, one.potency) for one in game.table.traits] == [(True, 1), (False, 2)]
    game.declare(game.okafor, focus=True)
    game.throw(1, 3)
    assert ended_by(game) == ["Fire"]
    game.do(FinishSpending())
    sparks = game.table.traits[0].trait_id
    game.do(RenameTrait(trait_id=sparks, name="Sparks"))
    game.do(RenameTrait(trait_id=sparks, name="Fire"))
    assert [(one.npc, one.potency) for one in game.table.traits] == [(True, 1), (False, 2)]


def ended_by(game: Game) -> list[str]:
    """The Complications that the Task in hand is offered to end."""
    names = {one.trait_id: one.name for one in game.table.traits}
    commands = [one.command for one in options(game.table)]
    return [names[one.trait_id] for one in commands if isinstance(one, MakeSpend) and one.trait_id]
