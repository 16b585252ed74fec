"""Making types known to msgspec, by one thread at a time.

In: a type that JSON or a form is read into. Out: the same type, which any thread may use from then on.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any, Final, TypeVar

import msgspec

REGISTERING: Final = threading.RLock()
"""Held by whoever makes a shape or registers a type; one is made of others, so that its holder may take it again."""

_REGISTERED: Final[set[Any]] = set()
"""The types that msgspec knows whole. Only who holds `REGISTERING` adds to it."""

T = TypeVar("T")
"""The class that is registered."""


def registered(kind: type[T]) -> type[T]:
    """`kind`, once msgspec knows all of it.

    msgspec 0.20 to 0.22 hangs its knowledge of a dataclass on the class before it is complete. A second thread that
    uses the class meanwhile reads what is not there yet, and the interpreter dies of it.
    """
    if kind not in _REGISTERED:
        with REGISTERING:
            with suppress(msgspec.ValidationError):
                msgspec.convert(None, kind)  # learns the type before it looks at the value
            _REGISTERED.add(kind)
    return kind
