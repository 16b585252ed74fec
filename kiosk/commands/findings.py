"""What `trueroll doctor` finds: a part, how it is, and what a person can do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from kiosk.ports import SourceView
from rules.dice import SourceState
from rules.words import masked


class FindingState(StrEnum):
    """How a part is."""

    WELL = "well"
    ABSENT = "absent"
    WRONG = "wrong"


AS_REPORTED: Final = {
    SourceState.READY: FindingState.WELL,
    SourceState.STARTING: FindingState.WELL,
    SourceState.OFF: FindingState.ABSENT,
    SourceState.ABSENT: FindingState.ABSENT,
    SourceState.LOST: FindingState.WRONG,
    SourceState.INCOMPATIBLE: FindingState.WRONG,
}
"""The finding for each state of a source that the running kiosk reports."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One part: how it is, what was found, and what a person can do (empty when nothing)."""

    part: str
    health: FindingState
    what: str
    remedy: str = ""

    def __post_init__(self) -> None:
        """Hide what a quoted error tells of who may log in: the last door before a screen and the bundle."""
        object.__setattr__(self, "what", masked(self.what))
        object.__setattr__(self, "remedy", masked(self.remedy))


def reported(part: SourceView) -> Finding:
    """A part as the running kiosk reports it."""
    health = FindingState.WRONG if part.faulty else AS_REPORTED[SourceState(part.state)]
    return Finding(part.source, health, part.what, part.remedy)
