"""What is worked out of a table for each of those who may act there, kept for as long as that table is shown.

In: a table, who it is for, and how it is worked out. Out: what came of that, or comes of it now.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, Generic, TypeAlias, TypeVar

from rules.game import MenuEntry, Table

_Worked = TypeVar("_Worked")

TABLES: Final = 2
"""Of how many tables something is kept: of the present one, and of one that pages show until the voice has spoken."""


class OfTable(Generic[_Worked]):
    """What was worked out of the last tables asked about, from any thread. A table is known by being the very same."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: tuple[tuple[Table, dict[str, _Worked]], ...] = ()

    def of(self, table: Table, who_id: str, work: Callable[[Table, str], _Worked]) -> _Worked:
        """What `work` makes of this table for one; asked of it once. Raises what `work` raises, and keeps nothing."""
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
