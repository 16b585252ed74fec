"""All dice trays that are plugged in, as one source: each has its own connection, and its throws count once.

In: the ports that are found. Out: readings of all of them, and one state in words; where there are several, they are
told apart by their numbers. One more than are in use always looks for another port.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from firmware_bridge import discover
from firmware_bridge.shares import PortShares
from firmware_bridge.supervisor import TraySupervisor
from kiosk.devices.camera_tray import CameraTray
from kiosk.devices.tray_desk import TrayDesk, TrayInUse
from rules.dice import Reading, SourceKind, SourceState, SourceStatus
from rules.words import Phrase, known, masked_address, say, sentences

if TYPE_CHECKING:
    from vision.desk.tray_pictures import TrayPictures

MOST_TRAYS: Final = 4
"""Trays at one kiosk: one at each end of a long table, and two to spare."""

_BY_WEIGHT: Final = (SourceState.READY, SourceState.INCOMPATIBLE, SourceState.LOST, SourceState.STARTING)
"""The state of several trays is the first of these that one of them has: while one is ready, dice can be thrown."""

_OUT_OF_USE: Final = frozenset({SourceState.INCOMPATIBLE, SourceState.LOST})
"""States that count as a fault of all trays when one of several has them."""

BEING_WRITTEN: Final = say("Another firmware is written to the dice tray.")
"""The message for a tray whose port is released for writing firmware."""

_UNMET: Final = frozenset({SourceState.ABSENT, SourceState.STARTING, SourceState.OFF})
"""The states of a tray before its first contact."""


@dataclass(slots=True)
class _Member:
    """One tray: its number from 1, its parts, and what it said last."""

    number: int
    supervisor: TraySupervisor
    source: CameraTray
    status: SourceStatus | None = None
    met: bool = False


@dataclass(frozen=True, slots=True)
class _Port:
    """The port of one tray, which can be released for a while."""

    trays: Trays
    member: _Member

    def rest(self) -> None:
        """See `UpdatableTray`."""
        self.trays.rest(self.member)

    def resume(self) -> None:
        """See `UpdatableTray`."""
        self.trays.resume(self.member)


def addresses_of(setting: str | None) -> tuple[str | None, ...]:
    """The addresses that `tray.url` names, with blanks between them; None alone stands for all that can be found."""
    return tuple(setting.split()) if setting and setting.strip() else (None,)


class Trays:
    """The trays at `addresses` (see `addresses_of`), taught and watched by `desk`.

    `make` loads what reads pictures, once for each tray with a camera; `supervisor` keeps one tray connected. `find`
    stands for the system's list of ports in tests. Every method may be called from any thread.
    """

    kind: Final = SourceKind.TRAY

    def __init__(
        self,
        addresses: tuple[str | None, ...],
        desk: TrayDesk,
        make: Callable[[], TrayPictures],
        *,
        find: Callable[[str | None], list[str]] = discover.ports_of,
        supervisor: type[TraySupervisor] = TraySupervisor,
    ) -> None:
        self._addresses = addresses
        several = any(one is None or one.startswith(discover.USB) for one in addresses)
        self._fixed = not several
        """Whether each address belongs to one fixed tray, which counts as lost while it is away."""
        self._most = MOST_TRAYS if several else min(len(addresses), MOST_TRAYS)
        self._left_out = () if several else tuple(filter(None, addresses[MOST_TRAYS:]))
        self._desk = desk
        self._make = make
        self._find = find
        self._supervisor = supervisor
        self._shares = PortShares(lambda: [port for one in addresses for port in find(one)])
        self._members: tuple[_Member, ...] = ()
        self.rested: Callable[[str, float], None] = lambda _name, _at: None
        """See `CameraTray.rested`; to be set before `start`."""
        self._lock = threading.RLock()
        self._told: SourceStatus | None = None
        self._running = False
        self._report: Callable[[Reading], None] = lambda _: None
        self._tell: Callable[[SourceStatus], None] = lambda _: None
        desk.in_use = self.in_use

    def start(self, report: Callable[[Reading], None], tell: Callable[[SourceStatus], None]) -> None:
        """See `DiceSource`."""
        with self._lock:
            self._report, self._tell, self._running = report, tell, True
            members = self._members
            while len(self._members) < (self._most if self._fixed else 1):
                self._add()
        for one in members:
            self._begin(one)

    def stop(self) -> None:
        """See `DiceSource`."""
        with self._lock:
            self._running = False
            members = self._members
        for one in members:
            one.source.stop()

    def in_use(self) -> tuple[TrayInUse, ...]:
        """The trays that have answered, by number; the first one always."""
        met = [one for one in self._members if one.met] or list(self._members[:1])
        return tuple(
            TrayInUse(one.number, one.supervisor, one.supervisor.onlookers, one.source, _Port(self, one)) for one in met
        )

    def rest(self, one: _Member) -> None:
        """Release that tray's port for another program."""
        one.source.stop()
        self._told_by(one, SourceStatus(SourceKind.TRAY, SourceState.STARTING, BEING_WRITTEN))

    def resume(self, one: _Member) -> None:
        """Look for that tray again, unless all has ended meanwhile."""
        with self._lock:
            if self._running:
                self._begin(one)

    @property
    def has_camera_ready(self) -> bool:
        """Whether one of them would send a picture of a throw now."""
        return any(one.source.is_ready for one in self._members)

    def picture(self, key: str) -> bytes | None:
        """See `DiceSource`."""
        return next((found for one in self._members if (found := one.source.picture(key)) is not None), None)

    def whole(self, key: str) -> bytes | None:
        """The whole picture of that die's throw, as JPEG, with the die marked."""
        return next((found for one in self._members if (found := one.source.whole(key)) is not None), None)

    def has_cut_out(self, key: str) -> bool:
        """Whether `cut_out` has that die."""
        return any(one.source.has_cut_out(key) for one in self._members)

    def cut_out(self, key: str) -> bytes | None:
        """The die of that picture by itself, as WebP."""
        return next((found for one in self._members if (found := one.source.cut_out(key)) is not None), None)

    def _add(self) -> None:
        """Add a tray that looks for a free port."""
        number = len(self._members) + 1
        one_setting = self._addresses[0] if len(self._addresses) == 1 else None
        named = self._addresses[number - 1] if self._fixed else one_setting
        supervisor = self._supervisor(
            named,
            find_ports=(lambda: self._find(named)) if self._fixed else (lambda: self._shares.of(number)),
            taught=self._desk.file,
            hold_back=self._desk.teaching_now,
            held_roll=self._desk.under_way.held_roll,
            keep_held=self._desk.under_way.hold,
        )
        supervisor.looked = lambda _: self._desk.looked(self._desk.places)
        made = _Member(number, supervisor, CameraTray(supervisor, self._make))
        made.source.rested = self.rested
        self._members = (*self._members, made)
        self._begin(made)

    def _begin(self, one: _Member) -> None:
        one.source.start(self._report, lambda status: self._told_by(one, status))

    def _told_by(self, one: _Member, status: SourceStatus) -> None:
        with self._lock:
            one.status, one.met = status, one.met or self._fixed or status.state not in _UNMET
            all_met = all(other.met for other in self._members)
            if self._running and all_met and not self._fixed and len(self._members) < self._most:
                self._add()
            told = _together([other for other in self._members if other.met] or [self._members[0]])
            if told is not None and self._left_out:
                told = replace(told, remedy=sentences(told.remedy, left_out_words(self._left_out)))
            if told is not None and told != self._told:
                self._told = told
                self._tell(told)


def left_out_words(addresses: Sequence[str]) -> Phrase:
    """The message about addresses in `tray.url` beyond the largest number."""
    return say(
        "More than {most} trays cannot be used at once: {addresses} in tray.url is left out.",
        most=MOST_TRAYS,
        addresses=", ".join(masked_address(one) for one in addresses),
    )


def _together(members: list[_Member]) -> SourceStatus | None:
    """The joint state of all trays; None before the first report."""
    statuses = [(one.number, one.status) for one in members if one.status is not None]
    if len(statuses) <= 1:
        return statuses[0][1] if statuses else None
    states = [status.state for _, status in statuses]
    state = next((one for one in _BY_WEIGHT if one in states), states[0])
    return SourceStatus(
        SourceKind.TRAY,
        state,
        sentences(*(_of(number, status.what) for number, status in statuses)),
        sentences(*(_of(number, status.remedy) for number, status in statuses if status.remedy)),
        {"address": ", ".join(found for _, status in statuses if (found := status.detail.get("address")))},
        sentences(*(_of(number, status.notice) for number, status in statuses if status.notice)),
        faulty=any(one.faulty or (state is SourceState.READY and one.state in _OUT_OF_USE) for _, one in statuses),
    )


def _of(number: int, words: str) -> Phrase:
    return say("Tray {number}: {what}", number=number, what=known(words))
