"""The host's side of the wire for one who tries a tray: everything that came with its time, and nothing by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from firmware_bridge.conversation import Link
from firmware_bridge.errors import MessageError, TrayError
from firmware_bridge.framing import FrameDecoder, WireFrame, encode_frame
from firmware_bridge.messages import Acknowledge, Die, Message, PictureReady, RollEnd, Tag, decode
from firmware_bridge.places import answer_to
from firmware_bridge.plain import LineFinder
from firmware_bridge.taught import TaughtDice

REOPENING: Final = 10.0
"""Seconds that the port of a board may be away whose USB restarts with it."""

_LOOK: Final = 0.2
"""Seconds between two looks for it."""
_ONE_BYTE: Final = 256
"""How many values a byte has."""

_Kind = TypeVar("_Kind", bound=Message)


@dataclass(frozen=True, slots=True)
class Heard:
    """One frame of the tray, when it came, and what it says; None where its payload is too short or unknown."""

    time: float
    frame: WireFrame
    message: Message | None


class CheckHost:
    """Opens the port by `open_port`; `wait` lets seconds of `clock` pass. `taught` is what the tags mean.

    Events are acknowledged and tags answered only while `acknowledges` and `answers` say so. Sending and listening
    raise `LinkLostError`.
    """

    def __init__(
        self,
        open_port: Callable[[], Link],
        clock: Callable[[], float],
        wait: Callable[[float], None],
        taught: TaughtDice,
    ) -> None:
        self.clock: Final = clock
        self.heard: list[Heard] = []
        self.bytes = 0
        self.plain_lines = 0
        self.acknowledges = self.answers = False
        self._open_port, self._wait, self._taught = open_port, wait, taught
        self._link = open_port()
        self._decoder = FrameDecoder(long_frames=True)
        self._lines = LineFinder()
        self._sequence = 0

    @property
    def damaged(self) -> int:
        """What came of the tray and was no frame."""
        return self._decoder.counts.dropped

    def close(self) -> None:
        """Close the port."""
        self._link.close()

    def reopen(self) -> None:
        """Wait until the port is back. Raises `TrayError` where it does not come."""
        self._link.close()
        self._decoder.reset()
        end = self.clock() + REOPENING
        while True:
            self._wait(_LOOK)
            try:
                self._link = self._open_port()
            except TrayError:
                if self.clock() >= end:
                    raise
            else:
                return

    def say(self, message: Message) -> int:
        """Send `message`; the sequence of its frame."""
        self.say_bytes(encode_frame(message.to_frame(self._next())))
        return self._sequence

    def say_frame(self, code: int, payload: bytes) -> None:
        """Send a frame that is no message of this version."""
        self.say_bytes(encode_frame(WireFrame(code, self._next(), payload)))

    def say_bytes(self, data: bytes) -> None:
        """Send what may be no frame at all."""
        self._link.write(data)

    def listen(self, seconds: float, until: Callable[[Message], bool] = lambda _: False) -> list[Heard]:
        """What comes within `seconds`, or up to the first message that `until` waits for."""
        start, end = len(self.heard), self.clock() + seconds
        while (left := end - self.clock()) > 0:
            data = self._link.read(left)
            now, before = self.clock(), len(self.heard)
            self.bytes += len(data)
            self.plain_lines += len(self._lines.feed(data))
            for frame in self._decoder.feed(data):
                self._note(now, frame)
            if any(one.message is not None and until(one.message) for one in self.heard[before:]):
                break
        return self.heard[start:]

    def answer(self, tag: int) -> None:
        """Say what `tag` means."""
        self.say(answer_to(tag, self._taught))

    def _next(self) -> int:
        self._sequence = (self._sequence + 1) % _ONE_BYTE
        return self._sequence

    def _note(self, now: float, frame: WireFrame) -> None:
        try:
            message = decode(frame).message
        except MessageError:
            message = None
        known = message if isinstance(message, Message) else None
        self.heard.append(Heard(now, frame, known))
        if isinstance(known, Die | RollEnd | PictureReady) and self.acknowledges:
            self.say(Acknowledge(known.event))
        elif isinstance(known, Tag) and self.answers:
            self.answer(known.tag)


def timed(heard: Sequence[Heard], kind: type[_Kind]) -> list[tuple[float, _Kind]]:
    """The messages of one kind among `heard`, each with its time."""
    return [(one.time, one.message) for one in heard if isinstance(one.message, kind)]


def only(heard: Sequence[Heard], kind: type[_Kind]) -> list[_Kind]:
    """The messages of one kind among `heard`."""
    return [message for _, message in timed(heard, kind)]
