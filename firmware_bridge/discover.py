"""Finding the tray's port without asking.

Only a port that names itself is taken: opening a stranger's port restarts most boards and talks to modems.
A Linux name such as /dev/ttyACM0 may be another after replugging, so the stable name is preferred.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from firmware_bridge.errors import AddressError
from rules.words import say

STABLE_NAME: Final = Path("/dev/trueroll-tray")
"""The link that trueroll's udev rule makes."""

BY_ID: Final = Path("/dev/serial/by-id")
"""Where Linux keeps names made of maker, product and serial number."""

NAME: Final = "trueroll"
"""The name in a tray's USB product or manufacturer text."""

USB: Final = "usb:"
"""How an address begins that names a USB device instead of a port."""

_USB: Final = re.compile(r"usb:([0-9a-fA-F]{1,4}):([0-9a-fA-F]{1,4})(?::(.+))?")
"""An address of a USB device: vendor and product in hexadecimal, and the serial number where it is given."""


class Port(Protocol):
    """What is known of one serial port; pyserial's `ListPortInfo` is one."""

    @property
    def device(self) -> str:
        """Its path."""

    @property
    def vid(self) -> int | None:
        """Its USB vendor number."""

    @property
    def pid(self) -> int | None:
        """Its USB product number."""

    @property
    def serial_number(self) -> str | None:
        """Its USB serial number."""

    @property
    def product(self) -> str | None:
        """What it calls itself."""

    @property
    def manufacturer(self) -> str | None:
        """What its maker calls itself."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which USB device is the tray: numbers, and the serial number where several are alike."""

    vid: int
    pid: int
    serial_number: str | None = None

    def is_met_by(self, port: Port) -> bool:
        """Whether `port` is the one."""
        return (port.vid, port.pid) == (self.vid, self.pid) and self.serial_number in (None, port.serial_number)


def wanted_of(address: str) -> Wanted:
    """The device that `usb:VID:PID` or `usb:VID:PID:SERIAL` names, numbers in hexadecimal. Raises `AddressError`."""
    match = _USB.fullmatch(address)
    if match is None:
        raise AddressError(
            say("{address} names no USB device.", address=repr(address)),
            say("Write usb:2341:0043, or usb:2341:0043:SERIAL where several are alike."),
        )
    return Wanted(int(match[1], 16), int(match[2], 16), match[3])


def find_ports(
    wanted: Iterable[Wanted] = (),
    *,
    list_ports: Callable[[], Iterable[Port]] | None = None,
    stable_name: Path = STABLE_NAME,
    by_id: Path = BY_ID,
) -> list[str]:
    """The paths of all ports that are surely a tray's, the one to use first.

    In order: the udev rule's link, ports that meet one of `wanted`, ports that call themselves trueroll; those alike in
    this by name, so that the same one is used each time. `list_ports` stands for the system's list, where a
    pseudo-terminal never appears.
    """
    ports = list((list_ports or system_ports)())
    choices = list(wanted)
    met = [port.device for port in ports if any(one.is_met_by(port) for one in choices)]
    named = [
        port.device for port in ports if any(NAME in (text or "").lower() for text in (port.product, port.manufacturer))
    ]
    found = [str(stable_name)] if stable_name.exists() else []
    for devices in (met, named):
        found += sorted(stable_path(device, by_id) for device in devices)
    one_each: dict[Path, str] = {}
    for path in found:
        one_each.setdefault(Path(path).resolve(), path)
    return list(one_each.values())


def ports_of(
    address: str | None,
    *,
    list_ports: Callable[[], Iterable[Port]] | None = None,
    stable_name: Path = STABLE_NAME,
    by_id: Path = BY_ID,
) -> list[str]:
    """The ports that `address` stands for, the one to use first.

    None stands for every tray that can be found, `usb:…` for the devices that it names and no other, anything else for
    itself. Raises `AddressError` for a malformed `usb:…`.
    """
    if address is None:
        return find_ports(list_ports=list_ports, stable_name=stable_name, by_id=by_id)
    if not address.startswith(USB):
        return [address]
    wanted = wanted_of(address)
    ports = (list_ports or system_ports)()
    return sorted(stable_path(port.device, by_id) for port in ports if wanted.is_met_by(port))


def usb_ports(*, list_ports: Callable[[], Iterable[Port]] | None = None, by_id: Path = BY_ID) -> list[str]:
    """The stable paths of all USB serial ports: what a person may name as the tray when none is found."""
    return [stable_path(port.device, by_id) for port in (list_ports or system_ports)() if port.vid is not None]


def stable_path(device: str, by_id: Path = BY_ID) -> str:
    """The name of `device` that survives replugging, if the system keeps one; else `device`."""
    try:
        names = sorted(by_id.iterdir())
    except OSError:
        return device
    target = Path(device).resolve()
    return next((str(name) for name in names if name.resolve() == target), device)


def system_ports() -> list[Port]:
    """The serial ports that the system lists."""
    from serial.tools.list_ports import comports  # noqa: PLC0415 - a broken pyserial costs the tray, not this module

    return list(comports())
