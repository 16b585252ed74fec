"""Reading what the kiosk keeps as JSON beside the journal: a file that cannot be read costs itself, and is told."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeVar

import msgspec

from kiosk.errors import system_words
from kiosk.storage.replacing import read_file
from rules.words import Phrase, say, sentences

log = logging.getLogger(__name__)

Tell = Callable[[Phrase], None] | None
"""Takes in words what became of a file; None where nobody is told, but the log."""

LOST_WITH: Final[Mapping[str, Phrase]] = MappingProxyType(
    {
        "access.json": say("The codes that let phones in are new, and a PIN has to be set again."),
        "persons.json": say("Whoever had joined with a phone joins again."),
        "preferences.json": say("Language, screen, voice and network have to be chosen again."),
        "hidden.json": say("The gamemaster's hidden rolls are gone."),
        "teaching.json": say("The die that was being taught is taught from its first side on."),
        "bluetooth-dice.json": say("The Bluetooth dice have to be paired again."),
    }
)
"""What the people at the table notice where the file of that name is damaged, beside that it is."""

_Shape = TypeVar("_Shape")


def read_kept(path: Path, shape: type[_Shape], tell: Tell = None) -> _Shape | None:
    """What the file at `path` holds; None where there is none, or it cannot be used.

    The kiosk, which gives `tell`, keeps a damaged one as `NAME.damaged.json`, so that the next that is written does
    not take its place. Whoever only looks leaves it as it is.
    """
    say_it = tell or (lambda what: log.warning("%s", what))
    try:
        return msgspec.json.decode(read_file(path), type=shape)
    except (FileNotFoundError, NotADirectoryError):
        if path.is_symlink():
            say_it(sentences(_leads_nowhere(path), LOST_WITH.get(path.name, "")))
    except OSError as error:
        say_it(sentences(_unreadable(path, error), LOST_WITH.get(path.name, "")))
    except DAMAGED as error:
        if tell is None:
            log.warning("%s is damaged: %s", path, error)
            return None
        kept = damaged_file(path)
        with suppress(OSError):
            path.replace(kept)
        damaged = say("{name} was damaged; it is kept as {kept}.", name=path.name, kept=kept.name)
        say_it(sentences(damaged, LOST_WITH.get(path.name, "")))
    return None


def fault_of(path: Path, shape: type[object]) -> Phrase | None:
    """What is wrong with the file at `path`, in words; None where it is well, or not there. Nothing is changed."""
    try:
        held = read_file(path)
    except (FileNotFoundError, NotADirectoryError):
        return _leads_nowhere(path) if path.is_symlink() else None
    except OSError as error:
        return _unreadable(path, error)
    try:
        msgspec.json.decode(held, type=shape)
    except DAMAGED:
        if not held:
            return say("{name} is empty: what was in it is gone.", name=path.name)
        return say("{name} is damaged: what is in it cannot be read.", name=path.name)
    return None


def _unreadable(path: Path, error: OSError) -> Phrase:
    """That the file cannot be read, and what to do about what is none: the kiosk may not put a file in its place."""
    what = say("{name} cannot be read: {why}.", name=path.name, why=system_words(error))
    if error.errno not in {errno.EISDIR, errno.ESPIPE}:
        return what
    return sentences(what, say("Move it away, then start the kiosk again."))


def _leads_nowhere(path: Path) -> Phrase:
    return say("{name} is a link to a file that is not there.", name=path.name)


def damaged_file(path: Path) -> Path:
    """What a damaged file is kept as; the one before it gives way."""
    return path.with_name(f"{path.stem}.damaged{path.suffix}")


DAMAGED: Final = (msgspec.MsgspecError, ValueError, RecursionError)
"""What reading a file raises that is none of ours any more."""
