"""The first edition's bridge stations at the table: what each Task is thrown against, costs, brings, and how long."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.conflict.cover import SetCover, cover_dice
from rules.conflict.lasting import EndEffect, effects_named
from rules.conflict.rounds import BeginTurn, EndTurn, Entrant, NextRound, StartConflict
from rules.dice import Symbol
from rules.legal.offers import options
from rules.ships.stations import STATION_ACTIONS
from rules.state.options import TableOptions
from rules.state.people import WeaponTrait
from rules.state.tasks import Modifier, ShipAssistance
from rules.state.vocabulary import (
    ActionScope,
    Attribute,
    Condition,
    ConflictKind,
    Discipline,
    Range,
    Ruleset,
    Spend,
    System,
)
from rules.table import PLAYBOOK
from rules.tasks.settling import MakeSpend
from rules.undo import Undo
from tests.rules.squadron import BY_SYSTEM, Squadron


def in_conflict(options: TableOptions = BY_SYSTEM) -> Squadron:
    """Okafor at tactical, Lindqvist at the helm, against the raider; Okafor's Turn."""
    game = Squadron(options=options)
    entrants = (
        Entrant(combatant_id=game.okafor, ship_id=game.ship, station="tactical"),
        Entrant(combatant_id=game.lindqvist, ship_id=game.ship, station="helm"),
        Entrant(combatant_id=game.raider),
    )
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=entrants, begins=game.okafor))
    game.do(BeginTurn(combatant_id=game.okafor))
    return game


def test_every_station_task_is_an_action_at_the_table() -> None:
    """STN-2 to STN-25: in both rulesets of the first edition."""
    for ruleset in (Ruleset.STARTER, Ruleset.CORE_1E):
        offered = {name for (scope, name, one) in PLAYBOOK.rows if scope is ActionScope.BRIDGE and one is ruleset}
        assert set(STATION_ACTIONS[ruleset]) <= offered


@pytest.mark.parametrize(
    ("name", "against", "difficulty", "power"),
    [
        ("rally", 9 + 3, 0, 0),
        ("signals_jamming", 11 + 4, 1, 0),
        ("damage_report", 10 + 3, 1, 0),
        ("transporters", 11 + 4, 2, 0),
        ("evasive_action", 11 + 2, 1, 1),
        ("attack_pattern", 9 + 2, 2, 1),
        ("plot_course", 10 + 2, 3, 0),
        ("deploy_security", 9 + 3, 1, 0),
        ("modulate_shields", 11 + 3, 2, 0),
        ("tractor_beam", 11 + 3, 2, 0),
        ("sensor_sweep", 10 + 2, 0, 0),
        ("scan_for_weakness", 11 + 2, 1, 0),
    ],
)
def test_what_a_task_is_thrown_against(name: str, against: int, difficulty: int, power: int) -> None:
    """STN-2 to STN-24, C-65: Power is paid when it is attempted."""
    game = Squadron()
    aimed = {"target_id": game.raider} if name in {"signals_jamming", "tractor_beam"} else {}
    game.act(name, **aimed)
    assert (game.task.target_number, game.task.difficulty) == (against, difficulty)
    assert game.of().state.power == 9 - power


def test_power_is_not_there_to_be_paid() -> None:
    """STN-12, STN-14, C-65: refused before anything is thrown; paid whatever comes of it."""
    game = Squadron()
    game.act("evasive_action")
    game.throw(20, 19)
    game.throw(19)
    game.finish()
    assert (game.of().state.power, effects_named(game.table, "evasive_action")) == (8, ())
    game.state(game.ship, power=0)
    game.refused(game.acting("evasive_action"), "STN-14")
    game.refused(game.acting("impulse", zones=1), "STN-12")


def test_evasive_action_until_the_helms_next_task() -> None:
    """STN-14, C-44: attacks on the ship and by it are 1 harder."""
    game = Squadron()
    game.succeed("evasive_action", character_id=game.lindqvist)
    game.finish()
    game.act("fire_weapon", target_id=game.raider, weapon="Phasers")
    assert game.task.difficulty == 3
    game.do(Undo())
    game.act("fire_weapon", game.raider, target_id=game.ship, weapon="Phasers")
    assert game.task.difficulty == 3
    game.do(Undo())
    game.act("maneuver", game.lindqvist)
    assert effects_named(game.table, "evasive_action") == ()


def test_an_attack_pattern_makes_the_ships_attacks_easier() -> None:
    """STN-15, STN-26, C-45."""
    game = Squadron()
    game.succeed("attack_pattern", character_id=game.lindqvist)
    game.finish()
    game.act("fire_weapon", target_id=game.raider, weapon="Phasers")
    assert game.task.difficulty == 1


@pytest.mark.parametrize("reason", ["a steady target", "Attack Pattern"])
def test_attack_pattern_at_difficulty_one_gives_bonus_momentum(reason: str) -> None:
    """STN-15: 1 Momentum instead, whatever somebody called what made it easier."""
    game = Squadron()
    game.succeed("attack_pattern", character_id=game.lindqvist)
    game.finish()
    near = (Modifier(reason=reason, change=-1),)
    game.act("fire_weapon", target_id=game.raider, weapon="Phasers", modifiers=near)
    assert game.task.difficulty == 1
    game.throw(1, 19)
    game.throw(19)
    game.follow()
    assert (game.task.bonus_momentum, game.task.momentum_left) == (1, 2)


def test_what_an_npc_ship_flies_ends_with_the_next_round() -> None:
    """C-71."""
    game = Squadron()
    game.succeed("evasive_action", character_id=game.raider)
    game.finish()
    assert effects_named(game.table, "evasive_action", target_id=game.raider)
    game.round_ends()
    assert effects_named(game.table, "evasive_action", target_id=game.raider)
    game.round_ends()
    assert effects_named(game.table, "evasive_action") == ()


def test_modulated_shields_hold_until_damage() -> None:
    """STN-21, STN-29, C-46: 1 Resistance and 1 for each Momentum, until 1 damage or more."""
    game = Squadron(momentum=2)
    game.succeed("modulate_shields", character_id=game.okafor)
    game.do(MakeSpend(spend=Spend.MORE_RESISTANCE, times=2))
    game.finish()
    held = effects_named(game.table, "resistance_modulated")
    assert [one.amount for one in held] == [3]
    for faces, left in (((2, 2, 2, 1), 12), ((2, 2, 2, 2), 11)):
        game.act("fire_weapon", game.raider, target_id=game.ship, weapon="Phasers")
        game.throw(1, 1)
        game.throw(19)
        game.follow()
        game.throw(12)
        game.throw_challenge(*faces)
        game.do(next(one.command for one in options(game.table) if one.option_id == "settle_ship_hit"))
        game.finish()
        assert game.of().state.shields == left
        assert bool(effects_named(game.table, "resistance_modulated")) is (left == 12)


def test_scan_for_weakness_pierces_the_next_attack() -> None:
    """STN-24, C-49: 2 Resistance for each Effect."""
    game = Squadron()
    game.succeed("scan_for_weakness")
    game.finish()
    game.strikes(2, 2, 2, Symbol.EFFECT, weapon="Phasers")
    assert game.of(game.raider).state.shields == 12 - 6
    assert effects_named(game.table, "weakness_found") == ()


def test_power_management_up_to_the_engines() -> None:
    """STN-7, STN-27, C-65: may succeed at a cost; nothing from dead Engines (C-74)."""
    game = Squadron(momentum=4)
    game.refused(game.acting("power_management"), "STN-7")
    game.state(game.ship, power=5)
    game.act("power_management")
    assert game.task.declaration.may_succeed_at_cost
    game.throw(1, 1)
    game.do(MakeSpend(spend=Spend.MORE_POWER, times=2))
    game.refused(MakeSpend(spend=Spend.MORE_RESISTANCE), "STN-21")
    game.finish()
    assert game.of().state.power == 8
    game.breached(System.ENGINES, 4)
    game.refused(game.acting("power_management"), "BRCH-4")


def test_shields_are_regenerated() -> None:
    """STN-8, C-48: 2, and 2 for each Momentum; 1 harder while they are down."""
    game = Squadron()
    game.refused(game.acting("regenerate_shields"), "STN-8")
    game.state(game.ship, shields=0)
    game.act("regenerate_shields")
    assert game.task.difficulty == 2
    game.throw(1, 1)
    game.throw(20)
    game.do(MakeSpend(spend=Spend.MORE_SHIELDS))
    game.finish()
    assert game.of().state.shields == 4


def test_repairs_by_what_the_system_came_to() -> None:
    """REP-1, REP-2, BRCH-3, BRCH-4, SQUAL-2, STN-6, STN-9, C-51: D3 and D4, the range, Devastating, a Damage Report."""
    game = Squadron()
    game.refused(game.acting("damage_control"), "REP-1")
    game.refused(game.acting("damage_control", system=System.SENSORS), "REP-1")
    game.breached(System.SENSORS, 2)
    game.act("damage_control", system=System.SENSORS)
    assert (game.task.difficulty, game.task.declaration.complication_range) == (3, 1)
    game.do(Undo())
    game.breached(System.WEAPONS, 4)
    game.act("repair_in_person", system=System.WEAPONS)
    assert (game.task.difficulty, game.task.declaration.complication_range) == (4, 3)
    game.do(Undo())
    game.minor("restore", system=System.SENSORS)
    game.succeed("damage_report")
    game.finish()
    game.act("damage_control", system=System.SENSORS)
    assert (game.task.difficulty, effects_named(game.table, "damage_reported")) == (2, ())
    game.throw(1, 1)
    game.finish()
    sensors = game.of().state.damage_of(System.SENSORS)
    assert (sensors.condition, sensors.breaches) == (Condition.OPERATIONAL, 2)
    game.breached(System.SENSORS, 1)
    assert game.of().state.damage_of(System.SENSORS).condition is Condition.DAMAGED
    game.breached(System.SENSORS, 2)
    game.refused(game.acting("damage_control", system=System.SENSORS), "REP-1")


def test_a_damaged_system_makes_its_tasks_harder() -> None:
    """BRCH-2, BRCH-3, BRCH-4, C-30: 2 harder with Complications from 19; out until Restore; disabled, not at all."""
    game = Squadron()
    game.breached(System.SENSORS, 2)
    game.refused(game.acting("sensor_sweep"), "BRCH-2")
    game.minor("restore", system=System.SENSORS)
    game.act("sensor_sweep")
    assert (game.task.difficulty, game.task.declaration.complication_range) == (2, 2)
    game.do(Undo())
    game.breached(System.SENSORS, 2)
    game.minor("restore", system=System.SENSORS)
    game.refused(game.acting("sensor_sweep"), "BRCH-4")


def test_damage_counts_for_a_plain_task_that_the_ship_helps_with() -> None:
    """BRCH-2, BRCH-3: no assistance by a system that is out."""
    game = Squadron()
    helped = ShipAssistance(ship_id=game.ship, system=System.COMPUTERS, department=Discipline.SCIENCE)
    game.breached(System.COMPUTERS, 2)
    game.refused(game.declaration(ship=helped), "BRCH-2")
    game.minor("restore", system=System.COMPUTERS)
    game.declare(ship=helped)
    assert (game.task.difficulty, game.task.declaration.complication_range) == (3, 2)


def test_movement() -> None:
    """STN-11, STN-12, SHIP-6, SHIP-9, C-74: without dice, unless terrain or the Engines make it harder."""
    game = Squadron()
    game.act("impulse", zones=2)
    assert (game.table.task, game.of().state.power) == (None, 8)
    game.refused(game.acting("maneuver", zones=2), "STN-11")
    game.act("maneuver", zones=1, level=2)
    assert (game.task.difficulty, game.task.target_number) == (2, 13)
    game.do(Undo())
    game.breached(System.ENGINES, 2)
    game.refused(game.acting("maneuver"), "BRCH-2")
    game.minor("restore", system=System.ENGINES)
    game.act("maneuver")
    assert game.task.difficulty == 2
    game.do(Undo())
    game.breached(System.ENGINES, 2)
    game.minor("restore", system=System.ENGINES)
    game.refused(game.acting("maneuver"), "BRCH-4")


@pytest.mark.parametrize(("ruleset", "price"), [(Ruleset.STARTER, 1), (Ruleset.CORE_1E, 3)])
def test_warp_and_pursuit(ruleset: Ruleset, price: int) -> None:
    """SHIP-7, STN-13, C-32: 1 Power or one a zone; a pursuer spends more than who flees."""
    game = Squadron(ruleset=ruleset)
    game.refused(game.acting("warp", zones=3, target_id=game.raider), "SHIP-7")
    game.act("warp", game.raider, zones=3)
    assert game.of(game.raider).state.power == 9 - price
    game.refused(game.acting("warp", zones=3, target_id=game.raider, level=price), "SHIP-7")
    game.act("warp", zones=3, target_id=game.raider)
    assert game.of().state.power == 9 - price - 1
    game.state(game.ship, power=0)
    game.refused(game.acting("warp", zones=3), "STN-13")


def test_a_scan_by_ruleset() -> None:
    """SHIP-8, STN-23, C-33, SQUAL-3: D1 with Control or Reason, or D0 with Reason; Hidden weapons make it harder."""
    game = Squadron(ruleset=Ruleset.STARTER)
    game.act("sensor_sweep")
    assert (game.task.difficulty, game.task.declaration.attribute) == (1, Attribute.CONTROL)
    game = Squadron()
    game.act("sensor_sweep")
    assert (game.task.difficulty, game.task.declaration.attribute) == (0, Attribute.REASON)
    game.do(Undo())
    ship = game.of(game.raider)
    hidden = replace(ship.weapons[0], qualities=(WeaponTrait(name="Hidden", amount=2),))
    game.put(replace(ship, weapons=(hidden,)))
    game.act("sensor_sweep", target_id=game.raider, weapon="Phasers")
    assert game.task.difficulty == 2


def test_courses_hazards_and_probes() -> None:
    """STN-17, STN-18, STN-25, STN-28."""
    game = Squadron(momentum=4)
    game.succeed("plot_course", 1, 1)
    game.do(MakeSpend(spend=Spend.BETTER_COURSE))
    game.finish()
    game.act("attack_pattern", game.lindqvist)
    assert (game.task.difficulty, effects_named(game.table, "course_plotted")) == (0, ())
    game.throw(1, 1)
    game.throw(20)
    game.finish()
    game.refused(game.acting("chart_hazard"), "STN-18")
    game.succeed("chart_hazard", 1, 1, note="mines, a comet, a buoy")
    game.do(MakeSpend(spend=Spend.MORE_HAZARDS))
    game.finish()
    for hazard, difficulty in (("Mines", 1), ("a comet", 1), ("a buoy", 3)):
        game.act("pilot", note=hazard, level=3)
        assert game.task.difficulty == difficulty, hazard
        game.do(Undo())
    game.refused(game.acting("sensor_sweep", note="near the probe"), "STN-25")
    game.act("launch_probe")
    game.act("sensor_sweep", note="near the probe", level=3)
    assert game.task.difficulty == 1


def test_hails_beams_and_jamming() -> None:
    """STN-3 to STN-5, STN-22, C-47."""
    game = Squadron()
    game.refused(game.acting("respond_to_hail", target_id=game.raider), "STN-4")
    game.act("hailing_frequencies", game.raider, target_id=game.ship)
    game.act("respond_to_hail", target_id=game.raider)
    assert [one.name for one in game.table.effects] == ["link_full"]
    game.refused(game.acting("signals_jamming", target_id=game.raider, level=4), "STN-5")
    game.succeed("signals_jamming", target_id=game.raider, level=3)
    game.finish()
    assert [one.amount for one in effects_named(game.table, "jammed", target_id=game.raider)] == [3]
    game.refused(game.acting("tractor_beam", target_id=game.raider, at_range=Range.LONG), "STN-22")
    game.succeed("tractor_beam", target_id=game.raider)
    game.finish()
    game.refused(game.acting("impulse", game.raider, zones=1), "STN-22")
    game.do(EndEffect(effect_id=effects_named(game.table, "beam_held")[0].effect_id))
    game.act("impulse", game.raider, zones=1)


def test_deploy_security_is_opposed() -> None:
    """STN-19."""
    game = Squadron()
    game.act("deploy_security")
    assert game.task.declaration.opposed


def test_shields_are_lowered_and_raised() -> None:
    """SHIP-10: lowered 0; raised what they were; not both in one Round."""
    game = in_conflict()
    game.state(game.ship, shields=7)
    game.minor("lower_shields")
    assert (game.of().state.shields, game.of().state.shields_raised) == (0, False)
    game.minor_refused("raise_shields", "SHIP-10")
    game.minor_refused("lower_shields", "SHIP-10", game.lindqvist)
    game = Squadron()
    game.state(game.ship, shields=7)
    game.minor("lower_shields")
    game.refused(game.acting("regenerate_shields"), "STN-8")
    game.minor("raise_shields")
    assert game.of().state.shields == 7
    game.minor_refused("raise_shields", "SHIP-10")


def test_another_stations_task_is_harder() -> None:
    """STN-1 Override, C-59."""
    game = in_conflict()
    game.act("evasive_action")
    assert game.task.difficulty == 2
    game.do(Undo())
    game.act("rally")
    assert game.task.difficulty == 1
    strict = in_conflict(options=replace(BY_SYSTEM, override_as=Ruleset.SECOND_EDITION))
    strict.refused(strict.acting("rally"), "S2E-6")


def test_changing_position() -> None:
    """SHIP-10, C-3, REP-1: another station now, elsewhere with the next Turn."""
    game = in_conflict()
    game.minor("change_position", note="Helm")
    combatant = game.table.conflict.combatant(game.okafor) if game.table.conflict else None
    assert combatant is not None
    assert combatant.station == "helm"
    game.breached(System.SENSORS, 2)
    game.refused(game.acting("repair_in_person", system=System.SENSORS), "REP-1")
    game.minor("change_position", note="the sensor pods")
    assert effects_named(game.table, "changing_position")
    game.do(EndTurn())
    for one in (game.raider, game.lindqvist):
        game.do(BeginTurn(combatant_id=one))
        game.do(EndTurn())
    while any(one.turns_taken < one.turns for one in game.table.conflict.combatants):  # type: ignore[union-attr]  # one is under way
        game.do(BeginTurn(combatant_id=game.raider))
        game.do(EndTurn())
    game.do(NextRound())
    game.do(BeginTurn(combatant_id=game.okafor))
    assert effects_named(game.table, "changing_position") == ()
    game.act("repair_in_person", system=System.SENSORS)
    assert game.task.difficulty == 3


@pytest.mark.parametrize("place", ["Helm", "the sensor pods"])
def test_who_goes_to_another_station_leaves_cover(place: str) -> None:
    """C-70: as they set out, wherever that leads and whenever they arrive."""
    game = in_conflict()
    for who in (game.okafor, game.lindqvist):
        game.do(SetCover(character_id=who, dice=2))
    game.minor("change_position", note=place)
    assert (cover_dice(game.table, game.okafor), cover_dice(game.table, game.lindqvist)) == (0, 2)


def test_an_npc_ships_role_acts_again() -> None:
    """NSHIP-2, C-34: 1 harder, flat; or cumulative."""
    for cumulative, third in ((False, 3), (True, 4)):
        game = in_conflict(options=replace(BY_SYSTEM, npc_role_cumulative=cumulative))
        conflict = game.table.conflict
        assert conflict is not None
        assert conflict.combatant(game.raider).turns == 5  # type: ignore[union-attr]  # it takes part
        game.do(EndTurn())
        for number, difficulty in enumerate((2, 3, third)):
            game.do(BeginTurn(combatant_id=game.raider))
            game.act("modulate_shields", game.raider)
            assert game.task.difficulty == difficulty
            game.throw(20, 20)
            game.throw(19)
            game.finish()
            game.do(EndTurn())
            if number == 0:
                game.do(BeginTurn(combatant_id=game.lindqvist))
                game.do(EndTurn())
