"""The message about dice of kinds that are not read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rules.words import Phrase, say
from vision.errors import NO_WORDS
from vision.ports import UncountedDie

_PAIR: Final = 2
"""Most kinds named one by one."""

_DICE: Final = {"d4": say("d4"), "d8": say("d8"), "d10": say("d10"), "d12": say("d12")}
"""The words for each kind of die that is not read, those with fewer sides first."""


def uncounted_in_words(others: Sequence[UncountedDie]) -> Phrase:
    """One sentence about dice of other kinds; nothing where there are none."""
    kinds = Counter(one.kind for one in others)
    if not kinds:
        return NO_WORDS
    first, *more = (one for one in _DICE if one in kinds)
    if not more:
        if kinds[first] == 1:
            return say("A {die} lies there and is not counted.", die=_DICE[first])
        return say("{count} {die}s lie there and are not counted.", count=kinds[first], die=_DICE[first])
    if len(kinds) == _PAIR:
        return say(
            "Dice of other kinds lie there and are not counted: {one} and {other}.",
            one=_DICE[first],
            other=_DICE[more[0]],
        )
    return say("Dice of several other kinds lie there and are not counted.")
