"""Onlookers of the tray's port get copies: bounded, and never waited for."""

from __future__ import annotations

import pytest

from firmware_bridge.conversation import Direction, Passed
from firmware_bridge.errors import LinkLostError, PortBusyError
from firmware_bridge.onlookers import LONGEST_QUEUE, MOST_ONLOOKERS, Ended, Onlookers


def test_the_tap_is_bounded_and_never_waits() -> None:
    now = [0.0]
    onlookers, greeted = Onlookers(clock=lambda: now[0], quiet=0.01), list[float]()
    onlookers.greet = lambda: greeted.append(now[0])
    with pytest.raises(LinkLostError):
        onlookers.look_on()
    onlookers.opened(7)
    slow, quick = onlookers.look_on(), onlookers.look_on()
    others = [onlookers.look_on() for _ in range(MOST_ONLOOKERS - 2)]
    with pytest.raises(PortBusyError):
        onlookers.look_on()
    others[0].close()
    assert len(greeted) == MOST_ONLOOKERS
    hears = iter(quick)
    for number in range(LONGEST_QUEUE + 1):
        now[0] = float(number)
        onlookers.passed(Direction.IN, b"x")
        assert next(hears) == Passed(float(number), Direction.IN, b"x")
    told = list(slow)
    assert len(told) == LONGEST_QUEUE + 1
    assert isinstance(told[-1], Ended)
    assert "too slow" in told[-1].what
    assert next(hears) is None, "a sign of life while nothing passes"
    onlookers.passed(Direction.OUT, b"last")
    onlookers.closed()
    assert [type(one) for one in hears] == [Passed, Ended]
    with pytest.raises(LinkLostError):
        onlookers.look_on()
