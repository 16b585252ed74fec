"""What the tray costs with its real firmware: the emulated board, the wire at its bit rate, bridge and kiosk."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from firmware_bridge.framing import FrameDecoder, encode_frame
from firmware_bridge.link import open_link
from firmware_bridge.messages import Ping, Pong, decode
from firmware_bridge.taught import FILE_NAME, written
from tests.bench.measure import Row, milliseconds
from tests.bench.tray import PATIENCE, idle_share, listened_to
from tests.e2e.crew import set_up
from tests.e2e.program import Program, source, until
from tests.firmware_bridge.emulated import WARM_UP, EmulatedTray
from tests.firmware_bridge.tagged import D20, OTHER_D20, TAUGHT

ROLLS = 40
PICKED_UP = 0.7
"""Seconds between taking dice up and throwing them again."""
KNOCK = "piezo 2500 20"
"""Dice that stop where they hit, so that what is measured begins with their rest."""
FLOOD_SECONDS = 10.0
UNDERWAY = 8
"""PINGs on their way at once: enough to fill the wire, few enough for the tray's buffers."""
WIRE_BYTES = 115_200 / 10
"""Bytes a second that the wire carries in each direction."""


def rows() -> Iterator[Row]:
    """All figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with EmulatedTray(folder / "tray", eeprom=folder / "eeprom", dtr_reset=False) as tray:
            tray.send(WARM_UP)
            yield flood_row(tray)
            yield Row("tray, real firmware: the bridge at rest", f"{idle_share(Path(tray.port)):.2%} of a core")
            yield journal_row(tray, folder)


def flood_row(tray: EmulatedTray) -> Row:
    """PINGs as fast as they are answered, against what 115,200 Bd carry."""
    link, decoder = open_link(tray.port), FrameDecoder()
    answered, sent, size = 0, 0, len(encode_frame(Ping(1).to_frame(1)))
    end = time.monotonic() + FLOOD_SECONDS
    try:
        while time.monotonic() < end:
            while sent - answered < UNDERWAY:
                sent += 1
                link.write(encode_frame(Ping(sent % 0xFFFF + 1).to_frame(sent)))
            messages = [decode(frame).message for frame in decoder.feed(link.read(PATIENCE))]
            answered += sum(isinstance(message, Pong) for message in messages)
    finally:
        link.close()
    limit = WIRE_BYTES / size
    rate = answered / FLOOD_SECONDS
    return Row(
        "tray, real firmware: PINGs answered a second", f"{rate:.0f}, {rate / limit:.0%} of the wire's {limit:.0f}"
    )


def journal_row(tray: EmulatedTray, folder: Path) -> Row:
    """From the dice lying on their readers, settle window and all, to their event in the journal, sent on."""
    data = folder / "data"
    data.mkdir(mode=0o700)
    (data / FILE_NAME).write_text(written(TAUGHT), encoding="utf-8")
    with Program(data, "--camera", "off", "--tray", tray.port) as program:
        until(lambda: source(program, "tray").get("state") == "ready")
        set_up(program)
        reader, arrived = listened_to(program)
        taken = []
        for number in range(ROLLS):
            tray.send(KNOCK, f"tag 0 {D20.uid(number % 20 + 1)}", f"tag 1 {OTHER_D20.uid(7)}")
            at_rest = time.monotonic()
            taken.append(arrived.get(timeout=PATIENCE) - at_rest)
            tray.clear(0, 1)
            time.sleep(PICKED_UP)
    reader.join(PATIENCE)
    return Row("tray, real firmware: dice at rest → their event from the kiosk's journal", milliseconds(taken))
