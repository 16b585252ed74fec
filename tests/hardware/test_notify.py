"""The notifier over a real datagram socket, and its silence without one."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.notify import Notifier


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(10)
        yield listening


def heard(manager: socket.socket) -> str:
    return manager.recv(4096).decode()


def test_each_word_is_one_datagram(manager: socket.socket) -> None:
    notifier = Notifier.from_environment({"NOTIFY_SOCKET": manager.getsockname()})
    notifier.ready()
    notifier.status("two players\n  at the table")
    notifier.watchdog()
    notifier.stopping()
    assert [heard(manager) for _ in range(4)] == [
        "READY=1",
        "STATUS=two players at the table",
        "WATCHDOG=1",
        "STOPPING=1",
    ]


def test_a_status_cannot_smuggle_in_another_word(manager: socket.socket) -> None:
    Notifier(manager.getsockname()).status("fine\nSTOPPING=1")
    assert heard(manager) == "STATUS=fine STOPPING=1"


def test_the_abstract_namespace_is_reached() -> None:
    name = f"trueroll-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0" + name)
        listening.settimeout(10)
        Notifier.from_environment({"NOTIFY_SOCKET": "@" + name}).ready()
        assert heard(listening) == "READY=1"


@pytest.mark.parametrize("environment", [{}, {"NOTIFY_SOCKET": ""}, {"WATCHDOG_USEC": "1000000"}])
def test_without_a_manager_nothing_happens(environment: dict[str, str], caplog: pytest.LogCaptureFixture) -> None:
    notifier = Notifier.from_environment(environment)
    notifier.ready()
    notifier.watchdog()
    notifier.status("nobody hears this")
    assert notifier.feed_every is None
    assert caplog.records == []


def test_a_lost_manager_is_logged_once_and_its_return_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    place = str(tmp_path / "notify")
    notifier = Notifier(place)
    notifier.ready()
    notifier.watchdog()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(place)
        notifier.watchdog()
        notifier.watchdog()
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]
    assert "may restart the kiosk" in caplog.text


def test_a_manager_that_does_not_read_holds_nobody_up(manager: socket.socket) -> None:
    notifier = Notifier(manager.getsockname())
    for _ in range(2000):
        notifier.watchdog()
    assert heard(manager) == "WATCHDOG=1"


@pytest.mark.parametrize(
    ("variables", "feed_every"),
    [
        ({"WATCHDOG_USEC": "30000000"}, 15.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "77"}, 15.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "78"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_the_watchdog_is_fed_twice_a_deadline(variables: dict[str, str], feed_every: float | None) -> None:
    notifier = Notifier.from_environment({"NOTIFY_SOCKET": "@nobody", **variables}, process=77)
    assert notifier.feed_every == feed_every
