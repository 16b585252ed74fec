"""Keeps the paired dice connected, from a thread of its own: what `source` begins once there is one.

bleak is imported here and nowhere else, in the thread, and only once a die is paired or looked for: a kiosk without a
Bluetooth adapter, or without bleak, lacks these dice alone.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import importlib
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from types import ModuleType
from typing import Any, Final, Protocol, cast

from firmware_bridge.bluetooth.dice import DieStatus, FoundDie, PairedDie
from firmware_bridge.bluetooth.makers import CHANNELS, QUESTIONS, READS, Channel, Maker, maker_of
from firmware_bridge.bluetooth.throws import BATTERY_LOW, ThrowBook
from firmware_bridge.errors import NO_WORDS, TrayError
from rules.dice import Reading, SourceKind, SourceState, SourceStatus
from rules.words import say, say_count, sentences

CONNECT_TIMEOUT: Final = 10.0
"""Seconds for one attempt to connect."""

BACK_OFF: Final = (1.0, 2.0, 4.0, 4.0)
"""Seconds before the next look for dice that are away; the last one for ever. A die that sleeps is not heard until it
is moved."""

LOOK_FOR: Final = 5.0
"""Seconds of one search for dice; a search for absent ones ends with the first that is found."""

STOP_TIMEOUT: Final = 3.0
"""Seconds that `stop` waits for the thread."""

_LOG: Final = logging.getLogger(__name__)
_BY_HAND: Final = say("Enter their dice by hand until then.")
"""What to do while Bluetooth dice cannot be heard."""


class Client(Protocol):
    """What is needed of bleak's `BleakClient`."""

    @property
    def services(self) -> Any:  # noqa: ANN401  # bleak's own collection
        """The services of a connected device."""

    def connect(self) -> Awaitable[object]:
        """Connect. Raises `BleakError` and others."""

    def disconnect(self) -> Awaitable[object]:
        """Let go."""

    def start_notify(self, char_specifier: str, callback: Callable[[object, bytearray], None]) -> Awaitable[object]:
        """Call `callback` with what that characteristic sends."""

    def write_gatt_char(self, char_specifier: str, data: bytes) -> Awaitable[object]:
        """Write to that characteristic."""


def load_bleak() -> ModuleType:
    """The library. Raises `ImportError`, or whatever breaks in it."""
    return importlib.import_module("bleak")


class BluetoothDice:
    """Keeps the dice that `paired` names connected for ever, and reports each throw of theirs once.

    `start_id` is another at every start of the host. `load` and `clock` stand for bleak and the time in tests. Every
    method may be called from any thread.
    """

    kind: Final = SourceKind.BLUETOOTH

    def __init__(
        self,
        paired: Callable[[], tuple[PairedDie, ...]],
        *,
        start_id: str,
        load: Callable[[], ModuleType] = load_bleak,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._paired = paired
        self._load = load
        self._clock = clock
        self._book = ThrowBook(start_id)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed: asyncio.Event | None = None
        self._thread: threading.Thread | None = None
        self._stopping = False
        self._turn: asyncio.Lock | None = None
        self._lacking: asyncio.Event | None = None
        self._kept: dict[str, PairedDie] = {}
        self._talks: dict[str, tuple[asyncio.Task[None], asyncio.Event]] = {}
        """Whom is listened to, by address; setting the event ends it, as does the die that goes away."""
        self._connected: set[str] = set()
        self._met: set[str] = set()
        self._looked = False
        self._trouble: dict[str, str] = {}
        self._told: SourceStatus | None = None
        self._report: Callable[[Reading], None] = lambda _: None
        self._tell: Callable[[SourceStatus], None] = lambda _: None

    def start(self, report: Callable[[Reading], None], tell: Callable[[SourceStatus], None]) -> None:
        """Begin, in a thread of its own; see `TraySupervisor.start`."""
        self._report, self._tell = report, tell
        self._stopping = False
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), name="bluetooth", daemon=True)
        self._thread.start()
        ready.wait(STOP_TIMEOUT)

    def stop(self) -> None:
        """End within `STOP_TIMEOUT` seconds; harmless when not started."""
        thread, self._thread = self._thread, None
        self._stopping = True
        self.refresh()
        if thread is not None:
            thread.join(STOP_TIMEOUT)

    def refresh(self) -> None:
        """Take note that the paired dice changed."""
        loop, changed = self._loop, self._changed
        if loop is not None and changed is not None:
            with suppress(RuntimeError):  # it has just ended
                loop.call_soon_threadsafe(changed.set)

    def picture(self, key: str) -> bytes | None:  # noqa: ARG002 - the kiosk asks every source the same way
        """The picture of a die: these have none."""
        return None

    @property
    def dice(self) -> tuple[DieStatus, ...]:
        """The paired dice, and how each is."""
        return tuple(
            DieStatus(
                die, die.address in self._connected, self._book.doing(die.address), self._book.battery(die.address)
            )
            for die in self._paired()
        )

    def look_for(self, seconds: float = LOOK_FOR) -> tuple[FoundDie, ...]:
        """The dice nearby that are not connected. Raises `TrayError` with words where none can be looked for."""
        loop = self._loop
        if loop is None:
            raise TrayError(say("The Bluetooth dice are not in use."), say("Restart the kiosk."))
        looking = asyncio.run_coroutine_threadsafe(self._look_for(seconds), loop)
        try:
            return looking.result(seconds + 2 * CONNECT_TIMEOUT)  # a die that is being connected has its turn first
        except concurrent.futures.TimeoutError as error:
            looking.cancel()
            raise TrayError(say("Bluetooth does not answer."), say("Restart the kiosk.")) from error
        except Exception as error:
            raise TrayError(
                say("No dice can be looked for: {reason}.", reason=_reason(error)),
                say("Look whether the kiosk has a Bluetooth adapter, and whether it is switched on."),
            ) from error

    async def _look_for(self, seconds: float) -> tuple[FoundDie, ...]:
        async with self._the_turn():
            seen = await self._load().BleakScanner.discover(seconds, return_adv=True)
        found = []
        for device, told in seen.values():
            name = told.local_name or device.name or ""
            maker = maker_of(name, told.service_uuids)
            if maker is not None:
                found.append(FoundDie(device.address, name or device.address, maker))
        return tuple(sorted(found, key=lambda one: one.name))

    def _run(self, ready: threading.Event) -> None:
        try:
            asyncio.run(self._keep_all(ready))
        except Exception as error:  # noqa: BLE001 - the kiosk goes on without these dice
            _LOG.exception("The Bluetooth dice's thread failed.")
            self._connected.clear()
            self._tell(
                SourceStatus(
                    self.kind,
                    SourceState.LOST,
                    say("The Bluetooth dice cannot be used any more: {reason}.", reason=_reason(error)),
                    say("Enter their dice by hand, and restart the kiosk."),
                )
            )
        finally:
            self._loop = self._changed = self._turn = self._lacking = None
            ready.set()

    async def _keep_all(self, ready: threading.Event) -> None:
        self._loop, self._changed = asyncio.get_running_loop(), asyncio.Event()
        self._turn, self._lacking = asyncio.Lock(), asyncio.Event()
        ready.set()
        connecting = asyncio.create_task(self._connect_in_turn())
        while not self._stopping:
            paired = {die.address: die for die in self._paired()}
            for die in [die for die in self._kept.values() if paired.get(die.address) != die]:
                await self._let_go(die)  # one that was paired anew as another kind is another die
            for die in paired.values():
                if die.address not in self._kept:
                    self._book.expect(die.address, die.kind, tells=die.maker is Maker.PIXELS)
                    self._kept[die.address] = die
                    self._lacking.set()
            self._say()
            deadline = self._book.deadline
            wait = None if deadline is None else max(deadline - self._clock(), 0.0)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), wait)
            self._changed.clear()
            if (reading := self._book.ended(self._clock())) is not None:
                try:
                    self._report(reading)
                except Exception:  # noqa: BLE001 - whoever takes readings must not cost the dice
                    _LOG.exception("A listener of the Bluetooth dice failed.")
        connecting.cancel()
        await asyncio.gather(connecting, return_exceptions=True)
        for die in list(self._kept.values()):
            await self._let_go(die)

    async def _let_go(self, die: PairedDie) -> None:
        """Disconnect a die that is no longer ours, and wait for it: a die has only one connection at a time."""
        self._kept.pop(die.address, None)
        if (talk := self._talks.get(die.address)) is not None:
            listening, gone = talk
            gone.set()  # one that is cancelled would neither disconnect nor make room
            await asyncio.gather(listening, return_exceptions=True)
        self._book.forget(die.address)

    async def _connect_in_turn(self) -> None:
        """Connect the dice that are away, for ever, and one after the other.

        BlueZ answers `InProgress` to whoever connects while it connects another. One look is for all of them, so that
        dice that sleep keep nobody waiting; one that was heard and does not connect waits until the others had a turn.
        """
        failed: set[str] = set()
        attempt = 0
        while True:
            lacking = self._lacking
            if lacking is None:
                return
            lacking.clear()
            away = self._kept.keys() - self._talks.keys()
            if not away:
                attempt = 0
                await lacking.wait()
                continue
            try:
                heard = await self._hear_one(failed) if away - failed else None
            except Exception as error:  # noqa: BLE001 - whatever bleak and the system's Bluetooth do costs these dice alone
                self._trouble |= dict.fromkeys(away, _reason(error))
                heard = None
            if heard is not None and await self._connect(*heard):
                attempt = 0
                continue
            if heard is not None:
                failed.add(heard[0].address)
                continue
            failed.clear()
            self._looked = True
            self._wake()
            with suppress(TimeoutError):
                await asyncio.wait_for(lacking.wait(), BACK_OFF[min(attempt, len(BACK_OFF) - 1)])
            attempt += 1

    async def _hear_one(self, failed: Collection[str]) -> tuple[PairedDie, object] | None:
        """An absent die that is in reach now, as bleak's object; None if none is found within `LOOK_FOR`."""

        def wanted(device: Any, _: object) -> bool:  # noqa: ANN401  # bleak's own
            address = device.address
            return address in self._kept and address not in self._talks and address not in failed

        async with self._the_turn():
            device = await self._load().BleakScanner.find_device_by_filter(wanted, timeout=LOOK_FOR)
        die = self._kept.get(device.address) if device is not None else None
        return (die, device) if die is not None else None

    async def _connect(self, die: PairedDie, device: object) -> bool:
        """Connect that die, and listen to it; whether that succeeded."""
        gone = asyncio.Event()
        try:
            client = cast(
                "Client",
                self._load().BleakClient(device, disconnected_callback=lambda _: gone.set(), timeout=CONNECT_TIMEOUT),
            )
            try:
                async with self._the_turn():
                    await client.connect()
                channel = _channel(client, die.maker)
                await client.start_notify(channel.notify, lambda _, data: self._heard(die, bytes(data)))
                await client.write_gatt_char(channel.write, QUESTIONS[die.maker])
            except BaseException:
                await _left(client)
                raise
        except Exception as error:  # noqa: BLE001 - whatever bleak and the system's Bluetooth do costs this die alone
            self._trouble |= {die.address: _reason(error)}
            return False
        if self._kept.get(die.address) != die:  # forgotten meanwhile
            await _left(client)
            return True
        self._trouble |= {die.address: ""}
        self._connected.add(die.address)
        self._met.add(die.address)
        self._talks[die.address] = (asyncio.create_task(self._listen(die, client, gone)), gone)
        self._wake()
        return True

    async def _listen(self, die: PairedDie, client: Client, gone: asyncio.Event) -> None:
        """Until the connection is gone, or is to be."""
        await gone.wait()
        self._connected.discard(die.address)
        self._book.lost(die.address, self._clock())
        self._wake()
        await _left(client)
        self._talks.pop(die.address, None)
        if self._lacking is not None:
            self._lacking.set()

    def _the_turn(self) -> asyncio.Lock:
        """Looking and connecting, each by itself: BlueZ refuses a second one of either."""
        if self._turn is None:
            raise TrayError(say("The Bluetooth dice are not in use."), say("Restart the kiosk."))
        return self._turn

    def _heard(self, die: PairedDie, data: bytes) -> None:
        with suppress(KeyError):  # it has just been forgotten
            self._book.take(die.address, READS[die.maker](data, self._book.kind(die.address)), self._clock())
        self._wake()

    def _wake(self) -> None:
        if self._changed is not None:
            self._changed.set()

    def _say(self) -> None:
        paired = self._paired()
        if not paired:
            if self._told is None:
                return  # whoever has none of these dice misses nothing
            status = SourceStatus(self.kind, SourceState.ABSENT, say("No Bluetooth dice are paired."))
        else:
            status = self._status(paired)
        if status != self._told:
            self._log(status)
            self._told = status
            self._tell(status)

    def _status(self, paired: tuple[PairedDie, ...]) -> SourceStatus:
        here = [die for die in paired if die.address in self._connected]
        remedies = [
            say("The battery of {die} is low: charge it soon.", die=die.name)
            for die in here
            if (charge := self._book.battery(die.address)) is not None and charge < BATTERY_LOW
        ]
        if len(here) == len(paired):
            what = say_count(len(here), "One Bluetooth die is in reach.", "{number} Bluetooth dice are in reach.")
            return SourceStatus(self.kind, SourceState.READY, what, sentences(*remedies))
        away = ", ".join(die.name for die in paired if die not in here)
        remedies += [say("Move them, so that they wake up, or charge them."), _BY_HAND]
        what = say("Not in reach by Bluetooth: {dice}.", dice=away)
        if here:
            return SourceStatus(self.kind, SourceState.READY, what, sentences(*remedies))
        reason = next((why for die in paired if (why := self._trouble.get(die.address))), "")
        if reason:
            what = sentences(what, say("The last answer was: {reason}.", reason=reason))
        state = SourceState.LOST if self._met or self._looked else SourceState.STARTING
        return SourceStatus(self.kind, state, what, sentences(*remedies))

    def _log(self, status: SourceStatus) -> None:
        before = self._told.state if self._told is not None else None
        if status.state is before:
            return
        level = logging.WARNING if status.state is SourceState.LOST else logging.INFO
        _LOG.log(level, "%s %s", status.what, status.remedy or NO_WORDS)


async def _left(client: Client) -> None:
    with suppress(Exception):
        await client.disconnect()


def _channel(client: Client, maker: Maker) -> Channel:
    for channel in CHANNELS[maker]:
        if client.services.get_service(channel.service) is not None:
            return channel
    raise LookupError("it has no service of such a die")


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return say("no Bluetooth service runs on this computer")
    return (str(error) or type(error).__name__).rstrip(".")
