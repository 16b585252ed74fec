"""The conversation over a link: what passes both ways is told, and what it means."""

from __future__ import annotations

from firmware_bridge.actions import Changed, Report
from firmware_bridge.conversation import Direction, Happened, Passed, follow
from firmware_bridge.wording import Situation
from tests.firmware_bridge.test_session import DIE, END, HELLO, session, wire


class Scripted:
    """A link on which each read brings the next of some pieces, an empty one being a while in which nothing came."""

    def __init__(self, *pieces: bytes) -> None:
        self.address = "script"
        self.left = list(pieces)
        self.written: list[bytes] = []

    def read(self, timeout: float) -> bytes:
        del timeout
        return self.left.pop(0)

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def wake(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Nothing is open."""


def test_what_passes_both_ways_is_told_and_what_it_means() -> None:
    link = Scripted(wire(HELLO), b"", wire(DIE, END))
    told = list(follow(link, session(), lambda: 0.0, lambda: bool(link.left)))
    passed = [one for one in told if isinstance(one, Passed)]
    meant = [one.action for one in told if isinstance(one, Happened)]
    assert [one.data for one in passed if one.direction is Direction.IN] == [wire(HELLO), wire(DIE, END)]
    assert len(link.written) > 2
    assert [one.data for one in passed if one.direction is Direction.OUT] == link.written
    assert [one.condition.situation for one in meant if isinstance(one, Changed)][-1] is Situation.READY
    assert [[die.face for die in one.reading.dice] for one in meant if isinstance(one, Report)] == [[17]]


def test_who_sends_nothing_is_asked_again_as_time_passes() -> None:
    now = [0.0]
    link = Scripted(*[b""] * 3)

    def clock() -> float:
        now[0] += 0.5
        return now[0]

    told = list(follow(link, session(), clock, lambda: bool(link.left)))
    assert len(link.written) == 4
    assert [one.data for one in told if isinstance(one, Passed)] == link.written
