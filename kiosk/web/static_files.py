"""Styles, scripts, fonts and drawings of the pages, at addresses that name their version.

A browser keeps what it has for such an address and does not ask again: a tap on a tab costs one request, not thirty.
With another version of the kiosk every address is another.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache, partial
from pathlib import Path
from typing import Final

from flask import Flask, Response, current_app, send_from_directory
from markupsafe import Markup

KEPT_FOR_GOOD: Final = "public, max-age=31536000, immutable"
"""What RFC 8246 says of a file that never changes: kept for a year, and not asked for again before."""

_IMPORTED: Final = re.compile(r'^import .*?"(\.{1,2}/[^"]+)";', re.MULTILINE)
"""What a module of ours imports: a line for each."""


def serve_static(app: Flask) -> None:
    """Let templates write `{{ static }}/base.css` and `{{ script("play") }}`, and answer such addresses."""
    app.add_url_rule("/static/version-<version>/<path:name>", "static_file", _static_file)
    app.jinja_env.globals["static"] = address_of(folder_of(app))
    app.jinja_env.globals["script"] = partial(script, folder_of(app).resolve())


@cache
def script(folder: Path, name: str) -> Markup:
    """The script `js/NAME.js` of a page, and first all that it imports: else a browser asks for one after another."""
    first = folder / "js" / f"{name}.js"
    found = {first: None}  # keeps the order
    waiting = [first]
    while waiting:
        one = waiting.pop(0)
        imported = [(one.parent / each).resolve() for each in _IMPORTED.findall(one.read_text(encoding="utf-8"))]
        waiting += [each for each in imported if each not in found]
        found |= dict.fromkeys(imported)
    addresses = [f"{address_of(folder)}/{one.relative_to(folder).as_posix()}" for one in found]
    preloads = Markup().join(Markup('<link rel="modulepreload" href="{}">').format(one) for one in addresses[1:])
    return preloads + Markup('<script type="module" src="{}"></script>').format(addresses[0])


def address_of(folder: Path) -> str:
    """The path below which `folder` is served as it is now."""
    return f"/static/version-{version_of(folder)}"


def folder_of(app: Flask) -> Path:
    """The folder with the files."""
    return Path(app.static_folder or "")


@cache
def version_of(folder: Path) -> str:
    """Changes with any file of `folder`: twelve hexadecimal digits."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            found.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode())
            found.update(path.read_bytes())
    return found.hexdigest()[:12]


def _static_file(version: str, name: str) -> Response:
    """A page of an earlier version that is still open somewhere has what there is now, and nothing is kept of it."""
    folder = folder_of(current_app)
    answer = send_from_directory(folder, name)
    if version == version_of(folder):
        answer.headers["Cache-Control"] = KEPT_FOR_GOOD
    return answer
