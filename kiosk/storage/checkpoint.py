"""A shortcut for starting: the history at some decision, so that a season is not read from its first decision.

The journal alone is the truth. A checkpoint is used only if it was made by the same rules from the same journal, and is
whole; otherwise it is ignored and the journal is read from the beginning. Losing it loses nothing.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable
from dataclasses import fields, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, Final, get_type_hints

from msgspec import Raw, Struct, json

import rules
from kiosk.engine import Checkpoint, NarrationRecord
from kiosk.errors import JournalError
from kiosk.ports import Journal
from kiosk.storage.replacing import open_file, replace_file
from kiosk.storage.wire import decode_kept, encode_kept, event_json
from rules.game import DecidedStep, History, LastThrow, Narration, Table

log = logging.getLogger(__name__)

FILE_NAME: Final = "checkpoint.json"
"""The file in the data folder."""

_Step = tuple[int, str, int, int, str, str]
"""A step with the places of its tables in the list of tables."""


class _Stored(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The line after the one with the checksum. A line for each table follows: see `_lines_of`."""

    made_by: str
    made_from: str
    sequence: int
    decision: int
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
        """The checkpoint if it is reliable; otherwise None, without complaint."""
        try:
            with open_file(self._path) as file:
                checksum = file.readline()
                begins = file.tell()
                if checksum != hashlib.file_digest(file, "sha256").hexdigest().encode() + b"\n":
                    return None
                file.seek(begins)
                stored = decode_kept(file.readline(), _Stored)
                if stored.made_by != fingerprint() or stored.made_from != _anchor(journal, stored.sequence):
                    return None
                return _restored(stored, _tables_of(file))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, LookupError, JournalError) as error:
            log.info("The checkpoint cannot be used (%s); the journal is read from the beginning.", error)
            return None

    def save(self, checkpoint: Checkpoint, journal: Journal) -> None:
        """Keep `checkpoint` in place of the one before, whole or not at all. A failure is only logged."""
        try:
            stored, tables = _stored(checkpoint, _anchor(journal, checkpoint.sequence))
            body = b"\n".join((encode_kept(stored), *_lines_of(tables), b""))
            replace_file(self._path, hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
        except (OSError, IndexError, JournalError) as error:
            log.info("No checkpoint could be kept (%s); the next start takes a little longer.", error)


@cache
def fingerprint() -> str:
    """A fingerprint of the running rules: changed rules may fold the same events to another table."""
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


def _lines_of(tables: Iterable[Table]) -> list[bytes]:
    """The difference of each table from the one before, of the first from a new one, as JSON by field.

    One decision changes little, and steps that can be taken back are many: whole, they would take several times as much
    on the disk, and in memory once they are read, because then none would share anything with another.
    """
    before, lines = Table(), []
    for one in tables:
        changed = {name: getattr(one, name) for name in _kinds() if getattr(one, name) is not getattr(before, name)}
        lines.append(encode_kept(changed))
        before = one
    return lines


def _tables_of(lines: IO[bytes]) -> list[Table]:
    """The tables that `_lines_of` wrote, sharing what they have in common. Raises `ValueError`."""
    table, tables = Table(), []
    for line in lines:
        changed = json.decode(line, type=dict[str, Raw])
        table = replace(table, **{name: decode_kept(bytes(raw), _kinds()[name]) for name, raw in changed.items()})
        tables.append(table)
    return tables


@cache
def _kinds() -> dict[str, Any]:
    """The type of each field of a table."""
    hints = get_type_hints(Table)
    return {one.name: hints[one.name] for one in fields(Table)}


def _stored(checkpoint: Checkpoint, made_from: str) -> tuple[_Stored, list[Table]]:
    """The stored form, and the tables to which its numbers refer. Shared tables are stored once."""
    history = checkpoint.history
    places: dict[int, int] = {}
    tables: list[Table] = []

    def place(table: Table) -> int:
        if id(table) not in places:
            places[id(table)] = len(tables)
            tables.append(table)
        return places[id(table)]

    def steps(given: Iterable[DecidedStep]) -> tuple[_Step, ...]:
        return tuple(
            (one.number, one.command, place(one.before), place(one.after), one.person, one.by) for one in given
        )

    said = checkpoint.said
    done, undone, present = steps(history.done), steps(history.undone), place(history.present)
    stored = _Stored(
        made_by=fingerprint(),
        made_from=made_from,
        sequence=checkpoint.sequence,
        decision=checkpoint.decision,
        present=present,
        done=done,
        undone=undone,
        next_decision=history.next_decision,
        readings=history.readings,
        last_throw=history.last_throw,
        said=None if said is None else (said.narration_id, said.narration),
    )
    return stored, tables


def _restored(stored: _Stored, tables: list[Table]) -> Checkpoint:
    def steps(given: Iterable[_Step]) -> tuple[DecidedStep, ...]:
        return tuple(
            DecidedStep(
                number=number, command=command, before=tables[before], after=tables[after], person=person, by=by
            )
            for number, command, before, after, person, by in given
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
