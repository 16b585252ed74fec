"""The pictures of how well dice are read: they show what was counted, and claim no more than that."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.bench.vision_causes import FIRST_SEED, looked_at
from tests.bench.vision_charts import likely_share, write_charts
from vision.read.reader import load_reader
from vision.training.glyphs import Fonts


@given(st.integers(1, 5_000).flatmap(lambda count: st.tuples(st.integers(0, count), st.just(count))))
def test_the_interval_holds_the_share_and_narrows(wrong_of_count: tuple[int, int]) -> None:
    wrong, count = wrong_of_count
    low, high = likely_share(wrong, count)
    assert 0 <= low <= wrong / count + 1e-9
    assert wrong / count - 1e-9 <= high <= 1
    wider = likely_share(wrong, count)
    narrower = likely_share(10 * wrong, 10 * count)
    assert narrower[1] - narrower[0] < wider[1] - wider[0]


def test_every_flat_die_is_in_the_picture_of_confusion(tmp_path: Path) -> None:
    dice, _ = looked_at(load_reader(), FIRST_SEED, Fonts([]))
    calibration, confusion = write_charts(dice, tmp_path / "charts")
    drawn = confusion.read_text(encoding="utf-8")
    assert [int(count) for count in re.findall(r" of (\d+) right<", drawn)] == [5, 2, 2]
    cells = re.findall(r'text-anchor="middle"[^>]*>(\d+)</text>', drawn)
    heads = sum(range(1, 21)) + sum(range(1, 3)) + sum(range(1, 7))
    assert sum(map(int, cells)) == heads + 9
    assert calibration.read_text(encoding="utf-8").rstrip().endswith("</svg>")
