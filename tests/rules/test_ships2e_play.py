"""Second-edition ships played at random: whatever is offered is legal, every chain comes to its end, replay agrees."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

from rules.deciding.decision import Command
from rules.errors import Refusal
from rules.legal.offers import options
from rules.ships.stations import STATION_ACTIONS
from rules.state.table import Table
from rules.state.vocabulary import ActionScope, Range, Ruleset, System, TaskPhase
from rules.table import PLAYBOOK
from rules.tasks.throwing import EnterDice
from rules.undo import Redo, Undo
from tests.rules.fleet2e import Fleet, replayed

NAMES = sorted(
    name
    for (scope, name, ruleset), row in PLAYBOOK.rows.items()
    if scope is ActionScope.BRIDGE and ruleset is Ruleset.SECOND_EDITION and not row.minor and name != "extended"
)


def check(table: Table) -> None:
    """What is true of ships at every moment."""
    for ship in table.ships:
        state = ship.state
        assert 0 <= state.shields <= state.shields_max
        assert all(0 <= one.patched <= one.breaches for one in state.systems)
        assert len({one.system for one in state.systems}) == len(state.systems)
        assert sum(one.breaches for one in state.systems) <= ship.scale + 20
        assert state.critical or not state.destroyed or state.core.exploded


def declared(game: Fleet, chance: Random) -> Command:
    npc = chance.random() < 0.4
    actor = game.raider if npc else chance.choice([game.okafor, game.lindqvist])
    return game.acting(
        chance.choice(NAMES) if chance.random() < 0.5 else "fire",
        actor,
        target_id=game.ship if npc else game.raider,
        weapon="Phasers",
        system=chance.choice([None, *System]),
        at_range=chance.choice([None, *Range]),
        zones=chance.randint(0, 3),
        level=chance.choice([None, 1]),
        note="Smoke",
    )


def move(game: Fleet, chance: Random) -> None:
    request, task = game.table.request, game.table.task
    if request is not None:
        faces = tuple(chance.randint(1, 20) for _ in range(request.count))
        game.do(EnterDice(request=request.number, faces=faces))
        return
    offered = options(game.table)
    if game.table.agenda or (task is not None and task.phase is not TaskPhase.CLOSED):
        chosen = chance.choice(offered)
        game.do(chosen.worded())
        return
    with suppress(Refusal):
        game.do(declared(game, chance))


@pytest.mark.parametrize("seed", range(30))
def test_every_chain_comes_to_its_end(seed: int) -> None:
    """S2E-7, S2E-10 to S2E-15, C-61."""
    chance = Random(seed)  # noqa: S311 - a repeatable course of play
    game = Fleet(momentum=4)
    game.threaten(6)
    for _ in range(80):
        move(game, chance)
        check(game.table)
    assert replayed(game) == game.table
    before = game.history
    game.do(Undo())
    game.do(Redo())
    assert game.table == before.present


def test_every_action_of_the_stations_can_be_taken() -> None:
    """S2E-6, S2E-C1 to S2E-T7: each row of the stations' table is an action at the table."""
    offered = {
        name for (scope, name, ruleset) in PLAYBOOK.rows
        if scope is ActionScope.BRIDGE and ruleset is Ruleset.SECOND_EDITION
    }  # fmt: skip
    assert set(STATION_ACTIONS[Ruleset.SECOND_EDITION]) <= offered
