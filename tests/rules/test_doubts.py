"""Why a die of the tray is asked about, in the words that players meet."""

from __future__ import annotations

from dataclasses import replace

from rules.dice import DieState, Doubt
from tests.rules.tabletop import Game, die, reading

UNREAD = replace(die(None, state=DieState.DOUBTFUL), picture=None)


def test_a_die_that_nobody_taught_is_asked_about_as_such() -> None:
    game = Game()
    game.declare()
    game.do(reading(die(3), replace(UNREAD, doubt=Doubt.UNTAUGHT)))
    assert game.last_said.normal == ("Die 2 is not known to the tray: nobody has taught its tag. What does it show?")


def test_two_dice_that_share_a_place_are_told_of() -> None:
    game = Game()
    game.declare()
    game.do(reading(replace(die(None, state=DieState.COCKED), doubt=Doubt.CROWDED)))
    assert game.last_said.normal.startswith("Die 1 is cocked, or two dice share its place. Throw it again,")
    assert "1 d20 under the camera, 2 expected." in game.last_said.normal
