"""Whether a tray has started anew although it goes by the boot id that it had.

Free of I/O and of the clock. A boot id is never the same twice, but a tray may be made that forgets this: replugged,
it counts its events from 1 again, and its throws look like repeats of old ones. Two things never run back within one
start: the uptime, and the number of the newest event.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.rolls import is_later, is_newer


class NeverBack:
    """A number of the tray's that only grows, by `is_after` (it may wrap).

    A damaged frame passes its checksum once in 65,536. One value alone is therefore never believed, neither as a new
    start nor as the number to go on from: two in a row have to agree.
    """

    def __init__(self, is_after: Callable[[int, int], bool]) -> None:
        self._is_after = is_after
        self._believed: int | None = None
        self._before: int | None = None

    @property
    def in_doubt(self) -> bool:
        """Whether the newest value ran back, so that the next one has to tell."""
        return self._believed is not None and self._before is not None and self._is_after(self._believed, self._before)

    def take(self, value: int) -> bool:
        """Note `value`; whether it shows a new start."""
        before, believed = self._before, self._believed
        self._before = value
        if before is None or self._is_after(before, value):
            return False
        if believed is not None and self._is_after(believed, value):
            return True
        if believed is None or self._is_after(before, believed):
            self._believed = before
        return False


class OneStart:
    """Follows one start of a tray by what its HELLO and BEAT say."""

    def __init__(self) -> None:
        self._uptime = NeverBack(is_later)
        self._event = NeverBack(is_newer)

    @property
    def in_doubt(self) -> bool:
        """Whether a new start is likely, so that the tray should be asked at once."""
        return self._uptime.in_doubt

    def heard(self, uptime: int, last_event: int | None = None) -> bool:
        """Note a HELLO, or a BEAT with its `last_event`; whether the tray has started anew since."""
        is_new = self._uptime.take(uptime)
        return (last_event is not None and self._event.take(last_event)) or is_new
