"""Which tray has which port, where several are plugged in: each port is one tray's, and its own after a replug."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from firmware_bridge.discover import STABLE_NAME

_LINK: Final = str(STABLE_NAME)
"""A name that says nothing of which tray it is: udev points it at the one that was plugged in last."""


class PortShares:
    """Shares what `find` finds out among trays, by their numbers. Every method may be called from any thread."""

    def __init__(self, find: Callable[[], list[str]]) -> None:
        self._find = find
        self._lock = threading.Lock()
        self._ports: dict[int, tuple[str, str]] = {}
        """The port that each tray had last: its name, and the device behind it."""

    def of(self, number: int) -> list[str]:
        """The port of tray `number`, or none. A new port goes to the lowest number whose own is not there.

        Raises what `find` raises.
        """
        with self._lock:
            found = [(name, _device(name)) for name in self._find()]
            had = dict(self._ports)
            self._ports.setdefault(number, ("", ""))
            now: dict[int, tuple[str, str]] = {}
            for port in found:
                owner = next((one for one, before in had.items() if one not in now and _is_same(port, before)), None)
                if owner is not None:
                    now[owner] = port
            for port in found:
                free = next((one for one in sorted(self._ports) if one not in now), None)
                if free is not None and port not in now.values():
                    now[free] = port
            self._ports |= now
            return [now[number][0]] if number in now else []


def _device(name: str) -> str:
    return str(Path(name).resolve()) if name.startswith("/") else name


def _is_same(port: tuple[str, str], before: tuple[str, str]) -> bool:
    """Whether `port` is the one that a tray had: by its lasting name, which outlives the number of its device."""
    return port[1] == before[1] if _LINK in {port[0], before[0]} else port[0] == before[0]
