"""What can go wrong in the shell. Every message says what happened and what the person can do."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Final

from rules.words import Phrase, either, known, say

if TYPE_CHECKING:
    from pathlib import Path


class KioskError(Exception):
    """Anything the shell raises on purpose; `str()` is fit to show to a person."""


def words_of(error: Exception) -> Phrase:
    """The message of `error`, also of a `Refusal` of the game; each listener gets it in their own language."""
    given = error.args[0] if error.args else ""
    return given if isinstance(given, Phrase) else known(str(error))


_SYSTEM: Final = {
    errno.ENOSPC: say("the disk is full"),
    errno.EDQUOT: say("the disk is full"),
    errno.EROFS: say("the disk can only be read"),
    errno.EACCES: say("this user may not"),
    errno.EPERM: say("this user may not"),
    errno.ENOENT: say("it is not there"),
    errno.ENOTDIR: say("a file is in its way"),
    errno.EEXIST: say("a file is in its way"),
    errno.EIO: say("the disk fails"),
    errno.EISDIR: say("it is no file"),
    errno.ESPIPE: say("it is no file"),
}
"""What the usual troubles of a disk are called."""


NO_FOLDER: Final = frozenset({errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EEXIST, errno.ENOENT})
"""The error numbers for a path that is no folder, or not this user's."""


def system_words(error: OSError) -> Phrase:
    """The system's error as part of a sentence; rare errors in the system's own words."""
    return _SYSTEM.get(error.errno or 0) or known(error.strerror or str(error))


CLOSING: Final = say("The kiosk is closing down, so this was not done. Try again once it runs.")
"""The refusal of a command that came too late."""


class ConfigError(KioskError, ValueError):
    """A settings file or an override that cannot be used; the message names the key."""


class WireError(KioskError, ValueError):
    """JSON from outside that does not have the expected form; `place` is a path such as `$.declaration.focus`."""

    def __init__(self, message: str, place: str = "$") -> None:
        super().__init__(message)
        self.place = place


class UnknownCommandError(WireError):
    """A command that this kiosk does not have; `near` holds the names most like it."""

    def __init__(self, name: str, near: tuple[str, ...]) -> None:
        quoted = repr(name)
        words = say("There is no command called {name}.", name=quoted)
        if near:
            words = say("There is no command called {name}. Did you mean {near}?", name=quoted, near=either(near))
        super().__init__(words, "$.command")
        self.name = name
        self.near = near


class StaleError(KioskError):
    """The request was about an earlier state of the table; nothing was changed."""


class JournalError(KioskError):
    """The journal cannot be used; the message says what to do."""


class JournalDamagedError(JournalError):
    """A decision of the journal is not as it was written, and cannot be followed; those before it are whole."""

    def __init__(self, decision: int) -> None:
        super().__init__(
            say(
                "Decision {number} of the journal is damaged. `trueroll doctor` says what the next start makes of it.",
                number=decision,
            )
        )
        self.decision = decision


class JournalNewerError(JournalError):
    """The journal was written by a later version of trueroll."""


class JournalUnreadableError(JournalError):
    """The file is no journal, or one so damaged that SQLite cannot say what is wrong with it."""


class JournalFullError(JournalError, OSError):
    """There is no room for another entry; nothing of the refused decision was kept."""


class JournalBusyError(JournalError):
    """Another kiosk holds the same data folder."""


class JournalGoneError(JournalError):
    """The journal that is open is no longer what lies in its folder: `why` says what is missing, within a sentence."""

    def __init__(self, path: Path, why: Phrase) -> None:
        super().__init__(say("The journal {path} is kept no longer: {why}.", path=str(path), why=why))
        self.why = why


class IdempotencyError(JournalError, ValueError):
    """The same idempotency key came with two different commands."""


class EngineError(KioskError):
    """The engine could not answer."""


class EngineBusyError(EngineError, TimeoutError):
    """Too much is waiting, or the answer took too long; the command was not applied."""


class EngineUncertainError(EngineError, TimeoutError):
    """The answer took too long while the command was being applied; look at the table before sending it again."""


class EngineStoppedError(EngineError, RuntimeError):
    """The kiosk is closing down and accepts nothing more."""


class HubFullError(KioskError):
    """Every live place is taken; the page can ask for the table every few seconds instead."""


class AccessError(KioskError):
    """Someone asked for what they may not do (yet)."""


class NotJoinedError(AccessError, PermissionError):
    """The table code is needed first."""


class NotGamemasterError(AccessError, PermissionError):
    """The gamemaster's code is needed first."""


class NotTheirsError(AccessError, PermissionError):
    """The decision is somebody else's; the message says whose."""


class PinNeededError(AccessError, PermissionError):
    """The table's PIN is needed first, at the kiosk itself."""


class AskFirstError(KioskError):
    """A question has to be answered with yes before this is done; the message is the question."""


class TooManyTriesError(AccessError):
    """Too many wrong codes or PINs; `retry_after` is in whole seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(say("Too many wrong tries. Wait {seconds} seconds, then try again.", seconds=retry_after))
        self.retry_after = retry_after


class AskedTooOftenError(KioskError):
    """Somebody makes costly requests too often; `retry_after` is in whole seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(
            say("That was asked for too often. Wait {seconds} seconds, then try again.", seconds=retry_after)
        )
        self.retry_after = retry_after


class GlossaryError(KioskError):
    """A glossary that cannot be used; the message names the file and the place."""


class CameraDeskError(KioskError):
    """Calibrating, teaching or keeping a case is not possible; the message says what to do."""


class TrayDeskError(KioskError):
    """A step of teaching, or a change of a taught die, is not possible; nothing was changed."""


class ServerError(KioskError):
    """The web server cannot listen at its address."""
