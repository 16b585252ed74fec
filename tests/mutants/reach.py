"""Which tests can notice a change of a module: those that import it, by however many steps, the nearest first.

A test imports what the `conftest.py` of its folder and of those above it import: that is where its fixtures are made.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Final

from tests.imports import HOUSE, files_of, imports_of

SLOW: Final = ("properties", "soak")
"""Words in the names of test files that take minutes: they come last."""


def tests_of(tree: Path, path: str) -> list[str]:
    """The test files of the room of `path`, the nearest to it first.

    Those that import the module by however many steps; all of the room's where none does, since a test may also reach
    it through a program that it starts.
    """
    near = _distances(tree, path)
    room = [str(file.relative_to(tree)) for file in sorted((tree / "tests" / Path(path).parts[0]).rglob("test_*.py"))]
    found = [file for file in room if file in near]
    return sorted(found or room, key=lambda file: (any(word in file for word in SLOW), near.get(file, 0), file))


def _distances(tree: Path, path: str) -> dict[str, int]:
    """How many imports lie between `path` and each file that imports it."""
    importers: dict[str, set[str]] = {}
    for file in _files(tree):
        for imported in _imported(tree, file):
            importers.setdefault(imported, set()).add(file)
    near, left = {path: 0}, deque([path])
    while left:
        at = left.popleft()
        for file in sorted(importers.get(at, ())):
            if file not in near:
                near[file] = near[at] + 1
                left.append(file)
    return near


def _files(tree: Path) -> Iterator[str]:
    for folder in (*HOUSE, "tests"):
        yield from (str(file.relative_to(tree)) for file in sorted((tree / folder).rglob("*.py")))


def _imported(tree: Path, file: str) -> Iterator[str]:
    for _, name in imports_of((tree / file).read_text("utf-8"), PurePath(file)):
        yield from (str(found) for found in files_of(tree, name))
    if PurePath(file).name.startswith("test_"):
        beside = (folder / "conftest.py" for folder in PurePath(file).parents)
        yield from (str(one) for one in beside if (tree / one).is_file())
