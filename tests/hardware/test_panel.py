"""The panel's contract over every kind of pin: clean and bouncing contacts, on three boards."""

from __future__ import annotations

import itertools
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockPWMPin

from hardware.debounce import Timing
from hardware.errors import PanelStateError, RingLevelError
from hardware.lamp import DARK, PATTERNS
from hardware.panel import Lamp, Panel, PanelButton, PanelPins, PanelUnavailable, open_panel
from hardware.pins import USES
from tests.hardware.fakes import CLOCK, BouncingPin, FailingPin, mock_factory

PATIENCE = 20.0
QUIET = 0.15
"""Seconds without a press after which none is on its way: many windows long."""

PINS = PanelPins()
PINS_BY_NAME: dict[str, int] = {name: getattr(PINS, name) for name in USES}
LAMP = tuple(PINS_BY_NAME[name] for name in ("lamp_red", "lamp_green", "lamp_blue"))


def without(*parts: str) -> PanelPins:
    """The usual wiring with `parts` left out."""
    left_out: dict[str, Any] = dict.fromkeys(parts)
    return replace(PINS, **left_out)


@dataclass
class Bench:
    """A panel on mock pins, and the fingers and eyes of someone sitting at it."""

    panel: Panel
    factory: Any
    presses: queue.SimpleQueue[PanelButton]

    def pin(self, number: int) -> Any:  # noqa: ANN401 - gpiozero ships no types
        return self.factory.pin(number)

    def hold(self, press: PanelButton) -> None:
        self.pin(getattr(PINS, press.value)).drive_low()

    def let_go(self, press: PanelButton) -> None:
        self.pin(getattr(PINS, press.value)).drive_high()

    def push(self, press: PanelButton, seconds: float = 0.06) -> None:
        self.hold(press)
        time.sleep(seconds)
        self.let_go(press)
        time.sleep(0.06)

    def heard(self) -> PanelButton:
        return self.presses.get(timeout=PATIENCE)

    def nothing_more(self) -> bool:
        try:
            self.presses.get(timeout=QUIET)
        except queue.Empty:
            return True
        return False

    def light(self) -> tuple[float, ...]:
        return tuple(float(self.pin(number).state) for number in LAMP)


def eventually(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it never came about"
        time.sleep(0.005)


@pytest.fixture(
    params=[(MockPWMPin, "c03111"), (BouncingPin, "a02082"), (BouncingPin, "c03111"), (BouncingPin, "c04170")],
    ids=["clean, Pi 4B", "bouncing, Pi 3B", "bouncing, Pi 4B", "bouncing, Pi 5"],
)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    pin_class, revision = request.param
    with mock_factory(pin_class, revision) as factory:
        panel = open_panel(PINS, clock=CLOCK, pin_factory=factory)
        try:
            yield Bench(panel, factory, queue.SimpleQueue())
        finally:
            panel.stop()


@pytest.mark.parametrize("press", PanelButton)
def test_one_push_is_one_press(bench: Bench, press: PanelButton) -> None:
    bench.panel.start(bench.presses.put)
    bench.push(press)
    assert bench.heard() is press
    assert bench.nothing_more()


def test_pushes_are_told_in_order_and_all(bench: Bench) -> None:
    bench.panel.start(bench.presses.put)
    pushed = [PanelButton.CONFIRM, PanelButton.UNDO, PanelButton.UNDO, PanelButton.REPEAT, PanelButton.CONFIRM]
    for press in pushed:
        bench.push(press)
    assert [bench.heard() for _ in pushed] == pushed
    assert bench.nothing_more()


def test_a_press_is_told_while_the_button_is_still_down(bench: Bench) -> None:
    bench.panel.start(bench.presses.put)
    bench.hold(PanelButton.CONFIRM)
    assert bench.heard() is PanelButton.CONFIRM
    bench.let_go(PanelButton.CONFIRM)
    assert bench.nothing_more()


def test_a_button_found_held_down_is_no_press_until_pushed_again(bench: Bench) -> None:
    bench.hold(PanelButton.UNDO)
    bench.panel.start(bench.presses.put)
    assert bench.nothing_more()
    bench.let_go(PanelButton.UNDO)
    assert bench.nothing_more()
    bench.push(PanelButton.UNDO)
    assert bench.heard() is PanelButton.UNDO


def test_presses_before_start_and_after_stop_are_not_told(bench: Bench) -> None:
    bench.push(PanelButton.CONFIRM)
    bench.panel.start(bench.presses.put)
    bench.panel.stop()
    assert bench.nothing_more()


def test_the_lamp_shows_each_state_and_goes_out(bench: Bench) -> None:
    bench.panel.start(bench.presses.put)
    for lamp in (Lamp.SUCCESS, Lamp.FAILURE, Lamp.TROUBLE, Lamp.ASKING, Lamp.WAITING):
        bench.panel.show(lamp)
        eventually(lambda lamp=lamp: bench.light() == pytest.approx(PATTERNS[lamp].colour))  # type: ignore[misc]  # mypy types no default of a lambda
    bench.panel.show(Lamp.OFF)
    eventually(lambda: bench.light() == DARK)


def test_the_lamp_blinks(bench: Bench) -> None:
    bench.panel.start(bench.presses.put)
    bench.panel.show(Lamp.ASKING)
    for lit in itertools.islice(itertools.cycle([True, False]), 4):
        eventually(lambda lit=lit: (bench.light() != DARK) is lit)  # type: ignore[misc]  # mypy types no default of a lambda


def test_showing_the_same_again_does_not_restart_the_rhythm(bench: Bench) -> None:
    bench.panel.start(bench.presses.put)
    bench.panel.show(Lamp.ASKING)
    eventually(lambda: bench.light() != DARK)
    deadline = time.monotonic() + PATIENCE
    while bench.light() != DARK:
        assert time.monotonic() < deadline, "the rhythm was restarted by each repetition"
        bench.panel.show(Lamp.ASKING)
        time.sleep(0.005)


@pytest.mark.parametrize("level", [0.0, 0.25, 1.0])
def test_the_ring_takes_its_level(bench: Bench, level: float) -> None:
    bench.panel.start(bench.presses.put)
    bench.panel.ring(0.5)
    eventually(lambda: bench.pin(PINS_BY_NAME["ring"]).state == pytest.approx(0.5))
    bench.panel.ring(level)
    eventually(lambda: bench.pin(PINS_BY_NAME["ring"]).state == pytest.approx(level))


@pytest.mark.parametrize("level", [-0.01, 1.01, float("nan"), float("inf")])
def test_a_level_outside_0_to_1_is_refused(bench: Bench, level: float) -> None:
    with pytest.raises(RingLevelError, match="from 0 \\(off\\) to 1 \\(full\\)"):
        bench.panel.ring(level)


def test_what_was_asked_before_start_is_shown_at_start(bench: Bench) -> None:
    bench.panel.show(Lamp.SUCCESS)
    bench.panel.ring(1.0)
    bench.panel.start(bench.presses.put)
    eventually(lambda: bench.light() == PATTERNS[Lamp.SUCCESS].colour and bench.pin(PINS_BY_NAME["ring"]).state == 1.0)


def test_stop_turns_lights_off_gives_pins_back_and_ends_its_thread(bench: Bench) -> None:
    bench.panel.start(bench.presses.put)
    bench.panel.show(Lamp.SUCCESS)
    bench.panel.ring(1.0)
    eventually(lambda: bench.pin(PINS_BY_NAME["ring"]).state == 1.0)
    bench.panel.stop()
    bench.panel.stop()
    bench.panel.show(Lamp.TROUBLE)
    assert not any(thread.name == "trueroll-panel" for thread in threading.enumerate())
    assert not any(
        bench.pin(number).state for number in (*LAMP, PINS_BY_NAME["ring"]) if bench.pin(number).function == "output"
    )
    again = open_panel(PINS, clock=CLOCK, pin_factory=bench.factory)
    again.stop()


def test_a_panel_runs_once(bench: Bench) -> None:
    bench.panel.start(bench.presses.put)
    with pytest.raises(PanelStateError, match="open it anew"):
        bench.panel.start(bench.presses.put)
    bench.panel.stop()
    with pytest.raises(PanelStateError, match="open it anew"):
        bench.panel.start(bench.presses.put)


def test_a_press_that_stops_the_panel_does_not_hang_it(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    def hear(press: PanelButton) -> None:
        bench.presses.put(press)
        bench.panel.stop()

    bench.panel.start(hear)
    bench.push(PanelButton.CONFIRM)
    assert bench.heard() is PanelButton.CONFIRM
    eventually(lambda: not any(thread.name == "trueroll-panel" for thread in threading.enumerate()))
    assert caplog.records == []


def test_a_listener_that_fails_does_not_end_listening(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    def hear(press: PanelButton) -> None:
        bench.presses.put(press)
        if press is PanelButton.UNDO:
            raise RuntimeError("nothing to undo")

    bench.panel.start(hear)
    bench.push(PanelButton.UNDO)
    bench.push(PanelButton.CONFIRM)
    assert [bench.heard(), bench.heard()] == [PanelButton.UNDO, PanelButton.CONFIRM]
    assert "a press of undo was not taken" in caplog.text


def test_a_hold_is_told_instead_of_a_press() -> None:
    holds: queue.SimpleQueue[PanelButton] = queue.SimpleQueue()
    with mock_factory(BouncingPin) as factory:
        timing = Timing(window=0.02, long=0.5)
        panel = open_panel(PINS, clock=CLOCK, pin_factory=factory, timing=timing)
        bench = Bench(panel, factory, queue.SimpleQueue())
        try:
            panel.start(bench.presses.put, on_hold=holds.put)
            bench.hold(PanelButton.UNDO)
            assert holds.get(timeout=PATIENCE) is PanelButton.UNDO
            bench.let_go(PanelButton.UNDO)
            assert bench.nothing_more()
            bench.push(PanelButton.UNDO)
            assert bench.heard() is PanelButton.UNDO
            assert holds.empty()
        finally:
            panel.stop()


def test_a_lost_edge_wedges_nothing() -> None:
    with mock_factory() as factory:
        bench = Bench(open_panel(PINS, clock=CLOCK, pin_factory=factory), factory, queue.SimpleQueue())
        try:
            bench.panel.start(bench.presses.put)
            pin = bench.pin(PINS_BY_NAME["confirm"])
            handler, pin.when_changed = pin.when_changed, None
            bench.hold(PanelButton.CONFIRM)
            assert bench.heard() is PanelButton.CONFIRM
            pin.when_changed = handler
            bench.let_go(PanelButton.CONFIRM)
            time.sleep(0.06)
            bench.push(PanelButton.CONFIRM)
            assert bench.heard() is PanelButton.CONFIRM
            assert bench.nothing_more()
        finally:
            bench.panel.stop()


def test_a_common_anode_lamp_is_driven_low_for_light() -> None:
    pins = PanelPins(lamp_common_anode=True)
    with mock_factory() as factory:
        panel = open_panel(pins, clock=CLOCK, pin_factory=factory)
        try:
            panel.start(lambda _: None)
            panel.show(Lamp.SUCCESS)
            eventually(
                lambda: (
                    factory.pin(PINS_BY_NAME["lamp_green"]).state == 0.0
                    and factory.pin(PINS_BY_NAME["lamp_red"]).state == 1.0
                )
            )
        finally:
            panel.stop()


def test_pins_that_stop_answering_are_logged_once_and_their_return_once(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO)
    with mock_factory(FailingPin) as factory:
        bench = Bench(open_panel(PINS, clock=CLOCK, pin_factory=factory), factory, queue.SimpleQueue())
        try:
            bench.panel.start(bench.presses.put)
            monkeypatch.setattr(FailingPin, "broken", True)
            for level in (0.1, 0.2, 0.3):
                bench.panel.ring(level)
                time.sleep(0.02)
            eventually(lambda: "chip is gone" in bench.panel.fault)
            bench.push(PanelButton.CONFIRM)
            assert bench.heard() is PanelButton.CONFIRM
            monkeypatch.setattr(FailingPin, "broken", False)
            eventually(lambda: bench.panel.fault == "")
            assert bench.pin(PINS_BY_NAME["ring"]).state == pytest.approx(0.3)
        finally:
            bench.panel.stop()
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


@pytest.mark.parametrize("absent", [*PINS_BY_NAME])
def test_a_part_that_is_not_fitted_leaves_its_pin_alone_and_the_rest_works(absent: str) -> None:
    pins = without(absent)
    with mock_factory() as factory:
        bench = Bench(open_panel(pins, clock=CLOCK, pin_factory=factory), factory, queue.SimpleQueue())
        gpiozero.InputDevice(PINS_BY_NAME[absent], pin_factory=factory).close()  # free for something else
        try:
            bench.panel.start(bench.presses.put)
            fitted = [press for press in PanelButton if press.value != absent]
            for press in fitted:
                bench.push(press)
            assert [bench.heard() for _ in fitted] == fitted
            bench.panel.show(Lamp.WAITING)
            bench.panel.ring(0.5)
            legs = [name for name in ("lamp_red", "lamp_green", "lamp_blue") if name != absent]
            eventually(lambda: all(factory.pin(PINS_BY_NAME[leg]).state == pytest.approx(0.4) for leg in legs))
            if absent != "ring":
                eventually(lambda: factory.pin(PINS_BY_NAME["ring"]).state == pytest.approx(0.5))
            assert bench.panel.fault == ""
        finally:
            bench.panel.stop()


def test_one_button_alone_is_a_panel() -> None:
    pins = without(*(name for name in PINS_BY_NAME if name != "confirm"))
    with mock_factory() as factory:
        bench = Bench(open_panel(pins, clock=CLOCK, pin_factory=factory), factory, queue.SimpleQueue())
        try:
            bench.panel.start(bench.presses.put)
            bench.panel.show(Lamp.TROUBLE)
            bench.panel.ring(1.0)
            bench.push(PanelButton.CONFIRM)
            assert bench.heard() is PanelButton.CONFIRM
        finally:
            bench.panel.stop()


def test_a_panel_with_nothing_fitted_is_none() -> None:
    pins = without(*PINS_BY_NAME)
    with (
        mock_factory() as factory,
        pytest.raises(PanelUnavailable, match="Every part of the panel is set as not fitted"),
    ):
        open_panel(pins, clock=CLOCK, pin_factory=factory)


def test_a_panel_whose_pins_fail_at_the_start_can_be_stopped_and_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with mock_factory() as factory:
        panel = open_panel(PINS, clock=CLOCK, pin_factory=factory)
        with monkeypatch.context() as broken:
            broken.setattr(
                MockPWMPin, "_set_edges", lambda *_: (_ for _ in ()).throw(OSError("the pin's chip is gone"))
            )
            with pytest.raises(OSError, match="chip is gone"):
                panel.start(lambda _: None)
        panel.stop()
        open_panel(PINS, clock=CLOCK, pin_factory=factory).stop()
