"""Dice with tags for the emulated tray, taught to a host, and that host: the supervisor as the kiosk runs it."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from itertools import count
from types import TracebackType
from typing import Final, Self

from firmware_bridge.conversation import Link
from firmware_bridge.framing import FrameDecoder, encode_frame
from firmware_bridge.link import open_link
from firmware_bridge.messages import Acknowledge, Ping
from firmware_bridge.supervisor import TraySupervisor
from firmware_bridge.taught import STEPS, TagSide, TaughtDice, TaughtDie
from firmware_bridge.taught_file import TaughtFile
from rules.dice import DieKind, Face, Reading, SourceState
from tests.firmware_bridge.emulated import PATIENCE, EmulatedTray
from tests.firmware_bridge.listening import Listener


class TaggedDie:
    """A die whose tags have UIDs of its own: `uid(face)` is in hexadecimal what lies down when `face` is up."""

    def __init__(self, number: int, kind: DieKind, *, side: TagSide = TagSide.UP, length: int = 7) -> None:
        self.kind = kind
        self._uids = [
            bytes((4, number, step, 0x5A, 0xC3, step, number, 1, 2, 3))[:length] for step in range(len(STEPS[kind]))
        ]
        self.taught = TaughtDie(f"{kind} {number}", kind, tuple(zlib.crc32(uid) or 1 for uid in self._uids), side)
        self._side = side

    def uid(self, face: Face, nth: int = 0) -> str:
        """The tag that is read while `face` is up; `nth` chooses among sides that show the same."""
        sides = [step for step, shown in enumerate(STEPS[self.kind]) if shown == face]
        if self._side is TagSide.DOWN:
            opposite = len(STEPS[self.kind]) + 1 - int(face)
            sides = [opposite - 1]
        return self._uids[sides[nth]].hex()


D20: Final = TaggedDie(1, DieKind.D20, side=TagSide.DOWN)
OTHER_D20: Final = TaggedDie(2, DieKind.D20, length=4)
THIRD_D20: Final = TaggedDie(3, DieKind.D20, length=10)
CHALLENGE: Final = TaggedDie(4, DieKind.CHALLENGE)
TAUGHT: Final = TaughtDice(tuple(die.taught for die in (D20, OTHER_D20, THIRD_D20, CHALLENGE)))
STRANGER: Final = "0badc0ffee1234"


class Chatter:
    """Opens ports that are never at rest: 300 PINGs a second go out. Counts the frames of both directions."""

    PAUSE: Final = 1 / 300
    """Seconds between two PINGs: with their answers a quarter of what the wire carries, so that dice have room."""

    def __init__(self) -> None:
        self.frames = 0
        self._next = 0.0
        self._numbers = count()

    def open(self, address: str) -> Link:
        """A port as `open_link` opens it, and its chatter."""
        return ChattyLink(open_link(address), self)

    def ping(self) -> bytes:
        """The next PING, framed, if it is time for it."""
        now = time.monotonic()
        if now < self._next:
            return b""
        self._next = now + self.PAUSE
        self.frames += 1
        number = next(self._numbers)
        return encode_frame(Ping(number % 0xFFFF + 1).to_frame(number % 0x100))


class ChattyLink:
    """One opening of a port by `Chatter`."""

    def __init__(self, link: Link, chatter: Chatter) -> None:
        self._link = link
        self._chatter = chatter
        self._decoder = FrameDecoder()

    def read(self, timeout: float) -> bytes:
        ping = self._chatter.ping()
        if ping:
            self._link.write(ping)
        data = self._link.read(min(timeout, self._chatter.PAUSE))
        self._chatter.frames += len(self._decoder.feed(data))
        return data

    def write(self, data: bytes) -> None:
        self._chatter.frames += 1
        self._link.write(data)

    def wake(self) -> None:
        self._link.wake()

    def close(self) -> None:
        self._link.close()


class Forgetful:
    """Opens ports on which the first `acknowledgements` of the host are lost; `left` says how many still will be."""

    def __init__(self, acknowledgements: int) -> None:
        self.left = acknowledgements

    def open(self, address: str) -> Link:
        """A port as `open_link` opens it, on a bad wire."""
        return ForgetfulLink(open_link(address), self)


class ForgetfulLink:
    """One opening of a port by `Forgetful`."""

    def __init__(self, link: Link, forgetful: Forgetful) -> None:
        self._link = link
        self._forgetful = forgetful

    def read(self, timeout: float) -> bytes:
        return self._link.read(timeout)

    def write(self, data: bytes) -> None:
        if self._forgetful.left and any(frame.code == Acknowledge.CODE for frame in FrameDecoder().feed(data)):
            self._forgetful.left -= 1
        else:
            self._link.write(data)

    def wake(self) -> None:
        self._link.wake()

    def close(self) -> None:
        self._link.close()


class Host:
    """A supervisor on the emulated tray's port, over the real pyserial, and what it has said."""

    def __init__(self, port: str, taught: TaughtDice = TAUGHT, *, opens: Callable[[str], Link] = open_link) -> None:
        self.listener = Listener()
        self.file = TaughtFile()
        self.file.change(lambda _: taught)
        self._supervisor = TraySupervisor(port, taught=self.file, open_link=opens)

    @property
    def thrown(self) -> list[Reading]:
        """The readings with dice, as they came."""
        return [reading for reading in self.listener.readings if reading.dice]

    @property
    def faces(self) -> list[list[Face | None]]:
        """Their faces, by slot."""
        return [[die.face for die in reading.dice] for reading in self.thrown]

    def ready(self) -> None:
        """Wait until the tray is in use."""
        assert self.listener.wait_state(SourceState.READY, PATIENCE), self.listener.statuses

    def becomes(self, state: SourceState) -> None:
        """Wait for another state."""
        assert self.listener.wait_state(state, PATIENCE), self.listener.statuses

    def reads(self, *faces: Face | None) -> Reading:
        """Wait for the newest reading to show these, by slot."""
        assert self.listener.wait(lambda: bool(self.faces) and self.faces[-1] == list(faces), PATIENCE), self.faces
        return self.thrown[-1]

    def cleared(self) -> None:
        """Wait for the news that the tray is empty."""
        assert self.listener.wait(
            lambda: bool(self.listener.readings) and not self.listener.readings[-1].dice, PATIENCE
        )

    def says(self, words: str) -> None:
        """Wait for a status with these words in it."""
        assert self.listener.wait(
            lambda: any(words in f"{status.what} {status.remedy}" for status in self.listener.statuses), PATIENCE
        ), self.listener.statuses

    def start(self) -> Self:
        """Begin, again after `stop` too."""
        self._supervisor.start(self.listener.report, self.listener.tell)
        return self

    def stop(self) -> None:
        """Let go of the port."""
        self._supervisor.stop()

    def __enter__(self) -> Self:
        """Begin."""
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End."""
        self.stop()


def throw_until(tray: EmulatedTray, host: Host, enough: Callable[[], bool]) -> list[list[Face | None]]:
    """Throw two dice, wait for their reading, take them up; again until it is enough. What was thrown."""
    thrown: list[list[Face | None]] = []
    while not enough():
        face = len(thrown) % 20 + 1
        thrown.append([face, 21 - face])
        tray.throw({0: D20.uid(face), 1: OTHER_D20.uid(21 - face)})
        host.reads(face, 21 - face)
        tray.clear(0, 1)
        host.cleared()
    return thrown


def replug(tray: EmulatedTray, host: Host, *, times: int) -> None:
    """Throw a die, pull the whole cable, put it back; each die must be read exactly once, and nothing else."""
    for number in range(times):
        host.ready()
        tray.throw({0: D20.uid(number % 20 + 1)})
        host.reads(number % 20 + 1)
        tray.send("unplug", "lift 0")
        host.becomes(SourceState.LOST)
        tray.send("replug")
    host.ready()
    assert host.faces == [[number % 20 + 1] for number in range(times)]
