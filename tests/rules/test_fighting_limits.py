"""What limits a fight on foot: once a Round, while injured, what widens a range, and what the house's prices change."""

from __future__ import annotations

from rules.conflict.budget import TakeMinorAction
from rules.conflict.hits import ChooseTargets
from rules.conflict.rounds import EndConflict, EndTurn, KeepInitiative, NextRound, PassTurn, SetReach
from rules.house.adopting import AdoptHouseTables
from rules.legal.offers import options
from rules.state.conflict import Action
from rules.state.people import Ability
from rules.state.tasks import Declaration
from rules.state.vocabulary import Attribute, Discipline, InjuryState, Ruleset, Spend, Standing
from rules.tasks.declaring import DeclareTask
from rules.tasks.settling import FinishSpending, MakeSpend
from tests.rules.brawl import Brawl
from tests.rules.skirmish import Skirmish
from tests.rules.test_house_tables import house


def test_an_advantage_is_bought_once_a_round() -> None:
    """POOL-4, POOL-5: neither Immediate nor Repeatable, so a second Task of the Round buys none."""
    game = Skirmish(ruleset=Ruleset.CORE_1E, begins="okafor", momentum=6)
    game.begin(game.okafor)
    game.act(game.okafor, "other")
    game.throw(1, 1)
    game.do(MakeSpend(spend=Spend.CREATE_ADVANTAGE, note="High ground"))
    game.do(MakeSpend(spend=Spend.SWIFT_TASK))
    game.do(FinishSpending())
    game.act(game.okafor, "other")
    game.throw(1, 1)
    said = game.refused(MakeSpend(spend=Spend.CREATE_ADVANTAGE, note="High ground"), "POOL-5")
    assert said == "Create Advantage is possible once a Round, and was bought already."
    game.do(FinishSpending())
    game.do(EndTurn())
    for one in (game.brack, game.lindqvist, game.dorr):
        game.take_turn(one)
    game.do(NextRound())
    game.begin(game.okafor)
    game.act(game.okafor, "other")
    game.throw(1, 1)
    game.do(MakeSpend(spend=Spend.CREATE_ADVANTAGE, note="High ground"))


def test_the_injured_take_no_minor_action_outside_a_conflict_either() -> None:
    """DMG-6."""
    game = Skirmish()
    game.do(EndConflict())
    game.injure(game.brack)
    game.refused(TakeMinorAction(character_id=game.brack, action=Action(name="aim")), "DMG-6")


def test_creatures_about_the_target_widen_a_range_that_is_wide_already() -> None:
    """ATK-3, TASK-7: from 2 to 3, and never beyond 5."""
    for declared, wide in ((1, 2), (2, 3), (5, 5)):
        game = Brawl()
        game.fight(game.okafor, reach=(game.brack, game.guard))
        action = Action(name="attack", target_id=game.brack, weapon="phaser_type_2")
        shot = Declaration(
            character_id=game.okafor,
            attribute=Attribute.CONTROL,
            discipline=Discipline.SECURITY,
            complication_range=declared,
            action=action,
        )
        game.do(DeclareTask(declaration=shot))
        assert game.task.declaration.complication_range == wide


def test_the_initiative_costs_what_the_house_says() -> None:
    """TURN-4, MOM-4."""
    game = Skirmish(begins="okafor", momentum=6)
    game.do(AdoptHouseTables(tables=house({"spends": {"keep_initiative": {"cost": 3}}})))
    game.take_turn(game.okafor)
    offered = {one.option_id: one for one in options(game.table)}
    assert offered[f"keep_initiative:{game.lindqvist}"].price.momentum == 3
    assert offered[f"keep_initiative:{game.lindqvist}:threat"].price.threat == 3
    game.do(KeepInitiative(ally_id=game.lindqvist))
    assert game.table.momentum == 3


def test_a_turn_that_was_begun_and_passed_all_round_is_over_with_the_round() -> None:
    """TURN-6, NPC-2: who loses a Turn to being staggered does not lose the next one too."""
    game = Skirmish(begins="okafor")
    beast = game.enter("Beast", standing=Standing.NOTABLE_NPC, abilities=(Ability(name="staggered", amount=1),))
    game.change_body(beast, staggered=True, injury=InjuryState.NONE)
    game.take_turn(game.okafor)
    game.begin(beast)
    game.do(PassTurn())
    for one in (game.lindqvist, game.brack, game.dorr):
        game.take_turn(one)
    game.do(PassTurn(combatant_id=beast))
    game.do(NextRound())
    assert not game.card(beast).body.staggered


def around_brack(*near: str, faces: tuple[int, ...] = (5, 2, 3, 3, 3, 3)) -> Brawl:
    """Okafor's area weapon has hit Brack; those named stand in his Reach."""
    game = Brawl(momentum=2)
    game.fight(game.okafor)
    for one in near:
        game.do(SetReach(first_id=game.brack, second_id=getattr(game, one)))
    game.do(TakeMinorAction(character_id=game.okafor, action=Action(name="prepare")))
    game.shoot(*faces, effect="area")
    return game


def test_an_area_takes_one_more_for_each_effect_beside_those_in_reach() -> None:
    """EFF-1: with one Effect the guard in Reach and one other, not two others."""
    game = around_brack()
    game.settle()
    everyone = ChooseTargets(target_ids=(game.guard, game.lindqvist))
    assert "takes 1 more" in game.refused(everyone, "EFF-1")
    game.do(SetReach(first_id=game.brack, second_id=game.guard))
    game.do(everyone)
    assert game.body(game.guard).stress == 4 - 3
    assert game.body(game.lindqvist).stress == 11 - 3


def test_a_secondary_target_stands_in_reach_of_the_first() -> None:
    """MOM-8: where the table keeps who does; with nobody there it is not sold."""
    game = around_brack()
    assert "within the first one's Reach" in game.refused(MakeSpend(spend=Spend.SECONDARY_TARGET), "MOM-8")
    game = around_brack("guard", faces=(2, 2, 3, 3, 3, 3))
    game.do(MakeSpend(spend=Spend.SECONDARY_TARGET))
    game.settle()
    game.refused(ChooseTargets(target_ids=(game.lindqvist,)), "EFF-1")
    game.do(ChooseTargets(target_ids=(game.guard,)))
    assert game.body(game.guard).stress == 4 - 2


def test_relief_is_said_by_name() -> None:
    """ACT-5, ACT-7, DMG-8: who is stabilised, acts again, may avoid an Injury again, or is healed."""
    game = Skirmish(begins="okafor", momentum=6)
    game.injure(game.lindqvist, InjuryState.LETHAL)
    game.change_body(game.okafor, avoided=True)
    game.begin(game.okafor)
    game.act(game.okafor, "first_aid", target_id=game.lindqvist)
    game.throw(1, 1)
    game.do(MakeSpend(spend=Spend.BACK_IN_ACTION))
    assert game.last_said.terse.startswith("Lindqvist acts again.")
    game.do(MakeSpend(spend=Spend.SWIFT_TASK))
    game.do(FinishSpending())
    assert game.last_said.terse == "Lindqvist is stabilised."
    game.act(game.okafor, "recover")
    game.throw(1, 1)
    game.do(FinishSpending())
    assert game.last_said.terse.startswith("Okafor may avoid an Injury again.")
    game.do(EndConflict())
    game.act(game.okafor, "treatment", target_id=game.lindqvist)
    game.throw(1, 1)
    game.do(FinishSpending())
    assert game.last_said.terse.startswith("Lindqvist is not injured any more.")
