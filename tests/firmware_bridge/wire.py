"""A simulated tray and a session on one wire in virtual time, with transports that treat bytes badly."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from firmware_bridge.actions import Action, Changed, Reopen, Report, Send
from firmware_bridge.session import TraySession
from firmware_bridge.simulator import SimulatedTray
from firmware_bridge.taught import TaughtDice
from rules.dice import DieKind, Face, Reading

Arrivals = list[tuple[float, bytes]]
Transport = Callable[[bytes, Random], Arrivals]
"""Turns bytes put on the wire into pieces, each with its delay in seconds."""


def clean(data: bytes, random: Random) -> Arrivals:
    del random
    return [(0.0, data)]


def one_byte_at_a_time(data: bytes, random: Random) -> Arrivals:
    del random
    return [(0.0001 * number, bytes((byte,))) for number, byte in enumerate(data)]


def losing(data: bytes, random: Random) -> Arrivals:
    """One byte in a hundred never arrives."""
    return [(0.0, bytes(byte for byte in data if random.random() >= 0.01))]


def losing_whole_pieces(data: bytes, random: Random) -> Arrivals:
    return [] if random.random() < 0.2 else [(0.0, data)]


def duplicating(data: bytes, random: Random) -> Arrivals:
    return [(0.0, data)] * random.randint(1, 3)


def flipping(data: bytes, random: Random) -> Arrivals:
    """One byte in a hundred has a flipped bit."""
    return [(0.0, bytes(byte ^ (1 << random.randrange(8)) if random.random() < 0.01 else byte for byte in data))]


def delaying(data: bytes, random: Random) -> Arrivals:
    return [(random.uniform(0.0, 0.4), data)]


def noisy(data: bytes, random: Random) -> Arrivals:
    """Noise before every piece, without a zero at its end."""
    return [(0.0, random.randbytes(random.randrange(12)) + data)]


TRANSPORTS: tuple[Transport, ...] = (
    clean,
    one_byte_at_a_time,
    losing,
    losing_whole_pieces,
    duplicating,
    flipping,
    delaying,
    noisy,
)


@dataclass
class Wire:
    """Runs both ends. `delaying` keeps each direction in order, as a wire does."""

    transport: Transport = clean
    seed: int = 1
    now: float = 0.0
    readings: list[Reading] = field(default_factory=list)
    changes: list[Changed] = field(default_factory=list)
    reopenings: int = 0
    plugged: bool = True
    taught: TaughtDice = field(default_factory=TaughtDice)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)  # noqa: S311 - a repeatable wire
        self.tray = SimulatedTray(Random(self.seed + 1))  # noqa: S311 - a repeatable tray
        self.session = TraySession(nonce=77, start_id="wire", taught=lambda: self.taught)
        self._flying: list[tuple[float, int, bool, bytes]] = []
        self._order = itertools.count()
        self._last_arrival = {True: 0.0, False: 0.0}

    def open(self) -> None:
        self._do(self.session.opened(self.now))

    def run(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Let time pass; whether `until` came true."""
        end = self.now + seconds
        while not until():
            self._fly(self.tray.take_output(), to_host=True)
            arrival = self._flying[0][0] if self._flying else end
            self.now = max(self.now, min(end, arrival, self.session.deadline, self.tray.deadline))
            if self.now >= end:
                return until()
            while self._flying and self._flying[0][0] <= self.now:
                _, _, to_host, data = heapq.heappop(self._flying)
                if to_host:
                    self._do(self.session.data_received(data, self.now))
                else:
                    self.tray.receive(data, self.now)
            self.tray.advance(self.now)
            self._do(self.session.tick(self.now))
        return True

    def throw(self, *faces: tuple[DieKind, Face]) -> None:
        self.tray.throw(faces, self.now)

    def teach(self, taught: TaughtDice) -> None:
        """The host knows other dice from now on."""
        self.taught = taught
        self._do(self.session.taught_anew(self.now))

    def cut(self, keep: int, keep_outgoing: int = 0) -> None:
        """Pull the cable: of what flies only the first `keep` bytes arrive, and as many as said of the host's."""
        self._fly(self.tray.take_output(), to_host=True)
        flying = sorted(self._flying)
        self._flying.clear()
        data = b"".join(piece for _, _, to_host, piece in flying if to_host)
        outgoing = b"".join(piece for _, _, to_host, piece in flying if not to_host)
        self.tray.receive(outgoing[:keep_outgoing], self.now)
        self._do(self.session.data_received(data[:keep], self.now))
        self._flying.clear()
        self.tray.take_output()

    def _fly(self, data: bytes, *, to_host: bool) -> None:
        if not data:
            return
        for delay, piece in self.transport(data, self.random):
            arrival = max(self.now + delay, self._last_arrival[to_host])
            self._last_arrival[to_host] = arrival
            heapq.heappush(self._flying, (arrival, next(self._order), to_host, piece))

    def _do(self, actions: list[Action]) -> None:
        for action in actions:
            if isinstance(action, Send):
                self._fly(action.data, to_host=False)
            elif isinstance(action, Report):
                self.readings.append(action.reading)
            elif isinstance(action, Changed):
                self.changes.append(action)
            elif isinstance(action, Reopen):
                self.reopenings += 1


def shown(reading: Reading) -> list[tuple[DieKind, Face | None]]:
    """The dice of `reading`, kind and face."""
    return [(die.kind, die.face) for die in reading.dice]
