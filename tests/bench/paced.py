"""A port at which bytes arrive no quicker than over USB, for what is measured on a pseudo-terminal."""

from __future__ import annotations

import errno
import os
import select
import threading
import time
import tty
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final

USB_BYTES: Final = 600_000
"""Bytes a second of the paced wire: half of what a port over USB full speed carries, 19 times 64 a millisecond."""
USB_FRAME: Final = 0.001
"""Seconds between two turns of it, as of USB full speed."""
_CHUNK: Final = 4096
"""Bytes that are carried towards the tray in one turn, at most."""


@contextmanager
def paced(port: str) -> Iterator[str]:
    """A port at which what `port` sends arrives at `USB_BYTES` a second; what is sent there goes on at once.

    Where `port` fails, the paced one is closed, and the error is raised at the end.
    """
    near, slave = os.openpty()
    tty.setraw(slave)
    far, ended = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK), threading.Event()
    os.set_blocking(near, False)
    name = os.ttyname(slave)
    with ThreadPoolExecutor(1) as pool:
        carrying = pool.submit(_carry, far, near, ended)
        try:
            yield name
        finally:
            ended.set()
            try:
                carrying.result()
            finally:
                os.close(slave)


def _carry(far: int, near: int, ended: threading.Event) -> None:
    """Carry bytes both ways until `ended`, and close both files: whoever waits at the other end learns of it."""
    most = int(USB_BYTES * USB_FRAME)
    begun, carried = time.monotonic(), 0
    try:
        while not ended.wait(USB_FRAME):
            due = int((time.monotonic() - begun) * USB_BYTES) - carried
            ready, _, _ = select.select([far, near], [], [], 0)
            if near in ready:
                _write(far, os.read(near, _CHUNK), ended)
            data = b""
            if far in ready and due > 0:
                data = os.read(far, min(due, 16 * most))
                if not data:
                    raise OSError(errno.EIO, os.strerror(errno.EIO))  # a pseudo-terminal that was hung up
            _write(near, data, ended)
            carried = carried + len(data) if len(data) >= due else int((time.monotonic() - begun) * USB_BYTES)
    finally:
        os.close(near)
        os.close(far)


def _write(file: int, data: bytes, ended: threading.Event) -> None:
    """Write all of `data`, in as many turns as it takes."""
    while data and not ended.is_set():
        if select.select([], [file], [], USB_FRAME)[1]:
            data = data[os.write(file, data) :]
