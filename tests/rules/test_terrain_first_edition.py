"""Terrain in the first edition: moving by thrusters and impulse is as hard as the zone that is left (SHIP-9)."""

from __future__ import annotations

import pytest

from rules.legal.menu import Dice, menu
from rules.ships.numbers import TERRAIN
from rules.ships.second.movement import SetTerrain
from rules.state.vocabulary import Ruleset, Terrain
from rules.undo import Undo
from tests.rules.squadron import Squadron

FIRST = (Ruleset.STARTER, Ruleset.CORE_1E)
HARD = [(Terrain(kind), number) for kind, number in TERRAIN.items() if number]


@pytest.mark.parametrize("ruleset", FIRST)
@pytest.mark.parametrize("name", ["maneuver", "impulse"])
@pytest.mark.parametrize(("terrain", "difficulty"), HARD)
def test_terrain_is_thrown_for(ruleset: Ruleset, name: str, terrain: Terrain, difficulty: int) -> None:
    """SHIP-6, SHIP-9, STN-11, STN-12: Control + Conn with the ship's Engines + Conn; once out, it is open space."""
    game = Squadron(ruleset=ruleset)
    game.do(SetTerrain(ship_id=game.ship, terrain=terrain))
    game.act(name, game.lindqvist, zones=1)
    assert (game.task.difficulty, game.task.target_number) == (difficulty, 11 + 2)
    assert game.of().state.power == 9 - (name == "impulse")
    game.throw(1, 1)
    game.throw(1)
    game.finish()
    assert game.of().state.terrain is Terrain.OPEN_SPACE


def test_who_fails_stays_where_they_were() -> None:
    """SHIP-9, C-65: Power is gone."""
    game = Squadron()
    game.do(SetTerrain(ship_id=game.ship, terrain=Terrain.SINGULARITY))
    game.act("impulse", game.lindqvist, zones=2)
    game.throw(19, 19)
    game.throw(19)
    game.finish()
    assert (game.of().state.terrain, game.of().state.power) == (Terrain.SINGULARITY, 8)


def test_the_gamemaster_may_say_more_and_another_zone() -> None:
    """SHIP-9: the harder of both counts, and the note says what is entered; within the zone nothing is left."""
    game = Squadron()
    game.act("maneuver", game.lindqvist, zones=1, level=2)
    assert game.task.difficulty == 2
    game.do(Undo())
    game.do(SetTerrain(ship_id=game.ship, terrain=Terrain.DUST_CLOUD))
    game.act("maneuver", game.lindqvist, zones=1, level=3, note="Comet tail")
    assert game.task.difficulty == 3
    game.throw(1, 1)
    game.throw(1)
    game.finish()
    assert game.of().state.terrain is Terrain.COMET_TAIL
    game.act("maneuver", game.lindqvist, zones=0, level=1)
    game.throw(1, 1)
    game.throw(20)
    game.finish()
    assert game.of().state.terrain is Terrain.COMET_TAIL


def test_open_space_needs_no_dice() -> None:
    """SHIP-9, TASK-9."""
    game = Squadron()
    game.do(SetTerrain(ship_id=game.ship, terrain=Terrain.OPEN_SPACE))
    game.act("impulse", game.lindqvist, zones=2)
    assert game.table.task is None


def test_warp_leaves_the_zone_as_well() -> None:
    """SHIP-7: what the way out is like changes nothing of its Power, and the ship is in open space then."""
    game = Squadron()
    game.do(SetTerrain(ship_id=game.ship, terrain=Terrain.DUST_CLOUD))
    game.act("warp", game.lindqvist, zones=2)
    assert game.table.task is None
    assert game.of().state.terrain is Terrain.OPEN_SPACE


@pytest.mark.parametrize("ruleset", FIRST)
def test_the_menu_asks_how_hard_the_way_is(ruleset: Ruleset) -> None:
    """SHIP-9: `level` is what the gamemaster says; where terrain makes it hard, dice are thrown."""
    game = Squadron(ruleset=ruleset)
    game.do(SetTerrain(ship_id=game.ship, terrain=Terrain.DENSE_NEBULA))
    for one in menu(game.table, game.lindqvist):
        if one.name in {"maneuver", "impulse"}:
            assert {"zones", "level"} <= set(one.needs)
            assert one.dice is Dice.NOW
