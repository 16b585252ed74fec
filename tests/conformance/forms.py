"""What a call form is: a function from a profile and a case's given to its expect, by the names of the case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from rules.errors import Refusal

Result = dict[str, Any]

ARTICLES = frozenset({"a", "an", "the"})

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
    `keep_initiative`. Most words in common wins, each weighing less the more names have it; no word in common, or a
    tie, is an unknown name.
    """
    known = tuple(names)
    if name in known:
        return name
    asked = _stems(name)
    frequency = Counter(stem for one in known for stem in _stems(one))
    shared = {one: sum(Fraction(1, frequency[stem]) for stem in asked & _stems(one)) for one in known}
    best = max(shared.values(), default=0)
    closest = [one for one, weight in shared.items() if weight == best]
    return closest[0] if best and len(closest) == 1 else name


def _stems(name: str) -> frozenset[str]:
    """The words of a name, cut to what their forms share, without articles."""
    words = name.lower().replace("-", "_").replace(" ", "_").split("_")
    return frozenset(word[:STEM_LETTERS] for word in words if word and word not in ARTICLES)
