"""The camera tray's page and drawing against one table, and the table against what a camera sees."""

from __future__ import annotations

import math
import re

import pytest

from tests.camera_tray_box import FLOOR, LENS_HEIGHT, PARTS, THICK, drawing
from tests.firmware_bridge.camera_tray import PROGRAM

ROOT = PROGRAM.parents[2]
PAGE = (ROOT / "docs" / "camera-tray.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("|")]
SMALLEST_D20 = 18
"""Millimetres across of a small one."""
LEGIBLE = 45
"""Pixels across that a die needs; README says so."""


def test_the_pages_table_is_that_of_the_drawing() -> None:
    wanted = [[one.name, str(one.count), f"{one.length} mm", f"{one.width} mm", one.note] for one in PARTS]
    assert [row for row in ROWS if len(row) == 5 and row[2].endswith(" mm")] == wanted
    assert f"All pieces are {THICK} mm thick." in PAGE
    assert f"{LENS_HEIGHT} mm above the floor" in PAGE


def test_the_drawing_is_up_to_date() -> None:
    kept = (ROOT / "docs" / "camera-tray.svg").read_text(encoding="utf-8")
    assert kept == drawing(), "write it anew: python -m tests.camera_tray_box > docs/camera-tray.svg"


WIDE, HIGH = 1280, 1024
"""A picture of SXGA."""


@pytest.mark.parametrize(("degrees", "longer"), [(70, 0), (78, 0), (65, 20), (69, 20), (84.5, 0)])
def test_the_camera_sees_the_whole_floor_and_dice_large_enough(degrees: float, longer: int) -> None:
    """An OV2640's lens, which modules state across the diagonal; an OpenMV's usual one has 70.8 degrees across."""
    diagonal = 2 * (LENS_HEIGHT + longer) * math.tan(math.radians(degrees / 2))
    across, pixels, high = diagonal * WIDE / math.hypot(WIDE, HIGH), WIDE, HIGH
    assert across >= FLOOR.length
    assert across * high / pixels >= FLOOR.width
    assert SMALLEST_D20 * pixels / across >= LEGIBLE


def test_the_lens_is_named_by_its_axis() -> None:
    assert "Lens of 70 to 78 degrees across the diagonal" in PAGE
    assert "With 65 to 69 make the posts 20 mm longer" in PAGE


def test_what_the_page_tells_to_change_is_in_the_program() -> None:
    program = PROGRAM.read_text(encoding="utf-8")
    for name in set(re.findall(r"`([A-Z_]{5,})", PAGE)):
        assert f"\n{name} = " in program, name
    assert re.search(r"^LIGHT_PIN = 1$", program, re.MULTILINE)
    assert "| GPIO 1 (D0 of the XIAO) |" in PAGE
