"""Reads the JSON files beside the journal, and writes those anew that are damaged in play.

An unreadable one is skipped and reported.
"""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeVar

import msgspec

from kiosk.errors import system_words
from kiosk.storage.journal_names import looks_of
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

    The kiosk, which gives `tell`, keeps a damaged one as `NAME.damaged.json`, or with a number if there is one, so that
    the next that is written does not take its place. Others leave it unchanged.
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


SHOWN_LOOKS: Final = 5
"""For how many looks a damage is shown as a trouble: ten seconds in play."""

_Looks = tuple[tuple[int, int, int], ...]


@dataclass(slots=True)
class KnownFile:
    """A file whose content the kiosk has in memory, of that `shape`.

    `write` writes it again and returns whether it did; it may have to be called again later. `holds` says whether
    memory has what the file had: it has not where the file could not be read at the start.
    """

    path: Path
    shape: type[object]
    write: Callable[[], bool]
    well: _Looks = ()
    """Its attributes when it was last readable, absent, or left as it is."""
    harmed: _Looks = ()
    """Its attributes when it was found damaged: its writer may not have finished."""
    holds: Callable[[], bool] = lambda: True
    unread: bool = field(default=False, init=False)
    """Whether there has been none but a file that could not be read, so that memory lacks what is in it."""
    kept: str = field(default="", init=False)
    """The name under which the damaged one is kept until it is written again."""

    def __post_init__(self) -> None:
        """See how it is at the start."""
        self.unread = fault_of(self.path, self.shape) is not None


class FilesInPlay:
    """Notices that another program damages files which the running kiosk has in memory, and writes them anew.

    `tell` is told of those, and again with True once they have been whole for `SHOWN_LOOKS` looks.

    What can be read is a person's change and stays; so does a file that was taken away, as whoever deletes the codes
    wants new ones. A damaged one stays, too, where memory does not have what was in it.
    """

    def __init__(self, files: Sequence[KnownFile], tell: Callable[[Phrase, bool], None]) -> None:
        self._files = files
        self._tell = tell
        self._told: Phrase | None = None
        self._whole = 0
        """For how many looks they have been whole since."""

    def look(self) -> None:
        """Check the files that changed. A damaged one is written again if two checks find it the same."""
        if told := [*filter(None, map(self._looked_at, self._files))]:
            self._told, self._whole = sentences(*told), 0
            self._tell(self._told, False)  # noqa: FBT003 - as its type says
        elif self._told and not any(one.kept or one.harmed for one in self._files):
            self._whole += 1
            if self._whole == SHOWN_LOOKS:
                self._tell(self._told, True)  # noqa: FBT003 - as above
                self._told = None

    @staticmethod
    def _looked_at(one: KnownFile) -> Phrase | None:
        """The message about it, if any."""
        if not (one.kept or _set_aside(one)) or not one.write():
            return None
        name, one.kept, one.harmed = one.kept, "", ()
        return say(
            "{name} was damaged while the kiosk ran. It is written anew from memory, and nothing is lost; the damaged "
            "one is kept as {kept}.",
            name=one.path.name,
            kept=name,
        )


def _set_aside(one: KnownFile) -> bool:
    """Put it aside if it was found damaged twice, the same each time, and memory has what was in it; whether it was."""
    looks = looks_of(one.path)
    if not looks or looks == one.well:
        one.well = looks
        return False
    if not _is_damaged(one.path, one.shape):
        one.well, one.harmed = looks, ()
        one.unread = one.unread and fault_of(one.path, one.shape) is not None
        return False
    if one.harmed != looks:
        one.harmed = looks
        return False
    if one.unread or not one.holds():
        one.well, one.harmed = looks, ()
        return False
    kept = damaged_file(one.path)
    try:
        one.path.replace(kept)
    except OSError:
        return False
    one.kept = kept.name
    return True


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
    """A name for a damaged file that no file has yet."""
    kept = path.with_name(f"{path.stem}.damaged{path.suffix}")
    for number in count(2):
        if not os.path.lexists(kept):
            return kept
        kept = path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
    raise AssertionError  # pragma: no cover - count has no end


DAMAGED: Final = (msgspec.MsgspecError, ValueError, RecursionError)
"""The errors of reading a damaged file."""
