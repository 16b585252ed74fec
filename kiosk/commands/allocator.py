"""Makes the C library return freed memory, for a program of many threads that handle large pictures.

glibc gives each thread an arena of its own, and keeps in each of them what one picture took, so that a demonstration
would grow for half an hour. Free memory between blocks in use goes back only on request. `pytest --length=long
tests/e2e/test_long_demonstration.py` holds what a demonstration may have.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Final

_TRIM_THRESHOLD: Final = -1
"""The `mallopt` option for the bytes that may stay unused at the end of an arena (malloc.h)."""
_MMAP_THRESHOLD: Final = -3
"""The option for the size from which a block has a mapping of its own, given back once it is freed."""
_ARENA_MAX: Final = -8
"""The option for the largest number of arenas."""

LARGE_BYTES: Final = 256 * 1024
"""A camera's picture and what is made of it is larger; all else that the kiosk keeps is smaller."""
ARENAS: Final = 2
"""Two are enough: Python's threads take turns."""


def keep_little_memory() -> bool:
    """Return large blocks at once, and use few arenas; call it when a program starts. False without glibc."""
    mallopt = _of_the_library("mallopt")
    if mallopt is None:
        return False
    wanted = ((_ARENA_MAX, ARENAS), (_MMAP_THRESHOLD, LARGE_BYTES), (_TRIM_THRESHOLD, LARGE_BYTES))
    return all(int(mallopt(option, value)) == 1 for option, value in wanted)


def give_memory_back() -> bool:
    """Return all free memory to the system; takes some milliseconds. False without glibc."""
    trim = _of_the_library("malloc_trim")
    return trim is not None and int(trim(0)) in {0, 1}


def _of_the_library(name: str) -> Callable[..., int] | None:
    try:
        found: Callable[..., int] = getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):
        return None
    return found
