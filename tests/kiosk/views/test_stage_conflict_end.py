"""After a conflict its end is shown, not earlier dice."""

from __future__ import annotations

from dataclasses import replace

from kiosk.views.stage.now import stage
from kiosk.views.stage.values import StageView
from rules.conflict.rounds import EndConflict, Entrant, StartConflict
from rules.setup.setting_up import RemoveCharacter, StartScene
from rules.state.conflict import ConflictEnd
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


def ended(game: Skirmish, *who: str, hurt: str = "") -> str:
    """What the stage says once those have fought to the end, and one was injured amid it."""
    entrants = tuple(Entrant(combatant_id=one) for one in who)
    game.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=entrants, begins=who[0]))
    if hurt:
        game.injure(hurt)
    game.do(EndConflict())
    return str(stage(game.table, (), "").word)


def test_an_end_is_told_of_those_who_fought_in_that_conflict() -> None:
    """Foes of an earlier fight neither win nor deny a later one, and who sat a fight out did not lose it."""
    game = Skirmish(begins="okafor")
    for one in (game.brack, game.dorr):
        game.injure(one)
    game.do(EndConflict())
    assert str(stage(game.table, (), "").word) == "The conflict is won"
    assert ended(game, game.okafor) == "The conflict is over", "there was no foe in it"

    other = Skirmish(begins="okafor")
    other.do(EndConflict())
    other.injure(other.dorr)
    assert ended(other, other.okafor, other.dorr) == "The conflict is won", "Brack, who stands, was not in it"
    lost = ended(other, other.okafor, other.brack, hurt=other.okafor)
    assert lost == "The conflict is lost", "Lindqvist, who stands, was not in it"


def test_a_foe_who_left_the_table_since_is_not_said_to_be_beaten() -> None:
    game = Skirmish(begins="okafor")
    game.injure(game.dorr)
    game.do(EndConflict())
    game.do(RemoveCharacter(character_id=game.brack))
    assert str(stage(game.table, (), "").word) == "The conflict is over"


def test_an_end_kept_without_those_who_fought_is_merely_over() -> None:
    game = Skirmish(begins="okafor")
    for one in game.conflict.combatants:
        game.injure(one.combatant_id)
    game.do(EndConflict())
    older = replace(game.table, conflict_end=ConflictEnd(round=1, number=game.table.next_number))
    assert str(stage(older, (), "").word) == "The conflict is over"
