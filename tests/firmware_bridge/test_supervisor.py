"""The supervisor with the real pyserial on a pseudo-terminal: losing, returning, and saying so once."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_bridge import connection
from firmware_bridge.connection import LOOK_INTERVAL
from firmware_bridge.conversation import Direction, Passed
from firmware_bridge.errors import LinkLostError
from firmware_bridge.framing import FrameDecoder, encode_frame
from firmware_bridge.messages import Die, Hello, KindCode, Message, Ring, RollEnd, StateCode
from firmware_bridge.pty_simulator import PtySimulator
from firmware_bridge.rolls import roll_digest
from firmware_bridge.supervisor import TraySupervisor
from rules.dice import DieKind, SourceState, Symbol
from rules.words import Phrase
from tests.firmware_bridge.listening import PATIENCE, Listener, MemoryLink, MemoryTray

pytestmark = pytest.mark.slow


@pytest.fixture
def simulator(tmp_path: Path) -> Iterator[PtySimulator]:
    one = PtySimulator(7, link=tmp_path / "tray")
    one.start()
    yield one
    one.stop()


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def supervisor(
    simulator: PtySimulator, listener: Listener, caplog: pytest.LogCaptureFixture
) -> Iterator[TraySupervisor]:
    caplog.set_level(logging.INFO, "firmware_bridge")
    one = TraySupervisor(simulator.path)
    one.start(listener.report, listener.tell)
    assert listener.wait_state(SourceState.READY)
    yield one
    one.stop()


def logged(caplog: pytest.LogCaptureFixture, level: int) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno == level]


@pytest.mark.usefixtures("supervisor")
def test_five_times_unplugged_and_replugged(
    simulator: PtySimulator, listener: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(1, 6):
        simulator.command("unplug")
        assert listener.wait_state(SourceState.LOST)
        simulator.command("replug")
        assert listener.wait_state(SourceState.READY)
        simulator.throw(((DieKind.D20, number), (DieKind.CHALLENGE, Symbol.BLANK)))
        assert listener.wait_faces(number, Symbol.BLANK)
    assert len(logged(caplog, logging.WARNING)) == 5
    assert [line.split(" at ")[0] for line in logged(caplog, logging.INFO)] == ["The dice tray is back"] * 5
    assert len({reading.reading_id for reading in listener.readings}) == len(listener.readings)


@pytest.mark.usefixtures("supervisor")
def test_a_long_absence_is_one_line_in_the_log(
    simulator: PtySimulator, listener: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    simulator.command("unplug")
    assert listener.wait(lambda: "was unplugged" in listener.statuses[-1].what)
    time.sleep(4 * LOOK_INTERVAL)
    assert len(logged(caplog, logging.WARNING)) == 1
    assert [status.state for status in listener.statuses].count(SourceState.LOST) <= 2


@pytest.mark.usefixtures("supervisor")
def test_a_frozen_tray_is_lost_although_the_port_is_open(
    simulator: PtySimulator, listener: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    simulator.command("stall")
    simulator.throw(((DieKind.D20, 12),))
    assert listener.wait_state(SourceState.LOST)
    assert "says nothing any more" in listener.statuses[-1].what
    simulator.command("resume")
    assert listener.wait_state(SourceState.READY)
    assert listener.wait_faces(12)
    assert len(logged(caplog, logging.WARNING)) == 1


@pytest.mark.usefixtures("supervisor")
def test_a_bad_cable_delays_a_roll_and_changes_nothing(simulator: PtySimulator, listener: Listener) -> None:
    simulator.command("garble 1")
    for faces in ((20, 1), (7, 13), (4, 4)):
        simulator.throw([(DieKind.D20, face) for face in faces])
        assert listener.wait_faces(*faces)
    told = [[die.face for die in reading.dice] for reading in listener.readings if reading.dice]
    assert told == [[20, 1], [7, 13], [4, 4]]


@pytest.mark.usefixtures("supervisor")
def test_a_die_of_no_place_is_asked_about_beside_the_others(simulator: PtySimulator, listener: Listener) -> None:
    simulator.command("places 2")
    assert listener.wait(lambda: "2 places" in listener.statuses[-1].what)
    simulator.throw([(DieKind.D20, face) for face in (17, 3, 20)])
    assert listener.wait(lambda: bool(listener.readings) and bool(listener.readings[-1].dice))
    assert [die.face for die in listener.readings[-1].dice] == [17, 3, None]
    assert listener.wait(lambda: "place 3 and says that it has only 2" in listener.statuses[-1].remedy)


@pytest.mark.usefixtures("supervisor")
def test_a_restarted_tray_goes_on(simulator: PtySimulator, listener: Listener) -> None:
    simulator.command("noise")
    simulator.command("restart")
    simulator.throw(((DieKind.D20, 9),))
    assert listener.wait_faces(9)


@pytest.mark.usefixtures("supervisor")
def test_a_second_supervisor_says_it_once_and_takes_over(
    simulator: PtySimulator, supervisor: TraySupervisor, caplog: pytest.LogCaptureFixture
) -> None:
    other, second = Listener(), TraySupervisor(simulator.path)
    second.start(other.report, other.tell)
    try:
        assert other.wait_state(SourceState.LOST)
        assert "Another program has the dice tray's port" in other.statuses[-1].what
        time.sleep(1.2)  # two more attempts
        assert len(logged(caplog, logging.WARNING)) == 1
        supervisor.stop()
        assert other.wait_state(SourceState.READY)
    finally:
        second.stop()


def test_an_absent_tray_is_no_fault_and_said_once(
    simulator: PtySimulator, listener: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "firmware_bridge")
    found: list[str] = []
    one = TraySupervisor(None, find_ports=lambda: found)
    one.start(listener.report, listener.tell)
    try:
        assert listener.wait_state(SourceState.ABSENT)
        time.sleep(3 * LOOK_INTERVAL)
        assert len(listener.statuses) == 1
        assert "without a camera" in listener.statuses[0].remedy
        assert len(caplog.records) == 1
        assert logged(caplog, logging.WARNING) == []
        found.append(simulator.path or "")
        assert listener.wait_state(SourceState.READY)
    finally:
        one.stop()


def test_of_two_trays_one_is_used_and_the_other_is_named(
    simulator: PtySimulator, listener: Listener, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "firmware_bridge")
    second = PtySimulator(8, link=tmp_path / "second", tray_id=0x1234)
    ports = [simulator.path or "", second.start()]
    one = TraySupervisor(None, find_ports=lambda: ports)
    one.start(listener.report, listener.tell)
    try:
        assert listener.wait_state(SourceState.READY)
        assert listener.statuses[-1].detail["address"] == simulator.path
        assert f"Another tray is at {second.path}; it is not used." in listener.statuses[-1].remedy
        assert f"Another tray is at {second.path}" in logged(caplog, logging.INFO)[-1]
        second.throw(((DieKind.D20, 3),))
        simulator.throw(((DieKind.D20, 9),))
        assert listener.wait_faces(9)
        assert len(listener.readings) == 1
        del ports[0]
        simulator.command("unplug")
        assert listener.wait(lambda: "00001234" in listener.statuses[-1].what)
        assert listener.statuses[-1].remedy == ""
    finally:
        one.stop()
        second.stop()


def test_a_usb_device_that_cannot_be_named_so_is_told(listener: Listener) -> None:
    one = TraySupervisor("usb:nonsense")
    one.start(listener.report, listener.tell)
    try:
        assert listener.wait_state(SourceState.OFF)
        assert "Write usb:2341:0043" in listener.statuses[-1].remedy
    finally:
        one.stop()


def test_a_usb_device_that_is_not_there_is_absent(listener: Listener) -> None:
    one = TraySupervisor("usb:ffff:fffe:nobody")
    one.start(listener.report, listener.tell)
    try:
        assert listener.wait_state(SourceState.ABSENT)
        assert "usb:ffff:fffe:nobody" in listener.statuses[-1].what
    finally:
        one.stop()


def test_an_address_where_nothing_is_yet(tmp_path: Path, listener: Listener, caplog: pytest.LogCaptureFixture) -> None:
    link = tmp_path / "later"
    one = TraySupervisor(str(link))
    one.start(listener.report, listener.tell)
    simulator = PtySimulator(1, link=link)
    try:
        assert listener.wait_state(SourceState.ABSENT)
        assert str(link) in listener.statuses[-1].what
        simulator.start()
        assert listener.wait_state(SourceState.READY)
    finally:
        one.stop()
        simulator.stop()
    assert logged(caplog, logging.WARNING) == []


def test_an_address_that_is_none(listener: Listener) -> None:
    one = TraySupervisor("nonsense://x")
    one.start(listener.report, listener.tell)
    assert listener.wait_state(SourceState.OFF)
    assert "nonsense://x" in listener.statuses[-1].what
    (waiting,) = (thread for thread in threading.enumerate() if thread.name == "tray")
    one.stop()
    waiting.join(PATIENCE)
    assert not waiting.is_alive(), "it waits for ever, but not for one that stops it"


def test_without_pyserial_only_the_tray_is_missing(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "serial", None)
    monkeypatch.delitem(sys.modules, "firmware_bridge.link", raising=False)
    one = TraySupervisor(None)
    one.start(listener.report, listener.tell)
    assert listener.wait_state(SourceState.OFF)
    assert "serial" in listener.statuses[-1].what
    one.stop()


def test_a_port_finder_that_breaks_is_survived(
    simulator: PtySimulator, listener: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    looks = 0

    def find() -> list[str]:
        nonlocal looks
        looks += 1
        if looks == 1:
            raise RuntimeError("a broken driver")
        return [simulator.path or ""]

    one = TraySupervisor(None, find_ports=find)
    one.start(listener.report, listener.tell)
    try:
        assert listener.wait_state(SourceState.READY)
    finally:
        one.stop()
    assert [record.exc_info is not None for record in caplog.records] == [True]


def test_a_port_finder_that_stays_broken_is_told_and_logged_once(
    listener: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    looks: list[float] = []
    again = threading.Event()

    def find() -> list[str]:
        looks.append(time.monotonic())
        if len(looks) > 1:
            again.set()
        raise RuntimeError("a broken driver")

    one = TraySupervisor(None, find_ports=find)
    one.start(listener.report, listener.tell)
    try:
        assert listener.wait_state(SourceState.LOST)
        assert "a broken driver" in listener.statuses[-1].what
        assert again.wait(PATIENCE)
    finally:
        one.stop()
    assert len(listener.statuses) == 1
    assert len(caplog.records) == 1


def test_a_port_that_dies_under_the_acknowledgement_of_a_roll_costs_no_roll(listener: Listener) -> None:
    memory = MemoryTray()
    died = threading.Event()

    class Dying(MemoryLink):
        def write(self, data: bytes) -> None:
            ends = [die for die in memory.tray.dice if die.state == StateCode.SETTLED]
            if ends and not died.is_set():
                died.set()
                raise LinkLostError(Phrase("The dice tray at memory is gone."))
            super().write(data)

    def open_link(address: str) -> MemoryLink:
        memory.open_link(address)
        return Dying(memory)

    one = TraySupervisor("memory", open_link=open_link)
    one.start(listener.report, listener.tell)
    try:
        assert listener.wait_state(SourceState.READY)
        memory.throw((DieKind.D20, 17))
        assert died.wait(PATIENCE)
        assert listener.wait_faces(17)
        assert listener.wait_state(SourceState.READY)
        memory.throw((DieKind.D20, 4))
        assert listener.wait_faces(4)
    finally:
        one.stop()
    thrown = [[die.face for die in reading.dice] for reading in listener.readings if reading.dice]
    assert thrown == [[17], [4]], "whether the cleared tray is seen in between is a matter of pace"


def test_a_tray_without_readers_is_lost_and_can_still_be_looked_after(listener: Listener) -> None:
    memory = MemoryTray()
    memory.command("places 0")
    one = TraySupervisor("memory", open_link=memory.open_link)
    one.start(listener.report, listener.tell)
    try:
        assert listener.wait_state(SourceState.LOST)
        assert "none of its readers does" in listener.statuses[-1].what
        assert listener.statuses[-1].faulty, "it is connected, and nobody looks for its cable"
        assert one.firmware is not None
        assert one.test_lamps()
    finally:
        one.stop()


def test_what_was_laid_down_for_teaching_is_no_throw_but_the_next_one_is(listener: Listener) -> None:
    memory, teaching = MemoryTray(), True
    one = TraySupervisor("memory", open_link=memory.open_link, hold_back=lambda: teaching)
    one.start(listener.report, listener.tell)
    try:
        assert listener.wait_state(SourceState.READY)
        memory.throw((DieKind.D20, 17))
        assert memory.wait(lambda tray: tray.dice[0].state == StateCode.SETTLED and not tray.unacknowledged)
        teaching = False
        memory.command("settle 0 d20:5")  # the same roll
        assert memory.wait(lambda tray: not tray.unacknowledged)
        memory.throw((DieKind.D20, 4))
        assert listener.wait_faces(4)
    finally:
        one.stop()
    assert [[die.face for die in reading.dice] for reading in listener.readings if reading.dice] == [[4]]


class ScriptedLink:
    """A port on which bytes come at given seconds of a time that passes by reading alone."""

    address = "script"

    def __init__(self, script: dict[float, Callable[[], bytes]]) -> None:
        self.now = 0.0
        self._script = sorted(script.items(), key=lambda item: item[0])

    def read(self, timeout: float) -> bytes:
        until = self.now + max(timeout, 0.0)
        if self._script and self._script[0][0] <= until:
            self.now, come = self._script.pop(0)
            return come()
        time.sleep(0.001)
        self.now = until
        return b""

    def write(self, data: bytes) -> None:
        """Nobody listens."""

    def wake(self) -> None:
        """Every read is short."""

    def close(self) -> None:
        """There is nothing to close."""


def test_a_throw_before_the_teaching_can_be_put_right_after_it(listener: Listener) -> None:
    memory, teaching = MemoryTray(), False
    one = TraySupervisor("memory", open_link=memory.open_link, hold_back=lambda: teaching)
    one.start(listener.report, listener.tell)
    try:
        assert listener.wait_state(SourceState.READY)
        memory.throw((DieKind.D20, 17))
        assert listener.wait_faces(17)
        assert memory.wait(lambda tray: not tray.unacknowledged)
        teaching = True
        time.sleep(1.2)  # beats go on
        teaching = False
        memory.command("settle 0 d20:5")
        assert listener.wait_faces(5)
    finally:
        one.stop()


def test_a_roll_that_ends_just_after_the_teaching_is_no_throw(listener: Listener) -> None:
    teaching = True
    hello = Hello(1, 0, 0, 0x0102, 0xAA, 0xBB, 1, 8, 15, 100)
    laid = Die(1, 1, 0, 0, KindCode.D20, 17, StateCode.SETTLED, 100, 0, 0)
    thrown = replace(laid, event=3, roll=2, face=4)

    def wire(*messages: Message) -> bytes:
        return b"".join(encode_frame(message.to_frame(number)) for number, message in enumerate(messages))

    def end() -> bytes:
        nonlocal teaching
        teaching = False
        return wire(RollEnd(2, 1, 1, roll_digest([laid])))

    link = ScriptedLink(
        {
            0.1: lambda: wire(hello),
            0.5: lambda: wire(laid),
            1.0: end,
            1.5: lambda: wire(thrown, RollEnd(4, 2, 1, roll_digest([thrown]))),
        }
    )
    one = TraySupervisor("script", open_link=lambda _: link, clock=lambda: link.now, hold_back=lambda: teaching)
    one.start(listener.report, listener.tell)
    try:
        assert listener.wait_faces(4)
    finally:
        one.stop()
    assert [[die.face for die in reading.dice] for reading in listener.readings] == [[4]]


def test_teaching_with_a_plain_tray_costs_none_of_its_later_throws(listener: Listener) -> None:
    teaching = False

    def begin() -> bytes:
        nonlocal teaching
        teaching = True
        return b"d20 17\n"

    def end() -> bytes:
        nonlocal teaching
        teaching = False
        return b"d20 3\n"

    link = ScriptedLink({4.0: begin, 8.0: end, 12.0: lambda: b"d20 4\n"})
    one = TraySupervisor("script", open_link=lambda _: link, clock=lambda: link.now, hold_back=lambda: teaching)
    one.start(listener.report, listener.tell)
    try:
        assert listener.wait_faces(4)
    finally:
        one.stop()
    assert [[die.face for die in reading.dice] for reading in listener.readings] == [[3], [4]]


def test_the_first_word_of_a_plain_tray_is_no_return(listener: Listener, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "firmware_bridge")
    tray_end, host_end = os.openpty()
    tty.setraw(host_end)
    supervisor = TraySupervisor(os.ttyname(host_end))
    supervisor.start(listener.report, listener.tell)
    try:
        assert listener.wait_state(SourceState.LOST)
        os.write(tray_end, b"d20 17\n")
        assert listener.wait_state(SourceState.READY)
    finally:
        supervisor.stop()
        os.close(tray_end)
        os.close(host_end)
    [line] = logged(caplog, logging.INFO)
    assert line.startswith("A plain dice tray is sending lines of text.")
    assert "back" not in line


def test_the_workshop_hears_of_the_readers_and_tests_the_lamps(
    supervisor: TraySupervisor, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LAMP_TEST", 0.2)
    assert listener.wait_state(SourceState.READY)
    end, health = time.monotonic() + PATIENCE, None
    while health is None and time.monotonic() < end:
        health = supervisor.workshop()
        time.sleep(0.02)
    assert health is not None
    assert [(reader.slot, reader.version) for reader in health.readers] == [(slot, 0x92) for slot in range(4)]
    onlooker = supervisor.onlookers.look_on()
    assert supervisor.test_lamps()
    out = (one.data for one in onlooker if isinstance(one, Passed) and one.direction is Direction.OUT)
    frames = (frame for data in out for frame in FrameDecoder().feed(data) if frame.code == Ring.CODE)
    assert [next(frames).payload, next(frames).payload] == [connection.WHITE.to_bytes(), connection.GLOW.to_bytes()]
    onlooker.close()


def test_the_workshop_of_a_tray_that_went_mute_says_so(
    supervisor: TraySupervisor, simulator: PtySimulator, listener: Listener
) -> None:
    """It named firmware of protocol 1.0 as the cause, and lamps that nobody heard of were said to shine."""
    assert listener.wait_state(SourceState.READY)
    simulator.command("stall")
    assert listener.wait_state(SourceState.LOST)
    assert supervisor.workshop() is None
    assert "says nothing any more" in supervisor.untold
    assert not supervisor.test_lamps()
    assert supervisor.tagless == "", "it reads tags when it comes back"
