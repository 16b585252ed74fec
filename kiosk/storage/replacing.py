"""Replaces files whole or not at all, even in a power cut."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from typing import Final

OWNERS_ALONE: Final = 0o600
"""The mode of kept files: only for the user who runs the kiosk."""


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


def open_file(path: Path) -> BufferedReader:
    """Open the file at `path` for reading. Raises `OSError`, also for anything but a file: a pipe would block."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise OSError(errno.EISDIR if stat.S_ISDIR(mode) else errno.ESPIPE, "it is no file", str(path))
    return os.fdopen(descriptor, "rb")


def read_file(path: Path) -> bytes:
    """The content of the file at `path`. Raises as `open_file`."""
    with open_file(path) as file:
        return file.read()


def sync(path: Path) -> None:
    """Return once the disk has the file, or the names in the folder. Raises `OSError`."""
    opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe in its place would block
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
