"""Changing single settings in the owner's file; all else that stands there, comments too, stays as it is."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from kiosk.config import load_config, settings_text
from kiosk.errors import ConfigError, system_words
from kiosk.keeping.replacing import replace_file
from rules.phrases import say

Changes = Mapping[str, bool | str]
"""New values by key, such as `{"server.open_to_network": True}`."""

_HEAD: Final = re.compile(r"^\s*\[\s*(?P<name>\w+)\s*\]\s*(#.*)?$")
_COMMENT: Final = re.compile(r"""^[^=]*=\s*(?:"[^"]*"|'[^']*'|\w+)(?P<comment>\s*#.*)$""")


def change_settings(path: Path, changes: Changes) -> None:
    """Write `changes` into the settings file at `path`, which need not be there yet.

    Raises `ConfigError` with words for the owner; then the file is as it was.
    """
    target = path.resolve()
    text = settings_text(target) if target.exists() else ""
    load_config(target, text=text)
    made = text
    wanted: dict[str, dict[str, Any]] = tomllib.loads(text)
    for dotted, value in changes.items():
        section, _, key = dotted.partition(".")
        made = _with(made, section, key, json.dumps(value, ensure_ascii=False))
        wanted[section] = wanted.get(section, {}) | {key: value}
    if _read(made) != wanted:
        raise ConfigError(
            say("{path} is written in a way that only its owner can change. Change it by hand.", path=str(path))
        )
    load_config(target, text=made)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        replace_file(target, made.encode())
    except OSError as error:
        raise ConfigError(
            say("{path} cannot be written: {why}. Check its permissions.", path=str(path), why=system_words(error))
        ) from error


def _read(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _with(text: str, section: str, key: str, value: str) -> str:
    """`text` with one line changed or added; whether that came out right is for the caller to read."""
    lines = text.splitlines()
    heads = [(place, found["name"]) for place, line in enumerate(lines) if (found := _HEAD.match(line))]
    start = next((place for place, name in heads if name == section), None)
    if start is None:
        gap = [""] if lines and lines[-1].strip() else []
        return "\n".join([*lines, *gap, f"[{section}]", f"{key} = {value}", ""])
    end = next((place for place, _ in heads if place > start), len(lines))
    present = re.compile(rf"^\s*{re.escape(key)}\s*=")
    place = next((at for at in range(start + 1, end) if present.match(lines[at])), None)
    if place is None:
        lines.insert(start + 1, f"{key} = {value}")
    else:
        comment = _COMMENT.match(lines[place])
        lines[place] = f"{key} = {value}{comment['comment'] if comment else ''}"
    return "\n".join([*lines, ""])
