"""Attacks on foot before their damage: whom and with what, how hard, what the intent costs, what weapons are like."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.conflict.attacks import FendOff
from rules.conflict.budget import TakeMinorAction
from rules.conflict.injuries import SufferInjury
from rules.conflict.rounds import SetReach
from rules.deciding.candidate import Role
from rules.house.adopting import AdoptHouseTables
from rules.legal.menu import menu
from rules.legal.offers import options
from rules.rulesets.weapons import WEAPONS
from rules.state.conflict import Action, LastingEffect
from rules.state.house import HouseTables
from rules.state.options import TableOptions
from rules.state.people import Ability, Weapon, WeaponTrait
from rules.state.tasks import Declaration, Modifier
from rules.state.vocabulary import (
    AttackType,
    Attribute,
    Availability,
    Circumstance,
    Discipline,
    InjuryState,
    RerollReason,
    TaskPhase,
)
from rules.tasks.actions import FollowThrough
from rules.tasks.declaring import DeclareTask
from rules.tasks.settling import FinishSpending
from rules.undo import Undo
from tests.rules.brawl import Brawl, acting

ODD_WEAPONS = HouseTables(
    weapons=(
        Weapon(
            name="cannon",
            label="Cannon",
            attack=AttackType.RANGED,
            rating=6,
            two_handed=True,
            qualities=(WeaponTrait(name="cumbersome"),),
        ),
        Weapon(
            name="sling",
            label="Sling",
            attack=AttackType.RANGED,
            rating=1,
            qualities=(WeaponTrait(name="inaccurate"), WeaponTrait(name="debilitating")),
        ),
    )
)


def armed(*weapons: str, house: HouseTables | None = None, options_: TableOptions | None = None) -> Brawl:
    game = Brawl(options=options_)
    if house is not None:
        game.do(AdoptHouseTables(tables=house))
    game.save(game.okafor, "Okafor", weapons=weapons)
    return game


def reasons(game: Brawl) -> dict[str, int]:
    return {one.reason: one.change for one in game.task.declaration.modifiers}


def refused_attack(game: Brawl, weapon: str, rule: str, **changes: Any) -> str:  # noqa: ANN401 - fields of `Action`
    action = Action(name="attack", target_id=game.brack, weapon=weapon, **changes)
    return game.refused(DeclareTask(declaration=acting(game.okafor, action)), rule)


# --- weapon and target --------------------------------------------------------------------------------------

TABLE = """
unarmed                melee  1 1H knockdown          | non_lethal             | 0 0 standard
knife                  melee  1 1H vicious:1          | deadly hidden:1        | 1 0 priced
blade                  melee  2 1H vicious:1          |                        | 1 0 priced
heavy_blade            melee  3 2H vicious:1          |                        | 1 1 priced
bludgeon               melee  2 1H knockdown          |                        | 1 0 priced
phaser_type_1          ranged 2 1H                    | charge hidden:1        | 0 0 standard
phaser_type_2          ranged 3 1H                    | charge                 | 0 0 standard
phaser_type_3          ranged 4 2H                    | accurate charge        | 1 2 priced
pulse_grenade          ranged 4 1H area               | charge grenade         | 1 2 priced
andorian_plasma_rifle  ranged 4 2H intense            | accurate deadly        | 0 0 not_available
phase_pistol           ranged 3 1H                    |                        | 0 0 standard
particle_rifle         ranged 4 2H                    | accurate               | 0 0 standard
disruptor_pistol       ranged 3 1H vicious:1          |                        | 0 0 not_available
disruptor_rifle        ranged 4 2H vicious:1          | accurate               | 0 0 not_available
plasma_pistol          ranged 3 1H vicious:1          | debilitating           | 0 0 not_available
plasma_rifle           ranged 4 2H vicious:1          | accurate debilitating  | 0 0 not_available
"""


def traits(words: str) -> tuple[WeaponTrait, ...]:
    parts = (one.partition(":") for one in words.split())
    return tuple(WeaponTrait(name=name, amount=int(number or 0)) for name, _, number in parts)


@pytest.mark.parametrize("row", TABLE.strip().splitlines(), ids=lambda row: row.split()[0])
def test_each_weapon_is_as_the_rules_print_it(row: str) -> None:
    """WPN-1, C-26: dice before Security, hands, effects, qualities, what taking it along costs."""
    first, qualities, prices = row.split("|")
    name, attack, rating, hands, *effects = first.split()
    opportunity, escalation, availability = prices.split()
    held = WEAPONS[name]
    assert (held.attack.value, held.rating, held.two_handed) == (attack, int(rating), hands == "2H")
    assert held.effects == traits(" ".join(effects))
    assert held.qualities == traits(qualities)
    assert (held.opportunity, held.escalation) == (int(opportunity), int(escalation))
    assert held.availability is Availability(availability)


def test_the_table_has_these_weapons_and_no_others() -> None:
    """WPN-1."""
    assert [row.split()[0] for row in TABLE.strip().splitlines()] == list(WEAPONS)


def test_an_attack_names_a_weapon_that_is_carried_and_a_living_target() -> None:
    """ATK-1: bare hands are always there."""
    game = Brawl()
    refused_attack(game, "blade", "ATK-1")
    refused_attack(game, "catapult", "ATK-1")
    for target in ("", game.okafor):
        action = Action(name="attack", target_id=target)
        game.refused(DeclareTask(declaration=acting(game.okafor, action)), "ATK-1")
    game.attack(game.okafor, game.brack)
    assert game.task.declaration.action is not None
    assert game.task.declaration.action.weapon == "unarmed"


def test_nobody_attacks_the_dead() -> None:
    """ATK-1, DMG-6."""
    game = Brawl()
    game.threat(0)
    for _ in range(3):
        game.hurt(game.brack, 2, 2, 2)
    assert game.body(game.brack).injury is InjuryState.DEAD
    refused_attack(game, "phaser_type_2", "ATK-1")


def test_a_melee_weapon_strikes_in_reach_only() -> None:
    """ATK-1, RNG-1: where the table keeps who stands in whose Reach."""
    game = Brawl()
    game.fight(game.okafor)
    refused_attack(game, "knife", "ATK-1")
    game.do(SetReach(first_id=game.okafor, second_id=game.brack))
    game.attack(game.okafor, game.brack, "knife")
    assert (game.task.declaration.attribute, game.task.difficulty) == (Attribute.DARING, 2), "a knife to stun"


def test_an_attack_is_declared_with_its_target_and_its_weapon() -> None:
    """ATK-1: who only hears the table knows at whom it goes, and with what."""
    game = Brawl()
    game.attack(game.okafor, game.brack, "phaser_type_2")
    assert game.last_said.normal.startswith("Okafor, Difficulty 2. Attack: Brack, with Phaser Type 2. Target Number ")


def test_a_shot_out_of_a_melee_and_into_one_is_harder_and_riskier() -> None:
    """ATK-3, RNG-2, C-28: 1 harder once for an enemy in Reach; complication range 2 for others around the target."""
    game = Brawl()
    game.fight(game.okafor, reach=(game.okafor, game.brack))
    game.do(SetReach(first_id=game.brack, second_id=game.lindqvist))
    game.attack(game.okafor, game.brack, "phaser_type_2")
    assert (game.task.difficulty, reasons(game)) == (3, {"an enemy in Reach": 1})
    assert game.task.declaration.complication_range == 2


def test_who_cannot_act_neither_distracts_nor_defends() -> None:
    """C-79, DMG-6, ATK-2: an attack on somebody helpless is not opposed, and nobody around them is in the way."""
    game = Brawl()
    game.threat(0)
    game.hurt(game.brack, 2, 2, 2)
    game.fight(game.okafor, reach=(game.okafor, game.brack))
    game.attack(game.okafor, game.brack, "phaser_type_2")
    assert game.task.difficulty == 2
    game.do(Undo())
    game.attack(game.okafor, game.brack, "knife", lethal=True)
    assert not game.task.declaration.opposed
    game.throw(2, 3)
    assert game.task.phase is TaskPhase.SPENDING


def test_the_injured_take_no_task_and_help_with_none() -> None:
    """DMG-6: with Rounds or without; a Task of any kind."""
    game = Brawl()
    game.hurt(game.okafor, 2, 2, 2)
    game.do(SufferInjury())
    refused_attack(game, "phaser_type_2", "DMG-6")
    game.refused(game.declaration(game.okafor), "DMG-6")


# --- how hard -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weapon", "changes", "reason"),
    [
        ("particle_rifle", {"one_handed": True}, "Two-handed weapon in one hand"),
        ("andorian_plasma_rifle", {}, "Deadly weapon used to stun"),
        ("unarmed", {"lethal": True}, "Non-lethal weapon used to kill"),
    ],
)
def test_grip_and_intent_against_the_weapons_nature_are_1_harder(
    weapon: str, changes: dict[str, bool], reason: str
) -> None:
    """ATK-5, QUAL-4, QUAL-8: each with its reason in words."""
    game = armed("particle_rifle", "andorian_plasma_rifle", "unarmed")
    game.attack(game.okafor, game.brack, weapon, **changes)
    assert reasons(game) == {reason: 1}
    assert game.task.difficulty == (2 if weapon == "unarmed" else 3)


@pytest.mark.parametrize(
    ("carried", "said"),
    [
        (("phaser_type_2",), None),
        (("phaser_type_2", "particle_rifle"), "Particle Rifle in one hand"),
        (("phaser_type_3", "particle_rifle"), "Phaser Type 3 or Particle Rifle in one hand"),
        (("phaser_type_3", "particle_rifle", "disruptor_rifle"), "A two-handed weapon in one hand"),
    ],
)
def test_one_hand_is_offered_for_what_takes_two_alone(carried: tuple[str, ...], said: str | None) -> None:
    """ATK-5: it says which weapon of up to two; with no such weapon at hand nobody is asked."""
    game = armed(*carried)
    attack = next(one for one in menu(game.table, game.okafor) if one.name == "attack")
    found = {one.name: one.label for one in attack.choices}
    assert found.get("one_handed") == said
    assert found["lethal"] == "Meant to kill: adds 1 Threat"
    foes = next(one for one in menu(game.table, game.brack) if one.name == "attack")
    assert "Meant to kill: costs 1 Threat" in {one.label for one in foes.choices}


def test_the_guarded_are_1_harder_to_hit_however_many_guard_them() -> None:
    """ATK-5, ACT-8, C-55."""
    game = Brawl()
    for owner in (game.brack, game.guard):
        game.begin(LastingEffect(effect_id="", name="guard", owner_id=owner, target_id=game.brack, amount=1))
    game.attack(game.okafor, game.brack, "phaser_type_2")
    assert (game.task.difficulty, reasons(game)) == (3, {"Guard": 1})


def test_a_table_says_what_lying_down_is_worth() -> None:
    """C-20: for ranged attacks only."""
    game = Brawl(options=TableOptions(prone_difficulty=2))
    game.do(TakeMinorAction(character_id=game.brack, action=Action(name="drop_prone")))
    game.attack(game.okafor, game.brack, "phaser_type_2")
    assert reasons(game) == {"Target is prone": 2}
    game.do(Undo())
    game.attack(game.okafor, game.brack, "knife", lethal=True)
    assert reasons(game) == {}


def test_darkness_takes_nothing_from_night_vision() -> None:
    """NPC-2: what is harder for another reason stays so."""
    game = Brawl()
    creature = game.creature(Ability(name="night_vision"))
    dark = Modifier(reason="No light", change=2, circumstance=Circumstance.DARKNESS)
    far = Modifier(reason="Far away", change=1)
    game.declare(creature, modifiers=(dark, far))
    assert game.task.difficulty == 2
    game.do(Undo())
    game.declare(game.brack, modifiers=(dark, far))
    assert game.task.difficulty == 4


def test_heat_and_cold_are_2_easier_for_a_machine() -> None:
    """NPC-2: also where the Difficulty itself stands for them, floor 0."""
    game = Brawl()
    machine = game.creature(Ability(name="machine", amount=1))
    cold = Modifier(reason="Icy wind", change=0, circumstance=Circumstance.COLD)
    game.declare(machine, difficulty=3, modifiers=(cold,))
    assert (game.task.difficulty, reasons(game)["Machine"]) == (1, -2)
    game.do(Undo())
    game.declare(machine, difficulty=3)
    assert game.task.difficulty == 3


# --- Aim, Prepare, Charge -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weapon", "expected"),
    [("phaser_type_2", (RerollReason.AIM,)), ("particle_rifle", (RerollReason.ACCURATE_AIM,)), ("sling", ())],
)
def test_an_aim_is_worth_what_the_weapon_makes_of_it(weapon: str, expected: tuple[RerollReason, ...]) -> None:
    """QUAL-1, QUAL-7, TASK-12: one d20, any number of an Accurate weapon's, none of an Inaccurate one's."""
    game = armed("phaser_type_2", "particle_rifle", "sling", house=ODD_WEAPONS)
    game.attack(game.okafor, game.brack, weapon)
    assert game.task.declaration.rerolls == ()
    game.do(Undo())
    game.begin(LastingEffect(effect_id="", name="aim", owner_id=game.okafor))
    game.attack(game.okafor, game.brack, weapon)
    assert game.task.declaration.rerolls == expected
    assert not game.table.effects, "the Aim is used for this attack"


def test_a_cumbersome_weapon_wants_prepare_in_the_same_turn() -> None:
    """QUAL-3."""
    game = armed("cannon", house=ODD_WEAPONS)
    refused_attack(game, "cannon", "QUAL-3")
    game.prepare()
    game.attack(game.okafor, game.brack, "cannon")
    game.throw(1, 1)
    refused_attack(game, "cannon", "TASK-10")
    assert not game.table.effects


def test_charge_offers_its_effects_and_no_others() -> None:
    """QUAL-2: with Prepare, and on a weapon that has it."""
    game = Brawl()
    game.prepare()
    refused_attack(game, "phaser_type_2", "QUAL-2", effect="knockdown")
    refused_attack(game, "knife", "QUAL-2", effect="vicious")
    game.shoot(5, 3, 3, 3, 3, 3, effect="intense")
    assert game.table.attack is not None
    assert game.table.attack.effects == ("intense",)


def test_defending_uses_up_no_aim() -> None:
    """ATK-2, C-19: who aims until the next Turn and is attacked meanwhile still has the Aim."""
    game = Brawl()
    game.begin(LastingEffect(effect_id="", name="aim", owner_id=game.brack))
    game.attack(game.okafor, game.brack, "knife", lethal=True)
    game.throw(19, 19)
    game.defend(game.brack, "blade")
    assert [one.name for one in game.table.effects] == ["aim"]
    assert game.task.declaration.rerolls == ()


# --- melee --------------------------------------------------------------------------------------------------


def in_melee() -> Brawl:
    game = Brawl()
    game.attack(game.okafor, game.brack, "knife", lethal=True)
    game.throw(15, 16)
    return game


def test_a_melee_attack_is_answered_with_a_defence() -> None:
    """ATK-2: by the one attacked, with a melee weapon; it is offered with each they have."""
    game = in_melee()
    plain = Declaration(character_id=game.brack, attribute=Attribute.DARING, discipline=Discipline.SECURITY)
    game.refused(DeclareTask(declaration=plain), "ATK-2")
    back = Action(name="attack", target_id=game.okafor, weapon="blade")
    game.refused(DeclareTask(declaration=acting(game.brack, back)), "ATK-2")
    defence = Action(name="defend", weapon="unarmed")
    game.refused(DeclareTask(declaration=acting(game.guard, defence)), "ATK-2")
    offered = {one.option_id for one in options(game.table)}
    assert {"defend:unarmed", "defend:unarmed:lethal", "defend:blade", "defend:blade:lethal"} <= offered


def test_nobody_defends_with_a_phaser_or_against_nothing() -> None:
    """ATK-2."""
    game = Brawl()
    defence = Action(name="defend", weapon="unarmed")
    game.refused(DeclareTask(declaration=acting(game.okafor, defence)), "ATK-2")
    game.attack(game.brack, game.okafor, "blade")
    game.throw(15, 16)
    shot = Action(name="defend", weapon="phaser_type_2")
    game.refused(DeclareTask(declaration=acting(game.okafor, shot)), "ATK-2")
    assert "defend:phaser_type_2" not in {one.option_id for one in options(game.table)}


def test_a_defender_may_mean_to_kill() -> None:
    """ATK-2, ATK-4: the intent is theirs and has its own price, whoever wins."""
    game = in_melee()
    before = game.table.threat
    game.defend(game.brack, "blade", lethal=True)
    assert game.table.threat == before - 1
    game.throw(2, 3)
    game.do(FollowThrough())
    game.throw_challenge(2, 2, 2, 3, 3)
    game.settle()
    game.do(SufferInjury())
    assert game.body(game.okafor).injury is InjuryState.LETHAL


def test_who_won_may_leave_reach_and_who_lost_or_shot_may_not() -> None:
    """ATK-6."""
    game = Brawl()
    game.attack(game.okafor, game.brack, "phaser_type_2")
    game.throw(1, 1)
    game.refused(FendOff(), "ATK-6")
    game = Brawl()
    game.fight(game.okafor, reach=(game.okafor, game.brack))
    game.attack(game.okafor, game.brack, "knife", lethal=True)
    game.throw(15, 16)
    game.refused(FendOff(), "OPP-1")
    game.defend(game.brack, "blade")
    game.throw(2, 3)
    assert {one.option_id: one.role for one in options(game.table)}["fend_off"] is Role.GAMEMASTER, "Brack is who won"
    game.do(FendOff())
    assert game.last_said.terse == "Brack breaks away from Okafor."
    assert game.table.conflict is not None
    assert game.table.conflict.reach == ()
    game.refused(FendOff(), "ATK-6")
    game.do(FinishSpending())
    assert game.table.attack is None


def test_a_player_who_won_is_asked_whether_to_leave_reach() -> None:
    """ATK-6."""
    game = Brawl()
    game.fight(game.brack, reach=(game.okafor, game.brack))
    game.attack(game.brack, game.okafor, "blade")
    game.throw(15, 16)
    game.defend(game.okafor, "knife")
    game.throw(2, 3)
    assert {one.option_id: one.role for one in options(game.table)}["fend_off"] is Role.PLAYER


# --- Hidden, Debilitating -----------------------------------------------------------------------------------


def test_a_hidden_weapon_is_found_with_insight_or_reason() -> None:
    """QUAL-6: Difficulty X, Security."""
    game = Brawl()
    search = Action(name="find_hidden", weapon="knife")
    game.do(DeclareTask(declaration=replace(acting(game.brack, search), attribute=Attribute.INSIGHT)))
    declared = game.task.declaration
    assert (declared.attribute, declared.discipline, game.task.difficulty) == (
        Attribute.INSIGHT,
        Discipline.SECURITY,
        1,
    )
    game.do(Undo())
    by_reason = Declaration(
        character_id=game.brack, attribute=Attribute.REASON, discipline=Discipline.SECURITY, action=search
    )
    game.do(DeclareTask(declaration=by_reason))
    assert game.task.declaration.attribute is Attribute.REASON
    game.do(Undo())
    for weapon in ("blade", ""):
        none = Action(name="find_hidden", weapon=weapon)
        game.refused(DeclareTask(declaration=replace(acting(game.brack, none), attribute=Attribute.REASON)), "QUAL-6")


def test_a_weapon_is_hidden_with_a_minor_action() -> None:
    """QUAL-6: one that has Hidden, and that is carried."""
    game = Brawl()
    game.do(TakeMinorAction(character_id=game.okafor, action=Action(name="draw_item", weapon="knife")))
    game.do(TakeMinorAction(character_id=game.okafor, action=Action(name="hide_weapon", weapon="knife")))
    assert game.body(game.okafor).drawn == ""
    assert game.last_said.terse == "Okafor: Hide a weapon."
    for weapon, rule in (("phaser_type_2", "QUAL-6"), ("", "QUAL-6"), ("phaser_type_1", "ATK-1")):
        hide = Action(name="hide_weapon", weapon=weapon)
        game.refused(TakeMinorAction(character_id=game.okafor, action=hide), rule)


def test_first_aid_is_harder_after_a_debilitating_weapon() -> None:
    """QUAL-5, DMG-8."""
    game = armed("sling", house=ODD_WEAPONS)
    game.attack(game.okafor, game.guard, "sling")
    game.throw(1, 1)
    game.do(FollowThrough())
    game.throw_challenge(2, 2, 1, 3)
    game.settle()
    assert game.body(game.guard).debilitated
    game.do(FinishSpending())
    aid = Action(name="first_aid", target_id=game.guard)
    game.do(DeclareTask(declaration=acting(game.lindqvist, aid)))
    assert game.task.difficulty == 2
