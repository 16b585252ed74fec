"""A whole Task with two buttons and the voice alone: pins, debouncing, menu, engine, voice and caption, all real."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from kiosk.panel.part import PanelPart
from kiosk.speech.speech import Utterance
from kiosk.speech.voice import QueuedVoice
from rules.dice import DieKind, DieReading, DieState, Guess, Reading, SourceKind, SourceState
from rules.state.table import Table
from rules.state.tasks import Task
from tests.hardware.fakes import mock_factory
from tests.hardware.test_buzzer import ListeningPin
from tests.kiosk.desk import Desk, got
from tests.kiosk.web.test_api import set_up

PATIENCE = 20.0
TWO: dict[str, object] = {"panel.undo_pin": -1, "panel.repeat_pin": -1, "panel.previous_pin": -1}
WITHOUT_NEXT: dict[str, object] = {"panel.next_pin": -1, "panel.repeat_pin": -1, "panel.previous_pin": -1}


def eventually(condition: Callable[[], bool], why: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, why()
        time.sleep(0.002)


class _Over:
    def wait(self) -> None:
        pass

    def cut(self) -> None:
        pass


class Ear:
    """A speaker that has said everything at once, and somebody who listens."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def begin(self, text: str) -> Utterance:
        self.heard.append(text)
        return _Over()

    def play(self, sound: bytes) -> Utterance:
        raise AssertionError(f"{len(sound)} bytes of sound that nobody asked for")


class Player:
    """Somebody with two buttons and an ear."""

    def __init__(self, desk: Desk, factory: Any, ear: Ear, mover: int) -> None:  # noqa: ANN401 - gpiozero ships no types
        self.desk, self.ear, self.factory = desk, ear, factory
        self._pins = {"confirm": factory.pin(17), "move": factory.pin(mover)}

    @property
    def table(self) -> Table:
        return self.desk.engine.present().table

    @property
    def task(self) -> Task:
        assert self.table.task is not None
        return self.table.task

    def push(self, button: str, seconds: float = 0.1) -> str:
        """Push, and what is heard next. Time moves with the finger alone, so that a busy machine holds nothing."""
        before = len(self.ear.heard)
        self.desk.clock.ticks += 1.0
        self._pins[button].drive_low()
        self.desk.clock.ticks += seconds
        if seconds > 0.5:
            eventually(lambda: len(self.ear.heard) > before, lambda: self.ear.heard[-3:])
        self._pins[button].drive_high()
        self.desk.clock.ticks += 0.1
        eventually(lambda: len(self.ear.heard) > before, lambda: (button, self.ear.heard[-3:]))
        return self.ear.heard[-1]

    def back(self) -> str:
        return self.push("confirm", 1.0)

    def find(self, words: str) -> None:
        """Move on until `words` are heard; not more than once all round."""
        for _ in range(40):
            if words in self.ear.heard[-1]:
                return
            self.push("move")
        pytest.fail(f"{words!r} is not in the menu: {self.ear.heard[-40:]}")

    def choose(self, words: str, then: str) -> None:
        """Find `words`, confirm, and wait until `then` is heard."""
        self.find(words)
        mark = len(self.ear.heard)
        self.push("confirm")
        eventually(lambda: any(then in one for one in self.ear.heard[mark:]), lambda: (words, self.ear.heard[mark:]))

    def say_die(self, face: int, then: str) -> None:
        low = (face - 1) // 5 * 5 + 1
        self.choose(f"{low} to {low + 4}", f"{low}.")
        self.choose(f"{face}.", then)

    def caption(self) -> str:
        menu: str = got(self.desk.client(), "/api/v1/table")["menu"]
        return menu


@contextmanager
def playing(settings: dict[str, object], mover: int = 23) -> Iterator[Player]:
    ear = Ear()
    with Desk(settings=settings) as desk, mock_factory(ListeningPin) as factory:
        voice = QueuedVoice(speaker=ear, synthesise=None)
        desk.engine.listen(lambda done: voice.say(done.said.narration) if done.said is not None else None)
        set_up(desk.client())
        services = replace(desk.services, voice=voice)
        part = PanelPart(desk.config, services, pin_factory=factory, clock=desk.clock)
        try:
            eventually(lambda: bool(ear.heard), lambda: "nothing was said of the table set up")
            ear.heard.append("")
            yield Player(desk, factory, ear, mover)
        finally:
            part.stop()
            voice.stop()


def declare(player: Player) -> None:
    """From a closed menu to a Task that waits for its dice."""
    assert player.push("move").startswith("What now? Declare a Task.")
    player.choose("Declare a Task", "step by step")
    player.choose("step by step", "Which attribute?")
    player.choose("Reason", "Which discipline?")
    mark = len(player.ear.heard)
    player.find("Science")
    player.push("confirm")
    if "focus" in player.ear.heard[-1]:
        player.choose("No focus", "How difficult?")
    assert any("How difficult?" in one for one in player.ear.heard[mark:])
    player.choose("Difficulty 1", "Target Number")
    assert "Difficulty 1." in player.ear.heard[-1]
    player.choose("Declare it", "Throw 2 d20s")


@pytest.mark.parametrize(
    ("settings", "mover"), [(TWO, 23), (WITHOUT_NEXT, 27)], ids=["next and confirm", "undo and confirm"]
)
def test_a_whole_task_is_played_with_two_buttons_and_the_voice(settings: dict[str, object], mover: int) -> None:
    with playing(settings, mover) as player:
        declare(player)
        threat = player.table.threat
        eventually(lambda: "Say what the dice show" in player.ear.heard[-1], lambda: player.ear.heard[-3:])
        player.choose("Buy dice", "Threat")
        player.choose("by adding Threat, adds 1 Threat", "throws 3 d20s")
        assert player.table.threat == threat + 1
        eventually(lambda: "Say what the dice show" in player.ear.heard[-1], lambda: player.ear.heard[-3:])
        player.choose("Say what the dice show", "What does die 1 of 3 show?")
        player.say_die(1, "die 2 of 3")
        player.say_die(13, "die 3 of 3")
        player.back()
        assert player.back().startswith("What does die 2 of 3 show?")
        player.say_die(2, "die 3 of 3")
        player.say_die(20, "3 dice: 1, 2 and 20.")
        assert player.caption() == player.ear.heard[-1]
        assert not player.task.dice, "nothing counts before it was read back and confirmed"
        player.choose("Count these dice", "Success")
        assert [one.die.face for one in player.task.dice] == [1, 2, 20]
        left = player.task.momentum_left
        eventually(lambda: "Done: save" in player.ear.heard[-1], lambda: player.ear.heard[-3:])
        player.choose("Spend Momentum", "costs")
        player.choose("costs 1 Momentum", "Done: save")
        assert player.task.momentum_left == left - 1
        player.find("Take back the spend")
        player.push("confirm")
        eventually(lambda: player.task.momentum_left == left, lambda: player.ear.heard[-3:])
        eventually(lambda: "Done: save" in player.ear.heard[-1], lambda: player.ear.heard[-3:])
        player.choose("Done: save", "Complication")
        assert player.table.momentum == left
        eventually(lambda: "Take the Complication" in player.ear.heard[-1], lambda: player.ear.heard[-3:])
        player.choose("Buy the Complication off with Threat, adds 2 Threat", "Threat")
        eventually(lambda: player.table.task is None, lambda: player.table.task)
        assert player.table.threat == threat + 3
        eventually(lambda: not player.caption(), player.caption)
        assert {one.by for one in player.desk.journal.entries()[-6:]} == {"panel"}


def test_the_camera_throws_a_doubtful_die_is_asked_about_and_the_light_goes_up_and_down() -> None:
    with playing(TWO) as player:
        player.desk.sources.set("camera", SourceState.READY, "The camera reads.")
        ring, buzzer = player.factory.pin(12), player.factory.pin(13)
        eventually(lambda: ring.state == pytest.approx(0.1), lambda: ring.state)
        declare(player)
        eventually(lambda: ring.state == pytest.approx(0.6), lambda: ring.state)
        eventually(lambda: not player.caption(), player.caption)
        clear = DieReading(DieKind.D20, 4, 1.0, DieState.READ, SourceKind.CAMERA)
        guesses = (Guess(14, 0.5), Guess(11, 0.4))
        doubtful = DieReading(DieKind.D20, None, 0.5, DieState.DOUBTFUL, SourceKind.CAMERA, guesses=guesses)
        buzzer.heard = []
        player.desk.engine.report(Reading(reading_id="r1", source=SourceKind.CAMERA, dice=(clear, doubtful)))
        eventually(lambda: "Die 2 shows 14" in player.ear.heard[-1], lambda: player.ear.heard[-3:])
        assert any("Die 2 may show 14 or 11. What does it show?" in one for one in player.ear.heard)
        eventually(lambda: any(buzzer.heard), lambda: "the buzzer did not ask")
        eventually(lambda: ring.state == pytest.approx(0.1), lambda: ring.state)
        player.choose("Die 2 shows 11", "Success")
        assert [one.die.face for one in player.task.dice] == [4, 11]
        eventually(lambda: "Done: save" in player.ear.heard[-1], lambda: player.ear.heard[-3:])
        player.choose("A die was misread", "Which die was misread?")
        player.choose("Die 2", "What does die 2 show?")
        player.say_die(2, "Success")
        assert [one.die.face for one in player.task.dice] == [4, 2]


def test_what_was_done_last_is_offered_first() -> None:
    with playing(TWO) as player:
        declare(player)
        eventually(lambda: "Say what the dice show" in player.ear.heard[-1], lambda: player.ear.heard[-3:])
        player.choose("Say what the dice show", "die 1 of 2")
        player.say_die(19, "die 2 of 2")
        player.say_die(18, "2 dice: 19 and 18.")
        player.choose("Count these dice", "Failure")
        player.choose("Declare a Task", "Reason and Science, Difficulty 1")


def test_a_buzzer_switched_off_is_silent() -> None:
    with playing({**TWO, "panel.buzzer": False}) as player:
        buzzer = player.factory.pin(13)
        buzzer.heard = []
        declare(player)
        time.sleep(0.05)
        assert not any(buzzer.heard)
