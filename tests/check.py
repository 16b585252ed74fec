"""`make check`: style, types, and the quick tests of the rooms that changed and of those that import them.

A room is a folder of product code. Git says what changed: since the branch left main, uncommitted and new files
included. The tests of a room are those that import it or lie in the folder that mirrors it; the tests of what imports
it are those that import just these files. What takes long is left to `make test`: the browser's tests, those marked
`slow`, and most of what is random.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Final

import click

from tests.imports import HOUSE, files_of, imports_of

ROOT: Final = Path(__file__).parents[1]

MAIN: Final = ("origin/main", "main")
"""Where a branch may have left from; the first that there is counts."""

PAGES: Final = {"kiosk/static": "kiosk/web", "kiosk/templates": "kiosk/web"}
"""Folders without code of their own, and the room that shows them."""


WALKERS: Final = frozenset({PurePath("tests/kiosk/i18n/test_translations.py")})
"""Tests outside of the house's own that walk all of it: every template of every room has to be in the translations."""


@dataclass(frozen=True, slots=True)
class Task:
    """One command, what it is called, and what it came to."""

    name: str
    command: Sequence[str]


def output(*command: str) -> str:
    """What a command prints; empty where it fails."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def base() -> str:
    """The commit that this branch left main at; the last commit where there is no main."""
    return next((found for one in MAIN if (found := output("git", "merge-base", "HEAD", one))), "HEAD")


def changed_since(revision: str) -> list[PurePath]:
    """Every file that is not as it was then, new ones included."""
    edited = output("git", "diff", "--name-only", "--no-renames", "--relative", revision)
    new = output("git", "ls-files", "--others", "--exclude-standard")
    return [PurePath(name) for name in dict.fromkeys([*edited.splitlines(), *new.splitlines()])]


def room_of(path: PurePath) -> str:
    """The room in which a file of the product lies; empty for any other file."""
    if path.parts[0] not in HOUSE:
        return ""
    for folder, room in PAGES.items():
        if path.is_relative_to(folder):
            return room
    return str(path.parent)


class Imports:
    """What the files of a tree import; to parse all of them takes seconds, so it is kept from one check to the next."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._kept = root / "build" / "imports.json"
        self._before: dict[str, list[str]] = {}
        self._now: dict[str, list[str]] = {}
        self._found: dict[str, tuple[PurePath, ...]] = {}
        with suppress(OSError, ValueError):
            self._before = json.loads(self._kept.read_text(encoding="utf-8"))

    def names(self, path: PurePath) -> list[str]:
        """The dotted names that a file imports."""
        text = (self._root / path).read_text(encoding="utf-8")
        key = f"{path} {sha256(text.encode()).hexdigest()}"
        if key not in self._now:
            known = self._before.get(key)
            self._now[key] = sorted({name for _, name in imports_of(text, Path(path))}) if known is None else known
        return self._now[key]

    def modules(self, path: PurePath) -> frozenset[PurePath]:
        """The files of the product that a file imports."""
        return frozenset(file for name in self.names(path) for file in self._files(name))

    def _files(self, name: str) -> tuple[PurePath, ...]:
        if name not in self._found:
            ours = name.partition(".")[0] in HOUSE
            self._found[name] = tuple(files_of(self._root, name)) if ours else ()
        return self._found[name]

    def keep(self) -> None:
        """Write down what was asked, for the next check."""
        self._kept.parent.mkdir(exist_ok=True)
        self._kept.write_text(json.dumps(self._now), encoding="utf-8")


def importers(root: Path, rooms: frozenset[str], imports: Imports) -> frozenset[PurePath]:
    """The files of the product beside these rooms that import something of them."""
    files = (file.relative_to(root) for folder in HOUSE for file in sorted((root / folder).rglob("*.py")))
    return frozenset(
        path
        for path in files
        if room_of(path) not in rooms and any(room_of(one) in rooms for one in imports.modules(path))
    )


def tests_of(root: Path, changed: Iterable[PurePath]) -> tuple[list[str], list[str]]:
    """The rooms that changed, and the files of the tests of these rooms and of what imports them.

    A test that changed itself, one that uses a changed helper or lies beside changed fixtures or data, and those that
    walk the whole house belong to them.
    """
    paths = frozenset(path for path in changed if path.parts)
    rooms = frozenset(room for path in paths if (room := room_of(path)))
    imports = Imports(root)
    concerned = importers(root, rooms, imports)
    changed_tests = {path for path in paths if path.parts[0] == "tests"}
    helpers = {".".join(path.with_suffix("").parts) for path in changed_tests}
    beside = {_beside(root, path) for path in changed_tests if path.suffix != ".py" or path.stem == "conftest"}
    tests = []
    for file in sorted((root / "tests").rglob("test_*.py")):
        path = file.relative_to(root)
        mirrored = str(PurePath(*path.parts[1:-1]))
        known = imports.modules(path)
        tried = known & concerned or any(room_of(one) in rooms for one in known)
        helped = any(name == one or name.startswith(f"{one}.") for name in imports.names(path) for one in helpers)
        if path in paths | WALKERS or mirrored in {*rooms, "."} or tried or helped or beside & set(path.parents):
            tests.append(str(path))
    imports.keep()
    return sorted(rooms), tests


def _beside(root: Path, path: PurePath) -> PurePath:
    """The folder whose tests use fixtures or data: their own, of data the next one up that has tests."""
    if path.stem == "conftest":
        return path.parent
    return next(one for one in path.parents if one == PurePath("tests") or any((root / one).glob("test_*.py")))


def run(task: Task) -> bool:
    """Run one command; print what it said, in one piece."""
    start = time.monotonic()
    done = subprocess.run(
        task.command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    click.echo(f"== {task.name} ({time.monotonic() - start:.0f} s)\n{done.stdout.rstrip()}")
    return done.returncode == 0


def main() -> int:
    """Check what changed; 0 where nothing is wrong."""
    parser = argparse.ArgumentParser(prog="make check", description=__doc__)
    parser.add_argument("--since", default="", help="a revision to compare with, if not where the branch left main")
    revision = parser.parse_args().since or base()
    rooms, tests = tests_of(ROOT, changed_since(revision))
    commit = output("git", "rev-parse", "--short", revision)
    click.echo(f"Changed since {commit}: {', '.join(rooms) or 'no room'}.")
    python = sys.executable
    with ThreadPoolExecutor() as pool:
        results = pool.map(
            run,
            [
                Task("pytest", [python, "-m", "pytest", "-q", "--length=quick", "--numprocesses=2", *tests]),
                Task("ruff", [python, "-m", "ruff", "check", "."]),
                Task("ruff format", [python, "-m", "ruff", "format", "--check", "."]),
                Task("mypy", [python, "-m", "mypy"]),
            ],
        )
        right = all(list(results))
    click.echo("All is well; `make test` tries the rest." if right else "Something is wrong: see above.")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
