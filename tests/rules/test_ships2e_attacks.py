"""Attacks of the second edition at the table: the shot, the hit, Shields, Breaches, and what makes a shot better."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rules.legal.offers import options
from rules.setup.setting_up import StartScene
from rules.ships.cards import SaveShip
from rules.ships.second.hits import ChooseStruckSystem, SettleHit
from rules.ships.second.leaving import ChooseShaken
from rules.ships.shaken import RESULTS
from rules.ships.striking import StrikeShip
from rules.state.options import TableOptions
from rules.state.people import WeaponTrait
from rules.state.ships import SystemDamage
from rules.state.vocabulary import Condition, Range, Ruleset, Spend, StepKind, System
from rules.tasks.settling import FinishSpending, MakeSpend
from rules.undo import Undo
from tests.rules.fleet2e import PHASERS, Fleet, replayed
from tests.rules.tabletop import disciplines, systems

HIT = (1, 1, 20)


def test_firing_is_harder_with_torpedoes_which_add_threat() -> None:
    """S2E-T5, C-52, THR-2: D2 or D3; 1 Threat, whatever comes of it."""
    game = Fleet()
    threat = game.table.threat
    game.act("fire", target_id=game.raider, weapon="Phasers")
    assert (game.task.difficulty, game.task.target_number, game.table.threat) == (2, 14, threat)
    game.do(Undo())
    game.act("fire", target_id=game.raider, weapon="torpedoes")
    assert (game.task.difficulty, game.table.threat) == (3, threat + 1)
    game.do(Undo())
    assert game.table.threat == threat
    game = Fleet(options=TableOptions(torpedo_adds_threat=False))
    game.act("fire", target_id=game.raider, weapon="Torpedoes")
    assert game.table.threat == 4


def test_a_shot_needs_a_target_and_an_armed_weapon() -> None:
    """S2E-T2, S2E-T5, S2E-7."""
    game = Fleet()
    game.refused(game.acting("fire", weapon="Phasers"), "S2E-7")
    game.refused(game.acting("fire", target_id=game.ship, weapon="Phasers"), "S2E-7")
    game.refused(game.acting("fire", target_id=game.raider, weapon="Slingshot"), "S2E-T5")
    game.minor("prepare", note="make weapons safe")
    game.refused(game.acting("fire", target_id=game.raider, weapon="Phasers"), "S2E-T2")
    game.minor_refused("prepare", "S2E-T2", note="make weapons safe")
    game.minor("prepare", note="arm weapons")
    game.act("fire", target_id=game.raider, weapon="Phasers")


def test_range_and_aim_count_only_where_the_table_plays_them() -> None:
    """S2E-7, S2E-T3, C-52."""
    game = Fleet()
    game.act("fire", target_id=game.raider, weapon="Phasers", at_range=Range.EXTREME)
    assert game.task.difficulty == 2
    game = Fleet(options=TableOptions(range_and_aim_penalties=True))
    game.act("fire", target_id=game.raider, weapon="Phasers", at_range=Range.EXTREME, system=System.ENGINES)
    assert game.task.difficulty == 5


def test_a_hit_finds_its_system_and_its_damage_step_by_step() -> None:
    """S2E-7, S2E-10, SATK-2, C-61: no spending ends before the hit is settled; each step is undone by itself."""
    game = Fleet()
    game.act("fire", target_id=game.raider, weapon="Phasers")
    game.throw(1, 1)
    game.throw(20)
    assert "follow_through" in {one.option_id for one in options(game.table)}
    game.refused(FinishSpending(), "TASK-10")
    game.follow()
    assert game.table.request is not None
    assert "where Black Comet is hit" in game.table.request.why
    game.throw(4)
    assert [one.system for one in game.table.agenda] == [System.ENGINES]
    game.refused(FinishSpending(), "TASK-10")
    assert game.last_said.urgent
    game.do(SettleHit())
    assert game.of(game.raider).state.shields == 12 - (7 - 3)
    game.do(Undo())
    assert game.of(game.raider).state.shields == 12
    game.do(Undo())
    assert game.table.request is not None
    game.throw(18)
    assert [one.system for one in game.table.agenda] == [System.WEAPONS]
    game.do(SettleHit())
    assert game.table.attack is None
    game.finish()
    assert game.table.task is None
    assert game.table.momentum == 2


def test_complications_take_damage_off_even_below_one() -> None:
    """S2E-10, C-38: the minimum comes before the gamemaster's reductions."""
    game = Fleet()
    game.state(game.raider, resistance=7)
    game.act("fire", target_id=game.raider, weapon="Phasers")
    game.throw(1, 1)
    game.throw(20)
    game.follow()
    game.throw(12)
    assert {"settle_hit:0", "settle_hit:1"} <= {one.option_id for one in options(game.table)}
    game.refused(SettleHit(reductions=2), "S2E-10")
    game.do(SettleHit(reductions=1))
    assert game.of(game.raider).state.shields == 12
    game.do(Undo())
    game.do(SettleHit())
    assert game.of(game.raider).state.shields == 11


def test_a_complication_that_took_damage_off_is_used_up() -> None:
    """S2E-10, TASK-7, THR-3: it is nothing to be taken or bought off any more; others still are."""
    game = Fleet()
    game.act("fire", target_id=game.raider, weapon="Phasers")
    game.throw(1, 20)
    game.throw(20)
    game.follow()
    game.throw(12)
    waiting = game.task.complications_open
    assert waiting == 2
    game.do(SettleHit(reductions=1))
    assert game.task.complications_open == 1
    assert "Complications took off 1 damage" in game.last_said.normal
    game.do(Undo())
    assert game.task.complications_open == 2
    game.do(SettleHit(reductions=2))
    game.do(FinishSpending())
    assert game.table.task is None
    assert replayed(game) == game.table


def test_added_damage_and_a_devastating_attack() -> None:
    """S2E-8, C-69: 2 Momentum a point; another system takes half of the whole, rounded up, against Resistance again."""
    game = Fleet(momentum=6)
    game.hit(*HIT)
    game.do(MakeSpend(spend=Spend.ADDED_DAMAGE, times=2))
    game.do(MakeSpend(spend=Spend.DEVASTATING_ATTACK))
    assert game.table.momentum == 2
    game.do(SettleHit())
    assert game.of(game.raider).state.shields == 12 - (9 - 3)
    assert [one.kind for one in game.table.agenda] == [StepKind.STRUCK_SYSTEM, StepKind.FLAT_HIT]
    game.refused(ChooseStruckSystem(system=System.STRUCTURE), "S2E-8")
    game.do(ChooseStruckSystem(system=System.SENSORS))
    assert game.of(game.raider).state.shields == 6 - (5 - 3)
    assert [one.kind for one in game.table.agenda] == [StepKind.SHAKEN]
    game.do(ChooseShaken(result="complication", note="Hull groans"))
    assert [one.name for one in game.table.traits] == ["Hull groans"]
    assert replayed(game) == game.table


def test_a_second_hit_of_the_attack_that_shook_the_ship_breaches_it_below_a_quarter() -> None:
    """S2E-11, C-37: each hit counts the thresholds that it crosses; what the attack did before counts for the attack.

    14 Shields, Resistance 4 pierced by 1: 11 damage leave 6, below half; half of them, 6, leave 3, below a quarter.
    """
    game = Fleet(momentum=6)
    piercing = (WeaponTrait(name="piercing", amount=1),)
    game.put(replace(game.of(), weapons=(replace(PHASERS, name="Disruptor", rating=10, qualities=piercing),)))
    game.state(game.raider, shields=14, shields_max=14, resistance=4)
    game.hit(*HIT, weapon="Disruptor")
    game.do(MakeSpend(spend=Spend.ADDED_DAMAGE))
    game.do(MakeSpend(spend=Spend.DEVASTATING_ATTACK))
    game.do(SettleHit())
    raider = game.of(game.raider).state
    assert (raider.shields, raider.shaken) == (6, 1)
    game.do(ChooseShaken(result="complication", note="Hull groans"))
    game.do(ChooseStruckSystem(system=System.SENSORS))
    raider = game.of(game.raider).state
    assert (raider.shields, raider.shaken, raider.damage_of(System.SENSORS).breaches) == (3, 1, 1)
    assert game.is_settled()
    assert replayed(game) == game.table


def test_another_attack_below_a_quarter_shakes_again() -> None:
    """S2E-11: what an earlier attack did does not count."""
    game = Fleet()
    game.state(game.raider, shields=6, shields_max=14, shaken=1, resistance=4)
    game.hit(*HIT)
    game.do(SettleHit())
    raider = game.of(game.raider).state
    assert (raider.shields, raider.shaken, raider.systems) == (3, 2, ())


def test_nothing_more_hits_a_ship_that_is_gone() -> None:
    """S2E-8, S2E-15."""
    game = Fleet(momentum=4)
    game.state(game.raider, shields=0, critical=True, systems=(SystemDamage(system=System.SENSORS, breaches=6),))
    game.hit(*HIT)
    game.do(MakeSpend(spend=Spend.DEVASTATING_ATTACK))
    game.do(SettleHit())
    assert game.of(game.raider).state.destroyed
    assert game.is_settled()
    game.finish()


def test_spends_of_an_attack_are_refused_outside_of_one() -> None:
    """S2E-8, MOM-10."""
    game = Fleet(momentum=6)
    game.act("sensor_sweep")
    game.throw(1, 1)
    game.throw(1)
    for spend in (Spend.ADDED_DAMAGE, Spend.DEVASTATING_ATTACK, Spend.COUNTER_HIT):
        game.refused(
            MakeSpend(spend=spend),
            {Spend.DEVASTATING_ATTACK: "MOM-10", Spend.COUNTER_HIT: "S2E-T4"}.get(spend, "S2E-8"),
        )


def test_each_threshold_is_crossed_in_order_and_shields_down_breach() -> None:
    """S2E-11, S2E-12, C-37."""
    game = Fleet()
    game.strike(4 + 6)
    assert (game.of().state.shields, game.table.agenda) == (6, ())
    game.strike(4 + 1)
    assert game.of().state.shields == 5
    game.refused(StartScene(), "TASK-10")
    game.do(ChooseShaken(result="lose_reserve_power"))
    game.strike(4 + 3)
    game.refused(ChooseShaken(result="lose_reserve_power"), "S2E-3")
    game.do(ChooseShaken(result="system_out", system=System.SENSORS))
    assert (game.of().state.shields, game.of().state.systems[0].breaches) == (2, 0)
    game.strike(4 + 2, system=System.ENGINES)
    assert game.of().state.damage_of(System.ENGINES).breaches == 1
    game.strike(1, system=System.ENGINES)
    assert game.of().state.damage_of(System.ENGINES).breaches == 2
    assert game.of().state.shaken == 2
    assert replayed(game) == game.table


def test_the_option_for_shields_that_go_down_at_once() -> None:
    """S2E-11, C-37."""
    breaches = []
    for replaces in (False, True):
        game = Fleet(options=TableOptions(s2e_zero_replaces_quarter=replaces))
        game.strike(16)
        game.do(ChooseShaken(result="complication"))
        breaches.append(game.of().state.damage_of(System.STRUCTURE).breaches)
    assert breaches == [2, 1]


def test_what_is_out_is_restored_before_it_is_used() -> None:
    """S2E-6, S2E-13."""
    game = Fleet()
    game.strike(4 + 7)
    offered = {one.option_id for one in options(game.table)}
    assert {f"choose_shaken:system_out:{one}" for one in System} <= offered
    game.refused(ChooseShaken(result="explode"), "S2E-13")
    game.refused(ChooseShaken(result="system_out"), "S2E-13")
    game.do(ChooseShaken(result="system_out", system=System.SENSORS))
    game.refused(game.acting("sensor_sweep"), "S2E-6")
    game.minor_refused("restore", "S2E-6", system=System.WEAPONS)
    game.minor("restore", system=System.SENSORS)
    game.act("sensor_sweep")
    assert set(RESULTS) == {"lose_reserve_power", "system_out", "complication"}


def test_half_the_scale_destroys_a_system_and_more_than_the_scale_the_ship() -> None:
    """S2E-14, S2E-15, C-41, C-72: systems from half the Scale rounded up; critical above the Scale, then gone."""
    game = Fleet()
    game.state(game.raider, shields=0)
    for breaches in (1, 2, 3):
        game.strike(1, game.raider, System.SENSORS)
        damage = game.of(game.raider).state.damage_of(System.SENSORS)
        assert (damage.condition is Condition.DESTROYED) is (breaches == 3)
    game.refused(game.acting("sensor_sweep", game.raider), "S2E-14")
    for _ in range(2):
        game.strike(1, game.raider, System.WEAPONS)
    assert not game.of(game.raider).state.critical
    game.strike(1, game.raider, System.COMPUTERS)
    assert game.of(game.raider).state.critical
    game.refused(game.acting("fire", game.raider, target_id=game.ship), "S2E-15")
    said = game.last_said
    assert "cannot act" in said.terse
    assert "may let it be destroyed" in said.normal
    game.strike(1, game.raider)
    assert game.of(game.raider).state.destroyed
    game.refused(game.acting("fire", target_id=game.raider, weapon="Phasers"), "S2E-15")
    game.refused(StrikeShip(ship_id=game.raider, damage=3, reason="debris"), "S2E-15")


def test_breaches_make_tasks_of_their_system_harder_until_patched() -> None:
    """S2E-18, TRAIT-4."""
    game = Fleet()
    game.state(game.ship, shields=0)
    game.strike(5, system=System.SENSORS)
    game.act("sensor_sweep")
    assert game.task.difficulty == 2
    assert [one.reason for one in game.task.declaration.modifiers] == ["Breaches of sensors"]


@given(st.integers(1, 30), st.integers(0, 12), st.integers(0, 8), st.integers(0, 8), st.booleans())
def test_a_hit_does_at_least_one_and_crosses_each_threshold_once(
    damage: int,
    shields: int,
    resistance: int,
    piercing: int,
    replaces: bool,  # noqa: FBT001 - drawn
) -> None:
    """S2E-10 to S2E-12, C-37."""
    game = Fleet(options=TableOptions(s2e_zero_replaces_quarter=replaces))
    game.state(game.ship, shields=shields, resistance=resistance)
    game.strike(damage, piercing=piercing)
    after = game.of().state
    done = max(1, damage - max(0, resistance - piercing))
    assert after.shields == max(0, shields - done)
    crossed = (2 * after.shields < 12 <= 2 * shields) + (4 * after.shields < 12 <= 4 * shields)
    breaches = after.damage_of(System.STRUCTURE).breaches
    assert after.shaken <= 1
    assert after.shaken + breaches <= crossed + (after.shields == 0)
    assert breaches >= (after.shields == 0)
    assert len(game.table.agenda) == after.shaken


def test_other_rulesets_do_not_have_these_actions() -> None:
    """S2E-O2, STN-7."""
    game = Fleet(ruleset=Ruleset.CORE_1E)
    game.refused(game.acting("reroute_power", system=System.ENGINES), "ACT-4")


def test_a_ships_weapon_has_no_trait_that_nothing_plays() -> None:
    """SWPN-1 to SWPN-6, SQUAL-1 to SQUAL-5: what no rule plays is refused with the names there are."""
    game = Fleet()
    numbers: dict[str, Any] = {"systems": systems(), "departments": disciplines()}
    odd = replace(PHASERS, effects=(WeaponTrait(name="Peircing", amount=2),))
    unknown = SaveShip(ship_id=game.ship, name="Far Lantern", scale=4, weapons=(odd,), **numbers)
    message = game.refused(unknown, "SWPN-1")
    assert "piercing" in message
    game.do(replace(unknown, weapons=(replace(odd, effects=(WeaponTrait(name="High-Yield"),)),)))
