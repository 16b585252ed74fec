"""Reserve Power, Shields, terrain, warp and pursuit of the second edition at the table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.conflict.lasting import effects_named
from rules.setup.setting_up import StartScene
from rules.ships.numbers import terrain_cost
from rules.ships.second.events import HazardMet, PursuitDecided
from rules.ships.second.movement import SetTerrain
from rules.state.options import TableOptions
from rules.state.vocabulary import Pool, RerollReason, Ruleset, Spend, System, Terrain
from rules.tasks.pools import AdjustPool
from rules.tasks.settling import FinishSpending, MakeSpend, SucceedAtCost, TakeComplication
from rules.undo import Undo
from tests.rules.fleet2e import Fleet, replayed


def reroute(game: Fleet, system: System = System.ENGINES) -> None:
    game.act("reroute_power", system=system)


def test_reserve_power_is_used_up_and_comes_back_with_a_scene() -> None:
    """S2E-3, S2E-O4, C-75: once rerouted it is gone, until regained or the next scene."""
    game = Fleet()
    assert game.of().state.reserve_power
    reroute(game)
    assert not game.of().state.reserve_power
    assert "no Reserve Power" in game.last_said.terse
    game.refused(game.acting("reroute_power", system=System.WEAPONS), "S2E-3")
    game.do(StartScene())
    assert game.of().state.reserve_power
    assert not effects_named(game.table, "power_rerouted")


def test_rerouted_power_lasts_until_the_next_action_with_that_system() -> None:
    """S2E-O4."""
    game = Fleet()
    reroute(game, System.WEAPONS)
    game.act("sensor_sweep")
    game.throw(5, 6)
    game.throw(7)
    game.finish()
    assert effects_named(game.table, "power_rerouted", target_id=game.ship)
    game.act("fire", target_id=game.raider, weapon="Phasers")
    assert not effects_named(game.table, "power_rerouted")
    game.do(Undo())
    assert effects_named(game.table, "power_rerouted", target_id=game.ship)


def test_power_goes_to_a_system_that_works() -> None:
    """S2E-O4, S2E-14."""
    game = Fleet()
    game.refused(game.acting("reroute_power"), "S2E-O4")
    for _ in range(2):
        game.state(game.ship, shields=0)
        game.strike(20, system=System.ENGINES)
    game.refused(game.acting("reroute_power", system=System.ENGINES), "S2E-14")


def test_regain_power_gets_harder_with_each_attempt() -> None:
    """S2E-O2, C-49, C-57: D1, then 2, then 3; it may succeed at a cost; a new scene starts at 1."""
    game = Fleet()
    game.refused(game.acting("regain_power"), "S2E-O2")
    game.state(game.ship, reserve_power=False)
    for difficulty in (1, 2):
        game.act("regain_power")
        assert game.task.difficulty == difficulty
        game.throw(19, 18)
        game.finish()
        assert not game.of().state.reserve_power
    game.act("regain_power")
    assert game.task.difficulty == 3
    game.throw(19, 18)
    game.do(SucceedAtCost())
    game.finish()
    assert game.of().state.reserve_power
    game.do(StartScene())
    game.state(game.ship, reserve_power=False)
    game.act("regain_power")
    assert game.task.difficulty == 1


def test_regenerate_shields_costs_the_reserve_whatever_comes_of_it() -> None:
    """S2E-O3, C-48, C-65: D2, D3 with Shields down; Engineering 4 and 2 more for each Momentum, up to the maximum."""
    game = Fleet()
    game.refused(game.acting("regenerate_shields"), "S2E-O3")
    game.state(game.ship, shields=3)
    game.act("regenerate_shields")
    assert game.task.difficulty == 2
    assert not game.of().state.reserve_power
    game.throw(19, 20)
    game.throw(20)
    game.finish()
    assert game.of().state.shields == 3
    game.state(game.ship, reserve_power=True, shields=0)
    game.act("regenerate_shields")
    assert game.task.difficulty == 3
    game.throw(1, 1)
    game.throw(2)
    game.do(MakeSpend(spend=Spend.MORE_SHIELDS, times=2))
    game.finish()
    assert game.of().state.shields == 8
    assert replayed(game) == game.table


def test_more_shields_are_for_that_action_alone() -> None:
    """S2E-O3."""
    game = Fleet(momentum=3)
    game.act("sensor_sweep")
    game.throw(1, 1)
    game.throw(1)
    game.refused(MakeSpend(spend=Spend.MORE_SHIELDS), "S2E-O3")


@pytest.mark.parametrize("terrain", list(Terrain))
@pytest.mark.parametrize("zones", [1, 2])
def test_leaving_a_zone_costs_momentum(terrain: Terrain, zones: int) -> None:
    """S2E-5, S2E-H1: one zone by Impulse is 1 cheaper."""
    game = Fleet(momentum=6)
    game.do(SetTerrain(ship_id=game.ship, terrain=terrain))
    game.minor("impulse", zones=zones)
    assert game.table.momentum == 6 - terrain_cost(terrain, zones)
    assert game.of().state.terrain is Terrain.OPEN_SPACE


def test_what_momentum_lacks_is_added_to_threat_or_maneuvered_for() -> None:
    """S2E-5, S2E-H5: a rolled D0 Task makes Momentum; Threat pays as well."""
    game = Fleet()
    game.do(SetTerrain(ship_id=game.ship, terrain=Terrain.SINGULARITY))
    assert "maneuver" in game.minor_refused("impulse", "S2E-5", zones=2)
    game.act("maneuver", game.lindqvist)
    assert game.task.difficulty == 0
    game.throw(1, 19)
    game.throw(20)
    game.finish()
    assert game.table.momentum == 2
    threat = game.table.threat
    game.minor("impulse", game.lindqvist, zones=2, threat_part=1, note="dust cloud")
    assert (game.table.momentum, game.table.threat) == (0, threat + 1)
    assert game.of().state.terrain is Terrain.DUST_CLOUD
    game.minor_refused("impulse", "S2E-H1", zones=3)


def test_threat_for_hazardous_terrain_is_spent_at_once() -> None:
    """S2E-5: the Threat that pays does harm at once, and is not there afterwards."""
    game = Fleet()
    game.do(SetTerrain(ship_id=game.ship, terrain=Terrain.DENSE_NEBULA, hazardous=True))
    threat = game.table.threat
    events = game.minor("impulse", zones=2, threat_part=2)
    assert game.table.threat == threat
    assert [one.threat for one in events if isinstance(one, HazardMet)] == [2]
    assert not game.of().state.hazardous


def test_warp_needs_its_power_and_in_combat_its_preparation() -> None:
    """S2E-4, S2E-H7, C-66: Reserve Power is rerouted to the Engines first; warp takes nothing more."""
    game = Fleet()
    game.refused(game.acting("warp", game.lindqvist, zones=3), "S2E-4")
    reroute(game, System.WEAPONS)
    game.refused(game.acting("warp", game.lindqvist, zones=3), "S2E-4")
    game.state(game.ship, reserve_power=True)
    reroute(game)
    game.refused(game.acting("warp", game.lindqvist, zones=10), "S2E-4")
    game.act("warp", game.lindqvist, zones=9)
    assert (game.task.difficulty, game.task.target_number) == (1, 13)
    assert game.task.declaration.ship is not None
    assert game.task.declaration.ship.system is System.ENGINES
    game.throw(5, 19)
    game.throw(20)
    game.finish()
    assert [one.amount for one in effects_named(game.table, "at_warp", target_id=game.ship)] == [1]
    assert game.of(game.ship).state.reserve_power is False


@pytest.mark.parametrize(("ship_die", "caught"), [(20, False), (9, True)])
def test_a_pursuit_through_terrain(ship_die: int, caught: bool) -> None:  # noqa: FBT001 - a case of the table
    """S2E-4, S2E-5, S2E-23: out of a nebula, to warp, and pursued: only more successes catch up."""
    game = Fleet(momentum=1)
    game.threaten(6)
    game.do(SetTerrain(ship_id=game.ship, terrain=Terrain.DENSE_NEBULA))
    game.minor("impulse", game.lindqvist, zones=1)
    assert game.table.momentum == 0
    reroute(game)
    game.act("warp", game.lindqvist, zones=4)
    game.throw(5, 19)
    game.throw(5)
    game.finish()
    game.act("reroute_power", game.raider, system=System.ENGINES)
    game.act("warp", game.raider, target_id=game.ship, zones=4)
    assert game.task.declaration.focus
    game.throw(9, 12)
    game.throw(ship_die)
    events = game.do(FinishSpending())
    while game.table.task is not None:
        events += game.do(TakeComplication())
    decided = [one for one in events if isinstance(one, PursuitDecided)]
    assert [one.caught for one in decided] == [caught]
    assert bool(effects_named(game.table, "at_warp", target_id=game.ship)) is not caught
    assert any(said is not None and ("catches up" if caught else "escapes") in said.terse for said in game.said)
    assert replayed(game) == game.table


def test_nobody_is_pursued_who_did_not_flee() -> None:
    """S2E-23."""
    game = Fleet()
    reroute(game)
    game.refused(game.acting("warp", target_id=game.raider, zones=1), "S2E-23")


def test_calibrated_sensors_throw_a_d20_again_or_ignore_a_trait() -> None:
    """S2E-X1, TASK-12."""
    game = Fleet()
    game.minor("calibrate_sensors")
    game.act("sensor_sweep")
    assert RerollReason.SHIP_SYSTEM in game.task.declaration.rerolls
    assert not effects_named(game.table, "sensors_calibrated")
    game.do(Undo())
    game.do(Undo())
    game.minor("calibrate_sensors", effect="trait", note="Ion storm")
    game.act("sensor_sweep")
    assert RerollReason.SHIP_SYSTEM not in game.task.declaration.rerolls


ACTIONS = st.sampled_from(["reroute_power", "regain_power", "regenerate_shields", "scene"])


@given(st.lists(st.tuples(ACTIONS, st.integers(1, 20), st.integers(1, 20)), max_size=8))
def test_reserve_power_changes_only_as_the_rules_say(moves: list[tuple[str, int, int]]) -> None:
    """S2E-3: used by what consumes it, never twice; back by Regain Power that succeeds, or a scene."""
    game = Fleet()
    game.state(game.ship, shields=2)
    for name, first, second in moves:
        before = game.of().state.reserve_power
        if name == "scene":
            game.do(StartScene())
            assert game.of().state.reserve_power
            continue
        declared = game.acting(name, system=System.SENSORS) if name == "reroute_power" else game.acting(name)
        if before is (name == "regain_power") or (name == "regenerate_shields" and game.of().state.shields == 12):
            game.refused(declared, {"regain_power": "S2E-O2"}.get(name, "S2E-3" if not before else "S2E-O3"))
            continue
        game.do(declared)
        success = True
        if game.table.task is not None and game.table.request is not None:
            game.throw(first, second)
            if game.table.request is not None:
                game.throw(20)
            assert game.task.outcome is not None
            success = game.task.outcome.success
            game.finish()
        assert game.of().state.reserve_power is (name == "regain_power" and success)


def test_a_table_of_the_first_edition_may_play_this_form_of_an_action() -> None:
    """C-48: the option names the ruleset whose form is played."""
    options = TableOptions(regenerate_shields_as=Ruleset.SECOND_EDITION)
    game = Fleet(options=options, ruleset=Ruleset.CORE_1E)
    game.state(game.ship, shields=1)
    game.act("regenerate_shields")
    assert game.task.difficulty == 2
    assert game.table.ruleset is Ruleset.CORE_1E
    assert game.table.threat == 4
    game.do(AdjustPool(pool=Pool.THREAT, change=1))
