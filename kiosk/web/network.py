"""Whether phones in the network reach the kiosk: as the settings say, else as was chosen at the kiosk since.

Open, the kiosk listens at every address of its machine, beside the one that it always has. Both are the same pages
with the same rules of access; what is closed ends for whoever came in that way. The choice outlasts a restart.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final, Protocol

from kiosk.config import Config, settled_by
from kiosk.errors import KioskError, ServerError, words_of
from kiosk.sources import Sources
from kiosk.storage.preferences import PreferencesFile
from kiosk.web.access import Access
from rules.dice import SourceState
from rules.words import say

log = logging.getLogger(__name__)

PART: Final = "network"
"""The part under which it is reported that phones cannot be let in."""
EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 - phones are let in at every address, where somebody chose it
"""Every address of this machine."""


class Door(Protocol):
    """The part of `WebServer` that opens and closes addresses."""

    def open_to(self, host: str) -> None:
        """Listen at `host`, too."""

    def close_beside(self) -> None:
        """Stop listening there."""


class Network:
    """Opens and closes the kiosk to the network while it runs. Any thread may ask.

    Where the settings say who reaches it, they hold, and nothing can be chosen. `changed` is called with each change,
    before phones lose their connections, so that they can tell why.
    """

    def __init__(
        self,
        config: Config,
        access: Access,
        sources: Sources,
        preferences: PreferencesFile | None = None,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._access = access
        self._sources = sources
        self._preferences = preferences
        self._changed = changed
        self._lock = threading.Lock()
        self._door: Door | None = None
        self._trouble: str = ""
        self.settled = settled_by(config)

    @property
    def is_open(self) -> bool:
        """Whether phones reach the kiosk."""
        return self._access.open_to_network

    @property
    def trouble(self) -> str:
        """Why the last attempt to let them in failed; empty if it did not."""
        return self._trouble

    def serve(self, door: Door) -> None:
        """Use this server, and open it if that was chosen before; an obstacle is reported as a part."""
        self._door = door
        chosen = self._preferences.load().phones if self._preferences is not None else None
        if not chosen or self.settled:
            return
        try:
            self.choose(let_in=True)
        except KioskError as error:
            log.debug("the kiosk stays closed: %s", error)

    def choose(self, *, let_in: bool) -> None:
        """Let phones in, or keep them out. Raises `KioskError` if that fails; then nothing changes."""
        if self.settled:
            raise KioskError(self.settled)
        if self._door is None:
            raise KioskError(say("The kiosk is starting. Try again in a second."))
        with self._lock:
            if let_in:
                self._let_in(self._door)
            else:
                self._access.open_to_network = False
                self._mended()
            if self._preferences is not None:
                self._preferences.change(phones=let_in)
            self._changed()
            if not let_in:
                self._door.close_beside()

    def _let_in(self, door: Door) -> None:
        try:
            door.open_to(EVERYWHERE)
        except ServerError as error:
            self._trouble = words_of(error)
            remedy = say("Then choose Let phones in once more.")
            self._sources.set(PART, SourceState.LOST, self._trouble, remedy)
            raise
        self._access.open_to_network = True
        self._mended()

    def _mended(self) -> None:
        self._trouble = ""
        self._sources.forget(PART)
