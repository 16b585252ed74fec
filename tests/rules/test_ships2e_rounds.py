"""Round ends, the core, repairs, ramming, leaving a ship, large adversaries of the second edition at the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.conflict.events import ConflictChanged
from rules.conflict.lasting import EndEffect, effects_named
from rules.conflict.rounds import BeginTurn, EndTurn
from rules.deciding.decision import Draft
from rules.house.adopting import AdoptHouseTables
from rules.legal.offers import options
from rules.messages import COMMANDS
from rules.ships.second.core import ChooseShipsInClose
from rules.ships.second.events import BreachesMended
from rules.ships.second.hits import SettleHit
from rules.ships.second.leaving import AbandonShip, ChooseLargeShipTurns, ChooseShaken, UseSurplusDie
from rules.ships.second.numbers import LargeShipTurns
from rules.state.conflict import Combatant, Conflict
from rules.state.house import HouseTables
from rules.state.options import TableOptions
from rules.state.ships import SystemDamage
from rules.state.vocabulary import Condition, ConflictKind, Side, StepKind, System, WarpCoreCompare
from rules.table import PLAYBOOK
from rules.tasks.settling import FinishSpending
from rules.undo import Undo, command_words
from tests.rules.fleet2e import Fleet, replayed
from tests.rules.tabletop import disciplines


def engage(game: Fleet, *combatants: Combatant) -> None:
    """Rounds begin."""
    game.record(ConflictChanged(conflict=Conflict(kind=ConflictKind.STARSHIP, round=1, combatants=combatants)))


def end_round(game: Fleet) -> None:
    """What the end of a Round brings."""
    draft = Draft(game.table, PLAYBOOK)
    for ends in PLAYBOOK.round_ends:
        ends(draft)
    game.record(*draft.events)


def doomed(options_: TableOptions | None = None) -> Fleet:
    """The Far Lantern is critically damaged, and its Engines are destroyed."""
    game = Fleet(options=options_)
    game.state(game.ship, shields=0)
    for system in (System.ENGINES, System.ENGINES, System.SENSORS, System.WEAPONS, System.STRUCTURE):
        game.strike(1, system=system)
    assert game.of().state.critical
    return game


def test_a_failing_core_is_told_when_it_begins_to_fail() -> None:
    """S2E-17: once critical damage and destroyed Engines come together, and not again with the next Breach."""
    game = Fleet()
    game.state(game.ship, shields=0)
    for system in (System.ENGINES, System.ENGINES, System.SENSORS, System.WEAPONS):
        game.strike(1, system=system)
        assert "core" not in game.last_said.full
    game.strike(1, system=System.STRUCTURE)
    assert "The warp core of Far Lantern is failing." in game.last_said.terse
    engines_last = Fleet()
    engines_last.state(engines_last.ship, shields=0, critical=True)
    engines_last.strike(1, system=System.ENGINES)
    assert "core" not in engines_last.last_said.full
    engines_last.strike(1, system=System.ENGINES)
    assert "The warp core of Far Lantern is failing." in engines_last.last_said.terse
    engines_last.strike(1, system=System.SENSORS)
    assert "is failing" not in engines_last.last_said.full
    assert replayed(engines_last) == engines_last.table


@pytest.mark.parametrize(("face", "explodes"), [(4, False), (5, True)])
def test_the_core_is_thrown_for_at_the_end_of_each_round(face: int, explodes: bool) -> None:  # noqa: FBT001 - a case
    """S2E-17: a d20 above Engineering 4 explodes; Scale 4 + 1 damage, piercing, on all in Close range."""
    game = doomed()
    end_round(game)
    assert game.table.request is not None
    assert "warp core of Far Lantern" in game.table.request.why
    game.throw(face)
    assert game.of().state.destroyed is explodes
    if not explodes:
        assert "holds" in game.last_said.terse
        end_round(game)
        assert game.of().state.core.rounds == 2
        return
    assert [one.kind for one in game.table.agenda] == [StepKind.CORE_SPLASH]
    assert "Who is in Close range?" in game.last_said.terse
    game.refused(ChooseShipsInClose(ship_ids=(game.ship,)), "S2E-17")
    offered = {one.option_id for one in options(game.table)}
    assert {"choose_ships_in_close:none", f"choose_ships_in_close:{game.raider}"} <= offered
    game.do(ChooseShipsInClose(ship_ids=(game.raider,)))
    game.throw(7)
    assert game.of(game.raider).state.shields == 12 - (5 - 1)
    assert game.is_settled()
    end_round(game)
    assert not game.waits_for_dice()
    assert replayed(game) == game.table


def test_the_option_that_compares_with_the_engines() -> None:
    """S2E-17, C-43."""
    game = doomed(TableOptions(warp_core_compare=WarpCoreCompare.ENGINES))
    end_round(game)
    game.throw(9)
    assert not game.of().state.destroyed


def test_an_ejected_core_explodes_and_spares_the_ship() -> None:
    """S2E-17: Daring + Engineering D2; the ship takes the explosion's damage like all in Close range."""
    game = doomed()
    game.act("eject_core")
    assert (game.task.difficulty, game.task.target_number) == (2, 13)
    game.throw(1, 20)
    game.finish()
    assert game.of().state.core.ejected
    game.refused(game.acting("eject_core"), "S2E-17")
    end_round(game)
    game.throw(20)
    assert not game.of().state.destroyed
    game.do(ChooseShipsInClose())
    assert game.table.request is not None
    assert game.of().name in game.table.request.why


def test_a_core_is_stabilised_by_an_extended_task() -> None:
    """S2E-17, EXT-T2: D3, a track of Progress as long as the Engines, 9; Engineering 4 a go."""
    game = doomed()
    for _ in range(3):
        assert not game.of().state.core.stable
        game.act("stabilise_core")
        assert game.task.difficulty == 3
        game.throw(1, 1)
        game.finish()
    assert game.of().state.core.stable
    game.refused(game.acting("stabilise_core"), "S2E-17")
    end_round(game)
    assert not game.waits_for_dice()


def test_a_sound_core_needs_nothing() -> None:
    """S2E-17."""
    game = Fleet()
    game.refused(game.acting("eject_core"), "S2E-17")
    end_round(game)
    assert not game.waits_for_dice()


def test_a_patch_holds_until_the_next_breach() -> None:
    """S2E-18, S2E-C5, S2E-O1, C-40, C-51: D2 and 1 for each further Breach; a new one opens the patched ones again."""
    game = Fleet()
    game.put(replace(game.of(), scale=6))
    game.refused(game.acting("damage_control", system=System.SENSORS), "S2E-18")
    game.refused(game.acting("damage_control"), "S2E-18")
    game.state(game.ship, shields=0)
    game.strike(1, system=System.SENSORS)
    game.strike(1, system=System.SENSORS)
    game.act("damage_control", system=System.SENSORS)
    assert (game.task.difficulty, game.task.declaration.attribute) == (3, "presence")
    game.throw(1, 1)
    game.finish()
    game.act("repair_in_person", system=System.SENSORS)
    assert (game.task.difficulty, game.task.declaration.attribute) == (2, "daring")
    game.throw(1, 1)
    game.finish()
    assert game.of().state.damage_of(System.SENSORS).condition is Condition.OPERATIONAL
    game.refused(game.acting("damage_control", system=System.SENSORS), "S2E-18")
    game.act("sensor_sweep")
    assert game.task.difficulty == 1
    game.do(Undo())
    game.state(game.ship, shields=0)
    game.strike(1, system=System.SENSORS)
    assert game.of().state.damage_of(System.SENSORS).patched == 0
    game.refused(game.acting("damage_control", system=System.SENSORS), "S2E-14")


@pytest.mark.parametrize(
    ("name", "patched", "difficulty", "hours"),
    [
        ("long_repair", 0, 3, 6),
        ("long_repair", 2, 2, 6),
        ("starbase_repair", 0, 1, 3),
        ("starbase_repair", 2, 0, 3),
    ],
)
def test_repairs_for_good_take_hours(name: str, patched: int, difficulty: int, hours: int) -> None:
    """S2E-19: 6 hours a Breach, D3 or D2; in dock half and 2 easier; as many at once as Engineering."""
    game = Fleet()
    hurt = SystemDamage(system=System.SENSORS, breaches=2, patched=patched, condition=Condition.DESTROYED)
    game.state(game.ship, systems=(hurt,))
    game.refused(game.acting(name, system=System.SENSORS, level=3), "S2E-19")
    game.act(name, system=System.SENSORS, level=2)
    assert game.task.difficulty == difficulty
    game.throw(1, 1)
    events = game.do(FinishSpending())
    assert [one.hours for one in events if isinstance(one, BreachesMended)] == [hours]
    assert game.of().state.damage_of(System.SENSORS).breaches == 0


def test_undisturbed_repairs_need_no_dice_and_no_fight_goes_on() -> None:
    """S2E-19, S2E-15: a ship that was critical may act again once enough is mended."""
    game = doomed()
    game.act("undisturbed_repair", system=System.WEAPONS)
    assert game.table.task is None
    assert not game.of().state.critical
    engage(game, Combatant(combatant_id=game.okafor, side=Side.PC))
    game.refused(game.acting("long_repair", system=System.SENSORS), "S2E-19")


def test_ramming_hurts_both_ships() -> None:
    """S2E-16, S2E-H6, C-41: Scale 4 and half of 3 zones rounded up, Devastating, Piercing; Intense on the target."""
    game = Fleet()
    game.act("ram", game.lindqvist, target_id=game.raider, zones=3)
    assert game.task.difficulty == 2
    game.throw(1, 1)
    game.throw(20)
    game.follow()
    assert game.table.attack is not None
    assert (game.table.attack.flat, game.table.attack.qualities) == (6, ("devastating", "piercing:2", "intense"))
    game.throw(12)
    game.do(SettleHit())
    assert game.of(game.raider).state.shields == 12 - (6 - 1)
    game.throw(12)
    assert game.of().state.shields == 12 - (6 - 2)
    assert game.is_settled()
    game.finish()


def test_a_crew_leaves_in_two_rounds() -> None:
    """S2E-20: half by the end of the Round of the order, the rest the Round after; boarding is a D0 Task."""
    game = Fleet()
    game.act("board_pod", rolled=False)
    game.do(AbandonShip(ship_id=game.ship))
    game.refused(AbandonShip(ship_id=game.ship), "S2E-20")
    end_round(game)
    assert [one.amount for one in effects_named(game.table, "abandoning")] == [1]
    assert not game.of().state.abandoned
    end_round(game)
    assert game.of().state.abandoned
    game.refused(AbandonShip(ship_id=game.ship), "S2E-20")


def test_a_large_adversary_gives_up_turns_for_dice() -> None:
    """S2E-21, C-72: all its Scale's turns, or as many as the players and a die for each other one, anew each Round."""
    game = Fleet()
    game.put(replace(game.of(game.raider), scale=7))
    game.refused(ChooseLargeShipTurns(ship_id=game.raider, option=LargeShipTurns.MATCH), "S2E-21")
    engage(
        game,
        *(Combatant(combatant_id=one, side=Side.PC, ship_id=game.ship) for one in (game.okafor, game.lindqvist)),
        Combatant(combatant_id=game.raider, side=Side.NPC, turns=7, ship_id=game.raider),
    )
    game.do(ChooseLargeShipTurns(ship_id=game.raider, option=LargeShipTurns.MATCH))
    assert game.table.conflict is not None
    raider = game.table.conflict.combatant(game.raider)
    assert raider is not None
    assert raider.turns == 2
    game.do(BeginTurn(combatant_id=game.raider))
    game.act("fire", game.raider, target_id=game.ship)
    for dice in (3, 4, 5):
        game.do(UseSurplusDie())
        assert game.table.request is not None
        assert game.table.request.count == dice
    game.refused(UseSurplusDie(), "BUY-1")
    assert [one.amount for one in effects_named(game.table, "surplus_dice")] == [2]
    end_round(game)
    assert [one.amount for one in effects_named(game.table, "surplus_dice")] == [5]
    game.do(Undo())


def test_only_large_adversaries_choose_their_turns() -> None:
    """S2E-21."""
    game = Fleet()
    engage(game, Combatant(combatant_id=game.raider, side=Side.NPC, turns=5, ship_id=game.raider))
    game.refused(ChooseLargeShipTurns(ship_id=game.raider, option=LargeShipTurns.ALL), "S2E-21")


def seated(game: Fleet, *stations: str) -> None:
    people = (game.okafor, game.lindqvist)
    engage(
        game,
        *(
            Combatant(combatant_id=who, side=Side.PC, ship_id=game.ship, station=station)
            for who, station in zip(people, stations, strict=False)
        ),
        Combatant(combatant_id=game.raider, side=Side.NPC, ship_id=game.raider),
    )


def test_another_stations_action_is_overridden_but_not_the_commanders() -> None:
    """S2E-6, C-59: 1 harder."""
    game = Fleet()
    seated(game, "tactical", "helm")
    game.do(BeginTurn(combatant_id=game.okafor))
    game.act("sensor_sweep")
    assert [one.reason for one in game.task.declaration.modifiers] == ["Override"]
    game.do(Undo())
    game.refused(game.acting("rally"), "S2E-6")
    game.minor_refused("calibrate_sensors", "S2E-6")
    game.act("fire", target_id=game.raider, weapon="Phasers")
    assert game.task.difficulty == 2


def test_a_second_seat_comes_with_the_department() -> None:
    """S2E-22: tactical seats two from Security 4 on."""
    game = Fleet()
    seated(game, "tactical", "tactical")
    game.refused(game.acting("fire", game.lindqvist, target_id=game.raider, weapon="Phasers"), "S2E-22")
    game.put(replace(game.of(), departments=disciplines(security=4)))
    game.do(BeginTurn(combatant_id=game.lindqvist))
    game.act("fire", game.lindqvist, target_id=game.raider, weapon="Phasers")


def test_a_role_of_an_npc_ship_that_acts_again_is_harder() -> None:
    """NSHIP-2, C-34, C-72: each Task of a role after its first in a Round."""
    game = Fleet()
    engage(
        game,
        Combatant(combatant_id=game.okafor, side=Side.PC, ship_id=game.ship),
        Combatant(combatant_id=game.raider, side=Side.NPC, turns=5, ship_id=game.raider),
    )
    for difficulty in (2, 3, 3):
        game.do(BeginTurn(combatant_id=game.raider))
        game.act("fire", game.raider, target_id=game.ship)
        assert game.task.difficulty == difficulty
        game.throw(19, 19)
        game.throw(20)
        game.finish()
        game.do(EndTurn())
        if difficulty == 2:
            game.do(BeginTurn(combatant_id=game.okafor))
            game.do(EndTurn())
    game.do(BeginTurn(combatant_id=game.raider))
    game.act("sensor_sweep", game.raider)
    assert game.task.difficulty == 1


def test_officers_make_traits_rally_and_transport() -> None:
    """S2E-6, S2E-C2, S2E-C4, S2E-C6, S2E-N1, S2E-O5."""
    game = Fleet()
    game.refused(game.acting("create_trait"), "S2E-6")
    game.act("create_trait", note="Battle stations")
    assert game.task.difficulty == 2
    game.throw(1, 20)
    game.finish()
    assert "Battle stations" in [one.name for one in game.table.traits]
    game.act("rally")
    assert game.task.difficulty == 0
    game.throw(1, 20)
    game.finish()
    assert game.table.momentum == 2
    game.act("transport", level=3)
    assert game.task.difficulty == 4
    game.do(Undo())
    game.act("navigate", note="Short cut")
    game.throw(1, 20)
    game.finish()
    assert "Short cut" in [one.name for one in game.table.traits]


def test_the_gamemaster_ends_what_lasts() -> None:
    """S2E-H3."""
    game = Fleet()
    game.act("attack_pattern", game.lindqvist)
    effect = effects_named(game.table, "pattern_flown")[0]
    game.do(EndEffect(effect_id=effect.effect_id))
    assert "ends" in game.last_said.terse
    assert not effects_named(game.table, "pattern_flown")


def test_every_command_has_its_words() -> None:
    """What undo calls a command is said with the command; only undo and redo themselves are not taken back so."""
    wordless = {name for name, kind in COMMANDS.items() if kind.undone is None}
    assert wordless <= {"undo", "redo", "follow_through", "drop_die", "adjust_stress"}, wordless
    assert all(command_words(name) == kind.undone for name, kind in COMMANDS.items() if kind.undone is not None)


def test_a_ship_with_nothing_of_the_houses_list_left_plays_on() -> None:
    """S2E-13, C-39: a house whose list is Reserve Power alone shakes a ship without it, and no chain hangs."""
    game = Fleet()
    game.do(AdoptHouseTables(tables=HouseTables(shaken=("lose_reserve_power",))))
    game.state(game.ship, reserve_power=False)
    game.strike(4 + 7)
    assert [one.kind for one in game.table.agenda] == [StepKind.SHAKEN]
    chosen = next(one for one in options(game.table) if one.option_id.startswith("choose_shaken"))
    game.do(chosen.command)
    assert game.is_settled()
    assert "nothing of that is left" in game.last_said.terse.lower()


def test_only_a_system_that_goes_out_is_told_of() -> None:
    """S2E-13: a system named beside another result works on, and nobody says that it is out."""
    game = Fleet()
    game.strike(4 + 7)
    game.do(ChooseShaken(result="complication", system=System.SENSORS))
    assert "out until restored" not in game.last_said.normal
    assert not game.of().state.damage_of(System.SENSORS).impact


@pytest.mark.parametrize(("zones", "rule"), [(-1, "S2E-H6"), (21, "S2E-16")])
def test_ramming_over_an_impossible_distance_is_refused_before_it_is_thrown(zones: int, rule: str) -> None:
    """S2E-16, S2E-H6: what cannot be counted afterwards is not begun."""
    game = Fleet()
    game.refused(game.acting("ram", game.lindqvist, target_id=game.raider, zones=zones), rule)
