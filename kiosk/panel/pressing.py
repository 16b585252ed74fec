"""The panel's buttons without a panel: pages press them, so that a keyboard at the table's screen does what it does."""

from __future__ import annotations

from collections.abc import Callable

from kiosk.errors import KioskError
from kiosk.panel.spoken_places import Gesture


class PanelKeys:
    """Where pages' presses go; `connect` says where, once the panel or its stand-in is there."""

    def __init__(self) -> None:
        self._take: Callable[[Gesture], None] | None = None

    def connect(self, take: Callable[[Gesture], None]) -> None:
        """Hand each press to `take`, which returns at once."""
        self._take = take

    def press(self, gesture: Gesture) -> None:
        """Press; raises `KioskError` while nothing takes presses."""
        if self._take is None:
            raise KioskError("The spoken menu is not ready yet. Try again in a moment.")
        self._take(gesture)
