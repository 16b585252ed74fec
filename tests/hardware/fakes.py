"""Pins with the manners of real ones: contacts that bounce, and lights that fail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

if TYPE_CHECKING:
    BasePin = Any
else:
    BasePin = MockPWMPin


class BouncingPin(BasePin):  # type: ignore[misc]  # gpiozero ships no types
    """A mock pin whose contact chatters on both edges before it holds still, as a cheap push button does."""

    chatter = 7
    """How often the contact opens and closes again on its way to each new level."""

    def drive_high(self) -> None:
        for _ in range(self.chatter if not self.state else 0):
            super().drive_high()
            super().drive_low()
        super().drive_high()

    def drive_low(self) -> None:
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
