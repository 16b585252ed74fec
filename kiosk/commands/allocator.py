"""How the C library keeps memory that was given back: for a program of many threads that handle large pictures.

glibc gives each thread an arena of its own, and keeps in each of them what one picture took, so that a demonstration
would grow for half an hour. What is freed between what is still used goes back only where it is asked for.
`pytest --length=long tests/e2e/test_long_demonstration.py` holds what a demonstration may have.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Final

_TRIM_THRESHOLD: Final = -1
"""The option of `mallopt` for how many bytes at the end of an arena may stay unused (malloc.h)."""
_MMAP_THRESHOLD: Final = -3
"""The option for what size of a block is taken from the system by itself, and given back at once."""
_ARENA_MAX: Final = -8
"""The option for the most arenas."""

LARGE_BYTES: Final = 256 * 1024
"""A camera's picture and what is made of it is larger; all else that the kiosk keeps is smaller."""
ARENAS: Final = 2
"""So many are enough: Python's threads take turns."""


def keep_little_memory() -> bool:
    """Have large blocks given back at once, and few arenas; for the beginning of a program. False without glibc."""
    mallopt = _of_the_library("mallopt")
    if mallopt is None:
        return False
    wanted = ((_ARENA_MAX, ARENAS), (_MMAP_THRESHOLD, LARGE_BYTES), (_TRIM_THRESHOLD, LARGE_BYTES))
    return all(int(mallopt(option, value)) == 1 for option, value in wanted)


def give_memory_back() -> bool:
    """Give the system back whatever is free now, wherever it lies; some milliseconds. False without glibc."""
    trim = _of_the_library("malloc_trim")
    return trim is not None and int(trim(0)) in {0, 1}


def _of_the_library(name: str) -> Callable[..., int] | None:
    try:
        found: Callable[..., int] = getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):
        return None
    return found
