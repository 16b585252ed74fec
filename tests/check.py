"""`make check`: style, types, and the quick tests of the rooms that changed and of those that import them.

A room is a folder of product code. Git says what changed: since the branch left main, uncommitted and new files
included. The tests of a room are those that import it or lie in the folder that mirrors it; the tests of what imports
it are those that import just these files. What takes long is left to `make test`: the browser's tests, those marked
`slow`, and most of what is random.

Half of the house imports a low room. The tests that lie beside the room run whole; of the others those that are over
soonest, as the tests before this one took (`build/seconds.json`), until `SECONDS` are used. What is left out is told.
Seconds for which a test only waited for a core do not count: a busy host leaves out what a quiet one does.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Final

import click

from tests.imports import HOUSE, files_of, imports_of

ROOT: Final = Path(__file__).parents[1]

KEPT: Final = ROOT / "build" / "seconds.json"
"""What the quick tests of each file took here; see `keep_seconds`."""

SCHEDSTAT: Final = Path("/proc/self/schedstat")
"""Nanoseconds that Linux counts of this process's main thread: at work, and queued for a core."""

MAIN: Final = ("origin/main", "main")
"""Where a branch may have left from; the first that there is counts."""

PAGES: Final = {"kiosk/static": "kiosk/web", "kiosk/templates": "kiosk/web"}
"""Folders without code of their own, and the room that shows them."""


WALKERS: Final = frozenset({PurePath("tests/kiosk/i18n/test_translations.py")})
"""Tests outside of the house's own that walk all of it: every template of every room has to be in the translations."""


SECONDS: Final = 60.0
"""Of tests, on two cores at once, beside style and types: together they are over within a minute."""

UNKNOWN: Final = 1.0
"""The seconds of a file that was never run here: more than most take, so that a fresh clone is no slower."""


@dataclass(frozen=True, slots=True)
class Found:
    """The rooms that changed, the files of tests that run whatever they take, and those for which there may be time."""

    rooms: list[str]
    own: list[str]
    others: list[str]


@dataclass(frozen=True, slots=True)
class Task:
    """One command, its name and its result."""

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


def tests_of(root: Path, changed: Iterable[PurePath]) -> Found:
    """The tests of what changed, those that lie in the room's own folder apart from the rest.

    A test that changed itself, one that uses a changed helper or lies beside changed fixtures or data, and those that
    walk the whole house belong to the first.
    """
    paths = frozenset(path for path in changed if path.parts)
    rooms = frozenset(room for path in paths if (room := room_of(path)))
    imports = Imports(root)
    concerned = importers(root, rooms, imports)
    changed_tests = {path for path in paths if path.parts[0] == "tests"}
    helpers = {".".join(path.with_suffix("").parts) for path in changed_tests}
    beside = {_beside(root, path) for path in changed_tests if path.suffix != ".py" or path.stem == "conftest"}
    folders = {room.partition("/")[0] for room in rooms}
    own, others = [], []
    for file in sorted((root / "tests").rglob("test_*.py")):
        path = file.relative_to(root)
        mirrored = str(PurePath(*path.parts[1:-1]))
        known = imports.modules(path)
        tried = any(room_of(one) in rooms for one in known)
        beside_it = tried and path.parts[1] in folders
        helped = any(name == one or name.startswith(f"{one}.") for name in imports.names(path) for one in helpers)
        always = path in paths | WALKERS or mirrored in {*rooms, "."} or helped or beside & set(path.parents)
        if always or beside_it:
            own.append(str(path))
        elif tried or known & concerned:
            others.append(str(path))
    imports.keep()
    return Found(sorted(rooms), own, others)


def in_time(found: Found, seconds: Mapping[str, float]) -> tuple[list[str], list[str]]:
    """The files that are run, and those that are left out."""
    left = SECONDS - sum(seconds.get(one, UNKNOWN) for one in found.own)
    run, out = list(found.own), list[str]()
    for one in sorted(found.others, key=lambda one: seconds.get(one, UNKNOWN)):
        left -= seconds.get(one, UNKNOWN)
        (run if left >= 0 else out).append(one)
    return run, out


def queued(schedstat: Path = SCHEDSTAT) -> float:
    """The seconds for which this process had work and no core so far: they are the host's, not the test's.

    0 where the system does not count them; a busy host then makes tests seem long.
    """
    with suppress(OSError, ValueError, IndexError):
        return int(schedstat.read_text(encoding="ascii").split()[1]) / 1e9
    return 0.0


def kept_seconds() -> dict[str, float]:
    """The seconds that the quick tests of each file took when they were last run here."""
    with suppress(OSError, ValueError):
        return dict(json.loads(KEPT.read_text(encoding="utf-8")))
    return {}


def keep_seconds(taken: Mapping[str, float], *, quick: bool) -> None:
    """Keep what the quick tests of files took. The short form takes longer: it adds a file, or finds it was quicker."""
    before = kept_seconds()
    found = {one: spent if quick else min(spent, before.get(one, spent)) for one, spent in taken.items()}
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text(json.dumps({**before, **found}, indent=0), encoding="utf-8")


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
    found = tests_of(ROOT, changed_since(revision))
    tests, left_out = in_time(found, kept_seconds())
    commit = output("git", "rev-parse", "--short", revision)
    click.echo(f"Changed since {commit}: {', '.join(found.rooms) or 'no room'}.")
    if left_out:
        click.echo(f"{len(tests)} files of tests; left to `make test`, for time: {' '.join(left_out)}")
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
