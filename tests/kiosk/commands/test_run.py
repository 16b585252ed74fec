"""`trueroll run` answers its address before the kiosk's libraries are loaded."""

from __future__ import annotations

import subprocess
import sys


def test_the_command_loads_nothing_of_the_kiosk_that_takes_long() -> None:
    """A page says that the kiosk starts while they are loaded; see `kiosk.web.startup`."""
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys, kiosk.commands.run; print(*sys.modules)"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    assert "kiosk.web.startup" in loaded
    assert {"flask", "waitress", "numpy", "cv2", "kiosk.engine", "kiosk.compose", "rules.game"}.isdisjoint(loaded)
