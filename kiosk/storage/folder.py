"""The data folder: made on first use, held by one kiosk at a time, which writes into its lock where it is found."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from kiosk.errors import JournalBusyError, JournalError, system_words
from rules.words import say

LOCK_NAME: Final = "kiosk.lock"
"""The file in the data folder that whoever uses it holds locked."""
LONGEST_ADDRESS: Final = 1024
"""Bytes read of what a lock says."""

LOOKERS_SECONDS: Final = 0.1
"""Whoever only looks whether the folder is held does so for far less than this."""


class HeldFolder:
    """A data folder that no other kiosk may use until `release`; the system lets go of it too when this program ends.

    Raises `JournalBusyError` while another kiosk holds it, `JournalError` where it cannot be made or written to.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._descriptor = os.open(path / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise JournalError(
                say(
                    "The data folder {path} cannot be used: {why}. Choose another with --data.",
                    path=str(path),
                    why=system_words(error),
                )
            ) from error
        try:
            _lock(self._descriptor)
            os.ftruncate(self._descriptor, 0)
        except OSError:
            os.close(self._descriptor)
            raise JournalBusyError(
                say(
                    "Another kiosk already uses the data folder {path}. End it first, or choose another with --data.",
                    path=str(path),
                )
            ) from None
        self._held = True

    def announce(self, address: str) -> None:
        """Leave where this kiosk is found for whoever looks at the folder (`held_at`). A full disk keeps that away."""
        with suppress(OSError):
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, address.encode(), 0)

    def release(self) -> None:
        """Let others have it; twice is fine."""
        if self._held:
            self._held = False
            with suppress(OSError):
                os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)

    def __enter__(self) -> Self:
        """Already held."""
        return self

    def __exit__(self, *_: object) -> None:
        """Release."""
        self.release()


def held_at(lock: Path) -> str | None:
    """Where the kiosk that holds the folder of `lock` is found: an address, empty until it says one; None where none.

    Raises `OSError` where the lock is there and cannot be looked at.
    """
    try:
        descriptor = os.open(lock, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return os.pread(descriptor, LONGEST_ADDRESS, 0).decode(errors="replace")
        return None
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> None:
    """Hold it, after a second try: someone may just be looking. Raises `OSError` where another kiosk holds it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        time.sleep(LOOKERS_SECONDS)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
