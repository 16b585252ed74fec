"""Finding the port: by the rule's link, by numbers, by name; never a stranger's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware_bridge.discover import (
    Wanted,
    find_ports,
    ports_of,
    stable_path,
    system_ports,
    usb_ports,
    wanted_of,
)
from firmware_bridge.errors import AddressError


@dataclass(frozen=True)
class FakePort:
    device: str
    vid: int | None = None
    pid: int | None = None
    serial_number: str | None = None
    product: str | None = None
    manufacturer: str | None = None


BUILT_IN = FakePort("/dev/ttyS0")
PRINTER = FakePort("/dev/ttyUSB0", 0x1A86, 0x7523, None, "USB Serial")
TRAY = FakePort("/dev/ttyACM0", 0x2341, 0x0043, "A1", "TrueRoll Tray")
UNO = FakePort("/dev/ttyACM1", 0x2341, 0x0043, "B2", "Arduino Uno")


def find(*ports: FakePort, wanted: tuple[Wanted, ...] = (), folder: Path) -> str | None:
    found = find_ports(wanted, list_ports=lambda: ports, stable_name=folder / "tray", by_id=folder / "by-id")
    return found[0] if found else None


def test_a_stranger_is_never_opened(tmp_path: Path) -> None:
    assert find(BUILT_IN, PRINTER, UNO, folder=tmp_path) is None


def test_a_port_that_calls_itself_trueroll(tmp_path: Path) -> None:
    assert find(BUILT_IN, PRINTER, TRAY, folder=tmp_path) == "/dev/ttyACM0"


@pytest.mark.parametrize(
    ("wanted", "device"),
    [
        (Wanted(0x2341, 0x0043, "B2"), "/dev/ttyACM1"),
        (Wanted(0x2341, 0x0043), "/dev/ttyACM0"),
        (Wanted(0x1A86, 0x7523), "/dev/ttyUSB0"),
        (Wanted(0x2341, 0x0043, "C3"), None),
    ],
)
def test_a_port_by_its_numbers(wanted: Wanted, device: str | None, tmp_path: Path) -> None:
    ports = [one for one in (TRAY, UNO, PRINTER) if one is not TRAY or wanted.serial_number != "C3"]
    assert find(*ports, wanted=(wanted,), folder=tmp_path) == device


def test_several_trays_are_found_in_the_same_order_each_time(tmp_path: Path) -> None:
    second = FakePort("/dev/ttyACM4", 0x2341, 0x0043, "A2", "Tray", "trueroll makers")
    wanted = (Wanted(0x2341, 0x0043, "B2"),)
    tray = tmp_path / "tray"
    found = find_ports(wanted, list_ports=lambda: (TRAY, UNO, second), stable_name=tray)
    assert found == find_ports(wanted, list_ports=lambda: (second, UNO, TRAY), stable_name=tray)
    assert found == ["/dev/ttyACM1", "/dev/ttyACM0", "/dev/ttyACM4"]


def test_one_tray_under_two_names_is_one(tmp_path: Path) -> None:
    device = tmp_path / "ttyACM0"
    device.touch()
    (tmp_path / "tray").symlink_to(device)
    port = FakePort(str(device), 0x2341, 0x0043, "A1", "TrueRoll Tray")
    found = find_ports((Wanted(0x2341, 0x0043),), list_ports=lambda: (port,), stable_name=tmp_path / "tray")
    assert found == [str(tmp_path / "tray")]


@pytest.mark.parametrize(
    ("address", "ports"),
    [
        (None, ["/dev/ttyACM0"]),
        ("usb:2341:43", ["/dev/ttyACM0", "/dev/ttyACM1"]),
        ("usb:2341:0043:B2", ["/dev/ttyACM1"]),
        ("usb:1a86:7523", ["/dev/ttyUSB0"]),
        ("usb:1a86:7523:X", []),
        ("/dev/ttyS0", ["/dev/ttyS0"]),
        ("socket://tray:4000", ["socket://tray:4000"]),
    ],
)
def test_what_the_settings_name_is_found(address: str | None, ports: list[str], tmp_path: Path) -> None:
    system = (BUILT_IN, PRINTER, UNO, TRAY)
    assert ports_of(address, list_ports=lambda: system, stable_name=tmp_path / "tray", by_id=tmp_path) == ports


@pytest.mark.parametrize("address", ["usb:", "usb:2341", "usb:xyz:1", "usb:2341:0043:", "usb:12345:1"])
def test_a_device_that_is_misspelt(address: str) -> None:
    with pytest.raises(AddressError, match="names no USB device") as caught:
        wanted_of(address)
    assert "usb:2341:0043:SERIAL" in caught.value.remedy


def test_the_rules_link_comes_first(tmp_path: Path) -> None:
    (tmp_path / "tray").touch()
    assert find(TRAY, folder=tmp_path) == str(tmp_path / "tray")


def test_the_name_that_survives_replugging_is_preferred(tmp_path: Path) -> None:
    device = tmp_path / "ttyACM0"
    device.touch()
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    (by_id / "usb-maker_tray_A1-if00").symlink_to("../ttyACM0")
    (by_id / "usb-other").symlink_to("../ttyACM9")
    assert stable_path(str(device), by_id) == str(by_id / "usb-maker_tray_A1-if00")
    assert stable_path(str(tmp_path / "ttyUSB0"), by_id) == str(tmp_path / "ttyUSB0")


def test_usb_ports_are_what_a_person_may_name(tmp_path: Path) -> None:
    assert usb_ports(list_ports=lambda: (BUILT_IN, PRINTER, UNO), by_id=tmp_path) == ["/dev/ttyUSB0", "/dev/ttyACM1"]


def test_the_systems_own_list_can_be_asked(tmp_path: Path) -> None:
    assert all(port.device.startswith("/dev/") for port in system_ports())
    assert not find_ports(stable_name=tmp_path / "none") or system_ports()
