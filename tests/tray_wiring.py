"""Draws the wiring of the reference tray: `python -m tests.tray_wiring > docs/tray.svg`.

One straight line a wire, from the board's pin on the left through what lies between to the part on the right, so that a
line can be followed with a finger. docs/tray.md says the same in a table; a test compares both with the firmware.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

FONT: Final = "'Atkinson Hyperlegible Next', 'DejaVu Sans', sans-serif"
WIDTH, ROW, TOP = 1080, 44, 130
BOARD_EDGE, PART_EDGE = 270, 680
MIDDLE: Final = (BOARD_EDGE + PART_EDGE) // 2
CHIP_ROW, CHIP_LEFT, CHIP_RIGHT = 26, 430, 650


@dataclass(frozen=True, slots=True)
class Wire:
    """One line: the board's pin, what the wire passes through (may be empty), the part and its terminal."""

    pin: str
    through: str
    part: str
    terminal: str


SHIFTER: Final = "74LVC245"
BUFFER: Final = "74HC125"
READERS: Final = "all readers"
WIRES: Final = (
    Wire("D13", SHIFTER, READERS, "SCK"),
    Wire("D11", SHIFTER, READERS, "MOSI"),
    Wire("D12", BUFFER, READERS, "MISO"),
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
    ("5 V", "3.3 V regulator, in; out: 3.3 V of every reader (10 µF and 100 nF each) and of both chips (100 nF each)"),
    ("5 V", "120 Ω, then the infrared LED of the light beam: its anode, the longer leg; from its cathode to ground"),
    ("5 V", "100 kΩ, then D3"),
    ("D6", "10 kΩ to ground, so that the readers rest while the board restarts"),
    ("D12", "10 kΩ to 3.3 V, so that a reader that is not there reads as nothing"),
    ("D10", "10 kΩ to 3.3 V, so that no reader is selected, and no buffer on, while the board restarts"),
    ("D9", "10 kΩ to 3.3 V, as D10"),
    ("D8", "10 kΩ to 3.3 V, as D10"),
    ("D7", "10 kΩ to 3.3 V, as D10"),
    ("1A", "of the 74HC125: 100 kΩ to 3.3 V, because a reader that releases its MISO leaves this input open"),
    ("2A", "of the 74HC125: 100 kΩ to 3.3 V, as 1A"),
    ("3A", "of the 74HC125: 100 kΩ to 3.3 V, as 1A"),
    ("4A", "of the 74HC125: 100 kΩ to 3.3 V, as 1A"),
    ("A0", "1 MΩ to ground; a diode's plain end, its ring at 5 V; another's ring, its plain end at ground"),
    ("GND", "ground of every part, at one point"),
    ("open", "IRQ of every reader, DO of the lamp ring, a phototransistor's base, B8 of the 74LVC245"),
    ("open", "A3, whose noise makes the tray's number, and each pin of the board that is in no table"),
)
"""What else is joined, in words, for which a line would only cross others."""


@dataclass(frozen=True, slots=True)
class ChipPin:
    """One pin of a chip: its number and name in the data sheet, and what it is joined with."""

    number: int
    name: str
    joined: str


def _selected(well: int) -> str:
    return f"SDA of the reader of well {well}"


CHIPS: Final[dict[str, tuple[ChipPin, ...]]] = {
    SHIFTER: (
        ChipPin(1, "DIR", "3.3 V: from A to B"),
        ChipPin(2, "A1", "D13"),
        ChipPin(3, "A2", "D11"),
        ChipPin(4, "A3", "D6"),
        ChipPin(5, "A4", "D10"),
        ChipPin(6, "A5", "D9"),
        ChipPin(7, "A6", "D8"),
        ChipPin(8, "A7", "D7"),
        ChipPin(9, "A8", "ground, because it is not used"),
        ChipPin(10, "GND", "ground"),
        ChipPin(11, "B8", "nothing"),
        ChipPin(12, "B7", f"{_selected(4)}; 4/OE of the 74HC125"),
        ChipPin(13, "B6", f"{_selected(3)}; 3/OE of the 74HC125"),
        ChipPin(14, "B5", f"{_selected(2)}; 2/OE of the 74HC125"),
        ChipPin(15, "B4", f"{_selected(1)}; 1/OE of the 74HC125"),
        ChipPin(16, "B3", "RST of all readers"),
        ChipPin(17, "B2", "MOSI of all readers"),
        ChipPin(18, "B1", "SCK of all readers"),
        ChipPin(19, "/OE", "ground: always on"),
        ChipPin(20, "VCC", "3.3 V"),
    ),
    BUFFER: (
        ChipPin(1, "1/OE", "B4 of the 74LVC245"),
        ChipPin(2, "1A", "MISO of the reader of well 1; 100 kΩ to 3.3 V"),
        ChipPin(3, "1Y", "D12"),
        ChipPin(4, "2/OE", "B5 of the 74LVC245"),
        ChipPin(5, "2A", "MISO of the reader of well 2; 100 kΩ to 3.3 V"),
        ChipPin(6, "2Y", "D12"),
        ChipPin(7, "GND", "ground"),
        ChipPin(8, "3Y", "D12"),
        ChipPin(9, "3A", "MISO of the reader of well 3; 100 kΩ to 3.3 V"),
        ChipPin(10, "3/OE", "B6 of the 74LVC245"),
        ChipPin(11, "4Y", "D12"),
        ChipPin(12, "4A", "MISO of the reader of well 4; 100 kΩ to 3.3 V"),
        ChipPin(13, "4/OE", "B7 of the 74LVC245"),
        ChipPin(14, "VCC", "3.3 V"),
    ),
}
"""Every pin of both chips."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """One terminal of a part that is no chip, and what it is joined with."""

    part: str
    name: str
    joined: str


TERMINALS: Final = (
    Terminal("each reader", "3.3V", "3.3 V; 10 µF and 100 nF from here to its GND"),
    Terminal("each reader", "GND", "ground"),
    Terminal("each reader", "RST", "B3 of the 74LVC245"),
    Terminal("each reader", "SCK", "B1 of the 74LVC245"),
    Terminal("each reader", "MOSI", "B2 of the 74LVC245"),
    Terminal("each reader", "MISO", "wells 1, 2, 3, 4: 1A, 2A, 3A, 4A of the 74HC125"),
    Terminal("each reader", "SDA", "wells 1, 2, 3, 4: B4, B5, B6, B7 of the 74LVC245"),
    Terminal("each reader", "IRQ", "nothing"),
    Terminal("3.3 V regulator", "IN", "5 V"),
    Terminal("3.3 V regulator", "GND", "ground"),
    Terminal("3.3 V regulator", "OUT", "3.3 V"),
    Terminal("lamp ring", "5 V", "5 V; 1000 µF from here to its GND"),
    Terminal("lamp ring", "GND", "ground"),
    Terminal("lamp ring", "DI", "330 Ω, then D5"),
    Terminal("lamp ring", "DO", "nothing"),
    Terminal("infrared LED", "anode, the longer leg", "120 Ω, then 5 V"),
    Terminal("infrared LED", "cathode", "ground"),
    Terminal("phototransistor", "collector", "D3; 100 kΩ from here to 5 V"),
    Terminal("phototransistor", "emitter", "ground"),
    Terminal("phototransistor", "base, where it has one", "nothing"),
    Terminal("piezo disc", "inner face", "10 kΩ, then A0"),
    Terminal("piezo disc", "outer face", "ground"),
    Terminal("first diode", "the end with the ring", "5 V"),
    Terminal("first diode", "the other end", "A0"),
    Terminal("second diode", "the end with the ring", "A0"),
    Terminal("second diode", "the other end", "ground"),
    Terminal("button", "one leg", "D2"),
    Terminal("button", "the other leg", "ground"),
)
"""Every terminal of every part beside the two chips, to tick off; nothing of it is left to guess."""


@dataclass(frozen=True, slots=True)
class Beam:
    """The light beam: the worst parts that docs/tray.md asks for, and how far they reach.

    `intensity` of the LED is in mW/sr at 100 mA, `current` what flows through it in mA, `sensitivity` of the
    phototransistor in mA at 1 mW/cm², `pull_up` its resistor to 5 V in kΩ.
    """

    intensity: float = 40
    current: float = 30
    sensitivity: float = 1
    pull_up: float = 100

    @property
    def reach(self) -> float:
        """Centimetres up to which the pin still reads low, which an ATmega does surely below 1.5 V of 5 V."""
        needed = (5 - 1.5) / self.pull_up
        return math.sqrt(self.intensity * self.current / 100 * self.sensitivity / needed)


BEAM: Final = Beam()
_DESCRIPTION: Final = " ".join(
    [
        *(
            f"{wire.pin} goes {f'through {wire.through} ' if wire.through else ''}to {wire.part}, {wire.terminal}."
            for wire in WIRES
        ),
        *(f"{pin}: {words}." for pin, words in POWER),
        *(f"{chip}, pin {pin.number}, {pin.name}: {pin.joined}." for chip, pins in CHIPS.items() for pin in pins),
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


def _chips(top: int) -> list[str]:
    """Both chips as they lie on the desk: pin 1 top left, counted down, and up again on the right."""
    drawn = []
    for number, (chip, pins) in enumerate(CHIPS.items()):
        half = len(pins) // 2
        y = top + number * (CHIP_ROW * (len(CHIPS[SHIFTER]) // 2) + 90)
        drawn.append(_text(WIDTH // 2, y - 12, f"{chip}, seen from above", bold=True, anchor="middle"))
        drawn.append(_box(CHIP_LEFT, y, CHIP_RIGHT - CHIP_LEFT, CHIP_ROW * half + 12, "#fff"))
        drawn.append(
            f'<path d="M{WIDTH // 2 - 14} {y}a14 14 0 0 0 28 0" fill="#eef3f7" stroke="#111" stroke-width="2"/>'
        )
        for row in range(half):
            line = y + CHIP_ROW * row + 24
            left, right = pins[row], pins[-1 - row]
            drawn.append(_text(CHIP_LEFT - 12, line, left.joined, anchor="end"))
            drawn.append(_text(CHIP_LEFT + 12, line, f"{left.number} {left.name}"))
            drawn.append(_text(CHIP_RIGHT - 12, line, f"{right.name} {right.number}", anchor="end"))
            drawn.append(_text(CHIP_RIGHT + 12, line, right.joined))
    return drawn


def drawing() -> str:
    """The whole picture as SVG."""
    below = TOP + ROW * len(WIRES) + 20
    chips = below + 90 + 30 * len(POWER)
    height = chips + sum(CHIP_ROW * (len(pins) // 2) + 90 for pins in CHIPS.values()) - 60
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
    return "\n".join([*lines, *_chips(chips), "</svg>", ""])


if __name__ == "__main__":
    sys.stdout.write(drawing())
