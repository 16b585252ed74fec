"""What NPCs and special creatures are like in a fight (NPC-1 to NPC-3, THR-2, THR-4, THR-6, C-86)."""

from __future__ import annotations

import pytest

from rules.conflict.budget import TakeMinorAction
from rules.conflict.chain import StrikeHazard
from rules.conflict.creatures import BringIn, DrawPrivateThreat, KeepInjury, LoseInjury
from rules.conflict.injuries import AvoidHow, AvoidInjury, StayUp, SufferInjury
from rules.conflict.rounds import AddCombatant, BeginTurn, EndTurn, Entrant, NextRound, SetReach
from rules.legal.offers import options
from rules.setup.setting_up import StartScene
from rules.state.conflict import Action
from rules.state.people import Ability
from rules.state.vocabulary import InjuryState, Standing, StepKind
from rules.tasks.actions import FollowThrough
from rules.tasks.settling import FinishSpending
from rules.undo import Undo
from tests.rules.brawl import Brawl

HEAVY = (2, 2, 2)


def offered(game: Brawl) -> set[str]:
    return {one.option_id for one in options(game.table)}


def hazard(whom: str, reason: str = "Fire", *, weakness: bool = False) -> StrikeHazard:
    return StrikeHazard(target_id=whom, rating=3, reason=reason, weakness=weakness)


@pytest.mark.parametrize("name", ["invulnerable", "staggered", "wrathful"])
def test_what_strikes_its_weakness_injures_an_invulnerable_creature(name: str) -> None:
    """NPC-2: as a hazard, and as an attack whose Task says so."""
    game = Brawl()
    game.threat(0)
    creature = game.creature(Ability(name=name, note="cold iron"))
    game.do(hazard(creature))
    game.throw_challenge(*HEAVY)
    assert game.body(creature).injury is InjuryState.NONE
    game.threat(0)
    game.do(hazard(creature, weakness=True))
    game.throw_challenge(*HEAVY)
    assert game.body(creature).injury is not InjuryState.NONE
    game = Brawl()
    game.threat(0)
    creature = game.creature(Ability(name=name))
    game.shoot(2, 2, 1, 3, 3, 3, whom=creature, weakness=True)
    game.settle()
    assert game.body(creature).injury is InjuryState.NONLETHAL


def test_two_would_be_injuries_enrage_twice_and_stagger_once() -> None:
    """NPC-2: Wrathful adds 2 for each; Staggered is not cumulative, and gone after the Turn that was lost."""
    game = Brawl()
    creature = game.creature(
        Ability(name="wrathful"), Ability(name="staggered"), stress_max=5, weapons=("phase_pistol",)
    )
    before = game.table.threat
    game.hurt(creature, *HEAVY)
    assert (game.table.threat, game.body(creature).staggered) == (before + 4, True)
    game.fight(game.okafor)
    game.do(AddCombatant(combatant=Entrant(combatant_id=creature)))
    game.do(EndTurn())
    game.do(BeginTurn(combatant_id=creature))
    strike = Action(name="attack", target_id=game.okafor, weapon="phase_pistol")
    game.refused(game.declaration(creature, action=strike), "NPC-2")
    game.do(EndTurn())
    assert not game.body(creature).staggered


def test_who_is_staggered_in_its_own_turn_loses_the_next() -> None:
    """NPC-2: struck back at in melee, it may go on in this Turn."""
    game = Brawl()
    creature = game.creature(Ability(name="staggered"))
    game.fight(game.okafor)
    game.do(AddCombatant(combatant=Entrant(combatant_id=creature)))
    game.do(SetReach(first_id=creature, second_id=game.okafor))
    game.do(EndTurn())
    game.do(BeginTurn(combatant_id=creature))
    game.attack(creature, game.okafor)
    game.throw(19, 19)
    game.defend(game.okafor, "knife", lethal=True)
    game.throw(2, 3)
    game.do(FollowThrough())
    game.throw_challenge(2, 2, 2, 3)
    game.settle()
    game.do(FinishSpending())
    assert game.body(creature).staggered
    game.do(TakeMinorAction(character_id=creature, action=Action(name="prepare")))
    game.do(EndTurn())
    assert game.body(creature).staggered
    for one in (game.lindqvist, game.brack, game.guard):
        game.do(BeginTurn(combatant_id=one))
        game.do(EndTurn())
    game.do(NextRound())
    game.do(BeginTurn(combatant_id=game.okafor))
    game.do(EndTurn())
    game.do(BeginTurn(combatant_id=creature))
    prepare = TakeMinorAction(character_id=creature, action=Action(name="prepare"))
    game.refused(prepare, "NPC-2")
    game.do(EndTurn())
    assert not game.body(creature).staggered


def test_the_immune_are_not_harmed_by_what_they_are_immune_to() -> None:
    """NPC-2: by its name; a Machine needs neither air nor food."""
    game = Brawl()
    creature = game.creature(Ability(name="immune", note="Poison"), Ability(name="machine", amount=1))
    for reason in ("poison", "Vacuum", "thirst"):
        game.refused(hazard(creature, reason), "NPC-2")
    game.do(hazard(creature, "Acid"))
    game.throw_challenge(1, 1, 2)
    assert game.body(creature).stress == 11 - 3


def test_fast_recovery_comes_with_the_turn() -> None:
    """NPC-3, DMG-9, THR-4: Stress up to the most there is; an Injury only before anything else, for 2 Threat."""
    game = Brawl()
    creature = game.creature(Ability(name="fast_recovery", amount=3))
    game.threat(1)
    game.hurt(creature, *HEAVY)
    game.hurt(creature, 1)
    assert (game.body(creature).stress, game.body(creature).injury) == (4, InjuryState.NONLETHAL)
    game.refused(LoseInjury(), "NPC-3")
    game.fight(game.okafor)
    game.do(AddCombatant(combatant=Entrant(combatant_id=creature)))
    game.do(EndTurn())
    game.threat(2)
    game.do(BeginTurn(combatant_id=creature))
    assert {"lose_injury", "keep_injury"} <= offered(game)
    assert game.last_said.terse.endswith("Creature loses its Injury for 2 Threat, or regains Stress.")
    game.do(LoseInjury())
    assert (game.table.threat, game.body(creature).injury, game.body(creature).stress) == (0, InjuryState.NONE, 4)
    game.refused(LoseInjury(), "NPC-3")
    game.do(Undo())
    game.do(KeepInjury())
    assert (game.table.threat, game.body(creature).injury, game.body(creature).stress) == (2, InjuryState.NONLETHAL, 7)
    strike = Action(name="attack", target_id=game.okafor)
    game.refused(game.declaration(creature, action=strike), "DMG-6")
    game.do(EndTurn())


def test_without_threat_fast_recovery_gives_stress_only() -> None:
    """NPC-3: nothing is asked."""
    game = Brawl()
    creature = game.creature(Ability(name="fast_recovery", amount=3))
    game.threat(0)
    game.hurt(creature, *HEAVY)
    game.fight(game.okafor)
    game.do(AddCombatant(combatant=Entrant(combatant_id=creature)))
    game.do(EndTurn())
    game.do(BeginTurn(combatant_id=creature))
    assert (game.body(creature).stress, game.table.agenda) == (11 - 6 + 3, ())


def test_who_regains_stress_never_has_more_than_the_most() -> None:
    """NPC-3."""
    game = Brawl()
    creature = game.creature(Ability(name="fast_recovery", amount=9))
    game.hurt(creature, 1, 1)
    game.fight(game.okafor)
    game.do(AddCombatant(combatant=Entrant(combatant_id=creature)))
    game.do(EndTurn())
    game.do(BeginTurn(combatant_id=creature))
    assert game.body(creature).stress == 11


def test_an_npc_avoids_an_injury_with_threat_alone() -> None:
    """NPC-1, DMG-7, C-77: no Complication in its place; once a scene."""
    game = Brawl()
    game.threat(4)
    game.hurt(game.brack, *HEAVY)
    assert "avoid_injury:complication" not in offered(game)
    assert game.last_said.terse.endswith("Brack suffers the Injury, or avoids it for 2 Threat.")
    paid = AvoidInjury(how=AvoidHow.COMPLICATION, complication="Cornered")
    game.refused(paid, "NPC-1")
    game.do(AvoidInjury())
    game.hurt(game.brack, *HEAVY)
    assert game.body(game.brack).injury is InjuryState.NONLETHAL
    assert game.table.threat == 2


def test_an_npc_stays_up_for_threat() -> None:
    """EFF-3, THR-4: what a player's character would add, an NPC spends."""
    game = Brawl()
    game.threat(2)
    game.do(StrikeHazard(target_id=game.brack, rating=2, reason="Wave", effects=("knockdown",)))
    game.throw_challenge(5, 6)
    game.do(StayUp())
    assert (game.table.threat, game.body(game.brack).prone) == (0, False)


def test_a_creature_enters_a_scene_once() -> None:
    """NPC-2, THR-2, THR-6: Menacing adds 1 Threat; its own Threat comes anew with each scene."""
    game = Brawl()
    creature = game.creature(Ability(name="menacing"), Ability(name="threatening", amount=2))
    before = game.table.threat
    assert f"bring_in:{creature}" in offered(game)
    game.do(BringIn(character_id=creature))
    assert (game.table.threat, game.body(creature).private_threat) == (before + 1, 2)
    assert f"bring_in:{creature}" not in offered(game)
    game.refused(BringIn(character_id=creature), "NPC-2")
    game.do(DrawPrivateThreat(character_id=creature, points=2))
    game.do(BringIn(character_id=creature, reinforcement=True))
    assert game.body(creature).private_threat == 0
    game.do(StartScene(name="Next"))
    assert game.body(creature).private_threat == 2
    assert f"bring_in:{creature}" in offered(game)


def test_reinforcements_have_their_price() -> None:
    """THR-4, NPC-1: 1 Threat for a minor NPC, 2 for a notable one."""
    game = Brawl()
    game.threat(3)
    game.do(BringIn(character_id=game.guard, reinforcement=True))
    assert game.table.threat == 2
    game.do(BringIn(character_id=game.brack, reinforcement=True))
    assert game.table.threat == 0
    game.refused(BringIn(character_id=game.guard, reinforcement=True), "THR-5")


def test_its_own_threat_pays_for_what_a_creature_does_itself() -> None:
    """THR-6, C-86: mixed with the pool in one payment; not for others, and not beside somebody else's Task."""
    game = Brawl()
    creature = game.creature(Ability(name="threatening", amount=2))
    own = DrawPrivateThreat(character_id=creature)
    game.threat(1)
    game.shoot(2, 2, 1, 3, 3, 3)
    game.refused(own, "THR-6")
    game.settle()
    assert game.table.attack is None, "Brack cannot pay, and nobody pays for him"
    game.do(FinishSpending())
    game.hurt(creature, *HEAVY)
    assert game.table.agenda[0].kind is StepKind.INJURY, "with its own Threat it can pay"
    game.do(own)
    assert game.last_said.full.startswith("Creature uses 1 Threat of its own. 1 of it left.")
    game.do(AvoidInjury())
    assert (game.table.threat, game.body(creature).private_threat) == (0, 1)
    game.attack(creature, game.okafor)
    assert f"draw_private_threat:{creature}" in offered(game)


def test_what_a_creature_drew_and_did_not_spend_is_its_own_again() -> None:
    """THR-6: only it may use its own Threat, and none of it stays in the pool after the next payment."""
    game = Brawl()
    creature = game.creature(Ability(name="threatening", amount=3))
    game.threat(1)
    game.hurt(creature, *HEAVY)
    game.do(DrawPrivateThreat(character_id=creature, points=2))
    assert (game.table.threat, game.body(creature).private_threat) == (3, 1)
    before = game.table
    game.do(SufferInjury())
    assert (game.table.threat, game.body(creature).private_threat) == (1, 3)
    assert game.last_said.full.count("Creature keeps 2 Threat of its own.") == 1
    game.do(Undo())
    assert game.table == before
    game.do(DrawPrivateThreat(character_id=creature))
    game.do(AvoidInjury())
    assert (game.table.threat, game.body(creature).private_threat) == (1, 1), "its own points first (C-86)"
    assert game.body(creature).drawn_threat == 0


def test_an_npcs_leftover_momentum_becomes_threat() -> None:
    """NPC-1, POOL-9, C-86: common Threat, also from who has their own."""
    game = Brawl()
    creature = game.creature(
        Ability(name="threatening", amount=2),
        Ability(name="extraordinary_attribute", amount=1, note="control"),
        weapons=("phase_pistol",),
    )
    game.threat(0)
    game.attack(creature, game.guard, "phase_pistol")
    game.throw(2, 3)
    game.do(FollowThrough())
    game.throw_challenge(1, 3, 3, 3, 3, 3)
    game.settle()
    game.do(FinishSpending())
    assert game.table.threat == 2 + 1 - 2


def test_a_creature_has_its_own_threat_once_a_scene() -> None:
    """THR-6, NPC-2: with its card, and anew with each scene; a card that is saved again brings no more."""
    game = Brawl()
    threatening = (Ability(name="threatening", amount=3),)
    creature = game.creature(*threatening)
    assert game.body(creature).private_threat == 3
    game.do(DrawPrivateThreat(character_id=creature, points=2))
    game.save(creature, "Creature", standing=Standing.NOTABLE_NPC, abilities=threatening)
    assert game.body(creature).private_threat == 3, "nothing was paid with what it drew"
    game.save(creature, "Creature", standing=Standing.NOTABLE_NPC, abilities=())
    assert game.body(creature).private_threat == 0
    game.save(creature, "Creature", standing=Standing.NOTABLE_NPC, abilities=threatening)
    game.do(StartScene(name="Next"))
    assert game.body(creature).private_threat == 3
