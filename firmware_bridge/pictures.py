"""Assembles a roll's picture from PICTURE and its CHUNKs, free of I/O and of the clock.

The host asks for what it lacks (WANT), so that a picture goes on where it was after lost chunks, a frozen tray or
another opening of the port. A whole picture is acknowledged and given out once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from zlib import crc32

from firmware_bridge.messages import Acknowledge, Chunk, Message, PictureReady, Want
from firmware_bridge.rolls import NOT_THROWN, TrayIdentity, is_later, is_newer

LARGEST: Final = 2_000_000
"""Bytes of the largest picture that is taken; one of a camera board has a tenth of it."""

PATIENCE: Final = 0.1
"""Seconds without a chunk after which what is missing is asked for again."""

DOUBLINGS: Final = 5
"""Most doublings of that time while nothing comes: from 0.1 s to 3.2 s."""

IN_VAIN: Final = 8
"""Unanswered requests after which people are informed (12.7 s); requests go on."""

TRIES: Final = 3
"""How often a picture is fetched whose bytes are not those that the tray counted."""

MOST_REPLACED: Final = 8
"""Pictures in a row replaced before they arrived after which it is reported: nobody throws so fast."""


@dataclass(frozen=True, slots=True)
class TrayPicture:
    """A picture of dice at rest. `data` is a JPEG file, empty where none could be had; `found`: nobody saw them thrown.

    `reading_id` names the reading of its dice for ever, as that of a tray with tags does. `restless`: there is none
    because the tray announced another one each time before it had come. `at` is the host's time when it was announced.
    """

    reading_id: str
    data: bytes
    found: bool = False
    restless: bool = False
    at: float = field(default=0.0, compare=False)


class PictureBook:
    """The newest picture of one boot of a tray: what of it has come, and what to ask for.

    `met_at` is the tray's uptime in milliseconds when the host first heard of it, as for `RollBook`.
    """

    def __init__(self, identity: TrayIdentity, met_at: int = 0) -> None:
        self._identity = identity
        self._met_at = met_at
        self._now: PictureReady | None = None
        self._bytes = bytearray()
        self._gaps: list[tuple[int, int]] = []
        self._asked_to = 0
        self._asked = 0
        self._spoilt = 0
        self._replaced = 0
        self._announced_at = 0.0
        self.ask_at: float | None = None
        """When to ask again; None while nothing is missing."""

    @property
    def missing(self) -> int:
        """Bytes that have not come yet."""
        return sum(end - start for start, end in self._gaps)

    def announced(self, picture: PictureReady, now: float) -> tuple[list[Message], TrayPicture | None]:
        """Handle PICTURE: returns the answer, and the result if there is nothing to fetch."""
        before = self._now
        if before is not None and (before == picture or is_newer(before.event, picture.event)):
            if not self._gaps or before != picture:
                return [Acknowledge(picture.event)], None
            return self.due(now)  # the tray, or the wire to it, began anew
        unfinished = bool(self._gaps)
        self._now, self._gaps, self._bytes, self._spoilt = picture, [], bytearray(), 0
        self._announced_at = now
        self.ask_at = None
        self._replaced += unfinished
        if picture.roll == NOT_THROWN:
            return [Acknowledge(picture.event)], None
        if not 0 < picture.size <= LARGEST:
            return [Acknowledge(picture.event)], self._given(picture, b"")
        told = self._given(picture, b"", restless=True) if unfinished and self._replaced == MOST_REPLACED else None
        return [self._begin(picture, now)], told

    def came(self, chunk: Chunk, now: float) -> tuple[list[Message], TrayPicture | None]:
        """Handle CHUNK: returns the answer, and the picture if it is complete."""
        picture = self._now
        end = chunk.offset + len(chunk.data)
        if picture is None or chunk.event != picture.event or end > picture.size or not self._gaps:
            return [], None
        self._bytes[chunk.offset : end] = chunk.data
        self._gaps = [
            gap
            for start, stop in self._gaps
            for gap in ((start, min(stop, chunk.offset)), (max(start, end), stop))
            if gap[0] < gap[1]
        ]
        self._asked, self.ask_at = 0, now + PATIENCE
        if self._gaps:
            return ([self._want(picture, now)] if end >= self._asked_to else []), None
        if crc32(self._bytes) == picture.check:
            self._replaced = 0
            return self._done(picture, bytes(self._bytes))
        self._spoilt += 1
        if self._spoilt >= TRIES:
            return self._done(picture, b"")
        return [self._begin(picture, now)], None

    def due(self, now: float) -> tuple[list[Message], TrayPicture | None]:
        """Time has passed: ask again for what has not come. After `IN_VAIN` questions it is given out as lost, once."""
        picture = self._now
        if picture is None or self.ask_at is None or now < self.ask_at:
            return [], None
        self._asked += 1
        return [self._want(picture, now)], self._given(picture, b"") if self._asked == IN_VAIN else None

    def _begin(self, picture: PictureReady, now: float) -> Want:
        self._bytes, self._gaps, self._asked = bytearray(picture.size), [(0, picture.size)], 0
        return self._want(picture, now)

    def _want(self, picture: PictureReady, now: float) -> Want:
        start, self._asked_to = self._gaps[0]
        self.ask_at = now + PATIENCE * 2.0 ** min(self._asked, DOUBLINGS)
        return Want(picture.event, start, self._asked_to - start)

    def _done(self, picture: PictureReady, data: bytes) -> tuple[list[Message], TrayPicture]:
        self.ask_at, self._gaps, self._bytes = None, [], bytearray()
        return [Acknowledge(picture.event)], self._given(picture, data)

    def _given(self, picture: PictureReady, data: bytes, *, restless: bool = False) -> TrayPicture:
        found = picture.device_time != 0 and not is_later(picture.device_time, self._met_at)
        return TrayPicture(
            f"tray:{self._identity}:{picture.roll}:{picture.event}", data, found, restless, self._announced_at
        )
