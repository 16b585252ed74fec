"""A cache of values computed from a table for each who may act, kept while that table is shown.

In: a table, who it is for, and how to compute the value. Out: the value, cached or new.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, Generic, TypeAlias, TypeVar

from rules.game import MenuEntry, Table

_Worked = TypeVar("_Worked")

TABLES: Final = 2
"""Most tables cached: the present one, and the one that pages show until the voice has spoken."""


class OfTable(Generic[_Worked]):
    """Values of the last tables used, from any thread. Tables are compared by identity."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: tuple[tuple[Table, dict[str, _Worked]], ...] = ()

    def of(self, table: Table, who_id: str, work: Callable[[Table, str], _Worked]) -> _Worked:
        """The result of `work` for this table and person, computed once. Errors of `work` are not cached."""
        with self._lock:
            found = next((one for known, one in self._known if known is table), None)
            if found is None:
                found = {}
                self._known = ((table, found), *self._known)[:TABLES]
            if who_id not in found:
                found[who_id] = work(table, who_id)
            return found[who_id]


Menus: TypeAlias = OfTable[tuple[MenuEntry, ...]]
"""The menu of each who may act."""
