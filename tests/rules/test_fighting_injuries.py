"""Injuries on foot: how many follow, what each comes to, how they are avoided, withstood, lasted and ended."""

from __future__ import annotations

import pytest

from rules.conflict.bodies import AdjustStress
from rules.conflict.chain import StrikeHazard
from rules.conflict.creatures import BringIn, DrawPrivateThreat, TakeWeapon
from rules.conflict.injuries import AvoidHow, AvoidInjury, FallDown, PushOn, StayUp, SufferInjury
from rules.deciding.candidate import Role
from rules.legal.offers import options
from rules.setup.setting_up import SaveCharacter, StartScene
from rules.state.conflict import Action
from rules.state.people import Ability
from rules.state.vocabulary import InjuryState, Standing, StepKind
from rules.tasks.declaring import DeclareTask
from tests.rules.brawl import Brawl, acting
from tests.rules.tabletop import OKAFOR_VALUE, attributes, disciplines

FIVE = (2, 2, 1, 3, 3, 3)
TWELVE = (2, 2, 2, 2, 2, 2)


def hurt(game: Brawl, *faces: int, whom: str = "", lethal: bool = False) -> None:
    """A hazard's damage on one who has no Resistance."""
    target = whom or game.okafor
    game.do(StrikeHazard(target_id=target, rating=len(faces), reason="Falling rocks", lethal=lethal))
    game.throw_challenge(*faces)


def test_five_damage_is_an_injury_and_the_choice_is_the_players() -> None:
    """DMG-4, DMG-7: suffered, or avoided for 2."""
    game = Brawl(momentum=2)
    hurt(game, 2, 2, 1)
    assert game.table.agenda[0].kind is StepKind.INJURY
    offered = {one.option_id: one for one in options(game.table)}
    assert offered["avoid_injury:points"].price.momentum == 2
    assert offered["avoid_injury:threat"].price.threat == 2
    assert {"suffer_injury", "avoid_injury:complication"} <= set(offered)
    game.do(AvoidInjury())
    assert (game.table.momentum, game.body(game.okafor).injury) == (0, InjuryState.NONE)
    assert game.body(game.okafor).avoided


def test_two_conditions_are_two_injuries_one_after_the_other() -> None:
    """DMG-5: 5 or more, and Stress reaching 0; one is avoided by a Complication, the other suffered."""
    game = Brawl()
    hurt(game, *TWELVE)
    assert [step.kind for step in game.table.agenda[:2]] == [StepKind.INJURY, StepKind.INJURY]
    game.do(AvoidInjury(how=AvoidHow.COMPLICATION, complication="Cut off from the others"))
    assert type(game.table.traits[-1].name) is str
    assert game.table.traits[-1].name == "Cut off from the others"
    assert game.table.attack is None, "once a scene only: the second Injury is suffered without a choice"
    assert game.body(game.okafor).injury is InjuryState.NONLETHAL


def test_an_injury_comes_a_step_worse_each_time() -> None:
    """DMG-6."""
    game = Brawl()
    for expected in (InjuryState.NONLETHAL, InjuryState.LETHAL, InjuryState.DEAD):
        hurt(game, 2, 2, 1)
        game.do(SufferInjury())
        assert game.body(game.okafor).injury is expected
    game.refused(StrikeHazard(target_id=game.okafor, rating=1, reason="Rocks"), "ATK-1")


def test_that_somebody_is_out_is_said_once_for_two_injuries() -> None:
    game = Brawl()
    hurt(game, *TWELVE, whom=game.guard)
    assert game.body(game.guard).injury is InjuryState.LETHAL
    assert game.last_said.full.count("Guard cannot act for the rest of the scene.") == 1


def test_a_lethal_attack_injures_lethally_at_once() -> None:
    """ATK-4, DMG-6: and adds 1 Threat when it is declared."""
    game = Brawl()
    before = game.table.threat
    game.shoot(2, 2, 2, 2, 2, 3, whom=game.guard, lethal=True)
    assert game.table.threat == before + 1
    game.settle()
    assert game.body(game.guard).injury is InjuryState.DEAD, "a minor NPC avoids neither of the two"


def test_an_npc_pays_for_its_intent_to_kill() -> None:
    """ATK-4: 1 Threat; refused where there is none."""
    game = Brawl()
    game.threat(1)
    game.attack(game.brack, game.okafor, "blade", lethal=True)
    assert game.table.threat == 0
    game = Brawl()
    game.threat(0)
    declared = acting(game.brack, Action(name="attack", target_id=game.okafor, weapon="blade", lethal=True))
    game.refused(DeclareTask(declaration=declared), "THR-5")


def test_intense_raises_the_price_for_each_effect() -> None:
    """EFF-2, C-25: the Complication replaces the 2 only."""
    game = Brawl(momentum=3)
    game.do(StrikeHazard(target_id=game.okafor, rating=5, reason="Acid", effects=("intense",)))
    game.throw_challenge(5, 5, 2, 1, 3)
    offered = {one.option_id: one.price.momentum for one in options(game.table)}
    assert "avoid_injury:points" not in offered, "4 points, and there are 3"
    assert offered["avoid_injury:mixed"] == 3
    game.do(AvoidInjury(how=AvoidHow.COMPLICATION, complication="Blinded"))
    assert game.table.momentum == 1


def test_a_notable_npc_avoids_with_threat_and_a_minor_one_never() -> None:
    """DMG-7, C-77, NPC-1."""
    game = Brawl()
    game.threat(3)
    hurt(game, 2, 2, 2, whom=game.brack)
    game.do(AvoidInjury())
    assert (game.table.threat, game.body(game.brack).injury) == (1, InjuryState.NONE)
    hurt(game, 2, 2, 2, whom=game.brack)
    assert game.body(game.brack).injury is InjuryState.NONLETHAL
    hurt(game, 1, whom=game.guard)
    assert game.table.attack is None


def test_without_threat_a_notable_npc_suffers_at_once() -> None:
    game = Brawl()
    game.threat(1)
    hurt(game, 2, 2, 2, whom=game.brack)
    assert game.body(game.brack).injury is InjuryState.NONLETHAL
    assert not game.table.agenda


def test_knockdown_is_a_choice_with_its_price() -> None:
    """EFF-3: a player adds Threat, an NPC spends it."""
    game = Brawl()
    before = game.table.threat
    game.do(StrikeHazard(target_id=game.okafor, rating=2, reason="Wave", effects=("knockdown",)))
    game.throw_challenge(5, 5)
    assert game.table.agenda[0].kind is StepKind.KNOCKDOWN
    game.do(StayUp())
    assert (game.table.threat, game.body(game.okafor).prone) == (before + 2, False)
    game.do(StrikeHazard(target_id=game.okafor, rating=1, reason="Wave", effects=("knockdown",)))
    game.throw_challenge(5)
    game.do(FallDown())
    assert game.body(game.okafor).prone


def test_an_npc_that_cannot_pay_falls() -> None:
    game = Brawl()
    game.threat(1)
    game.do(StrikeHazard(target_id=game.brack, rating=4, reason="Wave", effects=("knockdown",)))
    game.throw_challenge(5, 5, 3, 3)
    assert game.body(game.brack).prone


def test_a_target_that_lies_is_harder_to_shoot() -> None:
    """C-20, ATK-5: each thing that makes it harder has its reason."""
    game = Brawl()
    game.do(StrikeHazard(target_id=game.brack, rating=4, reason="Wave", effects=("knockdown",)))
    game.threat(0)
    game.throw_challenge(5, 3, 3, 3)
    game.attack(game.okafor, game.brack, "phaser_type_2")
    assert game.task.difficulty == 3
    assert [one.reason for one in game.task.declaration.modifiers] == ["Target is prone"]


def test_a_new_scene_ends_what_a_scene_holds() -> None:
    """DMG-6, C-75: non-lethal Injuries are gone; an untreated lethal one kills when the scene ends."""
    game = Brawl()
    hurt(game, 2, 2, 1)
    game.do(SufferInjury())
    hurt(game, 2, 2, 2, whom=game.guard, lethal=True)
    assert game.body(game.guard).injury in {InjuryState.LETHAL, InjuryState.DEAD}
    game.do(StartScene(name="Afterwards"))
    assert game.body(game.okafor).injury is InjuryState.NONE
    assert game.body(game.guard).injury is InjuryState.DEAD


def test_a_point_of_determination_lets_one_act_in_spite_of_it() -> None:
    """DET-9, C-24."""
    game = Brawl()
    game.refused(PushOn(character_id=game.okafor, value=OKAFOR_VALUE), "DET-9")
    hurt(game, 2, 2, 1)
    game.do(SufferInjury())
    game.refused(PushOn(character_id=game.okafor, value="Nothing of the kind"), "DET-1")
    offered = next(one for one in options(game.table) if one.option_id.startswith("push_on:"))
    assert (offered.command, offered.role) == (PushOn(character_id=game.okafor, value=OKAFOR_VALUE), Role.PLAYER)
    game.do(PushOn(character_id=game.okafor, value=OKAFOR_VALUE))
    assert game.body(game.okafor).pushing_on
    assert game.card(game.okafor).determination == 0
    game.do(StartScene(name="Next"))
    assert not game.body(game.okafor).pushing_on


def test_invulnerable_creatures_lose_stress_only() -> None:
    """NPC-2: staggered, or 2 Threat, in place of an Injury."""
    game = Brawl()
    creature = game.creature(Ability(name="invulnerable"), Ability(name="wrathful"), Ability(name="staggered"))
    before = game.table.threat
    hurt(game, 2, 2, 1, whom=creature)
    body = game.body(creature)
    assert (body.injury, body.staggered, body.stress) == (InjuryState.NONE, True, 11 - 5)
    assert game.table.threat == before + 2


def test_machines_have_resistance() -> None:
    """NPC-2, DMG-2."""
    game = Brawl()
    creature = game.creature(Ability(name="machine", amount=3))
    hurt(game, 2, 2, 1, whom=creature)
    assert game.body(creature).stress == 11 - 2


def test_what_enters_a_scene_brings_its_threat() -> None:
    """THR-2, THR-4, THR-6, NPC-1, NPC-2."""
    game = Brawl()
    creature = game.creature(Ability(name="menacing"), Ability(name="threatening", amount=2))
    game.threat(5)
    game.do(BringIn(character_id=creature, reinforcement=True))
    assert (game.table.threat, game.body(creature).private_threat) == (4, 2)
    game.refused(DrawPrivateThreat(character_id=creature, points=3), "THR-6")
    game.do(DrawPrivateThreat(character_id=creature, points=2))
    assert (game.table.threat, game.body(creature).private_threat) == (6, 0)
    game.refused(BringIn(character_id=game.okafor), "NPC-1")
    game.refused(BringIn(character_id=game.brack), "NPC-2")


@pytest.mark.parametrize("ability", [Ability(name="flying"), Ability(name="machine", amount=99)])
def test_an_ability_of_no_table_is_refused(ability: Ability) -> None:
    game = Brawl()
    card = SaveCharacter(
        name="It",
        attributes=attributes(),
        disciplines=disciplines(),
        abilities=(ability,),
        standing=Standing.NOTABLE_NPC,
    )
    game.refused(card, "NPC-2")


def test_weapons_have_their_price_in_momentum_and_threat() -> None:
    """WPN-1, C-26."""
    game = Brawl(momentum=1)
    before = game.table.threat
    game.do(TakeWeapon(character_id=game.okafor, weapon="phaser_type_3"))
    assert (game.table.momentum, game.table.threat) == (0, before + 2)
    game.refused(TakeWeapon(character_id=game.okafor, weapon="phaser_type_3"), "WPN-1")
    game.refused(TakeWeapon(character_id=game.okafor, weapon="disruptor_rifle"), "WPN-1")
    game.refused(TakeWeapon(character_id=game.okafor, weapon="catapult"), "WPN-1")
    game.refused(TakeWeapon(character_id=game.okafor, weapon="blade"), "POOL-4")
    game.do(TakeWeapon(character_id=game.okafor, weapon="blade", threat_part=1))
    assert "blade" in game.card(game.okafor).weapons


def test_the_gamemaster_puts_stress_right() -> None:
    """C-75."""
    game = Brawl()
    hurt(game, 2, 1, whom=game.brack)
    game.refused(AdjustStress(character_id=game.brack, change=0), "DMG-3")
    game.do(AdjustStress(character_id=game.brack, change=60, reason="Rested"))
    assert game.body(game.brack).stress == 11
    game.refused(AdjustStress(character_id=game.brack, change=1), "DMG-3")
