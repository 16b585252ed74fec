"""The file for a helper elsewhere: what they need to know, without secrets; written, never sent.

In it: what the doctor found, the settings with passwords masked, versions, the names and sizes of the kept files, and
how many decisions and events of each kind the journal holds. Not in it: codes, names of persons and characters, what
was typed or rolled, pictures, and where on this machine anything lies.
"""

from __future__ import annotations

import getpass
import ipaddress
import json
import platform
import re
import socket
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, Final

from kiosk.clock import SystemClock
from kiosk.config import Config, as_dict
from kiosk.errors import JournalError
from kiosk.storage.journal import open_for_reading
from kiosk.storage.paths import JOURNAL_NAME
from rules.game import name_of
from rules.words import masked

NOTE: Final = (
    "This file was made by `trueroll doctor --bundle`. It holds no codes, no names and nothing of the game. "
    "Look through it, then give it to whoever helps you. It was sent to nobody.\n"
)
"""What the bundle says of itself to whoever opens it."""
_ADDRESS: Final = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){4,7}\b", re.IGNORECASE)
"""An IPv4 or IPv6 address of a machine."""
IPV6: Final = 6
"""No library's version looks like such an address."""
_SHORTEST_NAME: Final = 3
"""The shortest user or machine name that is hidden; a shorter one stands in many words."""


def write_bundle(file: Path, config: Config, data: Path, findings: Iterable[dict[str, Any]]) -> None:
    """Write the bundle to `file`, which must not be there yet. Raises `OSError`."""
    parts = {
        "findings.json": list(findings),
        "settings.json": as_dict(config),
        "machine.json": _machine(),
        "files.json": _files(data),
        "journal.json": _journal(data),
    }
    with zipfile.ZipFile(file, "x", zipfile.ZIP_DEFLATED) as made:
        made.writestr("README.txt", NOTE)
        for name, content in parts.items():
            text = json.dumps(_discreet(content), indent=1, ensure_ascii=False, default=str)
            made.writestr(name, redacted(text, data))


def redacted(text: str, data: Path) -> str:
    """`text` without paths, user and machine names, and addresses of machines."""
    names = {str(data): "DATA", str(data.resolve()): "DATA", str(Path.home()): "HOME"}
    who = {_user(): "USER", socket.gethostname(): "MACHINE"}
    names |= {name: put for name, put in who.items() if len(name) >= _SHORTEST_NAME}
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", names[name], text)
    return _ADDRESS.sub(_hidden_address, text)


def _discreet(content: object) -> object:
    """What is written, with no secret in a text of it: a last door, as settings and findings hide theirs."""
    if isinstance(content, str):
        return masked(content)
    if isinstance(content, Mapping):
        return {key: _discreet(one) for key, one in content.items()}
    return [_discreet(one) for one in content] if isinstance(content, list | tuple) else content


def _hidden_address(found: re.Match[str]) -> str:
    """Hides a private address, or one with `//` or who logs in before it; others may be versions, which look alike."""
    try:
        address = ipaddress.ip_address(found[0])
    except ValueError:
        return found[0]
    told = address.is_loopback or address.is_unspecified
    private = address.is_private or address.version == IPV6 or found.string[: found.start()].endswith(("//", "@"))
    return "ADDRESS" if private and not told else found[0]


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""


def _machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "system": platform.system(),
        "kernel": platform.release(),
        "machine": platform.machine(),
        "packages": dict(sorted((one.name, one.version) for one in distributions())),
    }


def _files(data: Path) -> list[dict[str, Any]]:
    """Each file with name, size and time; of pictures and cases only the number."""
    try:
        found = sorted(data.iterdir())
    except OSError:
        return []  # what the doctor found tells why
    return [{"name": one.name.encode(errors="replace").decode()} | _told_of(one) for one in found]


def _told_of(path: Path) -> dict[str, Any]:
    try:
        if path.is_dir():
            return {"files": sum(1 for _ in path.iterdir())}
        there = path.lstat()
    except OSError as error:
        return {"trouble": error.strerror}
    return {"bytes": there.st_size, "written": int(there.st_mtime)}


def _journal(data: Path) -> dict[str, Any]:
    """How many decisions of each command and events of each kind there are."""
    commands: Counter[str] = Counter()
    events: Counter[str] = Counter()
    try:
        journal = open_for_reading(data / JOURNAL_NAME, SystemClock())
        try:
            for one in journal.decisions():
                commands[one.command] += 1
                events.update(name_of(event) for event in one.events)
        finally:
            journal.close()
    except JournalError as error:
        return {"trouble": str(error), "commands": commands, "events": events}
    return {"commands": commands, "events": events}
