"""Dice whose source has no check against damage are marked wherever they go, until a person says what they show."""

from __future__ import annotations

from dataclasses import replace

from rules.dice import SourceKind
from rules.tasks.challenge_rolls import DeclareChallenge
from rules.tasks.second_throws import CorrectScoredDie
from rules.tasks.throwing import AttachFreeRoll, DismissThrow, DropDie, EnterDice, ReportReading
from rules.undo import Redo, Undo
from tests.rules.tabletop import Game, challenge_die, die, reading

UNCHECKED = "Nothing checked these values on their way: look at the dice."


def weak(*faces: int) -> ReportReading:
    return reading(*(replace(die(face, source=SourceKind.TRAY), weak=True) for face in faces), source=SourceKind.TRAY)


def test_a_free_roll_says_that_nothing_checked_it() -> None:
    game = Game()
    game.do(weak(17, 3))
    assert game.last_said.full == f"Free roll: 17 and 3. 2 d20s, not counted. {UNCHECKED}"
    assert UNCHECKED not in game.last_said.normal
    assert all(one.weak for one in game.table.free_rolls[-1].dice)


def test_a_task_keeps_the_mark_until_a_person_corrects_the_die() -> None:
    game = Game()
    game.declare()
    game.do(weak(3, 14))
    assert game.last_said.full.endswith(UNCHECKED)
    assert [one.die.weak for one in game.task.dice] == [True, True]
    game.do(CorrectScoredDie(position=0, face=4))
    assert [one.die.weak for one in game.task.dice] == [False, True]
    assert UNCHECKED not in game.last_said.full


def test_a_free_roll_that_is_counted_afterwards_keeps_the_mark() -> None:
    game = Game()
    game.do(weak(3, 14))
    game.declare()
    game.do(AttachFreeRoll(number=game.table.free_rolls[-1].number))
    assert all(one.die.weak for one in game.task.dice)
    assert game.last_said.full.endswith(UNCHECKED)


def test_a_question_about_unchecked_dice_says_so_too() -> None:
    game = Game()
    game.declare()
    game.do(weak(3, 14, 9))
    assert game.last_said.full.endswith(UNCHECKED)
    game.do(DropDie(position=2))
    assert game.last_said.full.endswith(UNCHECKED)


def test_challenge_dice_are_marked_and_corrected_alike() -> None:
    game = Game()
    game.do(DeclareChallenge(count=2))
    dice = (replace(challenge_die(1), weak=True), replace(challenge_die(5), weak=True))
    game.do(reading(*dice))
    assert game.table.challenge is not None
    assert [one.weak for one in game.table.challenge.dice] == [True, True]
    assert game.last_said.full.endswith(UNCHECKED)
    game.do(CorrectScoredDie(position=1, face=2))
    assert game.table.challenge is not None
    assert [one.weak for one in game.table.challenge.dice] == [True, False]


def test_what_is_brought_back_is_not_warned_of_again() -> None:
    game = Game()
    game.do(weak(3, 14))
    game.do(Undo())
    game.do(Redo())
    assert UNCHECKED not in game.last_said.full


def test_dice_that_were_checked_or_entered_bear_no_mark() -> None:
    game = Game()
    game.declare()
    game.throw(3, 14)
    assert UNCHECKED not in game.last_said.full
    assert not any(one.die.weak for one in game.task.dice)
    asked = Game()
    asked.declare()
    asked.do(weak(3))
    assert asked.table.held is not None
    asked.do(DismissThrow())
    assert asked.table.request is not None
    asked.do(EnterDice(request=asked.table.request.number, faces=(3, 14)))
    assert UNCHECKED not in asked.last_said.full
