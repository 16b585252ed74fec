"""What is bought while an attack's damage lies there, and how often: Disarm, dice again, an NPC's own price."""

from __future__ import annotations

from rules.conflict.budget import TakeMinorAction
from rules.conflict.cover import SetCover
from rules.conflict.damage_spends import RerollDamage
from rules.conflict.hits import ChooseTargets
from rules.conflict.injuries import SufferInjury
from rules.conflict.rounds import SetReach
from rules.legal.offers import options
from rules.state.conflict import Action
from rules.state.vocabulary import Spend, Standing, TraitKind
from rules.tasks.actions import FollowThrough
from rules.tasks.declaring import DeclareTask
from rules.tasks.settling import FinishSpending, MakeSpend
from rules.tasks.traits import AddTrait
from tests.rules.brawl import Brawl, acting


def test_a_disarmed_target_has_to_pick_its_weapon_up() -> None:
    """MOM-2: one weapon, within Reach; Draw Item picks it up."""
    game = Brawl(momentum=2)
    game.shoot(3, 3, 3, 3, 3, 3)
    game.do(MakeSpend(spend=Spend.DISARM))
    assert "Brack is disarmed." in game.last_said.terse
    assert "Blade lies on the ground." in game.last_said.normal
    game.refused(MakeSpend(spend=Spend.DISARM), "MOM-2")
    game.settle()
    game.do(FinishSpending())
    strike = Action(name="attack", target_id=game.okafor, weapon="blade")
    message = game.refused(DeclareTask(declaration=acting(game.brack, strike)), "MOM-2")
    assert "Draw Item" in message
    game.do(TakeMinorAction(character_id=game.brack, action=Action(name="draw_item", weapon="blade")))
    game.attack(game.brack, game.okafor, "blade")


def test_bare_hands_cannot_be_disarmed() -> None:
    """MOM-2."""
    game = Brawl(momentum=2)
    game.shoot(3, 3, 3, 3, 3, 3, whom=game.guard)
    game.refused(MakeSpend(spend=Spend.DISARM), "MOM-2")


def test_spends_of_ships_are_none_of_a_fight_on_foot() -> None:
    """MOM-10, MOM-11."""
    game = Brawl(momentum=2)
    game.shoot(3, 3, 3, 3, 3, 3)
    game.refused(MakeSpend(spend=Spend.DEVASTATING_ATTACK), "MOM-10")
    offered = {one.option_id for one in options(game.table)}
    assert not {one for one in offered if "devastating" in one or "power_loss" in one}


def test_what_is_not_repeatable_is_bought_once_a_round() -> None:
    """POOL-4, MOM-6, MOM-9: also on the second Task of a Turn."""
    game = Brawl(momentum=6)
    game.fight(game.okafor)
    game.shoot(3, 3, 3, 3, 3, 3)
    game.do(RerollDamage(positions=(0,)))
    game.throw_challenge(1)
    game.do(MakeSpend(spend=Spend.DISARM))
    game.settle()
    game.do(MakeSpend(spend=Spend.SWIFT_TASK))
    game.do(FinishSpending())
    game.shoot(3, 3, 3, 3, 3, 3)
    game.refused(RerollDamage(positions=(0,)), "POOL-4")
    game.save(game.guard, "Guard", standing=Standing.MINOR_NPC, weapons=("blade",))
    game.refused(MakeSpend(spend=Spend.DISARM), "MOM-2")
    assert "reroll_damage:0" not in {one.option_id for one in options(game.table)}


def test_an_npc_pays_for_its_damage_with_threat() -> None:
    """NPC-1, POOL-9, MOM-1, MOM-6: what its Task made first, then Threat."""
    game = Brawl(momentum=3)
    game.threat(4)
    game.save(game.brack, "Brack", standing=Standing.NOTABLE_NPC, weapons=("phase_pistol",))
    game.attack(game.brack, game.okafor, "phase_pistol")
    game.throw(14, 13)
    game.do(FollowThrough())
    game.throw_challenge(1, 3, 3, 3, 3, 3)
    game.do(RerollDamage(positions=(1,)))
    assert (game.table.threat, game.table.momentum) == (3, 3)
    game.throw_challenge(1)
    game.do(MakeSpend(spend=Spend.BONUS_DAMAGE, times=2))
    assert (game.table.threat, game.table.momentum) == (1, 3)
    game.settle()
    assert game.body(game.okafor).stress == 11 - 4


def test_an_area_catches_nobody_who_is_harder_to_hit() -> None:
    """EFF-1: than the first target; who is guarded or lies down is left out, and not offered."""
    game = Brawl()
    game.prepare()
    game.do(TakeMinorAction(character_id=game.guard, action=Action(name="drop_prone")))
    game.shoot(5, 2, 3, 3, 3, 3, effect="area")
    game.settle()
    message = game.refused(ChooseTargets(target_ids=(game.guard,)), "EFF-1")
    assert "harder to hit" in message
    offered = {one.option_id for one in options(game.table)}
    assert f"choose_targets:{game.guard}" not in offered
    assert {f"choose_targets:{game.lindqvist}", "choose_targets:nobody"} <= offered
    game.do(ChooseTargets())
    assert game.table.attack is None


def test_everyone_around_the_target_is_offered_at_once() -> None:
    """EFF-1: those in its Reach, where the table keeps who is."""
    game = Brawl()
    game.fight(game.okafor)
    for one in (game.guard, game.lindqvist):
        game.do(SetReach(first_id=game.brack, second_id=one))
    game.do(TakeMinorAction(character_id=game.okafor, action=Action(name="prepare")))
    game.shoot(5, 2, 3, 3, 3, 3, effect="area")
    game.settle()
    offered = {one.option_id: one.command for one in options(game.table)}
    assert offered["choose_targets:reach"] == ChooseTargets(target_ids=(game.lindqvist, game.guard))


def test_each_target_has_its_own_cover_and_resistance() -> None:
    """EFF-1, DMG-2, C-69: the cover of each is thrown for, and Penetration counts against each."""
    game = Brawl(momentum=1)
    game.prepare()
    game.do(SetCover(character_id=game.lindqvist, dice=2))
    game.shoot(5, 2, 2, 3, 3, 3, effect="area")
    game.do(MakeSpend(spend=Spend.PENETRATION))
    game.settle()
    assert game.body(game.brack).stress == 11 - 5, "Resistance 1 is ignored; five damage injures"
    game.do(SufferInjury())
    game.do(ChooseTargets(target_ids=(game.lindqvist,)))
    assert game.table.request is not None
    assert (game.table.request.who, game.table.request.why) == ("Lindqvist", "Cover")
    game.throw_challenge(2, 1)
    assert game.body(game.lindqvist).stress == 11 - (5 - (3 - 2))


def test_one_attack_hits_nobody_twice() -> None:
    """EFF-1, MOM-8: who was caught in the area is no Secondary Target of the same attack."""
    game = Brawl(momentum=2)
    game.prepare()
    game.shoot(5, 2, 3, 3, 3, 3, effect="area")
    game.do(MakeSpend(spend=Spend.SECONDARY_TARGET))
    game.settle()
    game.do(ChooseTargets(target_ids=(game.lindqvist,)))
    game.refused(ChooseTargets(target_ids=(game.lindqvist,)), "EFF-1")
    game.do(ChooseTargets(target_ids=(game.guard,)))
    assert (game.body(game.lindqvist).stress, game.body(game.guard).stress) == (11 - 3, 4 - 1)


def test_what_belongs_to_the_damage_is_offered_first() -> None:
    """MOM-1, MOM-5, POOL-5: the unusual spends follow, and the end of each Complication comes last of them."""
    game = Brawl(momentum=6)
    game.do(AddTrait(name="Smoke", kind=TraitKind.COMPLICATION))
    game.fight(game.okafor)
    game.shoot(5, 2, 3, 3, 3, 3)
    spends = [one.command for one in options(game.table) if isinstance(one.command, MakeSpend)]
    assert ["smoke" if one.trait_id else one.spend for one in spends if not one.threat_part] == [
        Spend.BONUS_DAMAGE,
        Spend.PENETRATION,
        Spend.DISARM,
        Spend.CREATE_ADVANTAGE,
        Spend.OBTAIN_INFORMATION,
        Spend.EXTRA_MINOR_ACTION,
        Spend.SWIFT_TASK,
        "smoke",
    ]
