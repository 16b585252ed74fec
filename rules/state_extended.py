"""Extended Tasks under way: how far each has come, and what it is for (EXT-T1, EXT-T2).

In: events alone. Out: frozen values on a `Table`; nothing here decides anything.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedTrack:
    """One Extended Task in the form that it began in.

    * `progress`: one track of Progress (EXT-T2); else Work, Magnitude and Breakthroughs (EXT-T1).
    * `work`: length of the track, `marked`: how much of it is done; `resistance`: what each go loses.
    * `magnitude`: Breakthroughs that finish it, 0 with Progress; `breakthroughs`: those made.
    * `base_difficulty`: what its Tasks begin at, each Breakthrough makes them 1 easier.
    * `purpose`, `subject_id`: what follows when it is finished, and for whom; empty where that is told by people.
    """

    track_id: str
    label: str
    work: int
    base_difficulty: int
    progress: bool = False
    magnitude: int = 0
    resistance: int = 0
    marked: int = 0
    breakthroughs: int = 0
    purpose: str = ""
    subject_id: str = ""
