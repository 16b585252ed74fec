"""A decision as the rows of the journal, and the checksum that chains it to the decision before."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby, pairwise

import msgspec

from kiosk.errors import JournalError, WireError
from kiosk.storage.wire import event_of, kept_event
from rules.game import EVENTS, Decision

Row = tuple[int, int, int, str, str, str, float, str | None, str, str | None]
"""The columns of one event, in the order of `SCHEMA`."""


def checksum_of(before: str, rows: Iterable[Row]) -> str:
    """The checksum of a decision's rows, chained to that of the decision before, empty for the first.

    The algorithm must never change: it is compared with checksums in journals.
    """
    told = [
        f"{sequence} {decision} {position} {time!r} {by!a} {command!a} {idempotency!a} {person!a} {event}\n"
        for sequence, decision, position, by, command, event, time, idempotency, person, _ in rows
    ]
    return hashlib.sha256("".join((before, "\n", *told)).encode(errors="surrogatepass")).hexdigest()


def rows_of(decision: Decision, sequence: int, before: str, time: float, key: str | None) -> list[Row]:
    """The rows of a decision that follows that sequence and checksum."""
    rows: list[Row] = [
        (
            sequence + position + 1,
            decision.number,
            position,
            decision.by,
            decision.command,
            kept_event(event),
            time,
            key if position == 0 else None,
            decision.person,
            None,
        )
        for position, event in enumerate(decision.events)
    ]
    rows[0] = (*rows[0][:-1], checksum_of(before, rows))
    return rows


def kept_checksum(rows: Sequence[Row]) -> str:
    """The checksum of a decision with these rows as the file has it: that of the first; empty where it has none."""
    return rows[0][-1] or ""


def begun_among(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Rows of one number, split where a decision begins among them: a wrong number may be the next one's."""
    starts = [at for at, row in enumerate(rows) if at == 0 or row[2] == 0]
    return (rows[one:other] for one, other in pairwise((*starts, len(rows))))


def is_event(text: str) -> bool:
    """Whether a text has the form of an event of some version."""
    try:
        found = msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return False
    return "\ufffd" not in text and isinstance(found, dict) and isinstance(found.get("event"), str)


def is_misspelt(text: str) -> bool:
    """Whether an event is one of this version with one wrong character in its name: no later version has such names."""
    name = msgspec.json.decode(text)["event"]
    for one in EVENTS:
        if len(one) == len(name) and sum(a != b for a, b in zip(one, name, strict=True)) == 1:
            with suppress(WireError):
                event_of(text.replace(f'"{name}"', f'"{one}"', 1))
                return True
    return False


def of_a_later_version(number: int, error: WireError) -> JournalError:
    """The message if a decision has an event that this version does not know."""
    return JournalError(f"Decision {number} of the journal cannot be read: {error} Install the version that wrote it.")


def by_decision(rows: Iterable[Row]) -> Iterator[tuple[int, list[Row]]]:
    """Adjacent rows of one decision together, with its number."""
    return ((number, list(members)) for number, members in groupby(rows, key=lambda row: row[1]))
