"""A phone tells an outcome once: the caption is for what the stage does not say."""

from __future__ import annotations

from kiosk.views.stage import says_all, stage
from rules.deciding.telling import NarrationKind, same
from rules.state.vocabulary import Ruleset, Spend
from rules.tasks.settling import MakeSpend
from rules.undo import outcome_now
from tests.rules.tabletop import Game


def test_what_came_to_more_than_the_outcome_has_its_caption() -> None:
    game = Game(Ruleset.CORE_1E, momentum=2)
    game.declare(game.okafor, difficulty=1, focus=True)
    game.throw(1, 10)
    told = outcome_now(game.table)
    assert told is not None
    assert says_all(stage(game.table, (), ""), game.table, told)
    assert not says_all(stage(game.table, (), ""), game.table, same("Threat rises by 2, to 4.", NarrationKind.CHANGE))
    game.do(MakeSpend(spend=Spend.OBTAIN_INFORMATION))
    assert not says_all(stage(game.table, (), ""), game.table, told), "what is left is another number"
