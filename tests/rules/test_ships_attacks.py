"""Attacks of the first edition's ships at the table: the shot, the hit, Breaches, Impacts, effects and qualities."""

from __future__ import annotations

import pytest

from rules.conflict.lasting import effects_named
from rules.dice import Symbol
from rules.legal.menu import menu
from rules.legal.offers import options
from rules.setup.setting_up import StartScene
from rules.ships.first.breaching import NameCasualty
from rules.ships.first.choosing import RerollShipDamage, SettleShipHit
from rules.ships.first.events import SystemBreached
from rules.ships.first.rounds import NameShipsHit
from rules.ships.upkeep import ShelterShip
from rules.state.options import TableOptions
from rules.state.vocabulary import Condition, InjuryState, Range, Ruleset, Spend, StepKind, System
from rules.tasks.settling import FinishSpending, MakeSpend
from rules.undo import Undo
from tests.rules.fleet2e import replayed
from tests.rules.squadron import Squadron, weapon

EFFECT, BLANK = Symbol.EFFECT, Symbol.BLANK


def test_the_difficulty_of_a_shot() -> None:
    """SATK-1, STN-20: energy D2, torpedo D3, 1 for an aimed shot, 1 for each band off the best range."""
    game = Squadron()
    for changes, difficulty in (
        ({"weapon": "Phasers"}, 2),
        ({"weapon": "Torpedoes"}, 3),
        ({"weapon": "Phasers", "system": System.ENGINES}, 3),
        ({"weapon": "Phasers", "at_range": Range.CLOSE}, 3),
        ({"weapon": "Phasers", "at_range": Range.EXTREME, "system": System.ENGINES}, 5),
        ({"weapon": "Torpedoes", "at_range": Range.CLOSE}, 5),
    ):
        game.act("fire_weapon", target_id=game.raider, **changes)
        assert (game.task.difficulty, game.task.target_number) == (difficulty, 14), changes
        game.do(Undo())
    assert game.table.task is None


def test_the_ship_helps_with_focus_and_npc_crews_have_focus() -> None:
    """SHIP-3, SHIP-4, NSHIP-1."""
    game = Squadron()
    game.act("fire_weapon", target_id=game.raider, weapon="Phasers")
    game.throw(1, 20)
    assert game.table.request is not None
    game.throw(3)
    assert game.task.dice[-1].target_number == 12
    assert game.task.dice[-1].successes == 2
    game.do(Undo())
    game.do(Undo())
    game.do(Undo())
    game.act("fire_weapon", game.raider, target_id=game.ship, weapon="Phasers")
    assert (game.task.target_number, game.task.double_at_most, game.task.npc) == (13, 3, True)


def test_what_no_shot_can_have() -> None:
    """SATK-1, STN-20, BRCH-2, BRCH-4: a target, a weapon, and a system that works."""
    game = Squadron()
    game.refused(game.acting("fire_weapon", weapon="Phasers"), "SATK-1")
    game.refused(game.acting("fire_weapon", target_id=game.ship, weapon="Phasers"), "SATK-1")
    said = game.refused(game.acting("fire_weapon", target_id=game.raider, weapon="Sling"), "STN-20")
    assert said == "Choose one of Far Lantern's weapons: Phasers or Torpedoes."
    game.breached(System.WEAPONS, 1)
    game.refused(game.acting("fire_weapon", target_id=game.raider, weapon="Phasers"), "BRCH-2")
    game.minor("restore", system=System.WEAPONS)
    game.act("fire_weapon", target_id=game.raider, weapon="Phasers")
    game.do(Undo())
    game.breached(System.WEAPONS, 3)
    game.refused(game.acting("fire_weapon", target_id=game.raider, weapon="Phasers"), "BRCH-4")


def test_a_hit_from_the_shot_to_the_breach() -> None:
    """SATK-2, SDMG-1, SDMG-2, MOM-1, MOM-5, MOM-11, BRCH-1, BRCH-2, C-61: one flow, undone step by step."""
    game = Squadron(momentum=6)
    assert game.of(game.raider).state.resistance == 3
    game.fire(1, 1, ship=20)
    assert game.last_said.terse.startswith("Far Lantern hits Black Comet.")
    assert game.table.request is not None
    assert game.table.request.why == "where Black Comet is hit"
    game.throw(5)
    game.throw_challenge(2, 2, EFFECT, 1)
    first = [one.option_id for one in options(game.table) if one.option_id.startswith(("settle", "make_spend"))][:5]
    assert first == [
        "settle_ship_hit",
        "make_spend:bonus_damage:momentum",
        "make_spend:penetration:momentum",
        "make_spend:devastating_attack:momentum",
        "make_spend:power_loss:momentum",
    ], "what is mostly done comes first"
    game.refused(FinishSpending(), "TASK-10")
    game.do(MakeSpend(spend=Spend.BONUS_DAMAGE, times=2))
    game.do(MakeSpend(spend=Spend.PENETRATION))
    game.do(MakeSpend(spend=Spend.POWER_LOSS))
    assert game.of(game.raider).state.power == 8
    game.do(SettleShipHit())
    state = game.of(game.raider).state
    # 6 rolled and 2 bought, less 3 Resistance pierced by 2: 7 damage, one Breach for 5 or more
    assert state.shields == 5
    engines = state.damage_of(System.ENGINES)
    assert (engines.breaches, engines.impact, engines.condition) == (1, True, Condition.OPERATIONAL)
    assert state.power == 6
    assert game.is_settled()
    game.do(FinishSpending())
    assert replayed(game) == game.table


def test_each_step_can_be_undone() -> None:
    """C-61: the hit, its dice, its system."""
    game = Squadron(momentum=3)
    game.fire(1, 1, ship=20)
    seen = [game.table]
    game.throw(12)
    seen.append(game.table)
    game.throw_challenge(2, 2, 2, EFFECT)
    seen.append(game.table)
    game.do(SettleShipHit())
    for table in reversed(seen):
        game.do(Undo())
        assert game.table == table


def test_shields_that_fall_and_heavy_damage_breach_twice() -> None:
    """SDMG-2, C-29, BRCH-2, C-67: each true condition is a Breach, and each has its Impact."""
    game = Squadron(special=weapon(rating=6))
    game.state(game.raider, shields=5)
    game.strikes(2, 2, 2, 2, EFFECT, EFFECT, system=4)
    state = game.of(game.raider).state
    assert (state.shields, state.damage_of(System.ENGINES).breaches) == (0, 2)
    assert state.power == 9 - 4
    game = Squadron(special=weapon(rating=6), options=TableOptions(npc_ship_shortcut=False, impact_once_per_hit=True))
    game.state(game.raider, shields=5)
    game.strikes(2, 2, 2, 2, EFFECT, EFFECT, system=4)
    assert game.of(game.raider).state.power == 9 - 2


def test_an_aimed_shot_asks_for_no_system() -> None:
    """SATK-2."""
    game = Squadron(special=weapon(rating=6))
    game.fire(1, 1, ship=1, weapon="Lance", system=System.SENSORS)
    game.throw_challenge(2, 2, 2, 2, 1, 1)
    game.do(SettleShipHit())
    assert game.of(game.raider).state.damage_of(System.SENSORS).breaches == 1


def test_no_system_is_offered_where_breaches_count_for_the_whole_ship() -> None:
    """SATK-1, NSHIP-3: aiming makes such a shot 1 harder for nothing; the players' ship is aimed at as before."""

    def asked(game: Squadron, who: str) -> set[str]:
        found = next(one for one in menu(game.table, who) if one.name == "fire_weapon")
        return {one.name for one in found.choices}

    game = Squadron(options=TableOptions(npc_ship_shortcut=True))
    assert "system" not in asked(game, game.okafor)
    assert "system" in asked(game, game.raider)
    game = Squadron()
    assert "system" in asked(game, game.okafor)


def test_damage_is_thrown_again_once() -> None:
    """MOM-6, CD-5."""
    game = Squadron(momentum=3)
    game.fire(1, 1, ship=20)
    game.throw(12)
    game.throw_challenge(Symbol.BLANK, 2, Symbol.BLANK, 1)
    assert {"reroll_ship_damage:misses", "reroll_ship_damage:all"} <= {one.option_id for one in options(game.table)}
    game.do(RerollShipDamage(positions=(0, 2)))
    game.throw_challenge(2, 2)
    attack = game.table.attack
    assert attack is not None
    assert attack.faces == (2, 2, 2, 1)
    game.refused(RerollShipDamage(positions=(1,)), "CD-5")


def test_a_structure_hit_may_injure_somebody_whom_a_die_names() -> None:
    """BRCH-2: a Challenge Die; the table asks who it is and never picks."""
    game = Squadron()
    game.state(game.ship, shields=3)
    game.act("fire_weapon", game.raider, target_id=game.ship, weapon="Phasers")
    game.throw(1, 1)
    game.throw(1)
    game.follow()
    game.throw(12)
    game.throw_challenge(2, 2, 2, 2)
    game.do(SettleShipHit())
    assert game.of().state.damage_of(System.STRUCTURE).breaches == 1
    game.throw_challenge(EFFECT)
    assert game.last_said.urgent
    assert "A die says who, and the gamemaster names them" in game.last_said.normal
    game.refused(NameCasualty(character_id=game.brack), "BRCH-2")
    game.do(NameCasualty(character_id=game.lindqvist))
    assert game.table.agenda[0].kind is StepKind.INJURY
    chosen = next(one for one in options(game.table) if one.option_id.startswith("suffer"))
    game.do(chosen.command)
    assert game.card(game.lindqvist).body.injury is InjuryState.NONLETHAL
    assert game.is_settled()


def test_shelter_throws_resistance() -> None:
    """SDMG-1: Challenge Dice of Resistance beside the Scale's."""
    game = Squadron()
    game.do(ShelterShip(ship_id=game.raider, dice=2))
    assert "2 Challenge Dice already" in game.refused(ShelterShip(ship_id=game.raider, dice=2), "SDMG-1")
    game.refused(ShelterShip(ship_id=game.raider, dice=13), "SDMG-1")
    game.fire(1, 1, ship=20)
    game.throw(12)
    game.throw_challenge(2, 2, 2, EFFECT)
    game.throw_challenge(2, 1)
    game.do(SettleShipHit())
    assert game.of(game.raider).state.shields == 11
    game.finish()
    game.do(StartScene())
    assert game.of(game.raider).state.resistance_dice == 0


def test_a_destroyed_ship_throws_no_resistance() -> None:
    """SDMG-1, NSHIP-3: a further hit on what is gone asks for nothing."""
    game = Squadron(options=None, special=weapon(("Spread", 0)))
    game.state(game.ember, shields=0, resistance_dice=2, unplaced_breaches=3)
    game.fire(weapon="Lance", target_id=game.ember)
    game.throw_challenge(2, 2, 2, EFFECT)
    game.throw_challenge(BLANK, BLANK)
    game.do(SettleShipHit())
    assert game.of(game.ember).state.destroyed
    assert game.is_settled()


def test_effects_need_an_effect() -> None:
    """SWPN-2 to SWPN-6, CD-3: Vicious, Piercing, Dampening, Persistent."""
    lance = weapon(("Vicious", 1), ("Piercing", 1), ("Dampening", 0), ("Persistent", 4))
    game = Squadron(special=lance)
    game.strikes(2, 2, 2, 1)
    assert (game.of(game.raider).state.shields, game.of(game.raider).state.power) == (12 - 4, 9)
    assert effects_named(game.table, "persistent_damage") == ()
    game = Squadron(special=lance)
    game.strikes(2, 2, EFFECT, EFFECT)
    # 6 rolled, Vicious 2, Resistance 3 less Piercing 2: 7 damage, a Breach of the structure
    assert (game.of(game.raider).state.shields, game.of(game.raider).state.power) == (12 - 7, 7)
    held = effects_named(game.table, "persistent_damage")
    assert [(one.amount, one.rounds_left) for one in held] == [(4, 2)]


def test_spread_hits_another_system_for_half_rounded_up() -> None:
    """SWPN-5, C-56, C-69: half of the whole damage, 1 more for each further Effect, its own Resistance."""
    game = Squadron(special=weapon(("Spread", 0), rating=6))
    game.strikes(2, 2, 2, 1, EFFECT, EFFECT)
    # 9 less 3 is 6: one Breach; then half of 9 is 5 and 1 more, less 3 is 3
    assert game.of(game.raider).state.shields == 6
    game.throw(2)
    state = game.of(game.raider).state
    assert (state.shields, state.damage_of(System.COMPUTERS).breaches) == (3, 0)
    assert (game.is_settled(), game.waits_for_dice()) == (True, False)


def test_a_devastating_attack_hits_another_system() -> None:
    """MOM-10, C-56: half of the damage, rounded up, against its own Resistance."""
    game = Squadron(momentum=6, special=weapon(rating=6))
    game.fire(1, 1, ship=20, weapon="Lance")
    game.throw(12)
    game.throw_challenge(2, 2, 2, 2, 2, 1)
    game.do(MakeSpend(spend=Spend.DEVASTATING_ATTACK))
    game.do(SettleShipHit())
    game.throw(19)
    # 11 less 3 is 8, Shields 4; then 6 less 3 is 3, Shields 1
    assert game.of(game.raider).state.shields == 1


def test_high_yield_adds_a_breach_to_each_breached_system_once() -> None:
    """SQUAL-4, C-68."""
    game = Squadron(special=weapon(("High-Yield", 0), ("Spread", 0), rating=6))
    game.state(game.raider, shields=2)
    game.strikes(2, 2, 2, 2, 2, EFFECT)
    assert game.of(game.raider).state.damage_of(System.STRUCTURE).breaches == 3
    game.throw(12)
    assert game.of(game.raider).state.damage_of(System.STRUCTURE).breaches == 4


def test_an_area_hits_ships_that_the_gamemaster_names() -> None:
    """SWPN-1: one in Close range for each Effect."""
    game = Squadron(special=weapon(("Area", 0)))
    game.strikes(2, 2, 1, EFFECT)
    assert game.table.agenda[0].kind is StepKind.SHIP_TARGETS
    game.refused(NameShipsHit(ship_ids=(game.raider,)), "SWPN-1")
    game.refused(NameShipsHit(ship_ids=(game.ember, game.ship)), "SWPN-1")
    before = game.of(game.ember).state.shields
    game.do(NameShipsHit(ship_ids=(game.ember,)))
    game.throw(12)
    assert game.of(game.ember).state.shields == before - 3
    assert game.is_settled()


def test_versatile_weapons_make_momentum_that_is_spent_or_lost() -> None:
    """SQUAL-5, POOL-10, C-63."""
    game = Squadron(special=weapon(("Versatile", 2)))
    game.fire(1, 9, ship=20, weapon="Lance")
    assert (game.task.momentum_left, game.task.bonus_momentum) == (3, 2)
    game.throw(12)
    game.throw_challenge(1, 1, 1, 1)
    game.do(MakeSpend(spend=Spend.BONUS_DAMAGE))
    game.do(SettleShipHit())
    game.do(FinishSpending())
    assert (game.table.momentum, game.task.lost) == (1, 1)
    saved = Squadron(
        special=weapon(("Versatile", 2)), options=TableOptions(npc_ship_shortcut=False, bonus_momentum_saved=True)
    )
    saved.fire(1, 9, ship=20, weapon="Lance")
    saved.throw(12)
    saved.throw_challenge(1, 1, 1, 1)
    saved.do(SettleShipHit())
    saved.do(FinishSpending())
    assert saved.table.momentum == 3


def test_calibration_needs_preparation() -> None:
    """SQUAL-1."""
    game = Squadron(special=weapon(("Calibration", 0)))
    game.refused(game.acting("fire_weapon", target_id=game.raider, weapon="Lance"), "SQUAL-1")
    game.minor("prepare", note="the lance")
    game.act("fire_weapon", target_id=game.raider, weapon="Lance")
    assert effects_named(game.table, "ship_prepared") == ()


def test_an_npc_ship_counts_its_breaches_in_one_total() -> None:
    """NSHIP-3: a Turn and 2 Power once for each attack; damaged, disabled and destroyed by the Scale."""
    game = Squadron(options=None, special=weapon(("Spread", 0), rating=6))
    game.fire(1, 1, ship=20, weapon="Lance")
    game.throw_challenge(2, 2, 2, 2, EFFECT, EFFECT)
    game.do(SettleShipHit())
    state = game.of(game.raider).state
    # 10 less 3 is 7; then half of 10 and 1 more, less 3, is 3
    assert (state.shields, state.unplaced_breaches, state.power, state.turns_lost) == (2, 1, 7, 1)
    game.finish()
    game.state(game.raider, shields=0, unplaced_breaches=2)
    game.fire(1, 1, ship=20, weapon="Phasers")
    game.throw_challenge(2, 2, 2, 2)
    game.do(SettleShipHit())
    state = game.of(game.raider).state
    assert (state.unplaced_breaches, state.condition, state.power) == (4, Condition.DAMAGED, 5)
    game.finish()
    game.act("fire_weapon", game.raider, target_id=game.ship, weapon="Phasers")
    assert game.task.difficulty == 4
    game.do(Undo())
    game.act("damage_control", game.raider)
    assert game.task.difficulty == 3
    game.throw(1, 1)
    game.finish()
    assert (game.of(game.raider).state.condition, game.of(game.raider).state.unplaced_breaches) == ("operational", 4)
    game.state(game.raider, unplaced_breaches=5, condition=Condition.DISABLED)
    game.refused(game.acting("fire_weapon", game.raider, target_id=game.ship, weapon="Phasers"), "NSHIP-3")
    game.act("damage_control", game.raider)
    assert (game.task.difficulty, game.task.declaration.complication_range) == (4, 3)
    game.do(Undo())
    game.fire(1, 1, ship=20)
    game.throw_challenge(2, 2, 1, 1)
    game.do(SettleShipHit())
    assert game.of(game.raider).state.destroyed
    game.finish()
    game.refused(game.acting("fire_weapon", target_id=game.raider, weapon="Phasers"), "BRCH-5")


def test_a_disabled_npc_ship_is_told_to_be_out_of_the_scene() -> None:
    """NSHIP-3: no more Turns, rather than one Turn less."""
    game = Squadron(options=None)
    game.state(game.ember, shields=0, unplaced_breaches=2)
    game.fire(target_id=game.ember)
    game.throw_challenge(2, 2, BLANK, BLANK)
    game.do(SettleShipHit())
    assert game.of(game.ember).state.condition is Condition.DISABLED
    assert "Ember is disabled. It has no more Turns this scene." in game.last_said.normal
    assert "next Round" not in game.last_said.full


def test_ramming_hurts_both() -> None:
    """STN-16, C-50: 2 + Scale dice on the target, Scale dice on the own ship, with the same effects."""
    game = Squadron()
    game.act("ramming_speed", target_id=game.raider, at_range=Range.MEDIUM)
    assert game.task.difficulty == 3
    game.throw(1, 1)
    game.throw(20)
    game.follow()
    game.throw(12)
    assert game.table.request is not None
    assert game.table.request.count == 6
    game.throw_challenge(1, 1, 1, 1, 1, 1)
    game.do(SettleShipHit())
    assert game.of(game.raider).state.shields == 9
    game.throw(8)
    assert game.table.request is not None
    assert game.table.request.count == 4
    game.throw_challenge(2, 2, 2, EFFECT)
    # 7 and Vicious 1, less 4 Resistance; then half of 8, less 4
    assert game.of().state.shields == 8
    game.throw(20)
    assert (game.of().state.shields, game.is_settled()) == (8, True)


@pytest.mark.parametrize("ruleset", [Ruleset.STARTER, Ruleset.CORE_1E])
def test_options_of_what_firing_costs(ruleset: Ruleset) -> None:
    """C-36, C-52: no Power and no Threat, unless the table plays otherwise."""
    game = Squadron(ruleset=ruleset, options=TableOptions(fire_power=2, torpedo_adds_threat=True))
    threat = game.table.threat
    game.act("fire_weapon", target_id=game.raider, weapon="Torpedoes")
    assert (game.of().state.power, game.table.threat) == (7, threat + 1)
    game.do(Undo())
    game.state(game.ship, power=1)
    game.refused(game.acting("fire_weapon", target_id=game.raider, weapon="Torpedoes"), "STN-20")


def test_every_event_of_a_hit_is_told_in_words() -> None:
    """SDMG-1, BRCH-1: three lengths, no symbols."""
    game = Squadron(special=weapon(rating=6))
    events: list[object] = []
    game.fire(1, 1, ship=20, weapon="Lance")
    events += game.throw(5)
    game.throw_challenge(2, 2, 2, 2, 2, EFFECT)
    events += game.do(SettleShipHit())
    assert any(isinstance(one, SystemBreached) for one in events)
    said = game.last_said
    assert said.terse.split(". ") == [
        "Far Lantern hits Black Comet with Lance: 8 damage",
        "1 Breach",
        "The engines of Black Comet are out until restored",
        "Black Comet loses 2 Power, 7 left.",
    ]
    assert "Resistance was 3" in said.full
