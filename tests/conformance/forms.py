"""What a call form is: a function from a profile and a case's given to its expect, by the names of the case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from rules.errors import Refusal

Result = dict[str, Any]

SMALL_WORDS = frozenset({"a", "an", "the", "of", "in", "on", "by", "to", "for"})

STEM_LETTERS = 5


Form = Callable[..., Result]
"""Takes the profile by place and the case's given by keyword; an unknown keyword is an error."""


def if_allowed(ask: Callable[[], Result]) -> Result:
    """What `ask` answers with `allowed` true, or `allowed` false alone if the rules refuse."""
    try:
        return {"allowed": True, **ask()}
    except Refusal:
        return {"allowed": False}


def closest_name(name: str, names: Iterable[str]) -> str:
    """The name of a table that a case means by its own words for the same thing, else the case's name itself.

    The rules name what happens in prose, so a case may say `keep_the_initiative` where the table has
    `keep_initiative`. Most words in common wins, each weighing less the more names have it. No word in common, a tie,
    or less than half of the words of either is an unknown name.
    """
    known = tuple(names)
    letters = _letters(name)
    for one in known:
        if _letters(one) == letters:
            return one
    asked = _stems(name)
    frequency = Counter(stem for one in known for stem in _stems(one))
    shared = {one: sum(Fraction(1, frequency[stem]) for stem in asked & _stems(one)) for one in known}
    best = max(shared.values(), default=0)
    closest = [one for one, weight in shared.items() if weight == best]
    if not best or len(closest) > 1:
        return name
    meant = _stems(closest[0])
    return closest[0] if 2 * len(asked & meant) >= min(len(asked), len(meant)) else name


def _letters(name: str) -> str:
    """A name without what may stand between its words: `re_roll_damage` is `reroll_damage`."""
    return "".join(one for one in name.lower() if one.isalnum())


def _stems(name: str) -> frozenset[str]:
    """The words of a name, cut to what their forms share, without small words."""
    words = name.lower().replace("-", "_").replace(" ", "_").split("_")
    return frozenset(word[:STEM_LETTERS] for word in words if word and word not in SMALL_WORDS)
