"""What the kiosk relies on from a tray's supervisor, over a wire of memory and over real pyserial."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware_bridge.pty_simulator import PtySimulator
from firmware_bridge.supervisor import TraySupervisor
from rules.dice import DieKind, Face, SourceKind, SourceState, Symbol
from tests.firmware_bridge.listening import Listener, MemoryTray


@dataclass
class Tray:
    """One kind of wire: how to make supervisors for it, and how to handle the tray."""

    supervise: Callable[[], TraySupervisor]
    throw: Callable[[tuple[tuple[DieKind, Face], ...]], None]
    command: Callable[[str], object]


@pytest.fixture(params=["memory", "pty"])
def tray(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Tray]:
    if request.param == "memory":
        memory = MemoryTray()
        yield Tray(
            lambda: TraySupervisor("memory", open_link=memory.open_link),
            lambda faces: memory.throw(*faces),
            memory.command,
        )
        memory.stop()
    else:
        simulator = PtySimulator(1, link=tmp_path / "tray")
        path = simulator.start()
        yield Tray(lambda: TraySupervisor(path), simulator.throw, simulator.command)
        simulator.stop()


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def supervisor(tray: Tray, listener: Listener) -> Iterator[TraySupervisor]:
    one = tray.supervise()
    one.start(listener.report, listener.tell)
    yield one
    one.stop()


def test_a_throw_is_reported_with_its_dice(supervisor: TraySupervisor, tray: Tray, listener: Listener) -> None:
    assert supervisor.kind is SourceKind.TRAY
    assert supervisor.picture("any") is None
    assert listener.wait_state(SourceState.READY)
    tray.throw(((DieKind.D20, 17), (DieKind.CHALLENGE, Symbol.EFFECT)))
    assert listener.wait_faces(17, Symbol.EFFECT)
    assert {die.source for die in listener.readings[-1].dice} == {SourceKind.TRAY}
    assert {reading.source for reading in listener.readings} == {SourceKind.TRAY}


@pytest.mark.usefixtures("supervisor")
def test_unplugged_is_lost_and_replugged_is_ready(tray: Tray, listener: Listener) -> None:
    assert listener.wait_state(SourceState.READY)
    tray.command("unplug")
    assert listener.wait_state(SourceState.LOST)
    assert listener.statuses[-1].remedy or listener.statuses[-1].what
    tray.command("replug")
    assert listener.wait_state(SourceState.READY)
    tray.throw(((DieKind.D20, 4),))
    assert listener.wait_faces(4)


@pytest.mark.usefixtures("supervisor")
def test_another_major_version_is_incompatible(tray: Tray, listener: Listener) -> None:
    assert listener.wait_state(SourceState.READY)
    tray.command("major 2")
    assert listener.wait_state(SourceState.INCOMPATIBLE)
    assert "Update trueroll" in listener.statuses[-1].remedy
    tray.command("major 1")
    assert listener.wait_state(SourceState.READY)


@pytest.mark.usefixtures("supervisor")
def test_a_second_user_of_the_port_is_told_so_and_gets_it_when_it_is_free(tray: Tray, listener: Listener) -> None:
    assert listener.wait_state(SourceState.READY)
    other, second = Listener(), tray.supervise()
    second.start(other.report, other.tell)
    try:
        assert other.wait_state(SourceState.LOST)
        assert "Another program" in other.statuses[-1].what
        assert listener.state is SourceState.READY
    finally:
        second.stop()


def test_stopping_is_quick_ends_the_thread_and_can_be_repeated(
    supervisor: TraySupervisor, tray: Tray, listener: Listener
) -> None:
    assert listener.wait_state(SourceState.READY)
    start = time.monotonic()
    supervisor.stop()
    supervisor.stop()
    assert time.monotonic() - start < 2
    assert not [thread for thread in threading.enumerate() if thread.name == "tray"]
    tray.throw(((DieKind.D20, 4),))
    supervisor.start(listener.report, listener.tell)  # and it can be started again
    assert listener.wait_faces(4)


def test_it_is_started_once(supervisor: TraySupervisor, listener: Listener) -> None:
    with pytest.raises(RuntimeError, match="already running"):
        supervisor.start(listener.report, listener.tell)


def test_listeners_that_fail_cost_the_tray_nothing(tray: Tray, caplog: pytest.LogCaptureFixture) -> None:
    listener, failed = Listener(), threading.Event()

    def fail_once(reading: object) -> None:
        del reading
        if not failed.is_set():
            failed.set()
            raise KeyError("a mistake in the kiosk")
        listener.tell(listener.statuses[-1])

    one = tray.supervise()
    one.start(fail_once, listener.tell)
    try:
        assert listener.wait_state(SourceState.READY)
        tray.throw(((DieKind.D20, 4),))
        assert failed.wait(10)
        before = len(listener.statuses)
        tray.throw(((DieKind.D20, 5),))
        assert listener.wait(lambda: len(listener.statuses) > before)
    finally:
        one.stop()
    assert [record.message for record in caplog.records if record.exc_info] == ["A listener of the dice tray failed."]
