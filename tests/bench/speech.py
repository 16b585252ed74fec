"""From an outcome to the first audio: in the room, and on a phone that asks for the narration's sound.

The real program with the real espeak-ng, whose sound goes into a pipe: what a sound card adds is not in the figures.
"""

from __future__ import annotations

import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from tests.bench.measure import Row, milliseconds
from tests.e2e.crew import declaration, set_up
from tests.e2e.loudspeaker import Loudspeaker
from tests.e2e.program import Program

NO_SOURCES = ("--camera", "off", "--tray", "off")


def rows(folder: Path, outcomes: int) -> Iterator[Row]:
    """Throw `outcomes` Tasks and time what is heard of each."""
    place = folder / "speech"
    place.mkdir()
    speaker = Loudspeaker(place)
    program = Program(place / "data", *NO_SOURCES)
    room: list[float] = []
    phone: list[float] = []
    try:
        program.start(**speaker.environment)
        character = set_up(program)
        for _ in range(outcomes):
            program.send("declare_task", declaration=declaration(character))
            number = program.table()["table"]["request"]["number"]
            before = speaker.until_quiet()
            tapped = time.time()
            said = program.send("enter_dice", request=number, faces=[4, 13])["narration"]["id"]
            address = f"{program.address}/api/v1/speech/{said}.wav?length=full"
            asked = time.time()
            with urllib.request.urlopen(address, timeout=30) as answer:  # noqa: S310 - our own address
                answer.read(64)
                phone.append(time.time() - asked)
            speaker.wait_for_more(before)
            room.append(speaker.heard[before][0] - tapped)
            program.send("finish_spending")
            speaker.until_quiet()
    finally:
        program.__exit__(None, None, None)
        speaker.close()
    yield Row("tap → first audio in the room", milliseconds(room))
    yield Row("phone: asks for a narration → first audio", milliseconds(phone))
