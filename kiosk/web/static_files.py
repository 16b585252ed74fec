"""Styles, scripts, fonts and drawings of the pages, at addresses that name their version.

A browser keeps what it has for such an address and does not ask again: a tap on a tab costs one request, not thirty.
With another version of the kiosk every address is another.

The styles of a page come as one file, and so do its scripts: each request takes a slow processor as long as what it
brings. They are joined here, unchanged, when they are first requested. Only the lists that our pages name are joined:
else a stranger could fill the memory with joined files.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Final

from flask import Flask, Response, abort, current_app, request, send_from_directory
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

KEPT_FOR_GOOD: Final = "public, max-age=31536000, immutable"
"""The cache header for a file that never changes (RFC 8246): kept for a year without asking again."""

LINKED: Final = "linked/js/"
"""Below the address of the files: each script with all that it imports. Several are named with `+` between them."""

STYLES: Final = frozenset(
    {("base", "conflict", "display", "fight"), ("base", "phone", "conflict"), ("base", "phone", "bridge", "conflict")}
)
"""The style sheets that a page has as one file, in their order."""

SCRIPTS: Final = frozenset(
    {("back",), ("camera",), ("conflict",), ("display",), ("gm",), ("home",), ("home", "forms"), ("play",), ("voice",)}
)
"""The scripts that a page has as one file, in their order."""

WITH_KEYS: Final = frozenset((*names, "keys") for names in SCRIPTS - {("back",), ("display",)})
"""The same for pages of the kiosk's own touch screen that have fields to type in."""

_KEPT: Final = 32
"""Most joined files in memory: more than there are lists."""

_IMPORT: Final = re.compile(r'^import (?:(?P<names>.+) from )?"(?P<path>\.{1,2}/[^"]+)";$', re.MULTILINE)
"""An import of one of our modules, one a line."""

_EXPORT: Final = re.compile(r"^export (?=(?:async )?function (\w+)|const (\w+))", re.MULTILINE)
"""A named export."""

_DEFAULT: Final = re.compile(r"export default (\w+);\s*\Z")
"""The default export at the end of a vendored module."""

_LEFT: Final = re.compile(r"^(?:import|export) .*", re.MULTILINE)
"""Module syntax that must not be left in a joined script."""


def serve_static(app: Flask) -> None:
    """Let templates write `{{ static }}/base.css`, `{{ styles("base") }}` and `{{ script("play") }}`; answer those."""
    app.add_url_rule("/static/version-<version>/<path:name>", "static_file", _static_file)
    app.jinja_env.globals["static"] = address_of(folder_of(app))
    app.jinja_env.globals["styles"] = partial(styles, folder_of(app))
    folder = folder_of(app)

    @pass_context
    def scripts(page: Context, *names: str, first: bool = False) -> Markup:
        """What `script` has, and at the kiosk itself the keys of its touch screen, where the page may have fields."""
        keyed = (*names, "keys")
        return script(folder, *(keyed if page.get("here") and keyed in WITH_KEYS else names), first=first)

    app.jinja_env.globals["script"] = scripts


def styles(folder: Path, *names: str) -> Markup:
    """The style sheets `NAME.css`, the later ones above the earlier, as one.

    Raises `ValueError` for several that are not in `STYLES`: they would not be served.
    """
    if len(names) > 1 and names not in STYLES:
        raise ValueError(f"not in STYLES: {names}")
    return Markup('<link rel="stylesheet" href="{}/{}.css">').format(address_of(folder), "+".join(names))


def script(folder: Path, *names: str, first: bool = False) -> Markup:
    """The scripts `js/NAME.js` of a page with all that they import, as one; `first` to run before it is painted.

    Raises `ValueError` for what is not in `SCRIPTS` or `WITH_KEYS`: it would not be served.
    """
    if names not in SCRIPTS | WITH_KEYS:
        raise ValueError(f"not in SCRIPTS: {names}")
    return Markup('<script type="module" src="{}/{}{}.js"{}></script>').format(
        address_of(folder), LINKED, "+".join(names), Markup(' blocking="render"') if first else ""
    )


@lru_cache(_KEPT)
def linked(folder: Path, *names: str) -> str:
    """One module with `js/NAME.js` of each name and all their imports, in a browser's order.

    Each is wrapped in a function with its own names. Exports are bound once: a variable that changes cannot be
    imported. The whole exports what the named ones export. Raises `ValueError` for what cannot be joined, and `OSError`
    for a missing file.
    """
    order: dict[Path, tuple[str, list[str]]] = {}

    def take(path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        for one in _IMPORT.finditer(text):
            if (imported := (path.parent / one["path"]).resolve()) not in order:
                take(imported)
        given = [name for pair in _EXPORT.findall(text) for name in pair if name]
        text = _EXPORT.sub("", _IMPORT.sub(_bound, text))
        if whole := _DEFAULT.search(text):
            given.append(f"default: {whole[1]}")
            text = text[: whole.start()]
        if left := _LEFT.search(text):
            raise ValueError(f"{path.name}: {left[0]}")
        order[path] = (text.rstrip(), given)

    asked = [(folder / "js" / f"{name}.js").resolve() for name in names]
    for path in asked:
        if path not in order:
            take(path)
    modules = [
        f"// {path.name}\nconst ${path.stem} = (() => {{\n{text}\nreturn {{ {', '.join(given)} }};\n}})();\n"
        for path, (text, given) in order.items()
    ]
    given = [f"export const {{ {', '.join(order[path][1])} }} = ${path.stem};\n" for path in asked if order[path][1]]
    return "".join(modules + given)


def _bound(found: re.Match[str]) -> str:
    """An import as it stands among the modules that are put together."""
    names = found["names"]
    if not names:
        return ""
    return f"const {names if names.startswith('{') else f'{{ default: {names} }}'} = ${Path(found['path']).stem};"


@lru_cache(_KEPT)
def joined(folder: Path, *names: str) -> str:
    """The style sheets one after the other; raises `OSError` for what is not there."""
    return "".join((folder / f"{name}.css").read_text(encoding="utf-8") for name in names)


def address_of(folder: Path) -> str:
    """The path below which `folder` is served as it is now."""
    return f"/static/version-{version_of(folder)}"


def folder_of(app: Flask) -> Path:
    """The folder with the files."""
    return Path(app.static_folder or "")


@cache
def version_of(folder: Path) -> str:
    """A version that changes with any file of `folder`: twelve hexadecimal digits."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            found.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode())
            found.update(path.read_bytes())
    return found.hexdigest()[:12]


def _static_file(version: str, name: str) -> Response:
    """Serve a file; a page of an earlier version gets the present file, uncached."""
    folder = folder_of(current_app)
    answer = _together(folder, name) or send_from_directory(folder, name)
    if version == version_of(folder):
        answer.headers["Cache-Control"] = KEPT_FOR_GOOD
    return answer


def _together(folder: Path, name: str) -> Response | None:
    """The answer joined from several files; None for a single file."""
    path, _, kind = name.rpartition(".")
    stem = path.removeprefix(LINKED)
    scripts = path != stem and kind == "js"
    if not scripts and not ("+" in path and kind == "css"):
        return None
    names = tuple(stem.split("+"))
    if names not in (SCRIPTS | WITH_KEYS if scripts else STYLES):
        abort(404)
    text = linked(folder, *names) if scripts else joined(folder, *names)
    answer = Response(
        text, mimetype="text/javascript" if scripts else "text/css", headers={"Cache-Control": "no-cache"}
    )
    answer.add_etag()
    answer.make_conditional(request)
    return answer
