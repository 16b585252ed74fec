"""What the stations do for the next attack, and against the one on their ship, by the second edition."""

from __future__ import annotations

from dataclasses import replace

from rules.conflict.lasting import EndEffect, effects_named
from rules.legal.menu import menu
from rules.legal.offers import options
from rules.ships.cards import SaveShip
from rules.ships.events import EvasionWon, ShipMoved
from rules.ships.second.hits import SettleHit
from rules.ships.second.leaving import ChooseShaken
from rules.ships.second.movement import SetTerrain
from rules.state.tasks import Modifier
from rules.state.vocabulary import Range, RerollReason, Spend, System, TaskPhase, Terrain
from rules.tasks.settling import FinishSpending, MakeSpend
from rules.undo import Undo
from tests.rules.fleet2e import TORPEDOES, Fleet, replayed
from tests.rules.tabletop import disciplines, systems

HIT = (1, 1, 20)


def test_calibration_and_weakness_serve_the_next_attack_and_no_other() -> None:
    """S2E-T1, S2E-X4, C-49: 1 and 2 damage more, or Resistance pierced; used up by a miss too."""
    game = Fleet()
    game.minor("calibrate_weapons")
    game.act("scan_for_weakness")
    assert game.task.difficulty == 2
    game.throw(1, 1)
    game.throw(20)
    game.finish()
    game.hit(*HIT)
    game.do(SettleHit())
    assert game.of(game.raider).state.shields == 12 - (7 + 1 + 2 - 3)
    game.do(ChooseShaken(result="complication"))
    game.finish()
    game.minor("calibrate_weapons")
    game.act("fire", target_id=game.raider, weapon="Phasers")
    game.throw(19, 19)
    game.throw(20)
    game.finish()
    assert not effects_named(game.table, "weapons_calibrated")


def test_a_weakness_may_pierce_instead() -> None:
    """S2E-X4."""
    game = Fleet()
    game.act("scan_for_weakness", effect="piercing")
    game.throw(1, 1)
    game.throw(20)
    game.finish()
    game.hit(*HIT)
    game.do(SettleHit())
    assert game.of(game.raider).state.shields == 12 - (7 - 1)


def test_a_targeting_solution_chooses_the_system_or_throws_again() -> None:
    """S2E-T3, S2E-7, TASK-12: one of both, for one attack."""
    game = Fleet()
    game.refused(game.acting("fire", target_id=game.raider, weapon="Phasers", system=System.ENGINES), "S2E-T3")
    game.minor_refused("targeting_solution", "S2E-T3", at_range=Range.EXTREME)
    game.minor("targeting_solution", at_range=Range.LONG)
    game.act("fire", target_id=game.raider, weapon="Phasers")
    assert RerollReason.SHIP_SYSTEM in game.task.declaration.rerolls
    game.do(Undo())
    game.act("fire", target_id=game.raider, weapon="Phasers", system=System.ENGINES)
    assert RerollReason.SHIP_SYSTEM not in game.task.declaration.rerolls
    game.throw(1, 1)
    game.throw(20)
    game.follow()
    assert game.table.request is None
    assert game.table.agenda[0].system is System.ENGINES
    assert not effects_named(game.table, "target_solved")


def test_attack_pattern_helps_and_endangers() -> None:
    """S2E-H3, C-45: the helm helps each attack with Control + Conn; attacks on the ship are 1 easier."""
    game = Fleet()
    game.act("attack_pattern", game.lindqvist)
    assert game.table.task is None
    game.act("fire", target_id=game.raider, weapon="Phasers")
    assert [one.character_id for one in game.task.declaration.assists] == [game.lindqvist]
    game.do(Undo())
    game.act("fire", game.raider, target_id=game.ship)
    assert game.task.difficulty == 1
    assert game.task.declaration.assists == ()


def test_evasive_action_opposes_attacks_and_lets_the_winner_move() -> None:
    """S2E-H4, C-42, C-44, C-64: D1 with Daring + Conn and Structure + Conn; its own attacks are 1 harder."""
    game = Fleet()
    game.act("evasive_action", game.lindqvist)
    game.refused(game.acting("defensive_fire"), "S2E-H4")
    game.refused(game.acting("evade", game.lindqvist, ship_id=game.ship), "S2E-H4")
    game.act("fire", target_id=game.raider, weapon="Phasers")
    assert game.task.difficulty == 3
    game.do(Undo())
    game.act("fire", game.raider, target_id=game.ship)
    game.throw(9, 19)
    game.throw(1)
    assert game.table.task is not None
    assert game.table.task.phase is TaskPhase.AWAITING_OPPOSITION
    evade = next(one for one in options(game.table) if one.option_id == "declare_task:evade")
    game.do(evade.command)
    assert (game.task.difficulty, game.task.declaration.attribute) == (1, "daring")
    game.throw(1, 1)
    events = game.throw(2) if game.table.request is not None else ()
    events += game.do(FinishSpending())
    assert [one.name for one in events if isinstance(one, EvasionWon)] == ["Far Lantern"]
    assert game.of().state.shields == 12


def test_a_tractor_beam_is_no_stronger_than_a_task_can_be_hard() -> None:
    """S2E-T7, TASK-2: else nobody could ever break free."""
    game = Fleet()
    game.refused(game.acting("tractor_beam", target_id=game.raider, level=11), "TASK-2")
    game.act("tractor_beam", target_id=game.raider, level=10)


def test_who_hits_an_evading_ship_may_move() -> None:
    """S2E-H4, OPP-2: the attack that wins goes on to its damage."""
    game = Fleet()
    game.act("evasive_action", game.lindqvist)
    game.act("fire", game.raider, target_id=game.ship)
    game.throw(1, 1)
    game.throw(1)
    evade = next(one for one in options(game.table) if one.option_id == "declare_task:evade")
    game.do(evade.command)
    game.throw(19, 19)
    game.throw(20)
    while game.task.declaration.action is not None and game.task.declaration.action.name == "evade":
        game.finish()
    game.follow()
    game.throw(11)
    game.do(SettleHit())
    events = game.do(FinishSpending())
    assert [one.name for one in events if isinstance(one, EvasionWon)] == ["Black Comet"]
    assert game.of().state.shields == 12 - (7 - 4)


def test_defensive_fire_hits_back_for_two_momentum() -> None:
    """S2E-T4, C-64."""
    game = Fleet()
    game.act("defensive_fire", weapon="Phasers")
    game.refused(game.acting("evasive_action", game.lindqvist), "S2E-H4")
    game.act("fire", game.raider, target_id=game.ship)
    game.throw(19, 19)
    game.throw(20)
    fire = next(one for one in options(game.table) if one.option_id == "declare_task:return_fire")
    game.do(fire.command)
    game.throw(1, 1)
    game.throw(2)
    game.do(MakeSpend(spend=Spend.COUNTER_HIT))
    game.refused(FinishSpending(), "TASK-10")
    game.refused(MakeSpend(spend=Spend.COUNTER_HIT), "S2E-T4")
    game.throw(11)
    game.do(SettleHit())
    assert game.of(game.raider).state.shields == 12 - (7 - 3)
    while game.table.task is not None:
        game.finish()
    assert game.of().state.shields == 12
    assert replayed(game) == game.table


def test_defensive_fire_is_of_an_energy_weapon() -> None:
    """S2E-T4: neither prepared nor returned with torpedoes; of several energy weapons one is chosen."""
    game = Fleet()
    said = game.refused(game.acting("defensive_fire", weapon="Torpedoes"), "S2E-T4")
    assert said == "Torpedoes cannot fire defensively, only an energy weapon can; choose another one."
    (entry,) = (one for one in menu(game.table, game.okafor) if one.name == "defensive_fire")
    assert [one.id for choice in entry.choices for one in choice.values] == ["Phasers"]
    game.act("defensive_fire")
    game.act("fire", game.raider, target_id=game.ship)
    game.throw(19, 19)
    game.throw(20)
    game.refused(game.acting("return_fire", weapon="Torpedoes"), "S2E-T4")
    game.act("return_fire")
    game.throw(1, 1)
    game.throw(2)
    game.do(MakeSpend(spend=Spend.COUNTER_HIT))
    assert game.table.attack is not None
    assert game.table.attack.action.weapon == "Phasers"


def test_a_ship_with_torpedoes_alone_cannot_fire_defensively() -> None:
    """S2E-T4."""
    game = Fleet()
    game.put(replace(game.of(), weapons=(TORPEDOES,)))
    said = game.refused(game.acting("defensive_fire"), "S2E-T4")
    assert said == "Defensive Fire needs an energy weapon, and there is none."
    (entry,) = (one for one in menu(game.table, game.okafor) if one.name == "defensive_fire")
    assert (entry.possible, entry.why_not) == (False, said)


def test_modulated_shields_resist_two_more() -> None:
    """S2E-T6, C-46: without dice; not while Shields are down."""
    game = Fleet()
    game.act("modulate_shields")
    assert game.table.task is None
    game.strike(4 + 3)
    assert game.of().state.shields == 11
    game.state(game.ship, shields=0)
    game.refused(game.acting("modulate_shields"), "S2E-T6")


def test_lowered_shields_are_zero_and_come_back() -> None:
    """S2E-T2, S2E-12."""
    game = Fleet()
    game.state(game.ship, shields=7)
    game.minor("prepare", note="lower shields")
    assert game.of().state.shields == 0
    game.refused(game.acting("regenerate_shields"), "S2E-O3")
    game.strike(3)
    assert game.of().state.damage_of(System.STRUCTURE).breaches == 1
    game.minor("raise_shields")
    game.minor_refused("raise_shields", "S2E-T2")
    assert game.of().state.shields == 7


def test_a_tractor_beam_holds_until_it_is_broken() -> None:
    """S2E-T7, C-47: Close only, with the Structure; as strong as the ship unless the gamemaster says otherwise."""
    game = Fleet()
    game.refused(game.acting("tractor_beam", target_id=game.raider, at_range=Range.LONG), "S2E-T7")
    game.refused(game.acting("break_free", game.raider), "S2E-T7")
    game.act("tractor_beam", target_id=game.raider)
    assert game.task.declaration.ship is not None
    assert game.task.declaration.ship.system is System.STRUCTURE
    game.throw(1, 1)
    game.throw(20)
    game.finish()
    game.minor_refused("impulse", "S2E-T7", game.raider, zones=1)
    game.act("break_free", game.raider)
    assert game.task.difficulty == 4
    game.throw(1, 1)
    game.throw(20)
    game.finish()
    assert not effects_named(game.table, "beam_held")


def test_sensors_work_less_well_farther_off_and_reveal_until_the_ship_moves() -> None:
    """S2E-X3, S2E-X5: 1 harder a band beyond Close; attacks on a revealed ship are 2 harder till it moves."""
    game = Fleet()
    game.act("sensor_sweep", at_range=Range.LONG)
    assert game.task.difficulty == 1 + 2
    game.do(Undo())
    game.refused(game.acting("reveal", target_id=game.raider, at_range=Range.EXTREME), "S2E-X3")
    game.act("reveal", target_id=game.raider)
    assert game.task.difficulty == 3
    game.throw(1, 1)
    game.throw(20)
    game.finish()
    game.act("fire", target_id=game.raider, weapon="Phasers")
    assert game.task.difficulty == 4
    game.do(Undo())
    game.minor("impulse", game.raider, zones=1)
    game.act("fire", target_id=game.raider, weapon="Phasers")
    assert game.task.difficulty == 2


def test_one_probe_is_out_until_it_is_lost() -> None:
    """S2E-X2."""
    game = Fleet()
    game.minor("launch_probe", at_range=Range.LONG)
    game.minor_refused("launch_probe", "S2E-X2")
    probe = effects_named(game.table, "probe_out")[0]
    game.do(EndEffect(effect_id=probe.effect_id))
    game.minor("launch_probe")


def test_cover_is_what_the_table_declares() -> None:
    """S2E-9, TRAIT-2, TASK-7: a trait makes the attack harder, or widens its complication range."""
    game = Fleet()
    game.act(
        "fire",
        target_id=game.raider,
        weapon="Phasers",
        modifiers=(Modifier(reason="Ion storm", change=1),),
        complication_range=3,
    )
    assert (game.task.difficulty, game.task.declaration.complication_range) == (3, 3)


def test_whose_bridge_it_is_has_to_be_clear() -> None:
    """S2E-1: characters act, on the ship named, on their own in a conflict, or on the only one with a bridge crew."""
    game = Fleet()
    game.do(SaveShip(name="Slow Ember", scale=2, systems=systems(), departments=disciplines()))
    game.refused(game.acting("sensor_sweep"), "S2E-1")
    game.act("sensor_sweep", ship_id=game.ship)
    assert game.task.declaration.ship is not None
    assert game.task.declaration.ship.ship_id == game.ship


def test_thrusters_move_within_the_zone_at_no_price() -> None:
    """S2E-H2, S2E-5."""
    game = Fleet()
    game.do(SetTerrain(ship_id=game.ship, terrain=Terrain.SINGULARITY))
    events = game.minor("thrusters", game.lindqvist)
    assert [one.zones for one in events if isinstance(one, ShipMoved)] == [0]
    assert game.of().state.terrain is Terrain.SINGULARITY


def test_what_is_revealed_says_so_in_the_rules_words() -> None:
    """S2E-X3: three lengths, each a whole sentence."""
    game = Fleet()
    game.act("reveal", target_id=game.raider, at_range=Range.MEDIUM)
    assert game.task.difficulty == 4
    game.throw(1, 1)
    game.throw(1)
    game.finish()
    said = game.last_said
    assert said.terse.startswith("Revealed, Black Comet.")
    assert "until it moves" in said.normal


def test_nobody_acts_on_an_abandoned_ship() -> None:
    """S2E-20."""
    game = Fleet()
    game.state(game.ship, abandoned=True)
    game.refused(game.acting("sensor_sweep"), "S2E-20")
