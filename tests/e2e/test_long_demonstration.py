"""A demonstration that goes on and on: it takes no more memory, and ends at once when it is told to."""

from __future__ import annotations

import logging
import threading
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.bench.measure import resident_megabytes
from tests.e2e.crew import set_up
from tests.e2e.program import Program, source, until

log = logging.getLogger(__name__)

MOST_MEGABYTES = 250.0
"""What the demonstration may hold at any time."""
MOST_GROWTH = 20.0
"""Megabytes by which it may grow in half an hour, once it is warm."""
HALF_AN_HOUR = 1800.0
"""Seconds for which dice are thrown."""
PAUSE = 1.9
"""Seconds from one throw to the next."""
END_SECONDS = 3.0
"""The longest that it may take to end."""


def streams(program: Program, many: int, until_closed: ExitStack) -> None:
    """Live pages that read whatever is sent to them."""

    def listen(page: str) -> None:
        address = f"{program.address}/api/v1/events?page={page}"
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:  # noqa: S310 - our own
                while answer.readline():
                    pass
        except OSError:
            pass  # the kiosk ended

    for number in range(many):
        listener = threading.Thread(target=listen, args=(("display", "gm")[number % 2],))
        listener.start()
        until_closed.callback(listener.join)


def throw(program: Program, number: int) -> None:
    program.post("/api/v1/demo/throw", {"where": ("camera", "tray")[number % 2]})


@pytest.mark.long  # fourteen throws, as a short form once had, show neither what grows nor what is held in the end
def test_a_demonstration_keeps_little_memory_and_ends_within_three_seconds(tmp_path: Path) -> None:
    """It ends while ten pages listen and the camera's picture is being read."""
    held: list[float] = []
    with ExitStack() as closed, Program(tmp_path / "data", "--demo") as program:
        set_up(program)
        until(lambda: all(source(program, one).get("state") == "ready" for one in ("camera", "tray")))
        streams(program, 2, closed)
        until_then = time.monotonic() + HALF_AN_HOUR
        while time.monotonic() < until_then:
            throw(program, len(held))
            time.sleep(PAUSE)
            held.append(resident_megabytes(program.pid))
        window = len(held) // 4
        warm, late = min(held[window : 2 * window]), min(held[-window:])
        assert max(held) < MOST_MEGABYTES, held
        assert late - warm < MOST_GROWTH, (warm, late)
        streams(program, 8, closed)
        throw(program, 0)
        time.sleep(0.9)  # the dice have come to rest: their picture is being read
        begun = time.monotonic()
        assert program.stop() == 0
        took = time.monotonic() - begun
        log.info(
            "%d throws: %.0f MB, at most %.0f, at the end %.0f; it ended in %.1f s",
            *(len(held), held[0], max(held), held[-1], took),
        )
        assert took < END_SECONDS
