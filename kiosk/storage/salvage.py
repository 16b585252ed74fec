"""The rows of a damaged journal, found without SQLite, which reads nothing behind the first page that it cannot use.

Pages and cells are read as https://www.sqlite.org/fileformat.html tells. A row is found by the form of its record
wherever it lies, so that neither a broken tree nor a broken head of a page hides it. What is found may be a remnant of
a row that was deleted, or altered: the checksums of the decisions tell.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby
from pathlib import Path
from struct import unpack, unpack_from
from types import TracebackType
from typing import BinaryIO, Final, Self

from kiosk.ports import LeftOut
from kiosk.storage.journal_names import wal_of
from kiosk.storage.replacing import open_file
from kiosk.storage.rows import Row

_HEAD: Final = re.compile(rb"(?=[\x0b-\x14]\x00[\x01-\x06\x08\x09][\x01-\x06\x08\x09])", re.DOTALL)
"""The beginning of a row's record: its header's length, the empty `sequence`, and two whole numbers."""

MAGIC: Final = b"SQLite format 3\0"
"""The first bytes of a database."""
PAGE_SIZE: Final = 4096
"""Bytes of a page, where the head of the file does not tell."""
WAL_HEAD: Final = 32
"""Bytes of the head of a write-ahead log."""
FRAME_HEAD: Final = 24
"""Bytes before each page in a write-ahead log."""
WAL_MAGIC: Final = 0x377F0682
"""The first bytes of a write-ahead log; one more where its checksums are of big-endian words."""
LARGEST_PAGE: Final = 1 << 24
"""The number of a page at most, and how many there are: of a journal of 64 GB."""
IS_CHECKSUM: Final = re.compile(r"[0-9a-f]{64}")
"""The form of a checksum."""
GENERATIONS: Final = 1 << 16
"""Times that a write-ahead log began anew of which frames may be left: each time the first salt is one more.

Not where its head was lost: then the salts are drawn anew.
"""
LARGEST_ROW: Final = 1 << 24
"""Bytes of a row at most; a damaged length may be any."""
VARIANTS: Final = 4
"""Different rows with one number that are remembered."""
INTEGERS: Final = (0, 1, 2, 3, 4, 6, 8)
"""Bytes of the values of the types 0 to 6."""
REAL, ZERO, ONE, TEXT = 7, 8, 9, 13
"""The types of a real number, of 0 and 1, and of the shortest text."""

_Place = tuple[bool, int, int, int]
"""Whether it lies in the write-ahead log, the page's offset there, the record's in the page, and the row's number."""


class Salvage:
    """What can be read of the journal at `path`, with its write-ahead log. Raises `OSError` where it cannot be opened.

    `wal` is that write-ahead log as it was, where another is there by now. `alone` are places of pages in it: only
    these are searched then. Pages that the disk does not give are passed over. Keep it open while its decisions are
    read.
    """

    def __init__(self, path: Path, wal: bytes | None = None, alone: Sequence[int] | None = None) -> None:
        self._opened = ExitStack()
        self._file: BinaryIO = self._opened.enter_context(open_file(path))
        self._wal: BinaryIO | None = None
        try:
            if wal is not None:
                self._wal = self._opened.enter_context(BytesIO(wal))
            elif wal_of(path).is_file():
                self._wal = self._opened.enter_context(open_file(wal_of(path)))
            self._size, self._usable = self._page_sizes()
            self._frames = self._newest_frames()
            self._places = self._found(alone)
        except BaseException:
            self._opened.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opened.close()

    @property
    def variants(self) -> int:
        """How many different rows there are at most with one number."""
        return max(map(len, self._places.values()), default=0)

    def decisions(self, variant: int = 0) -> Iterator[list[Row]]:
        """The decisions by the numbers of their rows, each number's row in that variant, or in its last."""
        rows = (
            row
            for sequence in sorted(self._places)
            if (row := self._row(self._places[sequence][min(variant, len(self._places[sequence]) - 1)])) is not None
        )
        for _, members in groupby(rows, key=lambda row: row[1]):
            yield list(members)

    def _page_sizes(self) -> tuple[int, int]:
        """Bytes of a page, and those of them that hold content."""
        head = _read(self._file, 0, 100)
        size = int.from_bytes(head[16:18], "big") if head.startswith(MAGIC) else 0
        size = 65536 if size == 1 else size
        known = size.bit_count() == 1 and size >= 512  # noqa: PLR2004 - the smallest page
        return (size, size - head[20]) if known else (PAGE_SIZE, PAGE_SIZE)

    def _newest_frames(self) -> dict[int, int]:
        """Where in the write-ahead log each page lies that is there, the last time."""
        return {int.from_bytes(_read(self._wal, at - FRAME_HEAD, 4), "big"): at for at in self._frame_places()}

    def _frame_places(self) -> Sequence[int]:
        if self._wal is None:
            return ()
        return range(WAL_HEAD + FRAME_HEAD, self._wal.seek(0, 2), self._size + FRAME_HEAD)

    def _found(self, alone: Sequence[int] | None) -> dict[int, list[_Place]]:
        """The places of each row."""
        places = [(True, at) for at in reversed(self._frame_places() if alone is None else alone)]
        if alone is None:
            places += [(False, at) for at in range(0, self._file.seek(0, 2), self._size)]
        kept: dict[int, set[int]] = {}
        rows: dict[int, list[_Place]] = {}
        for in_wal, at in places:
            page = self._page(in_wal, at)
            for hit in _HEAD.finditer(page):
                for sequence in _numbers(page, hit.start()):
                    place = in_wal, at, hit.start(), sequence
                    row = self._row(place, page)
                    known = kept.setdefault(sequence, set())
                    if row is None or hash(row) in known or len(known) == VARIANTS:
                        continue
                    known.add(hash(row))
                    rows.setdefault(sequence, []).append(place)
        return rows

    def _page(self, in_wal: bool, at: int) -> bytes:  # noqa: FBT001 - half of a place
        return _read(self._wal if in_wal else self._file, at, self._size)

    def _row(self, place: _Place, page: bytes | None = None) -> Row | None:
        """The row at that place; None where it is none of a journal."""
        in_wal, at, start, sequence = place
        page = self._page(in_wal, at) if page is None else page
        header = _types(page, start)
        if header is None:
            return None
        types, length = header
        total = length + sum(map(_bytes_of, types))
        record = self._record(page, start, total)
        if len(record) < total:
            return None
        values: list[object] = []
        at = length
        for one in types:
            values.append(_value(one, record[at : at + _bytes_of(one)]))
            at += _bytes_of(one)
        return _as_row(sequence, values)

    def _record(self, page: bytes, start: int, total: int) -> bytes:
        """All bytes of a record, of which a long one goes on in other pages."""
        longest = self._usable - 35
        if total <= longest:
            return page[start : start + total]
        least = (self._usable - 12) * 32 // 255 - 23
        local = least + (total - least) % (self._usable - 4)
        local = local if local <= longest else least
        parts = [page[start : start + local]]
        following, left = page[start + local : start + local + 4], total - local
        while left > 0 and (number := int.from_bytes(following, "big")):
            frame = self._frames.get(number)
            other = self._page(frame is not None, frame if frame is not None else (number - 1) * self._size)
            part = other[4 : min(self._usable, 4 + left)]
            if not part:
                break
            parts.append(part)
            following, left = other[:4], left - len(part)
        return b"".join(parts)


def frames_taken(path: Path) -> int:
    """How many frames of its write-ahead log SQLite takes, as long as a connection is open. Raises `OSError`.

    It notes that in the file that it maps into memory: https://www.sqlite.org/walformat.html, at byte 16.
    """
    with open_file(path.with_name(f"{path.name}-shm")) as file:
        return int.from_bytes(file.read(20)[16:], sys.byteorder)


@dataclass(frozen=True, slots=True)
class Behind:
    """What is in the frames of a write-ahead log behind those that SQLite takes.

    * `later`: the decisions that begin there after the journal's last one.
    * `garbled`: the log's head or a frame there is none. A pulled plug leaves what was there before, zeros, or a part.
    * `unsure`: no end of a transaction comes after that, so that nothing tells whether more came.
    """

    later: tuple[LeftOut, ...]
    garbled: bool
    unsure: bool


def behind(path: Path, wal: bytes, taken: int, last: int) -> Behind:
    """What is behind the first `taken` frames of that write-ahead log of the journal at `path`, which ends with `last`.

    Looks at nothing else, so that the log's size bounds the work. Raises `OSError`.
    """
    places, garbled, unsure = _passed_over(wal, taken)
    later = []
    if places:
        with Salvage(path, wal, places) as found:
            begun = [rows[0] for rows in found.decisions() if rows[0][1] > last and rows[0][2] == 0]
        later = [LeftOut(row[1], row[4]) for row in begun if IS_CHECKSUM.fullmatch(row[-1] or "")]
    return Behind(tuple(later), garbled, unsure)


def _passed_over(wal: bytes, taken: int) -> tuple[list[int], bool, bool]:
    """Where pages lie behind the first frames that an earlier beginning of the log did not leave; see `Behind`."""
    if len(wal) < WAL_HEAD:
        return [], False, False
    whole = _is_wal_head(wal[:WAL_HEAD])
    size = int.from_bytes(wal[8:12], "big") if whole else PAGE_SIZE
    salts = wal[16:24] if whole else b""
    places = []
    garbled = unsure = not whole and any(wal[:WAL_HEAD])
    for at in range(WAL_HEAD + taken * (size + FRAME_HEAD), len(wal) - size - FRAME_HEAD + 1, size + FRAME_HEAD):
        page, ends = unpack_from(">2I", wal, at)
        own = wal[at + 8 : at + 16]
        if max(page, ends) > LARGEST_PAGE:
            garbled = unsure = True
        elif page and not (whole and _is_older(own, salts)):
            places.append(at + FRAME_HEAD)
            salts = salts or own  # where the head is lost
            unsure = unsure and not (ends and own == salts)
    return places, garbled, unsure


def _is_wal_head(head: bytes) -> bool:
    """Whether these bytes are the head of a write-ahead log: https://www.sqlite.org/fileformat.html#walformat."""
    if int.from_bytes(head[:4], "big") & ~1 != WAL_MAGIC:
        return False
    one = other = 0
    words = unpack_from(">6I" if head[3] & 1 else "<6I", head)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + other) & 0xFFFFFFFF
        other = (other + second + one) & 0xFFFFFFFF
    return (one, other) == unpack_from(">2I", head, 24)


def _is_older(own: bytes, salts: bytes) -> bool:
    """Whether a frame with its `own` salts was left before the log began anew with these."""
    return 0 < (int.from_bytes(salts[:4], "big") - int.from_bytes(own[:4], "big")) % (1 << 32) <= GENERATIONS


def _read(file: BinaryIO | None, at: int, many: int) -> bytes:
    if file is not None:
        with suppress(OSError):  # what a dying card does not give
            file.seek(at)
            return file.read(many)
    return b""


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where it ends. Raises `IndexError`."""
    value = 0
    for place in range(at, at + 8):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:  # noqa: PLR2004 - the bit that says that it goes on
            return value, place + 1
    return value << 8 | data[at + 8], at + 9


def _encoded(value: int) -> bytes:
    parts = [value & 0x7F]
    while value := value >> 7:
        parts.append(value & 0x7F | 0x80)
    return bytes(reversed(parts))


def _types(page: bytes, start: int) -> tuple[list[int], int] | None:
    """The types of a record's values, and the bytes before these; None where it is no row of a journal."""
    try:
        length, at = _varint(page, start)
        types = []
        while at < start + length:
            one, at = _varint(page, at)
            types.append(one)
    except IndexError:
        return None
    fits = at == start + length and len(types) == len(Row.__args__)  # type: ignore[attr-defined]  # a tuple's
    return (types, length) if fits and sum(map(_bytes_of, types)) <= LARGEST_ROW else None


def _numbers(page: bytes, start: int) -> Iterator[int]:
    """The number of the row whose record begins there: a row is the record's length, its number, and the record."""
    header = _types(page, start)
    if header is None:
        return
    told = _encoded(header[1] + sum(map(_bytes_of, header[0])))
    for length in range(1, 10):
        begins = start - length - len(told)
        if begins >= 0 and page[begins : begins + len(told)] == told:
            value, end = _varint(page, start - length)
            if end == start and 0 < value < 1 << 63:
                yield value


def _bytes_of(kind: int) -> int:
    if kind >= TEXT - 1:
        return (kind - TEXT + 1) // 2
    return 0 if kind in {ZERO, ONE} else INTEGERS[kind] if kind < REAL else 8


def _value(kind: int, content: bytes) -> object:
    if kind == 0:
        return None
    if kind in {ZERO, ONE}:
        return kind - ZERO
    if kind < REAL:
        return int.from_bytes(content, "big", signed=True)
    if kind == REAL:
        return unpack(">d", content)[0]
    return content.decode(errors="replace") if kind % 2 else content


def _as_row(sequence: int, values: Sequence[object]) -> Row | None:
    """The values as a row of the journal; None where they are of other kinds."""
    _, decision, position, by, command, event, time, idempotency, person, checksum = values
    if not isinstance(decision, int) or not isinstance(position, int) or not isinstance(time, int | float):
        return None
    if not isinstance(by, str) or not isinstance(command, str) or not isinstance(event, str):
        return None
    if not isinstance(idempotency, str | None) or not isinstance(person, str) or not isinstance(checksum, str | None):
        return None
    return sequence, decision, position, by, command, event, float(time), idempotency, person, checksum
