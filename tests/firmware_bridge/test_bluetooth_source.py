"""The Bluetooth dice as a source: a stand-in with bleak's own interface plays what dice send, and goes out of reach."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest

from firmware_bridge.bluetooth import supervisor
from firmware_bridge.bluetooth.dice import FoundDie, PairedDie
from firmware_bridge.bluetooth.makers import CHANNELS, QUESTIONS, Doing, Maker
from firmware_bridge.bluetooth.source import BluetoothSource
from firmware_bridge.bluetooth.supervisor import BluetoothDice
from firmware_bridge.errors import TrayError
from rules.dice import DieKind, Reading, SourceKind, SourceState, SourceStatus

RED = PairedDie("AA:01", "Red", Maker.PIXELS, DieKind.D20)
BLUE = PairedDie("AA:02", "Blue", Maker.GODICE, DieKind.D20)
ROLLING, ON_17 = b"\x03\x03\x00", b"\x03\x01\x10"
"""A Pixel's RollState."""
I_AM_A_D20 = bytes((2, 20, 1, 7)) + bytes(16) + bytes((80, 0))
"""A Pixel's IAmADie."""
STABLE_8 = bytes((0x53, 0x40, 0x00, 0xEA))
"""A GoDie's S message; the d20 shell shows 8."""


@dataclass
class Die:
    """A die in the air; `maker` tells its channel."""

    maker: Maker
    name: str
    reachable: bool = True
    deaf: bool = False
    """It advertises itself and does not connect."""
    lets_go_after: float = 0.0
    """Seconds that its end of a connection takes."""
    wrote: list[bytes] = field(default_factory=list)
    listening: Callable[[bytes], None] | None = None
    drop: Callable[[], None] | None = None

    def send(self, *messages: bytes) -> None:
        """Notify, from another thread."""
        assert self.listening is not None
        for message in messages:
            self.listening(message)

    def go_away(self) -> None:
        """Out of reach, until `reachable` again."""
        self.reachable = False
        assert self.drop is not None
        self.drop()


class StandInClient:
    """bleak's `BleakClient`; `AIR` is what is in reach."""

    AIR: Air

    def __init__(
        self,
        address_or_ble_device: SimpleNamespace,
        disconnected_callback: Callable[[Any], None] | None = None,
        services: object = None,
        *,
        timeout: float = 30,
    ) -> None:
        del services
        assert timeout > 0
        assert disconnected_callback is not None
        self._die = self.AIR.dice[address_or_ble_device.address]
        self._gone = disconnected_callback
        self._connected = False

    @property
    def services(self) -> object:
        known = {channel.service for channel in CHANNELS[self._die.maker][-1:]}
        return SimpleNamespace(get_service=lambda uuid: uuid if uuid in known else None)

    async def connect(self) -> None:
        with self.AIR.alone():
            await asyncio.sleep(0.02)
        if not self._die.reachable or self._die.deaf:
            raise TimeoutError
        self.AIR.connected.append(self._die.name)
        loop = asyncio.get_running_loop()

        def drop() -> None:
            loop.call_soon_threadsafe(self._gone, self)

        self._die.drop = drop
        self._connected = True

    async def disconnect(self) -> None:
        await asyncio.sleep(self._die.lets_go_after)
        self._connected = False

    async def start_notify(self, char_specifier: str, callback: Callable[[object, bytearray], None]) -> None:
        assert self._connected
        assert char_specifier == CHANNELS[self._die.maker][-1].notify
        loop = asyncio.get_running_loop()

        def listening(data: bytes) -> None:
            loop.call_soon_threadsafe(callback, object(), bytearray(data))

        self._die.listening = listening

    async def write_gatt_char(self, char_specifier: str, data: bytes) -> None:
        assert char_specifier == CHANNELS[self._die.maker][-1].write
        self._die.wrote.append(bytes(data))


class StandInScanner:
    """bleak's `BleakScanner`."""

    AIR: Air

    @classmethod
    async def discover(cls, timeout: float = 5.0, *, return_adv: bool = False) -> dict[str, tuple[Any, Any]]:  # noqa: ASYNC109 - bleak's own
        assert timeout >= 0
        assert return_adv
        if not cls.AIR.adapter:
            raise OSError("no powered Bluetooth adapter")
        with cls.AIR.alone():
            await asyncio.sleep(timeout)
        return {
            address: (
                SimpleNamespace(address=address, name=die.name),
                SimpleNamespace(local_name=die.name, service_uuids=[CHANNELS[die.maker][-1].service]),
            )
            for address, die in cls.AIR.dice.items()
        }

    @classmethod
    async def find_device_by_filter(
        cls,
        filterfunc: Callable[[Any, Any], bool],
        timeout: float = 10.0,  # noqa: ASYNC109 - bleak's own
    ) -> object | None:
        if not cls.AIR.adapter:
            raise OSError("no powered Bluetooth adapter")
        with cls.AIR.alone():
            end = time.monotonic() + timeout
            while time.monotonic() < end:
                for address, die in cls.AIR.dice.items():
                    device = SimpleNamespace(address=address, name=die.name)
                    if die.reachable and filterfunc(device, None):
                        return device
                await asyncio.sleep(0.005)
        return None


class Air:
    """What is in reach, with the names of bleak."""

    def __init__(self, **dice: Die) -> None:
        self.dice = {address.replace("_", ":"): die for address, die in dice.items()}
        self.adapter = True
        self.busy = False
        self.refused = 0
        self.connected: list[str] = []
        self.BleakClient = type("BleakClient", (StandInClient,), {"AIR": self})
        self.BleakScanner = type("BleakScanner", (StandInScanner,), {"AIR": self})

    def load(self) -> ModuleType:
        return cast("ModuleType", self)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Looking and connecting, as BlueZ has them: each by itself."""
        if self.busy:
            self.refused += 1
            raise RuntimeError("[org.bluez.Error.InProgress] Operation already in progress")
        self.busy = True
        try:
            yield
        finally:
            self.busy = False


class Kiosk:
    """What is told to it."""

    def __init__(self, paired: tuple[PairedDie, ...], load: Callable[[], ModuleType]) -> None:
        self.readings: list[Reading] = []
        self.told: list[SourceStatus] = []
        self.paired = paired
        self.dice = BluetoothDice(lambda: self.paired, start_id="test", load=load)
        self.dice.start(self.readings.append, self.told.append)

    def until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + 20
        while not holds():
            assert time.monotonic() < end, (self.told, self.dice.dice)
            time.sleep(0.005)

    def is_ready(self) -> bool:
        return bool(self.told) and self.told[-1].state is SourceState.READY and "in reach." in self.told[-1].what


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "BACK_OFF", (0.02,))
    monkeypatch.setattr(supervisor, "LOOK_FOR", 0.1)


@pytest.fixture
def air() -> Air:
    return Air(AA_01=Die(Maker.PIXELS, "Red"), AA_02=Die(Maker.GODICE, "GoDice_02_K_v03"))


@pytest.fixture
def kiosk(air: Air) -> Iterator[Kiosk]:
    made = Kiosk((RED, BLUE), air.load)
    yield made
    made.dice.stop()


def test_two_makers_dice_thrown_together_are_one_reading(air: Air, kiosk: Kiosk) -> None:
    kiosk.until(kiosk.is_ready)
    red, blue = air.dice["AA:01"], air.dice["AA:02"]
    kiosk.until(lambda: bool(red.wrote and blue.wrote))
    assert (red.wrote, blue.wrote) == ([QUESTIONS[Maker.PIXELS]], [QUESTIONS[Maker.GODICE]])
    red.send(I_AM_A_D20, ROLLING)
    blue.send(b"R")
    kiosk.until(lambda: [one.doing for one in kiosk.dice.dice] == [Doing.ROLLING, Doing.ROLLING])
    red.send(ON_17)
    blue.send(STABLE_8)
    kiosk.until(lambda: bool(kiosk.readings))
    (reading,) = kiosk.readings
    assert reading.reading_id == "bluetooth:test:1"
    assert {(die.die_id, die.face, die.source) for die in reading.dice} == {
        ("AA:01", 17, SourceKind.BLUETOOTH),
        ("AA:02", 8, SourceKind.BLUETOOTH),
    }
    red.send(b"\x22\x05\x01")
    kiosk.until(lambda: "The battery of Red is low" in kiosk.told[-1].remedy)


def test_whoever_fails_to_take_a_reading_does_not_cost_the_dice(air: Air, kiosk: Kiosk) -> None:
    """Their thread ended, and they were called in reach for ever."""
    kiosk.until(kiosk.is_ready)
    red = air.dice["AA:01"]
    kiosk.until(lambda: bool(red.wrote))
    taken: list[Reading] = []

    def take(reading: Reading) -> None:
        taken.append(reading)
        if len(taken) == 1:
            raise OSError("no room")

    kiosk.dice._report = take  # noqa: SLF001 - as the kiosk gave it
    for number in (1, 2):
        red.send(I_AM_A_D20, ROLLING, ON_17)
        kiosk.until(lambda wanted=number: len(taken) == wanted)  # type: ignore[misc]  # a default binds it


def test_dice_that_cannot_be_kept_any_more_are_told_as_lost(kiosk: Kiosk) -> None:
    kiosk.until(kiosk.is_ready)

    def broken() -> tuple[PairedDie, ...]:
        raise OSError("the disk is gone")

    kiosk.dice._paired = broken  # noqa: SLF001 - as the desk gave it
    kiosk.dice.refresh()
    kiosk.until(lambda: kiosk.told[-1].state is SourceState.LOST)
    assert "the disk is gone" in kiosk.told[-1].what
    assert "restart the kiosk" in kiosk.told[-1].remedy


def test_a_die_out_of_reach_is_told_once_and_comes_back(
    air: Air, kiosk: Kiosk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    kiosk.until(kiosk.is_ready)
    for die in air.dice.values():
        die.go_away()
    kiosk.until(lambda: kiosk.told[-1].state is SourceState.LOST)
    assert "Red" in kiosk.told[-1].what
    assert "by hand" in kiosk.told[-1].remedy
    time.sleep(0.2)
    for die in air.dice.values():
        die.reachable = True
    kiosk.until(kiosk.is_ready)
    assert [record.levelname for record in caplog.records].count("WARNING") == 1


def test_many_dice_connect_one_after_the_other_past_those_that_sleep_or_fail() -> None:
    """BlueZ answers InProgress to whoever looks or connects while it does either; a die that fails is no obstacle."""
    air = Air(**{f"AA_0{number}": Die(Maker.GODICE, f"GoDice_{number}") for number in range(1, 8)})
    air.dice["AA:01"].deaf = True
    air.dice["AA:02"].reachable = False
    paired = tuple(PairedDie(address, die.name, die.maker, DieKind.D20) for address, die in air.dice.items())
    kiosk = Kiosk(paired, air.load)
    try:
        kiosk.until(lambda: sum(one.in_reach for one in kiosk.dice.dice) == 5)
        assert kiosk.told[-1].what == "Not in reach by Bluetooth: GoDice_1, GoDice_2."
        assert kiosk.dice.look_for(0.0)
        air.dice["AA:01"].deaf = False
        air.dice["AA:02"].reachable = True
        kiosk.until(kiosk.is_ready)
        assert sorted(air.connected) == [f"GoDice_{number}" for number in range(1, 8)]
        assert air.refused == 0
    finally:
        kiosk.dice.stop()


def test_dice_are_found_paired_and_forgotten_while_it_runs(air: Air) -> None:
    kiosk = Kiosk((), air.load)
    try:
        assert kiosk.dice.look_for(0.0) == (
            FoundDie("AA:02", "GoDice_02_K_v03", Maker.GODICE),
            FoundDie("AA:01", "Red", Maker.PIXELS),
        )
        kiosk.paired = (RED,)
        kiosk.dice.refresh()
        kiosk.until(kiosk.is_ready)
        kiosk.paired = ()
        kiosk.dice.refresh()
        kiosk.until(lambda: kiosk.told[-1].state is SourceState.ABSENT)
        air.adapter = False
        with pytest.raises(TrayError, match="no powered Bluetooth adapter"):
            kiosk.dice.look_for(0.0)
    finally:
        kiosk.dice.stop()


def test_a_die_paired_anew_as_another_kind_is_read_as_that(air: Air) -> None:
    kiosk = Kiosk((replace(BLUE, kind=DieKind.D6),), air.load)
    try:
        kiosk.until(kiosk.is_ready)
        blue = air.dice["AA:02"]
        kiosk.until(lambda: len(blue.wrote) == 1)
        kiosk.paired = (BLUE,)
        kiosk.dice.refresh()
        kiosk.until(lambda: len(blue.wrote) == 2)
        blue.send(b"R", STABLE_8)
        kiosk.until(lambda: bool(kiosk.readings))
        assert [(die.kind, die.face) for die in kiosk.readings[0].dice] == [(DieKind.D20, 8)]
    finally:
        kiosk.dice.stop()


def test_a_die_forgotten_while_it_is_let_go_of_can_be_paired_anew(air: Air) -> None:
    kiosk = Kiosk((RED,), air.load)
    try:
        kiosk.until(kiosk.is_ready)
        red = air.dice["AA:01"]
        red.lets_go_after = 0.3
        red.go_away()
        kiosk.until(lambda: not kiosk.dice.dice[0].in_reach)
        for paired in ((), (RED,)):
            kiosk.paired = paired
            kiosk.dice.refresh()
            time.sleep(0.05)
        red.reachable = True
        kiosk.until(lambda: len(red.wrote) == 2)
    finally:
        kiosk.dice.stop()


def test_without_dice_nothing_is_loaded_and_nothing_told() -> None:
    def load() -> ModuleType:
        raise AssertionError("nobody has such dice")

    kiosk = Kiosk((), load)
    time.sleep(0.05)
    kiosk.dice.stop()
    assert kiosk.told == []


def test_without_the_library_these_dice_alone_are_lost() -> None:
    def load() -> ModuleType:
        raise ImportError("No module named 'bleak'")

    kiosk = Kiosk((RED,), load)
    try:
        kiosk.until(lambda: bool(kiosk.told) and kiosk.told[-1].state is SourceState.LOST)
        assert "No module named 'bleak'" in kiosk.told[-1].what
        with pytest.raises(TrayError, match="No dice can be looked for"):
            kiosk.dice.look_for(0.0)
    finally:
        kiosk.dice.stop()


def test_the_stand_in_has_bleaks_own_interface(air: Air) -> None:
    bleak = importlib.import_module("bleak")
    for kind, names in (
        ("BleakClient", ("__init__", "connect", "disconnect", "start_notify", "write_gatt_char")),
        ("BleakScanner", ("discover", "find_device_by_filter")),
    ):
        for name in names:
            own = inspect.signature(getattr(getattr(bleak, kind), name)).parameters
            ours = inspect.signature(getattr(getattr(air, kind), name)).parameters
            assert set(ours) <= set(own), f"{kind}.{name}"
    assert isinstance(bleak.BleakClient.services, property)
    assert set(SimpleNamespace(local_name="", service_uuids=[]).__dict__) <= set(
        importlib.import_module("bleak.backends.scanner").AdvertisementData._fields
    )


def threads() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name == "bluetooth"]


def test_nothing_runs_until_the_first_die_is_paired(air: Air, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most tables have no such dice, and asyncio and bleak take memory."""
    monkeypatch.setitem(sys.modules, "bleak", air)
    paired: list[PairedDie] = []
    told: list[SourceStatus] = []
    source = BluetoothSource(lambda: tuple(paired), start_id="test")
    source.start(lambda _: None, told.append)
    source.refresh()
    assert (threads(), told, source.dice) == ([], [], ())
    paired.append(RED)
    assert [(one.die, one.in_reach) for one in source.dice] == [(RED, False)]
    source.refresh()
    end = time.monotonic() + 20
    while not (told and told[-1].state is SourceState.READY) and time.monotonic() < end:
        time.sleep(0.005)
    assert told[-1].state is SourceState.READY
    assert [(one.die, one.in_reach) for one in source.dice] == [(RED, True)]
    source.stop()
    assert threads() == []


def test_a_look_for_dice_begins_it_and_nothing_is_looked_for_after_the_end(
    air: Air, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "bleak", air)
    source = BluetoothSource(lambda: (), start_id="test")
    source.start(lambda _: None, lambda _: None)
    assert {one.name for one in source.look_for()} == {"Red", "GoDice_02_K_v03"}
    assert threads() == ["bluetooth"]
    source.stop()
    with pytest.raises(TrayError, match="not in use"):
        source.look_for()
    assert threads() == []


def test_a_stop_between_two_looks_at_what_runs_is_no_error() -> None:
    """It was looked at twice: a stop by another thread in between made it None."""
    running = [SimpleNamespace(refresh=lambda: None, dice=("as it was",)) for _ in range(2)]
    ending = property(lambda _: running.pop() if running else None, lambda _, __: None)
    stopped_meanwhile = type("StoppedMeanwhile", (BluetoothSource,), {"_running": ending})
    stopped_meanwhile(lambda: (), start_id="test").refresh()
    del running[1:]
    assert stopped_meanwhile(lambda: (), start_id="test").dice == ("as it was",)


def test_who_is_told_is_set_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A start and a stop at once left the one's listeners with the other's dice."""
    source = BluetoothSource(lambda: (), start_id="test")
    wanted: list[bool] = []

    @contextmanager
    def lock() -> Iterator[None]:
        yield
        wanted.append(source._wanted is not None)  # noqa: SLF001 - what the lock is for

    monkeypatch.setattr(source, "_lock", lock())
    source.start(lambda _: None, lambda _: None)
    assert wanted == [True]
