"""Ships' cards: numbers that follow from ratings or are a ship's own, weapons, scenes, what the gamemaster sets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.setup.setting_up import StartScene
from rules.ships.cards import RemoveShip, SaveShip
from rules.ships.upkeep import AdjustPower, ComplicateShip, RenewCrewSupport, RestoreShields, SpendCrewSupport
from rules.state.people import WeaponTrait
from rules.state.ships import ShipState, ShipWeapon, SystemDamage
from rules.state.vocabulary import Condition, CrewQuality, ShipWeaponKind, System
from rules.undo import Undo
from tests.rules.squadron import PHASERS, Squadron
from tests.rules.tabletop import Game, disciplines, systems


def saved(**changes: Any) -> SaveShip:  # noqa: ANN401 - whatever SaveShip takes
    whole: dict[str, Any] = {"name": "Yorktown", "scale": 5, "systems": systems(), "departments": disciplines()}
    return SaveShip(**{**whole, **changes})


def test_numbers_follow_from_the_ratings() -> None:
    """SHIP-2: Resistance and Crew Support are the Scale, Shields Structure and Security, Power the Engines."""
    state = Game().table.ships[0].state
    assert (state.resistance, state.shields, state.power, state.crew_support) == (4, 11, 9, 4)
    assert (state.shields_max, state.power_max, state.crew_support_max) == (11, 9, 4)


def test_a_ship_may_carry_its_own_numbers() -> None:
    """C-73, NSHIP-1."""
    game = Game()
    own = saved(shields=20, resistance=0, power=3, crew_support=1, crew=CrewQuality.BASIC, weapons=(PHASERS,))
    game.do(own)
    ship = game.table.ships[-1]
    assert (ship.crew, ship.weapons) == (CrewQuality.BASIC, (PHASERS,))
    assert (ship.state.resistance, ship.state.shields, ship.state.power, ship.state.crew_support) == (0, 20, 3, 1)


def test_what_is_lost_stays_lost_when_a_card_is_saved_again() -> None:
    """SHIP-2: weapons left out stay, too."""
    game = Squadron()
    game.state(game.ship, shields=5, power=2)
    game.do(saved(ship_id=game.ship, scale=4, shields=14, power=10))
    ship = game.of()
    assert (ship.state.shields, ship.state.shields_max, ship.state.power, ship.state.power_max) == (7, 14, 3, 10)
    assert [one.name for one in ship.weapons] == ["Phasers", "Torpedoes"]


def test_a_card_out_of_all_proportion_is_refused() -> None:
    """SHIP-1, SHIP-2."""
    game = Game()
    game.refused(saved(scale=0), "SHIP-1")
    game.refused(saved(shields=100), "SHIP-2")
    game.refused(saved(power=-1), "SHIP-2")
    game.refused(saved(weapons=(PHASERS, PHASERS)), "SHIP-1")
    game.refused(saved(weapons=(replace(PHASERS, rating=0),)), "SHIP-1")
    endless = ShipWeapon(name="X", kind=ShipWeaponKind.ENERGY, rating=1, effects=(WeaponTrait(name="Area"),) * 13)
    game.refused(saved(weapons=(endless,)), "SHIP-1")
    game.refused(saved(weapons=(replace(PHASERS, effects=(WeaponTrait(name="Vicious", amount=21),)),)), "SHIP-1")
    game.refused(saved(systems=replace(systems(), engines=21)), "SHIP-1")


def test_power_is_back_with_the_scene_but_not_from_dead_engines() -> None:
    """C-75, C-74, BRCH-4."""
    game = Squadron()
    game.state(game.ship, power=1, turns_lost=1)
    game.breached(System.ENGINES, 5, game.raider)
    game.throw(1)
    assert game.of(game.raider).state.damage_of(System.ENGINES).condition is Condition.DISABLED
    game.do(StartScene())
    assert (game.of().state.power, game.of().state.turns_lost) == (9, 0)
    assert game.of(game.raider).state.power == 0


def test_a_ship_of_an_older_journal_is_filled_in_with_the_scene() -> None:
    """C-73."""
    game = Squadron()
    game.put(replace(game.of(), state=ShipState()))
    game.do(StartScene())
    assert (game.of().state.shields, game.of().state.power) == (11, 9)


def test_the_gamemaster_restores_shields() -> None:
    """C-75: nothing else does."""
    game = Squadron()
    game.state(game.ship, shields=3)
    game.do(StartScene())
    assert game.of().state.shields == 3
    game.do(RestoreShields(ship_id=game.ship, shields=6))
    assert game.of().state.shields == 6
    game.do(RestoreShields(ship_id=game.ship))
    assert game.of().state.shields == 12
    said = game.refused(RestoreShields(ship_id=game.ship), "SHIP-2")
    assert said == "Far Lantern's Shields are at 12 already; choose another number."
    game.refused(RestoreShields(ship_id=game.ship, shields=13), "SHIP-2")
    game.state(game.ship, shields=0, shields_kept=4, shields_raised=False)
    game.do(RestoreShields(ship_id=game.ship))
    assert (game.of().state.shields, game.of().state.shields_kept) == (0, 12)
    game.refused(RestoreShields(ship_id=game.ship), "SHIP-2")


def test_crew_support_lasts_for_a_mission() -> None:
    """SHIP-2."""
    game = Squadron()
    for left in (3, 2, 1, 0):
        game.do(SpendCrewSupport(ship_id=game.ship, note="a nurse"))
        assert game.of().state.crew_support == left
    game.refused(SpendCrewSupport(ship_id=game.ship), "SHIP-2")
    game.do(StartScene())
    assert game.of().state.crew_support == 0
    game.do(RenewCrewSupport(ship_id=game.ship))
    assert game.of().state.crew_support == 4
    said = game.refused(RenewCrewSupport(ship_id=game.ship), "SHIP-2")
    assert said == "Far Lantern has all 4 of its Crew Support; spend some first."


def test_losing_more_power_than_there_is_complicates_a_system() -> None:
    """SHIP-5, C-31: floor 0, and a d20 for the system."""
    game = Squadron()
    game.do(AdjustPower(ship_id=game.ship, change=-9))
    assert (game.of().state.power, game.waits_for_dice()) == (0, False)
    game.do(AdjustPower(ship_id=game.ship, change=-1, reason="a strange device"))
    game.throw(7)
    assert game.of().state.power == 0
    assert [one.name for one in game.table.traits] == ["Trouble with the sensors of Far Lantern"]
    game.do(Undo())
    assert (game.waits_for_dice(), game.table.traits) == (True, ())


def test_an_npc_ship_without_systems_is_complicated_as_a_whole() -> None:
    """C-84."""
    game = Squadron(options=None)
    game.do(AdjustPower(ship_id=game.raider, change=-10))
    assert (game.waits_for_dice(), game.of(game.raider).state.power) == (False, 0)
    assert [one.name for one in game.table.traits] == ["Trouble aboard Black Comet"]


def test_power_comes_up_to_the_maximum_only() -> None:
    """C-65, C-74."""
    game = Squadron()
    game.state(game.ship, power=8)
    game.do(AdjustPower(ship_id=game.ship, change=5))
    assert game.of().state.power == 9
    said = game.refused(AdjustPower(ship_id=game.ship, change=1), "SHIP-5")
    assert said == "Power of Far Lantern is at its maximum of 9; take some away, or leave it."
    assert game.refused(AdjustPower(ship_id=game.ship, change=0), "SHIP-5") == "Say by how much Power changes."
    game.refused(AdjustPower(ship_id=game.ship, change=31), "SHIP-5")


@pytest.mark.parametrize(("gone", "rule"), [(Condition.DISABLED, "BRCH-4"), (Condition.DESTROYED, "BRCH-5")])
def test_engines_that_give_no_power_are_given_none(gone: Condition, rule: str) -> None:
    """BRCH-4, BRCH-5, C-74: what is left may still be lost."""
    game = Squadron()
    game.do(AdjustPower(ship_id=game.ship, change=-4))
    engines = SystemDamage(system=System.ENGINES, breaches=4, condition=gone)
    game.state(game.ship, systems=game.of().state.systems_with(engines))
    game.refused(AdjustPower(ship_id=game.ship, change=1), rule)
    left = game.of().state.power
    game.do(AdjustPower(ship_id=game.ship, change=-1))
    assert game.of().state.power == left - 1


def test_complications_on_ships_are_cleared_by_engineers() -> None:
    """REP-3: Engineering D2, unless the gamemaster varies it."""
    game = Squadron()
    game.do(ComplicateShip(ship_id=game.ship, system=System.SENSORS, name="Ghosts on the screen"))
    trait = game.table.traits[0].trait_id
    game.refused(game.acting("clear_complication", target_id="none"), "REP-3")
    game.act("clear_complication", target_id=trait)
    assert (game.task.difficulty, game.task.declaration.discipline) == (2, "engineering")
    game.throw(1, 20)
    game.finish()
    assert [one.name for one in game.table.traits] == ["Trouble for Okafor"]  # of the 20


def test_ships_in_action_stay_as_they_are() -> None:
    game = Squadron()
    game.act("fire_weapon", target_id=game.raider, weapon="Phasers")
    game.refused(RemoveShip(ship_id=game.raider), "TASK-10")
    game.refused(saved(ship_id=game.ship), "TASK-10")
    game.throw(1, 1)
    game.throw(20)
    game.follow()
    game.refused(saved(ship_id=game.raider), "TASK-10")
