"""The pictures of single dice that people may look at, the newest ones alone."""

from __future__ import annotations

import itertools
import threading
from collections import OrderedDict
from typing import Final

PICTURES_KEPT: Final = 50
"""So many pictures of single dice are kept; older ones are forgotten."""


class Album:
    """The newest pictures by key, for any thread; none is written to a disk."""

    def __init__(self, kept: int = PICTURES_KEPT) -> None:
        self._kept = kept
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, key: str, picture: bytes) -> None:
        """Keep a picture; the oldest one goes where there is no room."""
        with self._lock:
            self._pictures[key] = picture
            for old in list(itertools.islice(self._pictures, max(0, len(self._pictures) - self._kept))):
                del self._pictures[old]

    def get(self, key: str) -> bytes | None:
        """The picture kept under `key`; None where there is none (any more)."""
        with self._lock:
            return self._pictures.get(key)
