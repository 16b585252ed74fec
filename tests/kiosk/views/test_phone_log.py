"""The log names the Task of each line, what became of Complications, and who paid for what."""

from __future__ import annotations

from kiosk.views.phone import log_of
from kiosk.views.stage.recent import REMEMBERED, recent_outcomes
from rules.deciding.telling import Narration
from rules.state.vocabulary import Pool, Spend
from rules.tasks.pools import AdjustPool, SpendThreat
from rules.tasks.settling import BuyOffComplication, FinishSpending, MakeSpend, TakeComplication
from tests.rules.tabletop import Game


def newest(game: Game) -> str:
    """The newest line of the log."""

    def told(number: str) -> Narration | None:
        return next(said for one, said in zip(game.decisions, game.said, strict=True) if one.number == int(number))

    return str(log_of(game.history, told, ())[0]["words"])


def test_each_line_of_a_task_names_it() -> None:
    game = Game()
    game.declare(label="Seal the hatch")
    assert newest(game).startswith("Seal the hatch. Okafor, Difficulty 1.")
    game.throw(1, 20)
    assert newest(game).startswith("Okafor, Seal the hatch: 1 and 20. Success.")
    game.do(MakeSpend(spend=Spend.OBTAIN_INFORMATION, note="Who was here"))
    assert newest(game).startswith("Okafor: Seal the hatch. Obtain Information. Who was here. It costs 1 Momentum")
    game.do(FinishSpending())
    assert newest(game).startswith("Okafor: Seal the hatch. 1 Complication of Okafor to settle.")
    game.do(TakeComplication(name="Twisted ankle"))
    assert newest(game) == "Seal the hatch. Okafor takes a Complication: Twisted ankle."


def test_a_complication_that_waited_names_its_own_task() -> None:
    game = Game()
    game.declare(label="Seal the hatch", difficulty=1)
    game.throw(10, 20)
    game.declare(game.lindqvist, label="Cross the gap")
    game.throw(18, 19)
    assert game.table.complications_waiting
    game.do(BuyOffComplication(number=game.table.complications_waiting[0].number))
    assert newest(game).startswith("Seal the hatch. Okafor buys a Complication off.")


def test_a_task_without_a_name_and_other_decisions_are_told_as_they_are() -> None:
    game = Game()
    game.declare()
    game.throw(9, 10)
    assert newest(game).startswith("Okafor: 9 and 10. Success.")
    game.do(AdjustPool(pool=Pool.THREAT, change=1))
    assert newest(game) == game.last_said.normal


def test_spent_threat_is_a_line_with_who_and_what_for_and_stands_between_throws() -> None:
    game = Game()
    game.do(AdjustPool(pool=Pool.THREAT, change=8))
    game.do(SpendThreat(event="environment_effect", amount=1, note="The lights go out"))
    assert newest(game).startswith("The gamemaster spends 1 Threat. Threat falls by 1")
    assert "The lights go out." in newest(game)
    game.do(SpendThreat(event="create_complication", amount=1, note="A bulkhead groans"))
    recent = recent_outcomes(game.history)
    assert [(str(one.headline), one.mark) for one in recent] == [
        ("The gamemaster spends 2 Threat: A bulkhead groans", "threat"),
        ("The gamemaster spends 1 Threat", "threat"),
    ]
    for _ in range(REMEMBERED):
        game.do(SpendThreat(event="environment_effect", amount=1))
    assert len(recent_outcomes(game.history)) == REMEMBERED


def test_what_became_of_complications_stands_between_throws() -> None:
    game = Game()
    game.declare(label="Seal the hatch")
    game.throw(1, 20)
    game.do(FinishSpending())
    game.do(TakeComplication(name="Twisted ankle"))
    assert [str(one.cost) for one in recent_outcomes(game.history)] == ["1 Complication, settled"]
