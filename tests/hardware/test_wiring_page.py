"""The wiring page says what the program does: its tables are read back and compared."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hardware.lamp import PATTERNS
from hardware.pins import HEADER_POSITION, RESERVED, PanelPins

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "wiring.md").read_text(encoding="utf-8")
DRAWING = (DOCS / "wiring.svg").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("|")]

WORDS = {
    "confirm": "confirm button",
    "undo": "undo button",
    "repeat": "repeat button",
    "lamp_red": "lamp, red leg",
    "lamp_green": "lamp, green leg",
    "lamp_blue": "lamp, blue leg",
    "ring": "ring light",
}


@pytest.mark.parametrize(("name", "words"), WORDS.items())
def test_each_default_pin_is_on_the_page_and_in_the_drawing(name: str, words: str) -> None:
    gpio = getattr(PanelPins(), name)
    (row,) = (row for row in ROWS if row[0] == words and row[1].isdecimal() and row[2].isdecimal())
    assert (int(row[1]), int(row[2])) == (gpio, HEADER_POSITION[gpio])
    assert f"GPIO {gpio} · position {HEADER_POSITION[gpio]}<" in DRAWING


def test_the_lamp_table_is_the_lamps() -> None:
    said = {row[0]: row[1] for row in ROWS if row[0] in set(PATTERNS)}
    assert said == {lamp.value: pattern.words for lamp, pattern in PATTERNS.items()}


def test_the_reserved_pins_are_named() -> None:
    named = re.search(r"keeps for itself \(([^)]*)\)", PAGE)
    assert named is not None
    assert {int(number) for number in re.findall(r"\d+", named[1])} == set(RESERVED)


def test_the_drawing_has_a_name_and_a_description() -> None:
    root = ET.fromstring(DRAWING)  # noqa: S314 - the project's own file
    space = "{http://www.w3.org/2000/svg}"
    for part in ("title", "desc"):
        found = root.find(f"{space}{part}")
        assert found is not None
        assert found.text
        assert found.get("id") in root.get("aria-labelledby", "").split()
