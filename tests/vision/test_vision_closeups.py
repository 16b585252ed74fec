"""The bench of close-ups: where the die lies in the cut, how each is counted, and where its table goes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rules.dice import Box, DieKind, DieReading, DieState, SourceKind
from tests.bench.vision_closeups import close_up, how_it_went
from tests.bench.vision_report import FIRST, LAST, PAGE, rewritten
from tests.vision.photographs import Photograph

BOX = Box(100, 100, 60, 60)
PHOTOGRAPH = Photograph(Path("die.jpg"), DieKind.D20, 7, BOX, "a die", "overhead")


@pytest.mark.parametrize("side", [300, 1000])
@pytest.mark.parametrize("share", [0.5, 0.98])
def test_the_die_fills_its_share_of_the_middle(share: float, side: int) -> None:
    picture = np.zeros((300, 400, 3), np.uint8)
    picture[120:180, 330:390] = 255
    cut, box = close_up(picture, Box(330, 120, 60, 60), share, side)
    assert cut.shape == (side, side, 3)
    assert box.width == pytest.approx(share * side, abs=1)
    assert box.x + box.width / 2 == pytest.approx(side / 2, abs=1)
    rows, columns = np.nonzero(cut[:, :, 0] > 127)
    assert (columns.min(), rows.min()) == pytest.approx((box.x, box.y), abs=side / 60)
    assert np.ptp(columns) == pytest.approx(box.width, abs=side / 40)


def die(face: int | None, box: Box = BOX) -> DieReading:
    state = DieState.DOUBTFUL if face is None else DieState.READ
    return DieReading(DieKind.D20, face, 0.9, state, SourceKind.CAMERA, box=box)


@pytest.mark.parametrize(
    ("dice", "went"),
    [
        ([die(7)], "read"),
        ([die(8)], "wrong"),
        ([die(None)], "asked"),
        ([die(None), die(7, Box(0, 0, 30, 30))], "wrong"),
        ([die(7), die(None, Box(0, 0, 30, 30))], "read"),
        ([die(None, Box(0, 0, 30, 30))], "neither"),
        ([], "neither"),
    ],
)
def test_each_close_up_is_counted_once(dice: list[DieReading], went: str) -> None:
    assert how_it_went(PHOTOGRAPH, BOX, dice) == went


def test_the_tables_take_the_place_of_those_before_them_and_the_page_has_that_place() -> None:
    page = PAGE.read_text(encoding="utf-8")
    made = rewritten(page, "| new |\n")
    assert f"{FIRST}| new |\n{LAST}" in made
    assert rewritten(made, page.partition(FIRST)[2].partition(LAST)[0]) == page
    with pytest.raises(ValueError, match="has no place"):
        rewritten("# A page\n", "| new |\n")
