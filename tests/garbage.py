"""How seldom Python looks for garbage in the tests, and in the kiosks that they fork."""

from __future__ import annotations

import gc
from typing import Final

SELDOM: Final = (50_000, 20, 100)
"""How many objects more there are before Python looks for garbage, and how often it looks further: it took a quarter of
the time of tests that build much, such as syntax trees, and a test is over before its garbage matters."""


def look_seldom_for_garbage() -> None:
    """Pass by all that is there now, which stays to the end, and look through what comes as seldom as that."""
    gc.freeze()
    gc.set_threshold(*SELDOM)
