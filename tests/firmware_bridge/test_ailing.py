"""Dice that say that their battery is low or their sensor fails: told once, by name, until they are well."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.actions import Changed
from firmware_bridge.messages import Beat, Die, DieFlag, Fault, FaultCode, KindCode, Message, StateCode
from firmware_bridge.session import AilingDice
from firmware_bridge.taught import TaughtDice, TaughtDie
from rules.dice import DieKind, SourceState
from tests.firmware_bridge.test_session import HELLO, session, wire

LOW = Die(1, 1, 3, 0xABC, KindCode.D20, 17, StateCode.SETTLED, 100, 0, DieFlag.BATTERY_LOW)
LOW_WORDS = "The battery of die 00000abc is low: charge or replace it soon. It is read until it is empty."
SENSOR_WORDS = "The sensor of die 00000abc fails: enter it by hand, or take another die."


def remedies(*messages: Message) -> list[str]:
    """What a tray's state says besides, after each of its changes."""
    one = session()
    one.opened(0.0)
    told = one.data_received(wire(HELLO), 0.0)
    for number, message in enumerate(messages, start=1):
        told += one.data_received(wire(message), number / 10)
    changed = [action.condition for action in told if isinstance(action, Changed)]
    return [condition.remedy for condition in changed if condition.state is SourceState.READY]


def test_a_low_battery_is_told_once_wherever_the_die_lies_until_it_is_charged() -> None:
    assert remedies(
        LOW,
        replace(LOW, event=2, state=StateCode.REMOVED),
        replace(LOW, event=3, roll=2, slot=1, face=4),
        Beat(0, 3, 0, 0, 0, 0),
        replace(LOW, event=4, roll=3, slot=0, flags=0),
        Beat(0, 4, 0, 0, 0, 0),
    ) == ["", LOW_WORDS, ""]


def test_a_sensor_that_fails_is_told_unless_the_reader_is_to_blame() -> None:
    failing = replace(LOW, flags=DieFlag.SENSOR_FAULT, state=StateCode.FAULT, face=0)
    beat = Beat(0, 1, 0, 0, 0, 0)
    assert remedies(failing, beat)[-1] == SENSOR_WORDS
    told = remedies(Fault(FaultCode.READER, 3, 0), failing, beat)[-1]
    assert "the reader under place 4 fails" in told
    assert SENSOR_WORDS not in told


def test_flags_that_nobody_knows_are_nothing() -> None:
    assert remedies(replace(LOW, flags=0xFC), Beat(0, 1, 0, 0, 0, 0)) == [""]


@pytest.mark.parametrize(("die_id", "name"), [(5, "Red"), (6, "die 00000006"), (0, "the die in place 4")])
def test_a_die_is_named_as_people_know_it(die_id: int, name: str) -> None:
    dice = AilingDice()
    dice.take(replace(LOW, die_id=die_id))
    taught = TaughtDice((TaughtDie("Red", DieKind.D6, (5, 60, 70, 80, 90, 100)),))
    assert dice.words(taught)[0].startswith(f"The battery of {name} is low")
