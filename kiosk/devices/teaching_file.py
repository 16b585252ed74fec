"""Keeps across a restart the die that is being taught, and the roll that was laid down for it.

A tray goes on while the kiosk restarts, and then tells again what lies on it. Without this file the die of the last
step would be taken for a throw.
"""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from firmware_bridge.errors import TaughtError
from firmware_bridge.taught import STEPS, TagSide
from firmware_bridge.teaching import Teaching
from kiosk.storage.kept_file import Tell, read_kept
from kiosk.storage.replacing import replace_file
from rules.dice import DieKind

log = logging.getLogger(__name__)

FILE_NAME: Final = "teaching.json"
"""The file's name in the data folder."""


class KeptTeaching(Struct, frozen=True, kw_only=True):
    """A die that is being taught, as the fields of `Teaching`."""

    name: str
    kind: DieKind
    side: TagSide = TagSide.UP
    tags: tuple[int, ...] = ()
    instead_of: int | None = None


class Kept(Struct, frozen=True, kw_only=True):
    """The file: the die under way, and what the ids of all readings of the held roll begin with.

    Of several trays each may have one: they are in `held_roll` with blanks between them, the newest last.
    """

    teaching: KeptTeaching | None = None
    held_roll: str = ""


MOST_HELD: Final = 4
"""Most trays of which a roll is kept: the most that can be in use."""


def _tray_of(roll: str) -> str:
    """The common beginning of the ids of a tray's readings since its start: "tray", its number, its boot id."""
    return ":".join(roll.split(":")[:3])


class TeachingFile:
    """Keeps both at `path`, or without one in memory alone; every method may be called from any thread.

    A disk that fails costs only that they outlast a restart, which the log tells once.
    """

    def __init__(self, path: Path | None = None, tell: Tell = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._told = False
        self._kept = (read_kept(path, Kept, tell) if path is not None else None) or Kept()

    @property
    def held_roll(self) -> str:
        """The rolls that count for nothing, as their dice were laid down for teaching, with blanks between them."""
        return self._kept.held_roll

    def hold(self, roll: str) -> None:
        """Keep `roll` as the one of its tray that counts for nothing."""
        with self._lock:
            others = [one for one in self._kept.held_roll.split() if _tray_of(one) != _tray_of(roll)]
            self._keep(msgspec.structs.replace(self._kept, held_roll=" ".join((*others[1 - MOST_HELD :], roll))))

    @property
    def teaching(self) -> Teaching | None:
        """The die that was being taught when the kiosk ended; None where there was none, or it cannot be."""
        kept = self._kept.teaching
        if kept is None or len(kept.tags) >= len(STEPS[kept.kind]):
            return None
        try:
            return Teaching(kept.name, kept.kind, kept.side, kept.tags, kept.instead_of)
        except TaughtError:
            return None

    def keep(self, teaching: Teaching | None) -> None:
        """Keep the die that is being taught now; None once it is finished or given up."""
        kept = None
        if teaching is not None:
            kept = KeptTeaching(
                name=teaching.name,
                kind=teaching.kind,
                side=teaching.side,
                tags=teaching.tags,
                instead_of=teaching.instead_of,
            )
        with self._lock:
            self._keep(msgspec.structs.replace(self._kept, teaching=kept))

    def _keep(self, kept: Kept) -> None:
        if kept != self._kept:
            self._kept = kept
            self._write()

    def write_anew(self) -> bool:
        """Write both again; whether that succeeded."""
        with self._lock:
            self._write()
            return not self._told

    def _write(self) -> None:
        if self._path is None:
            return
        try:
            replace_file(self._path, msgspec.json.encode(self._kept) + b"\n")
        except OSError as error:
            if not self._told:
                log.warning("The die that is being taught would not outlast a restart: %s.", error)
            self._told = True
        else:
            self._told = False
