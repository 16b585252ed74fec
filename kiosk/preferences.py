"""What people choose at the kiosk itself and want kept over a restart: how the room's speaker talks.

The settings file is the owner's and gives the defaults; this small file in the data folder holds what was chosen since.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

log = logging.getLogger(__name__)

FILE_NAME: Final = "preferences.json"

Length = Literal["terse", "normal", "full"]
"""How much is said of each outcome."""


class Preferences(Struct, frozen=True, kw_only=True):
    """How the room's speaker talks. What is missing, as in a file of another version, is as the settings have it."""

    length: Length | None = None
    muted: bool | None = None


class PreferencesFile:
    """Keeps preferences at `path`. A disk that fails costs only that they are kept, which the log tells."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept = True

    def load(self) -> Preferences:
        """What was chosen; nothing where nothing was, or the file cannot be read, which the log tells."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=Preferences)
        except FileNotFoundError:
            return Preferences()
        except (OSError, msgspec.MsgspecError) as error:
            log.warning("%s cannot be read (%s). The voice is as the settings have it.", self._path, error)
            return Preferences()

    def save(self, preferences: Preferences) -> None:
        """Put `preferences` in place of what was kept, whole or not at all."""
        beside = self._path.with_suffix(".new")
        try:
            with beside.open("wb") as file:
                file.write(msgspec.json.encode(preferences) + b"\n")
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self._path)
        except OSError as error:
            if self._kept:
                log.warning("What was chosen for the voice holds until the next start only: %s.", error)
            self._kept = False
        else:
            self._kept = True
