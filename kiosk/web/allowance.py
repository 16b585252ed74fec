"""Limits how often somebody may ask for speech, which costs the processor time that reading dice needs."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kiosk.errors import AskedTooOftenError
from kiosk.hub import KeptPlace
from kiosk.web.door import Caller

MOST_CALLERS: Final = 1024
"""Callers remembered; the one that asked longest ago is forgotten first."""


@dataclass(frozen=True, slots=True)
class Rate:
    """`at_once` may be had, and `per_second` comes back."""

    at_once: float
    per_second: float


OF_ONE: Final = {
    KeptPlace.GAMEMASTER: Rate(40, 4),
    KeptPlace.TABLE: Rate(40, 4),
    KeptPlace.GUEST: Rate(24, 1),
}
"""The rate of one person, or of one address of strangers; the kiosk itself is never refused."""
OF_ALL: Final = {KeptPlace.GUEST: Rate(48, 2)}
"""The rate of all strangers together: they may come from many addresses."""


class SpeechAllowance:
    """Keeps what each caller has left; any thread may ask."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._left: OrderedDict[tuple[KeptPlace, str], tuple[float, float]] = OrderedDict()

    def take(self, caller: Caller) -> None:
        """Use one up. Raises `AskedTooOftenError` where none is left."""
        bound = {(caller.place, ""): OF_ALL.get(caller.place)}
        if caller.who:
            bound[caller.place, caller.who] = OF_ONE.get(caller.place)
        with self._lock:
            now = self._monotonic()
            left = {key: (self._left_of(key, rate, now), rate) for key, rate in bound.items() if rate is not None}
            missing = [(1 - have) / rate.per_second for have, rate in left.values() if have < 1]
            if missing:
                raise AskedTooOftenError(max(1, math.ceil(max(missing))))
            for key, (have, _) in left.items():
                self._left[key] = (have - 1, now)
                self._left.move_to_end(key)
            while len(self._left) > MOST_CALLERS:
                self._left.popitem(last=False)

    def _left_of(self, key: tuple[KeptPlace, str], rate: Rate, now: float) -> float:
        have, when = self._left.get(key, (rate.at_once, now))
        return min(rate.at_once, have + (now - when) * rate.per_second)
