"""`trueroll run` answers its address before the kiosk's libraries are loaded."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from kiosk.commands.allocator import give_memory_back
from tests.bench.measure import resident_megabytes


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


def test_memory_that_is_free_goes_back_from_between_what_is_used() -> None:
    """The C library by itself gives back only what lies at the end."""
    blocks = [bytes(2_000) for _ in range(20_000)]
    kept = blocks[::100]
    full = resident_megabytes(os.getpid())
    del blocks
    freed = resident_megabytes(os.getpid())
    if not give_memory_back():
        pytest.skip("NOT CHECKED: this C library has no way to ask for it")
    assert full - freed < 10, "or there is nothing to ask for"
    assert freed - resident_megabytes(os.getpid()) > 20
    assert len(kept) == 200
