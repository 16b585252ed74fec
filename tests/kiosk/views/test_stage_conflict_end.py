"""After a conflict its end is shown, not earlier dice."""

from __future__ import annotations

from kiosk.views.stage.now import stage
from kiosk.views.stage.values import StageView
from rules.conflict.rounds import EndConflict, Entrant, StartConflict
from rules.setup.setting_up import StartScene
from rules.state.vocabulary import ConflictKind, Side
from rules.undo import Undo
from tests.kiosk.views.test_stage_lasting import Play
from tests.rules.skirmish import Skirmish


def shown(play: Play) -> StageView:
    return stage(play.history.present, (), "")


def fight(play: Play) -> None:
    ids = [one.character_id for one in play.history.present.characters]
    entrants = tuple(Entrant(combatant_id=one) for one in ids)
    play.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=entrants, begins=ids[0]))
    play.do(EndConflict())


def test_the_end_of_a_conflict_is_shown_and_not_what_was_thrown_before() -> None:
    play = Play()
    play.task(0, (4, 9))
    play.finish()
    assert shown(play).kind == "outcome"
    fight(play)
    assert (shown(play).kind, shown(play).word) == ("idle", "The conflict is over")
    onward = "Declare a Task; the gamemaster starts the next scene or the next fight."
    assert shown(play).lines == ("It ended in Round 1.", onward)


def test_it_gives_way_to_new_dice_and_to_a_new_scene() -> None:
    play = Play()
    fight(play)
    play.throw("free", 6, 9)
    assert shown(play).kind == "free"
    play.task(1, (4, 9))
    play.finish()
    assert shown(play).kind == "outcome"
    fight(play)
    assert shown(play).word == "The conflict is over"
    play.do(StartScene(name="Afterwards"))
    assert shown(play).word == "Ready"


def test_undoing_the_end_goes_on_with_the_conflict() -> None:
    play = Play()
    fight(play)
    play.do(Undo())
    assert shown(play).kind == "turn"


def test_a_conflict_that_was_won_or_lost_says_so_with_its_weight() -> None:
    """Won where no foe of it can go on, lost where none of the crew can; else it is merely over."""
    for beaten, word, weight, mark in (
        (Side.NPC, "The conflict is won", "triumph", "success"),
        (Side.PC, "The conflict is lost", "failure", "failure"),
        (None, "The conflict is over", "", ""),
    ):
        game = Skirmish(begins="okafor")
        for one in game.conflict.combatants:
            if one.side is beaten:
                game.injure(one.combatant_id)
        game.do(EndConflict())
        now = stage(game.table, (), "")
        assert (str(now.word), now.weight, now.mark) == (word, weight, mark)
        assert now.beat, "it lands as an outcome does"
