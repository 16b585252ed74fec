"""One throw seen by camera and tray counts once, and where they differ a person decides."""

from __future__ import annotations

from rules.dice import DieState, SourceKind
from rules.legal.offers import options
from rules.state.tasks import Assistance
from rules.state.vocabulary import Attribute, Discipline, QuestionReason, RerollReason
from rules.tasks.second_throws import RerollDice
from rules.tasks.settling import FinishSpending
from rules.tasks.throwing import CorrectDie, EnterDice, ReportReading
from tests.rules.tabletop import Game, die, reading


def test_a_camera_over_the_tray_does_not_make_a_second_throw_of_the_same_dice() -> None:
    game = Game()
    game.declare()
    game.do(reading(die(4, source=SourceKind.TRAY), die(13, source=SourceKind.TRAY), source=SourceKind.TRAY))
    assert game.task.outcome is not None
    assert game.do(reading(die(13), die(4))) == ()
    game.do(reading(die(13), die(5)))
    assert [one.face for one in game.table.free_rolls[-1].dice] == [13, 5]


def in_the_tray(*faces: int) -> ReportReading:
    return reading(*(die(face, source=SourceKind.TRAY) for face in faces), source=SourceKind.TRAY)


def test_a_free_roll_seen_by_two_sources_is_one() -> None:
    game = Game()
    game.do(in_the_tray(4, 13))
    assert game.throw(13, 4) == ()
    assert len(game.table.free_rolls) == 1
    game.throw(13, 5)
    assert len(game.table.free_rolls) == 2


def test_a_helpers_die_seen_by_two_sources_is_not_the_next_helpers() -> None:
    game = Game()
    helpers = tuple(
        Assistance(character_id=one, attribute=Attribute.REASON, discipline=Discipline.SCIENCE)
        for one in (game.lindqvist, game.brack)
    )
    game.declare(assists=helpers)
    game.do(in_the_tray(4, 13))
    assert game.throw(13, 4) == ()
    game.do(in_the_tray(7))
    assert game.throw(7) == ()
    game.do(in_the_tray(7))
    assert [one.die.face for one in game.task.dice] == [4, 13, 7, 7]
    assert game.throw(7) == ()
    assert game.table.free_rolls == ()


def test_the_new_die_of_a_reroll_seen_by_two_sources_counts_once() -> None:
    game = Game()
    game.declare()
    game.do(in_the_tray(4, 19))
    game.do(RerollDice(positions=(1,), reason=RerollReason.AIM))
    game.do(in_the_tray(12))
    assert game.throw(12) == ()
    assert game.throw(4, 12) == ()
    assert game.table.free_rolls == ()


def test_a_throw_corrected_by_a_person_is_still_the_one_another_source_sees() -> None:
    game = Game()
    game.declare()
    game.do(reading(die(4), die(None, state=DieState.DOUBTFUL)))
    game.do(CorrectDie(position=1, face=13))
    assert game.do(in_the_tray(13, 4)) == ()


def test_a_closed_task_leaves_its_dice_counted_for_every_source() -> None:
    game = Game()
    game.declare(difficulty=0)
    game.do(in_the_tray(4, 13))
    game.do(FinishSpending())
    assert game.table.task is None
    assert game.throw(4, 13) == ()


def test_dice_entered_by_hand_do_not_hide_a_throw() -> None:
    game = Game()
    game.declare()
    assert game.table.request is not None
    game.do(EnterDice(request=game.table.request.number, faces=(4, 13)))
    game.throw(4, 13)
    assert len(game.table.free_rolls) == 1


def test_the_same_source_seeing_the_same_faces_again_saw_another_throw() -> None:
    game = Game()
    game.declare()
    game.throw(4, 13)
    game.throw(4, 13)
    assert len(game.table.free_rolls) == 1


def test_two_sources_that_read_different_faces_leave_it_to_a_person() -> None:
    game = Game()
    game.declare()
    game.do(reading(die(4), die(None, state=DieState.DOUBTFUL)))
    game.do(reading(die(7, source=SourceKind.TRAY), die(13, source=SourceKind.TRAY), source=SourceKind.TRAY))
    assert game.table.held is not None
    assert [one.reason for one in game.table.held.questions] == [QuestionReason.SOURCES_DISAGREE]
    chosen = next(option for option in options(game.table) if option.option_id == "count_as_read")
    game.do(chosen.command)
    assert [one.die.face for one in game.task.dice] == [7, 13]


def test_a_sure_source_settles_what_another_could_not_read() -> None:
    game = Game()
    game.declare()
    game.do(reading(die(4), die(None, state=DieState.DOUBTFUL)))
    game.do(reading(die(4, source=SourceKind.TRAY), die(13, source=SourceKind.TRAY), source=SourceKind.TRAY))
    assert [one.die.face for one in game.task.dice] == [4, 13]
