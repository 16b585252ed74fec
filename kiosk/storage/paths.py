"""The paths of the owner's files: the data folder and the settings file."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from platformdirs import user_config_path, user_data_path

JOURNAL_NAME: Final = "journal.sqlite3"
"""The journal's file in the data folder."""

SETTINGS_NAME: Final = "trueroll.toml"
"""The settings file in the owner's configuration folder."""

UNIT: Final = "trueroll.service"
"""The kiosk's unit, as hardware/os/install.sh names it."""

UNITS: Final = tuple(map(Path, ("/etc/systemd/system", "/run/systemd/system", "/usr/lib/systemd/system")))
"""The folders in which systemd looks for a unit, in this order."""

STATES: Final = Path("/var/lib")
"""Where systemd makes the folders of services that are not of a user."""


def service_folders(units: Iterable[Path] = UNITS, states: Path = STATES) -> tuple[Path, ...]:
    """The folders of its own that the system gives the kiosk's service (`StateDirectory`), as its unit says.

    The usual one where there is no unit, or it cannot be read. They need not exist.
    """
    places = tuple(units)
    found = [place / UNIT for place in places if (place / UNIT).exists()][:1]
    found += [one for place in places for one in sorted(place.glob(f"{UNIT}.d/*.conf"))]
    names: list[str] = []
    for file in found:
        with suppress(OSError):
            for line in file.read_text(errors="replace").splitlines():
                key, _, value = line.partition("=")
                if key.strip() == "StateDirectory":
                    names = [*names, *value.split()] if value.strip() else []
    return tuple(states / one.partition(":")[0] for one in dict.fromkeys(names or [UNIT.removesuffix(".service")]))


def data_folder(given: Path | None = None) -> Path:
    """`given`, or the place the owner's system keeps program data in. It need not exist yet."""
    return given or user_data_path("trueroll", appauthor=False)


def settings_place() -> Path:
    """The default path of the settings file."""
    return user_config_path("trueroll", appauthor=False) / SETTINGS_NAME


def settings_file(given: Path | None = None) -> Path | None:
    """`given`, or the owner's settings file where there is one; None means the embedded defaults."""
    if given is not None:
        return given
    usual = settings_place()
    return usual if usual.is_file() else None
