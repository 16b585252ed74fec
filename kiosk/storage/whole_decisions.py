"""Which decisions are whole, where several files have them and each may be damaged.

Enters: the rows of each file's decisions, in order. Leaves: each decision once, as the file has it that has it whole. A
decision is whole where its checksum follows that of the one before.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from heapq import merge
from itertools import groupby
from pathlib import Path

from kiosk.errors import JournalError, WireError
from kiosk.storage.journal import PAGE, FileJournal
from kiosk.storage.rows import Row, checksum_of
from kiosk.storage.salvage import IS_CHECKSUM, Salvage
from kiosk.storage.wire import event_of

log = logging.getLogger(__name__)

Rows = list[Row]
"""The rows of one decision, the first with its checksum."""


def paired(first: Iterable[Rows], other: Iterable[Rows]) -> Iterator[tuple[Rows | None, Rows | None]]:
    """The decisions of both in order, each with the rows of either."""
    ones, others = iter(first), iter(other)
    one, two = next(ones, None), next(others, None)
    while one is not None or two is not None:
        if two is None or (one is not None and one[0][1] < two[0][1]):
            yield one, None
            one = next(ones, None)
        elif one is None or two[0][1] < one[0][1]:
            yield None, two
            two = next(others, None)
        else:
            yield one, two
            one, two = next(ones, None), next(others, None)


def _together(sources: Sequence[Iterable[Rows]]) -> Iterator[list[tuple[int, Rows]]]:
    """The decisions of all sources in order: what each of them has under one number, with the source's place."""

    def numbered(place: int, source: Iterable[Rows]) -> Iterator[tuple[int, Rows]]:
        return ((place, rows) for rows in source)

    merged = merge(*(numbered(*one) for one in enumerate(sources)), key=lambda one: (one[1][0][1], one[0]))
    return (list(members) for _, members in groupby(merged, key=lambda one: one[1][0][1]))


def salvaged(sources: Sequence[Iterable[Rows]], checksums: Collection[str] = ()) -> Iterator[Rows]:
    """Each decision that is whole in one of the files of one table, of which any part may be lost in each.

    A decision is whole where its checksum follows that of the one before, as any file has it. Where the one before is
    lost, each of the `checksums` that are left of lost ones is tried. Where none of them fits, nothing tells whether
    the decision is whole: it is taken as it can be read, rather as more files have it. One that a salvaged file alone
    has between two gaps is not taken where it may go on in the second. One that is whole nowhere is taken as the first
    source has it, or is missing. Of two courses of one table the first one's is taken.
    """
    known, other = {""}, set[str]()
    sequence = number = 0
    loose = False
    held: Rows | None = None
    proven, alone = "", False
    for found in _together(sources):
        strays = [rows for _, rows in found if _follows_any(rows, other) and not _follows_any(rows, known)]
        candidates = [rows for _, rows in found if rows not in strays]
        chained = [one for one in candidates if _follows_any(one, known)]
        skips = [one for one in candidates if one[0][1] > number + 1 and one[0][0] > sequence + 1]
        chained = chained or [one for one in skips if _follows_any(one, checksums)]
        rows = chained[0] if chained else None
        if rows is None and (skips or loose):
            fit = [one for one in (candidates if loose else skips) if _seems_whole(one)]
            rows = max(fit, key=candidates.count, default=None)
            loose = rows is not None
        elif rows is not None:
            loose = False
        rows = rows or next((one for place, one in found if place == 0 and one in candidates), None)
        stored = {one[0][-1] or "" for one in candidates}
        other = {one[0][-1] or "" for one in strays}
        before = known
        if chained:
            known = {chained[0][0][-1] or ""}
            other |= stored - known
        elif candidates:
            known = stored | {checksum_of(one, rows) for rows in candidates for one in before}
        if rows is None or rows[0][0] <= sequence:
            continue
        joins = held is not None and (_has_no_more(held, rows) or follows(rows, held[0][-1] or ""))
        if held is not None and (joins or not alone):
            # only the checksum of the one before was damaged where this one was chained to what it says
            yield with_checksum(held, proven) if proven and follows(rows, proven) else held
        after = checksum_of(held[0][-1] or "", rows) if held is not None else checksum_of("", rows)
        held, proven = rows, "" if chained else after
        alone = not chained and (0, rows) not in found
        sequence, number = rows[-1][0], rows[0][1]
    if held is not None:
        yield held


def _has_no_more(rows: Rows, following: Rows) -> bool:
    """Whether as many rows are missing between two decisions as decisions are: each has one at least."""
    return following[0][0] - rows[-1][0] == following[0][1] - rows[0][1]


def with_checksum(rows: Rows, checksum: str) -> Rows:
    """The rows of a decision with another checksum."""
    return [(*rows[0][:-1], checksum), *rows[1:]]


def _follows_any(rows: Rows, before: Iterable[str]) -> bool:
    return any(follows(rows, one) for one in before)


def _seems_whole(rows: Rows) -> bool:
    """Whether nothing but its checksum could tell that these rows are not a whole decision."""
    places = [(row[0] - rows[0][0], row[2]) for row in rows]
    garbled = any("\ufffd" in one for row in rows for one in row if isinstance(one, str))
    has_checksum = IS_CHECKSUM.fullmatch(rows[0][-1] or "") is not None
    return has_checksum and not garbled and places == [(at, at) for at in range(len(rows))] and can_be_read(rows)


def chosen(first: Iterable[Rows], other: Iterable[Rows]) -> Iterator[Rows]:
    """Each decision from the file that has it whole: from `first`, or from `other`.

    A decision that neither has whole is taken from `first`, or is missing: the journal continues with that. Rows of
    `first` whose number is none, so that they stand where others do, are left out. Where others are missing before one,
    no checksum tells which file has it whole: it is as `other` has it where `first` has it so that it is no event.
    """
    before = own = ""
    sequence = number = 0
    for one, two in paired(first, other):
        rows = one
        if two and (one is None or not (follows(one, before) or follows(one, own))):
            gap = two[0][0] > sequence + 1 and two[0][1] > number + 1
            if follows(two, before) or (one is not None and gap and _is_better(two, one)):
                rows = two
        if one is not None:
            own = one[0][-1] or ""
        if rows is not None and rows[0][0] > sequence:
            before, sequence, number = rows[0][-1] or "", rows[-1][0], rows[0][1]
            yield rows


def _is_better(rows: Rows, than: Rows) -> bool:
    """Whether `rows` are readable and the others, with the same checksum, are not."""
    return rows != than and rows[0][-1] == than[0][-1] and can_be_read(rows) and not can_be_read(than)


def can_be_read(rows: Rows) -> bool:
    """Whether this version knows each of these events."""
    try:
        for row in rows:
            event_of(row[5])
    except WireError:
        return False
    return True


def follows(rows: Rows, before: str) -> bool:
    """Whether these rows are whole, and come after the decision with that checksum."""
    return checksum_of(before, rows) == rows[0][-1]


def readable(journal: FileJournal, at_once: int = PAGE) -> Iterator[Rows]:
    """The readable decisions of a journal, in order, of which so many rows are read together."""

    def found() -> Iterator[Rows]:
        try:
            for _, rows in journal.members(0, at_once):
                yield rows
        except JournalError:
            log.info("Nothing more can be read in the damaged journal.")

    return rising(found())


def rising(decisions: Iterable[Rows]) -> Iterator[Rows]:
    """These decisions without any whose number is out of order, as after a flipped bit.

    Under its wrong number it would hide that the other file has it whole.
    """
    last = 0
    held: Rows | None = None
    for rows in decisions:
        number = rows[0][1]
        if held is not None and held[0][1] < number:
            last = held[0][1]
            yield held
            held = None
        if number > last:
            held = rows
    if held is not None:
        yield held


def share_a_decision(first: Iterable[Rows], other: Iterable[Rows]) -> bool:
    """Whether both are of one table: some decision has the same checksum in both."""
    return any(one and two and one[0][-1] == two[0][-1] for one, two in paired(first, other))


def whole_in(path: Path) -> list[int]:
    """The decisions of a damaged journal that a start would take from it. Raises `OSError`.

    As there, one behind a gap counts as it can be read.
    """
    whole, before, last = [], "", 0
    with Salvage(path) as found:
        for rows in salvaged([rising(found.decisions(one)) for one in range(found.variants)]):
            if follows(rows, before) or rows[0][1] > last + 1:
                whole.append(rows[0][1])
            before, last = rows[0][-1] or "", rows[0][1]
    return whole
