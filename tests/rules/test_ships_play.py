"""First-edition ships played at random: whatever is offered is legal, every chain comes to its end, replay agrees."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

from rules.deciding.checks import profile
from rules.deciding.decision import Command
from rules.dice import DieKind, Symbol
from rules.errors import Refusal
from rules.legal.offers import declarers, options
from rules.ships.first.numbers import system_condition
from rules.state.options import TableOptions
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.vocabulary import ActionScope, Condition, Range, Ruleset, System, TaskPhase
from rules.table import PLAYBOOK
from rules.tasks.throwing import EnterDice
from rules.undo import Redo, Undo
from tests.rules.fleet2e import replayed
from tests.rules.squadron import Squadron, weapon

NAMES = sorted(
    name
    for (scope, name, ruleset), row in PLAYBOOK.rows.items()
    if scope is ActionScope.BRIDGE and ruleset is Ruleset.CORE_1E and not row.minor and name != "extended"
)
MINORS = ("prepare", "restore", "raise_shields", "lower_shields")
FACES = (1, 2, Symbol.BLANK, Symbol.EFFECT)
WORST = weapon(("Spread", 0), ("Area", 0), ("Dampening", 0), ("Persistent", 2), ("High-Yield", 0), ("Versatile", 1))


def check(table: Table, before: Table) -> None:
    """What is true of ships at every moment."""
    for ship in table.ships:
        state = ship.state
        assert 0 <= state.shields <= state.shields_max
        assert 0 <= state.power <= state.power_max
        assert 0 <= state.crew_support <= state.crew_support_max
        assert len({one.system for one in state.systems}) == len(state.systems)
        for one in state.systems:
            worst = system_condition(ship.scale, one.breaches, profile(table).house)
            assert one.condition in (worst, Condition.OPERATIONAL)
        _check_breaches_grow(ship, before)
    if table.agenda == () and table.task is None:
        assert table.attack is None


def _check_breaches_grow(ship: Ship, before: Table) -> None:
    earlier = next(one for one in before.ships if one.ship_id == ship.ship_id)
    assert ship.state.unplaced_breaches >= earlier.state.unplaced_breaches
    for system in System:
        assert ship.state.damage_of(system).breaches >= earlier.state.damage_of(system).breaches


def declared(game: Squadron, chance: Random) -> Command:
    npc = chance.random() < 0.4
    actor = game.raider if npc else chance.choice([game.okafor, game.lindqvist])
    return game.acting(
        chance.choice(NAMES) if chance.random() < 0.5 else "fire_weapon",
        actor,
        target_id=game.ship if npc else chance.choice([game.raider, game.ember]),
        weapon="Phasers" if npc else chance.choice(["Phasers", "Lance"]),
        system=chance.choice([None, *System]),
        at_range=chance.choice([None, *Range]),
        zones=chance.randint(0, 3),
        level=chance.choice([None, 1]),
        note="Smoke",
    )


def move(game: Squadron, chance: Random) -> None:
    request, task = game.table.request, game.table.task
    if request is not None:
        d20 = request.kind is DieKind.D20
        faces = tuple(chance.randint(1, 20) if d20 else chance.choice(FACES) for _ in range(request.count))
        game.do(EnterDice(request=request.number, faces=faces))
    elif task is not None and task.phase is TaskPhase.AWAITING_OPPOSITION:
        game.declare(declarers(game.table)[0], difficulty=0)
    elif game.table.agenda or (task is not None and task.phase is not TaskPhase.CLOSED):
        game.do(chance.choice(options(game.table)).worded())
    elif chance.random() < 0.1:
        game.round_ends()
    elif chance.random() < 0.2:
        with suppress(Refusal):
            game.minor(chance.choice(MINORS), system=chance.choice([None, *System]))
    else:
        with suppress(Refusal):
            game.do(declared(game, chance))


@pytest.mark.parametrize("shortcut", [True, False])
@pytest.mark.parametrize("seed", range(15))
def test_every_chain_comes_to_its_end(seed: int, *, shortcut: bool) -> None:
    """SATK-1, SATK-2, SDMG-1, SDMG-2, BRCH-1 to BRCH-5, NSHIP-3, WCB-1, C-61."""
    chance = Random(seed)  # noqa: S311 - a repeatable course of play
    game = Squadron(momentum=4, options=TableOptions(npc_ship_shortcut=shortcut), special=WORST)
    game.threaten(6)
    for _ in range(90):
        before = game.table
        move(game, chance)
        check(game.table, before)
    assert replayed(game) == game.table
    before = game.table
    game.do(Undo())
    game.do(Redo())
    assert game.table == before
