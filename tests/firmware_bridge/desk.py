"""The tray's portable firmware on a desk, as tests use it: scripted time and dice, and a host in Python.

The program is built by the project's Makefile with the sanitizers on; a fault in the C code ends it and the test.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Self, TypeVar

from firmware_bridge.framing import FrameDecoder, encode_frame
from firmware_bridge.messages import (
    Acknowledge,
    Beat,
    Die,
    Fault,
    Hello,
    Message,
    RollEnd,
    Snapshot,
    Tag,
    Taught,
    decode,
)
from tests.firmware_bridge.emulated import BUILD, build

HOST: Final = BUILD / "host"

_Told = TypeVar("_Told", bound=Message)


@dataclass
class Desk:
    """The firmware, from power-up on. It is a host's tray at once: greeted, answered, and acknowledged.

    `teach` says what tags mean; `acknowledges` and `answers` switch the host's side off.
    """

    teach: Mapping[int, Taught] = field(default_factory=dict)
    acknowledges: bool = True
    answers: bool = True
    greets: bool = True
    cause: int = 1
    uptime: int = 0
    setup: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        build("build/host/desk")
        self.heard: list[tuple[int, Message]] = []
        """Everything it said, with the tray's own time in milliseconds."""
        self.lamps: list[bytes] = []
        self.restarts: list[int] = []
        self.longest_turn = 0
        """Microseconds for which one turn of the main loop kept the readers' bus."""
        self._decoder = FrameDecoder()
        self._sequence = 0
        self._process = subprocess.Popen([HOST / "desk"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        """Switch it on."""
        self.do(*self.setup, f"start {self.cause} {self.uptime}")
        return self

    def __exit__(self, *_: object) -> None:
        """Switch it off; a sanitizer's complaint is a failure."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        assert self._process.wait(30) == 0

    def do(self, *lines: str) -> None:
        """Carry out script lines, see desk.c."""
        for line in lines:
            for told in self._answer(line):
                self._note(told)

    def _answer(self, line: str) -> list[str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        told = []
        while (answer := self._process.stdout.readline().rstrip()) != "done":
            assert answer not in {"", "wrong"}, f"{line!r} ended the firmware, or is no command"
            told.append(answer)
        return told

    def _note(self, told: str) -> None:
        word, *rest = told.split()
        if word == "sent":
            for frame in self._decoder.feed(bytes.fromhex(rest[1])):
                message = decode(frame).message
                assert isinstance(message, Message)
                self.heard.append((int(rest[0]), message))
        elif word == "lamps":
            self.lamps.append(bytes.fromhex(rest[0]))
        elif word == "restart":
            self.restarts.append(int(rest[0]))
        elif word == "bus":
            self.longest_turn = max(self.longest_turn, int(rest[0]))

    def say(self, *messages: Message) -> None:
        """Send messages of the host."""
        for message in messages:
            self._sequence += 1
            self.do(f"hear {encode_frame(message.to_frame(self._sequence)).hex()}")

    def run(self, milliseconds: int) -> list[Message]:
        """Let time pass, while the host does its part; what the tray said meanwhile, beats left out."""
        start = len(self.heard)
        for _ in range(milliseconds // 5):
            before = len(self.heard)
            self.do("run 5")
            for _, message in self.heard[before:]:
                self._react(message)
        return [message for _, message in self.heard[start:] if not isinstance(message, Beat)]

    def _react(self, message: Message) -> None:
        if isinstance(message, Hello) and self.greets:
            self.say(Snapshot(message.boot_id))
        elif isinstance(message, Die | RollEnd) and self.acknowledges:
            self.say(Acknowledge(message.event))
        elif isinstance(message, Tag) and self.answers:
            self.say(self.teach.get(message.tag, Taught(message.tag, 0, 0, 0, 0)))

    def throw(self, tags: Mapping[int, str], milliseconds: int = 1500) -> list[Message]:
        """Throw dice: hits, then tags by slot; runs until they have settled.

        A tray that has just started first listens to the room for half a second.
        """
        if not self.heard:
            self.run(500)
        self.do("hit 500 300")
        told = self.run(150)
        self.do(*(f"tag {slot} {uid}" for slot, uid in tags.items()))
        return told + self.run(milliseconds - 150)

    def of(self, kind: type[_Told]) -> list[_Told]:
        """Everything of one kind that it said."""
        return [message for _, message in self.heard if isinstance(message, kind)]

    def die(self, slot: int) -> Die:
        """What it said last of a slot."""
        return [die for die in self.of(Die) if die.slot == slot][-1]

    @property
    def end(self) -> RollEnd:
        """The newest end of a roll."""
        return self.of(RollEnd)[-1]

    @property
    def faults(self) -> list[tuple[int, int]]:
        """Code and slot of each FAULT."""
        return [(fault.code, fault.slot) for fault in self.of(Fault)]


def only(messages: Iterable[Message], kind: type[_Told]) -> list[_Told]:
    """Those of one kind."""
    return [message for message in messages if isinstance(message, kind)]
