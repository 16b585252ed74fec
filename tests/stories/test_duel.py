"""A ship duel of the first edition: aimed phasers break Engines, and the core goes with a bang."""

from __future__ import annotations

from typing import Any

import pytest

from rules.conflict.rounds import Entrant, NextRound, PassTurn
from rules.dice import Face, Symbol
from rules.setup.setting_up import StartScene
from rules.ships.cards import SaveShip
from rules.ships.first.choosing import SettleShipHit
from rules.ships.first.rounds import NameShipsHit
from rules.state.options import TableOptions
from rules.state.ships import ShipWeapon
from rules.state.vocabulary import (
    Attribute,
    Condition,
    ConflictKind,
    CrewQuality,
    InjuryState,
    Range,
    Ruleset,
    ShipWeaponKind,
    System,
)
from rules.tasks.actions import FollowThrough
from tests.rules.tabletop import disciplines, systems
from tests.stories.telling import Story

BLANK, EFFECT = Symbol.BLANK, Symbol.EFFECT
PHASERS = ShipWeapon(name="Phasers", kind=ShipWeaponKind.ENERGY, rating=7, optimal_range=Range.MEDIUM)


class Duel(Story):
    """The Far Lantern, Scale 4, against the Black Comet, Scale 2, whose systems are counted one by one (C-34)."""

    def __init__(self) -> None:
        super().__init__(Ruleset.CORE_1E, options=TableOptions(npc_ship_shortcut=False))
        numbers: dict[str, Any] = {"systems": systems(), "departments": disciplines(), "weapons": (PHASERS,)}
        self.do(SaveShip(ship_id=self.ship, name="Far Lantern", scale=4, shields=9, resistance=4, **numbers))
        self.do(
            SaveShip(
                name="Black Comet", scale=2, shields=6, resistance=2, power=8, crew=CrewQuality.TALENTED, **numbers
            )
        )
        self.comet = self.table.ships[-1].ship_id

    def damage(self, ship_id: str, system: System) -> tuple[int, Condition]:
        one = self.state(ship_id).damage_of(system)
        return one.breaches, one.condition


def tell(game: Duel) -> None:
    game.do(StartScene(name="At the edge of the nebula"))
    game.pools(momentum=0, threat=4)
    game.conflict(
        ConflictKind.STARSHIP,
        Entrant(combatant_id=game.okafor, ship_id=game.ship, station="tactical"),
        Entrant(combatant_id=game.lindqvist, ship_id=game.ship, station="helm"),
        Entrant(combatant_id=game.comet),
        begins=game.okafor,
    )
    first_round(game)
    second_round(game)
    the_core_goes(game)


def fire_at_the_engines(game: Duel, *damage: Face) -> None:
    """Okafor: Control 11 + Security 3 = 14; the ship: Weapons 9 + Security 3 = 12, always focused. Difficulty 2 + 1."""
    game.bridge(
        game.okafor, "fire_weapon", attribute=Attribute.CONTROL, target_id=game.comet, weapon="Phasers",
        at_range=Range.MEDIUM, system=System.ENGINES,
    )  # fmt: skip
    assert (game.task.target_number, game.task.difficulty) == (14, 3)
    game.throw(3, 8)
    game.throw(2)
    # 1 + 1 + 2 successes against 3: 1 Momentum.
    game.follow(*damage)


def first_round(game: Duel) -> None:
    game.begin(game.okafor)
    fire_at_the_engines(game, 2, 2, 1, 1, BLANK, EFFECT, EFFECT)
    game.do(SettleShipHit())
    # 2 + 2 + 1 + 1 + 0 + 1 + 1 = 8 less Resistance 2 = 6: Shields 6 to 0, a Breach for that and one for 5 or more.
    assert (game.state(game.comet).shields, game.damage(game.comet, System.ENGINES)) == (0, (2, Condition.DISABLED))
    # Each of them takes 2 Power as the Engines' Impact; disabled, they take 1 more at the end of each Round.
    assert game.state(game.comet).power == 4
    game.finish()
    game.end()
    comet_fires_back(game)
    # Lindqvist and the raider's second Turn: both watch the other.
    game.do(PassTurn(combatant_id=game.lindqvist))
    game.do(PassTurn(combatant_id=game.comet))


def comet_fires_back(game: Duel) -> None:
    # A Talented crew: 10 + 3 = 13, Difficulty 2. 2 successes of its own, and the ship's 19 misses.
    game.begin(game.comet)
    game.bridge(game.comet, "fire_weapon", attribute=Attribute.CONTROL, target_id=game.ship, weapon="Phasers")
    assert (game.task.target_number, game.task.difficulty) == (13, 2)
    game.throw(5, 9)
    game.throw(19)
    game.do(FollowThrough())
    # The system is found by a d20, then 2 + 2 + 2 + 1 = 7 less Resistance 4 = 3: Shields 9 to 6.
    game.throw(12)
    game.throw_challenge(2, 2, 2, 1, BLANK, BLANK, BLANK)
    game.do(SettleShipHit())
    assert (game.state(game.ship).shields, game.state(game.ship).systems) == (6, ())
    game.finish()
    game.end()


def second_round(game: Duel) -> None:
    game.do(NextRound())
    game.begin(game.okafor)
    fire_at_the_engines(game, 2, 2, 1, 1, BLANK, BLANK, BLANK)
    game.do(SettleShipHit())
    # 6 less 2 = 4 on Shields that are down: a third Breach, which destroys the Engines of Scale 2. The core fails.
    assert game.damage(game.comet, System.ENGINES) == (3, Condition.DESTROYED)
    assert (game.state(game.comet).core.rounds, game.state(game.comet).power) == (1, 4 - 1 - 2)
    game.finish()
    game.end()
    for one in (game.comet, game.lindqvist, game.comet):
        game.do(PassTurn(combatant_id=one))


def the_core_goes(game: Duel) -> None:
    # The end of the Round: 1 Challenge Die, no Effect. The core holds for now.
    game.do(NextRound())
    game.throw_challenge(2)
    assert (game.state(game.comet).core.rounds, game.state(game.comet).core.exploded) == (2, False)
    # Nobody finds anything to do about it. The end of the third Round: 2 dice, and an Effect.
    for one in (game.okafor, game.comet, game.lindqvist, game.comet):
        game.do(PassTurn(combatant_id=one))
    game.do(NextRound())
    # No Power was left to lose: a d20 says which system has a Complication instead.
    game.throw(1)
    game.throw_challenge(1, EFFECT)
    assert game.state(game.comet).destroyed
    # The Far Lantern is in Close range; a d20 for its system, and 3 + Scale 2 dice with Piercing 2.
    game.do(NameShipsHit(ship_ids=(game.ship,)))
    splash(game)


def splash(game: Duel) -> None:
    # 2 + 2 + 1 + 0 + 1 = 6; the Effect pierces 2 of Resistance 4: 4 get through, Shields 6 to 2.
    game.throw_challenge(2, 2, 1, BLANK, EFFECT)
    game.throw(3)


def assert_end(game: Duel) -> None:
    comet, lantern = game.state(game.comet), game.state(game.ship)
    assert (comet.shields, comet.core.exploded, comet.destroyed) == (0, True, True)
    assert [(one.system, one.breaches) for one in comet.systems] == [(System.ENGINES, 3)]
    assert (lantern.shields, lantern.systems, lantern.destroyed) == (2, (), False)
    # 1 Momentum of each hit; the raider's hit made none, and 4 Threat is what there was.
    assert (game.table.momentum, game.table.threat) == (2, 4)
    assert game.lasting == set()
    assert game.whose_turn == ""
    assert game.table.conflict is not None
    assert game.table.conflict.round == 4
    assert game.body(game.okafor).injury is game.body(game.lindqvist).injury is InjuryState.NONE
    assert game.table.task is None
    assert game.table.attack is None
    assert not game.table.agenda


@pytest.mark.parametrize("restarts", [False, True])
def test_the_duel(restarts: bool) -> None:  # noqa: FBT001 - a case
    """SATK-1, SATK-2, SDMG-1, BRCH-1 to BRCH-5, WCB-1."""
    game = Duel()
    game.restarts = restarts
    tell(game)
    assert_end(game)


def test_the_duel_is_taken_back() -> None:
    """Every step gives its exact table back."""
    game = Duel()
    tell(game)
    game.take_all_back()
    assert_end(game)
