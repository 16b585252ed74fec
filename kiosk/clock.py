"""The machine's own time, for whoever needs a `ports.Clock` without the whole kiosk."""

from __future__ import annotations

import time


class SystemClock:
    """The machine's own time."""

    def now(self) -> float:
        """See `ports.Clock`."""
        return time.time()

    def monotonic(self) -> float:
        """See `ports.Clock`."""
        return time.monotonic()
