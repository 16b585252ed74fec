"""Makes one reading a throw from the reports of single dice: free of I/O and of the clock.

Nobody ends a throw: it is over when no die of it is on its way any more, and none has spoken for `QUIET` seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from firmware_bridge.bluetooth.makers import Doing, News
from rules.dice import DieKind, DieReading, DieState, Reading, SourceKind

QUIET: Final = 0.7
"""Seconds after the last die came to rest in which another one of the same throw may begin to roll."""

LONGEST: Final = 15.0
"""Seconds after which a throw ends without the dice that have not come to rest: they are asked about."""

BATTERY_LOW: Final = 15
"""Per cent of charge at which a die is worth a word."""


@dataclass(slots=True)
class _Die:
    kind: DieKind
    told: bool
    foreign: bool = False
    doing: Doing | None = None
    face: int | None = None
    battery: int | None = None
    thrown: bool = False
    rested: bool = False
    """It came to rest in the throw under way."""


class ThrowBook:
    """The dice that are paired, by address, and the throw under way. `start_id` is another at every start."""

    def __init__(self, start_id: str) -> None:
        self._start_id = start_id
        self._dice: dict[str, _Die] = {}
        self._count = 0
        self._began = 0.0
        self._newest = 0.0

    def expect(self, address: str, kind: DieKind, *, tells: bool = False) -> None:
        """Add a paired die. One that `tells` its kind itself is not read before it did."""
        self._dice[address] = _Die(kind, told=not tells)

    def forget(self, address: str) -> None:
        """Remove a die, also from a throw under way."""
        self._dice.pop(address, None)

    def kind(self, address: str) -> DieKind:
        """What that die is, as far as is known. Raises `KeyError` for one that is not ours."""
        return self._dice[address].kind

    def doing(self, address: str) -> Doing | None:
        """What that die does; None where it has said nothing, or is out of reach."""
        die = self._dice.get(address)
        return die.doing if die is not None else None

    def battery(self, address: str) -> int | None:
        """Its charge in per cent, as it said last."""
        die = self._dice.get(address)
        return die.battery if die is not None else None

    @property
    def deadline(self) -> float | None:
        """When `ended` will return a throw unless a die reports before; None while nothing was thrown."""
        thrown = [die for die in self._dice.values() if die.thrown]
        if not thrown:
            return None
        if any(die.doing in (Doing.ROLLING, Doing.HANDLED) for die in thrown):
            return self._began + LONGEST
        return min(self._newest + QUIET, self._began + LONGEST)

    def take(self, address: str, news: News, now: float) -> None:
        """Process a die's report."""
        die = self._dice.get(address)
        if die is None:
            return
        die.kind, die.told = news.kind or die.kind, die.told or news.kind is not None
        die.foreign = news.foreign or (die.foreign and news.kind is None)
        die.battery = news.battery if news.battery is not None else die.battery
        if die.foreign:
            die.thrown = False
        if news.doing is None or die.foreign:
            return
        if news.doing is Doing.ROLLING and not die.thrown:
            if not any(one.thrown for one in self._dice.values()):
                self._began = now
            die.thrown, die.rested = True, False
        elif news.doing is Doing.PLACED and die.thrown and not die.rested:
            die.thrown = False  # what was rolling was put down by a hand: it is no throw
        die.rested = die.rested or news.doing in (Doing.SETTLED, Doing.COCKED)
        if news.doing is Doing.SETTLED and not die.thrown:
            news = News(Doing.PLACED, news.face)  # nobody saw it roll
        die.doing, die.face, self._newest = news.doing, news.face, now

    def lost(self, address: str, now: float) -> None:
        """Note that a die is out of reach. In a throw under way it is asked about; else nothing is missing."""
        die = self._dice.get(address)
        if die is not None:
            die.doing, die.face = None, None
            self._newest = now

    def ended(self, now: float) -> Reading | None:
        """The throw that is over now; None while none is."""
        deadline = self.deadline
        if deadline is None or now < deadline:
            return None
        dice = []
        for address, die in self._dice.items():
            if die.thrown:
                dice.append(_reading(address, die))
                die.thrown = False
        self._count += 1
        return Reading(f"bluetooth:{self._start_id}:{self._count}", SourceKind.BLUETOOTH, tuple(dice))


def _reading(address: str, die: _Die) -> DieReading:
    read = die.doing is Doing.SETTLED and die.face is not None and die.told
    state = DieState.READ if read else DieState.COCKED if die.doing is Doing.COCKED else DieState.DOUBTFUL
    return DieReading(
        kind=die.kind,
        face=die.face if read else None,
        confidence=1.0 if read else 0.0,
        state=state,
        source=SourceKind.BLUETOOTH,
        die_id=address,
    )
