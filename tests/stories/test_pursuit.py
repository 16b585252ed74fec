"""A second-edition pursuit: a torpedo through the Shields, out of a dense nebula on Impulse, and after them at warp."""

from __future__ import annotations

from typing import Any

import pytest

from rules.conflict.rounds import Entrant, NextRound, PassTurn
from rules.setup.setting_up import StartScene
from rules.ships.cards import SaveShip
from rules.ships.second.hits import SettleHit
from rules.ships.second.leaving import ChooseShaken
from rules.ships.second.movement import SetTerrain
from rules.state.people import WeaponTrait
from rules.state.ships import ShipWeapon
from rules.state.vocabulary import (
    ActionScope,
    Attribute,
    ConflictKind,
    CrewQuality,
    Discipline,
    InjuryState,
    Ruleset,
    ShipWeaponKind,
    System,
    Terrain,
)
from rules.tasks.actions import FollowThrough
from tests.rules.tabletop import disciplines, systems
from tests.stories.telling import Story

TORPEDOES = ShipWeapon(
    name="Torpedoes", kind=ShipWeaponKind.TORPEDO, rating=9, qualities=(WeaponTrait(name="piercing", amount=3),)
)


class Pursuit(Story):
    """The Far Lantern, Scale 4, in a dense nebula, after the raider Black Comet, Scale 2."""

    def __init__(self) -> None:
        super().__init__(Ruleset.SECOND_EDITION)
        numbers: dict[str, Any] = {"systems": systems(), "departments": disciplines(), "weapons": (TORPEDOES,)}
        self.do(SaveShip(ship_id=self.ship, name="Far Lantern", scale=4, shields=10, resistance=4, **numbers))
        self.do(SaveShip(name="Black Comet", scale=2, shields=12, resistance=3, crew=CrewQuality.TALENTED, **numbers))
        self.comet = self.table.ships[-1].ship_id


def tell(game: Pursuit) -> None:
    game.do(StartScene(name="The nebula"))
    game.pools(momentum=0, threat=2)
    game.do(SetTerrain(ship_id=game.ship, terrain=Terrain.DENSE_NEBULA))
    game.conflict(
        ConflictKind.STARSHIP,
        Entrant(combatant_id=game.okafor, ship_id=game.ship, station="tactical"),
        Entrant(combatant_id=game.lindqvist, ship_id=game.ship, station="helm"),
        Entrant(combatant_id=game.comet),
        begins=game.okafor,
    )
    okafor_fires(game)
    the_comet_readies_its_flight(game)
    lindqvist_leaves_the_cloud(game)
    the_comet_flees(game)
    the_lantern_follows(game)


def okafor_fires(game: Pursuit) -> None:
    game.begin(game.okafor)
    game.bridge(game.okafor, "fire", attribute=Attribute.CONTROL, target_id=game.comet, weapon="Torpedoes")
    # Control 11 + Security 3 = 14 and the ship's Weapons 9 + Security 3 = 12; a torpedo is Difficulty 3, 1 Threat.
    assert (game.task.target_number, game.task.difficulty, game.table.threat) == (14, 3, 3)
    game.throw(3, 8)
    game.throw(2)
    # 1 + 1 + 2 successes: 1 Momentum. The d20 finds the Structure; 9 damage, Piercing 3 takes all of Resistance 3.
    game.do(FollowThrough())
    game.throw(12)
    game.do(SettleHit())
    # Shields 12 to 3: below half, so the Comet is shaken; 3 is not below a quarter of 12.
    assert (game.state(game.comet).shields, game.state(game.comet).shaken) == (3, 1)
    game.do(ChooseShaken(result="system_out", system=System.WEAPONS))
    game.finish()
    assert game.table.momentum == 1
    game.end()


def the_comet_readies_its_flight(game: Pursuit) -> None:
    game.begin(game.comet)
    game.bridge(game.comet, "reroute_power", system=System.ENGINES)
    assert not game.state(game.comet).reserve_power
    game.end()


def lindqvist_leaves_the_cloud(game: Pursuit) -> None:
    game.begin(game.lindqvist)
    game.bridge(game.lindqvist, "maneuver", attribute=Attribute.CONTROL, discipline=Discipline.CONN)
    # Control 11 + Conn 2 = 13, Difficulty 0: 2 successes, and 2 Momentum for what comes; the ship's 18 misses.
    assert (game.task.target_number, game.task.difficulty) == (13, 0)
    game.throw(2, 9)
    game.throw(18)
    game.finish()
    assert game.table.momentum == 3
    # A dense nebula costs 2 to leave, 1 less as Impulse moves a single zone.
    game.minor(game.lindqvist, "impulse", ActionScope.BRIDGE, zones=1)
    assert (game.table.momentum, game.state(game.ship).terrain) == (2, Terrain.OPEN_SPACE)
    game.end()


def the_comet_flees(game: Pursuit) -> None:
    game.begin(game.comet)
    game.minor(game.comet, "prepare", ActionScope.BRIDGE)
    game.bridge(game.comet, "warp", zones=4)
    # The crew's 10 + 3 = 13, and the ship's Engines 9 + Conn 2 = 11: 5 and 7 count, 14 does not. 2 successes.
    assert (game.task.target_number, game.task.difficulty) == (13, 1)
    game.throw(5, 14)
    game.throw(7)
    game.finish()
    # The 1 Momentum that this makes becomes Threat.
    assert game.table.threat == 4
    assert game.lasting == {("at_warp", game.comet)}
    game.end()


def the_lantern_follows(game: Pursuit) -> None:
    game.do(NextRound())
    game.begin(game.okafor)
    game.bridge(game.okafor, "reroute_power", system=System.ENGINES)
    game.end()
    game.do(PassTurn(combatant_id=game.comet))
    game.begin(game.lindqvist)
    game.minor(game.lindqvist, "prepare", ActionScope.BRIDGE)
    game.bridge(game.lindqvist, "warp", attribute=Attribute.CONTROL, zones=4, target_id=game.comet)
    # A 1 counts twice and 9 once, the ship's 15 misses: 3 successes catch the 2 of the Comet. 2 Momentum.
    assert (game.task.target_number, game.task.difficulty) == (13, 1)
    game.throw(1, 9)
    game.throw(15)
    game.finish()


def assert_end(game: Pursuit) -> None:
    comet, lantern = game.state(game.comet), game.state(game.ship)
    # Only the Weapons are out, by what the shaken Comet suffered; no Shield was breached.
    assert (comet.shields, comet.shaken, comet.reserve_power) == (3, 1, False)
    assert [(one.system, one.breaches, one.impact) for one in comet.systems] == [(System.WEAPONS, 0, True)]
    assert (lantern.shields, lantern.shaken, lantern.reserve_power, lantern.systems) == (10, 0, False, ())
    assert (lantern.terrain, comet.terrain) == (Terrain.OPEN_SPACE, Terrain.OPEN_SPACE)
    # 1 of the torpedo and 2 of the manoeuvre, less 1 for the nebula, and 2 of the pursuit; Threat 2, 1 and 1.
    assert (game.table.momentum, game.table.threat) == (4, 4)
    # Neither is at warp any more: the Lantern is there.
    assert game.lasting == set()
    assert game.whose_turn == game.lindqvist
    assert game.table.conflict is not None
    assert game.table.conflict.round == 2
    assert game.body(game.okafor).injury is game.body(game.lindqvist).injury is InjuryState.NONE
    assert game.table.task is None
    assert game.table.attack is None
    assert not game.table.agenda


@pytest.mark.parametrize("restarts", [False, True])
def test_the_pursuit(restarts: bool) -> None:  # noqa: FBT001 - a case
    """S2E-3 to S2E-5, S2E-7, S2E-10, S2E-11, S2E-13, S2E-23."""
    game = Pursuit()
    game.restarts = restarts
    tell(game)
    assert_end(game)


def test_the_pursuit_is_taken_back() -> None:
    """Every step gives its exact table back."""
    game = Pursuit()
    tell(game)
    game.take_all_back()
    assert_end(game)
