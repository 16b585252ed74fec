"""What the serial tray costs: its codec, the wire, the way of a roll into the journal, and waiting."""

from __future__ import annotations

import queue
import tempfile
import threading
import time
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path

from firmware_bridge.framing import FrameDecoder, encode_frame
from firmware_bridge.link import SerialLink, open_link
from firmware_bridge.messages import Die, KindCode, Ping, Pong, StateCode, decode
from firmware_bridge.pty_simulator import PtySimulator
from firmware_bridge.simulator import ROLLING_TIME
from firmware_bridge.supervisor import TraySupervisor
from rules.dice import DieKind, SourceState
from tests.bench.measure import Row, each, milliseconds
from tests.e2e.crew import set_up
from tests.e2e.program import Program, source, until

FRAMES = 20_000
ROUND_TRIPS = 500
ROLLS = 40
PAUSE = 0.1
"""Seconds between a roll in the journal and the next throw."""
IDLE_SECONDS = 5.0
PATIENCE = 10.0


def rows() -> Iterator[Row]:
    """All figures, quickest first."""
    yield codec_row()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        simulator = PtySimulator(1, link=folder / "tray")
        simulator.start()
        try:
            yield round_trip_row(folder / "tray")
            yield idle_row(folder / "tray")
            yield journal_row(simulator, folder)
        finally:
            simulator.stop()


def codec_row() -> Row:
    """DIE messages packed, framed, found again in the stream and unpacked, on one core."""
    die = Die(5, 1, 0, 0xD1CE0000, KindCode.D20, 17, StateCode.SETTLED, 100, 1830, 0)
    decoder = FrameDecoder()
    start = time.perf_counter()
    for number in range(FRAMES):
        (frame,) = decoder.feed(encode_frame(die.to_frame(number)))
        if decode(frame).message != die:
            raise RuntimeError("the codec changed a die")
    return Row("tray: a message coded and decoded", f"{FRAMES / (time.perf_counter() - start):.0f} a second")


def round_trip_row(port: Path) -> Row:
    """PING to PONG through pyserial and a pseudo-terminal."""
    link, decoder = open_link(str(port)), FrameDecoder()
    numbers = iter(range(1, ROUND_TRIPS + 1))
    try:
        return Row(
            "tray: PING to PONG over a pseudo-terminal",
            milliseconds(each(ROUND_TRIPS, lambda: _ping(link, decoder, next(numbers)))),
        )
    finally:
        link.close()


def _ping(link: SerialLink, decoder: FrameDecoder, nonce: int) -> None:
    link.write(encode_frame(Ping(nonce).to_frame(nonce)))
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if Pong(nonce) in [decode(frame).message for frame in decoder.feed(link.read(PATIENCE))]:
            return
    raise TimeoutError("the simulated tray does not answer")


def idle_row(port: Path) -> Row:
    """The supervisor's thread with a tray at rest; the simulator's thread is not counted."""
    return Row("tray: the supervisor with a tray at rest", f"{idle_share(port):.2%} of a core")


def idle_share(port: Path) -> float:
    """The share of a core that the supervisor's thread takes while the tray on `port` is at rest."""
    ready = threading.Event()
    supervisor = TraySupervisor(str(port))
    supervisor.start(lambda _: None, lambda status: ready.set() if status.state is SourceState.READY else None)
    try:
        if not ready.wait(PATIENCE):
            raise TimeoutError("the supervisor does not find the simulated tray")
        (thread,) = (one for one in threading.enumerate() if one.name == "tray")
        clock = time.pthread_getcpuclockid(thread.ident or 0)
        before = time.clock_gettime(clock)
        time.sleep(IDLE_SECONDS)
        return (time.clock_gettime(clock) - before) / IDLE_SECONDS
    finally:
        supervisor.stop()


def journal_row(simulator: PtySimulator, folder: Path) -> Row:
    """From dice at rest in the tray to their event, committed and sent on by a running kiosk."""
    with Program(folder / "data", "--camera", "off", "--tray", str(folder / "tray")) as program:
        until(lambda: source(program, "tray").get("state") == "ready")
        set_up(program)
        reader, arrived = listened_to(program)
        taken = []
        for number in range(ROLLS):
            at_rest = time.monotonic() + ROLLING_TIME
            simulator.throw(((DieKind.D20, number % 20 + 1), (DieKind.D20, 7)))
            taken.append(arrived.get(timeout=PATIENCE) - at_rest)
            time.sleep(PAUSE)
    reader.join(PATIENCE)
    return Row("tray: dice at rest → their event from the kiosk's journal", milliseconds(taken))


def listened_to(program: Program, event: str = "free_roll_made") -> tuple[threading.Thread, queue.SimpleQueue[float]]:
    """What notes when each such event arrives, until the kiosk goes, and what it noted; it listens already."""
    arrived: queue.SimpleQueue[float] = queue.SimpleQueue()
    listening = threading.Event()
    reader = threading.Thread(target=_listen, args=(program, event, listening, arrived), daemon=True)
    reader.start()
    listening.wait(PATIENCE)
    return reader, arrived


def _listen(program: Program, wanted: str, listening: threading.Event, arrived: queue.SimpleQueue[float]) -> None:
    """Note when each event `wanted` arrives, until the kiosk goes."""
    try:
        for event, _, data in program.events(seconds=PATIENCE):
            if event == "snapshot":
                listening.set()
            elif event == "journal" and data["event"]["event"] == wanted:
                arrived.put(time.monotonic())
    except (OSError, HTTPException):
        return  # the kiosk has been ended
