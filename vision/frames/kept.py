"""Reading what the camera's part keeps in the data folder."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


class NoFileError(OSError):
    """A folder, a pipe or the like in the place of a file: nothing can be written over a folder."""


def read_kept(file: Path) -> bytes:
    """What a file holds. Raises `FileNotFoundError` where there is none, `OSError` where it cannot be read.

    What is no file cannot, `NoFileError`: a pipe would be waited for. A link that leads nowhere is no missing file.
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
