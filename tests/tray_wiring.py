"""Draws the wiring of the reference tray: `python -m tests.tray_wiring > docs/tray.svg`.

One straight line a wire, from the board's pin on the left through what lies between to the part on the right, so that a
line can be followed with a finger. docs/tray.md says the same in a table; a test compares both with the firmware.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

FONT: Final = "'Atkinson Hyperlegible Next', 'DejaVu Sans', sans-serif"
WIDTH, ROW, TOP = 1080, 44, 130
BOARD_EDGE, PART_EDGE = 270, 680
MIDDLE: Final = (BOARD_EDGE + PART_EDGE) // 2


@dataclass(frozen=True, slots=True)
class Wire:
    """One line: the board's pin, what the wire passes through (may be empty), the part and its terminal."""

    pin: str
    through: str
    part: str
    terminal: str


SHIFTER: Final = "level shifter"
READERS: Final = "all readers"
WIRES: Final = (
    Wire("D13", SHIFTER, READERS, "SCK"),
    Wire("D11", SHIFTER, READERS, "MOSI"),
    Wire("D12", "", READERS, "MISO"),
    Wire("D6", SHIFTER, READERS, "RST"),
    Wire("D10", SHIFTER, "reader of well 1", "SDA"),
    Wire("D9", SHIFTER, "reader of well 2", "SDA"),
    Wire("D8", SHIFTER, "reader of well 3", "SDA"),
    Wire("D7", SHIFTER, "reader of well 4", "SDA"),
    Wire("D5", "330 Ω", "lamp ring, 12 lamps", "DI"),
    Wire("D2", "", "button", "other leg to ground"),
    Wire("D3", "", "phototransistor", "collector; emitter to ground"),
    Wire("A0", "10 kΩ", "piezo disc", "inner face; outer to ground"),
)
"""Every signal of the reference tray; power is drawn below them."""

POWER: Final = (
    ("5 V", "5 V of the lamp ring (1000 µF to ground beside it)"),
    ("5 V", "3.3 V regulator, in; out: 3.3 V of every reader (10 µF and 100 nF each) and of the level shifter"),
    ("5 V", "220 Ω, then the infrared LED of the light beam, then ground"),
    ("5 V", "10 kΩ, then D3"),
    ("D6", "10 kΩ to ground, so that the readers rest while the board restarts"),
    ("A0", "1 MΩ to ground; one diode from A0 up to 5 V, one from ground up to A0"),
    ("GND", "ground of every part, at one point"),
)
"""What else is joined, in words, for which a line would only cross others."""

_DESCRIPTION: Final = " ".join(
    [
        *(
            f"{wire.pin} goes {f'through {wire.through} ' if wire.through else ''}to {wire.part}, {wire.terminal}."
            for wire in WIRES
        ),
        *(f"{pin}: {words}." for pin, words in POWER),
    ]
)


def _text(x: int, y: int, words: str, *, bold: bool = False, anchor: str = "start") -> str:
    weight = ' font-weight="700"' if bold else ""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{weight}>{escape(words)}</text>'


def _box(x: int, y: int, width: int, height: int, fill: str) -> str:
    shape = f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8" fill="{fill}"'
    return f'{shape} stroke="#111" stroke-width="2"/>'


def _groups() -> list[tuple[str, list[int]]]:
    """The parts in order, each with its rows."""
    groups: list[tuple[str, list[int]]] = []
    for row, wire in enumerate(WIRES):
        if not groups or groups[-1][0] != wire.part:
            groups.append((wire.part, []))
        groups[-1][1].append(row)
    return groups


def _wires() -> list[str]:
    drawn = []
    for row, wire in enumerate(WIRES):
        y = TOP + ROW * row
        drawn.append(f'<path d="M{BOARD_EDGE} {y}H{PART_EDGE}" stroke="#111" stroke-width="3"/>')
        drawn.append(f'<circle cx="{BOARD_EDGE}" cy="{y}" r="5" fill="#fff" stroke="#111" stroke-width="2"/>')
        drawn.append(_text(BOARD_EDGE - 16, y + 6, wire.pin, anchor="end"))
        if wire.through:
            drawn.append(_box(MIDDLE - 70, y - 15, 140, 30, "#fff"))
            drawn.append(_text(MIDDLE, y + 6, wire.through, anchor="middle"))
    return drawn


def _parts() -> list[str]:
    drawn = []
    for part, rows in _groups():
        top, bottom = TOP + ROW * rows[0] - 18, TOP + ROW * rows[-1] + 18
        drawn.append(_box(PART_EDGE, top, WIDTH - 20 - PART_EDGE, bottom - top, "#eef3f7"))
        if len(rows) > 1:
            drawn.append(_text(WIDTH - 36, (top + bottom) // 2 + 6, part, bold=True, anchor="end"))
            drawn += [_text(PART_EDGE + 14, TOP + ROW * row + 6, WIRES[row].terminal) for row in rows]
        else:
            label = f"{part} · {WIRES[rows[0]].terminal}"
            drawn.append(_text(PART_EDGE + 14, TOP + ROW * rows[0] + 6, label))
    return drawn


def drawing() -> str:
    """The whole picture as SVG."""
    below = TOP + ROW * len(WIRES) + 20
    height = below + 40 + 30 * len(POWER)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"'
    lines = [
        f'{head} aria-labelledby="title desc" font-family="{FONT}" font-size="16">',
        '<title id="title">Wiring of the trueroll tray</title>',
        f'<desc id="desc">{escape(_DESCRIPTION)}</desc>',
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        _box(20, 20, BOARD_EDGE - 20, below - 50, "#eef3f7"),
        _text(40, 52, "Arduino Uno or Nano", bold=True),
        _text(40, 76, "ATmega328P, 5 V, 16 MHz"),
        _text(PART_EDGE, 52, "Parts of the tray", bold=True),
        _text(PART_EDGE, 76, "readers: RC522 modules, 3.3 V only"),
        *_wires(),
        *_parts(),
        _text(40, below, "Also joined:", bold=True),
    ]
    for number, (pin, words) in enumerate(POWER):
        y = below + 32 + 30 * number
        lines += [_text(40, y, pin, bold=True), _text(100, y, words)]
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    sys.stdout.write(drawing())
