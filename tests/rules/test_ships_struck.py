"""Damage to a ship that no attack does, by each edition's rules."""

from __future__ import annotations

import pytest

from rules.ships.striking import StrikeShip
from rules.ships.upkeep import ShelterShip
from rules.state.options import TableOptions
from rules.state.ships import SystemDamage
from rules.state.vocabulary import Condition, Ruleset, System
from rules.undo import Undo
from tests.rules.fleet2e import Fleet, replayed
from tests.rules.squadron import Squadron

FIRST = pytest.mark.parametrize("ruleset", [Ruleset.STARTER, Ruleset.CORE_1E])


@FIRST
def test_a_hazard_breaches_by_the_first_editions_table(ruleset: Ruleset) -> None:
    """SDMG-1, SDMG-2, BRCH-1, WCB-1: at Scale 4 damaged at 2, disabled at 4, destroyed at 5; nothing is critical."""
    game = Squadron(ruleset=ruleset)
    two = SystemDamage(system=System.ENGINES, breaches=2, condition=Condition.DAMAGED)
    game.state(game.ship, shields=0, systems=(two,))
    found = []
    for _ in range(3):
        game.strike(6, system=System.ENGINES)
        while game.waits_for_dice():
            game.throw(1)
        engines = game.of().state.damage_of(System.ENGINES)
        found.append((engines.breaches, engines.condition))
    assert found == [(3, Condition.DAMAGED), (4, Condition.DISABLED), (5, Condition.DESTROYED)]
    state = game.of().state
    assert (state.critical, state.destroyed, state.core.rounds) == (False, False, 1)
    assert game.is_settled()
    assert replayed(game) == game.table


@FIRST
def test_a_hazard_meets_shields_resistance_and_shelter(ruleset: Ruleset) -> None:
    """SDMG-1, SDMG-2, SATK-2: 10 damage less 4 Resistance pierced by 1 are 7: a Breach for 5 or more at once."""
    game = Squadron(ruleset=ruleset)
    game.do(StrikeShip(ship_id=game.ship, damage=10, reason="a hazard", piercing=1))
    assert "where Far Lantern is hit" in (game.table.request.why if game.table.request is not None else "")
    assert "10 damage before Resistance, by a hazard." in game.last_said.normal
    game.throw(8)
    assert game.of().state.shields == 12 - 7
    assert game.of().state.damage_of(System.SENSORS).breaches == 1
    game.do(Undo())
    assert game.of().state.shields == 12
    game.throw(8)
    game.do(ShelterShip(ship_id=game.ship, dice=2))
    game.strike(10, system=System.SENSORS)
    game.throw_challenge(2, 1)
    assert game.of().state.shields == 5 - (10 - 4 - 3)
    assert game.is_settled()


def test_a_hazard_counts_the_breaches_of_an_npc_ship_in_one_total() -> None:
    """NSHIP-3."""
    game = Squadron(options=TableOptions())
    game.state(game.raider, shields=0)
    game.strike(4, ship_id=game.raider)
    state = game.of(game.raider).state
    assert (state.unplaced_breaches, state.turns_lost, state.systems) == (1, 1, ())
    assert game.is_settled()


@pytest.mark.parametrize(("ruleset", "rule"), [(Ruleset.CORE_1E, "BRCH-5"), (Ruleset.SECOND_EDITION, "S2E-15")])
def test_nothing_strikes_a_wreck_or_by_no_damage(ruleset: Ruleset, rule: str) -> None:
    """BRCH-5, S2E-15, SDMG-1."""
    game = Fleet(ruleset=ruleset)
    game.refused(StrikeShip(ship_id=game.raider, damage=0, reason="debris"), "SDMG-1")
    game.refused(StrikeShip(ship_id=game.raider, damage=3, piercing=-1, reason="debris"), "SDMG-1")
    game.state(game.raider, destroyed=True)
    game.refused(StrikeShip(ship_id=game.raider, damage=3, reason="debris"), rule)
