"""A phone tells an outcome once: the caption is for what the stage does not say."""

from __future__ import annotations

from kiosk.views.stage.now import beside_what_was_told, stage
from rules.deciding.telling import Narration, NarrationKind, same
from rules.setup.setting_up import StartScene
from rules.state.vocabulary import Pool, Ruleset, Spend
from rules.tasks.pools import AdjustPool
from rules.tasks.settling import MakeSpend
from rules.tasks.words import question_sentences
from rules.undo import outcome_now
from tests.rules.brawl import Brawl
from tests.rules.tabletop import Game


def says_all(game: Game, told: Narration | None) -> bool:
    return beside_what_was_told(stage(game.table, (), ""), game.table, told).says_all


def test_what_came_to_more_than_the_outcome_has_its_caption() -> None:
    game = Game(Ruleset.CORE_1E, momentum=2)
    game.declare(game.okafor, difficulty=1, focus=True)
    game.throw(1, 10)
    told = outcome_now(game.table)
    assert told is not None
    assert says_all(game, told)
    assert not says_all(game, None)
    assert not says_all(game, same("Threat rises by 2, to 4.", NarrationKind.CHANGE))
    game.do(MakeSpend(spend=Spend.OBTAIN_INFORMATION))
    assert not says_all(game, told), "what is left is another number"


def test_a_turn_and_a_new_scene_that_stand_there_are_in_no_caption_of_the_table() -> None:
    def large(game: Game) -> bool:
        return beside_what_was_told(stage(game.table, (), ""), game.table, game.last_said).says_it_large

    fight = Brawl()
    fight.do(StartScene(name="The flooded hold"))
    assert large(fight)
    fight.do(AdjustPool(pool=Pool.THREAT, change=1))
    assert not large(fight)
    fight.fight(fight.okafor)
    assert large(fight)


def test_what_the_stage_asks_of_the_dice_is_in_no_caption_again() -> None:
    game = Game(Ruleset.CORE_1E)
    game.declare(game.okafor)
    game.throw(3, 4, 5)
    told = game.last_said
    held, request = game.table.held, game.table.request
    assert held is not None
    assert request is not None
    shown = stage(game.table, question_sentences(held, request), "")
    assert shown.kind == "question"
    assert beside_what_was_told(shown, game.table, told).says_all
    assert not beside_what_was_told(shown, game.table, same("Threat rises by 2, to 4.", NarrationKind.CHANGE)).says_all
