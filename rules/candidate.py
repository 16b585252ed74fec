"""One thing that may be legal now, as every group of candidates offers it.

In: nothing. Out: the value that `rules.candidates` and its parts yield, and `rules.options` tries.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.messages import Command


class Role(StrEnum):
    """Who would choose an option at a table; anyone may press it."""

    PLAYER = "player"
    GAMEMASTER = "gamemaster"
    ANYONE = "anyone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A command that may be legal now. `free` ones cost nothing, whatever pools they move."""

    option_id: str
    label: str
    command: Command
    rule: str
    role: Role
    repeatable: bool = False
    threat_allowed: bool = False
    free: bool = False
