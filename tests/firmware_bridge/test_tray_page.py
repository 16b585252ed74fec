"""The page and the drawing that a maker builds from, against the firmware and against each other."""

from __future__ import annotations

import re

from firmware_bridge.messages import WHOLE_TRAY, FaultCode, Hello
from firmware_bridge.wording import ready
from tests.firmware_bridge.emulated import ROOT
from tests.tray_wiring import POWER, WIRES, drawing

FIRMWARE = ROOT / "firmware_bridge" / "firmware"
PAGE = (ROOT / "docs" / "tray.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("|")]
NAMES = {
    "B_SCK": ("all readers", "SCK"),
    "B_MOSI": ("all readers", "MOSI"),
    "B_MISO": ("all readers", "MISO"),
    "D_READERS_RUN": ("all readers", "RST"),
    "B_SELECT_0": ("reader of well 1", "SDA"),
    "B_SELECT_1": ("reader of well 2", "SDA"),
    "B_SELECT_2": ("reader of well 3", "SDA"),
    "D_SELECT_3": ("reader of well 4", "SDA"),
    "D_LAMPS": ("lamp ring, 12 lamps", "DI"),
    "D_BUTTON": ("button", "other leg to ground"),
    "D_BEAM": ("phototransistor", "collector; emitter to ground"),
}


def firmware_pins() -> dict[tuple[str, str], str]:
    """Part and terminal -> the board's name of the pin that the firmware uses for it."""
    text = (FIRMWARE / "avr" / "pins.c").read_text(encoding="utf-8")
    pins = {
        NAMES[name]: f"D{int(bit) + (8 if name[0] == 'B' else 0)}"
        for name, bit in re.findall(r"^    (\w+) = _BV\((\d)\)", text, re.MULTILINE)
    }
    (channel,) = re.findall(r"CHANNEL_PIEZO = (\d)", (FIRMWARE / "avr" / "piezo.c").read_text(encoding="utf-8"))
    return pins | {("piezo disc", "inner face; outer to ground"): f"A{channel}"}


def test_the_drawing_and_the_firmware_use_the_same_pins() -> None:
    assert {(wire.part, wire.terminal): wire.pin for wire in WIRES} == firmware_pins()
    assert len({wire.pin for wire in WIRES}) == len(WIRES)


def test_the_pages_table_is_the_drawing_in_words() -> None:
    wanted = [[wire.pin, wire.through or "-", wire.part, wire.terminal] for wire in WIRES]
    assert [row for row in ROWS if re.fullmatch(r"[AD]\d+", row[0]) and len(row) == 4] == wanted
    joined = [row[0] for row in ROWS if len(row) == 2 and row[0] in {"5 V", "D6", "A0", "ground"}]
    assert joined == [pin.replace("GND", "ground") for pin, _ in POWER]


def test_the_drawing_is_up_to_date_and_says_itself_in_words() -> None:
    kept = (ROOT / "docs" / "tray.svg").read_text(encoding="utf-8")
    assert kept == drawing(), "write it anew: python -m tests.tray_wiring > docs/tray.svg"
    description = kept.partition('<desc id="desc">')[2].partition("</desc>")[0]
    assert all(f"{wire.pin} goes" in description for wire in WIRES)


def test_every_fault_is_on_the_page_in_the_kiosks_words() -> None:
    hello = Hello(1, 0, 0, 0x0100, 1, 1, 1, 4, 15, 0)
    sent = {FaultCode.READER: 3, FaultCode.MOTION: WHOLE_TRAY, FaultCode.BEAM: WHOLE_TRAY, FaultCode.MEMORY: WHOLE_TRAY}
    told = {
        int(row[0][0]): row[1].replace("*n*", "4") for row in ROWS if re.match(r"\d(,|$)", row[0]) and len(row) == 4
    }
    assert set(told) == set(sent)
    for code, words in told.items():
        assert words in ready(hello, [(code, sent[FaultCode(code)])]).remedy
    for code in set(FaultCode) - set(sent):
        assert f"({code.value})" in PAGE, "named as one that this firmware never sends"


def test_the_parts_have_quantities_and_the_resistors_are_all_there() -> None:
    section = PAGE.partition("## Parts\n")[2].partition("\n## ")[0]
    parts = {row[0]: row[1] for row in ROWS if f"| {row[0]} |" in section and row[1] != "how many"}
    assert all(parts.values())
    drawn = " ".join([*(wire.through for wire in WIRES), *(words for _, words in POWER)])
    for value in re.findall(r"\d+ [kM]?Ω", drawn):
        count = parts[f"resistor {value}"]
        assert int(count) == len(re.findall(rf"\b{value}", drawn)), value
