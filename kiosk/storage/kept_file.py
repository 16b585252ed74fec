"""Reading what the kiosk keeps as JSON beside the journal: a file that cannot be read costs itself, and is told."""

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


_Looks = tuple[tuple[int, int, int], ...]


@dataclass(slots=True)
class KnownFile:
    """A file whose content the kiosk has in memory: it is of that `shape`, and `write` puts it there anew.

    `write` says whether it did: it may have to be asked again later.
    """

    path: Path
    shape: type[object]
    write: Callable[[], bool]
    well: _Looks = ()
    """How it looked when it could be read last, or was not there."""
    harmed: _Looks = ()
    """How it looked when it was found damaged: who writes it may not be done."""
    kept: str = field(default="", init=False)
    """As what the damaged one is kept that is to be written anew."""


class FilesInPlay:
    """Notices that another program damages files which the running kiosk has in memory, and writes them anew.

    `tell` is told of those. What can be read is a person's change and stays; so does a file that was taken away, as
    whoever deletes the codes wants new ones.
    """

    def __init__(self, files: Sequence[KnownFile], tell: Callable[[Phrase], None]) -> None:
        self._files = files
        self._tell = tell

    def look(self) -> None:
        """Look at those that changed since. One that is damaged is written anew where two looks find it alike."""
        if told := [*filter(None, map(self._looked_at, self._files))]:
            self._tell(sentences(*told))

    @staticmethod
    def _looked_at(one: KnownFile) -> Phrase | None:
        """What there is to tell of it."""
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
