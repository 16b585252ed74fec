"""What a damage of the journal's write-ahead log hides: SQLite reads up to the garbage and ignores all behind it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from kiosk.ports import LeftOut
from kiosk.storage.journal import FileJournal
from kiosk.storage.journal_names import wal_of
from kiosk.storage.replacing import open_file
from kiosk.storage.salvage import Behind, behind, frames_taken
from kiosk.storage.second_copy import SecondCopy
from kiosk.storage.whole_decisions import follows

LARGEST_WAL: Final = 1 << 26
"""Bytes of a write-ahead log at most that is held in memory while the journal is opened: it has 4 MB as a rule."""


def first_checksum(journal: FileJournal) -> str:
    """The checksum of a journal's first decision: by it one table is told from another. Raises `JournalError`."""
    return next((rows[0][-1] or "" for _, rows in journal.members(0)), "")


def reached_by(told: tuple[int, str], journal: FileJournal) -> int:
    """The last decision of this journal's table by its mark: see `Mark.told`. An empty journal may be any table's.

    Raises `JournalError`.
    """
    decision, first = told
    return decision if not journal.decision or first == first_checksum(journal) else 0


def behind_the_log(path: Path, wal: bytes, journal: FileJournal, second: SecondCopy, reached: int = 0) -> Behind | None:
    """What a damage of `wal`, the write-ahead log before the open `journal` was, hides of both files; None if nothing.

    The last transaction of a pulled plug, which nobody was shown, is no damage, nor is what an earlier log left. They
    cost the frames that SQLite passes over; the second copy is read where more is seen there. `reached` is the last
    decision that was shown, as far as it is known: see `reached_by`. Raises `OSError`.
    """
    if not wal:
        return None
    last = journal.decision
    found = behind(path, wal, frames_taken(path) if last else 0, last)
    more = any(one.number > last + 1 for one in found.later)  # each is on the disk before the next one begins
    if reached > last and (lost := _not_in(second, range(last + 1, reached + 1))):
        seen = {one.number: one for one in found.later}
        later = {one: seen.get(one, LeftOut(one, "")) for one in lost} | seen
        return replace(found, later=tuple(later[one] for one in sorted(later)))
    if not more and not found.garbled:
        return None
    end = second.end()
    reaches = end is not None and end[0] >= last > 0
    if found.garbled and not reaches and (found.unsure or found.later):
        return found
    return found if more and _lacks(second, found.later, last) else None


def _lacks(second: SecondCopy, later: Iterable[LeftOut], last: int) -> bool:
    """Whether it has no whole line of one of the decisions after the journal's last one, but for what came last."""
    lines = _whole_lines(second)
    last = max(last, *lines, 0)
    return any(one.number not in lines and one.number != last + 1 for one in later)


def _not_in(second: SecondCopy, decisions: Iterable[int]) -> list[int]:
    """Which of these have no whole line."""
    lines = _whole_lines(second)
    return [one for one in decisions if one not in lines]


def _whole_lines(second: SecondCopy) -> set[int]:
    """The decisions that have a whole line."""
    lines, before = set[int](), ""
    for rows in second.decisions():
        if follows(rows, before):
            lines.add(rows[0][1])
        before = rows[0][-1] or ""
    return lines


def read_wal(path: Path) -> bytes:
    """The write-ahead log of the journal as a power cut left it.

    SQLite deletes it with the pages that it does not understand, and they may hold decisions.
    """
    with suppress(OSError):
        if 0 < wal_of(path).stat().st_size <= LARGEST_WAL:
            with open_file(wal_of(path)) as file:
                return file.read()
    return b""
