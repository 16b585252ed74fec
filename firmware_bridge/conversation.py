"""One open port and one session, with every byte that passes: for the monitor and for recordings."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Protocol

from firmware_bridge.actions import Action, Changed, Reopen, Report, Send, Show
from firmware_bridge.session import TraySession

_LONGEST_READ: Final = 0.5
"""Seconds between two looks at whether to go on."""


class Link(Protocol):
    """An open port; `SerialLink` is one."""

    def read(self, timeout: float) -> bytes:
        """What has arrived within `timeout` seconds. Raises `LinkLostError`."""

    def write(self, data: bytes) -> None:
        """Send all of `data`. Raises `LinkLostError`."""

    def wake(self) -> None:
        """Let a waiting `read` return."""

    def close(self) -> None:
        """Close the port. Never raises."""


class Direction(StrEnum):
    """Which way bytes went, as the host sees it."""

    IN = "in"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Passed:
    """Bytes that passed at `time`, in seconds since the port was opened first."""

    time: float
    direction: Direction
    data: bytes


@dataclass(frozen=True, slots=True)
class PortChanged:
    """The port came, to be asked as a session that begins with `nonce` does; or it went: `nonce` is None."""

    time: float
    nonce: int | None


@dataclass(frozen=True, slots=True)
class Happened:
    """The session's result at `time`: a reading, a picture, a change of condition, or the wish to reopen."""

    time: float
    action: Report | Show | Changed | Reopen


def follow(
    link: Link, session: TraySession, clock: Callable[[], float], go_on: Callable[[], bool]
) -> Iterator[Passed | Happened]:
    """Hold the conversation over `link` while `go_on()`, yielding what passes by `clock`. Raises `LinkLostError`."""

    def carry_out(actions: list[Action], now: float) -> Iterator[Passed | Happened]:
        for action in actions:
            if isinstance(action, Send):
                link.write(action.data)
                yield Passed(now, Direction.OUT, action.data)
            else:
                yield Happened(now, action)

    start = clock()
    yield from carry_out(session.opened(start), start)
    while go_on():
        data = link.read(min(session.deadline - clock(), _LONGEST_READ))
        now = clock()
        if data:
            yield Passed(now, Direction.IN, data)
        yield from carry_out(session.data_received(data, now) if data else session.tick(now), now)


def overhear(
    passing: Iterable[Passed | None], session: TraySession, clock: Callable[[], float]
) -> Iterator[Passed | Happened]:
    """The traffic between a tray and another program, with its meaning; None stands for a pause.

    The times of `passing` count from now, those that are yielded are of `clock`. `session` only listens: what it would
    send is dropped.
    """
    now = start = clock()
    actions = session.opened(now)
    for one in itertools.chain([None], passing):
        now = max(now, start + one.time if one is not None else clock())
        if one is not None:
            yield replace(one, time=now)
        if one is not None and one.direction is Direction.IN:
            actions += session.data_received(one.data, now)
        elif one is None:
            actions += session.tick(now)
        yield from (Happened(now, action) for action in actions if isinstance(action, Report | Show | Changed))
        actions = []
