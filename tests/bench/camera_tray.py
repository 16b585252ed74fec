"""What the camera tray costs: its picture over the wire, and the way of a throw into the journal.

The tray is its own program on MicroPython's Unix port, so that a board's own speed is not in these figures. By itself:
`python -m tests.bench.camera_tray`.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np

from firmware_bridge.actions import Send, Show
from firmware_bridge.link import open_link
from firmware_bridge.session import TraySession
from rules.dice import DieKind
from tests.bench.measure import Row, machine, milliseconds
from tests.bench.paced import USB_BYTES, paced
from tests.bench.tray import PATIENCE, PAUSE, listened_to
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program, source, until
from tests.firmware_bridge.camera_tray import LOOK, CameraTray
from vision.training.scenes import scene

PICTURE = 150_000
"""Bytes of the picture that the protocol's page speaks of."""
PICTURES = 20
THROWS = 12


def rows() -> Iterator[Row]:
    """All figures."""
    with tempfile.TemporaryDirectory() as name:
        with CameraTray(Path(name) / "wire") as tray:
            what = "camera tray: a picture of 150 kB over a pseudo-terminal"
            yield Row(what, milliseconds(list(_fetched(str(tray.port), tray))))
        with CameraTray(Path(name) / "paced") as tray, paced(str(tray.port)) as slow:
            what = f"camera tray: a picture of 150 kB over a wire of {USB_BYTES // 1000} kB a second"
            yield Row(what, milliseconds(list(_fetched(slow, tray))))
        with CameraTray(Path(name) / "throws") as tray:
            yield _outcome_row(tray, Path(name))


def _fetched(port: str, tray: CameraTray) -> Iterator[float]:
    """Seconds from PICTURE to the last of its bytes, for each picture."""
    session = TraySession(nonce=1, start_id="bench")
    link = open_link(port)
    data = Random(1).randbytes(PICTURE)  # noqa: S311 - bytes to carry, no secret
    seen, next_at = 0, time.monotonic() + 1
    try:
        actions = session.opened(time.monotonic())
        while seen < PICTURES:
            for action in actions:
                if isinstance(action, Send):
                    link.write(action.data)
                elif isinstance(action, Show):
                    yield time.monotonic() - action.picture.at
                    seen, next_at = seen + 1, time.monotonic() + PAUSE
            now = time.monotonic()
            if now >= next_at:
                tray.show(data, np.full((LOOK[1], LOOK[0]), 100 + 60 * (seen % 2 == 0), np.uint8))
                next_at = now + PATIENCE
            received = link.read(0.01)
            actions = session.data_received(received, time.monotonic())
    finally:
        link.close()


def _outcome_row(tray: CameraTray, folder: Path) -> Row:
    """From two dice that lie still to the outcome of the Task that waits for them; 400 ms of it are the settling.

    Between lie the board's picture, its way over the wire, the reading, the rules, the journal, and the event's way.
    """
    pictures = [scene(45 + number, (DieKind.D20, DieKind.D20), radius=(60, 60)).picture for number in range(2)]
    with Program(folder / "data", "--camera", "off", "--tray", str(tray.port)) as program:
        until(lambda: source(program, "tray").get("state") == "ready")
        character = set_up(program)
        reader, arrived = listened_to(program, "outcome_reached")
        taken = []
        for number in range(THROWS):
            program.send("declare_task", declaration=declaration(character))
            tray.show_picture(pictures[number % 2])
            start = time.monotonic()
            taken.append(arrived.get(timeout=PATIENCE) - start)
            while program.table()["table"]["task"] is not None:
                program.send("undo")
            time.sleep(PAUSE)
    reader.join(PATIENCE)
    return Row("camera tray: dice at rest → picture → outcome of the Task that waits", milliseconds(taken[1:]))


if __name__ == "__main__":
    print(f"Machine: {machine()}; load before: {os.getloadavg()[0]:.1f}")
    for row in rows():
        print(f"| {row.what} | {row.figure} |", flush=True)
