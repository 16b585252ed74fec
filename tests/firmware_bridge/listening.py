"""A listener that remembers what a tray's supervisor says, and a tray whose wire is memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from random import Random

from firmware_bridge.errors import LinkLostError, PortBusyError, PortMissingError
from firmware_bridge.simulator import SimulatedTray
from firmware_bridge.simulator_commands import perform
from rules.dice import DieKind, Face, Reading, SourceState, SourceStatus
from rules.words import Phrase

PATIENCE = 60.0
"""Seconds that a state is waited for: far more than it takes, for the machine may be busy with other things."""


class Listener:
    """Collects readings and statuses, and waits for them."""

    def __init__(self) -> None:
        self.readings: list[Reading] = []
        self.statuses: list[SourceStatus] = []
        self._changed = threading.Condition()

    def report(self, reading: Reading) -> None:
        with self._changed:
            self.readings.append(reading)
            self._changed.notify_all()

    def tell(self, status: SourceStatus) -> None:
        with self._changed:
            self.statuses.append(status)
            self._changed.notify_all()

    @property
    def state(self) -> SourceState | None:
        return self.statuses[-1].state if self.statuses else None

    def wait(self, until: Callable[[], bool], timeout: float = PATIENCE) -> bool:
        with self._changed:
            return self._changed.wait_for(until, timeout)

    def wait_state(self, state: SourceState, timeout: float = PATIENCE) -> bool:
        return self.wait(lambda: self.state is state, timeout)

    def wait_faces(self, *faces: Face, timeout: float = PATIENCE) -> bool:
        return self.wait(
            lambda: bool(self.readings) and [die.face for die in self.readings[-1].dice] == list(faces), timeout
        )


class MemoryTray:
    """A simulated tray with no port at all: `open_link` is what a supervisor takes instead of pyserial's."""

    def __init__(self) -> None:
        self.tray = SimulatedTray(Random(1), now=time.monotonic())  # noqa: S311 - a repeatable tray
        self.lock = threading.Lock()
        self.plugged = True
        self.open: MemoryLink | None = None

    def open_link(self, address: str) -> MemoryLink:
        if not self.plugged:
            raise PortMissingError(Phrase(f"nothing at {address}"))
        if self.open is not None:
            raise PortBusyError(Phrase(f"Another program has the dice tray's port {address} open."))
        self.open = MemoryLink(self)
        return self.open

    def throw(self, *faces: tuple[DieKind, Face]) -> None:
        with self.lock:
            self.tray.throw(faces, time.monotonic())

    def wait(self, until: Callable[[SimulatedTray], bool], timeout: float = PATIENCE) -> bool:
        """Whether `until` became true of the tray within `timeout` seconds."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            with self.lock:
                if until(self.tray):
                    return True
            time.sleep(0.01)
        return False

    def command(self, line: str) -> None:
        with self.lock:
            if line == "unplug":
                self.plugged = False
            elif line == "replug":
                self.plugged = True
                self.tray.restart(time.monotonic())
                self.tray.take_output()
            else:
                perform(self.tray, line, time.monotonic())

    def stop(self) -> None:
        self.plugged = False


class MemoryLink:
    """One opening of a `MemoryTray`."""

    def __init__(self, memory: MemoryTray) -> None:
        self.address = "memory"
        self._memory = memory
        self._awake = threading.Event()

    def read(self, timeout: float) -> bytes:
        end = time.monotonic() + timeout
        while True:
            with self._memory.lock:
                self._alive()
                self._memory.tray.advance(time.monotonic())
                data = self._memory.tray.take_output()
            if data or time.monotonic() >= end or self._awake.wait(0.005):
                return data

    def write(self, data: bytes) -> None:
        with self._memory.lock:
            self._alive()
            self._memory.tray.receive(data, time.monotonic())

    def wake(self) -> None:
        self._awake.set()

    def close(self) -> None:
        self._memory.open = None

    def _alive(self) -> None:
        if not self._memory.plugged:
            raise LinkLostError(Phrase("The dice tray at memory is gone."))
