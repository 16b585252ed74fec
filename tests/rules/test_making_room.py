"""Whoever goes on ends the spending of the Task before: nobody has to say first that they are done (POOL-2, C-61)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.conflict.rounds import EndConflict, EndTurn
from rules.deciding.decision import Command
from rules.legal.offers import options
from rules.setup.setting_up import StartScene, StartSession
from rules.state.options import TableOptions
from rules.status import turn_told
from rules.tasks.settling import BuyOffComplication, FinishSpending, SucceedAtCost, TakeComplication
from rules.undo import Undo
from tests.rules.brawl import Brawl
from tests.rules.skirmish import Skirmish
from tests.rules.tabletop import Game


def with_left(points: int, pool: int = 0) -> Game:
    """Okafor has that Momentum left."""
    game = Game(momentum=pool)
    game.declare(focus=True, difficulty=4 - points)
    game.throw(1, 2)
    assert game.task.momentum_left == points
    return game


@pytest.mark.parametrize("who", ["okafor", "lindqvist", "brack"])
def test_the_next_declaration_saves_what_is_left_and_says_so(who: str) -> None:
    game = with_left(2, pool=1)
    before = game.table
    game.declare(getattr(game, who))
    assert (game.task.declaration.character_id, game.table.momentum) == (getattr(game, who), 3)
    assert game.last_said.terse.startswith("2 Momentum saved. ")
    assert game.last_said.terse.endswith(" Momentum 3.")
    assert game.table.last_task is not None
    assert (game.table.last_task.who, game.table.last_task.saved) == ("Okafor", 2)
    game.do(Undo())
    assert game.table == before


def test_nobody_else_lets_momentum_go_to_waste() -> None:
    """POOL-2: only its owner and the gamemaster do."""
    game = with_left(3, pool=5)
    said = game.refused(game.declaration(game.lindqvist), "POOL-2")
    assert said == "2 Momentum of Okafor would be lost; Okafor spends it or ends the spending first."
    for who in (game.okafor, game.brack):
        game.declare(who)
        assert game.table.momentum == 6
        assert game.last_said.terse.startswith("1 Momentum saved. 2 Momentum lost above 6. ")
        game.do(Undo())


def test_what_an_npc_has_left_becomes_threat() -> None:
    game = Game()
    game.declare(game.brack, focus=True)
    game.throw(1, 2)
    threat, left = game.table.threat, game.task.momentum_left
    game.declare(game.okafor)
    assert game.table.threat == threat + left
    assert game.last_said.terse.startswith("3 Momentum becomes Threat. ")


@pytest.mark.parametrize("ends", [EndTurn(), EndConflict()])
def test_the_end_of_a_turn_ends_the_spending(ends: Command) -> None:
    game = Skirmish(begins="okafor", momentum=5)
    game.begin(game.okafor)
    game.act(game.okafor, "create_advantage", note="Smoke")
    game.throw(1, 1)
    assert game.task.momentum_left == 2
    game.do(ends)
    assert (game.table.task, game.table.momentum) == (None, 6)
    assert "Smoke" in [one.name for one in game.table.traits]
    assert "1 Momentum saved. 1 Momentum lost above 6." in game.last_said.normal


def test_an_attack_that_hit_is_gone_on_with_first() -> None:
    """C-61."""
    game = Brawl()
    game.attack(game.okafor, game.brack, "knife")
    game.throw(1, 1)
    game.defend(game.brack)
    game.throw(19, 19)
    game.refused(game.declaration(game.lindqvist), "TASK-10")


def with_complications(*, finished: bool = False) -> Game:
    """Okafor succeeded, with one Complication; `finished`: the spending is over."""
    game = Game()
    game.declare()
    game.throw(1, 20)
    if finished:
        game.do(FinishSpending())
    return game


@pytest.mark.parametrize("finished", [True, False])
@pytest.mark.parametrize("who", ["okafor", "lindqvist", "brack"])
def test_complications_wait_and_nobody_waits_for_them(who: str, *, finished: bool) -> None:
    game = with_complications(finished=finished)
    before, number = game.table, game.task.number
    game.declare(getattr(game, who))
    assert "1 Complication of Okafor can be settled later." in game.last_said.terse
    assert [(one.number, one.left) for one in game.table.complications_waiting] == [(number, 1)]
    assert game.table.last_task is not None
    assert game.table.last_task.complications_open == 1
    game.do(Undo())
    assert game.table == before


def test_one_that_waits_is_taken_while_dice_are_awaited() -> None:
    """TASK-7: with a name it is a trait."""
    game = with_complications()
    number = game.task.number
    game.declare(game.lindqvist)
    awaited = game.table.request
    game.do(TakeComplication(name="Sparks", number=number))
    assert (game.table.complications_waiting, game.table.request) == ((), awaited)
    assert [one.name for one in game.table.traits] == ["Sparks"]
    assert game.table.last_task is not None
    assert game.table.last_task.complications_open == 0
    game.refused(TakeComplication(number=number), "TASK-7")


def test_one_that_waits_is_bought_off_for_two_threat() -> None:
    """THR-3."""
    game = with_complications()
    number = game.task.number
    game.declare(game.brack)
    threat = game.table.threat
    chosen = next(one for one in options(game.table) if one.option_id == f"buy_off_complication:{number}")
    assert (chosen.price.threat, str(chosen.label)) == (2, "Buy Okafor's Complication off with Threat")
    game.do(chosen.command)
    assert (game.table.threat, game.table.complications_waiting) == (threat + 2, ())


def test_two_of_one_person_say_which_throw_each_came_from() -> None:
    """By the Task's deed, else by what it was thrown with; one alone says no more than whose it is."""
    game = Game()
    game.declare(label="Seal the hatch")
    game.throw(1, 20)
    first = game.task.number
    game.declare()
    alone = {str(one.label) for one in options(game.table) if one.option_id.startswith("take_complication")}
    assert alone == {"Take Okafor's Complication"}
    game.throw(1, 20)
    game.do(FinishSpending())
    labels = {one.option_id: str(one.label) for one in options(game.table)}
    assert labels["take_complication"] == "Take the Complication: Control + Engineering"
    assert labels[f"take_complication:{first}"] == "Take Okafor's Complication: Seal the hatch"
    assert labels[f"buy_off_complication:{first}"] == "Buy Okafor's Complication off with Threat: Seal the hatch"
    game.do(TakeComplication())
    assert "Seal" not in " ".join(str(one.label) for one in options(game.table)), "one is left"


def test_a_price_that_waits_is_not_bought_off() -> None:
    """C-78."""
    game = Game()
    game.declare(difficulty=3, may_succeed_at_cost=True)
    game.throw(19, 19)
    game.do(SucceedAtCost())
    number = game.task.number
    game.declare(game.lindqvist)
    game.refused(BuyOffComplication(number=number), "THR-3")
    game.do(TakeComplication(number=number))


def test_those_of_the_task_in_hand_are_settled_before_those_that_wait() -> None:
    game = with_complications()
    first = game.task.number
    game.declare(game.lindqvist)
    game.throw(1, 20)
    game.do(FinishSpending())
    game.do(TakeComplication())
    assert game.table.task is None
    assert [one.number for one in game.table.complications_waiting] == [first]
    assert "Okafor has 1 Complication to take." in turn_told(game.table).normal


@pytest.mark.parametrize("goes_on", [StartScene(name="The hold"), StartSession()])
def test_a_scene_ends_the_spending_and_complications_are_kept(goes_on: Command) -> None:
    game = with_complications()
    game.do(goes_on)
    assert game.table.task is None
    assert [one.left for one in game.table.complications_waiting] == [1]


@given(
    left=st.integers(0, 4), pool=st.integers(0, 6), who=st.sampled_from(["okafor", "lindqvist", "brack"]),
    bonus=st.booleans(),
)  # fmt: skip
def test_nothing_is_lost_but_above_six_and_never_by_others(left: int, pool: int, who: str, bonus: bool) -> None:  # noqa: FBT001 - drawn
    game = Game(momentum=pool, options=TableOptions(bonus_momentum_saved=bonus))
    game.declare(focus=True, difficulty=4 - left)
    game.throw(1, 2)
    lost = max(0, pool + left - 6)
    if lost and who == "lindqvist":
        game.refused(game.declaration(game.lindqvist), "POOL-2")
        assert [one for one in options(game.table) if one.option_id == "finish_spending"]
        return
    before = game.table
    game.declare(getattr(game, who))
    assert game.table.momentum == pool + left - lost
    game.do(Undo())
    assert game.table == before
