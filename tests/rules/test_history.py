from __future__ import annotations

import pytest

from rules import history
from rules.deciding.decision import Command, name_of
from rules.errors import Refusal
from rules.history import DEPTH, Decision
from rules.setup.setting_up import StartScene
from rules.state.table import Table
from rules.state.vocabulary import Pool
from rules.table import decide
from rules.tasks.declaring import CreateProblem
from rules.tasks.pools import AdjustPool, GainThreat
from rules.tasks.settling import BuyOffComplication, FinishSpending
from rules.undo import DecisionRedone, DecisionUndone, Redo, Undo
from tests.rules.tabletop import Game


def test_undo_brings_back_the_exact_table_and_redo_the_one_after() -> None:
    game = Game(momentum=3)
    tables = [game.table]
    opening: tuple[Command, ...] = (game.declaration(), CreateProblem())
    for command in opening:
        game.do(command)
        tables.append(game.table)
    game.throw(2, 20)
    tables.append(game.table)
    ending: tuple[Command, ...] = (FinishSpending(), BuyOffComplication())
    for command in ending:
        game.do(command)
        tables.append(game.table)
    for table in reversed(tables[:-1]):
        game.do(Undo())
        assert game.table == table
    for table in tables[1:]:
        game.do(Redo())
        assert game.table == table


def test_undo_and_redo_name_the_decision() -> None:
    game = Game()
    game.declare()
    number = game.decisions[-1].number
    assert game.do(Undo()) == (DecisionUndone(decision=number, command="declare_task"),)
    assert game.do(Redo()) == (DecisionRedone(decision=number, command="declare_task"),)


def test_an_undo_is_a_decision_of_its_own_and_nothing_is_edited() -> None:
    game = Game()
    game.declare()
    written = list(game.decisions)
    game.do(Undo())
    assert game.decisions[:-1] == written
    assert [one.number for one in game.decisions] == list(range(1, len(game.decisions) + 1))


def test_a_new_decision_ends_what_could_be_brought_back() -> None:
    game = Game()
    game.declare()
    game.do(Undo())
    game.declare(game.lindqvist)
    game.refused(Redo(), "UNDO")


def test_there_is_nothing_to_take_back_at_first() -> None:
    fresh = history.begin()
    for command in (Undo(), Redo()):
        with pytest.raises(Refusal, match="There is nothing"):
            history.decide(fresh, command)
    assert (history.undo_words(fresh), history.redo_words(fresh)) == (None, None)


def test_a_table_alone_takes_nothing_back() -> None:
    with pytest.raises(Refusal, match="ask its history"):
        decide(Table(), Undo())


def test_what_undo_would_take_back_is_said_in_words() -> None:
    game = Game()
    game.declare()
    assert history.undo_words(game.history) == "declaring the Task"
    game.do(Undo())
    assert history.redo_words(game.history) == "declaring the Task"
    game.do(StartScene())
    assert history.undo_words(game.history) == "starting the scene"


def test_a_reading_taken_back_does_not_come_again_by_itself() -> None:
    game = Game()
    game.declare()
    game.throw(2, 3, reading_id="tray-1")
    scored = game.table
    game.do(Undo())
    assert game.throw(2, 3, reading_id="tray-1") == ()
    game.do(Redo())
    assert game.table == scored


def test_five_hundred_decisions_can_be_taken_back() -> None:
    game = Game()
    start = game.table
    for number in range(500):
        game.do(GainThreat(event="torpedo_attack", amount=1 + number % 3))
    for _ in range(500):
        game.do(Undo())
    assert game.table == start
    assert DEPTH >= 500


def test_a_history_goes_on_from_a_kept_table() -> None:
    game = Game()
    later = history.begin(game.table, game.history.next_decision)
    events = history.decide(later, AdjustPool(pool=Pool.MOMENTUM, change=2))
    number = later.next_decision
    later = history.evolve(later, Decision(number=number, by="x", command="adjust_pool", events=events))
    assert (later.present.momentum, later.next_decision) == (2, number + 1)


def test_an_undo_of_a_decision_that_is_lost_takes_back_no_other() -> None:
    game = Game()
    game.declare()
    after = game.history
    lost = Decision(number=9, by="Ada", command="undo", events=(DecisionUndone(decision=7, command="declare_task"),))
    again = Decision(number=10, by="Ada", command="redo", events=(DecisionRedone(decision=7, command="declare_task"),))
    for one in (lost, again):
        after = history.evolve(after, one)
        assert (after.present, after.done, after.undone) == (game.history.present, game.history.done, ())


def test_replaying_an_undo_that_reaches_before_the_kept_table_changes_nothing() -> None:
    fresh = history.begin(Table(momentum=2), 9)
    for event in (DecisionUndone(decision=8), DecisionRedone(decision=8)):
        after = history.evolve(fresh, Decision(number=9, by="x", command=name_of(event), events=(event,)))
        assert (after.present, after.next_decision) == (fresh.present, 10)
