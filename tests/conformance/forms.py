"""What a call form is: a function from a profile and a case's given to its expect, by the names of the case."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
    `keep_initiative`. Most words in common wins; no word in common, or a tie, is an unknown name.
    """
    known = tuple(names)
    if name in known:
        return name
    asked = _stems(name)
    shared = sorted(((len(asked & _stems(one)), one) for one in known), reverse=True)
    best, *others = shared
    unique = all(count < best[0] for count, _ in others)
    return best[1] if best[0] and unique else name


def _stems(name: str) -> frozenset[str]:
    """The words of a name, cut to what their forms share, without articles."""
    words = name.lower().replace("-", "_").replace(" ", "_").split("_")
    return frozenset(word[:STEM_LETTERS] for word in words if word and word not in ARTICLES)
