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
            names: dict[str, str] = {}
            for name in self._find():
                names.setdefault(_device(name), name)
            left = [(name, device) for device, name in names.items()]
            now: dict[int, tuple[str, str]] = {}
            self._ports.setdefault(number, _NOTHING)
            for is_same in (_is_unmoved, _is_renamed, _is_replugged):
                for owner, before in self._ports.items():
                    port = next((one for one in left if is_same(one, before)), None)
                    if owner not in now and port is not None:
                        now[owner] = port
                        left.remove(port)
            for owner in sorted(self._ports.keys() - now.keys())[: len(left)]:
                now[owner] = left.pop(0)
            taken = {part for port in now.values() for part in port}
            away = {owner: before for owner, before in self._ports.items() if owner not in now}
            self._ports = {owner: _NOTHING if taken & {*before} else before for owner, before in away.items()} | now
            return [now[number][0]] if number in now else []


_NOTHING: Final = ("", "")
"""The port of a tray that never had one, or that is away while another has it."""


def _device(name: str) -> str:
    return str(Path(name).resolve()) if name.startswith("/") else name


def _lasts(port: tuple[str, str]) -> bool:
    """Whether its name is of one tray, and outlives the number of its device."""
    return port[0] not in {_LINK, port[1]}


def _is_unmoved(port: tuple[str, str], before: tuple[str, str]) -> bool:
    return port == before


def _is_renamed(port: tuple[str, str], before: tuple[str, str]) -> bool:
    """The same device under another name: udev gives the name of two trays that are alike to the one that came last."""
    return port[1] == before[1] and not (_lasts(port) and _lasts(before))


def _is_replugged(port: tuple[str, str], before: tuple[str, str]) -> bool:
    return port[0] == before[0] and _lasts(port)
