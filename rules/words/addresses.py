"""Addresses as people may see them: without what lets somebody in."""

from __future__ import annotations

import re
from typing import Final

_ADDRESS: Final = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*://)(?P<rest>[^\s\"'<>]+)", re.IGNORECASE)
"""An address in a text, up to the next blank or quotation mark."""
_VALUE: Final = re.compile(r"=[^/&;?#]+")
"""A value in a path, as some cameras have their passwords there, or in a query."""
_NAMELESS: Final = re.compile(r"(?<=[?&;#])[^=&;?#]+(?=[&;?#]|$)")
"""A part of a query or a fragment that is not named: all of it may be a secret."""
_AFTER: Final = ".,:;!)]"
"""Signs at its end that belong to the sentence round it."""
HIDDEN: Final = "***"
"""What stands for a secret."""


def masked(text: str) -> str:
    """`text` with user, password, and each value of path, query and fragment hidden in every address in it.

    In doubt more is hidden: a password may hold any sign.
    """
    return _ADDRESS.sub(_masked, text)


def _masked(found: re.Match[str]) -> str:
    rest = found["rest"].rstrip(_AFTER)
    after = found["rest"][len(rest) :]
    who, at, where = rest.rpartition("@")
    at_first = re.search(r"[/?#]", where)
    host, tail = (where, "") if at_first is None else (where[: at_first.start()], where[at_first.start() :])
    tail = _NAMELESS.sub(HIDDEN, _VALUE.sub(f"={HIDDEN}", tail))
    return f"{found['scheme']}{HIDDEN if who else ''}{at}{host}{tail}{after}"
