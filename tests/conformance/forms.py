"""What a call form is: a function from a profile and a case's given to its expect, by the names of the case."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from rules.errors import Refusal

Result = dict[str, Any]

SMALL_WORDS = frozenset({"a", "an", "the", "of", "in", "on", "by", "to", "for"})

Form = Callable[..., Result]
"""Takes the profile by place and the case's given by keyword; an unknown keyword is an error."""


def if_allowed(ask: Callable[[], Result]) -> Result:
    """What `ask` answers with `allowed` true, or `allowed` false alone if the rules refuse."""
    try:
        return {"allowed": True, **ask()}
    except Refusal:
        return {"allowed": False}


def name_in(names: Iterable[str], said: str) -> str:
    """The name among `names` that a case writes its own way, else the case's name itself, which the rules then refuse.

    Only how it is written may differ: capitals, what stands between the words, articles and the like
    (`keep_the_initiative` is `keep_initiative`). Nothing is taken for what it merely resembles.
    """
    written = _letters(said)
    return next((one for one in names if _letters(one) == written), said)


def _letters(name: str) -> str:
    """A name without small words and what may stand between its words: `re_roll_damage` is `reroll_damage`."""
    words = re.split(r"[^a-z0-9]+", name.lower())
    return "".join(word for word in words if word not in SMALL_WORDS)
