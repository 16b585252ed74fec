"""Which ships the end of a Round is about, and that the next Round waits for the dice it asks for."""

from __future__ import annotations

import pytest

from rules.conflict.events import RoundBegan
from rules.conflict.rounds import EndConflict, Entrant, NextRound, PassTurn, StartConflict
from rules.ships.second.leaving import AbandonShip
from rules.state.options import TableOptions
from rules.state.ships import Core, SystemDamage
from rules.state.vocabulary import Condition, ConflictKind, Ruleset, System
from tests.rules.fleet2e import Fleet
from tests.rules.squadron import Squadron

BOTH = pytest.mark.parametrize("ruleset", [Ruleset.CORE_1E, Ruleset.SECOND_EDITION])
GONE = SystemDamage(system=System.ENGINES, breaches=6, condition=Condition.DESTROYED)


def begin(game: Fleet, kind: ConflictKind, *entrants: Entrant) -> None:
    game.do(StartConflict(kind=kind, combatants=entrants))


def next_round(game: Fleet) -> None:
    """Everybody passes."""
    assert game.table.conflict is not None
    for one in game.table.conflict.combatants:
        while (it := game.table.conflict.combatant(one.combatant_id)) is not None and it.turns_taken < it.turns:
            if one.passed or it.passed:
                break
            game.do(PassTurn(combatant_id=one.combatant_id))
    game.do(NextRound())


def fail_core(game: Fleet, ship_id: str) -> None:
    game.state(ship_id, systems=(GONE,), critical=True, core=Core(rounds=2), power=5, power_max=9)


@BOTH
@pytest.mark.parametrize("npc", [False, True])
def test_a_ship_that_takes_no_part_is_not_tended_when_a_round_ends(ruleset: Ruleset, npc: bool) -> None:  # noqa: FBT001 - a case
    """WCB-1, S2E-17, BRCH-4: a wreck of an earlier scene neither asks for dice nor loses Power in a fight on foot."""
    game = Squadron(ruleset=ruleset, options=TableOptions(npc_ship_shortcut=False))
    ship_id = game.raider if npc else game.ship
    fail_core(game, ship_id)
    begin(game, ConflictKind.PERSONAL, Entrant(combatant_id=game.okafor), Entrant(combatant_id=game.brack))
    before = game.of(ship_id)
    next_round(game)
    assert not game.waits_for_dice()
    assert game.is_settled()
    assert game.of(ship_id) == before
    game.do(EndConflict())


@BOTH
@pytest.mark.parametrize("npc", [False, True])
def test_a_ship_in_the_fight_is_tended_before_the_next_round_begins(ruleset: Ruleset, npc: bool) -> None:  # noqa: FBT001 - a case
    """WCB-1, S2E-17: the dice of a failing core belong to the Round that ends."""
    game = Squadron(ruleset=ruleset, options=TableOptions(npc_ship_shortcut=False))
    begin(
        game,
        ConflictKind.STARSHIP,
        Entrant(combatant_id=game.okafor, ship_id=game.ship, station="tactical"),
        Entrant(combatant_id=game.raider),
    )
    ship_id = game.raider if npc else game.ship
    fail_core(game, ship_id)
    next_round(game)
    assert game.waits_for_dice()
    assert game.table.conflict is not None
    assert game.table.conflict.round == 1
    assert "take back what asked for them" in game.refused(EndConflict(), "TASK-10")
    happened = game.throw(1) if ruleset is Ruleset.SECOND_EDITION else game.throw_challenge(1, 1)
    assert any(isinstance(one, RoundBegan) for one in happened)
    assert game.table.conflict.round == 2
    assert game.is_settled()


def test_only_the_crew_of_a_ship_in_the_fight_leaves_it_by_rounds() -> None:
    """S2E-20."""
    game = Fleet()
    game.do(AbandonShip(ship_id=game.raider))
    begin(game, ConflictKind.PERSONAL, Entrant(combatant_id=game.okafor), Entrant(combatant_id=game.brack))
    next_round(game)
    next_round(game)
    assert not game.of(game.raider).state.abandoned


def test_a_crew_without_a_ship_of_its_own_is_aboard_the_ship_that_stands() -> None:
    """WCB-1: entered without saying where they are, the crew's ship takes part all the same."""
    game = Squadron()
    begin(game, ConflictKind.STARSHIP, Entrant(combatant_id=game.okafor), Entrant(combatant_id=game.raider))
    fail_core(game, game.ship)
    next_round(game)
    assert game.waits_for_dice()
