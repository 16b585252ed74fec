"""The gate before the screens: where a table wants it, an outcome is seen by nobody before the voice begins to say it.

Else whoever sees the screen has read the outcome aloud before a blind player hears it. In: committed decisions, from
the engine's thread. Out: the same decisions, in order, to the pages. Nobody waits for ever: a voice that does not begin
in time is not waited for any longer, and one that cannot be heard is not waited for at all.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import Final

from kiosk.engine import Committed, Present
from rules.game import Narration, NarrationKind

log = logging.getLogger(__name__)

LONGEST_WAIT_SECONDS: Final = 4.0
"""The longest that an outcome is held back: an earlier one has mostly been said by then."""


class VoiceGate:
    """Keeps an outcome back until it is spoken, and everything decided after it, so that the order stays.

    `present` is the table as it is at first. `publish` is called with each decision that was kept back once it may be
    seen. `wanted` says whether outcomes are to wait now: the table chose so, and there is a voice that can be heard.
    After `longest` seconds the gate opens by itself.
    """

    def __init__(
        self,
        present: Present,
        publish: Callable[[Committed], None],
        *,
        wanted: Callable[[], bool],
        longest: float = LONGEST_WAIT_SECONDS,
    ) -> None:
        self._newest = present
        self._publish = publish
        self._wanted = wanted
        self._longest = longest
        self._lock = threading.RLock()
        self._before: Present | None = None
        self._kept: deque[Committed] = deque()
        self._alarm: threading.Timer | None = None

    @property
    def closed(self) -> bool:
        """Whether something is kept back."""
        return self._before is not None

    def seen(self, present: Present) -> Present:
        """The table as pages may show it while the engine's state is `present`, also just before `keeps` is called.

        Takes no lock, because it is asked while decisions are being published; the newest has to be looked at first.
        """
        newest = self._newest
        before = self._before
        if before is not None:
            return before
        return newest if present.sequence > newest.sequence and self._wanted() else present

    def keeps(self, committed: Committed) -> bool:
        """Whether a decision is held back; call it before the voice gets the decision. Returns at once."""
        with self._lock:
            if self._before is None and _tells_an_outcome(committed) and self._wanted():
                self._before = self._newest
                self._wait_for(committed)
            self._newest = committed.present
            if self._before is not None:
                self._kept.append(committed)
            return self._before is not None

    def began(self, narration: Narration) -> None:
        """Show what waits for `narration`, because the voice begins to say it, or will not say it.

        A later outcome goes on waiting for its own words, and what was decided after it.
        """
        with self._lock:
            told = [one.said.narration if one.said is not None else None for one in self._kept]
            place = next((place for place, one in enumerate(told) if one is narration), None)
            if place is not None:
                self._show(place + 1)

    def open(self) -> None:
        """Show all that is kept back."""
        with self._lock:
            self._show(len(self._kept))

    def _show(self, count: int) -> None:
        """Show the first `count` of what is kept back, and what no outcome keeps back then."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        shown: list[Committed] = []
        wanted = self._wanted()
        while self._kept and (len(shown) < count or not (wanted and _tells_an_outcome(self._kept[0]))):
            shown.append(self._kept.popleft())
        self._before = shown[-1].present if shown and self._kept else None
        if self._kept:
            self._wait_for(self._kept[0])
        for one in shown:
            self._publish(one)

    def _wait_for(self, outcome: Committed) -> None:
        self._alarm = threading.Timer(self._longest, self._too_long, args=(outcome,))
        self._alarm.daemon = True
        self._alarm.start()

    def _too_long(self, committed: Committed) -> None:
        with self._lock:
            if any(one is committed for one in self._kept):
                log.info("The voice did not begin within %g seconds; the outcome is shown without it.", self._longest)
                self.open()


def _tells_an_outcome(committed: Committed) -> bool:
    return committed.said is not None and committed.said.narration.kind is NarrationKind.OUTCOME
