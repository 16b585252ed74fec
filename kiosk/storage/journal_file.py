"""The journal's file: its schema, connections to it, its check at the start, and how an older form becomes this one."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from kiosk.errors import JournalError, JournalNewerError
from kiosk.storage.journal_troubles import UNWRITTEN_CODES, code_of, has_form, unusable
from kiosk.storage.migration import migrate
from kiosk.storage.replacing import sync
from kiosk.storage.rows import by_decision, checksum_of
from rules.words import say

log = logging.getLogger(__name__)

SCHEMA_VERSION: Final = 2
"""The schema version that is written: version 1 had finished sentences and no checksums."""

CACHE_KIB: Final = 256
"""What SQLite keeps of the file in memory: it is read from end to end, and what the system has of it serves as well."""

SCHEMA: Final = """
CREATE TABLE journal (
    sequence INTEGER PRIMARY KEY,
    decision INTEGER NOT NULL,
    position INTEGER NOT NULL,
    by TEXT NOT NULL,
    command TEXT NOT NULL,
    event TEXT NOT NULL,
    time REAL NOT NULL,
    idempotency TEXT,
    person TEXT NOT NULL DEFAULT '',
    checksum TEXT,
    UNIQUE (decision, position)
) STRICT;
CREATE UNIQUE INDEX journal_idempotency ON journal (idempotency) WHERE idempotency IS NOT NULL;
"""
"""The tables of a new journal of the present form."""

COLUMNS: Final = {
    1: "sequence, decision, position, by, command, event, time, idempotency, '', NULL",
    2: "sequence, decision, position, by, command, event, time, idempotency, person, checksum",
}
"""How a `Row` is read from a journal of each form."""


class DamagedFileError(Exception):
    """`quick_check` found something wrong."""


class _Connection(sqlite3.Connection):
    """A connection that raises only SQLite's errors, even if their message quotes bytes that are no text."""

    def execute(self, sql: str, parameters: tuple[Any, ...] = (), /) -> sqlite3.Cursor:  # type: ignore[override]  # by place alone
        """As usual. Raises only `sqlite3.Error`."""
        try:
            return super().execute(sql, parameters)
        except UnicodeDecodeError as error:
            garbled = sqlite3.DatabaseError("what it says of itself is garbled")
            garbled.sqlite_errorname = "SQLITE_CORRUPT"
            raise garbled from error


def text_of(kept: bytes) -> str:
    """A text from the file; invalid bytes are replaced, and the checksum reveals them."""
    return kept.decode(errors="replace")


def is_sound(path: Path) -> bool:
    """Whether SQLite finds nothing wrong with the file at `path`."""
    try:
        return looked_through(path)
    except JournalError:
        return False


def looked_through(path: Path) -> bool:
    """Whether SQLite finds nothing wrong with what it reads of that file. Raises `JournalError` where it reads none."""
    try:
        with closing(connect_read_only(path)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.Error as error:
        raise JournalError(unusable(str(error))) from error


def connect_for_reading(path: Path) -> sqlite3.Connection:
    """Connect to the journal at `path` without changing it. Raises `sqlite3.Error`.

    SQLite writes beside a journal that it reads. Where the disk does not allow that, a copy is read.
    """
    connection = connect_read_only(path)
    try:
        connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error as error:
        connection.close()
        if code_of(error) not in {"SQLITE_CANTOPEN", "SQLITE_READONLY_DIRECTORY", "SQLITE_READONLY_CANTINIT"}:
            raise
        with TemporaryDirectory(prefix="trueroll-") as room:
            copy = Path(room) / path.name
            try:
                for name in (path.name, f"{path.name}-wal"):
                    if (beside := path.with_name(name)).exists():
                        shutil.copyfile(beside, copy.with_name(name))
            except OSError:
                raise error from None
            with closing(sqlite3.connect(copy, isolation_level=None)) as whole:
                whole.execute("PRAGMA journal_mode=DELETE")  # one file, which is read after its name is gone, too
            connection = connect_read_only(copy)
            connection.execute("PRAGMA user_version").fetchone()
    return connection


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Connect to the file at `path`, of which nothing is written. Raises `sqlite3.Error`."""
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode=ro",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=2.0,
        factory=_Connection,
    )
    connection.text_factory = text_of
    return connection


def connect(path: Path) -> sqlite3.Connection:
    """Connect to the file at `path`, or to a new one that its owner alone reads. Raises `sqlite3.Error`."""
    made = not os.path.lexists(path)
    if not made and not path.is_file():  # of a pipe SQLite says that the disk fails, and it writes through a link
        error = sqlite3.OperationalError("it is no file")
        error.sqlite_errorname = "SQLITE_CANTOPEN"
        raise error
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=2.0, factory=_Connection)
    connection.text_factory = text_of
    if made:
        path.chmod(0o600)  # the table's affairs are its own
    return connection


def require_known(connection: sqlite3.Connection, path: Path) -> int:
    """The schema version of the file; 0 of an empty one. Raises `JournalNewerError` for that of a later program."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version < 0:  # none ever was: a bit flipped
        return SCHEMA_VERSION
    if version > SCHEMA_VERSION:
        raise JournalNewerError(
            say(
                "The journal {path} was written by a later version of trueroll (its form is {version}, this one knows "
                "{known}). Install that version again, or choose another folder with --data. Nothing was changed.",
                path=str(path),
                version=version,
                known=SCHEMA_VERSION,
            )
        )
    return version


def prepare(connection: sqlite3.Connection, path: Path) -> int:
    """Check the file and convert it; returns its schema version, which stays the older one on a full disk."""
    version = require_known(connection, path)
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise DamagedFileError(found)
    if not has_form(path):
        raise DamagedFileError("its head is none of a journal that can be written")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute(f"PRAGMA cache_size=-{CACHE_KIB:d}")
    if version == 0:
        connection.executescript(f"BEGIN;{SCHEMA}PRAGMA user_version={SCHEMA_VERSION};COMMIT;")
    elif version == 1:
        try:
            bring_to_form_2(connection, path)
        except sqlite3.Error as error:
            if code_of(error) not in UNWRITTEN_CODES:
                raise
            log.warning(
                "There is no room to bring the journal %s to its new form; nothing is added to it before.", path
            )
            return 1
    return SCHEMA_VERSION


def bring_to_form_2(connection: sqlite3.Connection, path: Path) -> None:
    """Convert a journal of form 1 and keep a copy of it. Raises `sqlite3.Error`; then nothing is changed."""
    copy = _keep_copy(connection, path)
    with transaction(connection):
        migrate(connection)
        decisions = _add_checksums(connection)
        connection.execute("PRAGMA user_version=2")
    log.info(
        "The journal %s was brought from form 1 to form 2 with its %d decisions. %s",
        path,
        decisions,
        f"The older one is kept as {copy}." if copy is not None else "No copy of the older one is kept.",
    )


def _keep_copy(connection: sqlite3.Connection, path: Path) -> Path | None:
    """Keep the journal in its older schema beside the file, for going back to an earlier version.

    Returns the copy, which may exist already; None if none could be made.
    """
    number, copy = 1, path.with_name(f"{path.stem}.before-2{path.suffix}")
    while copy.exists():
        if _is_copy(connection, copy):
            return copy
        number += 1
        copy = path.with_name(f"{path.stem}.before-2-{number}{path.suffix}")
    try:
        copy_to(connection, copy)
    except (OSError, sqlite3.Error) as error:
        log.warning("No copy of the journal in its older form could be kept (%s); it is brought to the new one.", error)
        return None
    return copy


def _is_copy(connection: sqlite3.Connection, copy: Path) -> bool:
    """Whether the file is sound and holds the same rows: as many, with the same last one."""
    asked = "SELECT (SELECT count(*) FROM journal), * FROM journal ORDER BY sequence DESC LIMIT 1"
    try:
        with closing(connect_read_only(copy)) as other:
            return is_sound(copy) and other.execute(asked).fetchall() == connection.execute(asked).fetchall()
    except sqlite3.Error:
        return False


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit all changes made within, or none."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _add_checksums(connection: sqlite3.Connection) -> int:
    """Chain the decisions of a journal that has no checksums yet; how many there are."""
    before, decisions = "", 0
    rows = connection.execute(f"SELECT {COLUMNS[2]} FROM journal ORDER BY sequence")  # noqa: S608 - this module's own
    found: list[tuple[str, int]] = []
    for _, members in by_decision(rows):
        decisions += 1
        if any("\ufffd" in value for row in members for value in row if isinstance(value, str)):
            before = ""  # without a checksum it stays an altered decision
            continue
        before = checksum_of(before, members)
        found.append((before, members[0][0]))
    connection.executemany("UPDATE journal SET checksum = ? WHERE sequence = ?", found)
    return decisions


def copy_to(connection: sqlite3.Connection, copy: Path) -> None:
    """Copy the journal to `copy` unchanged. Under that name it is whole, even after a power cut.

    Raises `sqlite3.Error` or `OSError`; then nothing is left of it.
    """
    beside = copy.with_name(f"{copy.name}.new")
    beside.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(beside, isolation_level=None)) as target:
            beside.chmod(0o600)
            connection.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")  # so that it is one file, also while somebody reads it
        sync(beside)
        beside.rename(copy)
        sync(copy.parent)
    except (OSError, sqlite3.Error):
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
