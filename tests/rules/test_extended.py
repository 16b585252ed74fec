from __future__ import annotations

from dataclasses import replace

import pytest

from rules.errors import Refusal
from rules.tasks.extended import ExtendedTask, Progress, do_work, make_progress, work_dice

TASK = ExtendedTask(work=10, magnitude=2, resistance=1, base_difficulty=3)


@pytest.mark.parametrize(
    ("marked", "faces", "done", "after", "breakthroughs"),
    [
        (0, (2, 2, 2, 3), 5, 5, 1), (0, (2, 2, 1, 3), 4, 4, 0), (9, (2, 1, 3, 3), 2, 10, 1),
        (6, (2, 2, 2, 3), 5, 10, 2), (10, (2, 3, 3, 3), 1, 10, 1), (10, (1, 3, 3, 3), 0, 10, 0),
    ],
)  # fmt: skip
def test_work_fills_the_track_and_breaks_through(
    marked: int, faces: tuple[int, ...], done: int, after: int, breakthroughs: int
) -> None:
    """EXT-T1."""
    work = do_work(replace(TASK, marked=marked), 2, faces)
    assert (work.work_done, work.task.marked, work.task.breakthroughs) == (done, after, breakthroughs)
    assert work.task.difficulty == 3 - breakthroughs
    assert work.task.finished is (breakthroughs == 2)


def test_work_takes_two_dice_and_the_discipline() -> None:
    """EXT-T1."""
    assert work_dice(4) == 6
    with pytest.raises(Refusal):
        do_work(TASK, 2, (1, 2, 3))


@pytest.mark.parametrize(
    ("marked", "department", "resistance", "progress"),
    [
        (0, 4, 1, Progress(impact=3, marked=3, finished=False)),
        (0, 2, 5, Progress(impact=1, marked=1, finished=False)),
        (8, 4, 0, Progress(impact=4, marked=10, finished=True)),
    ],
)  # fmt: skip
def test_impact_is_one_at_least(marked: int, department: int, resistance: int, progress: Progress) -> None:
    """EXT-T2."""
    assert make_progress(10, marked, department, resistance) == progress
