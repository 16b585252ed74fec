"""Reads the camera's files in the data folder."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


class NoFileError(OSError):
    """A folder, a pipe or the like in the place of a file: nothing can be written over a folder."""


def read_kept(file: Path) -> bytes:
    """What a file holds. Raises `FileNotFoundError` where there is none, `OSError` where it cannot be read.

    Anything but a regular file raises `NoFileError`: a pipe would block. A dangling link does not count as missing.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError as error:
        if file.is_symlink():
            raise OSError(errno.EINVAL, "it is a link to a file that is not there", str(file)) from error
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NoFileError(errno.EINVAL, "it is no file", str(file))
    with os.fdopen(descriptor, "rb") as opened:
        return opened.read()
