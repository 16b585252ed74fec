"""An attack on foot from its Task to its last hit: damage, cover, what is bought, each target, all settled."""

from __future__ import annotations

import pytest

from rules.conflict.attacks import FendOff
from rules.conflict.chain import StrikeHazard
from rules.conflict.cover import SetCover
from rules.conflict.damage_spends import RerollDamage
from rules.conflict.hits import ChooseTargets
from rules.legal.offers import options
from rules.state.conflict import Action
from rules.state.people import Ability
from rules.state.vocabulary import InjuryState, Ruleset, Spend, StepKind, TaskPhase
from rules.tasks.actions import FollowThrough
from rules.tasks.declaring import DeclareTask
from rules.tasks.settling import FinishSpending, MakeSpend
from rules.undo import Undo
from tests.rules.brawl import Brawl, acting


def front(game: Brawl) -> StepKind | None:
    return game.table.agenda[0].kind if game.table.agenda else None


def test_a_shot_asks_for_its_damage_and_settles_it_on_the_target() -> None:
    """DMG-1, DMG-2, DMG-3: 3 + Security 3 dice, Brack's Resistance 1, Stress Fitness 8 + Security 3."""
    game = Brawl()
    game.shoot()
    assert game.table.request is not None
    assert (game.table.request.count, game.table.request.who, game.table.request.why) == (6, "Okafor", "Damage")
    game.throw_challenge(1, 2, 1, 3, 3, 3)
    assert front(game) is StepKind.CHOOSE_DAMAGE
    game.settle()
    assert (game.body(game.brack).stress, game.body(game.brack).stress_max) == (8, 11)
    assert game.table.attack is None
    assert not game.table.agenda
    game.do(FinishSpending())
    assert game.table.momentum == 2
    assert game.table.task is None


def test_spending_is_not_finished_before_the_attack_is_settled() -> None:
    """C-61: an attack stays open until every hit's damage is settled."""
    game = Brawl()
    game.attack(game.okafor, game.brack, "phaser_type_2")
    game.throw(2, 1)
    game.refused(FinishSpending(), "TASK-10")
    game.do(FollowThrough())
    game.refused(FinishSpending(), "TASK-10")
    game.refused(FollowThrough(), "TASK-10")
    game.throw_challenge(1, 2, 1, 3, 3, 3)
    game.refused(FinishSpending(), "TASK-10")
    game.settle()
    game.do(FinishSpending())


def test_a_miss_sets_nothing_off() -> None:
    game = Brawl()
    game.attack(game.okafor, game.brack, "phaser_type_2")
    game.throw(19, 18)
    game.refused(FollowThrough(), "TASK-10")
    game.do(FinishSpending())
    assert game.table.task is None


def test_cover_is_thrown_for_and_counts_as_resistance() -> None:
    """DMG-2: static Resistance and the total of the cover's dice."""
    game = Brawl()
    game.do(SetCover(character_id=game.brack, dice=2))
    game.shoot(1, 2, 1, 2, 3, 3)
    assert front(game) is StepKind.COVER_DICE
    assert game.table.request is not None
    assert (game.table.request.count, game.table.request.who) == (2, "Brack")
    game.throw_challenge(2, 1)
    game.settle()
    assert game.body(game.brack).stress == 11 - (6 - 1 - 3)


def test_cover_ends_when_it_is_left() -> None:
    game = Brawl()
    game.do(SetCover(character_id=game.brack, dice=2))
    game.do(SetCover(character_id=game.brack, dice=0))
    assert not game.table.effects
    game.refused(SetCover(character_id=game.brack, dice=0), "DMG-2")
    game.refused(SetCover(character_id=game.brack, dice=21), "DMG-2")


def test_the_gamemaster_says_the_cover_while_an_attack_is_on_its_way() -> None:
    """DMG-2: before its damage is thrown; what holds already is not offered."""
    game = Brawl()
    game.attack(game.okafor, game.brack, "phaser_type_2")
    covers = {f"set_cover:{dice}" for dice in (1, 2, 3, 4)}
    assert {one.option_id for one in options(game.table)} & {"set_cover:0", *covers} == covers
    game.do(next(one.command for one in options(game.table) if one.option_id == "set_cover:2"))
    assert {one.option_id for one in options(game.table)} >= {"set_cover:0", *covers} - {"set_cover:2"}
    game.throw(1, 1)
    game.do(FollowThrough())
    assert not {one.option_id for one in options(game.table)} & covers
    game.throw_challenge(3, 3, 3, 3, 3, 3)
    assert front(game) is StepKind.COVER_DICE


def test_bonus_damage_and_penetration_act_on_the_damage_that_lies_there() -> None:
    """MOM-1, MOM-5: 1 more damage each; 2 Resistance less each."""
    game = Brawl(momentum=2)
    game.do(SetCover(character_id=game.brack, dice=1))
    game.shoot(1, 2, 1, 3, 3, 3)
    game.refused(MakeSpend(spend=Spend.BONUS_DAMAGE), "MOM-1")
    game.throw_challenge(2)
    game.do(MakeSpend(spend=Spend.BONUS_DAMAGE, times=2))
    game.do(MakeSpend(spend=Spend.PENETRATION))
    game.settle()
    assert game.body(game.brack).stress == 11 - (4 + 2 - (1 + 2 - 2))
    game.refused(MakeSpend(spend=Spend.BONUS_DAMAGE), "MOM-1")
    assert (game.task.momentum_left, game.table.momentum) == (0, 1)


def test_damage_is_thrown_again_once() -> None:
    """MOM-6, CD-5: any of the dice, once, for 1 Momentum."""
    game = Brawl()
    game.shoot(3, 3, 1, 3, 3, 3)
    game.refused(RerollDamage(positions=()), "CD-5")
    game.do(RerollDamage(positions=(0, 1)))
    assert game.table.request is not None
    assert game.table.request.count == 2
    game.throw_challenge(2, 2)
    assert game.table.attack is not None
    assert game.table.attack.faces[:3] == (2, 2, 1)
    game.refused(RerollDamage(positions=(0,)), "CD-5")
    assert game.task.momentum_left == 1
    game.settle()
    assert game.body(game.brack).stress == 11 - (5 - 1)


def test_vicious_adds_for_each_effect_and_piercing_takes_resistance() -> None:
    """EFF-4, EFF-5, QUAL-2: Charge after Prepare adds Piercing 2 or Vicious 1."""
    game = Brawl()
    charged = Action(name="attack", target_id=game.brack, weapon="phaser_type_2", effect="piercing")
    game.refused(DeclareTask(declaration=acting(game.okafor, charged)), "QUAL-2")
    game.prepare()
    game.shoot(5, 2, 1, 3, 3, 3, effect="piercing")
    game.settle()
    assert game.body(game.brack).stress == 11 - 4
    game = Brawl()
    game.prepare()
    game.shoot(5, 6, 3, 3, 3, 3, effect="vicious")
    game.settle()
    assert game.body(game.brack).stress == 11 - (2 + 2 - 1)


def test_a_secondary_target_takes_half_rounded_down() -> None:
    """MOM-8, C-56, C-69: half of the whole damage, against their own Resistance."""
    game = Brawl(momentum=2)
    game.shoot(2, 2, 1, 3, 3, 3, whom=game.brack)
    game.do(MakeSpend(spend=Spend.SECONDARY_TARGET))
    game.settle()
    assert front(game) is StepKind.AREA_TARGETS
    game.refused(ChooseTargets(target_ids=(game.guard, game.lindqvist)), "MOM-8")
    game.refused(ChooseTargets(target_ids=(game.brack,)), "EFF-1")
    before = game.body(game.guard).stress
    game.do(ChooseTargets(target_ids=(game.guard,)))
    assert game.body(game.guard).stress == before - 2
    assert game.table.attack is None


def test_an_area_weapon_hits_who_is_named_in_full() -> None:
    """EFF-1, C-27: with an Effect; each one against their own Resistance."""
    game = Brawl()
    game.prepare()
    game.shoot(5, 2, 3, 3, 3, 3, effect="area")
    game.settle()
    assert front(game) is StepKind.AREA_TARGETS
    game.do(ChooseTargets(target_ids=(game.guard, game.lindqvist)))
    assert game.body(game.guard).stress == 4 - 3
    assert game.body(game.lindqvist).stress == 11 - 3


def test_without_an_effect_an_area_weapon_hits_one() -> None:
    game = Brawl()
    game.prepare()
    game.shoot(1, 2, 3, 3, 3, 3, effect="area")
    game.settle()
    assert game.table.attack is None


def test_each_step_is_undone_alone_and_exactly() -> None:
    game = Brawl(momentum=3)
    tables = [game.table]

    def note() -> None:
        tables.append(game.table)

    game.attack(game.okafor, game.guard, "phaser_type_2", lethal=True)
    note()
    game.throw(2, 1)
    note()
    game.do(FollowThrough())
    note()
    game.throw_challenge(5, 6, 2, 2, 1, 1)
    note()
    game.settle()
    note()
    for table in reversed(tables[:-1]):
        game.do(Undo())
        assert game.table == table


def test_a_hazard_strikes_without_a_task_and_nothing_is_bought() -> None:
    """DMG-1: hazards have their rating only."""
    game = Brawl()
    game.refused(StrikeHazard(target_id=game.guard, rating=0, reason="Fire"), "DMG-1")
    game.refused(StrikeHazard(target_id=game.guard, rating=2, reason="Fire", effects=("hot",)), "DMG-1")
    game.do(StrikeHazard(target_id=game.guard, rating=2, reason="Fire"))
    game.throw_challenge(1, 2)
    assert game.body(game.guard).stress == 1
    assert game.table.attack is None


def test_melee_is_opposed_and_the_defender_may_strike_back() -> None:
    """ATK-2, OPP-1: the winner hits the other with their own weapon."""
    game = Brawl()
    game.attack(game.okafor, game.brack, "knife")
    game.throw(15, 16)
    assert game.task.phase is TaskPhase.AWAITING_OPPOSITION
    game.defend(game.brack, "blade")
    game.throw(3, 5)
    assert game.task.who == "Brack"
    game.do(FollowThrough())
    game.throw_challenge(2, 2, 1, 3, 3)
    game.settle()
    assert game.body(game.okafor).stress == 11 - 5
    assert game.body(game.okafor).injury is InjuryState.NONE or game.table.agenda


def test_who_wins_in_melee_may_break_away_instead() -> None:
    """ATK-6."""
    game = Brawl()
    game.attack(game.okafor, game.brack, "knife")
    game.throw(2, 3)
    game.defend(game.brack)
    game.throw(19, 19)
    assert game.task.who == "Okafor"
    game.do(FendOff())
    game.do(FinishSpending())
    assert game.body(game.brack).stress == game.body(game.brack).stress_max


def test_extraordinary_attribute_adds_successes() -> None:
    """NPC-2."""
    game = Brawl()
    creature = game.creature(Ability(name="extraordinary_attribute", amount=2, note="control"))
    game.declare(creature, difficulty=3)
    game.throw(10, 19)
    assert game.task.outcome is not None
    assert (game.task.outcome.successes, game.task.outcome.success) == (3, True)


def test_what_strikes_is_told_with_what_is_thrown_next() -> None:
    game = Brawl()
    game.shoot()
    assert game.last_said.terse == "Okafor hits Brack. Throw 6 Challenge Dice: Damage."
    assert game.last_said.normal == "Okafor hits Brack. Throw 6 Challenge Dice: Damage."
    game = Brawl()
    game.do(StrikeHazard(target_id=game.okafor, rating=3, reason="falling rocks"))
    assert game.last_said.normal == "Okafor is hit. Falling rocks. Throw 3 Challenge Dice: Damage."


def test_an_attack_is_told_at_each_step_in_words() -> None:
    game = Brawl()
    game.shoot(1, 2, 1, 3, 3, 3)
    assert game.last_said.terse == "4 damage before Resistance, no Effect. Buy more for this damage, or settle it."
    assert game.last_said.urgent
    game.settle()
    assert game.last_said.normal.startswith(
        "Okafor hits Brack with Phaser Type 2: 3 damage. Stress 8 of 11. The attack is settled."
    )


@pytest.mark.parametrize("ruleset", Ruleset)
def test_what_is_offered_in_the_middle_of_an_attack_is_accepted(ruleset: Ruleset) -> None:
    game = Brawl(ruleset, momentum=4)
    game.shoot(5, 2, 1, 3, 3, 3)
    offered = {one.option_id for one in options(game.table)}
    wanted = {
        "settle_damage",
        "reroll_damage:all",
        "make_spend:bonus_damage:momentum",
        "make_spend:penetration:momentum",
    }
    assert wanted <= offered
    assert "finish_spending" not in offered
