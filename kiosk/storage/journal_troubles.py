"""Why a journal cannot be used, written or read: SQLite's errors in words that say what to do."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path
from typing import Final

from kiosk.errors import (
    JournalBusyError,
    JournalDamagedError,
    JournalError,
    JournalFullError,
    JournalGoneError,
    JournalUnreadableError,
    system_words,
)
from kiosk.storage.folder import why_unwritten
from kiosk.storage.replacing import open_file
from kiosk.storage.salvage import MAGIC
from rules.words import Phrase, say

UNWRITTEN_CODES: Final = frozenset({"SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_IOERR_SHMSIZE"})
"""The errors of SQLite that mean that the disk took nothing: it has no room, can only be read, or fails."""

NO_ROOM_NUMBERS: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
"""The error numbers of a disk without room."""

ANOTHER_KIOSK: Final = say("another kiosk uses the data folder")
"""Why nothing is saved in a folder that another kiosk holds."""

ANOTHER_PROGRAM: Final = say("another program uses it")
"""Why nothing is kept in a journal that another program has locked."""

NO_FILE: Final = say("this user may not, or it is no file")
"""Why nothing is kept where the journal cannot be opened."""

WHY_UNOPENED: Final = {
    "SQLITE_FULL": say("the disk is full"),
    "SQLITE_READONLY": say("the disk can only be read"),
    "SQLITE_CANTOPEN": NO_FILE,
    "SQLITE_BUSY": ANOTHER_PROGRAM,
}
"""The usual troubles of opening a journal, in words."""

DAMAGE_CODES: Final = frozenset({"SQLITE_CORRUPT", "SQLITE_NOTADB"})
"""The errors of SQLite that mean that the file is damaged."""

ELSEWHERE_CODES: Final = (
    "SQLITE_FULL",
    "SQLITE_READONLY",
    "SQLITE_CANTOPEN",
    "SQLITE_BUSY",
    "SQLITE_IOERR",
    "SQLITE_LOCKED",
)
"""The beginnings of the names of errors of the disk, the folder or another program; all others are the file's fault."""

_PASSING: Final = ("SQLITE_CANTOPEN", "SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_READONLY", "SQLITE_FULL", "SQLITE_NOMEM")
"""The beginnings of the names of errors that say nothing about an unreadable file."""

FOLDER_GONE: Final = say("the data folder is gone")
"""Why nothing is kept where the folder was removed, or its disk unmounted."""

FILE_GONE: Final = say("the journal was taken out of its folder")
"""Why nothing is kept where somebody removed or replaced the file."""

DAMAGED: Final = say("the journal is damaged")
"""Why nothing is saved if the file is no longer a journal."""

FULL_WORDS: Final = say(
    "There is no room left to record this, so it was not done. Free some space on the kiosk's disk and try again; "
    "everything shown so far is safe."
)
"""The message if a command could not be recorded."""

_PLAIN: Final = {
    "SQLITE_NOTADB": "is no journal any more: what is in it is something else",
    "SQLITE_CORRUPT": "is damaged",
    "SQLITE_ERROR": "holds no decisions",
    "SQLITE_CANTOPEN": "cannot be opened: this user may not, or it is no file",
    "SQLITE_BUSY": "cannot be read: another program has locked it",
}
"""The usual errors of reading a journal, by SQLite's names."""


def unusable(error: str) -> Phrase:
    """The message if SQLite reads or writes nothing, for the reason in `error`."""
    return say(
        "The journal cannot be used ({error}), so nothing was done. Check the kiosk's disk, then restart it.",
        error=error,
    )


def has_form(path: Path) -> bool:
    """Whether the file is empty, or begins as a database that can be written: bytes 18 and 19 say so, 1 or 2 each.

    https://www.sqlite.org/fileformat.html#file_format_version_numbers
    """
    try:
        with open_file(path) as file:
            head = file.read(20)
    except OSError:
        return True  # which is a trouble of the disk or the folder
    return not head or (head.startswith(MAGIC) and set(head[18:]) <= {1, 2})


def is_damage(error: JournalError, path: Path) -> bool:
    """Whether the file at `path` is at fault, not the folder, a later version or another program.

    SQLite calls some damages of a write-ahead log an error of the disk, so such an error counts.
    """
    if isinstance(error, JournalUnreadableError | JournalDamagedError):
        return True
    cause = error.__cause__
    return isinstance(cause, sqlite3.Error) and not (code_of(cause).startswith(_PASSING) and has_form(path))


def plainly(error: sqlite3.Error) -> str:
    """SQLite's complaint about a file, as the end of a sentence for people who never heard of SQLite."""
    code = code_of(error)
    return next((words for begins, words in _PLAIN.items() if code.startswith(begins)), f"cannot be read: {error}")


def why_not_kept(error: JournalError) -> Phrase:
    """Why the journal could not be written, as part of a sentence."""
    cause = error.__cause__
    if isinstance(error, JournalGoneError):
        return error.why
    if isinstance(error, JournalBusyError):
        return ANOTHER_KIOSK
    if isinstance(error, JournalFullError) or getattr(cause, "errno", None) in NO_ROOM_NUMBERS:
        return say("the disk is full")
    if isinstance(error, JournalUnreadableError):
        return DAMAGED
    if isinstance(cause, OSError):
        return system_words(cause)
    code = next(
        (one for one in WHY_UNOPENED if isinstance(cause, sqlite3.Error) and code_of(cause).startswith(one)), ""
    )
    return WHY_UNOPENED[code] if code else say("the disk fails")


def cause_of(error: Exception, path: Path) -> Exception:
    """The error, or what its disk says where SQLite only says that it was not written."""
    if code_of(error) not in UNWRITTEN_CODES or code_of(error) == "SQLITE_FULL":
        return error
    why = why_unwritten(path.parent)
    why.__cause__ = error
    return why


def code_of(error: Exception) -> str:
    """SQLite's name for the error; empty where Python raised it by itself."""
    return getattr(error, "sqlite_errorname", "")
