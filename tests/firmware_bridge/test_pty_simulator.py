"""The simulator's pseudo-terminal: opened and closed many times, plugged and unplugged, with a stable name."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.errors import SimulatorError
from firmware_bridge.framing import FrameDecoder, encode_frame
from firmware_bridge.link import open_link
from firmware_bridge.messages import Hello, HelloRequest, Ping, Pong, decode
from firmware_bridge.pty_simulator import PtySimulator
from firmware_bridge.simulator import SimulatedTray
from rules.dice import DieKind

pytestmark = pytest.mark.slow


@pytest.fixture
def simulator(tmp_path: Path) -> Iterator[PtySimulator]:
    one = PtySimulator(3, link=tmp_path / "tray")
    one.start()
    yield one
    one.stop()


def test_opened_and_closed_thirty_times(simulator: PtySimulator) -> None:
    for number in range(1, 31):
        link = open_link(simulator.path or "")
        link.write(encode_frame(Ping(number).to_frame(0)))
        decoder, end = FrameDecoder(), time.monotonic() + 60
        answers: list[object] = []
        while Pong(number) not in answers and time.monotonic() < end:
            answers += [decode(frame).message for frame in decoder.feed(link.read(1.0))]
        link.close()
        assert Pong(number) in answers


def test_what_is_sent_while_nobody_listens_is_lost(simulator: PtySimulator) -> None:
    time.sleep(1.2)  # two greetings go nowhere
    link = open_link(simulator.path or "")
    link.write(encode_frame(HelloRequest(1, 0, 5).to_frame(0)))
    decoder, hellos = FrameDecoder(), list[Hello]()
    end = time.monotonic() + 60
    while not any(one.nonce == 5 for one in hellos):
        assert time.monotonic() < end
        heard = (decode(frame).message for frame in decoder.feed(link.read(0.1)))
        hellos += [one for one in heard if isinstance(one, Hello)]
    link.close()
    assert all(one.uptime >= 1200 for one in hellos), "those from before the port was opened went nowhere"


def test_it_idles_without_a_listener_at_little_cost(simulator: PtySimulator) -> None:
    link = open_link(simulator.path or "")
    link.close()  # from here on the pseudo-terminal reports a hang-up without end
    start = time.process_time()
    time.sleep(1.0)
    assert time.process_time() - start < 0.5


def test_who_opens_the_port_is_heard_though_the_tray_has_nothing_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(SimulatedTray, "deadline", property(lambda _: time.monotonic() + 3600))
    one = PtySimulator(3, link=tmp_path / "tray")
    one.start()
    time.sleep(0.2)  # by now it sleeps
    link = open_link(one.path or "")
    link.write(encode_frame(Ping(1).to_frame(0)))
    decoder, end = FrameDecoder(), time.monotonic() + 20
    answers: list[object] = []
    while Pong(1) not in answers and time.monotonic() < end:
        answers += [decode(frame).message for frame in decoder.feed(link.read(1.0))]
    link.close()
    one.stop()
    assert Pong(1) in answers


def test_the_link_follows_the_port_and_goes_with_it(simulator: PtySimulator, tmp_path: Path) -> None:
    link = tmp_path / "tray"
    first = link.readlink()
    assert first.exists()
    simulator.command("unplug")
    assert not link.is_symlink()
    keep = os.open("/dev/null", os.O_RDONLY)
    said = simulator.command("replug")
    os.close(keep)
    assert str(link) in said
    assert link.resolve().exists()
    simulator.stop()
    assert not link.is_symlink()


def test_a_file_in_the_way_of_the_link_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "tray").write_text("precious")
    with pytest.raises(SimulatorError, match="no link"):
        PtySimulator(1, link=tmp_path / "tray").start()
    assert (tmp_path / "tray").read_text() == "precious"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SimulatorError, match="cannot be made"):
        PtySimulator(1, link=tmp_path / "none" / "tray").start()


def test_started_once_and_stopped_as_often_as_one_likes() -> None:
    one = PtySimulator(1)
    assert one.start().startswith("/dev/")
    with pytest.raises(SimulatorError, match="already"):
        one.start()
    one.stop()
    one.stop()
    assert one.path is None
    assert one.start().startswith("/dev/")
    one.stop()


def test_the_same_seed_throws_the_same_dice() -> None:
    kinds = [DieKind.D20, DieKind.D20, DieKind.CHALLENGE]
    assert PtySimulator(11).throw_some(kinds) == PtySimulator(11).throw_some(kinds)


def test_help_names_the_plug(simulator: PtySimulator) -> None:
    said = simulator.command("help")
    assert "unplug" in said
    assert "garble PERCENT" in said
    with pytest.raises(SimulatorError, match="no command"):
        simulator.command("dance")


def test_stopping_does_not_wait_for_the_next_heartbeat(tmp_path: Path) -> None:
    taken = []
    for seed in range(5):
        one = PtySimulator(seed, link=tmp_path / "stopped")
        one.start()
        one.command("unplug")  # nothing to look at: it sleeps until the next greeting, half a second away
        time.sleep(0.15)
        start = time.monotonic()
        one.stop()
        taken.append(time.monotonic() - start)
    assert min(taken) < 0.1
