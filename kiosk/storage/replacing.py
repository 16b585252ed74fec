"""Putting a file in the place of the one before: whole or not at all, whenever the plug is pulled."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

OWNERS_ALONE: Final = 0o600
"""Mode of what is kept: it is for the user who runs the kiosk, and nobody else."""


def replace_file(path: Path, content: bytes, mode: int = OWNERS_ALONE) -> None:
    """Write `content` beside `path`, readable as `mode` says, and put it there once it is on the disk.

    Returns once the folder names it on the disk, too. Raises `OSError`; then the file is the old one whole, or the new
    one where the folder alone failed, and nothing half written is left beside it.
    """
    beside = path.with_name(f"{path.name}.new")
    try:
        beside.unlink(missing_ok=True)  # what is left there may be somebody else's
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNERS_ALONE), "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        sync(path.parent)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def sync(path: Path) -> None:
    """Return once the disk has the file, or the names in the folder. Raises `OSError`."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
