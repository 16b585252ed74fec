"""Finds the programs that have a serial port open, for messages about a busy port."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_PROCESSES: Final = Path("/proc")
"""Where Linux lists its programs; elsewhere nobody is found."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A program that has a port open: its name, and its process number."""

    name: str
    process: int

    def __str__(self) -> str:
        return f"{self.name} (process {self.process})"


def holders(address: str) -> tuple[Holder, ...]:
    """The other programs that have the device at `address` open; those of other users only where one may look."""
    with suppress(OSError):
        device = Path(address).stat().st_rdev
        if device:
            found = (_holder(folder, device) for folder in _PROCESSES.iterdir() if folder.name.isdecimal())
            return tuple(sorted((one for one in found if one is not None), key=lambda one: one.process))
    return ()


def _holder(folder: Path, device: int) -> Holder | None:
    """The program of `folder`, where it is another one and has the device open."""
    process = int(folder.name)
    with suppress(OSError):
        if process != os.getpid() and any(_is(file, device) for file in (folder / "fd").iterdir()):
            return Holder((folder / "comm").read_text(encoding="utf-8", errors="replace").strip(), process)
    return None


def _is(file: Path, device: int) -> bool:
    try:
        return file.stat().st_rdev == device
    except OSError:
        return False
