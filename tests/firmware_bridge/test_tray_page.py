"""The page and the drawing that a maker builds from, against the firmware and against each other."""

from __future__ import annotations

import math
import re

import pytest

from firmware_bridge.messages import WHOLE_TRAY, FaultCode, Hello
from firmware_bridge.wording import ready
from tests.firmware_bridge.emulated import ROOT
from tests.tray_wiring import BEAM, BUFFER, CHIPS, POWER, SHIFTER, TERMINALS, WIRES, drawing

FIRMWARE = ROOT / "firmware_bridge" / "firmware"
PAGE = (ROOT / "docs" / "tray.md").read_text(encoding="utf-8")
FLOWING = " ".join(PAGE.split())
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
    table = PAGE.partition("| and also | joined with |")[2].partition("\n\n")[0]
    joined = [row.split(" | ")[0].strip("| ") for row in table.splitlines()[2:]]
    assert joined == [pin.replace("GND", "ground") for pin, _ in POWER]


def test_no_reader_is_selected_while_the_board_restarts_and_its_noise_comes_from_an_open_pin() -> None:
    """A chip in reset lets go of its pins: what must be still then has a resistor."""
    held = {pin for pin, words in POWER if re.match(r"10 kΩ to (3.3 V|ground)", words)}
    assert held >= {wire.pin for wire in WIRES if wire.terminal in {"SDA", "RST"}}
    piezo = (FIRMWARE / "avr" / "piezo.c").read_text(encoding="utf-8")
    (floating,) = re.findall(r"CHANNEL_FLOATING = (\d)", piezo)
    for words in (PAGE, " ".join(words for pin, words in POWER if pin == "open")):
        assert f"A{floating}, whose noise" in words
    assert f"A{floating}" not in {wire.pin for wire in WIRES}


OF_PARTS = {
    "each reader": {"3.3V", "GND", "RST", "SCK", "MOSI", "MISO", "SDA", "IRQ"},
    "3.3 V regulator": {"IN", "GND", "OUT"},
    "lamp ring": {"5 V", "GND", "DI", "DO"},
    "infrared LED": {"anode, the longer leg", "cathode"},
    "phototransistor": {"collector", "emitter", "base, where it has one"},
    "piezo disc": {"inner face", "outer face"},
    "first diode": {"the end with the ring", "the other end"},
    "second diode": {"the end with the ring", "the other end"},
    "button": {"one leg", "the other leg"},
}
"""The terminals that each part has, by its data sheet."""


def test_every_terminal_of_every_part_is_joined_once_so_that_nobody_has_to_guess() -> None:
    table = PAGE.partition("| part | its terminal | joined with |")[2].partition("\n\n")[0]
    rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in table.splitlines()[2:]]
    assert rows == [(one.part, one.name, one.joined) for one in TERMINALS]
    assert len({row[:2] for row in rows}) == len(rows)
    assert {part: {row[1] for row in rows if row[0] == part} for part, _, _ in rows} == OF_PARTS


def test_what_a_terminal_is_joined_with_is_joined_with_it() -> None:
    """The circuit from the tables alone, followed from both ends of each wire."""
    joined = {(one.part, one.name): one.joined for one in TERMINALS}
    far = {(chip, pin.name): pin.joined for chip, pins in CHIPS.items() for pin in pins}
    for name in ("RST", "SCK", "MOSI"):
        pin = joined["each reader", name].removesuffix(f" of the {SHIFTER}")
        assert far[SHIFTER, pin] == f"{name} of all readers"
    for name, chip in (("MISO", BUFFER), ("SDA", SHIFTER)):
        pins = joined["each reader", name].removeprefix("wells 1, 2, 3, 4: ").removesuffix(f" of the {chip}")
        for well, pin in enumerate(pins.split(", "), start=1):
            assert far[chip, pin].startswith(f"{name} of the reader of well {well}")
    wired = {(wire.part.partition(",")[0], wire.terminal.partition(";")[0]): wire for wire in WIRES}
    for part, name in (("lamp ring", "DI"), ("piezo disc", "inner face")):
        wire = wired[part, name]
        assert joined[part, name] == f"{wire.through}, then {wire.pin}"
    for part, name in (("phototransistor", "collector"), ("button", "one leg")):
        pin = next(wire.pin for wire in WIRES if wire.part == part)
        assert joined[part, name].startswith(pin)
    power = dict.fromkeys(pin for pin, _ in POWER)
    for pin, words in POWER:
        power[pin] = f"{power[pin] or ''} {words}"
    for words in (
        "120 Ω, then the infrared LED of the light beam: its anode",
        "100 kΩ, then D3",
        "regulator, in",
        "lamp ring (1000 µF",
    ):
        assert words in str(power["5 V"])
    for part, name in ((one.part, one.name) for one in TERMINALS if one.joined == "nothing"):
        assert name.split(",")[0] in str(power["open"]), (part, name)


@pytest.mark.parametrize(("chip", "pins"), [(SHIFTER, 20), (BUFFER, 14)])
def test_every_pin_of_a_chip_is_in_its_table_and_in_the_drawing(chip: str, pins: int) -> None:
    table = PAGE.partition(f"| pin of the {chip} |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    assert rows == [[str(pin.number), pin.name, pin.joined] for pin in CHIPS[chip]]
    assert [pin.number for pin in CHIPS[chip]] == list(range(1, pins + 1))
    drawn = drawing()
    for pin in CHIPS[chip]:
        assert f">{pin.number} {pin.name}<" in drawn or f">{pin.name} {pin.number}<" in drawn
        assert f">{pin.joined}<" in drawn


def test_the_chips_carry_each_line_from_the_boards_pin_to_its_reader() -> None:
    pins = {chip: {pin.name: pin.joined for pin in CHIPS[chip]} for chip in CHIPS}
    side_a = {joined: name for name, joined in pins[SHIFTER].items() if re.fullmatch(r"A\d", name)}
    for wire in WIRES:
        if wire.through == SHIFTER:
            far_side = pins[SHIFTER][side_a[wire.pin].replace("A", "B")]
            assert far_side.startswith(f"{wire.terminal} of {'the ' if 'well' in wire.part else ''}{wire.part}"), wire
    (miso,) = [wire for wire in WIRES if wire.through == BUFFER]
    for well in range(1, 5):
        assert pins[BUFFER][f"{well}Y"] == miso.pin
        assert pins[BUFFER][f"{well}A"] == f"{miso.terminal} of the reader of well {well}; 100 kΩ to 3.3 V"
        enabled_by = pins[BUFFER][f"{well}/OE"].removesuffix(f" of the {SHIFTER}")
        assert pins[SHIFTER][enabled_by] == f"SDA of the reader of well {well}; {well}/OE of the {BUFFER}"


def test_the_beam_reaches_across_the_tray_with_the_parts_of_the_list() -> None:
    assert BEAM.reach > 14, "centimetres: two wells of 60 mm with their walls"
    for words in (
        f"{BEAM.intensity:g} mW/sr or more at 100 mA",
        f"{BEAM.sensitivity:g} mA or more at 1 mW/cm²",
        f"infrared LED, {BEAM.current:g} mA",
        f"Over {BEAM.pull_up:g} kΩ",
        f"reaches {int(BEAM.reach)} cm",
    ):
        assert words in FLOWING
    pull_ups = re.findall(r"PORTD = ([^;]*);", (FIRMWARE / "avr" / "pins.c").read_text(encoding="utf-8"))
    assert all("D_BEAM" not in pins for pins in pull_ups), "the chip's own pull-up asks for more light"


def test_what_tags_cannot_do_is_worked_out() -> None:
    """A regular icosahedron has an inscribed sphere of 0.7558 edges; the circle in a face is an edge over root 3."""
    edge = 22 / (2 * 0.75576)
    assert f"edges of {edge:.1f} mm" in FLOWING
    assert f"is {edge / 3**0.5:.1f} mm across" in FLOWING
    assert f"a die of {12 * 3**0.5 * 2 * 0.75576:.0f} mm" in FLOWING
    apart = [math.perm(4, dice) / 4**dice for dice in (2, 3, 4)]
    wanted = "{:.0%} of throws of two dice, in {:.0%} of three, in {:.0%} of four".format(*apart).replace("%", " %")
    assert wanted in FLOWING


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
