"""Changes single settings in the owner's file; everything else, comments included, stays unchanged."""

from __future__ import annotations

import stat
import threading
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from kiosk.config import load_config, settings_text
from kiosk.errors import ConfigError, system_words
from kiosk.storage.replacing import OWNERS_ALONE, replace_file
from rules.words import say

Changes = Mapping[str, bool | str | None]
"""New values by key, such as `{"server.open_to_network": True}`; None takes the key out."""

_one_at_a_time: Final = threading.Lock()


def change_settings(path: Path, changes: Changes) -> None:
    """Write `changes` into the settings file at `path`, which need not exist yet. Safe from any thread.

    Raises `ConfigError` with words for the owner; then the file is as it was.
    """
    with _one_at_a_time:
        target = path.resolve()
        text = settings_text(target) if target.exists() else ""
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else OWNERS_ALONE
        load_config(target, text=text)
        made = _changed(text, changes)
        if made is None:
            raise ConfigError(
                say("{path} is written in a way that only its owner can change. Change it by hand.", path=str(path))
            )
        load_config(target, text=made)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            replace_file(target, made.encode(), mode)
        except OSError as error:
            raise ConfigError(
                say("{path} cannot be written: {why}. Check its permissions.", path=str(path), why=system_words(error))
            ) from error


def _changed(text: str, changes: Changes) -> str | None:
    """`text` with the changes; None if the result is not as intended."""
    import tomlkit  # noqa: PLC0415  # most evenings change no setting
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415  # likewise

    wanted: dict[str, dict[str, Any]] = tomllib.loads(text)
    try:
        document = tomlkit.parse(text)
        for dotted, value in changes.items():
            section, _, key = dotted.partition(".")
            if value is None:
                if key in wanted.get(section, {}):
                    del document[section][key]
                    del wanted[section][key]
                continue
            document.setdefault(section, tomlkit.table())[key] = value
            wanted[section] = wanted.get(section, {}) | {key: value}
        made = tomlkit.dumps(document)
        return made if tomllib.loads(made) == wanted else None
    except (TOMLKitError, tomllib.TOMLDecodeError):
        return None
