"""The data folder: made on first use, and held by one kiosk at a time."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Final, Self

from kiosk.errors import JournalBusyError, JournalError

LOCK_NAME: Final = "kiosk.lock"


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
                f"The data folder {path} cannot be used: {error.strerror}. Choose another with --data."
            ) from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._descriptor)
            raise JournalBusyError(
                f"Another kiosk already uses the data folder {path}. End it first, or choose another with --data."
            ) from None
        self._held = True

    def release(self) -> None:
        """Let others have it; twice is fine."""
        if self._held:
            self._held = False
            os.close(self._descriptor)

    def __enter__(self) -> Self:
        """Already held."""
        return self

    def __exit__(self, *_: object) -> None:
        """Release."""
        self.release()
