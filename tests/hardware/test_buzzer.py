"""The buzzer's signals as data, and sounded on a pin that has pulse width."""

from __future__ import annotations

import time
from itertools import combinations

import pytest
from gpiozero.pins.mock import MockPWMPin
from hypothesis import given
from hypothesis import strategies as st

from hardware.buzzer import HIGHEST, LOWEST, MELODIES, Signal, sounded_at
from hardware.panel import PanelPins, open_panel
from hardware.pins import USES
from tests.hardware.fakes import CLOCK, mock_factory
from tests.hardware.test_panel import eventually

PINS = PanelPins()


class ListeningPin(MockPWMPin):  # type: ignore[misc]  # gpiozero ships no types
    """A mock pin that keeps every frequency it was given."""

    heard: list[float | None]

    def _set_frequency(self, value: float | None) -> None:
        self.heard = [*getattr(self, "heard", ()), value]
        super()._set_frequency(value)


def test_each_signal_is_short_within_range_and_ends_in_silence() -> None:
    assert set(MELODIES) == set(Signal)
    for melody in MELODIES.values():
        length = sum(note.seconds for note in melody.notes)
        assert 0.05 <= length < 1.0
        assert sounded_at(melody, length + 0.001) == (None, None)
        assert all(note.frequency is None or LOWEST <= note.frequency <= HIGHEST for note in melody.notes)


def test_no_two_signals_have_the_same_rhythm() -> None:
    for one, other in combinations(MELODIES.values(), 2):
        assert [note.seconds for note in one.notes] != [note.seconds for note in other.notes]


@given(st.sampled_from(Signal), st.floats(min_value=-1.0, max_value=5.0))
def test_the_tone_holds_until_it_is_said_to_change(signal: Signal, elapsed: float) -> None:
    tone, wait = sounded_at(MELODIES[signal], elapsed)
    if wait is None:
        assert tone is None
    else:
        assert wait > 0.0
        assert sounded_at(MELODIES[signal], max(0.0, elapsed) + wait / 2)[0] == tone


@pytest.mark.parametrize("signal", Signal)
def test_a_signal_is_sounded_once_on_its_pin_and_then_it_is_silent(signal: Signal) -> None:
    assert PINS.buzzer is not None
    with mock_factory(ListeningPin) as factory:
        panel = open_panel(PINS, clock=CLOCK, pin_factory=factory)
        pin = factory.pin(PINS.buzzer)
        try:
            panel.start(lambda _: None)
            pin.heard = []
            end = time.monotonic() + sum(note.seconds for note in MELODIES[signal].notes)
            panel.sound(signal)
            eventually(lambda: time.monotonic() > end and len(pin.heard) >= 2 and pin.frequency is None)
            first = next(note.frequency for note in MELODIES[signal].notes)
            assert pin.heard[0] == pytest.approx(first)
            assert {one for one in pin.heard if one is not None} <= {note.frequency for note in MELODIES[signal].notes}
            heard = list(pin.heard)
            time.sleep(0.05)
            assert pin.heard == heard
        finally:
            panel.stop()


def test_stopping_the_panel_silences_it() -> None:
    assert PINS.buzzer is not None
    with mock_factory(ListeningPin) as factory:
        panel = open_panel(PINS, clock=lambda: 1.0, pin_factory=factory)  # time stands still: the tone would last
        pin = factory.pin(PINS.buzzer)
        panel.start(lambda _: None)
        panel.sound(Signal.REFUSED)
        eventually(lambda: pin.frequency is not None)
        panel.stop()
        assert pin.frequency is None


def test_without_a_buzzer_a_signal_is_nothing() -> None:
    alone = PanelPins(**{name: None for name in USES if name != "confirm"})  # type: ignore[arg-type]  # only pins
    with mock_factory() as factory:
        panel = open_panel(alone, clock=CLOCK, pin_factory=factory)
        panel.start(lambda _: None)
        panel.sound(Signal.TROUBLE)
        time.sleep(0.02)
        assert panel.fault == ""
        panel.stop()
