"""The gamemaster's dial on the stage: where a Task may start from it, and once."""

from __future__ import annotations

from kiosk.views.stage.now import beside_what_was_told, stage
from kiosk.views.stage.values import StageView
from rules.state.vocabulary import Attribute, Discipline
from rules.tasks.asking import AskForTask, TakeBackAsking
from rules.tasks.dial import SetDifficulty
from rules.tasks.settling import FinishSpending
from tests.rules.skirmish import Skirmish
from tests.rules.tabletop import Game


def shown(game: Game) -> StageView:
    """The stage beside the caption of what was said last."""
    return beside_what_was_told(stage(game.table, (), ""), game.table, game.last_said)


def test_outside_a_fight_it_is_told_once_beside_an_outcome_in_hand_and_large_afterwards() -> None:
    game = Game(momentum=2)
    game.declare(game.okafor, difficulty=1, focus=True)
    game.throw(1, 2)
    game.do(SetDifficulty(difficulty=3))
    assert game.last_said.normal == "The next Task: Difficulty 3, daunting."
    assert not shown(game).next, "the caption says it"
    assert shown(game).kind == "outcome", "somebody still spends on it"
    game.do(FinishSpending())
    assert (shown(game).kind, shown(game).next) == ("idle", ())
    assert [(one.name, one.value) for one in shown(game).facts] == [("Difficulty of the next Task", "3")]
    game.do(SetDifficulty(difficulty=None))
    assert shown(game).kind == "outcome", "without it the last result is the news"
    game.do(SetDifficulty(difficulty=2))
    game.do(AskForTask(character_id=game.okafor, attribute=Attribute.DARING, discipline=Discipline.SECURITY))
    assert shown(game).kind == "outcome", "a Task that is asked for stands beneath it, as ever"
    game.do(TakeBackAsking(character_id=game.okafor))
    assert shown(game).kind == "idle"
    game.declare(game.okafor, difficulty=2)
    assert shown(game).kind == "ask", "until the next Task is declared"
    calm = Game()
    calm.do(SetDifficulty(difficulty=3, complication_range=2))
    assert [(one.value, one.note) for one in shown(calm).facts] == [("3", "daunting")]
    assert shown(calm).says_all, "and no caption says it again"


def test_it_is_not_told_while_dice_of_a_task_that_it_is_not_for_are_awaited() -> None:
    game = Game()
    game.do(SetDifficulty(difficulty=3))
    game.declare(game.brack)
    assert shown(game).kind == "ask"
    assert not shown(game).next


def test_in_a_fight_it_is_told_to_who_may_still_take_another_task_alone() -> None:
    game = Skirmish(begins="okafor")
    game.do(SetDifficulty(difficulty=3))
    assert game.last_said.normal == "Another Task: Difficulty 3, daunting."
    assert (shown(game).facts, shown(game).next) == ((), ())
    game.begin(game.okafor)
    assert (shown(game).kind, shown(game).facts) == ("turn", ())
    assert shown(game).next == ("Another Task: Difficulty 3, daunting.",)
    game.reach(game.okafor, game.brack)
    game.act(game.okafor, "attack", target_id=game.brack, weapon="unarmed")
    assert shown(game).kind in {"ask", "idle"}
    assert not shown(game).next, "the rules set an attack's Difficulty"
