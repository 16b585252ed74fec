"""Extended Tasks: Work and Breakthroughs in the first edition, Progress and Impact in the second (EXT-T1, EXT-T2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rules.challenge import challenge_result
from rules.dice import Face
from rules.errors import Refusal, require_at_least

BASE_WORK_DICE: Final = 2
"""Challenge Dice of Work before the discipline's are added (EXT-T1)."""

GREAT_WORK: Final = 5
"""Work in one go that is a Breakthrough by itself (EXT-T1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedTask:
    """A first-edition Extended Task and how far it has come (EXT-T1)."""

    work: int
    magnitude: int
    resistance: int
    base_difficulty: int
    marked: int = 0
    breakthroughs: int = 0

    @property
    def difficulty(self) -> int:
        """Difficulty of the next Task on it: 1 easier for each Breakthrough, floor 0."""
        return max(0, self.base_difficulty - self.breakthroughs)

    @property
    def finished(self) -> bool:
        """As many Breakthroughs as its Magnitude; a full track alone does not finish it."""
        return self.breakthroughs >= self.magnitude


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkDone:
    """The work of one successful Task, and the Extended Task after it."""

    work_done: int
    task: ExtendedTask


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """EXT-T2: what one successful Task marked, and the track after it."""

    impact: int
    marked: int
    finished: bool


def work_dice(discipline: int) -> int:
    """Challenge Dice after a successful Task: 2 and the discipline used (EXT-T1, CD-4)."""
    return BASE_WORK_DICE + require_at_least(0, discipline, "a discipline")


def do_work(task: ExtendedTask, discipline: int, faces: Sequence[Face]) -> WorkDone:
    """Mark the work of one successful Task (EXT-T1, C-58). Refuses a wrong number of Challenge Dice."""
    required = work_dice(discipline)
    if len(faces) != required:
        raise Refusal(
            "EXT-T1",
            "{required} Challenge Dice are due, {came} came; throw exactly those.",
            required=required,
            came=len(faces),
        )
    done = max(0, challenge_result(faces).total - task.resistance)
    marked = min(task.work, task.marked + done)
    at_the_end = done > 0 and marked == task.work
    return WorkDone(
        work_done=done,
        task=ExtendedTask(
            work=task.work,
            magnitude=task.magnitude,
            resistance=task.resistance,
            base_difficulty=task.base_difficulty,
            marked=marked,
            breakthroughs=task.breakthroughs + (done >= GREAT_WORK) + at_the_end,
        ),
    )


def make_progress(track: int, marked: int, department: int, resistance: int) -> Progress:
    """Mark the Impact of one successful Task: department less Resistance, at least 1 (EXT-T2)."""
    impact = max(1, department - resistance)
    after = min(track, marked + impact)
    return Progress(impact=impact, marked=after, finished=after >= track)
