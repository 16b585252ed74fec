"""Frames on the wire: `00 | COBS(type, sequence, payload, CRC-16 little-endian) | 00`.

Free of I/O and of the clock. COBS (Cheshire and Baker, 1997) removes every zero byte from a frame's inside,
so a zero always ends a frame and a reader is back in step at the next one. Frames also begin with a zero,
so that line noise costs itself and not the frame after it. The checksum is CRC-16/CCITT-FALSE
(0x29B1 for `123456789`), over type, sequence and payload. A long frame, which carries a piece of a picture, ends with
CRC-32 instead: it is twenty times as long, and boards compute that one quickly.
"""

from __future__ import annotations

from binascii import crc32, crc_hqx
from dataclasses import dataclass
from typing import Final

from cobs import cobs

MAXIMUM_PAYLOAD: Final = 48
"""Bytes of payload in the longest frame that is not a long one."""

LONG: Final = 0x8A
"""The type of the one long frame: CHUNK, a piece of a picture."""

LONG_PAYLOAD: Final = 1030
"""Bytes of payload in the longest long frame: 6 of fields and 1,024 of the picture."""

_HEAD: Final = 2  # type and sequence
"""Bytes before the payload: type and sequence."""
_CHECKSUM: Final = 2
"""Bytes of a frame's CRC-16."""
_LONG_CHECKSUM: Final = 4
"""Bytes of a long frame's CRC-32."""
_LONGEST_STUFFED: Final = _HEAD + MAXIMUM_PAYLOAD + _CHECKSUM + 1
"""Bytes of the longest frame on the wire: COBS adds one below 254."""
_LONGEST_LONG: Final = _HEAD + LONG_PAYLOAD + _LONG_CHECKSUM + 5
"""Bytes of the longest long frame on the wire: COBS adds one more for each 254."""
_DELIMITER: Final = b"\x00"
"""Stands before and after each frame, and never within."""
_BYTE: Final = 0xFF
"""The highest value of one byte."""


@dataclass(frozen=True, slots=True)
class WireFrame:
    """One frame: `code` is the message's type, `sequence` counts the sender's frames modulo 256.

    Raises `ValueError` for a code or sequence outside 0..255 or a payload over `MAXIMUM_PAYLOAD` bytes, for a long
    frame over `LONG_PAYLOAD`.
    """

    code: int
    sequence: int
    payload: bytes

    def __post_init__(self) -> None:
        if not 0 <= self.code <= _BYTE or not 0 <= self.sequence <= _BYTE:
            raise ValueError(f"frame type {self.code} and sequence {self.sequence} must each fit one byte")
        most = LONG_PAYLOAD if self.code == LONG else MAXIMUM_PAYLOAD
        if len(self.payload) > most:
            raise ValueError(f"a payload of {len(self.payload)} bytes is over the {most} that a frame carries")


@dataclass(frozen=True, slots=True)
class FrameCounts:
    """A decoder's counts: `good` frames, and dropped ones by reason."""

    good: int = 0
    bad_checksum: int = 0
    overlong: int = 0
    short: int = 0
    malformed: int = 0

    @property
    def dropped(self) -> int:
        """Everything between two delimiters that was not a frame."""
        return self.bad_checksum + self.overlong + self.short + self.malformed


def checksum(data: bytes) -> int:
    """CRC-16/CCITT-FALSE of `data`: polynomial 0x1021, start 0xFFFF, nothing reflected (0x29B1 for `123456789`)."""
    return crc_hqx(data, 0xFFFF)


def encode_frame(frame: WireFrame) -> bytes:
    """The bytes of `frame` as they go over the wire, with both delimiters."""
    body = bytes((frame.code, frame.sequence)) + frame.payload
    stuffed: bytes = cobs.encode(body + _check_bytes(body, is_long=frame.code == LONG))
    return _DELIMITER + stuffed + _DELIMITER


def _check_bytes(body: bytes, *, is_long: bool) -> bytes:
    """What the frame `body` ends with."""
    if is_long:
        return crc32(body).to_bytes(_LONG_CHECKSUM, "little")
    return checksum(body).to_bytes(_CHECKSUM, "little")


class FrameDecoder:
    """Finds the frames in a stream of arbitrary bytes, however they are split.

    Never raises and never holds more than one frame's bytes; what is no frame is dropped and counted. Long frames are
    taken where `long_frames` says so: a host takes them, a tray is never sent one.
    """

    def __init__(self, *, long_frames: bool = False) -> None:
        self._long_frames = long_frames
        self._pending = bytearray()
        self._skipping = False
        self._good = self._bad_checksum = self._overlong = self._short = self._malformed = 0

    @property
    def counts(self) -> FrameCounts:
        """The counts since this decoder was made."""
        return FrameCounts(self._good, self._bad_checksum, self._overlong, self._short, self._malformed)

    @property
    def pending(self) -> int:
        """How many bytes of an unfinished frame are held."""
        return len(self._pending)

    def feed(self, data: bytes) -> list[WireFrame]:
        """The frames that `data` completes, in order."""
        pieces = data.split(_DELIMITER)
        frames = []
        for piece in pieces[:-1]:
            self._append(piece)
            frame = self._finish()
            if frame is not None:
                frames.append(frame)
        self._append(pieces[-1])
        return frames

    def reset(self) -> None:
        """Forget an unfinished frame, as after reopening the port. The counts stay."""
        self._pending.clear()
        self._skipping = False

    def _append(self, piece: bytes) -> None:
        if self._skipping:
            return
        room = _LONGEST_STUFFED - len(self._pending)
        self._pending += piece[: max(room, 0)]
        if len(piece) > room and not self._takes_more(piece[max(room, 0) :]):
            self._pending.clear()
            self._skipping = True
            self._overlong += 1

    def _takes_more(self, rest: bytes) -> bool:
        """Add `rest` where the frame is a long one; False where it becomes longer than its type may be."""
        stuffed_zero = 1  # the first count of COBS while the type itself is 0
        is_long = self._long_frames and self._pending[0] != stuffed_zero and self._pending[1] == LONG
        if not is_long or len(self._pending) + len(rest) > _LONGEST_LONG:
            return False
        self._pending += rest
        return True

    def _finish(self) -> WireFrame | None:
        stuffed = bytes(self._pending)
        was_skipping = self._skipping
        self.reset()
        if was_skipping or not stuffed:
            return None
        try:
            body: bytes = cobs.decode(stuffed)
        except cobs.DecodeError:
            self._malformed += 1
            return None
        is_long = self._long_frames and body[:1] == bytes((LONG,))
        size = _LONG_CHECKSUM if is_long else _CHECKSUM
        if len(body) < _HEAD + size:
            self._short += 1
            return None
        content = body[:-size]
        if _check_bytes(content, is_long=is_long) != body[-size:] or len(content) > _HEAD + LONG_PAYLOAD:
            self._bad_checksum += 1
            return None
        self._good += 1
        return WireFrame(content[0], content[1], content[_HEAD:])
