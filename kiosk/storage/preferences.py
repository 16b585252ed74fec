"""Choices made at the kiosk itself and kept across restarts: how it talks and looks, and who may come in.

The settings file is the owner's and gives the defaults; this small file in the data folder holds what was chosen since.
"""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from kiosk.errors import system_words
from kiosk.ports import Length, Manner
from kiosk.settings import Diagonal, Distance, Theme
from kiosk.storage.kept_file import Tell, read_kept
from kiosk.storage.replacing import replace_file

log = logging.getLogger(__name__)

FILE_NAME: Final = "preferences.json"
"""The file in the data folder."""

Ring = Literal["dim", "bright", "dark"]
"""How the panel's ring light rests while no camera looks for dice."""


class Preferences(Struct, frozen=True, kw_only=True):
    """The choices. Missing ones, as in a file of another version, follow the settings."""

    language: Annotated[str, Meta(max_length=12)] | None = None
    length: Length | None = None
    muted: bool | None = None
    manner: Manner | None = None
    diagonal_inches: Diagonal | None = None
    distance_metres: Distance | None = None
    theme: Theme | None = None
    flip: bool | None = None
    ring: Ring | None = None
    wait_for_voice: bool | None = None
    phones: bool | None = None


class PreferencesFile:
    """Keeps preferences at `path`. A disk that fails costs only that they are kept, which the log tells.

    `tell` is told where the file cannot be used.
    """

    def __init__(self, path: Path, tell: Tell = None) -> None:
        self._path = path
        self._tell = tell
        self._kept = True
        self._lock = threading.Lock()
        self._chosen: Preferences | None = None

    def load(self) -> Preferences:
        """The choices; none if there are none, or if the file is unreadable, which is reported once."""
        with self._lock:
            if self._chosen is None:
                self._chosen = read_kept(self._path, Preferences, self._tell) or Preferences()
            return self._chosen

    def change(self, **chosen: object) -> None:
        """Save the given fields of `Preferences` in addition to the saved ones, whole or not at all."""
        kept = self.load()
        with self._lock:
            self._chosen = msgspec.structs.replace(self._chosen or kept, **chosen)
            self._write(self._chosen)

    def keep_again(self) -> None:
        """Save the file if that failed before, or if it is gone."""
        with self._lock:
            if self._chosen is None or (self._kept and (self._path.exists() or self._chosen == Preferences())):
                return
            self._write(self._chosen)

    def write_anew(self) -> bool:
        """Write the present choices again; whether that succeeded."""
        kept = self.load()
        with self._lock:
            self._write(self._chosen or kept)
            return self._kept

    def _write(self, preferences: Preferences) -> None:
        try:
            replace_file(self._path, msgspec.json.encode(preferences) + b"\n")
        except OSError as error:
            if self._kept:
                log.warning("What was chosen at the kiosk is kept once the disk takes it: %s.", system_words(error))
            self._kept = False
        else:
            self._kept = True
