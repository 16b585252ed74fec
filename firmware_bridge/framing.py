"""Frames on the wire: `00 | COBS(type, sequence, payload, CRC-16 little-endian) | 00`.

Free of I/O and of the clock. COBS (Cheshire and Baker, 1997) removes every zero byte from a frame's inside,
so a zero always ends a frame and a reader is back in step at the next one. Frames also begin with a zero,
so that line noise costs itself and not the frame after it. The checksum is CRC-16/CCITT-FALSE
(0x29B1 for `123456789`), over type, sequence and payload.
"""

from __future__ import annotations

from binascii import crc_hqx
from dataclasses import dataclass
from typing import Final

from cobs import cobs

MAXIMUM_PAYLOAD: Final = 48
"""Bytes of payload in the longest frame."""

_HEAD: Final = 2  # type and sequence
_CHECKSUM: Final = 2
_SHORTEST: Final = _HEAD + _CHECKSUM
_LONGEST_STUFFED: Final = _HEAD + MAXIMUM_PAYLOAD + _CHECKSUM + 1  # COBS adds one byte below 254
_DELIMITER: Final = b"\x00"
_BYTE: Final = 0xFF
"""The highest value of one byte."""


@dataclass(frozen=True, slots=True)
class WireFrame:
    """One frame: `code` is the message's type, `sequence` counts the sender's frames modulo 256.

    Raises `ValueError` for a code or sequence outside 0..255 or a payload over `MAXIMUM_PAYLOAD` bytes.
    """

    code: int
    sequence: int
    payload: bytes

    def __post_init__(self) -> None:
        if not 0 <= self.code <= _BYTE or not 0 <= self.sequence <= _BYTE:
            raise ValueError(f"frame type {self.code} and sequence {self.sequence} must each fit one byte")
        if len(self.payload) > MAXIMUM_PAYLOAD:
            raise ValueError(
                f"a payload of {len(self.payload)} bytes is over the {MAXIMUM_PAYLOAD} that a frame carries"
            )


@dataclass(frozen=True, slots=True)
class FrameCounts:
    """What a decoder has met: `good` frames, and what it dropped and why."""

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
    stuffed: bytes = cobs.encode(body + checksum(body).to_bytes(2, "little"))
    return _DELIMITER + stuffed + _DELIMITER


class FrameDecoder:
    """Finds the frames in a stream of arbitrary bytes, however they are split.

    Never raises and never holds more than one frame's bytes; what is no frame is dropped and counted.
    """

    def __init__(self) -> None:
        self._pending = bytearray()
        self._skipping = False
        self._good = self._bad_checksum = self._overlong = self._short = self._malformed = 0

    @property
    def counts(self) -> FrameCounts:
        """What has been met since this decoder was made."""
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
        if len(self._pending) + len(piece) > _LONGEST_STUFFED:
            self._pending.clear()
            self._skipping = True
            self._overlong += 1
            return
        self._pending += piece

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
        if len(body) < _SHORTEST:
            self._short += 1
            return None
        content, expected = body[:-_CHECKSUM], int.from_bytes(body[-_CHECKSUM:], "little")
        if checksum(content) != expected:
            self._bad_checksum += 1
            return None
        self._good += 1
        return WireFrame(content[0], content[1], content[_HEAD:])
