"""Fights on foot where rules meet: options, cover that was improved, who may be named, what holds on to its table."""

from __future__ import annotations

import pytest

from rules.conflict.attacks import FendOff
from rules.conflict.bodies import AdjustStress
from rules.conflict.budget import TakeMinorAction
from rules.conflict.chain import StrikeHazard
from rules.conflict.cover import SetCover
from rules.conflict.creatures import BringIn, KeepInjury, LoseInjury, TakeWeapon
from rules.conflict.damage_spends import RerollDamage, SettleDamage
from rules.conflict.hits import ChooseTargets
from rules.conflict.injuries import AvoidInjury, FallDown, PushOn, StayUp, SufferInjury
from rules.deciding.decision import Command
from rules.legal.offers import options
from rules.setup.setting_up import RemoveCharacter, StartScene
from rules.ships.cards import SaveShip
from rules.state.conflict import Action
from rules.state.options import TableOptions
from rules.state.vocabulary import CrewQuality, InjuryState, Spend, Standing, TaskPhase
from rules.tasks.actions import FollowThrough
from rules.tasks.declaring import DeclareTask
from rules.tasks.settling import FinishSpending, MakeSpend
from rules.tasks.task_dice import ThrowAgainst
from tests.rules.brawl import Brawl, acting
from tests.rules.tabletop import OKAFOR_VALUE, disciplines, systems


@pytest.mark.parametrize(("active", "winner"), [((1, 1), "Okafor"), ((19, 18), "Brack")])
def test_who_wins_strikes_also_where_the_reactive_side_throws_first(active: tuple[int, int], winner: str) -> None:
    """C-42, ATK-2: the defender's successes are the attack's Difficulty; whoever wins hits the other."""
    game = Brawl(options=TableOptions(opposed_reactive_first=True))
    game.attack(game.okafor, game.brack, "knife", lethal=True)
    game.defend(game.brack, "blade")
    game.throw(2, 3)
    game.do(ThrowAgainst())
    game.throw(*active)
    if game.task.who != winner:
        game.do(FinishSpending())
    assert (game.task.who, game.task.phase) == (winner, TaskPhase.SPENDING)
    game.do(FollowThrough())
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
    game.do(FollowThrough())
    game.throw_challenge(1, 3, 3, 3, 3, 3)
    game.do(MakeSpend(spend=Spend.BONUS_DAMAGE, times=2))
    game.do(RerollDamage(positions=(1,)))
    assert game.table.momentum == 0
    game.throw_challenge(1)
    game.refused(MakeSpend(spend=Spend.PENETRATION), "POOL-4")


def test_recover_makes_the_cover_it_takes_better_until_it_is_left() -> None:
    """ACT-5, C-70, DMG-7: each Effect on the cover's dice is 1 Resistance more, and an Injury may be avoided again."""
    game = Brawl(momentum=2)
    game.do(SetCover(character_id=game.okafor, dice=3))
    game.do(StrikeHazard(target_id=game.okafor, rating=5, reason="Rocks"))
    game.throw_challenge(2, 2, 2, 2, 2)
    game.throw_challenge(5, 6, 3)
    assert game.body(game.okafor).stress == 11 - (10 - 2)
    game.do(AvoidInjury())
    game.do(DeclareTask(declaration=acting(game.okafor, Action(name="recover"))))
    game.throw(1, 2)
    game.do(FinishSpending())
    assert not game.body(game.okafor).avoided
    game.do(StrikeHazard(target_id=game.okafor, rating=2, reason="Rocks"))
    game.throw_challenge(2, 2)
    game.throw_challenge(5, 6, 3)
    assert game.body(game.okafor).stress == 3, "four damage, 2 and 2 more of the cover"
    game.do(TakeMinorAction(character_id=game.okafor, action=Action(name="movement")))
    assert game.table.effects == ()


def test_a_table_may_play_without_acting_in_spite_of_an_injury() -> None:
    """C-24, DET-9: and an NPC never does."""
    game = Brawl(options=TableOptions(pushing_on=False))
    game.hurt(game.okafor, 2, 2, 2)
    game.do(SufferInjury())
    game.refused(PushOn(character_id=game.okafor, value=OKAFOR_VALUE), "DET-9")
    game.refused(PushOn(character_id=game.brack, value=OKAFOR_VALUE), "DET-9")


def test_who_acts_in_spite_of_an_injury_is_stopped_by_the_next() -> None:
    """DET-9, DMG-6: the Injury still counts, and the point was for that one."""
    game = Brawl()
    game.hurt(game.okafor, 2, 2, 2)
    game.do(SufferInjury())
    game.refused(game.declaration(game.okafor), "DMG-6")
    game.do(PushOn(character_id=game.okafor, value=OKAFOR_VALUE))
    game.declare(game.okafor)
    game.throw(2, 3)
    game.do(FinishSpending())
    game.hurt(game.okafor, 2, 2, 2)
    game.do(SufferInjury())
    assert (game.body(game.okafor).injury, game.body(game.okafor).pushing_on) == (InjuryState.LETHAL, False)
    game.refused(game.declaration(game.okafor), "DMG-6")


def test_an_untreated_lethal_injury_kills_with_the_scene_and_a_stabilised_one_does_not() -> None:
    """DMG-6, ACT-7."""
    game = Brawl()
    for one in (game.okafor, game.lindqvist):
        game.hurt(one, 2, 2, 2, lethal=True)
        game.do(SufferInjury())
    other = game.character("Medic", standing=Standing.NOTABLE_NPC)
    game.do(DeclareTask(declaration=acting(other, Action(name="first_aid", target_id=game.okafor))))
    game.throw(1, 2)
    game.do(FinishSpending())
    game.do(StartScene(name="Later"))
    assert game.body(game.okafor).injury is InjuryState.LETHAL
    assert game.body(game.lindqvist).injury is InjuryState.DEAD
    assert "Lindqvist is dead." in game.last_said.terse


def test_ships_do_not_fight_on_foot() -> None:
    """ATK-1: neither as who attacks nor as who is hit, covered or armed."""
    game = Brawl()
    game.do(SaveShip(name="Foe", scale=4, systems=systems(), departments=disciplines(), crew=CrewQuality.PROFICIENT))
    foe = game.table.ships[-1].ship_id
    commands: tuple[Command, ...] = (
        DeclareTask(declaration=acting(game.okafor, Action(name="attack", target_id=foe, weapon="phaser_type_2"))),
        DeclareTask(declaration=acting(foe, Action(name="attack", target_id=game.okafor))),
        SetCover(character_id=foe, dice=2),
        StrikeHazard(target_id=foe, rating=1, reason="Fire"),
        AdjustStress(character_id=foe, change=-1),
        TakeWeapon(character_id=foe, weapon="phaser_type_1"),
        BringIn(character_id=foe, reinforcement=True),
    )
    for one in commands:
        game.refused(one, "ATK-1")


def test_nobody_leaves_the_table_while_something_happens_to_them() -> None:
    """TASK-10: from the attack's Task to its last hit."""
    game = Brawl()
    game.attack(game.okafor, game.brack, "phaser_type_2")
    away = RemoveCharacter(character_id=game.brack)
    game.refused(away, "TASK-10")
    game.throw(1, 1)
    game.do(FollowThrough())
    game.refused(away, "TASK-10")
    game.throw_challenge(2, 2, 2, 1, 3, 3)
    game.settle()
    game.refused(away, "TASK-10")
    game.do(SufferInjury())
    game.do(FinishSpending())
    game.do(away)


def test_nothing_of_a_chain_is_answered_out_of_its_order() -> None:
    """DMG-3, DMG-7, EFF-1, EFF-3, NPC-3, MOM-6: each answer wants its question."""
    game = Brawl()
    answers: tuple[tuple[Command, str], ...] = (
        (SettleDamage(), "DMG-3"),
        (SufferInjury(), "DMG-7"),
        (AvoidInjury(), "DMG-7"),
        (ChooseTargets(), "EFF-1"),
        (FallDown(), "EFF-3"),
        (StayUp(), "EFF-3"),
        (LoseInjury(), "NPC-3"),
        (KeepInjury(), "NPC-3"),
        (RerollDamage(positions=(0,)), "ATK-1"),
        (FendOff(), "TASK-10"),
    )
    for command, rule in answers:
        game.refused(command, rule)
    game.shoot(2, 2, 1, 3, 3, 3)
    for command, rule in answers[1:8]:
        game.refused(command, rule)
    assert "settle_damage" in {one.option_id for one in options(game.table)}
    game.refused(StartScene(name="Too soon"), "TASK-10")
