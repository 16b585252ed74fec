from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.conflict.rounds import BeginTurn, Entrant, StartConflict
from rules.legal.offers import declarers, options
from rules.odds.declared import chance, pool_of
from rules.rulesets.profiles import PROFILES, profile_of
from rules.state.conflict import Action
from rules.state.options import TableOptions
from rules.state.tasks import Assistance
from rules.state.vocabulary import Attribute, ConflictKind, Discipline, OpposedWinner, Ruleset
from rules.tasks.declaring import DeclareTask
from rules.tasks.opposed import (
    OpposedOutcome,
    decide_opposed,
    expected,
    helpers,
    opponent,
    players_result,
    reached,
)
from rules.tasks.scoring import result_of
from rules.tasks.settling import FinishSpending, TakeComplication
from tests.rules.fleet2e import Fleet
from tests.rules.tabletop import Game

CORE = PROFILES[Ruleset.CORE_1E]
ACTIVE, REACTIVE, NONE = OpposedWinner.ACTIVE, OpposedWinner.REACTIVE, OpposedWinner.NONE

COUNT = st.integers(0, 10)


@pytest.mark.parametrize(
    ("active", "reactive", "winner", "momentum"),
    [
        ((3, 1), (0, 1), ACTIVE, 2), ((0, 1), (3, 1), REACTIVE, 2), ((0, 1), (0, 1), NONE, 0),
        ((1, 2), (1, 2), NONE, 0),
    ],
)  # fmt: skip
def test_who_alone_succeeds_wins_with_all_momentum(
    active: tuple[int, int], reactive: tuple[int, int], winner: OpposedWinner, momentum: int
) -> None:
    """OPP-1."""
    assert decide_opposed(result_of(*active), result_of(*reactive), CORE) == OpposedOutcome(
        winner=winner, momentum=momentum
    )


@pytest.mark.parametrize(("active", "reactive", "winner", "momentum"), [(5, 2, ACTIVE, 3), (2, 4, REACTIVE, 2)])
def test_the_greater_momentum_wins_by_the_difference(
    active: int, reactive: int, winner: OpposedWinner, momentum: int
) -> None:
    """OPP-2."""
    decided = decide_opposed(result_of(active, 1), result_of(reactive, 1), CORE)
    assert (decided.winner, decided.momentum) == (winner, momentum)
    assert sorted(decided.momentum_of(side) for side in OpposedWinner) == [0, 0, momentum]


def test_a_tie_is_the_active_sides_with_nothing_left() -> None:
    """OPP-3."""
    assert decide_opposed(result_of(5, 3), result_of(3, 1), CORE) == OpposedOutcome(winner=ACTIVE, momentum=0)


def test_a_table_may_let_the_reactive_side_set_the_mark() -> None:
    """C-42."""
    reactive_first = profile_of(Ruleset.SECOND_EDITION, TableOptions(opposed_reactive_first=True))
    for active, reactive, winner, momentum in ((3, 3, ACTIVE, 0), (4, 1, ACTIVE, 3), (0, 2, REACTIVE, 2)):
        decided = decide_opposed(result_of(active, 1), result_of(reactive, 1), reactive_first)
        assert (decided.winner, decided.momentum) == (winner, momentum)


@given(COUNT, COUNT, COUNT, COUNT)
def test_nobody_wins_with_more_than_they_made(active: int, first: int, reactive: int, second: int) -> None:
    """OPP-1, OPP-2, OPP-3."""
    one, other = result_of(active, first), result_of(reactive, second)
    decided = decide_opposed(one, other, CORE)
    assert 0 <= decided.momentum <= max(one.momentum, other.momentum)
    assert (decided.winner is NONE) is (not one.success and not other.success)


def test_the_chance_of_the_side_that_throws_second_is_that_of_winning() -> None:
    """OPP-2: of all throws of two dice those that beat the Momentum of the side before it, as the rules decide them."""
    game = Game()
    game.declare(opposed=True)
    game.throw(5, 9)
    weighed = pool_of(game.table, replace(game.declaration(game.brack).declaration, rerolls=()))
    assert weighed.to_win == 3
    active = game.task.outcome
    assert active is not None
    wins = 0
    for faces in itertools.product(range(1, 21), repeat=2):
        made = sum(
            1 + (face <= weighed.leader.double_at_most) for face in faces if face <= weighed.leader.target_number
        )
        wins += decide_opposed(active, result_of(made, weighed.difficulty), CORE).winner is REACTIVE
    assert chance(weighed).chance == pytest.approx(wins / 400)


def test_against_a_side_that_failed_a_success_wins() -> None:
    """OPP-1."""
    game = Game()
    game.declare(opposed=True)
    game.throw(19, 18)
    weighed = pool_of(game.table, game.declaration(game.brack).declaration)
    assert weighed.to_win is None
    assert chance(weighed) == chance(replace(weighed, against=None))


def test_nobody_helps_both_sides() -> None:
    """OPP-1: neither who throws nor who helped them helps against them."""
    game = Game()
    game.declare(opposed=True)
    game.throw(5, 9)
    turncoat = Assistance(character_id=game.okafor, attribute=Attribute.CONTROL, discipline=Discipline.CONN)
    game.refused(game.declaration(game.brack, assists=(turncoat,)), "OPP-1")
    game.declare(game.brack, assists=(replace(turncoat, character_id=game.lindqvist),))


def test_who_is_aimed_at_is_expected_to_oppose_and_can_be_chosen_first() -> None:
    """OPP-1, NSHIP-1: of an NPC ship its crew, of a players' ship who is aboard; never who acts or helps."""
    game = Fleet()
    assert game.raider not in declarers(game.table), "a crew acts by its ship's stations"
    seats = (
        Entrant(combatant_id=game.okafor, ship_id=game.ship, station="tactical"),
        Entrant(combatant_id=game.lindqvist, ship_id=game.ship, station="helm"),
        Entrant(combatant_id=game.raider),
    )
    game.act("evasive_action", game.raider)
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=seats, begins=game.okafor))
    game.do(BeginTurn(combatant_id=game.okafor))
    shot = game.acting("fire", target_id=game.raider, weapon="Phasers").declaration
    game.do(DeclareTask(declaration=shot))
    game.throw(5, 9)
    game.throw(20)
    game.throw(20)
    assert expected(game.table, game.task) == (game.raider,)
    assert opponent(game.table, game.task) == "Black Comet"
    assert declarers(game.table) == (game.raider,)
    assert helpers(game.table) == (game.lindqvist, game.brack)
    aimed = replace(shot, character_id=game.raider, action=Action(name="fire", target_id=game.ship))
    task = replace(game.task, declaration=aimed, npc=True)
    assert expected(game.table, task) == (game.okafor, game.lindqvist)
    assert not opponent(game.table, task)


@pytest.mark.parametrize(("okafor", "brack", "won"), [((5, 9), (20, 20), True), ((20, 20), (5, 9), False)])
@pytest.mark.parametrize("npc_first", [True, False])
def test_a_result_is_the_players_whoever_declared_it(
    okafor: tuple[int, int], brack: tuple[int, int], *, won: bool, npc_first: bool
) -> None:
    """OPP-1: what lamp and sounds tell is whether the players won, until the next Task."""
    game = Game()
    sides = [(game.okafor, okafor), (game.brack, brack)]
    for place, (who, faces) in enumerate(reversed(sides) if npc_first else sides):
        game.declare(who, opposed=place == 0)
        game.throw(*faces)
    for _ in range(8):
        told = players_result(game.table)
        assert told is not None
        assert (told.npc, reached(told)) == (False, won)
        if game.table.task is None:
            return
        for one in options(game.table):
            if one.command.__class__ in {FinishSpending, TakeComplication}:
                game.do(one.command)
                break
    raise AssertionError("it does not end")
