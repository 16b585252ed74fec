"""The gamemaster's dial by the spoken menu: each half by itself, the next Task's or that of the Task in hand."""

from __future__ import annotations

import pytest

from kiosk.panel.spoken_levels import level
from kiosk.panel.spoken_places import DialHalf, DialLevel, Facts, Level, Top
from rules.deciding.decision import Command
from rules.state.tasks import Dial
from rules.tasks.declaring import DeclareTask
from tests.kiosk.panel.test_spoken_line import entry
from tests.kiosk.panel.test_spoken_menu import Game, played
from tests.rules.test_dial import plain


def opened(game: Game, words: str = "Set how hard the next Task is") -> Level:
    """The dial as it is reached from the top."""
    facts = Facts(history=game.history)
    way = entry(level(facts, Top()), words)
    assert way.go is not None
    assert way.more == "For the gamemaster."
    return level(facts, way.go)


def ranges(game: Game, at: Level) -> Level:
    """The other half of the dial."""
    way = entry(at, "Complication range")
    assert way.go is not None
    return level(Facts(history=game.history), way.go)


def step(game: Game, at: Level, words: str) -> None:
    command = entry(at, words).command
    assert isinstance(command, Command)
    game.do(command)


def labels(at: Level) -> list[str]:
    return [str(one.label) for one in at.entries]


def test_the_gamemaster_sets_and_opens_it_by_two_buttons() -> None:
    game = played()
    at = opened(game)
    assert labels(at)[:6] == [
        *("Difficulty 0, simple", "Difficulty 1, average", "Difficulty 2, challenging"),
        *("Difficulty 3, daunting", "Difficulty 4, dire", "Difficulty 5, epic"),
    ]
    assert "Leave it to the players" not in labels(at)
    step(game, at, "Difficulty 3")
    at = opened(game)
    assert "Difficulty 3, daunting" not in labels(at), "it stands there already"
    step(game, ranges(game, at), "Complication range 2")
    assert game.history.present.dial == Dial(difficulty=3, complication_range=2)
    step(game, opened(game), "Difficulty 4")
    assert game.history.present.dial == Dial(difficulty=4, complication_range=2), "each half by itself"
    step(game, opened(game), "Leave it to the players")
    assert game.history.present.dial is None


@pytest.mark.parametrize("half", DialHalf)
def test_it_is_gone_while_the_screen_is_locked(half: DialHalf) -> None:
    game = played()
    assert level(Facts(history=game.history), DialLevel(half)).entries
    assert not level(Facts(history=game.history, locked=True), DialLevel(half)).entries


def test_a_task_in_hand_is_what_it_is_about() -> None:
    game = played()
    game.do(DeclareTask(declaration=plain(game.history.present.characters[0].character_id)))
    at = opened(game, "Set how hard Ada's Task is")
    assert at.prompt == "Set how hard Ada's Task is."
    assert {"Difficulty 1, average", "Leave it to the players"}.isdisjoint(labels(at))
    step(game, at, "Difficulty 5")
    assert game.history.present.task is not None
    assert game.history.present.task.difficulty == 5
