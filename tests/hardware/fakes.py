"""Pins with the manners of real ones: contacts that bounce, and lights that fail."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

if TYPE_CHECKING:
    BasePin = Any
else:
    BasePin = MockPWMPin


class BenchClock:
    """Monotonic seconds that stand still while a contact chatters.

    Chatter is over in milliseconds; a busy machine must not stretch it into strokes of its own.
    """

    def __init__(self) -> None:
        self._stands_at: float | None = None

    def __call__(self) -> float:
        stands_at = self._stands_at
        return time.monotonic() if stands_at is None else stands_at

    @contextmanager
    def standing(self) -> Iterator[None]:
        """The time as it is now until the end."""
        self._stands_at = self()
        try:
            yield
        finally:
            self._stands_at = None


CLOCK = BenchClock()


class BouncingPin(BasePin):  # type: ignore[misc]  # gpiozero ships no types
    """A mock pin whose contact chatters on both edges before it holds still, as a cheap push button does."""

    chatter = 7
    """How often the contact opens and closes again on its way to each new level."""

    def drive_high(self) -> None:
        with CLOCK.standing():
            for _ in range(self.chatter if not self.state else 0):
                super().drive_high()
                super().drive_low()
            super().drive_high()

    def drive_low(self) -> None:
        with CLOCK.standing():
            for _ in range(self.chatter if self.state else 0):
                super().drive_low()
                super().drive_high()
            super().drive_low()


class FailingPin(BasePin):  # type: ignore[misc]  # gpiozero ships no types
    """A mock pin that refuses to be written while `broken`, as one does whose chip went away."""

    broken = False

    def _set_state(self, value: float) -> None:
        if type(self).broken:
            raise OSError("the pin's chip is gone")
        super()._set_state(value)


@contextmanager
def mock_factory(pin_class: type = MockPWMPin, revision: str = "c03111") -> Iterator[Any]:
    """A factory of mock pins, as of a Pi 4B, emptied at the end."""
    factory = MockFactory(revision=revision, pin_class=pin_class)
    try:
        yield factory
    finally:
        factory.close()
        factory.reset()
