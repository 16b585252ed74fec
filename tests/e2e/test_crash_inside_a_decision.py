"""Pull the plug inside one decision: what was shown is kept, what was not kept was never shown, a retry counts once."""

from __future__ import annotations

import threading
import urllib.error
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.crashing import STEPS, crash
from tests.e2e.program import Program
from tests.e2e.warm import WarmProgram

TAP = {"command": "add_trait", "name": "Smoke", "idempotency": "one-tap"}
DECISION = 2  # the table is set up by the first


class CrashingProgram(WarmProgram):
    """The kiosk with the plug that is pulled."""

    main = staticmethod(crash)
    words = ("crashing",)


@pytest.mark.parametrize("step", STEPS)
def test_the_plug_is_pulled_inside_a_decision(tmp_path: Path, step: str) -> None:
    data = tmp_path / "data"
    crashing = CrashingProgram(data, step, str(DECISION))
    shown: list[Any] = []
    with crashing:
        crashing.send("set_up_table", ruleset="core-1e", players=["Ada"])
        before = crashing.table()
        watching = threading.Event()
        watcher = threading.Thread(target=_watch, args=(crashing, shown, watching))
        watcher.start()
        assert watching.wait(20)
        with pytest.raises((urllib.error.URLError, HTTPException, OSError)):
            crashing.post("/api/v1/commands", TAP)
        assert crashing.wait() == -9
        watcher.join(20)
    with WarmProgram(data, "--camera", "off", "--tray", "off") as program:
        after = program.table()
        kept = after["sequence"] > before["sequence"]
        assert kept == (step != "before-commit")
        assert kept or not shown, "nothing was shown that is not there now"
        assert program.post("/api/v1/commands", TAP).status == 200
        traits = program.table()["table"]["traits"]
        assert [(one["name"], one["potency"]) for one in traits] == [("Smoke", 1)], "exactly once"


def _watch(program: Program, shown: list[Any], watching: threading.Event) -> None:
    """Keep every event that a live page is shown until the plug is pulled."""
    try:
        for event, _, told in program.events():
            if event == "snapshot":
                watching.set()
            elif event == "journal":
                shown.append(told)
    except (HTTPException, OSError):
        return
