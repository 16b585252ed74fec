"""What happened to Extended Tasks. Each carries the track as it stands afterwards, so that folding needs no rule."""

from __future__ import annotations

from dataclasses import dataclass

from rules.dice import Face
from rules.state_extended import ExtendedTrack


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedTaskBegan:
    """An Extended Task waits to be worked on."""

    track: ExtendedTrack
    next_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkMarked:
    """A successful Task moved an Extended Task on: `amount` of Work, or of Progress, after Resistance.

    `faces` are the Challenge Dice of the Work, empty with Progress; `breakthroughs` are those that this go made.
    """

    who: str
    amount: int
    faces: tuple[Face, ...]
    breakthroughs: int
    track: ExtendedTrack


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedTaskFinished:
    """An Extended Task is done, and off the table."""

    track: ExtendedTrack


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedTaskEnded:
    """An Extended Task was given up; `why` in words."""

    track: ExtendedTrack
    why: str
