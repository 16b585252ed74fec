from __future__ import annotations

import pytest

from rules.legal.offers import options
from rules.setup.setting_up import StartSession
from rules.state.conflict import Action
from rules.state.options import TableOptions
from rules.state.vocabulary import (
    OpposedWinner,
    Payer,
    Pool,
    RerollReason,
    Ruleset,
    Spend,
    TaskPhase,
    TraitKind,
    ValueAction,
)
from rules.tasks.declaring import WithdrawTask
from rules.tasks.determination import MakeItSo, UseValueAgainst
from rules.tasks.events import SpendingFinished, TaskClosed
from rules.tasks.pools import AdjustPool, SpendThreat
from rules.tasks.second_throws import CorrectScoredDie, RerollDice
from rules.tasks.settling import BuyOffComplication, FinishSpending, MakeSpend, SucceedAtCost, TakeComplication
from rules.tasks.traits import RemoveTrait, RenameTrait
from tests.rules.skirmish import Skirmish
from tests.rules.tabletop import LINDQVIST_VALUE, OKAFOR_VALUE, Game, bought


def succeeded(momentum: int, pool: int = 0, *, may_succeed_at_cost: bool = False) -> Game:
    """Okafor's Task with that much Momentum, and no Complication unless `difficulty` is told."""
    game = Game(momentum=pool)
    game.declare(difficulty=4 - momentum, focus=True, may_succeed_at_cost=may_succeed_at_cost)
    game.throw(2, 3)
    assert game.task.momentum_left == momentum
    return game


def test_a_spend_takes_what_the_task_made_then_the_pool() -> None:
    game = succeeded(1, pool=3)
    game.do(MakeSpend(spend=Spend.OBTAIN_INFORMATION, times=2))
    assert (game.task.momentum_left, game.table.momentum) == (0, 2)
    assert [(one.from_generated, one.from_pool) for one in game.task.spends] == [(1, 1)]


def test_a_bare_success_may_spend_from_the_pool() -> None:
    game = succeeded(0, pool=2)
    game.do(MakeSpend(spend=Spend.CREATE_ADVANTAGE, note="High ground"))
    assert game.table.momentum == 0
    assert [(one.name, one.kind) for one in game.table.traits] == [("High ground", TraitKind.ADVANTAGE)]


@pytest.mark.parametrize(
    ("spend", "rule"),
    [
        (MakeSpend(spend=Spend.CREATE_ADVANTAGE, times=2, note="High ground"), "POOL-4"),
        (MakeSpend(spend=Spend.CREATE_ADVANTAGE), "POOL-5"),
        (MakeSpend(spend=Spend.CREATE_ADVANTAGE, note="  "), "POOL-5"),
        (MakeSpend(spend=Spend.OBTAIN_INFORMATION, times=5), "POOL-4"),
        (MakeSpend(spend=Spend.OBTAIN_INFORMATION, times=0), "POOL-4"),
        (MakeSpend(spend=Spend.OBTAIN_INFORMATION, threat_part=1), "POOL-4"),
        (MakeSpend(spend=Spend.CREATE_PROBLEM), "POOL-7"),
        (MakeSpend(spend=Spend.OBTAIN_INFORMATION, note="x" * 500), "SETUP"),
    ],
)
def test_spends_that_cannot_be_are_refused_with_their_rule(spend: MakeSpend, rule: str) -> None:
    succeeded(4).refused(spend, rule)


def test_a_spend_that_is_not_repeatable_is_taken_once_a_task() -> None:
    game = succeeded(4)
    game.do(MakeSpend(spend=Spend.CREATE_ADVANTAGE, note="High ground"))
    game.refused(MakeSpend(spend=Spend.CREATE_ADVANTAGE, note="A way out"), "POOL-4")


def in_a_turn(*faces: int, momentum: int = 0) -> Skirmish:
    """Okafor's Task of a Turn in a fight, thrown."""
    game = Skirmish(begins="okafor", momentum=momentum)
    game.begin(game.okafor)
    game.declare(game.okafor, action=Action(name="other"), difficulty=1)
    game.throw(*faces)
    return game


def test_an_immediate_spend_may_add_threat() -> None:
    game = in_a_turn(2, 3)
    before, left = game.table.threat, game.task.momentum_left
    game.refused(MakeSpend(spend=Spend.EXTRA_MINOR_ACTION, threat_part=2), "POOL-4")
    game.refused(MakeSpend(spend=Spend.EXTRA_MINOR_ACTION, threat_part=-1), "POOL-4")
    game.do(MakeSpend(spend=Spend.EXTRA_MINOR_ACTION, threat_part=1))
    assert (game.task.momentum_left, game.table.threat) == (left, before + 1)


def test_a_failure_opens_immediate_spends_only() -> None:
    game = in_a_turn(19, 19, momentum=4)
    game.refused(MakeSpend(spend=Spend.OBTAIN_INFORMATION), "POOL-4")
    game.do(MakeSpend(spend=Spend.EXTRA_MINOR_ACTION))
    assert game.table.momentum == 3


def test_a_problem_is_no_spend_of_ones_own_task() -> None:
    """POOL-7: nothing is paid for what has to come before an enemy's dice, and it is not offered."""
    game = succeeded(4)
    said = game.refused(MakeSpend(spend=Spend.CREATE_PROBLEM, times=2), "POOL-7")
    assert said == (
        "Create Problem is bought before the dice of an enemy's Task; save the Momentum until one is declared."
    )
    assert not [one for one in options(game.table) if one.option_id.startswith("make_spend:create_problem")]


def test_what_is_left_is_saved_to_six_and_the_loss_is_told() -> None:
    game = succeeded(3, pool=5)
    events = game.do(FinishSpending())
    finished = events[0]
    assert isinstance(finished, SpendingFinished)
    assert (finished.saved, finished.lost, game.table.momentum) == (1, 2, 6)
    assert game.last_said.terse == "1 Momentum saved. 2 Momentum lost above 6. Momentum 6."
    assert game.table.last_task is not None
    assert (game.table.last_task.saved, game.table.last_task.lost, game.table.last_task.phase) == (
        1,
        2,
        TaskPhase.CLOSED,
    )


def test_an_npcs_leftover_becomes_threat_and_its_spends_cost_threat() -> None:
    game = Game(momentum=2)
    game.declare(game.brack, difficulty=3, focus=True)
    game.throw(2, 3)
    game.do(MakeSpend(spend=Spend.OBTAIN_INFORMATION, times=2))
    assert (game.table.threat, game.table.momentum) == (3, 2)
    game.do(FinishSpending())
    game.declare(game.brack, difficulty=1, focus=True)
    game.throw(2, 3)
    game.do(FinishSpending())
    assert (game.table.threat, game.table.momentum) == (6, 2)


def test_complications_are_settled_one_by_one_and_close_the_task() -> None:
    game = Game()
    game.declare(complication_range=2)
    game.refused(TakeComplication(), "TASK-10")
    game.throw(19, 20)
    game.do(FinishSpending())
    assert (game.task.phase, game.task.complications_open) == (TaskPhase.COMPLICATIONS, 2)
    game.do(TakeComplication(name="Sparks"))
    assert [(one.name, one.kind) for one in game.table.traits] == [("Sparks", TraitKind.COMPLICATION)]
    events = game.do(BuyOffComplication())
    assert isinstance(events[-1], TaskClosed)
    assert (game.table.threat, game.table.task) == (6, None)
    game.refused(BuyOffComplication(), "TASK-10")


def test_a_complication_taken_without_a_name_holds_until_it_is_named_or_removed() -> None:
    """TRAIT-3: it is a trait, each unlike the other, as the same name would raise the potency (TRAIT-4)."""
    game = Game()
    game.declare(complication_range=2)
    game.throw(19, 20)
    game.do(FinishSpending())
    game.do(TakeComplication())
    assert game.last_said.terse == "Okafor takes a Complication: Trouble for Okafor."
    game.do(TakeComplication())
    assert "Okafor takes a Complication: Trouble for Okafor, 2." in game.last_said.normal

    def held() -> list[tuple[str, str, int]]:
        return [(one.name, one.kind, one.potency) for one in game.table.traits]

    kind = TraitKind.COMPLICATION
    assert held() == [("Trouble for Okafor", kind, 1), ("Trouble for Okafor, 2", kind, 1)]
    first, second = (one.trait_id for one in game.table.traits)
    game.do(RenameTrait(name=" Sparks ", trait_id=first))
    assert held() == [("Sparks", kind, 1), ("Trouble for Okafor, 2", kind, 1)]
    assert game.last_said.terse == "Trouble for Okafor is now Sparks."
    game.do(RenameTrait(name="sparks", trait_id=second))
    assert held() == [("Sparks", kind, 2)], "identical ones are one"
    assert game.last_said.terse == "Trouble for Okafor, 2 is now Sparks, potency 2."
    game.do(RemoveTrait(trait_id=first))
    assert held() == []


def test_an_npcs_complication_is_waived_with_threat_there_is() -> None:
    game = Game()
    game.declare(game.brack, complication_range=5)
    game.throw(20, 20)
    game.do(FinishSpending())
    game.do(BuyOffComplication())
    assert game.table.threat == 2
    game.do(SpendThreat(event="environment_effect"))
    game.refused(BuyOffComplication(), "THR-5")
    game.do(TakeComplication())


def test_success_at_a_cost_is_bare_and_its_price_cannot_be_bought_off() -> None:
    game = Game(momentum=3)
    game.declare(may_succeed_at_cost=True)
    game.throw(16, 20)
    game.do(SucceedAtCost())
    outcome = game.task.outcome
    assert outcome is not None
    assert (outcome.success, outcome.at_cost, outcome.momentum, outcome.complications) == (True, True, 0, 2)
    assert game.last_said.terse == "Success at cost, 2 Complications."
    game.refused(SucceedAtCost(), "TASK-11")
    game.refused(MakeSpend(spend=Spend.OBTAIN_INFORMATION), "TASK-11")
    game.refused(MakeSpend(spend=Spend.CREATE_ADVANTAGE, note="High ground"), "TASK-11")
    game.refused(CorrectScoredDie(position=0, face=3), "TASK-10")
    game.do(FinishSpending())
    game.do(BuyOffComplication())
    game.refused(BuyOffComplication(), "THR-3")
    game.do(TakeComplication())
    assert game.table.task is None


def test_the_price_goes_first_when_taken_and_a_table_may_let_it_be_bought_off() -> None:
    for allowed in (False, True):
        game = Game(options=TableOptions(price_complications_buyoff=allowed))
        game.declare(may_succeed_at_cost=True)
        game.throw(16, 20)
        game.do(SucceedAtCost())
        game.do(FinishSpending())
        if allowed:
            game.do(BuyOffComplication())
        else:
            game.do(TakeComplication())
        game.do(BuyOffComplication())
        assert game.table.task is None


def test_only_a_declared_failure_succeeds_at_a_cost() -> None:
    game = Game()
    game.declare()
    game.throw(16, 17)
    game.refused(SucceedAtCost(), "TASK-11")
    game = succeeded(1, may_succeed_at_cost=True)
    game.refused(SucceedAtCost(), "TASK-11")


def opposed(active: tuple[int, int], reactive: tuple[int, int], ruleset: Ruleset = Ruleset.CORE_1E) -> Game:
    game = Game(ruleset)
    game.declare(opposed=True)
    game.throw(*active)
    game.refused(FinishSpending(), "OPP-1")
    game.refused(game.declaration(), "OPP-1")
    game.declare(game.brack)
    game.throw(*reactive)
    return game


@pytest.mark.parametrize(
    ("active", "reactive", "winner", "momentum"),
    [
        ((2, 3), (16, 17), OpposedWinner.ACTIVE, (1, 0)),
        ((16, 17), (2, 3), OpposedWinner.REACTIVE, (0, 1)),
        ((16, 17), (18, 19), OpposedWinner.NONE, (0, 0)),
        ((1, 1), (2, 3), OpposedWinner.ACTIVE, (2, 0)),
        ((2, 3), (1, 1), OpposedWinner.REACTIVE, (0, 2)),
        ((2, 3), (4, 5), OpposedWinner.ACTIVE, (0, 0)),
    ],
)
def test_opposed_tasks(
    active: tuple[int, int], reactive: tuple[int, int], winner: OpposedWinner, momentum: tuple[int, int]
) -> None:
    game = opposed(active, reactive)
    assert game.table.opposed is not None
    assert game.task.opposed_winner is winner
    assert (game.table.opposed.momentum_left, game.task.momentum_left) == momentum
    assert game.table.opposed.opposed_winner is winner


def test_the_active_sides_task_is_settled_after_the_reactive_sides() -> None:
    game = opposed((1, 1), (2, 3))
    game.refused(MakeSpend(spend=Spend.OBTAIN_INFORMATION), "POOL-4")
    game.do(FinishSpending())
    assert (game.task.who, game.task.phase, game.task.momentum_left) == ("Okafor", TaskPhase.SPENDING, 2)
    assert game.table.threat == 4
    game.do(FinishSpending())
    assert (game.table.task, game.table.momentum) == (None, 2)


def test_a_losing_active_side_has_only_its_complications_left() -> None:
    game = opposed((16, 20), (2, 3))
    game.do(FinishSpending())
    assert (game.task.who, game.task.phase) == ("Okafor", TaskPhase.COMPLICATIONS)
    assert game.table.threat == 5
    game.do(TakeComplication())
    assert game.table.task is None


def test_a_losing_active_side_without_complications_closes_by_itself() -> None:
    game = opposed((16, 17), (2, 3))
    game.do(FinishSpending())
    assert (game.table.task, game.table.opposed) == (None, None)


def test_the_reactive_side_may_throw_again_and_the_winner_is_found_anew() -> None:
    game = opposed((2, 3), (16, 17))
    game.do(RerollDice(positions=(0, 1), reason=RerollReason.ACCURATE_AIM))
    game.throw(1, 1)
    assert game.task.opposed_winner is OpposedWinner.REACTIVE
    assert (game.task.momentum_left, game.table.opposed and game.table.opposed.momentum_left) == (2, 0)


def test_the_reactive_side_may_be_taken_back() -> None:
    game = Game()
    game.declare(opposed=True)
    game.throw(2, 3)
    game.declare(game.brack, purchases=bought(Payer.THREAT))
    game.do(WithdrawTask())
    assert (game.task.who, game.task.phase, game.table.threat) == ("Okafor", TaskPhase.AWAITING_OPPOSITION, 4)


def test_a_new_task_ends_both_sides_of_an_opposed_one() -> None:
    game = opposed((2, 20), (16, 17))
    game.declare(game.lindqvist)
    assert (game.task.who, game.table.opposed) == ("Lindqvist", None)
    assert [(one.who, one.left) for one in game.table.complications_waiting] == [("Okafor", 1)]


def test_make_it_so_gives_an_advantage_for_a_point() -> None:
    game = Game()
    command = MakeItSo(character_id=game.okafor, value=OKAFOR_VALUE, advantage="Channel open")
    game.refused(MakeItSo(character_id=game.okafor, value=OKAFOR_VALUE, advantage=""), "SETUP")
    game.refused(MakeItSo(character_id=game.okafor, value=LINDQVIST_VALUE, advantage="X"), "DET-1")
    game.refused(MakeItSo(character_id=game.okafor, value="", advantage="X"), "DET-1")
    game.do(command)
    assert game.card(game.okafor).determination == 0
    assert game.table.traits[0].kind is TraitKind.ADVANTAGE
    game.refused(command, "DET-5")


def test_a_value_in_the_way_brings_a_complication_and_a_point() -> None:
    game = Game()
    use = UseValueAgainst(character_id=game.okafor, value=OKAFOR_VALUE, action=ValueAction.ACCEPT_COMPLICATION)
    game.refused(use, "SETUP")
    game.do(
        UseValueAgainst(
            character_id=game.okafor,
            value=OKAFOR_VALUE,
            action=ValueAction.ACCEPT_COMPLICATION,
            complication="Overheard",
        )
    )
    assert game.card(game.okafor).determination == 2
    assert game.table.traits[0].name == "Overheard"


def test_a_value_is_challenged_once_a_session_and_struck_out() -> None:
    game = Game()
    use = UseValueAgainst(character_id=game.lindqvist, value=LINDQVIST_VALUE, action=ValueAction.CHALLENGE)
    game.do(use)
    assert game.card(game.lindqvist).determination == 2
    assert game.card(game.lindqvist).values[0].struck
    game.refused(use, "DET-7")
    game.refused(MakeItSo(character_id=game.lindqvist, value=LINDQVIST_VALUE, advantage="X"), "DET-7")
    game.do(StartSession())
    assert not game.card(game.lindqvist).challenged_this_session
    assert game.card(game.lindqvist).values[0].struck


def test_at_the_maximum_a_challenge_strikes_the_value_and_loses_the_point() -> None:
    game = Game(options=TableOptions(determination_start=3))
    game.do(UseValueAgainst(character_id=game.lindqvist, value=LINDQVIST_VALUE, action=ValueAction.CHALLENGE))
    assert game.card(game.lindqvist).determination == 3
    assert game.card(game.lindqvist).values[0].struck


def test_momentum_can_be_put_right_while_a_task_is_open() -> None:
    game = succeeded(2)
    game.do(AdjustPool(pool=Pool.MOMENTUM, change=5, reason="forgotten"))
    game.do(FinishSpending())
    assert game.table.momentum == 6
