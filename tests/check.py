"""`make check`: style, types, and the quick tests of the rooms that changed and of those that import them.

A room is a folder of product code. Git says what changed: since the branch left main, uncommitted and new files
included. The tests of a room are those that import it or lie in the folder that mirrors it; the tests of what imports
it are those that import just these files. What takes long is left to `make test`: the browser's tests, those marked
`slow`, and most of what is random.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

import click

from tests.test_arrows import HOUSE, imports_of

ROOT: Final = Path(__file__).parents[1]

MAIN: Final = ("origin/main", "main")
"""Where a branch may have left from; the first that there is counts."""

PAGES: Final = {"kiosk/static": "kiosk/web", "kiosk/templates": "kiosk/web"}
"""Folders without code of their own, and the room that shows them."""


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


def modules_imported(root: Path, path: PurePath) -> frozenset[PurePath]:
    """The files of the product that a Python file imports."""
    return frozenset(_modules(root, path))


def _modules(root: Path, path: PurePath) -> Iterator[PurePath]:
    for _, name in imports_of((root / path).read_text(encoding="utf-8"), Path(path)):
        whole = PurePath(*name.split("."))
        if whole.parts[0] not in HOUSE:
            continue
        for place in (whole, whole.parent):  # a module, or a name in one
            files = (place / "__init__.py", place.parent / f"{place.name}.py")
            yield from (file for file in files if (root / file).is_file())


def importers(root: Path, rooms: frozenset[str]) -> frozenset[PurePath]:
    """The files of the product beside these rooms that import something of them."""
    files = (file.relative_to(root) for folder in HOUSE for file in sorted((root / folder).rglob("*.py")))
    return frozenset(
        path
        for path in files
        if room_of(path) not in rooms and any(room_of(one) in rooms for one in modules_imported(root, path))
    )


def tests_of(root: Path, changed: Iterable[PurePath]) -> tuple[list[str], list[str]]:
    """The rooms that changed, and the files of the tests of these rooms and of what imports them.

    A test that changed itself, one that uses a changed helper, and those that walk the whole house belong to them.
    """
    paths = frozenset(path for path in changed if path.parts)
    rooms = frozenset(room for path in paths if (room := room_of(path)))
    concerned = importers(root, rooms)
    helpers = {".".join(path.with_suffix("").parts) for path in paths if path.parts[0] == "tests"}
    tests = []
    for file in sorted((root / "tests").rglob("test_*.py")):
        path = file.relative_to(root)
        mirrored = str(PurePath(*path.parts[1:-1]))
        known = modules_imported(root, path)
        tried = known & concerned or any(room_of(one) in rooms for one in known)
        named = {name for _, name in imports_of(file.read_text(encoding="utf-8"), path)}
        helped = any(name == one or name.startswith(f"{one}.") for name in named for one in helpers)
        if path in paths or mirrored in {*rooms, "."} or tried or helped:
            tests.append(str(path))
    return sorted(rooms), tests


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
