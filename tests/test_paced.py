"""The wire that the camera tray is measured over: all bytes come, and a port that fails is told of."""

from __future__ import annotations

import os
import tty
from collections.abc import Iterator
from contextlib import suppress

import pytest

from firmware_bridge.errors import LinkLostError
from firmware_bridge.link import open_link
from tests.bench.paced import paced

BYTES = bytes(range(256)) * 64
"""More than a pseudo-terminal takes at once."""


@pytest.fixture
def tray() -> Iterator[tuple[int, int]]:
    """The tray's end and the port of a pseudo-terminal."""
    master, slave = os.openpty()
    tty.setraw(slave)
    yield master, slave
    os.close(slave)


def test_all_that_the_tray_sends_arrives_in_its_order(tray: tuple[int, int]) -> None:
    master, slave = tray
    os.set_blocking(master, False)
    left, came = BYTES, b""
    with paced(os.ttyname(slave)) as slow:
        link = open_link(slow)
        while len(came) < len(BYTES):
            with suppress(BlockingIOError):
                left = left[os.write(master, left) :]
            came += link.read(0.01)
        link.write(b"an answer")
        link.close()
    assert came == BYTES
    os.close(master)


def test_a_tray_that_goes_away_ends_the_wait_and_is_told(tray: tuple[int, int]) -> None:
    master, slave = tray

    def wait() -> None:
        with paced(os.ttyname(slave)) as slow:
            link = open_link(slow)
            os.close(master)
            try:
                for _ in range(100):
                    link.read(0.02)
                pytest.fail("the wait goes on")
            except LinkLostError:
                link.close()

    with pytest.raises(OSError, match="Input/output"):
        wait()
