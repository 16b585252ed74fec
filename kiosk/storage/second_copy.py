"""Every decision of the journal once more, a line each, in a file beside it: what a damaged journal is restored from.

SQLite tells that a page is damaged and cannot restore it. A line holds a decision's rows as the journal has them, and
the checksum that chains them to the decision before. A flipped bit damages a line here or a page there, and the other
file still has the original.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from kiosk.ports import LeftOut
from kiosk.storage.journal_file import SCHEMA_VERSION
from kiosk.storage.journal_names import looks_of
from kiosk.storage.replacing import OWNERS_ALONE, open_file, sync
from kiosk.storage.rows import Row, checksum_of
from kiosk.storage.whole_decisions import Rows, paired, rising

TAIL: Final = 1 << 16
"""Bytes at the end of the file that are read first to find the last line, doubled until it is found."""

_BEGUN: Final = re.compile(rb'\d+ [0-9a-f]{64} \[\[\d+, (\d+), 0, "(?:[^"\\]|\\.)*", "(\w+)"')
"""The beginning of a line: the number of its decision, and its subject."""

_CHECKSUM: Final = re.compile(rb"(?<![0-9a-f])([0-9a-f]{64}) ")
"""The checksum in a line of which something else is damaged."""

LONGEST_HEAD: Final = 100
"""Bytes of a line in which its checksum begins and ends."""


def second_copy_of(path: Path) -> Path:
    """Where the second copy of the journal at `path` is kept."""
    return path.with_suffix(".lines")


class SecondCopy:
    """The file of lines: `FORM CHECKSUM ROWS`, the journal's form, the decision's checksum, its rows as JSON.

    The rows are in the order of `journal.Row`, without the checksum.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._left: tuple[tuple[int, int, int], ...] | None = None
        """The file's attributes when it was last read or written."""

    def harm(self) -> str:
        """The damage done to it since it was last read or written, as the end of a sentence; empty if none."""
        looks = looks_of(self.path)
        if not looks and not self.path.exists():
            return "taken away"
        return "changed by another program" if self._left not in {None, looks} else ""

    def decisions(self) -> Iterator[Rows]:
        """Every decision with a readable line, in order; `chosen` checks whether it is unaltered.

        Raises `OSError`.
        """
        try:
            file = open_file(self.path)
        except FileNotFoundError:
            return
        with file:
            yield from rising(rows for line in file if (rows := _rows_of(line)) is not None)

    def checksums(self) -> set[str]:
        """The checksums of the lines that cannot be read. Raises `OSError`."""
        if not self.path.exists():
            return set()
        with open_file(self.path) as file:
            lost = (_CHECKSUM.search(line[:LONGEST_HEAD]) for line in file if _rows_of(line) is None)
            return {found[1].decode() for found in lost if found is not None}

    def wrong(self, decisions: Iterable[Rows], last: int) -> Iterator[int]:
        """Which of these decisions of the journal, up to that one, it has not, or otherwise; and which it alone has.

        Raises `OSError`.
        """
        for one, two in paired(decisions, self.decisions()):
            number = (one or two or [])[0][1]
            if one != two and number <= last:
                yield number

    def end(self) -> tuple[int, str] | None:
        """Number and checksum of the last decision, 0 and nothing where there is none; None where its line is damaged.

        Raises `OSError`.
        """
        if not self.path.exists():
            return 0, ""
        self._left = looks_of(self.path)
        with open_file(self.path) as file:
            size = file.seek(0, os.SEEK_END)
            length = TAIL
            while True:
                file.seek(max(0, size - length))
                lines = file.read().splitlines(keepends=True)
                if len(lines) > 2 or length >= size:  # noqa: PLR2004 - the last, and one before it that is whole
                    break
                length *= 2
        if not lines:
            return 0, ""
        rows = _rows_of(lines[-1])
        before = _rows_of(lines[-2]) if len(lines) > 1 else None
        if rows is None or (len(lines) > 1 and before is None):
            return None
        number, checksum = rows[0][1], rows[0][-1] or ""
        return (number, checksum) if checksum_of(before[0][-1] or "" if before else "", rows) == checksum else None

    def begun(self) -> LeftOut | None:
        """The decision of an incomplete last line, with its subject if readable.

        None if the file ends with a readable line: an unreadable one before it is a gap, and reported as one. Raises
        `OSError`.
        """
        if self.end() is not None:
            return None
        last = max((rows[0][1] for rows in self.decisions()), default=0)
        with open_file(self.path) as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
            lines = file.read().splitlines(keepends=True)
        rows = _rows_of(lines[-1]) if lines else None
        if rows is not None and rows[0][1] == last:
            return None
        found = _BEGUN.match(lines[-1]) if lines else None
        if found is None or int(found[1]) <= last:
            return LeftOut(last + 1, "")
        return LeftOut(int(found[1]), found[2].decode())

    def add(self, decisions: Iterable[Sequence[Row]]) -> None:
        """Add decisions, the rows of each with its checksum. Raises `OSError`; the file is as it was then."""
        # without blocking: a pipe in its place, which nobody reads, would hold up every decision
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK, OWNERS_ALONE)
        with os.fdopen(descriptor, "ab", buffering=0) as file:
            size = file.seek(0, os.SEEK_END)
            try:
                for rows in decisions:
                    line = _line_of(rows)
                    if file.write(line) != len(line):
                        raise OSError(f"{self.path} took part of a line")  # noqa: TRY301 - the next line undoes it
            except OSError:
                file.truncate(size)
                raise
            finally:
                self._left = looks_of(self.path)

    def replace(self, decisions: Iterable[Sequence[Row]]) -> None:
        """Put these decisions in the place of all. Raises `OSError`; the file is as it was then."""
        made = SecondCopy(self.path.with_name(f"{self.path.name}.new"))
        made.path.unlink(missing_ok=True)
        made.add(decisions)
        sync(made.path)
        made.path.replace(self.path)
        self._left = looks_of(self.path)
        sync(self.path.parent)


def _line_of(rows: Sequence[Row]) -> bytes:
    return f"{SCHEMA_VERSION} {rows[0][-1] or ''} {json.dumps([row[:-1] for row in rows])}\n".encode()


def _rows_of(line: bytes) -> Rows | None:
    """The rows of a decision from its line; None if the line is malformed."""
    try:
        form, checksum, told = line.decode().split(" ", 2)
        rows: Rows = [(*row, None) for row in json.loads(told)]
        fit = form == str(SCHEMA_VERSION) and line.endswith(b"\n") and rows and all(map(_is_row, rows))
    except (ValueError, TypeError):
        return None
    return [(*rows[0][:-1], checksum), *rows[1:]] if fit else None


def _is_row(row: Row) -> bool:
    return len(row) == len(Row.__args__) and isinstance(row[0], int) and isinstance(row[1], int)  # type: ignore[attr-defined]  # a tuple's
