"""The mark in the data folder that something was decided there, and how far the table has come.

The journal and its second copy may lose their latest decisions together, and each looks whole then. The mark is
written after the disk has a decision, so that it never names one that nobody was shown. It is not waited for.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final
from zlib import crc32

from kiosk.storage.replacing import OWNERS_ALONE, read_file, sync

BEGUN: Final = "journal.begun"
"""The mark's file; empty where a version without a number wrote it."""

_TOLD: Final = re.compile(rb"(\d{12}) ([0-9a-f]{64}|-{64}) ([0-9a-f]{8})\n")
"""The latest decision, the checksum of the table's first one, and a checksum of both. Always as long, so that a new one
replaces the former in one write of one sector."""
_WITHOUT: Final = "-" * 64
"""In the place of the checksum of a first decision that has none."""


class Mark:
    """The mark beside the journal at `path`."""

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(BEGUN)
        self._left: tuple[int, str] | None = None
        """What it was last written as."""
        self._waits = False
        """Whether the disk may not have it yet."""
        self._named = False
        """Whether the folder on the disk surely has its name."""

    def told(self) -> tuple[int, str]:
        """The last decision of the table, and the checksum of its first one; 0 and nothing where it does not tell."""
        try:
            told = _TOLD.match(read_file(self.path))
        except OSError:
            return 0, ""
        if told is None or int(told[3], 16) != crc32(told[0][:-10]):
            return 0, ""
        return int(told[1]), told[2].decode().replace(_WITHOUT, "")

    def write(self, decision: int, first: str) -> None:
        """Note that this is the last decision now. What cannot be written is tried again with the next one."""
        if (decision, first) == self._left:
            return
        told = f"{decision:012d} {first or _WITHOUT}"
        # without blocking: a pipe may be in its place
        flags = os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK | os.O_NOFOLLOW
        with suppress(OSError):
            self._named &= self.path.exists()  # somebody may have deleted it
            file = os.open(self.path, flags, OWNERS_ALONE)
            try:
                os.pwrite(file, f"{told} {crc32(told.encode()):08x}\n".encode(), 0)
            finally:
                os.close(file)
            self._left, self._waits = (decision, first), True

    def settle(self) -> None:
        """Wait until the disk has it, and the folder its name. Raises `OSError`; then the next call waits again."""
        if self._waits:
            sync(self.path)
            if not self._named:
                sync(self.path.parent)
                self._named = True
            self._waits = False
