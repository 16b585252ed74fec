"""What msgspec learns of a type when it first meets it, learnt by one thread at a time.

In: a type that JSON or a form is read into. Out: the same type, which any thread may now use.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any, Final, TypeVar

import msgspec

LEARNING: Final = threading.RLock()
"""Held by whoever makes a shape or meets a type; one is made of others, so that its holder may take it again."""

_MET: Final[set[Any]] = set()

T = TypeVar("T")


def met(kind: type[T]) -> type[T]:
    """`kind`, once msgspec knows all of it.

    msgspec 0.20 to 0.22 hangs its knowledge of a dataclass on the class before it is complete. A second thread that
    meets the class meanwhile reads what is not there yet, and the interpreter dies of it.
    """
    if kind not in _MET:
        with LEARNING:
            with suppress(msgspec.ValidationError):
                msgspec.convert(None, kind)  # learns the type before it looks at the value
            _MET.add(kind)
    return kind
