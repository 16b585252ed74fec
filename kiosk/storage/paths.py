"""Where the kiosk keeps what is its owner's: the data folder and the settings file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from platformdirs import user_config_path, user_data_path

JOURNAL_NAME: Final = "journal.sqlite3"
"""The journal's file in the data folder."""

SETTINGS_NAME: Final = "trueroll.toml"
"""The settings file in the owner's configuration folder."""


def data_folder(given: Path | None = None) -> Path:
    """`given`, or the place the owner's system keeps program data in. It need not exist yet."""
    return given or user_data_path("trueroll", appauthor=False)


def settings_place() -> Path:
    """Where the settings are looked for when no file is named."""
    return user_config_path("trueroll", appauthor=False) / SETTINGS_NAME


def settings_file(given: Path | None = None) -> Path | None:
    """`given`, or the owner's settings file where there is one; None means the embedded defaults."""
    if given is not None:
        return given
    usual = settings_place()
    return usual if usual.is_file() else None
