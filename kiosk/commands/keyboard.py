"""Lines from standard input, for commands that have other things to do while nobody types."""

from __future__ import annotations

import io
import os
import select
import sys
from collections.abc import Iterator
from typing import Final

LOOK: Final = 0.1
"""Seconds without a line after which None is given instead."""

_CHUNK: Final = 4096
"""Bytes read at a time."""


def typed_lines() -> Iterator[str | None]:
    """The typed lines without line ends; None after `LOOK` seconds without input; stops at its end."""
    try:
        keyboard = sys.stdin.fileno()
    except io.UnsupportedOperation:  # an input that is no file never lets anybody wait
        yield from (line.rstrip("\n") for line in sys.stdin)
        return
    pending = b""
    while True:
        if not select.select([keyboard], [], [], LOOK)[0]:
            yield None
            continue
        data = os.read(keyboard, _CHUNK)
        if not data:
            if pending:
                yield pending.decode(errors="replace")
            return
        *complete, pending = (pending + data).split(b"\n")
        for line in complete:
            yield line.decode(errors="replace")
