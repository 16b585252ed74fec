"""What people are told of dice that lie in the tray and count for nothing: d4, d8, d10 and d12."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from vision.seams import UncountedDie

_PAIR: Final = 2


def uncounted_in_words(others: Sequence[UncountedDie]) -> str:
    """One sentence about dice of other kinds; nothing where there are none."""
    kinds = Counter(one.kind for one in others)
    if not kinds:
        return ""
    first, *more = sorted(kinds, key=lambda kind: int(kind[1:]))
    if not more:
        if kinds[first] == 1:
            return f"A {first} lies there and is not counted."
        return f"{kinds[first]} {first}s lie there and are not counted."
    if len(kinds) == _PAIR:
        return f"Dice of other kinds lie there and are not counted: {first} and {more[0]}."
    return "Dice of several other kinds lie there and are not counted."
