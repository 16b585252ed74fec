"""Dice that counted and still lie there are never taken for the next throw unasked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.dice import DieState, SourceKind
from rules.legal.offers import options
from rules.state.vocabulary import QuestionReason, RerollReason
from rules.tasks.challenge_rolls import DeclareChallenge
from rules.tasks.second_throws import RerollDice
from rules.tasks.settling import FinishSpending
from rules.tasks.throwing import ReportReading
from rules.undo import Undo
from tests.rules.tabletop import Game, die, reading


def by_the_tray(*faces: int) -> ReportReading:
    return reading(*(die(face, source=SourceKind.TRAY) for face in faces), source=SourceKind.TRAY)


def moved(*faces: int) -> ReportReading:
    """The camera sees the same faces in other places, and saw no empty tray since."""
    seen = reading(*(die(face) for face in faces))
    return ReportReading(reading=replace(seen.reading, lay_before=True))


def reasons(game: Game) -> list[QuestionReason]:
    return [] if game.held is None else [one.reason for one in game.held.questions]


def tap(game: Game, option_id: str) -> None:
    game.do(next(one.command for one in options(game.table) if one.option_id == option_id))


def counted_by_the_tray() -> Game:
    game = Game()
    game.declare(difficulty=0)
    game.do(by_the_tray(4, 13))
    return game


def test_a_late_view_after_aim_is_not_the_die_thrown_again() -> None:
    game = counted_by_the_tray()
    game.do(RerollDice(positions=(1,), reason=RerollReason.AIM))
    game.throw(13, 4)
    assert reasons(game) == [QuestionReason.COUNTED_BEFORE]
    assert game.last_said.normal == (
        "These look like the dice that counted before, 13 and 4. Count them if they were thrown again, or throw now."
    )
    game.do(by_the_tray(7))
    assert [one.die.face for one in game.task.dice] == [4, 7], "the new die counts over what was asked about"


def test_a_late_view_is_not_the_next_tasks_throw() -> None:
    game = counted_by_the_tray()
    game.do(FinishSpending())
    game.declare(game.lindqvist)
    game.throw(4, 13)
    assert reasons(game) == [QuestionReason.COUNTED_BEFORE]
    game.do(by_the_tray(19, 20))
    assert [one.die.face for one in game.task.dice] == [19, 20]


def test_after_undo_the_dice_that_still_lie_there_count_with_one_tap() -> None:
    game = counted_by_the_tray()
    game.do(Undo())
    assert game.table.request is not None
    game.throw(13, 4)
    assert reasons(game) == [QuestionReason.COUNTED_BEFORE]
    tap(game, "count_as_new")
    assert sorted(one.die.face for one in game.task.dice if isinstance(one.die.face, int)) == [4, 13]


def test_dice_that_were_only_moved_are_no_new_throw() -> None:
    game = Game()
    game.declare(difficulty=0)
    game.throw(4, 13)
    assert game.do(moved(4, 13)) == ()
    game.do(FinishSpending())
    game.declare(game.lindqvist)
    game.do(moved(4, 13))
    assert reasons(game) == [QuestionReason.COUNTED_BEFORE]
    tap(game, "count_as_new")
    assert game.is_scored()


def test_moved_dice_that_never_counted_are_a_throw_like_any_other() -> None:
    game = Game()
    game.declare()
    game.do(moved(4, 13))
    assert game.is_scored()


def test_the_same_faces_from_a_cleared_tray_are_a_new_throw() -> None:
    game = Game()
    game.declare(difficulty=0)
    game.throw(4, 13)
    game.do(FinishSpending())
    game.declare(game.lindqvist)
    game.throw(4, 13)
    assert game.is_scored()


@pytest.mark.parametrize("count", [1, 3])
def test_old_dice_of_another_number_are_left_out(count: int) -> None:
    game = counted_by_the_tray()
    game.do(FinishSpending())
    game.do(DeclareChallenge(count=count))
    assert game.throw(4, 13) == ()
    assert not game.asks()


def test_an_old_throw_does_not_push_aside_one_that_is_looked_at() -> None:
    game = counted_by_the_tray()
    game.do(FinishSpending())
    game.declare(game.lindqvist)
    game.do(reading(die(9, source=SourceKind.TRAY), die(None, state=DieState.DOUBTFUL), source=SourceKind.TRAY))
    held = game.held
    assert held is not None
    assert game.throw(4, 13) == ()
    assert game.held is held


def test_a_stray_die_of_the_camera_leaves_the_trays_throw_one_tap_away() -> None:
    game = Game()
    game.declare()
    game.throw(4, 13, 7)
    assert reasons(game) == [QuestionReason.WRONG_COUNT]
    game.do(by_the_tray(4, 13))
    assert reasons(game) == [QuestionReason.SOURCES_DISAGREE]
    assert game.last_said.normal == (
        "Two sources see different dice. If those shown here lie there, count them, else say what they show."
    )
    tap(game, "count_as_read")
    assert [one.die.face for one in game.task.dice] == [4, 13]
