"""Several trays at one kiosk: each has its port, the throws of all count once, and their names tell them apart."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest

from firmware_bridge.discover import STABLE_NAME, ports_of
from firmware_bridge.link import open_link
from firmware_bridge.pty_simulator import PtySimulator
from firmware_bridge.shares import PortShares
from firmware_bridge.taught_file import TaughtFile
from kiosk.devices.teaching_file import MOST_HELD, TeachingFile
from kiosk.devices.tray_desk import TrayChange, TrayDesk
from kiosk.devices.trays import MOST_TRAYS, Trays, addresses_of
from rules.dice import DieKind, Face, Reading, SourceState, SourceStatus
from tests.firmware_bridge.emulated import EmulatedTray
from tests.firmware_bridge.tagged import D20, OTHER_D20, TAUGHT

PATIENCE = 15.0


def no_reader() -> NoReturn:
    raise AssertionError("no tray here has a camera")


@dataclass
class Table:
    """A kiosk as far as its trays go."""

    trays: Trays
    desk: TrayDesk
    readings: list[Reading] = field(default_factory=list)
    told: list[SourceStatus] = field(default_factory=list)

    @property
    def thrown(self) -> list[list[Face | None]]:
        return [[die.face for die in reading.dice] for reading in self.readings if reading.dice]

    def last_was(self, *faces: Face) -> bool:
        return self.thrown[-1:] == [list(faces)]

    def reads(self, tag: int) -> bool:
        return any(place.sure and place.tag == tag for place in self.desk.places)

    def until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, (self.told, self.thrown)
            time.sleep(0.01)

    def says(self, *words: str) -> None:
        """Wait until the state says all of these."""
        self.until(
            lambda: bool(self.told) and all(one in f"{self.told[-1].what} {self.told[-1].remedy}" for one in words)
        )


Begin = Callable[[str | None, Callable[[str | None], list[str]] | None], Table]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    tables: list[Table] = []

    def begun(setting: str | None, find: Callable[[str | None], list[str]] | None = None) -> Table:
        file = TaughtFile(tmp_path / "dice.toml")
        desk = TrayDesk(file, under_way=TeachingFile(tmp_path / "teaching.json"))
        trays = Trays(addresses_of(setting), desk, no_reader, find=find or ports_of)
        table = Table(trays, desk)
        tables.append(table)
        trays.start(table.readings.append, table.told.append)
        return table

    yield begun
    for one in tables:
        one.trays.stop()


@pytest.fixture
def simulators(tmp_path: Path) -> Iterator[tuple[PtySimulator, PtySimulator]]:
    first, second = PtySimulator(1, link=tmp_path / "first"), PtySimulator(2, link=tmp_path / "second")
    first.start()
    second.start()
    yield first, second
    first.stop()
    second.stop()


def test_throws_of_two_trays_count_once_each_and_one_that_goes_leaves_the_other(
    simulators: tuple[PtySimulator, PtySimulator], tmp_path: Path, begin: Begin
) -> None:
    first, second = simulators
    table = begin(f"{tmp_path / 'first'}  {tmp_path / 'second'}", None)
    table.says("Tray 1: ", "Tray 2: ")
    table.until(lambda: table.told[-1].state is SourceState.READY and table.told[-1].what.count("ready") == 2)
    first.throw(((DieKind.D20, 4), (DieKind.D20, 13)))
    second.throw(((DieKind.D20, 4), (DieKind.D20, 13)))
    table.until(lambda: len(table.thrown) == 2)
    assert len({reading.reading_id for reading in table.readings}) == len(table.readings)
    second.command("unplug")
    table.says("Tray 2: The dice tray")
    assert table.told[-1].state is SourceState.READY, "dice of the other one are read"
    table.until(lambda: table.told[-1].faulty)
    first.command("unplug")
    table.until(lambda: (table.told[-1].state, table.told[-1].faulty) == (SourceState.LOST, False))
    first.command("replug")
    table.until(lambda: table.told[-1].state is SourceState.READY)
    first.throw(((DieKind.D20, 9),))
    table.until(lambda: table.thrown[-1] == [9])
    second.command("replug")
    table.until(lambda: table.told[-1].what.count("ready") == 2)
    second.throw(((DieKind.D20, 1),))
    table.until(lambda: table.thrown[-1] == [1])
    time.sleep(1.0)
    assert table.thrown == [[4, 13], [4, 13], [9], [1]]


def test_trays_that_are_found_join_while_the_first_is_in_use(
    simulators: tuple[PtySimulator, PtySimulator], tmp_path: Path, begin: Begin
) -> None:
    ports: list[str] = [str(tmp_path / "first")]
    table = begin(None, lambda _: list(ports))
    table.until(lambda: bool(table.told) and table.told[-1].state is SourceState.READY)
    assert "Tray 1" not in table.told[-1].what, "a single tray needs no number"
    ports.append(str(tmp_path / "second"))
    table.says("Tray 1: ", "Tray 2: ")
    table.until(lambda: table.told[-1].what.count("ready") == 2)
    for number, simulator in enumerate(simulators, start=1):
        simulator.throw(((DieKind.D20, number),))
        table.until(partial(table.last_was, number))
    assert [one.number for one in table.desk.in_use()] == [1, 2]
    assert [place.tray for place in table.desk.places] in ([1, 2], []), "untagged dice need no teaching"


def test_dice_are_taught_on_either_and_those_of_both_count_for_nothing_meanwhile(
    simulators: tuple[PtySimulator, PtySimulator], tmp_path: Path, begin: Begin
) -> None:
    first, second = simulators
    table = begin(f"{tmp_path / 'first'} {tmp_path / 'second'}", None)
    table.until(lambda: bool(table.told) and table.told[-1].what.count("ready") == 2)
    table.desk.do(TrayChange(action="begin", name="Red", kind=DieKind.D6))
    first.throw(((DieKind.D20, 4),))
    second.throw(((DieKind.D20, 5),))
    table.until(lambda: len(table.desk.under_way.held_roll.split()) == 2)
    first.command("clear")
    for tag in range(1, 7):
        second.command(f"tags 0:{tag:08x}")
        table.until(partial(table.reads, tag))
        assert [place.tray for place in table.desk.places] == [2]
        table.desk.do(TrayChange(action="take"))
    assert [die.name for die in table.desk.view().dice] == ["Red"]
    first.throw(((DieKind.D20, 6),))
    table.until(lambda: table.thrown == [[6]])


def test_what_is_kept_of_held_rolls_is_one_of_each_tray_and_no_more_than_trays(tmp_path: Path) -> None:
    file = TeachingFile(tmp_path / "teaching.json")
    for tray in range(MOST_HELD + 2):
        for roll in range(2):
            file.hold(f"tray:{tray}:boot:{roll}")
    assert TeachingFile(tmp_path / "teaching.json").held_roll.split() == [
        f"tray:{tray}:boot:1" for tray in range(2, MOST_HELD + 2)
    ]


def test_a_port_is_one_trays_and_a_new_one_goes_to_the_lowest_without() -> None:
    found: list[str] = []
    shares = PortShares(lambda: list(found))
    assert shares.of(1) == []
    found[:] = ["a", "b", "c"]
    assert (shares.of(1), shares.of(2)) == (["a"], ["b"])
    found[:] = ["b", "c"]
    assert (shares.of(1), shares.of(2)) == (["c"], ["b"]), "another tray takes the place of one that went"
    found[:] = ["a", "b", "c"]
    assert (shares.of(1), shares.of(2), shares.of(3)) == (["c"], ["b"], ["a"])
    found[:] = ["a"]
    assert (shares.of(2), shares.of(1), shares.of(3)) == ([], [], ["a"]), "what is another's stays that one's"


def test_udevs_link_is_whichever_tray_it_points_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = tmp_path / "trueroll-tray"
    monkeypatch.setattr("firmware_bridge.shares._LINK", str(link))
    devices = [tmp_path / "ttyACM0", tmp_path / "ttyACM1"]
    for device in devices:
        device.touch()
    link.symlink_to(devices[0])
    found = [str(link), str(devices[1])]
    shares = PortShares(lambda: list(found))
    assert (shares.of(1), shares.of(2)) == ([str(link)], [str(devices[1])])
    link.unlink()
    link.symlink_to(devices[1])  # the first was unplugged
    found[:] = [str(link)]
    assert (shares.of(1), shares.of(2)) == ([], [str(link)])
    assert STABLE_NAME.name == link.name


def test_two_boards_without_serial_numbers_share_a_name_that_the_newest_one_has(tmp_path: Path) -> None:
    """Most cheap boards have none: udev's name by maker and product then goes to the one that was plugged in last."""
    devices = [tmp_path / "ttyUSB0", tmp_path / "ttyUSB1"]
    for device in devices:
        device.touch()
    name = tmp_path / "usb-1a86_USB_Serial-if00-port0"
    name.symlink_to(devices[0])
    found = [str(name)]
    shares = PortShares(lambda: list(found))
    assert (shares.of(1), shares.of(2)) == ([str(name)], [])
    name.unlink()
    name.symlink_to(devices[1])
    found[:] = [str(devices[0]), str(name)]
    assert (shares.of(2), shares.of(1)) == ([str(name)], [str(devices[0])])


def test_no_more_trays_than_the_kiosk_has_room_for() -> None:
    many = " ".join(f"/nowhere/{number}" for number in range(MOST_TRAYS + 2))
    trays, told = Trays(addresses_of(many), TrayDesk(), no_reader), list[SourceStatus]()
    trays.start(lambda _: None, told.append)
    try:
        assert len(trays.in_use()) <= MOST_TRAYS
        end = time.monotonic() + PATIENCE
        while not told:
            assert time.monotonic() < end
            time.sleep(0.01)
        assert "/nowhere/4, /nowhere/5 in tray.url is left out" in told[-1].remedy
    finally:
        trays.stop()


@pytest.mark.slow
def test_two_emulated_boards_with_the_real_firmware(tmp_path: Path, begin: Begin) -> None:
    with (
        EmulatedTray(tmp_path / "one", eeprom=tmp_path / "eeprom-1", seed=1) as one,
        EmulatedTray(tmp_path / "two", eeprom=tmp_path / "eeprom-2", seed=2) as two,
    ):
        TaughtFile(tmp_path / "dice.toml").change(lambda _: TAUGHT)
        table = begin(f"{one.port} {two.port}", None)
        table.until(lambda: bool(table.told) and table.told[-1].what.count("ready") == 2)
        one.throw({0: D20.uid(16)})
        two.throw({0: OTHER_D20.uid(3)})
        table.until(lambda: len(table.thrown) == 2)
        assert sorted(table.thrown) == [[3], [16]]
        trays = {reading.reading_id.split(":")[1] for reading in table.readings if reading.dice}
        assert len(trays) == 2, "each has a number of its own"


def test_a_port_that_is_let_go_is_free_for_another_program_and_the_tray_comes_back(
    simulators: tuple[PtySimulator, PtySimulator], tmp_path: Path, begin: Begin
) -> None:
    first, second = simulators
    table = begin(f"{tmp_path / 'first'} {tmp_path / 'second'}", None)
    table.until(lambda: bool(table.told) and table.told[-1].what.count("ready") == 2)
    port = table.desk.in_use()[0].port
    assert port is not None
    port.rest()
    table.says("Tray 1: Another firmware is written", "Tray 2: Dice tray")
    open_link(str(tmp_path / "first")).close()  # as avrdude opens it
    second.throw(((DieKind.D20, 8),))
    table.until(lambda: table.last_was(8))
    port.resume()
    first.throw(((DieKind.D20, 3),))
    table.until(lambda: table.last_was(3))
    assert table.thrown == [[8], [3]]
    table.trays.stop()
    port.resume()
    open_link(str(tmp_path / "first")).close()
