"""Finding the tray's port without asking.

Only a port that names itself is taken: opening a stranger's port restarts most boards and talks to modems.
A Linux name such as /dev/ttyACM0 may be another after replugging, so the stable name is preferred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

STABLE_NAME: Final = Path("/dev/trueroll-tray")
"""The link that trueroll's udev rule makes."""

BY_ID: Final = Path("/dev/serial/by-id")
"""Where Linux keeps names made of maker, product and serial number."""

NAME: Final = "trueroll"
"""What a tray says of itself in its USB product or manufacturer text."""


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


def find_port(
    wanted: Iterable[Wanted] = (),
    *,
    list_ports: Callable[[], Iterable[Port]] | None = None,
    stable_name: Path = STABLE_NAME,
    by_id: Path = BY_ID,
) -> str | None:
    """The path of the tray's port, or None when no port is surely one.

    In order: the udev rule's link, a port that meets one of `wanted`, a port that calls itself trueroll.
    `list_ports` stands for the system's list, where a pseudo-terminal never appears.
    """
    if stable_name.exists():
        return str(stable_name)
    ports = list((list_ports or system_ports)())
    choices = list(wanted)
    for port in ports:
        if any(one.is_met_by(port) for one in choices):
            return stable_path(port.device, by_id)
    for port in ports:
        if any(NAME in (text or "").lower() for text in (port.product, port.manufacturer)):
            return stable_path(port.device, by_id)
    return None


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
