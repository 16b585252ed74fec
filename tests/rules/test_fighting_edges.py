"""Fights on foot where rules meet: options, cover that was improved, who may be named, what holds on to its table."""

from __future__ import annotations

import pytest

from rules import commands as c
from rules import commands_conflict as cc
from rules import commands_fighting as cf
from rules import commands_turns as ct
from rules.messages import Command
from rules.options import options
from rules.state_conflict import Action
from rules.state_options import TableOptions
from rules.vocabulary import CrewQuality, InjuryState, Spend, Standing, TaskPhase
from tests.rules.brawl import Brawl, acting
from tests.rules.tabletop import OKAFOR_VALUE, disciplines, systems


@pytest.mark.parametrize(("active", "winner"), [((1, 1), "Okafor"), ((19, 18), "Brack")])
def test_who_wins_strikes_also_where_the_reactive_side_throws_first(active: tuple[int, int], winner: str) -> None:
    """C-42, ATK-2: the defender's successes are the attack's Difficulty; whoever wins hits the other."""
    game = Brawl(options=TableOptions(opposed_reactive_first=True))
    game.attack(game.okafor, game.brack, "knife", lethal=True)
    game.defend(game.brack, "blade")
    game.throw(2, 3)
    game.do(c.ThrowAgainst())
    game.throw(*active)
    if game.task.who != winner:
        game.do(c.FinishSpending())
    assert (game.task.who, game.task.phase) == (winner, TaskPhase.SPENDING)
    game.do(cc.FollowThrough())
    loser = game.brack if winner == "Okafor" else game.okafor
    assert game.table.attack is not None
    assert game.table.attack.action.target_id == loser
    assert game.table.attack.dice == (1 if winner == "Okafor" else 2) + 3


def test_a_success_without_momentum_of_its_own_buys_out_of_the_pool() -> None:
    """C-62: any Task that succeeded opens the spends of an attack."""
    game = Brawl(momentum=3)
    game.attack(game.okafor, game.brack, "phaser_type_2")
    game.throw(4, 5)
    assert game.task.momentum_left == 0
    game.do(cc.FollowThrough())
    game.throw_challenge(1, 3, 3, 3, 3, 3)
    game.do(c.MakeSpend(spend=Spend.BONUS_DAMAGE, times=2))
    game.do(cf.RerollDamage(positions=(1,)))
    assert game.table.momentum == 0
    game.throw_challenge(1)
    game.refused(c.MakeSpend(spend=Spend.PENETRATION), "POOL-4")


def test_recover_makes_the_cover_it_takes_better_until_it_is_left() -> None:
    """ACT-5, C-70, DMG-7: each Effect on the cover's dice is 1 Resistance more, and an Injury may be avoided again."""
    game = Brawl(momentum=2)
    game.do(cf.SetCover(character_id=game.okafor, dice=3))
    game.do(cf.StrikeHazard(target_id=game.okafor, rating=5, reason="Rocks"))
    game.throw_challenge(2, 2, 2, 2, 2)
    game.throw_challenge(5, 6, 3)
    assert game.body(game.okafor).stress == 11 - (10 - 2)
    game.do(cf.AvoidInjury())
    game.do(c.DeclareTask(declaration=acting(game.okafor, Action(name="recover"))))
    game.throw(1, 2)
    game.do(c.FinishSpending())
    assert not game.body(game.okafor).avoided
    game.do(cf.StrikeHazard(target_id=game.okafor, rating=2, reason="Rocks"))
    game.throw_challenge(2, 2)
    game.throw_challenge(5, 6, 3)
    assert game.body(game.okafor).stress == 3, "four damage, 2 and 2 more of the cover"
    game.do(ct.TakeMinorAction(character_id=game.okafor, action=Action(name="movement")))
    assert game.table.effects == ()


def test_a_table_may_play_without_acting_in_spite_of_an_injury() -> None:
    """C-24, DET-9: and an NPC never does."""
    game = Brawl(options=TableOptions(pushing_on=False))
    game.hurt(game.okafor, 2, 2, 2)
    game.do(cf.SufferInjury())
    game.refused(cf.PushOn(character_id=game.okafor, value=OKAFOR_VALUE), "DET-9")
    game.refused(cf.PushOn(character_id=game.brack, value=OKAFOR_VALUE), "DET-9")


def test_who_acts_in_spite_of_an_injury_is_stopped_by_the_next() -> None:
    """DET-9, DMG-6: the Injury still counts, and the point was for that one."""
    game = Brawl()
    game.hurt(game.okafor, 2, 2, 2)
    game.do(cf.SufferInjury())
    game.refused(game.declaration(game.okafor), "DMG-6")
    game.do(cf.PushOn(character_id=game.okafor, value=OKAFOR_VALUE))
    game.declare(game.okafor)
    game.throw(2, 3)
    game.do(c.FinishSpending())
    game.hurt(game.okafor, 2, 2, 2)
    game.do(cf.SufferInjury())
    assert (game.body(game.okafor).injury, game.body(game.okafor).pushing_on) == (InjuryState.LETHAL, False)
    game.refused(game.declaration(game.okafor), "DMG-6")


def test_an_untreated_lethal_injury_kills_with_the_scene_and_a_stabilised_one_does_not() -> None:
    """DMG-6, ACT-7."""
    game = Brawl()
    for one in (game.okafor, game.lindqvist):
        game.hurt(one, 2, 2, 2, lethal=True)
        game.do(cf.SufferInjury())
    other = game.character("Medic", standing=Standing.NOTABLE_NPC)
    game.do(c.DeclareTask(declaration=acting(other, Action(name="first_aid", target_id=game.okafor))))
    game.throw(1, 2)
    game.do(c.FinishSpending())
    game.do(c.StartScene(name="Later"))
    assert game.body(game.okafor).injury is InjuryState.LETHAL
    assert game.body(game.lindqvist).injury is InjuryState.DEAD
    assert "Lindqvist is dead." in game.last_said.terse


def test_ships_do_not_fight_on_foot() -> None:
    """ATK-1: neither as who attacks nor as who is hit, covered or armed."""
    game = Brawl()
    game.do(c.SaveShip(name="Foe", scale=4, systems=systems(), departments=disciplines(), crew=CrewQuality.PROFICIENT))
    foe = game.table.ships[-1].ship_id
    commands: tuple[Command, ...] = (
        c.DeclareTask(declaration=acting(game.okafor, Action(name="attack", target_id=foe, weapon="phaser_type_2"))),
        c.DeclareTask(declaration=acting(foe, Action(name="attack", target_id=game.okafor))),
        cf.SetCover(character_id=foe, dice=2),
        cf.StrikeHazard(target_id=foe, rating=1, reason="Fire"),
        cf.AdjustStress(character_id=foe, change=-1),
        cf.TakeWeapon(character_id=foe, weapon="phaser_type_1"),
        cf.BringIn(character_id=foe, reinforcement=True),
    )
    for one in commands:
        game.refused(one, "ATK-1")


def test_nobody_leaves_the_table_while_something_happens_to_them() -> None:
    """TASK-10: from the attack's Task to its last hit."""
    game = Brawl()
    game.attack(game.okafor, game.brack, "phaser_type_2")
    away = c.RemoveCharacter(character_id=game.brack)
    game.refused(away, "TASK-10")
    game.throw(1, 1)
    game.do(cc.FollowThrough())
    game.refused(away, "TASK-10")
    game.throw_challenge(2, 2, 2, 1, 3, 3)
    game.settle()
    game.refused(away, "TASK-10")
    game.do(cf.SufferInjury())
    game.do(c.FinishSpending())
    game.do(away)


def test_nothing_of_a_chain_is_answered_out_of_its_order() -> None:
    """DMG-3, DMG-7, EFF-1, EFF-3, NPC-3, MOM-6: each answer wants its question."""
    game = Brawl()
    answers: tuple[tuple[Command, str], ...] = (
        (cf.SettleDamage(), "DMG-3"),
        (cf.SufferInjury(), "DMG-7"),
        (cf.AvoidInjury(), "DMG-7"),
        (cf.ChooseTargets(), "EFF-1"),
        (cf.FallDown(), "EFF-3"),
        (cf.StayUp(), "EFF-3"),
        (cf.LoseInjury(), "NPC-3"),
        (cf.KeepInjury(), "NPC-3"),
        (cf.RerollDamage(positions=(0,)), "ATK-1"),
        (cf.FendOff(), "TASK-10"),
    )
    for command, rule in answers:
        game.refused(command, rule)
    game.shoot(2, 2, 1, 3, 3, 3)
    for command, rule in answers[1:8]:
        game.refused(command, rule)
    assert "settle_damage" in {one.option_id for one in options(game.table)}
    game.refused(c.StartScene(name="Too soon"), "TASK-10")
