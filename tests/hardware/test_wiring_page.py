"""The wiring page says what the program does: its tables are read back and compared."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hardware.buzzer import MELODIES
from hardware.lamp import PATTERNS
from hardware.pins import HEADER_POSITION, RESERVED, USES, PanelPins

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "wiring.md").read_text(encoding="utf-8")
DRAWING = (DOCS / "wiring.svg").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("|")]

WORDS = {
    "confirm": "confirm button",
    "undo": "undo button",
    "repeat": "repeat button",
    "next": "next button",
    "previous": "previous button",
    "lamp_red": "lamp, red leg",
    "lamp_green": "lamp, green leg",
    "lamp_blue": "lamp, blue leg",
    "ring": "ring light",
    "buzzer": "buzzer",
}


@pytest.mark.parametrize(("name", "words"), WORDS.items())
def test_each_default_pin_is_on_the_page_and_in_the_drawing(name: str, words: str) -> None:
    gpio = getattr(PanelPins(), name)
    (row,) = (row for row in ROWS if row[0] == words and row[1].isdecimal() and row[2].isdecimal())
    assert (int(row[1]), int(row[2])) == (gpio, HEADER_POSITION[gpio])
    assert f"GPIO {gpio} · position {HEADER_POSITION[gpio]}<" in DRAWING


def told_under(heading: str) -> dict[str, str]:
    """The rows of the table under a heading, without its head."""
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return {cells[0].strip(): cells[1].strip() for cells in (line.strip("|").split("|") for line in lines)}


def test_the_lamp_table_is_the_lamps() -> None:
    said = told_under("What the lamp says")
    assert said == {lamp.value: pattern.words for lamp, pattern in PATTERNS.items()}


def test_the_buzzer_table_is_the_buzzers() -> None:
    said = told_under("What the buzzer sounds")
    assert said == {signal.value: melody.words for signal, melody in MELODIES.items()}


def test_every_part_has_words_on_the_page() -> None:
    assert set(WORDS) == set(USES)


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
