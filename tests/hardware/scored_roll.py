"""`python3 -m tests.hardware.scored_roll PROGRAM [DATA]`: start an installed kiosk, throw its dice, see them scored.

For computers on which only the kiosk is installed: it needs no library. Prints the roll's result. The roll is kept in
the folder DATA where one is named.
"""

from __future__ import annotations

import sys
import tempfile
import time
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from tests.e2e import program
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program, until

PATIENCE_SECONDS: Final = 1200.0
"""How long an emulated processor may take for a start, or for a throw."""


def scored(kiosk: Program) -> dict[str, Any]:
    """Declare a Task, throw two d20s with the demonstration's tray, and return the outcome."""
    character = set_up(kiosk)
    kiosk.send("declare_task", declaration=declaration(character))
    # A slow processor serves pages some seconds before the tray has answered.
    until(lambda: kiosk.post("/api/v1/demo/throw", {"where": "tray"}).status == HTTPStatus.OK, PATIENCE_SECONDS)
    until(lambda: _task(kiosk)["outcome"] is not None, PATIENCE_SECONDS)
    return _task(kiosk)


def _task(kiosk: Program) -> dict[str, Any]:
    task: dict[str, Any] = kiosk.table()["table"]["task"]
    return task


def main(trueroll: str, data: str | None = None) -> None:
    """From the start of `trueroll`, a path or a name, to a scored roll; raises where there is none."""
    program.START_SECONDS = PATIENCE_SECONDS
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        with Program(Path(data or f"{folder}/data"), "--demo", command=(trueroll, "run")) as kiosk:
            ready = time.monotonic() - started
            task = scored(kiosk)
            assert kiosk.stop() == 0, kiosk.output
    faces = [one["die"]["face"] for one in task["dice"]]
    print(f"ready after {ready:.0f} s; d20s {faces}: {task['outcome']['successes']} successes, scored")  # noqa: T201 - its purpose


if __name__ == "__main__":
    main(*sys.argv[1:])
