from __future__ import annotations

import pytest

from rules.state.options import TableOptions
from rules.state.tasks import Assistance, Modifier, Purchase, ShipAssistance
from rules.state.vocabulary import Attribute, Discipline, Payer, Ruleset, System, TaskPhase, ThrowRole, ValueAction
from rules.tasks.declaring import BuyDie, CreateProblem, WithdrawTask
from rules.tasks.determination import SurgeOfActivity, UseValueAgainst
from rules.tasks.events import TaskClosed
from rules.tasks.pools import GainThreat, SpendThreat
from rules.tasks.settling import FinishSpending
from tests.rules.tabletop import OKAFOR_VALUE, Game, bought


def test_a_declared_task_waits_for_its_dice() -> None:
    game = Game()
    game.declare(focus=True, difficulty=2, modifiers=(Modifier(reason="Poor light", change=1),), label=" Fix  it ")
    task, request = game.task, game.table.request
    assert (task.who, task.target_number, task.double_at_most, task.difficulty) == ("Okafor", 15, 4, 3)
    assert task.declaration.label == "Fix it"
    assert task.phase is TaskPhase.AWAITING_DICE
    assert request is not None
    assert (request.role, request.count, request.who) == (ThrowRole.LEADER, 2, "Okafor")


def test_scotty_scores_as_in_the_book() -> None:
    game = Game()
    game.declare(focus=True, difficulty=2)
    game.throw(4, 19)
    outcome = game.task.outcome
    assert outcome is not None
    assert (outcome.successes, outcome.success, outcome.momentum, outcome.complications) == (2, True, 0, 0)
    assert [one.successes for one in game.task.dice] == [2, 0]


def test_bonus_dice_are_paid_at_once_with_one_escalation() -> None:
    game = Game(momentum=3)
    game.declare(purchases=(Purchase(payer=Payer.MOMENTUM), Purchase(payer=Payer.THREAT), Purchase(payer=Payer.TALENT)))
    assert (game.table.momentum, game.table.threat) == (2, 6)
    assert game.task.own_dice == 5


def test_one_die_may_be_paid_from_both_pools() -> None:
    game = Game(momentum=2)
    game.declare(purchases=(Purchase(payer=Payer.MOMENTUM), Purchase(payer=Payer.MOMENTUM, threat_part=1)))
    assert (game.table.momentum, game.table.threat) == (0, 5)


@pytest.mark.parametrize(
    ("purchases", "rule"),
    [
        (bought(Payer.TALENT, Payer.TALENT, Payer.TALENT, Payer.TALENT), "BUY-1"),
        (bought(Payer.MOMENTUM, Payer.MOMENTUM), "BUY-2"),
        (bought(Payer.TALENT, Payer.DETERMINATION), "BUY-5"),
        (bought(Payer.DETERMINATION, Payer.DETERMINATION), "BUY-4"),
        ((Purchase(payer=Payer.MOMENTUM, threat_part=2),), "BUY-3"),
        ((Purchase(payer=Payer.MOMENTUM, threat_part=-1),), "BUY-3"),
    ],
)
def test_purchases_that_cannot_be_are_refused_with_their_rule(purchases: tuple[Purchase, ...], rule: str) -> None:
    game = Game(momentum=1)
    game.refused(game.declaration(purchases=purchases, value=OKAFOR_VALUE), rule)


def test_the_starter_set_takes_the_determination_die_in_any_place() -> None:
    game = Game(Ruleset.STARTER)
    game.declare(purchases=bought(Payer.TALENT, Payer.DETERMINATION), value=OKAFOR_VALUE)
    assert game.task.own_dice == 3


def test_a_determination_die_is_fixed_and_never_thrown() -> None:
    game = Game()
    game.refused(game.declaration(purchases=bought(Payer.DETERMINATION)), "BUY-4")
    game.refused(game.declaration(purchases=bought(Payer.DETERMINATION), value="Whim"), "DET-1")
    game.declare(purchases=bought(Payer.DETERMINATION), value=OKAFOR_VALUE)
    assert game.card(game.okafor).determination == 0
    assert game.task.own_dice == 2
    game.throw(20, 16)
    first, *others = game.task.dice
    assert (first.die.fixed, first.successes, first.complication) == (True, 2, False)
    assert [one.die.face for one in others] == [20, 16]
    assert game.task.outcome is not None
    assert (game.task.outcome.successes, game.task.outcome.complications) == (2, 1)


def test_an_npc_pays_threat_and_has_no_momentum_pool() -> None:
    game = Game(momentum=3)
    game.declare(game.brack, purchases=bought(Payer.THREAT, Payer.THREAT))
    assert (game.table.momentum, game.table.threat) == (3, 1)
    game.refused(BuyDie(purchase=Purchase(payer=Payer.THREAT)), "BUY-7")
    game.refused(BuyDie(purchase=Purchase(payer=Payer.MOMENTUM)), "BUY-7")


def test_a_further_die_is_priced_after_those_bought() -> None:
    game = Game(momentum=6)
    game.declare(purchases=bought(Payer.MOMENTUM))
    before = game.table.request
    game.do(BuyDie(purchase=Purchase(payer=Payer.MOMENTUM)))
    assert game.table.momentum == 3
    assert game.table.request is not None
    assert before is not None
    assert game.table.request.number > before.number
    assert game.table.request.count == 4
    game.refused(BuyDie(purchase=Purchase(payer=Payer.DETERMINATION), value=OKAFOR_VALUE), "BUY-5")
    game.throw(2, 3, 4, 5)
    game.refused(BuyDie(purchase=Purchase(payer=Payer.MOMENTUM)), "TASK-10")


def test_the_gamemaster_makes_it_harder_for_threat_up_to_the_cap() -> None:
    game = Game()
    game.declare()
    game.do(CreateProblem(steps=2))
    assert (game.task.difficulty, game.table.threat) == (3, 0)
    game.refused(CreateProblem(), "THR-5")
    game.do(GainThreat(event="torpedo_attack", amount=20))
    assert "1 can still be bought" in game.refused(CreateProblem(steps=2), "POOL-7")
    game.throw(2, 3)
    game.refused(CreateProblem(), "TASK-10")


def test_players_make_it_harder_for_an_npc_with_momentum_or_threat() -> None:
    game = Game(Ruleset.STARTER, momentum=5)
    game.declare(game.brack)
    game.do(CreateProblem(steps=3, threat_part=1))
    assert (game.task.difficulty, game.table.momentum, game.table.threat) == (4, 0, 5)


def test_a_withdrawn_task_gives_everything_back() -> None:
    game = Game(momentum=4)
    before = game.table
    game.declare(
        purchases=(Purchase(payer=Payer.DETERMINATION), *bought(Payer.MOMENTUM, Payer.THREAT)), value=OKAFOR_VALUE
    )
    game.do(CreateProblem())
    game.do(WithdrawTask())
    after = game.table
    assert (after.momentum, after.threat, after.characters) == (before.momentum, before.threat, before.characters)
    assert (after.task, after.request) == (None, None)
    game.refused(WithdrawTask(), "TASK-10")


def test_determination_that_a_withdrawn_task_returns_stays_within_its_maximum() -> None:
    """DET-7, TASK-10: a point was won meanwhile, by a Value that was challenged."""
    game = Game(options=TableOptions(determination_start=3))
    game.declare(purchases=(Purchase(payer=Payer.DETERMINATION),), value=OKAFOR_VALUE)
    game.do(UseValueAgainst(character_id=game.okafor, value=OKAFOR_VALUE, action=ValueAction.CHALLENGE))
    assert game.card(game.okafor).determination == 3
    game.do(WithdrawTask())
    assert game.card(game.okafor).determination == 3


def test_what_the_gamemaster_spent_meanwhile_does_not_come_back() -> None:
    game = Game()
    game.declare(purchases=bought(Payer.THREAT))
    game.do(SpendThreat(event="environment_effect", amount=5))
    game.do(WithdrawTask())
    assert game.table.threat == 0


def test_difficulty_zero_without_dice_succeeds_and_makes_nothing() -> None:
    game = Game(momentum=2)
    game.refused(game.declaration(difficulty=1, rolled=False), "TASK-9")
    game.refused(game.declaration(difficulty=0, rolled=False, purchases=bought(Payer.TALENT)), "TASK-9")
    events = game.declare(difficulty=0, rolled=False)
    assert game.table.task is None
    assert game.table.last_task is not None
    assert game.table.last_task.outcome is not None
    assert game.table.last_task.outcome.success
    assert game.table.momentum == 2
    assert isinstance(events[-1], TaskClosed)
    assert game.last_said.normal == "Success. No dice are needed."


def test_difficulty_zero_with_dice_makes_momentum_of_every_success() -> None:
    game = Game()
    game.declare(difficulty=0)
    game.throw(1, 10)
    assert game.task.momentum_left == 3


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"complication_range": 0}, "TASK-7"),
        ({"complication_range": 6}, "TASK-7"),
        ({"difficulty": -1}, "TASK-2"),
        ({"modifiers": (Modifier(reason="", change=1000),)}, "TRAIT-2"),
        ({"character_id": "nobody"}, "SETUP"),
        ({"label": "x" * 500}, "SETUP"),
    ],
)
def test_declarations_that_cannot_be_are_refused(changes: dict[str, object], rule: str) -> None:
    game = Game()
    game.refused(game.declaration(**changes), rule)  # type: ignore[arg-type]  # of their types above


def helper(character_id: str, *, focus: bool = False) -> Assistance:
    return Assistance(character_id=character_id, attribute=Attribute.REASON, discipline=Discipline.SCIENCE, focus=focus)


def test_helpers_and_ship_throw_after_the_leader_one_by_one() -> None:
    game = Game()
    game.declare(
        assists=(helper(game.lindqvist, focus=True), helper(game.brack)),
        ship=ShipAssistance(ship_id=game.ship, system=System.SENSORS, department=Discipline.SCIENCE),
        complication_range=3,
    )
    asked = []
    for faces in ((10, 18), (5,), (20,), (2,)):
        assert game.table.request is not None
        asked.append((game.table.request.role, game.table.request.who, game.table.request.count))
        game.throw(*faces)
    assert asked == [
        (ThrowRole.LEADER, "Okafor", 2),
        (ThrowRole.ASSIST, "Lindqvist", 1),
        (ThrowRole.ASSIST, "Brack", 1),
        (ThrowRole.SHIP, "Far Lantern", 1),
    ]
    assert [(one.target_number, one.successes, one.complication) for one in game.task.dice] == [
        (15, 1, False),
        (15, 0, True),
        (15, 2, False),
        (12, 0, True),
        (12, 2, False),
    ]
    assert game.task.outcome is not None
    assert (game.task.outcome.successes, game.task.outcome.complications) == (5, 2)


def test_help_is_lost_without_a_success_of_the_leader() -> None:
    game = Game()
    game.declare(assists=(helper(game.lindqvist),))
    game.throw(16, 19)
    game.throw(1)
    assert [one.counted for one in game.task.dice] == [True, True, False]
    assert game.task.outcome is not None
    assert not game.task.outcome.success
    assert "1 is lost without a success of the leader" in game.last_said.full


@pytest.mark.parametrize("own", [True, False])
def test_nobody_helps_twice_or_with_their_own_task(own: bool) -> None:  # noqa: FBT001 - a parameter of the test
    game = Game()
    helpers = (helper(game.okafor),) if own else (helper(game.lindqvist), helper(game.lindqvist))
    game.refused(game.declaration(assists=helpers), "ASST-1")


def test_a_second_task_waits_for_the_dice_of_the_first_and_ends_its_spending() -> None:
    game = Game()
    game.declare()
    game.refused(game.declaration(game.lindqvist), "TASK-10")
    game.throw(2, 3)
    game.declare(game.lindqvist, difficulty=2)
    assert (game.task.who, game.table.momentum) == ("Lindqvist", 1)
    game.throw(14, 19)
    game.declare()
    assert game.table.last_task is not None
    assert game.table.last_task.who == "Lindqvist"


def test_a_surge_of_activity_gives_another_task_at_the_tables_price() -> None:
    game = Game(options=TableOptions(surge_difficulty=1))
    surge = SurgeOfActivity(character_id=game.okafor, value=OKAFOR_VALUE)
    game.refused(surge, "DET-4")
    game.declare()
    game.throw(2, 3)
    game.do(surge)
    game.refused(surge, "DET-4")
    game.do(FinishSpending())
    game.declare(difficulty=1)
    assert (game.task.difficulty, game.task.surge, game.table.surge_for) == (2, True, "")
    game.do(WithdrawTask())
    assert game.table.surge_for == game.okafor
    game.declare(game.lindqvist)
    assert game.table.surge_for == ""
