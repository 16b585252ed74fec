"""A shortcut for starting: the history as it was at some decision, so that a season need not be read from its first.

The journal alone is the truth. A checkpoint is used only when it was made by these very rules, from this very journal,
and is whole; otherwise it is passed over and the journal is read from the beginning. Losing it loses nothing.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

from msgspec import Struct

import rules
from kiosk.engine import Checkpoint, NarrationRecord
from kiosk.errors import JournalError
from kiosk.ports import Journal
from kiosk.storage.replacing import replace_file
from kiosk.storage.wire import decode_kept, encode_kept, event_json
from rules.game import DecidedStep, History, LastThrow, Narration, Table

log = logging.getLogger(__name__)

FILE_NAME: Final = "checkpoint.json"
"""The file in the data folder."""

_Step = tuple[int, str, int, int, str]
"""A step with the places of its tables in the list of tables."""


class _Stored(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the file holds after the line with its checksum. Tables that steps share are kept once."""

    made_by: str
    made_from: str
    sequence: int
    decision: int
    tables: tuple[Table, ...]
    present: int
    done: tuple[_Step, ...]
    undone: tuple[_Step, ...]
    next_decision: int
    readings: tuple[str, ...]
    last_throw: LastThrow | None
    said: tuple[str, Narration] | None


class CheckpointFile:
    """The checkpoint kept at `path`; see `engine.Checkpoints`."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self, journal: Journal) -> Checkpoint | None:
        """The checkpoint, where it can be relied on; None otherwise, without complaint."""
        try:
            checksum, _, body = self._path.read_bytes().partition(b"\n")
            if checksum != _digest(body):
                return None
            stored = decode_kept(body, _Stored)
            if stored.made_by != fingerprint() or stored.made_from != _anchor(journal, stored.sequence):
                return None
            return _restored(stored)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, IndexError, JournalError) as error:
            log.info("The checkpoint cannot be used (%s); the journal is read from the beginning.", error)
            return None

    def save(self, checkpoint: Checkpoint, journal: Journal) -> None:
        """Keep `checkpoint` in place of the one before, whole or not at all. A failure is only logged."""
        try:
            body = encode_kept(_stored(checkpoint, _anchor(journal, checkpoint.sequence)))
            replace_file(self._path, _digest(body) + b"\n" + body)
        except (OSError, IndexError, JournalError) as error:
            log.info("No checkpoint could be kept (%s); the next start takes a little longer.", error)


@cache
def fingerprint() -> str:
    """Names the rules that are running: another line of them may fold the same events to another table."""
    folder = Path(rules.__file__).parent
    digest = hashlib.sha256(version("trueroll").encode())
    for path in sorted(folder.rglob("*.py")):
        digest.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _anchor(journal: Journal, sequence: int) -> str:
    """Names the journal by its entry at `sequence`; raises `IndexError` where it has none."""
    entry = journal.entries(after=sequence - 1, limit=1)[0]
    told = f"{entry.sequence} {entry.decision} {entry.by} {entry.time!r} "
    return hashlib.sha256(told.encode() + event_json(entry.event)).hexdigest()


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()


def _stored(checkpoint: Checkpoint, made_from: str) -> _Stored:
    history = checkpoint.history
    places: dict[int, int] = {}
    tables: list[Table] = []

    def place(table: Table) -> int:
        if id(table) not in places:
            places[id(table)] = len(tables)
            tables.append(table)
        return places[id(table)]

    def steps(given: Iterable[DecidedStep]) -> tuple[_Step, ...]:
        return tuple((one.number, one.command, place(one.before), place(one.after), one.person) for one in given)

    said = checkpoint.said
    done, undone, present = steps(history.done), steps(history.undone), place(history.present)
    return _Stored(
        made_by=fingerprint(),
        made_from=made_from,
        sequence=checkpoint.sequence,
        decision=checkpoint.decision,
        tables=tuple(tables),
        present=present,
        done=done,
        undone=undone,
        next_decision=history.next_decision,
        readings=history.readings,
        last_throw=history.last_throw,
        said=None if said is None else (said.narration_id, said.narration),
    )


def _restored(stored: _Stored) -> Checkpoint:
    tables = stored.tables

    def steps(given: Iterable[_Step]) -> tuple[DecidedStep, ...]:
        return tuple(
            DecidedStep(number=number, command=command, before=tables[before], after=tables[after], person=person)
            for number, command, before, after, person in given
        )

    history = History(
        present=tables[stored.present],
        done=steps(stored.done),
        undone=steps(stored.undone),
        next_decision=stored.next_decision,
        readings=stored.readings,
        last_throw=stored.last_throw,
    )
    said = None if stored.said is None else NarrationRecord(*stored.said)
    return Checkpoint(stored.sequence, stored.decision, history, said)
