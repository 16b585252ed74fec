"""Refusals point the way: what they say to do is what can be done next."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.conflict.budget import TakeMinorAction
from rules.conflict.chain import StrikeHazard
from rules.conflict.rounds import EndTurn
from rules.deciding.checks import no_such_character
from rules.errors import Refusal
from rules.odds.declared import declared_odds
from rules.ships.second.movement import SetTerrain
from rules.state.conflict import Action
from rules.state.vocabulary import ActionScope, System, Terrain, TraitKind
from rules.tasks.settling import FinishSpending
from rules.tasks.throwing import EnterDice
from rules.tasks.traits import AddTrait, RemoveTrait
from tests.rules.fleet2e import Fleet
from tests.rules.skirmish import Skirmish
from tests.rules.squadron import Squadron
from tests.rules.tabletop import Game


def test_dice_that_nobody_awaits_are_refused_with_what_comes_first() -> None:
    """TASK-3: with a Task in hand no roll is to be declared."""
    game = Game()
    dice = EnterDice(request=1, faces=(3, 4))
    assert "declare a roll" in game.refused(dice, "TASK-3")
    game.declare()
    game.throw(1, 20)
    assert "finish its spending" in game.refused(dice, "TASK-3")
    game.do(FinishSpending())
    assert "Complications" in game.refused(dice, "TASK-3")


def test_a_choice_that_is_due_comes_before_dice_and_before_another_task() -> None:
    """TASK-3, TASK-10: a hit that waits to be settled is named, not a roll to declare."""
    game = Squadron()
    game.fire()
    game.throw(12)
    assert game.table.request is not None
    game.throw_challenge(*(1,) * game.table.request.count)
    assert "answer first" in game.refused(EnterDice(request=1, faces=(3,)), "TASK-3")


def test_while_dice_are_due_nobody_is_told_to_finish_the_spending() -> None:
    """TASK-10."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.act(game.okafor, "recover")
    assert "throw the dice" in game.refused(EndTurn(), "TASK-10")


def test_a_system_that_is_out_only_for_now_is_to_be_restored() -> None:
    """REP-1, BRCH-2: nothing says that a system works which is out by an Impact."""
    game = Squadron()
    game.breached(System.ENGINES, 1)
    said = game.refused(game.acting("damage_control", system=System.ENGINES), "REP-1")
    assert "works" not in said
    assert "Restore" in said


def test_a_person_is_no_ship_and_nothing_named_is_asked_for() -> None:
    """STN-4."""
    game = Squadron()
    declared = game.acting("hailing_frequencies", target_id=game.lindqvist)
    assert "Lindqvist is no ship" in game.refused(declared, "SETUP")


def test_nothing_is_said_of_points_from_none_to_none() -> None:
    """POOL-4, BUY-3, MOM-3."""
    game = Skirmish(begins="okafor", momentum=3)
    game.begin(game.okafor)
    free = TakeMinorAction(character_id=game.okafor, action=Action(name="aim"), threat_part=1)
    assert "0 to 0" not in game.refused(free, "MOM-3")
    fleet = Fleet(momentum=3)
    move = Action(name="impulse", scope=ActionScope.BRIDGE, zones=1)
    paid = TakeMinorAction(character_id=fleet.lindqvist, action=move, threat_part=1)
    assert "costs nothing" in fleet.refused(paid, "POOL-4")


def test_threat_for_a_minor_action_counts_in_either_place() -> None:
    """MOM-3, S2E-5: it is never taken as Momentum what was given as Threat."""
    for placed in ({"threat_part": 1}, {}):
        game = Skirmish(begins="okafor", momentum=3)
        game.begin(game.okafor)
        game.minor(game.okafor, "aim")
        threat = game.table.threat
        action = Action(name="prepare", threat_part=0 if placed else 1)
        game.do(TakeMinorAction(character_id=game.okafor, action=action, **placed))
        assert (game.table.momentum, game.table.threat) == (3, threat + 1)


def test_threat_for_leaving_terrain_counts_in_either_place() -> None:
    """S2E-5, MOM-3: Impulse costs nothing of the Turn but the terrain's price, which Threat may pay."""
    for command, action in ((1, 0), (0, 1)):
        game = Fleet(momentum=3)
        game.do(SetTerrain(ship_id=game.ship, terrain=Terrain.DENSE_NEBULA))
        threat = game.table.threat
        move = Action(name="impulse", scope=ActionScope.BRIDGE, zones=1, threat_part=action, ship_id=game.ship)
        game.do(TakeMinorAction(character_id=game.lindqvist, action=move, threat_part=command))
        assert game.table.threat == threat + 1
        assert game.table.momentum == 3


def test_what_there_is_not_is_refused_with_what_there_is() -> None:
    """TRAIT-1, TRAIT-3, SETUP, ATK-1, EXT-T1, DMG-1: nobody is sent to a list that they do not see."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    none = game.declaration(game.okafor, action=Action(name="create_advantage", note="x", target_id="trait-99"))
    assert game.refused(none, "TRAIT-3") == "There is no such Complication; none holds now."
    assert game.refused(RemoveTrait(trait_id="trait-99"), "TRAIT-1") == "There is no such trait; none holds now."
    game.do(AddTrait(name="Smoke", kind=TraitKind.COMPLICATION))
    assert game.refused(none, "TRAIT-3") == "There is no such Complication; choose Smoke."
    assert game.refused(RemoveTrait(trait_id="trait-99"), "TRAIT-1") == "There is no such trait; choose Smoke."
    nobody = game.declaration("nobody", action=Action(name="recover"))
    assert game.refused(nobody, "SETUP").endswith("; choose Okafor, Lindqvist, Brack or Dorr.")
    axe = game.declaration(game.okafor, action=Action(name="attack", target_id=game.brack, weapon="heavy_blade"))
    assert game.refused(axe, "ATK-1") == "Okafor does not carry that weapon; choose Unarmed."
    hazard = StrikeHazard(target_id=game.brack, rating=2, reason="Fire", effects=("piercng",))
    assert "piercing" in game.refused(hazard, "DMG-1")


def test_one_zone_is_one_and_a_ship_is_named_among_those_there_are() -> None:
    """STN-11, SETUP."""
    game = Squadron()
    stranger = game.declaration("x")
    those = "choose Okafor, Lindqvist, Brack, Black Comet or Ember."
    assert game.refused(stranger, "SETUP") == f"That character is not at this table; {those}"
    with pytest.raises(Refusal, match="choose Okafor, Lindqvist, Brack, Black Comet or Ember"):
        declared_odds(game.table, stranger.declaration)
    ships_alone = replace(game.table, characters=())
    assert no_such_character(ships_alone).message.endswith("; choose Black Comet or Ember.")
    assert "goes 1 zone at most" in game.refused(game.acting("maneuver", zones=3), "STN-11")
    assert "choose Far Lantern, Black Comet or Ember" in game.refused(game.acting("fire_weapon", ship_id="x"), "SETUP")
