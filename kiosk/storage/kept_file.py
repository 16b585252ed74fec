"""Reads the JSON files beside the journal: an unreadable file is skipped and reported."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeVar

import msgspec

from kiosk.errors import system_words
from kiosk.storage.journal import looks_of
from kiosk.storage.replacing import read_file
from rules.words import Phrase, say, sentences

log = logging.getLogger(__name__)

Tell = Callable[[Phrase], None] | None
"""Receives a message about a file; None if it is only logged."""

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
"""What people at the table notice when the file of that name is damaged."""

_Shape = TypeVar("_Shape")


def read_kept(path: Path, shape: type[_Shape], tell: Tell = None) -> _Shape | None:
    """The content of the file at `path`; None if it is missing or cannot be used.

    The kiosk, which gives `tell`, keeps a damaged one as `NAME.damaged.json`, so that the next that is written does not
    take its place. Others leave it unchanged.
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
    """What is wrong with the file at `path`, in words; None if it is well, or missing. Nothing is changed."""
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


_Looks = tuple[tuple[int, int, int], ...]


@dataclass(slots=True)
class KnownFile:
    """A file whose content the kiosk has in memory, of that `shape`.

    `write` writes it again and returns whether it did; it may have to be called again later.
    """

    path: Path
    shape: type[object]
    write: Callable[[], bool]
    well: _Looks = ()
    """Its attributes when it was last readable, or absent."""
    harmed: _Looks = ()
    """Its attributes when it was found damaged: its writer may not have finished."""
    kept: str = field(default="", init=False)
    """The name under which the damaged one is kept until it is written again."""


class FilesInPlay:
    """Notices that another program damages files which the running kiosk has in memory, and writes them anew.

    `tell` is told of those. What can be read is a person's change and stays; so does a file that was taken away, as
    whoever deletes the codes wants new ones.
    """

    def __init__(self, files: Sequence[KnownFile], tell: Callable[[Phrase], None]) -> None:
        self._files = files
        self._tell = tell

    def look(self) -> None:
        """Check the files that changed. A damaged one is written again if two checks find it the same."""
        if told := [*filter(None, map(self._looked_at, self._files))]:
            self._tell(sentences(*told))

    @staticmethod
    def _looked_at(one: KnownFile) -> Phrase | None:
        """The message about it, if any."""
        if not one.kept:
            looks = looks_of(one.path)
            if not looks or looks == one.well:
                one.well = looks
                return None
            if not _is_damaged(one.path, one.shape):
                one.well, one.harmed = looks, ()
                return None
            if one.harmed != looks:
                one.harmed = looks
                return None
            kept = damaged_file(one.path)
            try:
                one.path.replace(kept)
            except OSError:
                return None
            one.kept = kept.name
        if not one.write():
            return None
        name, one.kept, one.harmed = one.kept, "", ()
        return say(
            "{name} was damaged while the kiosk ran. It is written anew from memory, and nothing is lost; the damaged "
            "one is kept as {kept}.",
            name=one.path.name,
            kept=name,
        )


def _is_damaged(path: Path, shape: type[object]) -> bool:
    """Whether the file can be read, and holds nothing of that shape."""
    try:
        msgspec.json.decode(read_file(path), type=shape)
    except OSError:
        return False
    except DAMAGED:
        return True
    return False


def _unreadable(path: Path, error: OSError) -> Phrase:
    """The message for an unreadable file, with advice if it is no regular file, which the kiosk must not replace."""
    what = say("{name} cannot be read: {why}.", name=path.name, why=system_words(error))
    if error.errno not in {errno.EISDIR, errno.ESPIPE}:
        return what
    return sentences(what, say("Move it away, then start the kiosk again."))


def _leads_nowhere(path: Path) -> Phrase:
    return say("{name} is a link to a file that is not there.", name=path.name)


def damaged_file(path: Path) -> Path:
    """The name for a damaged file; it replaces an earlier one."""
    return path.with_name(f"{path.stem}.damaged{path.suffix}")


DAMAGED: Final = (msgspec.MsgspecError, ValueError, RecursionError)
"""The errors of reading a damaged file."""
