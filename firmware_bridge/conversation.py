"""One open port and one session, with every byte that passes: for the monitor and for recordings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from firmware_bridge.connection import Link
from firmware_bridge.session import Action, Changed, Reopen, Report, Send, TraySession

_LONGEST_READ: Final = 0.5  # seconds between two looks at whether to go on


class Direction(StrEnum):
    """Which way bytes went, as the host sees it."""

    IN = "in"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Passed:
    """Bytes that passed at `time`, in seconds since the port was opened."""

    time: float
    direction: Direction
    data: bytes


@dataclass(frozen=True, slots=True)
class Happened:
    """What the session made of them at `time`: a reading, a change of condition, or the wish to reopen."""

    time: float
    action: Report | Changed | Reopen


def follow(
    link: Link, session: TraySession, clock: Callable[[], float], go_on: Callable[[], bool]
) -> Iterator[Passed | Happened]:
    """Hold the conversation over `link` while `go_on()`, yielding what passes. Raises `LinkLostError`."""
    start = clock()

    def carry_out(actions: list[Action], now: float) -> Iterator[Passed | Happened]:
        for action in actions:
            if isinstance(action, Send):
                link.write(action.data)
                yield Passed(now - start, Direction.OUT, action.data)
            else:
                yield Happened(now - start, action)

    yield from carry_out(session.opened(start), start)
    while go_on():
        data = link.read(min(session.deadline - clock(), _LONGEST_READ))
        now = clock()
        if data:
            yield Passed(now - start, Direction.IN, data)
        yield from carry_out(session.data_received(data, now) if data else session.tick(now), now)
