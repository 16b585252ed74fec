"""The panel: five buttons, a status lamp, a ring light and a buzzer, on whatever pins gpiozero offers.

Presses go up through the callables given to `Panel.start`; what to show comes down through `show`, `ring` and
`sound`. Nothing here decides what a press means.
"""

from __future__ import annotations

import logging
import math
import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from hardware.buzzer import MELODIES, Signal, sounded_at
from hardware.debounce import DEFAULT_TIMING, Contact, Stroke, Timing, at_edge, at_time, first_seen, next_look
from hardware.devices import Devices, claim, reason_of
from hardware.errors import PanelStateError, PanelUnavailable, RingLevelError
from hardware.lamp import DARK, PATTERNS, Colour, Lamp, on_legs, shown_at
from hardware.pins import PanelButton, PanelPins

__all__ = ["Lamp", "Panel", "PanelButton", "PanelPins", "PanelUnavailable", "Signal", "open_panel"]

LOOK_AGAIN: Final = 1.0
"""Seconds after which the buttons are read even if no edge came, so that a lost edge cannot wedge one."""

LATEST_EDGE: Final = 1.0
"""Seconds. An edge said to be older than this, or from the future, bears another clock's time: it is now."""

JOIN: Final = 2.0
"""Seconds that `stop` waits for the panel's thread."""

_LOGGER = logging.getLogger(__name__)


def open_panel(
    pins: PanelPins,
    *,
    clock: Callable[[], float],
    pin_factory: Any = None,  # noqa: ANN401 - gpiozero ships no types
    timing: Timing = DEFAULT_TIMING,
    root: Path = Path("/"),
) -> Panel:
    """Claim the pins of the parts that are fitted and return the panel, dark and not yet listening.

    `clock` gives monotonic seconds. `pin_factory` is a gpiozero pin factory, left open by `Panel.stop`;
    without one, `GPIOZERO_PIN_FACTORY` is honoured, and otherwise this board's own pins are opened through
    lgpio. `root` is where /proc is looked for. Raises `PanelUnavailable` with the reason and a remedy if
    gpiozero or the pins cannot be had, or no part is fitted; pins claimed until then are given back.
    """
    devices = claim(pins, pin_factory, root)
    return Panel(devices, clock=clock, timing=timing)


class Panel:
    """An open panel, made by `open_panel`. All its pins are written by one thread, between `start` and `stop`."""

    def __init__(
        self,
        devices: Devices,
        *,
        clock: Callable[[], float],
        timing: Timing,
    ) -> None:
        self._devices = devices
        self._clock = clock
        self._timing = timing
        self._edges: deque[tuple[PanelButton, bool, float]] = deque()
        self._contacts: dict[PanelButton, Contact] = {}
        self._handlers: dict[PanelButton, Callable[[float, int], None]] = {}
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._on_press: Callable[[PanelButton], None] | None = None
        self._on_hold: Callable[[PanelButton], None] | None = None
        self._lamp, self._lamp_since = Lamp.OFF, clock()
        self._ring = 0.0
        self._written: tuple[Colour, float] | None = None
        self._signal: tuple[Signal, float] | None = None
        self._sounding: float | None = None
        self._fault = ""

    @property
    def fault(self) -> str:
        """Why the pins cannot be read or written at present; empty when all is well."""
        return self._fault

    def start(
        self, on_press: Callable[[PanelButton], None], *, on_hold: Callable[[PanelButton], None] | None = None
    ) -> None:
        """Listen. `on_press` is called, on the panel's own thread, once for each press, as soon as it has settled.

        With `on_hold`, a button held for the long press calls that instead, and a short press is told when
        the button is let go. A button found held down counts from its next press. What the callable raises
        is logged, and listening goes on. Raises `PanelStateError` if started or stopped before.
        """
        with self._lock:
            if self._thread is not None or self._stopping.is_set():
                raise PanelStateError("the panel runs once: open it anew to start it again")
            self._on_press, self._on_hold = on_press, on_hold
            self._thread = threading.Thread(target=self._run, name="trueroll-panel", daemon=True)
        now = self._clock()
        for press, button in self._devices.buttons.items():
            self._contacts[press] = first_seen(down=bool(button.is_active), at=now)
            # gpiozero keeps only a weak reference to the handler.
            self._handlers[press] = partial(self._edge, press)
            button.pin.edges = "both"
            button.pin.when_changed = self._handlers[press]
        self._thread.start()

    def show(self, lamp: Lamp) -> None:
        """Show a state on the lamp from its first beat; the state already shown goes on undisturbed."""
        with self._lock:
            if lamp is not self._lamp:
                self._lamp, self._lamp_since = lamp, self._clock()
        self._wake.set()

    def ring(self, level: float) -> None:
        """Set the ring light: 0 is off, 1 is full. Raises `RingLevelError` outside that."""
        if not (math.isfinite(level) and 0.0 <= level <= 1.0):
            raise RingLevelError(f"the ring light cannot be set to {level}; give a number from 0 (off) to 1 (full)")
        with self._lock:
            self._ring = float(level)
        self._wake.set()

    def sound(self, signal: Signal) -> None:
        """Sound a signal once, in place of one that still sounds; nothing where no buzzer is fitted."""
        with self._lock:
            self._signal = (signal, self._clock())
        self._wake.set()

    def stop(self) -> None:
        """Stop listening, turn the lights off and give the pins back. May be called twice, and before `start`.

        No press is reported after it has returned, unless it was called from within `on_press`.
        """
        with self._lock:
            if self._stopping.is_set():
                return
            self._stopping.set()
            thread = self._thread
        for button in self._devices.buttons.values():
            button.pin.when_changed = None
        self._wake.set()
        if thread is not None and thread.ident is not None and thread is not threading.current_thread():
            thread.join(JOIN)  # one without an ident never ran, because a pin failed in `start`
        try:
            self._tone(None)
            self._write(DARK, 0.0)
        except Exception as error:  # noqa: BLE001 - a pin that fails at the end must not keep the others claimed
            _LOGGER.warning("the panel's lights could not be turned off: %s", reason_of(error))
        self._devices.release.close()

    def _edge(self, press: PanelButton, ticks: float, level: int) -> None:
        """Take an edge on the pin library's thread: buttons pull their pin to ground, so low is down."""
        age = self._devices.factory.ticks_diff(self._devices.factory.ticks(), ticks)
        at = self._clock() - (age if 0.0 <= age <= LATEST_EDGE else 0.0)
        self._edges.append((press, not level, at))
        self._wake.set()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                wait = self._turn()
            except Exception as error:  # noqa: BLE001 - each pin library has its own errors; the table goes on
                if self._stopping.is_set():
                    return
                wait = LOOK_AGAIN
                self._say_fault(f"the panel's pins do not answer: {reason_of(error)}")
            self._wake.wait(wait)
            self._wake.clear()

    def _turn(self) -> float:
        """Do what is due now; the seconds until there is more to do, if nothing wakes the thread before."""
        self._listen()
        now = self._clock()
        with self._lock:
            lamp, since, ring = self._lamp, self._lamp_since, self._ring
            signal = self._signal
        colour, lamp_wait = shown_at(PATTERNS[lamp], now - since)
        tone, tone_wait = (None, None) if signal is None else sounded_at(MELODIES[signal[0]], now - signal[1])
        self._tone(tone)
        self._write(colour, ring)
        looks = (next_look(contact, self._timing) for contact in self._contacts.values())
        waits = [max(0.0, look - now) for look in looks if look is not None]
        return min([LOOK_AGAIN, *waits, *(one for one in (lamp_wait, tone_wait) if one is not None)])

    def _listen(self) -> None:
        while self._edges:
            press, down, at = self._edges.popleft()
            self._contacts[press], strokes = at_edge(self._contacts[press], down=down, at=at, timing=self._timing)
            self._tell(press, strokes)
        for press, button in self._devices.buttons.items():
            now = self._clock()
            edge = at_edge(self._contacts[press], down=bool(button.is_active), at=now, timing=self._timing)
            self._contacts[press], strokes = edge
            self._contacts[press], more = at_time(self._contacts[press], now, self._timing)
            self._tell(press, strokes + more)

    def _tell(self, press: PanelButton, strokes: tuple[Stroke, ...]) -> None:
        for stroke in strokes:
            if self._on_hold is None:
                hear = self._on_press if stroke is Stroke.DOWN else None
            else:
                hear = {Stroke.SHORT: self._on_press, Stroke.LONG: self._on_hold}.get(stroke)
            if hear is None or self._stopping.is_set():
                continue
            try:
                hear(press)
            except Exception:
                _LOGGER.exception("a press of %s was not taken; the panel goes on listening", press)

    def _write(self, colour: Colour, ring: float) -> None:
        """Write what differs from what was last written, then forget any fault."""
        if self._written != (colour, ring):
            self._written = None
            red, green, blue = self._devices.lamp
            shown = on_legs(colour, (red is not None, green is not None, blue is not None))
            for light, level in zip((red, green, blue, self._devices.ring), (*shown, ring), strict=True):
                if light is not None:
                    light.value = level
            self._written = (colour, ring)
        if self._fault:
            _LOGGER.info("the panel's pins answer again")
            self._fault = ""

    def _tone(self, frequency: float | None) -> None:
        """Sound `frequency`, or nothing where it is None, if that is not what sounds already."""
        buzzer = self._devices.buzzer
        if buzzer is None or frequency == self._sounding:
            return
        if frequency is None:
            buzzer.stop()
        else:
            buzzer.play(frequency)
        self._sounding = frequency

    def _say_fault(self, fault: str) -> None:
        if not self._fault:
            _LOGGER.warning("%s; the table goes on without the panel until they do", fault)
        self._fault = fault
