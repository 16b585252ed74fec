"""Asking a tray for everything anew, again and again until it has answered: a SNAPSHOT may be lost on the wire.

Free of I/O. Nothing on the wire answers SNAPSHOT by name; what it brings does: a TAG for each tag that lies there, and
the events of a tray whose BEAT says that it has had some.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

FIRST_PATIENCE: Final = 1.0
"""Seconds after which an unanswered SNAPSHOT is sent again: a tray repeats TAG every 200-250 ms."""

DOUBLINGS: Final = 5
"""How often that time doubles: from 1 s to 32 s, at which it goes on while a tag is owed."""

MOST_IN_VAIN: Final = 5
"""How often a tray that tells nothing at all is asked: all its dice may have been taken away before."""


class AskedAnew:
    """The newest SNAPSHOT: what it has to bring, and when to send it again (`ask_at`; None while nothing is owed)."""

    def __init__(self) -> None:
        self.ask_at: float | None = None
        self._owed: set[int] = set()
        self._silent = False
        self._asked = 0

    def sent(self, now: float, tagged: Iterable[int]) -> None:
        """SNAPSHOT went out, while tags lay on the places `tagged`."""
        self._owed, self._silent, self._asked = set(tagged), True, 0
        self.ask_at = now + FIRST_PATIENCE

    def heard(self, tag_at: int | None = None) -> None:
        """An event has come, or the TAG of the place `tag_at`."""
        self._silent = False
        if tag_at is not None:
            self._owed.discard(tag_at)
        if not self._owed:
            self.ask_at = None

    def due(self, now: float, tagged: Iterable[int], *, has_events: bool) -> bool:
        """Whether SNAPSHOT is to be sent again now; `has_events` is what the tray's BEAT says."""
        if self.ask_at is None or now < self.ask_at:
            return False
        self._owed.intersection_update(tagged)  # a tag that has left is owed no more
        if not self._owed and not (self._silent and has_events and self._asked < MOST_IN_VAIN):
            self.ask_at = None
            return False
        self._asked += 1
        self.ask_at = now + FIRST_PATIENCE * 2.0 ** min(self._asked, DOUBLINGS)
        return True
