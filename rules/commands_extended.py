"""What can be asked about Extended Tasks (EXT-T1, EXT-T2).

The work itself is a Task declared with an `action` named `extended` whose `target_id` is the track's id.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginExtendedTask:
    """Begin an Extended Task.

    `work` is the length of its track. `magnitude` is how many Breakthroughs finish it, and is left out (0) in the form
    with one track of Progress; `progress` chooses that form, None the table's own (C-58).
    """

    label: str
    work: int
    magnitude: int = 0
    resistance: int = 0
    difficulty: int = 2
    progress: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndExtendedTask:
    """Give an Extended Task up, or say that it does not matter any more."""

    track_id: str
