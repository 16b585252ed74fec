"""Faults for long: noise over a hundred thousand frames, a million strings of chance, two hundred unpluggings.

`make test` does a tenth of it.
"""

from __future__ import annotations

import logging
import os
import threading
from pathlib import Path
from random import Random

import pytest

from firmware_bridge import connection, pty_simulator
from firmware_bridge.actions import Report
from firmware_bridge.framing import MAXIMUM_PAYLOAD, FrameDecoder, WireFrame, encode_frame
from firmware_bridge.messages import MESSAGES, RollEnd
from firmware_bridge.pty_simulator import PtySimulator
from firmware_bridge.session import TraySession
from firmware_bridge.supervisor import TraySupervisor
from rules.dice import DieKind, Face, SourceState
from tests.firmware_bridge.listening import Listener
from tests.firmware_bridge.test_session import HELLO, wire
from tests.firmware_bridge.wire import Wire, shown

pytestmark = pytest.mark.slow

FRAMES = 100_000
STRINGS = 1_000_000
MESSAGES_SENT = 50_000
REPLUGGINGS = 200


@pytest.fixture
def share(*, whole: bool) -> int:
    """By what the numbers above are divided."""
    return 1 if whole else 10


def test_noise_at_one_percent_makes_no_wrong_die_and_loses_none(share: int) -> None:
    frames = FRAMES // share
    one = Wire(seed=11)
    one.tray.faults.garble = 1.0  # of the bytes, each way
    one.open()
    random, thrown = Random(12), list[list[tuple[DieKind, Face]]]()  # noqa: S311 - a repeatable table
    while one.session.counts["frames"] + one.tray.heard < frames:
        faces: list[tuple[DieKind, Face]] = [(DieKind.D20, random.randint(1, 20)) for _ in range(random.randint(1, 12))]
        thrown.append(faces)
        one.throw(*faces)
        one.run(0.5)  # so that the throw is often swept away before it has got through
        if random.random() < 0.3:
            one.run(4)
    told = [shown(reading) for reading in one.readings if reading.dice]
    remaining = iter(thrown)
    assert all(
        any(dice == faces for faces in remaining) for dice in told
    )  # each was thrown, in this order, and is told once at most
    assert len(told) > len(thrown) / 3
    one.tray.faults.garble = 0.0
    one.throw((DieKind.D20, 20), (DieKind.D20, 1))
    one.run(10)
    assert shown(one.readings[-1]) == [(DieKind.D20, 20), (DieKind.D20, 1)]
    assert one.tray.unacknowledged == 0
    assert one.session.counts["bad_checksum"] > frames / 20


def test_a_settled_die_outlives_any_noise(share: int) -> None:
    for seed in range(0, 30, min(share, 3)):
        one = Wire(seed=seed)
        one.open()
        one.run(1)
        one.tray.faults.garble = 1.0 + seed
        one.throw((DieKind.D20, 7), (DieKind.D20, 13))
        one.run(8)
        one.tray.faults.garble = 0.0
        one.run(12)
        assert [shown(reading) for reading in one.readings] == [[(DieKind.D20, 7), (DieKind.D20, 13)]], seed


def test_a_million_random_strings_are_no_die(share: int) -> None:
    count = STRINGS // share
    random = Random(7)  # noqa: S311 - the same strings every time
    session, decoder = TraySession(nonce=1, start_id="noise"), FrameDecoder()
    session.opened(0.0)
    session.data_received(wire(HELLO), 0.0)  # greeted, so that a die would count
    reports, batch = 0, 100
    for number in range(count // batch):
        cuts = sorted(random.sample(range(1, 16 * batch), batch - 1))
        noise = random.randbytes(16 * batch)
        strings = [noise[start:end] for start, end in zip([0, *cuts], [*cuts, len(noise)], strict=True)]
        data = (b"\x00" if number % 2 else b"\r\n\x00").join(strings) + b"\x00"
        decoder.feed(data)
        actions = session.data_received(data, number * 0.01)
        reports += sum(isinstance(action, Report) for action in actions)
    assert reports == 0
    assert decoder.counts.good < count / 1000
    assert decoder.counts.dropped > count / 2


def test_random_messages_in_sound_frames_raise_nothing_and_make_no_reading(share: int) -> None:
    random = Random(8)  # noqa: S311 - the same messages every time
    session = TraySession(nonce=1, start_id="noise")
    session.opened(0.0)
    session.data_received(wire(HELLO), 0.0)
    codes = [*MESSAGES, 0x00, 0x70, 0x89, 0xFF]
    reports = ends = 0
    for number in range(MESSAGES_SENT // share):
        code = random.choice(codes)
        sound = random.random() < 0.9 and code in MESSAGES
        size = MESSAGES[code].LAYOUT.size if sound else random.randint(0, MAXIMUM_PAYLOAD)
        payload = random.randbytes(size)
        if code == RollEnd.CODE:
            ends += 1
            payload = payload[:4] + bytes((payload[4] % 3 + 1,)) + payload[5:] if sound else payload
        actions = session.data_received(encode_frame(WireFrame(code, number & 0xFF, payload)), number * 0.01)
        reports += sum(isinstance(action, Report) and bool(action.reading.dice) for action in actions)
    assert ends > 1000 // share
    assert reports == 0  # a digest over the dice stands between chance and a reading


def test_two_hundred_times_unplugged_and_replugged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, share: int
) -> None:
    times = REPLUGGINGS // min(share, 5)
    every = times // 8
    monkeypatch.setattr(connection, "LOOK_INTERVAL", 0.01)  # what is held is the two hundred, not the pauses
    monkeypatch.setattr(connection, "BACK_OFF_FIRST", 0.01)
    monkeypatch.setattr(pty_simulator, "IDLE_LOOK", 0.005)
    caplog.set_level(logging.INFO, "firmware_bridge")
    simulator, listener = PtySimulator(5, link=tmp_path / "tray"), Listener()
    supervisor = TraySupervisor(simulator.start())
    supervisor.start(listener.report, listener.tell)
    open_files = 0
    try:
        for number in range(times):
            assert listener.wait_state(SourceState.READY), number
            if number % every == 0:
                face = number // every + 1
                simulator.throw(((DieKind.D20, face),))
                assert listener.wait_faces(face), number
            if number == 1:
                open_files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - a count
            simulator.command("unplug")
            assert listener.wait_state(SourceState.LOST), number
            simulator.command("replug")
        assert listener.wait_state(SourceState.READY)
        assert len(os.listdir("/proc/self/fd")) <= open_files  # noqa: PTH208 - a count
        assert sum(thread.name == "tray" for thread in threading.enumerate()) == 1
    finally:
        supervisor.stop()
        simulator.stop()
    told = [[die.face for die in reading.dice] for reading in listener.readings if reading.dice]
    assert told == [[face] for face in range(1, times // every + 1)]
    levels = [record.levelno for record in caplog.records]
    assert levels.count(logging.WARNING) == times  # one line when it goes
    assert levels.count(logging.INFO) == times + 1  # one when it returns, and the first
