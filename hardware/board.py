"""The board's health, in plain reads: temperature, power, disk and memory.

Every fact is None if this machine does not report it; nothing here raises for an absent or garbled file.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rules.words import Phrase, say, sentences

HOT: Final = 80.0
"""Degrees Celsius at which a Raspberry Pi begins to slow itself down (Raspberry Pi documentation)."""

LITTLE_DISK: Final = 200_000_000
"""Bytes: below this a long session's pictures may no longer fit."""

LITTLE_MEMORY: Final = 0.1
"""The share of memory below which the system begins to stall."""

_UNDER_VOLTAGE, _FREQUENCY_CAPPED, _THROTTLED, _SOFT_LIMIT = 1 << 0, 1 << 1, 1 << 2, 1 << 3
"""The bits of `get_throttled` for what holds now."""
_SINCE_START: Final = 16
"""The flags of what has happened since the start are those of now, this many bits up (get_throttled)."""


@dataclass(frozen=True, slots=True)
class Power:
    """The firmware's flags: what holds now, and what has happened since the board was switched on.

    `frequency_capped`, `throttled` and `soft_limit` are None where only the voltage is watched.
    """

    under_voltage: bool
    was_under_voltage: bool | None = None
    frequency_capped: bool | None = None
    throttled: bool | None = None
    was_throttled: bool | None = None
    soft_limit: bool | None = None


@dataclass(frozen=True, slots=True)
class BoardHealth:
    """The board's readings: `temperature` in degrees Celsius, disk and memory in bytes."""

    model: str | None
    temperature: float | None
    power: Power | None
    disk_free: int | None
    disk_total: int | None
    memory_available: int | None
    memory_total: int | None


def board_model(root: Path = Path("/")) -> str | None:
    """The board's name as its firmware gives it, such as "Raspberry Pi 5 Model B Rev 1.0"."""
    text = _text(root / "proc/device-tree/model")
    return text.strip("\0 \n") or None if text is not None else None


def read_board(data: Path, root: Path = Path("/")) -> BoardHealth:
    """Read the board's health. `data` is the folder whose disk matters; `root` is where /proc and /sys are."""
    disk_free, disk_total = _disk(data)
    memory = _memory(root)
    return BoardHealth(
        model=board_model(root),
        temperature=_temperature(root),
        power=_power(root),
        disk_free=disk_free,
        disk_total=disk_total,
        memory_available=memory.get("MemAvailable"),
        memory_total=memory.get("MemTotal"),
    )


_SUPPLY: Final = say(
    "Use the board's own power supply (5 V 3 A for a Pi 4, 5 V 5 A for a Pi 5) and a short, thick cable."
)
"""What to do about low voltage."""
_FAN: Final = say("Fit a heat sink or a fan, and give the board air.")
"""What to do about heat."""


def low_voltage(health: BoardHealth) -> tuple[Phrase, Phrase] | None:
    """That the voltage is too low now, and what to do; None where it is not, or nobody can tell."""
    if health.power is None or not health.power.under_voltage:
        return None
    return say("The supply voltage is too low."), _SUPPLY


def too_hot(health: BoardHealth) -> tuple[Phrase, Phrase] | None:
    """That the processor is too hot now, and what to do; None where it is not, or nobody can tell."""
    degrees = health.temperature
    if degrees is None or degrees < HOT:
        return None
    return say("The processor is at {degrees} °C and slows itself down.", degrees=f"{degrees:.0f}"), _FAN


def little_disk(health: BoardHealth) -> tuple[Phrase, Phrase] | None:
    """That the disk is nearly full, and what to do; None where it is not, or nobody can tell."""
    free = health.disk_free
    if free is None or free >= LITTLE_DISK:
        return None
    return (
        say("Only {free} of disk are free.", free=in_bytes(free)),
        say("Delete old backups and exports, or use a larger card: on a full one nothing is kept."),
    )


def in_bytes(many: int) -> str:
    """A number of bytes in words: `59.1 GB`, `120 MB`, `64 kB`; never 0 unless there are none."""
    for unit, name, places in ((1e9, "GB", 1), (1e6, "MB", 0), (1e3, "kB", 0)):
        if many >= unit:
            return f"{many / unit:.{places}f} {name}"
    return f"{many} B"


def advice(health: BoardHealth) -> tuple[Phrase, ...]:
    """What a person should do about the board, worst first; empty when nothing needs doing."""
    told: list[Phrase] = []
    power = health.power
    if low := low_voltage(health):
        told.append(sentences(*low))
    elif power is not None and power.was_under_voltage:
        told.append(sentences(say("The supply voltage was too low at some time since the start."), _SUPPLY))
    if hot := too_hot(health):
        told.append(sentences(*hot))
    elif power is not None and (power.throttled or power.soft_limit):
        told.append(sentences(say("The processor is slowing itself down."), _FAN))
    if full := little_disk(health):
        told.append(sentences(*full))
    available, total = health.memory_available, health.memory_total
    if available is not None and total and available / total < LITTLE_MEMORY:
        told.append(
            say("Only {free} MB of memory are free. Close other programs on this board.", free=f"{available / 1e6:.0f}")
        )
    return tuple(told)


def _temperature(root: Path) -> float | None:
    """The processor's zone where one says so, else the first zone that reads."""
    zones = sorted((root / "sys/class/thermal").glob("thermal_zone*"))
    zones.sort(key=lambda zone: "cpu" not in (_text(zone / "type") or ""))
    for zone in zones:
        thousandths = _number(_text(zone / "temp"))
        if thousandths is not None:
            return thousandths / 1000
    return None


def _power(root: Path) -> Power | None:
    """The firmware's word where the kernel passes it on, else the voltage alarm of the `rpi_volt` sensor."""
    platform = root / "sys/devices/platform"
    # The folder is soc/soc:firmware on a Pi 4 and carries the bus address in its name on newer boards.
    for path in sorted([*platform.glob("*firmware*/get_throttled"), *platform.glob("*/*firmware*/get_throttled")]):
        flags = _number(_text(path), base=16)
        if flags is not None:
            past = flags >> _SINCE_START
            return Power(
                under_voltage=bool(flags & _UNDER_VOLTAGE),
                was_under_voltage=bool(past & _UNDER_VOLTAGE),
                frequency_capped=bool(flags & _FREQUENCY_CAPPED),
                throttled=bool(flags & _THROTTLED),
                was_throttled=bool(past & _THROTTLED),
                soft_limit=bool(flags & _SOFT_LIMIT),
            )
    for sensor in sorted((root / "sys/class/hwmon").glob("hwmon*")):
        if (_text(sensor / "name") or "").strip() == "rpi_volt":
            # the driver numbers its one voltage 0; boards with more of them begin at 1
            alarms = [_number(_text(one)) for one in sorted(sensor.glob("in*_lcrit_alarm"))]
            if any(alarm is not None for alarm in alarms):
                return Power(under_voltage=any(alarms))
    return None


def _disk(data: Path) -> tuple[int | None, int | None]:
    try:
        disk = os.statvfs(data)
    except OSError:
        return None, None
    return disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize


def _memory(root: Path) -> dict[str, int]:
    """The lines of /proc/meminfo that count kilobytes, in bytes."""
    found: dict[str, int] = {}
    for line in (_text(root / "proc/meminfo") or "").splitlines():
        name, _, rest = line.partition(":")
        words = rest.split()
        kilobytes = _number(words[0]) if words[1:] == ["kB"] else None
        if kilobytes is not None:
            found[name] = kilobytes * 1024
    return found


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


def _number(text: str | None, *, base: int = 10) -> int | None:
    try:
        return None if text is None else int(text.strip(), base)
    except ValueError:
        return None
